#include "nodes/kernels/mls_skin.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <random>

#include "nodes/kernels/mls_lanes.h"
#include "nodes/kernels/mls_space.h"
#include "nodes/kernels/primitives.h"
#include "tests/kernels/mls_figure.h"
#include "tests/kernels/rotation_blocks.h"
#include "tests/kernels/shapes.h"

namespace sinew::kernels {
namespace {

using test::u_body;
using test::u_skeleton;
using Matrix = Eigen::Matrix3d;
using Controls = std::vector<uint32_t>;
using enum test::UJoint;

constexpr double scales[] = {1e-6, 1, 1e6};
const Controls all_joints = {0, 1, 2, 3, 4, 5, 6};

std::vector<Vec3f> moved(const MlsSkin& skin, const Skeleton& skeleton, const Pose& pose,
                         const MlsJointOptions& options = {}) {
  std::vector<Vec3f> out(skin.vertex_count);
  pose_skin(skin, pose_joints(prepare_joints(skeleton, pose.controls, options), pose.places), out);
  return out;
}

MlsSkin skin_of(const Mesh& mesh, const Skeleton& skeleton, const MlsSkinOptions& options = {}) {
  return prepare_skin(mesh, skeleton, skin_sets(mesh, skeleton), options);
}

// The left leg turned about its hip.
Pose bent(const Skeleton& s, const Controls& controls, double degrees) {
  Pose pose = Pose::at_rest(s, controls);
  for (const uint32_t j : {left_knee, left_foot}) {
    pose.places[j] = test::turned_about(s.rest(j), s.rest(left_hip), degrees, Vec3d::UnitZ());
  }
  return pose;
}

bool on_right_leg(const Vec3f& p) { return p.x() > 1.4f && p.y() > 1.5f; }

TEST(SkinSets, never_cross_a_gap) {
  // The right leg's bones run along its inner side, so that those of the left leg's vertices that
  // look at it are nearer to them than to their own.
  Skeleton s = u_skeleton();
  for (const uint32_t j : {right_knee, right_foot}) s.joints[j].place.x() = 1.55;
  for (const uint32_t j : {left_knee, left_foot}) s.joints[j].place.x() = 0.1;
  const Mesh mesh = u_body(6);
  const std::vector<uint32_t> near = nearest_bones(mesh.positions, s);
  const std::vector<uint32_t> sets = skin_sets(mesh, s);
  std::size_t across = 0;
  for (std::size_t v = 0; v < sets.size(); ++v) {
    const Vec3f& p = mesh.positions[v];
    if (p.x() > 1.1f || p.y() < 1.5f) continue;
    across += near[v] >= 4;
    EXPECT_LT(sets[v], 3u) << p.transpose();
  }
  EXPECT_GT(across, 20u);
}

TEST(SkinSets, are_the_nearest_bones_where_nothing_is_across) {
  const Skeleton s = u_skeleton();
  const Mesh mesh = u_body(4);
  EXPECT_EQ(skin_sets(mesh, s), nearest_bones(mesh.positions, s));
  EXPECT_EQ(skin_sets(mesh, Skeleton{}), std::vector<uint32_t>(mesh.vertex_count(), no_bone));
  EXPECT_TRUE(skin_sets(Mesh{}, s).empty());
}

TEST(SkinFalloff, is_1_at_0_and_flat_at_r) {
  for (const double r : {1e-6, 0.3, 1e6}) {
    for (const auto falloff : {SkinFalloff::smooth, SkinFalloff::printed}) {
      const auto h = [&](double part) { return skin_falloff(part * r, r, falloff); };
      EXPECT_EQ(h(0), 1);
      EXPECT_EQ(h(1), 0);
      EXPECT_EQ(h(2), 0);
      EXPECT_NEAR((h(1) - h(1 - 1e-5)) / 1e-5, 0, 1e-4);  // h'(r) = 0
      for (double x = 0.01; x < 1; x += 0.01) EXPECT_LT(h(x), h(x - 0.01));
    }
    // h'(0) = 0 for the smooth one; the printed one has a corner there.
    EXPECT_NEAR((skin_falloff(1e-5 * r, r, SkinFalloff::smooth) - 1) / 1e-5, 0, 1e-4);
    EXPECT_NEAR((skin_falloff(1e-5 * r, r, SkinFalloff::printed) - 1) / 1e-5, -2, 1e-4);
  }
  EXPECT_EQ(skin_falloff(0, 0, SkinFalloff::smooth), 1);
  EXPECT_EQ(skin_falloff(1, 0, SkinFalloff::smooth), 0);
}

TEST(MlsSkin, shares_sum_to_1_and_fade_over_the_radius) {
  const Skeleton s = u_skeleton();
  const Mesh mesh = u_body(6);
  const std::vector<uint32_t> sets = skin_sets(mesh, s);
  const MlsSkin skin = prepare_skin(mesh, s, sets, {.radius = 0.1});
  std::vector<std::vector<float>> of_bone;
  for (uint32_t b = 0; b < s.bone_count(); ++b) of_bone.push_back(shares_of_bone(skin, b));
  std::size_t several = 0;
  for (std::size_t v = 0; v < mesh.vertex_count(); ++v) {
    const std::vector<SkinShare> shares = shares_of(skin, v);
    ASSERT_FALSE(shares.empty());
    float sum = 0, own = 0, most = 0;
    for (const SkinShare& share : shares) {
      sum += share.share;
      EXPECT_EQ(of_bone[share.bone][v], share.share);
      most = std::max(most, share.share);
      if (share.bone == sets[v]) own = share.share;
    }
    EXPECT_NEAR(sum, 1, 1e-6);
    EXPECT_EQ(own, most);
    several += shares.size() > 1;
  }
  EXPECT_GT(several, mesh.vertex_count() / 20);
  EXPECT_LT(several, mesh.vertex_count());
  // Without a radius each vertex has its own bone.
  const MlsSkin hard = prepare_skin(mesh, s, sets, {.radius = 0});
  for (std::size_t v = 0; v < mesh.vertex_count(); ++v) {
    EXPECT_EQ(shares_of(hard, v), (std::vector<SkinShare>{{sets[v], 1}}));
  }
}

TEST(MlsSkin, where_no_bone_reaches_the_nearest_counts) {
  const Skeleton s = u_skeleton();
  const Mesh mesh = u_body(4);
  const std::vector<uint32_t> near = nearest_bones(mesh.positions, s);
  const MlsSkin none = prepare_skin(mesh, s, std::vector<uint32_t>(mesh.vertex_count(), no_bone));
  for (std::size_t v = 0; v < mesh.vertex_count(); ++v) {
    EXPECT_EQ(shares_of(none, v), (std::vector<SkinShare>{{near[v], 1}}));
  }
}

TEST(MlsSkin, joints_at_rest_move_nothing) {
  for (const double scale : scales) {
    const Skeleton s = u_skeleton(scale);
    const Mesh mesh = u_body(4, scale);
    const MlsSkin skin = skin_of(mesh, s);
    for (const Controls& controls : {Controls{}, {2}, {1, 3}, all_joints}) {
      EXPECT_EQ(moved(skin, s, Pose::at_rest(s, controls)), mesh.positions);
    }
  }
  const Mesh mesh = u_body(3);  // no bones at all
  EXPECT_EQ(moved(skin_of(mesh, Skeleton{}), Skeleton{}, Pose{}), mesh.positions);
}

TEST(MlsSkin, rigid_motions_are_exact) {
  test::RandomMatrices random(3);
  double worst = 0;
  for (const double scale : scales) {
    const Skeleton s = u_skeleton(scale);
    const Mesh mesh = u_body(4, scale);
    const MlsSkin skin = skin_of(mesh, s);
    for (int n = 0; n < 20; ++n) {
      const Matrix turn = random.rotation().toRotationMatrix();
      const Vec3d shift = scale * random.direction();
      Pose pose = Pose::at_rest(s, n % 2 ? all_joints : Controls{0, 3, 6});
      for (Vec3d& p : pose.places) p = turn * p + shift;
      const std::vector<Vec3f> made = moved(skin, s, pose);
      for (std::size_t v = 0; v < made.size(); ++v) {
        const Vec3d must = turn * mesh.positions[v].cast<double>() + shift;
        worst = std::max(worst, (made[v].cast<double>() - must).norm() / (5 * scale));
      }
    }
  }
  EXPECT_LT(worst, 1e-6);  // of the width of the body
  test::record("worst_relative", worst);
}

TEST(MlsSkin, a_vertex_at_a_joint_goes_where_the_joint_goes) {
  Skeleton s{{{"", {0, 0, 0}}, {"", {0, 1, 0}}, {"", {0, 2, 0}}}, {{"", {0, 1}}, {"", {1, 2}}}};
  Mesh mesh = make_box({{1, 2, 1}, {2, 4, 2}});
  std::vector<Vec3f> points = mesh.positions;
  for (Vec3f& p : points) p.y() += 1;
  points[5] = {0, 1, 0};
  mesh = mesh.with_positions(points);
  const MlsSkin skin = skin_of(mesh, s);
  test::RandomMatrices random(4);
  Pose pose = Pose::at_rest(s, Controls{0, 1, 2});
  for (Vec3d& p : pose.places) p += random.direction();
  EXPECT_LT((moved(skin, s, pose)[5].cast<double>() - pose.places[1]).norm(), 1e-6);
}

// Figure 2 against figure 1: the same controls, along the skeleton and through space.
TEST(MlsSkin, bending_one_limb_leaves_the_other_still) {
  const Skeleton s = u_skeleton();
  const Mesh mesh = u_body(6);
  const MlsSkin skin = skin_of(mesh, s);
  const MlsSpace space = prepare_space(mesh.positions, s.rest_places());
  for (const double degrees : {-30.0, 45.0, 90.0}) {
    const Pose pose = bent(s, all_joints, degrees);
    const std::vector<Vec3f> along = moved(skin, s, pose);
    const std::vector<Vec3f> steep = moved(skin, s, pose, {.alpha = 2});
    std::vector<Vec3f> through(mesh.vertex_count());
    pose_space(space, pose.places, through);
    float by_skeleton = 0, by_steep = 0, by_space = 0, led = 0;
    for (std::size_t v = 0; v < mesh.vertex_count(); ++v) {
      const Vec3f& p = mesh.positions[v];
      led = std::max(led, (along[v] - p).norm());
      if (!on_right_leg(p)) continue;
      by_skeleton = std::max(by_skeleton, (along[v] - p).norm());
      by_steep = std::max(by_steep, (steep[v] - p).norm());
      by_space = std::max(by_space, (through[v] - p).norm());
    }
    test::record("skeleton", by_skeleton / led);
    test::record("steep", by_steep / led);
    test::record("space", by_space / led);
    EXPECT_LT(by_skeleton, 0.02f * led) << degrees;
    EXPECT_LT(by_steep, 0.003f * led) << degrees;
    EXPECT_LT(by_steep, 0.01f * by_space) << degrees;
    EXPECT_GT(by_space, 0.03f * led) << degrees;
  }
}

TEST(MlsSkin, a_leg_that_goes_round_never_flips) {
  const Skeleton s = u_skeleton();
  const Mesh mesh = u_body(4);
  const MlsSkin skin = skin_of(mesh, s);
  std::vector<Vec3f> last, now;
  float fastest = 0;
  for (int k = 0; k <= 720; ++k) {
    now = moved(skin, s, bent(s, {pelvis, left_hip, left_foot, right_hip, right_foot}, k));
    for (std::size_t v = 0; v < now.size(); ++v) {
      ASSERT_TRUE(now[v].allFinite());
      // Above the knee all goes round; between hip and knee the leg must come undone somewhere.
      const bool shin = mesh.positions[v].x() < 1.1f && mesh.positions[v].y() > 2.7f;
      if (k == 0 || !(shin || on_right_leg(mesh.positions[v]))) continue;
      fastest = std::max(fastest, (now[v] - last[v]).norm());
    }
    last = now;
  }
  EXPECT_LT(fastest, 0.5f);  // a degree at the foot is 0.06 m
  test::record("fastest", fastest);
}

// Any way round, carried along in time: one turn in a second, twice. The other leg hardly moves,
// and nothing leaps.
TEST(MlsSkin, a_leg_that_is_carried_round_any_way_never_flips) {
  const Skeleton s = u_skeleton();
  const Mesh mesh = u_body(4);
  const MlsSkin skin = skin_of(mesh, s);
  const Pose rest = Pose::at_rest(s, Controls{pelvis, left_hip, left_foot, right_hip, right_foot});
  const MlsJoints joints = prepare_joints(s, rest.controls, {.alpha = standard_joint_alpha});
  const auto at = [&](const Vec3d& axis, double degrees) {
    std::vector<Vec3d> places = rest.places;
    places[left_foot] = test::turned_about(s.rest(left_foot), s.rest(left_hip), degrees, axis);
    return places;
  };
  for (const Vec3d& axis : {Vec3d(1, 0, 0), Vec3d(0, 0, 1), Vec3d(1, 0.2, 0.1).normalized()}) {
    std::vector<JointPose> now = pose_joints(joints, rest.places);
    std::vector<Vec3f> last = mesh.positions, moved(mesh.vertex_count());
    float fastest = 0, other = 0;
    for (int k = 0; k < 720; ++k) {
      now = carry_joints(joints, now, at(axis, k), at(axis, k + 1), 1.0 / 360);
      pose_skin(skin, now, moved);
      for (std::size_t v = 0; v < moved.size(); ++v) {
        ASSERT_TRUE(moved[v].allFinite());
        const bool shin = mesh.positions[v].x() < 1.1f && mesh.positions[v].y() > 2.7f;
        if (shin) fastest = std::max(fastest, (moved[v] - last[v]).norm());
        if (on_right_leg(mesh.positions[v])) {
          other = std::max(other, (moved[v] - mesh.positions[v]).norm());
        }
      }
      last = moved;
    }
    EXPECT_LT(fastest, 0.35f) << axis.transpose();  // a degree at the foot is 0.06 m
    EXPECT_LT(other, 0.3f) << axis.transpose();
    test::record("fastest_carried", fastest);
  }
}

TEST(MlsSkin, what_is_not_finite_stays_alone) {
  const Skeleton s = u_skeleton();
  Mesh mesh = u_body(4);
  std::vector<Vec3f> points = mesh.positions;
  points[40].z() = std::numeric_limits<float>::quiet_NaN();
  mesh = mesh.with_positions(points);
  const std::vector<Vec3f> made = moved(skin_of(mesh, s), s, bent(s, all_joints, 40));
  for (std::size_t v = 0; v < made.size(); ++v) EXPECT_EQ(made[v].allFinite(), v != 40);
}

TEST(MlsSkin, says_what_is_wrong) {
  const Skeleton s = u_skeleton();
  const Mesh mesh = u_body(2);
  std::vector<uint32_t> sets = skin_sets(mesh, s);
  EXPECT_THROW(prepare_skin(mesh, s, sets, {.radius = -1}), std::invalid_argument);
  EXPECT_THROW(prepare_skin(mesh, s, std::span(sets).first(3)), std::invalid_argument);
  const MlsSkin skin = prepare_skin(mesh, s, sets);
  std::vector<Vec3f> out(mesh.vertex_count());
  EXPECT_THROW(pose_skin(skin, std::vector<JointPose>(3), out), std::invalid_argument);
  EXPECT_GT(byte_size(skin), 20 * mesh.vertex_count());
  sets[3] = 6;
  EXPECT_THROW(prepare_skin(mesh, s, sets), std::invalid_argument);
  std::atomic<bool> flag = true;
  EXPECT_THROW(prepare_skin(mesh, s, skin_sets(mesh, s), {}, {&flag}), Stopped);
}

TEST(MlsSkin, has_the_same_bits_on_every_target_and_any_number_of_threads) {
  const Skeleton s = u_skeleton();
  const Mesh mesh = u_body(14);
  test::expect_same_for_threads([&] { return skin_of(mesh, s); });
  const MlsSkin skin = skin_of(mesh, s);
  EXPECT_GT(mesh.vertex_count(), 5000u);
  test::expect_same_for_threads([&] { return moved(skin, s, bent(s, all_joints, 77)); });
  std::mt19937 engine(9);
  std::normal_distribution<float> normal;
  std::vector<MlsBone> bones(s.bone_count());
  for (MlsBone& bone : bones) {
    for (float& x : bone.turn) x = normal(engine);
    for (int k = 0; k < 3; ++k) {
      bone.axis[k] = bone.shift[k] = bone.stretch[k] = normal(engine);
    }
    bone.cosine = -0.8f, bone.sine = 0.6f;
  }
  const MlsSkinView view{skin.first.data(), skin.bone.data(), skin.shares.data(), skin.rest.data()};
  const std::size_t tiles = skin.order.size() / mls_tile;
  const MlsLanes* list[3];
  std::vector<float> first;
  for (std::size_t k = 0; k < runnable_mls_lanes(list); ++k) {
    std::vector<float> out(skin.rest.size());
    list[k]->skin(view, bones.data(), 0, tiles, out.data());
    if (k == 0) first = out;
    EXPECT_EQ(std::memcmp(out.data(), first.data(), 4 * out.size()), 0) << list[k]->name;
  }
}

}  // namespace
}  // namespace sinew::kernels
