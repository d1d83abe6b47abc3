// The hot loops of vector offset operators, as plain functions over plain arrays: compiled once for
// each target and picked at run time, as those of lane_kernels.h are, and for the same reasons. All
// targets give the same bits: what happens to a vertex is the same sequence of operations on it,
// however many go side by side.
//
// A tile is 16 vertices in a row. Points are x, y, z of each vertex in turn.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sinew::kernels {

// One operator on one range of tiles. All arrays start at the entry of the first tile of the range
// that it holds, and are null where there is nothing to say (see VooInfluence). Nothing is set by
// itself: there are many of these on the stack, and most stay unused.
struct VooPart {
  std::size_t count;  // entries
  const uint32_t* tiles;
  const uint16_t* mask;
  const float* damp;
  const float* viscous;
  const float* share;
  const float* damp_slope;
  const float* viscous_slope;
  const float* share_slope;
  // As in VooOperator, but for places relative to the origin of the range: subtracting that is done
  // once for all parts.
  bool creeps, shifts;
  float shift[3];
  float strain[12], creep[12];  // three rows of four
};

// The vertices of the tiles [begin, end) of a body, and a place near to them.
struct VooRange {
  std::size_t begin = 0, end = 0;
  std::size_t vertex_count = 0;  // of the whole body
  float origin[3] = {0, 0, 0};
};

struct VooLanes {
  const char* name = "";
  // out = base + common + sum over parts of what they do at `rest`. `base` is `rest`, or what other
  // parts have given so far; `out` may be either. common: 3 floats.
  void (*deform)(const float* rest, const float* base, const float* common, const VooPart* parts,
                 std::size_t part_count, const VooRange& range, float* out) = nullptr;
  // J = dr'/dr for each vertex. out = cof(J) normal, of unit length, or the normal itself if that
  // is 0; `normals` may be null, and `out` may be `normals`. folded[tile]: bit i is set where
  // det J <= 0; may be null. Parts must have slopes.
  void (*jacobian)(const float* rest, const float* normals, const VooPart* parts,
                   std::size_t part_count, const VooRange& range, float* out,
                   uint16_t* folded) = nullptr;
};

// More parts than this are not taken in one call.
inline constexpr std::size_t most_voo_parts = 256;

// The best that this machine has.
const VooLanes& voo_lanes();
// All that this machine can run, the baseline first.
std::size_t runnable_voo_lanes(const VooLanes* (&list)[3]);

}  // namespace sinew::kernels
