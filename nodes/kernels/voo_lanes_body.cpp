// Compiled once for each target, with SINEW_LANES_TARGET as the name of the namespace; includes
// next to nothing, see lane_kernels.h. A tile is taken in as many steps as the target's registers
// need: here vectors are as wide as they are.
#include "nodes/kernels/voo_lanes.h"
#include "nodes/kernels/wide_lanes.h"

namespace sinew::kernels::SINEW_LANES_TARGET {

namespace {

constexpr std::size_t tile_size = 16;
constexpr uint16_t all_active = 0xffff;

// 1 where the bit of the lane is set, else 0; lanes from `first` on.
SINEW_INLINE Wide ones_of(uint32_t mask, std::size_t first) {
  WideBits bit;
  for (std::size_t i = 0; i < width; ++i) bit[i] = 1 << i;
  const WideBits set = (static_cast<int32_t>(mask >> first) & bit) != 0;
  return set ? all(1) : all(0);
}

// Vertices are taken in groups of a few registers, so that an operator is fetched once for all of
// them: two tiles where a register holds a tile, else a part of one.
constexpr std::size_t steps = 2;
constexpr std::size_t group = steps * width;

// Adds what one part does to the vertices from lane `at` of its entry on, which are at q.
template <std::size_t count>
SINEW_INLINE void add_part(const VooPart& part, std::size_t entry, std::size_t at,
                           const Wide3 (&q)[count], Wide3 (&moved)[count]) {
  const std::size_t place = tile_size * entry + at;
  Wide3 strain[count];
  for (std::size_t s = 0; s < count; ++s) strain[s] = apply(part.strain, q[s]);
  if (part.creeps) {
    for (std::size_t s = 0; s < count; ++s) {
      strain[s] = strain[s] + apply(part.creep, q[s]) * load(part.viscous + place + s * width);
    }
  }
  for (std::size_t s = 0; s < count; ++s) {
    moved[s] = moved[s] + strain[s] * load(part.damp + place + s * width);
  }
  if (!part.shifts) return;
  const Wide3 whole = {all(part.shift[0]), all(part.shift[1]), all(part.shift[2])};
  for (std::size_t s = 0; s < count; ++s) {
    const std::size_t lane = at + s * width;
    const uint16_t mask = part.mask[entry + lane / tile_size];
    Wide3 shift = whole;
    if (part.share) {
      shift = shift * load(part.share + place + s * width);
    } else if (mask != all_active) {
      shift = shift * ones_of(mask, lane % tile_size);
    }
    moved[s] = moved[s] + shift;
  }
}

// The entries of the parts that hold one tile, counted from `first`.
struct Holders {
  std::size_t count = 0, first = 0;
  const VooPart* part[most_voo_parts];
  std::size_t entry[most_voo_parts];
};

// Walks through the tiles of a range, and through those of each part along with it.
class Walk {
 public:
  Walk(const VooPart* parts, std::size_t count) : parts_(parts), count_(count) {}

  SINEW_INLINE void find(std::size_t tile, Holders& holders) {
    holders.count = 0;
    for (std::size_t j = 0; j < count_; ++j) {
      const VooPart& part = parts_[j];
      if (next_[j] >= part.count || part.tiles[next_[j]] != tile) continue;
      holders.part[holders.count] = &part;
      holders.entry[holders.count++] = next_[j]++;
    }
  }

  // Past `tiles` that all parts hold.
  SINEW_INLINE void skip(std::size_t tiles) {
    for (std::size_t j = 0; j < count_; ++j) next_[j] = tiles;
  }

  // The same of two tiles in a row, if each part holds both or neither; else nothing happens.
  SINEW_INLINE bool find_two(std::size_t tile, Holders& holders) {
    holders.count = 0;
    for (std::size_t j = 0; j < count_; ++j) {
      const VooPart& part = parts_[j];
      const std::size_t n = next_[j];
      const bool first = n < part.count && part.tiles[n] == tile;
      const std::size_t after = n + (first ? 1 : 0);
      const bool second = after < part.count && part.tiles[after] == tile + 1;
      if (first != second) return false;
      if (!first) continue;
      holders.part[holders.count] = &part;
      holders.entry[holders.count++] = n;
    }
    for (std::size_t j = 0; j < count_; ++j) {
      while (next_[j] < parts_[j].count && parts_[j].tiles[next_[j]] <= tile + 1) ++next_[j];
    }
    return true;
  }

