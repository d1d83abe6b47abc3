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

TEST(ChartNodes, DrawnSlopesGoThroughNodesThatMoveAChart) {
  TestGraph g;
  g.node("drawn", "chart.points",
         {{"chart",
           Json::parse(
               R"({"points": [[0, 1], [1, 2], [2, 1]], "tangents": [null, [3, -2], null]})")}})
      .node("slow", "chart.retime", {{"stretch", 2}})
      .node("sum", "chart.math")
      .link("drawn.chart", "slow.chart")
      .link("drawn.chart", "sum.a")
      .link("drawn.chart", "sum.b");
  const Chart drawn = g.get<Chart>("drawn.chart"), slow = g.get<Chart>("slow.chart");
  ASSERT_EQ(slow.tangents.size(), 3u);
  const double scale = slow.last_x() / drawn.last_x();
  for (double x = 0; x < 2; x += 0.1) {
    EXPECT_NEAR(slow.evaluate(x * scale), drawn.evaluate(x), 1e-9);
  }
  EXPECT_TRUE(g.get<Chart>("sum.chart").tangents.empty()) << "sampled anew";
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

TEST(ChartNodes, SampleReadsTheAreaAndTheWayBack) {
  TestGraph g;
  g.node("sample", "chart.sample",
         {{"chart", Json::parse(R"({"points": [[0, 0], [2, 4]], "interpolation": "linear",
                                    "back": [[0, 0], [1, 0], [2, 4]]})")},
          {"x", 1.5},
          {"from", 0.5}});
  EXPECT_FLOAT_EQ(g.get<float>("sample.y"), 3);
  EXPECT_FLOAT_EQ(g.get<float>("sample.area"), 2);
  g.set("sample.way", "back");
  EXPECT_FLOAT_EQ(g.get<float>("sample.y"), 2);
  EXPECT_FLOAT_EQ(g.get<float>("sample.slope"), 4);
  EXPECT_FLOAT_EQ(g.get<float>("sample.area"), 0.5f);
}

TEST(ChartNodes, VolumeIsKeptBothWays) {
  TestGraph g;
  g.node("beat", "chart.curve", {{"curve", "heartbeat"}, {"ratio", 1.8}})
      .node("keep", "chart.volume_preserving")
      .link("beat.chart", "keep.primary");
  for (const char* mode : {"both", "secondary"}) {
    g.set("keep.mode", mode);
    const Chart a = g.get<Chart>("keep.primary"), b = g.get<Chart>("keep.secondary"),
                c = g.get<Chart>("keep.tertiary");
    for (double t = -1; t < 2; t += 0.013) {
      EXPECT_NEAR(a.evaluate(t) * b.evaluate(t) * c.evaluate(t), 1, 1e-12);
      EXPECT_NEAR(c.evaluate(t), *mode == 'b' ? b.evaluate(t) : 1, 1e-12);
    }
  }
  g.set("keep.primary", Json::parse("[[0, 1], [1, 0]]"));
  g.doc.graph.links.clear();
  EXPECT_NE(g.run("keep.secondary").errors.find("point 1 of the chart is 0"), std::string::npos)
      << g.run("keep.secondary").errors;
}

TEST(ChartNodes, EveryNamedCurveComesOutAndCanBeSaved) {
  for (const std::string& name : all_nodes().find("chart.curve")->inputs[0].choices) {
    TestGraph g;
    g.node("curve", "chart.curve", {{"curve", name}, {"width", 20}, {"unit", "frames"}});
    const Chart chart = g.get<Chart>("curve.chart");
    EXPECT_EQ(validate(chart), std::nullopt) << name;
    EXPECT_EQ(*chart_from_json(chart_to_json(chart)), chart) << name;
  }
}

TEST(ChartNodes, LimitsMarkAMaterial) {
  TestGraph g;
  g.node("limits", "chart.limits",
         {{"chart", Json::parse("[[0, 0], [1, 50], [10, 80]]")}, {"elastic", 1}});
  const Chart chart = g.get<Chart>("limits.chart");
  EXPECT_EQ(chart.mark("elastic"), 1);
  EXPECT_EQ(chart.mark("fracture"), 10);
  EXPECT_FLOAT_EQ(g.get<float>("limits.stiffness"), 50);
  g.set("limits.elastic", 11);
  EXPECT_NE(g.run("limits.chart").errors.find("beyond the fracture limit"), std::string::npos);
  g.node("mark", "chart.mark", {{"name", "knee"}, {"x", 4}}).link("limits.chart", "mark.chart");
  g.set("limits.elastic", 2);
  EXPECT_EQ(g.get<Chart>("mark.chart").mark("knee"), 4);
  EXPECT_EQ(g.get<Chart>("mark.chart").mark("elastic"), 2);
  EXPECT_NE(g.set("mark.name", "").run("mark.chart").errors.find("name"), std::string::npos);
}

TEST(ChartNodes, LoopsLoseTheirArea) {
  TestGraph g;
  g.node("loop", "chart.loop",
         {{"there", Json::parse(R"({"points": [[0, 0], [2, 2]], "interpolation": "linear"})")},
          {"back", Json::parse("[[0, 0], [0.5, 0], [1, 5]]")}});
  const Chart chart = g.get<Chart>("loop.chart");
  EXPECT_EQ(chart.back, (std::vector<ChartPoint>{{0, 0}, {1, 0}, {2, 2}}));
  EXPECT_FLOAT_EQ(g.get<float>("loop.area"), 1);
  g.set("loop.back", Json::parse("[[0, 1]]"));
  EXPECT_NE(g.run("loop.chart").errors.find("two points"), std::string::npos);
}

TEST(ChartNodes, RetimeStretchesShiftsAndTurns) {
  TestGraph g;
  g.node("retime", "chart.retime",
         {{"chart", Json::parse("[[0, 0], [1, 2], [2, 7]]")}, {"stretch", 3}, {"shift", 1}});
  Chart chart = g.get<Chart>("retime.chart");
  EXPECT_NEAR(chart.evaluate(4), 2, 1e-6);
  EXPECT_NEAR(chart.evaluate(7), 7, 1e-6);
  chart = g.set("retime.backwards", true).get<Chart>("retime.chart");
  EXPECT_NEAR(chart.evaluate(1), 7, 1e-6);
  EXPECT_NEAR(chart.evaluate(4), 2, 1e-6);
  chart = g.set("retime.extension", "cyclic").get<Chart>("retime.chart");
  EXPECT_NEAR(chart.cycle(), 6, 1e-6);
}

TEST(ChartNodes, RatioTurnsHeightsIntoStretching) {
  TestGraph g;
  g.node("wave", "chart.wave", {{"amplitude", 1.4}})
      .node("ratio", "chart.ratio", {{"ratio", 2}})
      .link("wave.chart", "ratio.chart");
  const Chart chart = g.get<Chart>("ratio.chart");
  EXPECT_EQ(chart.axis, ValueAxis::ratio);
  EXPECT_NEAR(chart.evaluate(0), 1, 1e-6);
  EXPECT_NEAR(chart.evaluate(0.25), 2, 1e-6);
  EXPECT_NEAR(chart.evaluate(0.75), 0.5, 1e-6);
}

TEST(ChartNodes, DeriveGivesSpeedAndDistance) {
  TestGraph g;
  g.node("derive", "chart.derive",
         {{"chart",
           Json::parse(R"({"points": [[0, 0], [1, 2], [3, 2]], "interpolation": "linear"})")}});
  EXPECT_NEAR(g.get<Chart>("derive.chart").evaluate(0.5), 2, 1e-9);
  EXPECT_NEAR(g.set("derive.what", "area").get<Chart>("derive.chart").evaluate(3), 5, 1e-9);
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
