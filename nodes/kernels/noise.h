// Seeded gradient noise in three dimensions, as a sum of octaves.
//
// On the integer lattice a hash of (seed, i, j, k) picks one of the twelve directions to the
// middles of a cube's edges [Perlin02]; inside a cell the eight linear functions are blended with
// the fade 6 t^5 - 15 t^4 + 10 t^3, so the noise is twice continuously differentiable and 0 at the
// lattice points. One octave lies in [-1, 1] by construction, and so does the normalised sum
//   sum_o gain^o n(lacunarity^o x, seed + o) / sum_o gain^o.
#pragma once

#include <span>

#include "nodes/geometry/types.h"

namespace sinew::kernels {

struct NoiseOptions {
  uint32_t seed = 0;
  float scale = 1;        // size of a lattice cell of the first octave, metres, > 0
  Vec3f offset{0, 0, 0};  // added to the point, metres: animate it to let the noise flow
  int octaves = 1;        // 1 .. 16
  float lacunarity = 2;   // frequency ratio of octaves, > 0
  float gain = 0.5f;      // amplitude ratio of octaves, >= 0
};

// One value in [-1, 1] for each point: the same bits for any number of threads and any CPU.
void noise(std::span<const Vec3f> points, const NoiseOptions& options, std::span<float> out,
           CancelView cancel = {});

float noise_at(const Vec3f& point, const NoiseOptions& options);

}  // namespace sinew::kernels
