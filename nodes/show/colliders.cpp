// Obstacles. Bodies shall be seen through most of them, so that they are veils; the ground is not.
#include <algorithm>
#include <array>
#include <cmath>

#include "nodes/kernels/collide.h"
#include "nodes/kernels/implicit_mesh.h"
#include "nodes/kernels/primitives.h"
#include "nodes/show/parts.h"

namespace sinew::showing {

Eigen::AlignedBox3f box_of(const draw::DrawList& list) {
  Eigen::AlignedBox3f box;
  for (const draw::Mesh& mesh : list.meshes)
    for (const Vec3f& p : mesh.positions) box.extend(p);
  return box;
}

namespace {

constexpr draw::Rgba veil{0.45f, 0.55f, 0.65f, 0.30f};
constexpr draw::Rgba ground{0.55f, 0.55f, 0.50f, 1};
constexpr float usual_plane = 2;      // m, half of its side
constexpr int cells_of_mesh = 40;     // along the longest side of the grid, at most
constexpr int rounded_segments = 10;  // of a box with round edges
constexpr float around_the_rest = 1;  // half of a plane's side, in diagonals of the rest
constexpr float thinnest = 1e-4f;     // of what has no thickness, in parts of its length

// A mesh in the obstacle's own coordinates, brought to its place. Obstacles of one shape share
// their triangles: `topology` names them.
void add_mesh(const Shown& what, std::size_t number, const Collider& obstacle, Mesh mesh,
              std::shared_ptr<const void> topology, const draw::Rgba& colour,
              draw::DrawList& list) {
  for (Vec3f& p : mesh.positions) p = obstacle.rotation * p + obstacle.position;
  const auto owner = std::make_shared<const Mesh>(std::move(mesh));
  draw::Mesh item;
  item.source = what.source;
  item.owner = owner;
  item.topology = std::move(topology);
  item.key = derived(content_key(what.key), number);
  item.positions = owner->positions;
  item.triangles = owner->triangles();
  item.polygon_of_triangle = owner->topology->polygon_of_triangle;
  item.colour = colour;
  item.casts = colour.a == 1;
  if (!item.triangles.empty()) list.meshes.push_back(std::move(item));
}

// A part of it, below what else is shown and as wide as that.
void add_plane(const Shown& what, const Collider& obstacle, const Eigen::AlignedBox3f& rest,
               draw::DrawList& list) {
  draw::Plane plane;
  plane.source = what.source;
  plane.centre = obstacle.position;
  float half = usual_plane;
  if (!rest.isEmpty()) {
    const Vec3f up = obstacle.rotation * Vec3f(0, 1, 0);
    plane.centre = rest.center() - up * up.dot(rest.center() - obstacle.position);
    half = around_the_rest * rest.diagonal().norm();
    if (!(half > 0) || !std::isfinite(half)) half = usual_plane;
  }
  plane.u = obstacle.rotation * Vec3f(half, 0, 0);
  plane.v = obstacle.rotation * Vec3f(0, 0, half);
  list.planes.push_back(std::move(plane));
}

void add_ball(const Shown& what, const Collider& obstacle, draw::DrawList& list) {
  if (!(obstacle.radius > 0)) {
    draw::Points point;
    point.source = what.source;
    point.points = {obstacle.position};
    return list.points.push_back(std::move(point));
  }
  draw::Ellipsoid ball;
  ball.source = what.source;
  ball.centre = obstacle.position;
  ball.axes = obstacle.rotation.toRotationMatrix() * obstacle.radius;
  ball.colour = veil;
  list.ellipsoids.push_back(std::move(ball));
}

// A box with round edges: each point of a box around it, drawn to the box inside.
Mesh rounded_box(const Collider& obstacle) {
  kernels::BoxShape shape;
  shape.size = 2 * (obstacle.half + Vec3f::Constant(obstacle.radius));
  if (!(shape.size.maxCoeff() > 0)) return {};
  shape.size = shape.size.cwiseMax(thinnest * shape.size.maxCoeff());
  if (obstacle.radius > 0) shape.segments.fill(rounded_segments);
  Mesh mesh = kernels::make_box(shape);
  if (obstacle.radius <= 0) return mesh;
  for (Vec3f& p : mesh.positions) {
    const Vec3f inside = p.cwiseMax(-obstacle.half).cwiseMin(obstacle.half);
    p = inside + obstacle.radius * (p - inside).normalized();
  }
  return mesh;
}

Mesh capsule(const Collider& obstacle) {
  kernels::CapsuleShape shape;
  shape.radius = std::max(obstacle.radius, thinnest * obstacle.half.y());
  shape.height = 2 * (obstacle.half.y() + shape.radius);
  return kernels::make_capsule(shape);
}

Mesh terrain(const HeightGrid& grid) {
  const auto [columns, rows] = grid.counts;
  std::vector<Vec3f> points;
  points.reserve(grid.heights.size());
  for (uint32_t z = 0; z < rows; ++z) {
    for (uint32_t x = 0; x < columns; ++x) {
      points.push_back({grid.origin.x() + static_cast<float>(x) * grid.spacing.x(),
                        grid.heights[std::size_t{z} * columns + x],
                        grid.origin.y() + static_cast<float>(z) * grid.spacing.y()});
    }
  }
  Topology topology;
  for (uint32_t z = 0; z + 1 < rows; ++z) {
    for (uint32_t x = 0; x + 1 < columns; ++x) {
      const uint32_t a = z * columns + x, b = a + 1, c = a + columns, d = c + 1;
      const uint32_t polygon = z * (columns - 1) + x;
      topology.triangles.insert(topology.triangles.end(), {{a, c, b}, {b, c, d}});
      topology.polygon_of_triangle.insert(topology.polygon_of_triangle.end(), {polygon, polygon});
    }
  }
  return Mesh(std::move(topology), std::move(points));
}

// What things really bump into: where the distances are 0.
Mesh zero_level(const Collider& obstacle) {
  Collider unmoved = obstacle;
  unmoved.position.setZero();
  unmoved.rotation.setIdentity();
  const DistanceGrid& grid = *obstacle.distances;
  Vec3d size;
  for (int k = 0; k < 3; ++k) size[k] = static_cast<double>(grid.spacing) * (grid.counts[k] - 1);
  kernels::ImplicitMeshOptions options;
  const Vec3d corner = grid.origin.cast<double>();
  options.box = Eigen::AlignedBox3d(corner, corner + size);
  options.cell = std::max<double>(grid.spacing, size.maxCoeff() / cells_of_mesh);
  const kernels::GridSurface found = kernels::find_on_grid(
      [&](const Vec3d& p) { return kernels::signed_distance(unmoved, p).distance; }, options);
  std::vector<Vec3f> points;
  points.reserve(found.positions.size());
  for (const Vec3d& p : found.positions) points.push_back(p.cast<float>());
  Topology topology;
  topology.triangles = found.triangles;
  return Mesh(std::move(topology), std::move(points));
}

void add_obstacle(const Shown& what, std::size_t number, const Collider& obstacle,
                  const Eigen::AlignedBox3f& rest, draw::DrawList& list) {
  // Triangles that are the same for all boxes, or for all capsules.
  static const std::shared_ptr<const void> sharp = std::make_shared<char>('b'),
                                           round = std::make_shared<char>('r'),
                                           long_round = std::make_shared<char>('c');
  switch (obstacle.shape) {
    case ColliderShape::plane:
      return add_plane(what, obstacle, rest, list);
    case ColliderShape::sphere:
      return add_ball(what, obstacle, list);
    case ColliderShape::box:
      return add_mesh(what, number, obstacle, rounded_box(obstacle),
                      obstacle.radius > 0 ? round : sharp, veil, list);
    case ColliderShape::capsule:
      if (!(obstacle.half.y() > thinnest * obstacle.radius)) return add_ball(what, obstacle, list);
      return add_mesh(what, number, obstacle, capsule(obstacle), long_round, veil, list);
    case ColliderShape::terrain:
      return add_mesh(what, number, obstacle, terrain(*obstacle.heights), obstacle.heights, ground,
                      list);
    case ColliderShape::mesh:
      return add_mesh(what, number, obstacle, zero_level(obstacle), obstacle.distances, veil, list);
  }
}

}  // namespace

void show_colliders(const Shown& what, draw::DrawList& list) {
  const std::vector<Collider>& obstacles = what.value.as<Colliders>().list;
  const bool plane = std::any_of(obstacles.begin(), obstacles.end(),
                                 [](const Collider& c) { return c.shape == ColliderShape::plane; });
  const Eigen::AlignedBox3f rest = plane ? box_of(list) : Eigen::AlignedBox3f();
  for (std::size_t i = 0; i < obstacles.size(); ++i)
    add_obstacle(what, i, obstacles[i], rest, list);
}

}  // namespace sinew::showing
