#include "nodes/geometry/lattice_moves.h"

#include <fmt/format.h>

#include <cmath>

#include "nodes/geometry/lattice.h"

namespace sinew {

std::optional<std::string> validate(const LatticeMoves& moves) {
  if (moves.size() > most_lattice_moves) {
    return fmt::format("{} moves, but at most {} are allowed", moves.size(), most_lattice_moves);
  }
  constexpr auto most = static_cast<int32_t>(most_lattice_count);
  for (std::size_t n = 0; n < moves.size(); ++n) {
    const LatticeMove& move = moves.list[n];
    for (const std::optional<int32_t>& i : move.at) {
      if (!i || (*i >= -most && *i < most)) continue;
      return fmt::format("move {}: no lattice has a point {} (they go from {} to {})", n + 1, *i,
                         -most, most - 1);
    }
    for (int k = 0; k < 3; ++k) {
      if (std::abs(move.by[k]) <= farthest_lattice_move) continue;
      return fmt::format("move {}: its way must be within {}", n + 1, farthest_lattice_move);
    }
  }
  return std::nullopt;
}

std::size_t byte_size(const LatticeMoves& moves) {
  return sizeof moves + moves.size() * sizeof(LatticeMove);
}

}  // namespace sinew
