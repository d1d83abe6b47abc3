// The hot loop of meshless surfaces, as a plain function over plain arrays: compiled once for each
// target and picked at run time, as those of lane_kernels.h are, and for the same reasons. All
// targets give the same bits.
//
// A tile is 16 vertices. What is said of them is kept tile by tile, in rows of 16 floats.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sinew::kernels {

inline constexpr std::size_t meshless_tile = 16;

// A body as the loop sees it; see meshless_surface.h.
struct MeshlessView {
  static constexpr uint32_t no_sums = 0xffffffff;

  std::size_t vertex_count = 0;
  const uint32_t* order = nullptr;    // the vertex of each place in the tiles
  const uint32_t* first = nullptr;    // of each tile, then one more: its first entry
  const uint32_t* node = nullptr;     // of each entry
  const float* values = nullptr;      // per entry a row: Phi
  const float* slopes = nullptr;      // per entry a row: grad Phi . n
  const float* rest = nullptr;        // per tile three rows
  const float* normals = nullptr;     // the same
  const uint32_t* sums_of = nullptr;  // of each tile: where in sums, or no_sums: all are 1 and 0
  const float* sums = nullptr;        // two rows each: sum Phi, sum grad Phi . n
};

// What moves it: the mean displacement and what each node has beside it, all with the opposite
// sign, since x - 0 is x to the bit even where that is -0.
struct MeshlessMove {
  double back[3];     // minus the mean
  const float* left;  // per node four: mean - u, and one more
};

struct MeshlessLanes {
  const char* name = "";
  // x' and n' of the tiles [begin, end), written to where their vertices are. Without `normals`
  // these are not looked at.
  void (*deform)(const MeshlessView& body, const MeshlessMove& move, std::size_t begin,
                 std::size_t end, float* positions, float* normals) = nullptr;
};

// The best that this machine has.
const MeshlessLanes& meshless_lanes();
// All that this machine can run, the baseline first.
std::size_t runnable_meshless_lanes(const MeshlessLanes* (&list)[3]);

}  // namespace sinew::kernels
