#include "graph/work_run.h"

#include <fmt/format.h>

#include "base/stop.h"

namespace sinew {

namespace {

std::string text_of(const NodeMessage& m) {
  return m.path.empty() ? m.message.text
                        : fmt::format("node '{}' ({}): {}", m.path, m.type, m.message.text);
}

// The first error of an evaluation, with its place.
std::string first_error(const Evaluation& evaluation, const CompiledGraph& graph) {
  for (const NodeMessage& m : evaluation.messages(graph))
    if (m.message.severity == Severity::error) return text_of(m);
  return evaluation.trouble.empty() ? "its inputs cannot be evaluated" : evaluation.trouble;
}

Result<int> find_worker(const CompiledGraph& graph, const std::string& path) {
  const int at = graph.find_sink(path);
  if (at < 0) return Error{fmt::format("there is no node '{}'", path)};
  const CompiledNode& node = graph.node(at);
  if (!node.type->work)
    return Error{fmt::format("node '{}' ({}) has nothing to search for", path, node.type->id)};
  if (path.find('/') != std::string::npos)
    return Error{
        fmt::format("node '{}' ({}) is inside of a group, where nothing that it finds "
                    "could be kept; search in the document that the group comes from",
                    path, node.type->id)};
  if (!node.forward.empty())
    return Error{fmt::format("node '{}' ({}) is muted", path, node.type->id)};
  for (const auto* list : {&node.wiring, &node.literals})
    for (const Message& m : *list)
      if (m.severity == Severity::error) return Error{text_of({path, node.type->id, m})};
  return at;
}

}  // namespace

std::vector<std::string> nodes_with_work(const CompiledGraph& graph) {
  std::vector<std::string> list;
  for (int i = 0; i < graph.size(); ++i) {
    const CompiledNode& node = graph.node(i);
    if (node.type->work && node.path.find('/') == std::string::npos) list.push_back(node.path);
  }
  return list;
}

Result<std::vector<Message>> run_work(Evaluator& evaluator, const CompiledGraph& graph,
                                      const std::string& path, const Context& context,
                                      WorkSite& site, const std::atomic<bool>* stop) {
  const Result<int> at = find_worker(graph, path);
  if (!at) return Error{at.error()};
  const CompiledNode& node = graph.node(*at);
  NodeInputs inputs = evaluator.node_inputs(graph, *at, context, stop);
  if (inputs.evaluation.cancelled) return std::vector<Message>();
  if (!inputs.complete) return Error{first_error(inputs.evaluation, graph)};

  Context here = context;
  here.frame = std::max(here.frame, here.start_frame);
  here.run_effects = false;
  Exec exec(*node.type, std::move(inputs.values), here, stop);
  exec.set_store(&evaluator.cache(), std::move(inputs.keys));
  exec.messages() = std::move(inputs.warnings);
  try {
    const StopScope scope(stop);
    node.type->work->run(exec, site);
  } catch (const Cancelled&) {
    return exec.messages();
  } catch (const std::bad_alloc&) {
    exec.error("it ran out of memory; make its input smaller");
  } catch (const std::exception& e) {
    if (exec.cancelled()) return exec.messages();
    exec.error("{}", e.what());
  }
  for (const Message& m : exec.messages())
    if (m.severity == Severity::error) return Error{text_of({path, node.type->id, m})};
  return exec.messages();
}

}  // namespace sinew
