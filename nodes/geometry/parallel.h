// Loops over index ranges whose results do not depend on the number of threads: blocks have a fixed
// size, each element is written by one block, and sums are added in the order of the blocks. Each
// loop asks before every block whether its work is still wanted (base/stop.h), and leaves by
// Stopped if not, so that whatever is made of loops can be stopped.
#pragma once

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "nodes/geometry/stop_check.h"

namespace sinew {

inline constexpr std::size_t default_block = 4096;

// ThreadSanitizer does not see how TBB, which is built without it, hands work over; these tell it.
#if defined(__SANITIZE_THREAD__)
extern "C" void __tsan_acquire(void*);
extern "C" void __tsan_release(void*);
inline char loop_handover;
inline void hand_over() { __tsan_release(&loop_handover); }
inline void take_over() { __tsan_acquire(&loop_handover); }
#else
inline void hand_over() {}
inline void take_over() {}
#endif

// Calls body(begin, end) for consecutive blocks of [0, count), in parallel.
template <class Body>
void parallel_blocks(std::size_t count, const Body& body, std::size_t block = default_block) {
  if (count == 0) return;
  stop_if_wanted();
  if (count <= block) {
    body(std::size_t{0}, count);
    return;
  }
  const std::size_t blocks = (count + block - 1) / block;
  const std::atomic<bool>* const stop = stop_flag();
  hand_over();
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, blocks, 1),
                    [&](const tbb::blocked_range<std::size_t>& range) {
                      take_over();
                      const StopScope scope(stop);
                      for (std::size_t b = range.begin(); b != range.end(); ++b) {
                        if (stop_wanted()) break;
                        body(b * block, std::min(count, (b + 1) * block));
                      }
                      hand_over();
                    });
  take_over();
  stop_if_wanted();
}

// Calls body(i) for each i of [0, count), in parallel: for few, large pieces of work.
template <class Body>
void parallel_each(std::size_t count, const Body& body) {
  parallel_blocks(
      count, [&](std::size_t i, std::size_t) { body(i); }, 1);
}

// Combines body(begin, end) of all blocks, from the first to the last, starting at `start`.
template <class Value, class Body, class Combine>
Value parallel_reduce_ordered(std::size_t count, Value start, const Body& body,
                              const Combine& combine, std::size_t block = default_block) {
  if (count == 0) return start;
  std::vector<Value> partial((count + block - 1) / block, start);
  parallel_blocks(
      count, [&](std::size_t begin, std::size_t end) { partial[begin / block] = body(begin, end); },
      block);
  for (const Value& value : partial) start = combine(start, value);
  return start;
}

}  // namespace sinew
