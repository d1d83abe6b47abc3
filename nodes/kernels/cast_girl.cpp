// The girl of the cast, one metre high: x > 0 is her left side.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "nodes/kernels/cast_living.h"
#include "nodes/kernels/cast_parts.h"

namespace sinew::kernels {

using namespace cast;

namespace {

constexpr double cell = 1.0 / 112;
constexpr double thinnest = 0.0105;  // radius that the grid still finds
constexpr double waist = 0.565, hem = 0.33;

// A ring about the y axis, wider in x than in z.
Limb ring(double height, double wide, double deep, double radius, double drop = 0) {
  constexpr int pieces = 32;
  Limb result;
  for (int i = 0; i <= pieces; ++i) {
    const double angle = 2 * std::numbers::pi * i / pieces;
    result.points.push_back(
        {wide * std::sin(angle), height - drop * std::cos(angle), deep * std::cos(angle)});
    result.radii.push_back(radius);
  }
  return result;
}

void add_trunk(ImplicitShape& body, double b) {
  // Shoulders, chest and waist; flatter from the front to the back.
  body.add(Ellipsoid{{0, 0.655, -0.004}, {0.082 * b, 0.062, 0.058 * b}}, 0);
  body.add(Ellipsoid{{0, 0.59, 0}, {0.067 * b, 0.085, 0.054 * b}}, 0.04);
  body.add(flowing({{{0, 0.68, -0.01}, {0, 0.74, -0.004}, {0, 0.8, 0}}, {0.034, 0.029, 0.034}}),
           0.03);
  body.add(ring(0.709, 0.042, 0.038, 0.0125, 0.012), 0.006);   // collar
  body.add(ring(waist, 0.066 * b, 0.054 * b, 0.0125), 0.006);  // belt
}

// Folds that grow towards the hem; hollow below, so that legs come out of it.
void add_skirt(ImplicitShape& body, double b, double width) {
  const double top = 0.062 * b, bottom = 0.062 * b + 0.118 * width;
  constexpr double deep = 0.88;  // over wide
  const auto skirt = [=](const Vec3d& p) {
    const double t = std::clamp((waist - p.y()) / (waist - hem), -0.3, 1.2);
    const double out = std::hypot(p.x(), p.z() / deep);
    const double fold = 0.055 * std::clamp(t, 0.0, 1.0) * std::cos(8 * std::atan2(p.x(), p.z()));
    // Round over the hips, then falling straight.
    const double round = 1.55 * t - 0.55 * t * t * t;
    const double radius = top + (bottom - top) * std::max(round, 0.0);
    const double slope = (bottom - top) / (waist - hem);
    const double side = (out - radius * (1 + fold)) * deep / std::hypot(1, slope);
    const double inside = out / (0.93 * bottom);
    const double under = hem + 0.055 * std::max(0.0, 1 - inside * inside) - p.y();
    return smooth_max(smooth_max(side, under, 0.016), p.y() - waist - 0.005, 0.01);
  };
  const double reach = 1.08 * bottom;
  body.add(skirt, {Vec3d(-reach, hem - 0.01, -reach), Vec3d(reach, waist + 0.02, reach)}, 0.012);
}

void add_leg(ImplicitShape& body, double b, double stance) {
  const auto at = [&](double out, double y, double z) {
    return Vec3d(out + 0.028 * (stance - 1) * (0.42 - y) / 0.4, y, z);
  };
  body.add(flowing({{at(0.05, 0.46, 0), at(0.056, 0.33, 0.004), at(0.059, 0.245, 0.004),
                     at(0.061, 0.175, -0.006), at(0.062, 0.1, -0.008), at(0.062, 0.05, -0.008)},
                    {0.048 * b, 0.04 * b, 0.0315 * b, 0.031 * b, 0.023 * b, 0.022 * b}},
                   8),
           0.012);
  // A sock that is turned down, and a shoe.
  body.add(flowing({{at(0.062, 0.1, -0.008), at(0.062, 0.085, -0.008)}, {0.0295 * b, 0.029 * b}}),
           0.005);
  body.add(flowing({{at(0.062, 0.036, -0.022), at(0.066, 0.036, 0.02), at(0.072, 0.034, 0.062)},
                    {0.033, 0.033, 0.036}},
                   8),
           0.008);
  body.add(flowing({{at(0.062, 0.012, -0.024), at(0.066, 0.012, 0.02), at(0.072, 0.012, 0.064)},
                    {0.035, 0.033, 0.038},
                    {0, 1, 0},
                    0.34,
                    0.012},
                   8),
           0.006);
}

void add_arm(ImplicitShape& body, double b, double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  const auto at = [&](double above, double out, double ahead) {
    return Vec3d(0.068 * b + s * out + c * above, 0.682 - c * out + s * above, -0.006 + ahead);
  };
  body.add(flowing({{at(0, -0.01, 0), at(0, 0.06, 0), at(-0.004, 0.13, 0), at(-0.002, 0.18, 0.007),
                     at(0.0, 0.245, 0.016)},
                    {0.03 * b, 0.0265 * b, 0.0225 * b, 0.0225 * b, 0.0165}},
                   8),
           0.02);
  // A puffed sleeve.
  Ellipsoid sleeve{at(0.002, 0.03, 0), {0.046 * b, 0.05, 0.045 * b}, {}};
  sleeve.frame << Vec3d(c, s, 0), Vec3d(s, -c, 0), Vec3d(0, 0, 1);
  body.add(sleeve, 0.012);
  // Hands: the fingers as one, the thumb ahead.
  body.add(flowing({{at(0, 0.242, 0.016), at(0, 0.272, 0.021), at(-0.002, 0.302, 0.025),
                     at(-0.006, 0.33, 0.027)},
                    {0.0165, 0.025, 0.023, 0.0135},
                    {c, s, 0},
                    0.6,
                    thinnest},
                   8),
           0.01);
  body.add(flowing({{at(0, 0.258, 0.028), at(-0.002, 0.28, 0.046), at(-0.004, 0.296, 0.054)},
                    {0.0125, 0.012, thinnest}}),
           0.01);
}

void add_face(ImplicitShape& body) {
  body.add(Ellipsoid{{0, 0.868, 0.002}, {0.096, 0.102, 0.096}}, 0.015);
  body.add(Ellipsoid{{0, 0.81, 0.03}, {0.06, 0.049, 0.064}}, 0.035);  // cheeks and chin
  body.add(Ellipsoid{{0, 0.839, 0.093}, {0.0095, 0.0095, 0.012}}, 0.014);
  body.add_pair(Ellipsoid{{0.038, 0.862, 0.081}, {0.017, 0.024, 0.0125}}, 0.004);
  // A smile.
  body.cut(flowing({{{-0.026, 0.814, 0.09},
                     {-0.014, 0.806, 0.098},
                     {0, 0.803, 0.1},
                     {0.014, 0.806, 0.098},
                     {0.026, 0.814, 0.09}},
                    {0.002, 0.0035, 0.004, 0.0035, 0.002}}),
           0.006);
}

// A cap that leaves the face open, with a parting, and two bunches.
void add_hair(ImplicitShape& body, double length) {
  ImplicitShape cap;
  cap.add(Ellipsoid{{0, 0.88, -0.012}, {0.109, 0.112, 0.107}}, 0);
  cap.add(Ellipsoid{{0, 0.848, -0.045}, {0.092, 0.078, 0.062}}, 0.03);
  cap.cut(Ellipsoid{{0, 0.832, 0.105}, {0.089, 0.083, 0.105}}, 0.012);
  cap.cut(flowing({{{0, 0.965, 0.085}, {0, 0.996, 0.02}, {0, 0.985, -0.05}, {0, 0.93, -0.115}},
                   {0.004, 0.005, 0.005, 0.004}},
                  8),
          0.012);
  body.add(cap, 0.004);
  const double h = length;
  body.add_pair(flowing({{{0.088, 0.915, -0.035}, {0.118, 0.925, -0.037}}, {0.022, 0.021}}), 0.01);
  body.add_pair(flowing({{{0.112, 0.924, -0.037},
                          {0.143, 0.922 + 0.006 * h, -0.039},
                          {0.162 + 0.014 * h, 0.905 - 0.01 * h, -0.042},
                          {0.165 + 0.027 * h, 0.9 - 0.075 * h, -0.046},
                          {0.165 + 0.02 * h, 0.9 - 0.13 * h, -0.046},
                          {0.165 + 0.03 * h, 0.9 - 0.165 * h, -0.044}},
                         {0.018, 0.031, 0.038, 0.039, 0.026, thinnest}},
                        8),
                0.006);
}

}  // namespace

Mesh make_girl(const GirlShape& shape, CancelView stop) {
  const double b = shape.build;
  ImplicitShape body;
  add_trunk(body, b);
  add_skirt(body, b, shape.skirt);
  // Half of her limbs are enough: the mesh is mirrored.
  add_leg(body, b, shape.stance);
  add_arm(body, b, shape.arm_angle);
  add_face(body);
  add_hair(body, shape.hair);
  return mesh_of(body, {cell, shape.vertices, true, 1, Stands::on_ground}, shape.height, stop);
}

}  // namespace sinew::kernels
