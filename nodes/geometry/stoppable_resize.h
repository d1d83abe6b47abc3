// Room for much: the system hands out memory page by page as it is written to, which for some
// hundred megabytes takes longer than a stop may wait.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "nodes/geometry/stop_check.h"

namespace sinew {

// list.resize(count), which asks after every few megabytes whether its work is still wanted.
template <class T>
void stoppable_resize(std::vector<T>& list, std::size_t count) {
  constexpr std::size_t piece = std::max<std::size_t>((std::size_t{4} << 20) / sizeof(T), 1);
  list.reserve(count);
  while (list.size() + piece < count) {
    stop_if_wanted();
    list.resize(list.size() + piece);
  }
  list.resize(count);
}

}  // namespace sinew
