// Points of a lattice that are moved by hand: which ones, and how far. They belong to no lattice:
// a list fits every one that has such points.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "nodes/geometry/types.h"

namespace sinew {

struct LatticeMove {
  // [i, j, k]: counted from 0, or from the end: -1 is the last. Nothing: all along that edge.
  std::array<std::optional<int32_t>, 3> at;
  Vec3f by{0, 0, 0};

  bool operator==(const LatticeMove&) const = default;
};

struct LatticeMoves {
  std::vector<LatticeMove> list;  // all of them count: a point that is in several goes all the ways

  std::size_t size() const { return list.size(); }
  bool operator==(const LatticeMoves&) const = default;
};

// More would make a list that nobody wrote: as many as a lattice can have points.
inline constexpr std::size_t most_lattice_moves = 32 * 32 * 32;
inline constexpr float farthest_lattice_move = 1e9f;

// What is wrong, with the first bad move (counted from 1), or nothing: too many, a point that no
// lattice has, a way that is no number or too far.
std::optional<std::string> validate(const LatticeMoves& moves);

std::size_t byte_size(const LatticeMoves& moves);

}  // namespace sinew
