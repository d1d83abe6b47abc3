#include "graph/commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "graph/document_check.h"
#include "graph/json_reader.h"

namespace sinew {
namespace {

// What the reader's bounds leave for one literal: the document around it has a few levels of its
// own.
constexpr int deepest_literal = 48;
constexpr size_t longest_string = 8u << 20;

// Whether a string can be written and read back.
bool is_storable(const std::string& text) {
  size_t written = 2;
  for (const char c : text) {
    written += static_cast<unsigned char>(c) < 0x20 ? 6 : c == '"' || c == '\\' ? 2 : 1;
  }
  return written <= longest_string && valid_utf8(text);
}

bool is_storable(const Json& tree, int depth = 0) {
  if (depth > deepest_literal) return false;
  switch (tree.type()) {
    case Json::value_t::object:
      return std::all_of(tree.items().begin(), tree.items().end(), [&](const auto& item) {
        return is_storable(item.key()) && is_storable(item.value(), depth + 1);
      });
    case Json::value_t::array:
      return std::all_of(tree.begin(), tree.end(),
                         [&](const Json& element) { return is_storable(element, depth + 1); });
    case Json::value_t::string:
      return is_storable(tree.get_ref<const std::string&>());
    case Json::value_t::number_float:
      return std::isfinite(tree.get<double>());
    case Json::value_t::binary:
    case Json::value_t::discarded:
      return false;
    default:
      return true;
  }
}

bool is_storable(const std::map<std::string, Json>& map) {
  return std::all_of(map.begin(), map.end(), [](const auto& item) {
    return is_storable(item.first) && is_storable(item.second);
  });
}

bool is_storable(const NodeDoc& node) {
  return is_storable(node.type) && is_storable(node.label) && is_storable(node.group) &&
         is_storable(node.params) && node.extra.is_object() && is_storable(node.extra);
}

bool is_storable(const Meta& meta) {
  for (const std::string* text :
       {&meta.name, &meta.version, &meta.title, &meta.description, &meta.author, &meta.licence}) {
    if (!is_storable(*text)) return false;
  }
  return std::all_of(meta.tags.begin(), meta.tags.end(),
                     [](const std::string& tag) { return is_storable(tag); }) &&
         meta.extra.is_object() && is_storable(meta.extra);
}

bool is_storable(const std::vector<InterfaceItem>& items) {
  return std::all_of(items.begin(), items.end(), [](const InterfaceItem& item) {
    return is_storable(item.name) && is_storable(item.type) && is_storable(item.doc) &&
           is_storable(item.standard) && item.extra.is_object() && is_storable(item.extra);
  });
}

bool is_valid(const LinkDoc& link) {
  return valid_id(link.from.node) && valid_id(link.from.socket) && valid_id(link.to.node) &&
         valid_id(link.to.socket);
}

bool is_storable(const GroupDoc& group) {
  return is_storable(group.meta) && is_storable(group.inputs) && is_storable(group.outputs) &&
         std::all_of(group.graph.nodes.begin(), group.graph.nodes.end(),
                     [](const NodeDoc& node) { return is_storable(node); }) &&
         std::all_of(group.graph.links.begin(), group.graph.links.end(), is_valid) &&
         is_storable(group.graph.layout.nodes) && group.graph.layout.extra.is_object() &&
         is_storable(group.graph.layout.extra) && group.extra.is_object() &&
         is_storable(group.extra);
}

const Error not_storable{"a number that is not finite, text that is not UTF-8, or too much of it"};

// One overload per kind of edit. They check first and then change, so that a refusal changes
// nothing.
class Editor {
 public:
  explicit Editor(GraphDoc& doc) : doc_(doc) {}

  Result<Edit> operator()(edit::InsertNode& e) {
    GraphBody* graph = doc_.body(e.graph);
    if (!graph) return no_graph(e.graph);
    if (e.at > graph->nodes.size()) return Error{"there is no such place among the nodes"};
    if (const auto flaw = flaw_of(e.node)) return Error{*flaw};
    if (graph->find(e.node.id)) {
      return Error{fmt::format("there already is a node '{}'", e.node.id)};
    }
    if (!is_storable(e.node)) return not_storable;
    Edit inverse = edit::EraseNode{e.graph, e.node.id, true};
    graph->nodes.insert(graph->nodes.begin() + static_cast<ptrdiff_t>(e.at), std::move(e.node));
    return inverse;
  }

