#include <fmt/format.h>

#include <fstream>
#include <iterator>

#include "app/cli/program.h"
#include "app/cli/say.h"

namespace sinew::cli {

namespace {

// A file that is tidy already is not touched.
bool tidy(const GraphDoc& doc, const std::string& file, std::vector<NodeMessage>& messages,
          int& code) {
  std::ifstream in(file, std::ios::binary);
  const std::string before((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  if (before == write_document(doc)) return true;
  const Result<void> saved = save_document(doc, file);
  if (saved) return true;
  messages.push_back({"", "", {Severity::error, saved.error()}});
  code = call_error;
  return false;
}

}  // namespace

int run_check(const CheckOptions& options) {
  int code = done;
  Json reports = Json::array();
  for (const std::string& file : options.files) {
    std::vector<NodeMessage> messages;
    Result<GraphDoc> doc = open_document(file, messages);
    Json report = {{"file", file}, {"messages", Json::array()}};
    bool failed = !doc;
    size_t nodes = 0;
    if (!doc) {
      messages.push_back({"", "", {Severity::error, doc.error()}});
      code = call_error;
    } else {
      const GraphPtr graph = CompiledGraph::compile(*doc, registry());
      for (NodeMessage& m : graph->messages()) messages.push_back(std::move(m));
      const Context context = context_of(*doc, file, 0);
      for (NodeMessage& m : graph->missing_files(context.folder)) messages.push_back(std::move(m));
      suggest_types(messages);
      for (const NodeMessage& m : messages) failed |= m.message.severity == Severity::error;
      if (failed && code == done) code = graph_error;
      nodes = doc->graph.nodes.size();
      if (options.tidy && !failed) failed = !tidy(*doc, file, messages, code);
    }
    for (const NodeMessage& m : messages) {
      report["messages"].push_back(message_json(m));
      if (!options.json) print_message(file, m);
    }
    report["ok"] = !failed;
    report["nodes"] = nodes;
    reports.push_back(std::move(report));
    if (!options.json && !failed) say("ok: {}: {} node{}\n", file, nodes, nodes == 1 ? "" : "s");
  }
  if (options.json) say_lines(json_text(reports));
  return code;
}

}  // namespace sinew::cli
