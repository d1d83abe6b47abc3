#include "app/editor/works.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <set>
#include <thread>

#include "app/editor/titles.h"
#include "graph/literal_forms.h"
#include "graph/local_site.h"
#include "graph/work_run.h"

namespace sinew::editor {
namespace {

constexpr int niceness = 10;         // below what a person waits for
constexpr double seldom = 5;         // seconds between literals that change little
constexpr double wake_pause = 0.08;  // seconds between two frames that only show progress
constexpr const char* pick = "pick";

double seconds_now() {
  using namespace std::chrono;
  return duration<double>(steady_clock::now().time_since_epoch()).count();
}

int cores_for_work(int wanted) {
  if (wanted > 0) return wanted;
  return std::max(static_cast<int>(std::thread::hardware_concurrency()) - 1, 1);
}

// What the work of a node depends on: all that lies upstream of it, without what it has found
// itself. Groups count as a whole.
Key foundation_of(const GraphDoc& doc, const std::string& id, const std::string& result) {
  std::set<std::string> upstream{id};
  KeyHasher hasher(0x3A);
  for (std::vector<std::string> next{id}; !next.empty();) {
    const std::string at = std::move(next.back());
    next.pop_back();
    for (const LinkDoc& link : doc.graph.links) {
      if (link.to.node != at) continue;
      hasher.text(link.from.node).text(link.from.socket).text(link.to.node).text(link.to.socket);
      if (upstream.insert(link.from.node).second) next.push_back(link.from.node);
    }
  }
  for (const NodeDoc& node : doc.graph.nodes) {
    if (!upstream.contains(node.id)) continue;
    hasher.text(node.id).text(node.type).text(node.group).word(node.muted);
    for (const auto& [name, value] : node.params)
      if (node.id != id || (name != result && name != pick)) hasher.text(name).text(value.dump());
    if (const auto group = doc.groups.find(node.group); group != doc.groups.end())
      for (const NodeDoc& inner : group->second.graph.nodes)
        hasher.text(inner.id).text(inner.type).text(Json(inner.params).dump());
  }
  hasher.number(doc.settings.fps).word(static_cast<uint64_t>(doc.settings.seed));
  return hasher.word(static_cast<uint64_t>(doc.settings.first_frame)).finish();
}

// Messages name the node by its place; here they stand at the node.
std::string without_place(const std::string& text, const std::string& node) {
  const std::string start = fmt::format("node '{}' (", node);
  const std::size_t end = text.find("): ");
  return text.starts_with(start) && end != std::string::npos ? text.substr(end + 3) : text;
}

}  // namespace

struct Works::Run {
  // As it was when it began.
  std::string node, input, label, title, merge_key;
  const NodeType* type = nullptr;
  GraphDoc doc;
  GraphPtr graph;
  Context context;
  Key foundation;
  uint64_t document = 0;
  // The interface's.
  uint64_t seen_revision = 0;
  bool has_step = false, has_told = false;
  Value written;
  double written_at = 0;

  std::atomic<bool> stop{false};
  mutable std::mutex mutex;
  std::condition_variable changed;
  double part = 0;
  std::string words;
  std::optional<Value> published;
  bool done = false;
  std::string error;
  std::vector<Message> messages;
  std::thread thread;

  ~Run() {
    stop = true;
    if (thread.joinable()) thread.join();
  }
  void work(int threads, const std::function<void()>& wake);
};

void Works::Run::work(int threads, const std::function<void()>& wake) {
  // Threads that this one begins are as modest.
  (void)::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), niceness);
  double woken = 0;
  LocalSiteOptions options;
  options.threads = threads;
  options.stop = &stop;
  options.progress = [&](double so_far, const std::string& line) {
    {
      const std::lock_guard lock(mutex);
      part = so_far;
      words = line;
    }
    if (!wake || seconds_now() - woken < wake_pause) return;
    woken = seconds_now();
    wake();
  };
  options.publish = [&](Value result) {
    {
      const std::lock_guard lock(mutex);
      published = std::move(result);
    }
    if (wake) wake();
  };
  Result<std::vector<Message>> outcome = std::vector<Message>();
  try {
    EvaluatorOptions modest;
    modest.threads = threads;
    Evaluator evaluator(modest);
    LocalSite site(doc, graph, node, context, std::move(options));
    outcome = run_work(evaluator, *graph, node, context, site, &stop);
  } catch (const std::exception& e) {
    outcome = Error{e.what()};
  }
  {
    const std::lock_guard lock(mutex);
    if (outcome)
      messages = std::move(*outcome);
    else
      error = outcome.error();
    done = true;
    changed.notify_all();
  }
  if (wake) wake();
}

Works::Works(Session& session, Player& player, std::function<void()> wake, int threads)
    : session_(session),
      player_(player),
      wake_(std::move(wake)),
      threads_(cores_for_work(threads)) {}

Works::~Works() = default;

bool Works::runs_at(const std::string& node) const {
  return run_ && run_->node == node && session_.place().empty();
}

Works::State Works::state() const {
  if (!run_) return {};
  const std::lock_guard lock(run_->mutex);
  return {run_->node, run_->label, run_->title, run_->part, run_->words, run_->stop};
}

std::string Works::why_not(const NodeDoc& node) const {
  const NodeType* type = session_.type_of(node);
  if (!type || !type->work) return "It has no such work";
  if (!session_.place().empty())
    return "Inside of a group nothing that it finds could be kept: do it in the document that the "
           "group comes from";
  const InputInfo& result = type->inputs[static_cast<std::size_t>(type->work->result)];
  if (session_.link_into(node.id, result.name))
    return fmt::format("'{}' is linked, so that nothing found could be written there",
                       result.label);
  if (run_) return fmt::format("'{}' is at work; one at a time", run_->title);
  return {};
}

