// Sixteen floats at once, for batched small-matrix algebra and for summing whole 4x4 blocks. The
// compiler turns each operation into whatever its target has: one AVX-512 instruction, two of AVX2,
// four of SSE; the bits are the same (no fused multiply-add anywhere).
//
// For lane_kernels_body.cpp alone, which is compiled once for each target. Nothing passes these
// types across a real call.
#pragma once

#include <cstddef>
#include <cstdint>

#if defined(__AVX512F__)
#include <immintrin.h>
#endif

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

// Four quads, the columns of a 4x4 matrix: what is summed over rings. With AVX-512 one register;
// else four, since the compiler goes from quads to wider types by way of memory.
struct Columns {
#if defined(__AVX512F__)
  __m512 all;
#else
  Quad at[4];
#endif
};

SINEW_INLINE Columns load_columns(const float* p) {
#if defined(__AVX512F__)
  return {_mm512_loadu_ps(p)};
#else
  return {{load_quad(p), load_quad(p + 4), load_quad(p + 8), load_quad(p + 12)}};
#endif
}
SINEW_INLINE void store_columns(float* p, const Columns& c) {
#if defined(__AVX512F__)
  _mm512_storeu_ps(p, c.all);
#else
  for (int k = 0; k < 4; ++k) store_quad(p + 4 * k, c.at[k]);
#endif
}
SINEW_INLINE Columns no_columns() {
#if defined(__AVX512F__)
  return {_mm512_setzero_ps()};
#else
  return {{Quad{}, Quad{}, Quad{}, Quad{}}};
#endif
}
SINEW_INLINE void add_columns(Columns& sum, const float* p) {
#if defined(__AVX512F__)
  sum.all = sum.all + _mm512_loadu_ps(p);
#else
  for (int k = 0; k < 4; ++k) sum.at[k] += load_quad(p + 4 * k);
#endif
}
// sum += d q^T: column k gets d q[k].
SINEW_INLINE void add_outer(Columns& sum, Quad d, Quad q) {
#if defined(__AVX512F__)
  const __m512i each = _mm512_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3);
  const __m512 spread = _mm512_permutexvar_ps(each, _mm512_castps128_ps512(q));
  sum.all = sum.all + _mm512_broadcast_f32x4(d) * spread;
#else
  sum.at[0] += d * __builtin_shufflevector(q, q, 0, 0, 0, 0);
  sum.at[1] += d * __builtin_shufflevector(q, q, 1, 1, 1, 1);
  sum.at[2] += d * __builtin_shufflevector(q, q, 2, 2, 2, 2);
  sum.at[3] += d * __builtin_shufflevector(q, q, 3, 3, 3, 3);
#endif
}
SINEW_INLINE Quad column(const Columns& c, int k) {
#if defined(__AVX512F__)
  switch (k) {
    case 0:
      return _mm512_castps512_ps128(c.all);
    case 1:
      return _mm512_extractf32x4_ps(c.all, 1);
    case 2:
      return _mm512_extractf32x4_ps(c.all, 2);
    default:
      return _mm512_extractf32x4_ps(c.all, 3);
  }
#else
  return c.at[k];
#endif
}
// M (x, 1), of the columns of M.
SINEW_INLINE Quad apply_columns(const Columns& m, Quad x) {
  const Quad a = column(m, 0) * __builtin_shufflevector(x, x, 0, 0, 0, 0);
  const Quad b = column(m, 1) * __builtin_shufflevector(x, x, 1, 1, 1, 1);
  const Quad c = column(m, 2) * __builtin_shufflevector(x, x, 2, 2, 2, 2);
  return (a + b) + (c + column(m, 3));
}

// Sixteen rows of sixteen floats, and the same by columns: entry k of all rows together.
struct alignas(64) Square {
  float at[lane_count][lane_count];
};
// to.at[k][lane] = from.at[lane][k], 4x4 by 4x4, for the first `quads` times four columns.
SINEW_INLINE void transpose(const Square& from, Square& to, int quads) {
  for (int k = 0; k < quads; ++k) {
    for (int group = 0; group < 4; ++group) {
      const Quad a = load_quad(from.at[4 * group] + 4 * k);
      const Quad b = load_quad(from.at[4 * group + 1] + 4 * k);
      const Quad c = load_quad(from.at[4 * group + 2] + 4 * k);
      const Quad d = load_quad(from.at[4 * group + 3] + 4 * k);
      const Quad ab = __builtin_shufflevector(a, b, 0, 4, 1, 5);
      const Quad ab2 = __builtin_shufflevector(a, b, 2, 6, 3, 7);
      const Quad cd = __builtin_shufflevector(c, d, 0, 4, 1, 5);
      const Quad cd2 = __builtin_shufflevector(c, d, 2, 6, 3, 7);
      store_quad(to.at[4 * k] + 4 * group, __builtin_shufflevector(ab, cd, 0, 1, 4, 5));
      store_quad(to.at[4 * k + 1] + 4 * group, __builtin_shufflevector(ab, cd, 2, 3, 6, 7));
      store_quad(to.at[4 * k + 2] + 4 * group, __builtin_shufflevector(ab2, cd2, 0, 1, 4, 5));
      store_quad(to.at[4 * k + 3] + 4 * group, __builtin_shufflevector(ab2, cd2, 2, 3, 6, 7));
    }
  }
}

SINEW_INLINE Lanes lane_sqrt(Lanes v) {
#if defined(__AVX512F__)
  return _mm512_sqrt_ps(v);
#else
  float values[lane_count];
  store_lanes(values, v);
  for (std::size_t i = 0; i < lane_count; ++i) values[i] = __builtin_sqrtf(values[i]);
  return load_lanes(values);
#endif
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
