#include "graph/commands_build.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sinew {

void append_unlinks(std::vector<Edit>& edits, const std::string& graph,
                    const std::vector<LinkDoc>& links, const std::vector<LinkChange>& changes) {
  for (auto change = changes.rbegin(); change != changes.rend(); ++change) {
    edits.push_back(edit::EraseLink{graph, links[change->at], change->at});
  }
}

void append_relinks(std::vector<Edit>& edits, const std::string& graph,
                    const std::vector<LinkChange>& changes) {
  size_t removed = 0;
  for (const LinkChange& change : changes) {
    if (change.link) {
      edits.push_back(edit::InsertLink{graph, change.at - removed, *change.link});
    } else {
      ++removed;
    }
  }
}

std::string IdPool::take(std::string_view base) {
  std::string id(base);
  if (taken_.insert(id).second) return id;
  std::string_view stem = base;
  while (stem.size() > 1 && stem.back() >= '0' && stem.back() <= '9') stem.remove_suffix(1);
  stem = stem.substr(0, 90);  // leaves room for the number
  size_t& next = next_.try_emplace(std::string(stem), 2).first->second;
  do {
    id = fmt::format("{}{}", stem, next++);
  } while (!taken_.insert(id).second);
  return id;
}

std::string id_from(std::string_view text) {
  std::string id;
  for (const char c : text.substr(0, 100)) {
    if (valid_id(std::string_view(&c, 1))) id += c;
  }
  return id.empty() ? "node" : id;
}

std::string unused_id(const GraphBody& graph, std::string_view base) {
  return IdPool(graph).take(base);
}

Json position_json(double x, double y) {
  const auto coordinate = [](double value) {
    const bool is_whole = std::abs(value) < 1e9 && std::floor(value) == value;
    return is_whole ? Json(static_cast<int64_t>(value)) : Json(value);
  };
  return {{"at", {coordinate(x), coordinate(y)}}};
}

std::optional<std::pair<double, double>> position_of(const GraphBody& graph,
                                                     const std::string& id) {
  const auto layout = graph.layout.nodes.find(id);
  if (layout == graph.layout.nodes.end() || !layout->second.is_object()) return std::nullopt;
  const auto at = layout->second.find("at");
  if (at == layout->second.end() || !at->is_array() || at->size() != 2 || !(*at)[0].is_number() ||
      !(*at)[1].is_number()) {
    return std::nullopt;
  }
  return std::pair((*at)[0].get<double>(), (*at)[1].get<double>());
}

Command add_node(const GraphDoc& doc, std::string graph, NodeDoc node, double x, double y) {
  Command command{fmt::format("Add {}", node.label.empty() ? node.type : node.label), {}, {}};
  const GraphBody* body = doc.body(graph);
  if (body) {
    const size_t dot = node.type.rfind('.');
    const std::string_view last =
        std::string_view(node.type).substr(dot == std::string::npos ? 0 : dot + 1);
    node.id = unused_id(*body, node.id.empty() ? id_from(last) : node.id);
  }
  const std::string id = node.id;
  command.edits.push_back(edit::InsertNode{graph, body ? body->nodes.size() : 0, std::move(node)});
  command.edits.push_back(edit::SetNodeLayout{graph, id, position_json(x, y)});
  return command;
}

Command remove_nodes(const GraphDoc& doc, std::string graph, const std::vector<std::string>& ids) {
  Command command;
  const GraphBody* body = doc.body(graph);
  if (!body) return command;
  const std::unordered_set<std::string_view> chosen(ids.begin(), ids.end());
  std::vector<LinkChange> changes;
  for (size_t i = 0; i < body->links.size(); ++i) {
    const LinkDoc& link = body->links[i];
    if (chosen.count(link.from.node) || chosen.count(link.to.node)) changes.push_back({i, {}});
  }
  append_unlinks(command.edits, graph, body->links, changes);
  size_t count = 0;
  for (const NodeDoc& node : body->nodes) {
    if (!chosen.count(node.id)) continue;
    ++count;
    if (body->layout.nodes.count(node.id)) {
      command.edits.push_back(edit::SetNodeLayout{graph, node.id, std::nullopt});
    }
    command.edits.push_back(edit::EraseNode{graph, node.id});
  }
  if (count == 0) command.edits.clear();
  command.title = count == 1 ? "Remove a node" : fmt::format("Remove {} nodes", count);
  return command;
}

