// Sixteen floats at once, for batched small-matrix algebra and for summing whole 4x4 blocks. The
// compiler turns each operation into whatever its target has: one AVX-512 instruction, two of AVX2,
// four of SSE; the bits are the same (no fused multiply-add anywhere).
//
// For lane_kernels_body.cpp alone, which is compiled once for each target. Nothing passes these
// types across a real call.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sinew::kernels {

inline constexpr std::size_t lane_count = 16;

using Lanes = float __attribute__((vector_size(64)));
using LaneBits = int32_t __attribute__((vector_size(64)));
using Quad = float __attribute__((vector_size(16)));

#define SINEW_INLINE inline __attribute__((always_inline))

SINEW_INLINE Lanes all_lanes(float x) {
  return Lanes{x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x};
}
SINEW_INLINE Lanes load_lanes(const float* p) {
  Lanes v;
  __builtin_memcpy(&v, p, sizeof v);
  return v;
}
SINEW_INLINE void store_lanes(float* p, Lanes v) { __builtin_memcpy(p, &v, sizeof v); }
SINEW_INLINE Quad load_quad(const float* p) {
  Quad v;
  __builtin_memcpy(&v, p, sizeof v);
  return v;
}
SINEW_INLINE void store_quad(float* p, Quad v) { __builtin_memcpy(p, &v, sizeof v); }

// d d d d: the same quad four times.
SINEW_INLINE Lanes repeat_quad(Quad d) {
  return __builtin_shufflevector(d, d, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3);
}
// xxxx yyyy zzzz wwww of a quad.
SINEW_INLINE Lanes spread_quad(Quad q) {
  return __builtin_shufflevector(q, q, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3);
}
// The outer product: entry 4 k + j is d[j] q[k].
SINEW_INLINE Lanes outer(Quad d, Quad q) { return repeat_quad(d) * spread_quad(q); }

SINEW_INLINE Lanes lane_sqrt(Lanes v) {
  float values[lane_count];
  store_lanes(values, v);
  for (std::size_t i = 0; i < lane_count; ++i) values[i] = __builtin_sqrtf(values[i]);
  return load_lanes(values);
}
SINEW_INLINE Lanes lane_abs(Lanes v) { return v < 0 ? -v : v; }
SINEW_INLINE Lanes larger(Lanes a, Lanes b) { return a > b ? a : b; }
SINEW_INLINE float largest_lane(Lanes v) {
  v = larger(v,
             __builtin_shufflevector(v, v, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7));
  v = larger(v,
             __builtin_shufflevector(v, v, 4, 5, 6, 7, 0, 1, 2, 3, 12, 13, 14, 15, 8, 9, 10, 11));
  v = larger(v,
             __builtin_shufflevector(v, v, 2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13));
  return v[0] > v[1] ? v[0] : v[1];
}

}  // namespace sinew::kernels
