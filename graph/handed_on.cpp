#include "graph/handed_on.h"

#include <unordered_set>

#include "graph/exec.h"

namespace sinew {

bool hands_on(const CompiledNode& node) {
  return !node.forward.empty() || node.type->role == NodeRole::select;
}

std::vector<int> handed_on(const CompiledNode& node, int output) {
  if (node.inputs.empty()) return {};
  if (!node.forward.empty())
    return node.forward[output] < 0 ? std::vector<int>() : std::vector<int>{node.forward[output]};
  std::vector<std::vector<Value>> inputs(node.inputs.size());
  std::vector<int> options;
  bool known = true;
  for (size_t k = 0; k < node.inputs.size(); ++k) {
    if (!node.type->inputs[k].selector) {
      options.push_back(static_cast<int>(k));
    } else if (node.inputs[k].literal) {
      inputs[k].push_back(node.inputs[k].literal);
    } else {
      known = false;
    }
  }
  if (!known) return options;
  const Context context;
  const int chosen = node.type->select(Exec(*node.type, std::move(inputs), context, nullptr));
  return chosen < 0 ? std::vector<int>() : std::vector<int>{chosen};
}

std::vector<Target> makers_of(const CompiledGraph& graph, int node, int input) {
  std::vector<Target> makers, open;
  std::unordered_set<int> seen;
  const auto add_links = [&](const CompiledNode& to, int at) {
    if (at >= static_cast<int>(to.inputs.size())) return;  // a type that is not known
    const std::vector<LinkSource>& links = to.inputs[at].links;
    for (auto link = links.rbegin(); link != links.rend(); ++link)
      if (link->output >= 0) open.push_back({link->node, link->output});
  };
  add_links(graph.node(node), input);
  while (!open.empty()) {
    const Target at = open.back();
    open.pop_back();
    if (!seen.insert(graph.first_output(at.node) + at.output).second) continue;
    const CompiledNode& from = graph.node(at.node);
    if (!hands_on(from)) {
      makers.push_back(at);
      continue;
    }
    const std::vector<int> inputs = handed_on(from, at.output);
    for (auto k = inputs.rbegin(); k != inputs.rend(); ++k) add_links(from, *k);
  }
  return makers;
}

}  // namespace sinew
