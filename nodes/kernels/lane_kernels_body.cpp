// Compiled once for each target, with SINEW_LANES_TARGET as the name of the namespace; see
// lane_kernels.h for why it includes so little.
#include "nodes/kernels/lane_kernels.h"
#include "nodes/kernels/rotation_lanes.h"

namespace sinew::kernels::SINEW_LANES_TARGET {

namespace {

// The ring is padded by so many entries. What a vertex needs is asked for two vertices earlier: the
// maps of a large body lie in the third level of the cache.
constexpr uint32_t fetch_ahead = 32;

void polar(const float* a, float* q, std::size_t blocks) {
  for (std::size_t block = 0; block < blocks; ++block, a += 9 * lane_count, q += 4 * lane_count) {
    Lanes matrix[9], rotation[4];
    for (int k = 0; k < 9; ++k) matrix[k] = load_lanes(a + 16 * k);
    for (int k = 0; k < 4; ++k) rotation[k] = load_lanes(q + 16 * k);
    polar_lanes(matrix, rotation);
    for (int k = 0; k < 4; ++k) store_lanes(q + 16 * k, rotation[k]);
  }
}

// sum over the ring of m~ d x0_i^T in columns 0 to 2, and of m~ d in column 3, where d = x_i - x_r:
// differences of neighbours keep their digits wherever the body is. c0 is taken off at the end,
// which costs as many digits as the body is wide in rings.
SINEW_INLINE Columns ring_moment(const RingView& rest, const float* x, std::size_t r) {
  const Quad here = load_quad(x + 4 * r);
  Columns sum = no_columns();
  for (uint32_t e = rest.first[r]; e < rest.first[r + 1]; ++e) {
    const uint32_t i = rest.ring[e];
    const Quad d = load_quad(x + 4 * i) - here;
    add_outer(sum, d, load_quad(rest.weighted + 4 * i));
  }
  return sum;
}

void match_regions(const RingView& rest, const float* x, const float* tensors, float* q,
                   float* maps, std::size_t begin, std::size_t end) {
  const std::size_t stride = rest.stride;
  Square rows{}, moments, places, maps_by_entry{};
  for (std::size_t r = begin; r < end; r += lane_count) {
    const std::size_t used = end - r < lane_count ? end - r : lane_count;
    for (std::size_t lane = 0; lane < used; ++lane) {
      store_columns(rows.at[lane], ring_moment(rest, x, r + lane));
    }
    transpose(rows, moments, 4);
    for (std::size_t lane = 0; lane < used; ++lane) {
      store_quad(rows.at[lane], load_quad(x + 4 * (r + lane)));
      store_quad(rows.at[lane] + 4, load_quad(rest.centre + 4 * (r + lane)));
    }
    transpose(rows, places, 2);
    Lanes t[6];
    for (int k = 0; k < 6; ++k) t[k] = load_lanes(tensors + k * stride + r);
    // The symmetric T by rows: xx xy zx / xy yy yz / zx yz zz.
    const Lanes full[9] = {t[0], t[3], t[5], t[3], t[1], t[4], t[5], t[4], t[2]};
    Lanes a[9], rotation[4], matrix[9];
    Lanes centre0[3];
    for (int k = 0; k < 3; ++k) centre0[k] = load_lanes(places.at[4 + k]);
    for (std::size_t j = 0; j < 3; ++j) {  // A = (sum m~ d (x0 - c0)^T) T
      const Lanes d = load_lanes(moments.at[12 + j]);
      const Lanes m0 = load_lanes(moments.at[j]) - d * centre0[0];
      const Lanes m1 = load_lanes(moments.at[4 + j]) - d * centre0[1];
      const Lanes m2 = load_lanes(moments.at[8 + j]) - d * centre0[2];
      for (std::size_t k = 0; k < 3; ++k) {
        a[3 * j + k] = m0 * full[k] + m1 * full[3 + k] + m2 * full[6 + k];
      }
    }
    for (int k = 0; k < 4; ++k) rotation[k] = load_lanes(q + k * stride + r);
    polar_lanes(a, rotation);
    for (int k = 0; k < 4; ++k) store_lanes(q + k * stride + r, rotation[k]);
    matrix_of(rotation, matrix);
    const Lanes per_mass = load_lanes(rest.per_mass + r);
    for (std::size_t j = 0; j < 3; ++j) {
      Lanes map[3];
      for (std::size_t k = 0; k < 3; ++k) {  // B = R T
        map[k] = matrix[3 * j] * full[k] + matrix[3 * j + 1] * full[3 + k] +
                 matrix[3 * j + 2] * full[6 + k];
        store_lanes(maps_by_entry.at[4 * k + j], map[k]);
      }
      const Lanes c = load_lanes(places.at[j]) + per_mass * load_lanes(moments.at[12 + j]);
      store_lanes(maps_by_entry.at[12 + j],  // b = c - B c0
                  c - (map[0] * centre0[0] + map[1] * centre0[1] + map[2] * centre0[2]));
    }
    transpose(maps_by_entry, rows, 4);
    for (std::size_t lane = 0; lane < used; ++lane) {
      store_columns(maps + 16 * (r + lane), load_columns(rows.at[lane]));
    }
  }
}

void match_vertices(const RingView& rest, const float* maps, const MatchMix& mix, const float* y1,
                    const float* y2, float* out, std::size_t begin, std::size_t end) {
  for (std::size_t v = begin; v < end; ++v) {
    Columns sum = load_columns(maps + 16 * v);
    for (uint32_t e = rest.first[v]; e < rest.first[v + 1]; ++e) {
      __builtin_prefetch(maps + 16 * rest.ring[e + fetch_ahead]);
      add_columns(sum, maps + 16 * rest.ring[e]);
    }
    const float share = 1.0f / static_cast<float>(rest.first[v + 1] - rest.first[v] + 1);
    Quad goal = apply_columns(sum, load_quad(rest.rest + 4 * v));
    goal *= share;
    if (mix.match != 1) {  // the parts sum to 1: as differences, what is far away stays in place
      const Quad last = load_quad(y1 + 4 * v);
      goal = last + mix.match * (goal - last) + mix.before * (load_quad(y2 + 4 * v) - last);
    }
    store_quad(out + 4 * v, goal);
  }
}

void damp_regions(const RingView& rest, const float* x, const float* v, float* motions,
                  std::size_t begin, std::size_t end) {
  const Quad one = {0, 0, 0, 1};
  Square rows{}, spreads, turns, places, motions_by_entry{};
  for (std::size_t r = begin; r < end; r += lane_count) {
    const std::size_t used = end - r < lane_count ? end - r : lane_count;
    Square turn_rows{};
    for (std::size_t lane = 0; lane < used; ++lane) {
      const std::size_t at = r + lane;
      const Quad x_here = load_quad(x + 4 * at), v_here = load_quad(v + 4 * at);
      Columns spread = no_columns(), turn = no_columns();
      for (uint32_t e = rest.first[at]; e < rest.first[at + 1]; ++e) {
        const uint32_t i = rest.ring[e];
        const Quad d = load_quad(x + 4 * i) - x_here;
        const Quad u = load_quad(v + 4 * i) - v_here;
        const Quad weighted = rest.weighted[4 * i + 3] * (d + one);  // (m~ d, m~)
        add_outer(spread, d, weighted);
        add_outer(turn, u, weighted);
      }
      store_columns(rows.at[lane], spread);
      store_columns(turn_rows.at[lane], turn);
    }
    transpose(rows, spreads, 4);
    transpose(turn_rows, turns, 4);
    for (std::size_t lane = 0; lane < used; ++lane) {
      store_quad(rows.at[lane], load_quad(x + 4 * (r + lane)));
      store_quad(rows.at[lane] + 4, load_quad(v + 4 * (r + lane)));
    }
    transpose(rows, places, 2);
    Lanes centre[3], mean[3];  // relative to vertex r: of the places, of the velocities
    const Lanes per_mass = load_lanes(rest.per_mass + r);
    for (std::size_t k = 0; k < 3; ++k) {
      centre[k] = per_mass * load_lanes(spreads.at[12 + k]);
      mean[k] = per_mass * load_lanes(turns.at[12 + k]);
    }
    const auto second = [&](std::size_t j, std::size_t k) {
      return per_mass * load_lanes(spreads.at[4 * k + j]) - centre[j] * centre[k];
    };
    const auto moment = [&](std::size_t j, std::size_t k) {  // mean of u_j d_k
      return per_mass * load_lanes(turns.at[4 * k + j]) - mean[j] * centre[k];
    };
    Lanes xx = second(0, 0), yy = second(1, 1), zz = second(2, 2);
    const Lanes trace = xx + yy + zz;
    const LaneBits extended = trace > 1e-35f;
    const Lanes per = 1.0f / (extended ? trace : all_lanes(1));
    const Lanes lx = (moment(2, 1) - moment(1, 2)) * per, ly = (moment(0, 2) - moment(2, 0)) * per,
                lz = (moment(1, 0) - moment(0, 1)) * per;
    // I = tr(K) - K of the unit trace, a little larger, so that a straight ring can be divided by.
    const Lanes all = all_lanes(1 + 1e-6f);
    const Lanes i00 = all - xx * per, i11 = all - yy * per, i22 = all - zz * per;
    const Lanes i01 = -second(0, 1) * per, i12 = -second(1, 2) * per, i02 = -second(0, 2) * per;
    const Lanes c00 = i11 * i22 - i12 * i12, c01 = i02 * i12 - i01 * i22;
    const Lanes c02 = i01 * i12 - i02 * i11, c11 = i00 * i22 - i02 * i02;
    const Lanes c12 = i01 * i02 - i00 * i12, c22 = i00 * i11 - i01 * i01;
    const Lanes det = i00 * c00 + i01 * c01 + i02 * c02;
    const LaneBits sound = extended & (det > 1e-7f);
    const Lanes per_det = 1.0f / (sound ? det : all_lanes(1));
    const Lanes zero = all_lanes(0);
    const Lanes omega[3] = {sound ? (c00 * lx + c01 * ly + c02 * lz) * per_det : zero,
                            sound ? (c01 * lx + c11 * ly + c12 * lz) * per_det : zero,
                            sound ? (c02 * lx + c12 * ly + c22 * lz) * per_det : zero};
    Lanes c[3], v_cm[3];
    for (std::size_t k = 0; k < 3; ++k) {
      c[k] = load_lanes(places.at[k]) + centre[k];
      v_cm[k] = load_lanes(places.at[4 + k]) + mean[k];
    }
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t m = (k + 1) % 3, n = (k + 2) % 3;
      store_lanes(motions_by_entry.at[k], omega[k]);
      store_lanes(motions_by_entry.at[4 + k], v_cm[k] - (omega[m] * c[n] - omega[n] * c[m]));
    }
    transpose(motions_by_entry, rows, 4);
    for (std::size_t lane = 0; lane < used; ++lane) {
      store_quad(motions + 8 * (r + lane), load_quad(rows.at[lane]));
      store_quad(motions + 8 * (r + lane) + 4, load_quad(rows.at[lane] + 4));
    }
  }
}

SINEW_INLINE Quad cross(Quad a, Quad b) {
  return __builtin_shufflevector(a, a, 1, 2, 0, 3) * __builtin_shufflevector(b, b, 2, 0, 1, 3) -
         __builtin_shufflevector(a, a, 2, 0, 1, 3) * __builtin_shufflevector(b, b, 1, 2, 0, 3);
}

void damp_vertices(const RingView& rest, const float* x, const float* motions, float amount,
                   float* v, std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end; ++i) {
    Quad turn = load_quad(motions + 8 * i), shift = load_quad(motions + 8 * i + 4);
    for (uint32_t e = rest.first[i]; e < rest.first[i + 1]; ++e) {
      turn += load_quad(motions + 8 * rest.ring[e]);
      shift += load_quad(motions + 8 * rest.ring[e] + 4);
    }
    const float share = 1.0f / static_cast<float>(rest.first[i + 1] - rest.first[i] + 1);
    const Quad p = load_quad(x + 4 * i);
    const Quad across = cross(turn, p);
    const Quad now = load_quad(v + 4 * i);
    store_quad(v + 4 * i, now + amount * (share * (shift + across) - now));
  }
}

