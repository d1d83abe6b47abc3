#include "graph/document_check.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <unordered_map>
#include <unordered_set>

namespace sinew {
namespace {

// An edge of a graph of small numbers, with the index of what it stands for.
struct Edge {
  uint32_t from, to;
  size_t label;
};

// The labels of the edges of one cycle, in order; empty if there is none. Depth-first with a stack
// of our own, since a hostile document may hold a chain of 200,000 nodes.
std::vector<size_t> find_cycle(size_t count, const std::vector<Edge>& edges) {
  std::vector<uint32_t> first(count + 1, 0);
  for (const Edge& e : edges) ++first[e.from + 1];
  for (size_t i = 0; i < count; ++i) first[i + 1] += first[i];
  std::vector<uint32_t> sorted(edges.size());
  std::vector<uint32_t> next(first.begin(), first.end() - 1);
  for (size_t i = 0; i < edges.size(); ++i) {
    sorted[next[edges[i].from]++] = static_cast<uint32_t>(i);
  }
  std::copy(first.begin(), first.end() - 1, next.begin());

  enum : uint8_t { fresh, on_stack, done };
  std::vector<uint8_t> state(count, fresh);
  std::vector<uint32_t> stack;
  std::vector<uint32_t>
      taken;  // the edge by which each node of the stack but the first was reached
  for (uint32_t root = 0; root < count; ++root) {
    if (state[root] != fresh) continue;
    state[root] = on_stack;
    stack.assign(1, root);
    taken.clear();
    while (!stack.empty()) {
      const uint32_t node = stack.back();
      if (next[node] == first[node + 1]) {
        state[node] = done;
        stack.pop_back();
        if (!taken.empty()) taken.pop_back();
        continue;
      }
      const uint32_t edge = sorted[next[node]++];
      const uint32_t target = edges[edge].to;
      if (state[target] == fresh) {
        state[target] = on_stack;
        stack.push_back(target);
        taken.push_back(edge);
      } else if (state[target] == on_stack) {
        std::vector<size_t> cycle;
        size_t begin = stack.size() - 1;
        while (stack[begin] != target) --begin;
        for (size_t i = begin; i < taken.size(); ++i) cycle.push_back(edges[taken[i]].label);
        cycle.push_back(edges[edge].label);
        return cycle;
      }
    }
  }
  return {};
}

// "a -> b -> a"; the middle of a long way is left out.
std::string way(const std::vector<std::string_view>& names) {
  constexpr size_t shown = 8;
  std::string text;
  for (size_t i = 0; i < names.size(); ++i) {
    if (i == shown && names.size() > shown + 2) {
      text += fmt::format("... ({} more) -> ", names.size() - 1 - i);
      i = names.size() - 1;
    }
    text += shortened(names[i]);
    if (i + 1 < names.size()) text += " -> ";
  }
  return text;
}

std::string in_quotes(std::string_view text) { return fmt::format("'{}'", shortened(text)); }

// Why an id is not valid, for "the id 'a b' of a node ...".
std::string flaw_of_id(std::string_view id) {
  if (id.size() > longest_id && valid_id(id.substr(0, longest_id)))
    return fmt::format("has {} characters: at most {} are allowed", id.size(), longest_id);
  return "is not made of letters, digits, '_' and '-'";
}

std::optional<DocumentFlaw> flaw_of_nodes(const GraphBody& graph) {
  std::unordered_set<std::string_view> ids;
  ids.reserve(graph.nodes.size());
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    const NodeDoc& node = graph.nodes[i];
    if (!valid_id(node.id)) {
      return DocumentFlaw{{"nodes", i, "id"}, *flaw_of(node)};
    }
    if (!ids.insert(node.id).second) {
      return DocumentFlaw{{"nodes", i, "id"},
                          fmt::format("a second node with the id {}", in_quotes(node.id))};
    }
    if (const auto text = flaw_of(node)) {
      return DocumentFlaw{{"nodes", i, node.version < 1 ? "version" : "type"}, *text};
    }
  }
  return std::nullopt;
}

std::optional<DocumentFlaw> flaw_of_items(const std::vector<InterfaceItem>& items,
                                          const char* list) {
  std::unordered_set<std::string_view> ids;
  for (size_t i = 0; i < items.size(); ++i) {
    if (!valid_id(items[i].id)) {
      return DocumentFlaw{
          {list, i, "id"},
          fmt::format("the id {} of a socket {}", in_quotes(items[i].id), flaw_of_id(items[i].id))};
    }
    if (!ids.insert(items[i].id).second) {
      return DocumentFlaw{{list, i, "id"},
                          fmt::format("a second socket with the id {}", in_quotes(items[i].id))};
    }
  }
  return std::nullopt;
}

DocumentFlaw under(JsonPath prefix, DocumentFlaw flaw) {
  prefix.insert(prefix.end(), flaw.path.begin(), flaw.path.end());
  flaw.path = std::move(prefix);
  return flaw;
}

}  // namespace

