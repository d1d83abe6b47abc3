// What every command that runs a graph does first: reads the document, sets what --set says, finds
// the outputs that a call names, and listens for Ctrl-C.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "graph/compiled_graph.h"
#include "graph/document.h"

namespace sinew::cli {

struct OpenedGraph {
  GraphDoc doc;
  GraphPtr graph;
  std::vector<NodeMessage> messages;  // from opening it
  std::string doubtful_file;          // which file an error is about; empty: the call itself
};

// NODE.PARAM=VALUE, as --set takes it: the value is JSON, or a text if it is not.
Result<std::pair<std::string, Json>> read_setting(const std::string& text);
// Whether the graph has the parameter that --set names: a misspelt one would be silently without
// effect.
Result<void> check_setting(const CompiledGraph& graph, const std::string& name);

// `settings`: NODE.PARAM=VALUE each.
Result<void> open_graph(const std::string& file, const std::vector<std::string>& settings,
                        OpenedGraph& opened);

// NODE.SOCKET, or NODE for its first output; the error suggests what was meant.
Result<Target> find_target(const CompiledGraph& graph, const std::string& name);
// Several, each as above.
Result<std::vector<Target>> find_targets(const CompiledGraph& graph,
                                         const std::vector<std::string>& names);
std::string target_name(const CompiledGraph& graph, const Target& target);

// From now on the first Ctrl-C sets the flag, and a second one ends the program. `also_ended`: so
// do the signals with which mpirun ends its processes, or hands a wish on to them (SIGUSR1).
const std::atomic<bool>* stop_on_interrupt(bool also_ended = false);

}  // namespace sinew::cli
