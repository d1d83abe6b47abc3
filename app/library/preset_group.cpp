#include "app/library/preset_group.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "app/library/animation.h"
#include "app/library/meta_words.h"
#include "graph/compiled_graph.h"

namespace sinew::library {
namespace {

const NodeType* type_with_role(const Registry& registry, NodeRole role) {
  for (const NodeType* type : registry.nodes())
    if (type->role == role) return type;
  return nullptr;
}

std::string unused_item(const std::vector<InterfaceItem>& items, const std::string& base) {
  const auto taken = [&](const std::string& id) {
    return std::any_of(items.begin(), items.end(),
                       [&](const InterfaceItem& item) { return item.id == id; });
  };
  std::string id = base;
  for (int i = 2; taken(id); ++i) id = base + std::to_string(i);
  return id;
}

struct Extent {
  double left = 0, right = 0, top = 0;
};

Extent extent_of(const LayoutDoc& layout) {
  Extent e;
  bool first = true;
  for (const auto& [id, node] : layout.nodes) {
    const auto at = place_of(layout, id);
    if (!at) continue;
    e.left = first ? at->first : std::min(e.left, at->first);
    e.right = first ? at->first : std::max(e.right, at->first);
    e.top = first ? at->second : std::min(e.top, at->second);
    first = false;
  }
  return e;
}

class Grouping {
 public:
  Grouping(const GraphDoc& doc, const Registry& registry)
      : doc_(doc), registry_(registry), graph_(CompiledGraph::compile(doc, registry)) {
    group_.meta = doc.meta;
    group_.graph = doc.graph;
    group_.graph.layout.extra.erase("cameras");  // the group is seen with those of its surroundings
  }

  Result<GroupDoc> make() {
    const NodeType* given = type_with_role(registry_, NodeRole::group_input);
    const NodeType* result = type_with_role(registry_, NodeRole::group_output);
    if (!given || !result) return Error{"this build has no groups"};
    given_ = add_end(*given, "given");
    result_ = add_end(*result, "result");
    take_viewers();
    take_given_away();
    if (group_.outputs.empty()) take_last_outputs();
    if (group_.outputs.empty())
      return Error{"nothing in it could be an output of a group: it shows nothing"};
    take_open_inputs();
    take_exposed();
    if (group_.inputs.empty()) drop_end(given_);
    place_ends();
    return std::move(group_);
  }

 private:
  std::string add_end(const NodeType& type, const char* base) {
    NodeDoc node;
    node.id = unused_id(group_.graph, base);
    node.type = type.id;
    node.version = type.version;
    group_.graph.nodes.push_back(node);
    return node.id;
  }

  void drop_end(const std::string& id) {
    std::erase_if(group_.graph.nodes, [&](const NodeDoc& n) { return n.id == id; });
  }

  std::string label_of(const NodeDoc& node) const {
    if (!node.label.empty()) return node.label;
    const NodeType* type = registry_.find(node.type);
    return type ? type->label : node.id;
  }

  bool add_output(const Endpoint& from, const std::string& name) {
    const int node = graph_->find_node(from.node);
    if (node < 0) return false;
    const CompiledNode& compiled = graph_->node(node);
    const int output = compiled.type->find_output(from.socket);
    if (output < 0 || !compiled.output_types[static_cast<std::size_t>(output)]) return false;
    InterfaceItem item;
    item.id = unused_item(group_.outputs, from.socket);
    item.name = name;
    item.type = compiled.output_types[static_cast<std::size_t>(output)]->name;
    group_.graph.links.push_back({from, {result_, item.id}});
    group_.outputs.push_back(std::move(item));
    return true;
  }

  void take_viewers() {
    for (const NodeDoc& node : doc_.graph.nodes) {
      const NodeType* type = registry_.find(node.type);
      if (!type || !type->viewer) continue;
      const auto link = std::find_if(doc_.graph.links.begin(), doc_.graph.links.end(),
                                     [&](const LinkDoc& l) { return l.to.node == node.id; });
      std::vector<LinkDoc>& links = group_.graph.links;
      if (link != doc_.graph.links.end()) {
        const NodeDoc* source = doc_.graph.find(link->from.node);
        const std::string name = !node.label.empty() ? node.label : source ? label_of(*source) : "";
        add_output(link->from, name);
        // Who took it from the viewer takes it from where the viewer had it.
        for (LinkDoc& l : links)
          if (l.from.node == node.id) l.from = link->from;
      }
      std::erase_if(
          links, [&](const LinkDoc& l) { return l.to.node == node.id || l.from.node == node.id; });
      std::erase_if(group_.graph.nodes, [&](const NodeDoc& n) { return n.id == node.id; });
      group_.graph.layout.nodes.erase(node.id);
    }
  }

