#include "app/cli/search_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <mutex>
#include <thread>

#include "app/cli/open_graph.h"
#include "app/cli/program.h"
#include "app/cli/ranks.h"
#include "app/cli/say.h"
#include "graph/commands.h"
#include "graph/numbers.h"
#include "graph/work_run.h"

namespace sinew::cli {
namespace {

constexpr const char* numbers_type = "search.numbers";

// What a call asks for, ready to run.
struct Job {
  GraphDoc doc;
  GraphPtr graph;
  std::string node, result;  // whose work, and the input that holds what is found
  std::vector<NodeMessage> messages;
  std::string doubtful_file;  // which file an error is about; empty: the call itself
};

NodeDoc* find_node(GraphDoc& doc, const std::string& id) {
  for (NodeDoc& node : doc.graph.nodes)
    if (node.id == id) return &node;
  return nullptr;
}

// "worm.speed=0.1:5" as a line of the node's own list: "worm.speed 0.1 to 5".
Result<std::string> vary_line(const std::string& text) {
  const size_t equals = text.find('='), colon = text.find(':', equals);
  if (equals == std::string::npos) return text;
  if (colon == std::string::npos)
    return Error{fmt::format("--vary {}: it must be NODE.PARAM=LOW:HIGH or NODE.PARAM", text)};
  return fmt::format("{} {} to {}", text.substr(0, equals),
                     text.substr(equals + 1, colon - equals - 1), text.substr(colon + 1));
}

// A node that makes an output of any graph small or large, put into the document.
Result<void> add_search(const SearchOptions& options, const CompiledGraph& graph, Job& job) {
  const bool large = !options.maximise.empty();
  const std::string& name = large ? options.maximise : options.minimise;
  if (large && !options.minimise.empty())
    return Error{"--minimise and --maximise cannot be given together"};
  if (!options.node.empty()) return Error{"--node names a node that is there; leave it out"};
  if (options.vary.empty()) return Error{"--vary must say which parameters may change"};
  const Result<Target> target = find_target(graph, name);
  if (!target) return Error{target.error()};
  const CompiledNode& from = graph.node(target->node);
  if (from.path.find('/') != std::string::npos)
    return Error{fmt::format("'{}' is inside of a group; name an output of the group", name)};
  NodeDoc node;
  node.id = unused_id(job.doc.graph, "search");
  node.type = numbers_type;
  if (const NodeType* type = registry().find(numbers_type)) node.version = type->version;
  node.params["frame"] = job.doc.settings.last_frame;
  if (large) node.params["maximise"] = true;
  job.doc.graph.links.push_back(
      {{from.path, from.type->outputs[target->output].name}, {node.id, "cost"}});
  job.node = node.id;
  job.doc.graph.nodes.push_back(std::move(node));
  return {};
}

Result<void> choose_node(const SearchOptions& options, const CompiledGraph& graph, Job& job) {
  job.node = options.node;
  if (!job.node.empty()) return {};
  const std::vector<std::string> all = nodes_with_work(graph);
  if (all.empty())
    return Error{
        "no node of the document has something to search for; add one (search.numbers), or name a "
        "number with --minimise NODE.SOCKET and what may change with --vary NODE.PARAM=LOW:HIGH"};
  if (all.size() > 1)
    return Error{fmt::format("several nodes have something to search for: name one by --node: {}",
                             fmt::join(all, ", "))};
  job.node = all[0];
  return {};
}

// What is set for this search becomes part of the document: what is found belongs to it.
Result<void> set_values(const SearchOptions& options, const CompiledGraph& graph, Job& job) {
  for (const std::string& text : options.set) {
    const auto setting = read_setting(text);
    if (!setting) return Error{setting.error()};
    if (const Result<void> ok = check_setting(graph, setting->first); !ok) return ok;
    const size_t dot = setting->first.rfind('.');
    NodeDoc* node = find_node(job.doc, setting->first.substr(0, dot));
    if (!node)
      return Error{fmt::format("--set {}: what is inside of a group cannot be set for a search",
                               setting->first)};
    node->params[setting->first.substr(dot + 1)] = setting->second;
  }
  return {};
}

Result<void> set_own(const SearchOptions& options, const NodeType& type, NodeDoc& node) {
  std::vector<std::pair<std::string, Json>> own;
  if (options.trials) own.emplace_back("trials", *options.trials);
  if (options.seed) own.emplace_back("seed", *options.seed);
  if (options.restarts) own.emplace_back("restarts", *options.restarts);
  if (options.frame) own.emplace_back("frame", *options.frame);
  if (!options.method.empty()) own.emplace_back("method", options.method);
  std::string lines;
  for (const std::string& text : options.vary) {
    const Result<std::string> line = vary_line(text);
    if (!line) return Error{line.error()};
    lines += *line + "\n";
  }
  if (!lines.empty()) own.emplace_back("vary", lines.substr(0, lines.size() - 1));
  for (auto& [name, value] : own) {
    if (type.find_input(name) < 0)
      return Error{fmt::format("--{}: node '{}' ({}) has no such input", name, node.id, type.id)};
    node.params[name] = std::move(value);
  }
  return {};
}

Result<void> prepare(const SearchOptions& options, Job& job) {
  OpenedGraph opened;
  const Result<void> open = open_graph(options.file, {}, opened);
  job.doubtful_file = opened.doubtful_file;
  if (!open) return open;
  job.doc = std::move(opened.doc);
  job.messages = std::move(opened.messages);
  const bool added = !options.minimise.empty() || !options.maximise.empty();
  Result<void> ok =
      added ? add_search(options, *opened.graph, job) : choose_node(options, *opened.graph, job);
  if (!ok) return ok;
  const GraphPtr graph = CompiledGraph::compile(job.doc, registry());
  if (ok = set_values(options, *graph, job); !ok) return ok;
  NodeDoc* node = find_node(job.doc, job.node);
  const NodeType* type = node ? registry().find(node->type) : nullptr;
  if (!node) {
    std::vector<std::string> ids;
    for (const NodeDoc& one : job.doc.graph.nodes) ids.push_back(one.id);
    return Error{fmt::format("there is no node '{}'{}", job.node, did_you_mean(job.node, ids))};
  }
  if (!type || !type->work)
    return Error{fmt::format("node '{}' ({}) has nothing to search for", job.node, node->type)};
  if (ok = set_own(options, *type, *node); !ok) return ok;
  if (options.apply && type->id != numbers_type)
    return Error{
        fmt::format("--apply: node '{}' ({}) uses itself what it finds", job.node, type->id)};
  job.result = type->inputs[type->work->result].name;
  if (const auto found = node->params.find(job.result);
      !options.resume && found != node->params.end() && found->second.is_object()) {
    found->second.erase("log");
    found->second.erase("settings");
  }
  job.graph = CompiledGraph::compile(job.doc, registry());
  return {};
}

// One line on a terminal, nothing in a pipe.
class SearchLine {
 public:
  explicit SearchLine(bool shown) : shown_(shown && isatty(STDERR_FILENO)) {}
  ~SearchLine() {
    if (shown_) say_to(stderr, "\r\033[K");
  }
  void show(double part, const std::string& words) const {
    if (!shown_) return;
    say_to(stderr, "\r\033[Ksearching: {:.0f} %, {}", 100 * part, words);
    std::fflush(stderr);
  }

