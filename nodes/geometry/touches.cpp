#include "nodes/geometry/touches.h"

#include <fmt/format.h>

#include <cmath>

namespace sinew {

std::optional<std::string> validate(const Touches& touches) {
  if (touches.size() > most_touches) {
    return fmt::format("{} touches, but at most {} are allowed", touches.size(), most_touches);
  }
  for (std::size_t i = 0; i < touches.size(); ++i) {
    const TouchEvent& touch = touches.list[i];
    if (touch.frame < -last_touch_frame || touch.frame > last_touch_frame) {
      return fmt::format("touch {}: its frame must be from {} to {}", i + 1, -last_touch_frame,
                         last_touch_frame);
    }
    if (!(touch.at.cwiseAbs().maxCoeff() <= farthest_touch) || !touch.at.allFinite()) {
      return fmt::format("touch {}: its place must be within {} m", i + 1, farthest_touch);
    }
  }
  return std::nullopt;
}

std::size_t byte_size(const Touches& touches) {
  return sizeof touches + touches.size() * sizeof(TouchEvent);
}

}  // namespace sinew
