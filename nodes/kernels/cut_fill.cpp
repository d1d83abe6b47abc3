#include "nodes/kernels/cut_fill.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>

#include "nodes/geometry/stop_check.h"
#include "nodes/kernels/surface_tree.h"

namespace sinew::kernels {
namespace {

constexpr double piece_part = 0.2;  // of the section's mean edge
constexpr std::size_t most_pieces = 200'000;

// Two coordinates in the plane.
class PlaneAxes {
 public:
  explicit PlaneAxes(const Vec3d& normal) : u_(normal.unitOrthogonal()), v_(normal.cross(u_)) {}
  Vec2d operator()(const Vec3d& p) const { return {u_.dot(p), v_.dot(p)}; }

 private:
  Vec3d u_, v_;
};

double side_of(const Vec2d& a, const Vec2d& b, const Vec2d& p) {
  return (b.x() - a.x()) * (p.y() - a.y()) - (b.y() - a.y()) * (p.x() - a.x());
}

// Which places the section covers, or nearly so: its triangles, by the squares of a grid that they
// touch. `near`: gaps narrower than this are none.
class Cover {
 public:
  Cover(const CapMesh& cap, const PlaneAxes& axes, double square, double near)
      : square_(square), near_(near) {
    StopCheck check;
    for (const Triangle& t : cap.triangles) {
      check();
      std::array<Vec2d, 3> corners;
      for (int k = 0; k < 3; ++k) corners[k] = axes(cap.positions[t[k]].cast<double>());
      if (side_of(corners[0], corners[1], corners[2]) < 0) std::swap(corners[1], corners[2]);
      const Vec2d margin(near_, near_);
      const Vec2d low = corners[0].cwiseMin(corners[1]).cwiseMin(corners[2]) - margin;
      const Vec2d high = corners[0].cwiseMax(corners[1]).cwiseMax(corners[2]) + margin;
      const auto index = static_cast<uint32_t>(triangles_.size());
      triangles_.push_back(corners);
      for (int64_t y = cell(low.y()); y <= cell(high.y()); ++y)
        for (int64_t x = cell(low.x()); x <= cell(high.x()); ++x, check())
          squares_[key(x, y)].push_back(index);
    }
  }
  bool operator()(const Vec2d& p) const {
    const auto found = squares_.find(key(cell(p.x()), cell(p.y())));
    if (found == squares_.end()) return false;
    return std::any_of(found->second.begin(), found->second.end(), [&](uint32_t i) {
      const auto& [a, b, c] = triangles_[i];
      return within(a, b, p) && within(b, c, p) && within(c, a, p);
    });
  }

 private:
  bool within(const Vec2d& a, const Vec2d& b, const Vec2d& p) const {
    return side_of(a, b, p) >= -near_ * (b - a).norm();
  }
  int64_t cell(double x) const { return static_cast<int64_t>(std::floor(x / square_)); }
  static uint64_t key(int64_t x, int64_t y) {
    return static_cast<uint64_t>(x) * 0x9E3779B97F4A7C15ull ^ static_cast<uint64_t>(y);
  }

  double square_, near_;
  std::vector<std::array<Vec2d, 3>> triangles_;
  std::unordered_map<uint64_t, std::vector<uint32_t>> squares_;
};

double mean_edge(const CapMesh& cap) {
  double sum = 0;
  for (const Triangle& t : cap.triangles)
    for (int k = 0; k < 3; ++k)
      sum += (cap.positions[t[k]] - cap.positions[t[(k + 1) % 3]]).cast<double>().norm();
  return cap.triangles.empty() ? 0 : sum / (3.0 * static_cast<double>(cap.triangles.size()));
}

double area_of(std::span<const Vec3f> points, std::span<const Triangle> triangles) {
  double sum = 0;
  for (const Triangle& t : triangles) {
    const Vec3d a = points[t[0]].cast<double>();
    sum += 0.5 * (points[t[1]].cast<double>() - a).cross(points[t[2]].cast<double>() - a).norm();
  }
  return sum;
}

using Piece = std::array<Vec3d, 3>;

// Halves at the longest edge until no edge is longer than `size`.
template <class Take>
void halve(const Piece& whole, double size, const Take& take) {
  std::vector<Piece> open = {whole};
  StopCheck check;
  while (!open.empty()) {
    check();
    const Piece piece = open.back();
    open.pop_back();
    int longest = 0;
    double length2 = 0;
    for (int k = 0; k < 3; ++k) {
      const double l = (piece[(k + 1) % 3] - piece[k]).squaredNorm();
      if (l > length2) length2 = l, longest = k;
    }
    if (length2 <= size * size) {
      take(piece);
      continue;
    }
    const Vec3d &a = piece[longest], &b = piece[(longest + 1) % 3], &c = piece[(longest + 2) % 3];
    const Vec3d middle = 0.5 * (a + b);
    open.push_back({a, middle, c});
    open.push_back({middle, b, c});
  }
}

}  // namespace

void fill_gaps(CapMesh cap, std::span<const Vec3f> outline, std::span<const Triangle> filled,
               const Vec3d& normal, CancelView stop) {
  const double edge = mean_edge(cap);
  if (!(edge > 0) || filled.empty()) return;
  const PlaneAxes axes(normal);
  const Cover covered(cap, axes, 2 * edge, 0.01 * edge);
  const double size = std::max(piece_part * edge, std::sqrt(4 * area_of(outline, filled) /
                                                            static_cast<double>(most_pieces)));
  std::vector<Piece> gaps;
  for (std::size_t i = 0; i < filled.size(); ++i) {
    if (i % 256 == 0) stop.check();
    Piece whole;
    for (int k = 0; k < 3; ++k) whole[k] = outline[filled[i][k]].cast<double>();
    halve(whole, size, [&](const Piece& piece) {
      const bool hidden =
          covered(axes((piece[0] + piece[1] + piece[2]) / 3)) &&
          std::all_of(piece.begin(), piece.end(), [&](const Vec3d& p) { return covered(axes(p)); });
      if (!hidden) gaps.push_back(piece);
    });
  }
  if (gaps.empty()) return;
  Topology topology;
  topology.triangles = cap.triangles;
  const Mesh section(std::move(topology), cap.positions);
  const SurfaceTree tree(section, stop);
  const std::vector<float> values = cap.values;
  const std::vector<uint32_t> sources = cap.sources;
  StopCheck check;
  for (const Piece& piece : gaps) {
    check();
    const auto first = static_cast<uint32_t>(cap.positions.size());
    uint32_t source = 0;
    for (const Vec3d& p : piece) {
      const auto near = tree.closest(p);
      const Triangle& t = section.triangles()[near->triangle];
      double value = 0;
      for (int k = 0; k < 3; ++k) value += near->weights[k] * values[t[k]];
      cap.positions.push_back(p.cast<float>());
      cap.values.push_back(static_cast<float>(value));
      source = sources[near->triangle];
    }
    cap.triangles.push_back({first, first + 1, first + 2});
    cap.sources.push_back(source);
  }
}

}  // namespace sinew::kernels
