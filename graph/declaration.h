// The words with which a node declares itself.
//
//   In<Mesh> mesh;  In<float> angle;  Out<Mesh> out;        // handles, one set per node file
//   void declare(Declaration& d) {
//     d.id("deform.twist", 1).label("Twist").category("Deform").doc("Twists a mesh.");
//     d.in(mesh, "mesh").doc("What to twist.");
//     d.in(angle, "angle", 45.0f).range(-720, 720).unit("deg").doc("Angle at the top.");
//     d.out(out, "mesh");
//   }
//   void exec(Exec& e) { e.set(out, kernels::twist(e.get(mesh), e.get(angle))); }
//   SINEW_NODE(deform_twist, declare, exec)
//
// The name given to SINEW_NODE is the file's path under nodes/ with '/' as '_'; the list of all
// nodes is generated from the file names, so that no static registers itself.
#pragma once

#include <concepts>
#include <string>
#include <utility>
#include <vector>

#include "graph/exec.h"
#include "graph/node_type.h"
#include "graph/registry.h"

namespace sinew {

// Chained after Declaration::in to say more about the socket.
class InputWords {
 public:
  explicit InputWords(InputInfo& info) : info_(info) {}

  InputWords& label(std::string s) { return info_.label = std::move(s), *this; }
  InputWords& doc(std::string s) { return info_.doc = std::move(s), *this; }
  // Binding: a literal outside is an error, a value that arrives by a link or a chart is clamped.
  InputWords& range(double min, double max) { return info_.min = min, info_.max = max, *this; }
  InputWords& unit(std::string s) { return info_.unit = std::move(s), *this; }
  InputWords& choices(std::vector<std::string> names) {
    return info_.choices = std::move(names), *this;
  }
  InputWords& optional() { return info_.optional = true, *this; }
  InputWords& multiline() { return info_.is_multiline = true, *this; }
  InputWords& reads_file(std::vector<std::string> endings) {
    info_.file = FileUse::read;
    return info_.file_endings = std::move(endings), *this;
  }
  InputWords& writes_file(std::vector<std::string> endings) {
    info_.file = FileUse::write;
    return info_.file_endings = std::move(endings), *this;
  }
  // A link may also bring a U, unconverted; the node asks for it with Exec::get_if<U>.
  template <class U>
  InputWords& accepts() {
    return info_.also.push_back(&type_of<U>()), *this;
  }
  // Of In<Any>: any type, but the same as that of every other socket with this variable. Of another
  // type: that, or what it accepts besides, and outputs with this variable have the type that came.
  InputWords& generic(std::string variable) { return info_.generic = std::move(variable), *this; }
  // Of a simulation: init and step must not ask for it, and a change of it repeats no step.
  InputWords& only_read() { return info_.only_read = true, *this; }
  // Where it changes over time, the node is given all of that (Exec::over_time) and not only its
  // value at the moment, since it has to know what was before, or comes after. A link brings the
  // values of all frames of the document: simulations behind it are run to the end first. So the
  // node does not differ from frame to frame because of such an input. get() is not for it.
  InputWords& whole_time() { return info_.whole_time = true, *this; }
  // Drawn over the other curves of the node with this word.
  InputWords& plot(std::string word) { return info_.plot = std::move(word), *this; }
  // The x of this curve is time.
  InputWords& over_time(CurveClock clock = {}) { return info_.clock = clock, *this; }
  // What the node takes in place of what is set, for interfaces that show it.
  InputWords& in_effect(std::function<Value(std::span<const Value>)> f) {
    return info_.in_effect = std::move(f), *this;
  }
  // Its literals are made of places on what arrives at that input, declared before, at rest: a
  // touch of the body as it is shown adds one (TypeInfo::with_touched).
  template <class T>
  InputWords& places_on(const In<T>& body) {
    return info_.places_on = body.index, *this;
  }
  // Which output of which node type gives a good value for it.
  InputWords& best_from(std::string type, std::string output) {
    info_.best_type = std::move(type);
    return info_.best_output = std::move(output), *this;
  }
  InputWords& selector() { return info_.selector = true, *this; }

 private:
  InputInfo& info_;
};

class OutputWords {
 public:
  explicit OutputWords(OutputInfo& info) : info_(info) {}
  OutputWords& label(std::string s) { return info_.label = std::move(s), *this; }
  OutputWords& doc(std::string s) { return info_.doc = std::move(s), *this; }
  OutputWords& generic(std::string variable) { return info_.generic = std::move(variable), *this; }
  // Whose elements the values belong to: inputs or outputs of this node, declared before. Values
  // that live on a body stand for it; of several, the first that leads to a body counts.
  template <class... Handles>
  OutputWords& on(const Handles&... bodies) {
    return (live_on(bodies), ...), *this;
  }
  OutputWords& on_nothing() { return info_.on_nothing = true, *this; }
  // It says what is at any time, such as a path: though the node depends on the frame, this is
  // another from frame to frame only if its inputs are.
  OutputWords& timeless() { return info_.timeless = true, *this; }
  // An editor shows it beside the rest while the node is chosen, and asks for it only then.
  OutputWords& shown_when_chosen() { return info_.shown_when_chosen = true, *this; }

