// Ends what a test has begun and what would never end by itself: an endless loop that can be
// stopped is a test that fails, not one that hangs. It says nothing of how fast something is.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace sinew::testing {

// True from so many seconds after it was made; while it lives.
class Deadline {
 public:
  explicit Deadline(int seconds)
      : thread_([this, seconds] {
          std::unique_lock lock(mutex_);
          const auto ended = [this] { return over_; };
          if (!end_.wait_for(lock, std::chrono::seconds(seconds), ended)) passed_ = true;
        }) {}
  ~Deadline() {
    {
      const std::lock_guard lock(mutex_);
      over_ = true;
    }
    end_.notify_all();
    thread_.join();
  }
  Deadline(const Deadline&) = delete;
  Deadline& operator=(const Deadline&) = delete;

  const std::atomic<bool>& passed() const { return passed_; }

 private:
  std::atomic<bool> passed_ = false;
  std::mutex mutex_;
  std::condition_variable end_;
  bool over_ = false;
  std::thread thread_;  // the last: it begins when all else is there
};

}  // namespace sinew::testing
