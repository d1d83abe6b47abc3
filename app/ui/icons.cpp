#include "app/ui/icons.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>

namespace sinew::ui {
namespace {

// A pen in a square from -1 to 1, y down.
class Pen {
 public:
  Pen(ImDrawList& list, ImVec2 centre, float size, ImU32 colour)
      : list_(list), centre_(centre), half_(0.42f * size), colour_(colour) {
    width_ = std::max(1.0f, size / 11);
  }

  ImVec2 at(float x, float y) const { return {centre_.x + half_ * x, centre_.y + half_ * y}; }
  void path(std::initializer_list<ImVec2> points, bool closed = false) {
    for (const ImVec2& p : points) list_.PathLineTo(at(p.x, p.y));
    list_.PathStroke(colour_, closed ? ImDrawFlags_Closed : 0, width_);
  }
  void fill(std::initializer_list<ImVec2> points) {
    for (const ImVec2& p : points) list_.PathLineTo(at(p.x, p.y));
    list_.PathFillConvex(colour_);
  }
  void ring(float x, float y, float r) { list_.AddCircle(at(x, y), r * half_, colour_, 0, width_); }
  void disc(float x, float y, float r) { list_.AddCircleFilled(at(x, y), r * half_, colour_); }
  // Degrees clockwise from the right.
  void arc(float x, float y, float r, float from, float to) {
    list_.PathArcTo(at(x, y), r * half_, from * 0.0174533f, to * 0.0174533f);
    list_.PathStroke(colour_, 0, width_);
  }

