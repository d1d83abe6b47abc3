// A body that deforms by a few nodes, as plain immutable data [Adams10, section 4]: where the nodes
// rest, and what each of them does at every place that somebody asks for: the vertices of the
// artist's mesh, the samples at which strain is measured, the places at which it touches others.
//
// A pose of it is one place y_i for each node, and a point x of the body is then at
//   f(x) = sum_i Phi_i(x) y_i,
// which is x + sum Phi_i u_i with u_i = y_i - x_i, since the shape functions reproduce linear
// functions. So moving all y_i rigidly moves the whole body rigidly.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "nodes/geometry/colliders.h"
#include "nodes/geometry/mesh.h"
#include "nodes/geometry/shape_rows.h"

namespace sinew {

namespace kernels {
class MeshlessSurface;
}

// How two nodes are coupled: the shortest way between them that stays within the material.
struct NodeLink {
  std::array<uint32_t, 2> nodes{0, 0};
  double length = 0;       // m
  std::vector<Vec3f> way;  // with both ends
};

struct MeshlessBody {
  Mesh rest;
  double size = 1;             // m, the longest side of its box
  double radius = 0;           // m, how far a node reaches through the material
  std::vector<Vec3d> nodes;    // where they rest, m
  std::vector<double> masses;  // of the nodes, parts of the whole

  ShapeRows at_vertices;
  // The same as whoever deforms the whole surface wants it; made with the rows.
  std::shared_ptr<const kernels::MeshlessSurface> surface;
  std::size_t surface_bytes = 0;

  // Where strain and volume are measured: the nodes, and places between them.
  std::vector<Vec3d> samples;
  std::vector<double> volumes;  // parts of the whole
  ShapeRows at_samples;

  // Vertices that stand for the surface where it meets something.
  std::vector<uint32_t> touching;
  ShapeRows at_touching;
  std::shared_ptr<const DistanceGrid> distances;  // from the surface at rest

  std::vector<NodeLink> links;

  std::size_t node_count() const { return nodes.size(); }
};

// As a value: several poses, keys and motions share one body.
struct Meshless {
  std::shared_ptr<const MeshlessBody> body;  // never null
};

// What a pose is: one place for each node, m.
using NodePlaces = std::vector<Vec3d>;

// Where one of the points of `rows` is.
inline Vec3d place_of(const ShapeRows& rows, std::size_t point, std::span<const Vec3d> places) {
  Vec3d sum(0, 0, 0);
  for (uint32_t k = rows.first[point]; k < rows.first[point + 1]; ++k) {
    sum += rows.value[k] * places[rows.node[k]];
  }
  return sum;
}

// The deformation gradient there.
inline Eigen::Matrix3d gradient_of(const ShapeRows& rows, std::size_t point,
                                   std::span<const Vec3d> places) {
  Eigen::Matrix3d f = Eigen::Matrix3d::Zero();
  for (uint32_t k = rows.first[point]; k < rows.first[point + 1]; ++k) {
    f += places[rows.node[k]] * rows.gradient[k].transpose();
  }
  return f;
}

std::size_t byte_size(const MeshlessBody& body);
inline std::size_t byte_size(const Meshless& meshless) { return byte_size(*meshless.body); }
// Which node or row is not a number, or nothing.
std::optional<std::string> validate(const Meshless& meshless);

}  // namespace sinew
