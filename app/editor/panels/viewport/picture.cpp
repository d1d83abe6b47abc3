#include "app/editor/panels/viewport/picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/ui/theme.h"
#include "render/bounds.h"

namespace sinew::editor {
namespace {

constexpr double slow_seconds = 0.024;  // of a whole frame, above which it is coarser in motion
constexpr double rest_seconds = 0.18;   // after which it is sharp again
constexpr float sign_size = 0.78f;      // words as large as those of the interface
constexpr int least_side = 240;         // pixels of a coarse picture: smaller ones cannot be read

bool same(const ShowOptions& a, const ShowOptions& b) {
  if (a.map != b.map || a.range != b.range || a.section.has_value() != b.section.has_value())
    return false;
  return !a.section ||
         (a.section->point == b.section->point && a.section->normal == b.section->normal);
}

template <class T>
void append(std::vector<T>& list, const std::vector<T>& more) {
  list.insert(list.end(), more.begin(), more.end());
}

// Without colour scales: those are of the scene.
void append(draw::DrawList& list, const draw::DrawList& more) {
  append(list.meshes, more.meshes);
  append(list.lines, more.lines);
  append(list.points, more.points);
  append(list.glyphs, more.glyphs);
  append(list.ellipsoids, more.ellipsoids);
  append(list.planes, more.planes);
  append(list.lattices, more.lattices);
  append(list.labels, more.labels);
}

}  // namespace

std::vector<Target> ScenePicture::beside_targets() const {
  std::vector<Target> targets;
  const Session& session = sight_.editor.session;
  const CompiledGraph& graph = *session.graph();
  for (const std::string& id : session.selection()) {
    const int node = graph.find_node(session.path_of(id));
    if (node < 0) continue;
    const std::vector<OutputInfo>& outputs = graph.node(node).type->outputs;
    for (std::size_t i = 0; i < outputs.size(); ++i)
      if (outputs[i].shown_when_chosen && outputs[i].type && can_show(*outputs[i].type))
        targets.push_back({node, static_cast<int>(i)});
  }
  return targets;
}

// Drawn anew only where it is another: ghosts of many poses take their time, and stay the same
// while something plays.
void ScenePicture::find_beside() {
  const Player& player = sight_.editor.player;
  const CompiledGraph& graph = *sight_.editor.session.graph();
  std::vector<Target> targets;
  if (sight_.handles) targets = beside_targets();
  const bool fits = player.shot() && player.shot()->graph->size() == graph.size();
  // What is shown anyway is not shown twice.
  const auto is_shown = [&](const Key& key) {
    const auto& there = player.shot()->evaluation.targets;
    return player.scene() && std::any_of(there.begin(), there.end(), [&](const TargetResult& r) {
             const auto& wanted = player.scene()->targets();
             return r.key == key &&
                    std::find(wanted.begin(), wanted.end(), r.target) != wanted.end();
           });
  };
  std::vector<Beside> now;
  for (const Target& target : targets) {
    sight_.editor.player.watch(target);
    const auto is_it = [&](const Beside& b) { return b.target == target; };
    const auto known = std::find_if(beside_.begin(), beside_.end(), is_it);
    const TargetResult* result = fits ? player.shot()->result(target) : nullptr;
    Beside one{target, {}, {}};
    if (known != beside_.end() && (!result || result->key == known->key)) {
      one = std::move(*known);
    } else if (result) {
      const CompiledNode& node = graph.node(target.node);
      const std::string name =
          node.path + "." + node.type->outputs[static_cast<std::size_t>(target.output)].name;
      one.key = result->key;
      if (!is_shown(result->key))
        (void)sinew::show(Shown{name, name, result->value, result->key, {}, {}}, {}, one.list);
      beside_changed_ = true;
    }
    now.push_back(std::move(one));
  }
  beside_changed_ = beside_changed_ || now.size() != beside_.size();
  beside_ = std::move(now);
}

void ScenePicture::add_beside() {
  beside_changed_ = false;
  // Seen, but not touched: a ghost is often just where the body is.
  for (const Beside& one : beside_) append(sight_.list, one.list);
}

bool ScenePicture::take() {
  const Session& session = sight_.editor.session;
  const Player& player = sight_.editor.player;
  const bool another = document_ != session.document_count();
  if (another) {
    document_ = session.document_count();
    sight_.box.setEmpty();
    sight_.list = sight_.whole = {};
    sight_.show = {};
    scales_ = {};
    beside_.clear();
    shot_ = 0;
    sight_.dirty = true;
  }
  find_beside();
  const bool new_shot = shot_ != player.shot_number();
  if (!new_shot && !beside_changed_ && plan_ == player.plan_number() &&
      same(shown_with_, sight_.show))
    return another;
  plan_ = player.plan_number();
  const bool moves = new_shot && player.playing();
  find_problem();
  if (problem_.empty()) take_list();
  if (moves) sight_.moved();
  return another;
}

void ScenePicture::take_list() {
  const Player& player = sight_.editor.player;
  if (!player.shot() || !player.scene() || &player.scene()->graph() != player.shot()->graph.get())
    return;
  const Evaluation& evaluation = player.shot()->evaluation;
  Scene::Drawn drawn = player.scene()->draw(evaluation, sight_.show);
  if (drawn.list.empty() && !drawn.problems.empty()) {
    problem_ = drawn.problems.front();
    return;
  }
  if (drawn.list.empty()) return;  // it was not asked for yet
  shot_ = player.shot_number();
  shown_with_ = sight_.show;
  sight_.list = std::move(drawn.list);
  if (!sight_.show.range) {
    scales_.see(sight_.list);
    scales_.apply(sight_.list);
  }
  ShowOptions without = sight_.show;
  without.section.reset();
  sight_.whole = sight_.show.section ? player.scene()->draw(evaluation, without).list : sight_.list;
  sight_.box.extend(render::bounds_of(sight_.whole));
  add_beside();
  if (!sight_.box.isEmpty()) sight_.view.floor = sight_.box.min().y();
  sight_.dirty = true;
}

// Errors of what is shown count, or of what it is made from; warnings do not. Where something can
// be seen all the same, the errors of the rest are left to their nodes.
void ScenePicture::find_problem() {
  const Player& player = sight_.editor.player;
  problem_.clear();
  problem_node_.clear();
  if (!player.scene()) {
    problem_ = player.nothing_to_see();
    return;
  }
  if (!player.shot() || player.shot()->graph.get() != &player.scene()->graph()) return;
  const Shot& shot = *player.shot();
  const std::vector<Target>& targets = player.scene()->targets();
  const auto any = [&](bool has_value) {
    return std::any_of(targets.begin(), targets.end(), [&](const Target& t) {
      return std::any_of(
          shot.evaluation.targets.begin(), shot.evaluation.targets.end(),
          [&](const TargetResult& r) { return r.target == t && bool(r.value) == has_value; });
    });
  };
  if (!any(false) || any(true)) return;
  shot_ = player.shot_number();
  for (const NodeMessage& m : player.messages()) {
    if (m.message.severity != Severity::error) continue;
    problem_ = m.message.text;
    problem_node_ = m.path;
    return;
  }
  problem_ = "What is shown could not be computed.";
}

bool ScenePicture::is_slow() {
  const std::string wish = sight_.editor.preferences.get<std::string>("viewport.coarse", "auto");
  if (wish != "auto") return wish == "always";
  if (painted_) {
    const double last = sight_.editor.host.present_seconds() * (coarse_ ? 2.5 : 1);
    mean_seconds_ = mean_seconds_ == 0 ? last : 0.8 * mean_seconds_ + 0.2 * last;
  }
  return mean_seconds_ > slow_seconds;
}

void ScenePicture::paint() {
  const double now = sight_.editor.now();
  const bool slow = is_slow();
  painted_ = false;
  if (!sight_.editor.host.is_seen) return;
  if (std::exchange(sight_.moving, false)) moved_at_ = now;
  const bool moves = slow && moved_at_ >= 0 && now - moved_at_ < rest_seconds;
  if (moves) sight_.editor.want_frames(rest_seconds + 0.1);
  int width = static_cast<int>(sight_.size.x), height = static_cast<int>(sight_.size.y);
  if (moves && std::min(width, height) / 2 >= least_side) {
    width /= 2;
    height /= 2;
  }
  const bool sharpen = coarse_ && !moves;
  if (std::exchange(scale_, ui::scale()) != ui::scale()) sight_.dirty = true;
  if (!sight_.dirty && !sharpen && (coarse_ || (width == width_ && height == height_))) return;
  coarse_ = width != static_cast<int>(sight_.size.x);
  sight_.view.look.sign_size =
      sign_size * ui::scale() * static_cast<float>(width) / std::max(sight_.size.x, 1.0f);
  width_ = width;
  height_ = height;
  render::FrameReport report;
  page_ = renderer_.paint(sight_.list, sight_.view, width, height, report);
  sight_.dirty = false;
  painted_ = true;
}

void ScenePicture::show(ImDrawList& list) const {
  const ImVec2 end(sight_.at.x + sight_.size.x, sight_.at.y + sight_.size.y);
  if (page_.texture)
    list.AddImage(ImTextureRef(static_cast<ImTextureID>(page_.texture)), sight_.at, end,
                  ImVec2(0, page_.upside_down ? 1.0f : 0.0f),
                  ImVec2(1, page_.upside_down ? 0.0f : 1.0f));
  if (!problem_.empty())
    list.AddRectFilled(sight_.at, end, ui::with_alpha(ui::theme().back, 0.55f));
}

}  // namespace sinew::editor
