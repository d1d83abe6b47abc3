// Where and when a body is touched. Places are in rest space, metres, and need not lie on the body:
// a touch acts at the place of it that is closest.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "nodes/geometry/types.h"

namespace sinew {

struct TouchEvent {
  int32_t frame = 0;
  Vec3f at{0, 0, 0};

  bool operator==(const TouchEvent&) const = default;
};

struct Touches {
  std::vector<TouchEvent> list;  // in any order; all of them count

  std::size_t size() const { return list.size(); }
  bool operator==(const Touches&) const = default;
};

// More would make a list that nobody touched.
inline constexpr std::size_t most_touches = 1000;
// Beyond a year of frames at any rate, and far from where the time of a frame loses its digits.
inline constexpr int32_t last_touch_frame = 1000000000;
// Farther off than any body reaches.
inline constexpr float farthest_touch = 1e9f;

// What is wrong, with the first bad touch (counted from 1), or nothing: too many, a frame or a
// place beyond what is above.
std::optional<std::string> validate(const Touches& touches);

std::size_t byte_size(const Touches& touches);

}  // namespace sinew
