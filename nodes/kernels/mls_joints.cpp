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

// The controls as one joint sees them.
struct Fit {
  const MlsJoints& joints;
  std::size_t joint;
  std::span<const double> weights;
  std::span<const uint8_t> on;
  bool held;  // on one of them at least
  double sum = 0;
  Vec3d mean;  // p*

  Fit(const MlsJoints& of, std::size_t which)
      : joints(of),
        joint(which),
        weights(of.weights.data() + of.controls.size() * which, of.controls.size()),
        on(of.on.data() + of.controls.size() * which, of.controls.size()),
        held(std::find(on.begin(), on.end(), 1) != on.end()),
        mean(of.rest[which]) {
    Vec3d from = Vec3d::Zero();
    for (std::size_t k = 0; k < weights.size(); ++k) {
      if (!counts(k)) continue;
      sum += weights[k];
      from += weights[k] * (rest(k) - here());
    }
    if (sum > 0) mean += from / sum;
  }

  const Vec3d& here() const { return joints.rest[joint]; }
  const Vec3d& rest(std::size_t k) const { return joints.rest[joints.controls[k]]; }
  const Vec3d& posed(std::span<const Vec3d> places, std::size_t k) const {
    return places[joints.controls[k]];
  }
  // Whether a control has a part in where the joint is; the others only turn it.
  bool counts(std::size_t k) const { return !held || on[k]; }
  bool is_still(std::span<const Vec3d> places) const {
    for (std::size_t k = 0; k < weights.size(); ++k) {
      if (weights[k] > 0 && posed(places, k) != rest(k)) return false;
    }
    return true;
  }
  // q*. Ways are averaged, not places: where nothing moves, nothing is rounded.
  Vec3d moved(std::span<const Vec3d> places) const {
    Vec3d way = Vec3d::Zero();
    for (std::size_t k = 0; k < weights.size(); ++k) {
      if (counts(k)) way += weights[k] * (posed(places, k) - rest(k));
    }
    return mean + way / sum;
  }
  JointPose placed(const Eigen::Matrix3d& turn, const Vec3d& moved_mean,
                   std::span<const Vec3d> places) const {
    JointPose pose{turn, turn * (here() - mean) + moved_mean};
    if (std::count(on.begin(), on.end(), 1) == 1) {  // where it was put, to the bit
      const auto first = std::find(on.begin(), on.end(), 1);
      pose.place = posed(places, static_cast<std::size_t>(first - on.begin()));
    }
    return pose;
  }
};

JointPose pose_one(const Fit& fit, std::span<const Vec3d> places) {
  const JointPose rest{Eigen::Matrix3d::Identity(), fit.here()};
  if (!(fit.sum > 0) || fit.is_still(places)) return rest;
  const Vec3d moved = fit.moved(places);
  MlsMoment moment;
  for (std::size_t k = 0; k < fit.weights.size(); ++k) {
    if (!(fit.weights[k] > 0)) continue;
    moment.add(fit.weights[k], fit.rest(k) - fit.mean, fit.posed(places, k) - moved,
               fit.joints.axis);
  }
  const bool steady = fit.joints.turn == MlsTurn::steady;
  return fit.placed(steady ? moment.steady_rotation() : moment.best_rotation(fit.joints.axis),
                    moved, places);
}

// See the header.
JointPose carry_one(const Fit& fit, const JointPose& last, std::span<const Vec3d> from,
                    std::span<const Vec3d> to, double seconds) {
  const JointPose steady = pose_one(fit, to);
  if (!(fit.sum > 0)) return steady;
  // So little is within the pace whatever W is, since W counts carry_gain times for the pace and
  // once against it.
  const double cosine = ((last.turn.transpose() * steady.turn).trace() - 1) / 2;
  if (cosine >= std::cos(carry_rate * std::abs(seconds))) return steady;
  const Vec3d before = fit.moved(from), after = fit.moved(to);
  MlsMoment step;
  for (std::size_t k = 0; k < fit.weights.size(); ++k) {
    if (fit.weights[k] > 0) {
      step.add_products(fit.weights[k], fit.posed(from, k) - before, fit.posed(to, k) - after);
    }
  }
  const Eigen::Matrix3d with = step.small_rotation();
  const auto turn_of = [](const Eigen::Matrix3d& m) {
    return Eigen::AngleAxisd(Eigen::Quaterniond(m).normalized());
  };
  const Eigen::Matrix3d carried = with * last.turn;
  const Eigen::AngleAxisd left = turn_of(carried.transpose() * steady.turn);
  const double most = carry_gain * turn_of(with).angle() + carry_rate * std::abs(seconds);
  if (left.angle() <= most) return steady;
  const Eigen::Quaterniond turn(carried * Eigen::AngleAxisd(most, left.axis()).toRotationMatrix());
  return fit.placed(turn.normalized().toRotationMatrix(), after, to);
}

void check_places(const MlsJoints& joints, std::span<const Vec3d> places) {
  if (places.size() != joints.rest.size()) {
    throw std::invalid_argument(
        fmt::format("{} joints are given {} places", joints.rest.size(), places.size()));
  }
  for (const uint32_t j : joints.controls) {
    if (!places[j].allFinite()) {
      throw std::invalid_argument(fmt::format("joint {} is not at a finite place", j + 1));
    }
  }
}

// One for each joint, in parallel.
template <class One>
std::vector<JointPose> each_joint(const MlsJoints& joints, const One& one) {
  std::vector<JointPose> posed(joints.rest.size());
  parallel_blocks(
      posed.size(),
      [&](std::size_t begin, std::size_t end) {
        for (std::size_t j = begin; j < end; ++j) posed[j] = one(Fit(joints, j));
      },
      16);
  return posed;
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
  check_places(joints, places);
  return each_joint(joints, [&](const Fit& fit) { return pose_one(fit, places); });
}

std::vector<JointPose> carry_joints(const MlsJoints& joints, std::span<const JointPose> last,
                                    std::span<const Vec3d> from, std::span<const Vec3d> to,
                                    double seconds) {
  check_places(joints, from);
  check_places(joints, to);
  if (last.size() != joints.rest.size()) {
    throw std::invalid_argument(
        fmt::format("{} joints were {} before", joints.rest.size(), last.size()));
  }
  return each_joint(
      joints, [&](const Fit& fit) { return carry_one(fit, last[fit.joint], from, to, seconds); });
}

std::size_t byte_size(const MlsJoints& joints) {
  return sizeof joints + sizeof(Vec3d) * joints.rest.size() + 4 * joints.controls.size() +
         sizeof(double) * joints.weights.size() + joints.on.size();
}

}  // namespace sinew::kernels
