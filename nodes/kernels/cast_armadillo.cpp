// The armadillo of the cast, one metre high: x > 0 is its left side.
#include <algorithm>
#include <cmath>

#include "nodes/kernels/cast_living.h"
#include "nodes/kernels/cast_parts.h"

namespace sinew::kernels {

using namespace cast;

namespace {

constexpr double cell = 1.0 / 112;
constexpr double thinnest = 0.0105;  // radius that the grid still finds

double smooth_step(double from, double to, double x) {
  const double t = std::clamp((x - from) / (to - from), 0.0, 1.0);
  return t * t * (3 - 2 * t);
}

// Plates that lie over each other: rises along each from 0 to 1, then falls back.
double plates(double along, double width) {
  constexpr double fall = 0.3;  // of the width
  const double u = along / width - std::floor(along / width);
  return u < 1 - fall ? smooth_step(0, 1 - fall, u) : 1 - smooth_step(1 - fall, 1, u);
}

// Trunk: hips, belly, chest and neck.
void add_trunk(ImplicitShape& body, double g) {
  body.add(flowing({{{0, 0.285, -0.005},
                     {0, 0.36, 0.008},
                     {0, 0.46, 0.016},
                     {0, 0.56, 0.006},
                     {0, 0.64, -0.004},
                     {0, 0.72, 0.012},
                     {0, 0.77, 0.03}},
                    {0.1 * g, 0.126 * g, 0.132 * g, 0.116 * g, 0.096 * g, 0.068, 0.06}},
                   8),
           0);
}

// The shell: a shield over the shoulders, bands, a shield over the hips. It covers the back and the
// sides, and ends in a rim that stands off.
void add_shell(ImplicitShape& body, double g, double depth) {
  ImplicitShape hull;
  hull.add(flowing({{{0, 0.25, -0.062},
                     {0, 0.3, -0.055},
                     {0, 0.4, -0.045},
                     {0, 0.5, -0.036},
                     {0, 0.6, -0.034},
                     {0, 0.675, -0.03}},
                    {0.09 * g, 0.13 * g, 0.154 * g, 0.155 * g, 0.137 * g, 0.102 * g}},
                   8),
           0);
  const Eigen::AlignedBox3d box = hull.box();
  const auto shell = [hull, g, depth](const Vec3d& p) {
    // Down the back, a little aslant.
    const double down = 0.62 - p.y() - 0.12 * p.z();
    const double banded = smooth_step(0, 0.03, down) * (1 - smooth_step(0.33, 0.36, down));
    const double lift = 0.011 * depth * (banded * plates(down, 0.055) - 0.5);
    // The front is cut off along the sides.
    const double front = p.z() - 0.012 * g - 0.1 * std::abs(p.y() - 0.45);
    return smooth_max(hull(p) - lift, front, 0.022);
  };
  body.add(shell, box, 0.006);
}

void add_leg(ImplicitShape& body, double g) {
  ImplicitShape leg;
  leg.add(flowing({{{0.066, 0.3, 0.0},
                    {0.092, 0.225, 0.022},
                    {0.104, 0.155, 0.03},
                    {0.11, 0.1, 0.004},
                    {0.113, 0.05, -0.008}},
                   {0.076 * g, 0.069 * g, 0.052 * g, 0.043 * g, 0.041 * g}},
                  6),
          0);
  leg.add(flowing({{{0.113, 0.036, -0.018}, {0.12, 0.037, 0.025}, {0.128, 0.033, 0.062}},
                   {0.036, 0.036, 0.036}}),
          0.025);
  for (const double toe : {-1.0, 0.0, 1.0}) {
    const double ahead = 0.118 - 0.014 * std::abs(toe);
    leg.add(flowing({{{0.126 + 0.014 * toe, 0.028, 0.05},
                      {0.132 + 0.034 * toe, 0.026, ahead - 0.022},
                      {0.135 + 0.04 * toe, 0.018, ahead + 0.006},
                      {0.136 + 0.043 * toe, thinnest, ahead + 0.026}},
                     {0.024, 0.0215, 0.0155, thinnest}},
                    6),
            0.012);
  }
  body.add(leg, 0.03);
}

// Turned about the shoulder: points by how far above the arm's axis, out along it, and ahead.
void add_arm(ImplicitShape& body, double g, double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  const auto at = [&](double above, double out, double ahead) {
    return Vec3d(0.088 * g + s * out + c * above, 0.615 - c * out + s * above, ahead);
  };
  ImplicitShape arm;
  arm.add(flowing({{at(0, -0.02, -0.005), at(0, 0.06, 0), at(-0.012, 0.135, 0.0),
                    at(-0.006, 0.2, 0.028), at(0.004, 0.255, 0.054)},
                   {0.062 * g, 0.05 * g, 0.039 * g, 0.042 * g, 0.029 * g}},
                  6),
          0);
  arm.add(flowing({{at(0.005, 0.262, 0.058), at(0.006, 0.295, 0.07)}, {0.03, 0.032}}), 0.02);
  for (const double finger : {-1.0, 0.0, 1.0}) {
    const double out = 0.362 - 0.012 * std::abs(finger);
    arm.add(flowing({{at(0.006 + 0.014 * finger, 0.295, 0.072),
                      at(0.006 + 0.029 * finger, out - 0.03, 0.09),
                      at(0.004 + 0.036 * finger, out, 0.103),
                      at(0.001 + 0.039 * finger, out + 0.018, 0.118)},
                     {0.021, 0.0175, 0.014, thinnest}},
                    6),
            0.012);
  }
  arm.add(flowing({{at(0.01, 0.28, 0.075), at(0.02, 0.295, 0.108), at(0.022, 0.312, 0.126)},
                   {0.017, 0.0145, thinnest}}),
          0.012);
  body.add(arm, 0.03);
}

// Head: snout, eyes, a cap of horn.
void add_head(ImplicitShape& body) {
  ImplicitShape head;
  head.add(Ellipsoid{{0, 0.8, 0.042}, {0.07, 0.064, 0.076}}, 0);
  head.add(flowing({{{0, 0.785, 0.07}, {0, 0.766, 0.13}, {0, 0.748, 0.18}, {0, 0.738, 0.222}},
                    {0.056, 0.041, 0.029, 0.0235}},
                   6),
           0.02);
  head.add(Ellipsoid{{0, 0.744, 0.236}, {0.021, 0.016, 0.015}}, 0.006);
  // The cap, from the brow to the neck.
  head.add(Ellipsoid{{0, 0.823, 0.04}, {0.058, 0.054, 0.072}}, 0.004);
  body.add(head, 0.025);
}

void add_face(ImplicitShape& body) {
  body.add_pair(Ellipsoid{{0.053, 0.798, 0.094}, {0.0135, 0.0145, 0.013}}, 0.004);
  // The line of the mouth.
  body.cut_pair(flowing({{{0.054, 0.748, 0.095},
                          {0.04, 0.745, 0.13},
                          {0.028, 0.734, 0.18},
                          {0.012, 0.722, 0.225},
                          {0, 0.72, 0.236}},
                         {0.003, 0.005, 0.005, 0.0045, 0.004}}),
                0.008);
}

void add_ears(ImplicitShape& body, double size) {
  const auto at = [&](double out, double up, double ahead) {
    return Vec3d(0.042 + size * out, 0.838 + size * up, 0.005 + size * ahead);
  };
  const double r = 0.3 + 0.7 * size;
  const Vec3d flat(-0.35, 0, 1);
  body.add_pair(flowing({{at(-0.004, -0.012, 0.006), at(0.02, 0.045, -0.006),
                          at(0.038, 0.1, -0.012), at(0.048, 0.145, -0.008)},
                         {0.022, 0.036 * r, 0.036 * r, 0.014},
                         flat,
                         0.42,
                         thinnest},
                        6),
                0.016);
  // Hollow in front.
  const Vec3d front = 0.0165 * flat.normalized();
  body.cut_pair(flowing({{at(0.018, 0.03, -0.002) + front, at(0.024, 0.055, -0.007) + front,
                          at(0.038, 0.1, -0.012) + front, at(0.045, 0.13, -0.01) + front},
                         {0.008, 0.021 * r, 0.022 * r, 0.007},
                         flat,
                         0.45,
                         0.005},
                        6),
                0.008);
}

void add_tail(ImplicitShape& body, double g, double length) {
  const double t = length;
  const Limb core = flowing({{{0, 0.27, -0.07},
                              {0, 0.235, -0.125 - 0.02 * t},
                              {0, 0.17, -0.14 - 0.09 * t},
                              {0, 0.11, -0.14 - 0.18 * t},
                              {0, 0.08, -0.14 - 0.27 * t},
                              {0, 0.085, -0.14 - 0.36 * t}},
                             {0.085 * g, 0.07 * g, 0.056 * g, 0.042 * g, 0.029, 0.014}},
                            12);
  body.add(core, 0.03);
}

}  // namespace

Mesh make_armadillo(const ArmadilloShape& shape, CancelView stop) {
  const double g = shape.girth;
  ImplicitShape body;
  add_trunk(body, g);
  add_tail(body, g, shape.tail);
  add_shell(body, g, shape.bands);
  // Half of it is enough: the mesh is mirrored.
  add_leg(body, g);
  add_arm(body, g, shape.arm_angle);
  add_head(body);
  add_ears(body, shape.ears);
  add_face(body);
  return mesh_of(body, {cell, shape.vertices, true, 1, Stands::on_ground}, shape.height, stop);
}

}  // namespace sinew::kernels
