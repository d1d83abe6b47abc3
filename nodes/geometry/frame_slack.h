// Times that should be that of a frame. Steps, periods and delays are decimals and floats, so that
// their sums come near a frame, not to it.
#pragma once

#include <algorithm>
#include <cmath>

namespace sinew {

// What jumps within so much of a frame after a frame is there at that frame.
inline constexpr double frame_slack = 1e-3;
// The same in seconds, for what was written in seconds and does not depend on the rate of frames.
inline constexpr double seconds_slack = 1e-5;

// The frame of a time, for people to read.
inline double frame_at(double seconds, double fps) { return seconds * fps; }

// How many rounds of a length are over at a time. A round that will be over within `slack`, but no
// more than a thousandth of it, is over.
inline double rounds_over(double time, double length, double slack) {
  const double rounds = std::floor(time / length);
  const double left = length - (time - rounds * length);
  return left <= std::min(slack, 1e-3 * length) ? rounds + 1 : rounds;
}

}  // namespace sinew
