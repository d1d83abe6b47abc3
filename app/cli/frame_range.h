// The frames that a call asks for: "--frames 1:250", "--frames 0:100:5", "--frames 12".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "graph/result.h"

namespace sinew::cli {

struct FrameRange {
  int first = 0, last = 0;  // the last may lie between two steps: then the one before it is the end
  int step = 1;

  bool operator==(const FrameRange&) const = default;
  int count() const;
  int frame(int index) const;  // of 0 .. count() - 1
  bool contains(int frame) const;
  std::vector<int> frames() const;
  std::string text() const;  // as it is parsed, in its shortest form
};

inline constexpr int max_frame_count = 1'000'000;

// A:B, A:B:STEP or N; frames may be negative. The errors quote the text, and do not name the
// option.
Result<FrameRange> parse_frame_range(std::string_view text);

}  // namespace sinew::cli