Result<void> Works::start(const std::string& id, bool anew) {
  const NodeDoc* node = session_.body().find(id);
  if (!node) return Error{fmt::format("there is no node '{}'", id)};
  if (const std::string wrong = why_not(*node); !wrong.empty()) return Error{wrong};
  auto run = std::make_unique<Run>();
  run->node = id;
  run->type = session_.type_of(*node);
  run->input = run->type->inputs[static_cast<std::size_t>(run->type->work->result)].name;
  run->label = run->type->work->label;
  run->title = title_of(session_, *node);
  run->merge_key = fmt::format("work {}", ++runs_);
  run->doc = session_.kept();
  for (NodeDoc& other : run->doc.graph.nodes)
    if (anew && other.id == id) other.params.erase(run->input);
  run->graph = CompiledGraph::compile(run->doc, session_.registry());
  run->context = player_.context_at(session_.doc().settings.first_frame);
  run->foundation = foundation_of(session_.doc(), id, run->input);
  run->document = session_.document_count();
  run->seen_revision = session_.graph_revision();
  player_.say_of(id, {});
  run->thread = std::thread([one = run.get(), this] { one->work(threads_, wake_); });
  run_ = std::move(run);
  return {};
}

void Works::stop() {
  if (run_) run_->stop = true;
}

// What it still finds is for nobody.
void Works::drop(const std::string& why) {
  run_->stop = true;
  if (!why.empty()) tell(false, fmt::format("{}: {}", run_->title, why));
  leaving_.push_back(std::move(run_));
}

// The document may have changed under it.
void Works::look_after(Run& run) {
  if (run.document != session_.document_count()) return drop("");
  if (run.seen_revision == session_.graph_revision()) return;
  run.seen_revision = session_.graph_revision();
  const NodeDoc* node = session_.doc().graph.find(run.node);
  if (!node || session_.type_of(*node) != run.type) return drop("stopped, since the node is gone");
  if (run.has_step && !session_.history().is_done(run.merge_key))
    return drop("stopped, since what it had found was undone");
  if (run.has_told || foundation_of(session_.doc(), run.node, run.input) == run.foundation) return;
  run.has_told = true;
  tell(false, fmt::format("{}: it goes on with what it began with; to use the change, stop it and "
                          "start anew",
                          run.title));
}

// A literal that changes sends simulations behind the node back to their beginning. So it is
// written when there is a better one, and for the rest only now and then.
bool Works::matters(const Run& run, const Value& found, double now) const {
  const auto& read = literal_forms(*found.type()).candidates;
  if (!read || !run.written) return true;
  const Candidates next = read(found.data()), before = read(run.written.data());
  if (next.empty()) return false;
  if (before.empty() || next.list.front().values != before.list.front().values) return true;
  const bool late = now - run.written_at > seldom || now < run.written_at;
  const auto same = [](const Candidates::One& a, const Candidates::One& b) {
    return a.values == b.values;
  };
  return late && !std::equal(next.list.begin(), next.list.end(), before.list.begin(),
                             before.list.end(), same);
}

bool Works::write(Run& run, const Value& found) {
  edit::SetParam set{"", run.node, run.input, found.to_json()};
  const Result<void> ok =
      run.has_step
          ? session_.amend(run.merge_key, std::move(set))
          : session_.apply(
                {fmt::format("{}: {}", run.label, run.title), {std::move(set)}, run.merge_key});
  run.has_step = run.has_step || ok;
  run.seen_revision = session_.graph_revision();
  run.written = found;
  if (ok) return true;
  (void)session_.take_refusal();
  drop(fmt::format("stopped, since {}", ok.error()));
  return false;
}

void Works::take_found(Run& run, double now, bool free, bool ended) {
  Value found;
  {
    const std::lock_guard lock(run.mutex);
    if (!run.published) return;
    if (!run.has_step && !free && !ended) return;
    found = *run.published;
    if (!ended && !matters(run, found, now)) return;
    run.published.reset();
  }
  run.written_at = now;
  (void)write(run, found);
}

void Works::end(Run& run) {
  std::vector<Message> said = run.messages;
  if (!run.error.empty()) said.push_back({Severity::error, without_place(run.error, run.node)});
  player_.say_of(run.node, said);
  const std::string so_far = run.words.empty() ? "" : fmt::format(" ({})", run.words);
  if (!run.error.empty())
    tell(false, fmt::format("{}: {}", run.title, said.back().text));
  else if (run.stop)
    tell(true, fmt::format("{}: stopped{}", run.title, so_far));
  else
    tell(true, fmt::format("{}: done{}", run.title, so_far));
  run_.reset();
}

void Works::update(double now, bool free) {
  std::erase_if(leaving_, [](const std::unique_ptr<Run>& run) {
    const std::lock_guard lock(run->mutex);
    return run->done;
  });
  if (run_) look_after(*run_);
  if (!run_) return;
  bool ended = false;
  {
    const std::lock_guard lock(run_->mutex);
    ended = run_->done;
  }
  take_found(*run_, now, free, ended);
  if (run_ && ended) end(*run_);
}

void Works::finish() {
  if (!run_) return;
  {
    std::unique_lock lock(run_->mutex);
    run_->changed.wait(lock, [&] { return run_->done; });
  }
  update(run_->written_at, true);
}

}  // namespace sinew::editor
