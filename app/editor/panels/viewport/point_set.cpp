#include "app/editor/panels/viewport/point_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/editor/panels/viewport/brush.h"
#include "app/ui/landmarks.h"
#include "app/ui/theme.h"

namespace sinew::editor {
namespace {

// More cannot be told apart, and would cost time in each frame.
constexpr std::size_t most_points = 600;

Vector3f from_box(const Vector3f& part, const render::Box& box) {
  return box.center() + 0.5f * part.cwiseProduct(box.sizes());
}

}  // namespace

void PointSet::follow(const std::string& node, const std::string& path, const std::string& name,
                      const InputInfo* input, const Anchors& anchors) {
  if (node != node_ || name != name_) {
    list_.clear();
    choose(hot_ = -1);
    dragging_ = held_ = false;
    names_before_.reset();
    wanted_.clear();
    revision_ = 0;
  }
  node_ = node;
  name_ = name;
  input_ = input;
  are_anchors_ = input_ && input_->type->with_move;
  if (node_.empty() || !input_) return list_.clear();
  if (are_anchors_) {
    const double frame = sight_.editor.player.frame();
    const bool same = anchors.of.shares(anchors_.of) && (!anchors.keyed || frame == frame_);
    if (anchors.keyed && frame != frame_) wanted_.clear();
    anchors_ = anchors;
    frame_ = frame;
    if (!same || list_.empty()) read_anchors();
    return locate();
  }
  if (!input_->type->places) return list_.clear();
  body_.follow(sight_, path);
  const Session& session = sight_.editor.session;
  if (revision_ != session.revision() || body_revision_ != body_.revision()) read();
  locate();
}

std::optional<Json> PointSet::literal_of(const InputInfo& input) const {
  if (const Json* written = sight_.editor.session.param(node_, input.name)) return *written;
  if (input.standard) return input.standard.to_json();
  return std::nullopt;
}

void PointSet::choose(int index) {
  chosen_ = index;
  const bool known = index >= 0 && index < static_cast<int>(list_.size());
  chosen_name_ = known ? list_[static_cast<std::size_t>(index)].place.name : std::string();
  also_.clear();
}

void PointSet::choose_also(int index) {
  std::vector<std::pair<int, std::string>> others = std::move(also_);
  const bool was = std::erase_if(others, [&](const auto& one) { return one.first == index; }) > 0;
  if (index == chosen_) {
    // It leaves, and the one that was taken before it takes its place.
    const int next = others.empty() ? -1 : others.back().first;
    if (!others.empty()) others.pop_back();
    choose(next);
  } else if (!was) {
    if (chosen_ >= 0) others.emplace_back(chosen_, chosen_name_);
    choose(index);
  }
  also_ = std::move(others);
}

bool PointSet::is_chosen(int index) const {
  return index == chosen_ || std::any_of(also_.begin(), also_.end(),
                                         [&](const auto& one) { return one.first == index; });
}

std::vector<int> PointSet::all_chosen() const {
  std::vector<int> all;
  if (chosen_ >= 0) all.push_back(chosen_);
  for (const auto& [index, name] : also_) all.push_back(index);
  std::erase_if(all, [&](int i) { return i >= static_cast<int>(list_.size()); });
  return all;
}

void PointSet::read() {
  const Session& session = sight_.editor.session;
  revision_ = session.revision();
  const bool same_body = body_revision_ == body_.revision();
  body_revision_ = body_.revision();
  const std::optional<Json> written = literal();
  locked_ = session.link_into(node_, input_->name) != nullptr;
  const Places places = written && !locked_ ? input_->type->places(*written) : Places();
  in_box_ = places.in_box;
  free_ = places.free;
  const std::vector<One> before = std::exchange(list_, {});
  for (std::size_t i = 0; i < std::min(places.list.size(), most_points); ++i) {
    One one;
    one.place = places.list[i];
    const Vector3f at(one.place.at[0], one.place.at[1], one.place.at[2]);
    one.rest = in_box_ && body_.known() ? from_box(at, body_.box()) : at;
    // Those that stayed need not be looked for again.
    if (same_body && i < before.size() && before[i].rest == one.rest)
      one.anchor = before[i].anchor;
    else if (!one.place.inside && !free_)
      one.anchor = body_.anchor(one.rest);
    list_.push_back(std::move(one));
  }
  if (chosen_ >= static_cast<int>(list_.size())) choose(-1);
  std::erase_if(also_, [&](const auto& a) { return a.first >= static_cast<int>(list_.size()); });
}

// What is held in the hand stays there until it has been evaluated.
void PointSet::read_anchors() {
  const Value& of = anchors_.of;
  const Places now = of && of.type()->anchors ? of.type()->anchors(of.data(), frame_) : Places();
  locked_ = sight_.editor.session.link_into(node_, input_->name) != nullptr;
  free_ = true;
  in_box_ = false;
  for (int a = 0; a < 3; ++a) {
    const std::array<float, 3>& axis = now.axes[static_cast<std::size_t>(a)];
    axes_.col(a) = Vector3f(axis[0], axis[1], axis[2]);
  }
  const std::vector<One> before = std::exchange(list_, {});
  for (std::size_t i = 0; i < std::min(now.list.size(), most_points); ++i) {
    One one;
    one.place = now.list[i];
    locked_ = locked_ || one.place.name.empty();
    one.rest = {one.place.at[0], one.place.at[1], one.place.at[2]};
    if (dragging_ && applied_ && is_chosen(static_cast<int>(i)) && i < before.size()) {
      one.rest = before[i].rest;
    }
    list_.push_back(std::move(one));
  }
  if (!chosen_name_.empty()) {
    const auto index_of = [&](const std::string& name) {
      const auto is_it = [&](const One& one) { return one.place.name == name; };
      const auto found = std::find_if(list_.begin(), list_.end(), is_it);
      return found == list_.end() ? -1 : static_cast<int>(found - list_.begin());
    };
    std::vector<std::pair<int, std::string>> others = std::move(also_);
    for (auto& [index, name] : others) index = index_of(name);
    std::erase_if(others, [](const auto& one) { return one.first < 0; });
    choose(index_of(chosen_name_));
    also_ = std::move(others);
  } else if (chosen_ >= static_cast<int>(list_.size())) {
    chosen_ = -1;
  }
  if (names_before_) find_added();
  meet_wanted();
}

// Tells the moves of several anchors anew until each is where the hand has put it.
void PointSet::meet_wanted() {
  if (wanted_.empty()) return;
  std::optional<Json> next = literal();
  bool met = true;
  for (const Wanted& one : wanted_) {
    const auto is_it = [&](const One& o) { return o.place.name == one.name; };
    const auto found = std::find_if(list_.begin(), list_.end(), is_it);
    if (!next || found == list_.end()) return wanted_.clear();
    const Vector3f now(found->place.at[0], found->place.at[1], found->place.at[2]);
    met = met && (now - one.rest).norm() <= one.within;
    next = changed(std::move(*next), static_cast<int>(found - list_.begin()), one.rest);
  }
  constexpr int most_tries = 32;
  if (!met && ++wanted_tries_ <= most_tries && next != literal())
    (void)sight_.editor.session.apply(
        {fmt::format("Move {} points of {}", wanted_.size(), input_->label),
         {edit::SetParam{sight_.editor.session.graph_name(), node_, input_->name,
                         std::move(*next)}},
         fmt::format("point {} {}", node_, count_)});
  else if (!dragging_) {
    wanted_.clear();
    sight_.editor.session.seal();
  }
}

// The one that was not there before is in the hand now.
void PointSet::find_added() {
  for (std::size_t i = 0; i < list_.size(); ++i) {
    const auto& before = *names_before_;
    if (std::find(before.begin(), before.end(), list_[i].place.name) != before.end()) continue;
    choose(static_cast<int>(i));
    if (held_) {
      dragging_ = true;
      hot_ = chosen_;
    }
    names_before_.reset();
    return;
  }
}

void PointSet::add(const InputInfo& input, Json literal) {
  Session& session = sight_.editor.session;
  session.seal();
  ++count_;
  std::vector<std::string> names;
  for (const One& one : list_) names.push_back(one.place.name);
  if (!session.apply({fmt::format("Hold the body: {}", input.label),
                      {edit::SetParam{session.graph_name(), node_, input.name, std::move(literal)}},
                      fmt::format("point {} {}", node_, count_)}))
    return;
  choose(-1);
  names_before_ = std::move(names);
  held_ = true;
  applied_ = false;
  pressed_at_ = sight_.mouse();
}

// Where they are now: the body carries them.
void PointSet::locate() {
  const draw::Mesh* shown = body_.shown_in(sight_.whole);
  Eigen::Affine3f inside = Eigen::Affine3f::Identity();
  const bool any_inside =
      std::any_of(list_.begin(), list_.end(), [](const One& one) { return one.place.inside; });
  if (shown && any_inside) inside = body_.map_to_rest(*shown).inverse();
  for (One& one : list_) {
    Vector3f at = one.rest;
    one.faces_away = false;
    if (shown && one.anchor) {
      at = RestBody::place(*one.anchor, *shown);
      const draw::Triangle& t = shown->triangles[one.anchor->triangle];
      const Vector3f normal = (shown->positions[t[1]] - shown->positions[t[0]])
                                  .cross(shown->positions[t[2]] - shown->positions[t[0]]);
      one.faces_away = normal.dot(sight_.camera().eye() - at) < 0;
    } else if (shown && one.place.inside) {
      at = inside * one.rest;
    }
    one.at = sight_.place(at);
  }
}

bool PointSet::hover() {
  hot_ = -1;
  if (!sight_.strokes || (locked_ && !are_anchors_)) return false;
  float closest = ui::px(8);
  for (std::size_t i = 0; i < list_.size(); ++i) {
    const One& one = list_[i];
    if (!one.at || one.faces_away) continue;
    const float away = std::hypot(one.at->x - sight_.mouse().x, one.at->y - sight_.mouse().y);
    if (away >= closest) continue;
    closest = away;
    hot_ = static_cast<int>(i);
  }
  if (hot_ < 0) return false;
  if (locked_) {
    hot_ = -1;
    sight_.editor.hint(
        "It cannot be dragged: what moves it is linked, or is scaled or delayed by this node.");
    return false;
  }
  const One& hot = list_[static_cast<std::size_t>(hot_)];
  const std::string what = hot.place.name.empty() ? "this point" : hot.place.name;
  sight_.editor.hint(fmt::format(
      "Drag: move {} {}{}    Shift+click: choose it, too    Delete: {} when it is chosen{}", what,
      free_ ? "across the view" : "along the body",
      input_->type->with_new_place ? "    Ctrl and drag: draw out a new one" : "",
      are_anchors_ ? "let go of it" : "remove it", removable ? ", then remove it" : ""));
  return true;
}

bool PointSet::press() {
  if (hot_ < 0) {
    choose(-1);
    return false;
  }
  applied_ = false;
  wanted_.clear();
  sight_.editor.session.seal();
  if (ImGui::GetIO().KeyShift) {
    choose_also(hot_);
    dragging_ = is_chosen(hot_);
    single_out_ = false;
  } else {
    single_out_ = is_chosen(hot_) && !also_.empty();
    if (single_out_ && hot_ != chosen_) {  // the others stay, and follow this one
      choose_also(hot_);
      choose_also(hot_);
    }
    if (!single_out_) choose(hot_);
    dragging_ = true;
  }
  pressed_at_ = sight_.mouse();
  ++count_;
  draws_out_ = ImGui::GetIO().KeyCtrl && input_->type->with_new_place;
  return true;
}

// A new place out of the one that was taken: that is what is dragged from here on.
void PointSet::draw_out() {
  Session& session = sight_.editor.session;
  const std::optional<Json> written = literal();
  if (!written) return;
  const Vector3f at = list_[static_cast<std::size_t>(chosen_)].rest;
  const std::size_t count = list_.size();
  Json next = input_->type->with_new_place(
      *written, static_cast<std::size_t>(chosen_),
      {static_cast<double>(at[0]), static_cast<double>(at[1]), static_cast<double>(at[2])});
  if (!session.apply({fmt::format("Draw out a point of {}", input_->label),
                      {edit::SetParam{session.graph_name(), node_, input_->name, std::move(next)}},
                      fmt::format("point {} {}", node_, count_)}))
    return;
  read();
  if (list_.size() == count + 1) choose(hot_ = static_cast<int>(count));
  applied_ = true;
}

void PointSet::drag() {
  if (!dragging_ || chosen_ < 0 || chosen_ >= static_cast<int>(list_.size())) return;
  const ImVec2 m = sight_.mouse();
  if (!applied_ && std::hypot(m.x - pressed_at_.x, m.y - pressed_at_.y) < ui::px(3)) return;
  sight_.editor.hint("Escape: as it was");
  if (std::exchange(draws_out_, false)) draw_out();
  const One& one = list_[static_cast<std::size_t>(chosen_)];
  const std::string merge = fmt::format("point {} {}", node_, count_);
  if (free_) {
    const auto there = sight_.on_plane(m, one.rest, sight_.camera().back());
    if (!there) return;
    set(*there, merge);
    return;
  }
  const std::optional<Spot> spot = spot_under(sight_, body_, m);
  if (!spot || spot->cut.has_value() != one.place.inside) return;
  set(spot->rest, merge);
}

Json PointSet::changed(Json written, int index, const std::optional<Vector3f>& rest) const {
  const Places::One& place = list_[static_cast<std::size_t>(index)].place;
  std::optional<std::array<double, 3>> at;
  if (rest) {
    const Vector3f origin(place.origin[0], place.origin[1], place.origin[2]);
    const Json three = to_json(are_anchors_ ? Vector3f(axes_.inverse() * (*rest - origin))
                               : in_box_    ? to_box(*rest, body_.box())
                                            : *rest);
    at = {three[0].get<double>(), three[1].get<double>(), three[2].get<double>()};
  }
  if (!are_anchors_)
    return input_->type->with_place(std::move(written), static_cast<std::size_t>(index), at);
  const double frame = anchors_.keyed ? sight_.editor.player.frame() : 0;
  return input_->type->with_move(std::move(written), place.name, at, frame);
}

std::optional<Json> PointSet::changed(const std::optional<Vector3f>& rest) const {
  std::optional<Json> written = literal();
  std::vector<int> all = all_chosen();
  if (!written || all.empty()) return std::nullopt;
  // What lies on the body goes along it one by one.
  if (rest && !free_) all.erase(all.begin() + 1, all.end());
  // From the last on, so that removing one does not move the places of the others.
  std::sort(all.rbegin(), all.rend());
  for (const int i : all)
    written =
        changed(std::move(*written), i, rest ? std::optional(moved_with(i, *rest)) : std::nullopt);
  return written;
}

// Where one of the chosen is if the first of them goes there.
Vector3f PointSet::moved_with(int index, const Vector3f& rest) const {
  if (index == chosen_) return rest;
  const auto at = [&](int i) -> const Vector3f& { return list_[static_cast<std::size_t>(i)].rest; };
  return at(index) + (rest - at(chosen_));
}

// What is held stays in the hand until it has been evaluated.
void PointSet::hold_at(const std::vector<int>& all, const Vector3f& rest) {
  wanted_.clear();
  wanted_tries_ = 0;
  for (auto i = all.rbegin(); i != all.rend(); ++i) {  // the first of them last
    One& one = list_[static_cast<std::size_t>(*i)];
    one.rest = moved_with(*i, rest);
    const Vector3f origin(one.place.origin[0], one.place.origin[1], one.place.origin[2]);
    if (all.size() > 1)
      wanted_.push_back({one.place.name, one.rest, 1e-3f * (one.rest - origin).norm()});
  }
}

void PointSet::set(std::optional<Vector3f> rest, const std::string& merge) {
  Session& session = sight_.editor.session;
  std::optional<Json> next = changed(rest);
  if (!next) return;
  const std::vector<int> all = all_chosen();
  const std::string& name = list_[static_cast<std::size_t>(all[0])].place.name;
  if (rest && are_anchors_) hold_at(all, *rest);
  if (next == literal()) return;
  const char* verb = rest ? "Move" : are_anchors_ ? "Let go of" : "Remove";
  const bool several = all.size() > 1 && (!rest || free_);
  const std::string what = several ? fmt::format("{} points of {}", all.size(), input_->label)
                           : name.empty() ? fmt::format("a point of {}", input_->label)
                                          : fmt::format("'{}'", name);
  if (session.apply({fmt::format("{} {}", verb, what),
                     {edit::SetParam{session.graph_name(), node_, input_->name, std::move(*next)}},
                     merge}))
    applied_ = true;
}

void PointSet::release() {
  if (std::exchange(single_out_, false) && !applied_) choose(chosen_);
  dragging_ = draws_out_ = held_ = false;
  if (are_anchors_) read_anchors();  // where they are, not where the hand was
  if (wanted_.empty()) sight_.editor.session.seal();
}

void PointSet::cancel() {
  dragging_ = false;
  wanted_.clear();
  names_before_.reset();
  if (std::exchange(held_, false) || applied_) sight_.editor.session.undo();
}

void PointSet::forget() {
  dragging_ = held_ = false;
  wanted_.clear();
  names_before_.reset();
  choose(hot_ = -1);
  list_.clear();
  node_.clear();
}

void PointSet::remove_chosen(const InputInfo* also) {
  if (chosen_ < 0 || node_.empty() || !input_) return;
  wanted_.clear();
  if (!are_anchors_) {
    set(std::nullopt, "");
    choose(-1);
    return sight_.editor.session.seal();
  }
  // What is let go of stays chosen: pressed once more, it is no longer there.
  if (changed(std::nullopt) != literal()) {
    set(std::nullopt, "");
  } else if (also) {
    std::vector<std::string> names = {chosen_name_};
    for (const auto& [index, name] : also_) names.push_back(name);
    remove_from(*also, names);
  }
  sight_.editor.session.seal();
}

// Both from where it was put, and from all frames at which something moves it.
void PointSet::remove_from(const InputInfo& input, const std::vector<std::string>& names) {
  const std::optional<Json> there = literal_of(input), moves = literal();
  if (!there || !moves || !input.type->with_move) return;
  Json rest = *there, left = *moves;
  for (const std::string& name : names) {
    rest = input.type->with_move(std::move(rest), name, std::nullopt, 0);
    // If it was moved there, too, that is the first thing to go.
    rest = input.type->with_move(std::move(rest), name, std::nullopt, 0);
    if (&input == input_ || !input_->type->frames || !input_->type->from_json) continue;
    if (const Result<Value> value = input_->type->from_json(left))
      for (const double frame : input_->type->frames(value->data()))
        left = input_->type->with_move(std::move(left), name, std::nullopt, frame);
  }
  if (rest == *there) return;
  Session& session = sight_.editor.session;
  std::vector<Edit> edits{edit::SetParam{session.graph_name(), node_, input.name, std::move(rest)}};
  if (left != *moves)
    edits.push_back(edit::SetParam{session.graph_name(), node_, input_->name, std::move(left)});
  const std::string what =
      names.size() == 1 ? fmt::format("'{}'", names[0]) : fmt::format("{} points", names.size());
  (void)session.apply({fmt::format("Remove {}", what), std::move(edits), ""});
}

void PointSet::draw(ImDrawList& list, bool can_be_taken) {
  if (node_.empty()) return;
  const ImU32 line = ui::theme().accent, dark = IM_COL32(20, 22, 26, 190);
  for (std::size_t i = 0; i + 1 < list_.size(); ++i) {
    const One &a = list_[i], &b = list_[i + 1];
    if (a.place.line != b.place.line || !a.at || !b.at) continue;
    const bool away = a.faces_away && b.faces_away;
    if (!away) list.AddLine(*a.at, *b.at, dark, ui::px(3.5f));
    list.AddLine(*a.at, *b.at, away ? ui::with_alpha(line, 0.22f) : line, ui::px(1.8f));
  }
  for (const One& one : list_) {
    if (one.place.on < 0 || one.place.on >= static_cast<int>(list_.size())) continue;
    const One& other = list_[static_cast<std::size_t>(one.place.on)];
    if (!one.at || !other.at) continue;
    list.AddLine(*one.at, *other.at, dark, ui::px(3.5f));
    list.AddLine(*one.at, *other.at, line, ui::px(1.8f));
  }
  for (std::size_t i = 0; i < list_.size(); ++i) {
    const One& one = list_[i];
    if (!one.at) continue;
    const bool lit = is_chosen(static_cast<int>(i)) || static_cast<int>(i) == hot_;
    const float size = ui::px(lit ? 5.0f : 3.2f);
    if (one.faces_away) {
      list.AddCircleFilled(*one.at, size, ui::with_alpha(line, 0.25f));
      continue;
    }
    list.AddCircleFilled(*one.at, size + ui::px(1.2f), dark);
    const ImU32 pale = IM_COL32(236, 228, 206, 255);  // follows from the others
    list.AddCircleFilled(*one.at, size,
                         lit              ? IM_COL32(255, 205, 60, 255)
                         : one.place.held ? line
                                          : pale);
    if (lit && !one.place.name.empty()) draw_name(list, one);
    if (can_be_taken)
      ui::mark_area("handle", fmt::format("{}.{}", name_, i), ImVec2(one.at->x - 3, one.at->y - 3),
                    ImVec2(one.at->x + 3, one.at->y + 3));
  }
  hot_ = dragging_ ? hot_ : -1;
}

void PointSet::draw_name(ImDrawList& list, const One& one) const {
  const char* name = one.place.name.c_str();
  const ImVec2 text = ImGui::CalcTextSize(name);
  const ImVec2 from(one.at->x + ui::px(10), one.at->y - text.y / 2 - ui::px(2));
  const ImVec2 to(from.x + text.x + ui::px(10), from.y + text.y + ui::px(4));
  list.AddRectFilled(from, to, ui::with_alpha(ui::theme().raised, 0.92f), ui::px(4));
  list.AddRect(from, to, ui::theme().line, ui::px(4));
  list.AddText(ImVec2(from.x + ui::px(5), from.y + ui::px(2)), ui::theme().text, name);
}

}  // namespace sinew::editor