  // What "give" in the meta block names beside what is seen: ["curves.material"].
  void take_given_away() {
    for (const Endpoint& from : named_sockets(doc_.meta, "give"))
      if (const NodeDoc* node = doc_.graph.find(from.node)) add_output(from, label_of(*node));
  }

  void take_last_outputs() {
    for (const Target& target : graph_->default_targets()) {
      const CompiledNode& node = graph_->node(target.node);
      const NodeDoc* doc = doc_.graph.find(node.path);
      if (!doc || target.output < 0) continue;
      add_output({doc->id, node.type->outputs[static_cast<std::size_t>(target.output)].name},
                 label_of(*doc));
    }
  }

  void add_input(NodeDoc& node, const InputInfo& info) {
    InterfaceItem item;
    item.id = unused_item(group_.inputs, info.name);
    item.name = info.label;
    item.type = info.type->name;
    item.doc = info.doc;
    if (const auto value = node.params.find(info.name); value != node.params.end()) {
      // It changes over time, which a standard value cannot.
      if (is_animated(&value->second) || is_recorded(&value->second)) return;
      item.standard = value->second;
      node.params.erase(value);
    }
    const auto bound = [&](const char* key, double value) {
      if (std::isfinite(value)) item.extra[key] = value;
    };
    bound("min", info.min);
    bound("max", info.max);
    if (!info.unit.empty()) item.extra["unit"] = info.unit;
    group_.graph.links.push_back({{given_, item.id}, {node.id, info.name}});
    group_.inputs.push_back(std::move(item));
  }

  bool is_linked(const std::string& node, const std::string& input) const {
    return std::any_of(group_.graph.links.begin(), group_.graph.links.end(),
                       [&](const LinkDoc& l) { return l.to.node == node && l.to.socket == input; });
  }

  void take_open_inputs() {
    for (NodeDoc& node : group_.graph.nodes) {
      const NodeType* type = registry_.find(node.type);
      if (!type) continue;
      for (const InputInfo& info : type->inputs)
        if (info.required() && !info.takes_anything() && !node.params.contains(info.name) &&
            !is_linked(node.id, info.name))
          add_input(node, info);
    }
  }

  void take_exposed() {
    std::vector<std::pair<std::string, const InputInfo*>> replaceable;
    for (const Endpoint& name : named_sockets(doc_.meta, "expose")) {
      for (NodeDoc& node : group_.graph.nodes) {
        const NodeType* type = registry_.find(node.type);
        const int input = type ? type->find_input(name.socket) : -1;
        if (node.id != name.node || input < 0) continue;
        const InputInfo& info = type->inputs[static_cast<std::size_t>(input)];
        if (!is_linked(node.id, info.name))
          add_input(node, info);
        else
          replaceable.emplace_back(node.id, &info);
        break;
      }
    }
    for (const auto& [node, info] : replaceable) add_choice(node, *info);
  }

  // What the preset makes itself, or what the instance is given in its place: a switch between
  // them. What is given is made to stand in for the preset's own, where there is a node for that,
  // and then it does so everywhere.
  void add_choice(const std::string& node, const InputInfo& info) {
    const NodeType* type = type_with_role(registry_, NodeRole::select);
    const auto link = std::find_if(
        group_.graph.links.begin(), group_.graph.links.end(),
        [&](const LinkDoc& l) { return l.to.node == node && l.to.socket == info.name; });
    if (!type || link == group_.graph.links.end()) return;
    if (replaced_.contains(link->from.node)) return;
    std::vector<std::string> ways;
    const InputInfo* index = nullptr;
    for (const InputInfo& in : type->inputs)
      if (in.selector)
        index = &in;
      else
        ways.push_back(in.name);
    if (!index || ways.size() < 2) return;
    const Endpoint own = link->from;
    const NodeType* stand_in = stand_in_for(registry_, *info.type);
    const std::string id = add_end(*type, "choice");
    replaced_.insert(id);
    for (LinkDoc& l : group_.graph.links)
      if (l.from == own && (stand_in || (l.to.node == node && l.to.socket == info.name)))
        l.from = {id, type->outputs.front().name};
    const InterfaceItem given = add_given(info);
    const InterfaceItem which = add_which(info, *index);
    group_.graph.links.push_back({{given_, which.id}, {id, index->name}});
    Endpoint from{given_, given.id};
    if (stand_in) {
      const StandInInfo& s = *stand_in->stand_in;
      const auto input = [&](int i) { return stand_in->inputs[static_cast<std::size_t>(i)].name; };
      const std::string fit = add_end(*stand_in, "fit");
      group_.graph.links.push_back({from, {fit, input(s.given)}});
      group_.graph.links.push_back({own, {fit, input(s.model)}});
      from = {fit, stand_in->outputs[static_cast<std::size_t>(s.output)].name};
      place_beside(fit, node);
    }
    group_.graph.links.push_back({from, {id, ways[0]}});
    group_.graph.links.push_back({own, {id, ways[1]}});
    place_beside(id, node);
  }

