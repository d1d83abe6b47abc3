#include "app/editor/panels/viewport/camera_moves.h"

#include <algorithm>
#include <array>
#include <cfloat>
#include <cmath>

#include "app/ui/landmarks.h"
#include "app/ui/theme.h"

namespace sinew::editor {
namespace {

constexpr double move_seconds = 0.22;

float between(float a, float b, float t) { return a + t * (b - a); }

struct AxisEnd {
  Vector3f direction;
  const char* view;
  const char* letter;  // only the ends that axes point to have one
  int axis;
};
const std::array<AxisEnd, 6>& axis_ends() {
  static const std::array<AxisEnd, 6> ends = {{{{1, 0, 0}, "right", "X", 0},
                                               {{-1, 0, 0}, "left", "", 0},
                                               {{0, 1, 0}, "top", "Y", 1},
                                               {{0, -1, 0}, "bottom", "", 1},
                                               {{0, 0, 1}, "front", "Z", 2},
                                               {{0, 0, -1}, "back", "", 2}}};
  return ends;
}

}  // namespace

void CameraMoves::update() {
  if (!moving_) return;
  const double part = (sight_.editor.now() - began_) / move_seconds;
  const float s = static_cast<float>(std::clamp(part, 0.0, 1.0)), t = s * s * (3 - 2 * s);
  render::Camera& c = sight_.view.camera;
  c = to_;
  if (part < 1) {
    c.target = from_.target + t * (to_.target - from_.target);
    c.yaw = from_.yaw + t * std::remainder(to_.yaw - from_.yaw, 360.0f);
    c.pitch = between(from_.pitch, to_.pitch, t);
    c.distance = from_.distance * std::pow(to_.distance / from_.distance, t);
    c.fov = between(from_.fov, to_.fov, t);
    sight_.editor.want_frames(0.1);
  } else {
    moving_ = false;
  }
  sight_.moved();
}

void CameraMoves::go_to(const render::Camera& camera) {
  from_ = sight_.view.camera;
  to_ = camera;
  began_ = sight_.editor.now();
  moving_ = true;
  sight_.editor.want_frames(move_seconds + 0.1);
}

void CameraMoves::frame(const render::Box& box) {
  if (box.isEmpty()) return;
  render::Camera camera = moving_ ? to_ : sight_.view.camera;
  camera.frame(box, sight_.aspect());
  go_to(camera);
}

void CameraMoves::turn_to(std::string_view view) {
  const std::optional<render::Camera> named = render::named_view(view);
  if (!named) return;
  render::Camera camera = moving_ ? to_ : sight_.view.camera;
  camera.yaw = named->yaw;
  camera.pitch = named->pitch;
  camera.parallel = named->parallel;
  if (!sight_.box.isEmpty() && !sight_.box.contains(camera.target))
    camera.frame(sight_.box, sight_.aspect());
  go_to(camera);
}

void CameraMoves::set_pivot(const Vector3f& point) {
  render::Camera camera = sight_.view.camera;
  camera.target = point;
  go_to(camera);
}

void CameraMoves::toggle_parallel() {
  stop();
  sight_.view.camera.parallel = !sight_.view.camera.parallel;
  sight_.moved();
}

void CameraMoves::orbit(ImVec2 by) {
  stop();
  sight_.view.camera.orbit(-0.4f * by.x / ui::scale(), 0.4f * by.y / ui::scale());
  sight_.moved();
}

void CameraMoves::pan(ImVec2 by) {
  stop();
  sight_.view.camera.pan(by.x / sight_.size.y, by.y / sight_.size.y);
  sight_.moved();
}

void CameraMoves::zoom(float notches, ImVec2 towards) {
  stop();
  render::Camera& c = sight_.view.camera;
  const float factor = std::pow(0.88f, notches);
  const std::optional<Vector3f> before = sight_.on_plane(towards, c.target, c.back());
  c.zoom(factor);
  if (before) c.target = *before + factor * (c.target - *before);
  sight_.moved();
}

bool CameraMoves::draw_axes(ImDrawList& list, bool mouse_is_free) {
  // In a small picture they are smaller, so that they stay clear of the body.
  const float radius = std::min(ui::px(30), 0.11f * std::min(sight_.size.x, sight_.size.y));
  const float dot = radius * 8 / 30;
  if (dot < ui::px(3)) return false;  // nobody could read or hit them
  const ImVec2 centre(sight_.at.x + sight_.size.x - sight_.right_taken - radius - ui::px(20),
                      sight_.at.y + sight_.size.y - radius - ui::px(20));
  const render::Camera& c = sight_.camera();
  struct Shown {
    const AxisEnd* end;
    ImVec2 at;
    float depth;
  };
  std::array<Shown, 6> shown;
  for (std::size_t i = 0; i < 6; ++i) {
    const AxisEnd& end = axis_ends()[i];
    shown[i] = {&end,
                ImVec2(centre.x + radius * end.direction.dot(c.right()),
                       centre.y - radius * end.direction.dot(c.up())),
                end.direction.dot(c.back())};
  }
  std::sort(shown.begin(), shown.end(),
            [](const Shown& a, const Shown& b) { return a.depth < b.depth; });
  const ImVec2 mouse = sight_.mouse();
  const bool over =
      mouse_is_free && std::hypot(mouse.x - centre.x, mouse.y - centre.y) < radius + ui::px(12);
  const AxisEnd* hot = nullptr;
  for (const Shown& s : shown)
    if (over && std::hypot(mouse.x - s.at.x, mouse.y - s.at.y) < dot + ui::px(3)) hot = s.end;
  if (over) list.AddCircleFilled(centre, radius + ui::px(13), IM_COL32(120, 125, 135, 50), 40);
  for (const Shown& s : shown) {
    const draw::Rgba& rgb = draw::axis_colours[s.end->axis];
    const auto byte = [](float x) { return static_cast<int>(255 * x + 0.5f); };
    const float alpha = 0.55f + 0.45f * (0.5f + 0.5f * s.depth);
    const ImU32 colour = IM_COL32(byte(rgb.r), byte(rgb.g), byte(rgb.b), byte(alpha));
    if (*s.end->letter) {
      list.AddLine(centre, s.at, colour, ui::px(2));
      list.AddCircleFilled(s.at, dot, colour, 20);
      const float high = ImGui::GetFontSize() * dot / ui::px(8);
      const ImVec2 size = ImGui::GetFont()->CalcTextSizeA(high, FLT_MAX, 0, s.end->letter);
      list.AddText(nullptr, high, ImVec2(s.at.x - size.x / 2, s.at.y - size.y / 2),
                   IM_COL32(255, 255, 255, 240), s.end->letter);
    } else {
      list.AddCircleFilled(s.at, 0.7f * dot, ui::with_alpha(colour, 0.35f), 16);
      list.AddCircle(s.at, 0.7f * dot, colour, 16, ui::px(1.2f));
    }
    if (s.end == hot)
      list.AddCircle(s.at, dot + ui::px(2), IM_COL32(255, 255, 255, 255), 20, ui::px(2));
    ui::mark_area("axis", s.end->view, ImVec2(s.at.x - 4, s.at.y - 4),
                  ImVec2(s.at.x + 4, s.at.y + 4));
  }
  if (hot) {
    sight_.editor.hint(std::string("Click: look from the ") + hot->view);
    if (ImGui::IsMouseClicked(0)) turn_to(hot->view);
  }
  return over;
}

}  // namespace sinew::editor
