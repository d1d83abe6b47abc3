// A lattice of control points around a part of space, for free-form deformation [Sederberg86]:
// whoever moves its points moves what is inside. As plain immutable data: points of its own, and a
// rest that it shares with every moved version of it.
//
// At rest its points fill a box with a corner X0 and three edges S, T, U, which need not be at
// right angles: L_ijk = X0 + a_i S + b_j T + c_k U. Along an axis with n points
//   bernstein   a_i = i / (n - 1): one polynomial of degree n - 1. Every point moves all of space.
//   bspline     a_i: the means of the knots inside of each point's support (Greville); degree
//               min(3, n - 1), knots even, and as often as the degree says at both ends. Every
//               point moves only what is near.
// With these places at rest both bases reproduce space itself, sum B_i(s) a_i = s, so that a
// lattice at rest deforms nothing, and one that is moved by an affine map deforms by that map.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "nodes/geometry/types.h"

namespace sinew {

enum class LatticeBasis : uint8_t { bernstein, bspline };

inline constexpr uint32_t least_lattice_count = 2, most_lattice_count = 32;
// Farther off than any scene reaches, metres.
inline constexpr double farthest_lattice_point = 1e12;
inline constexpr double shortest_lattice_edge = 1e-15;

struct LatticeBox {
  Vec3d corner{0, 0, 0};                                             // X0, metres
  std::array<Vec3d, 3> edges{Vec3d(1, 0, 0), {0, 1, 0}, {0, 0, 1}};  // S, T, U, metres

  bool operator==(const LatticeBox&) const = default;
};

struct LatticeRest {
  std::array<uint32_t, 3> counts{2, 2, 2};  // points along S, T, U
  LatticeBasis basis = LatticeBasis::bernstein;
  LatticeBox box;
  std::vector<Vec3f> points;  // L_ijk, i fastest; follows from the above

  LatticeRest() : LatticeRest({2, 2, 2}, LatticeBasis::bernstein, {}) {}
  // Counts must be within the limits above: else there are no points, and validate() says why.
  LatticeRest(std::array<uint32_t, 3> points_along, LatticeBasis with, const LatticeBox& around);

  bool operator==(const LatticeRest&) const = default;
};

// What a hand that drags a point would write: whoever has moved the points one by one says so.
struct LatticeHand {
  std::vector<Vec3f> origins;  // where each point is without the moves that name it alone
  std::array<Vec3f, 3> axes;   // how far it goes for 1 in each number of a move, metres
};

struct Lattice {
  std::shared_ptr<const LatticeRest> rest;  // never null; several lattices may share one
  std::vector<Vec3f> positions;             // where the points are now, in the order of the rest
  // Null: points cannot be dragged. Not what the lattice is, but where it comes from: lattices that
  // differ only in it are the same, and one that is moved further has none.
  std::shared_ptr<const LatticeHand> hand;

  Lattice();
  // At rest.
  explicit Lattice(LatticeRest at_rest);
  Lattice(std::shared_ptr<const LatticeRest> at_rest, std::vector<Vec3f> points);

  std::size_t point_count() const { return positions.size(); }
  std::size_t index(uint32_t i, uint32_t j, uint32_t k) const {
    return i + std::size_t{rest->counts[0]} * (j + std::size_t{rest->counts[1]} * k);
  }
  // Whether no point is elsewhere than at rest.
  bool at_rest() const { return positions == rest->points; }

  // The same rest with other positions, as many as there are points.
  Lattice with_positions(std::vector<Vec3f> points) const { return {rest, std::move(points)}; }

  bool operator==(const Lattice& other) const;
};

// The degree of the polynomials along an axis with `count` points.
int lattice_degree(LatticeBasis basis, uint32_t count);

// a_i: where along an edge, from 0 to 1, point i is at rest.
double rest_parameter(LatticeBasis basis, uint32_t count, uint32_t i);

// What is wrong, with the first bad point, or nothing: counts outside of the limits, a box without
// volume, as many points as the counts do not say, a point that is no number or too far away.
std::optional<std::string> validate(const Lattice& lattice);

// Memory held, for the cache's budget; the shared rest is counted in full.
std::size_t byte_size(const Lattice& lattice);

template <class Hash>
void visit_content(const LatticeRest& rest, Hash&& hash) {
  hash(bytes_of(std::array{uint64_t{rest.counts[0]}, uint64_t{rest.counts[1]},
                           uint64_t{rest.counts[2]}, static_cast<uint64_t>(rest.basis)}));
  hash(std::as_bytes(std::span(rest.box.corner.data(), 3)));
  for (const Vec3d& edge : rest.box.edges) hash(std::as_bytes(std::span(edge.data(), 3)));
}

// Calls hash(span of bytes) for all that the lattice consists of.
template <class Hash>
void visit_content(const Lattice& lattice, Hash&& hash) {
  visit_content(*lattice.rest, hash);
  hash(bytes_of(lattice.positions));
}

}  // namespace sinew
