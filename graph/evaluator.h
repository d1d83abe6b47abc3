// Runs a compiled graph. Keys first, without running anything; then only what is asked for and not
// in the cache, in parallel where the graph allows. One evaluator holds one cache and one store of
// simulation states; many graphs may share it.
//
// Two clocks. On the timeline, frame n is what the graph says from the start, the same on every
// run. Live, each simulation goes on from where it is with the parameters of this moment, and the
// past is never run again. Both chain the same keys, K(n) = hash(K(n-1), inputs(n), dt), so that a
// live run without edits gives the timeline's results, and recorded edits replay to the same bits.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "graph/bake_store.h"
#include "graph/cache.h"
#include "graph/compiled_graph.h"
#include "graph/exec.h"
#include "graph/file_keys.h"
#include "graph/state_store.h"

namespace sinew {

class FrameRun;

// What became of one node in an evaluation.
struct NodeReport {
  enum class Fate {
    idle,  // nothing asked for it
    hit,   // its result was in the cache
    ran,
    failed,   // now or earlier; the messages say why
    blocked,  // something upstream has an error
  };
  int node = -1;
  Fate fate = Fate::idle;
  Key key;             // of the node; output keys follow from it
  double seconds = 0;  // of the run, also when it is an earlier one
  std::vector<Message> messages;
};

struct TargetResult {
  Target target;
  Key key;
  Value value;     // empty where it failed
  Key result_key;  // under which the cache keeps it; none for what no node made
};

struct Evaluation {
  std::vector<TargetResult> targets;  // as asked for
  std::vector<NodeReport> nodes;      // those that were asked for, in the graph's order
  bool cancelled = false;
  std::string trouble;  // what went wrong beside the nodes: memory, say; usually empty
  int runs = 0;         // nodes whose code ran, at all frames
  int hits = 0;         // results taken from the cache
  int steps = 0;        // simulation states made, by init or step

  bool failed() const;
  std::vector<NodeMessage> messages(const CompiledGraph& graph) const;
};

// What a node would see if it ran: its inputs, made as for a run, though it does not.
struct NodeInputs {
  bool complete = false;  // else the evaluation says what is missing
  std::vector<std::vector<Value>> values;
  std::vector<Key> keys;
  std::vector<Message> warnings;
  Evaluation evaluation;  // of what lies upstream
};

// Where every simulation of a graph stands on the live clock, by the node's path.
struct LiveState {
  struct Simulation {
    Key key;
    SimState state;
    Key identity;  // of the type that made the state: another type under the same path begins anew
  };
  int frame = 0;
  bool started = false;
  std::map<std::string, Simulation> simulations;
};

struct EvaluatorOptions {
  size_t cache_bytes = size_t{1} << 30;
  size_t state_bytes = size_t{1} << 30;
  int checkpoint_interval = 8;
  int threads = 0;  // 0: all cores
};

class Evaluator {
 public:
  // Simulations go no further than this from the first frame: the chain of keys must fit.
  static constexpr int64_t max_simulated_frames = 1'000'000;
  // Links to inputs of `whole_time` bring no more frames than this.
  static constexpr int64_t max_whole_frames = 100'000;

  explicit Evaluator(EvaluatorOptions options = {});
  ~Evaluator();

  // One at a time: a second call waits for the first. `cancel` may be set from any thread.
  Evaluation evaluate(const CompiledGraph& graph, std::span<const Target> targets,
                      const Context& context, const std::atomic<bool>* cancel = nullptr);
  Evaluation evaluate(const CompiledGraph& graph, const Context& context) {
    return evaluate(graph, graph.default_targets(), context);
  }

  // On the live clock. `advance`: take one step, context.frame being the new frame; else show where
  // things stand with the parameters of this moment. A cancelled step changes nothing in `live`.
  Evaluation evaluate_live(const CompiledGraph& graph, std::span<const Target> targets,
                           const Context& context, LiveState& live, bool advance,
                           const std::atomic<bool>* cancel = nullptr);

  NodeInputs node_inputs(const CompiledGraph& graph, int node, const Context& context,
                         const std::atomic<bool>* cancel = nullptr);

  // Where the timeline stands at a frame that was just evaluated, for going on live from there.
  LiveState live_from_timeline(const CompiledGraph& graph, const Context& context);

  // Under which keys the cache keeps, or would keep, these outputs at each frame of a range, so
  // that it can be asked what is there. Nothing runs, except what a key depends on. Empty if
  // cancelled.
  std::vector<std::vector<Key>> result_keys(const CompiledGraph& graph,
                                            std::span<const Target> targets, const Context& context,
                                            int first, int last,
                                            const std::atomic<bool>* cancel = nullptr);

  // Results on disk, asked for where the cache has none; nullptr: none.
  void set_bake(std::shared_ptr<BakeStore> bake);

  // While simulations catch up with a frame, or all frames are evaluated for a node that asks for
  // them: where that is, and where it goes to. Else 0 and 0.
  std::pair<int, int> progress() const { return {progress_frame_, progress_last_}; }