 private:
  template <class T>
  void live_on(const In<T>& in) {
    add_body(false, in.index);
  }
  template <class T>
  void live_on(const Out<T>& out) {
    add_body(true, out.index);
  }
  void add_body(bool is_output, int index);

  OutputInfo& info_;
};

// Chained after Declaration::handle to say which inputs it sets; they are declared before, and so
// are outputs that it begins from.
class HandleWords {
 public:
  explicit HandleWords(HandleInfo& info) : info_(info) {}

  HandleWords& at(const In<Vec3>& in) { return set(info_.at, in.index); }
  HandleWords& to(const In<Vec3>& in) { return set(info_.to, in.index); }
  HandleWords& along(const In<Vec3>& in) { return set(info_.along, in.index); }
  HandleWords& rotation(const In<Vec3>& in) { return set(info_.rotation, in.index); }
  HandleWords& scale(const In<Vec3>& in) { return set(info_.scale, in.index); }
  HandleWords& extent(const In<Vec3>& in) { return set(info_.extent, in.index); }
  HandleWords& radius(const In<float>& in) { return set(info_.radius, in.index); }
  HandleWords& radii(const In<Vec3>& in) { return set(info_.radii, in.index); }
  HandleWords& normal(const In<Vec3>& in) { return set(info_.normal, in.index); }
  HandleWords& offset(const In<float>& in) { return set(info_.offset, in.index); }
  HandleWords& pivot(const In<Vec3>& in) { return set(info_.pivot, in.index); }
  HandleWords& when(const In<bool>& in) { return set(info_.when, in.index); }
  // Of a pin.
  HandleWords& twist(const In<float>& in) { return set(info_.twist, in.index); }
  template <class E>
  requires std::is_enum_v<E> HandleWords& centre(const In<E>& in) {
    return set(info_.centre, in.index);
  }
  HandleWords& cap(const In<float>& in) { return set(info_.cap, in.index); }
  // Of a point or a vector: what is set is how far it is from this output.
  HandleWords& from(const Out<Vec3>& out) { return set(info_.from, out.index); }
  HandleWords& to_from(const Out<Vec3>& out) { return set(info_.to_from, out.index); }
  template <class T>
  HandleWords& items(const In<T>& in) {
    return set(info_.items, in.index);
  }
  // Of anchors: what has them.
  template <class T>
  HandleWords& anchors(const Out<T>& out) {
    return set(info_.anchors, out.index);
  }
  // They are moved at the present frame only, though the node itself does not depend on it.
  HandleWords& keyed() { return info_.keyed = true, *this; }

 private:
  HandleWords& set(int& field, int index);

  HandleInfo& info_;
};

class Declaration {
 public:
  explicit Declaration(NodeType& type) : type_(type) {}

  Declaration& id(std::string id, int version) {
    type_.id = std::move(id);
    return type_.version = version, *this;
  }
  Declaration& label(std::string s) { return type_.label = std::move(s), *this; }
  Declaration& category(std::string s) { return type_.category = std::move(s), *this; }
  Declaration& doc(std::string s) { return type_.doc = std::move(s), *this; }
  Declaration& formerly(std::string id) { return type_.formerly.push_back(std::move(id)), *this; }
  Declaration& uses_frame() { return type_.uses.frame = true, *this; }
  Declaration& uses_dt() { return type_.uses.dt = true, *this; }
  Declaration& uses_seed() { return type_.uses.seed = true, *this; }
  // The node can do less while a hand drags something in the editor: it asks Exec::draft(). Drafts
  // have keys of their own, so that they never take the place of results.
  Declaration& uses_draft() { return type_.uses.draft = true, *this; }
  // The node asks which of its inputs are another from frame to frame (Exec::changes).
  Declaration& uses_changes() { return type_.asks_changes = true, *this; }
  Declaration& role(NodeRole role) { return type_.role = role, *this; }
  Declaration& viewer() { return type_.viewer = true, *this; }
  Declaration& has_effect() { return type_.has_effect = true, *this; }
  // Call in order: the first brings version 1 to 2, the next 2 to 3, and so on.
  Declaration& upgrade(std::function<void(UpgradeStep&)> step) {
    return type_.upgrades.push_back(std::move(step)), *this;
  }

