#include "nodes/kernels/mls_joints.h"

#include <gtest/gtest.h>

#include <limits>

#include "tests/kernels/mls_figure.h"
#include "tests/kernels/rotation_blocks.h"
#include "tests/kernels/shapes.h"

namespace sinew::kernels {
namespace {

using test::angle_between;
using test::u_skeleton;
using Matrix = Eigen::Matrix3d;
using Controls = std::vector<uint32_t>;

constexpr double scales[] = {1e-6, 1, 1e6};
constexpr double degree = std::numbers::pi / 180;

std::vector<JointPose> posed(const Skeleton& skeleton, const Pose& pose,
                             const MlsJointOptions& options = {}) {
  return pose_joints(prepare_joints(skeleton, pose.controls, options), pose.places);
}

TEST(MlsJoints, controls_at_rest_move_nothing) {
  for (const double scale : scales) {
    const Skeleton s = u_skeleton(scale);
    for (const Controls& controls : {Controls{}, {2}, {1, 3}, {0, 3, 6}, {0, 1, 2, 3, 4, 5, 6}}) {
      const std::vector<JointPose> made = posed(s, Pose::at_rest(s, controls));
      for (std::size_t j = 0; j < made.size(); ++j) {
        EXPECT_EQ(made[j].place, s.rest(j));
        EXPECT_EQ(made[j].turn, Matrix::Identity());
      }
    }
  }
}

TEST(MlsJoints, rigid_motions_are_exact) {
  test::RandomMatrices random(1);
  for (const double scale : scales) {
    for (int n = 0; n < 60; ++n) {
      const Skeleton s = u_skeleton(scale);
      Pose pose = Pose::at_rest(s, Controls{1, 3, 6});
      const Matrix turn = random.rotation().toRotationMatrix();
      const Vec3d shift = scale * random.direction();
      for (Vec3d& p : pose.places) p = turn * p + shift;
      MlsJointOptions options{0.5 + 0.5 * (n % 4), n % 2 ? MlsTurn::best : MlsTurn::steady};
      const std::vector<JointPose> made = posed(s, pose, options);
      for (std::size_t j = 0; j < made.size(); ++j) {
        EXPECT_LT((made[j].place - pose.places[j]).norm(), 1e-6 * scale);
        EXPECT_LT((made[j].turn - turn).norm(), 1e-6);
      }
    }
  }
}

TEST(MlsJoints, controls_are_where_they_were_put) {
  test::RandomMatrices random(2);
  const Skeleton s = u_skeleton();
  for (const Controls& controls : {Controls{2}, {1, 3}, {0, 3, 6}, {0, 1, 2, 3, 4, 5, 6}}) {
    Pose pose = Pose::at_rest(s, controls);
    for (Vec3d& p : pose.places) p += random.direction();
    const std::vector<JointPose> made = posed(s, pose);
    for (const uint32_t j : controls) EXPECT_EQ(made[j].place, pose.places[j]);
    for (const JointPose& j : made) {
      EXPECT_LT((j.turn * j.turn.transpose() - Matrix::Identity()).norm(), 1e-9);
      EXPECT_TRUE(j.place.allFinite());
    }
  }
}

TEST(MlsJoints, one_control_shifts_what_it_reaches) {
  Skeleton s = u_skeleton();
  s.joints.push_back({"alone", {9, 9, 9}});
  Pose pose = Pose::at_rest(s, Controls{2});
  const Vec3d shift(0.3, -1, 2);
  pose.places[2] += shift;
  const std::vector<JointPose> made = posed(s, pose);
  for (std::size_t j = 0; j < 7; ++j) {
    EXPECT_LT((made[j].place - s.rest(j) - shift).norm(), 1e-12);
    EXPECT_EQ(made[j].turn, Matrix::Identity());
  }
  EXPECT_EQ(made[7].place, s.rest(7));  // no way leads there
}

TEST(MlsJoints, a_limb_alone_does_not_spin_and_goes_round) {
  // A straight chain, led at both ends, turned twice round in steps that meet the half turn.
  Skeleton s;
  for (int j = 0; j < 5; ++j) s.joints.push_back({"", {0.4 * j, 0, 0}});
  for (uint32_t j = 0; j < 4; ++j) s.bones.push_back({"", {j, j + 1}});
  Pose pose = Pose::at_rest(s, Controls{0, 4});
  const MlsJoints joints = prepare_joints(s, pose.controls);
  for (int k = 0; k <= 720; ++k) {
    pose.places[4] = test::turned_about(s.rest(4), s.rest(0), k, Vec3d::UnitZ());
    const Matrix must = Eigen::AngleAxisd(k * degree, Vec3d::UnitZ()).toRotationMatrix();
    for (const JointPose& j : pose_joints(joints, pose.places)) {
      ASSERT_LT((j.turn - must).norm(), 1e-6) << k;
    }
  }
  // Drawn out and turned any way: no turn about itself.
  test::RandomMatrices random(3);
  for (int n = 0; n < 200; ++n) {
    const Vec3d u = random.direction();
    pose.places[4] = s.rest(0) + random.uniform(0.5, 3) * u;
    for (const JointPose& j : pose_joints(joints, pose.places)) {
      const double angle = std::acos(std::clamp(u.x(), -1.0, 1.0));
      ASSERT_NEAR(angle_between(Matrix::Identity(), j.turn), angle, 1e-6);
      ASSERT_LT((j.turn * Vec3d::UnitX() - u).norm(), 1e-6);
    }
  }
}

// How far the joints turn in one step at most, in steps, while the left leg goes from one angle to
// another, degrees.
double fastest_turn(const Controls& controls, const Vec3d& axis, double from, double to,
                    double step) {
  using enum test::UJoint;
  const Skeleton s = u_skeleton();
  Pose pose = Pose::at_rest(s, controls);
  const MlsJoints joints = prepare_joints(s, pose.controls);
  std::vector<JointPose> last, now;
  double fastest = 0;
  for (double at = from; at <= to; at += step) {
    for (const uint32_t j : {left_knee, left_foot}) {
      pose.places[j] = test::turned_about(s.rest(j), s.rest(left_hip), at, axis);
    }
    now = pose_joints(joints, pose.places);
    for (std::size_t j = 0; j < now.size() && !last.empty(); ++j) {
      fastest = std::max(fastest, angle_between(last[j].turn, now[j].turn) / (step * degree));
      EXPECT_LT((now[j].place - last[j].place).norm(), 12 * step * degree) << at;
      if (axis.z() == 1) {
        EXPECT_GT(now[j].turn(2, 2), 0.99) << "inside out at " << at;
      }
    }
    last = now;
  }
  return fastest;
}

// Twice round in the plane of the skeleton, in steps that meet the half turn exactly.
TEST(MlsJoints, a_leg_that_goes_round_never_flips) {
  using enum test::UJoint;
  for (const Controls& controls : {Controls{left_hip, left_foot, right_hip, right_foot},
                                   {pelvis, left_hip, left_foot, right_hip, right_foot},
                                   {0, 1, 2, 3, 4, 5, 6}}) {
    const double fastest = fastest_turn(controls, Vec3d::UnitZ(), 0, 720, 1);
    EXPECT_LT(fastest, 5);
    test::record("fastest_of_" + std::to_string(controls.size()), fastest);
    // Any smaller step turns by less, so that it is no jump.
    EXPECT_LT(fastest_turn(controls, Vec3d::UnitZ(), 170, 190, 0.01), 1.3 * fastest);
  }
}

// Out of that plane it is so until the leg comes near to where the other way round would have
// brought it too: one pose has one rotation.
TEST(MlsJoints, a_leg_goes_forwards_and_backwards_without_a_jump) {
  using enum test::UJoint;
  for (const Controls& controls : {Controls{left_hip, left_foot, right_hip, right_foot},
                                   {pelvis, left_hip, left_foot, right_hip, right_foot},
                                   {0, 1, 2, 3, 4, 5, 6}}) {
    const double fastest = fastest_turn(controls, Vec3d::UnitX(), -150, 150, 0.5);
    EXPECT_LT(fastest, 10);
    test::record("fastest_of_" + std::to_string(controls.size()), fastest);
  }
}

// A leg that goes round, carried along in time.
struct CarriedLeg {
  Skeleton skeleton = u_skeleton();
  Pose pose;
  MlsJoints joints;
  std::vector<JointPose> now;
  Vec3d axis;

