#include "app/editor/panels/timeline/keys.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/ui/landmarks.h"
#include "app/ui/theme.h"
#include "graph/frame_time.h"
#include "graph/literal_forms.h"

namespace sinew::editor {
namespace {

constexpr double same_time = 1e-6;

// The charts of an animated parameter: one, or one for each number of it.
std::vector<Json*> charts_of(Json& animate) {
  const auto is_chart = [](const Json& j) {
    if (j.is_object()) return j.contains("points");
    return j.is_array() && !j.empty() && j[0].is_array() && !j[0].empty() && j[0][0].is_number();
  };
  if (is_chart(animate)) return {&animate};
  std::vector<Json*> charts;
  if (animate.is_array())
    for (Json& part : animate)
      if (is_chart(part)) charts.push_back(&part);
  return charts;
}

Json& points_of(Json& chart) { return chart.is_object() ? chart["points"] : chart; }

// Charts over time count seconds unless they say otherwise.
double frames_per_unit(const Json& chart, double fps) {
  return chart.is_object() && chart.value("x_unit", Json()) == "frames" ? 1 : fps;
}

bool is_point(const Json& point) {
  return point.is_array() && point.size() == 2 && point[0].is_number();
}

// Every list of points in time that a parameter has, with the frames of one unit.
struct Track {
  Json* points;
  double unit;
};

std::vector<Track> tracks_of(Json& param, double fps) {
  std::vector<Track> tracks;
  if (!param.is_object()) return tracks;
  if (const auto animate = param.find("animate"); animate != param.end())
    for (Json* chart : charts_of(*animate)) {
      const double unit = frames_per_unit(*chart, fps);
      tracks.push_back({&points_of(*chart), unit});
    }
  if (const auto steps = param.find("steps"); steps != param.end() && steps->is_array())
    tracks.push_back({&*steps, 1});
  return tracks;
}

// Charts of several numbers often have their points at the same times: one key moves all of them.
std::vector<double> times_of(const std::vector<Track>& tracks) {
  std::vector<double> times;
  for (const Track& track : tracks)
    for (const Json& point : *track.points)
      if (is_point(point)) times.push_back(point[0].get<double>() * track.unit);
  std::sort(times.begin(), times.end());
  times.erase(
      std::unique(times.begin(), times.end(), [](double a, double b) { return b - a < same_time; }),
      times.end());
  return times;
}

}  // namespace

std::vector<TimeKey> time_keys(const std::string& node, const std::string& input, const Json& param,
                               const TypeInfo* type, double fps) {
  std::vector<TimeKey> keys;
  Json copy = param;
  for (const double frame : times_of(tracks_of(copy, fps)))
    keys.push_back({node, input, static_cast<int>(keys.size()), frame, true, true});
  if (!keys.empty() || !type || !type->frames || !type->from_json) return keys;
  const Result<Value> value = type->from_json(param);
  if (!value) return keys;
  for (const double frame : type->frames(value->data()))
    keys.push_back({node, input, static_cast<int>(keys.size()), frame, bool(type->with_frame),
                    literal_forms(*type).frames.has_value()});
  return keys;
}

std::optional<Json> without_key(const Json& param, int index, const TypeInfo* type, double fps) {
  Json next = param;
  const std::vector<Track> tracks = tracks_of(next, fps);
  const std::vector<double> times = times_of(tracks);
  if (index < 0) return std::nullopt;
  const std::size_t at = static_cast<std::size_t>(index);
  if (times.empty() && type && literal_forms(*type).frames)
    return literal_forms(*type).frames->without(param, at);
  // A chart has one point at the least.
  if (at >= times.size() || times.size() < 2) return std::nullopt;
  for (const Track& track : tracks) {
    Json left = Json::array();
    for (const Json& point : *track.points)
      if (!is_point(point) || std::abs(point[0].get<double>() * track.unit - times[at]) > same_time)
        left.push_back(point);
    if (!left.empty()) *track.points = std::move(left);
  }
  return next;
}

std::optional<Json> retimed(const Json& param, int index, double frame, const TypeInfo* type,
                            double fps) {
  Json next = param;
  const std::vector<Track> tracks = tracks_of(next, fps);
  const std::vector<double> times = times_of(tracks);
  if (times.empty() && index >= 0 && type && type->with_frame)
    return type->with_frame(param, static_cast<std::size_t>(index), frame);
  if (index < 0 || index >= static_cast<int>(times.size())) return std::nullopt;
  const std::size_t at = static_cast<std::size_t>(index);
  // Never onto a neighbour: two points at one time would be one, or a jump.
  const bool steps = next.contains("steps");
  const double gap = steps ? 1 : 0.01;
  if (at > 0) frame = std::max(frame, times[at - 1] + gap);
  if (at + 1 < times.size()) frame = std::min(frame, times[at + 1] - gap);
  if (steps) frame = std::round(frame);
  for (const Track& track : tracks)
    for (Json& point : *track.points) {
      if (!is_point(point) || std::abs(point[0].get<double>() * track.unit - times[at]) > same_time)
        continue;
      if (steps)
        point[0] = static_cast<int>(frame);
      else
        point[0] = std::round(seconds_at(frame, track.unit) * 1e6) / 1e6;
    }
  return next;
}

void KeyLane::gather() {
  const Session& session = editor_.session;
  if (revision_ == session.revision() && selection_ == session.selection_revision()) return;
  revision_ = session.revision();
  selection_ = session.selection_revision();
  keys_.clear();
  for (const std::string& id : session.selection()) {
    const NodeDoc* node = session.body().find(id);
    if (!node) continue;
    for (const auto& [input, param] : node->params) {
      const InputInfo* info = session.input_of(id, input);
      for (TimeKey& key :
           time_keys(id, input, param, info ? info->type : nullptr, editor_.player.fps()))
        keys_.push_back(std::move(key));
    }
  }
}

void KeyLane::set(const std::string& words, const TimeKey& key, Json param,
                  const std::string& merge) {
  (void)editor_.session.apply(
      {words,
       {edit::SetParam{editor_.session.graph_name(), key.node, key.input, std::move(param)}},
       merge});
}

void KeyLane::drag(double frame) {
  const Json* param = editor_.session.param(dragged_->node, dragged_->input);
  const InputInfo* info = editor_.session.input_of(dragged_->node, dragged_->input);
  if (!param) return;
  const auto next =
      retimed(*param, dragged_->index, frame, info ? info->type : nullptr, editor_.player.fps());
  if (!next || *next == *param) return;
  set(fmt::format("Retime {}", info ? info->label : dragged_->input), *dragged_, *next,
      fmt::format("retime {} {} {}", dragged_->node, dragged_->input, dragged_->index));
}

void KeyLane::remove(const TimeKey& key) {
  const Json* param = editor_.session.param(key.node, key.input);
  const InputInfo* info = editor_.session.input_of(key.node, key.input);
  if (!param || !key.removes) return;
  auto next = without_key(*param, key.index, info ? info->type : nullptr, editor_.player.fps());
  if (!next || *next == *param)
    return editor_.notify(NoticeKind::info, "The last key stays: reset the parameter instead.");
  set(fmt::format("Remove a key of {}", info ? info->label : key.input), key, std::move(*next), "");
}

void KeyLane::remove_hot() {
  if (hot_) remove(*std::exchange(hot_, std::nullopt));
}

namespace {

// The first input that keys are put into by hand.
const InputInfo* keyed_input(const Session& session, const std::string& id) {
  const NodeDoc* node = session.body().find(id);
  if (!node) return nullptr;
  for (const InputInfo& info : session.inputs_of(*node))
    if (info.type && literal_forms(*info.type).frames && !session.link_into(id, info.name))
      return &info;
  return nullptr;
}

}  // namespace

bool KeyLane::can_add() const {
  const Session& session = editor_.session;
  return std::any_of(session.selection().begin(), session.selection().end(),
                     [&](const std::string& id) { return keyed_input(session, id) != nullptr; });
}

// To all chosen nodes at once: bodies that meet are often keyed together.
void KeyLane::add(double frame) {
  Session& session = editor_.session;
  std::vector<Edit> edits;
  for (const std::string& id : session.selection()) {
    const InputInfo* info = keyed_input(session, id);
    if (!info) continue;
    const Json* written = session.param(id, info->name);
    const Json before = written ? *written : info->standard ? info->standard.to_json() : Json();
    Json next = literal_forms(*info->type).frames->with_new(before, frame);
    if (next != before)
      edits.push_back(edit::SetParam{session.graph_name(), id, info->name, std::move(next)});
  }
  if (edits.empty())
    return editor_.notify(NoticeKind::info, fmt::format("There is a key at frame {:g}.", frame));
  (void)session.apply({fmt::format("Add a key at frame {:g}", frame), std::move(edits), ""});
}

void KeyLane::say_hint(const TimeKey& near) const {
  std::string words = "Click: go there";
  if (near.moves) words = "Drag: to another time    " + words;
  if (near.removes) words += "    Right click or Delete: remove it";
  editor_.hint(std::move(words));
}

bool KeyLane::draw(float top, float bottom, const std::function<float(double)>& x_of,
                   const std::function<double(float)>& frame_at) {
  gather();
  const ImGuiIO& io = ImGui::GetIO();
  const float middle = (top + bottom) / 2, r = std::min(ui::px(4.5f), (bottom - top) / 2);
  const bool free = ImGui::IsItemHovered() || dragged_;
  const TimeKey* near = nullptr;
  float distance = ui::px(7);
  for (const TimeKey& key : keys_) {
    const float away = std::abs(io.MousePos.x - x_of(key.frame));
    if (!free || io.MousePos.y < top || io.MousePos.y > bottom || away >= distance) continue;
    near = &key;
    distance = away;
  }
  ImDrawList& list = *ImGui::GetWindowDrawList();
  for (const TimeKey& key : keys_) {
    const float x = x_of(key.frame);
    const bool held = dragged_ && dragged_->node == key.node && dragged_->input == key.input &&
                      dragged_->index == key.index;
    const ImU32 colour = held || near == &key ? ui::theme().accent : ui::theme().text;
    if (key.moves)
      list.AddNgonFilled(ImVec2(x, middle), r, colour, 4);
    else
      list.AddCircleFilled(ImVec2(x, middle), 0.7f * r, ui::theme().warning);
    ui::mark_area("timeline.key", fmt::format("{}.{}.{}", key.node, key.input, key.index),
                  ImVec2(x - r, middle - r), ImVec2(x + r, middle + r));
  }
  hot_ = near && !dragged_ ? std::optional(*near) : std::nullopt;
  if (near && !dragged_) {
    const InputInfo* info = editor_.session.input_of(near->node, near->input);
    ImGui::SetTooltip("%s, frame %g", (info ? info->label : near->input).c_str(),
                      std::round(near->frame * 100) / 100);
    say_hint(*near);
    if (ImGui::IsMouseClicked(1) && near->removes) {
      remove_hot();
      return true;
    }
    if (near->moves && ImGui::IsMouseClicked(0)) {
      dragged_ = *near;
      pressed_x_ = io.MousePos.x;
      moved_ = false;
    }
  }
  if (!dragged_) return near != nullptr;
  if (!ImGui::IsMouseDown(0)) {
    if (!moved_) editor_.player.go_to(static_cast<int>(std::lround(dragged_->frame)));
    dragged_.reset();
    editor_.session.seal();
    return true;
  }
  moved_ = moved_ || std::abs(io.MousePos.x - pressed_x_) >= ui::px(3);
  // To whole frames, with Alt anywhere.
  const double frame = frame_at(io.MousePos.x);
  if (moved_ && io.MouseDelta.x != 0) drag(io.KeyAlt ? frame : std::round(frame));
  return true;
}

}  // namespace sinew::editor
