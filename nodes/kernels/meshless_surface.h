// A surface carried by the nodes of a meshless body [Adams10, section 4.3]:
//
//   x' = x + sum Phi_i(x) u_i                              eq. 1
//   n' ~ n + sum (grad Phi_i(x) . n) u_i                   eq. 9
//   n' ~ cof(F) n,  F = I + sum u_i grad Phi_i(x)^T        eq. 7 without its inverse
//
// u_i the displacement of node i, metres. The second is F n: right as long as the body turns but is
// not sheared, and as cheap as the first. The third is right for any F.
//
// The first two are bound by memory, 8 bytes a vertex and node. Vertices are put in an order of its
// own, in which those near each other are neighbours, by their strongest node first so that limbs
// that only pass each other stay apart; tiles of 16 share a list of nodes, with weights as floats
// and 0 where a vertex lacks a node. Of the displacements the mean is taken off, which acts as
// sum Phi times itself and is added in double precision: a translation is exact, and far away
// nothing is lost but the last rounding. Same bits on all targets and for any number of threads.
#pragma once

#include <span>
#include <vector>

#include "nodes/geometry/shape_rows.h"
#include "nodes/kernels/lane_memory.h"

namespace sinew::kernels {

struct MeshlessView;

class MeshlessSurface {
 public:
  MeshlessSurface() = default;
  // Vertices with their unit normals at rest, and what the nodes are to each of them. A row without
  // nodes: the vertex stays. Sums of Phi and of grad Phi that are 1 and 0 but for rounding are
  // taken for that. Throws std::invalid_argument with what is wrong of sizes or rows.
  MeshlessSurface(std::span<const Vec3f> rest, std::span<const Vec3f> normals,
                  const ShapeRows& rows, std::size_t node_count);

  std::size_t vertex_count() const { return vertex_count_; }
  std::size_t node_count() const { return node_count_; }
  std::size_t bytes() const;
  // The part of the weights in the tiles that were in rows.
  double fill() const;

  // One displacement for each node. Normals may be empty: not wanted; else they come out of unit
  // length, and as they are at rest where they would have none. Nothing moves, to the bit, where no
  // node does. Allocates nothing for up to 1024 nodes. May be called by several threads at once.
  void deform(std::span<const Vec3d> displacements, std::span<Vec3f> positions,
              std::span<Vec3f> normals) const;

  // For tests: what meshless_lanes.h takes.
  MeshlessView view() const;

 private:
  void fill_tiles(std::span<const Vec3f> rest, std::span<const Vec3f> normals,
                  const ShapeRows& rows);
  void keep_sums(std::span<const Vec3f> normals, const ShapeRows& rows);

  std::size_t vertex_count_ = 0, node_count_ = 0, row_entries_ = 0;
  std::vector<uint32_t> order_, first_, node_, sums_of_;
  LaneFloats values_, slopes_, rest_, normals_, sums_;
};

// The normals by eq. 7, in double precision: several times as slow as deform(). `rest`: the normals
// at rest, one for each row; where cof(F) n is 0 or not finite they stay.
void exact_normals(const ShapeRows& rows, std::span<const Vec3f> rest,
                   std::span<const Vec3d> displacements, std::span<Vec3f> normals);

}  // namespace sinew::kernels
