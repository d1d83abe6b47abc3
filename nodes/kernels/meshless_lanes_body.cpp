// Compiled once for each target, with SINEW_LANES_TARGET as the name of the namespace; includes
// next to nothing, see lane_kernels.h. A tile is taken in as many steps as the target's registers
// need: from the second step on its weights are in the nearest cache.
#include "nodes/kernels/meshless_lanes.h"
#include "nodes/kernels/wide_lanes.h"

namespace sinew::kernels::SINEW_LANES_TARGET {

namespace {

constexpr std::size_t tile_size = meshless_tile;

struct Tile {
  const uint32_t* node;
  std::size_t count;
  const float *values, *slopes, *normals, *sums;  // no normals: not wanted; no sums: all are 1, 0
};

// Where the vertices of a tile go, x, y and z in a row each.
struct Rows {
  float place[3 * tile_size];
  float normal[3 * tile_size];
};

SINEW_INLINE void add(Wide3& sum, Wide weight, const float* v) {
  sum.x += weight * v[0];
  sum.y += weight * v[1];
  sum.z += weight * v[2];
}
SINEW_INLINE void store3(float* p, const Wide3& v) {
  store(p, v.x);
  store(p + tile_size, v.y);
  store(p + 2 * tile_size, v.z);
}

// The sums over the nodes of the vertices from lane `at` on, with the opposite sign, and their
// normals.
template <bool with_normals>
SINEW_INLINE void sum_nodes(const Tile& tile, const MeshlessMove& move, std::size_t at,
                            Rows& rows) {
  const Wide none = all(0);
  Wide3 moved = {none, none, none}, turned = moved;
  for (std::size_t e = 0; e < tile.count; ++e) {
    const float* const left = move.left + 4 * std::size_t{tile.node[e]};
    add(moved, load(tile.values + tile_size * e + at), left);
    if (with_normals) add(turned, load(tile.slopes + tile_size * e + at), left);
  }
  store3(rows.place + at, moved);
  if (!with_normals) return;
  if (tile.sums) {
    const Wide sum = load(tile.sums + tile_size + at);
    const float back[3] = {static_cast<float>(move.back[0]), static_cast<float>(move.back[1]),
                           static_cast<float>(move.back[2])};
    add(turned, sum, back);
  }
  const Wide3 n = load3(tile.normals + at, tile_size);
  store3(rows.normal + at, unit_or({n.x - turned.x, n.y - turned.y, n.z - turned.z}, n));
}

// x' = x + sum Phi mean + what the nodes have beside it, rounded once.
SINEW_INLINE void place_rows(const float* rest, const float* sums, const MeshlessMove& move,
                             float* place) {
  for (std::size_t k = 0; k < 3; ++k) {
    const double back = move.back[k];
    for (std::size_t i = 0; i < tile_size; ++i) {
      const double common = sums ? static_cast<double>(sums[i]) * back : back;
      const std::size_t at = tile_size * k + i;
      place[at] = static_cast<float>(static_cast<double>(rest[at]) -
                                     (common + static_cast<double>(place[at])));
    }
  }
}

SINEW_INLINE void scatter(const float* rows, const uint32_t* order, std::size_t used, float* out) {
  for (std::size_t i = 0; i < used; ++i) {
    float* const to = out + 3 * std::size_t{order[i]};
    to[0] = rows[i];
    to[1] = rows[tile_size + i];
    to[2] = rows[2 * tile_size + i];
  }
}

template <bool with_normals>
SINEW_INLINE void deform_tiles(const MeshlessView& body, const MeshlessMove& move,
                               std::size_t begin, std::size_t end, float* positions,
                               float* normals) {
  for (std::size_t t = begin; t < end; ++t) {
    const std::size_t first = body.first[t], rows_at = 3 * tile_size * t;
    const bool plain = body.sums_of[t] == MeshlessView::no_sums;
    const Tile tile = {body.node + first,
                       body.first[t + 1] - first,
                       body.values + tile_size * first,
                       with_normals ? body.slopes + tile_size * first : nullptr,
                       with_normals ? body.normals + rows_at : nullptr,
                       plain ? nullptr : body.sums + 2 * tile_size * body.sums_of[t]};
    Rows rows;
    for (std::size_t at = 0; at < tile_size; at += width) {
      sum_nodes<with_normals>(tile, move, at, rows);
    }
    if (plain) {
      place_rows(body.rest + rows_at, nullptr, move, rows.place);
    } else {
      place_rows(body.rest + rows_at, tile.sums, move, rows.place);
    }
    const std::size_t left = body.vertex_count - tile_size * t;
    const std::size_t used = left < tile_size ? left : tile_size;
    scatter(rows.place, body.order + tile_size * t, used, positions);
    if (with_normals) scatter(rows.normal, body.order + tile_size * t, used, normals);
  }
}

void deform(const MeshlessView& body, const MeshlessMove& move, std::size_t begin, std::size_t end,
            float* positions, float* normals) {
  if (normals) {
    deform_tiles<true>(body, move, begin, end, positions, normals);
  } else {
    deform_tiles<false>(body, move, begin, end, positions, normals);
  }
}

}  // namespace

extern const MeshlessLanes meshless_kernels;
const MeshlessLanes meshless_kernels = {
#if defined(__AVX512F__)
    "AVX-512",
#elif defined(__AVX2__)
    "AVX2",
#else
    "baseline",
#endif
    deform};

}  // namespace sinew::kernels::SINEW_LANES_TARGET
