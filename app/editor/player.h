// What plays: the frame that is asked for, the clock, and what evaluations gave. Evaluation runs on
// a thread of its own; update() is called once a frame of the interface, takes what is finished and
// asks for what is wanted next. Nothing here waits.
//
// Two clocks. On the timeline, frame n is what the graph says from the start. Live, simulations go
// on from where they are with the parameters of this moment, and frames grow without an end.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "app/editor/session.h"
#include "app/scene.h"
#include "graph/background.h"
#include "graph/live_recorder.h"

namespace sinew::editor {

enum class ClockKind : unsigned char { timeline, live };

// What one evaluation gave.
struct Shot {
  GraphPtr graph;
  Context context;
  Evaluation evaluation;
  ClockKind clock = ClockKind::timeline;
  std::shared_ptr<const LiveState> live;  // where the live clock stood

  // What became of a node ("low/noise"); nullptr: it was not asked for.
  const NodeReport* report(const std::string& path) const;
  // nullptr: not asked for, or it failed.
  const TargetResult* result(const Target& target) const;
  // By the name of an output: "low/noise.field".
  const TargetResult* result(const std::string& path, int output) const;

 private:
  friend class Player;
  std::unordered_map<std::string, std::size_t> by_path_;
};

class Player {
 public:
  Player(Session& session, std::function<void()> wake, int threads = 0);
  ~Player();

  // To be called once in each frame of the interface.
  void update(double now);

  // ---- The clock
  int frame() const { return frame_; }
  double fps() const { return session_.doc().settings.fps; }
  // Between which frames it plays: the document's, or the part that was chosen.
  int first_frame() const;
  int last_frame() const;
  void set_loop(std::optional<std::pair<int, int>> range) { loop_range_ = range; }
  const std::optional<std::pair<int, int>>& loop() const { return loop_range_; }
  bool loops = true;  // begins anew at the end; else it stops there
  double speed = 1;   // of the clock, against real time; a step is a step all the same
  bool playing() const { return playing_; }
  void play(bool on);
  void go_to(int frame);  // on the timeline; live it begins anew there
  void step(int frames);
  ClockKind clock() const { return clock_; }
  void set_clock(ClockKind clock);
  // Live: from the beginning, or from a state that was kept.
  void restart();
  void restore(std::shared_ptr<const LiveState> live);

  // ---- Recording of what is done live
  bool recording() const { return recording_; }
  void record(bool on);
  std::size_t recorded_events() const { return recorder_.count(); }

  // ---- What is seen
  // The outputs that the document's flags name; empty: the viewers.
  std::vector<std::string> shown() const;
  // Sets the flags: undoable, kept in the layout.
  void show(std::vector<std::string> outputs);
  // Asked for again with every frame by whoever wants it: its value is in the next shots.
  void watch(Target target);
  // The newest finished evaluation; nullptr before the first.
  const std::shared_ptr<const Shot>& shot() const { return shot_; }
  // Grows with every new shot.
  uint64_t shot_number() const { return shot_number_; }
  // How to draw it; nothing if there is nothing to see, and why.
  const std::optional<Scene>& scene() const { return scene_; }
  const std::string& nothing_to_see() const { return nothing_to_see_; }
  // Errors and warnings of the graph and of the last evaluation, by the nodes' paths.
  const std::vector<NodeMessage>& messages() const { return messages_; }
  // Messages of one node.
  std::vector<Message> messages_of(const std::string& path) const;

  // ---- How it goes
  bool busy() const { return background_.busy(); }
  // For how long the present evaluation has been running, in seconds.
  double running_seconds() const { return background_.running_seconds(); }
  std::pair<int, int> progress() const { return evaluator_.progress(); }
  // Stops what runs; nothing is asked for again until something changes.
  void cancel();
  bool cancelled() const { return cancelled_; }
  // Mean seconds of the last evaluations while playing; and frames a second that were reached.
  double seconds_per_frame() const { return seconds_per_frame_; }
  double reached_fps() const { return reached_fps_; }

  Evaluator& evaluator() { return evaluator_; }
  // The moment that evaluations of this document are at.
  Context context_at(int frame) const;
  // For tests and scripts: waits until all that was asked for is done and taken.
  void settle();

 private:
  void ask(bool advance);
  void take();
  void plan_scene();
  void tick(double now);
  void gather_messages();
  void note(const std::vector<Edit>& edits);

  Session& session_;
  Evaluator evaluator_;
  BackgroundEvaluator background_;
  std::shared_ptr<const Shot> shot_;
  uint64_t shot_number_ = 0;
  std::optional<Scene> scene_;
  std::string nothing_to_see_;
  std::vector<Target> watched_, asked_watched_;
  std::vector<NodeMessage> messages_;

  ClockKind clock_ = ClockKind::timeline;
  int frame_ = 0;
  bool playing_ = false;
  std::optional<std::pair<int, int>> loop_range_;
  std::optional<int> shown_frame_;
  double next_tick_ = 0, last_now_ = 0;
  bool wanted_ = true;         // something has changed: ask
  bool advancing_ = false;     // a live step is under way
  bool restart_live_ = false;  // live begins where the timeline is
  std::shared_ptr<const LiveState> restore_live_;
  bool cancelled_ = false;
  uint64_t asked_revision_ = 0, planned_revision_ = 0, seen_document_ = 0;
  uint64_t asked_id_ = 0, taken_id_ = 0;
  double seconds_per_frame_ = 0, reached_fps_ = 0, last_shot_at_ = 0;

  bool recording_ = false;
  LiveRecorder recorder_;
  GraphDoc recorded_from_;
};

}  // namespace sinew::editor