 private:
  const VooPart* parts_;
  std::size_t count_;
  std::size_t next_[most_voo_parts] = {};
};

// The points of a tile; those of the last one, which may lack some, are completed in `room`.
SINEW_INLINE const float* tile_points(const float* points, std::size_t tile, std::size_t used,
                                      float* room) {
  const float* const from = points + 3 * tile_size * tile;
  if (used == tile_size) return from;
  __builtin_memset(room, 0, 3 * tile_size * sizeof(float));
  __builtin_memcpy(room, from, 3 * used * sizeof(float));
  return room;
}
SINEW_INLINE std::size_t used_of(const VooRange& range, std::size_t tile) {
  const std::size_t left = range.vertex_count - tile_size * tile;
  return left < tile_size ? left : tile_size;
}

// One group of vertices whose points are at r, b and o.
template <std::size_t count>
SINEW_INLINE void move_group(const Holders& holders, const VooRange& range, const Wide3& common,
                             std::size_t at, const float* r, const float* b, float* o) {
  Wide3 here[count], q[count], moved[count];
  for (std::size_t s = 0; s < count; ++s) {
    here[s] = load_points(r + 3 * (at + s * width));
    q[s] = relative_to(range.origin, here[s]);
    moved[s] = common;
  }
  for (std::size_t h = 0; h < holders.count; ++h) {
    add_part(*holders.part[h], holders.first + holders.entry[h], at, q, moved);
  }
  for (std::size_t s = 0; s < count; ++s) {
    const Wide3 start = b == r ? here[s] : load_points(b + 3 * (at + s * width));
    store_points(o + 3 * (at + s * width), start + moved[s]);
  }
}

// A tile, or what is left of one at the end of a body.
SINEW_INLINE void move_tile(const Holders& holders, const VooRange& range, const Wide3& common,
                            std::size_t tile, const float* rest, const float* base, float* out) {
  const std::size_t used = used_of(range, tile);
  float* const to = out + 3 * tile_size * tile;
  float rest_room[3 * tile_size], base_room[3 * tile_size], out_room[3 * tile_size];
  const float* const r = tile_points(rest, tile, used, rest_room);
  const float* const b = base == rest ? r : tile_points(base, tile, used, base_room);
  float* const o = used == tile_size ? to : out_room;
  constexpr std::size_t together = width == tile_size ? 1 : steps;
  for (std::size_t at = 0; at < tile_size; at += together * width) {
    move_group<together>(holders, range, common, at, r, b, o);
  }
  if (used < tile_size) __builtin_memcpy(to, out_room, 3 * used * sizeof(float));
}

// Where all parts hold all tiles, nobody has to look for them: the first pairs of tiles, and the
// tile after them.
SINEW_INLINE std::size_t deform_dense(const float* rest, const float* base, const Wide3& everywhere,
                                      const VooPart* parts, std::size_t part_count,
                                      const VooRange& range, float* out) {
  std::size_t tile = range.begin;
  if (group <= tile_size || part_count == 0) return tile;
  Holders holders;
  for (std::size_t j = 0; j < part_count; ++j) {
    if (parts[j].count != range.end - range.begin) return tile;
    holders.part[j] = parts + j;
    holders.entry[j] = 0;
  }
  holders.count = part_count;
  for (; tile + 1 < range.end && used_of(range, tile + 1) == tile_size; tile += 2) {
    const std::size_t offset = 3 * tile_size * tile;
    holders.first = tile - range.begin;
    move_group<steps>(holders, range, everywhere, 0, rest + offset, base + offset, out + offset);
  }
  return tile;
}

void deform(const float* rest, const float* base, const float* common, const VooPart* parts,
            std::size_t part_count, const VooRange& range, float* out) {
  Walk walk(parts, part_count);
  Holders holders;
  const bool still = common[0] == 0 && common[1] == 0 && common[2] == 0;
  const Wide3 everywhere = {all(common[0]), all(common[1]), all(common[2])};
  std::size_t tile = deform_dense(rest, base, everywhere, parts, part_count, range, out);
  walk.skip(tile - range.begin);
  for (; tile < range.end; ++tile) {
    const std::size_t offset = 3 * tile_size * tile;
    if (group > tile_size && tile + 1 < range.end && used_of(range, tile + 1) == tile_size &&
        walk.find_two(tile, holders) && (holders.count > 0 || !still)) {
      move_group<steps>(holders, range, everywhere, 0, rest + offset, base + offset, out + offset);
      ++tile;
      continue;
    }
    walk.find(tile, holders);
    if (holders.count == 0 && still) {
      const std::size_t bytes = 3 * used_of(range, tile) * sizeof(float);
      if (base != out) __builtin_memcpy(out + offset, base + offset, bytes);
      continue;
    }
    move_tile(holders, range, everywhere, tile, rest, base, out);
  }
}

// J by rows.
struct WideMatrix {
  Wide3 row[3];
};

SINEW_INLINE void add_outer(WideMatrix& m, const Wide3& a, const Wide3& b) {
  m.row[0] = m.row[0] + b * a.x;
  m.row[1] = m.row[1] + b * a.y;
  m.row[2] = m.row[2] + b * a.z;
}

// J of r + share T + damp (S (q, 1) + viscous C (q, 1)): the maps themselves, and what the change
// of damp, viscous and share adds.
SINEW_INLINE void add_gradient(const VooPart& part, std::size_t entry, std::size_t at,
                               const Wide3& q, WideMatrix& j) {
  const std::size_t place = tile_size * entry + at, slope = 3 * tile_size * entry + at;
  const Wide damp = load(part.damp + place);
  const Wide viscous = part.creeps ? load(part.viscous + place) : all(0);
  Wide3 strain = apply(part.strain, q);
  for (std::size_t i = 0; i < 3; ++i) {
    const float* const s = part.strain + 4 * i;
    Wide3 map = {all(s[0]), all(s[1]), all(s[2])};
    if (part.creeps) {
      const float* const c = part.creep + 4 * i;
      map = map + Wide3{c[0] * viscous, c[1] * viscous, c[2] * viscous};
    }
    j.row[i] = j.row[i] + map * damp;
  }
  if (part.creeps) {
    const Wide3 creep = apply(part.creep, q);
    strain = strain + creep * viscous;
    add_outer(j, creep * damp, load3(part.viscous_slope + slope, tile_size));
  }
  add_outer(j, strain, load3(part.damp_slope + slope, tile_size));
  if (part.shifts && part.share_slope) {
    const Wide3 shift = {all(part.shift[0]), all(part.shift[1]), all(part.shift[2])};
    add_outer(j, shift, load3(part.share_slope + slope, tile_size));
  }
}

void jacobian(const float* rest, const float* normals, const VooPart* parts, std::size_t part_count,
              const VooRange& range, float* out, uint16_t* folded) {
  Walk walk(parts, part_count);
  Holders holders;
  const Wide zero = all(0), one = all(1);
  for (std::size_t tile = range.begin; tile < range.end; ++tile) {
    walk.find(tile, holders);
    const std::size_t used = used_of(range, tile);
    const std::size_t offset = 3 * tile_size * tile;
    uint32_t over = 0;
    float rest_room[3 * tile_size], normal_room[3 * tile_size], out_room[3 * tile_size];
    const float* const r = tile_points(rest, tile, used, rest_room);
    const float* const n = normals ? tile_points(normals, tile, used, normal_room) : nullptr;
    for (std::size_t at = 0; at < tile_size; at += width) {
      if (holders.count == 0) break;
      const Wide3 q = relative_to(range.origin, load_points(r + 3 * at));
      WideMatrix j = {{{one, zero, zero}, {zero, one, zero}, {zero, zero, one}}};
      for (std::size_t h = 0; h < holders.count; ++h) {
        add_gradient(*holders.part[h], holders.entry[h], at, q, j);
      }
      const Wide3 c[3] = {cross(j.row[1], j.row[2]), cross(j.row[2], j.row[0]),
                          cross(j.row[0], j.row[1])};
      over |= bits_of(dot(j.row[0], c[0]) <= 0) << at;
      if (!n) continue;
      const Wide3 normal = load_points(n + 3 * at);
      store_points(out_room + 3 * at,
                   unit_or({dot(c[0], normal), dot(c[1], normal), dot(c[2], normal)}, normal));
    }
    if (folded) folded[tile] = static_cast<uint16_t>(over & ((1u << used) - 1));
    if (!n) continue;
    const float* const made = holders.count == 0 ? normals + offset : out_room;
    if (made != out + offset) __builtin_memcpy(out + offset, made, 3 * used * sizeof(float));
  }
}

}  // namespace

extern const VooLanes voo_kernels;
const VooLanes voo_kernels = {
#if defined(__AVX512F__)
    "AVX-512",
#elif defined(__AVX2__)
    "AVX2",
#else
    "baseline",
#endif
    deform, jacobian};

}  // namespace sinew::kernels::SINEW_LANES_TARGET
