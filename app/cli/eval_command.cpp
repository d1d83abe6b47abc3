#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <thread>

#include "app/cli/interrupt.h"
#include "app/cli/open_graph.h"
#include "app/cli/program.h"
#include "app/cli/say.h"
#include "app/cli/upstream.h"
#include "graph/atomic_file.h"
#include "graph/evaluator.h"
#include "graph/loss_list.h"
#include "nodes/lost.h"

namespace sinew::cli {
namespace {

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
    if (shown_) say_to(stderr, "\r\033[K");
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
      if (const auto node = evaluator_.node_progress()) {
        say_to(stderr, "\r\033[K{}: {}, {:.0f} s", node->path, node->words, seconds);
      } else if (last > 0) {
        say_to(stderr, "\r\033[Kevaluating: frame {} of {}, {:.0f} s", frame, last, seconds);
      } else {
        say_to(stderr, "\r\033[Kevaluating: {:.0f} s", seconds);
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

// What a call that is wrong gets: a line for people and, where asked for, a report for machines.
int refuse(const EvalOptions& options, const std::string& file, const std::string& text) {
  print_error(file, text);
  if (options.json) {
    const NodeMessage message{"", "", {Severity::error, text}};
    say_lines(json_text({{"file", options.file},
                         {"ok", false},
                         {"messages", Json::array({message_json(message)})}}));
  }
  return call_error;
}

std::string number_text(const Json& number) {
  return number.is_number_float() ? fmt::format("{:.4g}", number.get<double>()) : number.dump();
}

// "1.2 x 0.8 x 1.2 m" of {"min": [...], "max": [...]}; empty if it is something else.
std::string size_text(const Json& bounds) {
  if (!bounds.is_object() || !bounds.contains("min") || !bounds.contains("max")) return "";
  const Json &low = bounds["min"], &high = bounds["max"];
  if (!low.is_array() || !high.is_array() || low.size() != high.size() || low.empty()) return "";
  std::string text;
  for (size_t i = 0; i < low.size(); ++i)
    text += fmt::format("{}{:.4g}", i ? " x " : "", high[i].get<double>() - low[i].get<double>());
  return text + " m";
}

// The facts of a value in one line, for people: how many, how large, of what kind, then measures.
std::string summary(const Value& value) {
  if (!value) return "nothing";
  const Json facts = value.type()->describe ? value.type()->describe(value.data()) : Json();
  if (facts.contains("value"))
    return facts["value"].dump(-1, ' ', false, Json::error_handler_t::replace);
  std::vector<std::string> counts, kinds, measures;
  for (const auto& [name, fact] : facts.items()) {
    if (fact.is_number_integer()) {
      // Against the alphabet, so that vertices stand before triangles.
      counts.insert(counts.begin(), fmt::format("{} {}", fact.dump(), name));
    } else if (fact.is_boolean()) {
      kinds.push_back((fact.get<bool>() ? "" : "not ") + name);
    } else if (fact.is_string()) {
      kinds.push_back(fmt::format("{} {}", name, fact.get<std::string>()));
    } else if (fact.is_number()) {
      measures.push_back(fmt::format("{} {}", name, number_text(fact)));
    }
  }
  if (const std::string size = facts.contains("bounds") ? size_text(facts["bounds"]) : "";
      !size.empty())
    counts.push_back(size);
  std::string text;
  for (const auto* part : {&counts, &kinds, &measures})
    for (const std::string& one : *part) text += (text.empty() ? "" : ", ") + one;
  return text;
}

void print_report(const std::string& file, const CompiledGraph& graph, const Context& context,
                  const Evaluation& e, double seconds) {
  say("{}, frame {}\n", file, context.frame);
  for (const TargetResult& t : e.targets)
    say("  {}: {}{}\n", target_name(graph, t.target), t.value ? t.value.type()->name + ", " : "",
        summary(t.value));
  std::string counts =
      fmt::format("{} node{} ran, {} from the cache", e.runs, e.runs == 1 ? "" : "s", e.hits);
  if (e.steps > 0) counts += fmt::format(", {} simulation steps", e.steps);
  say("  {}, {:.1f} ms\n", counts, 1e3 * seconds);
}

// An ending as types know theirs: without the dot.
std::string ending_of_out(const std::string& file) {
  const std::string ending = lower_ending(file);
  return ending.empty() ? ending : ending.substr(1);
}

// The first output whose type knows the file's ending, if any does.
const TargetResult* output_for(const std::string& file, const Evaluation& e) {
  for (const TargetResult& t : e.targets) {
    if (!t.value || !t.value.type()->save) continue;
    const auto& endings = t.value.type()->file_endings;
    if (std::find(endings.begin(), endings.end(), ending_of_out(file)) != endings.end()) return &t;
  }
  return nullptr;
}

// Writes that output; .json is the report for any type.
Result<void> write_output(const std::string& file, const Evaluation& e, const Json& report) {
  if (const TargetResult* out = output_for(file, e))
    return out->value.type()->save(out->value.data(), file);
  if (ending_of_out(file) == "json") {
    const Result<void> ok = write_file_atomically(file, json_text(report));
    if (!ok) return Error{fmt::format("cannot write '{}': {}", file, ok.error())};
    return {};
  }
  std::string known;
  for (const TargetResult& t : e.targets)
    if (t.value)
      for (const std::string& one : t.value.type()->file_endings) known += " ." + one;
  return Error{fmt::format(
      "cannot write '{}': for what is evaluated here the ending may be{} .json", file, known)};
}

// One line about what does not get into the files that are written: the one that the call names,
// and those of nodes that write. Empty: nothing is lost.
std::string losses_of(const std::string& file, const CompiledGraph& graph, const Evaluation& e) {
  LossList losses;
  std::vector<Target> written;
  if (const TargetResult* out = file.empty() ? nullptr : output_for(file, e)) {
    written.push_back(out->target);
    for (const std::string& what : lost_in_file(out->value, ending_of_out(file)))
      losses.lose(what, target_name(graph, out->target));
  }
  for (const NodeReport& r : e.nodes)
    if (r.fate == NodeReport::Fate::ran && graph.node(r.node).type->has_effect)
      written.push_back({r.node, 0});
  for (const std::string& note : notes_of_readers(graph, written, e)) losses.note(note);
  return losses.text();
}

// Says what came of an evaluation, and writes what is asked for.
int tell(const EvalOptions& options, OpenedGraph& opened, const Context& context,
         const Evaluation& e, double seconds) {
  const GraphPtr& graph = opened.graph;
  std::vector<NodeMessage>& messages = opened.messages;
  // Where nothing can be evaluated, no evaluation says why: the checks of all nodes do.
  const bool empty = e.targets.empty();
  for (NodeMessage& m : empty ? graph->messages() : graph->general_messages())
    messages.push_back(std::move(m));
  for (NodeMessage& m : e.messages(*graph)) messages.push_back(std::move(m));
  suggest_types(messages);
  if (empty)
    messages.push_back(
        {"", "", {Severity::error, "there is nothing to evaluate: no node has an output"}});
  if (!empty && !e.failed())
    if (const std::string text = losses_of(options.out_file, *graph, e); !text.empty())
      messages.push_back({"", "", {Severity::warning, text}});
  Json report = report_json(options.file, *graph, context, e, messages, seconds);
  if (empty) report["ok"] = false;
  for (const NodeMessage& m : messages)
    if (m.message.severity != Severity::info) print_message(options.file, m);
  if (options.json) {
    say_lines(json_text(report));
  } else {
    print_report(options.file, *graph, context, e, seconds);
  }
  if (e.failed() || empty) return graph_error;
  if (!options.out_file.empty()) {
    if (const Result<void> ok = write_output(options.out_file, e, report); !ok)
      return print_error("", ok.error()), call_error;
    if (!options.json) say("  wrote {}\n", options.out_file);
  }
  return done;
}

}  // namespace

int run_eval(const EvalOptions& options) {
  OpenedGraph opened;
  if (const Result<void> ok = open_graph(options.file, options.set, opened); !ok)
    return refuse(options, opened.doubtful_file, ok.error());
  const GraphDoc* const doc = &opened.doc;
  const GraphPtr& graph = opened.graph;
  if (!options.out_file.empty())
    if (const std::string flaw = flaw_of_output(*doc, options.file, options.out_file);
        !flaw.empty())
      return refuse(options, "", flaw);

  const Result<std::vector<Target>> named = find_targets(*graph, options.outputs);
  if (!named) return refuse(options, options.file, named.error());
  std::vector<Target> targets = *named;
  if (targets.empty()) {
    targets = graph->default_targets();
    for (const Target& t : graph->effect_targets())
      if (std::find(targets.begin(), targets.end(), t) == targets.end()) targets.push_back(t);
  }
  // Before the first frame there is nothing; what is shown there is the first.
  const int first = doc->settings.first_frame;
  Context context = context_of(*doc, options.file, std::max(options.frame.value_or(first), first));
  context.run_effects = true;

  EvaluatorOptions evaluator_options;
  evaluator_options.threads = options.threads;
  Evaluator evaluator(evaluator_options);
  const std::atomic<bool>* interrupt = stop_on_interrupt();
  const auto begin = std::chrono::steady_clock::now();
  Evaluation e;
  {
    const ProgressLine progress(evaluator);
    e = evaluator.evaluate(*graph, targets, context, interrupt);
  }
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (e.cancelled) return print_error(options.file, "interrupted"), interrupted;

  const std::optional<int> code =
      unless_interrupted(interrupt, [&] { return tell(options, opened, context, e, seconds); });
  return code ? *code : (print_error(options.file, "interrupted"), interrupted);
}

}  // namespace sinew::cli
