#include "nodes/kernels/revolve.h"

#include <numbers>
#include <stdexcept>

namespace sinew::kernels {

namespace {

constexpr double pi = std::numbers::pi;

uint32_t ring_size(double radius, const RevolveOptions& options) {
  if (radius <= 0) return 1;
  const double wanted = 2 * pi * radius / (options.edge * options.sectors);
  const int least = (options.least_around + options.sectors - 1) / options.sectors;
  const double per_sector = std::max<double>(least, std::round(wanted));
  if (!(per_sector * options.sectors < 1e7)) {
    throw std::invalid_argument("the edge length is too small for the profile's radius");
  }
  return static_cast<uint32_t>(per_sector) * static_cast<uint32_t>(options.sectors);
}

// A ring's first vertex, its size, and whether it is turned by half a step.
struct Ring {
  uint32_t start, size;
  uint64_t half;
};

class Stitcher {
 public:
  void zip(const Ring& low, const Ring& high, bool odd) {
    if (low.size == 1 && high.size == 1) return;
    const uint64_t n = low.size, m = high.size;
    uint64_t i = 0, j = 0;
    while ((n > 1 && i < n) || (m > 1 && j < m)) {
      if (takes_low(low, high, i, j, odd)) {
        add(low.start + i, low.start + (i + 1) % n, high.start + j % m);
        ++i;
      } else {
        add(low.start + i % n, high.start + (j + 1) % m, high.start + j);
        ++j;
      }
    }
  }
  Topology take() { return std::move(topology_); }

 private:
  static bool takes_low(const Ring& low, const Ring& high, uint64_t i, uint64_t j, bool odd) {
    if (low.size == 1 || i == low.size) return false;
    if (high.size == 1 || j == high.size) return true;
    const uint64_t a = (2 * i + 1 + low.half) * high.size;
    const uint64_t b = (2 * j + 1 + high.half) * low.size;
    if (a != b) return a < b;
    return (i % 2 == 1) != odd;  // squares: alternating diagonals
  }
  void add(uint64_t a, uint64_t b, uint64_t c) {
    topology_.triangles.push_back(
        {static_cast<uint32_t>(a), static_cast<uint32_t>(b), static_cast<uint32_t>(c)});
  }

  Topology topology_;
};

// Points of a dense line at equal distances along it, without the first.
void append_evenly(std::span<const Vec2d> line, int least, double spacing,
                   std::vector<Vec2d>& out) {
  double length = 0;
  for (std::size_t i = 1; i < line.size(); ++i) length += (line[i] - line[i - 1]).norm();
  const double wanted = std::round(length / spacing);
  if (!(wanted < 1e6)) throw std::invalid_argument("the spacing is too small for the profile");
  const int segments = std::max(least, static_cast<int>(wanted));
  double before = 0;  // length up to point i - 1
  std::size_t i = 1;
  for (int k = 1; k < segments; ++k) {
    const double at = length * k / segments;
    double step = (line[i] - line[i - 1]).norm();
    while (i + 1 < line.size() && before + step < at) {
      before += step;
      ++i;
      step = (line[i] - line[i - 1]).norm();
    }
    const double t = step > 0 ? std::clamp((at - before) / step, 0.0, 1.0) : 0.0;
    out.push_back((1 - t) * line[i - 1] + t * line[i]);
  }
  out.push_back(line.back());
}

}  // namespace

Profile& Profile::line_to(const Vec2d& end, int least) {
  pieces_.push_back({{corners_.back(), end}, least});
  corners_.push_back(end);
  return *this;
}

Profile& Profile::bezier_to(const Vec2d& b, const Vec2d& c, const Vec2d& end, int least) {
  constexpr int steps = 64;
  const Vec2d a = corners_.back();
  std::vector<Vec2d> points(steps + 1);
  for (int i = 0; i <= steps; ++i) {
    const double t = static_cast<double>(i) / steps, s = 1 - t;
    points[i] = s * s * s * a + 3 * s * s * t * b + 3 * s * t * t * c + t * t * t * end;
  }
  points.back() = end;
  pieces_.push_back({std::move(points), least});
  corners_.push_back(end);
  return *this;
}

Profile& Profile::through(std::span<const Vec2d> points, int least) {
  std::vector<Vec2d> all{corners_.back()};
  all.insert(all.end(), points.begin(), points.end());
  corners_.push_back(all.back());
  pieces_.push_back({std::move(all), least});
  return *this;
}

std::vector<Vec2d> Profile::sample(double spacing) const {
  std::vector<Vec2d> out{corners_.front()};
  for (const Piece& piece : pieces_) append_evenly(piece.points, piece.least, spacing, out);
  return out;
}

std::size_t revolved_vertices(std::span<const Vec2d> profile, const RevolveOptions& options) {
  std::size_t count = 0;
  for (const Vec2d& p : profile) count += ring_size(p.x(), options);
  return count;
}

Mesh revolve(std::span<const Vec2d> profile, const RevolveOptions& options) {
  std::vector<Vec3f> positions;
  positions.reserve(revolved_vertices(profile, options));
  std::vector<Ring> rings;
  for (std::size_t i = 0; i < profile.size(); ++i) {
    const Vec2d& p = profile[i];
    const uint32_t n = ring_size(p.x(), options);
    // Every other ring is turned by half a step, which makes triangles nearly equilateral.
    const bool half = n > 1 && options.sectors == 1 && i % 2 == 1;
    rings.push_back({static_cast<uint32_t>(positions.size()), n, half ? 1u : 0u});
    if (n == 1) {
      positions.push_back(Vec3d(0, p.y(), 0).cast<float>());
      continue;
    }
    for (uint32_t j = 0; j < n; ++j) {
      const double angle = 2 * pi * (j + (half ? 0.5 : 0.0)) / n;
      positions.push_back(
          Vec3d(p.x() * std::sin(angle), p.y(), p.x() * std::cos(angle)).cast<float>());
    }
  }
  Stitcher stitcher;
  for (std::size_t i = 0; i + 1 < rings.size(); ++i) {
    stitcher.zip(rings[i], rings[i + 1], i % 2 == 1);
  }
  if (options.closed && rings.size() > 2) stitcher.zip(rings.back(), rings.front(), false);
  return Mesh(stitcher.take(), std::move(positions));
}

}  // namespace sinew::kernels
