// One way more in which a body may deform. [Faloutsos97, section 4.1]
#include "nodes/kernels/modes.h"

#include "nodes/kernels/lattice_edit.h"
#include "nodes/kernels/mode_library.h"
#include "nodes/node.h"

namespace sinew {
namespace {

using kernels::ModeKind;

enum class Axis : uint8_t { x, y, z };

In<Modes> modes;
In<Lattice> lattice;
In<ModeKind> kind;
In<Axis> axis, toward;
In<float> size;
In<LatticeMoves> moves;
In<std::string> name;
In<float> amplitude, frequency, damping;
In<bool> active;
Out<Modes> out;
Out<Lattice> now, shape;

void declare_shape(Declaration& d) {
  d.in(kind, "kind", ModeKind::bend)
      .choices({"bend", "shear", "squash", "stretch", "twist", "taper", "drawn"})
      .doc(
          "bend: ends one way, the middle the other. shear: layers slide. squash: shorter and "
          "thicker. stretch: longer. twist: turned about the axis. taper: thicker towards one end. "
          "drawn: as the lattice's points have moved, and as 'moves' says.");
  d.in(axis, "axis", Axis::y)
      .choices({"x", "y", "z"})
      .doc("Which edge of the lattice it is along: the first, the second, the third.");
  d.in(toward, "toward", Axis::x)
      .choices({"x", "y", "z"})
      .doc("Along which edge a bend or a shear goes; if that is its own, along the next.");
  d.in(size, "size", 0.5f)
      .range(-10, 10)
      .doc(
          "How far it goes at amplitude 1, in lengths of edges; of a twist, in right angles. What "
          "is drawn has the size that it was drawn with.");
  d.in(moves, "moves", LatticeMoves())
      .doc(
          "Of what is drawn, where points go at amplitude 1: [{\"at\": [i, j, k], \"by\": [x, y, "
          "z]}, ...], in lengths of the lattice's edges and along them. Points are counted from 0, "
          "or from the end, where -1 is the last; null is all of them along that edge. In "
          "the viewport points are dragged; Delete lets go of one.");
}

void declare(Declaration& d) {
  d.id("ffd.modes", 1).label("Deformation Mode").category("FFD");
  d.doc("Adds a way in which a body may deform: how far the points of a lattice go, and how much.");
  d.in(modes, "modes").optional().doc("What it is added to; without it, it is the first.");
  d.in(lattice, "lattice")
      .optional()
      .doc("Laid around the body, for the first mode; the others have it from 'modes'.");
  declare_shape(d);
  d.in(name, "name", std::string()).doc("What it is called; empty: after its kind and axis.");
  d.in(amplitude, "amplitude", 0.0f)
      .range(-10, 10)
      .doc("How much of it there is now, and where it rests when it swings; 1 is all.");
  d.in(frequency, "frequency", 0.0f)
      .range(0, 1000)
      .unit("Hz")
      .doc("How fast it swings when let go; 0: as fits the body.");
  d.in(damping, "damping", 0.1f)
      .range(0, 100)
      .doc("How soon it stops to swing; from 1 on it only creeps back.");
  d.in(active, "active", false).doc("A controller may drive it, as if it had a muscle.");
  d.out(out, "modes").doc("All of them, this one last.");
  d.out(now, "lattice").doc("The lattice as all modes of it, with how much there is of each, are.");
  d.out(shape, "shape").doc("The lattice with all of this mode, and no other: to see and draw it.");
  d.handle(HandleKind::anchors, "points").items(moves).anchors(shape);
}

// The set that the mode is added to, with its lattice last; says what is wrong if there is none.
std::optional<Modes> begin_set(Exec& e) {
  if (!e.has(modes) && !e.has(lattice)) {
    e.error("there is nothing to deform; link a lattice to 'lattice', or modes to 'modes'");
    return std::nullopt;
  }
  Modes set = e.has(modes) ? e.get(modes) : Modes();
  if (set.lattices.empty() && !e.has(lattice)) {
    e.error("'modes' is empty; link a lattice to 'lattice'");
    return std::nullopt;
  }
  if (set.lattices.empty()) {
    set.lattices.push_back({e.get(lattice).rest, {}});
  } else if (e.has(lattice)) {
    const auto &last = set.lattices.back().rest, &given = e.get(lattice).rest;
    if (last != given && !(*last == *given)) {
      e.error(
          "'lattice' is another one than that of 'modes'; unlink it, or make modes of it alone and "
          "join them to these with ffd.local");
      return std::nullopt;
    }
  }
  return set;
}

// Where the points are before they are drawn: where they rest, unless the lattice was moved.
const std::vector<Vec3f>& undrawn(const Exec& e, const LatticeRest& rest) {
  return e.has(lattice) ? e.get(lattice).positions : rest.points;
}

// delta of the mode; says what is wrong if there is none.
std::optional<std::vector<Vec3f>> make_delta(Exec& e, const LatticeRest& rest) {
  const auto a = static_cast<int>(e.get(axis)), b = static_cast<int>(e.get(toward));
  const ModeKind what = e.get(kind);
  std::vector<Vec3f> delta =
      kernels::mode_delta(rest, what, a, b, static_cast<double>(e.get(size)));
  const bool drawn = what == ModeKind::drawn;
  if (drawn) {
    const std::vector<Vec3f>& places = undrawn(e, rest);
    for (std::size_t n = 0; n < delta.size(); ++n) delta[n] = places[n] - rest.points[n];
    if (const auto wrong =
            kernels::add_moves(e.get(moves), rest, kernels::MoveMeasure::edges, 1, delta)) {
      e.error("'moves': {}", *wrong);
      return std::nullopt;
    }
  } else if (e.has(lattice) && !e.get(lattice).at_rest()) {
    e.warning("the lattice has points that are moved, which only a drawn mode takes up");
  }
  if (what == ModeKind::bend && rest.counts[static_cast<std::size_t>(a)] < 3) {
    e.error("a bend needs 3 points of the lattice along its axis, but there are 2");
    return std::nullopt;
  }
  return delta;
}

void exec(Exec& e) {
  std::optional<Modes> set = begin_set(e);
  if (!set) return;
  ModeLattice& last = set->lattices.back();
  DeformMode mode;
  mode.name = e.get(name);
  if (mode.name.empty()) {
    mode.name = kernels::default_mode_name(e.get(kind), static_cast<int>(e.get(axis)),
                                           static_cast<int>(e.get(toward)));
  }
  if (set->find(mode.name) >= 0) {
    return e.error("there is a mode '{}' already; give this one another 'name'", mode.name);
  }
  if (set->count() >= most_modes) {
    return e.error("there are {} modes, and no more are taken", most_modes);
  }
  std::optional<std::vector<Vec3f>> delta = make_delta(e, *last.rest);
  if (!delta) return;
  mode.delta = std::move(*delta);
  mode.amplitude = static_cast<double>(e.get(amplitude));
  mode.frequency = static_cast<double>(e.get(frequency));
  mode.damping = static_cast<double>(e.get(damping));
  mode.active = e.get(active);
  std::vector<Vec3f> places = last.rest->points;
  for (std::size_t n = 0; n < places.size(); ++n) places[n] += mode.delta[n];
  Lattice all(last.rest, std::move(places));
  if (e.get(kind) == ModeKind::drawn) {
    all.hand = kernels::hand_on(e.get(moves), *last.rest, kernels::MoveMeasure::edges, 1,
                                undrawn(e, *last.rest));
  }
  e.set(shape, std::move(all));
  last.modes.push_back(std::move(mode));
  e.set(now, kernels::lattice_now(last));
  e.set(out, std::move(*set));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(ffd_modes, declare, exec)
