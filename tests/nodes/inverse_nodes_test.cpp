#include <cmath>

#include "tests/nodes/harness.h"

namespace sinew::testing {
namespace {

// A bar, 2 m along x, that known charts bend; the simulation of it comes to rest in the shape that
// is wanted.
TestGraph bent(const char* chart = "[[0, 1.3], [1, 1.3]]") {
  TestGraph g;
  g.node("bar", "tet.box",
         {{"size", {2, 0.5, 0.5}}, {"cells_x", 8}, {"cells_y", 2}, {"cells_z", 2}})
      .node("across", "field.axis", {{"axis", "y"}, {"low", -1}})
      .node("known", "procdef.activation", {{"primary", Json::parse(chart)}})
      .node("play", "sim.shape_match",
            {{"gravity", {0, 0, 0}}, {"damping", 10}, {"drag", 5}, {"stiffness", 50}})
      .node("find", "procdef.inverse", {{"points", 4}})
      .link("bar.solid", "across.mesh")
      .link("bar.solid", "known.body")
      .link("across.field", "known.amplitude")
      .link("bar.solid", "play.solid")
      .link("known.activation", "play.activation")
      .link("bar.solid", "find.body")
      .link("across.field", "find.amplitude");
  return g;
}

TEST(ProcdefInverse, FindsTheChartsOfASimulation) {
  for (const char* from : {"play.solid", "play.mesh"}) {
    TestGraph g = bent();
    g.link(from, "find.shapes");
    const Chart found = g.get<Chart>("find.primary", 100);
    EXPECT_NEAR(found.evaluate(0), 1.3, 0.01) << from;
    EXPECT_LT(g.get<float>("find.error", 100), 0.003f) << from;
    const Chart second = g.get<Chart>("find.secondary", 100);
    EXPECT_NEAR(second.evaluate(0), 1 / std::sqrt(found.evaluate(0)), 1e-9);
    EXPECT_EQ(found.axis, ValueAxis::ratio);
    EXPECT_EQ(found.cycle(), 1);
    EXPECT_EQ(found.points.size(), 4u);
  }
}

TEST(ProcdefInverse, WhatItFindsIsReadyToPlay) {
  TestGraph g = bent();
  g.link("play.mesh", "find.shapes");
  g.node("found", "procdef.activation").link("bar.solid", "found.body");
  g.link("across.field", "found.amplitude");
  for (const char* name : {"primary", "secondary", "tertiary"}) {
    g.link(std::string("find.") + name, std::string("found.") + name);
  }
  const Field known = g.get<Field>("known.signal", 100);  // 4 s: the start of a round
  const Field again = g.get<Field>("found.signal", 100);
  for (std::size_t i = 0; i < known.size(); ++i) EXPECT_NEAR(again.at(i), known.at(i), 0.01);
}

TEST(ProcdefInverse, TimesArePartsOfTheCycle) {
  TestGraph g = bent();
  g.link("play.solid", "find.shapes").link("bar.solid", "find.shapes");
  Chart found = g.get<Chart>("find.primary", 100);
  EXPECT_NEAR(found.evaluate(0), 1.3, 0.02);
  EXPECT_NEAR(found.evaluate(0.5), 1, 0.02);
  found = g.set("find.times", " 0.25,\t-1 ").get<Chart>("find.primary", 100);
  EXPECT_NEAR(found.evaluate(0.25), 1.3, 0.02);
  EXPECT_NEAR(found.evaluate(0), 1, 0.02);
}

TEST(ProcdefInverse, RefinementHelps) {
  TestGraph g = bent();
  g.link("play.solid", "find.shapes");
  const float plain = g.set("find.refine", 0).get<float>("find.error", 100);
  const float better = g.set("find.refine", 3).get<float>("find.error", 100);
  EXPECT_LT(better, 0.3f * plain);
}

TEST(ProcdefInverse, TheBodyItselfNeedsNothing) {
  TestGraph g = bent();
  g.link("bar.solid", "find.shapes").set("find.volume", "as_drawn");
  for (const char* name : {"find.primary", "find.secondary", "find.tertiary"}) {
    for (const ChartPoint& p : g.get<Chart>(name).points) EXPECT_EQ(p.y, 1);
  }
  EXPECT_LT(g.get<float>("find.error"), 1e-6f);
}

TEST(ProcdefInverse, WhatIsOutOfReachIsSaid) {
  TestGraph g = bent();
  g.node("skin", "tet.surface").link("bar.solid", "skin.solid");
  g.node("thick", "mesh.transform", {{"scale", {1, 4, 4}}}).link("skin.mesh", "thick.mesh");
  g.link("thick.mesh", "find.shapes");
  const Outcome outcome = g.run("find.error");
  EXPECT_EQ(outcome.errors, "");
  EXPECT_NE(outcome.warnings.find("shape 1 is out of reach"), std::string::npos)
      << outcome.warnings;
  EXPECT_GT(outcome.as<float>(), 0.05f);
}

std::string error_of(TestGraph& g) { return g.run("find.primary").errors; }

TEST(ProcdefInverse, SaysWhatIsWrong) {
  TestGraph none = bent();
  EXPECT_NE(error_of(none).find("'shapes' has no links"), std::string::npos) << error_of(none);

  TestGraph g = bent();
  g.link("bar.solid", "find.shapes").set("find.times", "0 half");
  EXPECT_NE(error_of(g).find("\"half\" is not a number"), std::string::npos) << error_of(g);
  g.set("find.times", "0 0.5");
  EXPECT_NE(error_of(g).find("one number for each shape: 1 instead of 2"), std::string::npos)
      << error_of(g);
  g.set("find.times", "nan");
  EXPECT_NE(error_of(g).find("is not a number"), std::string::npos) << error_of(g);

  TestGraph other = bent();
  other.node("ball", "mesh.sphere").link("ball.mesh", "find.shapes");
  EXPECT_NE(error_of(other).find("the body's surface has"), std::string::npos) << error_of(other);
  TestGraph block = bent();
  block.node("block", "tet.box").link("block.solid", "find.shapes");
  EXPECT_NE(error_of(block).find("deform this solid"), std::string::npos) << error_of(block);
}

}  // namespace
}  // namespace sinew::testing
