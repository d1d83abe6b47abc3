// As many floats at once as the target's registers hold, for loops over vertices. For files that
// are compiled once for each target, with SINEW_LANES_TARGET as the name of the namespace; includes
// next to nothing, see lane_kernels.h. What happens to a vertex is the same sequence of operations
// on it, however many go side by side: all targets give the same bits.
#pragma once

#include <cstddef>
#include <cstdint>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#define SINEW_INLINE inline __attribute__((always_inline))

namespace sinew::kernels::SINEW_LANES_TARGET {

#if defined(__AVX512F__)
constexpr std::size_t width = 16;
#elif defined(__AVX2__)
constexpr std::size_t width = 8;
#else
constexpr std::size_t width = 4;
#endif
using Wide = float __attribute__((vector_size(4 * width)));
using WideBits = int32_t __attribute__((vector_size(4 * width)));

using Quad = float __attribute__((vector_size(16)));

struct Wide3 {
  Wide x, y, z;
};

SINEW_INLINE Wide load(const float* p) {
  Wide v;
  __builtin_memcpy(&v, p, sizeof v);
  return v;
}
SINEW_INLINE void store(float* p, Wide v) { __builtin_memcpy(p, &v, sizeof v); }
SINEW_INLINE Wide all(float x) { return x - Wide{}; }
SINEW_INLINE Wide3 load3(const float* p, std::size_t stride) {
  return {load(p), load(p + stride), load(p + 2 * stride)};
}

// Three vectors of x y z x y z ... to one each of x, y and z, and back.
#if defined(__AVX512F__)
SINEW_INLINE Wide pick3(Wide a, Wide b, Wide c, __m512i from_ab, __m512i with_c) {
  return _mm512_permutex2var_ps(_mm512_permutex2var_ps(a, from_ab, b), with_c, c);
}
SINEW_INLINE Wide3 load_points(const float* p) {
  const Wide a = load(p), b = load(p + 16), c = load(p + 32);
  return {pick3(a, b, c, _mm512_setr_epi32(0, 3, 6, 9, 12, 15, 18, 21, 24, 27, 30, 0, 0, 0, 0, 0),
                _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 17, 20, 23, 26, 29)),
          pick3(a, b, c, _mm512_setr_epi32(1, 4, 7, 10, 13, 16, 19, 22, 25, 28, 31, 0, 0, 0, 0, 0),
                _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 18, 21, 24, 27, 30)),
          pick3(a, b, c, _mm512_setr_epi32(2, 5, 8, 11, 14, 17, 20, 23, 26, 29, 0, 0, 0, 0, 0, 0),
                _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 19, 22, 25, 28, 31))};
}
SINEW_INLINE void store_points(float* p, const Wide3& v) {
  store(p,
        pick3(v.x, v.y, v.z, _mm512_setr_epi32(0, 16, 0, 1, 17, 0, 2, 18, 0, 3, 19, 0, 4, 20, 0, 5),
              _mm512_setr_epi32(0, 1, 16, 3, 4, 17, 6, 7, 18, 9, 10, 19, 12, 13, 20, 15)));
  store(p + 16, pick3(v.x, v.y, v.z,
                      _mm512_setr_epi32(21, 0, 6, 22, 0, 7, 23, 0, 8, 24, 0, 9, 25, 0, 10, 26),
                      _mm512_setr_epi32(0, 21, 2, 3, 22, 5, 6, 23, 8, 9, 24, 11, 12, 25, 14, 15)));
  store(p + 32, pick3(v.x, v.y, v.z,
                      _mm512_setr_epi32(0, 11, 27, 0, 12, 28, 0, 13, 29, 0, 14, 30, 0, 15, 31, 0),
                      _mm512_setr_epi32(26, 1, 2, 27, 4, 5, 28, 7, 8, 29, 10, 11, 30, 13, 14, 31)));
}
#else
// The same four entries of each quarter register of a and b.
#if defined(__AVX2__)
#define SINEW_MIX(a, b, i, j, k, l)                                                              \
  __builtin_shufflevector(a, b, (i) + ((i) / 4) * 4, (j) + ((j) / 4) * 4, (k) + ((k) / 4) * 4,   \
                          (l) + ((l) / 4) * 4, (i) + ((i) / 4) * 4 + 4, (j) + ((j) / 4) * 4 + 4, \
                          (k) + ((k) / 4) * 4 + 4, (l) + ((l) / 4) * 4 + 4)
#else
#define SINEW_MIX(a, b, i, j, k, l) __builtin_shufflevector(a, b, i, j, k, l)
#endif
// Quads at p and, where there is room for two, 12 floats on: the next four points.
SINEW_INLINE Wide load_quads(const float* p) {
#if defined(__AVX2__)
  return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(p)), _mm_loadu_ps(p + 12), 1);
#else
  return load(p);
