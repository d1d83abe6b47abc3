#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <thread>

#include "app/cli/program.h"
#include "graph/atomic_file.h"
#include "graph/evaluator.h"

namespace sinew::cli {
namespace {

std::atomic<bool> interrupt{false};
void on_interrupt(int) { interrupt = true; }

// "box.size=2": the value is JSON, or a text if it is not.
Result<std::pair<std::string, Json>> read_setting(const std::string& text) {
  const size_t equals = text.find('=');
  const size_t dot = text.rfind('.', equals);
  if (equals == std::string::npos || dot == std::string::npos || dot == 0 || dot + 1 == equals)
    return Error{fmt::format("--set {}: it must be NODE.PARAM=VALUE", text)};
  const std::string value = text.substr(equals + 1);
  Json json = Json::parse(value, nullptr, false);
  if (json.is_discarded()) json = value;
  return std::pair{text.substr(0, equals), std::move(json)};
}

// A name that --set gives must exist, or a misspelt one would be silently without effect.
Result<void> check_setting(const CompiledGraph& graph, const std::string& name) {
  const size_t dot = name.rfind('.');
  const std::string path = name.substr(0, dot), input = name.substr(dot + 1);
  const int at = graph.find_sink(path);
  if (at < 0) {
    std::vector<std::string> paths;
    for (int i = 0; i < graph.size(); ++i) paths.push_back(graph.node(i).path);
    return Error{
        fmt::format("--set {}: there is no node '{}'{}", name, path, did_you_mean(path, paths))};
  }
  const NodeType& type = *graph.node(at).type;
  const int k = type.find_input(input);
  if (k < 0) {
    std::vector<std::string> inputs;
    for (const InputInfo& in : type.inputs) inputs.push_back(in.name);
    return Error{fmt::format("--set {}: node '{}' ({}) has no input '{}'{}", name, path, type.id,
                             input, did_you_mean(input, inputs))};
  }
  if (!graph.node(at).inputs[k].links.empty())
    return Error{fmt::format("--set {}: the input is linked, so a value has no effect", name)};
  return {};
}

// A line on a terminal for work that takes longer than half a second; nothing in a pipe.
class ProgressLine {
 public:
  explicit ProgressLine(const Evaluator& evaluator) : evaluator_(evaluator) {
    if (isatty(STDERR_FILENO)) thread_ = std::thread([this] { show(); });
  }
  ~ProgressLine() {
    {
      const std::lock_guard lock(mutex_);
      stop_ = true;
    }
    wake_.notify_all();
    if (thread_.joinable()) thread_.join();
    if (shown_) fmt::print(stderr, "\r\033[K");
  }

 private:
  void show() {
    using namespace std::chrono;
    const auto begin = steady_clock::now();
    std::unique_lock lock(mutex_);
    while (!wake_.wait_for(lock, milliseconds(250), [&] { return stop_; })) {
      const double seconds = duration<double>(steady_clock::now() - begin).count();
      if (seconds < 0.5) continue;
      const auto [frame, last] = evaluator_.progress();
      shown_ = true;
      if (last > 0) {
        fmt::print(stderr, "\r\033[Kevaluating: frame {} of {}, {:.0f} s", frame, last, seconds);
      } else {
        fmt::print(stderr, "\r\033[Kevaluating: {:.0f} s", seconds);
      }
      std::fflush(stderr);
    }
  }

