#include "nodes/kernels/surface_tree.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "nodes/geometry/stop_check.h"

namespace sinew::kernels {

namespace {

constexpr uint32_t leaf_size = 4;
constexpr double far_away = 2.3;  // in radii of a box
constexpr int max_depth = 64;

// Signed solid angle over 4 pi [VanOosterom83].
double winding_of(const Vec3d& q, const Vec3d& a, const Vec3d& b, const Vec3d& c) {
  const Vec3d x = a - q, y = b - q, z = c - q;
  const double lx = x.norm(), ly = y.norm(), lz = z.norm();
  const double volume = x.dot(y.cross(z));
  const double rest = lx * ly * lz + x.dot(y) * lz + y.dot(z) * lx + z.dot(x) * ly;
  if (volume == 0 && rest <= 0) return 0;  // on the triangle itself, or on one of its corners
  return std::atan2(volume, rest) / (2 * std::numbers::pi);
}

double box_distance2(const Eigen::AlignedBox3d& box, const Vec3d& p) {
  return box.squaredExteriorDistance(p);
}

// 1 / x, with +infinity for both zeros.
Vec3d inverse_of(const Vec3d& v) {
  return v.unaryExpr(
      [](double x) { return x == 0 ? std::numeric_limits<double>::infinity() : 1 / x; });
}

// Where a ray enters a box, or infinity.
double box_entry(const Eigen::AlignedBox3d& box, const Vec3d& origin, const Vec3d& inverse,
                 double until) {
  double low = 0, high = until;
  for (int k = 0; k < 3; ++k) {
    double t0 = (box.min()[k] - origin[k]) * inverse[k],
           t1 = (box.max()[k] - origin[k]) * inverse[k];
    if (t0 > t1) std::swap(t0, t1);
    // A ray within a side's plane gives 0 * infinity: such a side does not limit it.
    if (t0 > low) low = t0;
    if (t1 < high) high = t1;
  }
  return low <= high ? low : std::numeric_limits<double>::infinity();
}

// Whether the triangle and the box are apart along some axis: the box's three, the triangle's
// normal, or the nine across an edge of each [Akenine01].
bool apart(const Eigen::AlignedBox3d& box, const Vec3d& a, const Vec3d& b, const Vec3d& c) {
  const Vec3d centre = box.center(), half = box.sizes() / 2;
  const Vec3d p[3] = {a - centre, b - centre, c - centre};
  for (int k = 0; k < 3; ++k) {
    if (std::min({p[0][k], p[1][k], p[2][k]}) > half[k] ||
        std::max({p[0][k], p[1][k], p[2][k]}) < -half[k]) {
      return true;
    }
  }
  auto separates = [&](const Vec3d& axis) {
    const double reach = half.dot(axis.cwiseAbs());
    const double x = axis.dot(p[0]), y = axis.dot(p[1]), z = axis.dot(p[2]);
    return std::min({x, y, z}) > reach || std::max({x, y, z}) < -reach;
  };
  const Vec3d edges[3] = {p[1] - p[0], p[2] - p[1], p[0] - p[2]};
  if (separates(edges[0].cross(edges[1]))) return true;
  for (const Vec3d& e : edges) {
    if (separates({0, -e.z(), e.y()}) || separates({e.z(), 0, -e.x()}) ||
        separates({-e.y(), e.x(), 0})) {
      return true;
    }
  }
  return false;
}

// An endless ray may go on to infinity, but a box that it misses is not entered there.
bool misses(double entry, double limit) { return !(entry <= limit) || std::isinf(entry); }

}  // namespace

// By the regions of Voronoi [Ericson05, 5.1.5].
Vec3d closest_on_triangle(const Vec3d& p, const Vec3d& a, const Vec3d& b, const Vec3d& c) {
  const Vec3d ab = b - a, ac = c - a, ap = p - a;
  const double d1 = ab.dot(ap), d2 = ac.dot(ap);
  if (d1 <= 0 && d2 <= 0) return {1, 0, 0};
  const Vec3d bp = p - b;
  const double d3 = ab.dot(bp), d4 = ac.dot(bp);
  if (d3 >= 0 && d4 <= d3) return {0, 1, 0};
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) {
    const double t = d1 > d3 ? d1 / (d1 - d3) : 0;
    return {1 - t, t, 0};
  }
  const Vec3d cp = p - c;
  const double d5 = ab.dot(cp), d6 = ac.dot(cp);
  if (d6 >= 0 && d5 <= d6) return {0, 0, 1};
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) {
    const double t = d2 > d6 ? d2 / (d2 - d6) : 0;
    return {1 - t, 0, t};
  }
  const double va = d3 * d6 - d5 * d4;
  const double e = d4 - d3, f = d5 - d6;
  if (va <= 0 && e >= 0 && f >= 0) {
    const double t = e + f > 0 ? e / (e + f) : 0;
    return {0, 1 - t, t};
  }
  const double sum = va + vb + vc;
  if (!(sum > 0)) return {1, 0, 0};
  return {va / sum, vb / sum, vc / sum};
}

