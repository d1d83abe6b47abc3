#include "nodes/geometry/skeleton_clip.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

// Two samples and how far the moment is from the first to the second.
struct Between {
  std::size_t first = 0, second = 0;
  double share = 0;
};

Between between(const std::vector<double>& times, double seconds) {
  if (!(seconds > times.front())) return {};  // no number is the beginning, too
  const std::size_t last = times.size() - 1;
  if (seconds >= times[last]) return {last, last, 0};
  const auto after = std::upper_bound(times.begin(), times.end(), seconds);
  const auto second = static_cast<std::size_t>(after - times.begin());
  const double from = times[second - 1];
  return {second - 1, second, (seconds - from) / (times[second] - from)};
}

std::optional<std::string> wrong_times(const std::vector<double>& times) {
  for (std::size_t k = 0; k < times.size(); ++k) {
    if (!std::isfinite(times[k])) return fmt::format("sample {}: its time is not finite", k + 1);
    if (k == 0 && times[0] != 0) return fmt::format("it begins at {:g} s, not at 0", times[0]);
    if (k > 0 && times[k] <= times[k - 1]) {
      return fmt::format("sample {}: it is at {:g} s, but the one before it at {:g} s", k + 1,
                         times[k], times[k - 1]);
    }
  }
  return std::nullopt;
}

}  // namespace

SkeletonClip SkeletonClip::at_rest(const Skeleton& skeleton) {
  SkeletonClip clip{"rest", {0}, skeleton.rest_places(), {}};
  for (const SkeletonJoint& joint : skeleton.joints) clip.joints.push_back(joint.name);
  return clip;
}

Vec3d SkeletonClip::place(std::size_t joint, double seconds) const {
  const Between at = between(times, seconds);
  const Vec3d& from = places[joint_count() * at.first + joint];
  if (at.share == 0) return from;
  return from + at.share * (places[joint_count() * at.second + joint] - from);
}

std::vector<Vec3d> SkeletonClip::places_at(double seconds) const {
  std::vector<Vec3d> all;
  if (times.empty()) return all;
  const Between at = between(times, seconds);
  const Vec3d* const from = places.data() + joint_count() * at.first;
  const Vec3d* const to = places.data() + joint_count() * at.second;
  all.reserve(joint_count());
  for (std::size_t j = 0; j < joint_count(); ++j) {
    all.push_back(at.share == 0 ? from[j] : Vec3d(from[j] + at.share * (to[j] - from[j])));
  }
  return all;
}

std::optional<std::string> validate(const SkeletonClip& clip) {
  if (clip.joint_count() > most_joints) {
    return fmt::format("there are {} joints, but at most {} are taken", clip.joint_count(),
                       most_joints);
  }
  if (clip.joint_count() > 0 && clip.times.empty()) return "it has joints, but no samples";
  if (auto wrong = wrong_times(clip.times)) return wrong;
  if (clip.places.size() != clip.joint_count() * clip.times.size()) {
    return fmt::format("there are {} places, but {} joints at {} times", clip.places.size(),
                       clip.joint_count(), clip.times.size());
  }
  for (std::size_t i = 0; i < clip.places.size(); ++i) {
    const Vec3d& p = clip.places[i];
    if (p.allFinite() && p.cwiseAbs().maxCoeff() <= farthest_joint) continue;
    return fmt::format(
        "'{}': its place at {:g} s must be finite, and at most {:g} m from the "
        "origin",
        clip.joints[i % clip.joint_count()], clip.times[i / clip.joint_count()], farthest_joint);
  }
  return std::nullopt;
}

std::size_t byte_size(const SkeletonClip& clip) {
  std::size_t sum = sizeof clip + clip.name.size() + sizeof(double) * clip.times.size() +
                    sizeof(Vec3d) * clip.places.size();
  for (const std::string& joint : clip.joints) sum += sizeof joint + joint.size();
  return sum;
}

}  // namespace sinew
