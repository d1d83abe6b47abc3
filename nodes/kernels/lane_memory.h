// Memory aligned for lanes: no row of 16 floats lies across two lines of the cache.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace sinew::kernels {

template <class T>
struct LaneAllocator {
  using value_type = T;
  T* allocate(std::size_t n) {
    return static_cast<T*>(::operator new(n * sizeof(T), std::align_val_t(64)));
  }
  void deallocate(T* p, std::size_t) { ::operator delete(p, std::align_val_t(64)); }
  bool operator==(const LaneAllocator&) const = default;
};
using LaneFloats = std::vector<float, LaneAllocator<float>>;

}  // namespace sinew::kernels
