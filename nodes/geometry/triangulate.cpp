#include "nodes/geometry/triangulate.h"

#include <algorithm>
#include <cmath>

#include "nodes/geometry/stop_check.h"

namespace sinew {

namespace {

double cross2(const Vec2d& a, const Vec2d& b, const Vec2d& c) {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

// Twice the polygon's area vector; each pair of edges adds its part [Sutherland74].
Vec3d newell_normal(std::span<const Vec3f> positions, std::span<const uint32_t> polygon) {
  const Vec3d origin = positions[polygon[0]].cast<double>();
  Vec3d normal = Vec3d::Zero();
  Vec3d here = positions[polygon.back()].cast<double>() - origin;
  for (const uint32_t v : polygon) {
    const Vec3d next = positions[v].cast<double>() - origin;
    normal += here.cross(next);
    here = next;
  }
  return normal;
}

// The polygon seen along its normal: coordinates in the plane, counter-clockwise.
void project(std::span<const Vec3f> positions, std::span<const uint32_t> polygon,
             const Vec3d& normal, std::vector<Vec2d>& flat) {
  const Vec3d n = normal.normalized();
  int smallest = 0;
  for (int k = 1; k < 3; ++k) {
    if (std::abs(n[k]) < std::abs(n[smallest])) smallest = k;
  }
  const Vec3d u = n.cross(Vec3d::Unit(smallest)).normalized();
  const Vec3d v = n.cross(u);
  const Vec3d origin = positions[polygon[0]].cast<double>();
  flat.clear();
  for (const uint32_t p : polygon) {
    const Vec3d d = positions[p].cast<double>() - origin;
    flat.push_back({d.dot(u), d.dot(v)});
  }
}

bool in_triangle(const Vec2d& p, const Vec2d& a, const Vec2d& b, const Vec2d& c) {
  return cross2(a, b, p) >= 0 && cross2(b, c, p) >= 0 && cross2(c, a, p) >= 0;
}

// Cuts ears from a polygon that is kept as a ring of corners.
class EarClipper {
 public:
  EarClipper(std::span<const uint32_t> polygon, TriangulationScratch& scratch)
      : polygon_(polygon), flat_(scratch.flat), next_(scratch.next), previous_(scratch.previous) {
    const uint32_t n = static_cast<uint32_t>(polygon.size());
    next_.resize(n);
    previous_.resize(n);
    for (uint32_t i = 0; i < n; ++i) {
      next_[i] = (i + 1) % n;
      previous_[i] = (i + n - 1) % n;
    }
  }

  std::size_t run(std::vector<CornerTriangle>& out) {
    std::size_t dropped = 0;
    uint32_t at = 0;
    for (std::size_t left = polygon_.size(); left > 3; --left) {
      const uint32_t ear = find_ear(at, left);
      dropped += !emit(ear, out);
      next_[previous_[ear]] = next_[ear];
      previous_[next_[ear]] = previous_[ear];
      // Going on two corners further spreads the cuts, which avoids long fans.
      at = next_[next_[ear]];
    }
    return dropped + !emit(at, out);
  }

 private:
  bool emit(uint32_t i, std::vector<CornerTriangle>& out) const {
    const uint32_t a = previous_[i], c = next_[i];
    const uint32_t va = polygon_[a], vb = polygon_[i], vc = polygon_[c];
    if (va == vb || vb == vc || vc == va) return false;
    out.push_back({a, i, c});
    return true;
  }

  void count_work() const {
    ++work_;
    check_();
  }

  double turn(uint32_t i) const { return cross2(flat_[previous_[i]], flat_[i], flat_[next_[i]]); }

  // Whether no other corner lies in the triangle at i. Corners at the place of one of the three do
  // not count: bridges to holes repeat vertices.
  bool is_free(uint32_t i) const {
    const uint32_t a = previous_[i], c = next_[i];
    for (uint32_t k = next_[c]; k != a; k = next_[k]) {
      count_work();
      const Vec2d& p = flat_[k];
      if (p == flat_[a] || p == flat_[i] || p == flat_[c]) continue;
      if (in_triangle(p, flat_[a], flat_[i], flat_[c]) && turn(k) <= 0) return false;
    }
    return true;
  }

  // The first proper ear from `at` on; else a corner of no area; else the most convex one.
  uint32_t find_ear(uint32_t at, std::size_t left) const {
    uint32_t flat_corner = none, widest = at;
    double widest_turn = -HUGE_VAL;
    uint32_t i = at;
    for (std::size_t k = 0; k < left && work_ < work_limit; ++k, i = next_[i]) {
      count_work();
      const double t = turn(i);
      if (t > 0 && is_free(i)) return i;
      if (t == 0 && flat_corner == none && is_spike_free(i)) flat_corner = i;
      if (t > widest_turn) {
        widest_turn = t;
        widest = i;
      }
    }
    return flat_corner != none ? flat_corner : widest;
  }

  // A corner of no area may go if it lies between its neighbours or at the place of one of them.
  bool is_spike_free(uint32_t i) const {
    return (flat_[previous_[i]] - flat_[i]).dot(flat_[next_[i]] - flat_[i]) <= 0;
  }

  static constexpr uint32_t none = UINT32_MAX;
  // A tangle of a million corners would take hours: after about a second, corners are cut as they
  // come. Simple polygons with some thousand corners stay below.
  static constexpr uint64_t work_limit = 200'000'000;
  mutable uint64_t work_ = 0;
  mutable StopCheck check_;
  std::span<const uint32_t> polygon_;
  const std::vector<Vec2d>& flat_;
  std::vector<uint32_t>& next_;
  std::vector<uint32_t>& previous_;
};

// Strictly convex all round, and once round only.
bool is_convex(std::span<const Vec2d> flat) {
  const std::size_t n = flat.size();
  int x_changes = 0;
  double last_dx = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const Vec2d &a = flat[i], &b = flat[(i + 1) % n], &c = flat[(i + 2) % n];
    if (!(cross2(a, b, c) > 0)) return false;
    const double dx = b[0] - a[0];
    if (dx != 0 && last_dx != 0 && (dx > 0) != (last_dx > 0)) ++x_changes;
    if (dx != 0) last_dx = dx;
  }
  return x_changes <= 2;
}

}  // namespace

std::size_t triangulate(std::span<const Vec3f> positions, std::span<const uint32_t> polygon,
                        TriangulationScratch& scratch, std::vector<CornerTriangle>& out) {
  const uint32_t n = static_cast<uint32_t>(polygon.size());
  if (n < 3) return 0;
  const auto fan = [&](uint32_t apex) {
    std::size_t dropped = 0;
    for (uint32_t k = 1; k + 1 < n; ++k) {
      const uint32_t i = (apex + k) % n, j = (apex + k + 1) % n;
      if (polygon[apex] == polygon[i] || polygon[i] == polygon[j] || polygon[j] == polygon[apex]) {
        ++dropped;
      } else {
        out.push_back({apex, i, j});
      }
    }
    return dropped;
  };
  if (n == 3) return fan(0);
  const Vec3d normal = newell_normal(positions, polygon);
  if (!(normal.squaredNorm() > 0)) return fan(0);
  project(positions, polygon, normal, scratch.flat);
  if (is_convex(scratch.flat)) {
    if (n > 4) return fan(0);
    // A quad is cut along its shorter diagonal, which also bends least if it is not flat.
    const double even = (positions[polygon[0]] - positions[polygon[2]]).squaredNorm();
    const double odd = (positions[polygon[1]] - positions[polygon[3]]).squaredNorm();
    return fan(even <= odd ? 0 : 1);
  }
  return EarClipper(polygon, scratch).run(out);
}

}  // namespace sinew
