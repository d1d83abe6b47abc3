// Ends what a test has begun and what would never end by itself: an endless loop that can be
// stopped is a test that fails, not one that hangs. It counts the time that the program computes,
// so that a machine which is busy with other things changes nothing, and is far longer than
// anything takes that ends.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <ctime>
#include <mutex>
#include <thread>

namespace sinew::testing {

// True as soon as the program has computed for so many seconds since this was made.
class Deadline {
 public:
  explicit Deadline(int seconds)
      : thread_([this, seconds, begun = std::clock()] {
          std::unique_lock lock(mutex_);
          const auto ended = [this] { return over_; };
          while (!end_.wait_for(lock, std::chrono::milliseconds(200), ended)) {
            if ((std::clock() - begun) / CLOCKS_PER_SEC >= seconds) passed_ = true;
          }
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
