#include "graph/frame_run.h"

#include <fmt/format.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <new>

#include "base/stop.h"

// ThreadSanitizer does not see how TBB, which is built without it, hands work over; these tell it.
#if defined(__SANITIZE_THREAD__)
extern "C" void __tsan_acquire(void*);
extern "C" void __tsan_release(void*);
static char task_handover;
static void hand_over() { __tsan_release(&task_handover); }
static void take_over() { __tsan_acquire(&task_handover); }
#else
static void hand_over() {}
static void take_over() {}
#endif

namespace sinew {

bool FrameRun::cancelled() const {
  return session_.cancel && session_.cancel->load(std::memory_order_relaxed);
}

int FrameRun::producer(const Port& port) const {
  const Port* p = &port;
  while (p->parent >= 0) p = &ports_[p->parent];
  return p->node;
}

Value FrameRun::port_value(const Port& port) const {
  if (port.dead) return {};
  if (port.parent >= 0) {
    const Value v = port_value(ports_[port.parent]);
    return v ? port.conversion->convert(v) : Value();
  }
  if (port.node < 0) return port.literal;
  const ResultPtr& result = slots_[port.node].result;
  return result && !result->failed ? result->outputs[port.output] : Value();
}

// ---- Planning: from what is wanted back to what must run ----------------------------------------

// Asks for one output: of the node that makes it, or, if it is dead, of the one that is to blame.
void FrameRun::demand_output(int node, int output, std::vector<int>& stack) {
  slots_[node].demanded = true;  // also forwarding nodes, so that they can be reported
  if (output < 0) return;
  const Port& port = ports_[graph_.first_output(node) + output];
  const int next = port.dead ? slots_[node].blocker : producer(port);
  // Also a simulation that is planned for its state alone: now its output is wanted, too.
  if (next >= 0) stack.push_back(next);
}

// Whether what is wanted of the node is there already, so that it need not run.
bool FrameRun::take_known(int i, bool state_only) {
  Slot& slot = slots_[i];
  const NodeType& type = *graph_.node(i).type;
  // Live, a simulation must take its step even if somebody has seen the result of it before.
  if (session_.live && type.role == NodeRole::simulate) return false;
  if (state_only) {
    slot.outcome.state = evaluator_.states_.get(slot.state_key);
    if (!slot.outcome.state) slot.outcome.failure = evaluator_.cache_.get(slot.state_key);
    return slot.outcome.state || slot.outcome.failure;
  }
  if (type.has_effect && context_.run_effects) return false;
  slot.result = evaluator_.cache_.get(slot.key);
  if (!slot.result) slot.result = evaluator_.baked(slot.key, graph_.node(i));
  if (!slot.result) return false;
  slot.fate = slot.result->failed ? Fate::failed : Fate::hit;
  return true;
}

void FrameRun::demand_node(int wanted, bool state_only) {
  std::vector<int> stack{wanted};
  while (!stack.empty()) {
    const int i = stack.back();
    stack.pop_back();
    Slot& slot = slots_[i];
    const bool only_state = state_only && i == wanted;
    if (slot.planned && !only_state) slot.state_only = false;
    slot.demanded = true;
    if (slot.planned || slot.result) continue;
    if (!slot.key) {  // broken, blocked, or forwarding: report() says what of it
      if (slot.blocker >= 0 && !slot.elsewhere) stack.push_back(slot.blocker);
      continue;
    }
    if (take_known(i, only_state)) continue;
    slot.planned = true;
    slot.state_only = only_state;
    plan_.push_back(i);
    const CompiledNode& node = graph_.node(i);
    if (!node.type->has_effect && !only_state) {
      const auto [it, fresh] = planned_keys_.emplace(slot.key, i);
      if (!fresh) slot.twin = it->second;
    }
    if (slot.twin >= 0) continue;
    for (size_t k = 0; k < node.inputs.size(); ++k)
      for (const LinkSource& link : node.inputs[k].links)
        if (!graph_.spans_time(i, k, link)) demand_output(link.node, link.output, stack);
  }
}

void FrameRun::demand(std::span<const Target> targets) {
  std::vector<int> stack;
  for (const Target& t : targets) demand_output(t.node, t.output, stack);
  for (int i : stack) demand_node(i, false);
}

void FrameRun::plan_again(std::span<const Target> targets) {
  for (int i : plan_) {
    slots_[i].planned = false;
    slots_[i].twin = -1;
  }
  plan_.clear();
  planned_keys_.clear();
  demand(targets);
}

void FrameRun::demand_states(std::span<const int> simulations) {
  for (int i : simulations) demand_node(i, true);
}

void FrameRun::step_unseen() {
  for (int i = 0; i < graph_.size(); ++i) {
    const Slot& slot = slots_[i];
    if (!upstream_[i] || graph_.node(i).type->role != NodeRole::simulate || !slot.key ||
        slot.outcome.state || slot.outcome.failure)
      continue;
    if (session_.advance || !live_simulation(i)) demand_node(i, true);
  }
  run();
}

std::vector<int> FrameRun::missing_states() const {
  std::vector<int> list;
  for (int i : plan_)
    if (graph_.node(i).type->role == NodeRole::simulate && slots_[i].twin < 0 &&
        !evaluator_.states_.contains(slots_[i].state_key))
      list.push_back(i);
  return list;
}

// ---- Running ------------------------------------------------------------------------------------

void FrameRun::run() {
  if (plan_.empty()) return;
  fetch_whole_time();
  const int n = static_cast<int>(plan_.size());
  for (int p = 0; p < n; ++p) plan_position_[plan_[p]] = p;
  followers_.assign(n, {});
  waiting_ = std::make_unique<std::atomic<int>[]>(n);
  std::vector<int> ready;
  for (int p = 0; p < n; ++p) {
    int count = 0;
    auto wait_for = [&](int node) {
      if (node < 0 || plan_position_[node] < 0) return;
      followers_[plan_position_[node]].push_back(p);
      ++count;
    };
    const int i = plan_[p];
    if (slots_[i].twin >= 0) {
      wait_for(slots_[i].twin);
    } else {
      const std::vector<InputSource>& inputs = graph_.node(i).inputs;
      for (size_t k = 0; k < inputs.size(); ++k)
        for (const LinkSource& link : inputs[k].links)
          if (!graph_.spans_time(i, k, link))
            wait_for(producer(ports_[graph_.first_output(link.node) + link.output]));
    }
    waiting_[p].store(count, std::memory_order_relaxed);
    if (count == 0) ready.push_back(p);
  }
  tbb::task_group group;
  for (size_t r = 1; r < ready.size(); ++r) start_task(ready[r], group);
  run_from(ready[0], group);
  group.wait();
  take_over();
  for (int i : plan_) plan_position_[i] = -1;
  plan_.clear();
  planned_keys_.clear();
}

void FrameRun::start_task(int p, tbb::task_group& group) {
  hand_over();
  group.run([this, p, &group] {
    take_over();
    run_from(p, group);
    hand_over();
  });
}

// Goes on with one follower itself, so that a chain of nodes costs no tasks.
void FrameRun::run_from(int p, tbb::task_group& group) {
  while (p >= 0) {
    try {
      run_node(plan_[p]);
    } catch (const std::exception& e) {
      // Beside the node's own code: memory for its inputs, say. What follows must still be told.
      auto result = std::make_shared<NodeResult>();
      result->failed = true;
      result->transient = true;
      result->messages = {{Severity::error, e.what()}};
      slots_[plan_[p]].result = std::move(result);
      slots_[plan_[p]].fate = Fate::failed;
    }
    int next = -1;
    for (int f : followers_[p]) {
      if (waiting_[f].fetch_sub(1, std::memory_order_acq_rel) != 1) continue;
      if (next < 0) {
        next = f;
      } else {
        start_task(f, group);
      }
    }
    p = next;
  }
}

// A value that arrives by a link may leave the declared range; it is brought back, with a word.
// Whether it was changed.
bool FrameRun::clamp_to_range(const InputInfo& info, Value& value, std::vector<Message>& warnings) {
  if (value.is<Choice>() && !info.choices.empty()) {
    const int last = static_cast<int>(info.choices.size()) - 1;
    const int inside = std::clamp(value.as<Choice>().index, 0, last);
    if (inside == value.as<Choice>().index) return false;
    warnings.push_back(
        {Severity::warning, fmt::format("'{}': there is no such choice, '{}' is used", info.name,
                                        info.choices[inside])});
    value = Value::of(Choice{inside});
    return true;
  }
  if (!info.has_range() || !value.type()->to_numbers || !value.type()->from_numbers) {
    return false;
  }
  std::vector<double> numbers = value.type()->to_numbers(value.data());
  bool changed = false;
  const bool whole = static_cast<int>(numbers.size()) == value.type()->components;
  for (double& x : numbers) {
    const double inside = info.clamped(x);
    if (inside == x || std::isnan(x)) continue;
    warnings.push_back(
        {Severity::warning,
         whole ? fmt::format("'{}': {:g} is out of range, {:g} is used", info.name, x, inside)
               : fmt::format("'{}': it has values out of range, such as {:g}", info.name, x)});
    x = inside;
    changed = true;
  }
  changed &= whole;
  if (changed) value = value.type()->from_numbers(numbers);
  return changed;
}

// Collects the input values and their keys. False if something upstream failed.
bool FrameRun::gather(int i, std::vector<std::vector<Value>>& inputs, std::vector<Key>& keys,
                      std::vector<Message>& warnings) {
  const CompiledNode& node = graph_.node(i);
  inputs.resize(node.inputs.size());
  keys.resize(node.inputs.size());
  // What is prepared from a file follows from its content, not from its name alone.
  const auto count_file = [&](size_t k) {
    if (node.type->inputs[k].file != FileUse::read || inputs[k].empty()) return;
    if (const Value& name = inputs[k][0]; name && name.is<std::string>())
      keys[k] = KeyHasher(0x72)
                    .key(keys[k])
                    .key(evaluator_.file_key(session_, name.as<std::string>()))
                    .finish();
  };
  for (size_t k = 0; k < node.inputs.size(); ++k) {
    const InputSource& source = node.inputs[k];
    if (source.links.empty()) {
      if (source.empty()) continue;
      const Port port = port_of(source);
      inputs[k].push_back(port.literal);
      keys[k] = port.key;
      count_file(k);
      continue;
    }
    KeyHasher hasher(0x71);
    for (size_t l = 0; l < source.links.size(); ++l) {
      const LinkSource& link = source.links[l];
      Value v;
      if (graph_.spans_time(i, k, link)) {
        Key key;
        if (!take_whole_time(i, k, l, v, key, warnings)) return false;
        hasher.key(key).text(v.type()->name);
        inputs[k].push_back(std::move(v));
        continue;
      }
      const Port& port = ports_[graph_.first_output(link.node) + link.output];
      v = port_value(port);
      if (!v) {
        slots_[i].blocker = link.node;
        return false;
      }
      if (link.conversion) v = link.conversion->convert(v);
      const bool clamped = clamp_to_range(node.type->inputs[k], v, warnings);
      hasher.key(clamped ? literal_key(v) : port.key).text(v.type()->name);
      inputs[k].push_back(std::move(v));
    }
    keys[k] = hasher.finish();
    count_file(k);
  }
  return true;
}

// Every output must be there and sound: NaN stops at the node that made it.
void FrameRun::check_outputs(const CompiledNode& node, Exec& exec) const {
  for (size_t o = 0; o < node.type->outputs.size(); ++o) {
    const Value& v = exec.outputs()[o];
    const std::string& name = node.type->outputs[o].name;
    if (!v) {
      exec.error("it gave nothing on its output '{}'", name);
    } else if (v.type()->flaw) {
      if (const auto flaw = v.type()->flaw(v.data())) exec.error("output '{}': {}", name, *flaw);
    }
    if (exec.failed()) return;
  }
}

// Runs a node's own code. Whatever it throws becomes a message on the node; nullptr: cancelled.
ResultPtr FrameRun::guarded(Exec& exec, const std::function<void()>& body) const {
  auto result = std::make_shared<NodeResult>();
  const auto begin = std::chrono::steady_clock::now();
  try {
    // Isolated: while a kernel waits for its own parallel loop, this thread must not pick up
    // another node, whose time would count here.
    tbb::this_task_arena::isolate([&] {
      const StopScope scope(exec.cancel_flag());
      body();
    });
    if (!exec.failed() && exec.cancelled()) return nullptr;
  } catch (const Cancelled&) {
    return nullptr;
  } catch (const std::bad_alloc&) {
    exec.error("it ran out of memory; make its input smaller");
    result->transient = true;
  } catch (const std::exception& e) {
    exec.error("{}", e.what());
  }
  if (exec.cancelled()) return nullptr;  // what was thrown is most likely the loops' way out
  result->seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  result->failed = exec.failed();
  result->messages = std::move(exec.messages());
  if (!result->failed) result->outputs = std::move(exec.outputs());
  return result;
}

void FrameRun::run_node(int i) {
  Slot& slot = slots_[i];
  if (cancelled()) return;
  if (slot.twin >= 0) {
    slot.result = slots_[slot.twin].result;
    slot.fate = slots_[slot.twin].fate == Fate::ran ? Fate::hit : slots_[slot.twin].fate;
    slot.blocker = slots_[slot.twin].blocker;
    slot.elsewhere = slots_[slot.twin].elsewhere;
    slot.outcome = slots_[slot.twin].outcome;
    if (session_.live_next && graph_.node(i).type->role == NodeRole::simulate) {
      const std::lock_guard lock(session_.shared->mutex);
      auto& simulations = session_.live_next->simulations;
      const auto it = simulations.find(graph_.node(slot.twin).path);
      if (it != simulations.end()) simulations[graph_.node(i).path] = it->second;
    }
    return;
  }
  std::vector<std::vector<Value>> inputs;
  std::vector<Key> keys;
  std::vector<Message> warnings;
  if (!gather(i, inputs, keys, warnings)) {
    slot.fate = Fate::blocked;
    if (graph_.node(i).type->role == NodeRole::simulate) block_simulation(i);
    return;
  }
  const CompiledNode& node = graph_.node(i);
  Exec exec(*node.type, std::move(inputs), context_, session_.cancel);
  exec.set_store(&evaluator_.cache_, std::move(keys));
  exec.messages() = std::move(warnings);
  if (node.type->asks_changes) {
    std::vector<bool> changing(node.inputs.size());
    for (size_t k = 0; k < changing.size(); ++k) changing[k] = graph_.changes(i, k);
    exec.set_changing(std::move(changing));
  }
  if (node.type->role == NodeRole::simulate) return run_simulation(i, exec);

  std::atomic<bool> has_spoken = false;
  exec.set_on_progress([&](double part, std::string words) {
    evaluator_.note_progress(node.path, {{node.path, part, std::move(words)}});
    has_spoken = true;
  });
  slot.result = guarded(exec, [&] {
    node.type->exec(exec);
    if (!exec.failed()) check_outputs(node, exec);
  });
  if (has_spoken) evaluator_.note_progress(node.path, std::nullopt);
  if (!slot.result) return;  // cancelled
  slot.fate = slot.result->failed ? Fate::failed : Fate::ran;
  if (!node.type->has_effect && !slot.result->transient)
    evaluator_.cache_.put(slot.key, slot.result);
  const std::lock_guard lock(session_.shared->mutex);
  ++session_.evaluation->runs;
}

// ---- Afterwards ---------------------------------------------------------------------------------

Value FrameRun::value(Target target) {
  return port_value(ports_[graph_.first_output(target.node) + target.output]);
}

Key FrameRun::key(Target target) const {
  return ports_[graph_.first_output(target.node) + target.output].key;
}

Key FrameRun::result_key(Target target) const {
  const Port& port = ports_[graph_.first_output(target.node) + target.output];
  const int node = port.dead ? -1 : producer(port);
  return node < 0 ? Key() : slots_[node].key;
}

void FrameRun::report(Evaluation& evaluation) const {
  for (int i = 0; i < graph_.size(); ++i) {
    const Slot& slot = slots_[i];
    const CompiledNode& node = graph_.node(i);
    if (!slot.demanded) continue;
    NodeReport r;
    r.node = i;
    r.fate = slot.fate;
    r.key = slot.key;
    r.messages = node.wiring;
    r.messages.insert(r.messages.end(), node.literals.begin(), node.literals.end());
    if (node.broken) r.fate = Fate::failed;
    if (!slot.problem.text.empty()) {
      r.fate = Fate::failed;
      r.messages.push_back(slot.problem);
    }
    if (slot.result) {
      r.seconds = slot.result->seconds;
      r.messages.insert(r.messages.end(), slot.result->messages.begin(),
                        slot.result->messages.end());
    }
    if (!node.broken && slot.blocker >= 0) {
      r.fate = Fate::blocked;
      const CompiledNode& b = graph_.node(slot.blocker);
      std::string text =
          fmt::format("it waits for '{}' ({}), which has an error", b.path, b.type->id);
      if (slot.elsewhere) text += fmt::format(" at frame {}", slot.elsewhere->frame);
      r.messages.push_back({Severity::info, std::move(text)});
    }
    if (r.fate == Fate::idle && r.messages.empty()) continue;  // forwarded without a word
    if (r.fate == Fate::hit) ++evaluation.hits;
    evaluation.nodes.push_back(std::move(r));
  }
  add_reports(whole_reports_, evaluation.nodes);
  for (const Slot& slot : slots_)
    if (slot.demanded && slot.elsewhere) add_reports(slot.elsewhere->reports, evaluation.nodes);
  for (const auto& [node, got] : whole_values_)
    if (got.failure) add_reports(got.failure->reports, evaluation.nodes);
}

}  // namespace sinew
