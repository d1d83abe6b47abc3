#include "nodes/kernels/noise.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "nodes/geometry/parallel.h"
#include "nodes/kernels/dispatch.h"

namespace sinew::kernels {

namespace {

// Points are handled in groups of this many, as a structure of arrays, so that the loops below
// become vector instructions.
constexpr std::size_t group = 256;

// The largest value of one octave: the maximum over the cell of sum_c w_c max_g g . d_c, where each
// corner c has the best of the twelve directions; reached near (0.355, 0.481, 0.5).
constexpr float supremum = 1.0363539f;

// Beyond this a float has no fraction left; lattice coordinates stop here.
constexpr float farthest = 1073741824.0f;  // 2^30

inline uint32_t hash_lattice(uint32_t seed, uint32_t i, uint32_t j, uint32_t k) {
  uint32_t h = seed ^ (i * 0x8da6b343u) ^ (j * 0xd8163841u) ^ (k * 0xcb1ab31fu);
  h = (h ^ (h >> 16)) * 0x7feb352du;
  h = (h ^ (h >> 15)) * 0x846ca68bu;
  return h ^ (h >> 16);
}

// d . g for the direction that the hash picks: two of the coordinates, each with a sign. The axis
// that is left out is chosen by the high bits without bias: floor(3 h / 2^24).
inline float gradient(uint32_t h, float x, float y, float z) {
  const uint32_t left_out = ((h >> 8) * 3u) >> 24;
  const float u = left_out == 0 ? y : x;
  const float v = left_out == 2 ? y : z;
  // Signs by their bit: no branch, so that the loop stays a vector loop.
  return std::bit_cast<float>(std::bit_cast<uint32_t>(u) ^ (h << 31)) +
         std::bit_cast<float>(std::bit_cast<uint32_t>(v) ^ ((h << 30) & 0x80000000u));
}

inline float fade(float t) { return t * t * t * (t * (t * 6.0f - 15.0f) + 10.0f); }
inline float blend(float a, float b, float t) { return a + t * (b - a); }

inline float one_octave(float x, float y, float z, uint32_t seed) {
  x = std::min(std::max(x, -farthest), farthest);
  y = std::min(std::max(y, -farthest), farthest);
  z = std::min(std::max(z, -farthest), farthest);
  // floor() by truncation: the baseline CPU has no instruction for it.
  int32_t i = static_cast<int32_t>(x), j = static_cast<int32_t>(y), k = static_cast<int32_t>(z);
  i -= x < static_cast<float>(i);
  j -= y < static_cast<float>(j);
  k -= z < static_cast<float>(k);
  const float dx = x - static_cast<float>(i), dy = y - static_cast<float>(j),
              dz = z - static_cast<float>(k);
  const uint32_t i0 = static_cast<uint32_t>(i), j0 = static_cast<uint32_t>(j),
                 k0 = static_cast<uint32_t>(k);
  const float u = fade(dx), v = fade(dy), w = fade(dz);
  const auto corner = [&](uint32_t a, uint32_t b, uint32_t c) {
    return gradient(hash_lattice(seed, i0 + a, j0 + b, k0 + c), dx - static_cast<float>(a),
                    dy - static_cast<float>(b), dz - static_cast<float>(c));
  };
  return blend(blend(blend(corner(0, 0, 0), corner(1, 0, 0), u),
                     blend(corner(0, 1, 0), corner(1, 1, 0), u), v),
               blend(blend(corner(0, 0, 1), corner(1, 0, 1), u),
                     blend(corner(0, 1, 1), corner(1, 1, 1), u), v),
               w);
}

// sum[i] += amplitude * n(frequency * p_i)
SINEW_CLONES void add_octave(const float* __restrict x, const float* __restrict y,
                             const float* __restrict z, float* __restrict sum, std::size_t count,
                             float frequency, float amplitude, uint32_t seed) {
  for (std::size_t i = 0; i < count; ++i) {
    sum[i] += amplitude * one_octave(frequency * x[i], frequency * y[i], frequency * z[i], seed);
  }
}

void noise_group(const Vec3f* points, std::size_t count, const NoiseOptions& options, float* out) {
  std::array<float, group> x, y, z, sum;
  for (std::size_t i = 0; i < count; ++i) {
    x[i] = points[i][0] + options.offset[0];
    y[i] = points[i][1] + options.offset[1];
    z[i] = points[i][2] + options.offset[2];
    sum[i] = 0;
  }
  const int octaves = std::clamp(options.octaves, 1, 16);
  float frequency = 1 / std::max(options.scale, 1e-30f), amplitude = 1, total = 0;
  for (int o = 0; o < octaves; ++o) {
    // The odd factor keeps seeds s, octave o + 1 and s + 1, octave o apart.
    const uint32_t seed = (options.seed * 16u + static_cast<uint32_t>(o)) * 0x9e3779b1u;
    add_octave(x.data(), y.data(), z.data(), sum.data(), count, frequency, amplitude, seed);
    total += amplitude;
    amplitude *= options.gain;
    frequency = std::min(frequency * options.lacunarity, 1e30f);
    if (!(amplitude > 0)) break;
  }
  const float norm = 1 / (total * supremum);
  for (std::size_t i = 0; i < count; ++i) out[i] = std::clamp(sum[i] * norm, -1.0f, 1.0f);
}

}  // namespace

void noise(std::span<const Vec3f> points, const NoiseOptions& options, std::span<float> out,
           CancelView cancel) {
  parallel_blocks(points.size(), [&](std::size_t begin, std::size_t end) {
    if (cancel()) return;
    for (std::size_t i = begin; i < end; i += group) {
      noise_group(&points[i], std::min(group, end - i), options, &out[i]);
    }
  });
  cancel.check();
}

float noise_at(const Vec3f& point, const NoiseOptions& options) {
  float value;
  noise_group(&point, 1, options, &value);
  return value;
}

}  // namespace sinew::kernels
