// The members of the cast that live on land and in the air: snail, seagull, figure, hand.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "nodes/kernels/cast_living.h"
#include "nodes/kernels/cast_parts.h"

namespace sinew::kernels {

using namespace cast;

namespace {
constexpr double pi = std::numbers::pi;
}

// --- snail ------------------------------------------------------------------------------------

Mesh make_snail(const SnailShape& shape, CancelView stop) {
  ImplicitShape body;
  // The foot: flat on the ground, pointed behind; then the neck, which rises to the head.
  body.add(
      smooth_limb(
          {{{0, 0.028, -0.47}, {0, 0.034, -0.25}, {0, 0.04, 0.0}, {0, 0.04, 0.2}, {0, 0.04, 0.33}},
           {0.03, 0.075, 0.105, 0.1, 0.075},
           {0, 1, 0},
           0.45,
           0.02}),
      0);
  body.add(smooth_limb({{{0, 0.1, -0.05}, {0, 0.095, 0.16}, {0, 0.14, 0.31}, {0, 0.175, 0.39}},
                        {0.085, 0.078, 0.066, 0.06}}),
           0.05);
  // Eye stalks and feelers.
  const double s = shape.stalks;
  body.add_pair(smooth_limb({{{0.028, 0.2, 0.39},
                              {0.055, 0.2 + 0.09 * s, 0.41 + 0.02 * s},
                              {0.085, 0.2 + 0.17 * s, 0.41 + 0.055 * s}},
                             {0.02, 0.0145, 0.0135}}),
                0.02);
  body.add_pair(Limb{{{0.085, 0.2 + 0.17 * s, 0.41 + 0.055 * s}}, {0.0245}}, 0.008);
  body.add_pair(Limb{{{0.03, 0.15, 0.43}, {0.048, 0.125, 0.485}}, {0.015, 0.0135}}, 0.015);
  // The shell: a tube that winds inwards in a logarithmic spiral and out to the side of +x.
  const double size = 0.235 * shape.shell;
  const Vec3d middle(0.01, 0.1 + 0.98 * size, -0.11);
  const double shrink = std::pow(0.42, 1 / (2 * pi));  // of the radius, per radian
  const double tube = 0.5 * (1 - 0.42) * 1.16;         // radius of the tube over that of the spiral
  Limb spiral;
  const int pieces = std::max(8, static_cast<int>(std::lround(28 * shape.turns)));
  for (int i = 0; i <= pieces; ++i) {
    const double angle = 2 * pi * shape.turns * i / pieces;
    const double radius = size * std::pow(shrink, angle);
    // From the mouth above the neck, up, over and back.
    const double at = -0.42 * pi + angle;
    spiral.points.push_back(middle + Vec3d(0.62 * (size - radius), radius * 0.72 * std::sin(at),
                                           radius * 0.72 * std::cos(at)));
    spiral.radii.push_back(std::max(0.02, radius * tube * 1.2));
  }
  ImplicitShape shell;
  shell.add(spiral, 0);
  // What lies within the first turn.
  shell.add(Ellipsoid{middle + Vec3d(0.12 * size, 0, 0), {0.3 * size, 0.6 * size, 0.6 * size}},
            0.01);
  body.add(shell, shell.box(), 0.012);
  return mesh_of(body, {1.0 / 84, shape.vertices, false, 2, Stands::on_ground}, shape.length, stop);
}

// --- seagull ----------------------------------------------------------------------------------

Mesh make_seagull(const SeagullShape& shape, CancelView stop) {
  const double g = shape.girth;
  ImplicitShape body;
  // The trunk, from the tail to the neck; the span is one.
  body.add(smooth_limb({{{0, 0.0, -0.2},
                         {0, -0.004, -0.1},
                         {0, -0.012, 0.02},
                         {0, 0.0, 0.12},
                         {0, 0.022, 0.185}},
                        {0.022 * g, 0.05 * g, 0.068 * g, 0.052 * g, 0.036 * g}}),
           0);
  body.add(Ellipsoid{{0, 0.03, 0.205}, {0.036, 0.037, 0.043}}, 0.03);
  // The beak, its tip turned down.
  body.add(smooth_limb(
               {{{0, 0.026, 0.235}, {0, 0.022, 0.275}, {0, 0.01, 0.3}}, {0.019, 0.0145, 0.0125}}),
           0.012);
  // The tail, a flat fan.
  body.add_pair(
      Limb{{{0.0, 0.0, -0.15}, {0.03, 0.002, -0.27}}, {0.05, 0.055}, {0, 1, 0}, 0.3, 0.0115}, 0.03);
  // Wings: the arm goes forward and up to the wrist, the hand back and out to the tip.
  const double up = std::sin(shape.lift), sweep = shape.sweep;
  const Limb wing = smooth_limb({{{0.03, 0.02, 0.04},
                                  {0.13, 0.03 + 0.13 * up, 0.062},
                                  {0.225, 0.035 + 0.21 * up, 0.07},
                                  {0.33, 0.033 + 0.24 * up, 0.045 - 0.05 * sweep},
                                  {0.42, 0.025 + 0.25 * up, 0.01 - 0.14 * sweep},
                                  {0.482, 0.015 + 0.24 * up, -0.02 - 0.22 * sweep}},
                                 {0.085, 0.078, 0.07, 0.058, 0.042, 0.018},
                                 {-0.12, 1, 0},
                                 0.22,
                                 0.0115});
  body.add_pair(wing, 0.03);
  return mesh_of(body, {1.0 / 90, shape.vertices, true, 0}, shape.wingspan, stop);
}

// --- figure -----------------------------------------------------------------------------------

Mesh make_figure(const FigureShape& shape, CancelView stop) {
  const double b = shape.build;
  ImplicitShape body;
  // Head, jaw, nose, neck. The height is one.
  body.add(Ellipsoid{{0, 0.938, -0.002}, {0.046, 0.058, 0.056}}, 0);
  body.add(Ellipsoid{{0, 0.908, 0.01}, {0.033, 0.036, 0.036}}, 0.03);
  body.add(Ellipsoid{{0, 0.922, 0.05}, {0.008, 0.014, 0.012}}, 0.012);
  body.add(Limb{{{0, 0.83, -0.01}, {0, 0.89, -0.004}}, {0.034 * b, 0.032 * b}}, 0.02);
  // Trunk: chest, waist, hips.
  body.add(Ellipsoid{{0, 0.735, -0.004}, {0.094 * b, 0.105, 0.062 * b}}, 0.03);
  body.add(Limb{{{-0.075, 0.795, -0.008}, {0.075, 0.795, -0.008}}, {0.038 * b, 0.038 * b}}, 0.05);
  body.add(Ellipsoid{{0, 0.625, 0.0}, {0.076 * b, 0.09, 0.054 * b}}, 0.04);
  body.add(Ellipsoid{{0, 0.53, -0.004}, {0.093 * b, 0.068, 0.062 * b}}, 0.05);
  // Legs, the feet pointing ahead; the stride turns each about its hip.
  const auto leg = [&](double side, double angle) {
    const Vec3d hip(side * 0.053, 0.5, 0);
    const double c = std::cos(angle), s = std::sin(angle);
    const auto turned = [&](double x, double y, double z) {
      const Vec3d d = Vec3d(side * x, y, z) - hip;
      return Vec3d(hip + Vec3d(d.x(), c * d.y() + s * d.z(), c * d.z() - s * d.y()));
    };
    body.add(smooth_limb({{turned(0.053, 0.5, 0), turned(0.062, 0.39, 0.006),
                           turned(0.067, 0.275, 0.004), turned(0.07, 0.2, -0.008),
                           turned(0.073, 0.1, -0.01), turned(0.074, 0.045, -0.012)},
                          {0.058 * b, 0.05 * b, 0.036 * b, 0.037 * b, 0.025 * b, 0.024 * b}}),
             0.03);
    body.add(smooth_limb({{turned(0.074, 0.027, -0.02), turned(0.079, 0.028, 0.04),
                           turned(0.086, 0.022, 0.095)},
                          {0.025, 0.028, 0.028},
                          {0, c, -s},
                          0.75,
                          0.014}),
             0.02);
  };
  leg(1, -0.5 * shape.stride);
  leg(-1, 0.5 * shape.stride);
  // Arms, turned about the shoulders; thumb ahead, the fingers as one.
  const double c = std::cos(shape.arm_angle), s = std::sin(shape.arm_angle);
  const auto arm = [&](double out, double down, double ahead) {
    return Vec3d(0.105 + c * out + s * down, 0.797 + s * out - c * down, -0.008 + ahead);
  };
  body.add_pair(smooth_limb({{arm(-0.01, -0.005, 0), arm(0.008, 0.06, 0), arm(0.008, 0.165, -0.002),
                              arm(0.006, 0.215, 0.004), arm(0.0, 0.32, 0.016)},
                             {0.04 * b, 0.035 * b, 0.027 * b, 0.029 * b, 0.019 * b}}),
                0.02);
  const Vec3d palm_side(-c, -s, 0);
  body.add_pair(smooth_limb({{arm(0, 0.325, 0.017), arm(0, 0.36, 0.02), arm(-0.004, 0.4, 0.022),
                              arm(-0.014, 0.435, 0.022)},
                             {0.019, 0.027, 0.024, 0.014},
                             palm_side,
                             0.55,
                             0.0115}),
                0.012);
  body.add_pair(Limb{{arm(0, 0.34, 0.03), arm(-0.012, 0.378, 0.056)}, {0.0135, 0.0115}}, 0.01);
  return mesh_of(body, {1.0 / 100, shape.vertices, shape.stride == 0, 1, Stands::on_ground},
                 shape.height, stop);
}

// --- hand -------------------------------------------------------------------------------------

Mesh make_hand(const HandShape& shape, CancelView stop) {
  const double g = shape.girth, spread = shape.spread, curl = shape.curl;
  ImplicitShape body;
  // Wrist and palm; a right hand that shows its palm has the thumb at +x.
  body.add(Limb{{{0, 0.09, -0.006}, {0.0, 0.24, -0.004}}, {0.122, 0.15}, {0, 0, 1}, 0.72, 0.06}, 0);
  body.add(
      smooth_limb({{{-0.085, 0.2, 0}, {-0.13, 0.36, 0}, {-0.125, 0.47, 0}}, {0.075, 0.07, 0.06}}),
      0.06);
  body.add(smooth_limb({{{0.06, 0.2, 0}, {0.1, 0.36, 0}, {0.1, 0.5, 0}}, {0.08, 0.075, 0.06}}),
           0.06);
  body.add(Limb{{{0, 0.2, 0}, {-0.01, 0.46, 0}}, {0.085, 0.068}}, 0.06);
  body.add(Ellipsoid{{0.085, 0.26, 0.04}, {0.07, 0.12, 0.055}}, 0.08);    // ball of the thumb
  body.add(Ellipsoid{{-0.095, 0.26, 0.025}, {0.055, 0.12, 0.05}}, 0.08);  // the edge across from it
  // Fingers from the index to the small one: knuckle, lengths of the three bones, thickness.
  struct Finger {
    double x, y, length, radius, place;  // place counts from the middle of the four
  };
  const Finger fingers[] = {{0.138, 0.515, 0.40, 0.0455, 1.4},
                            {0.044, 0.53, 0.445, 0.047, 0.45},
                            {-0.05, 0.52, 0.41, 0.0445, -0.5},
                            {-0.14, 0.475, 0.33, 0.0385, -1.5}};
  for (const Finger& f : fingers) {
    const double lean = spread * f.place;
    const Vec3d ahead(std::sin(lean), std::cos(lean), 0);
    Limb finger;
    Vec3d at(f.x, f.y, 0);
    double bend = 0.3 * curl;
    const auto step = [&](double way) {
      at += way * (std::cos(bend) * ahead + std::sin(bend) * Vec3d(0, 0, 1));
    };
    const double r = f.radius * g;
    const double tip = f.length - r;
    step(-0.1);
    finger.points.push_back(at), finger.radii.push_back(1.05 * r);
    step(0.1 + 0.22 * tip);
    finger.points.push_back(at), finger.radii.push_back(1.0 * r);
    step(0.22 * tip);
    finger.points.push_back(at), finger.radii.push_back(1.02 * r);
    bend += curl;
    step(0.3 * tip);
    finger.points.push_back(at), finger.radii.push_back(0.96 * r);
    bend += curl;
    step(0.26 * tip);
    finger.points.push_back(at), finger.radii.push_back(0.86 * r);
    body.add(smooth_limb(finger, 5), 0.022);
  }
  // The thumb stands off to the side.
  const double off = 0.62 + spread;
  const Vec3d out(std::sin(off), std::cos(off), 0.1);
  const Vec3d root(0.1, 0.22, 0.03);
  body.add(smooth_limb({{root, root + 0.16 * out, root + 0.27 * out + Vec3d(0, 0.01, 0.15 * curl),
                         root + 0.37 * out + Vec3d(-0.01, 0.03, 0.3 * curl)},
                        {0.07, 0.052 * g, 0.05 * g, 0.041 * g}}),
           0.05);
  return mesh_of(body, {1.0 / 72, shape.vertices, false, 1, Stands::on_ground, 0.5}, shape.length,
                 stop);
}

}  // namespace sinew::kernels
