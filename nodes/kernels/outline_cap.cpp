#include "nodes/kernels/outline_cap.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "nodes/geometry/stop_check.h"
#include "nodes/geometry/triangulate.h"

namespace sinew::kernels {

namespace {

using DirectedEdge = std::array<uint32_t, 2>;
using Loop = std::vector<uint32_t>;

double cross2(const Vec2d& a, const Vec2d& b) { return a.x() * b.y() - a.y() * b.x(); }

// Each edge as often as it is left over by its reverse, ordered.
std::vector<DirectedEdge> without_opposites(std::span<const DirectedEdge> edges) {
  std::map<DirectedEdge, int> count;  // by the edge with the smaller vertex first
  StopCheck check;
  for (const auto& [a, b] : edges) {
    check();
    if (a < b) ++count[{a, b}];
    if (b < a) --count[{b, a}];
  }
  std::vector<DirectedEdge> left;
  for (const auto& [edge, n] : count) {
    for (int i = 0; i < n; ++i) left.push_back(edge);
    for (int i = 0; i > n; --i) left.push_back({edge[1], edge[0]});
  }
  stoppable_sort(left.begin(), left.end());
  return left;
}

// Chains sorted edges to loops without repeated vertices.
std::vector<Loop> chain(std::span<const DirectedEdge> edges, std::size_t& open) {
  std::vector<Loop> loops;
  std::vector<char> used(edges.size(), 0);
  const auto next_from = [&](uint32_t v) {
    auto at = std::lower_bound(edges.begin(), edges.end(), DirectedEdge{v, 0});
    for (; at != edges.end() && (*at)[0] == v; ++at) {
      if (!used[at - edges.begin()]) return static_cast<std::size_t>(at - edges.begin());
    }
    return edges.size();
  };
  // Chains that do not close are begun at their beginning, so that each is followed once.
  std::map<uint32_t, int> surplus;
  StopCheck check;
  for (const auto& [a, b] : edges) check(), ++surplus[a], --surplus[b];
  std::vector<std::size_t> starts(edges.size());
  std::iota(starts.begin(), starts.end(), std::size_t{0});
  std::stable_partition(starts.begin(), starts.end(),
                        [&](std::size_t e) { return surplus[edges[e][0]] > 0; });
  std::map<uint32_t, std::size_t> place;  // of the vertices on the path
  for (const std::size_t start : starts) {
    if (used[start]) continue;
    Loop path = {edges[start][0]};
    place.clear();
    place[path[0]] = 0;
    for (std::size_t e = start; e < edges.size(); e = next_from(path.back())) {
      check();
      used[e] = 1;
      const uint32_t v = edges[e][1];
      const auto seen = place.find(v);
      if (seen == place.end()) {
        place[v] = path.size();
        path.push_back(v);
        continue;
      }
      const std::size_t from = seen->second;
      if (path.size() - from > 2) loops.emplace_back(path.begin() + from, path.end());
      for (std::size_t i = from + 1; i < path.size(); ++i) place.erase(path[i]);
      path.resize(from + 1);
    }
    open += path.size() > 1;
  }
  return loops;
}

class Plane2 {
 public:
  Plane2(std::span<const Vec3f> points, const Vec3d& normal) : points_(points) {
    int least = 0;
    normal.cwiseAbs().minCoeff(&least);
    u_ = normal.cross(Vec3d::Unit(least)).normalized();
    v_ = normal.cross(u_).normalized();
    if (!points.empty()) origin_ = points[0].cast<double>();
  }
  Vec2d operator[](uint32_t i) const {
    const Vec3d d = points_[i].cast<double>() - origin_;
    return {d.dot(u_), d.dot(v_)};
  }
  double area(const Loop& loop) const {
    double sum = 0;
    for (std::size_t i = 0; i < loop.size(); ++i)
      sum += cross2((*this)[loop[i]], (*this)[loop[(i + 1) % loop.size()]]);
    return sum / 2;
  }
  bool contains(const Loop& loop, const Vec2d& p) const {
    bool inside = false;
    for (std::size_t i = 0; i < loop.size(); ++i) {
      const Vec2d a = (*this)[loop[i]], b = (*this)[loop[(i + 1) % loop.size()]];
      if ((a.y() > p.y()) == (b.y() > p.y())) continue;
      const double x = a.x() + (p.y() - a.y()) / (b.y() - a.y()) * (b.x() - a.x());
      inside ^= p.x() < x;
    }
    return inside;
  }

