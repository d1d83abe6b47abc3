#include "app/editor/panels/timeline/ruler.h"

#include <fmt/format.h>

#include <algorithm>
#include <cfloat>
#include <cmath>

#include "app/ui/landmarks.h"
#include "app/ui/theme.h"

namespace sinew::editor {
namespace {

// The smallest step of 1, 2, 5, 10, 20, ... frames whose numbers do not touch.
int tick_step(float pixels_per_frame, float room) {
  for (int power = 1; power < 100'000'000; power *= 10)
    for (const int digit : {1, 2, 5})
      if (static_cast<float>(digit * power) * pixels_per_frame >= room) return digit * power;
  return 100'000'000;
}

int next_multiple(int frame, int step) {
  const int rest = ((frame % step) + step) % step;
  return rest == 0 ? frame : frame + step - rest;
}

}  // namespace

float Ruler::Span::x(double frame) const {
  const double t = (frame - first) / std::max(1, last - first);
  return left + static_cast<float>(t) * (right - left);
}

double Ruler::Span::frame(float x) const {
  return first + static_cast<double>((x - left) / (right - left)) * std::max(1, last - first);
}

// The document's frames; live, where there is no end, as many of them up to the present one.
Ruler::Span Ruler::span(ImVec2 at, ImVec2 size) const {
  const Settings& settings = editor_.session.doc().settings;
  Span span;
  span.first = settings.first_frame;
  span.last = std::max(settings.last_frame, settings.first_frame + 1);
  if (const int beyond = editor_.player.frame() - span.last; beyond > 0) {
    span.first += beyond;
    span.last += beyond;
  }
  span.left = at.x + ui::px(14);
  span.right = std::max(span.left + 1, at.x + size.x - ui::px(14));
  return span;
}

void Ruler::draw() {
  const ImVec2 at = ImGui::GetCursorScreenPos(), size = ImGui::GetContentRegionAvail();
  // Dear ImGui wants something to stand where the cursor was set to.
  if (size.x < ui::px(60) || size.y < ui::px(20)) return ImGui::Dummy(ImVec2(0, 0));
  const Span frames = span(at, size);
  const float bottom = at.y + size.y - ui::px(3), strip = bottom - ui::px(5);
  const float lane = at.y + ui::px(18);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(at, ImVec2(at.x + size.x, at.y + size.y), ui::theme().back);
  list.PushClipRect(at, ImVec2(at.x + size.x, at.y + size.y), true);
  ImGui::InvisibleButton("ruler", size);
  ui::mark("timeline", "ruler");
  draw_loop(frames, at.y, strip);
  draw_ticks(frames, at.y, strip);
  draw_frames(frames, strip, bottom);
  draw_playhead(frames, at.y, bottom);
  const bool taken = drag_ == Drag::none &&
                     keys_.draw(
                         lane, strip - ui::px(1), [&](double frame) { return frames.x(frame); },
                         [&](float x) { return frames.frame(x); });
  if (!taken) handle_mouse(frames, at.y, lane);
  list.PopClipRect();
}

void Ruler::draw_ticks(const Span& span, float top, float bottom) const {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float per_frame = (span.right - span.left) / static_cast<float>(span.last - span.first);
  const float digits = ImGui::CalcTextSize(fmt::format("{}", span.last).c_str()).x;
  const int step = tick_step(per_frame, digits + ui::px(26));
  const int fine = tick_step(per_frame, ui::px(6));
  for (int f = next_multiple(span.first, fine); f <= span.last; f += fine) {
    const float x = std::round(span.x(f));
    list.AddLine(ImVec2(x, top + ui::px(13)), ImVec2(x, top + ui::px(17)), ui::theme().line);
  }
  for (int f = next_multiple(span.first, step); f <= span.last; f += step) {
    const float x = std::round(span.x(f));
    list.AddLine(ImVec2(x, top + ui::px(11)), ImVec2(x, bottom), ui::theme().line);
    const std::string number = fmt::format("{}", f);
    const float size = 0.82f * ui::text_size();
    const float width = ImGui::GetFont()->CalcTextSizeA(size, FLT_MAX, 0, number.c_str()).x;
    const bool fits = x + ui::px(3) + width < span.right + ui::px(12);
    list.AddText(ImGui::GetFont(), size, ImVec2(fits ? x + ui::px(3) : x - ui::px(3) - width, top),
                 ui::theme().dim, number.c_str());
  }
}

// What is played, lighter than the rest, between two handles.
void Ruler::draw_loop(const Span& span, float top, float bottom) {
  const Player& player = editor_.player;
  if (player.clock() == ClockKind::live) return;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float in = span.x(player.first_frame()), out = span.x(player.last_frame());
  list.AddRectFilled(ImVec2(in, top), ImVec2(out, bottom),
                     player.loop() ? ui::theme().accent_soft : ui::theme().panel);
  const float w = ui::px(6), h = ui::px(11);
  const ImU32 colour = player.loop() ? ui::theme().accent : ui::theme().faint;
  const Drag hot = drag_ != Drag::none ? drag_ : under_mouse(span, top + ui::px(18));
  list.AddTriangleFilled(ImVec2(in, top), ImVec2(in - w, top), ImVec2(in, top + h),
                         hot == Drag::loop_in ? ui::theme().text : colour);
  list.AddTriangleFilled(ImVec2(out, top), ImVec2(out, top + h), ImVec2(out + w, top),
                         hot == Drag::loop_out ? ui::theme().text : colour);
  ui::mark_area("timeline", "in", ImVec2(in - w, top), ImVec2(in, top + h));
  ui::mark_area("timeline", "out", ImVec2(out, top), ImVec2(out + w, top + h));
}

// A thin line under each frame that something is known of.
void Ruler::draw_frames(const Span& span, float top, float bottom) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ui::Theme& theme = ui::theme();
  const auto colour = [&](FrameState state) {
    if (state == FrameState::valid) return ui::with_alpha(theme.good, 0.9f);
    if (state == FrameState::baked)
      return ui::mixed(theme.good, IM_COL32(60, 120, 255, 255), 0.75f);
    return ui::with_alpha(theme.warning, 0.35f);
  };
  const std::vector<FrameState>& states = editor_.player.frame_states();
  const int first = editor_.session.doc().settings.first_frame;
  const int count = static_cast<int>(states.size());
  for (int begin = 0; begin < count;) {
    const FrameState state = states[static_cast<std::size_t>(begin)];
    int end = begin + 1;
    while (end < count && states[static_cast<std::size_t>(end)] == state) ++end;
    if (state != FrameState::unknown)
      list.AddRectFilled(ImVec2(span.x(first + begin - 0.5), top),
                         ImVec2(span.x(first + end - 0.5), bottom), colour(state));
    begin = end;
  }
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  if (drag_ != Drag::none || !ImGui::IsItemHovered() || mouse.y < top - ui::px(2)) return;
  const int under = static_cast<int>(std::lround(span.frame(mouse.x))) - first;
  if (under < 0 || under >= count) return;
  constexpr const char* words[] = {"not computed", "computed before the last changes", "at hand",
                                   "baked: on the disk"};
  ImGui::SetTooltip("Frame %d: %s", first + under,
                    words[static_cast<std::size_t>(states[static_cast<std::size_t>(under)])]);
}

