#include "nodes/kernels/lattice_edit.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <vector>

namespace sinew::kernels {

namespace {

struct Range {
  uint32_t begin = 0, end = 0;
};
using Block = std::array<Range, 3>;

// The points along one edge that a move means; nothing if the lattice has no such point.
std::optional<Range> range_of(const std::optional<int32_t>& at, uint32_t count) {
  if (!at) return Range{0, count};
  const int64_t i = *at < 0 ? int64_t{*at} + count : *at;
  if (i < 0 || i >= count) return std::nullopt;
  return Range{static_cast<uint32_t>(i), static_cast<uint32_t>(i) + 1};
}

template <class Visit>
void for_each_point(const LatticeRest& rest, const Block& block, const Visit& visit) {
  for (uint32_t k = block[2].begin; k < block[2].end; ++k) {
    for (uint32_t j = block[1].begin; j < block[1].end; ++j) {
      for (uint32_t i = block[0].begin; i < block[0].end; ++i) {
        visit(i + std::size_t{rest.counts[0]} * (j + std::size_t{rest.counts[1]} * k));
      }
    }
  }
}

Vec3f way_of(const Vec3f& way, const LatticeRest& rest, MoveMeasure measure, double amount) {
  const Vec3d by = amount * way.cast<double>();
  if (measure == MoveMeasure::metres) return by.cast<float>();
  const auto& edges = rest.box.edges;
  return (by[0] * edges[0] + by[1] * edges[1] + by[2] * edges[2]).cast<float>();
}

bool is_by_hand(const LatticeMove& move) {
  return std::all_of(move.at.begin(), move.at.end(),
                     [](const std::optional<int32_t>& i) { return i && *i >= 0; });
}

}  // namespace

std::optional<std::string> add_moves(const LatticeMoves& moves, const LatticeRest& rest,
                                     MoveMeasure measure, double amount, std::span<Vec3f> points) {
  std::vector<Block> blocks(moves.size());
  for (std::size_t n = 0; n < moves.size(); ++n) {
    for (std::size_t a = 0; a < 3; ++a) {
      const std::optional<Range> range = range_of(moves.list[n].at[a], rest.counts[a]);
      if (!range) {
        return fmt::format("move {} is of point {} along edge {}, but the lattice has {} there",
                           n + 1, *moves.list[n].at[a], a + 1, rest.counts[a]);
      }
      blocks[n][a] = *range;
    }
  }
  for (std::size_t n = 0; n < moves.size(); ++n) {
    const Vec3f way = way_of(moves.list[n].by, rest, measure, amount);
    for_each_point(rest, blocks[n], [&](std::size_t point) { points[point] += way; });
  }
  return std::nullopt;
}

std::shared_ptr<const LatticeHand> hand_on(const LatticeMoves& moves, const LatticeRest& rest,
                                           MoveMeasure measure, double amount,
                                           std::vector<Vec3f> points) {
  LatticeMoves others;
  std::copy_if(moves.list.begin(), moves.list.end(), std::back_inserter(others.list),
               [](const LatticeMove& move) { return !is_by_hand(move); });
  add_moves(others, rest, measure, amount, points);
  auto hand = std::make_shared<LatticeHand>();
  hand->origins = std::move(points);
  for (int a = 0; a < 3; ++a) {
    hand->axes[static_cast<std::size_t>(a)] = way_of(Vec3f::Unit(a), rest, measure, amount);
  }
  return hand;
}

void hold_side(const LatticeRest& rest, LatticeSide side, uint32_t rows, std::span<Vec3f> ways) {
  const Block whole = {Range{0, rest.counts[0]}, Range{0, rest.counts[1]},
                       Range{0, rest.counts[2]}};
  for (int s = 0; s < 6; ++s) {
    if (side != LatticeSide::all && static_cast<int>(side) != s + 1) continue;
    Block block = whole;
    Range& range = block[static_cast<std::size_t>(s / 2)];
    const uint32_t held = std::min(rows, range.end);
    (s % 2 == 0 ? range.end : range.begin) = s % 2 == 0 ? held : range.end - held;
    for_each_point(rest, block, [&](std::size_t point) { ways[point] = Vec3f(0, 0, 0); });
  }
}

}  // namespace sinew::kernels
