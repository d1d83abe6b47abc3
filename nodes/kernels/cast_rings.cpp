// The members of the cast that are surfaces about an axis: worm and jellyfish.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "nodes/kernels/cast_living.h"
#include "nodes/kernels/cast_parts.h"
#include "nodes/kernels/ring_mesh.h"

namespace sinew::kernels {

using namespace cast;

namespace {

constexpr double pi = std::numbers::pi;

double smooth_step(double low, double high, double x) {
  const double t = std::clamp((x - low) / (high - low), 0.0, 1.0);
  return t * t * (3 - 2 * t);
}

Mesh scaled(Mesh mesh, double factor) {
  for (Vec3f& p : mesh.positions) p *= static_cast<float>(factor);
  return mesh;
}

std::size_t vertices_of(std::span<const Ring> rings) {
  std::size_t count = 2;
  for (const Ring& ring : rings) count += static_cast<std::size_t>(ring.count);
  return count;
}

// Rings for a number of vertices: rings_for(columns, aspect) with columns that can be halved often,
// `unit` times one of `factors` times a power of two, and aspects (length of the edges along over
// that around) near one; the pair that comes closest, square ones first.
template <class RingsFor>
std::vector<Ring> choose_for(int wished, int unit, std::initializer_list<int> factors,
                             const RingsFor& rings_for, CancelView stop) {
  std::vector<Ring> best;
  double best_off = std::numeric_limits<double>::max();
  const auto consider = [&](int columns, double aspect) {
    std::vector<Ring> rings = rings_for(columns, aspect);
    const double count = std::abs(std::log(static_cast<double>(vertices_of(rings)) / wished));
    const double off = count + 0.25 * std::abs(std::log(aspect));
    if (off < best_off) best_off = off, best = std::move(rings);
    return count;
  };
  for (int power = 1; power <= 1024; power *= 2) {
    for (const int factor : factors) {
      stop.check();
      const int columns = unit * factor * power;
      // Rings take at least a few vertices each; no need to count those that are far too many.
      if (columns > 2 * std::sqrt(wished) && !best.empty()) continue;
      if (consider(columns, 1) > 1) continue;
      for (const double aspect : {0.9, 1.1, 0.8, 1.2, 0.7, 1.35, 1.5}) consider(columns, aspect);
    }
  }
  return best;
}

// --- worm -------------------------------------------------------------------------------------

// The worm's outline: the angle u from -pi/2 at the tail to pi/2 at the head runs evenly along the
// body and round the ends.
struct WormOutline {
  double radius;  // of the thickest place; the length is 1
  int segments;
  double ridges;