void Ruler::draw_playhead(const Span& span, float top, float bottom) const {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const Player& player = editor_.player;
  const float x = std::round(span.x(player.frame())), w = ui::px(5);
  const ImU32 colour = ui::theme().playhead;
  list.AddLine(ImVec2(x, top), ImVec2(x, bottom), colour, ui::px(1.5f));
  list.AddTriangleFilled(ImVec2(x - w, top), ImVec2(x + w, top), ImVec2(x, top + ui::px(8)),
                         colour);
  ui::mark_area("timeline", "playhead", ImVec2(x - w, top), ImVec2(x + w, bottom));
  // What is seen lags behind while a frame is on its way.
  if (!player.shot() || player.shot()->context.frame == player.frame()) return;
  const float seen = std::round(span.x(player.shot()->context.frame));
  list.AddLine(ImVec2(seen, top + ui::px(11)), ImVec2(seen, bottom), ui::with_alpha(colour, 0.4f));
}

Ruler::Drag Ruler::under_mouse(const Span& span, float lane_bottom) const {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  if (!ImGui::IsItemHovered() || mouse.y > lane_bottom) return Drag::none;
  const float in = mouse.x - span.x(editor_.player.first_frame());
  const float out = mouse.x - span.x(editor_.player.last_frame());
  // Each handle lies outside of its frame, so that the frame itself can be reached.
  if (in <= 0 && in > -ui::px(8)) return Drag::loop_in;
  if (out >= 0 && out < ui::px(8)) return Drag::loop_out;
  return Drag::none;
}

void Ruler::handle_mouse(const Span& span, float, float lane) {
  Player& player = editor_.player;
  const ImGuiIO& io = ImGui::GetIO();
  const bool live = player.clock() == ClockKind::live;
  if (ImGui::IsItemHovered() && drag_ == Drag::none) {
    const Drag what = live ? Drag::none : under_mouse(span, lane);
    if (what != Drag::none)
      editor_.hint("Drag: the part that is played   Shift+click: all of it again");
    else
      editor_.hint(live ? "Click: the live clock begins anew at that frame"
                        : "Drag: go to a frame   I, O: begin and end of the part that is played   "
                          "Home, End: its ends");
    if (ImGui::IsMouseClicked(0)) {
      if (io.KeyShift && !live)
        player.set_loop(std::nullopt);
      else
        drag_ = what == Drag::none ? Drag::scrub : what;
    }
  }
  if (drag_ == Drag::none) return;
  const Settings& settings = editor_.session.doc().settings;
  const int frame = static_cast<int>(
      std::lround(std::clamp(span.frame(io.MousePos.x), double(span.first), double(span.last))));
  if (drag_ == Drag::scrub) {
    // Live, every place is a new beginning: one for a click, not one for every pixel.
    if (!live ? frame != player.frame() : ImGui::IsMouseReleased(0)) player.go_to(frame);
  } else if (frame != (drag_ == Drag::loop_in ? player.first_frame() : player.last_frame())) {
    int first = player.first_frame(), last = player.last_frame();
    if (drag_ == Drag::loop_in) first = std::min(frame, last - 1);
    if (drag_ == Drag::loop_out) last = std::max(frame, first + 1);
    if (first <= settings.first_frame && last >= settings.last_frame)
      player.set_loop(std::nullopt);
    else
      player.set_loop(std::pair(first, last));
  }
  if (!ImGui::IsMouseDown(0)) drag_ = Drag::none;
}

}  // namespace sinew::editor
