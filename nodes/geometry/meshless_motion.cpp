#include "nodes/geometry/meshless_motion.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace sinew {

double Motion::first_time() const {
  double first = std::numeric_limits<double>::infinity();
  for (const BodyMotion& b : bodies) first = std::min(first, b.frames.front().time);
  return bodies.empty() ? 0 : first;
}

double Motion::last_time() const {
  double last = -std::numeric_limits<double>::infinity();
  for (const BodyMotion& b : bodies) last = std::max(last, b.frames.back().time);
  return bodies.empty() ? 0 : last;
}

std::size_t byte_size(const Motion& motion) {
  std::size_t bytes = sizeof motion;
  for (const BodyMotion& b : motion.bodies) {
    bytes += sizeof b;
    for (const MotionFrame& f : b.frames) {
      bytes += sizeof f + f.places.size() * sizeof(Vec3d);
      if (f.velocities) bytes += f.velocities->size() * sizeof(Vec3d);
    }
  }
  for (const EnergyCurve& c : motion.rounds) bytes += sizeof c + c.points.size() * 16;
  return bytes;
}

std::optional<std::string> validate(const Motion& motion) {
  for (const BodyMotion& b : motion.bodies) {
    for (const MotionFrame& f : b.frames) {
      for (std::size_t i = 0; i < f.places.size(); ++i) {
        if (f.places[i].allFinite()) continue;
        return fmt::format("the place of node {} at {:g} s is not a number", i, f.time);
      }
    }
  }
  return std::nullopt;
}

}  // namespace sinew