  CarriedLeg(const Controls& controls, const Vec3d& about)
      : pose(Pose::at_rest(skeleton, controls)),
        joints(prepare_joints(skeleton, pose.controls, {.alpha = standard_joint_alpha})),
        now(pose_joints(joints, pose.places)),
        axis(about) {}

  std::vector<Vec3d> at(double degrees) const {
    using enum test::UJoint;
    std::vector<Vec3d> places = pose.places;
    for (const uint32_t j : {left_knee, left_foot}) {
      places[j] = test::turned_about(skeleton.rest(j), skeleton.rest(left_hip), degrees, axis);
    }
    return places;
  }
  void step(double from, double to, double seconds) {
    now = carry_joints(joints, now, at(from), at(to), seconds);
  }
};

// Two turns in two seconds about any axis, in steps that meet the half turn: no joint turns faster
// than the header says, places do not jump, and once the leg is back all is as it was.
TEST(MlsJoints, carried_along_nothing_flips_about_any_axis) {
  using enum test::UJoint;
  test::RandomMatrices random(7);
  std::vector<Vec3d> axes = {Vec3d::UnitX(), Vec3d::UnitY(), Vec3d::UnitZ()};
  for (int n = 0; n < 20; ++n) axes.push_back(random.direction());
  for (const Controls& controls : {Controls{left_hip, left_foot, right_hip, right_foot},
                                   {pelvis, left_foot, right_foot},
                                   {left_foot, right_foot},
                                   {0, 1, 2, 3, 4, 5, 6}}) {
    double fastest = 0;
    for (const Vec3d& axis : axes) {
      CarriedLeg leg(controls, axis);
      constexpr double step = 3, seconds = 1.0 / 120;
      for (double angle = 0; angle < 720; angle += step) {
        const std::vector<JointPose> last = leg.now;
        leg.step(angle, angle + step, seconds);
        for (std::size_t j = 0; j < last.size(); ++j) {
          const double turned = angle_between(last[j].turn, leg.now[j].turn);
          fastest = std::max(fastest, turned / (step * degree));
          ASSERT_TRUE(leg.now[j].turn.allFinite());
          // Two controls that pass close by each other turn what is between them that much faster.
          const double most = controls.size() == 2 ? 45 : 12;
          ASSERT_LT((leg.now[j].place - last[j].place).norm(), most * step * degree)
              << angle << " joint " << j;
        }
      }
      for (int n = 0; n < 600; ++n) leg.step(720, 720, seconds);
      for (const JointPose& j : leg.now) ASSERT_LT(angle_between(Matrix::Identity(), j.turn), 1e-6);
    }
    EXPECT_LT(fastest, 12);
    test::record("fastest_carried_of_" + std::to_string(controls.size()), fastest);
  }
}

// The pace itself, joint by joint.
TEST(MlsJoints, carried_along_joints_keep_to_the_pace_of_their_controls) {
  using enum test::UJoint;
  CarriedLeg leg({left_hip, left_foot, right_hip, right_foot}, Vec3d::UnitX());
  constexpr double step = 2, seconds = 1.0 / 60;
  for (double angle = 0; angle < 720; angle += step) {
    const std::vector<JointPose> last = leg.now;
    leg.step(angle, angle + step, seconds);
    // All controls are seen to turn by no more than the leg that does.
    const JointPose& before = last[left_foot];
    const double turned = angle_between(before.turn, leg.now[left_foot].turn);
    EXPECT_LT(turned, (1 + carry_gain) * step * degree + carry_rate * seconds + 1e-9) << angle;
  }
}

TEST(MlsJoints, carried_along_is_steady_wherever_that_is_smooth) {
  using enum test::UJoint;
  for (const Vec3d& axis : {Vec3d(1, 0, 0), Vec3d(0, 0, 1), Vec3d(0, 1, 0)}) {
    CarriedLeg leg({pelvis, left_hip, left_foot, right_hip, right_foot}, axis);
    for (int k = 0; k < 60; ++k) {
      leg.step(k, k + 1, 1.0 / 60);
      const std::vector<JointPose> steady = pose_joints(leg.joints, leg.at(k + 1));
      for (std::size_t j = 0; j < steady.size(); ++j) {
        EXPECT_EQ(leg.now[j].turn, steady[j].turn);
        EXPECT_EQ(leg.now[j].place, steady[j].place);
      }
    }
  }
}

TEST(MlsJoints, carried_along_controls_are_where_they_were_put) {
  test::RandomMatrices random(5);
  const Skeleton s = u_skeleton();
  const Pose rest = Pose::at_rest(s, Controls{0, 3, 6});
  const MlsJoints joints = prepare_joints(s, rest.controls);
  std::vector<JointPose> now = pose_joints(joints, rest.places);
  std::vector<Vec3d> last = rest.places;
  for (int n = 0; n < 200; ++n) {  // leaps of any size
    std::vector<Vec3d> places = rest.places;
    for (Vec3d& p : places) p += 3 * random.direction();
    now = carry_joints(joints, now, last, places, 0.04);
    for (const uint32_t j : joints.controls) EXPECT_EQ(now[j].place, places[j]);
    for (const JointPose& j : now) {
      EXPECT_LT((j.turn * j.turn.transpose() - Matrix::Identity()).norm(), 1e-9);
      EXPECT_NEAR(j.turn.determinant(), 1, 1e-9);
      EXPECT_TRUE(j.place.allFinite());
    }
    last = places;
  }
  EXPECT_THROW(carry_joints(joints, {}, last, last, 1), std::invalid_argument);
}

TEST(MlsJoints, other_limbs_hardly_follow) {
  using enum test::UJoint;
  const Skeleton s = u_skeleton();
  Pose pose = Pose::at_rest(s, Controls{pelvis, left_hip, left_foot, right_hip, right_foot});
  pose.places[left_foot] =
      test::turned_about(s.rest(left_foot), s.rest(left_hip), 60, Vec3d::UnitZ());
  const double led = (pose.places[left_foot] - s.rest(left_foot)).norm();
  double last = 1;
  for (const double alpha : {1.0, 2.0, 3.0}) {
    const std::vector<JointPose> made = posed(s, pose, {.alpha = alpha});
    const double other = (made[right_knee].place - s.rest(right_knee)).norm() / led;
    EXPECT_LT(other, 0.06);
    EXPECT_LT(other, 0.5 * last);
    last = other;
  }
  EXPECT_LT(last, 1e-3);
}

TEST(MlsJoints, bones_without_length_are_no_trouble) {
  Skeleton s = u_skeleton();
  s.joints[test::left_knee].place = s.joints[test::left_hip].place;
  Pose pose = Pose::at_rest(s, Controls{test::left_hip, test::left_foot});
  pose.places[test::left_foot] += Vec3d(1, 0, 1);
  for (const JointPose& j : posed(s, pose)) EXPECT_TRUE(j.turn.allFinite() && j.place.allFinite());
  EXPECT_EQ(posed(s, pose)[test::left_knee].place, s.rest(test::left_hip));
}

TEST(MlsJoints, says_what_is_wrong) {
  const Skeleton s = u_skeleton();
  Pose pose = Pose::at_rest(s, Controls{0, 3});
  EXPECT_THROW(prepare_joints(s, std::vector<uint8_t>(3)), std::invalid_argument);
  EXPECT_THROW(prepare_joints(s, pose.controls, {.alpha = 0}), std::invalid_argument);
  const MlsJoints joints = prepare_joints(s, pose.controls);
  pose.places[1].x() = std::numeric_limits<double>::quiet_NaN();  // found anyway
  EXPECT_NO_THROW(pose_joints(joints, pose.places));
  pose.places[3].x() = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(pose_joints(joints, pose.places), std::invalid_argument);
  Skeleton ring = s;
  ring.bones.push_back({"", {3, 6}});
  EXPECT_THROW(prepare_joints(ring, pose.controls), std::invalid_argument);
  EXPECT_GT(byte_size(joints), sizeof joints);
}

}  // namespace
}  // namespace sinew::kernels
