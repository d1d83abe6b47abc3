// A hand that pulls at a simulated body with a spring, while it plays. It takes hold of a part of
// the body that can be seen, with a strength that can be felt: both unless the document says
// otherwise.
#include <fmt/format.h>

#include "app/editor/panels/viewport/viewport.h"
#include "app/ui/theme.h"

namespace sinew::editor {
namespace {

constexpr float held_part = 0.13f;  // of the body, when nothing else is said
constexpr double follows = 20;      // 1/s: within a blink, and still a spring
constexpr float longest = 0.5f;     // the spring, against the body: more would turn it inside out

class Grabber : public ViewHand {
 public:
  explicit Grabber(Sight& sight) : sight_(sight) {}

  bool hover() override;
  bool press() override;
  void drag() override;
  void release() override;
  void cancel() override;
  void forget() override { hold_.reset(); }
  void draw(ImDrawList& list) override;

 private:
  // What is held, and what the inputs were before.
  struct Hold {
    std::string graph, node, title;
    struct Input {
      std::string name;
      std::optional<Json> before;
    };
    Input grab, at, to;
    std::vector<std::pair<Input, Json>> also;  // what else is set while it holds, and to what
    std::shared_ptr<const LiveState> live;     // where the body was
    Vector3f taken, pulled;
    float size = 0;        // of the body
    std::size_t mesh = 0;  // where the spring is fixed to the body
    uint32_t triangle = 0;
    Vector3f weights;
    std::string merge;
    bool applied = false;
  };

  // The simulation that made what was picked; what it needs to be pulled at.
  std::optional<Hold> find(const render::Pick& pick, const draw::DrawList& list,
                           std::string& why_not) const;
  // What the hand does, or what takes it back.
  static std::vector<Edit> edits(const Hold& hold, bool grab, const Vector3f& to);
  bool apply(const Hold& hold, bool grab, const Vector3f& to);
  std::optional<Vector3f> held_place() const;
  // The node may be deleted while it is held.
  bool is_there() const {
    const GraphBody* graph = sight_.editor.session.doc().body(hold_->graph);
    return graph && graph->find(hold_->node);
  }

