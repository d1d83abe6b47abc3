// Where the joints of a skeleton are, and how they are turned, when some of them are led [Cuno08,
// section 3]: moving least squares as in mls_space.h, with distances along the skeleton in place of
// those through space, so that what is near but on another limb hardly counts.
//
//   w_ji = d(j, i)^(-2 alpha)     d the length of the way along the bones from joint j to control i
//   T_j(x) = R_j (x - p*) + q*    p*, q*, R_j as there, of the controls with the weights of joint j
//   p_j' = T_j(p_j)
//
// A control is where it was put; its rotation is the limit of those next to it, that of the other
// controls about it. A joint from which no way leads to a control stays at rest. With one control,
// all joints that it reaches are shifted.
//
// The rotation is the steady one of mls_rotation.h unless the best one is asked for, as the paper
// has it: a limb that is turned far round within the plane of the controls does not turn the
// joints inside out. Where the controls of a limb turn by half a turn exactly, the skeleton's plane
// (flat_axis()) says which way.
//
// Over time. A function of the pose alone cannot be continuous everywhere: a limb that has come
// half a turn round forwards is where it would be had it come sideways, but another side of it is
// in front. So motions carry their rotations along. From one moment to the next the controls as the
// joint sees them turn by W, the small rotation of sum w q^(t + h) q^(t)^T; then
//   R(t + h) = W R(t), drawn towards the steady rotation of the pose by at most
//              carry_gain |W| + carry_rate h
// |W| being its angle. Wherever the steady rotation keeps to that pace, which is nearly always, R
// is that rotation itself; where it leaps, R goes there at that pace. So no joint ever turns
// faster than 1 + carry_gain times as fast as its controls, and carry_rate.
#pragma once

#include <span>
#include <vector>

#include "nodes/geometry/skeleton.h"

namespace sinew::kernels {

// The exponent with which a limb hardly follows what another one does; the paper leaves it open.
inline constexpr double standard_joint_alpha = 2;

enum class MlsTurn : uint8_t {
  steady,  // continuous while limbs go round
  best,    // the least squares optimum itself
};

struct MlsJointOptions {
  double alpha = 1;  // least_mls_alpha .. greatest_mls_alpha of mls_space.h
  MlsTurn turn = MlsTurn::steady;
};

// What follows from the skeleton at rest and from which joints are controls.
struct MlsJoints {
  std::vector<Vec3d> rest;         // of each joint, m
  std::vector<uint32_t> controls;  // joints, increasing
  // Per joint and control, at controls.size() * joint + k: of the joint's nearest control 1, 0
  // where no way leads. Those that the joint is on have weight 1, and the others, which only turn
  // it, what they have among themselves.
  std::vector<double> weights;
  std::vector<uint8_t> on;  // the same: 1 where the joint is on the control
  Vec3d axis{0, 0, 1};      // of half turns that nothing else tells
  MlsTurn turn = MlsTurn::steady;

  bool operator==(const MlsJoints&) const = default;
};

// `controls`: one for each joint, as in Pose. Throws std::invalid_argument with what is wrong of
// the skeleton, or if sizes or alpha are.
MlsJoints prepare_joints(const Skeleton& skeleton, std::span<const uint8_t> controls,
                         const MlsJointOptions& options = {});

// Rigid maps of joints at rest to joints as they are: x goes to turn (x - rest) + place.
struct JointPose {
  Eigen::Matrix3d turn = Eigen::Matrix3d::Identity();
  Vec3d place{0, 0, 0};
};

// One for each joint. Of `places`, one for each joint, only those of controls are read; they must
// be finite, else std::invalid_argument is thrown.
std::vector<JointPose> pose_joints(const MlsJoints& joints, std::span<const Vec3d> places);

// How fast rotations may leave the way that the controls carry them.
inline constexpr double carry_gain = 4;    // times as fast as the controls turn
inline constexpr double carry_rate = 1.5;  // and rad/s

// The same a moment of `seconds` later, the controls having gone from the places `from`, where the
// joints were `last`, on to the places `to`; the joints must be steady. Moments should be so close
// that controls turn by less than a quarter turn between them.
std::vector<JointPose> carry_joints(const MlsJoints& joints, std::span<const JointPose> last,
                                    std::span<const Vec3d> from, std::span<const Vec3d> to,
                                    double seconds);

std::size_t byte_size(const MlsJoints& joints);

}  // namespace sinew::kernels
