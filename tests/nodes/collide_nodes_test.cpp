// Obstacles as nodes.
#include <algorithm>

#include "tests/nodes/harness.h"

namespace sinew::testing {
namespace {

Json vec(double x, double y, double z) { return Json::array({x, y, z}); }

// The distance of one point to what the node "it" makes.
float distance_at(TestGraph& g, const std::string& node, const Vec3f& point) {
  static int count = 0;
  const std::string id = "probe" + std::to_string(count++);
  // The first vertex of a tiny box is the point, to a tenth of a millimetre.
  g.node(id, "mesh.box", {{"size", vec(1e-4, 1e-4, 1e-4)}})
      .node(id + "_at", "mesh.transform", {{"translate", vec(point.x(), point.y(), point.z())}})
      .node(id + "_d", "field.collider_distance")
      .link(id + ".mesh", id + "_at.mesh")
      .link(id + "_at.mesh", id + "_d.mesh")
      .link(node + ".colliders", id + "_d.colliders");
  return g.get<Field>(id + "_d.field").at(0);
}

TEST(CollideNodes, SimpleShapes) {
  TestGraph g;
  g.node("plane", "collide.plane", {{"position", vec(0, -1, 0)}})
      .node("sphere", "collide.sphere", {{"radius", 0.5}, {"position", vec(1, 0, 0)}})
      .node("box", "collide.box", {{"size", vec(2, 4, 6)}, {"rounding", 0.25}})
      .node("bar", "collide.capsule",
            {{"radius", 0.5}, {"height", 3}, {"rotation", vec(0, 0, 90)}});
  EXPECT_NEAR(distance_at(g, "plane", {3, 1, 2}), 2, 1e-3);
  EXPECT_NEAR(distance_at(g, "sphere", {1, 2, 0}), 1.5, 1e-3);
  EXPECT_NEAR(distance_at(g, "box", {2, 0, 0}), 1, 1e-3);
  EXPECT_NEAR(distance_at(g, "box", {0, 0, 0}), -1, 1e-3);
  EXPECT_NEAR(distance_at(g, "bar", {2, 0, 0}), 0.5, 1e-3) << "it lies along x now";
  EXPECT_NEAR(distance_at(g, "bar", {0, 2, 0}), 1.5, 1e-3);
}

TEST(CollideNodes, ExtremesOfTheSimpleShapes) {
  TestGraph g;
  g.node("box", "collide.box", {{"size", vec(0, 0, 0)}, {"rounding", 5}})
      .node("flat", "collide.box", {{"size", vec(2, 0, 2)}, {"rounding", 5}})
      .node("bar", "collide.capsule", {{"radius", 2}, {"height", 1}});
  EXPECT_NEAR(distance_at(g, "box", {0, 3, 0}), 3, 1e-3);
  EXPECT_NEAR(distance_at(g, "flat", {0, 3, 0}), 3, 1e-3);
  EXPECT_NEAR(distance_at(g, "bar", {0, 3, 0}), 1, 1e-3) << "a ball";
}

TEST(CollideNodes, MergedTheNearestCounts) {
  TestGraph g;
  g.node("ground", "collide.plane")
      .node("ball", "collide.sphere", {{"position", vec(0, 2, 0)}})
      .node("all", "collide.merge")
      .link("ground.colliders", "all.colliders")
      .link("ball.colliders", "all.colliders");
  EXPECT_EQ(g.get<Colliders>("all.colliders").list.size(), 2u);
  EXPECT_NEAR(distance_at(g, "all", {0, 3, 0}), 0.5, 1e-3);
  EXPECT_NEAR(distance_at(g, "all", {5, 1, 0}), 1, 1e-3);
}

TEST(CollideNodes, AMeshMovesWithoutBeingMeasuredAgain) {
  TestGraph g;
  g.node("ball", "mesh.sphere", {{"radius", 1}})
      .node("it", "collide.mesh", {{"cells", 24}})
      .link("ball.mesh", "it.mesh");
  const Colliders rest = g.get<Colliders>("it.colliders");
  const Colliders moved = g.set("it.position", vec(10, 0, 0)).get<Colliders>("it.colliders");
  EXPECT_EQ(moved.list[0].distances, rest.list[0].distances) << "the same grid, not an equal one";
  EXPECT_NEAR(distance_at(g, "it", {12, 0, 0}), 1, 0.05);
  EXPECT_NEAR(distance_at(g, "it", {10, 0.9f, 0}), -0.1, 0.02);
  // Deep inside within half the diagonal of four cells.
  EXPECT_NEAR(distance_at(g, "it", {10, 0, 0}), -1, 3.5 * 2 / 24);
}

TEST(CollideNodes, ASolidIsAnObstacleBySurfaceAndIsMeasuredByItsVertices) {
  TestGraph g;
  g.node("box", "tet.box", {{"cells_x", 2}, {"cells_y", 2}, {"cells_z", 2}})
      .node("it", "collide.mesh", {{"cells", 16}})
      .link("box.solid", "it.mesh")
      .node("d", "field.collider_distance")
      .link("box.solid", "d.mesh")
      .link("it.colliders", "d.colliders");
  const Field field = g.get<Field>("d.field");
  ASSERT_EQ(field.size(), 27u);
  EXPECT_NEAR(field.at(13), -0.5, 0.05) << "the middle";
  EXPECT_NEAR(field.at(0), 0, 0.05) << "a corner";
}

TEST(CollideNodes, TerrainFromALandscape) {
  TestGraph g;
  g.node("grid", "mesh.grid")
      .node("tilt", "mesh.transform", {{"rotate", vec(0, 0, 45)}, {"translate", vec(0, 1, 0)}})
      .node("it", "collide.terrain", {{"cells", 16}})
      .link("grid.mesh", "tilt.mesh")
      .link("tilt.mesh", "it.mesh");
  EXPECT_NEAR(distance_at(g, "it", {0, 2, 0}), std::sqrt(0.5), 1e-3);
  EXPECT_NEAR(distance_at(g, "it", {0, 0, 0}), -std::sqrt(0.5), 1e-3);
}

TEST(CollideNodes, WhatCannotBeAnObstacleIsOneClearMessage) {
  TestGraph g;
  g.node("grid", "mesh.grid")
      .node("open", "collide.mesh")
      .link("grid.mesh", "open.mesh")
      .node("wall", "mesh.grid")
      .node("turn", "mesh.transform", {{"scale", vec(1, 1, 0)}})
      .link("wall.mesh", "turn.mesh")
      .node("terrain", "collide.terrain")
      .link("turn.mesh", "terrain.mesh")
      .node("nothing", "collide.merge")
      .node("ball", "mesh.sphere")
      .node("d", "field.collider_distance")
      .link("ball.mesh", "d.mesh")
      .link("nothing.colliders", "d.colliders");
  const auto said = [&](const std::string& output) {
    const std::string errors = g.run(output).errors;
    EXPECT_EQ(std::count(errors.begin(), errors.end(), '\n'), 1) << errors;
    return errors;
  };
  EXPECT_NE(said("open.colliders").find("the mesh is open"), std::string::npos);
  EXPECT_NE(said("terrain.colliders").find("cannot be a terrain"), std::string::npos);
  EXPECT_NE(said("d.field").find("colliders"), std::string::npos);
}

TEST(CollideNodes, DescribedByShape) {
  TestGraph g;
  g.node("it", "collide.sphere", {{"friction", 0.25}});
  const Value value = g.run("it.colliders").value;
  const Json facts = value.type()->describe(value.data());
  EXPECT_EQ(facts["count"], 1);
  EXPECT_EQ(facts["obstacles"][0]["shape"], "sphere");
  EXPECT_EQ(facts["obstacles"][0]["friction"], 0.25);
}

}  // namespace
}  // namespace sinew::testing
