#include "app/cli/frame_range.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdint>

#include "graph/json_reader.h"

namespace sinew::cli {
namespace {

int64_t count_of(const FrameRange& range) {
  return (static_cast<int64_t>(range.last) - range.first) / range.step + 1;
}

Result<int> read_number(std::string_view number, std::string_view text) {
  int value = 0;
  const char* end = number.data() + number.size();
  const auto [stop, error] = std::from_chars(number.data(), end, value);
  if (error == std::errc::result_out_of_range && stop == end)
    return Error{
        fmt::format("'{}': the number {} is too large", shortened(text), shortened(number))};
  if (error != std::errc() || stop != end)
    return Error{fmt::format(
        "'{}' is not a range of frames; it must be A:B, A:B:STEP or one frame, in whole numbers, "
        "such as 1:250, 1:250:5 or 12",
        shortened(text))};
  return value;
}

}  // namespace

int FrameRange::count() const { return static_cast<int>(count_of(*this)); }

int FrameRange::frame(int index) const {
  return static_cast<int>(first + static_cast<int64_t>(index) * step);
}

bool FrameRange::contains(int frame) const {
  return frame >= first && frame <= last && (static_cast<int64_t>(frame) - first) % step == 0;
}

std::vector<int> FrameRange::frames() const {
  std::vector<int> list(static_cast<size_t>(count()));
  for (int i = 0; i < count(); ++i) list[static_cast<size_t>(i)] = frame(i);
  return list;
}

std::string FrameRange::text() const {
  if (first == last) return fmt::format("{}", first);
  return step == 1 ? fmt::format("{}:{}", first, last) : fmt::format("{}:{}:{}", first, last, step);
}

Result<FrameRange> parse_frame_range(std::string_view text) {
  std::vector<int> numbers;
  for (std::string_view rest = text;;) {
    const size_t colon = rest.find(':');
    const Result<int> number = read_number(rest.substr(0, colon), text);
    if (!number) return Error{number.error()};
    numbers.push_back(*number);
    if (colon == std::string_view::npos) break;
    rest.remove_prefix(colon + 1);
    if (numbers.size() == 3)
      return Error{fmt::format("'{}' has too many parts; it must be A:B, A:B:STEP or one frame",
                               shortened(text))};
  }
  FrameRange range{numbers[0], numbers.size() > 1 ? numbers[1] : numbers[0], 1};
  if (numbers.size() == 3) range.step = numbers[2];
  if (range.step < 1)
    return Error{fmt::format("'{}': the step is {}, but must be 1 or more", text, range.step)};
  if (range.last < range.first)
    return Error{fmt::format("'{}' goes backwards; the first frame comes first: {}", text,
                             FrameRange{range.last, range.first, range.step}.text())};
  if (const int64_t count = count_of(range); count > max_frame_count)
    return Error{fmt::format("'{}' has {} frames; at most {} are allowed, so take a larger step",
                             text, count, max_frame_count)};
  return range;
}

}  // namespace sinew::cli