SurfaceTree::SurfaceTree(const Mesh& mesh, CancelView stop) {
  triangles_.reserve(mesh.triangle_count());
  StopCheck check;
  for (uint32_t t = 0; t < mesh.triangle_count(); ++t) {
    check();
    const Triangle& v = mesh.triangles()[t];
    triangles_.push_back({mesh.positions[v[0]].cast<double>(), mesh.positions[v[1]].cast<double>(),
                          mesh.positions[v[2]].cast<double>(), t});
    for (const Vec3d& p : {triangles_.back().a, triangles_.back().b, triangles_.back().c}) {
      box_.extend(p);
    }
  }
  if (triangles_.empty()) return;
  nodes_.reserve(2 * triangles_.size() / leaf_size + 16);
  nodes_.emplace_back();
  build(0, 0, static_cast<uint32_t>(triangles_.size()), stop);
}

void SurfaceTree::sum_up(Node& node, uint32_t first, uint32_t last) const {
  double area = 0;
  Vec3d weighted = Vec3d::Zero();
  StopCheck check;
  for (uint32_t i = first; i < last; ++i) {
    check();
    const Corners& t = triangles_[i];
    for (const Vec3d& p : {t.a, t.b, t.c}) node.box.extend(p);
    const double a = 0.5 * (t.b - t.a).cross(t.c - t.a).norm();
    area += a;
    weighted += a / 3 * (t.a + t.b + t.c);
  }
  node.middle = area > 0 ? Vec3d(weighted / area) : node.box.center();
  double radius2 = 0;
  for (uint32_t i = first; i < last; ++i) {
    check();
    const Corners& t = triangles_[i];
    for (const Vec3d& p : {t.a, t.b, t.c}) {
      radius2 = std::max(radius2, (p - node.middle).squaredNorm());
    }
    const Vec3d normal = 0.5 * (t.b - t.a).cross(t.c - t.a);
    node.dipole += normal;
    node.derivative += ((t.a + t.b + t.c) / 3 - node.middle) * normal.transpose();
  }
  node.radius = std::sqrt(radius2);
}

void SurfaceTree::build(uint32_t node, uint32_t first, uint32_t last, CancelView stop) {
  if (last - first > 4096) stop.check();
  sum_up(nodes_[node], first, last);
  if (last - first <= leaf_size) {
    nodes_[node].first = first;
    nodes_[node].count = last - first;
    return;
  }
  // Halves by the middles along the longest side: never deeper than the logarithm of the count.
  Eigen::AlignedBox3d middles;
  for (uint32_t i = first; i < last; ++i) {
    middles.extend(Vec3d((triangles_[i].a + triangles_[i].b + triangles_[i].c) / 3));
  }
  int axis = 0;
  middles.sizes().maxCoeff(&axis);
  const uint32_t half = first + (last - first) / 2;
  std::nth_element(triangles_.begin() + first, triangles_.begin() + half, triangles_.begin() + last,
                   [&](const Corners& s, const Corners& t) {
                     const double x = s.a[axis] + s.b[axis] + s.c[axis];
                     const double y = t.a[axis] + t.b[axis] + t.c[axis];
                     return x != y ? x < y : s.triangle < t.triangle;
                   });
  const uint32_t left = static_cast<uint32_t>(nodes_.size());
  nodes_.emplace_back();
  build(left, first, half, stop);
  const uint32_t right = static_cast<uint32_t>(nodes_.size());
  nodes_.emplace_back();
  build(right, half, last, stop);
  nodes_[node].right = right;
}