  InterfaceItem add_given(const InputInfo& info) {
    InterfaceItem given;
    given.id = unused_item(group_.inputs, info.name);
    given.name = info.label;
    given.type = info.type->name;
    given.doc = fmt::format("Taken where 'Own {}' is 0.", info.label);
    group_.inputs.push_back(given);
    return given;
  }

  InterfaceItem add_which(const InputInfo& info, const InputInfo& index) {
    InterfaceItem which;
    which.id = unused_item(group_.inputs, own_prefix + info.name);
    which.name = "Own " + info.label;
    which.type = index.type->name;
    which.doc = fmt::format("1: what the preset makes itself; 0: '{}'.", info.label);
    which.standard = 1;
    which.extra["min"] = 0;
    which.extra["max"] = 1;
    group_.inputs.push_back(which);
    return which;
  }

  void place_beside(const std::string& id, const std::string& node) {
    if (const auto at = group_.graph.layout.nodes.find(node); at != group_.graph.layout.nodes.end())
      group_.graph.layout.nodes[id] = at->second;
  }

  void place_ends() {
    constexpr double column = 220;
    LayoutDoc& layout = group_.graph.layout;
    if (layout.nodes.empty()) return;  // the canvas will arrange all of it
    const Extent e = extent_of(layout);
    layout.nodes[result_] = Json{{"at", {e.right + column, e.top}}};
    if (!group_.inputs.empty()) layout.nodes[given_] = Json{{"at", {e.left - column, e.top}}};
  }

  const GraphDoc& doc_;
  const Registry& registry_;
  GraphPtr graph_;
  GroupDoc group_;
  std::string given_, result_;
  std::set<std::string> replaced_;  // switches that stand where the preset's own was
};

}  // namespace

const NodeType* stand_in_for(const Registry& registry, const TypeInfo& type) {
  for (const NodeType* node : registry.nodes())
    if (node->stand_in &&
        node->outputs[static_cast<std::size_t>(node->stand_in->output)].type == &type)
      return node;
  return nullptr;
}

Result<GroupDoc> group_from_document(const GraphDoc& doc, const Registry& registry) {
  return Grouping(doc, registry).make();
}

std::string group_name_of(const Meta& meta) {
  std::string name = !meta.name.empty() ? meta.name : meta.title;
  if (!meta.name.empty() && !meta.version.empty()) name += "@" + meta.version;
  return valid_group_name(name) ? name : "preset";
}

Result<Command> insert_as_group(const GraphDoc& into, const std::string& graph,
                                const GraphDoc& preset, const Registry& registry, double x,
                                double y) {
  Result<GroupDoc> group = group_from_document(preset, registry);
  if (!group) return Error{group.error()};
  const NodeType* type = type_with_role(registry, NodeRole::group);
  if (!type) return Error{"this build has no groups"};
  // A document that holds one instance: pasting a part of it brings the groups along, and finds
  // those that are there already.
  GraphDoc carrier;
  carrier.groups = preset.groups;
  const std::string name = group_name_of(preset.meta);
  carrier.groups[name] = std::move(*group);
  NodeDoc instance;
  instance.id = "preset";
  if (const std::size_t slash = preset.meta.name.rfind('/'); slash != std::string::npos)
    if (const std::string id = preset.meta.name.substr(slash + 1); valid_id(id)) instance.id = id;
  instance.type = type->id;
  instance.version = type->version;
  instance.label = preset.meta.title;
  instance.group = name;
  carrier.graph.nodes.push_back(instance);
  carrier.graph.layout.nodes[instance.id] = Json{{"at", {0, 0}}};
  Result<Command> command =
      paste_fragment(into, graph, write_fragment(carrier, "", {instance.id}), registry, x, y);
  if (command)
    command->title = fmt::format("Insert {}", preset.meta.title.empty() ? name : preset.meta.title);
  return command;
}

}  // namespace sinew::library
