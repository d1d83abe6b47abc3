// What lies behind what is seen or written.
#pragma once

#include <deque>
#include <set>
#include <string>
#include <vector>

#include "graph/compiled_graph.h"
#include "graph/evaluator.h"

namespace sinew::cli {

// From there upstream, the nearest first, until look(target) says that it is enough.
template <class Look>
void go_upstream(const CompiledGraph& graph, const std::vector<Target>& from, const Look& look) {
  std::deque<Target> open(from.begin(), from.end());
  std::set<int> known;
  while (!open.empty()) {
    const Target at = open.front();
    open.pop_front();
    if (look(at)) return;
    if (!known.insert(at.node).second) continue;
    for (const InputSource& input : graph.node(at.node).inputs)
      for (const LinkSource& link : input.links) open.push_back({link.node, link.output});
  }
}

// What nodes that read files, there or upstream of there, have noted in an evaluation: what they
// have not read.
std::set<std::string> notes_of_readers(const CompiledGraph& graph, const std::vector<Target>& from,
                                       const Evaluation& evaluation);

}  // namespace sinew::cli
