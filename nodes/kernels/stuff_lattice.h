// The background of isosurface stuffing [Labelle07]: a body-centred cubic lattice of one size along
// the surface, and an octree of coarser cells inside.
//
// Lattice points are the corners and the middles of cubic cells, in whole numbers of half a finest
// cell: all even for corners of finest cells, all odd for their middles. Two equal cells that share
// a face give four tetrahedra around the line of their middles, one for each edge of the face. Each
// has two long edges (one cell; along an axis) and four short ones (sqrt(3)/2 of a cell).
//
// Cells are leaves of an octree in which leaves that share a face or an edge differ by at most a
// factor of 2. Against a finer neighbour a cell gives the eight tetrahedra over the halved quarters
// of its face, and the finer one two over its own; the diagonal of each quarter runs to the middle
// of the large face. An edge with a point in its middle halves the tetrahedra around it. A cell
// larger than the finest keeps so far from the surface that none of the points of such
// tetrahedra is ever moved.
//
// Inside is |winding number| > 1/2. Where a cell does not touch the surface all its points are on
// one side, so that one question answers for all.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "nodes/geometry/stop_check.h"
#include "nodes/geometry/tet_mesh.h"
#include "nodes/kernels/surface_tree.h"

namespace sinew::kernels {

// A sparse map from whole numbers to indices: open addressing, never iterated.
class IndexMap {
 public:
  static constexpr uint32_t none = 0xffffffffu;
  uint32_t find(uint64_t key) const;
  // The index of the key, which becomes `next` if it is new.
  uint32_t insert(uint64_t key, uint32_t next);
  std::size_t size() const { return used_; }

 private:
  void grow();
  std::vector<std::pair<uint64_t, uint32_t>> slots_;  // key + 1, so that 0 is free
  std::size_t used_ = 0;
  StopCheck check_;
};

struct LatticeOptions {
  double cell = 0.1;                 // metres; the finest
  int coarsening = 3;                // the largest cell is 2^coarsening finest ones
  std::size_t max_cells = 1u << 22;  // more: std::length_error
};

struct Lattice {
  Vec3d origin{0, 0, 0};
  double half = 0;  // metres; half a finest cell
  std::vector<std::array<int32_t, 3>> points;
  std::vector<char> inside;  // per point
  // Points of coarser cells and of what joins them to the finest: they must stay.
  std::vector<char> fixed;
  // Positive; corners 0 and 1 are joined by a long edge, and so are 2 and 3. All those of equal
  // finest cells that have a point inside.
  std::vector<Tetrahedron> uniform;
  // Positive, wholly inside.
  std::vector<Tetrahedron> graded;
  std::size_t cells = 0;
  // Of the cells that were asked, and 0.
  double lowest_winding = 0, highest_winding = 0;

  Vec3d position(uint32_t point) const {
    const auto& p = points[point];
    return origin + half * Vec3d(p[0], p[1], p[2]);
  }
};

// `tree` must not be empty. Symmetric about the middle of the surface's box.
Lattice build_lattice(const SurfaceTree& tree, const LatticeOptions& options, CancelView stop = {});

}  // namespace sinew::kernels
