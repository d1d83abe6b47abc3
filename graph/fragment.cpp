// The clipboard: part of a document as a small document of its own.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>
#include <unordered_set>

#include "graph/commands.h"
#include "graph/commands_build.h"
#include "graph/document.h"

namespace sinew {
namespace {

// Adds the groups that the nodes need, and those that these need.
void collect_groups(const GraphDoc& doc, const GraphBody& graph,
                    std::map<std::string, GroupDoc>& needed) {
  std::vector<const GraphBody*> open = {&graph};
  while (!open.empty()) {
    const GraphBody* body = open.back();
    open.pop_back();
    for (const NodeDoc& node : body->nodes) {
      const auto group = doc.groups.find(node.group);
      if (group == doc.groups.end() || !needed.insert(*group).second) continue;
      open.push_back(&group->second.graph);
    }
  }
}

// The names of groups, those that others need before these: so that what is inserted in this order
// can be taken back in the other, with nothing erased that is still in use.
std::vector<std::string> in_order_of_need(const std::map<std::string, GroupDoc>& groups) {
  std::vector<std::string> order;
  std::set<std::string> seen;
  struct Open {
    std::string name;
    std::size_t next = 0;  // of its nodes
  };
  for (const auto& [first, unused] : groups) {
    std::vector<Open> open;
    if (seen.insert(first).second) open.push_back({first});
    while (!open.empty()) {
      const std::vector<NodeDoc>& nodes = groups.at(open.back().name).graph.nodes;
      if (open.back().next == nodes.size()) {
        order.push_back(std::move(open.back().name));
        open.pop_back();
        continue;
      }
      const std::string& inner = nodes[open.back().next++].group;
      if (groups.contains(inner) && seen.insert(inner).second) open.push_back({inner});
    }
  }
  return order;
}

// "ns/bell" becomes "ns/bell-2", "ns/bell@1.0" becomes "ns/bell-2@1.0".
std::string unused_group_name(const std::string& name, const std::set<std::string>& taken) {
  const size_t at = std::min(name.find('@'), name.size());
  for (size_t number = 2;; ++number) {
    std::string other = fmt::format("{}-{}{}", name.substr(0, at), number, name.substr(at));
    if (!taken.count(other)) return other;
  }
}

// The groups of the fragment that need another name: those whose name stands for something else in
// the document, and those that contain one of these.
std::map<std::string, std::string> find_new_names(const GraphDoc& doc, const GraphDoc& fragment) {
  std::set<std::string> taken;
  for (const auto& [name, group] : doc.groups) taken.insert(name);
  for (const auto& [name, group] : fragment.groups) taken.insert(name);
  std::map<std::string, std::string> names;
  const auto rename = [&](const std::string& name) {
    taken.insert(names[name] = unused_group_name(name, taken));
  };
  for (const auto& [name, group] : fragment.groups) {
    const auto own = doc.groups.find(name);
    if (own != doc.groups.end() && own->second != group) rename(name);
  }
  for (bool grew = true; grew;) {
    grew = false;
    for (const auto& [name, group] : fragment.groups) {
      const bool is_shared = doc.groups.count(name) && !names.count(name);
      if (is_shared && std::any_of(group.graph.nodes.begin(), group.graph.nodes.end(),
                                   [&](const NodeDoc& n) { return names.count(n.group); })) {
        rename(name);
        grew = true;
      }
    }
  }
  return names;
}

void rename_instances(GraphBody& graph, const std::map<std::string, std::string>& names) {
  for (NodeDoc& node : graph.nodes) {
    if (const auto name = names.find(node.group); name != names.end()) node.group = name->second;
  }
}

// Moves the layout so that its upper left corner comes to (x, y); nodes without a place come below
// one another.
Json placed_layout(const GraphBody& graph, const std::string& id, double dx, double dy, double x,
                   double y, size_t& homeless) {
  const auto found = graph.layout.nodes.find(id);
  Json layout = found != graph.layout.nodes.end() && found->second.is_object() ? found->second
                                                                               : Json::object();
  const auto at = position_of(graph, id);
  const double step = 80;  // pixels of the canvas: the height of a small node
  layout["at"] = at ? position_json(at->first + dx, at->second + dy)["at"]
                    : position_json(x, y + step * static_cast<double>(homeless++))["at"];
  return layout;
}

}  // namespace

std::string write_fragment(const GraphDoc& doc, std::string_view group,
                           const std::vector<std::string>& node_ids) {
  GraphDoc fragment;
  const GraphBody* body = doc.body(group);
  if (!body) return write_document(fragment);
  std::unordered_set<std::string_view> chosen(node_ids.begin(), node_ids.end());
  for (const NodeDoc& node : body->nodes) {
    if (is_border(node)) chosen.erase(node.id);  // it means nothing outside of its group
    if (!chosen.count(node.id)) continue;
    fragment.graph.nodes.push_back(node);
    const auto layout = body->layout.nodes.find(node.id);
    if (layout != body->layout.nodes.end()) fragment.graph.layout.nodes.insert(*layout);
  }
  for (const LinkDoc& link : body->links) {
    if (chosen.count(link.from.node) && chosen.count(link.to.node)) {
      fragment.graph.links.push_back(link);
    }
  }
  collect_groups(doc, fragment.graph, fragment.groups);
  return write_document(fragment);
}

Result<Command> paste_fragment(const GraphDoc& doc, std::string graph, std::string_view text,
                               const Registry& registry, double x, double y) {
  const GraphBody* body = doc.body(graph);
  if (!body) return Error{fmt::format("there is no group '{}'", graph)};
  Result<GraphDoc> parsed = parse_document(text, registry);
  // It may come out of a chat, with words around it.
  const size_t open = text.find('{'), close = text.rfind('}');
  if (!parsed && open < close && close != std::string_view::npos)
    parsed = parse_document(text.substr(open, close - open + 1), registry);
  if (!parsed) return Error{"the text to paste is not a Sinew document: " + parsed.error()};
  GraphDoc& fragment = *parsed;
  std::erase_if(fragment.graph.nodes, is_border);
  Command command;

  const std::map<std::string, std::string> names = find_new_names(doc, fragment);
  rename_instances(fragment.graph, names);
  for (const std::string& name : in_order_of_need(fragment.groups)) {
    GroupDoc& group = fragment.groups.at(name);
    const auto renamed = names.find(name);
    if (renamed == names.end() && doc.groups.count(name)) continue;
    rename_instances(group.graph, names);
    command.edits.push_back(
        edit::InsertGroup{renamed == names.end() ? name : renamed->second, std::move(group)});
  }

  double left = std::numeric_limits<double>::max(), top = left;
  for (const NodeDoc& node : fragment.graph.nodes) {
    if (const auto at = position_of(fragment.graph, node.id)) {
      left = std::min(left, at->first);
      top = std::min(top, at->second);
    }
  }
  IdPool ids(*body);
  std::map<std::string, std::string> new_id;
  size_t place = body->nodes.size(), homeless = 0;
  for (NodeDoc& node : fragment.graph.nodes) {
    const std::string id = ids.take(node.id);
    new_id[node.id] = id;
    Json layout = placed_layout(fragment.graph, node.id, x - left, y - top, x, y, homeless);
    node.id = id;
    command.edits.push_back(edit::InsertNode{graph, place++, std::move(node)});
    command.edits.push_back(edit::SetNodeLayout{graph, id, std::move(layout)});
  }
  size_t at = body->links.size();
  for (const LinkDoc& link : fragment.graph.links) {
    const auto from = new_id.find(link.from.node), to = new_id.find(link.to.node);
    if (from == new_id.end() || to == new_id.end()) continue;
    command.edits.push_back(edit::InsertLink{
        graph, at++, {{from->second, link.from.socket}, {to->second, link.to.socket}}});
  }
  command.title =
      new_id.size() == 1 ? "Paste a node" : fmt::format("Paste {} nodes", new_id.size());
  return command;
}

}  // namespace sinew
