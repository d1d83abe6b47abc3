// Where the lights stand, what the key light's shadow map covers, and where the floor lies: all
// from the scene's box and the camera, so that a scene of a micrometre and one of a kilometre look
// alike.
//
// Frame: the lights turn with the camera about the vertical, so that the form reads from every
// side. The shadow map is a parallel view along the key: a square of side W metres that holds the
// scene, from depth 0 to D metres. With the key's half angle a, a blocker at a distance d from a
// receiver throws a penumbra of d tan a.
#pragma once

#include <Eigen/Geometry>
#include <array>
#include <optional>

#include "render/camera.h"

namespace sinew::render {

// A parallel view along a direction into a square map, and the way back from the world to it.
struct DepthView {
  Eigen::Matrix4f view = Eigen::Matrix4f::Identity();
  Eigen::Matrix4f projection = Eigen::Matrix4f::Identity();
  Eigen::Matrix4f to_map = Eigen::Matrix4f::Identity();  // x and y from 0 to 1, z as stored
};

class Studio {
 public:
  Studio() = default;
  // `scene`: the box of all that is drawn; `floor_at`: or at its lowest point. `deep` and
  // `upside_down` say how the graphics interface counts depth and rows.
  Studio(const Box& scene, const Camera& camera, std::optional<float> floor_at, bool has_floor,
         bool deep, bool upside_down);

  // What must be in front of the camera's near and before its far plane.
  const Box& seen() const { return seen_; }
  const std::array<float, 12>& lights() const { return lights_; }
  const DepthView& key() const { return key_view_; }
  const std::array<float, 4>& shadow() const { return shadow_; }
  const DepthView& sky() const { return sky_view_; }
  const std::array<float, 4>& sky_numbers() const { return sky_; }
  const std::array<float, 4>& floor() const { return floor_; }

  std::array<Eigen::Vector3f, 6> floor_corners() const;
  float floor_radius() const { return floor_radius_; }
  // Distance of the floor's finer lines: a power of ten in metres.
  float ruling() const { return ruling_; }
  // 1 from above, 0 from below the floor, and something between at a grazing look.
  float floor_fade(const Camera& camera) const;

 private:
  void place_lights(const Camera& camera);
  void place_shadow(const Box& scene, bool deep, bool upside_down);
  void place_sky(const Box& scene, float radius, bool deep, bool upside_down);

  Box seen_;
  Eigen::Vector3f key_{0, 1, 0};
  std::array<float, 12> lights_{};
  DepthView key_view_, sky_view_;
  std::array<float, 4> shadow_{}, sky_{}, floor_{};
  Eigen::Vector3f floor_middle_{0, 0, 0};
  float floor_radius_ = 1, ruling_ = 1;
};

}  // namespace sinew::render