 private:
  bool shown_;
};

struct Outcome {
  std::string error;  // empty: all is well
  std::vector<Message> messages;
  Value found;  // empty: nothing was published
  bool stopped = false;
  double seconds = 0;
};

Outcome search(const SearchOptions& options, const Job& job, Ranks* ranks) {
  Outcome outcome;
  const std::atomic<bool>* stop = stop_on_interrupt(ranks != nullptr);
  const Context context = context_of(job.doc, options.file, job.doc.settings.first_frame);
  const bool speaks = !ranks || ranks->rank() == 0;
  const SearchLine line(speaks);
  LocalSiteOptions site_options;
  site_options.threads = options.threads;
  if (ranks && options.threads == 0)
    site_options.threads =
        std::max(1, static_cast<int>(std::thread::hardware_concurrency()) / ranks->here());
  site_options.stop = stop;
  site_options.progress = [&](double part, const std::string& words) { line.show(part, words); };
  site_options.publish = [&](Value found) { outcome.found = std::move(found); };
  EvaluatorOptions evaluator_options;
  evaluator_options.threads = options.threads;
  Evaluator evaluator(evaluator_options);
  const auto begin = std::chrono::steady_clock::now();
  try {
    std::unique_ptr<LocalSite> site;
    if (ranks) {
      site =
          std::make_unique<RanksSite>(*ranks, job.doc, job.graph, job.node, context, site_options);
    } else {
      site = std::make_unique<LocalSite>(job.doc, job.graph, job.node, context, site_options);
    }
    const auto ran = run_work(evaluator, *job.graph, job.node, context, *site, stop);
    if (ran) {
      outcome.messages = *ran;
    } else {
      outcome.error = ran.error();
    }
    outcome.stopped = site->stopped() || stop->load();
  } catch (const std::exception& e) {
    outcome.error = e.what();
  }
  outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return outcome;
}

void print_table(const SearchOptions& options, const Job& job, const Outcome& outcome) {
  const Json found = outcome.found.to_json();
  say("{}: node '{}', {} trials in {:.1f} s{}\n", options.file, job.node, found.value("trials", 0),
      outcome.seconds, outcome.stopped ? ", stopped" : "");
  say("  at the start {:.6g}\n", found.value("start", 0.0));
  const TypeInfo& type = *outcome.found.type();
  for (const ValueTable& table : type.tables(outcome.found.data())) {
    std::vector<std::vector<std::string>> rows = {table.columns};
    for (size_t r = 0; r < table.rows; ++r) {
      std::vector<std::string>& row = rows.emplace_back();
      for (size_t c = 0; c < table.columns.size(); ++c) row.push_back(table.cell(r, c));
    }
    std::vector<size_t> widths(table.columns.size());
    for (const auto& row : rows)
      for (size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], row[c].size());
    for (size_t r = 0; r < rows.size(); ++r) {
      std::string line = fmt::format("  {:>3}", r == 0 ? "" : std::to_string(r - 1));
      for (size_t c = 0; c < rows[r].size(); ++c)
        line += fmt::format("  {:>{}}", rows[r][c], widths[c]);
      say("{}\n", line);
    }
  }
}

void print_json(const SearchOptions& options, const Job& job, const Outcome& outcome,
                const std::vector<NodeMessage>& messages) {
  Json report = {{"file", options.file},        {"node", job.node},
                 {"ok", outcome.error.empty()}, {"stopped", outcome.stopped},
                 {"seconds", outcome.seconds},  {"found", outcome.found.to_json()},
                 {"messages", Json::array()}};
  for (const NodeMessage& m : messages) report["messages"].push_back(message_json(m));
  say_lines(json_text(report));
}

// The document with what was found, and, if asked for, with the parameters set to it.
Result<void> write_found(const SearchOptions& options, Job& job, const Outcome& outcome) {
  const Json found = outcome.found.to_json();
  History history(job.doc);
  Command keep;
  keep.edits.emplace_back(edit::SetParam{"", job.node, job.result, found});
  if (const Result<void> ok = history.apply(std::move(keep)); !ok) return ok;
  if (options.apply) {
    const GraphPtr graph = CompiledGraph::compile(job.doc, registry());
    const auto& params = find_node(job.doc, job.node)->params;
    const auto pick = params.find("pick");
    const bool picked = pick != params.end() && pick->second.is_number_unsigned();
    Result<Command> use = apply_found(*graph, found, picked ? pick->second.get<size_t>() : 0);
    if (!use) return Error{"--apply: " + use.error()};
    if (const Result<void> ok = history.apply(std::move(*use)); !ok) return ok;
  }
  if (options.out_file.empty()) return {};
  if (const Result<void> ok = save_document(job.doc, options.out_file); !ok)
    return Error{fmt::format("cannot write '{}': {}", options.out_file, ok.error())};
  return {};
}

int refuse(const SearchOptions& options, const std::string& file, const std::string& text,
           int code) {
  print_error(file, text);
  if (options.json) {
    const NodeMessage message{"", "", {Severity::error, text}};
    say_lines(json_text({{"file", options.file},
                         {"ok", false},
                         {"messages", Json::array({message_json(message)})}}));
  }
  return code;
}

int report(const SearchOptions& options, Job& job, const Outcome& outcome) {
  std::vector<NodeMessage> messages = job.messages;
  const NodeDoc& node = *find_node(job.doc, job.node);
  for (const Message& m : outcome.messages) messages.push_back({job.node, node.type, m});
  for (const NodeMessage& m : messages)
    if (m.message.severity != Severity::info) print_message(options.file, m);
  if (!outcome.found) {
    if (outcome.stopped) return print_error(options.file, "interrupted"), interrupted;
    return refuse(options, options.file, "nothing was found", graph_error);
  }
  const Result<void> written = write_found(options, job, outcome);
  if (options.json) {
    print_json(options, job, outcome, messages);
  } else {
    print_table(options, job, outcome);
    if (written && !options.out_file.empty()) say("  wrote {}\n", options.out_file);
  }
  if (!written) return print_error("", written.error()), call_error;
  return outcome.stopped ? interrupted : done;
}

}  // namespace

int run_search(const SearchOptions& options) {
  const Result<std::unique_ptr<Ranks>> ranks = Ranks::open();
  if (!ranks) return print_error("", ranks.error()), call_error;
  const bool speaks = !*ranks || (*ranks)->rank() == 0;
  Job job;
  if (const Result<void> ok = prepare(options, job); !ok)
    return speaks ? refuse(options, job.doubtful_file, ok.error(), call_error) : call_error;
  if (options.apply && options.out_file.empty() && !options.json)
    return speaks ? refuse(options, "", "--apply needs -o OUT.json: where to write the document",
                           call_error)
                  : call_error;
  const Outcome outcome = search(options, job, ranks->get());
  if (!outcome.error.empty()) {
    // Of several processes each may know what the others do not.
    if (speaks) return refuse(options, options.file, outcome.error, graph_error);
    return graph_error;
  }
  return speaks ? report(options, job, outcome) : outcome.stopped ? interrupted : done;
}

}  // namespace sinew::cli