#endif
}
SINEW_INLINE void store_quads(float* p, Wide v) {
#if defined(__AVX2__)
  _mm_storeu_ps(p, _mm256_castps256_ps128(v));
  _mm_storeu_ps(p + 12, _mm256_extractf128_ps(v, 1));
#else
  store(p, v);
#endif
}
SINEW_INLINE Wide3 load_points(const float* p) {
  // x0 y0 z0 x1 | y1 z1 x2 y2 | z2 x3 y3 z3
  const Wide a = load_quads(p), b = load_quads(p + 4), c = load_quads(p + 8);
  const Wide bc = SINEW_MIX(b, c, 2, 3, 5, 6);  // x2 y2 x3 y3
  const Wide ab = SINEW_MIX(a, b, 1, 2, 4, 5);  // y0 z0 y1 z1
  return {SINEW_MIX(a, bc, 0, 3, 4, 6), SINEW_MIX(ab, bc, 0, 2, 5, 7),
          SINEW_MIX(ab, c, 1, 3, 4, 7)};
}
SINEW_INLINE void store_points(float* p, const Wide3& v) {
  const Wide xy = SINEW_MIX(v.x, v.y, 0, 2, 4, 6);  // x0 x2 y0 y2
  const Wide yz = SINEW_MIX(v.y, v.z, 1, 3, 5, 7);  // y1 y3 z1 z3
  const Wide zx = SINEW_MIX(v.z, v.x, 0, 2, 5, 7);  // z0 z2 x1 x3
  store_quads(p, SINEW_MIX(xy, zx, 0, 2, 4, 6));
  store_quads(p + 4, SINEW_MIX(yz, xy, 0, 2, 5, 7));
  store_quads(p + 8, SINEW_MIX(zx, yz, 1, 3, 5, 7));
}
#endif

// A bit for each lane that holds.
SINEW_INLINE uint32_t bits_of(WideBits set) {
#if defined(__AVX512F__)
  const __m512i lanes = reinterpret_cast<__m512i>(set);
  return _mm512_test_epi32_mask(lanes, lanes);
#elif defined(__AVX2__)
  return static_cast<uint32_t>(_mm256_movemask_ps(reinterpret_cast<__m256>(set)));
#elif defined(__x86_64__)
  return static_cast<uint32_t>(_mm_movemask_ps(reinterpret_cast<__m128>(set)));
#else
  uint32_t bits = 0;
  for (std::size_t i = 0; i < width; ++i) bits |= (set[i] ? 1u : 0u) << i;
  return bits;
#endif
}

SINEW_INLINE Wide smaller(Wide a, Wide b) { return a < b ? a : b; }
SINEW_INLINE Wide larger(Wide a, Wide b) { return a > b ? a : b; }

SINEW_INLINE Wide3 operator+(const Wide3& a, const Wide3& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
SINEW_INLINE Wide3 operator*(const Wide3& a, Wide s) { return {a.x * s, a.y * s, a.z * s}; }

SINEW_INLINE Wide3 cross(const Wide3& a, const Wide3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
SINEW_INLINE Wide dot(const Wide3& a, const Wide3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

SINEW_INLINE Wide root(Wide v) {
#if defined(__AVX512F__)
  return _mm512_sqrt_ps(v);
#elif defined(__AVX2__)
  return _mm256_sqrt_ps(v);
#elif defined(__x86_64__)
  return _mm_sqrt_ps(v);
#else
  for (std::size_t i = 0; i < width; ++i) v[i] = __builtin_sqrtf(v[i]);
  return v;
#endif
}

SINEW_INLINE Wide size_of(Wide a) { return a < 0 ? -a : a; }

// Of unit length, whatever its own is; `otherwise` where it has none.
SINEW_INLINE Wide3 unit_or(const Wide3& v, const Wide3& otherwise) {
  const Wide most = larger(larger(size_of(v.x), size_of(v.y)), size_of(v.z));
  const WideBits some = most > 0;
  const Wide3 near_one = v * (1.0f / (some ? most : all(1)));
  const Wide square = dot(near_one, near_one);
  const Wide3 unit = near_one * (1.0f / root(some ? square : all(1)));
  return {some ? unit.x : otherwise.x, some ? unit.y : otherwise.y, some ? unit.z : otherwise.z};
}

SINEW_INLINE Wide row_at(const float* m, const Wide3& q) {
  return ((m[0] * q.x + m[1] * q.y) + m[2] * q.z) + m[3];
}
// m (q, 1), m of three rows of four.
SINEW_INLINE Wide3 apply(const float* m, const Wide3& q) {
  return {row_at(m, q), row_at(m + 4, q), row_at(m + 8, q)};
}
SINEW_INLINE Wide3 relative_to(const float* origin, const Wide3& r) {
  return {r.x - origin[0], r.y - origin[1], r.z - origin[2]};
}

}  // namespace sinew::kernels::SINEW_LANES_TARGET
