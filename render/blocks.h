// Loops on all cores, cut into blocks of a fixed size: the work is cut the same way on any number
// of threads.
#pragma once

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cstddef>

namespace sinew::render {

// ThreadSanitizer does not see how TBB, which is built without it, hands work over; these tell it.
#if defined(__SANITIZE_THREAD__)
extern "C" void __tsan_acquire(void*);
extern "C" void __tsan_release(void*);
inline char block_handover;
inline void hand_over() { __tsan_release(&block_handover); }
inline void take_over() { __tsan_acquire(&block_handover); }
#else
inline void hand_over() {}
inline void take_over() {}
#endif

// Calls body(begin, end) for consecutive blocks of [0, count).
template <class Body>
void in_blocks(std::size_t count, const Body& body, std::size_t block = 2048) {
  if (count <= block) {
    if (count > 0) body(std::size_t{0}, count);
    return;
  }
  hand_over();
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, (count + block - 1) / block, 1),
                    [&](const tbb::blocked_range<std::size_t>& blocks) {
                      take_over();
                      for (std::size_t b = blocks.begin(); b != blocks.end(); ++b)
                        body(b * block, std::min(count, (b + 1) * block));
                      hand_over();
                    });
  take_over();
}

// Calls body(i) for each i of [0, count): for few, large pieces of work.
template <class Body>
void for_each(std::size_t count, const Body& body) {
  in_blocks(
      count, [&](std::size_t i, std::size_t) { body(i); }, 1);
}

}  // namespace sinew::render
