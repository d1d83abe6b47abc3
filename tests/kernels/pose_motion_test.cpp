#include "nodes/kernels/pose_motion.h"

#include <gtest/gtest.h>

#include <limits>

#include "nodes/geometry/joint_keys.h"
#include "nodes/geometry/name_patterns.h"
#include "tests/kernels/mls_figure.h"

namespace sinew::kernels {
namespace {

using test::u_skeleton;

Chart ramp(double to) {
  Chart chart;
  chart.points = {{0, 0}, {1, to}};
  chart.interpolation = Interpolation::linear;
  return chart;
}

PoseRecipe at_rest() { return {u_skeleton(), std::vector<uint8_t>(7, 0), {}}; }

JointLead led(uint32_t joint, const Vec3d& by) {
  JointLead lead;
  lead.joint = joint;
  for (int k = 0; k < 3; ++k) lead.by[static_cast<std::size_t>(k)] = ramp(by[k]);
  return lead;
}

TEST(PoseMotion, without_leads_all_is_at_rest) {
  PoseRecipe recipe = at_rest();
  recipe.held[2] = 1;
  const PoseMotion motion(recipe);
  EXPECT_FALSE(motion.moves());
  EXPECT_EQ(motion.at(3).places, u_skeleton().rest_places());
  EXPECT_EQ(motion.at(3).control_joints(), (std::vector<uint32_t>{2}));
}

TEST(PoseMotion, leads_of_one_joint_add_up) {
  PoseRecipe recipe = at_rest();
  recipe.leads = {led(3, {1, 0, 0}), led(3, {0, 2, 0}), led(6, {0, 0, 1})};
  recipe.leads[1].amount = Chart::constant(0.5);
  recipe.leads[2].delay = 0.5;
  const PoseMotion motion(recipe);
  EXPECT_TRUE(motion.moves());
  const Pose half = motion.at(0.5), late = motion.at(1);
  EXPECT_TRUE(half.places[3].isApprox(u_skeleton().rest(3) + Vec3d(0.5, 0.5, 0), 1e-12));
  EXPECT_EQ(half.places[6], u_skeleton().rest(6));
  EXPECT_TRUE(late.places[6].isApprox(u_skeleton().rest(6) + Vec3d(0, 0, 0.5), 1e-12));
  EXPECT_EQ(half.control_joints(), (std::vector<uint32_t>{3, 6}));
}

TEST(PoseMotion, paths_are_added_or_lain_on) {
  MotionPath way;
  way.points.list = {{1, 1, 1}, {3, 1, 1}};
  way.start = 0;
  way.end = 2;
  PoseRecipe recipe = at_rest();
  recipe.leads = {led(3, {0, 1, 0}), {.joint = 3, .path = way}};
  EXPECT_TRUE(PoseMotion(recipe).moves());
  EXPECT_TRUE(PoseMotion(recipe).at(0).places[3].isApprox(u_skeleton().rest(3), 1e-9));
  EXPECT_TRUE(
      PoseMotion(recipe).at(2).places[3].isApprox(u_skeleton().rest(3) + Vec3d(2, 1, 0), 1e-6));
  recipe.leads[1].on_path = true;
  EXPECT_TRUE(PoseMotion(recipe).at(2).places[3].isApprox(Vec3d(3, 1, 1), 1e-6));
}

TEST(PoseMotion, places_stay_within_bounds) {
  PoseRecipe recipe = at_rest();
  recipe.leads = {led(3, {1e15, -1e15, 0})};
  const Pose far = PoseMotion(recipe).at(1);
  EXPECT_EQ(validate(far, u_skeleton()), std::nullopt);
}

TEST(PoseMotion, recipes_say_what_is_wrong) {
  PoseRecipe recipe = at_rest();
  EXPECT_EQ(validate(recipe), std::nullopt);
  recipe.leads = {led(9, {0, 0, 0})};
  EXPECT_EQ(validate(recipe), "joint 10 is led, but there are 7");
  recipe.leads = {led(3, {0, 0, 0})};
  recipe.leads[0].delay = std::numeric_limits<double>::infinity();
  EXPECT_EQ(validate(recipe), "'left foot': its delay is not finite");
  recipe.leads[0].delay = 0;
  recipe.leads[0].by[1].points.clear();
  EXPECT_TRUE(validate(recipe)->starts_with("'left foot': a chart over time:"));
  recipe = at_rest();
  recipe.held.pop_back();
  EXPECT_TRUE(validate(PosedSkeleton(recipe)));
  JointKeys keys{{{"hand", {0, 1, 0}, 3}}};
  EXPECT_EQ(validate(keys), std::nullopt);
  keys.list[0].by.x() = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(validate(keys));
  keys.list[0] = {"", {0, 0, 0}, 0};
  EXPECT_EQ(validate(keys), "key 1: it names no joint");
}

TEST(NamePatterns, names_numbers_and_stars) {
  const std::string names[] = {"left hand", "right hand", "head"};
  const auto found = [&](const char* text) {
    return named_of(3, text, [&](std::size_t i) -> const std::string& { return names[i]; });
  };
  using List = std::vector<std::size_t>;
  EXPECT_EQ(found(""), (List{0, 1, 2}));
  EXPECT_EQ(found("*hand"), (List{0, 1}));
  EXPECT_EQ(found("head, 2"), (List{1, 2}));
  EXPECT_EQ(found("foot"), List{});
}

}  // namespace
}  // namespace sinew::kernels
