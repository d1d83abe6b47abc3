// Values that pass through nodes as they are: reroutes, the ends of groups, muted nodes, switches.
#pragma once

#include <vector>

#include "graph/compiled_graph.h"

namespace sinew {

// Whether the node makes nothing itself.
bool hands_on(const CompiledNode& node);
// The inputs that such a node hands on as this output: one that forwards, or one that chooses. All
// that may be chosen, in their order, where the choice is not a literal.
std::vector<int> handed_on(const CompiledNode& node, int output);

// The outputs that arrive at an input, where they are made: upstream through nodes that hand values
// on. Several where it takes several links, and where a choice is not a literal.
std::vector<Target> makers_of(const CompiledGraph& graph, int node, int input);

}  // namespace sinew
