// Meshless bodies: nodes spread over a shape, and what each of them does anywhere in it
// [Adams10, sections 4.1 and 4.2].
//
// Shape functions at x, from nodes x_i at the distances d_i through the material:
//   w_i = (1 - d_i^2 / r^2)^3 for d_i < r, else 0;
//   p_i = [1, (x_i - x) / r];  M = sum w_i p_i p_i^T;  alpha = M^-1 e_0;
//   Phi_i = w_i alpha . p_i                                                        (eqs. 2 and 3)
// with the origin at x and lengths in r, so that M is well scaled. With w_i,k = dw/dd (grad d_i)_k:
//   alpha_,k = M^-1 (e_k / r - M_,k alpha),  M_,k = sum w_i,k p_i p_i^T,
//   Phi_i,k = w_i,k alpha . p_i + w_i alpha_,k . p_i                               (eqs. 5 and 6)
// Whatever the weights are, sum Phi_i = 1, sum Phi_i x_i = x, sum grad Phi_i = 0 and
// sum x_i grad Phi_i^T = I.
//
// Distances are by fast marching through the inside (grid_distance.h): two legs that stand side by
// side do not feel each other's nodes.
//
// Nodes are put where the body is farthest from all nodes so far, first among the vertices and the
// grid points inside, until every place is covered: reached by four nodes at least that do not lie
// in a plane, and that the place does not lie far beside. With their weighted mean m and covariance
// C, that is
//   (x - m)^T C^-1 (x - m) < most_leverage,  and no eigenvalue of C below least_spread r^2.
// The first bounds what a shape function can be; a bound on C alone would ask limbs, whose nodes
// lie nearly in a row, for radii of half the body. Where a thin part would ask for much more than
// the rest, its points are given a larger r of their own, and where even that is not enough, as
// beside few nodes that lie nearly in a plane, more leverage: the four sums above hold all the
// same.
//
// Strain is measured at the nodes and at as many places between them, the next farthest: measured
// at the nodes alone, displacements that change sign from node to node would cost nothing.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "nodes/geometry/meshless_body.h"

namespace sinew::kernels {

struct NodeSampling {
  int count = 60;     // of nodes; 0: as many as the radius needs
  double radius = 0;  // m; 0: as small as the nodes allow, and a little more
  int cells = 0;      // of the grid along the longest side; 0: as many as the body needs
  uint64_t seed = 1;  // where the first node is
};

inline constexpr int most_nodes = 1000;
inline constexpr double least_spread = 1e-5, most_leverage = 8;
// Where no radius does: what a point may have before it is given up.
inline constexpr double last_leverage = 1e4;

enum class SamplingProblem : uint8_t {
  none,
  nothing_inside,  // an empty or open mesh, or one thinner than a cell
  parts,           // it falls apart
  too_few_nodes,   // some places are not covered
};

struct MeshlessSampling {
  SamplingProblem problem = SamplingProblem::none;
  MeshlessBody body;          // whole if there is no problem
  std::size_t parts = 1;      // of the inside
  double part_volume = 0;     // of all but the largest: a part of the whole
  int cells = 0;              // of the grid, along the longest side
  double cell = 0;            // m
  std::size_t pieces = 1;     // of the surface, if it falls apart or has no inside
  int joins = 0;              // the cells with which it would be in one part; 0: none found
  std::size_t needed = 0;     // too few nodes: about how many would do; 0: that is not known
  std::size_t stretched = 0;  // vertices with an r of their own
};

MeshlessSampling sample_meshless(const Mesh& mesh, const NodeSampling& sampling,
                                 CancelView stop = {});

// One node as a point of the body sees it.
struct NodeInReach {
  uint32_t node = 0;
  double distance = 0;      // through the material, m
  Vec3d gradient{0, 0, 0};  // of the distance
};

// Whether these nodes cover the point, with that radius.
bool covers(const Vec3d& point, std::span<const Vec3d> nodes, std::span<const NodeInReach> reach,
            double radius);

// Appends the row of a point to `rows`, in the order of `reach`, whose nodes increase. Widens the
// radius where they do not cover the point; false, and an empty row, where that does not help.
bool append_shape_row(const Vec3d& point, std::span<const Vec3d> nodes,
                      std::span<const NodeInReach> reach, double radius, ShapeRows& rows);

}  // namespace sinew::kernels
