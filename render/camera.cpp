#include "render/camera.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace sinew::render {
namespace {

using Eigen::Matrix4f;
using Eigen::Vector3f;

constexpr float degrees = std::numbers::pi_v<float> / 180;
constexpr float closest = 1e-9f;  // m: a camera is never at its target
constexpr float farthest = 1e12f;

}  // namespace

Vector3f Camera::back() const {
  const float a = yaw * degrees, b = pitch * degrees;
  return {std::sin(a) * std::cos(b), std::sin(b), std::cos(a) * std::cos(b)};
}

Vector3f Camera::right() const { return {std::cos(yaw * degrees), 0, -std::sin(yaw * degrees)}; }

Vector3f Camera::up() const { return back().cross(right()); }

float Camera::half_height() const { return distance * std::tan(0.5f * fov * degrees); }

Matrix4f Camera::view() const {
  Matrix4f m = Matrix4f::Identity();
  m.block<1, 3>(0, 0) = right().transpose();
  m.block<1, 3>(1, 0) = up().transpose();
  m.block<1, 3>(2, 0) = back().transpose();
  m.block<3, 1>(0, 3) = -m.block<3, 3>(0, 0) * eye();
  return m;
}

Matrix4f Camera::projection(float aspect, const Box& seen, bool deep) const {
  const float middle = seen.isEmpty() ? distance : (eye() - seen.center()).dot(back());
  const float radius = seen.isEmpty() ? distance : 0.5f * seen.diagonal().norm();
  Matrix4f m = Matrix4f::Zero();
  if (parallel) {
    const float near = middle - 1.05f * radius, far = middle + 1.05f * radius;
    const float h = half_height(), depth = std::max(far - near, closest);
    m(0, 0) = 1 / (h * aspect);
    m(1, 1) = 1 / h;
    m(2, 2) = (deep ? -2 : -1) / depth;
    m(2, 3) = deep ? -(far + near) / depth : -near / depth;
    m(3, 3) = 1;
    return m;
  }
  const float far = std::max(middle + 1.05f * radius, 2 * closest);
  const float near = std::max(middle - 1.05f * radius, 1e-3f * far);
  const float scale = 1 / std::tan(0.5f * fov * degrees);
  m(0, 0) = scale / aspect;
  m(1, 1) = scale;
  m(2, 2) = deep ? -(far + near) / (far - near) : -far / (far - near);
  m(2, 3) = (deep ? -2 : -1) * far * near / (far - near);
  m(3, 2) = -1;
  return m;
}

Ray Camera::ray(float x, float y, float aspect) const {
  const float h = half_height();
  const Vector3f on_target =
      target + right() * ((2 * x - 1) * h * aspect) + up() * ((1 - 2 * y) * h);
  if (parallel) return {on_target + distance * back(), -back()};
  return {eye(), (on_target - eye()).normalized()};
}

std::optional<Vector3f> Camera::place_of(const Vector3f& point, float aspect) const {
  const Vector3f from_eye = point - eye();
  const float depth = -from_eye.dot(back());
  const float h = parallel ? half_height() : depth * std::tan(0.5f * fov * degrees);
  if (!(h > 0) || (!parallel && depth < closest)) return std::nullopt;
  return Vector3f(0.5f + 0.5f * from_eye.dot(right()) / (h * aspect),
                  0.5f - 0.5f * from_eye.dot(up()) / h, depth);
}

void Camera::orbit(float yaw_by, float pitch_by) {
  yaw = std::remainder(yaw + yaw_by, 360.0f);
  pitch = std::clamp(pitch + pitch_by, -90.0f, 90.0f);
}

void Camera::pan(float x, float y) {
  target -= right() * (2 * half_height() * x);
  target += up() * (2 * half_height() * y);
}

void Camera::zoom(float factor) { distance = std::clamp(distance * factor, closest, farthest); }

// With a corner at x to the right of, y above and z before the box's middle, and the eye at
// (c, d, D), the picture's right side holds the corner if x - c <= t (D - z), where t is the
// tangent of half the picture's angle: c + t D >= max(x + t z). The left side asks for t D - c >=
// max(t z - x). Both are just met by D = half the sum / t and c = half the difference.
void Camera::frame(const Box& box, float aspect, float margin) {
  if (box.isEmpty()) return;
  const float size = std::max(0.5f * box.diagonal().norm(), closest);
  const float tan_y = std::tan(0.5f * fov * degrees) * (1 - margin), tan_x = tan_y * aspect;
  constexpr float lowest = std::numeric_limits<float>::lowest();
  float to_right = lowest, to_left = lowest, to_top = lowest, to_bottom = lowest, front = 0;
  for (int corner = 0; corner < 8; ++corner) {
    const Vector3f p = box.corner(static_cast<Box::CornerType>(corner)) - box.center();
    const float x = p.dot(right()), y = p.dot(up()), z = parallel ? 0 : p.dot(back());
    to_right = std::max(to_right, tan_x * z + x);
    to_left = std::max(to_left, tan_x * z - x);
    to_top = std::max(to_top, tan_y * z + y);
    to_bottom = std::max(to_bottom, tan_y * z - y);
    front = std::max(front, z);
  }
  target =
      box.center() + 0.5f * (to_right - to_left) * right() + 0.5f * (to_top - to_bottom) * up();
  // What is thin and seen end on needs no room at the sides, but some before the eye.
  const float needed = std::max({0.5f * (to_right + to_left) / tan_x,
                                 0.5f * (to_top + to_bottom) / tan_y, front + 0.02f * size});
  distance = std::clamp(needed, closest, farthest);
}

namespace {

struct NamedView {
  std::string_view name;
  float yaw, pitch;
  bool parallel;
};
constexpr NamedView views[] = {
    {"three-quarter", 30, 18, false}, {"front", 0, 0, true},  {"back", 180, 0, true},
    {"left", -90, 0, true},           {"right", 90, 0, true}, {"top", 0, 90, true},
    {"bottom", 0, -90, true},         {"low", 30, 4, false},  {"high", 30, 42, false},
};

}  // namespace

std::optional<Camera> named_view(std::string_view name) {
  for (const NamedView& v : views)
    if (v.name == name) {
      Camera camera;
      camera.yaw = v.yaw;
      camera.pitch = v.pitch;
      camera.parallel = v.parallel;
      return camera;
    }
  return std::nullopt;
}

const std::vector<std::string_view>& view_names() {
  static const std::vector<std::string_view> names = [] {
    std::vector<std::string_view> all;
    for (const NamedView& v : views) all.push_back(v.name);
    return all;
  }();
  return names;
}

}  // namespace sinew::render
