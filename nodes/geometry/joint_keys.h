// Joints that are moved by hand: which, how far from where they rest, and, for keys, at which
// frame. They belong to no skeleton: a list fits every one that has joints of these names.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "nodes/geometry/types.h"

namespace sinew {

struct JointKey {
  std::string joint;  // its name
  Vec3f by{0, 0, 0};  // m
  double frame = 0;   // of a key; a pose has none

  bool operator==(const JointKey&) const = default;
};

struct JointKeys {
  std::vector<JointKey> list;  // of several for one joint and frame the last counts

  std::size_t size() const { return list.size(); }
  bool operator==(const JointKeys&) const = default;
};

inline constexpr std::size_t most_joint_keys = 100000;
inline constexpr float farthest_joint_key = 1e9f;  // m
inline constexpr double last_joint_frame = 1e8;

// What is wrong, with the first bad key (counted from 1), or nothing: too many, a joint without a
// name, a way that is no number or too far, a frame beyond all films.
std::optional<std::string> validate(const JointKeys& keys);

std::size_t byte_size(const JointKeys& keys);

}  // namespace sinew
