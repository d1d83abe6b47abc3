// What the subcommands share: the registry, how a file is opened, how messages are shown, and the
// exit codes. Everything that the editor computes can be had here without a screen.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "graph/compiled_graph.h"
#include "graph/document.h"
#include "graph/exec.h"

namespace sinew::cli {

// 0: done; 1: the graph has an error; 2: the call or a file is wrong.
enum ExitCode { done = 0, graph_error = 1, call_error = 2, interrupted = 130 };

// All nodes of this program.
const Registry& registry();

// "error: FILE: node 'NAME' (TYPE): what is wrong, and what would be right", on standard error, in
// one line of bounded length whatever a file holds.
void print_message(const std::string& file, const NodeMessage& message);
void print_error(const std::string& file, const std::string& text);
Json message_json(const NodeMessage& message);
// JSON as documents are written: short lists on one line.
std::string json_text(const Json& json);

// Reads a document that was named in a call.
Result<GraphDoc> open_document(const std::string& file, std::vector<NodeMessage>& notes);

// The moment that a document is evaluated at: its settings, the frame, and the file's own folder.
Context context_of(const GraphDoc& doc, const std::string& file, int frame);

// Why `out` must not be written: it is the document, or what that reads. Empty: it is neither.
std::string flaw_of_output(const GraphDoc& doc, const std::string& file,
                           const std::filesystem::path& out);

// ".png" of "X.PNG"; empty if there is none.
std::string lower_ending(const std::filesystem::path& file);

// "; did you mean 'box'?" with the candidate nearest to `word`; empty if none is near.
std::string did_you_mean(const std::string& word, const std::vector<std::string>& candidates);
// Adds that to messages about node types that this build does not know.
void suggest_types(std::vector<NodeMessage>& messages);

struct NodesOptions {
  std::string type;
  bool json = false;
  bool markdown = false;
};
int run_nodes(const NodesOptions& options);

struct CheckOptions {
  std::vector<std::string> files;
  bool tidy = false;
  bool json = false;
};
int run_check(const CheckOptions& options);

struct EvalOptions {
  std::string file;
  std::optional<int> frame;
  std::vector<std::string> set;      // NODE.PARAM=VALUE
  std::vector<std::string> outputs;  // NODE.SOCKET
  std::string out_file;
  bool json = false;
  int threads = 0;
};
int run_eval(const EvalOptions& options);

}  // namespace sinew::cli