Command add_link(const GraphDoc& doc, std::string graph, LinkDoc link, bool multi) {
  Command command{"Link", {}, {}};
  const GraphBody* body = doc.body(graph);
  if (!body) return command;
  const auto& links = body->links;
  if (std::find(links.begin(), links.end(), link) != links.end()) return command;
  std::vector<LinkChange> changes;
  for (size_t i = 0; !multi && i < links.size(); ++i) {
    if (links[i].to == link.to) changes.push_back({i, {}});
  }
  // A replaced link gives its place to the new one, so that the file changes in one line.
  if (!changes.empty()) {
    changes.front().link = std::move(link);
    append_unlinks(command.edits, graph, links, changes);
    append_relinks(command.edits, graph, changes);
  } else {
    command.edits.push_back(edit::InsertLink{graph, links.size(), std::move(link)});
  }
  return command;
}

Command rename_node(const GraphDoc& doc, std::string graph, std::string_view from, std::string to) {
  Command command{fmt::format("Rename {} to {}", from, to), {}, {}};
  const GraphBody* body = doc.body(graph);
  const NodeDoc* node = body ? body->find(from) : nullptr;
  if (!node || from == to) return command;
  std::vector<LinkChange> changes;
  for (size_t i = 0; i < body->links.size(); ++i) {
    LinkDoc link = body->links[i];
    if (link.from.node != from && link.to.node != from) continue;
    if (link.from.node == from) link.from.node = to;
    if (link.to.node == from) link.to.node = to;
    changes.push_back({i, std::move(link)});
  }
  append_unlinks(command.edits, graph, body->links, changes);
  NodeDoc renamed = *node;
  renamed.id = to;
  command.edits.push_back(edit::EraseNode{graph, node->id});
  command.edits.push_back(
      edit::InsertNode{graph, static_cast<size_t>(node - body->nodes.data()), std::move(renamed)});
  if (const auto layout = body->layout.nodes.find(node->id); layout != body->layout.nodes.end()) {
    command.edits.push_back(edit::SetNodeLayout{graph, node->id, std::nullopt});
    command.edits.push_back(edit::SetNodeLayout{graph, to, layout->second});
  }
  append_relinks(command.edits, graph, changes);
  return command;
}

bool is_border(const NodeDoc& node) {
  return node.type == "group.input" || node.type == "group.output";
}

std::optional<Edit> move_shown(const GraphDoc& doc, const std::string& graph,
                               const std::function<std::string(const std::string&)>& moved) {
  constexpr const char* key = "shown";
  const auto found = doc.graph.layout.extra.find(key);
  if (found == doc.graph.layout.extra.end() || !found->is_array()) return std::nullopt;
  Json names = *found;
  for (Json& name : names) {
    if (!name.is_string()) continue;
    const std::string path = name.get<std::string>();
    std::string in;  // the graph in which the rest of the path lies
    size_t at = 0;
    while (in != graph) {
      const size_t slash = path.find('/', at);
      const GraphBody* body = doc.body(in);
      const NodeDoc* node = slash == std::string::npos || !body
                                ? nullptr
                                : body->find(std::string_view(path).substr(at, slash - at));
      if (!node || node->group.empty()) break;
      in = node->group;
      at = slash + 1;
    }
    if (in == graph) name = path.substr(0, at) + moved(path.substr(at));
  }
  if (names == *found) return std::nullopt;
  return edit::SetGraphLayout{"", key, std::move(names)};
}

}  // namespace sinew