  Result<Edit> operator()(edit::EraseNode& e) {
    GraphBody* graph = doc_.body(e.graph);
    NodeDoc* node = find(graph, e.id);
    if (!node) return no_node(e.graph, e.id);
    for (const LinkDoc& link : graph->links) {
      if (!e.leave_links && (link.from.node == e.id || link.to.node == e.id)) {
        return Error{fmt::format("node '{}' still has links", e.id)};
      }
    }
    const auto at = node - graph->nodes.data();
    Edit inverse = edit::InsertNode{e.graph, static_cast<size_t>(at), std::move(*node)};
    graph->nodes.erase(graph->nodes.begin() + at);
    return inverse;
  }

  Result<Edit> operator()(edit::SetParam& e) {
    NodeDoc* node = find(doc_.body(e.graph), e.node);
    if (!node) return no_node(e.graph, e.node);
    if (!is_storable(e.input) || (e.value && !is_storable(*e.value))) return not_storable;
    Edit inverse = edit::SetParam{e.graph, e.node, e.input, put(node->params, e.input, e.value)};
    return inverse;
  }

  Result<Edit> operator()(edit::SetLabel& e) {
    NodeDoc* node = find(doc_.body(e.graph), e.node);
    if (!node) return no_node(e.graph, e.node);
    if (!is_storable(e.label)) return not_storable;
    return Edit(edit::SetLabel{e.graph, e.node, std::exchange(node->label, std::move(e.label))});
  }

  Result<Edit> operator()(edit::SetMuted& e) {
    NodeDoc* node = find(doc_.body(e.graph), e.node);
    if (!node) return no_node(e.graph, e.node);
    return Edit(edit::SetMuted{e.graph, e.node, std::exchange(node->muted, e.muted)});
  }

  Result<Edit> operator()(edit::SetGroupRef& e) {
    NodeDoc* node = find(doc_.body(e.graph), e.node);
    if (!node) return no_node(e.graph, e.node);
    if (!e.group.empty() && !valid_group_name(e.group)) return bad_group_name(e.group);
    return Edit(edit::SetGroupRef{e.graph, e.node, std::exchange(node->group, std::move(e.group))});
  }

  // The ends need not exist: a document may hold such links, and taking one away must be undoable.
  Result<Edit> operator()(edit::InsertLink& e) {
    GraphBody* graph = doc_.body(e.graph);
    if (!graph) return no_graph(e.graph);
    if (e.at > graph->links.size()) return Error{"there is no such place among the links"};
    if (!is_valid(e.link)) return Error{"a link's end is not the id of a node and of a socket"};
    Edit inverse = edit::EraseLink{e.graph, e.link, e.at};
    graph->links.insert(graph->links.begin() + static_cast<ptrdiff_t>(e.at), std::move(e.link));
    return inverse;
  }

  Result<Edit> operator()(edit::EraseLink& e) {
    GraphBody* graph = doc_.body(e.graph);
    if (!graph) return no_graph(e.graph);
    auto& links = graph->links;
    const auto found = e.at && *e.at < links.size() && links[*e.at] == e.link
                           ? links.begin() + static_cast<ptrdiff_t>(*e.at)
                           : std::find(links.begin(), links.end(), e.link);
    if (found == links.end()) {
      return Error{fmt::format("there is no link {}.{} -> {}.{}", e.link.from.node,
                               e.link.from.socket, e.link.to.node, e.link.to.socket)};
    }
    const auto at = static_cast<size_t>(found - links.begin());
    links.erase(found);
    return Edit(edit::InsertLink{e.graph, at, std::move(e.link)});
  }

  Result<Edit> operator()(edit::SetNodeLayout& e) {
    GraphBody* graph = doc_.body(e.graph);
    if (!graph) return no_graph(e.graph);
    if (!is_storable(e.node) || (e.layout && !is_storable(*e.layout))) return not_storable;
    Edit inverse = edit::SetNodeLayout{e.graph, e.node, put(graph->layout.nodes, e.node, e.layout)};
    return inverse;
  }

