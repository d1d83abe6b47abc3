#include "nodes/geometry/joint_keys.h"

#include <fmt/format.h>

#include <cmath>

namespace sinew {

std::optional<std::string> validate(const JointKeys& keys) {
  if (keys.size() > most_joint_keys) {
    return fmt::format("{} keys, but at most {} are allowed", keys.size(), most_joint_keys);
  }
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const JointKey& key = keys.list[i];
    if (key.joint.empty()) return fmt::format("key {}: it names no joint", i + 1);
    if (!(key.by.cwiseAbs().maxCoeff() <= farthest_joint_key)) {
      return fmt::format("key {}: '{}' must be moved by numbers, and by {:g} m at most", i + 1,
                         key.joint, farthest_joint_key);
    }
    if (!(std::abs(key.frame) <= last_joint_frame)) {
      return fmt::format("key {}: its frame must be from {:g} to {:g}", i + 1, -last_joint_frame,
                         last_joint_frame);
    }
  }
  return std::nullopt;
}

std::size_t byte_size(const JointKeys& keys) {
  std::size_t sum = sizeof keys;
  for (const JointKey& key : keys.list) sum += sizeof key + key.joint.size();
  return sum;
}

}  // namespace sinew
