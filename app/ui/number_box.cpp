#include "app/ui/number_box.h"

#include <fmt/format.h>
#include <imgui_internal.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/ui/units.h"
#include "app/ui/widgets.h"

namespace sinew::ui {
namespace {

constexpr double fine = 0.1, coarse = 10;
constexpr float still = 3;           // pixels that a click may tremble
constexpr double decades = 1000;     // a range that is wider than this is felt by its decades
constexpr double wide = 1000;        // a range without a zero end, against what is usual
constexpr double steerable = 0.015;  // of the number, for each pixel
constexpr double flash_seconds = 1.2;

// Only one box is dragged, nudged or typed into at a time.
struct Hand {
  ImGuiID dragged = 0, typed = 0, nudged = 0, flashed = 0;
  double from = 0;  // before the drag
  double at = 0;    // where the drag is, unrounded: in the scale's own measure
  float way = 0;    // pixels that the mouse has gone
  bool moved = false;
  std::string text;
  int seen = 0;            // the frame in which the text box was last drawn
  bool fresh = false;      // the text box is to be focused
  bool open_next = false;  // Tab was pressed
  bool tabbed = false;
  double flash_until = 0;
};

Hand& hand() {
  static Hand one;
  return one;
}

// How the range is laid out along the box: evenly, or by decades. `of` and `value` are inverse.
class Scale {
 public:
  explicit Scale(const NumberBox& how) : how_(how) {
    bounded_ = std::isfinite(how.min) && std::isfinite(how.max) && how.max > how.min;
    if (!bounded_) return;
    const double unit = std::abs(how.standard), span = how.max - how.min;
    if (how.min > 0 && how.max / how.min > decades)
      base_ = how.min;
    else if (how.min >= 0 && unit > 0 && how.max / unit >= decades)
      base_ = unit;
    by_decades_ = base_ > 0;
    // A range that only keeps nonsense out says nothing about where the number is.
    if (!by_decades_ && span > (unit > 0 ? wide * unit : wide)) bounded_ = false;
  }

  bool bounded() const { return bounded_; }
  // How far a pixel goes. Over decades it never multiplies by more than a hand can steer.
  double step(float width) const {
    const double even = 1 / static_cast<double>(std::max(width, 1.0f));
    if (!by_decades_) return even;
    return std::min(even, steerable / std::log(raised(how_.max) / raised(how_.min)));
  }

  double of(double value) const {
    if (!by_decades_) return (value - how_.min) / (how_.max - how_.min);
    return std::log(raised(value) / raised(how_.min)) /
           std::log(raised(how_.max) / raised(how_.min));
  }

  double value(double t) const {
    if (!by_decades_) return how_.min + t * (how_.max - how_.min);
    const double x =
        raised(how_.min) * std::pow(raised(how_.max) / raised(how_.min), std::clamp(t, 0.0, 1.0));
    return how_.min > 0 ? x : x - base_;
  }

 private:
  // From 0 on, the decades begin at what is usual; below that it is even.
  double raised(double x) const { return how_.min > 0 ? std::max(x, how_.min) : x + base_; }

