// Compiled once for each target, with SINEW_LANES_TARGET as the name of the namespace; includes
// next to nothing, see lane_kernels.h.
#include "nodes/kernels/ffd_lanes.h"
#include "nodes/kernels/wide_lanes.h"

namespace sinew::kernels::SINEW_LANES_TARGET {

namespace {

// Vertices are taken in groups of a few registers, so that an offset is fetched once for all of
// them.
#if defined(__AVX512F__) || defined(__AVX2__)
constexpr std::size_t steps = 2;
#else
constexpr std::size_t steps = 4;
#endif
constexpr std::size_t group = steps * width;

// Where vertices are along one axis.
struct Along {
  Wide within;  // s, from 0 to 1
  Wide beyond;  // and how far outside of that
  WideBits inside;
};

// What is no number, for a place that has no parameter among the floats, is far out.
SINEW_INLINE Along along_axis(const FfdLattice& lattice, Wide s) {
  Along a;
  const Wide low = all(-lattice.reach), high = all(1 + lattice.reach);
  const Wide near = s > low ? smaller(s, high) : low;
  a.within = smaller(larger(near, all(0)), all(1));
  a.beyond = lattice.extend ? near - a.within : all(0);
  a.inside = (s >= -lattice.border) & (s <= 1 + lattice.border);
  return a;
}

struct Parameters {
  Along axis[3];
  WideBits inside;
};

SINEW_INLINE Parameters parameters_of(const FfdLattice& lattice, const Wide3& place) {
  const Wide3 s = apply(lattice.rows, relative_to(lattice.origin, place));
  Parameters p = {{along_axis(lattice, s.x), along_axis(lattice, s.y), along_axis(lattice, s.z)},
                  {}};
  p.inside = p.axis[0].inside & p.axis[1].inside & p.axis[2].inside;
  return p;
}

// Vertices go against the offsets: -0 stays -0 where nothing moves.
SINEW_INLINE Wide3 moved_by(const FfdLattice& lattice, const Wide3& place, Wide3 offset,
                            WideBits inside) {
  if (!lattice.extend) {
    const Wide none = all(0);
    offset = {inside ? offset.x : none, inside ? offset.y : none, inside ? offset.z : none};
  }
  return {place.x - offset.x, place.y - offset.y, place.z - offset.z};
}

// Calls move(points, moved), which takes `size` vertices and returns a bit for each that is
// outside, for all of them; the last ones are completed by vertices that nobody sees.
template <std::size_t size, class Move>
SINEW_INLINE std::size_t for_groups(const float* points, std::size_t count, float* moved,
                                    const Move& move) {
  std::size_t outside = 0, at = 0;
  for (; at + size <= count; at += size) {
    outside += static_cast<std::size_t>(__builtin_popcount(move(points + 3 * at, moved + 3 * at)));
  }
  if (at == count) return outside;
  float from[3 * size] = {}, to[3 * size];
  const std::size_t left = count - at;
  __builtin_memcpy(from, points + 3 * at, 3 * left * sizeof(float));
  const uint32_t out = move(from, to) & ((1u << left) - 1);
  __builtin_memcpy(moved + 3 * at, to, 3 * left * sizeof(float));
  return outside + static_cast<std::size_t>(__builtin_popcount(out));
}

// ---- Bernstein: all points move all vertices, so that vertices go side by side -----------------

// Degree by degree, each from the one before. All terms are positive: nothing cancels.
SINEW_INLINE void bernstein_weights(const Along& along, std::size_t count, Wide* weights) {
  const Wide s = along.within, r = 1 - s;
  weights[0] = r;
  weights[1] = s;
  for (std::size_t m = 2; m < count; ++m) {
    weights[m] = s * weights[m - 1];
    for (std::size_t i = m - 1; i > 0; --i) weights[i] = r * weights[i] + s * weights[i - 1];
    weights[0] = r * weights[0];
  }
  // At the ends only the two outermost points have a slope: the degree, which is count - 1.
  const auto slope = static_cast<float>(count - 1);
  const Wide before = slope * smaller(along.beyond, all(0));
  const Wide after = slope * larger(along.beyond, all(0));
  weights[0] -= before;
  weights[1] += before;
  weights[count - 2] -= after;
  weights[count - 1] += after;
}

// `fixed` points along each axis, or 0: as many as the lattice has.
template <std::size_t fixed>
SINEW_INLINE uint32_t move_bernstein(const FfdLattice& lattice, const float* points, float* moved) {
  constexpr std::size_t room = fixed == 0 ? most_ffd_points : fixed;
  const std::size_t nx = fixed ? fixed : lattice.counts[0];
  const std::size_t ny = fixed ? fixed : lattice.counts[1];
  const std::size_t nz = fixed ? fixed : lattice.counts[2];
  Wide wx[steps][room], wy[steps][room], wz[steps][room];
  Wide3 place[steps], sum[steps];
  WideBits inside[steps];
  for (std::size_t s = 0; s < steps; ++s) {
    place[s] = load_points(points + 3 * width * s);
    const Parameters p = parameters_of(lattice, place[s]);
    bernstein_weights(p.axis[0], nx, wx[s]);
    bernstein_weights(p.axis[1], ny, wy[s]);
    bernstein_weights(p.axis[2], nz, wz[s]);
    inside[s] = p.inside;
    sum[s] = {all(0), all(0), all(0)};
  }
  const float* d = lattice.offsets;
  for (std::size_t k = 0; k < nz; ++k) {
    Wide3 plane[steps];
    for (std::size_t s = 0; s < steps; ++s) plane[s] = {all(0), all(0), all(0)};
    for (std::size_t j = 0; j < ny; ++j) {
      Wide3 row[steps];
      for (std::size_t s = 0; s < steps; ++s) row[s] = {all(0), all(0), all(0)};
      for (std::size_t i = 0; i < nx; ++i, d += 4) {
        for (std::size_t s = 0; s < steps; ++s) {
          const Wide w = wx[s][i];
          row[s] = row[s] + Wide3{w * d[0], w * d[1], w * d[2]};
        }
      }
      for (std::size_t s = 0; s < steps; ++s) plane[s] = plane[s] + row[s] * wy[s][j];
    }
    for (std::size_t s = 0; s < steps; ++s) sum[s] = sum[s] + plane[s] * wz[s][k];
  }
  uint32_t outside = 0;
  for (std::size_t s = 0; s < steps; ++s) {
    store_points(moved + 3 * width * s, moved_by(lattice, place[s], sum[s], inside[s]));
    outside |= bits_of(~inside[s]) << (width * s);
  }
  return outside;
}

std::size_t bernstein(const float* points, std::size_t count, const FfdLattice& lattice,
                      float* moved) {
  const std::size_t* const n = lattice.counts;
  if (n[0] == 4 && n[1] == 4 && n[2] == 4) {
    return for_groups<group>(points, count, moved, [&](const float* from, float* to) {
      return move_bernstein<4>(lattice, from, to);
    });
  }
  return for_groups<group>(points, count, moved, [&](const float* from, float* to) {
    return move_bernstein<0>(lattice, from, to);
  });
}

// ---- Splines: other points move each vertex, so that points go side by side --------------------

SINEW_INLINE Quad load_quad(const float* p) {
  Quad v;
  __builtin_memcpy(&v, p, sizeof v);
  return v;
}
SINEW_INLINE void store_quad(float* p, Quad v) { __builtin_memcpy(p, &v, sizeof v); }

// The pieces that some vertices are in along one axis, the ways from their starts, and the first
// of the four points that count there.
struct Pieces {
  int32_t piece[width], first[width];
  float way[width];
};

SINEW_INLINE void find_pieces(const Along& along, std::size_t spans, Pieces& found) {
  const Wide u = along.within * static_cast<float>(spans);
  const auto last = static_cast<int32_t>(spans) - 1;
  WideBits span = __builtin_convertvector(u, WideBits);
  span = span < last ? span : last + WideBits{};
  Wide way = u - __builtin_convertvector(span, Wide);
  const WideBits before = along.beyond<0, after = along.beyond> 0;
  WideBits piece = span + 1;
  piece = before ? WideBits{} : piece;
  piece = after ? last + 2 + WideBits{} : piece;
  way = (before | after) ? along.beyond : way;
  __builtin_memcpy(found.piece, &piece, sizeof piece);
  __builtin_memcpy(found.first, &span, sizeof span);
  store(found.way, way);
}

SINEW_INLINE Quad weights_at(const float* pieces, const Pieces& found, std::size_t lane) {
  const float* const c = pieces + 16 * static_cast<std::size_t>(found.piece[lane]);
  const float x = found.way[lane];
  return ((load_quad(c + 12) * x + load_quad(c + 8)) * x + load_quad(c + 4)) * x + load_quad(c);
}

// Sixteen floats: x, y, z, 0 of four points in a row.
constexpr std::size_t row_parts = 16 / width;

SINEW_INLINE void sum_points(const FfdLattice& lattice, const Pieces (&found)[3], std::size_t lane,
                             float* offset) {
  float wy[4], wz[4], sums[16];
  const Quad wx = weights_at(lattice.pieces[0], found[0], lane);
  store_quad(wy, weights_at(lattice.pieces[1], found[1], lane));
  store_quad(wz, weights_at(lattice.pieces[2], found[2], lane));
  const std::size_t nx = lattice.counts[0], plane = nx * lattice.counts[1];
  const float* const first =
      lattice.offsets + 4 * (static_cast<std::size_t>(found[0].first[lane]) +
                             nx * static_cast<std::size_t>(found[1].first[lane]) +
                             plane * static_cast<std::size_t>(found[2].first[lane]));
  Wide sum[row_parts] = {};
  for (std::size_t k = 0; k < 4; ++k) {
    for (std::size_t j = 0; j < 4; ++j) {
      const float* const row = first + 4 * (plane * k + nx * j);
      const float w = wy[j] * wz[k];
      for (std::size_t p = 0; p < row_parts; ++p) sum[p] += load(row + width * p) * w;
    }
  }
  for (std::size_t p = 0; p < row_parts; ++p) store(sums + width * p, sum[p]);
  const Quad low = load_quad(sums) * wx[0] + load_quad(sums + 4) * wx[1];
  const Quad high = load_quad(sums + 8) * wx[2] + load_quad(sums + 12) * wx[3];
  const Quad whole = (Quad{} + low) + high;
  for (int c = 0; c < 3; ++c) offset[c] = whole[c];
}

SINEW_INLINE uint32_t move_bspline(const FfdLattice& lattice, const float* points, float* moved) {
  const Wide3 place = load_points(points);
  const Parameters p = parameters_of(lattice, place);
  Pieces found[3];
  for (std::size_t a = 0; a < 3; ++a) find_pieces(p.axis[a], lattice.spans[a], found[a]);
  float offsets[3 * width];
  for (std::size_t lane = 0; lane < width; ++lane) {
    sum_points(lattice, found, lane, offsets + 3 * lane);
  }
  store_points(moved, moved_by(lattice, place, load_points(offsets), p.inside));
  return bits_of(~p.inside);
}

std::size_t bspline(const float* points, std::size_t count, const FfdLattice& lattice,
                    float* moved) {
  return for_groups<width>(points, count, moved, [&](const float* from, float* to) {
    return move_bspline(lattice, from, to);
  });
}

}  // namespace

extern const FfdLanes ffd_kernels;
const FfdLanes ffd_kernels = {
#if defined(__AVX512F__)
    "AVX-512",
#elif defined(__AVX2__)
    "AVX2",
#else
    "baseline",
#endif
    bernstein, bspline};

}  // namespace sinew::kernels::SINEW_LANES_TARGET
