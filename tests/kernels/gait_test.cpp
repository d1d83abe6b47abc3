// The annealer teaches the paper's teapot and table to move.
#include "nodes/kernels/gait.h"

#include <gtest/gtest.h>

#include "tests/kernels/gaits.h"

namespace sinew::kernels {
namespace {

using namespace testing;

void print(const char* what, const GaitMeasure& m) {
  std::printf("%s: way %.3f, speed %.3f, effort %.3f, rise %.3f, tilt %.3f\n", what, m.way, m.speed,
              m.effort, m.rise, m.tilt);
}

TEST(Gait, AHundredTrialsHalveTheCostOfTheTeapotsHop) {
  for (const GaitCost kind : {GaitCost::distance, GaitCost::effort}) {
    GaitGoal goal;
    goal.cost = kind;
    goal.direction = Vec3d(0, 0, 1);
    const Learning teapot(teapot_character(), teapot_hop(), goal);
    const GaitMeasure by_hand = teapot.measure(teapot.start);
    print("by hand", by_hand);
    EXPECT_LT(teapot.gait()->cost(by_hand), 10);  // it gets somewhere, so that twice is a feat
    for (const uint64_t seed : {1, 2, 3}) {
      SearchSettings settings;
      settings.seed = seed;
      const Found found = teapot.search(settings);
      ASSERT_FALSE(found.empty());
      std::printf("cost %d, seed %d: %.4f to %.4f\n", static_cast<int>(kind),
                  static_cast<int>(seed), found.start_cost, found.candidates[0].cost);
      print("found", teapot.measure(graph_of(teapot.start, found.candidates[0].values)));
      EXPECT_LE(2 * found.candidates[0].cost, found.start_cost);
    }
  }
}

TEST(Gait, TheTableLearnsToBound) {
  GaitGoal goal;
  goal.cost = GaitCost::bound;
  goal.direction = Vec3d(0, 0, 1);
  goal.upright = 20;
  const Learning table(table_character(), table_bound(), goal);
  const GaitMeasure before = table.measure(table.start);
  print("by hand", before);
  SearchSettings settings;
  settings.seed = 1;
  const Found found = table.search(settings);
  const GaitMeasure after = table.measure(graph_of(table.start, found.candidates[0].values));
  print("found", after);
  EXPECT_GT(after.way, before.way);
  EXPECT_LT(found.candidates[0].cost, found.start_cost);
}

TEST(Gait, WithTheStandardPriceBodiesGetOn) {
  // What a search finds that nobody has told anything but the direction.
  GaitGoal goal;
  goal.direction = Vec3d(0, 0, 1);
  const Learning cast[] = {{teapot_character(), teapot_hop(), goal},
                           {table_character(), table_bound(), goal}};
  for (const Learning& one : cast) {
    for (const uint64_t seed : {1, 2}) {
      SearchSettings settings;
      settings.seed = seed;
      const Found found = one.search(settings);
      const GaitMeasure after = one.measure(graph_of(one.start, found.candidates[0].values));
      print("found", after);
      EXPECT_GT(after.way, 0.5) << seed;
      EXPECT_LT(found.candidates[0].cost, found.start_cost);
    }
  }
}

TEST(Gait, WhereOnlyEnergyCountsItStaysPut) {
  GaitGoal goal;
  goal.k1 = 1;
  goal.k2 = 0;
  const Learning teapot(teapot_character(), teapot_hop(), goal);
  SearchSettings settings;
  settings.method = SearchMethod::population;
  settings.trials = 400;
  const Found found = teapot.search(settings);
  const GaitMeasure after = teapot.measure(graph_of(teapot.start, found.candidates[0].values));
  print("found", after);
  EXPECT_LT(std::abs(after.way), 0.02);
  EXPECT_LT(after.effort, 0.02 * found.start_cost);
}

}  // namespace
}  // namespace sinew::kernels
