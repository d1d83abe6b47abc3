#include "nodes/kernels/mls_lanes.h"

namespace sinew::kernels {

namespace lanes_baseline {
extern const MlsLanes mls_kernels;
}
#if defined(SINEW_LANES_X86)
namespace lanes_avx2 {
extern const MlsLanes mls_kernels;
}
namespace lanes_avx512 {
extern const MlsLanes mls_kernels;
}
#endif

std::size_t runnable_mls_lanes(const MlsLanes* (&list)[3]) {
  std::size_t count = 0;
  list[count++] = &lanes_baseline::mls_kernels;
#if defined(SINEW_LANES_X86)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx2")) list[count++] = &lanes_avx2::mls_kernels;
  if (__builtin_cpu_supports("avx512f")) list[count++] = &lanes_avx512::mls_kernels;
#endif
  return count;
}

const MlsLanes& mls_lanes() {
  static const MlsLanes& best = []() -> const MlsLanes& {
    const MlsLanes* list[3];
    return *list[runnable_mls_lanes(list) - 1];
  }();
  return best;
}

}  // namespace sinew::kernels