  // s in 0..1 from tail to head.
  double radius_at(double s) const {
    const double tail = 0.10, head = 0.16;
    // Elliptic ends of different lengths, the body slightly thinner towards the tail.
    double r = radius * (0.82 + 0.18 * smooth_step(0, 0.6, s));
    if (s < tail) r *= std::sqrt(std::max(0.0, 1 - (1 - s / tail) * (1 - s / tail)));
    if (s > 1 - head) {
      const double t = (s - 1 + head) / head;
      r *= std::pow(std::max(0.0, 1 - t * t), 0.62);
    }
    // The saddle of a grown worm.
    const double saddle = smooth_step(0.62, 0.645, s) - smooth_step(0.735, 0.76, s);
    r *= 1 + 0.13 * saddle;
    const double groove = std::pow(0.5 + 0.5 * std::cos(2 * pi * s * segments), 2);
    const double away_from_ends = smooth_step(0, 0.03, s) * smooth_step(1, 0.95, s);
    return r * (1 - 0.22 * ridges * groove * (1 - 0.75 * saddle) * away_from_ends);
  }
};

// Places from `from` (an end of the worm) towards `until`, evenly along the outline.
std::vector<double> end_stations(const WormOutline& outline, double from, double until,
                                 double spacing) {
  constexpr int samples = 400;
  std::vector<double> ways = {0};
  const auto at = [&](int i) {
    // Close to the very end the outline runs across the axis.
    const double t = static_cast<double>(i) / samples;
    return from + (until - from) * t * t;
  };
  for (int i = 1; i <= samples; ++i) {
    const double across = outline.radius_at(at(i)) - outline.radius_at(at(i - 1));
    ways.push_back(ways.back() + std::hypot(at(i) - at(i - 1), across));
  }
  const int count = std::max(2, static_cast<int>(std::lround(ways.back() / spacing)));
  std::vector<double> stations;
  for (int k = 1, i = 1; k < count; ++k) {
    while (ways[i] < ways.back() * k / count) ++i;
    stations.push_back(at(i));
  }
  return stations;
}

std::vector<Ring> worm_rings(const WormOutline& outline, int around, double aspect) {
  const double edge = 2 * pi * outline.radius / around;
  // Rings follow the segments if there are four or more to each, else the spacing of an even mesh.
  int rows = std::max(8, static_cast<int>(std::lround(1 / (aspect * edge))));
  const int segments = outline.segments;
  if (outline.ridges > 0 && rows > 2 * segments) {
    rows = std::max(4, (rows + segments / 2) / segments) * segments;
  }
  const int end = std::max(1, rows / 20);
  const double spacing = 1.0 / rows;
  WormOutline plain = outline;
  plain.ridges = 0;
  std::vector<double> stations = end_stations(plain, 0, end * spacing, spacing);
  for (int i = end; i <= rows - end; ++i) stations.push_back(i * spacing);
  const std::vector<double> head = end_stations(plain, 1, 1 - end * spacing, spacing);
  stations.insert(stations.end(), head.rbegin(), head.rend());
  std::vector<double> circumferences;
  for (const double s : stations) circumferences.push_back(2 * pi * outline.radius_at(s));
  return choose_rings(stations, circumferences, around, 6, edge);
}

}  // namespace

Mesh make_worm(const WormShape& shape, CancelView stop) {
  stop.check();
  WormOutline outline{0.5 * shape.girth / shape.length / 1.13, shape.segments, shape.ridges};
  // Fatter than it is long would be a ball.
  outline.radius = std::clamp(outline.radius, 0.0125, 0.25);
  const std::vector<Ring> rings = choose_for(
      shape.vertices, 1, {6, 7, 8, 9, 10, 11},
      [&](int columns, double aspect) { return worm_rings(outline, columns, aspect); }, stop);
  // Too few rings to show the segments: smooth is better than random.
  if (rings.size() < 3u * static_cast<unsigned>(shape.segments)) outline.ridges = 0;
  const auto place = [&](double s, double angle) {
    const double r = outline.radius_at(s);
    // The middle line turns to and fro by the bend: x' = sin(heading), z' = cos(heading).
    double x = 0, z = s - 0.5, heading = 0;
    if (shape.bend != 0) {
      x = z = 0;
      constexpr int steps = 64;
      for (int i = 0; i < steps; ++i) {
        const double t = s * (i + 0.5) / steps;
        const double h = shape.bend * std::cos(2 * pi * t);
        x += std::sin(h) * s / steps;
        z += std::cos(h) * s / steps;
      }
      heading = shape.bend * std::cos(2 * pi * s);
    }
    const Vec3d side(std::cos(heading), 0, -std::sin(heading));
    return Vec3d(Vec3d(x, 0, z) + r * (std::cos(angle) * Vec3d(0, 1, 0) - std::sin(angle) * side));
  };
  Mesh worm = scaled(make_ring_mesh(rings, 0, 1, place), shape.length);
  if (shape.bend != 0) {
    const float middle = 0.5f * (worm.positions.front().z() + worm.positions.back().z());
    for (Vec3f& p : worm.positions) p.z() -= middle;
  }
  return worm;
}

// --- jellyfish --------------------------------------------------------------------------------

namespace {

// The bell's profile, for a diameter of one: t in 0..1 is the outside from top to rim, 1..2 the
// inside from rim to top.
class Bell {
 public:
  explicit Bell(const JellyfishShape& shape)
      : height_(shape.height),
        top_(shape.thickness),
        scallop_(shape.scallop),
        lappets_(shape.lappets) {
    constexpr int samples = 400;
    double way = 0;
    Vec2d before = raw(0);
    for (int i = 0; i <= samples; ++i) {
      const Vec2d here = raw(2.0 * i / samples);
      way += (here - before).norm();
      ways_.push_back(way);
      before = here;
    }
  }
  double length() const { return ways_.back(); }
  // The profile at a part (0..1) of its length: radius and height.
  Vec2d at(double part) const { return raw(parameter(part)); }
  Vec3d place(double part, double angle) const {
    const double t = parameter(part);
    const Vec2d p = raw(t);
    // Lappets: the rim comes up between them, and in a little; grooves run out upwards.
    const double near_rim = std::exp(-std::pow(std::abs(t - 1) / 0.22, 2));
    const double wave = 0.5 - 0.5 * std::cos(lappets_ * angle);  // 1 between two lappets
    const double notch = scallop_ * near_rim * wave * wave;
    const double lappet_length = std::min(0.075, 1.2 / lappets_);
    const double r = p.x() * (1 - 0.05 * notch), y = p.y() + lappet_length * notch;
    return {r * std::cos(angle), y, r * std::sin(angle)};
  }

