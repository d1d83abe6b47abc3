#include "nodes/kernels/tube.h"

#include <cmath>
#include <numbers>

namespace sinew::kernels {

namespace {

// Unit direction of the line at each point: from the point before to the one after.
std::vector<Vec3f> directions(std::span<const Vec3f> points) {
  const std::size_t n = points.size();
  std::vector<Vec3f> tangents(n, Vec3f::Zero());
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3f way = points[std::min(i + 1, n - 1)] - points[i == 0 ? 0 : i - 1];
    const float length = way.norm();
    if (length > 0) tangents[i] = way / length;
  }
  // Where points coincide there is no direction: the one before serves, or the first that exists.
  Vec3f last = -Vec3f::UnitY();
  for (const Vec3f& t : tangents) {
    if (!t.isZero(0)) {
      last = t;
      break;
    }
  }
  for (Vec3f& t : tangents) t.isZero(0) ? t = last : last = t;
  return tangents;
}

// v mirrored at the plane with the (not necessarily unit) normal n.
Vec3f reflect(const Vec3f& v, const Vec3f& n) {
  const float square = n.squaredNorm();
  if (square <= 1e-30f) return v;
  return v - (2 * n.dot(v) / square) * n;
}

// A unit vector across t, chosen by its smallest component so that it is far from parallel.
Vec3f any_across(const Vec3f& t) {
  int axis = 0;
  t.cwiseAbs().minCoeff(&axis);
  return t.cross(Vec3f::Unit(axis)).normalized();
}

Topology tube_topology(uint32_t rings, uint32_t segments) {
  Topology topology;
  const uint32_t start = rings * segments, end = start + 1;
  uint32_t polygon = 0;
  auto add = [&](uint32_t a, uint32_t b, uint32_t c) {
    topology.triangles.push_back({a, b, c});
    topology.polygon_of_triangle.push_back(polygon);
  };
  for (uint32_t i = 0; i + 1 < rings; ++i) {
    for (uint32_t k = 0; k < segments; ++k, ++polygon) {
      const uint32_t next = (k + 1) % segments;
      const uint32_t a = i * segments + k, b = i * segments + next;
      add(a, b, b + segments);
      add(a, b + segments, a + segments);
    }
  }
  for (uint32_t k = 0; k < segments; ++k, ++polygon) add(start, (k + 1) % segments, k);
  const uint32_t last = (rings - 1) * segments;
  for (uint32_t k = 0; k < segments; ++k, ++polygon) add(end, last + k, last + (k + 1) % segments);
  return topology;
}

}  // namespace

Mesh make_tube(std::span<const Vec3f> points, const TubeShape& shape) {
  if (points.size() < 2) return Mesh();
  const std::size_t rings = points.size(), segments = static_cast<std::size_t>(shape.segments);
  const std::vector<Vec3f> tangents = directions(points);
  std::vector<Vec3f> vertices;
  vertices.reserve(rings * segments + 2);
  Vec3f across = any_across(tangents[0]);
  for (std::size_t i = 0; i < rings; ++i) {
    if (i > 0) {
      const Vec3f step = points[i] - points[i - 1];
      const Vec3f reflected = reflect(tangents[i - 1], step);
      across = reflect(reflect(across, step), tangents[i] - reflected);
      // Rounding would let it drift out of the plane over many rings.
      across -= across.dot(tangents[i]) * tangents[i];
      const float length = across.norm();
      across = length > 1e-3f ? Vec3f(across / length) : any_across(tangents[i]);
    }
    const Vec3f other = tangents[i].cross(across);
    for (std::size_t k = 0; k < segments; ++k) {
      const double angle = 2 * std::numbers::pi * static_cast<double>(k) / shape.segments;
      const Vec3f spoke = static_cast<float>(std::cos(angle)) * across +
                          static_cast<float>(std::sin(angle)) * other;
      vertices.push_back(points[i] + shape.radius * spoke);
    }
  }
  vertices.push_back(points.front());
  vertices.push_back(points.back());
  return Mesh(tube_topology(static_cast<uint32_t>(rings), static_cast<uint32_t>(segments)),
              std::move(vertices));
}

}  // namespace sinew::kernels
