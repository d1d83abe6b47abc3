// The hot loops that are written in sixteen lanes (lanes.h), as plain functions over plain arrays.
//
// They are compiled once for each target (baseline, AVX2, AVX-512) and picked at run time, rather
// than cloned by the compiler as in dispatch.h: types of vectors are lowered before functions are
// cloned, so that clones would all have the baseline's instructions. Since inline functions of
// other headers would be compiled for the newer target too, and might then be linked into the rest
// of the program, lane_kernels_body.cpp includes nothing but these two headers.
//
// All arrays are padded to a multiple of 16 entries. Quads are four floats: x, y, z and one more.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sinew::kernels {

// The rest shape of a body as the loops see it: for vertex r the neighbours in its ring (without
// itself). Nothing is stored per neighbour but who it is: on large bodies memory is what counts.
struct RingView {
  const uint32_t* first = nullptr;  // count + 1
  const uint32_t* ring = nullptr;
  const float* rest = nullptr;      // quads x0 per vertex
  const float* centre = nullptr;    // quads c0 per region
  const float* weighted = nullptr;  // quads (m~ x0, m~) per vertex, m~ in any unit
  const float* per_mass = nullptr;  // 1 / M per region, in that unit
  std::size_t count = 0;
  std::size_t stride = 0;  // count, padded
};

// out = match * matched + last * y1 + before * y2; match + last + before = 1.
struct MatchMix {
  float match = 1, last = 0, before = 0;
};

struct LaneKernels {
  const char* name = "";
  // polar_rotations() of rotation.h: 9 and 4 arrays of 16 floats per block.
  void (*polar)(const float* a, float* q, std::size_t blocks) = nullptr;
  // First half of a shape matching pass for the regions [begin, end): the best rotation q of each
  // (four arrays of `stride`), warm started, and its map B = R T, b = c - B c0 as four quads.
  // `tensors`: six arrays of `stride` (xx yy zz xy yz zx). begin is a multiple of 16.
  void (*match_regions)(const RingView& rest, const float* x, const float* tensors, float* q,
                        float* maps, std::size_t begin, std::size_t end) = nullptr;
  // Second half, for the vertices [begin, end): the mean of the maps around each, at x0.
  void (*match_vertices)(const RingView& rest, const float* maps, const MatchMix& mix,
                         const float* y1, const float* y2, float* out, std::size_t begin,
                         std::size_t end) = nullptr;
  // The same two halves for damping: the rigid motion of each region (omega and v_cm - omega x c,
  // two quads), then v += amount * (mean of these at x - v).
  void (*damp_regions)(const RingView& rest, const float* x, const float* v, float* motions,
                       std::size_t begin, std::size_t end) = nullptr;
  void (*damp_vertices)(const RingView& rest, const float* x, const float* motions, float amount,
                        float* v, std::size_t begin, std::size_t end) = nullptr;
  // Adds what a rigid motion is fitted to, over the vertices [begin, end) and with d = g - x:
  // sums[4 k + j] of m x_j (x, 1)_k, then sums[16 + 4 k + j] of m d_j (x, 1)_k.
  void (*rigid_sums)(const float* mass, const float* x, const float* g, double* sums,
                     std::size_t begin, std::size_t end) = nullptr;
  // g -= shift + turn x (x - centre); quads.
  void (*take_rigid)(const float* shift, const float* turn, const float* centre, const float* x,
                     float* g, std::size_t begin, std::size_t end) = nullptr;
  // v += ((g - x) - (shift + turn x (x - centre))) * per_step: as above, without rounding g.
  void (*pull)(const float* shift, const float* turn, const float* centre, const float* x,
               const float* g, float per_step, float* v, std::size_t begin,
               std::size_t end) = nullptr;
  // For a rest shape of the moment: c0 of the regions [begin, end), quads, from the x0 of `rest`
  // and the m~ of its `weighted`.
  void (*ring_centres)(const RingView& rest, float* centre, std::size_t begin,
                       std::size_t end) = nullptr;
};

// The best that this machine has.
const LaneKernels& lane_kernels();
// All that this machine can run, the baseline first: their bits must agree.
std::size_t runnable_lane_kernels(const LaneKernels* (&list)[3]);

}  // namespace sinew::kernels