  const NumberBox& how_;
  bool bounded_ = false, by_decades_ = false;
  double base_ = 0;
};

// What a pixel is where nothing says how large the number usually is: a few hundred pixels cross
// what one does with such a unit by hand.
double step_of_unit(std::string_view unit) {
  constexpr std::array<std::pair<std::string_view, double>, 10> known{{{"deg", 0.5},
                                                                       {"frames", 1},
                                                                       {"s", 0.01},
                                                                       {"%", 0.5},
                                                                       {"Pa", 10},
                                                                       {"N", 0.05},
                                                                       {"N/m", 1},
                                                                       {"m/s", 0.01},
                                                                       {"m/s^2", 0.05},
                                                                       {"kg/m^3", 5}}};
  for (const auto& [name, step] : known)
    if (name == unit) return step;
  return 0.005;
}

// What one pixel means, where there is no range.
double step_without_range(const NumberBox& how, double from) {
  double step = 0.005 * std::max(std::abs(from), std::abs(how.standard));
  if (how.standard == 0) step = std::max(step, step_of_unit(how.unit));
  return how.whole ? std::max(step, 0.1) : step;
}

// To the decimals that a pixel can tell apart.
double rounded(double value, double step, bool whole) {
  if (whole) return std::round(value);
  if (!(step > 0) || !std::isfinite(value)) return value;
  // 0.1 is a rounder number in decimals than what pow() gives.
  const int digits = std::clamp(-static_cast<int>(std::floor(std::log10(step))), -12, 12);
  const double parts = std::pow(10.0, std::abs(digits));
  return digits >= 0 ? std::round(value * parts) / parts : std::round(value / parts) * parts;
}

double speed() {
  const ImGuiIO& io = ImGui::GetIO();
  return io.KeyShift ? fine : io.KeyCtrl ? coarse : 1;
}

bool set(double& value, double next, const NumberBox& how, NumberChange& change) {
  const double inside = std::clamp(how.whole ? std::round(next) : next, how.min, how.max);
  change.clamped = change.clamped || inside != next;
  if (inside == value) return false;
  value = inside;
  return change.changed = true;
}

void flash(ImGuiID id) {
  hand().flashed = id;
  hand().flash_until = ImGui::GetTime() + flash_seconds;
}

void begin_typing(ImGuiID id, double value, const NumberBox& how) {
  hand().typed = id;
  hand().text = how.several ? "" : number_text(value);
  hand().fresh = true;
  hand().tabbed = false;
  hand().seen = ImGui::GetFrameCount();
}

void drag(ImGuiID id, double& value, const NumberBox& how, float width, NumberChange& change) {
  Hand& h = hand();
  const Scale scale(how);
  if (ImGui::IsItemActivated()) {
    h.dragged = id;
    h.from = value;
    h.at = scale.bounded() ? scale.of(value) : value;
    h.way = 0;
    h.moved = false;
  }
  if (h.dragged != id) return;
  if (ImGui::IsKeyPressed(ImGuiKey_Escape)) {
    set(value, h.from, how, change);
    h.dragged = 0;
    change.finished = true;
    ImGui::ClearActiveID();
    return;
  }
  const float dx = ImGui::GetIO().MouseDelta.x;
  h.way += std::abs(dx) + std::abs(ImGui::GetIO().MouseDelta.y);
  if (!h.moved && h.way >= px(still)) h.moved = true;
  if (h.moved && dx != 0) {
    const double step = scale.bounded() ? scale.step(width) : step_without_range(how, h.from);
    h.at += dx * step * speed();
    if (scale.bounded()) h.at = std::clamp(h.at, 0.0, 1.0);
    const double next = scale.bounded() ? scale.value(h.at) : h.at;
    const double grain = scale.bounded() ? std::abs(scale.value(h.at + step * speed() / 2) -
                                                    scale.value(h.at - step * speed() / 2))
                                         : step * speed();
    NumberChange ignored;
    change.changed |= set(value, rounded(next, grain, how.whole), how, ignored);
    if (!scale.bounded()) h.at = std::clamp(h.at, how.min, how.max);
  }
  if (!ImGui::IsItemActive()) {
    h.dragged = 0;
    if (h.moved)
      change.finished = true;
    else
      begin_typing(id, value, how);
  }
}

// The wheel with Alt: so that scrolling past a slider does not change it.
void nudge(ImGuiID id, double& value, const NumberBox& how, NumberChange& change) {
  Hand& h = hand();
  const bool here = ImGui::IsItemHovered() && ImGui::GetIO().KeyAlt;
  if (here) {
    ImGui::SetItemKeyOwner(ImGuiKey_MouseWheelY);
    if (const float wheel = ImGui::GetIO().MouseWheel; wheel != 0) {
      const Scale scale(how);
      const double by = wheel * speed();
      double next = value + by * (how.whole ? 1 : 10 * step_without_range(how, value));
      if (scale.bounded() && !how.whole)
        next = scale.value(std::clamp(scale.of(value) + 0.01 * by, 0.0, 1.0));
      set(value, rounded(next, std::abs(next - value) / 10, how.whole), how, change);
      h.nudged = id;
    }
  } else if (h.nudged == id) {
    h.nudged = 0;
    change.finished = true;
  }
}

void type(ImGuiID id, double& value, const NumberBox& how, NumberChange& change) {
  Hand& h = hand();
  h.seen = ImGui::GetFrameCount();
  if (h.fresh) ImGui::SetKeyboardFocusHere();
  const Result<double> read = parse_quantity(h.text, how.unit);
  if (!read) ImGui::PushStyleColor(ImGuiCol_Text, theme().error);
  const bool entered =
      ImGui::InputText("##text", &h.text,
                       ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll |
                           ImGuiInputTextFlags_CallbackCompletion,
                       [](ImGuiInputTextCallbackData*) {
                         hand().tabbed = true;
                         return 0;
                       });
  if (!read) ImGui::PopStyleColor();
  if (std::exchange(h.fresh, false)) return;
  if (ImGui::IsItemActive() && !h.tabbed) {
    // What comes of it is shown while it is typed, unless it is plain to see.
    const bool plain = read && h.text.find_first_not_of("0123456789.,-") == std::string::npos;
    if (!plain && !h.text.empty())
      ImGui::SetTooltip("%s", read ? fmt::format("= {} {}", number_text(*read), how.unit).c_str()
                                   : read.error().c_str());
    return;
  }
  // The first frame after the focus was asked for has no focus yet.
  if (!ImGui::IsItemDeactivated() && !entered && !h.tabbed) return;
  h.typed = 0;
  h.open_next = std::exchange(h.tabbed, false);
  if (h.open_next) ImGui::ClearActiveID();
  change.finished = true;
  if (ImGui::IsKeyPressed(ImGuiKey_Escape) || h.text.empty()) return;
  if (!read) return flash(id);
  set(value, *read, how, change);
  if (change.clamped) flash(id);
}

void paint(ImGuiID id, double value, const NumberBox& how, ImVec2 from, ImVec2 to, bool hot) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const Theme& t = theme();
  const bool held = hand().dragged == id;
  const float round = px(4);
  list.AddRectFilled(from, to, held ? t.field_held : hot ? t.field_hot : t.field, round);
  const Scale scale(how);
  if (scale.bounded() && !how.several) {
    const auto part = static_cast<float>(std::clamp(scale.of(value), 0.0, 1.0));
    const ImU32 tint = how.tint ? how.tint : t.accent;
    list.PushClipRect(from, ImVec2(from.x + part * (to.x - from.x), to.y), true);
    list.AddRectFilled(from, to, with_alpha(tint, held ? 0.5f : hot ? 0.4f : 0.3f), round);
    list.PopClipRect();
  } else if (how.tint) {
    list.AddRectFilled(from, ImVec2(from.x + px(3), to.y), how.tint, round,
                       ImDrawFlags_RoundCornersLeft);
  }
  if (hand().flashed == id && ImGui::GetTime() < hand().flash_until)
    list.AddRect(from, to, t.warning, round, 0, px(1.5f));

