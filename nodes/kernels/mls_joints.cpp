#include "nodes/kernels/mls_joints.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "nodes/geometry/parallel.h"
#include "nodes/kernels/mls_rotation.h"
#include "nodes/kernels/mls_space.h"

namespace sinew::kernels {

namespace {

// From the distances of one joint to its weights.
void weigh(std::span<const double> distances, double alpha, std::span<double> weights,
           std::span<uint8_t> on) {
  double least = no_path;
  for (const double d : distances) {
    if (d > 0) least = std::min(least, d);
  }
  for (std::size_t k = 0; k < distances.size(); ++k) {
    const double d = distances[k];
    on[k] = d == 0;
    weights[k] = on[k] ? 1 : d < no_path ? std::pow(least / d, 2 * alpha) : 0;
  }
}

JointPose pose_one(const MlsJoints& joints, std::span<const Vec3d> places, std::size_t joint) {
  const std::size_t count = joints.controls.size();
  const std::span<const double> weights(joints.weights.data() + count * joint, count);
  const std::span<const uint8_t> on(joints.on.data() + count * joint, count);
  const bool held = std::find(on.begin(), on.end(), 1) != on.end();
  const auto rest = [&](std::size_t k) -> const Vec3d& { return joints.rest[joints.controls[k]]; };
  const auto posed = [&](std::size_t k) -> const Vec3d& { return places[joints.controls[k]]; };
  // Ways are averaged, not places: where nothing moves, nothing is rounded.
  double sum = 0;
  Vec3d from = Vec3d::Zero(), way = Vec3d::Zero();
  const Vec3d& here = joints.rest[joint];
  for (std::size_t k = 0; k < count; ++k) {
    if (held && !on[k]) continue;
    sum += weights[k];
    from += weights[k] * (rest(k) - here);
    way += weights[k] * (posed(k) - rest(k));
  }
  JointPose pose{Eigen::Matrix3d::Identity(), here};
  if (!(sum > 0)) return pose;
  const Vec3d mean = here + from / sum, moved = mean + way / sum;  // p*, q*
  MlsMoment moment;
  bool still = true;
  for (std::size_t k = 0; k < count; ++k) {
    if (!(weights[k] > 0)) continue;
    still = still && posed(k) == rest(k);
    moment.add(weights[k], rest(k) - mean, posed(k) - moved, joints.axis);
  }
  if (still) return pose;
  pose.turn =
      joints.turn == MlsTurn::steady ? moment.steady_rotation() : moment.best_rotation(joints.axis);
  pose.place = pose.turn * (here - mean) + moved;
  if (std::count(on.begin(), on.end(), 1) == 1) {  // where it was put, to the bit
    pose.place = posed(static_cast<std::size_t>(std::find(on.begin(), on.end(), 1) - on.begin()));
  }
  return pose;
}

}  // namespace

MlsJoints prepare_joints(const Skeleton& skeleton, std::span<const uint8_t> controls,
                         const MlsJointOptions& options) {
  if (auto wrong = validate(skeleton)) throw std::invalid_argument(*wrong);
  if (controls.size() != skeleton.joint_count()) {
    throw std::invalid_argument(fmt::format("a skeleton of {} joints is given {} controls",
                                            skeleton.joint_count(), controls.size()));
  }
  if (!(options.alpha >= least_mls_alpha && options.alpha <= greatest_mls_alpha)) {
    throw std::invalid_argument(fmt::format("alpha is {:g}, but must be from {:g} to {:g}",
                                            options.alpha, least_mls_alpha, greatest_mls_alpha));
  }
  MlsJoints joints;
  joints.rest = skeleton.rest_places();
  joints.turn = options.turn;
  joints.axis = flat_axis(joints.rest);
  for (std::size_t j = 0; j < controls.size(); ++j) {
    if (controls[j]) joints.controls.push_back(static_cast<uint32_t>(j));
  }
  const std::vector<double> distances = path_distances(skeleton, joints.controls);
  const std::size_t count = joints.controls.size();
  joints.weights.resize(distances.size());
  joints.on.resize(distances.size());
  for (std::size_t j = 0; j < joints.rest.size(); ++j) {
    weigh({distances.data() + count * j, count}, options.alpha,
          {joints.weights.data() + count * j, count}, {joints.on.data() + count * j, count});
  }
  return joints;
}

std::vector<JointPose> pose_joints(const MlsJoints& joints, std::span<const Vec3d> places) {
  if (places.size() != joints.rest.size()) {
    throw std::invalid_argument(
        fmt::format("{} joints are given {} places", joints.rest.size(), places.size()));
  }
  for (const uint32_t j : joints.controls) {
    if (!places[j].allFinite()) {
      throw std::invalid_argument(fmt::format("joint {} is not at a finite place", j + 1));
    }
  }
  std::vector<JointPose> posed(joints.rest.size());
  parallel_blocks(
      posed.size(),
      [&](std::size_t begin, std::size_t end) {
        for (std::size_t j = begin; j < end; ++j) posed[j] = pose_one(joints, places, j);
      },
      64);
  return posed;
}

std::size_t byte_size(const MlsJoints& joints) {
  return sizeof joints + sizeof(Vec3d) * joints.rest.size() + 4 * joints.controls.size() +
         sizeof(double) * joints.weights.size() + joints.on.size();
}

}  // namespace sinew::kernels