std::optional<SurfacePoint> SurfaceTree::closest(const Vec3d& query, double within) const {
  if (nodes_.empty() || !(within >= 0)) return std::nullopt;
  double best = within * within;
  const Corners* found = nullptr;
  SurfacePoint result;
  struct Entry {
    uint32_t node;
    double distance2;
  };
  Entry stack[max_depth];
  int top = 0;
  stack[top++] = {0, box_distance2(nodes_[0].box, query)};
  StopCheck check;  // in the middle of a ball everything is as near
  while (top > 0) {
    check();
    const Entry entry = stack[--top];
    if (entry.distance2 > best) continue;
    const Node& node = nodes_[entry.node];
    for (uint32_t i = node.first; i < node.first + node.count; ++i) {
      const Corners& t = triangles_[i];
      const Vec3d w = closest_on_triangle(query, t.a, t.b, t.c);
      const Vec3d point = w[0] * t.a + w[1] * t.b + w[2] * t.c;
      const double distance2 = (point - query).squaredNorm();
      // Equal distances go to the first triangle of the mesh, whatever the shape of the tree.
      if (distance2 < best || (distance2 == best && (!found || t.triangle < found->triangle))) {
        best = distance2;
        found = &t;
        result = {distance2, t.triangle, point, w};
      }
    }
    if (node.count > 0) continue;
    Entry near{entry.node + 1, box_distance2(nodes_[entry.node + 1].box, query)};
    Entry far{node.right, box_distance2(nodes_[node.right].box, query)};
    if (far.distance2 < near.distance2) std::swap(near, far);
    if (far.distance2 <= best) stack[top++] = far;
    if (near.distance2 <= best) stack[top++] = near;
  }
  if (!found) return std::nullopt;
  return result;
}

// [Moeller97]
std::optional<RayHit> SurfaceTree::hit_of(const Corners& t, const Vec3d& origin,
                                          const Vec3d& direction, double until) {
  const Vec3d ab = t.b - t.a, ac = t.c - t.a, p = direction.cross(ac);
  const double det = ab.dot(p);
  if (det == 0) return std::nullopt;
  const Vec3d s = origin - t.a, q = s.cross(ab);
  const double u = s.dot(p) / det, v = direction.dot(q) / det, x = ac.dot(q) / det;
  if (!(u >= 0 && v >= 0 && u + v <= 1 && x >= 0 && x <= until)) return std::nullopt;
  return RayHit{x, t.triangle, {1 - u - v, u, v}, det < 0};
}

std::optional<RayHit> SurfaceTree::first_hit(const Vec3d& origin, const Vec3d& direction,
                                             double until) const {
  if (nodes_.empty()) return std::nullopt;
  const Vec3d inverse = inverse_of(direction);
  std::optional<RayHit> best;
  double limit = until;
  uint32_t stack[max_depth];
  int top = 0;
  stack[top++] = 0;
  while (top > 0) {
    const uint32_t index = stack[--top];
    const Node& node = nodes_[index];
    if (misses(box_entry(node.box, origin, inverse, limit), limit)) continue;
    for (uint32_t i = node.first; i < node.first + node.count; ++i) {
      const std::optional<RayHit> hit = hit_of(triangles_[i], origin, direction, limit);
      if (!hit || (best && hit->t == best->t && hit->triangle > best->triangle)) continue;
      best = hit;
      limit = hit->t;
    }
    if (node.count > 0) continue;
    const uint32_t left = index + 1;
    const double l = box_entry(nodes_[left].box, origin, inverse, limit);
    const double r = box_entry(nodes_[node.right].box, origin, inverse, limit);
    stack[top++] = l <= r ? node.right : left;
    stack[top++] = l <= r ? left : node.right;
  }
  return best;
}