  Sight& sight_;
  std::optional<Hold> hold_;
  int count_ = 0;
  bool told_ = false;
};

std::optional<Grabber::Hold> Grabber::find(const render::Pick& pick, const draw::DrawList& list,
                                           std::string& why_not) const {
  const Session& session = sight_.editor.session;
  const CompiledGraph& graph = *session.graph();
  const std::optional<Target> target = target_of(graph, pick.source);
  const int node =
      target ? find_upstream(graph, target->node,
                             [](const CompiledNode& n) { return n.type->hand.has_value(); })
             : -1;
  if (node < 0) {
    why_not = "This cannot be pulled at: no simulation that answers a hand moves it.";
    return std::nullopt;
  }
  const CompiledNode& simulation = graph.node(node);
  const Written written = find_written(session.doc(), simulation.path);
  if (!written) return std::nullopt;
  Hold hold;
  hold.graph = written.graph;
  hold.node = written.node->id;
  hold.title = written.node->label.empty() ? simulation.type->label : written.node->label;
  const auto is_free = [&](int input) {
    const InputSource& source = simulation.inputs[static_cast<std::size_t>(input)];
    return source.links.empty() && !source.animation;
  };
  const auto input = [&](int which) {
    const std::string& name = simulation.type->inputs[static_cast<std::size_t>(which)].name;
    const auto found = written.node->params.find(name);
    return Hold::Input{name, found == written.node->params.end()
                                 ? std::nullopt
                                 : std::optional<Json>(found->second)};
  };
  const HandInfo& hand = *simulation.type->hand;
  for (const int needed : {hand.grab, hand.at, hand.to}) {
    if (is_free(needed)) continue;
    why_not =
        fmt::format("'{}' of {} is linked or animated, so that no hand can set it.",
                    simulation.type->inputs[static_cast<std::size_t>(needed)].label, hold.title);
    return std::nullopt;
  }
  hold.grab = input(hand.grab);
  hold.at = input(hand.at);
  hold.to = input(hand.to);
  const auto set_if_nothing = [&](int which, double value) {
    if (which < 0) return;
    const Value& now = simulation.inputs[static_cast<std::size_t>(which)].literal;
    if (is_free(which) && now && now.is<float>() && now.as<float>() == 0)
      hold.also.emplace_back(input(which), Json(rounded(value)));
  };
  render::Box body;
  for (const Vector3f& p : list.meshes[pick.mesh].positions) body.extend(p);
  hold.size = body.diagonal().norm();
  set_if_nothing(hand.radius, static_cast<double>(held_part * hold.size));
  set_if_nothing(hand.follow, follows);
  return hold;
}

bool Grabber::hover() {
  const bool tool = sight_.editor.tool == Tool::grab;
  if (!tool && !(ImGui::GetIO().KeyCtrl && sight_.editor.player.playing())) return false;
  const std::optional<render::Pick> pick = sight_.pick(sight_.mouse());
  if (!pick) return false;
  std::string why_not;
  if (!find(*pick, sight_.list, why_not)) {
    if (tool) sight_.editor.hint(why_not);
    return false;
  }
  sight_.editor.hint("Drag: pull at the body; it is let go with the button");
  return true;
}

bool Grabber::press() {
  const std::optional<render::Pick> pick = sight_.pick_whole(sight_.mouse());
  std::string why_not;
  if (!pick) return false;
  hold_ = find(*pick, sight_.whole, why_not);
  if (!hold_) return false;
  Player& player = sight_.editor.player;
  if (player.clock() != ClockKind::live) {
    player.set_clock(ClockKind::live);
    if (!std::exchange(told_, true))
      sight_.editor.notify(NoticeKind::info,
                           "Live now: the simulation goes on from here and answers the hand. The "
                           "timeline has a switch back.");
  }
  player.play(true);
  hold_->live = player.shot() ? player.shot()->live : nullptr;
  hold_->taken = hold_->pulled = pick->point;
  hold_->mesh = pick->mesh;
  hold_->triangle = pick->triangle;
  hold_->weights = pick->weights;
  hold_->merge = fmt::format("grab {} {}", hold_->node, ++count_);
  hold_->applied = apply(*hold_, true, hold_->taken);
  return true;
}

std::vector<Edit> Grabber::edits(const Hold& hold, bool grab, const Vector3f& to) {
  std::vector<Edit> all;
  const auto set = [&](const Hold::Input& input, const Json& value) {
    all.push_back(edit::SetParam{hold.graph, hold.node, input.name,
                                 grab ? std::optional<Json>(value) : input.before});
  };
  set(hold.grab, true);
  set(hold.at, to_json(hold.taken));
  set(hold.to, to_json(to));
  for (const auto& [input, value] : hold.also) set(input, value);
  return all;
}

bool Grabber::apply(const Hold& hold, bool grab, const Vector3f& to) {
  Session& session = sight_.editor.session;
  const bool applied = static_cast<bool>(
      session.apply({fmt::format("Pull at {}", hold.title), edits(hold, grab, to), hold.merge}));
  // Nothing of it is meant to be kept, whenever the document is saved.
  if (applied) session.hold(grab ? edits(hold, false, to) : std::vector<Edit>());
  return applied;
}

void Grabber::drag() {
  // On the timeline there was no state to come back to; the first live one is where it began.
  if (!hold_->live && sight_.editor.player.shot()) hold_->live = sight_.editor.player.shot()->live;
  std::optional<Vector3f> to =
      sight_.on_plane(sight_.mouse(), hold_->taken, sight_.camera().back());
  // Where the hand is far ahead, the spring is only so long, and the body comes after it.
  if (const std::optional<Vector3f> from = held_place(); from && to) {
    const Vector3f way = *to - *from;
    const float most = longest * hold_->size;
    if (way.norm() > most) to = *from + most * way.normalized();
  }
  sight_.editor.hint("Pulling. Let go of the button to let go of the body; Escape takes it back.");
  if (!to || !is_there() || (*to - hold_->pulled).norm() < 1e-6f * sight_.diagonal()) return;
  hold_->pulled = *to;
  hold_->applied = apply(*hold_, true, *to) || hold_->applied;
}

void Grabber::release() {
  if (!hold_) return;
  Session& session = sight_.editor.session;
  if (hold_->applied && is_there() && apply(*hold_, false, hold_->pulled)) {
    Player& player = sight_.editor.player;
    if (hold_->live) session.on_undo([&player, live = hold_->live] { player.restore(live); });
  }
  session.hold({});
  session.seal();
  hold_.reset();
}

void Grabber::cancel() {
  if (!hold_) return;
  const bool applied = hold_->applied;
  release();
  if (applied) sight_.editor.session.undo();
}

std::optional<Vector3f> Grabber::held_place() const {
  if (hold_->mesh >= sight_.whole.meshes.size()) return std::nullopt;
  const draw::Mesh& mesh = sight_.whole.meshes[hold_->mesh];
  if (hold_->triangle >= mesh.triangles.size()) return std::nullopt;
  Vector3f at(0, 0, 0);
  for (int k = 0; k < 3; ++k)
    at += hold_->weights[k] *
          mesh.positions[mesh.triangles[hold_->triangle][static_cast<std::size_t>(k)]];
  return at;
}

void Grabber::draw(ImDrawList& list) {
  if (!hold_) return;
  const std::optional<Vector3f> from = held_place();
  const auto a = sight_.place(from.value_or(hold_->taken)), b = sight_.place(hold_->pulled);
  if (!a || !b) return;
  list.AddLine(*a, *b, IM_COL32(20, 22, 26, 170), ui::px(4));
  list.AddLine(*a, *b, ui::theme().accent, ui::px(2));
  list.AddCircleFilled(*a, ui::px(4), ui::theme().accent);
  list.AddCircleFilled(*b, ui::px(6), IM_COL32(20, 22, 26, 200));
  list.AddCircleFilled(*b, ui::px(4.5f), ui::theme().accent);
}

}  // namespace

std::unique_ptr<ViewHand> make_grabber(Sight& sight) { return std::make_unique<Grabber>(sight); }

}  // namespace sinew::editor
