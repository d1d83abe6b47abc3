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
#pragma once

#include <span>
#include <vector>

#include "nodes/geometry/skeleton.h"

namespace sinew::kernels {

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

std::size_t byte_size(const MlsJoints& joints);

}  // namespace sinew::kernels