  const Evaluator& evaluator_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool stop_ = false, shown_ = false;
  std::thread thread_;
};

std::string target_name(const CompiledGraph& graph, const Target& target) {
  const CompiledNode& node = graph.node(target.node);
  return node.path + "." + node.type->outputs[target.output].name;
}

const char* fate_name(NodeReport::Fate fate) {
  switch (fate) {
    case NodeReport::Fate::idle:
      return "idle";
    case NodeReport::Fate::hit:
      return "hit";
    case NodeReport::Fate::ran:
      return "ran";
    case NodeReport::Fate::failed:
      return "failed";
    case NodeReport::Fate::blocked:
      break;
  }
  return "blocked";
}

Json report_json(const std::string& file, const CompiledGraph& graph, const Context& context,
                 const Evaluation& e, const std::vector<NodeMessage>& messages, double seconds) {
  Json j = {{"file", file},           {"frame", context.frame},
            {"ok", !e.failed()},      {"runs", e.runs},
            {"hits", e.hits},         {"steps", e.steps},
            {"seconds", seconds},     {"outputs", Json::array()},
            {"nodes", Json::array()}, {"messages", Json::array()}};
  for (const TargetResult& t : e.targets) {
    Json out = {{"name", target_name(graph, t.target)},
                {"key", t.key ? Json(t.key.hex()) : Json()},
                {"type", nullptr}};
    if (t.value) {
      out["type"] = t.value.type()->name;
      if (t.value.type()->describe) out.update(t.value.type()->describe(t.value.data()));
    }
    j["outputs"].push_back(std::move(out));
  }
  for (const NodeReport& r : e.nodes) {
    const CompiledNode& node = graph.node(r.node);
    j["nodes"].push_back({{"node", node.path},
                          {"type", node.type->id},
                          {"fate", fate_name(r.fate)},
                          {"hit", r.fate == NodeReport::Fate::hit},
                          {"seconds", r.seconds}});
  }
  for (const NodeMessage& m : messages) j["messages"].push_back(message_json(m));
  return j;
}

// The facts of a value in one line, for people.
std::string summary(const Value& value) {
  if (!value) return "nothing";
  const Json facts = value.type()->describe ? value.type()->describe(value.data()) : Json();
  if (facts.contains("value")) return facts["value"].dump();
  std::string text;
  for (const auto& [name, fact] : facts.items()) {
    if (fact.is_object() || fact.is_array()) continue;
    if (!text.empty()) text += ", ";
    if (fact.is_number_float()) {
      text += fmt::format("{} {:.4g}", name, fact.get<double>());
    } else {
      text += fmt::format("{} {}", name, fact.is_string() ? fact.get<std::string>() : fact.dump());
    }
  }
  return text;
}

void print_report(const std::string& file, const CompiledGraph& graph, const Context& context,
                  const Evaluation& e, double seconds) {
  fmt::print("{}, frame {}\n", file, context.frame);
  for (const TargetResult& t : e.targets)
    fmt::print("  {}: {}{}\n", target_name(graph, t.target),
               t.value ? t.value.type()->name + ", " : "", summary(t.value));
  std::string counts =
      fmt::format("{} node{} ran, {} from the cache", e.runs, e.runs == 1 ? "" : "s", e.hits);
  if (e.steps > 0) counts += fmt::format(", {} simulation steps", e.steps);
  fmt::print("  {}, {:.1f} ms\n", counts, 1e3 * seconds);
}

// Writes the first output whose type knows the file's ending; .json is the report for any type.
Result<void> write_output(const std::string& file, const Evaluation& e, const Json& report) {
  std::string ending = std::filesystem::path(file).extension().string();
  ending = ending.empty() ? "" : ending.substr(1);
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  std::string known;
  for (const TargetResult& t : e.targets) {
    if (!t.value) continue;
    const TypeInfo& type = *t.value.type();
    const auto& endings = type.file_endings;
    if (type.save && std::find(endings.begin(), endings.end(), ending) != endings.end())
      return type.save(t.value.data(), file);
    for (const std::string& one : endings) known += " ." + one;
  }
  if (ending == "json") return write_file_atomically(file, json_text(report));
  return Error{fmt::format(
      "cannot write '{}': for what is evaluated here the ending may be{} .json", file, known)};
}

}  // namespace

int run_eval(const EvalOptions& options) {
  CompileOptions compile;
  for (const std::string& text : options.set) {
    const auto setting = read_setting(text);
    if (!setting) return print_error("", setting.error()), call_error;
    compile.overrides[setting->first] = setting->second;
  }
  std::vector<NodeMessage> messages;
  const std::optional<GraphDoc> doc = open_document(options.file, messages);
  if (!doc) return call_error;
  const GraphPtr graph = CompiledGraph::compile(*doc, registry(), compile);
  for (const auto& [name, value] : compile.overrides)
    if (const Result<void> ok = check_setting(*graph, name); !ok)
      return print_error(options.file, ok.error()), call_error;

  std::vector<Target> targets;
  for (const std::string& name : options.outputs) {
    const Result<Target> target = graph->find_output(name);
    if (!target) return print_error(options.file, target.error()), call_error;
    targets.push_back(*target);
  }
  if (targets.empty()) {
    targets = graph->default_targets();
    for (const Target& t : graph->effect_targets())
      if (std::find(targets.begin(), targets.end(), t) == targets.end()) targets.push_back(t);
  }
  Context context =
      context_of(*doc, options.file, options.frame.value_or(doc->settings.first_frame));
  context.run_effects = true;

  EvaluatorOptions evaluator_options;
  evaluator_options.threads = options.threads;
  Evaluator evaluator(evaluator_options);
  std::signal(SIGINT, on_interrupt);
  const auto begin = std::chrono::steady_clock::now();
  Evaluation e;
  {
    const ProgressLine progress(evaluator);
    e = evaluator.evaluate(*graph, targets, context, &interrupt);
  }
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (e.cancelled) return print_error(options.file, "interrupted"), interrupted;

  for (NodeMessage& m : graph->general_messages()) messages.push_back(std::move(m));
  for (NodeMessage& m : e.messages(*graph)) messages.push_back(std::move(m));
  const bool empty = targets.empty();
  if (empty)
    messages.push_back(
        {"", "", {Severity::error, "there is nothing to evaluate: no node has an output"}});
  const Json report = report_json(options.file, *graph, context, e, messages, seconds);
  for (const NodeMessage& m : messages)
    if (m.message.severity != Severity::info) print_message(options.file, m);
  if (options.json) {
    fmt::print("{}", json_text(report));
  } else {
    print_report(options.file, *graph, context, e, seconds);
  }
  if (e.failed() || empty) return graph_error;
  if (!options.out_file.empty()) {
    if (const Result<void> ok = write_output(options.out_file, e, report); !ok)
      return print_error("", ok.error()), call_error;
    if (!options.json) fmt::print("  wrote {}\n", options.out_file);
  }
  return done;
}

}  // namespace sinew::cli