std::optional<std::string> flaw_of(const NodeDoc& node) {
  if (!valid_id(node.id)) {
    return fmt::format("the id {} of a node {}", in_quotes(node.id), flaw_of_id(node.id));
  }
  if (node.type.empty()) return fmt::format("node {} has no type", in_quotes(node.id));
  if (node.version < 1) {
    return fmt::format("node {} has version {}: versions begin at 1", in_quotes(node.id),
                       node.version);
  }
  return std::nullopt;
}

std::optional<std::string> flaw_of(const Settings& settings) {
  if (!(settings.fps > 0) || !std::isfinite(settings.fps)) {
    return fmt::format("\"fps\" is {}, but must be above 0", settings.fps);
  }
  if (settings.last_frame < settings.first_frame) {
    return fmt::format("\"last_frame\" is {}, but must not lie before \"first_frame\", {}",
                       settings.last_frame, settings.first_frame);
  }
  return std::nullopt;
}

std::optional<DocumentFlaw> flaw_of_interface(const std::vector<InterfaceItem>& inputs,
                                              const std::vector<InterfaceItem>& outputs) {
  if (auto flaw = flaw_of_items(inputs, "inputs")) return flaw;
  return flaw_of_items(outputs, "outputs");
}

std::optional<DocumentFlaw> flaw_of(const GroupDoc& group) {
  if (auto flaw = flaw_of_interface(group.inputs, group.outputs)) return flaw;
  if (auto flaw = flaw_of_nodes(group.graph)) return flaw;
  return find_link_cycle(group.graph);
}

std::optional<DocumentFlaw> find_link_cycle(const GraphBody& graph) {
  std::unordered_map<std::string_view, uint32_t> index;
  index.reserve(graph.nodes.size());
  for (const NodeDoc& node : graph.nodes) index.emplace(node.id, index.size());
  std::vector<Edge> edges;
  edges.reserve(graph.links.size());
  for (size_t i = 0; i < graph.links.size(); ++i) {
    const auto from = index.find(graph.links[i].from.node);
    const auto to = index.find(graph.links[i].to.node);
    if (from == index.end() || to == index.end()) continue;
    edges.push_back({from->second, to->second, i});
  }
  const std::vector<size_t> cycle = find_cycle(index.size(), edges);
  if (cycle.empty()) return std::nullopt;
  std::vector<std::string_view> names = {graph.links[cycle.front()].from.node};
  for (const size_t link : cycle) names.push_back(graph.links[link].to.node);
  return DocumentFlaw{{"links", cycle.back()}, "links form a cycle: " + way(names)};
}

std::optional<DocumentFlaw> find_group_cycle(const GraphDoc& doc) {
  struct Instance {
    std::string_view outer, inner;
    size_t node;
  };
  std::unordered_map<std::string_view, uint32_t> index;
  for (const auto& [name, group] : doc.groups) index.emplace(name, index.size());
  std::vector<Instance> instances;
  std::vector<Edge> edges;
  for (const auto& [name, group] : doc.groups) {
    for (size_t i = 0; i < group.graph.nodes.size(); ++i) {
      const auto inner = index.find(group.graph.nodes[i].group);
      if (inner == index.end()) continue;
      edges.push_back({index[name], inner->second, instances.size()});
      instances.push_back({name, inner->first, i});
    }
  }
  const std::vector<size_t> cycle = find_cycle(index.size(), edges);
  if (cycle.empty()) return std::nullopt;
  const Instance& last = instances[cycle.back()];
  std::vector<std::string_view> names = {instances[cycle.front()].outer};
  for (const size_t instance : cycle) names.push_back(instances[instance].inner);
  return DocumentFlaw{
      {"groups", std::string(last.outer), "nodes", last.node},
      fmt::format("the group {} contains itself: {}", in_quotes(names.front()), way(names))};
}

std::optional<DocumentFlaw> find_flaw(const GraphDoc& doc) {
  if (auto text = flaw_of(doc.settings)) {
    const char* field = doc.settings.last_frame < doc.settings.first_frame ? "last_frame" : "fps";
    return DocumentFlaw{{"settings", field}, *text};
  }
  if (auto flaw = flaw_of_nodes(doc.graph)) return flaw;
  if (auto flaw = find_link_cycle(doc.graph)) return flaw;
  for (const auto& [name, group] : doc.groups) {
    if (!valid_group_name(name)) {
      return DocumentFlaw{{"groups", name},
                          name.size() > longest_group_name
                              ? fmt::format("a group's name has {} bytes: at most {} are allowed",
                                            name.size(), longest_group_name)
                              : "a group's name is empty or holds control characters"};
    }
    if (auto flaw = flaw_of(group)) return under({"groups", name}, std::move(*flaw));
  }
  return find_group_cycle(doc);
}

}  // namespace sinew
