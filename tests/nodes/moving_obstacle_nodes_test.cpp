// Obstacles in time as the nodes of all families meet them: lifts that move, that grow, and whose
// landscape rises carry a body alike; what jumps throws nobody.
#include "nodes/kernels/measure.h"
#include "nodes/node.h"
#include "tests/nodes/harness.h"

namespace sinew::testing {
namespace {

enum class Kind { modal, soft, meshless };

constexpr float side = 0.2f;

// A block with its middle at the origin, that falls onto "obstacle.colliders".
TestGraph block(Kind kind) {
  TestGraph g;
  if (kind == Kind::soft) {
    g.node("rest", "tet.box",
           {{"size", {side, side, side}}, {"cells_x", 2}, {"cells_y", 2}, {"cells_z", 2}});
    g.node("it", "sim.shape_match", {{"gravity", {0, -9.81, 0}}, {"stiffness", 20}});
    g.link("rest.solid", "it.solid").link("obstacle.colliders", "it.colliders");
    return g;
  }
  g.node("rest", "mesh.box",
         {{"size", {side, side, side}}, {"segments_x", 4}, {"segments_y", 4}, {"segments_z", 4}});
  if (kind == Kind::modal) {
    g.node("body", "dffd.body", {{"stiffness", 10}}).node("it", "dffd.simulate");
    g.link("rest.mesh", "body.mesh").link("body.body", "it.body");
    g.link("obstacle.colliders", "it.colliders");
    return g;
  }
  g.node("nodes", "meshless.nodes", {{"count", 12}}).node("keys", "meshless.keys");
  g.set("keys.keys", Json::parse(R"([{"frame": 0}])"));
  g.node("motion", "meshless.motion").node("it", "meshless.dynamics", {{"gain", 0}});
  g.set("it.stiffness", 20);
  g.link("rest.mesh", "nodes.mesh").link("nodes.body", "keys.body");
  g.link("keys.keys", "motion.keys").link("motion.motion", "it.motion");
  g.link("obstacle.colliders", "it.obstacles");
  return g;
}

float lowest(TestGraph& g, Kind kind, int frame) {
  const Outcome out = g.run(kind == Kind::soft ? "it.solid" : "it.mesh", frame);
  EXPECT_EQ(out.errors, "") << frame;
  const auto& places = kind == Kind::soft ? out.as<TetMesh>().positions : out.as<Mesh>().positions;
  return kernels::bounding_box(places).min().y();
}

Json over(double first, double last) {
  Json chart = {{"points", Json::array({{0, first}, {15, first}, {40, last}})},
                {"interpolation", "linear"},
                {"x_unit", "frames"}};
  return chart;
}

// Their top is at -0.1 until frame 15, and rises to 0.4 by frame 40, at 0.5 m/s.
const char* const lifts[] = {"moves", "grows", "swells", "rises"};
void add_lift(TestGraph& g, const std::string& lift) {
  const double low = -0.1, high = 0.4;
  if (lift == "moves") {
    g.node("obstacle", "collide.box", {{"size", {2, 1, 2}}});
    g.set("obstacle.position", {{"animate", Json::array({0, over(low - 0.5, high - 0.5), 0})}});
  } else if (lift == "grows") {
    g.node("obstacle", "collide.box", {{"position", {0, -1, 0}}});
    g.set("obstacle.size", {{"animate", Json::array({2, over(2 * (low + 1), 2 * (high + 1)), 2})}});
  } else if (lift == "swells") {
    g.node("obstacle", "collide.sphere", {{"position", {0, -20, 0}}});
    g.set("obstacle.radius", {{"animate", over(20 + low, 20 + high)}});
  } else {
    g.node("land", "mesh.grid").node("raised", "mesh.transform");
    g.set("raised.translate", {{"animate", Json::array({0, over(low, high), 0})}});
    g.node("obstacle", "collide.terrain", {{"cells", 8}});
    g.link("land.mesh", "raised.mesh").link("raised.mesh", "obstacle.mesh");
  }
}

TEST(MovingObstacleNodes, LiftsOfAllKindsCarryBodiesOfAllKinds) {
  for (const Kind kind : {Kind::modal, Kind::soft, Kind::meshless}) {
    for (const std::string lift : lifts) {
      SCOPED_TRACE(lift + " under " + std::to_string(static_cast<int>(kind)));
      TestGraph g = block(kind);
      g.context.last_frame = 60;
      add_lift(g, lift);
      EXPECT_NEAR(lowest(g, kind, 14), -0.1f, 0.05f * side);
      // On its way it neither sinks in nor is thrown, and is as fast as the lift.
      for (const int frame : {25, 32, 40}) {
        const float top = -0.1f + 0.02f * static_cast<float>(frame - 15);
        EXPECT_NEAR(lowest(g, kind, frame), top, 0.1f * side) << frame;
      }
      EXPECT_NEAR(lowest(g, kind, 60), 0.4f, 0.05f * side);
    }
  }
}

TEST(MovingObstacleNodes, WhatJumpsPastThrowsNobody) {
  // A wall jumps from far on one side of it to far on the other, close above the ground it rests
  // on.
  for (const Kind kind : {Kind::modal, Kind::soft, Kind::meshless}) {
    SCOPED_TRACE(static_cast<int>(kind));
    TestGraph g = block(kind);
    g.node("ground", "collide.plane", {{"position", {0, -0.1, 0}}});
    g.node("wall", "collide.box", {{"size", {0.5, 2, 2}}});
    Json chart = {
        {"points", {{0, -5}, {20, 5}}}, {"interpolation", "stepped"}, {"x_unit", "frames"}};
    g.set("wall.position", {{"animate", Json::array({chart, 0.5, 0})}});
    g.node("obstacle", "collide.merge");
    g.link("ground.colliders", "obstacle.colliders").link("wall.colliders", "obstacle.colliders");
    const float before = lowest(g, kind, 18);
    for (const int frame : {20, 22, 30}) {
      EXPECT_NEAR(lowest(g, kind, frame), before, 0.02f * side) << frame;
    }
  }
}

}  // namespace
}  // namespace sinew::testing