void SurfaceTree::all_hits(const Vec3d& origin, const Vec3d& direction, double until,
                           std::vector<RayHit>& hits) const {
  hits.clear();
  if (nodes_.empty()) return;
  const Vec3d inverse = inverse_of(direction);
  uint32_t stack[max_depth];
  int top = 0;
  stack[top++] = 0;
  while (top > 0) {
    const uint32_t index = stack[--top];
    const Node& node = nodes_[index];
    if (misses(box_entry(node.box, origin, inverse, until), until)) continue;
    for (uint32_t i = node.first; i < node.first + node.count; ++i) {
      if (const std::optional<RayHit> hit = hit_of(triangles_[i], origin, direction, until)) {
        hits.push_back(*hit);
      }
    }
    if (node.count > 0) continue;
    stack[top++] = node.right;
    stack[top++] = index + 1;
  }
  std::sort(hits.begin(), hits.end(), [](const RayHit& x, const RayHit& y) {
    return x.t != y.t ? x.t < y.t : x.triangle < y.triangle;
  });
}

bool SurfaceTree::touches(const Eigen::AlignedBox3d& box) const {
  if (nodes_.empty()) return false;
  uint32_t stack[max_depth];
  int top = 0;
  stack[top++] = 0;
  while (top > 0) {
    const uint32_t index = stack[--top];
    const Node& node = nodes_[index];
    if (!box.intersects(node.box)) continue;
    for (uint32_t i = node.first; i < node.first + node.count; ++i) {
      if (!apart(box, triangles_[i].a, triangles_[i].b, triangles_[i].c)) return true;
    }
    if (node.count > 0) continue;
    stack[top++] = node.right;
    stack[top++] = index + 1;
  }
  return false;
}

double SurfaceTree::winding_number(const Vec3d& query) const {
  if (nodes_.empty()) return 0;
  double sum = 0;
  uint32_t stack[max_depth];
  int top = 0;
  stack[top++] = 0;
  while (top > 0) {
    const uint32_t index = stack[--top];
    const Node& node = nodes_[index];
    const Vec3d r = node.middle - query;
    const double r2 = r.squaredNorm(), reach = far_away * node.radius;
    if (r2 > reach * reach) {
      const double r1 = std::sqrt(r2), r3 = r2 * r1;
      sum += (node.dipole.dot(r) + node.derivative.trace() - 3 * r.dot(node.derivative * r) / r2) /
             (4 * std::numbers::pi * r3);
    } else if (node.count > 0) {
      for (uint32_t i = node.first; i < node.first + node.count; ++i) {
        sum += winding_of(query, triangles_[i].a, triangles_[i].b, triangles_[i].c);
      }
    } else {
      stack[top++] = node.right;
      stack[top++] = index + 1;
    }
  }
  return sum;
}

double SurfaceTree::exact_winding_number(const Vec3d& query) const {
  double sum = 0;
  for (const Corners& t : triangles_) sum += winding_of(query, t.a, t.b, t.c);
  return sum;
}

double SurfaceTree::signed_distance(const Vec3d& query) const {
  const std::optional<SurfacePoint> found = closest(query);
  if (!found) return std::numeric_limits<double>::infinity();
  const double distance = std::sqrt(found->distance2);
  return inside(query) ? -distance : distance;
}

std::size_t SurfaceTree::bytes() const {
  return sizeof *this + triangles_.size() * sizeof(Corners) + nodes_.size() * sizeof(Node);
}

}  // namespace sinew::kernels
