// Modes of a lattice around a part of a body, before those of the whole. [Faloutsos97, section 4.2]
#include "nodes/kernels/lattice_edit.h"
#include "nodes/node.h"

namespace sinew {
namespace {

using kernels::LatticeSide;

In<Modes> modes, local;
In<LatticeSide> fixed;
In<int> rows;
In<std::string> prefix;
Out<Modes> out;

void declare(Declaration& d) {
  d.id("ffd.local", 1).label("Local Lattice").category("FFD");
  d.doc(
      "Gives a part of a body modes of its own: its lattice moves what is inside of it at rest, "
      "and then the lattice of the whole takes all along.");
  d.in(modes, "modes").doc("Those of the whole body.");
  d.in(local, "local").doc("Those of a lattice that is laid around the part.");
  d.in(fixed, "fixed", LatticeSide::none)
      .choices({"none", "x_low", "x_high", "y_low", "y_high", "z_low", "z_high", "all"})
      .doc(
          "On which side of its lattice the part goes over into the rest of the body. Points there "
          "stay, so that nothing tears.");
  d.in(rows, "rows", 2)
      .range(0, 16)
      .doc("How many rows of points stay on that side: one keeps together, two keep smooth.");
  d.in(prefix, "prefix", std::string())
      .doc("Put before the names of the part's modes: \"tail \" makes \"tail bend y to x\".");
  d.out(out, "modes").doc("The modes of the part, and then those of the whole.");
}

bool is_nothing(const DeformMode& mode) {
  return std::all_of(mode.delta.begin(), mode.delta.end(),
                     [](const Vec3f& way) { return way.isZero(0); });
}

// Holds the side; says which mode that leaves with nothing.
bool hold(Exec& e, ModeLattice& lattice) {
  for (DeformMode& mode : lattice.modes) {
    if (is_nothing(mode)) continue;
    kernels::hold_side(*lattice.rest, e.get(fixed), static_cast<uint32_t>(e.get(rows)), mode.delta);
    if (!is_nothing(mode)) continue;
    e.error("with {} fixed rows nothing of mode '{}' is left; fix fewer 'rows', or lay more points",
            e.get(rows), mode.name);
    return false;
  }
  return true;
}

void exec(Exec& e) {
  Modes set = e.get(local);
  if (set.lattices.empty()) return e.error("'local' is empty: it has no lattice");
  if (e.get(modes).lattices.empty()) return e.error("'modes' is empty: it has no lattice");
  // Lattices that are nested in the part were joined, and held, before.
  if (!hold(e, set.lattices.back())) return;
  for (ModeLattice& lattice : set.lattices) {
    for (DeformMode& mode : lattice.modes) {
      mode.name = e.get(prefix) + mode.name;
      if (e.get(modes).find(mode.name) < 0) continue;
      return e.error("both have a mode '{}'; give those of the part another 'prefix'", mode.name);
    }
  }
  const std::vector<ModeLattice>& whole = e.get(modes).lattices;
  set.lattices.insert(set.lattices.end(), whole.begin(), whole.end());
  if (set.lattices.size() > most_mode_lattices || set.count() > most_modes) {
    return e.error("there are {} lattices and {} modes, but no more than {} and {} are taken",
                   set.lattices.size(), set.count(), most_mode_lattices, most_modes);
  }
  e.set(out, std::move(set));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(ffd_local, declare, exec)
