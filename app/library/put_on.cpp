#include "app/library/put_on.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "app/library/meta_words.h"
#include "app/library/preset_group.h"
#include "graph/compiled_graph.h"

namespace sinew::library {

namespace {

constexpr std::string_view material_type = "material", strokes_type = "strokes",
                           operators_type = "voos";

std::string name_of(const NodeDoc& node, const Registry& registry) {
  const NodeType* type = registry.find(node.type);
  return !node.label.empty() ? node.label : type ? type->label : node.id;
}

const LinkDoc* link_into(const GraphBody& body, const std::string& node,
                         const std::string& socket) {
  for (const LinkDoc& l : body.links)
    if (l.to.node == node && l.to.socket == socket) return &l;
  return nullptr;
}

// The socket of a preset that its instances may give another body.
struct BodySocket {
  std::string node;
  const InputInfo* input = nullptr;
  Endpoint own;  // what it is linked to in the preset
};

std::optional<BodySocket> body_of(const GraphDoc& preset, const Registry& registry) {
  for (const Endpoint& name : named_sockets(preset.meta, "expose")) {
    const NodeDoc* node = preset.graph.find(name.node);
    const NodeType* type = node ? registry.find(node->type) : nullptr;
    const int input = type ? type->find_input(name.socket) : -1;
    if (input < 0) continue;
    const InputInfo& info = type->inputs[static_cast<std::size_t>(input)];
    const LinkDoc* link = link_into(preset.graph, node->id, info.name);
    if (link && stand_in_for(registry, *info.type)) return BodySocket{node->id, &info, link->from};
  }
  return std::nullopt;
}

// The nodes that lead to one of `ends`, which are among them.
std::set<std::string> upstream(const GraphBody& body, std::set<std::string> ends) {
  for (bool grows = true; grows;) {
    grows = false;
    for (const LinkDoc& l : body.links)
      if (ends.contains(l.to.node)) grows = ends.insert(l.from.node).second || grows;
  }
  return ends;
}

bool is_per_element(const Json& literal) {
  return literal.is_object() && literal.contains("values") && literal["values"].is_array();
}

// The inputs whose values are places, as the node's handles name them.
std::set<int> placed_inputs(const NodeType& type) {
  std::set<int> list;
  for (const HandleInfo& h : type.handles)
    for (const int i : {h.at, h.to, h.items, h.pivot})
      if (i >= 0) list.insert(i);
  for (std::size_t i = 0; i < type.inputs.size(); ++i)
    if (type.inputs[i].places_on >= 0) list.insert(static_cast<int>(i));
  return list;
}

void tell_of_input(const NodeDoc& node, const InputInfo& info, bool is_place,
                   const std::string& name, Carried& carried) {
  const auto value = node.params.find(info.name);
  if (value == node.params.end()) return;
  if (is_per_element(value->second)) {
    carried.lost.push_back(fmt::format(
        "'{}': '{}' has a value for each element of the old body; paint it anew", name, info.name));
  } else if (info.file == FileUse::read) {
    carried.kept.push_back(fmt::format("'{}': reads the file of '{}'", name, info.name));
  } else if (info.type->name == strokes_type) {
    const Json& strokes = value->second;
    const bool in_box = strokes.is_object() && strokes.value("space", "") == "box";
    const std::size_t count =
        in_box ? strokes.value("strokes", Json::array()).size() : strokes.size();
    if (count == 0) return;
    (in_box ? carried.fitted : carried.kept)
        .push_back(fmt::format("'{}': {} stroke{}{}", name, count, count == 1 ? "" : "s",
                               in_box ? "" : ", drawn in metres"));
  } else if (is_place) {
    carried.kept.push_back(fmt::format("'{}': '{}' is where it was", name, info.name));
  }
}

Carried what_carries(const GraphDoc& preset, const BodySocket& body, const Registry& registry) {
  Carried carried;
  const std::set<std::string> old = upstream(preset.graph, {body.own.node});
  for (const NodeDoc& node : preset.graph.nodes) {
    const NodeType* type = registry.find(node.type);
    if (!type || old.contains(node.id)) continue;
    const std::set<int> placed = placed_inputs(*type);
    for (std::size_t i = 0; i < type->inputs.size(); ++i)
      tell_of_input(node, type->inputs[i], placed.contains(static_cast<int>(i)),
                    name_of(node, registry), carried);
  }
  return carried;
}

// Edits that are tried on a copy as they are made, so that later ones see the earlier ones.
class Draft {
 public:
  Draft(const GraphDoc& doc, std::string graph) : doc_(doc), graph_(std::move(graph)) {}

