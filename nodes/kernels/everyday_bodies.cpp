#include "nodes/kernels/everyday_bodies.h"

#include <memory>
#include <vector>

#include "nodes/kernels/implicit_shape.h"
#include "nodes/kernels/solid_functions.h"

namespace sinew::kernels {

namespace {

// Cuts the corners of a closed polygon again and again: a quadratic B-spline in the end.
std::vector<Vec2d> cut_corners(std::vector<Vec2d> polygon, int times) {
  for (int k = 0; k < times; ++k) {
    std::vector<Vec2d> finer;
    for (std::size_t i = 0; i < polygon.size(); ++i) {
      const Vec2d &a = polygon[i], &b = polygon[(i + 1) % polygon.size()];
      finer.push_back(0.75 * a + 0.25 * b);
      finer.push_back(0.25 * a + 0.75 * b);
    }
    polygon = std::move(finer);
  }
  return polygon;
}

void append_bezier(std::vector<Vec2d>& line, const Vec2d& b, const Vec2d& c, const Vec2d& d) {
  constexpr int steps = 32;
  const Vec2d a = line.back();
  for (int i = 1; i <= steps; ++i) {
    const double t = static_cast<double>(i) / steps, s = 1 - t;
    line.push_back(s * s * s * a + 3 * s * s * t * b + 3 * s * t * t * c + t * t * t * d);
  }
}

// A body made in units of `size`, in metres.
Body scaled(double size, const Vec3d& low, const Vec3d& high, double cell, Implicit unit) {
  return {[size, unit = std::move(unit)](const Vec3d& p) { return size * unit(p / size); },
          Eigen::AlignedBox3d(size * low, size * high), size * cell};
}

}  // namespace

Mesh mesh_body(const Body& body, int vertices, CancelView stop) {
  ImplicitMeshOptions options;
  options.box = body.box;
  options.cell = body.cell;
  options.vertices = vertices;
  options.adaptivity = body.adaptivity;
  options.mirror_x = true;
  return mesh_implicit(body.distance, options, stop);
}

Body table_body(const TableShape& shape) {
  const double half_width = shape.width / 2, height = shape.height, top = shape.top / 2;
  const double leg = shape.legs / 2, foot = 0.62 * leg;
  const double corner = 0.16 * std::min(half_width, 0.5);
  const double inset = leg + 0.055;
  const Vec3d hip(half_width - inset, 0, 0.5 - inset);
  const auto distance = [=](const Vec3d& p) {
    const Vec3d q = p.cwiseAbs();  // four legs are one
    const Vec2d plan(q.x() - half_width + corner, q.z() - 0.5 + corner);
    const double edge = 0.8 * top;
    const Vec2d beyond(box_distance(plan) - corner + edge,
                       std::abs(p.y() - height + top) - top + edge);
    const double board = box_distance(beyond) - edge;
    constexpr double round = 0.008;
    const Vec3d at_leg(q.x() - hip.x(), p.y(), q.z() - hip.z());
    const double stick =
        cut_cone(at_leg, round, height - 2 * top, foot - round, leg - round) - round;
    return smooth_min(board, stick, std::min(0.04, 1.6 * top));
  };
  return scaled(shape.length, {-half_width - 0.05, -0.05, -0.55},
                {half_width + 0.05, height + 0.05, 0.55}, 0.013, distance);
}

Body apple_body(const AppleShape& shape) {
  const double h = shape.height, hollow = h - shape.dimple;
  // The outline of one half, from below to above, closed along the axis far inside.
  std::vector<Vec2d> half{{0, 0.05}};
  append_bezier(half, {0.05, 0.05}, {0.06, 0}, {0.12, 0});
  append_bezier(half, {0.27, 0}, {0.5, 0.28 * h}, {0.5, 0.58 * h});
  append_bezier(half, {0.5, 0.82 * h}, {0.38, h}, {0.23, h});
  append_bezier(half, {0.13, h}, {0.07, hollow}, {0, hollow});
  std::vector<Vec2d> outline = half;
  for (std::size_t i = half.size() - 1; i-- > 1;) outline.push_back({-half[i].x(), half[i].y()});
  const auto flesh = std::make_shared<PlaneShape>(std::move(outline));

  const Vec3d root(0, hollow - 0.05, 0), bow(0, h + 0.02, 0.012), tip(0, h + 0.17, 0.06);
  const double leaf = shape.leaf, breadth = 0.27 * leaf;
  // Two circles meet in a pointed oval of the leaf's length and breadth.
  const double circle = (leaf * leaf / 4 + breadth * breadth) / (2 * breadth);
  const Vec3d stalk(0, h + 0.075, 0.03);
  const double tilt = 0.5;  // radians, upwards
  const auto distance = [=](const Vec3d& p) {
    // Five faint lobes, towards the bottom.
    const double lobes = std::cos(5 * std::atan2(p.x(), p.z()));
    const double low = std::clamp(1 - p.y() / (0.7 * h), 0.0, 1.0);
    const double swell = 1 + 0.03 * low * low * lobes;
    const double apple = flesh->distance({std::hypot(p.x(), p.z()) / swell, p.y()});
    const double stem = std::min(tapered_stick(p, root, bow, 0.024, 0.024),
                                 tapered_stick(p, bow, tip, 0.024, 0.034));
    // In the leaf's frame: u along it, v above it; it droops towards its tip and rises to its rims.
    const Vec3d q = p - stalk;
    const double u = std::cos(tilt) * q.z() + std::sin(tilt) * q.y() - leaf / 2;
    const double along = std::clamp(u / leaf + 0.5, 0.0, 1.0);
    const double aside = std::clamp(q.x() / leaf, -0.3, 0.3);
    const double height = std::cos(tilt) * q.y() - std::sin(tilt) * q.z();
    const double v = (height + 0.5 * leaf * (along * along - aside * aside)) /
                     std::sqrt(1 + along * along + aside * aside);
    constexpr double thick = 0.024;
    const double oval = std::hypot(u, std::abs(q.x()) + circle - breadth) - circle;
    const double blade = box_distance(Vec2d(oval + thick, std::abs(v))) - thick;
    return smooth_min(smooth_min(apple, stem, 0.05), blade, 0.03);
  };
  return scaled(shape.width, {-0.56, -0.06, -0.56},
                {0.56, h + 0.3 + leaf * 0.5, std::max(0.56, 0.1 + leaf)}, 0.018, distance);
}

Body car_body(const CarShape& shape) {
  const double roof = shape.height, wheel = shape.wheels, arch = wheel + 0.03;
  const double wide = 0.25;  // half of the width
  const double belt = 0.3;   // where the windows would begin
  const auto side = std::make_shared<PlaneShape>(cut_corners({{-0.47, 0.07},
                                                              {0.47, 0.07},
                                                              {0.49, 0.16},
                                                              {0.465, 0.29},
                                                              {0.25, belt + 0.025},
                                                              {0.14, roof},
                                                              {-0.26, roof},
                                                              {-0.36, belt + 0.03},
                                                              {-0.47, belt + 0.01},
                                                              {-0.49, 0.16}},
                                                             4));
  const auto distance = [=](const Vec3d& p) {
    const double x = std::abs(p.x());
    const double profile = side->distance({p.z(), p.y()});
    const double lean = 0.3;  // of the windows, per metre of height
    const double flank =
        smooth_max(x - wide, (x - wide + lean * (p.y() - belt)) / std::hypot(1, lean), 0.05);
    const double plan = box_distance(Vec2d(x - wide + 0.11, std::abs(p.z()) - 0.48 + 0.11)) - 0.11;
    double body = smooth_max(smooth_max(profile, flank, 0.09), plan, 0.06);
    const Vec3d hub(x, p.y() - wheel, std::abs(p.z()) - 0.28);
    const double from_axle = std::hypot(hub.y(), hub.z());
    // Wheel houses: a cylinder that does not reach the middle.
    body = smooth_max(body, -std::max(from_axle - arch, 0.1 - x), 0.02);
    const double tyre = rounded_disc(hub - Vec3d(0.185, 0, 0), wheel, 0.047, 0.03);
    const double axle = std::max(from_axle - 0.04, x - 0.185);
    const double lamp = (p - Vec3d(std::copysign(0.135, p.x()), 0.21, 0.455)).norm() - 0.043;
    const double bumper =
        segment_distance({x, p.y(), std::abs(p.z())}, {0, 0.105, 0.47}, {0.17, 0.105, 0.465}) -
        0.03;
    body = smooth_min(smooth_min(body, lamp, 0.015), bumper, 0.015);
    return smooth_min(smooth_min(body, axle, 0.02), tyre, 0.02);
  };
  return scaled(shape.length, {-0.3, -0.06, -0.57}, {0.3, roof + 0.08, 0.57}, 0.015, distance);
}

Body u_body(const UShape& shape) {
  const double half = shape.thickness / 2, gap = 2 * half * shape.gap;
  const double middle = half + gap / 2;  // radius of the bend's middle line
  const double rounding = shape.rounding * half;
  const auto distance = [=](const Vec3d& p) {
    const double x = std::abs(p.x());
    const double centre = half + middle, up = p.y() - centre;
    const double from_line = up < 0 ? std::abs(std::hypot(x, up) - middle)
                                    : std::hypot(x - middle, std::max(p.y() - (1 - half), 0.0));
    const Vec2d beyond(from_line - half + rounding, std::abs(p.z()) - half + rounding);
    return box_distance(beyond) - rounding;
  };
  const double room = 0.05, reach = middle + half + room;
  return scaled(shape.height, {-reach, -room, -half - room}, {reach, 1 + room, half + room},
                std::min(0.4 * gap, 0.25 * half), distance);
}

}  // namespace sinew::kernels
