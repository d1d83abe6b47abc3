#include "app/editor/player.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/cli/open_graph.h"

namespace sinew::editor {
namespace {

// Where the flags are kept: in the layout of the document's own graph.
constexpr const char* shown_key = "shown";

double seconds_now() {
  using namespace std::chrono;
  return duration<double>(steady_clock::now().time_since_epoch()).count();
}

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

void Player::go_to(int frame) {
  frame_ = std::max(frame, session_.doc().settings.first_frame);
  restart_live_ = clock_ == ClockKind::live;
  restore_live_ = nullptr;
  cancelled_ = false;
  wanted_ = true;
}

void Player::step(int frames) {
  playing_ = false;
  if (clock_ == ClockKind::live && frames == 1 && !restart_live_) return ask(true);
  go_to(frame_ + frames);
}

void Player::set_clock(ClockKind clock) {
  if (clock == clock_) return;
  if (clock == ClockKind::timeline) {
    if (recording_) record(false);
    // The live frame may lie beyond the end of the timeline.
    frame_ = std::clamp(
        frame_, session_.doc().settings.first_frame,
        std::max(session_.doc().settings.first_frame, session_.doc().settings.last_frame));
  }
  clock_ = clock;
  go_to(frame_);
}

void Player::restart() { go_to(first_frame()); }

void Player::restore(std::shared_ptr<const LiveState> live) {
  if (!live || clock_ != ClockKind::live) return;
  frame_ = live->frame;
  restore_live_ = std::move(live);
  restart_live_ = false;
  wanted_ = true;
}

std::vector<std::string> Player::shown() const {
  std::vector<std::string> names;
  const Json& extra = session_.doc().graph.layout.extra;
  const auto found = extra.find(shown_key);
  if (found == extra.end() || !found->is_array()) return names;
  for (const Json& name : *found)
    if (name.is_string()) names.push_back(name.get<std::string>());
  return names;
}

void Player::show(std::vector<std::string> outputs) {
  std::optional<Json> value;
  if (!outputs.empty()) value = Json(outputs);
  (void)session_.apply(
      {outputs.empty() ? "Show the viewers" : fmt::format("Show {}", outputs.back()),
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
}

void Player::ask(bool advance) {
  if (planned_revision_ != session_.revision()) plan_scene();
  BackgroundEvaluator::Request request;
  request.graph = session_.graph();
  if (scene_) request.targets = scene_->targets();
  for (const Target& t : asked_watched_)
    if (std::find(request.targets.begin(), request.targets.end(), t) == request.targets.end() &&
        t.node < request.graph->size())
      request.targets.push_back(t);
  request.live = clock_ == ClockKind::live;
  if (request.live) {
    request.from_timeline = restart_live_;
    request.restart = restore_live_;
    request.advance = advance && !restart_live_;
    if (request.advance) ++frame_;
    advancing_ = request.advance;
  }
  restart_live_ = false;
  restore_live_ = nullptr;
  request.context = context_at(frame_);
  wanted_ = false;
  cancelled_ = false;
  asked_revision_ = session_.graph_revision();
  asked_id_ = background_.submit(std::move(request));
}

void Player::take() {
  std::optional<BackgroundEvaluator::Finished> finished = background_.take();
  if (!finished) {
    if (advancing_ && !background_.busy()) advancing_ = false;
    return;
  }
  taken_id_ = finished->id;
  if (finished->advanced) advancing_ = false;
  auto shot = std::make_shared<Shot>();
  shot->graph = std::move(finished->graph);
  shot->context = std::move(finished->context);
  shot->evaluation = std::move(finished->evaluation);
  shot->clock = finished->live ? ClockKind::live : ClockKind::timeline;
  shot->live = std::move(finished->live);
  for (std::size_t i = 0; i < shot->evaluation.nodes.size(); ++i)
    shot->by_path_[shot->graph->node(shot->evaluation.nodes[i].node).path] = i;
  shown_frame_ = shot->context.frame;
  shot_ = std::move(shot);
  ++shot_number_;
  gather_messages();
  if (!playing_) return;
  double busy = 0;
  for (const NodeReport& r : shot_->evaluation.nodes)
    if (r.fate == NodeReport::Fate::ran) busy += r.seconds;
  average(seconds_per_frame_, busy);
  if (last_shot_at_ > 0 && last_now_ > last_shot_at_) {
    const double fps = 1 / (last_now_ - last_shot_at_);
    average(reached_fps_, fps);
  }
  last_shot_at_ = last_now_;
}

void Player::gather_messages() {
  messages_ = session_.graph()->messages();
  for (const NodeMessage& m : session_.notes()) messages_.push_back(m);
  if (!shot_) return;
  for (NodeMessage& m : shot_->evaluation.messages(*shot_->graph))
    if (std::find(messages_.begin(), messages_.end(), m) == messages_.end())
      messages_.push_back(std::move(m));
}

std::vector<Message> Player::messages_of(const std::string& path) const {
  std::vector<Message> list;
  for (const NodeMessage& m : messages_)
    if (m.path == path) list.push_back(m.message);
  return list;
}

// The next frame is asked for when its time has come and the last one is there: it never runs ahead
// of itself, and a slow graph plays slowly instead of skipping.
void Player::tick(double now) {
  if (!playing_ || fps() <= 0) return;
  if (next_tick_ == 0) next_tick_ = now;
  if (now < next_tick_ || advancing_ || background_.busy()) return;
  const double step = 1 / (fps() * std::max(speed, 1e-3));
  // What was late stays late: catching up would be a jump.
  next_tick_ = std::max(next_tick_ + step, now + 0.25 * step);
  if (clock_ == ClockKind::live) return ask(true);
  if (frame_ >= last_frame() || frame_ < first_frame()) {
    if (!loops && frame_ >= last_frame()) return play(false);
    frame_ = first_frame();
  } else {
    ++frame_;
  }
  ask(false);
}

void Player::update(double now) {
  last_now_ = now;
  if (seen_document_ != session_.document_count()) {
    seen_document_ = session_.document_count();
    loop_range_.reset();
    clock_ = ClockKind::timeline;
    recording_ = false;
    recorder_.clear();
    shot_ = nullptr;
    go_to(session_.doc().settings.first_frame);
  }
  take();
  if (planned_revision_ != session_.revision()) plan_scene();
  if (asked_revision_ != session_.graph_revision()) {
    cancelled_ = false;
    wanted_ = true;
    gather_messages();
  }
  // Somebody wants to see something that was not asked for.
  std::sort(watched_.begin(), watched_.end(), [](const Target& a, const Target& b) {
    return std::pair(a.node, a.output) < std::pair(b.node, b.output);
  });
  watched_.erase(std::unique(watched_.begin(), watched_.end()), watched_.end());
  const bool more =
      !std::includes(asked_watched_.begin(), asked_watched_.end(), watched_.begin(), watched_.end(),
                     [](const Target& a, const Target& b) {
                       return std::pair(a.node, a.output) < std::pair(b.node, b.output);
                     });
  asked_watched_ = std::exchange(watched_, {});
  const bool scene_changed =
      scene_ && shot_ &&
      std::any_of(scene_->targets().begin(), scene_->targets().end(), [&](const Target& t) {
        return std::none_of(shot_->evaluation.targets.begin(), shot_->evaluation.targets.end(),
                            [&](const TargetResult& r) { return r.target == t; });
      });
  if (more || (scene_changed && !background_.busy() && !cancelled_)) wanted_ = true;
  if (wanted_ && !cancelled_ && !advancing_) ask(false);
  tick(now);
}

void Player::cancel() {
  background_.cancel();
  playing_ = false;
  advancing_ = false;
  cancelled_ = true;
  wanted_ = false;
}

void Player::settle() {
  for (int i = 0; i < 3; ++i) {
    update(last_now_ == 0 ? seconds_now() : last_now_);
    background_.wait_until_idle();
    take();
  }
}

// What is set while the live clock runs becomes part of the recording.
void Player::note(const std::vector<Edit>& edits) {
  if (!recording_ || clock_ != ClockKind::live) return;
  for (const Edit& edit : edits) {
    const auto* set = std::get_if<edit::SetParam>(&edit);
    if (!set || !set->graph.empty()) continue;
    const NodeDoc* before = recorded_from_.graph.find(set->node);
    const NodeDoc* now = session_.doc().graph.find(set->node);
    const NodeType* type = now ? session_.type_of(*now) : nullptr;
    const int index = type ? type->find_input(set->input) : -1;
    if (index < 0) continue;
    const InputInfo& info = type->inputs[static_cast<std::size_t>(index)];
    const auto value_in = [&](const NodeDoc* node) -> Value {
      if (!node) return info.standard;
      const auto found = node->params.find(set->input);
      if (found == node->params.end()) return info.standard;
      if (info.type == &type_of<Choice>() && found->second.is_string())
        return Value::of(found->second.get<std::string>());
      if (!info.type->from_json) return {};
      const Result<Value> value = info.type->from_json(found->second);
      return value ? *value : Value();
    };
    const Value from = value_in(before), to = value_in(now);
    if (!from || !to) continue;
    recorder_.begin(set->node, set->input, session_.doc().settings.first_frame, from);
    // It is seen by the next step.
    recorder_.event(set->node, set->input, frame_ + 1, to);
  }
}

void Player::record(bool on) {
  if (on == recording_) return;
  recording_ = on;
  if (on) {
    recorder_.clear();
    recorded_from_ = session_.doc();
    set_clock(ClockKind::live);
    if (!playing_) play(true);
    return;
  }
  if (recorder_.empty()) return;
  Result<Command> command = recorder_.to_command(session_.registry(), "");
  recorder_.clear();
  if (!command) {
    (void)session_.apply({command.error(), {}, ""});
    return;
  }
  session_.seal();
  (void)session_.apply(std::move(*command));
}

}  // namespace sinew::editor
