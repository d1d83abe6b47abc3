#include "nodes/kernels/voo_lanes.h"

namespace sinew::kernels {

namespace lanes_baseline {
extern const VooLanes voo_kernels;
}
#if defined(SINEW_LANES_X86)
namespace lanes_avx2 {
extern const VooLanes voo_kernels;
}
namespace lanes_avx512 {
extern const VooLanes voo_kernels;
}
#endif

std::size_t runnable_voo_lanes(const VooLanes* (&list)[3]) {
  std::size_t count = 0;
  list[count++] = &lanes_baseline::voo_kernels;
#if defined(SINEW_LANES_X86)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx2")) list[count++] = &lanes_avx2::voo_kernels;
  if (__builtin_cpu_supports("avx512f")) list[count++] = &lanes_avx512::voo_kernels;
#endif
  return count;
}

const VooLanes& voo_lanes() {
  static const VooLanes& best = []() -> const VooLanes& {
    const VooLanes* list[3];
    return *list[runnable_voo_lanes(list) - 1];
  }();
  return best;
}

}  // namespace sinew::kernels