// Floats are added over a few vertices only, then in double precision.
constexpr std::size_t vertices_per_sum = 32;

void rigid_sums(const float* mass, const float* x, const float* g, double* sums, std::size_t begin,
                std::size_t end) {
  const Quad one = {0, 0, 0, 1};
  float part[16];
  for (std::size_t from = begin; from < end; from += vertices_per_sum) {
    const std::size_t to = end - from < vertices_per_sum ? end : from + vertices_per_sum;
    Columns places = no_columns(), steps = no_columns();
    for (std::size_t i = from; i < to; ++i) {
      const Quad p = load_quad(x + 4 * i), d = load_quad(g + 4 * i) - p;
      const Quad weighted = mass[i] * (p + one);
      add_outer(places, p, weighted);
      add_outer(steps, d, weighted);
    }
    store_columns(part, places);
    for (int k = 0; k < 16; ++k) sums[k] += static_cast<double>(part[k]);
    store_columns(part, steps);
    for (int k = 0; k < 16; ++k) sums[16 + k] += static_cast<double>(part[k]);
  }
}

void take_rigid(const float* shift, const float* turn, const float* centre, const float* x,
                float* g, std::size_t begin, std::size_t end) {
  const Quad s = load_quad(shift), t = load_quad(turn), c = load_quad(centre);
  for (std::size_t i = begin; i < end; ++i) {
    const Quad back = s + cross(t, load_quad(x + 4 * i) - c);
    store_quad(g + 4 * i, load_quad(g + 4 * i) - back);
  }
}

