// The hot loops of free-form deformation, as plain functions over plain arrays: compiled once for
// each target and picked at run time, as those of voo_lanes.h are. All targets give the same bits.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sinew::kernels {

inline constexpr std::size_t most_ffd_points = 32;  // along an axis

struct FfdLattice {
  std::size_t counts[3] = {};  // points along each axis; of splines at least 4
  // Four for each point, i fastest: its place at rest minus where it is, and 0.
  const float* offsets = nullptr;

  float origin[3] = {};  // near the corner of the box
  float rows[12] = {};   // three rows of four: (s, t, u) = rows (x - origin, 1)

  float border = 0;     // what is so little outside is inside
  float reach = 0;      // parameters beyond are taken for this far out
  bool extend = false;  // else what is outside stays

  // Of splines: knot intervals along each axis, and the four weights that are not 0 in each of
  // them, as cubics in the way from its start, constants first: 16 floats. The first and the last
  // of the spans + 2 pieces are the tangents at the two ends, in s and in s - 1.
  std::size_t spans[3] = {};
  const float* pieces[3] = {};
};

struct FfdLanes {
  const char* name = "";
  // moved = points - sum of weights times offsets, x, y, z of each vertex in turn; may be the same
  // memory. They return how many vertices are outside.
  std::size_t (*bernstein)(const float* points, std::size_t count, const FfdLattice& lattice,
                           float* moved) = nullptr;
  std::size_t (*bspline)(const float* points, std::size_t count, const FfdLattice& lattice,
                         float* moved) = nullptr;
};

// The best that this machine has.
const FfdLanes& ffd_lanes();
// All that this machine can run, the baseline first.
std::size_t runnable_ffd_lanes(const FfdLanes* (&list)[3]);

}  // namespace sinew::kernels
