// The field of influence of a vector offset operator, and what follows from it for each vertex once
// and for all [Hurmusiadis, sections 5.4.2, 5.5, 5.6, 7.2 and 8.3.4].
//
// With x, y, z the distances from a centre along v, w, u at rest, and the radii A, B, C:
//   polar    delta = sqrt((x/A)^2 + (y/B)^2 + (z/C)^2), with kappa C for C beyond the end
//   both     delta = min(delta_head, 1) min(delta_tip, 1)                               eq. 5.38
//   length   delta = sqrt((x/A)^2 + (y/B)^2) / sqrt(1 - (z/C)^2) about the middle of the pin,
//   outside
//            where |z| >= C                                                             eq. 5.43
//   damp     = 1 - gamma max(dampf(clamp(delta + lambda, 0, 1)), 0)^omega               eq. 5.46
//   viscous  = grad(delta), the drawn gradient of the viscous strain rate               eq. 7.2
//
// The thesis' eq. 5.34 mistakes the angles of an ellipsoid's parameters for those of a direction;
// the polar delta above is 1 on the ellipsoid of eq. 5.44, as it must be. Where a vertex is in one
// field of two only, the other counts as 1, so that delta is continuous.
//
// Active are the vertices with delta <= 1 (eq. 5.44), or all of them if the field says `as_edge`:
// then delta is 1 for those beyond. Where damp is not 0 at delta = 1 (gamma other than 1, or a
// chart that does not end at 1) `still` tears the body along the edge.
//
// Influences are kept in tiles of 16 vertices in a row, of which at least one is active; the
// entries of the others are 0. So the loops over vertices run in lanes, and read nothing of what is
// not touched.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "nodes/geometry/voo.h"

namespace sinew::kernels {

inline constexpr std::size_t voo_tile = 16;
// Vertices are worked on in pieces of so many, whatever the number of threads.
inline constexpr std::size_t voo_piece = 4096;

struct VooInfluence {
  std::size_t vertex_count = 0;
  std::size_t active_count = 0;
  std::vector<uint32_t> tiles;  // ids, increasing: tile k holds the vertices from 16 k on
  std::vector<uint16_t> mask;   // per tile, bit i: its vertex i is active
  std::vector<uint32_t> first;  // per piece, then one more: its first entry in `tiles`
  std::vector<uint8_t> whole;   // per piece: 1 if all of its vertices are active
  // 16 entries a tile, 0 where not active.
  std::vector<float> damp;
  std::vector<float> viscous;  // empty: 0 everywhere
  std::vector<float> falloff;  // (1 - delta)^2, at least 1e-12; only if it was asked for
  std::vector<float> share;    // of several that are blended; empty: 1 where active
  // How these change in space, per metre: 48 entries a tile, 16 each of x, y, z. Only if asked for.
  std::vector<float> damp_slope, viscous_slope, falloff_slope, share_slope;

  bool has_slopes() const { return !damp_slope.empty(); }
  bool operator==(const VooInfluence&) const = default;
};

struct VooInfluenceOptions {
  const ChartPieces* viscous = nullptr;  // over delta; none: not viscous
  bool falloff = false;                  // for blend_influences()
  bool slopes = false;                   // for normals and folds
};

// The influence of a sound VOO on points at rest. Takes time for each vertex, once; in parallel.
VooInfluence make_influence(const Voo& voo, std::span<const Vec3f> rest,
                            const VooInfluenceOptions& options = {}, CancelView stop = {});

// delta at one place; infinite where it is outside of a length field.
double delta_at(const Voo& voo, const Vec3d& place);
// damp of delta; values above 1 count as 1.
double damp_at(const Voo& voo, const ChartPieces& damping, double delta);

// Turns influences that were made side by side, with falloff and for the same vertices, into shares
// of one: with phi_j = blend_j (1 - delta_j)^2, the share of j at a vertex is
//   w_j = phi_j / sum of phi over all that hold the vertex,
// so that shares sum to 1 wherever any acts, are 1 where one acts alone, and fade to 0 at the edge
// of a field that overlaps another, without a crease. damp becomes w damp. `blend`: one weight >= 0
// each; where all are 0, they count as equal.
void blend_influences(std::span<VooInfluence> influences, std::span<const double> blend);

// Where operators that share an arthron overlap, each damping element becomes the product of theirs
// (section 8.3.4). Literal, and as abrupt as the thesis has it: at the edge of one field the other
// one's damping jumps. Blending is the smooth way. Slopes follow.
void multiply_influences(std::span<VooInfluence* const> sharing);

std::size_t byte_size(const VooInfluence& influence);

// The vertices that are active, in increasing order.
std::vector<uint32_t> active_vertices(const VooInfluence& influence);
// damp for each vertex of the body, 0 where not active: what the editor tints.
std::vector<float> damping_of_vertices(const VooInfluence& influence);

}  // namespace sinew::kernels