 private:
  ImDrawList& list_;
  ImVec2 centre_;
  float half_, width_;
  ImU32 colour_;
};

void draw_player(Pen& p, Icon icon) {
  switch (icon) {
    case Icon::play:
      return p.fill({{-0.6f, -0.85f}, {0.85f, 0}, {-0.6f, 0.85f}});
    case Icon::pause:
      p.fill({{-0.65f, -0.8f}, {-0.2f, -0.8f}, {-0.2f, 0.8f}, {-0.65f, 0.8f}});
      return p.fill({{0.2f, -0.8f}, {0.65f, -0.8f}, {0.65f, 0.8f}, {0.2f, 0.8f}});
    case Icon::stop:
      return p.fill({{-0.7f, -0.7f}, {0.7f, -0.7f}, {0.7f, 0.7f}, {-0.7f, 0.7f}});
    case Icon::step_forward:
      p.fill({{-0.7f, -0.7f}, {0.35f, 0}, {-0.7f, 0.7f}});
      return p.fill({{0.45f, -0.7f}, {0.75f, -0.7f}, {0.75f, 0.7f}, {0.45f, 0.7f}});
    case Icon::step_back:
      p.fill({{0.7f, 0.7f}, {-0.35f, 0}, {0.7f, -0.7f}});
      return p.fill({{-0.75f, -0.7f}, {-0.45f, -0.7f}, {-0.45f, 0.7f}, {-0.75f, 0.7f}});
    case Icon::to_start:
      p.fill({{0.05f, 0.7f}, {-0.6f, 0}, {0.05f, -0.7f}});
      p.fill({{0.8f, 0.7f}, {0.1f, 0}, {0.8f, -0.7f}});
      return p.path({{-0.8f, -0.75f}, {-0.8f, 0.75f}});
    case Icon::to_end:
      p.fill({{-0.05f, -0.7f}, {0.6f, 0}, {-0.05f, 0.7f}});
      p.fill({{-0.8f, -0.7f}, {-0.1f, 0}, {-0.8f, 0.7f}});
      return p.path({{0.8f, -0.75f}, {0.8f, 0.75f}});
    case Icon::loop:
      p.arc(0, 0, 0.75f, -60, 200);
      return p.fill({{0.05f, -1.05f}, {0.75f, -0.75f}, {0.2f, -0.25f}});
    case Icon::record:
      return p.disc(0, 0, 0.7f);
    default:
      return;
  }
}

void draw_thing(Pen& p, Icon icon) {
  switch (icon) {
    case Icon::eye:
      p.path({{-1, 0},
              {-0.5f, -0.5f},
              {0, -0.62f},
              {0.5f, -0.5f},
              {1, 0},
              {0.5f, 0.5f},
              {0, 0.62f},
              {-0.5f, 0.5f}},
             true);
      return p.disc(0, 0, 0.3f);
    case Icon::eye_off:
      p.path({{-1, 0},
              {-0.5f, -0.5f},
              {0, -0.62f},
              {0.5f, -0.5f},
              {1, 0},
              {0.5f, 0.5f},
              {0, 0.62f},
              {-0.5f, 0.5f}},
             true);
      return p.path({{-0.8f, 0.8f}, {0.8f, -0.8f}});
    case Icon::folder:
      return p.path({{-0.95f, 0.7f},
                     {-0.95f, -0.6f},
                     {-0.3f, -0.6f},
                     {-0.05f, -0.3f},
                     {0.95f, -0.3f},
                     {0.95f, 0.7f}},
                    true);
    case Icon::file:
      p.path({{-0.65f, -0.95f}, {0.2f, -0.95f}, {0.65f, -0.45f}, {0.65f, 0.95f}, {-0.65f, 0.95f}},
             true);
      return p.path({{0.2f, -0.95f}, {0.2f, -0.45f}, {0.65f, -0.45f}});
    case Icon::search:
      p.ring(-0.2f, -0.2f, 0.6f);
      return p.path({{0.25f, 0.25f}, {0.9f, 0.9f}});
    case Icon::camera:
      p.path({{-0.95f, -0.45f}, {0.35f, -0.45f}, {0.35f, 0.55f}, {-0.95f, 0.55f}}, true);
      return p.path({{0.35f, -0.05f}, {0.95f, -0.45f}, {0.95f, 0.55f}, {0.35f, 0.15f}});
    case Icon::brush:
      p.path({{0.9f, -0.9f}, {-0.1f, 0.15f}});
      return p.fill(
          {{-0.15f, -0.05f}, {0.1f, 0.25f}, {-0.2f, 0.75f}, {-0.9f, 0.9f}, {-0.55f, 0.2f}});
    case Icon::hand:
      return p.path({{-0.75f, 0.1f},
                     {-0.35f, 0.35f},
                     {-0.35f, -0.7f},
                     {-0.1f, -0.7f},
                     {-0.1f, -0.1f},
                     {-0.1f, -0.9f},
                     {0.15f, -0.9f},
                     {0.15f, -0.1f},
                     {0.15f, -0.75f},
                     {0.4f, -0.75f},
                     {0.4f, 0},
                     {0.4f, -0.45f},
                     {0.65f, -0.45f},
                     {0.65f, 0.4f},
                     {0.35f, 0.95f},
                     {-0.25f, 0.95f}},
                    true);
    case Icon::finger:
      p.path({{-0.2f, 0.95f}, {-0.2f, -0.2f}, {0, -0.35f}, {0.2f, -0.2f}, {0.2f, 0.95f}});
      p.arc(0, -0.35f, 0.5f, 200, 340);
      return p.arc(0, -0.35f, 0.8f, 205, 335);
    case Icon::cube:
      p.path({{0, -0.95f},
              {0.85f, -0.45f},
              {0.85f, 0.45f},
              {0, 0.95f},
              {-0.85f, 0.45f},
              {-0.85f, -0.45f}},
             true);
      return p.path({{-0.85f, -0.45f}, {0, 0.05f}, {0.85f, -0.45f}, {0, 0.05f}, {0, 0.95f}});
    case Icon::chart:
      p.path({{-0.9f, -0.9f}, {-0.9f, 0.9f}, {0.9f, 0.9f}});
      return p.path({{-0.65f, 0.5f}, {-0.3f, -0.2f}, {0, 0.15f}, {0.35f, -0.55f}, {0.8f, -0.75f}});
    case Icon::link:
      p.ring(-0.6f, 0.4f, 0.35f);
      p.ring(0.6f, -0.4f, 0.35f);
      return p.path({{-0.3f, 0.2f}, {0.3f, -0.2f}});
    case Icon::star:
      return p.path({{0, -0.95f},
                     {0.27f, -0.3f},
                     {0.95f, -0.28f},
                     {0.42f, 0.15f},
                     {0.6f, 0.85f},
                     {0, 0.45f},
                     {-0.6f, 0.85f},
                     {-0.42f, 0.15f},
                     {-0.95f, -0.28f},
                     {-0.27f, -0.3f}},
                    true);
    case Icon::clock:
      p.ring(0, 0, 0.85f);
      return p.path({{0, -0.5f}, {0, 0}, {0.4f, 0.25f}});
    case Icon::save:
      p.path({{-0.85f, -0.85f}, {0.5f, -0.85f}, {0.85f, -0.5f}, {0.85f, 0.85f}, {-0.85f, 0.85f}},
             true);
      return p.path({{-0.45f, 0.85f}, {-0.45f, 0.2f}, {0.45f, 0.2f}, {0.45f, 0.85f}});
    case Icon::list:
      for (const float y : {-0.6f, 0.0f, 0.6f}) p.path({{-0.85f, y}, {0.85f, y}});
      return;
    case Icon::table:
      p.path({{-0.9f, -0.75f}, {0.9f, -0.75f}, {0.9f, 0.75f}, {-0.9f, 0.75f}}, true);
      p.path({{-0.9f, -0.25f}, {0.9f, -0.25f}});
      p.path({{-0.9f, 0.25f}, {0.9f, 0.25f}});
      return p.path({{-0.2f, -0.75f}, {-0.2f, 0.75f}});
    case Icon::home:
      p.path({{-0.95f, 0.05f}, {0, -0.85f}, {0.95f, 0.05f}});
      return p.path({{-0.65f, -0.1f}, {-0.65f, 0.85f}, {0.65f, 0.85f}, {0.65f, -0.1f}});
    case Icon::pointer:
      return p.path({{-0.55f, -0.9f},
                     {-0.55f, 0.6f},
                     {-0.15f, 0.25f},
                     {0.15f, 0.9f},
                     {0.4f, 0.78f},
                     {0.12f, 0.15f},
                     {0.6f, 0.1f}},
                    true);
    case Icon::erase:
      p.path({{-0.9f, 0.35f}, {0.1f, -0.75f}, {0.9f, -0.1f}, {0.05f, 0.8f}, {-0.4f, 0.8f}}, true);
      return p.path({{-0.45f, -0.15f}, {0.4f, 0.42f}});
    case Icon::bake:
      p.path({{-0.8f, -0.6f}, {0.8f, -0.6f}, {0.8f, 0.8f}, {-0.8f, 0.8f}}, true);
      p.path({{0, -1}, {0, 0.35f}});
      return p.path({{-0.35f, 0}, {0, 0.4f}, {0.35f, 0}});
    default:
      return;
  }
}

void draw_sign(Pen& p, Icon icon) {
  switch (icon) {
    case Icon::plus:
      p.path({{0, -0.75f}, {0, 0.75f}});
      return p.path({{-0.75f, 0}, {0.75f, 0}});
    case Icon::minus:
      return p.path({{-0.75f, 0}, {0.75f, 0}});
    case Icon::cross:
      p.path({{-0.6f, -0.6f}, {0.6f, 0.6f}});
      return p.path({{-0.6f, 0.6f}, {0.6f, -0.6f}});
    case Icon::check:
      return p.path({{-0.75f, 0.05f}, {-0.2f, 0.6f}, {0.8f, -0.6f}});
    case Icon::warning:
      p.path({{0, -0.85f}, {0.95f, 0.8f}, {-0.95f, 0.8f}}, true);
      p.path({{0, -0.25f}, {0, 0.3f}});
      return p.disc(0, 0.55f, 0.1f);
    case Icon::error:
      p.ring(0, 0, 0.9f);
      p.path({{0, -0.5f}, {0, 0.15f}});
      return p.disc(0, 0.48f, 0.11f);
    case Icon::info:
      p.ring(0, 0, 0.9f);
      p.path({{0, -0.1f}, {0, 0.5f}});
      return p.disc(0, -0.45f, 0.11f);
    case Icon::undo:
    case Icon::reset:
      p.arc(0.05f, 0.1f, 0.65f, -140, 110);
      return p.fill({{-1, -0.25f}, {-0.15f, -0.6f}, {-0.2f, 0.2f}});
    case Icon::redo:
      p.arc(-0.05f, 0.1f, 0.65f, 70, 320);
      return p.fill({{1, -0.25f}, {0.2f, 0.2f}, {0.15f, -0.6f}});
    case Icon::mute:
      p.ring(0, 0, 0.8f);
      return p.path({{-0.55f, 0.55f}, {0.55f, -0.55f}});
    case Icon::right:
      return p.path({{-0.3f, -0.65f}, {0.35f, 0}, {-0.3f, 0.65f}});
    case Icon::left:
      return p.path({{0.3f, -0.65f}, {-0.35f, 0}, {0.3f, 0.65f}});
    case Icon::down:
      return p.path({{-0.65f, -0.3f}, {0, 0.35f}, {0.65f, -0.3f}});
    case Icon::up:
      return p.path({{-0.65f, 0.3f}, {0, -0.35f}, {0.65f, 0.3f}});
    case Icon::dots:
      for (const float x : {-0.65f, 0.0f, 0.65f}) p.disc(x, 0, 0.17f);
      return;
    default:
      return;
  }
}

}  // namespace

void draw_icon(ImDrawList& list, Icon icon, ImVec2 centre, float size, ImU32 colour) {
  Pen pen(list, {std::round(centre.x), std::round(centre.y)}, size, colour);
  draw_player(pen, icon);
  draw_thing(pen, icon);
  draw_sign(pen, icon);
}

}  // namespace sinew::ui
