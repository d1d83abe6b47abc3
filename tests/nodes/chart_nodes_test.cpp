#include "tests/nodes/harness.h"

namespace sinew::testing {
namespace {

TEST(ChartNodes, WaveHasItsPeriodHeightAndUnit) {
  TestGraph g;
  g.node("wave", "chart.wave",
         {{"period", 2}, {"amplitude", 3}, {"offset", 1}, {"unit", "frames"}});
  const Chart wave = g.get<Chart>("wave.chart");
  EXPECT_EQ(wave.x_unit, "frames");
  EXPECT_NEAR(wave.cycle(), 2, 1e-9);
  EXPECT_NEAR(wave.evaluate(0), 1, 1e-6);
  EXPECT_NEAR(wave.evaluate(0.5), 4, 1e-6);
  EXPECT_NEAR(wave.evaluate(1.5 + 20), -2, 1e-6);
}

TEST(ChartNodes, MathAddsAndMixes) {
  TestGraph g;
  g.node("a", "chart.points",
         {{"chart", Json::parse(R"({"points": [[0, 0], [4, 4]], "interpolation": "linear"})")}})
      .node("b", "chart.points",
            {{"chart", Json::parse(R"({"points": [[0, 2], [4, 0]], "interpolation": "linear"})")}})
      .node("sum", "chart.math")
      .link("a.chart", "sum.a")
      .link("b.chart", "sum.b");
  for (const double x : {0.0, 1.0, 2.5, 4.0}) {
    EXPECT_NEAR(g.get<Chart>("sum.chart").evaluate(x), x + (2 - x / 2), 1e-9);
  }
  g.set("sum.operation", "mix").set("sum.factor", 0.25);
  EXPECT_NEAR(g.get<Chart>("sum.chart").evaluate(2), 2 + (1 - 2) * 0.25, 1e-9);
}

TEST(ChartNodes, SampleReadsValueAndSlope) {
  TestGraph g;
  g.node("time", "time")
      .node("sample", "chart.sample",
            {{"chart", Json::parse(R"({"points": [[0, 1], [2, 7]], "interpolation": "linear"})")}})
      .link("time.seconds", "sample.x");
  EXPECT_NEAR(g.get<float>("sample.y", 25), 4, 1e-5);
  EXPECT_NEAR(g.get<float>("sample.slope", 25), 3, 1e-5);
}

TEST(ValueNodes, TimeCountsFramesSecondsAndCycles) {
  TestGraph g;
  g.node("time", "time", {{"period", 2}});
  g.context.fps = 10;
  EXPECT_EQ(g.get<int>("time.frame", 27), 27);
  EXPECT_FLOAT_EQ(g.get<float>("time.seconds", 27), 2.7f);
  EXPECT_NEAR(g.get<float>("time.cycle", 27), 0.35f, 1e-6f);
  g.context.start_frame = -20;
  EXPECT_NEAR(g.get<float>("time.cycle", -5), 0.75f, 1e-6f);
}

TEST(ValueNodes, HandOnWhatTheyHold) {
  TestGraph g;
  g.node("f", "value.float", {{"value", 0.1}})
      .node("i", "value.int", {{"value", -7}})
      .node("b", "value.bool", {{"value", true}})
      .node("s", "value.string", {{"value", "text"}})
      .node("v", "value.vec3", {{"x", 1}, {"z", 3}})
      .link("f.value", "v.y");
  EXPECT_EQ(g.get<float>("f.value"), 0.1f);
  EXPECT_EQ(g.get<int>("i.value"), -7);
  EXPECT_EQ(g.get<bool>("b.value"), true);
  EXPECT_EQ(g.get<std::string>("s.value"), "text");
  EXPECT_EQ(g.get<Vec3>("v.value"), (Vec3{1, 0.1f, 3}));
}

// Any number can follow a chart over time.
TEST(ValueNodes, NumbersCanBeAnimated) {
  TestGraph g;
  const Json linear = Json::parse(
      R"({"points": [[0, 0], [10, 5]], "interpolation": "linear", "x_unit": "frames"})");
  g.node("f", "value.float", {{"value", {{"animate", linear}}}});
  EXPECT_FLOAT_EQ(g.get<float>("f.value", 4), 2);
  EXPECT_FLOAT_EQ(g.get<float>("f.value", 99), 5);
}

}  // namespace
}  // namespace sinew::testing
