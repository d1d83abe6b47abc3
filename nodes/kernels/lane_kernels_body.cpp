// Compiled once for each target, with SINEW_LANES_TARGET as the name of the namespace; see
// lane_kernels.h for why it includes so little.
#include "nodes/kernels/lane_kernels.h"
#include "nodes/kernels/rotation_lanes.h"

namespace sinew::kernels::SINEW_LANES_TARGET {

namespace {

void polar(const float* a, float* q, std::size_t blocks) {
  for (std::size_t block = 0; block < blocks; ++block, a += 9 * lane_count, q += 4 * lane_count) {
    Lanes matrix[9], rotation[4];
    for (int k = 0; k < 9; ++k) matrix[k] = load_lanes(a + 16 * k);
    for (int k = 0; k < 4; ++k) rotation[k] = load_lanes(q + 16 * k);
    polar_lanes(matrix, rotation);
    for (int k = 0; k < 4; ++k) store_lanes(q + 16 * k, rotation[k]);
  }
}

// Sixteen rows of sixteen become sixteen columns: entry k of all rows together.
struct alignas(64) Square {
  float at[lane_count][lane_count];

  SINEW_INLINE Lanes column(std::size_t k) const {
    Lanes v;
    for (std::size_t lane = 0; lane < lane_count; ++lane) v[lane] = at[lane][k];
    return v;
  }
  SINEW_INLINE void set_column(std::size_t k, Lanes v) {
    float values[lane_count];
    store_lanes(values, v);
    for (std::size_t lane = 0; lane < lane_count; ++lane) at[lane][k] = values[lane];
  }
};

// sum over the ring of w d (x0_i - c0)^T / s in columns 0 to 2, and of w d in column 3, where
// d = x_i - x_r: differences of neighbours keep their digits wherever the body is.
SINEW_INLINE Lanes ring_moment(const RingView& rest, const float* x, std::size_t r) {
  const Quad here = load_quad(x + 4 * r);
  Lanes sum = all_lanes(0);
  for (uint32_t e = rest.first[r]; e < rest.first[r + 1]; ++e) {
    const Quad d = load_quad(x + 4 * rest.ring[e]) - here;
    sum += outer(d, load_quad(rest.offset + 4 * e));
  }
  return sum;
}

void match_regions(const RingView& rest, const float* x, const float* tensors, float* q,
                   float* maps, std::size_t begin, std::size_t end) {
  const std::size_t stride = rest.stride;
  Square moments, places;
  for (std::size_t r = begin; r < end; r += lane_count) {
    const std::size_t used = end - r < lane_count ? end - r : lane_count;
    for (std::size_t lane = 0; lane < used; ++lane) {
      store_lanes(moments.at[lane], ring_moment(rest, x, r + lane));
      store_quad(places.at[lane], load_quad(x + 4 * (r + lane)));
    }
    for (std::size_t lane = used; lane < lane_count; ++lane) {
      store_lanes(moments.at[lane], all_lanes(0));
      store_quad(places.at[lane], Quad{0, 0, 0, 0});
    }
    Lanes t[6];
    for (int k = 0; k < 6; ++k) t[k] = load_lanes(tensors + k * stride + r);
    // The symmetric T by rows: xx xy zx / xy yy yz / zx yz zz.
    const Lanes full[9] = {t[0], t[3], t[5], t[3], t[1], t[4], t[5], t[4], t[2]};
    Lanes a[9], rotation[4], matrix[9], map[9];
    for (std::size_t j = 0; j < 3; ++j) {  // A = (sum m~ x (x0 - c0)^T) T
      const Lanes m0 = moments.column(j), m1 = moments.column(4 + j), m2 = moments.column(8 + j);
      for (std::size_t k = 0; k < 3; ++k) {
        a[3 * j + k] = m0 * full[k] + m1 * full[3 + k] + m2 * full[6 + k];
      }
    }
    for (int k = 0; k < 4; ++k) rotation[k] = load_lanes(q + k * stride + r);
    polar_lanes(a, rotation);
    for (int k = 0; k < 4; ++k) store_lanes(q + k * stride + r, rotation[k]);
    matrix_of(rotation, matrix);
    for (std::size_t j = 0; j < 3; ++j) {  // B = R T
      for (std::size_t k = 0; k < 3; ++k) {
        map[3 * j + k] = matrix[3 * j] * full[k] + matrix[3 * j + 1] * full[3 + k] +
                         matrix[3 * j + 2] * full[6 + k];
      }
    }
    Lanes centre0[3];
    for (int k = 0; k < 3; ++k) centre0[k] = load_lanes(rest.centre + k * stride + r);
    for (std::size_t j = 0; j < 3; ++j) {  // b = c - B c0
      const Lanes c = places.column(j) + moments.column(12 + j);
      const Lanes b =
          c - (map[3 * j] * centre0[0] + map[3 * j + 1] * centre0[1] + map[3 * j + 2] * centre0[2]);
      for (std::size_t k = 0; k < 3; ++k) moments.set_column(4 * k + j, map[3 * j + k]);
      moments.set_column(12 + j, b);
    }
    for (std::size_t lane = 0; lane < used; ++lane) {
      store_lanes(maps + 16 * (r + lane), load_lanes(moments.at[lane]));
    }
  }
}

SINEW_INLINE Quad quad_of(const Lanes& v, int k) {
  return Quad{v[4 * k], v[4 * k + 1], v[4 * k + 2], v[4 * k + 3]};
}

void match_vertices(const RingView& rest, const float* maps, const MatchMix& mix, const float* y1,
                    const float* y2, float* out, std::size_t begin, std::size_t end) {
  for (std::size_t v = begin; v < end; ++v) {
    Lanes sum = load_lanes(maps + 16 * v);
    for (uint32_t e = rest.first[v]; e < rest.first[v + 1]; ++e) {
      sum += load_lanes(maps + 16 * rest.ring[e]);
    }
    const float share = 1.0f / static_cast<float>(rest.first[v + 1] - rest.first[v] + 1);
    const Quad x0 = load_quad(rest.rest + 4 * v);
    const Lanes terms = sum * spread_quad(Quad{x0[0], x0[1], x0[2], 1});
    Quad goal = (quad_of(terms, 0) + quad_of(terms, 1)) + (quad_of(terms, 2) + quad_of(terms, 3));
    goal *= share;
    goal[3] = 0;
    if (mix.match != 1 || mix.last != 0) goal = mix.match * goal + mix.last * load_quad(y1 + 4 * v);
    if (mix.before != 0) goal += mix.before * load_quad(y2 + 4 * v);
    store_quad(out + 4 * v, goal);
  }
}

void damp_regions(const RingView& rest, const float* x, const float* v, float* motions,
                  std::size_t begin, std::size_t end) {
  Square spreads, turns, places;
  for (std::size_t r = begin; r < end; r += lane_count) {
    const std::size_t used = end - r < lane_count ? end - r : lane_count;
    for (std::size_t lane = 0; lane < lane_count; ++lane) {
      const std::size_t at = lane < used ? r + lane : r;
      const Quad x_here = load_quad(x + 4 * at), v_here = load_quad(v + 4 * at);
      Lanes spread = all_lanes(0), turn = all_lanes(0);
      for (uint32_t e = rest.first[at]; e < rest.first[at + 1]; ++e) {
        const Quad d = load_quad(x + 4 * rest.ring[e]) - x_here;
        const Quad u = load_quad(v + 4 * rest.ring[e]) - v_here;
        const float w = rest.offset[4 * e + 3];
        const Quad weighted = Quad{w * d[0], w * d[1], w * d[2], w};
        spread += outer(d, weighted);
        turn += outer(u, weighted);
      }
      store_lanes(spreads.at[lane], spread);
      store_lanes(turns.at[lane], turn);
      store_quad(places.at[lane], x_here);
      store_quad(places.at[lane] + 4, v_here);
    }
    Lanes centre[3], mean[3];  // relative to vertex r: of the places, of the velocities
    for (std::size_t k = 0; k < 3; ++k) {
      centre[k] = spreads.column(12 + k);
      mean[k] = turns.column(12 + k);
    }
    const auto second = [&](std::size_t j, std::size_t k) {
      return spreads.column(4 * k + j) - centre[j] * centre[k];
    };
    const auto moment = [&](std::size_t j, std::size_t k) {  // sum of w u_j d_k
      return turns.column(4 * k + j) - mean[j] * centre[k];
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
      c[k] = places.column(k) + centre[k];
      v_cm[k] = places.column(4 + k) + mean[k];
    }
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t m = (k + 1) % 3, n = (k + 2) % 3;
      spreads.set_column(k, omega[k]);
      spreads.set_column(4 + k, v_cm[k] - (omega[m] * c[n] - omega[n] * c[m]));
    }
    for (std::size_t lane = 0; lane < used; ++lane) {
      Quad turn = load_quad(spreads.at[lane]), shift = load_quad(spreads.at[lane] + 4);
      turn[3] = 0;
      shift[3] = 0;
      store_quad(motions + 8 * (r + lane), turn);
      store_quad(motions + 8 * (r + lane) + 4, shift);
    }
  }
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
    const Quad across = Quad{turn[1] * p[2] - turn[2] * p[1], turn[2] * p[0] - turn[0] * p[2],
                             turn[0] * p[1] - turn[1] * p[0], 0};
    const Quad now = load_quad(v + 4 * i);
    store_quad(v + 4 * i, now + amount * (share * (shift + across) - now));
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
                             damp_vertices};

}  // namespace sinew::kernels::SINEW_LANES_TARGET
