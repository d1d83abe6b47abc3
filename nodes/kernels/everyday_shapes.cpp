#include "nodes/kernels/everyday_shapes.h"

#include <array>
#include <cmath>
#include <numbers>

#include "nodes/kernels/noise.h"
#include "nodes/kernels/primitives.h"
#include "nodes/kernels/revolve.h"
#include "nodes/kernels/sweep.h"

namespace sinew::kernels {

namespace {

constexpr double pi = std::numbers::pi;

double smooth_step(double from, double to, double x) {
  const double t = std::clamp((x - from) / (to - from), 0.0, 1.0);
  return t * t * (3 - 2 * t);
}

std::size_t box_vertices(const std::array<int, 3>& n) {
  return 2 * (static_cast<std::size_t>(n[0]) * n[1] + static_cast<std::size_t>(n[1]) * n[2] +
              static_cast<std::size_t>(n[2]) * n[0]) +
         2;
}

// Segments of a box with sides of the given lengths so that its quads are about `edge` long.
std::array<int, 3> box_segments(const Vec3d& size, double edge) {
  std::array<int, 3> n;
  for (int k = 0; k < 3; ++k) n[k] = std::max(1, static_cast<int>(std::round(size[k] / edge)));
  return n;
}

// A coordinate of a lattice with n segments over [-1/2, 1/2], moved so that the first and the last
// row are narrow: smooth shading then shows the edge of a slab as an edge.
double with_narrow_rows(double at, int n) {
  constexpr double narrow = 0.2;  // of the width of the others
  const double step = 1 / (n - 2 + 2 * narrow);
  const double from_edge = (0.5 - std::abs(at)) * n;  // in rows
  const double moved = from_edge < 1 ? narrow * from_edge : narrow + from_edge - 1;
  return std::copysign(0.5 - step * moved, at);
}

// Samples the profile and turns it with the edge length that gives the wanted number of vertices.
Mesh revolve_to_count(const Profile& profile, RevolveOptions options, std::size_t vertices,
                      double guess) {
  options.edge = edge_for_vertices(guess, vertices, [&](double edge) {
    options.edge = edge;
    return revolved_vertices(profile.sample(ring_spacing(edge)), options);
  });
  return revolve(profile.sample(ring_spacing(options.edge)), options);
}

}  // namespace

Mesh make_bar(const BarShape& shape) {
  const double side = shape.length * shape.thickness, radius = shape.rounding * side / 2;
  const Vec3d size(shape.length, side, side);
  // The rounded edges are shorter than the corner they replace, so that the lattice is laid out
  // over the way across the surface: a quarter circle counts with its arc.
  const Vec3d way = size.array() - 2 * radius * (1 - pi / 4);
  const double edge =
      edge_for_vertices(std::sqrt(6 * side * side + 4 * side * shape.length) / 50, shape.vertices,
                        [&](double h) { return box_vertices(box_segments(way, h)); });
  Mesh box = make_box({.size = {1, 1, 1}, .segments = box_segments(way, edge)});
  std::vector<Vec3f> positions = std::move(box.positions);
  for (Vec3f& p : positions) {
    Vec3d inner, out;
    for (int k = 0; k < 3; ++k) {
      const double at = way[k] * std::abs(static_cast<double>(p[k]));  // from the middle
      const double straight = size[k] / 2 - radius;
      inner[k] = std::copysign(std::min(at, straight), p[k]);
      // Equal lengths become equal angles of the quarter circle.
      const double turn = radius > 0 ? std::min((at - straight) / radius, pi / 4) : 0.0;
      out[k] = turn > 0 ? std::copysign(std::tan(turn), p[k]) : 0.0;
    }
    const double length = out.norm();
    if (length > 0) inner += (radius / length) * out;
    p = inner.cast<float>();
  }
  return box.with_positions(std::move(positions));
}

Mesh make_bowel(const BowelShape& shape) {
  const double length = shape.length, outer = length * shape.width / 2;
  const double wall = outer * shape.wall, inner = outer - wall;
  constexpr int steps = 2000;
  std::vector<Vec3d> points{Vec3d::Zero()};
  for (int i = 0; i < steps; ++i) {
    const double angle = shape.bend * std::cos(2 * pi * (i + 0.5) / steps);
    points.push_back(points.back() + length / steps * Vec3d(std::sin(angle), std::cos(angle), 0));
  }
  const Vec3d middle = points.back() / 2;
  for (Vec3d& p : points) p -= middle;
  const Curve curve(std::move(points), Vec3d::UnitZ());

  // The wall's section: up outside, over the round lip, down inside, and back. The lips lie beyond
  // the curve's ends, where it goes on straight.
  const double lip = wall * 2 / 3;  // makes the lips half circles
  Profile profile({outer, 0});
  profile.line_to({outer, length})
      .bezier_to({outer, length + lip}, {inner, length + lip}, {inner, length}, 4)
      .line_to({inner, 0})
      .bezier_to({inner, -lip}, {outer, -lip}, {outer, 0}, 4);
  RevolveOptions options{.least_around = 8, .closed = true};
  options.edge = edge_for_vertices(outer / 4, shape.vertices, [&](double edge) {
    options.edge = edge;
    return revolved_vertices(profile.sample(ring_spacing(edge)), options) -
           revolved_vertices(std::array{Vec2d(outer, 0)}, options);
  });
  std::vector<Vec2d> section = profile.sample(ring_spacing(options.edge));
  section.pop_back();  // it is the first again
  const Mesh straight = revolve(section, options);

  std::vector<Vec3f> positions = straight.positions;
  for (Vec3f& p : positions) {
    const Vec3d q = p.cast<double>();
    const double s = std::clamp(q.y() / length, 0.0, 1.0);
    const double angle = std::atan2(q.x(), q.z());
    // Furrows across, which fade at three bands along, and towards the ends.
    const double furrow = std::pow(std::cos(pi * shape.bulges * s), 6);
    const double band = std::pow(std::cos(1.5 * angle), 8);
    const double ends = smooth_step(0, 0.06, std::min(s, 1 - s));
    const double depth = ends * (0.3 * furrow * (1 - band) + 0.16 * band);
    const double factor = 1 - shape.bulging * depth;
    p = bent(curve, {q.x() * factor, q.y(), q.z() * factor}).cast<float>();
  }
  return straight.with_positions(std::move(positions));
}

BeachBall make_beach_ball(const BeachBallShape& shape) {
  const double radius = shape.diameter / 2;
  Profile profile({0, -radius});
  constexpr int steps = 256;
  std::vector<Vec2d> arc;
  for (int i = 1; i <= steps; ++i) {
    const double angle = pi * i / steps;
    arc.push_back({i == steps ? 0.0 : radius * std::sin(angle), -radius * std::cos(angle)});
  }
  profile.through(arc, 4);
  const RevolveOptions options{.sectors = shape.panels, .least_around = 5};
  const Mesh ball = revolve_to_count(profile, options, shape.vertices, radius / 12);

  BeachBall result;
  std::vector<Vec3f> positions = ball.positions;
  for (Vec3f& p : positions) {
    const Vec3d q = p.cast<double>();
    const double off_axis = std::hypot(q.x(), q.z()) / radius;
    double turn = off_axis > 0 ? std::atan2(q.x(), q.z()) / (2 * pi) : 0.0;
    turn -= std::floor(turn);
    // Each panel bulges a little between its seams.
    const double across = turn * shape.panels;
    const double bulge = std::pow(std::abs(std::sin(pi * across)), 0.6);
    const double depth = shape.seams * smooth_step(0, 0.35, off_axis) * (1 - bulge);
    p = ((1 - depth) * q).cast<float>();
    const int panel = static_cast<int>(std::floor(across + 1e-5)) % shape.panels;
    result.panels.push_back(static_cast<float>(panel));
  }
  result.mesh = ball.with_positions(std::move(positions));
  return result;
}

Mesh make_wine_glass(const WineGlassShape& shape) {
  const double stem = shape.stem, wall = shape.wall, bowl = shape.bowl / 2;
  const double rim = bowl * shape.opening, thin = 0.026;  // radius of the stem
  const double cup = 1 - stem, widest = stem + 0.47 * cup, top = 1 - wall / 2;
  const double foot = std::max(0.85 * bowl, 0.13);
  Profile profile({0, 0});
  profile.line_to({foot - 0.02, 0})
      .bezier_to({foot + 0.003, 0}, {foot + 0.003, 0.026}, {foot - 0.02, 0.028}, 3)
      .bezier_to({0.5 * foot, 0.042}, {thin, 0.04}, {thin, std::min(0.13, 0.6 * stem)}, 4)
      .line_to({thin, stem - 0.02}, 1)
      .bezier_to({thin, stem + 0.1 * cup}, {bowl, stem + 0.05 * cup}, {bowl, widest}, 6)
      .bezier_to({bowl, widest + 0.25 * cup}, {rim + 0.2 * (bowl - rim), top - 0.2 * cup},
                 {rim, top}, 4)
      .bezier_to({rim, top + wall * 2 / 3}, {rim - wall, top + wall * 2 / 3}, {rim - wall, top}, 4)
      .bezier_to({rim + 0.2 * (bowl - rim) - wall, top - 0.2 * cup},
                 {bowl - wall, widest + 0.25 * cup}, {bowl - wall, widest}, 4)
      .bezier_to({bowl - wall, stem + 0.2 * cup}, {0.45 * bowl, stem + 0.13 * cup},
                 {0, stem + 0.13 * cup}, 6);
  const RevolveOptions options{.least_around = 8};
  Mesh glass = revolve_to_count(profile, options, shape.vertices, 0.02);
  for (Vec3f& p : glass.positions) p *= static_cast<float>(shape.height);
  return glass;
}

Mesh make_terrain(const TerrainShape& shape) {
  const double size = shape.size;
  const Vec3d box(size, size * (shape.base + 0.3 * shape.height), size);
  const auto segments = [&](double h) {
    std::array<int, 3> n = box_segments(box, h);
    for (int& k : n) k += 2;  // for the narrow rows at the edges
    return n;
  };
  const double edge = edge_for_vertices(size / 36, shape.vertices,
                                        [&](double h) { return box_vertices(segments(h)); });
  const std::array<int, 3> n = segments(edge);
  const Mesh slab = make_box({.size = {1, 1, 1}, .segments = n});
  NoiseOptions noise;
  noise.seed = shape.seed;
  noise.octaves = 5;
  noise.gain = static_cast<float>(0.15 + 0.5 * shape.roughness);
  std::vector<Vec3f> positions = slab.positions;
  for (Vec3f& p : positions) {
    Vec3d q;
    for (int k = 0; k < 3; ++k) q[k] = with_narrow_rows(p[k], n[k]);
    const double n_hills = shape.hills;
    const double bumps =
        noise_at(Vec3d(n_hills * q.x(), 0.37, n_hills * q.z()).cast<float>(), noise);
    // Noise rarely leaves [-0.5, 0.5].
    const double rise = smooth_step(-0.6, 0.6, bumps);
    const double top = shape.base + shape.height * std::pow(rise, 1.4);
    p = Vec3d(size * q.x(), size * top * (q.y() + 0.5), size * q.z()).cast<float>();
  }
  return slab.with_positions(std::move(positions));
}

}  // namespace sinew::kernels
