// Compiled once for each target, with SINEW_LANES_TARGET as the name of the namespace; see
// lane_kernels.h for why it includes so little.
#include "nodes/kernels/mls_lanes.h"
#include "nodes/kernels/rotation_lanes.h"

namespace sinew::kernels::SINEW_LANES_TARGET {

namespace {

static_assert(mls_tile == lane_count);

struct Lanes3 {
  Lanes x, y, z;
};

SINEW_INLINE Lanes3 load3(const float* rows) {
  return {load_lanes(rows), load_lanes(rows + lane_count), load_lanes(rows + 2 * lane_count)};
}
SINEW_INLINE void store3(float* rows, const Lanes3& v) {
  store_lanes(rows, v.x);
  store_lanes(rows + lane_count, v.y);
  store_lanes(rows + 2 * lane_count, v.z);
}
SINEW_INLINE Lanes3 all3(const float* v) {
  return {all_lanes(v[0]), all_lanes(v[1]), all_lanes(v[2])};
}
SINEW_INLINE Lanes3 operator+(const Lanes3& a, const Lanes3& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
SINEW_INLINE Lanes3 operator-(const Lanes3& a, const Lanes3& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
SINEW_INLINE Lanes3 operator*(Lanes s, const Lanes3& v) { return {s * v.x, s * v.y, s * v.z}; }
SINEW_INLINE Lanes dot(const Lanes3& a, const Lanes3& b) {
  return (a.x * b.x + a.y * b.y) + a.z * b.z;
}
SINEW_INLINE Lanes3 cross(const Lanes3& a, const Lanes3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
// m v; m of nine lanes or of nine numbers, by rows.
template <class Entry>
SINEW_INLINE Lanes3 apply(const Entry* m, const Lanes3& v) {
  return {(m[0] * v.x + m[1] * v.y) + m[2] * v.z, (m[3] * v.x + m[4] * v.y) + m[5] * v.z,
          (m[6] * v.x + m[7] * v.y) + m[8] * v.z};
}

// A bit for each lane that holds.
SINEW_INLINE uint16_t bits_of(LaneBits set) {
  uint32_t bits = 0;
  for (std::size_t i = 0; i < lane_count; ++i) bits |= (set[i] ? 1u : 0u) << i;
  return static_cast<uint16_t>(bits);
}

// The rotations Q of M + hold |M| I, M in the frame of the guess, searched from the identity; a bit
// for each that has not come to rest.
SINEW_INLINE uint16_t guided_polar(const Lanes (&moment)[9], float hold, Lanes (&q)[4]) {
  Lanes size = all_lanes(1e-30f);
  for (int k = 0; k < 9; ++k) size += lane_abs(moment[k]);
  const Lanes per_size = 1.0f / size;
  Lanes a[9], r[9], omega[3];
  for (int k = 0; k < 9; ++k) a[k] = moment[k] * per_size + (k % 4 == 0 ? hold : 0.0f);
  for (int k = 0; k < 4; ++k) q[k] = all_lanes(k == 0 ? 1.0f : 0.0f);
  Lanes turn2 = all_lanes(0);
  for (int round = 0; round < most_rotation_rounds; ++round) {
    matrix_of(q, r);
    rotation_step(a, r, omega);
    turn2 = turn_lanes(omega, q);
    if (!(largest_lane(turn2) > 1e-6f)) break;
  }
  const LaneBits settled = turn2 <= 1e-6f;  // not so for NaN
  if (largest_lane(settled ? all_lanes(0) : all_lanes(1)) == 0) return 0;
  return bits_of(~settled);
}

void rotations(const float* moments, const MlsStart& start, float* q, uint16_t* unsettled,
               std::size_t blocks) {
  const float* const g = start.quaternion;
  for (std::size_t b = 0; b < blocks; ++b) {
    Lanes m[9], left[9], turn[4];
    for (std::size_t k = 0; k < 9; ++k) m[k] = load_lanes(moments + lane_count * (9 * b + k));
    for (int i = 0; i < 3; ++i) {  // R_guess^T M
      for (int k = 0; k < 3; ++k) {
        left[3 * i + k] =
            (start.turn[i] * m[k] + start.turn[3 + i] * m[3 + k]) + start.turn[6 + i] * m[6 + k];
      }
    }
    unsettled[b] = guided_polar(left, start.hold, turn);
    const Lanes product[4] = {g[0] * turn[0] - g[1] * turn[1] - g[2] * turn[2] - g[3] * turn[3],
                              g[0] * turn[1] + g[1] * turn[0] + g[2] * turn[3] - g[3] * turn[2],
                              g[0] * turn[2] + g[2] * turn[0] + g[3] * turn[1] - g[1] * turn[3],
                              g[0] * turn[3] + g[3] * turn[0] + g[1] * turn[2] - g[2] * turn[1]};
    for (std::size_t k = 0; k < 4; ++k) store_lanes(q + lane_count * (4 * b + k), product[k]);
  }
}

// Q d for a line of controls, in the frame of the guess. M is m v^T, v along the line at rest, with
// m = c v + e, c the trace of C; Q is the smallest rotation from v to m. A bit where these are
// opposite.
SINEW_INLINE uint16_t turn_about_line(Lanes c, const Lanes3& e, const MlsStart& start,
                                      const Lanes3& d, Lanes3& turned) {
  const Lanes3 along = all3(start.along), across = cross(along, e);
  const Lanes forward = c + dot(along, e);
  const Lanes length = lane_sqrt(forward * forward + dot(across, across));
  const LaneBits some = length > 1e-18f;
  const Lanes per = some ? 1.0f / (some ? length : all_lanes(1)) : all_lanes(0);
  const Lanes cosine = some ? forward / (some ? length : all_lanes(1)) : all_lanes(1);
  const Lanes3 sine = per * across;
  const LaneBits told = cosine > -0.999f;
  const Lanes share = dot(sine, d) / (told ? 1.0f + cosine : all_lanes(1));
  turned = (cosine * d + cross(sine, d)) + share * sine;
  if (largest_lane(told ? all_lanes(0) : all_lanes(1)) == 0) return 0;
  return bits_of(~told);
}

void space(const MlsSpaceView& body, const MlsControl* controls, const MlsStart& start,
           const float* rest, std::size_t begin, std::size_t end, float* out, uint16_t* unsettled) {
  for (std::size_t tile = begin; tile < end; ++tile) {
    const float* row = body.weights + 4 * lane_count * body.control_count * tile;
    const float* const spread = body.spreads + 6 * lane_count * tile;
    const Lanes none = all_lanes(0);
    Lanes3 mx = {none, none, none}, my = mx, mz = mx;
    Lanes3 shift = mx;
    for (std::size_t i = 0; i < body.control_count; ++i, row += 4 * lane_count) {
      const Lanes w = load_lanes(row);
      const Lanes3 p = load3(row + lane_count);
      const MlsControl& c = controls[i];
      shift = shift + Lanes3{w * c.shift[0], w * c.shift[1], w * c.shift[2]};
      mx = mx + Lanes3{p.x * c.left[0], p.y * c.left[0], p.z * c.left[0]};
      my = my + Lanes3{p.x * c.left[1], p.y * c.left[1], p.z * c.left[1]};
      mz = mz + Lanes3{p.x * c.left[2], p.y * c.left[2], p.z * c.left[2]};
    }
    const Lanes3 d = load3(body.offsets + 3 * lane_count * tile);
    const Lanes3 diagonal = load3(spread), across = load3(spread + 3 * lane_count);
    Lanes3 turned;
    if (start.line) {
      const Lanes moment[9] = {mx.x, mx.y, mx.z, my.x, my.y, my.z, mz.x, mz.y, mz.z};
      const Lanes trace = (diagonal.x + diagonal.y) + diagonal.z;
      unsettled[tile - begin] =
          turn_about_line(trace, apply(moment, all3(start.along)), start, d, turned);
    } else {
      const Lanes moment[9] = {diagonal.x + mx.x, across.x + mx.y,   across.z + mx.z,
                               across.x + my.x,   diagonal.y + my.y, across.y + my.z,
                               across.z + mz.x,   across.y + mz.y,   diagonal.z + mz.z};
      Lanes q[4], r[9];
      unsettled[tile - begin] = guided_polar(moment, start.hold, q);
      matrix_of(q, r);
      turned = apply(r, d);
    }
    store3(out + 3 * lane_count * (tile - begin),
           load3(rest + 3 * lane_count * tile) + ((apply(start.turn, turned) - d) + shift));
  }
}

void skin(const MlsSkinView& body, const MlsBone* bones, std::size_t begin, std::size_t end,
          float* out) {
  for (std::size_t tile = begin; tile < end; ++tile) {
    Lanes3 moved = {all_lanes(0), all_lanes(0), all_lanes(0)};
    for (uint32_t e = body.first[tile]; e < body.first[tile + 1]; ++e) {
      const MlsBone& bone = bones[body.bone[e]];
      const float* const rows = body.shares + 5 * lane_count * e;
      const Lanes share = load_lanes(rows), s = load_lanes(rows + lane_count);
      const Lanes3 d = load3(rows + 2 * lane_count), n = all3(bone.axis);
      // (1 - s) + s e^(i theta), of length 1.
      const Lanes real = 1.0f + s * (bone.cosine - 1.0f), imaginary = s * bone.sine;
      const Lanes size2 = larger(real * real + imaginary * imaginary, all_lanes(1e-12f));
      const Lanes per = 1.0f / lane_sqrt(size2);
      const Lanes cosine = real * per, sine = imaginary * per;
      const Lanes3 about = (cosine * d + sine * cross(n, d)) + ((1.0f - cosine) * dot(n, d)) * n;
      const Lanes3 way = all3(bone.shift) + s * all3(bone.stretch);
      moved = moved + share * ((apply(bone.turn, about) - d) + way);
    }
    store3(out + 3 * lane_count * (tile - begin), load3(body.rest + 3 * lane_count * tile) + moved);
  }
}

}  // namespace

extern const MlsLanes mls_kernels;
const MlsLanes mls_kernels = {
#if defined(__AVX512F__)
    "AVX-512",
#elif defined(__AVX2__)
    "AVX2",
#else
    "baseline",
#endif
    rotations, space, skin};

}  // namespace sinew::kernels::SINEW_LANES_TARGET