  Result<Edit> operator()(edit::SetGraphLayout& e) {
    GraphBody* graph = doc_.body(e.graph);
    if (!graph) return no_graph(e.graph);
    if (e.key == "nodes") return Error{"the layout of nodes is set node by node"};
    if (!is_storable(e.key) || (e.value && !is_storable(*e.value))) return not_storable;
    auto& members = graph->layout.extra.get_ref<Json::object_t&>();
    Edit inverse = edit::SetGraphLayout{e.graph, e.key, put(members, e.key, e.value)};
    return inverse;
  }

  Result<Edit> operator()(edit::InsertGroup& e) {
    if (!valid_group_name(e.name)) return bad_group_name(e.name);
    if (doc_.groups.count(e.name)) {
      return Error{fmt::format("there already is a group '{}'", e.name)};
    }
    if (const auto flaw = flaw_of(e.group)) return Error{flaw->text};
    if (!is_storable(e.group)) return not_storable;
    doc_.groups.emplace(e.name, std::move(e.group));
    return Edit(edit::EraseGroup{std::move(e.name)});
  }

  Result<Edit> operator()(edit::EraseGroup& e) {
    const auto found = doc_.groups.find(e.name);
    if (found == doc_.groups.end()) return no_graph(e.name);
    const auto uses = [&](const GraphBody& graph) {
      return std::any_of(graph.nodes.begin(), graph.nodes.end(),
                         [&](const NodeDoc& node) { return node.group == e.name; });
    };
    if (uses(doc_.graph) || std::any_of(doc_.groups.begin(), doc_.groups.end(),
                                        [&](const auto& g) { return uses(g.second.graph); })) {
      return Error{fmt::format("the group '{}' is still in use", e.name)};
    }
    Edit inverse = edit::InsertGroup{e.name, std::move(found->second)};
    doc_.groups.erase(found);
    return inverse;
  }

  Result<Edit> operator()(edit::SetInterface& e) {
    const auto found = doc_.groups.find(e.group);
    if (found == doc_.groups.end()) return no_graph(e.group);
    if (const auto flaw = flaw_of_interface(e.inputs, e.outputs)) return Error{flaw->text};
    if (!is_storable(e.inputs) || !is_storable(e.outputs)) return not_storable;
    GroupDoc& group = found->second;
    Edit inverse = edit::SetInterface{e.group, std::exchange(group.inputs, std::move(e.inputs)),
                                      std::exchange(group.outputs, std::move(e.outputs))};
    return inverse;
  }

  Result<Edit> operator()(edit::SetMeta& e) {
    const auto found = doc_.groups.find(e.group);
    if (!e.group.empty() && found == doc_.groups.end()) return no_graph(e.group);
    if (!is_storable(e.meta)) return not_storable;
    Meta& meta = e.group.empty() ? doc_.meta : found->second.meta;
    return Edit(edit::SetMeta{e.group, std::exchange(meta, std::move(e.meta))});
  }

  Result<Edit> operator()(edit::SetSettings& e) {
    if (const auto flaw = flaw_of(e.settings)) return Error{*flaw};
    if (!e.settings.extra.is_object() || !is_storable(e.settings.extra)) return not_storable;
    return Edit(edit::SetSettings{std::exchange(doc_.settings, std::move(e.settings))});
  }

 private:
  static NodeDoc* find(GraphBody* graph, const std::string& id) {
    return graph ? const_cast<NodeDoc*>(graph->find(id)) : nullptr;
  }
  Result<Edit> no_graph(const std::string& name) const {
    return Error{fmt::format("there is no group '{}'", name)};
  }
  Result<Edit> no_node(const std::string& graph, const std::string& id) const {
    if (!doc_.body(graph)) return no_graph(graph);
    return Error{fmt::format("there is no node '{}'", id)};
  }
  static Result<Edit> bad_group_name(const std::string& name) {
    return Error{fmt::format("'{}' cannot be the name of a group", name)};
  }
  // Sets or removes a member of a map; gives back what was there.
  template <class Map>
  static std::optional<Json> put(Map& map, const std::string& key, std::optional<Json>& value) {
    std::optional<Json> old;
    if (const auto found = map.find(key); found != map.end()) {
      old = std::move(found->second);
      if (!value) map.erase(found);
    }
    if (value) map[key] = std::move(*value);
    return old;
  }

  GraphDoc& doc_;
};

}  // namespace

Result<Edit> apply_edit(GraphDoc& doc, Edit edit) { return std::visit(Editor(doc), edit); }

}  // namespace sinew
