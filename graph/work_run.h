// Runs the work that a node declares (graph/work.h), with its inputs as an evaluation would make
// them.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "graph/evaluator.h"
#include "graph/work.h"

namespace sinew {

// The nodes of a document that have work to do, by their path, in the order of the graph. Those
// inside of groups are not among them.
std::vector<std::string> nodes_with_work(const CompiledGraph& graph);

// Runs it, in the calling thread; the evaluator is free for others while it runs. `stop` also ends
// what happens before: evaluating the inputs. Returns the node's warnings, or what went wrong.
Result<std::vector<Message>> run_work(Evaluator& evaluator, const CompiledGraph& graph,
                                      const std::string& path, const Context& context,
                                      WorkSite& site, const std::atomic<bool>* stop = nullptr);

}  // namespace sinew
