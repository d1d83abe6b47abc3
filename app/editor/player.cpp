#include "app/editor/player.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "app/cli/open_graph.h"
#include "app/editor/titles.h"

namespace sinew::editor {
namespace {

double seconds_now() {
  using namespace std::chrono;
  return duration<double>(steady_clock::now().time_since_epoch()).count();
}

// Of a timeline's frames, so many are looked over.
constexpr int most_surveyed = 10000;
// An evaluation that takes longer than this, in seconds, is dropped when something newer is wanted.
constexpr double drop_after = 0.25;

void average(double& mean, double next) { mean = mean == 0 ? next : 0.9 * mean + 0.1 * next; }

}  // namespace

const NodeReport* Shot::report(const std::string& path) const {
  const auto found = by_path_.find(path);
  return found == by_path_.end() ? nullptr : &evaluation.nodes[found->second];
}

const TargetResult* Shot::result(const Target& target) const {
  for (const TargetResult& r : evaluation.targets)
    if (r.target == target) return r.value ? &r : nullptr;
  return nullptr;
}

const TargetResult* Shot::result(const std::string& path, int output) const {
  return result(Target{graph->find_node(path), output});
}

Player::Player(Session& session, std::function<void()> wake, int threads)
    : session_(session),
      evaluator_(EvaluatorOptions{.threads = threads}),
      background_(evaluator_, std::move(wake)) {
  session_.listen([this](const std::vector<Edit>& edits) { note(edits); });
  session_.on_open([this] { begin_document(); });
  begin_document();
}

Player::~Player() { background_.cancel(); }

int Player::first_frame() const {
  return loop_range_ ? loop_range_->first : session_.doc().settings.first_frame;
}

int Player::last_frame() const {
  return loop_range_ ? loop_range_->second : session_.doc().settings.last_frame;
}

Context Player::context_at(int frame) const {
  const Settings& settings = session_.doc().settings;
  Context context;
  context.frame = frame;
  context.fps = settings.fps;
  context.seed = static_cast<uint64_t>(settings.seed);
  context.start_frame = settings.first_frame;
  context.last_frame = settings.last_frame;
  context.folder = session_.folder();
  return context;
}

void Player::play(bool on) {
  if (on == playing_) return;
  playing_ = on;
  cancelled_ = false;
  next_tick_ = 0;
  seconds_per_frame_ = reached_fps_ = last_shot_at_ = 0;
  if (on && clock_ == ClockKind::timeline && !loops && frame_ >= last_frame()) go_to(first_frame());
}

// Live, this is a new beginning, which waits for no step that is under way.
void Player::go_to(int frame) {
  if (recording_) record(false);
  frame_ = std::max(frame, session_.doc().settings.first_frame);
  if (advancing_) background_.cancel();
  advancing_ = false;
  steps_to_come_ = 0;
  restart_live_ = clock_ == ClockKind::live;
  restore_live_ = nullptr;
  restart_id_ = std::numeric_limits<uint64_t>::max();
  cancelled_ = false;
  wanted_ = true;
}

void Player::step(int frames) {
  play(false);
  if (clock_ == ClockKind::live && frames > 0) {
    steps_to_come_ += frames;
    cancelled_ = false;
    return;
  }
  go_to(frame_ + frames);
}

void Player::set_clock(ClockKind clock) {
  if (clock == clock_) return;
  if (recording_) record(false);
  clock_ = clock;
  // The live frame may lie beyond the end of the timeline.
  const Settings& settings = session_.doc().settings;
  const int last = std::max(settings.first_frame, settings.last_frame);
  go_to(clock == ClockKind::timeline ? std::min(frame_, last) : frame_);
}

void Player::restart() { go_to(first_frame()); }

void Player::restore(std::shared_ptr<const LiveState> live) {
  if (!live || clock_ != ClockKind::live) return;
  if (advancing_) background_.cancel();
  advancing_ = false;
  steps_to_come_ = 0;
  frame_ = live->frame;
  restore_live_ = std::move(live);
  restart_live_ = false;
  restart_id_ = std::numeric_limits<uint64_t>::max();
  wanted_ = true;
  if (!recording_) return;
  // What came after that moment did not happen, and the parameters of now are seen from there on.
  recorder_.cut_after(frame_);
  for (const auto& [node, input] : recorder_.places()) note_param({"", node, input, std::nullopt});
}

std::vector<std::string> Player::shown() const {
  std::vector<std::string> names;
  const Json& extra = session_.doc().graph.layout.extra;
  const auto found = extra.find(shown_key);
  if (found == extra.end() || !found->is_array()) return names;
  for (const Json& name : *found)
    // What a name was given to may be gone since.
    if (name.is_string() && session_.graph()->find_output(name.get<std::string>()))
      names.push_back(name.get<std::string>());
  return names;
}

void Player::show(std::vector<std::string> outputs) {
  std::optional<Json> value;
  if (!outputs.empty()) value = Json(outputs);
  (void)session_.apply({outputs.empty()
                            ? "Show the viewers"
                            : fmt::format("Show {}", title_of_output(session_, outputs.back())),
                        {edit::SetGraphLayout{"", shown_key, std::move(value)}},
                        ""});
}

void Player::watch(Target target) {
  if (target.node >= 0) watched_.push_back(target);
}

void Player::plan_scene() {
  const GraphPtr& graph = session_.graph();
  std::vector<Target> targets;
  for (const std::string& name : shown())
    if (const Result<Target> found = graph->find_output(name)) {
      const TypeInfo* type = graph->node(found->node).output_types[found->output];
      if (type && can_show(*type)) targets.push_back(*found);
    }
  Result<Scene> scene = Scene::plan(session_.doc(), graph, std::move(targets));
  nothing_to_see_ = scene ? "" : scene.error();
  scene_ = scene ? std::optional<Scene>(std::move(*scene)) : std::nullopt;
  planned_revision_ = session_.revision();
  ++plan_number_;
}

void Player::ask(bool advance) {
  if (planned_revision_ != session_.revision()) plan_scene();
  BackgroundEvaluator::Request request;
  request.graph = session_.graph();
  if (scene_) request.targets = scene_->targets();
  if (clock_ == ClockKind::timeline && !request.targets.empty() && !survey_fits()) {
    const Settings& settings = session_.doc().settings;
    const int last = std::min(settings.last_frame, settings.first_frame + most_surveyed - 1);
    request.survey = {request.targets, settings.first_frame, last};
  }
  for (const Target& t : asked_watched_)
    if (std::find(request.targets.begin(), request.targets.end(), t) == request.targets.end() &&
        t.node < request.graph->size() &&
        t.output < request.graph->first_output(t.node + 1) - request.graph->first_output(t.node))
      request.targets.push_back(t);
  request.live = clock_ == ClockKind::live;
  if (request.live) {
    // Asked for until it is done: what was asked for may be dropped for something newer.
    request.from_timeline = restart_live_;
    request.restart = restore_live_;
    request.advance = advance && !restarting();
    if (request.advance) ++frame_;
    advancing_ = request.advance;
  }
  request.context = context_at(frame_);
  wanted_ = false;
  cancelled_ = false;
  asked_revision_ = session_.graph_revision();
  asked_id_ = background_.submit(std::move(request));
  if (restarting()) restart_id_ = asked_id_;
}

void Player::take_finished() {
  if (std::optional<BackgroundEvaluator::Survey> survey = background_.take_survey()) {
    survey_ = std::move(*survey);
    ++survey_number_;
  }
  std::optional<BackgroundEvaluator::Finished> finished = background_.take();
  if (advancing_ && (finished ? finished->advanced : !background_.busy())) advancing_ = false;
  if (!finished || finished->id <= ignored_id_) return;
  if (finished->live && finished->id >= restart_id_) {
    restart_live_ = false;
    restore_live_ = nullptr;
  }
  const bool stepped = finished->live ? finished->advanced
                                      : !shot_ || shot_->context.frame != finished->context.frame;
  // A step that went wrong was none.
  if (finished->advanced && !restarting()) frame_ = finished->live->frame;
  const double seconds = finished->seconds;
  auto shot = std::make_shared<Shot>();
  shot->graph = std::move(finished->graph);
  shot->context = std::move(finished->context);
  shot->evaluation = std::move(finished->evaluation);
  shot->clock = finished->live ? ClockKind::live : ClockKind::timeline;
  shot->live = std::move(finished->live);
  for (std::size_t i = 0; i < shot->evaluation.nodes.size(); ++i)
    shot->by_path_[shot->graph->node(shot->evaluation.nodes[i].node).path] = i;
  shot_ = std::move(shot);
  ++shot_number_;
  gather_messages();
  if (shot_->clock == ClockKind::timeline && scene_ && &scene_->graph() == shot_->graph.get()) {
    std::vector<Key> results;
    for (const Target& t : scene_->targets())
      for (const TargetResult& r : shot_->evaluation.targets)
        if (r.target == t) results.push_back(r.result_key);
    note_computed(shot_->context.frame, results);
  }
  // A mere look at where things stand is no frame of the motion.
  if (playing_ && stepped) note_pace(seconds);
}

void Player::note_pace(double seconds) {
  average(seconds_per_frame_, seconds);
  if (last_shot_at_ > 0 && last_now_ > last_shot_at_) {
    double mean = reached_fps_ > 0 ? 1 / reached_fps_ : 0;
    average(mean, last_now_ - last_shot_at_);
    reached_fps_ = 1 / mean;
  }
  last_shot_at_ = last_now_;
}

void Player::gather_messages() {
  messages_ = session_.graph()->messages();
  for (const NodeMessage& m : session_.notes()) messages_.push_back(m);
  std::erase_if(said_,
                [&](const NodeMessage& m) { return session_.graph()->find_sink(m.path) < 0; });
  messages_.insert(messages_.end(), said_.begin(), said_.end());
  if (!shot_) return;
  if (!shot_->evaluation.trouble.empty())
    messages_.push_back({"", "", {Severity::error, shot_->evaluation.trouble}});
  for (NodeMessage& m : shot_->evaluation.messages(*shot_->graph))
    if (std::find(messages_.begin(), messages_.end(), m) == messages_.end())
      messages_.push_back(std::move(m));
}

void Player::say_of(const std::string& path, std::vector<Message> messages) {
  std::erase_if(said_, [&](const NodeMessage& m) { return m.path == path; });
  const int sink = session_.graph()->find_sink(path);
  for (Message& m : messages)
    if (sink >= 0) said_.push_back({path, session_.graph()->node(sink).type->id, std::move(m)});
  gather_messages();
}

std::vector<Message> Player::messages_of(const std::string& path) const {
  std::vector<Message> list;
  for (const NodeMessage& m : messages_)
    if (m.path == path) list.push_back(m.message);
  return list;
}

// The next frame is asked for when its time has come and the last one is there: it never runs ahead
// of itself, and a slow graph plays slowly instead of skipping. True if it was asked for.
bool Player::tick(double now) {
  if (!playing_ || fps() <= 0) return false;
  if (next_tick_ == 0) next_tick_ = now;
  if (now < next_tick_ || advancing_) return false;
  const bool live = clock_ == ClockKind::live;
  // A live step takes the place of a mere look at where things stand, so that a slider that moves
  // all the time does not stop the clock.
  if (live ? restarting() : background_.busy()) return false;
  const double step = 1 / (fps() * std::max(speed, 1e-3));
  // What was late stays late: catching up would be a jump.
  next_tick_ = std::max(next_tick_ + step, now + 0.25 * step);
  if (live) return ask(true), true;
  if (frame_ >= last_frame() || frame_ < first_frame()) {
    if (!loops && frame_ >= last_frame()) return play(false), false;
    frame_ = first_frame();
  } else {
    ++frame_;
  }
  return ask(false), true;
}

// Whether somebody wants to see something that was not asked for.
bool Player::wants_more() {
  const auto before = [](const Target& a, const Target& b) {
    return std::pair(a.node, a.output) < std::pair(b.node, b.output);
  };
  std::sort(watched_.begin(), watched_.end(), before);
  watched_.erase(std::unique(watched_.begin(), watched_.end()), watched_.end());
  const bool more = !std::includes(asked_watched_.begin(), asked_watched_.end(), watched_.begin(),
                                   watched_.end(), before);
  asked_watched_ = std::exchange(watched_, {});
  if (more) return true;
  // Flags may have been set since. An evaluation that went wrong as a whole is not tried again.
  if (!scene_ || !shot_ || background_.busy() || !shot_->evaluation.trouble.empty()) return false;
  const std::vector<TargetResult>& there = shot_->evaluation.targets;
  return std::any_of(scene_->targets().begin(), scene_->targets().end(), [&](const Target& t) {
    return std::none_of(there.begin(), there.end(),
                        [&](const TargetResult& r) { return r.target == t; });
  });
}

// At once, so that nobody sees something of the document before.
void Player::begin_document() {
  background_.cancel();
  ignored_id_ = asked_id_;
  play(false);
  loop_range_.reset();
  clock_ = ClockKind::timeline;
  recording_ = false;
  recorder_.clear();
  notices_.clear();
  shot_ = nullptr;
  scene_.reset();
  nothing_to_see_.clear();
  planned_revision_ = 0;
  watched_.clear();
  asked_watched_.clear();
  said_.clear();
  gather_messages();
  survey_.reset();
  computed_.clear();
  go_to(session_.doc().settings.first_frame);
}

void Player::update(double now) {
  last_now_ = now;
  take_finished();
  if (planned_revision_ != session_.revision()) plan_scene();
  if (asked_revision_ != session_.graph_revision()) {
    cancelled_ = false;
    wanted_ = true;
    gather_messages();
  }
  if (wants_more()) wanted_ = true;
  if (advancing_) return;
  if (steps_to_come_ > 0 && !restarting()) {
    --steps_to_come_;
    return ask(true);
  }
  if (tick(now) || !wanted_ || cancelled_) return;
  // What runs may finish if it is quick: while a slider moves, something is seen to move. What is
  // slow is dropped for what is newer.
  if (!background_.busy() || background_.running_seconds() > drop_after) ask(false);
}

void Player::cancel() {
  background_.cancel();
  // The step under way was not taken.
  if (advancing_) --frame_;
  playing_ = false;
  advancing_ = false;
  steps_to_come_ = 0;
  cancelled_ = true;
  wanted_ = false;
}

// What nodes have kept of what they had done is used.
void Player::go_on() {
  if (std::exchange(cancelled_, false)) wanted_ = true;
}

void Player::settle() {
  for (int i = 0; i < 3 || (steps_to_come_ > 0 && i < 1000); ++i) {
    watched_ = asked_watched_;  // nobody draws in between
    update(last_now_ == 0 ? seconds_now() : last_now_);
    background_.wait_until_idle();
    take_finished();
  }
}

// ---- What is at hand ----------------------------------------------------------------------------

namespace {

Key all_of(const std::vector<Key>& results) {
  KeyHasher hasher(0xB0);
  for (const Key& key : results) hasher.key(key);
  return hasher.finish();
}

}  // namespace

bool Player::survey_fits() const {
  const Settings& settings = session_.doc().settings;
  const auto frames =
      std::min<int64_t>(int64_t{settings.last_frame} - settings.first_frame + 1, most_surveyed);
  return survey_ && scene_ && survey_->graph == session_.graph() &&
         survey_->targets == scene_->targets() && survey_->first == settings.first_frame &&
         static_cast<int64_t>(survey_->keys.size()) == frames;
}

void Player::note_computed(int frame, const std::vector<Key>& results) {
  computed_[frame] = all_of(results);
}

void Player::use_bake(std::shared_ptr<BakeStore> bake) {
  bake_ = std::move(bake);
  evaluator_.set_bake(bake_);
}

const std::vector<FrameState>& Player::frame_states() {
  const std::array<uint64_t, 4> now = {shot_number_, survey_number_, session_.graph_revision(),
                                       bake_ ? bake_->revision() : 0};
  if (now == states_of_) return states_;
  states_of_ = now;
  const bool fits = survey_fits();
  const int first = session_.doc().settings.first_frame;
  const int count = std::clamp(session_.doc().settings.last_frame - first + 1, 0, most_surveyed);
  states_.assign(static_cast<std::size_t>(count), FrameState::unknown);
  for (int i = 0; i < count; ++i) {
    FrameState& state = states_[static_cast<std::size_t>(i)];
    const auto computed = computed_.find(first + i);
    if (computed != computed_.end()) state = FrameState::stale;
    if (!fits) continue;
    const std::vector<Key>& results = survey_->keys[static_cast<std::size_t>(i)];
    const auto all = [&](const auto& is_there) {
      return std::any_of(results.begin(), results.end(), [](const Key& k) { return bool(k); }) &&
             std::all_of(results.begin(), results.end(),
                         [&](const Key& k) { return !k || is_there(k); });
    };
    if (bake_ && all([&](const Key& k) { return bake_->has(k); }))
      state = FrameState::baked;
    else if (all([&](const Key& k) { return evaluator_.cache().contains(k); }))
      state = FrameState::valid;
    // It was computed for this very graph, and is no longer kept.
    else if (computed != computed_.end() && computed->second == all_of(results))
      state = FrameState::unknown;
  }
  return states_;
}

}  // namespace sinew::editor
