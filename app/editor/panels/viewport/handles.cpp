#include "app/editor/panels/viewport/handles.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/editor/panels/viewport/viewport.h"
#include "app/ui/landmarks.h"
#include "app/ui/theme.h"
#include "graph/frame_time.h"

namespace sinew::editor {
namespace {

Vector3f vector_of(const Value& value, const Vector3f& otherwise) {
  if (!value || !value.is<Vec3>()) return otherwise;
  const Vec3& v = value.as<Vec3>();
  return {v.x, v.y, v.z};
}

float number_of(const Value& value, float otherwise) {
  return value && value.is<float>() ? value.as<float>() : otherwise;
}

bool is_end(Part part) { return part == Part::centre || part == Part::tip; }

const char* of_pin(Part part) {
  switch (part) {
    case Part::centre:
      return ", its head";
    case Part::tip:
      return ", its tip";
    case Part::middle:
      return ", both ends";
    case Part::twist:
      return ", its twist";
    case Part::size_x:
    case Part::size_y:
    case Part::size_z:
      return ", how far its field reaches";
    default:
      return "";
  }
}

}  // namespace

Handles::Handles(Sight& sight) : sight_(sight), points_(sight), placer_(sight) {
  const auto mode = [&](const char* id, const char* title, const char* key, GizmoMode which) {
    sight.editor.actions.add({id,
                              title,
                              "Tools",
                              key,
                              "How the handle of a place is dragged",
                              Where::viewport,
                              [this, which] { mode_ = which; },
                              {},
                              [this, which] { return mode_ == which; }});
  };
  mode("handle.move", "Move", "W", GizmoMode::move);
  mode("handle.turn", "Turn", "E", GizmoMode::turn);
  mode("handle.size", "Size", "R", GizmoMode::size);
  sight.editor.actions.add({"handle.remove_point", "Remove the chosen point", "Tools", "Delete",
                            "Of a stroke, or a touch; a handle is let go of first", Where::viewport,
                            [this] { points_.remove_chosen(placer_.input().input); },
                            [this] { return points_.has_chosen(); }});
}

bool Handles::is_on() const {
  return sight_.handles && (sight_.editor.tool == Tool::look || dragging_);
}

bool Handles::is_free(const CompiledNode& node, int input) {
  const InputSource& source = node.inputs[static_cast<std::size_t>(input)];
  return source.links.empty() && !source.animation;
}

Value Handles::value_of(const CompiledNode& node, int input) const {
  const InputSource& source = node.inputs[static_cast<std::size_t>(input)];
  Player& player = sight_.editor.player;
  if (!source.links.empty()) {
    const LinkSource& link = source.links.front();
    const Target target{link.node, link.output};
    player.watch(target);
    const TargetResult* found = player.shot() ? player.shot()->result(target) : nullptr;
    return found ? found->value : Value();
  }
  if (source.animation) {
    const double frame = player.frame();
    return source.animation->at({frame, player.fps() > 0 ? seconds_at(frame, player.fps()) : 0});
  }
  return source.literal;
}

Value Handles::output_of(const std::string& path, int output) const {
  Player& player = sight_.editor.player;
  player.watch({sight_.editor.session.graph()->find_node(path), output});
  const TargetResult* found = player.shot() ? player.shot()->result(path, output) : nullptr;
  return found ? found->value : Value();
}

std::optional<Handles::Origin> Handles::origin_of(const std::string& path,
                                                  const HandleInfo& info) const {
  Origin origin;
  for (const auto& [output, into] :
       {std::pair(info.from, &origin.at), {info.to_from, &origin.to}}) {
    if (output < 0) continue;
    const Value value = output_of(path, output);
    if (!value || !value.is<Vec3>()) return std::nullopt;
    *into = vector_of(value, *into);
  }
  if (info.along >= 0) origin.to = origin.at;
  return origin;
}

std::optional<Handles::Item> Handles::make(const CompiledNode& node, const HandleInfo& info) const {
  Item item;
  item.info = info;
  GizmoValues& v = item.values;
  v.kind = info.kind;
  if (info.when >= 0) {
    const Value on = value_of(node, info.when);
    if (!on || !on.is<bool>() || !on.as<bool>()) return std::nullopt;
  }
  const auto read = [&](int input, Vector3f& into) {
    if (input < 0) return false;
    into = vector_of(value_of(node, input), into);
    return is_free(node, input);
  };
  const std::optional<Origin> origin = origin_of(node.path, info);
  if (!origin) return std::nullopt;
  item.origin = *origin;
  v.moves = read(info.at, v.at);
  read(info.pivot, v.pivot);
  v.to = v.at;
  if (info.along >= 0) {
    Vector3f along(0, 0, 0);
    v.turns = read(info.along, along);
    v.to = v.at + along;
  } else if (info.to >= 0) {
    v.turns = read(info.to, v.to);
  }
  v.at += origin->at;
  v.to += origin->to;
  if (info.rotation >= 0) {
    v.has_rotation = true;
    v.turns = read(info.rotation, v.degrees);
  }
  if (info.normal >= 0) v.turns = read(info.normal, v.normal);
  if (info.offset >= 0) v.offset = number_of(value_of(node, info.offset), 0);
  for (const int size : {info.scale, info.extent, info.radii})
    if (size >= 0) v.sizes = read(size, v.size);
  if (info.radius >= 0) {
    v.size = Vector3f::Constant(number_of(value_of(node, info.radius), 1));
    v.sizes = is_free(node, info.radius);
    v.one_size = true;
  }
  if (info.kind == HandleKind::pin) read_pin(node, info, v);
  v.size_in_metres = info.extent >= 0 ? 0.5f : info.radius >= 0 || info.radii >= 0 ? 1.0f : 0.0f;
  if (!v.at.allFinite() || !v.to.allFinite()) return std::nullopt;
  item.locked = !v.moves;
  return item;
}

void Handles::read_pin(const CompiledNode& node, const HandleInfo& info, GizmoValues& v) const {
  if (info.twist >= 0) {
    v.twist = number_of(value_of(node, info.twist), 0);
    v.twists = is_free(node, info.twist);
  }
  v.has_field = info.radii >= 0;
  if (info.cap >= 0) v.cap = number_of(value_of(node, info.cap), 1);
  const Value centre = info.centre >= 0 ? value_of(node, info.centre) : Value();
  if (centre && centre.is<Choice>())
    v.field_at = static_cast<PinCentre>(std::clamp(centre.as<Choice>().index, 0, 3));
  if (info.name == unfolded_) v.arrows_at = unfolded_end_;
}

void Handles::update() {
  mouse_here_ = false;
  if (dragging_) return follow_origin();
  items_.clear();
  const std::string before = std::exchange(node_, {});
  type_ = nullptr;
  Session& session = sight_.editor.session;
  const NodeDoc* active = session.active();
  const int index = active ? session.graph()->find_sink(session.path_of(active->id)) : -1;
  placer_.update();
  points_.removable = placer_.input() && !placer_.input().linked;
  const bool wanted = sight_.handles || sight_.strokes;
  if (index < 0 || !wanted || session.graph()->node(index).type->handles.empty()) {
    points_.follow("", "", "", nullptr, {});
    return;
  }
  const CompiledNode& node = session.graph()->node(index);
  node_ = active->id;
  if (node_ != before) {
    unfolded_.clear();
    unfolded_end_ = Part::none;
  }
  path_ = session.path_of(node_);
  type_ = node.type;
  bool has_points = false;
  for (const HandleInfo& info : type_->handles) {
    if (info.kind == HandleKind::points) {
      const InputInfo& input = type_->inputs[static_cast<std::size_t>(info.items)];
      points_.follow(node_, path_, info.name, &input, {});
      has_points = true;
    } else if (info.kind == HandleKind::anchors) {
      const InputInfo& input = type_->inputs[static_cast<std::size_t>(info.items)];
      points_.follow(node_, path_, info.name, &input,
                     {output_of(path_, info.anchors), type_->uses.frame || info.keyed});
      has_points = true;
    } else if (sight_.handles) {
      if (std::optional<Item> item = make(node, info)) items_.push_back(std::move(*item));
    }
  }
  if (!has_points) points_.follow("", "", "", nullptr, {});
  fold();
}

// What a handle is counted from may move while it is held: the handle goes along.
void Handles::follow_origin() {
  const std::optional<Origin> now = origin_of(path_, info_);
  if (!now) return;
  start_.at += now->at - origin_.at;
  start_.to += now->to - origin_.to;
  origin_ = *now;
}

void Handles::fold() {
  const auto is_place = [](const Item& item) {
    return item.info.kind == HandleKind::point || item.info.kind == HandleKind::frame;
  };
  const auto count = std::count_if(items_.begin(), items_.end(), is_place);
  if (count < 2) return;
  const bool known = std::any_of(items_.begin(), items_.end(), [&](const Item& item) {
    return is_place(item) && item.info.name == unfolded_;
  });
  const auto first = std::find_if(items_.begin(), items_.end(), is_place);
  const std::string unfolded = known ? unfolded_ : first->info.name;
  for (Item& item : items_) item.folded = is_place(item) && item.info.name != unfolded;
}

// Where they will be drawn: the eye may have moved since they last were.
void Handles::place_grips(std::size_t which) {
  Item& item = items_[which];
  if (!item.folded) {
    item.grips = make_grips(sight_, item.values, mode_);
    return;
  }
  item.grips.clear();
  item.name_from = item.name_to = ImVec2(0, 0);
  const std::optional<ImVec2> at = sight_.place(item.values.centre());
  if (!at || item.locked) return;
  // On the one that is in the hand, a dot would be in the way: there its name is taken.
  const bool apart = std::none_of(items_.begin(), items_.end(), [&](const Item& other) {
    const std::optional<ImVec2> p = sight_.place(other.values.centre());
    return !other.folded && p && std::hypot(at->x - p->x, at->y - p->y) < ui::px(10);
  });
  if (apart) item.grips.push_back({Part::centre, Grip::Look::dot, {*at}, ui::theme().accent});
  // Its name is beside it, clear of the arrows of a handle at the same place.
  const ImVec2 text = ImGui::CalcTextSize(item.info.name.c_str());
  item.name_from = ImVec2(at->x - text.x - ui::px(26), at->y + ui::px(12));
  item.name_to =
      ImVec2(item.name_from.x + text.x + ui::px(10), item.name_from.y + text.y + ui::px(4));
}

Part Handles::part_under(const Item& item, ImVec2 mouse) const {
  if (!item.folded) return hit(item.grips, mouse);
  const bool on_name = item.has_name() && mouse.x >= item.name_from.x &&
                       mouse.x <= item.name_to.x && mouse.y >= item.name_from.y &&
                       mouse.y <= item.name_to.y;
  return on_name ? Part::centre : hit(item.grips, mouse);
}

bool Handles::hover() {
  part_ = Part::none;
  if (placer_.is_on()) return points_.hover() || placer_.hover();
  if (!is_on()) return false;
  for (std::size_t i = 0; i < items_.size(); ++i) place_grips(i);
  // A dot or its name wins over what lies around it.
  for (const bool dots : {true, false}) {
    for (std::size_t i = 0; i < items_.size() && part_ == Part::none; ++i) {
      const Item& item = items_[i];
      if (item.folded != dots) continue;
      part_ = part_under(item, sight_.mouse());
      hot_ = i;
    }
  }
  if (part_ != Part::none) {
    mouse_here_ = true;
    const Item& item = items_[hot_];
    const bool pin = item.info.kind == HandleKind::pin;
    const bool has_arrows = item.folded || (pin && is_end(part_));
    sight_.editor.hint(fmt::format(
        "{}Drag: {}{}    Shift: fine    Ctrl: steps of {:g} m or 15 deg    W, E, R: move, turn, "
        "size",
        has_arrows ? "Click: its arrows    " : "", item.info.name, pin ? of_pin(part_) : "",
        snap_step(sight_, item.values.centre())));
    return true;
  }
  for (const Item& item : items_) {
    const std::optional<ImVec2> at = sight_.place(item.values.centre());
    const ImVec2 m = sight_.mouse();
    if (item.locked && at && std::hypot(at->x - m.x, at->y - m.y) < ui::px(12))
      sight_.editor.hint(
          "It cannot be dragged: its place is linked, or follows a chart over time.");
  }
  return points_.hover();
}

bool Handles::press() {
  if (placer_.is_on() && !points_.press()) {
    std::optional<Json> literal = placer_.touched();
    if (!literal) return false;
    points_.add(*placer_.input().input, std::move(*literal));
    return true;
  }
  if (placer_.is_on()) return true;
  if (part_ == Part::none) return points_.press();
  points_.choose_none();
  const Item& item = items_[hot_];
  start_ = now_ = item.values;
  info_ = item.info;
  origin_ = item.origin;
  from_ = to_ = sight_.mouse();
  dragging_ = true;
  applied_ = false;
  merge_ = fmt::format("handle {} {} {}", node_, info_.name, ++count_);
  words_.clear();
  return true;
}

void Handles::drag() {
  if (!dragging_) return points_.drag();
  const ImGuiIO& io = ImGui::GetIO();
  const float speed = io.KeyShift ? 0.1f : 1.0f;
  to_ = ImVec2(to_.x + speed * io.MouseDelta.x, to_.y + speed * io.MouseDelta.y);
  const GizmoValues now = dragged(sight_, start_, part_, from_, to_, io.KeyCtrl, words_);
  start_.turned = now.turned;
  sight_.editor.hint("Shift: fine    Ctrl: steps    Escape: as it was");
  if (to_.x == from_.x && to_.y == from_.y && !applied_) return;
  apply(now);
  now_ = now;
  if (hot_ < items_.size()) items_[hot_].values = now;
}

void Handles::set(int input, const Json& value, std::vector<Edit>& edits) const {
  if (input < 0) return;
  edits.push_back(edit::SetParam{sight_.editor.session.graph_name(), node_,
                                 type_->inputs[static_cast<std::size_t>(input)].name, value});
}

// Only what has changed is written, and what a drag can change: numbers stay in their ranges.
void Handles::apply(const GizmoValues& now) {
  Session& session = sight_.editor.session;
  if (!type_ || !session.body().find(node_)) return;
  const auto clamped = [&](int input, Vector3f v) {
    const InputInfo& in = type_->inputs[static_cast<std::size_t>(input)];
    for (int k = 0; k < 3; ++k) v[k] = static_cast<float>(in.clamped(static_cast<double>(v[k])));
    return to_json(v);
  };
  const auto one_clamped = [&](int input, float x) {
    const InputInfo& in = type_->inputs[static_cast<std::size_t>(input)];
    return rounded(in.clamped(static_cast<double>(x)));
  };
  std::vector<Edit> edits;
  const bool turns = (part_ >= Part::turn_x && part_ <= Part::turn_z) || part_ == Part::twist;
  const bool sizes = part_ >= Part::size_x && part_ <= Part::size_all;
  const Moves moves = turns || sizes ? Moves{false, false} : moves_of(start_, part_);
  if (info_.at >= 0 && (moves.at || now.at != start_.at))
    set(info_.at, clamped(info_.at, now.at - origin_.at), edits);
  if (info_.to >= 0 && moves.to && start_.turns)
    set(info_.to, clamped(info_.to, now.to - origin_.to), edits);
  if (part_ == Part::tip && info_.along >= 0)
    set(info_.along, clamped(info_.along, now.to - now.at), edits);
  if (turns && info_.rotation >= 0)
    set(info_.rotation, clamped(info_.rotation, now.degrees), edits);
  if (turns && info_.normal >= 0) set(info_.normal, clamped(info_.normal, now.normal), edits);
  if (sizes) {
    // One that is far below the others is small, not noise.
    for (const int size : {info_.scale, info_.extent, info_.radii})
      if (size >= 0)
        set(size,
            Json::array({one_clamped(size, now.size[0]), one_clamped(size, now.size[1]),
                         one_clamped(size, now.size[2])}),
            edits);
    if (info_.radius >= 0) set(info_.radius, one_clamped(info_.radius, now.size[0]), edits);
  }
  if (part_ == Part::twist) set(info_.twist, one_clamped(info_.twist, now.twist), edits);
  const NodeDoc* node = session.body().find(node_);
  const std::string& title = node->label.empty() ? type_->label : node->label;
  const char* verb = turns ? "Turn" : sizes ? "Size" : "Move";
  if (session.apply({fmt::format("{} {}", verb, title), std::move(edits), merge_})) applied_ = true;
  sight_.moved();
}

void Handles::release() {
  if (!dragging_) return points_.release();
  dragging_ = false;
  if (!applied_) unfold();  // a mere click
  sight_.editor.session.seal();
}

// Of a pin one end has arrows, which another click takes away.
void Handles::unfold() {
  if (info_.kind == HandleKind::pin) {
    if (!is_end(part_)) return;
    const bool was = unfolded_ == info_.name && unfolded_end_ == part_;
    unfolded_end_ = was ? Part::none : part_;
  }
  unfolded_ = info_.name;
}

void Handles::cancel() {
  if (!dragging_) return points_.cancel();
  dragging_ = false;
  if (applied_) sight_.editor.session.undo();
}

void Handles::forget() {
  dragging_ = false;
  items_.clear();
  points_.forget();
}

void Handles::draw_item(ImDrawList& list, std::size_t which) {
  Item& item = items_[which];
  draw_outline(list, sight_, item.values);
  place_grips(which);
  if (item.locked) {
    if (const auto at = sight_.place(item.values.centre()))
      list.AddCircle(*at, ui::px(6), ui::theme().dim, 16, ui::px(2));
  }
  const bool hot = (mouse_here_ || dragging_) && which == hot_;
  draw_grips(list, item.grips, hot ? part_ : Part::none, false);
  for (const Grip& grip : item.grips) {
    const ImVec2 e = grip.middle();
    ui::mark_area("handle", fmt::format("{}.{}", item.info.name, name_of(grip.part)),
                  ImVec2(e.x - 3, e.y - 3), ImVec2(e.x + 3, e.y + 3));
  }
  if (!item.folded || !item.has_name()) return;
  const ImU32 back = hot ? ui::theme().accent_soft : ui::with_alpha(ui::theme().raised, 0.9f);
  list.AddRectFilled(item.name_from, item.name_to, back, ui::px(4));
  list.AddRect(item.name_from, item.name_to, ui::theme().line, ui::px(4));
  list.AddText(ImVec2(item.name_from.x + ui::px(5), item.name_from.y + ui::px(2)), ui::theme().text,
               item.info.name.c_str());
  ui::mark_area("handle", item.info.name + ".name", item.name_from, item.name_to);
}

void Handles::draw(ImDrawList& list) {
  if (sight_.strokes) points_.draw(list, sight_.editor.tool == Tool::look || placer_.is_on());
  if (sight_.handles) placer_.draw(list);
  if (!is_on()) return;
  for (std::size_t i = 0; i < items_.size(); ++i) draw_item(list, i);
  if (dragging_) draw_feedback(list, sight_.mouse(), words_);
}

std::unique_ptr<ViewHand> make_handles(Sight& sight) { return std::make_unique<Handles>(sight); }

}  // namespace sinew::editor
