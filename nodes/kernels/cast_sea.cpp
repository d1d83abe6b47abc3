// The members of the cast that live in water: squid and whale.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "nodes/kernels/cast_living.h"
#include "nodes/kernels/cast_parts.h"

namespace sinew::kernels {

using namespace cast;

Mesh make_squid(const SquidShape& shape, CancelView stop) {
  // Mantle from z = -0.5 (tip) to -0.05, head to 0.06, arms to 0.33, tentacles to 0.5.
  const double g = shape.girth, fins = shape.fins;
  ImplicitShape body;
  body.add(
      smooth_limb({{{0, 0, -0.483}, {0, 0, -0.40}, {0, 0, -0.25}, {0, 0, -0.12}, {0, 0, -0.055}},
                   {0.014, 0.036 * g, 0.074 * g, 0.08 * g, 0.07 * g}}),
      0);
  // The head, set off from the mantle's collar.
  body.add(smooth_limb({{{0, 0, -0.03}, {0, 0, 0.02}, {0, 0, 0.065}}, {0.047, 0.055, 0.05}}), 0.01);
  // Fins: two flat triangles near the tip.
  body.add_pair(Limb{{{0.0, 0, -0.385}, {0.05 + 0.1 * fins, 0, -0.365}},
                     {0.035 + 0.055 * fins, 0.02},
                     {0, 1, 0},
                     0.18,
                     0.0115},
                0.03);
  body.add_pair(Ellipsoid{{0.049, 0.01, 0.025}, {0.024, 0.028, 0.031}}, 0.006);
  // What the arms grow from; they part in front of it.
  body.add(Ellipsoid{{0, 0, 0.085}, {0.05, 0.05, 0.045}}, 0.01);
  // Ten arms in a ring; the fourth pair from above are the two long tentacles.
  constexpr double pi = std::numbers::pi;
  for (int k = 0; k < 5; ++k) {
    const double around = 0.5 * pi - (k + 0.5) * pi / 5;  // from the top, on the side of +x
    const Vec3d out(std::cos(around), std::sin(around), 0);
    const bool tentacle = k == 3;
    const double length = tentacle ? 0.45 : 0.29;
    const auto along = [&](double part) {
      // The arms open like a flower: leaning out at first, less and less towards the tip.
      const double way = length * part;
      const double outwards = 0.16 * std::tan(shape.spread) * (1 - std::exp(-way / 0.16));
      return Vec3d(Vec3d(0, 0, 0.06 + way) + (0.04 + outwards) * out);
    };
    Limb arm;
    arm.points = {along(0), along(0.2), along(0.4), along(0.6), along(0.8), along(1)};
    arm.radii = {0.016, 0.0155, 0.015, 0.0145, 0.0135, 0.0125};
    if (tentacle) arm.radii = {0.0145, 0.013, 0.0125, 0.0125, 0.0215, 0.0125};
    body.add_pair(smooth_limb(arm, 4), 0.006);
  }
  return mesh_of(body, {1.0 / 100, shape.vertices, true, 2, Stands::centred, 0.7}, shape.length,
                 stop);
}

Mesh make_whale(const WhaleShape& shape, CancelView stop) {
  const double g = shape.girth;
  ImplicitShape body;
  // The trunk: deep chest, slim tail stock.
  body.add(smooth_limb({{{0, 0.0, 0.37},
                         {0, 0.0, 0.24},
                         {0, 0.0, 0.08},
                         {0, 0.012, -0.1},
                         {0, 0.028, -0.27},
                         {0, 0.034, -0.40}},
                        {0.068 * g, 0.1 * g, 0.118 * g, 0.092 * g, 0.045 * g, 0.022}},
                       8),
           0);
  // Snout: flat from above, the jaw below with a full throat.
  body.add(Ellipsoid{{0, 0.018, 0.36}, {0.066 * g, 0.05 * g, 0.135}}, 0.05);
  body.add(Ellipsoid{{0, -0.035 * g, 0.33}, {0.075 * g, 0.058 * g, 0.155}}, 0.04);
  // The line of the mouth, from the snout back to below the eye, where it turns down.
  if (shape.mouth > 0) {
    const double r = 0.005 * shape.mouth;
    body.cut(smooth_limb({{{0.097 * g, -0.03 * g, 0.255},
                           {0.088 * g, -0.006 * g, 0.31},
                           {0.078 * g, -0.002, 0.37},
                           {0.06 * g, 0.0, 0.435},
                           {0.03 * g, 0.001, 0.48},
                           {0, 0.001, 0.492},
                           {-0.03 * g, 0.001, 0.48},
                           {-0.06 * g, 0.0, 0.435},
                           {-0.078 * g, -0.002, 0.37},
                           {-0.088 * g, -0.006 * g, 0.31},
                           {-0.097 * g, -0.03 * g, 0.255}},
                          std::vector<double>(11, r)}),
             0.009);
  }
  body.add_pair(Ellipsoid{{0.094 * g, 0.012, 0.262}, {0.012, 0.013, 0.015}}, 0.012);
  // Flukes, flat, swept back, with a notch between them.
  body.add_pair(smooth_limb({{{0.0, 0.036, -0.405},
                              {0.06, 0.038, -0.425},
                              {0.115, 0.04, -0.45},
                              {0.155, 0.042, -0.485}},
                             {0.045, 0.042, 0.03, 0.013},
                             {0, 1, 0},
                             0.34,
                             0.011}),
                0.02);
  // Flippers, long and slightly raised at the tips as in gliding.
  const double f = shape.flippers;
  body.add_pair(smooth_limb({{{0.07 * g, -0.055 * g, 0.17},
                              {0.07 * g + 0.07 * f, -0.085 * g, 0.14},
                              {0.07 * g + 0.14 * f, -0.085 * g, 0.085},
                              {0.07 * g + 0.19 * f, -0.07 * g, 0.025}},
                             {0.036, 0.037, 0.031, 0.014},
                             {0.25, 1, 0.1},
                             0.36,
                             0.011}),
                0.025);
  // The small fin on the back.
  body.add(
      smooth_limb(
          {{{0, 0.09 * g, -0.085}, {0, 0.105 * g + 0.012, -0.125}, {0, 0.105 * g + 0.026, -0.155}},
           {0.036, 0.024, 0.012},
           {1, 0, 0},
           0.5,
           0.011}),
      0.02);
  return mesh_of(body, {1.0 / 90, shape.vertices, true, 2}, shape.length, stop);
}

}  // namespace sinew::kernels