 private:
  double parameter(double part) const {
    const double way = std::clamp(part, 0.0, 1.0) * ways_.back();
    const auto found = std::lower_bound(ways_.begin() + 1, ways_.end() - 1, way);
    const std::size_t i = static_cast<std::size_t>(found - ways_.begin());
    const double step = ways_[i] - ways_[i - 1];
    const double t = step > 0 ? std::clamp((way - ways_[i - 1]) / step, 0.0, 1.0) : 0;
    return 2.0 * (static_cast<double>(i - 1) + t) / static_cast<double>(ways_.size() - 1);
  }
  // The middle of the wall goes from the top to the rim; the wall thins out on the way.
  Vec2d raw(double t) const {
    const double u = t <= 1 ? t : 2 - t;  // 0 top, 1 rim
    const double angle = u * 0.5 * pi * 1.16;
    const double rim = std::max(0.035, 0.4 * top_);
    const double wall = rim + (top_ - rim) * std::pow(std::cos(0.5 * pi * u), 1.5);
    const double round = std::sqrt(std::max(0.0, 1 - std::pow(u, 14)));  // the rim's edge
    const double half = 0.5 * wall * round;
    const double a = 0.5 - 0.5 * rim, b = height_ - 0.5 * top_;
    const Vec2d middle(a * std::sin(angle), b * std::cos(angle));
    Vec2d normal(b * std::sin(angle), a * std::cos(angle));
    normal.normalize();
    const Vec2d p = middle + (t <= 1 ? half : -half) * normal;
    return {std::max(p.x(), 0.0), p.y()};
  }

  double height_, top_, scallop_;
  int lappets_;
  std::vector<double> ways_;
};

std::vector<Ring> bell_rings(const Bell& bell, int around, int lappets, double aspect) {
  const double edge = pi / around;
  const int rows = std::max(8, static_cast<int>(std::lround(bell.length() / (aspect * edge))));
  std::vector<double> stations, circumferences;
  for (int i = 1; i < rows; ++i) {
    stations.push_back(static_cast<double>(i) / rows);
    circumferences.push_back(2 * pi * bell.at(stations.back()).x());
  }
  int least = lappets;
  while (least % 2 == 0 && least > 8) least /= 2;
  return choose_rings(stations, circumferences, around, std::max(4, least), edge);
}

// The bell as a function: the distance to its profile in the half plane of the axis, with the
// lappets taken off the place that is asked for.
class BellFunction {
 public:
  explicit BellFunction(const Bell& bell) : bell_(bell) {
    constexpr int samples = 72;
    for (int i = 0; i <= samples; ++i) {
      parts_.push_back(static_cast<double>(i) / samples);
      profile_.push_back(bell.at(parts_.back()));
    }
  }
  double operator()(const Vec3d& p) const {
    const double angle = std::atan2(p.z(), p.x());
    const Vec2d flat(std::hypot(p.x(), p.z()), p.y());
    const Nearest first = nearest(flat);
    const Vec2d plain = bell_.at(first.part);
    const Vec3d moved = bell_.place(first.part, angle);
    const Vec2d shift = Vec2d(std::hypot(moved.x(), moved.z()), moved.y()) - plain;
    return nearest(flat - shift).distance;
  }

