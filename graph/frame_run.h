// One frame of one evaluation. First the keys of everything upstream of what is asked for
// (frame_keys.cpp); then, from the targets backwards, what must run because the cache does not have
// it; then the run itself, in parallel (frame_run.cpp); simulations fetch the state of the frame
// before (frame_simulation.cpp).
#pragma once

#include <tbb/task_group.h>

#include <atomic>
#include <exception>
#include <functional>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "graph/evaluator.h"

namespace sinew {

class FrameRun {
 public:
  using Outcome = Evaluator::Outcome;

  FrameRun(Evaluator& evaluator, Evaluator::Session& session, int frame,
           const std::vector<char>& upstream);

  int frame() const { return context_.frame; }
  // Goes to another frame; keys of what does not vary stay.
  void move_to(int frame);

  // Plans what is needed for these values, or for the states of these simulations to exist.
  void demand(std::span<const Target> targets);
  void demand_states(std::span<const int> simulations);
  // On the live clock, after run(): brings along the simulations that matter and are not asked for
  // at this frame, behind a switch say, since the past is never run again.
  void step_unseen();
  // Simulations that were planned and whose state at this frame is not in the store.
  std::vector<int> missing_states() const;
  // Tells what became of a simulation at the frame before, so that it need not be looked up.
  void carry(int simulation, Outcome outcome);
  // The same if that is in the store. Whether it was.
  bool carry_known(int simulation);
  // Evaluates all frames of what planned nodes are given over time. Whether there was something to
  // evaluate: then results may be there that were planned, and plan_again() finds them.
  bool fetch_whole_time();
  void fetch_whole_time(int node);
  void plan_again(std::span<const Target> targets);
  void run();

  // After run(): empty where it failed.
  Value value(Target target);
  Key key(Target target) const;
  // Of the result that holds it; none if no node made it.
  Key result_key(Target target) const;
  // The values and keys that a node's inputs have. False if something upstream failed.
  bool gather(int node, std::vector<std::vector<Value>>& inputs, std::vector<Key>& keys,
              std::vector<Message>& warnings);
  const Outcome& outcome(int simulation) const { return slots_[simulation].outcome; }
  void report(Evaluation& evaluation) const;
  // Whether nothing can come from an output, as its keys tell.
  bool is_dead(Target target) const;
  // Why an output has no value at this frame.
  std::shared_ptr<const Evaluator::WholeFailure> failure_of(Target target);

  static bool clamp_to_range(const InputInfo& info, Value& value, std::vector<Message>& warnings);
  // What other frames have to say of nodes, beside what this one says.
  static void add_reports(const std::vector<NodeReport>& more, std::vector<NodeReport>& reports);
  // What matters for the targets at one frame; `through_time`: and at all others, for the sake of
  // nodes that are given all frames.
  static std::vector<char> upstream_of(const CompiledGraph& graph, std::span<const Target> targets,
                                       bool through_time = false);

 private:
  using Fate = NodeReport::Fate;

  // Where an output's value comes from, with forwarding nodes seen through.
  struct Port {
    Key key;
    int node = -1;  // the node whose result holds it; -1: `literal`
    int output = -1;
    Value literal;
    int parent = -1;  // port that `conversion` is applied to
    const Conversion* conversion = nullptr;
    bool dead = true;  // nothing can come: an error, or nothing linked
  };
  struct Slot {
    Key key;        // of the node's result
    Key state_key;  // of a simulation's state
    ResultPtr result;
    Fate fate = Fate::idle;
    bool demanded = false;
    bool state_only = false;
    bool planned = false;
    int twin = -1;     // planned node with the same key, whose result serves here too
    int blocker = -1;  // node that is the reason for `blocked`
    Message problem;   // why it has no key though its inputs are sound
    // Why it is blocked, if that is at another frame.
    std::shared_ptr<const Evaluator::WholeFailure> elsewhere;
    Outcome outcome;  // of a simulation at this frame
  };

  // frame_keys.cpp
  void compute_keys();
  void key_node(int i);
  void key_forward(int i, const CompiledNode& node);
  void key_select(int i, const CompiledNode& node);
  void key_simulation(int i, Key all, Key stepped);
  void key_draft(int i, Key draft);
  Port port_of(const InputSource& source);
  bool hash_inputs(int i, const CompiledNode& node, KeyHasher& all, KeyHasher& stepped);
  bool hash_links(int i, size_t input, KeyHasher& hasher);
  Value eager_value(const InputSource& source);

  // frame_run.cpp
  void demand_node(int i, bool state_only);
  void demand_output(int node, int output, std::vector<int>& stack);
  bool take_known(int i, bool state_only);
  int producer(const Port& port) const;
  Value port_value(const Port& port) const;
  void start_task(int p, tbb::task_group& group);
  void run_from(int p, tbb::task_group& group);
  void run_node(int i);
  void check_outputs(const CompiledNode& node, Exec& exec) const;
  ResultPtr guarded(Exec& exec, const std::function<void()>& body) const;

  // frame_whole_time.cpp
  void block_elsewhere(int i, std::shared_ptr<const Evaluator::WholeFailure> failure);
  const Evaluator::WholeLink* whole_link(int i, size_t input, size_t link) const;
  bool evaluate_whole_time(int i, const std::vector<size_t>& open);
  bool take_whole_time(int i, size_t input, size_t link, Value& value, Key& key,
                       std::vector<Message>& warnings);
  int culprit(Target target) const;

  // frame_simulation.cpp
  void run_simulation(int i, Exec& exec);
  Outcome next_outcome(int i, Exec& exec);
  Outcome previous_outcome(int i);
  void block_simulation(int i);
  const LiveState::Simulation* live_simulation(int i) const;
  int64_t age() const { return int64_t{context_.frame} - context_.start_frame; }

  bool cancelled() const;

  Evaluator& evaluator_;
  Evaluator::Session& session_;
  const CompiledGraph& graph_;
  Context context_;
  std::vector<char> upstream_;  // the nodes that matter here
  std::vector<Slot> slots_;
  std::vector<Port> ports_;
  struct Carried {
    Key state_key;
    Outcome outcome;
  };
  std::unordered_map<int, Carried> carried_;  // from the frame before, by simulation
  // What nodes are given over time, by their links as in Evaluator::WholeTime.
  struct WholeValues {
    std::vector<Value> values;
    std::shared_ptr<const Evaluator::WholeFailure> failure;
    std::exception_ptr thrown;
    bool complete = false;
  };
  std::unordered_map<int, WholeValues> whole_values_;
  std::vector<NodeReport> whole_reports_;  // of what was evaluated for these
  std::unordered_map<Key, int> planned_keys_;
  std::vector<int> plan_;
  std::vector<std::vector<int>> followers_;  // by position in plan_
  std::vector<int> plan_position_;           // by node; -1: not planned
  std::unique_ptr<std::atomic<int>[]> waiting_;
};

}  // namespace sinew