  const float pad = px(6), y = from.y + (to.y - from.y - ImGui::GetFontSize()) / 2;
  float left = from.x + pad, right = to.x - pad;
  if (!how.name.empty()) {
    list.AddText(ImVec2(left, y), t.dim, how.name.data(), how.name.data() + how.name.size());
    left += ImGui::CalcTextSize(how.name.data(), how.name.data() + how.name.size()).x + px(4);
  }
  const std::string number = how.several ? "several" : number_text(value);
  const float width = ImGui::CalcTextSize(number.c_str()).x;
  if (!how.unit.empty()) {
    const ImVec2 unit = ImGui::CalcTextSize(how.unit.data(), how.unit.data() + how.unit.size());
    // A narrow box keeps the number and lets the unit go.
    if (left + width + px(4) + unit.x <= right) {
      right -= unit.x;
      list.AddText(ImVec2(right, y), t.faint, how.unit.data(), how.unit.data() + how.unit.size());
      right -= px(4);
    }
  }
  list.PushClipRect(ImVec2(left, from.y), ImVec2(to.x, to.y), true);
  list.AddText(ImVec2(std::max(left, right - width), y), how.several ? t.dim : t.text,
               number.c_str());
  list.PopClipRect();
}

}  // namespace

NumberChange number_box(const char* name, double& value, const NumberBox& how) {
  NumberChange change;
  const float width = ImGui::CalcItemWidth(), height = ImGui::GetFrameHeight();
  ImGui::PushID(name);
  const ImGuiID id = ImGui::GetID("number");
  Hand& h = hand();
  if (how.enabled && std::exchange(h.open_next, false)) begin_typing(id, value, how);
  if (h.typed == id) {
    ImGui::SetNextItemWidth(width);
    type(id, value, how, change);
    ImGui::PopID();
    return change;
  }
  ImGui::BeginDisabled(!how.enabled);
  const ImVec2 from = ImGui::GetCursorScreenPos(), to(from.x + width, from.y + height);
  ImGui::InvisibleButton("number", ImVec2(std::max(width, 1.0f), height));
  const bool hot = ImGui::IsItemHovered();
  if (how.enabled) {
    if (hot) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
    drag(id, value, how, width, change);
    nudge(id, value, how, change);
    if (hot && !typing_a_number() && ImGui::IsKeyPressed(ImGuiKey_Enter, false))
      begin_typing(id, value, how);
  }
  paint(id, value, how, from, to, hot);
  ImGui::EndDisabled();
  ImGui::PopID();
  return change;
}

// A box that is no longer drawn, since another node was chosen, is no longer typed into.
bool typing_a_number() { return hand().typed != 0 && ImGui::GetFrameCount() - hand().seen <= 1; }

}  // namespace sinew::ui
