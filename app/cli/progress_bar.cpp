#include "app/cli/progress_bar.h"

#include <fmt/format.h>
#include <sys/ioctl.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "graph/plain_text.h"

namespace sinew::cli {
namespace {

constexpr int least_bar = 10, most_bar = 40;  // columns between the brackets

bool is_terminal(int fd) {
  const char* kind = std::getenv("TERM");
  return ::isatty(fd) && std::string_view(kind ? kind : "") != "dumb";
}

int terminal_width(int fd) {
  winsize size{};
  return ::ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

void print(int fd, std::string_view text) {
  // A terminal that is gone is no reason to stop the work.
  [[maybe_unused]] const ssize_t written = ::write(fd, text.data(), text.size());
}

double share_of(const ProgressNumbers& n) {
  if (n.total <= 0) return 0;
  return std::clamp(static_cast<double>(n.done) / static_cast<double>(n.total), 0.0, 1.0);
}

std::string speed_text(double seconds_per_frame) {
  if (!(seconds_per_frame > 0)) return "";
  if (seconds_per_frame > 1) return fmt::format("{:.1f} s/frame", seconds_per_frame);
  const double speed = 1 / seconds_per_frame;
  return fmt::format("{:.{}f} frames/s", speed, speed < 10 ? 1 : 0);
}

std::string bar_text(double share, int columns) {
  const auto full = static_cast<size_t>(share * columns);
  return fmt::format("[{}{}]", std::string(full, '#'), std::string(columns - full, '-'));
}

}  // namespace

void Pace::add(int64_t frames, double seconds) {
  if (frames <= 0 || !(seconds >= 0)) return;
  const double fade = std::exp(-std::min(static_cast<double>(frames) / 8, seconds / 15));
  frames_ = fade * frames_ + static_cast<double>(frames);
  seconds_ = fade * seconds_ + seconds;
}

double Pace::seconds_per_frame() const { return frames_ > 0 ? seconds_ / frames_ : 0; }

std::string time_left_text(double seconds) {
  if (!(seconds >= 0)) return "";
  if (seconds < 8) return "a few seconds left";
  // Steps of 5 s, 1 min, 10 min: none is finer than the estimate is good.
  const auto in_steps = [&](double step) { return std::llround(seconds / step); };
  if (const auto fives = in_steps(5); fives < 12) return fmt::format("about {} s left", 5 * fives);
  if (const auto minutes = in_steps(60); minutes < 60)
    return fmt::format("about {} min left", minutes);
  const auto tens = in_steps(600);
  if (tens >= 6 * 24) return fmt::format("about {} h left", in_steps(3600));
  return tens % 6 == 0 ? fmt::format("about {} h left", tens / 6)
                       : fmt::format("about {} h {} min left", tens / 6, 10 * (tens % 6));
}

std::string progress_text(std::string_view label, const ProgressNumbers& n, int width) {
  // The last column stays free: some terminals break the line there.
  const size_t room = static_cast<size_t>(std::max(0, width - 1));
  const double share = share_of(n);
  const std::string count = fmt::format("{}/{}", n.done, n.total);
  const std::string percent = fmt::format("{:.0f}%", std::floor(100 * share));
  const std::string left = time_left_text(n.seconds_left);
  // In the order of the line, each with its importance; 0 is never left out.
  struct Part {
    std::string text;
    int importance;
  };
  std::vector<Part> parts = {{std::string(label), 3},
                             {bar_text(share, least_bar), 4},
                             {count, 0},
                             {percent, 2},
                             {speed_text(n.seconds_per_frame), 5},
                             {left, 1}};
  std::erase_if(parts, [](const Part& p) { return p.text.empty(); });
  const auto joined = [&] {
    std::string line;
    for (const Part& p : parts) line += (line.empty() ? "" : "  ") + p.text;
    return line;
  };
  for (int importance = 5; importance > 0 && joined().size() > room; --importance)
    std::erase_if(parts, [&](const Part& p) { return p.importance == importance; });
  // What is free makes the bar longer, in which a step is then finer.
  for (Part& p : parts) {
    if (p.importance != 4) continue;
    const size_t free = room - std::min(room, joined().size());
    p.text = bar_text(share, std::min(most_bar, least_bar + static_cast<int>(free)));
  }
  return joined().substr(0, room);
}

ProgressBar::ProgressBar(std::string label, int64_t total, int64_t already, int terminal)
    : label_(std::move(label)),
      total_(total),
      terminal_(terminal),
      done_(already),
      begin_(Clock::now()),
      last_(begin_) {
  if (is_terminal(terminal_)) thread_ = std::thread([this] { show(); });
}

ProgressBar::~ProgressBar() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
  erase();
}

void ProgressBar::advance(int64_t frames) {
  const std::lock_guard lock(mutex_);
  const Clock::time_point now = Clock::now();
  pace_.add(frames, std::chrono::duration<double>(now - last_).count());
  last_ = now;
  done_ += frames;
}

void ProgressBar::watch(std::function<std::string()> words) {
  const std::lock_guard lock(mutex_);
  words_ = std::move(words);
}

void ProgressBar::clear() {
  const std::lock_guard lock(mutex_);
  erase();
}

void ProgressBar::erase() {
  if (shown_) print(terminal_, "\r\033[K");
  shown_ = false;
}

ProgressNumbers ProgressBar::numbers(Clock::time_point now) const {
  ProgressNumbers n{done_, total_, pace_.seconds_per_frame(), -1};
  if (n.seconds_per_frame <= 0 || done_ >= total_) return n;
  // Between two frames it counts down, but a slow frame does not use up the time of the others.
  const double since = std::chrono::duration<double>(now - last_).count();
  const double rest = static_cast<double>(total_ - done_);
  n.seconds_left = n.seconds_per_frame * rest - std::min(since, n.seconds_per_frame);
  return n;
}

void ProgressBar::show() {
  using namespace std::chrono_literals;
  std::unique_lock lock(mutex_);
  while (!wake_.wait_for(lock, 250ms, [&] { return stop_; })) {
    const Clock::time_point now = Clock::now();
    if (now - begin_ < 500ms) continue;
    const int width = terminal_width(terminal_);
    std::string text = progress_text(label_, numbers(now), width);
    if (const std::string words = words_ ? words_() : ""; !words.empty())
      text = plain_line(fmt::format("{}: {}", label_, words))
                 .substr(0, static_cast<size_t>(std::max(0, width - 1)));
    print(terminal_, "\r" + text + "\033[K");
    shown_ = true;
  }
}

}  // namespace sinew::cli
