// Deformation by modes: the amplitudes say how far the points of the lattices are from their rest,
// and the lattices take bodies along, one after the other [Faloutsos97, sections 4.1 and 4.2].
//
//   P = x_G + sum B_i B_j B_k(s, t, u of x_G) sum over n of gamma_n delta^n_ijk   the last lattice
//   x_G = x + the same sum of a lattice around a part, for those x that are inside of it at rest
//
// Whether a point belongs to a part is a matter of where it rests: a hand that is waved out of its
// own box is still a hand. Where it is by then decides only how it moves, and beyond the box the
// lattice goes on straight (kernels/ffd.h). At gamma = 0 all is the identity to the bit; with one
// lattice what is added is linear in gamma. Same bits for any number of threads.
#pragma once

#include <span>
#include <vector>

#include "nodes/geometry/mesh.h"
#include "nodes/geometry/modes.h"
#include "nodes/kernels/ffd.h"

namespace sinew::kernels {

// gamma of all modes, in the order of Modes::all().
std::vector<double> amplitudes_of(const Modes& modes);

// sum of gamma_n delta^n for each point; `amplitudes` of the modes of this lattice.
std::vector<Vec3d> mode_offsets(const ModeLattice& lattice, std::span<const double> amplitudes);

// Which points are inside of each lattice, by their numbers, ascending; nothing where there is only
// one lattice. For a body that is deformed often: it follows from the rest alone.
struct ModeParts {
  std::vector<std::vector<uint32_t>> inside;

  ModeParts(const Modes& modes, std::span<const Vec3f> rest, CancelView stop = {});
};

// moved[i] = P of points[i], with sound modes, an amplitude for each, and at least one lattice;
// `moved` is as long as `points`, and may be the same memory. The settings are for the last
// lattice; the amount counts for all. Returns how many points rest outside of the last one.
std::size_t deform_by_modes(const Modes& modes, std::span<const double> amplitudes,
                            const ModeParts& parts, const FfdSettings& settings,
                            std::span<const Vec3f> points, std::span<Vec3f> moved,
                            CancelView stop = {});
std::size_t deform_by_modes(const Modes& modes, std::span<const double> amplitudes,
                            const FfdSettings& settings, std::span<const Vec3f> points,
                            std::span<Vec3f> moved, CancelView stop = {});

// A lattice with its points where its modes put them, each with the amplitude that it has.
Lattice lattice_now(const ModeLattice& lattice);

// Each lattice with its points where the amplitudes put them, and those that act after it take them
// along: as it is seen around the body.
std::vector<Lattice> lattices_now(const Modes& modes, std::span<const double> amplitudes);

// A lattice around a part moves its border, too, unless its outermost points rest; then what
// reaches out of it is torn. Of each lattice but the last: how many edges of the triangles cross
// its border where it moves by more than `torn_part` of its longest edge.
inline constexpr double torn_part = 0.01;
std::vector<std::size_t> torn_edges(const Modes& modes, std::span<const double> amplitudes,
                                    std::span<const Vec3f> rest,
                                    std::span<const Triangle> triangles, CancelView stop = {});

}  // namespace sinew::kernels
