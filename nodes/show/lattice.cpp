// Lattices: all lines and points as they are now, and over them the points that have moved.
#include <algorithm>

#include "nodes/kernels/modes.h"
#include "nodes/show/parts.h"

namespace sinew::showing {

namespace {

// Less than this part of the lattice's size is rounding, not a way.
constexpr float least_way = 1e-6f;

void add_lattice(const Shown& what, const Lattice& lattice, draw::DrawList& list) {
  const LatticeRest& rest = *lattice.rest;
  draw::Lattice item;
  item.source = what.source;
  item.counts = rest.counts;
  item.points = lattice.positions;
  draw::Points moved;
  moved.source = what.source;
  moved.size = 8;
  float size = 0;
  for (const Vec3d& edge : rest.box.edges) size = std::max(size, static_cast<float>(edge.norm()));
  for (std::size_t n = 0; n < lattice.point_count(); ++n) {
    if ((lattice.positions[n] - rest.points[n]).norm() > least_way * size) {
      moved.points.push_back(lattice.positions[n]);
    }
  }
  list.lattices.push_back(std::move(item));
  if (!moved.points.empty()) list.points.push_back(std::move(moved));
}

}  // namespace

void show_lattice(const Shown& what, draw::DrawList& list) {
  add_lattice(what, what.value.as<Lattice>(), list);
}

void show_modes(const Shown& what, draw::DrawList& list) {
  const Modes& modes = what.value.as<Modes>();
  for (const Lattice& lattice : kernels::lattices_now(modes, kernels::amplitudes_of(modes))) {
    add_lattice(what, lattice, list);
  }
}

}  // namespace sinew::showing
