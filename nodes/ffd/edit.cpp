// Points of a lattice moved by hand.
#include "nodes/node.h"

namespace sinew {
namespace {

enum class Measure { metres, edges };

In<Lattice> lattice;
In<LatticeMoves> moves;
In<Measure> measure;
In<float> amount;
Out<Lattice> out;

void declare(Declaration& d) {
  d.id("ffd.edit", 1).label("Move Lattice Points").category("FFD");
  d.doc("Moves points of a lattice, one by one or in whole rows and layers.");
  d.in(lattice, "lattice").doc("Whose points are moved.");
  d.in(moves, "moves", LatticeMoves())
      .doc(
          "Which points and how far: [{\"at\": [i, j, k], \"by\": [x, y, z]}, ...]. Points are "
          "counted from 0, or from the end, where -1 is the last; null is all of them along that "
          "edge. A point that is named more than once goes all the ways.");
  d.in(measure, "measure", Measure::metres)
      .choices({"metres", "edges"})
      .doc(
          "Ways in metres along x, y, z; or in lengths of the lattice's edges and along them, so "
          "that they fit any body.");
  d.in(amount, "amount", 1.0f)
      .range(-100, 100)
      .doc("All ways times this; a chart makes it a motion.");
  d.out(out, "lattice").doc("The lattice with its points moved.");
}

struct Range {
  uint32_t begin = 0, end = 0;
};

// The points along one edge that a move means; nothing if the lattice has no such point.
std::optional<Range> range_of(const std::optional<int32_t>& at, uint32_t count) {
  if (!at) return Range{0, count};
  const int64_t i = *at < 0 ? int64_t{*at} + count : *at;
  if (i < 0 || i >= count) return std::nullopt;
  return Range{static_cast<uint32_t>(i), static_cast<uint32_t>(i) + 1};
}

void exec(Exec& e) {
  const Lattice& from = e.get(lattice);
  const LatticeRest& rest = *from.rest;
  const double part = e.get(amount);
  std::vector<Vec3f> points = from.positions;
  const std::vector<LatticeMove>& list = e.get(moves).list;
  for (std::size_t n = 0; n < list.size(); ++n) {
    std::optional<Range> range[3];
    for (std::size_t a = 0; a < 3; ++a) {
      range[a] = range_of(list[n].at[a], rest.counts[a]);
      if (range[a]) continue;
      return e.error("'moves': move {} is of point {} along edge {}, but the lattice has {} there",
                     n + 1, *list[n].at[a], a + 1, rest.counts[a]);
    }
    Vec3d by = part * list[n].by.cast<double>();
    if (e.get(measure) == Measure::edges) {
      by = by[0] * rest.box.edges[0] + by[1] * rest.box.edges[1] + by[2] * rest.box.edges[2];
    }
    const Vec3f way = by.cast<float>();
    for (uint32_t k = range[2]->begin; k < range[2]->end; ++k) {
      for (uint32_t j = range[1]->begin; j < range[1]->end; ++j) {
        for (uint32_t i = range[0]->begin; i < range[0]->end; ++i) {
          points[from.index(i, j, k)] += way;
        }
      }
    }
  }
  e.set(out, from.with_positions(std::move(points)));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(ffd_edit, declare, exec)
