// A turntable camera: it looks at a target from an angle round the y axis, an angle above the
// horizon, and a distance. Also parallel, for views that are measured.
#pragma once

#include <Eigen/Geometry>
#include <optional>
#include <string_view>
#include <vector>

namespace sinew::render {

using Box = Eigen::AlignedBox3f;

struct Ray {
  Eigen::Vector3f origin, direction;  // the direction has length 1
};

struct Camera {
  Eigen::Vector3f target{0, 0, 0};  // m
  float yaw = 30;                   // degrees round y: 0 looks from +z, 90 from +x
  float pitch = 18;                 // degrees above the horizon, -90 .. 90
  float distance = 4;               // m from the target
  float fov = 30;                   // degrees, of the picture's height
  bool parallel = false;  // orthographic: the picture shows what `distance` and `fov` span

  bool operator==(const Camera&) const = default;

  Eigen::Vector3f back() const;  // from the target to the eye
  Eigen::Vector3f right() const;
  Eigen::Vector3f up() const;
  Eigen::Vector3f eye() const { return target + distance * back(); }
  // Half of what the picture's height shows at the target, in m.
  float half_height() const;

  // World to camera; the camera looks along -z.
  Eigen::Matrix4f view() const;
  // Camera to clip space. `deep`: depth runs from -1 to 1 (OpenGL), else from 0 to 1 (Vulkan).
  // Near and far enclose `seen`.
  Eigen::Matrix4f projection(float aspect, const Box& seen, bool deep) const;

  // Through a place of the picture, as parts of its width and height from the upper left.
  Ray ray(float x, float y, float aspect) const;
  // Where a point is in the picture, as above, and how far from the eye; nothing behind the eye.
  std::optional<Eigen::Vector3f> place_of(const Eigen::Vector3f& point, float aspect) const;

  // As an artist drags: degrees; parts of the picture's height; and a factor of the distance.
  void orbit(float yaw_by, float pitch_by);
  void pan(float x, float y);
  void zoom(float factor);
  // The same direction, so that the whole box is in the picture with a margin.
  void frame(const Box& box, float aspect, float margin = 0.1f);
};

// Views that every scene has: front, back, left, right, top, bottom (parallel), and
// "three-quarter".
std::optional<Camera> named_view(std::string_view name);
const std::vector<std::string_view>& view_names();

}  // namespace sinew::render
