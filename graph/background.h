// Evaluation off the interface's thread. The interface hands over a request and goes on; a newer
// request drops a stale one, running or waiting; the interface asks now and then whether a result
// is there. It never waits.
#pragma once

#include <condition_variable>
#include <functional>
#include <optional>
#include <thread>

#include "graph/evaluator.h"

namespace sinew {

class BackgroundEvaluator {
 public:
  struct Request {
    GraphPtr graph;
    std::vector<Target> targets;
    Context context;
    bool live = false;     // on the live clock, from where it stands
    bool advance = false;  // live: take one step. A step under way is not dropped
    // Live: the clock begins anew first, at this state; or where the timeline is at the frame.
    std::shared_ptr<const LiveState> restart = nullptr;
    bool from_timeline = false;
    // Afterwards, if nothing else is to be done: the keys of these outputs at a range of frames.
    struct Survey {
      std::vector<Target> targets;
      int first = 0, last = -1;
    };
    std::optional<Survey> survey = {};
  };
  struct Finished {
    uint64_t id = 0;  // as submit() gave it
    GraphPtr graph;
    Context context;
    Evaluation evaluation;
    std::shared_ptr<const LiveState> live = nullptr;  // of a live request: where it stands now
    bool advanced = false;
    double seconds = 0;  // that it took
  };
  struct Survey {
    GraphPtr graph;
    std::vector<Target> targets;
    int first = 0;
    std::vector<std::vector<Key>> keys;  // by frame, as Evaluator::result_keys() gives them
  };

  // `on_finished` is called from the evaluation's thread whenever something is there to be taken,
  // or nothing will be: it was cancelled.
  explicit BackgroundEvaluator(Evaluator& evaluator, std::function<void()> on_finished = {});
  ~BackgroundEvaluator();  // cancels and waits

  uint64_t submit(Request request);
  // The newest result since the last call, if there is one.
  std::optional<Finished> take();
  // The newest survey since the last call, if there is one.
  std::optional<Survey> take_survey();
  // Stops what runs and forgets what waits.
  void cancel();
  void wait_until_idle();
  bool busy() const;
  // How long the present request has been running; 0 when idle. For "cancel" buttons.
  double running_seconds() const;
  // Starts the live clock anew, at a state or from the beginning. Waits for a step under way.
  void set_live(LiveState live);

 private:
  void work();
  Evaluation run(const Request& request);
  void look_over(std::unique_lock<std::mutex>& lock, const Request& request);

  Evaluator& evaluator_;
  std::function<void()> on_finished_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<std::pair<uint64_t, Request>> waiting_;
  std::optional<Finished> finished_;
  std::optional<Survey> survey_;
  LiveState live_;
  std::atomic<bool> cancel_{false};
  bool running_ = false;
  bool running_step_ = false;
  bool looking_over_ = false;  // a survey is made; it gives way to everything
  bool quit_ = false;
  double started_ = 0;
  uint64_t last_id_ = 0;
  std::thread thread_;  // last: it uses all the others
};

}  // namespace sinew