 private:
  struct Nearest {
    double distance, part;
  };
  Nearest nearest(const Vec2d& q) const {
    double best = std::numeric_limits<double>::max(), part = 0;
    bool inside = false;
    for (std::size_t i = 0; i + 1 < profile_.size(); ++i) {
      const Vec2d &a = profile_[i], &b = profile_[i + 1];
      const Vec2d edge = b - a, from = q - a;
      const double square = edge.squaredNorm();
      const double t = square > 0 ? std::clamp(from.dot(edge) / square, 0.0, 1.0) : 0;
      const double d = (from - t * edge).squaredNorm();
      if (d < best) best = d, part = (1 - t) * parts_[i] + t * parts_[i + 1];
      // A ray away from the axis crosses the outline once from inside.
      const bool passes = (a.y() > q.y()) != (b.y() > q.y());
      if (passes && q.x() < a.x() + (q.y() - a.y()) / edge.y() * edge.x()) inside = !inside;
    }
    return {inside ? -std::sqrt(best) : std::sqrt(best), part};
  }

  const Bell& bell_;
  std::vector<double> parts_;
  std::vector<Vec2d> profile_;
};

// Four arms with ruffled edges hang from the middle of the cavity.
Mesh jellyfish_with_arms(const JellyfishShape& shape, const Bell& bell, CancelView stop) {
  ImplicitShape body;
  const BellFunction function(bell);
  const double low = -0.25;
  body.add(std::cref(function),
           Eigen::AlignedBox3d(Vec3d(-0.53, low, -0.53), Vec3d(0.53, shape.height + 0.02, 0.53)),
           0);
  const double ceiling = shape.height - shape.thickness;
  body.add(Limb{{{0, ceiling - 0.03, 0}, {0, ceiling - 0.12, 0}}, {0.07, 0.075}}, 0.05);
  for (const double side : {-1.0, 1.0}) {
    Limb arm;
    for (int i = 0; i <= 6; ++i) {
      const double t = i / 6.0, sway = 0.025 * std::sin(5 * t);
      const double out = 0.05 + 0.06 * t + sway;
      arm.points.push_back({out, ceiling - 0.1 - 0.75 * t, side * out});
      arm.radii.push_back(i % 2 == 0 ? 0.036 - 0.012 * t : 0.044 - 0.012 * t);
    }
    body.add_pair(smooth_limb(arm, 4), 0.03);
  }
  return mesh_of(body, {1.0 / 72, shape.vertices, true, 0, Stands::centred, 0.5}, shape.diameter,
                 stop);
}

}  // namespace

Mesh make_jellyfish(const JellyfishShape& shape, CancelView stop) {
  stop.check();
  const Bell bell(shape);
  if (shape.oral_arms) return jellyfish_with_arms(shape, bell, stop);
  // A whole number of columns for each lappet, as many as needed to show its form.
  const int step = shape.lappets;
  const std::vector<Ring> rings = choose_for(
      shape.vertices, step, {1, 3, 5},
      [&](int columns, double aspect) { return bell_rings(bell, columns, step, aspect); }, stop);
  Mesh mesh = make_ring_mesh(rings, 0, 1,
                             [&](double part, double angle) { return bell.place(part, angle); });
  fit(mesh, 0, Stands::centred, shape.diameter);
  return mesh;
}

}  // namespace sinew::kernels
