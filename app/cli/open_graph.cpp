#include "app/cli/open_graph.h"

#include <fmt/format.h>

#include <csignal>

#include "app/cli/program.h"
#include "graph/json_reader.h"

namespace sinew::cli {
namespace {

std::atomic<bool> interrupt{false};
// The first asks the evaluation to stop; a second one ends the program.
void on_interrupt(int) {
  interrupt = true;
  std::signal(SIGINT, SIG_DFL);
}

std::vector<std::string> node_paths(const CompiledGraph& graph) {
  std::vector<std::string> paths;
  for (int i = 0; i < graph.size(); ++i) paths.push_back(graph.node(i).path);
  return paths;
}

}  // namespace

Result<std::pair<std::string, Json>> read_setting(const std::string& text) {
  if (!valid_utf8(text)) return Error{"--set: a name or value is not UTF-8 text"};
  const size_t equals = text.find('=');
  const size_t dot = text.rfind('.', equals);
  if (equals == std::string::npos || dot == std::string::npos || dot == 0 || dot + 1 == equals)
    return Error{fmt::format("--set {}: it must be NODE.PARAM=VALUE", text)};
  const std::string value = text.substr(equals + 1);
  Json json = Json::parse(value, nullptr, false);
  if (json.is_discarded()) json = value;
  return std::pair{text.substr(0, equals), std::move(json)};
}

Result<void> check_setting(const CompiledGraph& graph, const std::string& name) {
  const size_t dot = name.rfind('.');
  const std::string path = name.substr(0, dot), input = name.substr(dot + 1);
  const int at = graph.find_sink(path);
  if (at < 0) {
    // The node inside a group that hands on what the instance is given.
    if (const int source = graph.find_node(path); source >= 0)
      return Error{fmt::format("--set {}: '{}' hands on what the group is given; set {}.{} instead",
                               name, path, graph.node(source).path, input)};
    return Error{fmt::format("--set {}: there is no node '{}'{}", name, path,
                             did_you_mean(path, node_paths(graph)))};
  }
  const CompiledNode& node = graph.node(at);
  const NodeType& type = *node.type;
  // The two ends of an instance have its path.
  if (node.path != path)
    return Error{
        fmt::format("--set {}: '{}' hands on what the group makes and takes no value", name, path)};
  const NodeType* known = registry().find(type.id);
  if (!known || node.inputs.size() != type.inputs.size())
    return Error{fmt::format("--set {}: this build does not understand node '{}' ({}): its {}",
                             name, path, shortened(type.id),
                             known ? "version is newer" : "type is unknown")};
  const int k = type.find_input(input);
  if (k < 0) {
    std::vector<std::string> inputs;
    for (const InputInfo& in : type.inputs) inputs.push_back(in.name);
    return Error{fmt::format("--set {}: node '{}' ({}) has no input '{}'{}", name, path, type.id,
                             input, did_you_mean(input, inputs))};
  }
  if (!node.inputs[k].links.empty())
    return Error{fmt::format("--set {}: the input is linked, so a value has no effect", name)};
  return {};
}

Result<Target> find_target(const CompiledGraph& graph, const std::string& name) {
  Result<Target> target = graph.find_output(name);
  if (target) return target;
  const size_t dot = name.rfind('.');
  const std::string path = name.substr(0, dot);
  const int at = graph.find_node(path);
  if (at < 0) return Error{target.error() + did_you_mean(path, node_paths(graph))};
  if (dot == std::string::npos) return target;
  std::vector<std::string> outputs;
  for (const OutputInfo& out : graph.node(at).type->outputs) outputs.push_back(out.name);
  return Error{target.error() + did_you_mean(name.substr(dot + 1), outputs)};
}

Result<std::vector<Target>> find_targets(const CompiledGraph& graph,
                                         const std::vector<std::string>& names) {
  std::vector<Target> targets;
  for (const std::string& name : names) {
    const Result<Target> target = find_target(graph, name);
    if (!target) return Error{target.error()};
    targets.push_back(*target);
  }
  return targets;
}

std::string target_name(const CompiledGraph& graph, const Target& target) {
  const CompiledNode& node = graph.node(target.node);
  return node.path + "." + node.type->outputs[target.output].name;
}

Result<void> open_graph(const std::string& file, const std::vector<std::string>& settings,
                        OpenedGraph& opened) {
  CompileOptions compile;
  for (const std::string& text : settings) {
    auto setting = read_setting(text);
    if (!setting) return Error{setting.error()};
    compile.overrides[setting->first] = std::move(setting->second);
  }
  opened.doubtful_file = file;
  Result<GraphDoc> doc = open_document(file, opened.messages);
  if (!doc) return Error{doc.error()};
  opened.doc = std::move(*doc);
  opened.graph = CompiledGraph::compile(opened.doc, registry(), compile);
  for (const auto& [name, value] : compile.overrides)
    if (const Result<void> ok = check_setting(*opened.graph, name); !ok) return ok;
  return {};
}

const std::atomic<bool>* stop_on_interrupt(bool also_ended) {
  std::signal(SIGINT, on_interrupt);
  if (also_ended)
    for (const int signal : {SIGTERM, SIGUSR1}) std::signal(signal, on_interrupt);
  return &interrupt;
}

}  // namespace sinew::cli
