// A line on a terminal for work of many frames: a bar, how many are done, how fast, and how long it
// will take. Nothing in a pipe.
#pragma once

#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

namespace sinew::cli {

// How long a frame takes, averaged over about the last eight frames or 15 seconds, whichever is
// longer: steady, and yet not misled by how fast the first frames were.
class Pace {
 public:
  void add(int64_t frames, double seconds);
  double seconds_per_frame() const;  // 0: not known yet

 private:
  double frames_ = 0, seconds_ = 0;  // both fade
};

struct ProgressNumbers {
  int64_t done = 0, total = 0;
  double seconds_per_frame = 0;  // 0: not known yet
  double seconds_left = -1;      // negative: not known yet
};

// "rendering [#####-----] 12/24 50% 3.2 frames/s, about 2 min left": as much of it as fits into
// `width` columns, the least important left out first.
std::string progress_text(std::string_view label, const ProgressNumbers& numbers, int width);
// "about 2 min left", rounded so that it does not change all the time.
std::string time_left_text(double seconds);

// Shows itself after half a second, redraws itself in a thread of its own, and is gone at its end.
class ProgressBar {
 public:
  // `already` of the total are done by an earlier call and say nothing about the pace.
  ProgressBar(std::string label, int64_t total, int64_t already = 0, int terminal = STDERR_FILENO);
  ~ProgressBar();

  // So many frames more are done. From any thread.
  void advance(int64_t frames = 1);
  // Asked with each redraw, from the bar's own thread: what takes so long now; empty: nothing.
  void watch(std::function<std::string()> words);
  // Frees the line for a message; the bar comes back with its next redraw.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  void show();
  void erase();
  ProgressNumbers numbers(Clock::time_point now) const;

  const std::string label_;
  std::function<std::string()> words_;
  const int64_t total_;
  const int terminal_;
  std::mutex mutex_;
  std::condition_variable wake_;
  int64_t done_;
  Pace pace_;
  Clock::time_point begin_, last_;  // of the work, and of the newest frame
  bool stop_ = false, shown_ = false;
  std::thread thread_;
};

}  // namespace sinew::cli
