#include "graph/compiled_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>

#include "graph/compiler.h"

namespace sinew {
namespace {

// Revisions are never used twice in one process, so that an evaluator can tell two graphs apart.
uint64_t next_revision() {
  static std::atomic<uint64_t> counter{0};
  return ++counter;
}

bool has_error(const CompiledNode& node) {
  for (const std::vector<Message>* list : {&node.wiring, &node.literals})
    for (const Message& m : *list)
      if (m.severity == Severity::error) return true;
  return false;
}

}  // namespace

Compiler::Compiler(const GraphDoc& doc, const Registry& registry, const CompileOptions& options)
    : doc_(doc),
      registry_(registry),
      options_(options),
      graph_(std::make_shared<CompiledGraph>()),
      shape_(std::make_shared<CompiledGraph::Shape>()) {
  shape_->registry = &registry;
  shape_->options = options;
}

// Topological order by Kahn's method; among nodes that are ready, the document's order. Short if
// there is a cycle: then what is in one, or behind one, is left out.
std::vector<int> Compiler::sorted_nodes() const {
  const int n = static_cast<int>(flat_.size());
  std::vector<int> waiting(n, 0);
  std::vector<std::vector<int>> users(n);
  for (int i = 0; i < n; ++i)
    for (const FlatNode::Link& link : flat_[i].links) {
      users[link.source].push_back(i);
      ++waiting[i];
    }
  std::vector<int> sorted;
  sorted.reserve(n);
  for (int i = 0; i < n; ++i)
    if (waiting[i] == 0) sorted.push_back(i);
  for (size_t at = 0; at < sorted.size(); ++at)
    for (int user : users[sorted[at]])
      if (--waiting[user] == 0) sorted.push_back(user);
  return sorted;
}

// Puts an error on the nodes of each cycle that it meets and cuts their links. Walking upstream
// from a node that could not be sorted stays among those, and so ends in a cycle.
void Compiler::cut_cycles(const std::vector<int>& sorted) {
  const int n = static_cast<int>(flat_.size());
  std::vector<bool> done(n, false);
  for (int i : sorted) done[i] = true;
  std::vector<int> seen_by(n, -1);
  for (int start = 0; start < n; ++start) {
    int i = start;
    std::vector<int> trail;
    bool dead_end = false;
    while (!dead_end && !done[i] && seen_by[i] < 0) {
      seen_by[i] = start;
      trail.push_back(i);
      const auto& links = flat_[i].links;
      const auto up = std::find_if(links.begin(), links.end(),
                                   [&](const FlatNode::Link& link) { return !done[link.source]; });
      dead_end = up == links.end();  // it stood behind a cycle that is cut by now
      if (!dead_end) i = up->source;
    }
    if (dead_end || done[i] || seen_by[i] != start) continue;
    const auto first = std::find(trail.begin(), trail.end(), i);
    std::string names;
    for (auto it = trail.rbegin(); it.base() != first; ++it) names += flat_[*it].path + " -> ";
    names += flat_[trail.back()].path;
    for (auto it = first; it != trail.end(); ++it) {
      complain(*it, fmt::format("it is part of a cycle, {}; remove one of its links", names));
      flat_[*it].links.clear();
      done[*it] = true;
    }
  }
}

GraphPtr Compiler::run() {
  pending_.push_back({&doc_.graph, "", -1, -1, {}});
  for (size_t at = 0; at < pending_.size() && !too_large_; ++at) {
    const Pending next = pending_[at];  // a copy: expanding may move the list
    expand(next);
  }
  if (too_large_) {
    flat_.clear();
    shape_->sinks.clear();
    shape_->sources.clear();
    shape_->general.push_back(
        {"",
         "",
         {Severity::error, fmt::format("with its groups expanded the graph has more than "
                                       "{} nodes",
                                       options_.max_nodes)}});
  }
  std::vector<int> sorted = sorted_nodes();
  while (sorted.size() < flat_.size()) {
    cut_cycles(sorted);
    sorted = sorted_nodes();
  }
  std::vector<int> place(flat_.size(), -1);
  const uint64_t revision = next_revision();
  shape_->users.resize(flat_.size());
  for (int flat_index : sorted) {
    auto node = bind(flat_[flat_index], place);
    const int at = static_cast<int>(graph_->nodes_.size());
    place[flat_index] = at;
    for (const InputSource& source : node->inputs)
      for (const LinkSource& link : source.links) shape_->users[link.node].push_back(at);
    graph_->nodes_.push_back(std::move(node));
    graph_->revisions_.push_back(revision);
  }
  shape_->first_output.push_back(0);
  for (const auto& node : graph_->nodes_)
    shape_->first_output.push_back(shape_->first_output.back() +
                                   static_cast<int>(node->type->outputs.size()));
  for (auto* map : {&shape_->sinks, &shape_->sources})
    for (auto& [path, index] : *map) index = place[index];
  shape_->document_order = place;
  graph_->shape_ = shape_;
  graph_->find_varying();
  return graph_;
}

GraphPtr CompiledGraph::compile(const GraphDoc& doc, const Registry& registry,
                                const CompileOptions& options) {
  return Compiler(doc, registry, options).run();
}

bool CompiledGraph::spans_time(int i, size_t input, const LinkSource& link) const {
  const CompiledNode& n = node(i);
  return n.forward.empty() && n.type->inputs[input].whole_time && varies(link.node) &&
         (n.type->role == NodeRole::compute || n.type->role == NodeRole::simulate);
}

bool CompiledGraph::changes(const LinkSource& link) const {
  const CompiledNode& from = node(link.node);
  if (link.output < 0) return false;
  if (!from.forward.empty()) {
    const int input = from.forward[link.output];
    return input >= 0 && changes(link.node, static_cast<size_t>(input));
  }
  const bool by_inputs =
      from.type->role == NodeRole::select || from.type->outputs[link.output].timeless;
  return by_inputs ? inputs_change_[link.node] : varies_[link.node];
}

bool CompiledGraph::changes(int i, size_t input) const {
  const CompiledNode& n = node(i);
  if (const auto& hand = n.type->hand; hand && n.forward.empty()) {
    const auto k = static_cast<int>(input);
    if (k == hand->grab || k == hand->at || k == hand->to || k == hand->radius || k == hand->follow)
      return false;
  }
  const InputSource& source = n.inputs[input];
  return source.varies() ||
         std::any_of(source.links.begin(), source.links.end(), [&](const LinkSource& link) {
           return !spans_time(i, input, link) && changes(link);
         });
}

void CompiledGraph::find_varying() {
  varies_.assign(nodes_.size(), false);
  spans_time_.assign(nodes_.size(), false);
  has_drafts_.assign(nodes_.size(), false);
  inputs_change_.assign(nodes_.size(), false);
  any_spans_time_ = any_has_drafts_ = drafts_stay_ = false;
  for (size_t i = 0; i < nodes_.size(); ++i) {
    const CompiledNode& node = *nodes_[i];
    bool varies =
        node.forward.empty() && (node.type->uses.frame || node.type->role == NodeRole::simulate);
    has_drafts_[i] = node.forward.empty() && node.type->uses.draft;
    for (size_t k = 0; k < node.inputs.size(); ++k) {
      varies |= node.inputs[k].varies();
      for (const LinkSource& link : node.inputs[k].links) {
        const bool spans = spans_time(static_cast<int>(i), k, link);
        spans_time_[i] = spans_time_[i] || spans;
        varies |= varies_[link.node] && !spans;
        has_drafts_[i] = has_drafts_[i] || has_drafts_[link.node];
      }
    }
    varies_[i] = varies;
    for (size_t k = 0; k < node.inputs.size(); ++k)
      inputs_change_[i] = inputs_change_[i] || changes(static_cast<int>(i), k);
    any_spans_time_ |= spans_time_[i];
    any_has_drafts_ |= has_drafts_[i];
    drafts_stay_ |= has_drafts_[i] && node.forward.empty() && node.type->role == NodeRole::simulate;
  }
}

GraphPtr CompiledGraph::with_params(const NodeDoc& doc) const {
  const auto found = shape_->sinks.find(doc.id);
  if (found == shape_->sinks.end()) return nullptr;
  const int at = found->second;
  const CompiledNode& old = *nodes_[at];
  const bool was_muted = !old.forward.empty() && old.type->role != NodeRole::forward;
  if (!old.hidden && (registry().find(doc.type) != old.type || doc.muted != was_muted))
    return nullptr;
  auto node = std::make_shared<CompiledNode>(*nodes_[at]);
  bind_literals(*node, &doc, registry(), shape_->options);
  // An input that begins or ceases to carry something can change what downstream nodes read.
  for (size_t i = 0; i < node->inputs.size(); ++i)
    if (node->inputs[i].empty() != nodes_[at]->inputs[i].empty()) return nullptr;
  node->broken = has_error(*node);

  auto graph = std::make_shared<CompiledGraph>(*this);
  graph->nodes_[at] = std::move(node);
  const uint64_t revision = next_revision();
  graph->revisions_[at] = revision;
  for (int i = at; i < size(); ++i)
    if (graph->revisions_[i] == revision)
      for (int user : shape_->users[i]) graph->revisions_[user] = revision;
  graph->find_varying();
  return graph;
}

int CompiledGraph::find_node(std::string_view path) const {
  const auto it = shape_->sources.find(std::string(path));
  return it == shape_->sources.end() ? -1 : it->second;
}

int CompiledGraph::find_sink(std::string_view path) const {
  const auto it = shape_->sinks.find(std::string(path));
  return it == shape_->sinks.end() ? -1 : it->second;
}

Result<Target> CompiledGraph::find_output(std::string_view name) const {
  // A node id has no dot, so the last dot ends the path.
  const size_t dot = name.rfind('.');
  const std::string_view path = name.substr(0, dot);
  const int at = find_node(path);
  if (at < 0) return Error{fmt::format("there is no node '{}'", path)};
  const CompiledNode& n = node(at);
  if (n.type->outputs.empty())
    return Error{fmt::format("node '{}' ({}) has no outputs", path, n.type->id)};
  if (dot == std::string_view::npos) return Target{at, 0};
  const int output = n.type->find_output(name.substr(dot + 1));
  if (output >= 0) return Target{at, output};
  std::string outputs;
  for (const OutputInfo& o : n.type->outputs) outputs += (outputs.empty() ? "" : ", ") + o.name;
  return Error{fmt::format("node '{}' ({}) has no output '{}'; it has {}", path, n.type->id,
                           name.substr(dot + 1), outputs)};
}

std::vector<Target> CompiledGraph::default_targets() const {
  std::vector<Target> viewers, ends;
  for (int i : shape_->document_order) {
    const CompiledNode& n = node(i);
    if (n.hidden || n.path.find('/') != std::string::npos) continue;
    if (n.type->viewer) viewers.push_back({i, 0});
    if (!shape_->users[i].empty()) continue;
    for (int o = 0; o < static_cast<int>(n.type->outputs.size()); ++o) ends.push_back({i, o});
  }
  return viewers.empty() ? ends : viewers;
}

std::vector<Target> CompiledGraph::effect_targets() const {
  std::vector<Target> list;
  for (int i : shape_->document_order)
    if (node(i).type->has_effect && node(i).forward.empty() && !node(i).type->outputs.empty())
      list.push_back({i, 0});
  return list;
}

std::vector<NodeMessage> CompiledGraph::messages() const {
  std::vector<NodeMessage> list = shape_->general;
  for (int i : shape_->document_order)
    for (const std::vector<Message>* part : {&node(i).wiring, &node(i).literals})
      for (const Message& m : *part) list.push_back({node(i).path, node(i).type->id, m});
  return list;
}

std::vector<NodeMessage> CompiledGraph::missing_files(const std::filesystem::path& folder) const {
  std::vector<NodeMessage> list;
  for (int i : shape_->document_order) {
    const CompiledNode& n = node(i);
    for (size_t k = 0; k < n.inputs.size(); ++k) {
      const Value& literal = n.inputs[k].literal;
      if (n.type->inputs[k].file != FileUse::read || !literal || !literal.is<std::string>())
        continue;
      const std::string& name = literal.as<std::string>();
      std::error_code ec;
      if (!name.empty() && std::filesystem::exists(folder / name, ec)) continue;
      const std::string text =
          name.empty() ? fmt::format("'{}' names no file", n.type->inputs[k].name)
                       : fmt::format("'{}': there is no file '{}'", n.type->inputs[k].name, name);
      list.push_back({n.path, n.type->id, {Severity::error, text}});
    }
  }
  return list;
}

}  // namespace sinew
