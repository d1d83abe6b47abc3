// Eight floats at once, for soft_contact_find.cpp alone. The compiler turns each operation into
// whatever the target has that it is inlined for; the bits are the same. Nothing passes these types
// across a real call, so that file is compiled without the warning about their calling convention.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "nodes/kernels/soft_contact_parts.h"

#define SINEW_INTO inline __attribute__((always_inline))

namespace sinew::kernels {

using Eight = float __attribute__((vector_size(32)));
using EightBits = int32_t __attribute__((vector_size(32)));
using Four = float __attribute__((vector_size(16)));
using FourBits = int32_t __attribute__((vector_size(16)));

SINEW_INTO Eight all_eight(float x) { return Eight{x, x, x, x, x, x, x, x}; }

SINEW_INTO Eight load_eight(const float* p) {
  Eight v;
  std::memcpy(&v, p, sizeof v);
  return v;
}

SINEW_INTO Four load_four(const float* p) {
  Four v;
  std::memcpy(&v, p, sizeof v);
  return v;
}

SINEW_INTO Eight root(Eight v) {
  for (std::size_t l = 0; l < 8; ++l) v[l] = __builtin_sqrtf(v[l]);
  return v;
}

SINEW_INTO float least_of(Eight v) {
  const Four a = __builtin_shufflevector(v, v, 0, 1, 2, 3);
  const Four b = __builtin_shufflevector(v, v, 4, 5, 6, 7);
  const Four four = a < b ? a : b;
  const Four other = __builtin_shufflevector(four, four, 2, 3, 0, 1);
  const Four two = four < other ? four : other;
  return two[0] < two[1] ? two[0] : two[1];
}

// Bit l is set where lane l is true.
SINEW_INTO uint32_t bits_of(EightBits truth) {
  const EightBits own = truth & EightBits{1, 2, 4, 8, 16, 32, 64, 128};
  FourBits sum =
      __builtin_shufflevector(own, own, 0, 1, 2, 3) | __builtin_shufflevector(own, own, 4, 5, 6, 7);
  sum |= __builtin_shufflevector(sum, sum, 2, 3, 0, 1);
  sum |= __builtin_shufflevector(sum, sum, 1, 0, 3, 2);
  return static_cast<uint32_t>(sum[0]);
}

SINEW_INTO std::size_t first_of(uint32_t bits) {
  return static_cast<std::size_t>(std::countr_zero(bits));
}

struct EightVectors {
  Eight x, y, z;
};

SINEW_INTO EightVectors operator-(const EightVectors& a, const EightVectors& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
SINEW_INTO Eight dot(const EightVectors& a, const EightVectors& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
SINEW_INTO EightVectors cross(const EightVectors& a, const EightVectors& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
SINEW_INTO EightVectors repeated(float x, float y, float z) {
  return {all_eight(x), all_eight(y), all_eight(z)};
}

struct FourVectors {
  Four x, y, z;
};
SINEW_INTO FourVectors gather_four(const uint32_t* vertices, const Padded* points) {
  const Four a = load_four(points[vertices[0]].data()), b = load_four(points[vertices[1]].data());
  const Four c = load_four(points[vertices[2]].data()), d = load_four(points[vertices[3]].data());
  const Four ab = __builtin_shufflevector(a, b, 0, 4, 1, 5);
  const Four cd = __builtin_shufflevector(c, d, 0, 4, 1, 5);
  const Four ab_z = __builtin_shufflevector(a, b, 2, 6, 3, 7);
  const Four cd_z = __builtin_shufflevector(c, d, 2, 6, 3, 7);
  return {__builtin_shufflevector(ab, cd, 0, 1, 4, 5), __builtin_shufflevector(ab, cd, 2, 3, 6, 7),
          __builtin_shufflevector(ab_z, cd_z, 0, 1, 4, 5)};
}
SINEW_INTO Eight joined(Four a, Four b) {
  return __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7);
}
SINEW_INTO EightVectors gather(const ContactTables::Group& vertices, const Padded* points) {
  const FourVectors a = gather_four(vertices.data(), points);
  const FourVectors b = gather_four(vertices.data() + 4, points);
  return {joined(a.x, b.x), joined(a.y, b.y), joined(a.z, b.z)};
}

// The same bounds in all lanes.
struct EightBounds {
  EightVectors low, high;
};
SINEW_INTO EightBounds bounds_of(const ContactBox& box) {
  return {repeated(box.low[0], box.low[1], box.low[2]),
          repeated(box.high[0], box.high[1], box.high[2])};
}

// Which of 8 boxes meet the bounds.
SINEW_INTO uint32_t meeting(const ContactBoxes& boxes, std::size_t first, const EightBounds& b) {
  const auto bound = [&](std::size_t k) { return load_eight(boxes[k] + first); };
  return bits_of((bound(0) <= b.high.x) & (bound(3) >= b.low.x) & (bound(1) <= b.high.y) &
                 (bound(4) >= b.low.y) & (bound(2) <= b.high.z) & (bound(5) >= b.low.z));
}

// Which of 8 places lie in the bounds.
SINEW_INTO uint32_t within(const EightVectors& p, const EightBounds& b) {
  return bits_of((p.x >= b.low.x) & (p.x <= b.high.x) & (p.y >= b.low.y) & (p.y <= b.high.y) &
                 (p.z >= b.low.z) & (p.z <= b.high.z));
}

}  // namespace sinew::kernels
