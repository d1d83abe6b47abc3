// Points of a lattice moved by hand.
#include "nodes/kernels/lattice_edit.h"
#include "nodes/node.h"

namespace sinew {
namespace {

In<Lattice> lattice;
In<LatticeMoves> moves;
In<kernels::MoveMeasure> measure;
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
          "edge. A point that is named more than once goes all the ways. In the viewport points "
          "are "
          "dragged; Delete lets go of one.");
  d.in(measure, "measure", kernels::MoveMeasure::metres)
      .choices({"metres", "edges"})
      .doc(
          "Ways in metres along x, y, z; or in lengths of the lattice's edges and along them, so "
          "that they fit any body.");
  d.in(amount, "amount", 1.0f)
      .range(-100, 100)
      .doc("All ways times this; a chart makes it a motion.");
  d.out(out, "lattice").doc("The lattice with its points moved.");
  d.handle(HandleKind::anchors, "points").items(moves).anchors(out);
}

void exec(Exec& e) {
  const Lattice& from = e.get(lattice);
  const auto part = static_cast<double>(e.get(amount));
  std::vector<Vec3f> points = from.positions;
  if (const auto wrong =
          kernels::add_moves(e.get(moves), *from.rest, e.get(measure), part, points)) {
    return e.error("'moves': {}", *wrong);
  }
  Lattice moved = from.with_positions(std::move(points));
  moved.hand = kernels::hand_on(e.get(moves), *from.rest, e.get(measure), part, from.positions);
  e.set(out, std::move(moved));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(ffd_edit, declare, exec)