  // The newest that a node which runs has said of how far it is (Exec::progress).
  struct NodeProgress {
    std::string path;
    double part = -1;  // 0 to 1; below 0: not known
    std::string words;
  };
  std::optional<NodeProgress> node_progress() const;

  Cache& cache() { return cache_; }
  StateStore& states() { return states_; }

 private:
  friend class FrameRun;
  struct Arena;  // TBB's, kept out of this header; and what nodes that run in it say

  // K(first) ... K(n) of one simulation, valid while nothing upstream changed.
  struct Chain {
    uint64_t revision = 0;
    std::vector<Key> keys;
  };
  // Why a node cannot be given all frames: what has an error, and where.
  struct WholeFailure {
    int node = -1;
    int frame = 0;
    bool transient = false;           // for want of memory: it may go well next time
    std::string problem;              // where no node is to blame
    std::vector<NodeReport> reports;  // of the nodes that have to do with it
  };
  // All frames of one link to an input of `whole_time`, by their keys. Each holds from its frame
  // on.
  struct WholeLink {
    int input = -1, link = -1;
    std::vector<std::pair<int, Key>> frames = {};
    Key key = {};  // of all
    // A parameter that is only handed on, into a group say: its animation, which is not sampled.
    std::shared_ptr<const Animation> animation = nullptr;
  };
  // All such links of a node, valid while nothing upstream changed.
  struct WholeTime {
    uint64_t revision = 0;
    bool known = false;
    std::vector<WholeLink> links = {};
    std::shared_ptr<const WholeFailure> failure = nullptr;  // guarded: it may be found out late
  };
  // What all frames of one evaluation share.
  struct Session {
    const CompiledGraph& graph;
    Context context;
    const std::atomic<bool>* cancel = nullptr;
    Evaluation* evaluation = nullptr;
    LiveState* live = nullptr;       // nullptr: on the timeline
    LiveState* live_next = nullptr;  // where a live step leaves things
    bool advance = false;
    struct Shared {
      std::mutex mutex;  // guards the counters, live_next and files
      // Files are asked for once an evaluation: the disk is slow, and all frames see one version.
      std::unordered_map<std::string, Key> files;
      // For a draft: the results in full that were in the cache when they were first asked for; or
      // nothing. Held on to, so that all frames of an evaluation see the same.
      std::unordered_map<Key, ResultPtr> in_full;
    };
    std::shared_ptr<Shared> shared = std::make_shared<Shared>();

    bool stopped() const { return cancel && cancel->load(std::memory_order_relaxed); }
    // The same evaluation on the timeline, where all frames are asked for.
    Session over_time() const;
  };

  Key file_key(Session& session, const std::string& name);
  ResultPtr in_full(Session& session, const Key& key);
  void prepare_chains(Session& session);
  // frame_whole_time.cpp: the keys of all that is linked to inputs of `whole_time`, upstream of the
  // targets and, if there is one, of a node that all of them feed.
  void prepare_whole_time(const Session& session, std::span<const Target> targets, int node = -1);
  void find_whole_time(const Session& session, int node);
  bool find_frames(const Session& session, int node, WholeTime& found);
  std::shared_ptr<const WholeFailure> whole_failure(int node) const;
  void note_whole_failure(int node, std::shared_ptr<const WholeFailure> failure);
  // What became of a simulation at a frame: a state, or why there is none; neither if cancelled.
  struct Outcome {
    SimState state;
    ResultPtr failure;
  };

  void extend_chains(Session& session, const std::vector<char>& upstream);
  // Brings simulations to the frame before `frame`; what became of each there.
  std::vector<Outcome> catch_up(Session& session, std::span<const int> simulations, int frame);
  // Plans a frame of a run, and brings all that it needs of other frames to where it can begin.
  void plan(Session& session, FrameRun& run, std::span<const Target> targets);
  // How many frames from the start on have a state somewhere at or before `frame`; the state of
  // the last of them is in the store. 0: none.
  int frames_with_state(int simulation, int frame, int start) const;
  // `inputs`: also those of a node that all targets feed.
  void run(Session& session, std::span<const Target> targets, int node = -1,
           NodeInputs* inputs = nullptr);
  // From the disk, and from now on in the cache; nullptr: it was not baked.
  ResultPtr baked(const Key& key, const CompiledNode& node);
  // What a node says of its progress; nothing: it is done.
  void note_progress(const std::string& path, std::optional<NodeProgress> progress);

  EvaluatorOptions options_;
  Cache cache_;
  StateStore states_;
  FileKeys files_;
  std::unique_ptr<Arena> arena_;
  std::atomic<int> progress_frame_{0}, progress_last_{0};
  std::mutex busy_;
  mutable std::mutex bake_mutex_;
  std::shared_ptr<BakeStore> bake_;
  Key chains_context_;
  std::vector<Chain> chains_;     // by node; empty for those that are not simulations
  std::vector<WholeTime> whole_;  // by node; empty for those without such links
  mutable std::mutex whole_mutex_;
};

}  // namespace sinew
