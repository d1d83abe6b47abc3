#include "graph/upgrade.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <iterator>

#include "graph/registry.h"

namespace sinew {

LinkIndex::LinkIndex(const GraphBody& graph) : gone_(graph.links.size(), false) {
  for (size_t i = 0; i < graph.links.size(); ++i) {
    const LinkDoc& link = graph.links[i];
    at_[link.from.node].push_back(i);
    if (link.to.node != link.from.node) at_[link.to.node].push_back(i);
  }
}

const std::vector<size_t>& LinkIndex::at(const std::string& node) const {
  static const std::vector<size_t> none;
  const auto found = at_.find(node);
  return found == at_.end() ? none : found->second;
}

void LinkIndex::sweep(GraphBody& graph) const {
  size_t kept = 0;
  for (size_t i = 0; i < graph.links.size(); ++i) {
    if (gone_[i]) continue;
    if (kept != i) graph.links[kept] = std::move(graph.links[i]);
    ++kept;
  }
  graph.links.resize(kept);
}

namespace {

template <class Change>
void for_links(GraphBody& graph, const LinkIndex* index, const std::string& node,
               const Change& change) {
  if (index) {
    for (const size_t i : index->at(node)) change(graph.links[i]);
  } else {
    for (LinkDoc& link : graph.links) change(link);
  }
}

}  // namespace

void UpgradeStep::rename_input(std::string_view from, std::string_view to) {
  if (from == to) return;
  if (auto literal = node_.params.extract(std::string(from))) {
    literal.key() = to;
    node_.params.erase(literal.key());
    node_.params.insert(std::move(literal));
  }
  for_links(graph_, index_, node_.id, [&](LinkDoc& link) {
    if (link.to.node == node_.id && link.to.socket == from) link.to.socket = to;
  });
}

void UpgradeStep::rename_output(std::string_view from, std::string_view to) {
  for_links(graph_, index_, node_.id, [&](LinkDoc& link) {
    if (link.from.node == node_.id && link.from.socket == from) link.from.socket = to;
  });
}

void UpgradeStep::remove_input(std::string_view name) {
  node_.params.erase(std::string(name));
  const auto ends_here = [&](const LinkDoc& link) {
    return link.to.node == node_.id && link.to.socket == name;
  };
  if (!index_) {
    std::erase_if(graph_.links, ends_here);
    return;
  }
  for (const size_t i : index_->at(node_.id)) {
    if (ends_here(graph_.links[i])) index_->set_gone(i, true);
  }
}

namespace {

// Runs the steps of one node; if one throws (a literal of a kind that it did not expect), the node
// and its links stay as they were.
std::optional<std::string> upgrade_node(NodeDoc& node, GraphBody& graph, const NodeType& type,
                                        LinkIndex& index) {
  const NodeDoc before = node;
  const std::vector<size_t>& touched = index.at(node.id);
  std::vector<std::pair<LinkDoc, bool>> links_before;
  for (const size_t i : touched) links_before.emplace_back(graph.links[i], index.gone(i));
  try {
    for (int version = node.version; version < type.version; ++version) {
      const size_t step = static_cast<size_t>(version) - 1;
      if (step >= type.upgrades.size()) break;  // nothing to do from here on
      UpgradeStep upgrade(node, graph, &index);
      type.upgrades[step](upgrade);
    }
    node.id = before.id;
    node.type = type.id;
    node.version = type.version;
    return std::nullopt;
  } catch (const std::exception& error) {
    node = before;
    for (size_t k = 0; k < touched.size(); ++k) {
      graph.links[touched[k]] = links_before[k].first;
      index.set_gone(touched[k], links_before[k].second);
    }
    return error.what();
  }
}

void upgrade_graph(GraphBody& graph, const Registry& registry, const std::string& prefix,
                   std::vector<NodeMessage>* notes) {
  std::optional<LinkIndex> index;  // most documents need no upgrade
  const auto note = [&](const NodeDoc& node, Severity severity, std::string text) {
    if (notes) notes->push_back({prefix + node.id, node.type, {severity, std::move(text)}});
  };
  for (NodeDoc& node : graph.nodes) {
    const NodeType* type = registry.find(node.type);
    if (!type) continue;
    if (node.version > type->version) {
      note(node, Severity::warning,
           fmt::format("saved by a newer Sinew (version {} of the node, this one has {}); it is "
                       "kept as it is",
                       node.version, type->version));
    } else if (node.version < type->version) {
      if (!index) index.emplace(graph);
      if (const auto error = upgrade_node(node, graph, *type, *index)) {
        note(node, Severity::error,
             fmt::format("cannot be brought from version {} to {}: {}; it is kept as it is",
                         node.version, type->version, *error));
      }
    } else {
      node.type = type->id;
    }
  }
  if (index) index->sweep(graph);
}

}  // namespace

void upgrade_nodes(GraphDoc& doc, const Registry& registry, std::vector<NodeMessage>* notes) {
  upgrade_graph(doc.graph, registry, "", notes);
  for (auto& [name, group] : doc.groups) {
    upgrade_graph(group.graph, registry, name + "/", notes);
  }
}

}  // namespace sinew