  // What can be dragged in the viewport: d.handle(HandleKind::point, "tip").at(tip).
  HandleWords handle(HandleKind kind, std::string name);
  // How a hand pulls at the body that this simulation moves.
  Declaration& hand(const In<bool>& grab, const In<Vec3>& at, const In<Vec3>& to,
                    const In<float>& radius, const In<float>& follow) {
    return type_.hand = HandInfo{grab.index, at.index, to.index, radius.index, follow.index}, *this;
  }
  // The same at a body that knows itself how much of it comes along, and how fast.
  Declaration& hand(const In<bool>& grab, const In<Vec3>& at, const In<Vec3>& to) {
    return type_.hand = HandInfo{grab.index, at.index, to.index}, *this;
  }
  // What arrives at this input was made by a node with a curve of that name, on which this node is
  // at (x, y) now.
  template <class T>
  Declaration& running(const In<T>& input, std::string curve, const Out<float>& x,
                       const Out<float>& y) {
    return add_running({input.index, std::move(curve), x.index, y.index});
  }

  // What the node does only when somebody asks for it (graph/work.h): run(e, site) finds a literal
  // for `result`.
  template <class T>
  Declaration& work(std::string label, const In<T>& result, void (*run)(Exec&, WorkSite&)) {
    return type_.work = WorkInfo{std::move(label), result.index, run}, *this;
  }

  // What is given comes out as something that can be used in place of the model.
  template <class T>
  Declaration& stand_in(const In<T>& given, const In<T>& model, const Out<T>& out) {
    return type_.stand_in = StandInInfo{given.index, model.index, out.index}, *this;
  }

  // A socket without a standard value: it must be linked, unless .optional() follows.
  template <class T>
  InputWords in(In<T>& handle, std::string name) {
    return add_input(handle.index, std::move(name), type_of<Stored<T>>(), Value());
  }
  template <class T, class V>
  requires(!std::is_enum_v<T> && std::convertible_to<V, T>) InputWords
      in(In<T>& handle, std::string name, V standard) {
    return add_input(handle.index, std::move(name), type_of<T>(),
                     Value::of<T>(static_cast<T>(std::move(standard))));
  }
  template <class T>
  requires std::is_enum_v<T> InputWords in(In<T>& handle, std::string name, T standard) {
    return add_input(handle.index, std::move(name), type_of<Choice>(),
                     Value::of(Choice{static_cast<int>(standard)}));
  }
  // A socket for any number of links.
  template <class T>
  InputWords in(InList<T>& handle, std::string name) {
    InputWords words = add_input(handle.index, std::move(name), type_of<T>(), Value());
    type_.inputs.back().multi = true;
    return words;
  }
  template <class T>
  OutputWords out(Out<T>& handle, std::string name) {
    return add_output(handle.index, std::move(name), type_of<Stored<T>>());
  }

 private:
  InputWords add_input(int& index, std::string name, const TypeInfo& type, Value standard);
  OutputWords add_output(int& index, std::string name, const TypeInfo& type);
  Declaration& add_running(RunningInfo info);

  NodeType& type_;
};

// States say their own size, so that the store can keep to its budget.
template <class S>
concept SimulationState = requires(const S& s) {
  { s.bytes() } -> std::convertible_to<size_t>;
};

// A simulation is three pure functions: init(inputs), step(state, inputs), read(state, inputs).
template <SimulationState S>
NodeType simulation_node(void (*declare)(Declaration&), S (*init)(Exec&),
                         S (*step)(const S&, Exec&), void (*read)(const S&, Exec&)) {
  NodeType type;
  type.role = NodeRole::simulate;
  Declaration d(type);
  declare(d);
  auto pack = [](S state) {
    const size_t bytes = state.bytes();
    return SimState{std::make_shared<const S>(std::move(state)), bytes};
  };
  auto unpack = [](const SimState& s) -> const S& { return *static_cast<const S*>(s.data.get()); };
  type.init = [=](Exec& e) { return pack(init(e)); };
  type.step = [=](const SimState& s, Exec& e) { return pack(step(unpack(s), e)); };
  type.read = [=](const SimState& s, Exec& e) { read(unpack(s), e); };
  return type;
}

NodeType compute_node(void (*declare)(Declaration&), void (*exec)(Exec&));
NodeType select_node(void (*declare)(Declaration&), int (*select)(const Exec&));
// Nodes whose role says everything: reroute, note, view, group.
NodeType structural_node(void (*declare)(Declaration&));

}  // namespace sinew

#define SINEW_NODE(name, declare, exec)                                     \
  namespace sinew::all_nodes {                                              \
  void register_##name(Registry& r) { r.add(compute_node(declare, exec)); } \
  }
#define SINEW_SIMULATION(name, declare, init, step, read)                                  \
  namespace sinew::all_nodes {                                                             \
  void register_##name(Registry& r) { r.add(simulation_node(declare, init, step, read)); } \
  }
#define SINEW_SELECT(name, declare, select)                                  \
  namespace sinew::all_nodes {                                               \
  void register_##name(Registry& r) { r.add(select_node(declare, select)); } \
  }
#define SINEW_STRUCTURAL(name, declare)                                  \
  namespace sinew::all_nodes {                                           \
  void register_##name(Registry& r) { r.add(structural_node(declare)); } \
  }
