// An orientation per vertex: three orthonormal, right-handed directions. In ProcDef's words the
// primary direction d1 follows the drawn strokes, the secondary d2 goes across the layers, and the
// tertiary d3 = d1 x d2 [Ijiri09, section 3].
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "nodes/geometry/types.h"

namespace sinew {

struct Frames {
  std::vector<Vec3f> primary, secondary, tertiary;  // one each per vertex

  std::size_t size() const { return primary.size(); }
  bool operator==(const Frames&) const = default;
};

// What is wrong, with the first bad index, or nothing: arrays of different sizes, a direction that
// is not finite, directions that are not orthonormal and right-handed to 1e-4.
std::optional<std::string> validate(const Frames& frames);

std::size_t byte_size(const Frames& frames);

template <class Hash>
void visit_content(const Frames& frames, Hash&& hash) {
  const std::array<uint64_t, 1> head = {frames.size()};
  hash(bytes_of(head));
  hash(bytes_of(frames.primary));
  hash(bytes_of(frames.secondary));
  hash(bytes_of(frames.tertiary));
}

}  // namespace sinew