 private:
  std::span<const Vec3f> points_;
  Vec3d u_, v_, origin_{0, 0, 0};
};

bool in_triangle(const Vec2d& p, const Vec2d& a, const Vec2d& b, const Vec2d& c) {
  const double x = cross2(b - a, p - a), y = cross2(c - b, p - b), z = cross2(a - c, p - c);
  return (x >= 0 && y >= 0 && z >= 0) || (x <= 0 && y <= 0 && z <= 0);
}

// The place in `polygon` of a vertex that can be seen from m, looking to the right first. The
// polygon's size if there is none.
std::size_t visible_corner(const Plane2& flat, const Loop& polygon, const Vec2d& m) {
  const std::size_t n = polygon.size();
  double hit = std::numeric_limits<double>::infinity();
  std::size_t best = n;
  for (std::size_t i = 0; i < n; ++i) {
    const Vec2d a = flat[polygon[i]], b = flat[polygon[(i + 1) % n]];
    // Upward edges have the inside on their left, where m is.
    if (!(a.y() <= m.y() && m.y() <= b.y()) || a.y() == b.y()) continue;
    const double x = a.x() + (m.y() - a.y()) / (b.y() - a.y()) * (b.x() - a.x());
    if (x < m.x() || x >= hit) continue;
    hit = x;
    best = a.x() > b.x() ? i : (i + 1) % n;
  }
  if (best == n) return n;
  // A corner that stands in the way is seen instead: of those, the one closest to the ray.
  const Vec2d p = flat[polygon[best]], q(hit, m.y());
  double least_slope = std::numeric_limits<double>::infinity(), least_distance = least_slope;
  std::size_t seen = best;
  for (std::size_t i = 0; i < n; ++i) {
    const Vec2d r = flat[polygon[i]];
    if (r.x() < m.x() || !in_triangle(r, m, q, p)) continue;
    const Vec2d before = flat[polygon[(i + n - 1) % n]], after = flat[polygon[(i + 1) % n]];
    const bool reflex = cross2(r - before, after - r) <= 0;
    if (!reflex && r != p) continue;
    // The bridge must leave into the polygon: vertices repeat where other bridges start.
    const bool left_of_in = cross2(r - before, m - r) >= 0,
               left_of_out = cross2(after - r, m - r) >= 0;
    if (reflex ? !(left_of_in || left_of_out) : !(left_of_in && left_of_out)) continue;
    const double slope = std::abs(r.y() - m.y()) / std::max(r.x() - m.x(), 1e-300);
    const double distance = (r - m).squaredNorm();
    if (slope > least_slope || (slope == least_slope && distance >= least_distance)) continue;
    least_slope = slope;
    least_distance = distance;
    seen = i;
  }
  return seen;
}

// Joins holes to the loop around them, so that one polygon remains.
Loop bridged(const Plane2& flat, Loop polygon, std::vector<Loop> holes, CancelView stop) {
  const auto right = [&](Loop& loop) {
    return std::max_element(loop.begin(), loop.end(),
                            [&](uint32_t a, uint32_t b) { return flat[a].x() < flat[b].x(); });
  };
  for (Loop& hole : holes) std::rotate(hole.begin(), right(hole), hole.end());
  std::stable_sort(holes.begin(), holes.end(),
                   [&](const Loop& a, const Loop& b) { return flat[a[0]].x() > flat[b[0]].x(); });
  for (const Loop& hole : holes) {
    stop.check();
    const std::size_t at = visible_corner(flat, polygon, flat[hole[0]]) % polygon.size();
    Loop joined(polygon.begin(), polygon.begin() + at + 1);
    joined.insert(joined.end(), hole.begin(), hole.end());
    joined.push_back(hole[0]);
    joined.insert(joined.end(), polygon.begin() + at, polygon.end());
    polygon = std::move(joined);
  }
  return polygon;
}

}  // namespace

OutlineCap cap_outlines(std::span<const Vec3f> points, std::span<const DirectedEdge> edges,
                        const Vec3d& normal, CancelView stop) {
  OutlineCap cap;
  const std::vector<DirectedEdge> left = without_opposites(edges);
  std::vector<Loop> loops = chain(left, cap.open_outlines);
  const Plane2 flat(points, normal);
  std::vector<double> areas;
  for (const Loop& loop : loops) areas.push_back(flat.area(loop));
  // A surface that is turned inside out has outlines that run the other way.
  const double total = std::accumulate(areas.begin(), areas.end(), 0.0);
  const bool inside_out = total < 0;
  std::vector<std::size_t> outer;
  std::vector<std::vector<Loop>> holes(loops.size());
  for (std::size_t i = 0; i < loops.size(); ++i) {
    if (inside_out) {
      std::reverse(loops[i].begin(), loops[i].end());
      areas[i] = -areas[i];
    }
    if (areas[i] >= 0) outer.push_back(i);
  }
  for (std::size_t i = 0; i < loops.size(); ++i) {
    if (areas[i] >= 0) continue;
    stop.check();
    std::size_t around = loops.size();
    for (const std::size_t o : outer) {
      if (around < loops.size() && areas[o] >= areas[around]) continue;
      if (areas[o] > -areas[i] && flat.contains(loops[o], flat[loops[i][0]])) around = o;
    }
    if (around < loops.size()) {
      holes[around].push_back(loops[i]);
    } else {
      outer.push_back(i);  // a hole in nothing: filled as it is, so that the surface closes
    }
  }
  TriangulationScratch scratch;
  std::vector<CornerTriangle> corners;
  for (const std::size_t o : outer) {
    stop.check();
    const Loop polygon = bridged(flat, loops[o], std::move(holes[o]), stop);
    corners.clear();
    triangulate(points, polygon, scratch, corners);
    for (const CornerTriangle& c : corners) {
      Triangle t = {polygon[c[0]], polygon[c[1]], polygon[c[2]]};
      if (inside_out) std::swap(t[1], t[2]);
      cap.triangles.push_back(t);
    }
  }
  return cap;
}

}  // namespace sinew::kernels