  void take(const Command& made) {
    for (const Edit& e : made.edits) add(e);
  }
  void add(const Edit& e) {
    (void)apply_edit(doc_, e);
    command.edits.push_back(e);
  }
  void link(const Endpoint& from, const Endpoint& to, bool multi = false) {
    take(add_link(doc_, graph_, {from, to}, multi));
  }
  void unlink(const Endpoint& from, const Endpoint& to) {
    add(edit::EraseLink{graph_, {from, to}});
  }
  std::string node(const NodeType& type, double x, double y) {
    NodeDoc node;
    node.type = type.id;
    node.version = type.version;
    const std::size_t dot = type.id.rfind('.');
    node.id = unused_id(body(), dot == std::string::npos ? type.id : type.id.substr(dot + 1));
    take(add_node(doc_, graph_, node, x, y));
    return node.id;
  }
  const GraphBody& body() const { return *doc_.body(graph_); }
  const GraphDoc& doc() const { return doc_; }

  Command command;

 private:
  GraphDoc doc_;
  std::string graph_;
};

// The material that a preset gives: "give" names it.
std::optional<Endpoint> material_of(const GraphDoc& preset, const Registry& registry) {
  for (const Endpoint& name : named_sockets(preset.meta, "give")) {
    const NodeDoc* node = preset.graph.find(name.node);
    const NodeType* type = node ? registry.find(node->type) : nullptr;
    const int output = type ? type->find_output(name.socket) : -1;
    if (output >= 0 && type->outputs[static_cast<std::size_t>(output)].type->name == material_type)
      return name;
  }
  return std::nullopt;
}

int input_with_type(const NodeType& type, std::string_view name) {
  for (std::size_t i = 0; i < type.inputs.size(); ++i)
    if (type.inputs[i].type->name == name) return static_cast<int>(i);
  return -1;
}

int output_with_type(const NodeType& type, std::string_view name) {
  for (std::size_t i = 0; i < type.outputs.size(); ++i)
    if (type.outputs[i].type->name == name) return static_cast<int>(i);
  return -1;
}

// Where the nodes that are added stand: in a column of their own.
struct Place {
  double x = 0, y = 0;
  double next() { return y += 110; }
};

class MaterialPutter {
 public:
  MaterialPutter(const GraphDoc& into, const std::string& graph, const Registry& registry,
                 const std::set<std::string>& only, Place place)
      : draft_(into, graph), registry_(registry), only_(only), place_(place) {}

  Result<PutOn> put(const GraphDoc& preset, const std::string& graph, const GraphDoc& into) {
    const std::optional<Endpoint> made = material_of(preset, registry_);
    if (!made)
      return Error{"it gives no material; its \"give\" would have to name the output that has one"};
    const std::set<std::string> with = upstream(preset.graph, {made->node});
    Result<Command> pasted =
        paste_fragment(into, graph, write_fragment(preset, "", {with.begin(), with.end()}),
                       registry_, place_.x, place_.y);
    if (!pasted) return Error{pasted.error()};
    // Pasted nodes come in the order of their document, under new names where those are taken.
    std::size_t order = 0;
    for (const NodeDoc& node : preset.graph.nodes) {
      if (node.id == made->node) break;
      order += with.contains(node.id) ? 1 : 0;
    }
    for (const Edit& e : pasted->edits)
      if (const auto* insert = std::get_if<edit::InsertNode>(&e); insert && order-- == 0) {
        material_ = {insert->node.id, made->socket};
        break;
      }
    draft_.take(*pasted);
    const std::vector<NodeDoc> nodes = draft_.body().nodes;
    for (const NodeDoc& node : nodes)
      if (!with_new(node.id, into, graph) && (only_.empty() || only_.contains(node.id)))
        put_on(node);
    if (told_.fitted.empty())
      return Error{"nothing there takes a material: no operator and no simulation"};
    PutOn result{std::move(draft_.command), material_.node, std::move(told_)};
    result.command.title = fmt::format("Put on {}", preset.meta.title);
    return result;
  }

 private:
  static bool with_new(const std::string& id, const GraphDoc& into, const std::string& graph) {
    return !into.body(graph)->find(id);
  }

  void put_on(const NodeDoc& node) {
    const NodeType* type = registry_.find(node.type);
    if (!type) return;
    const std::string name = name_of(node, registry_);
    if (const int input = input_with_type(*type, material_type); input >= 0) {
      if (makes_numbers(*type)) return;
      draft_.link(material_, {node.id, type->inputs[static_cast<std::size_t>(input)].name});
      told_.fitted.push_back(fmt::format("'{}': its material", name));
      return;
    }
    put_between(node, *type, name);
    for (const InputInfo& info : type->inputs) put_number(node, info, name);
  }

  // A node that makes numbers of a material is not what has one.
  bool makes_numbers(const NodeType& type) const {
    for (const NodeType* t : registry_.nodes())
      for (const InputInfo& in : t->inputs)
        if (in.best_type == type.id) return true;
    return false;
  }

