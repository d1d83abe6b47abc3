// For loops on one thread that take long: they ask now and then whether their work is still wanted.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>

#include "base/stop.h"
#include "nodes/geometry/types.h"

namespace sinew {

inline void stop_if_wanted() {
  if (stop_wanted()) throw Stopped();
}

// To be called once a turn: asks every few thousand turns.
class StopCheck {
 public:
  void operator()() {
    if (++turns_ % 4096 == 0) stop_if_wanted();
  }

 private:
  std::size_t turns_ = 0;
};

// std::sort, for what is long. When it is stopped, the elements are in some order.
template <class Iterator, class Less = std::less<>>
void stoppable_sort(Iterator begin, Iterator end, const Less& less = {}) {
  StopCheck check;
  std::sort(begin, end, [&](const auto& a, const auto& b) {
    check();
    return less(a, b);
  });
}

}  // namespace sinew
