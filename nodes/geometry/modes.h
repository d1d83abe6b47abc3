// Ways in which a body may deform: each a displacement of all points of a lattice, taken along by
// an amplitude [Faloutsos97, sections 4.1 to 4.3]. As plain immutable data.
//
//   y = x + sum over i, j, k of B_i(s) B_j(t) B_k(u) sum over n of gamma_n delta^n_ijk
//
// with (s, t, u) of x in the lattice at rest (geometry/lattice.h), delta^n the displacements of
// mode n at amplitude 1 (metres) and gamma_n its amplitude. Several lattices act one after the
// other: those around parts of a body first, the one around the whole last, each on what the ones
// before it made. A lattice that is not the last moves only what was inside of it at rest.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "nodes/geometry/lattice.h"

namespace sinew {

struct DeformMode {
  std::string name;          // "bend y"; no two of a body have the same
  std::vector<Vec3f> delta;  // of each point of its lattice, in its order; metres
  double amplitude = 0;      // gamma, where it rests; 1 is all of delta
  double frequency = 0;      // Hz, of the mode alone on the body; 0: as the body finds fit
  double damping = 0.1;      // parts of the critical damping
  bool active = false;       // a controller may drive it

  bool operator==(const DeformMode&) const = default;
};

struct ModeLattice {
  std::shared_ptr<const LatticeRest> rest;  // never null
  std::vector<DeformMode> modes;

  bool operator==(const ModeLattice& other) const;
};

struct Modes {
  std::vector<ModeLattice> lattices;  // in the order in which they act; the last is the global one

  std::size_t count() const;  // of all modes
  // All modes in the order of their lattices: their number there is their index everywhere.
  std::vector<const DeformMode*> all() const;
  // -1: there is none of that name.
  int find(const std::string& name) const;

  bool operator==(const Modes&) const = default;
};

inline constexpr std::size_t most_modes = 256, most_mode_lattices = 64;
inline constexpr double largest_amplitude = 100;

// What is wrong, with the first bad mode, or nothing: too many, a lattice that is unsound, a mode
// without a name or with that of another, as many displacements as there are not points, one that
// is no number, an amplitude, frequency or damping out of range.
std::optional<std::string> validate(const Modes& modes);

std::size_t byte_size(const Modes& modes);

}  // namespace sinew