  // Operators that reach a deformation as they were drawn get a material on the way.
  void put_between(const NodeDoc& node, const NodeType& type, const std::string& name) {
    const int input = input_with_type(type, operators_type);
    if (input < 0 || output_with_type(type, operators_type) >= 0) return;
    const std::string& socket = type.inputs[static_cast<std::size_t>(input)].name;
    const LinkDoc* link = link_into(draft_.body(), node.id, socket);
    if (!link || has_material_before(link->from.node)) return;
    for (const NodeType* t : registry_.nodes()) {
      const int takes = input_with_type(*t, operators_type),
                gives = output_with_type(*t, operators_type);
      const int stuff = input_with_type(*t, material_type);
      if (takes < 0 || gives < 0 || stuff < 0) continue;
      const Endpoint from = link->from;
      const std::string id = draft_.node(*t, place_.x, place_.next());
      draft_.link(from, {id, t->inputs[static_cast<std::size_t>(takes)].name});
      draft_.link(material_, {id, t->inputs[static_cast<std::size_t>(stuff)].name});
      draft_.link({id, t->outputs[static_cast<std::size_t>(gives)].name}, {node.id, socket},
                  type.inputs[static_cast<std::size_t>(input)].multi);
      if (type.inputs[static_cast<std::size_t>(input)].multi)
        draft_.unlink(from, {node.id, socket});
      told_.fitted.push_back(fmt::format("'{}': a material for its operators", name));
      return;
    }
  }

  bool has_material_before(const std::string& node) const {
    for (const std::string& id : upstream(draft_.body(), {node})) {
      const NodeDoc* doc = draft_.body().find(id);
      const NodeType* type = doc ? registry_.find(doc->type) : nullptr;
      if (type && input_with_type(*type, material_type) >= 0) return true;
    }
    return false;
  }

  // A number that the material says: of how it feels.
  void put_number(const NodeDoc& node, const InputInfo& info, const std::string& name) {
    const NodeType* best = info.best_type.empty() ? nullptr : registry_.find(info.best_type);
    const int takes = best ? input_with_type(*best, material_type) : -1;
    if (takes < 0) return;
    if (link_into(draft_.body(), node.id, info.name)) {
      told_.kept.push_back(fmt::format("'{}': '{}' is linked, and stays so", name, info.name));
      return;
    }
    std::string& id = feels_[best->id];
    if (id.empty()) {
      id = draft_.node(*best, place_.x, place_.next());
      draft_.link(material_, {id, best->inputs[static_cast<std::size_t>(takes)].name});
    }
    draft_.link({id, info.best_output}, {node.id, info.name});
    told_.fitted.push_back(fmt::format("'{}': its '{}'", name, info.name));
  }

  Draft draft_;
  const Registry& registry_;
  const std::set<std::string>& only_;
  Place place_;
  Endpoint material_;
  std::map<std::string, std::string> feels_;  // by type: the node that was added
  Carried told_;
};

}  // namespace

bool has_body(const GraphDoc& preset, const Registry& registry) {
  return body_of(preset, registry).has_value();
}

bool has_material(const GraphDoc& preset, const Registry& registry) {
  return material_of(preset, registry).has_value();
}

Result<PutOn> put_motion(const GraphDoc& into, const std::string& graph, const GraphDoc& motion,
                         const Registry& registry, const Endpoint& mesh, double x, double y) {
  const std::optional<BodySocket> body = body_of(motion, registry);
  if (!body)
    return Error{
        "it has no body that could be another one; its \"expose\" would have to name the input "
        "that "
        "its mesh is linked to"};
  Result<Command> inserted = insert_as_group(into, graph, motion, registry, x, y);
  if (!inserted) return Error{inserted.error()};
  Draft draft(into, graph);
  draft.take(*inserted);
  PutOn result;
  for (const Edit& e : inserted->edits)
    if (const auto* insert = std::get_if<edit::InsertNode>(&e);
        insert && insert->graph == graph && !insert->node.group.empty())
      result.node = insert->node.id;
  // The body and the switch beside it, under whatever names they have there.
  const std::vector<InterfaceItem>& items =
      draft.doc().groups.at(draft.body().find(result.node)->group).inputs;
  for (std::size_t i = 1; i < items.size(); ++i) {
    if (!items[i].id.starts_with(own_prefix) || items[i - 1].type != body->input->type->name)
      continue;
    const std::string given = items[i - 1].id, own = items[i].id;
    draft.link(mesh, {result.node, given});
    draft.add(edit::SetParam{graph, result.node, own, Json(0)});
    break;
  }
  result.command = std::move(draft.command);
  result.command.title = fmt::format("Put on {}", motion.meta.title);
  result.carried = what_carries(motion, *body, registry);
  return result;
}

Result<PutOn> put_material(const GraphDoc& into, const std::string& graph, const GraphDoc& material,
                           const Registry& registry, const std::set<std::string>& nodes, double x,
                           double y) {
  return MaterialPutter(into, graph, registry, nodes, {x, y}).put(material, graph, into);
}

}  // namespace sinew::library
