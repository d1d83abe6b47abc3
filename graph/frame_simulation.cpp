// Simulations: init at the first frame, then one step a frame, each from the state before. States
// are found by their chained key; where one is missing, the frames since the last one that is there
// are run again.
#include <fmt/format.h>

#include "graph/frame_run.h"

namespace sinew {
namespace {

// A message that says at which frame the simulation stopped.
ResultPtr failure_at(int frame, std::vector<Message> messages) {
  auto result = std::make_shared<NodeResult>();
  result->failed = true;
  for (Message& m : messages)
    if (m.severity == Severity::error && m.text.rfind("frame ", 0) != 0)
      m.text = fmt::format("frame {}: {}", frame, m.text);
  result->messages = std::move(messages);
  return result;
}

}  // namespace

// The state one frame earlier. On failure there, `failure` is what to report.
SimState FrameRun::previous_state(int i, ResultPtr& failure) {
  if (session_.live) return session_.live->simulations.at(graph_.node(i).path).state;
  const int frame = context_.frame - 1;
  const Key key = evaluator_.chains_[i].keys[frame - context_.start_frame];
  SimState state = evaluator_.states_.get(key);
  if (state) return state;
  failure = evaluator_.cache_.get(key);  // where failures of steps are kept
  if (failure) return {};
  const int simulation[] = {i};
  evaluator_.catch_up(session_, simulation, context_.frame);
  state = evaluator_.states_.get(key);
  if (state || cancelled()) return state;
  failure = evaluator_.cache_.get(key);
  if (!failure) failure = failure_at(frame, {{Severity::error, "its inputs have an error there"}});
  return {};
}

// The state at this frame, from the store or by one step.
SimState FrameRun::next_state(int i, Exec& exec, ResultPtr& failure) {
  const NodeType& type = *graph_.node(i).type;
  const Slot& slot = slots_[i];
  if (SimState known = evaluator_.states_.get(slot.state_key)) return known;
  const int age = std::max(0, context_.frame - context_.start_frame);
  bool begin = age == 0;
  if (session_.live) {
    const auto it = session_.live->simulations.find(graph_.node(i).path);
    begin = it == session_.live->simulations.end();
    if (!begin && !session_.advance) return it->second.state;
  }
  SimState previous;
  if (!begin) {
    previous = previous_state(i, failure);
    if (!previous) return {};
  }
  SimState state = begin ? type.init(exec) : type.step(previous, exec);
  exec.stop_if_cancelled();
  if (exec.failed()) return {};
  evaluator_.states_.put(slot.state_key, state, age);
  const std::lock_guard lock(session_.mutex);
  ++session_.evaluation->steps;
  return state;
}

void FrameRun::run_simulation(int i, Exec& exec) {
  const CompiledNode& node = graph_.node(i);
  Slot& slot = slots_[i];
  SimState state;
  ResultPtr failure;
  ResultPtr result = guarded(exec, [&] {
    state = next_state(i, exec, failure);
    if (!state && !failure && !exec.failed()) throw Cancelled();
    if (!state || slot.state_only) return;
    node.type->read(state, exec);
    if (!exec.failed()) check_outputs(node, exec);
  });
  if (session_.live_next && state) {
    const std::lock_guard lock(session_.mutex);
    session_.live_next->simulations[node.path] = {slot.state_key, state};
  }
  if (!result) return;                   // cancelled
  if (state && slot.state_only) return;  // nobody reads this frame
  if (failure) {
    result = failure;
  } else if (result->failed) {
    result = failure_at(context_.frame, result->messages);
  }
  slot.result = result;
  slot.fate = result->failed ? Fate::failed : Fate::ran;
  evaluator_.cache_.put(slot.key, result);
  // A step that failed is known by the key of the state that it did not make.
  if (!state) evaluator_.cache_.put(slot.state_key, result);
  const std::lock_guard lock(session_.mutex);
  ++session_.evaluation->runs;
}

}  // namespace sinew
