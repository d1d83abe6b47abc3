// Hangs points in a solid of tetrahedra: each in the tetrahedron that contains it, or, just
// outside, in the one that is nearest in space, by four barycentric weights that sum to 1.
//
// Where several are equally near (a point on a shared face, or outside and closest to a shared edge
// or corner) the one that extrapolates least is taken, the one whose smallest weight is largest,
// and of equals the first: the choice depends on nothing else. Everything is computed in double
// precision; weights are rounded to float once, at the end.
//
// Tetrahedra without volume have no weights: none is chosen as long as there is another. Inverted
// ones count like others. Queries are const and may run on any number of threads.
#pragma once

#include <Eigen/Geometry>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "nodes/geometry/tet_mesh.h"

namespace sinew::kernels {

struct SolidPoint {
  uint32_t tet = 0;
  std::array<double, 4> weights{1, 0, 0, 0};  // some are negative outside
  double distance2 = 0;                       // m^2, to the tetrahedron; 0 inside
};

// A tree of boxes over the tetrahedra.
class TetTree {
 public:
  // `solid` must be valid and have a tetrahedron, else std::invalid_argument; it is copied.
  explicit TetTree(const TetMesh& solid, CancelView stop = {});

  // A query that is not finite gets the first tetrahedron's first corner.
  SolidPoint find(const Vec3d& query) const;

  std::size_t bytes() const;

 private:
  struct Node {
    Eigen::AlignedBox3d box;
    uint32_t first = 0, count = 0;  // of tets_; count 0: an inner node
    uint32_t right = 0;             // the left child is the next node
  };
  struct Corners {
    std::array<Vec3d, 4> p;
    Eigen::Matrix3d to_weights;  // of corners 1, 2, 3, from the query less corner 0
    uint32_t tet;
    std::array<double, 4> weights(const Vec3d& query) const;
    double distance2(const Vec3d& query, const std::array<double, 4>& weights) const;
  };
  struct Middle {
    Vec3d sum;  // of the corners
    uint32_t at;
  };
  void build(uint32_t node, uint32_t first, uint32_t last, std::vector<Middle>& order,
             CancelView stop);
  double nearest_distance2(const Vec3d& query) const;

  std::vector<Corners> tets_;  // in the order of the leaves
  std::vector<Node> nodes_;
};

// One entry per point. `distance2`, if given, gets how far outside each point is, in m^2.
Embedding embed_points(const TetTree& tree, std::span<const Vec3f> points, CancelView stop = {},
                       std::vector<double>* distance2 = nullptr);
Embedding embed_points(const TetMesh& solid, std::span<const Vec3f> points, CancelView stop = {});

// The same solid, with `skin` as the surface that it carries.
TetMesh with_skin(const TetMesh& solid, const Mesh& skin, CancelView stop = {});

}  // namespace sinew::kernels
