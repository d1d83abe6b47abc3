#include "graph/evaluator.h"

#include <tbb/task_arena.h>

#include <algorithm>

#include "graph/frame_run.h"

namespace sinew {

struct Evaluator::Arena {
  explicit Arena(int threads) : arena(threads > 0 ? threads : tbb::task_arena::automatic) {}
  tbb::task_arena arena;
  std::mutex mutex;
  std::optional<NodeProgress> progress;  // guarded by it
};

Evaluator::Evaluator(EvaluatorOptions options)
    : options_(options),
      cache_(options.cache_bytes),
      states_(options.state_bytes, options.checkpoint_interval),
      arena_(std::make_unique<Arena>(options.threads)) {}

Evaluator::~Evaluator() = default;

bool Evaluation::failed() const {
  for (const NodeReport& r : nodes)
    if (r.fate == NodeReport::Fate::failed || r.fate == NodeReport::Fate::blocked) return true;
  return false;
}

std::vector<NodeMessage> Evaluation::messages(const CompiledGraph& graph) const {
  std::vector<NodeMessage> list;
  for (const NodeReport& r : nodes)
    for (const Message& m : r.messages)
      list.push_back({graph.node(r.node).path, graph.node(r.node).type->id, m});
  return list;
}

Key Evaluator::file_key(Session& session, const std::string& name) {
  {
    const std::lock_guard lock(session.shared->mutex);
    const auto it = session.shared->files.find(name);
    if (it != session.shared->files.end()) return it->second;
  }
  const Key key = files_.of(session.context.folder / name);
  const std::lock_guard lock(session.shared->mutex);
  return session.shared->files.emplace(name, key).first->second;
}

ResultPtr Evaluator::in_full(Session& session, const Key& key) {
  const std::lock_guard lock(session.shared->mutex);
  const auto [it, fresh] = session.shared->in_full.try_emplace(key);
  if (fresh) it->second = cache_.get(key);
  return it->second;
}

// Chains hold as long as nothing upstream of them changed: not the graph, which its revisions tell,
// nor the settings and the files, which are summed up in one key.
void Evaluator::prepare_chains(Session& session) {
  const CompiledGraph& graph = session.graph;
  const Context& context = session.context;
  KeyHasher h(0x88);
  h.number(context.fps).word(context.seed).number(context.start_frame);
  if (graph.spans_time()) h.number(context.last_frame);
  if (graph.has_drafts()) h.word(context.draft);
  // Which results a draft takes as they are is decided anew by each evaluation.
  bool unsure = graph.has_drafts() && context.draft;
  for (int i = 0; i < graph.size(); ++i) {
    const CompiledNode& node = graph.node(i);
    for (size_t k = 0; k < node.inputs.size(); ++k) {
      if (node.type->inputs[k].file != FileUse::read) continue;
      unsure |= !node.inputs[k].links.empty();
      const Value& name = node.inputs[k].literal;
      if (name && name.is<std::string>()) h.key(file_key(session, name.as<std::string>()));
    }
  }
  const Key now = h.finish();
  if (unsure || now != chains_context_) {
    chains_.clear();
    whole_.clear();
  }
  chains_context_ = now;
  chains_.resize(graph.size());
  whole_.resize(graph.size());
  for (int i = 0; i < graph.size(); ++i) {
    if (chains_[i].revision != graph.revision(i)) chains_[i] = Chain{graph.revision(i), {}};
    if (whole_[i].revision != graph.revision(i)) whole_[i] = WholeTime{graph.revision(i)};
  }
}

// Brings the chained keys of all simulations up to the frame before this one. Only keys: nothing
// runs, so that the cost is that of hashing.
void Evaluator::extend_chains(Session& session, const std::vector<char>& upstream) {
  const Context& context = session.context;
  std::vector<Target> simulations;
  const int64_t age = int64_t{context.frame} - context.start_frame;
  if (age > max_simulated_frames) return;  // the simulations will say so
  size_t shortest = static_cast<size_t>(std::max<int64_t>(0, age));
  for (int i = 0; i < session.graph.size(); ++i) {
    const CompiledNode& node = session.graph.node(i);
    if (!upstream[i] || node.type->role != NodeRole::simulate || !node.forward.empty()) continue;
    simulations.push_back({i, 0});
    shortest = std::min(shortest, chains_[i].keys.size());
  }
  if (simulations.empty()) return;
  const int begin = context.start_frame + static_cast<int>(shortest);
  if (begin >= context.frame) return;
  FrameRun run(*this, session, begin, FrameRun::upstream_of(session.graph, simulations));
  for (int frame = begin + 1; frame < context.frame; ++frame) {
    if (session.cancel && session.cancel->load(std::memory_order_relaxed)) return;
    run.move_to(frame);
  }
}

int Evaluator::frames_with_state(int simulation, int frame, int start) const {
  const std::vector<Key>& keys = chains_[simulation].keys;
  int count = std::min(frame - start + 1, static_cast<int>(keys.size()));
  while (count > 0 && !states_.contains(keys[count - 1])) --count;
  return count;
}

// Runs the frames before `frame` that these simulations lack, side by side, so that one that feeds
// another is stepped once and not once for itself and once for the other. Where one stops, it stays
// stopped: later frames are not tried.
std::vector<Evaluator::Outcome> Evaluator::catch_up(Session& session,
                                                    std::span<const int> simulations, int frame) {
  const int start = session.context.start_frame;
  std::vector<Outcome> outcomes(simulations.size());
  std::vector<int> known(simulations.size());
  int begin = frame;
  std::vector<Target> targets;
  for (size_t s = 0; s < simulations.size(); ++s) {
    // From the last known state on, which is looked up here so that nobody can take it away.
    known[s] = start + std::max(0, frames_with_state(simulations[s], frame - 1, start) - 1);
    begin = std::min(begin, known[s]);
    targets.push_back({simulations[s], 0});
  }
  if (begin >= frame) return outcomes;
  FrameRun run(*this, session, begin, FrameRun::upstream_of(session.graph, targets));
  progress_last_ = frame;
  for (int f = begin;; run.move_to(f)) {
    progress_frame_ = f;
    std::vector<int> behind;
    for (size_t s = 0; s < simulations.size(); ++s)
      if (f >= known[s] && !outcomes[s].failure) behind.push_back(simulations[s]);
    if (behind.empty() && f + 1 >= frame) break;
    run.demand_states(behind);
    run.run();
    if (session.cancel && session.cancel->load()) return std::vector<Outcome>(simulations.size());
    for (size_t s = 0; s < simulations.size(); ++s)
      if (f >= known[s] && !outcomes[s].failure) outcomes[s] = run.outcome(simulations[s]);
    if (++f >= frame) break;
  }
  return outcomes;
}

std::optional<Evaluator::NodeProgress> Evaluator::node_progress() const {
  const std::lock_guard lock(arena_->mutex);
  return arena_->progress;
}

void Evaluator::note_progress(const std::string& path, std::optional<NodeProgress> progress) {
  const std::lock_guard lock(arena_->mutex);
  if (!progress && (!arena_->progress || arena_->progress->path != path)) return;
  arena_->progress = std::move(progress);
}

void Evaluator::plan(Session& session, FrameRun& run, std::span<const Target> targets) {
  run.demand(targets);
  // First, since simulations that are run to the end pass this frame, too.
  if (run.fetch_whole_time()) run.plan_again(targets);
  if (session.live || run.frame() <= session.context.start_frame) return;
  std::vector<int> behind = run.missing_states();
  std::erase_if(behind, [&](int simulation) { return run.carry_known(simulation); });
  if (behind.empty()) return;
  std::vector<Outcome> before = catch_up(session, behind, run.frame());
  for (size_t s = 0; s < behind.size(); ++s)
    if (before[s].state || before[s].failure) run.carry(behind[s], std::move(before[s]));
}

void Evaluator::run(Session& session, std::span<const Target> targets, int node,
                    NodeInputs* inputs) {
  Evaluation& evaluation = *session.evaluation;
  size_t simulations = 0;
  for (int i = 0; i < session.graph.size(); ++i)
    simulations += session.graph.node(i).type->role == NodeRole::simulate;
  states_.keep_passing(8 * simulations);
  prepare_whole_time(session, targets, node);
  const std::vector<char> upstream = FrameRun::upstream_of(session.graph, targets);
  if (!session.live) extend_chains(session, upstream);
  FrameRun frame(*this, session, session.context.frame, upstream);
  plan(session, frame, targets);
  if (inputs) frame.fetch_whole_time(node);
  progress_frame_ = progress_last_ = 0;
  frame.run();
  progress_frame_ = progress_last_ = 0;
  if (inputs)
    inputs->complete =
        !session.stopped() && frame.gather(node, inputs->values, inputs->keys, inputs->warnings);
  frame.report(evaluation);
  for (const Target& t : targets)
    evaluation.targets.push_back({t, frame.key(t), frame.value(t), frame.result_key(t)});
  if (session.live) frame.step_unseen();
  evaluation.cancelled = session.stopped();
}

std::vector<std::vector<Key>> Evaluator::result_keys(const CompiledGraph& graph,
                                                     std::span<const Target> targets,
                                                     const Context& context, int first, int last,
                                                     const std::atomic<bool>* cancel) {
  const std::lock_guard lock(busy_);
  Evaluation evaluation;
  Context at = context;
  at.frame = std::max(first, context.start_frame);
  at.run_effects = false;
  Session session{graph, at, cancel, &evaluation, nullptr, nullptr, false};
  prepare_chains(session);
  std::vector<std::vector<Key>> keys;
  const auto stopped = [&] { return cancel && cancel->load(std::memory_order_relaxed); };
  arena_->arena.execute([&] {
    prepare_whole_time(session, targets);
    const std::vector<char> upstream = FrameRun::upstream_of(graph, targets);
    extend_chains(session, upstream);
    FrameRun run(*this, session, at.frame, upstream);
    for (int frame = first; frame <= last && !stopped(); ++frame) {
      if (frame > at.frame) run.move_to(frame);
      std::vector<Key>& here = keys.emplace_back();
      for (const Target& t : targets) here.push_back(run.result_key(t));
    }
  });
  if (stopped()) keys.clear();
  return keys;
}

void Evaluator::set_bake(std::shared_ptr<BakeStore> bake) {
  const std::lock_guard lock(bake_mutex_);
  bake_ = std::move(bake);
}

ResultPtr Evaluator::baked(const Key& key, const CompiledNode& node) {
  std::shared_ptr<BakeStore> bake;
  {
    const std::lock_guard lock(bake_mutex_);
    bake = bake_;
  }
  ResultPtr result = bake ? bake->load(key, node.output_types) : nullptr;
  if (result) cache_.put(key, result);
  return result;
}

Evaluation Evaluator::evaluate(const CompiledGraph& graph, std::span<const Target> targets,
                               const Context& context, const std::atomic<bool>* cancel) {
  const std::lock_guard lock(busy_);
  Evaluation evaluation;
  // The timeline begins at the first frame: what is before it shows that frame.
  Context at = context;
  at.frame = std::max(at.frame, at.start_frame);
  Session session{graph, at, cancel, &evaluation, nullptr, nullptr, false};
  prepare_chains(session);
  arena_->arena.execute([&] { run(session, targets); });
  return evaluation;
}

NodeInputs Evaluator::node_inputs(const CompiledGraph& graph, int node, const Context& context,
                                  const std::atomic<bool>* cancel) {
  const std::lock_guard lock(busy_);
  NodeInputs inputs;
  std::vector<Target> targets;
  const std::vector<InputSource>& sources = graph.node(node).inputs;
  for (size_t k = 0; k < sources.size(); ++k) {
    for (const LinkSource& link : sources[k].links) {
      if (link.output < 0) return inputs;  // from a node that this build does not know
      if (!graph.spans_time(node, k, link)) targets.push_back({link.node, link.output});
    }
  }
  Context at = context;
  at.frame = std::max(at.frame, at.start_frame);
  at.run_effects = false;
  Session session{graph, at, cancel, &inputs.evaluation, nullptr, nullptr, false};
  prepare_chains(session);
  arena_->arena.execute([&] { run(session, targets, node, &inputs); });
  return inputs;
}

Evaluation Evaluator::evaluate_live(const CompiledGraph& graph, std::span<const Target> targets,
                                    const Context& context, LiveState& live, bool advance,
                                    const std::atomic<bool>* cancel) {
  const std::lock_guard lock(busy_);
  Evaluation evaluation;
  LiveState next = live;
  next.frame = context.frame;
  next.started = true;
  Session session{graph, context, cancel, &evaluation, &live, &next, advance};
  if (graph.spans_time()) prepare_chains(session);
  arena_->arena.execute([&] { run(session, targets); });
  if (!evaluation.cancelled) live = std::move(next);
  return evaluation;
}

LiveState Evaluator::live_from_timeline(const CompiledGraph& graph, const Context& context) {
  const std::lock_guard lock(busy_);
  LiveState live;
  live.frame = std::max(context.frame, context.start_frame);
  live.started = true;
  Evaluation evaluation;
  Context at = context;
  at.frame = live.frame;
  Session session{graph, at, nullptr, &evaluation, nullptr, nullptr, false};
  prepare_chains(session);
  std::vector<int> simulations;
  std::vector<Target> targets;
  for (int i = 0; i < graph.size(); ++i) {
    const CompiledNode& node = graph.node(i);
    if (node.type->role != NodeRole::simulate || node.broken || !node.forward.empty()) continue;
    simulations.push_back(i);
    targets.push_back({i, 0});
  }
  arena_->arena.execute([&] {
    prepare_whole_time(session, targets);
    extend_chains(session, FrameRun::upstream_of(graph, targets));
    // The keys of the frame itself, and then the states, as if on the way to the next frame.
    FrameRun(*this, session, at.frame, FrameRun::upstream_of(graph, targets));
    const std::vector<Outcome> outcomes = catch_up(session, simulations, at.frame + 1);
    for (size_t s = 0; s < simulations.size(); ++s) {
      const std::vector<Key>& keys = chains_[simulations[s]].keys;
      const size_t n = static_cast<size_t>(int64_t{at.frame} - at.start_frame);
      const CompiledNode& node = graph.node(simulations[s]);
      if (outcomes[s].state && n < keys.size())
        live.simulations[node.path] = {keys[n], outcomes[s].state, node.identity};
    }
  });
  return live;
}

}  // namespace sinew
