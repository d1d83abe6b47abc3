#include "render/studio.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "render/targets.h"

namespace sinew::render {
namespace {

using Eigen::Matrix4f;
using Eigen::Vector3f;

// In the camera's frame, which stays upright: x to the right, y up, z towards the eye.
const Vector3f key_place = Vector3f(-0.48f, 0.78f, 0.42f).normalized();
const Vector3f fill_place = Vector3f(0.80f, 0.15f, 0.55f).normalized();
const Vector3f rim_place = Vector3f(0.35f, 0.45f, -0.85f).normalized();
constexpr float tan_key = 0.13f;    // of half the angle under which the key is seen
constexpr float sky_reach = 0.42f;  // radii of the scene: how far away something takes sky
constexpr float floor_reach = 9;    // radii of the scene
constexpr float floor_sinks =
    1e-3f;  // radii of the scene: what lies in the floor, as planes do, is seen
constexpr float smallest = 1e-6f;  // m: a scene that is a point has some size, too

}  // namespace

Studio::Studio(const Box& scene, const Camera& camera, std::optional<float> floor_at,
               bool has_floor, bool deep, bool upside_down) {
  place_lights(camera);
  Box box = scene;
  if (box.isEmpty()) box = Box(camera.target, camera.target);
  const float radius = std::max({0.5f * box.diagonal().norm(), 1e-4f * camera.distance, smallest});
  const float height = floor_at.value_or(box.min().y());
  floor_ = {height, 1 / radius, has_floor ? 1.0f : 0.0f, 1};
  floor_middle_ = box.center();
  floor_middle_.y() = height;
  floor_radius_ = floor_reach * radius;
  ruling_ = std::pow(10.0f, std::floor(std::log10(0.7f * radius)));
  seen_ = box;
  // The floor is seen, too; from below there is none.
  const Vector3f reach(floor_radius_, 0, floor_radius_);
  seen_.extend(floor_middle_ - reach).extend(floor_middle_ + reach);
  seen_.extend(floor_middle_ - Vector3f(0, floor_sinks * radius, 0));
  // The map holds what casts. A floor far below looks its shadow up along the light, beyond the
  // map's depth.
  place_shadow(Box(box.center().array() - radius, box.center().array() + radius), deep,
               upside_down);
  place_sky(box, radius, deep, upside_down);
}

void Studio::place_lights(const Camera& camera) {
  const float a = camera.yaw * std::numbers::pi_v<float> / 180;
  const Eigen::AngleAxisf turn(a, Vector3f::UnitY());
  key_ = turn * key_place;
  const Vector3f fill = turn * fill_place, rim = turn * rim_place;
  lights_ = {key_.x(), key_.y(), key_.z(), 0,       fill.x(), fill.y(),
             fill.z(), 0,        rim.x(),  rim.y(), rim.z(),  0};
}

namespace {

// `towards`: from the scene to where it is looked at from; `x` to the right. Depth grows away from
// there, from 0 at the near end of a box of side x side x depth metres about the middle.
DepthView depth_view(const Vector3f& middle, const Vector3f& towards, const Vector3f& x, float side,
                     float depth, bool deep, bool upside_down) {
  DepthView v;
  const Vector3f y = x.cross(towards), eye = middle + 0.5f * depth * towards;
  v.view.block<1, 3>(0, 0) = x.transpose();
  v.view.block<1, 3>(1, 0) = y.transpose();
  v.view.block<1, 3>(2, 0) = -towards.transpose();
  v.view.block<3, 1>(0, 3) = -v.view.block<3, 3>(0, 0) * eye;
  v.projection.setZero();
  v.projection(0, 0) = v.projection(1, 1) = 2 / side;
  v.projection(2, 2) = (deep ? 2 : 1) / depth;
  v.projection(2, 3) = deep ? -1 : 0;
  v.projection(3, 3) = 1;
  Matrix4f to_map = Matrix4f::Identity();
  to_map(0, 0) = 0.5f;
  to_map(0, 3) = 0.5f;
  to_map(1, 1) = upside_down ? 0.5f : -0.5f;
  to_map(1, 3) = 0.5f;
  to_map(2, 2) = deep ? 0.5f : 1;
  to_map(2, 3) = deep ? 0.5f : 0;
  v.to_map = to_map * v.projection * v.view;
  return v;
}

}  // namespace

void Studio::place_shadow(const Box& scene, bool deep, bool upside_down) {
  const float radius = 0.5f * scene.diagonal().norm() / std::sqrt(3.0f) * 1.02f;
  const float side = 2.35f * radius, depth = 2.1f * radius;  // room for penumbras at the sides
  key_view_ = depth_view(scene.center(), key_, key_.cross(Vector3f::UnitY()).normalized(), side,
                         depth, deep, upside_down);
  constexpr float texel = 1.0f / ShadowTarget::key_texels;
  shadow_ = {texel, tan_key * depth / side, 1.5f * texel * side / depth, 1};
  floor_[3] = side;
}

void Studio::place_sky(const Box& scene, float radius, bool deep, bool upside_down) {
  const float side = 2.8f * radius, depth = 2.1f * radius;
  sky_view_ = depth_view(scene.center(), Vector3f::UnitY(), Vector3f::UnitX(), side, depth, deep,
                         upside_down);
  sky_ = {sky_reach * radius / side, depth / side, 2.5f / ShadowTarget::sky_texels, 1};
}

std::array<Vector3f, 6> Studio::floor_corners() const {
  const Vector3f x(floor_radius_, 0, 0), z(0, 0, floor_radius_);
  const Vector3f m = floor_middle_ - Vector3f(0, floor_sinks / floor_[1], 0);
  return {m - x - z, m - x + z, m + x + z, m - x - z, m + x + z, m + x - z};
}

float Studio::floor_fade(const Camera& camera) const {
  if (camera.parallel) return std::clamp(camera.pitch / 2, 0.0f, 1.0f);
  const float above = camera.eye().y() - floor_[0];
  return std::clamp(above * floor_[1] * 12, 0.0f, 1.0f);
}

}  // namespace sinew::render
