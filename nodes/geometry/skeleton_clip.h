// A motion of a skeleton's joints as places over time, from a file. It holds no rotations and no
// lengths of bones: whoever plays it asks where the joints are, which is what leads a body in MLS
// skinning. Where files turn bones, there are so many samples that arcs stay arcs between them
// (skeleton_files.h).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "nodes/geometry/skeleton.h"
#include "nodes/geometry/types.h"

namespace sinew {

struct SkeletonClip {
  std::string name;
  std::vector<double> times;        // s, increasing, first 0
  std::vector<Vec3d> places;        // of joint j at time k: entry joint_count() * k + j, m
  std::vector<std::string> joints;  // their names, in order

  // A clip of no length: the skeleton at rest.
  static SkeletonClip at_rest(const Skeleton& skeleton);

  std::size_t joint_count() const { return joints.size(); }
  double duration() const { return times.empty() ? 0 : times.back(); }  // s
  // Where a joint is, on the straight line between two samples. Before the first and after the last
  // it stays where they are. The clip must be valid and have samples.
  Vec3d place(std::size_t joint, double seconds) const;
  std::vector<Vec3d> places_at(double seconds) const;  // of all joints; none if it has no samples

  bool operator==(const SkeletonClip&) const = default;
};

// The first thing that is wrong, or nothing: times that do not begin at 0 or do not increase, more
// or fewer places than joints and times, a place that is not finite, joints and no time.
std::optional<std::string> validate(const SkeletonClip& clip);

std::size_t byte_size(const SkeletonClip& clip);

template <class Hash>
void visit_content(const SkeletonClip& clip, Hash&& hash) {
  hash(bytes_of(std::array{uint64_t{clip.name.size()}, uint64_t{clip.times.size()},
                           uint64_t{clip.places.size()}, uint64_t{clip.joints.size()}}));
  hash(bytes_of(clip.name));
  hash(bytes_of(clip.times));
  static_assert(sizeof(Vec3d) == 3 * sizeof(double));
  hash(bytes_of(clip.places));
  for (const std::string& joint : clip.joints) {
    hash(bytes_of(std::array{uint64_t{joint.size()}}));
    hash(bytes_of(joint));
  }
}

}  // namespace sinew
