#include "nodes/kernels/ffd_lanes.h"

namespace sinew::kernels {

namespace lanes_baseline {
extern const FfdLanes ffd_kernels;
}
#if defined(SINEW_LANES_X86)
namespace lanes_avx2 {
extern const FfdLanes ffd_kernels;
}
namespace lanes_avx512 {
extern const FfdLanes ffd_kernels;
}
#endif

std::size_t runnable_ffd_lanes(const FfdLanes* (&list)[3]) {
  std::size_t count = 0;
  list[count++] = &lanes_baseline::ffd_kernels;
#if defined(SINEW_LANES_X86)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx2")) list[count++] = &lanes_avx2::ffd_kernels;
  if (__builtin_cpu_supports("avx512f")) list[count++] = &lanes_avx512::ffd_kernels;
#endif
  return count;
}

const FfdLanes& ffd_lanes() {
  static const FfdLanes& best = []() -> const FfdLanes& {
    const FfdLanes* list[3];
    return *list[runnable_ffd_lanes(list) - 1];
  }();
  return best;
}

}  // namespace sinew::kernels
