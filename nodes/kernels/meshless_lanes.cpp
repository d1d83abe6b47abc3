#include "nodes/kernels/meshless_lanes.h"

namespace sinew::kernels {

namespace lanes_baseline {
extern const MeshlessLanes meshless_kernels;
}
#if defined(SINEW_LANES_X86)
namespace lanes_avx2 {
extern const MeshlessLanes meshless_kernels;
}
namespace lanes_avx512 {
extern const MeshlessLanes meshless_kernels;
}
#endif

std::size_t runnable_meshless_lanes(const MeshlessLanes* (&list)[3]) {
  std::size_t count = 0;
  list[count++] = &lanes_baseline::meshless_kernels;
#if defined(SINEW_LANES_X86)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx2")) list[count++] = &lanes_avx2::meshless_kernels;
  if (__builtin_cpu_supports("avx512f")) list[count++] = &lanes_avx512::meshless_kernels;
#endif
  return count;
}

const MeshlessLanes& meshless_lanes() {
  static const MeshlessLanes& best = []() -> const MeshlessLanes& {
    const MeshlessLanes* list[3];
    return *list[runnable_meshless_lanes(list) - 1];
  }();
  return best;
}

}  // namespace sinew::kernels
