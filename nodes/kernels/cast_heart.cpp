// The heart of the cast.
#include <algorithm>
#include <cmath>

#include "nodes/kernels/cast_living.h"
#include "nodes/kernels/cast_parts.h"

namespace sinew::kernels {

using namespace cast;

namespace {

Limb thinner(Limb limb, double by, double least) {
  for (double& r : limb.radii) r = std::max(r - by, least);
  return limb;
}

// Adds muscle and vessels, then takes out what is hollow.
ImplicitShape heart_body(const HeartShape& shape) {
  const double wall = shape.wall;
  const Limb left = smooth_limb(
      {{{0.06, 0.08, -0.04}, {0.09, -0.13, -0.01}, {0.16, -0.395, 0.04}}, {0.2, 0.195, 0.075}}, 8);
  const Limb right = smooth_limb(
      {{{-0.12, 0.08, 0.06}, {-0.075, -0.1, 0.1}, {0.075, -0.29, 0.1}}, {0.16, 0.15, 0.085}}, 8);
  const Limb aorta = smooth_limb({{{0.03, 0.1, -0.02},
                                   {-0.025, 0.25, -0.005},
                                   {-0.01, 0.36, -0.02},
                                   {0.06, 0.44, -0.055},
                                   {0.155, 0.445, -0.1}},
                                  {0.085, 0.078, 0.074, 0.072, 0.07}},
                                 4);
  const Limb trunk = smooth_limb(
      {{{-0.075, 0.08, 0.13}, {-0.005, 0.22, 0.15}, {0.09, 0.315, 0.13}, {0.165, 0.355, 0.1}},
       {0.085, 0.075, 0.07, 0.066}},
      4);
  ImplicitShape body;
  body.add(left, 0).add(right, 0.03);
  // The two atria with their ears, and the upper hollow vein.
  body.add(Ellipsoid{{-0.19, 0.19, -0.03}, {0.12, 0.13, 0.115}}, 0.03);
  body.add(Ellipsoid{{0.12, 0.18, -0.13}, {0.13, 0.11, 0.105}}, 0.03);
  body.add(Ellipsoid{{0.19, 0.2, 0.02}, {0.06, 0.05, 0.07}}, 0.02);
  body.add(Limb{{{-0.2, 0.2, -0.05}, {-0.21, 0.42, -0.05}}, {0.055, 0.05}}, 0.03);
  body.add(aorta, 0.025).add(trunk, 0.02);
  // What fills the angle between the two.
  body.add(Ellipsoid{{0.0, 0.17, 0.06}, {0.1, 0.1, 0.1}}, 0.03);

  const Limb left_hollow = thinner(left, 0.085 * wall, 0.03);
  const Limb right_hollow = thinner(right, 0.045 * wall, 0.03);
  ImplicitShape left_space, right_space;
  left_space.add(left_hollow, 0);
  right_space.add(right_hollow, 0);
  // The right one lies around the left one, a wall away.
  const double between = 0.065 * wall;
  const Implicit crescent = [=](const Vec3d& p) {
    return smooth_max(right_space(p), between - left_space(p), 0.03);
  };
  ImplicitShape hollow;
  hollow.add(left_space, left_space.box(), 0).add(crescent, right_space.box(), 0);
  if (shape.open) {
    const auto lumen = [&](Limb vessel, const Vec3d& from) {
      vessel = thinner(vessel, 0.032, 0.03);
      const std::size_t last = vessel.points.size() - 1;
      const Vec3d ahead = (vessel.points[last] - vessel.points[last - 1]).normalized();
      vessel.points.insert(vessel.points.begin(), from);
      vessel.radii.insert(vessel.radii.begin(), 0.045);
      vessel.points.push_back(vessel.points.back() + 0.12 * ahead);
      vessel.radii.push_back(vessel.radii.back());
      return vessel;
    };
    hollow.add(lumen(aorta, {0.06, 0.02, -0.03}), 0.02);
    hollow.add(lumen(trunk, {-0.13, 0.0, 0.11}), 0.02);
  }
  body.cut(hollow, hollow.box(), 0.03);
  return body;
}

}  // namespace

Mesh make_heart(const HeartShape& shape, CancelView stop) {
  const ImplicitShape body = heart_body(shape);
  const double twist = shape.twist;
  // The ventricles are wrung about the axis below the vessels.
  const Implicit wrung = [&](const Vec3d& p) {
    const double angle = twist * std::clamp(0.12 - p.y(), 0.0, 0.62) / 0.62;
    const double c = std::cos(angle), s = std::sin(angle);
    return body({c * p.x() - s * p.z(), p.y(), s * p.x() + c * p.z()});
  };
  ImplicitShape whole;
  Eigen::AlignedBox3d box = body.box();
  // Wringing turns the tip about the axis.
  const double reach = std::max(box.max().x(), -box.min().x());
  box.extend(Vec3d(-reach, box.min().y(), -reach)).extend(Vec3d(reach, box.max().y(), reach));
  whole.add(wrung, box, 0);
  return mesh_of(whole, {1.0 / 64, shape.vertices, false, 1, Stands::centred, 0.5, true},
                 shape.height, stop);
}

}  // namespace sinew::kernels