void pull(const float* shift, const float* turn, const float* centre, const float* x,
          const float* g, float per_step, float* v, std::size_t begin, std::size_t end) {
  const Quad s = load_quad(shift), t = load_quad(turn), c = load_quad(centre);
  for (std::size_t i = begin; i < end; ++i) {
    const Quad p = load_quad(x + 4 * i);
    const Quad step = (load_quad(g + 4 * i) - p) - (s + cross(t, p - c));
    store_quad(v + 4 * i, load_quad(v + 4 * i) + per_step * step);
  }
}

void ring_centres(const RingView& rest, float* centre, std::size_t begin, std::size_t end) {
  for (std::size_t r = begin; r < end; ++r) {
    const Quad here = load_quad(rest.rest + 4 * r);
    Quad sum = {};
    for (uint32_t e = rest.first[r]; e < rest.first[r + 1]; ++e) {
      const uint32_t i = rest.ring[e];
      sum += rest.weighted[4 * i + 3] * (load_quad(rest.rest + 4 * i) - here);
    }
    store_quad(centre + 4 * r, here + rest.per_mass[r] * sum);
  }
}

}  // namespace

#define SINEW_TEXT_OF(x) #x
#define SINEW_TEXT(x) SINEW_TEXT_OF(x)
extern const LaneKernels kernels;
const LaneKernels kernels = {SINEW_TEXT(SINEW_LANES_TARGET),
                             polar,
                             match_regions,
                             match_vertices,
                             damp_regions,
                             damp_vertices,
                             rigid_sums,
                             take_rigid,
                             pull,
                             ring_centres};

}  // namespace sinew::kernels::SINEW_LANES_TARGET
