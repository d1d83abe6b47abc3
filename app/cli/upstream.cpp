#include "app/cli/upstream.h"

#include <algorithm>

namespace sinew::cli {

std::set<std::string> notes_of_readers(const CompiledGraph& graph, const std::vector<Target>& from,
                                       const Evaluation& evaluation) {
  std::set<int> readers;
  go_upstream(graph, from, [&](const Target& at) {
    const std::vector<InputInfo>& inputs = graph.node(at.node).type->inputs;
    if (std::any_of(inputs.begin(), inputs.end(),
                    [](const InputInfo& input) { return input.file == FileUse::read; }))
      readers.insert(at.node);
    return false;
  });
  std::set<std::string> notes;
  for (const NodeReport& report : evaluation.nodes)
    if (readers.contains(report.node))
      for (const Message& m : report.messages)
        if (m.severity == Severity::info) notes.insert(m.text);
  return notes;
}

}  // namespace sinew::cli
