// The numbers of a document by name: "worm.speed", and of a vector "worm.gravity.y". For whoever
// varies them (a search) and for what has been found to be set. Only nodes of the document itself.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "graph/commands.h"
#include "graph/compiled_graph.h"

namespace sinew {

struct DocumentNumber {
  std::string node, input;
  int component = -1;  // of a vector
  double value = 0;    // now
  double low = 0, high = 0;
  bool whole = false;  // only whole numbers
};

// The number, or why it cannot be set: there is none, it is linked, it changes over time. `graph`
// is the document compiled.
Result<DocumentNumber> find_number(const CompiledGraph& graph, const std::string& name);

// The parameters with which the numbers have these values, one for each that is touched.
Result<std::vector<edit::SetParam>> set_numbers(const CompiledGraph& graph,
                                                std::span<const std::string> names,
                                                std::span<const double> values);

// A command that sets the parameters of a document to a candidate of what was found, as it stands
// in documents: {"names": ["worm.speed"], "candidates": [{"values": [0.1]}, ...]}.
Result<Command> apply_found(const CompiledGraph& graph, const Json& found, size_t pick);

}  // namespace sinew
