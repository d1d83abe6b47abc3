// What plays: the frame that is asked for, the clock, and what evaluations gave. Evaluation runs on
// a thread of its own; update() is called once a frame of the interface, takes what is finished and
// asks for what is wanted next. Nothing here waits.
//
// Two clocks. On the timeline, frame n is what the graph says from the start. Live, simulations go
// on from where they are with the parameters of this moment, and frames grow without an end.
#pragma once

#include <array>
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

// What is known of a frame of the timeline.
enum class FrameState : unsigned char {
  unknown,  // it would have to be computed
  stale,    // it was computed, but something has changed since
  valid,    // what is shown at it is at hand
  baked,    // it is on the disk
};

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
  // Takes what is finished, so that a frame that begins shows it.
  void take_finished();

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
  // What a person should be told of, since the last call: what could not be recorded, and why.
  std::vector<std::string> take_notices() { return std::exchange(notices_, {}); }

  // ---- What is at hand
  // From the document's first frame on; short where nothing is known.
  const std::vector<FrameState>& frame_states();
  // Results on disk, for this document.
  void use_bake(std::shared_ptr<BakeStore> bake);
  const std::shared_ptr<BakeStore>& bake() const { return bake_; }
  // Somebody has computed this frame, with results under these keys.
  void note_computed(int frame, const std::vector<Key>& results);

  // ---- What is seen
  // Where the flags are kept: in the layout of the document's own graph.
  static constexpr const char* shown_key = "shown";
  // The outputs that the document's flags name, of those that are there; empty: the viewers.
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
  // Grows whenever this was found anew.
  uint64_t plan_number() const { return plan_number_; }
  const std::string& nothing_to_see() const { return nothing_to_see_; }
  // Errors and warnings of the graph and of the last evaluation, by the nodes' paths.
  const std::vector<NodeMessage>& messages() const { return messages_; }
  // What is said of a node beside evaluations, until something else is said of it: how its work
  // went.
  void say_of(const std::string& path, std::vector<Message> messages);
  // Messages of one node.
  std::vector<Message> messages_of(const std::string& path) const;

  // ---- How it goes
  bool busy() const { return background_.busy(); }
  // For how long the present evaluation has been running, in seconds.
  double running_seconds() const { return background_.running_seconds(); }
  std::pair<int, int> progress() const { return evaluator_.progress(); }
  // What a node that takes long says of itself.
  std::optional<Evaluator::NodeProgress> node_progress() const {
    return evaluator_.node_progress();
  }
  // Stops what runs; nothing is asked for again until something changes, or it is to go on.
  void cancel();
  void go_on();
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
  void plan_scene();
  bool tick(double now);
  bool wants_more();
  void begin_document();
  void note_pace(double seconds);
  void gather_messages();
  // Whether the live clock begins anew, and has not done so yet.
  bool restarting() const { return restart_live_ || restore_live_; }
  bool survey_fits() const;
  // player_record.cpp
  void note(const std::vector<Edit>& edits);
  void note_param(const edit::SetParam& set);
  void tell(std::string text);

  Session& session_;
  Evaluator evaluator_;
  BackgroundEvaluator background_;
  std::shared_ptr<const Shot> shot_;
  uint64_t shot_number_ = 0, plan_number_ = 0;
  std::optional<Scene> scene_;
  std::string nothing_to_see_;
  std::vector<Target> watched_, asked_watched_;
  std::vector<NodeMessage> messages_, said_;

  ClockKind clock_ = ClockKind::timeline;
  int frame_ = 0;
  bool playing_ = false;
  std::optional<std::pair<int, int>> loop_range_;

  double next_tick_ = 0, last_now_ = 0;
  bool wanted_ = true;                             // something has changed: ask
  bool advancing_ = false;                         // a live step is under way
  int steps_to_come_ = 0;                          // live steps that were asked for one by one
  bool restart_live_ = false;                      // live begins where the timeline is
  std::shared_ptr<const LiveState> restore_live_;  // live goes on from here
  uint64_t restart_id_ = 0;                        // the request that does it
  bool cancelled_ = false;
  uint64_t asked_revision_ = 0, planned_revision_ = 0;
  uint64_t asked_id_ = 0;
  uint64_t ignored_id_ = 0;  // what was asked for up to here belongs to another document
  double seconds_per_frame_ = 0, reached_fps_ = 0, last_shot_at_ = 0;

  bool recording_ = false;
  LiveRecorder recorder_;
  GraphDoc recorded_from_;
  std::vector<std::string> notices_;

  std::optional<BackgroundEvaluator::Survey> survey_;
  std::shared_ptr<BakeStore> bake_;
  std::unordered_map<int, Key> computed_;  // all result keys of a frame, as one
  std::vector<FrameState> states_;
  std::array<uint64_t, 4> states_of_{};  // what they were found from
  uint64_t survey_number_ = 0;
};

}  // namespace sinew::editor
