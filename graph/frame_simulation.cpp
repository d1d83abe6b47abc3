// Simulations: init at the first frame, then one step a frame, each from the state before. States
// are found by their chained key; where one is missing, the frames since the last one that is there
// are run again.
#include <fmt/format.h>

#include "graph/frame_run.h"

namespace sinew {
namespace {

// A message that says at which frame the simulation stopped. `transient`: for want of memory, so
// that it may go well next time.
ResultPtr failure_at(int frame, std::vector<Message> messages, bool transient) {
  auto result = std::make_shared<NodeResult>();
  result->failed = true;
  result->transient = transient;
  for (Message& m : messages)
    if (m.severity == Severity::error && m.text.rfind("frame ", 0) != 0)
      m.text = fmt::format("frame {}: {}", frame, m.text);
  result->messages = std::move(messages);
  return result;
}

}  // namespace

const LiveState::Simulation* FrameRun::live_simulation(int i) const {
  const CompiledNode& node = graph_.node(i);
  const auto it = session_.live->simulations.find(node.path);
  const bool fits = it != session_.live->simulations.end() && it->second.identity == node.identity;
  return fits ? &it->second : nullptr;
}

void FrameRun::carry(int simulation, Outcome outcome) {
  const std::vector<Key>& keys = evaluator_.chains_[simulation].keys;
  carried_[simulation] = {keys[static_cast<size_t>(age() - 1)], std::move(outcome)};
}

bool FrameRun::carry_known(int simulation) {
  const Key key = evaluator_.chains_[simulation].keys[static_cast<size_t>(age() - 1)];
  const auto carried = carried_.find(simulation);
  if (carried != carried_.end() && carried->second.state_key == key) return true;
  Outcome known{evaluator_.states_.get(key), nullptr};
  if (!known.state) known.failure = evaluator_.cache_.get(key);
  if (!known.state && !known.failure) return false;
  carried_[simulation] = {key, std::move(known)};
  return true;
}

// The simulation cannot step here, nor at any later frame.
void FrameRun::block_simulation(int i) {
  if (cancelled()) return;
  Slot& slot = slots_[i];
  std::string text = "its inputs have an error there";
  if (slot.blocker >= 0)
    text += fmt::format(": '{}' ({})", graph_.node(slot.blocker).path,
                        graph_.node(slot.blocker).type->id);
  const Slot& cause = slots_[culprit({i, 0})];
  const bool transient =
      cause.elsewhere ? cause.elsewhere->transient : cause.result && cause.result->transient;
  slot.outcome.failure =
      failure_at(context_.frame, {{Severity::error, std::move(text)}}, transient);
  if (!session_.live && !transient) evaluator_.cache_.put(slot.state_key, slot.outcome.failure);
}

// What became of the simulation one frame earlier.
FrameRun::Outcome FrameRun::previous_outcome(int i) {
  if (session_.live) return {live_simulation(i)->state, nullptr};
  const Key key = evaluator_.chains_[i].keys[static_cast<size_t>(age() - 1)];
  const auto carried = carried_.find(i);
  if (carried != carried_.end() && carried->second.state_key == key) return carried->second.outcome;
  if (SimState state = evaluator_.states_.get(key)) return {state, nullptr};
  if (ResultPtr failure = evaluator_.cache_.get(key)) return {{}, failure};
  const int simulation[] = {i};
  return evaluator_.catch_up(session_, simulation, context_.frame)[0];
}

// What becomes of it at this frame: from the store, or by one step.
FrameRun::Outcome FrameRun::next_outcome(int i, Exec& exec) {
  const NodeType& type = *graph_.node(i).type;
  const Slot& slot = slots_[i];
  if (SimState known = evaluator_.states_.get(slot.state_key)) return {known, nullptr};
  bool begin = age() <= 0;
  if (session_.live) {
    const LiveState::Simulation* now = live_simulation(i);
    begin = !now;
    if (now && !session_.advance) return {now->state, nullptr};
  }
  Outcome previous;
  if (!begin) {
    previous = previous_outcome(i);
    if (!previous.state) return previous;
  }
  exec.set_stepping(true);
  SimState state = begin ? type.init(exec) : type.step(previous.state, exec);
  exec.set_stepping(false);
  exec.stop_if_cancelled();
  if (exec.failed()) return {};
  evaluator_.states_.put(slot.state_key, state, static_cast<int>(std::max<int64_t>(0, age())));
  const std::lock_guard lock(session_.shared->mutex);
  ++session_.evaluation->steps;
  return {state, nullptr};
}

void FrameRun::run_simulation(int i, Exec& exec) {
  const CompiledNode& node = graph_.node(i);
  Slot& slot = slots_[i];
  Outcome outcome;
  ResultPtr result = guarded(exec, [&] {
    outcome = next_outcome(i, exec);
    if (!outcome.state && !outcome.failure && !exec.failed()) throw Cancelled();
    if (!outcome.state || slot.state_only) return;
    node.type->read(outcome.state, exec);
    if (!exec.failed()) check_outputs(node, exec);
  });
  slot.outcome = outcome;
  if (session_.live_next && outcome.state) {
    const std::lock_guard lock(session_.shared->mutex);
    session_.live_next->simulations[node.path] = {slot.state_key, outcome.state, node.identity};
  }
  if (!result) return;                           // cancelled
  if (outcome.state && slot.state_only) return;  // nobody reads this frame
  if (outcome.failure) {
    result = outcome.failure;
  } else if (result->failed) {
    result = failure_at(context_.frame, result->messages, result->transient);
  }
  slot.result = result;
  slot.fate = result->failed ? Fate::failed : Fate::ran;
  if (!outcome.state) slot.outcome.failure = result;
  if (!result->transient) {
    evaluator_.cache_.put(slot.key, result);
    // A step that failed is known by the key of the state that it did not make.
    if (!outcome.state) evaluator_.cache_.put(slot.state_key, result);
  }
  const std::lock_guard lock(session_.shared->mutex);
  ++session_.evaluation->runs;
}

}  // namespace sinew
