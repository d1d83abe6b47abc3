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

// The rotations of M + hold |M| R_guess, searched from the guess; a bit for each that has not come
// to rest.
SINEW_INLINE uint16_t guided_polar(const Lanes (&moment)[9], const MlsStart& start, Lanes (&q)[4]) {
  Lanes size = all_lanes(1e-30f);
  for (int k = 0; k < 9; ++k) size += lane_abs(moment[k]);
  const Lanes per_size = 1.0f / size;
  Lanes a[9], r[9], omega[3];
  for (int k = 0; k < 9; ++k) a[k] = moment[k] * per_size + start.hold * start.turn[k];
  for (int k = 0; k < 4; ++k) q[k] = all_lanes(start.quaternion[k]);
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
  for (std::size_t b = 0; b < blocks; ++b) {
    Lanes m[9], turn[4];
    for (std::size_t k = 0; k < 9; ++k) m[k] = load_lanes(moments + lane_count * (9 * b + k));
    unsettled[b] = guided_polar(m, start, turn);
    for (std::size_t k = 0; k < 4; ++k) store_lanes(q + lane_count * (4 * b + k), turn[k]);
  }
}

// R d for a line of controls: M is m v^T, v along the line at rest. The guess, and then the
// smallest rotation from where that has v to where m has it. A bit where these are opposite.
SINEW_INLINE uint16_t turn_about_line(const Lanes (&moment)[9], const MlsStart& start,
                                      const Lanes3& d, Lanes3& turned) {
  const Lanes3 along = all3(start.along), guessed = apply(start.turn, d);
  const Lanes3 from = apply(start.turn, along), m = apply(moment, along);
  const Lanes size = larger(larger(lane_abs(m.x), lane_abs(m.y)), lane_abs(m.z));
  const LaneBits some = size > 1e-30f;
  const Lanes3 near_one = (1.0f / (some ? size : all_lanes(1))) * m;
  const Lanes length = lane_sqrt(some ? dot(near_one, near_one) : all_lanes(1));
  const Lanes3 to = (1.0f / length) * near_one;
  const Lanes cosine = some ? dot(from, to) : all_lanes(1);
  Lanes3 sine = cross(from, to);
  sine = {some ? sine.x : all_lanes(0), some ? sine.y : all_lanes(0), some ? sine.z : all_lanes(0)};
  const LaneBits told = cosine > -0.999f;
  const Lanes share = dot(sine, guessed) / (told ? 1.0f + cosine : all_lanes(1));
  turned = cosine * guessed + cross(sine, guessed) + share * sine;
  if (largest_lane(told ? all_lanes(0) : all_lanes(1)) == 0) return 0;
  return bits_of(~told);
}

void space(const MlsSpaceView& body, const MlsControl* controls, const MlsStart& start,
           const float* rest, std::size_t begin, std::size_t end, float* out, uint16_t* unsettled) {
  for (std::size_t tile = begin; tile < end; ++tile) {
    const float* row = body.weights + 4 * lane_count * body.control_count * tile;
    const Lanes3 none = {all_lanes(0), all_lanes(0), all_lanes(0)};
    Lanes3 shift = none, mx = none, my = none, mz = none;
    for (std::size_t i = 0; i < body.control_count; ++i, row += 4 * lane_count) {
      const Lanes w = load_lanes(row);
      const Lanes3 p = load3(row + lane_count);
      const MlsControl& c = controls[i];
      shift = shift + Lanes3{w * c.shift[0], w * c.shift[1], w * c.shift[2]};
      mx = mx + Lanes3{p.x * c.place[0], p.y * c.place[0], p.z * c.place[0]};
      my = my + Lanes3{p.x * c.place[1], p.y * c.place[1], p.z * c.place[1]};
      mz = mz + Lanes3{p.x * c.place[2], p.y * c.place[2], p.z * c.place[2]};
    }
    const Lanes moment[9] = {mx.x, mx.y, mx.z, my.x, my.y, my.z, mz.x, mz.y, mz.z};
    const Lanes3 d = load3(body.offsets + 3 * lane_count * tile);
    Lanes3 turned;
    if (start.line) {
      unsettled[tile - begin] = turn_about_line(moment, start, d, turned);
    } else {
      Lanes q[4], r[9];
      unsettled[tile - begin] = guided_polar(moment, start, q);
      matrix_of(q, r);
      turned = apply(r, d);
    }
    store3(out + 3 * lane_count * (tile - begin),
           load3(rest + 3 * lane_count * tile) + ((turned - d) + shift));
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
