#include "nodes/kernels/lane_kernels.h"

namespace sinew::kernels {

namespace lanes_baseline {
extern const LaneKernels kernels;
}
#if defined(SINEW_LANES_X86)
namespace lanes_avx2 {
extern const LaneKernels kernels;
}
namespace lanes_avx512 {
extern const LaneKernels kernels;
}
#endif

std::size_t runnable_lane_kernels(const LaneKernels* (&list)[3]) {
  std::size_t count = 0;
  list[count++] = &lanes_baseline::kernels;
#if defined(SINEW_LANES_X86)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx2")) list[count++] = &lanes_avx2::kernels;
  if (__builtin_cpu_supports("avx512f")) list[count++] = &lanes_avx512::kernels;
#endif
  return count;
}

const LaneKernels& lane_kernels() {
  static const LaneKernels& best = []() -> const LaneKernels& {
    const LaneKernels* list[3];
    return *list[runnable_lane_kernels(list) - 1];
  }();
  return best;
}

}  // namespace sinew::kernels
