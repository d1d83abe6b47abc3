// The wish to stop, as the code sees it that is in the middle of long work: whoever starts the work
// says in a StopScope which flag counts, and every loop below it on that thread can ask. Loops that
// run on other threads hand the flag on. No flag: nobody wishes to stop.
#pragma once

#include <atomic>

namespace sinew {

namespace stop_detail {
inline constinit thread_local const std::atomic<bool>* flag = nullptr;
}

inline const std::atomic<bool>* stop_flag() { return stop_detail::flag; }

inline bool stop_wanted() {
  const std::atomic<bool>* flag = stop_flag();
  return flag && flag->load(std::memory_order_relaxed);
}

// While it lives, this flag counts on this thread.
class StopScope {
 public:
  explicit StopScope(const std::atomic<bool>* flag) : before_(stop_detail::flag) {
    stop_detail::flag = flag;
  }
  ~StopScope() { stop_detail::flag = before_; }
  StopScope(const StopScope&) = delete;
  StopScope& operator=(const StopScope&) = delete;

 private:
  const std::atomic<bool>* before_;
};

}  // namespace sinew
