// field.distance: its ways, its sources, and what it says when something is not right.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "tests/nodes/harness.h"

namespace sinew::testing {
namespace {

TestGraph on_sphere(std::map<std::string, Json> params) {
  TestGraph g;
  g.node("ball", "mesh.sphere", {{"radius", 1}, {"detail", 12}})
      .node("far", "field.distance", std::move(params))
      .link("ball.mesh", "far.body");
  return g;
}

TEST(DistanceNode, EveryWayOnASphereFromItsTop) {
  const auto exact = [](const std::string& method, double straight) {
    const bool along = method.starts_with("surface");
    return along ? 2 * std::asin(std::min(1.0, straight / 2)) : straight;
  };
  for (const char* method : {"material", "surface", "surface_smooth", "straight"}) {
    TestGraph g = on_sphere({{"point", {0, 1, 0}}, {"method", method}});
    const Mesh ball = g.get<Mesh>("ball.mesh");
    const Outcome far = g.run("far.field");
    EXPECT_EQ(far.errors + far.warnings, "") << method;
    const Field& field = far.as<Field>();
    ASSERT_EQ(field.size(), ball.vertex_count());
    double most = 0;
    for (size_t v = 0; v < field.size(); ++v) {
      const double wanted = exact(method, (ball.positions[v] - Vec3f(0, 1, 0)).norm());
      EXPECT_NEAR(field.at(v), wanted, 0.02 * wanted + 0.02) << method;
      most = std::max<double>(most, field.at(v));
    }
    EXPECT_EQ(g.get<float>("far.maximum"), static_cast<float>(most));
    const Field unit = g.set("far.normalise", true).get<Field>("far.field");
    EXPECT_EQ(*std::max_element(unit.values().begin(), unit.values().end()), 1.0f);
    EXPECT_EQ(g.get<float>("far.maximum"), static_cast<float>(most));
  }
}

TEST(DistanceNode, DoesNotJumpTheGapOfTheU) {
  TestGraph g;
  g.node("u", "cast.u_shape", {{"height", 0.3}, {"gap", 0.1}, {"vertices", 1500}})
      .node("solid", "tet.from_mesh")
      .node("far", "field.distance")
      .link("u.mesh", "solid.mesh")
      .link("u.mesh", "far.body");
  const Mesh u = g.get<Mesh>("u.mesh");
  // From the top of the left leg, at its inner side, to the other leg beside it.
  const auto extreme = [&](float side) {
    size_t best = 0;
    const auto score = [&](size_t v) {
      const Vec3f& p = u.positions[v];
      return side * p.x() > 0 ? p.y() - 2 * side * p.x() : -1e9f;
    };
    for (size_t v = 1; v < u.vertex_count(); ++v)
      if (score(v) > score(best)) best = v;
    return best;
  };
  const size_t left = extreme(-1), right = extreme(1);
  const Vec3f a = u.positions[left], b = u.positions[right];
  ASSERT_LT((a - b).norm(), 0.05f);
  const Json point = {a.x(), a.y(), a.z()};
  const float near =
      g.set("far.point", point).set("far.method", "straight").get<Field>("far.field").at(right);
  EXPECT_NEAR(near, (a - b).norm(), 1e-5f);
  for (const char* method : {"material", "surface", "surface_smooth"}) {
    const Field field = g.set("far.method", method).get<Field>("far.field");
    EXPECT_GT(field.at(right), 6 * near) << method;
    EXPECT_NEAR(field.at(left), 0, 1e-3f) << method;
  }
  // The same through the tetrahedra of a solid of it.
  TestGraph s;
  s.node("u", "cast.u_shape", {{"height", 0.3}, {"gap", 0.5}, {"vertices", 1500}})
      .node("solid", "tet.from_mesh")
      .node("far", "field.distance", {{"point", point}})
      .link("u.mesh", "solid.mesh")
      .link("solid.solid", "far.body");
  const TetMesh solid = s.get<TetMesh>("solid.solid");
  const Field field = s.get<Field>("far.field");
  ASSERT_EQ(field.size(), solid.vertex_count());
  for (size_t v = 0; v < field.size(); ++v) {
    const Vec3f& p = solid.positions[v];
    if (p.x() < 0.02f || p.y() < 0.27f) continue;
    EXPECT_GT(field.at(v), 0.3f);
  }
}

TEST(DistanceNode, FromAPaintedSet) {
  for (const char* method : {"material", "surface", "surface_smooth", "straight"}) {
    TestGraph g;
    g.node("tube", "mesh.cylinder",
           {{"height", 2}, {"radius", 0.3}, {"height_segments", 30}, {"cap_segments", 6}})
        .node("ramp", "field.axis")  // 0 at the bottom, 1 at the top
        .node("far", "field.distance",
              {{"from", "painted"}, {"threshold", 0.999}, {"method", method}})
        .link("tube.mesh", "ramp.mesh")
        .link("tube.mesh", "far.body")
        .link("ramp.field", "far.painted");
    const Mesh tube = g.get<Mesh>("tube.mesh");
    const Field field = g.get<Field>("far.field");
    for (size_t v = 0; v < field.size(); ++v) {
      const Vec3f& p = tube.positions[v];
      EXPECT_EQ(field.at(v) == 0, p.y() > 0.999f) << method;
      if (std::hypot(p.x(), p.z()) > 0.29f) {
        EXPECT_NEAR(field.at(v), 1 - p.y(), 0.03 * (1 - p.y()) + 0.01) << method;
      }
    }
    const Outcome none = g.set("far.threshold", 2).run("far.field");
    EXPECT_NE(none.errors.find("no vertex is painted"), std::string::npos) << none.errors;
  }
}

TEST(DistanceNode, FromTheVerticesOfAnotherMesh) {
  TestGraph g = on_sphere({{"from", "points"}, {"method", "straight"}});
  EXPECT_NE(g.run("far.field").errors.find("'points'"), std::string::npos);
  g.node("places", "mesh.box").link("places.mesh", "far.points");
  const Mesh ball = g.get<Mesh>("ball.mesh"), places = g.get<Mesh>("places.mesh");
  for (const char* method : {"straight", "material"}) {
    const Field field = g.set("far.method", method).get<Field>("far.field");
    for (size_t v = 0; v < field.size(); ++v) {
      float wanted = 1e9f;
      for (const Vec3f& p : places.positions) {
        wanted = std::min(wanted, (p - ball.positions[v]).norm());
      }
      EXPECT_NEAR(field.at(v), wanted, method[0] == 's' ? 1e-6f : 0.02f) << method;
    }
  }
}

TEST(DistanceNode, OnASolid) {
  TestGraph g;
  g.node("box", "tet.box", {{"size", {1, 2, 1}}})
      .node("far", "field.distance", {{"point", {0.2, 0.7, -0.1}}})
      .link("box.solid", "far.body");
  const TetMesh box = g.get<TetMesh>("box.solid");
  const Field field = g.get<Field>("far.field");
  ASSERT_EQ(field.size(), box.vertex_count());
  for (size_t v = 0; v < field.size(); ++v) {
    EXPECT_NEAR(field.at(v), (box.positions[v] - Vec3f(0.2f, 0.7f, -0.1f)).norm(), 1e-5f);
  }
  const Outcome along = g.set("far.method", "surface").run("far.field");
  EXPECT_NE(along.errors.find("surface"), std::string::npos);
}

TEST(DistanceNode, WarnsOfWhatNoWayLeadsToAndOfPlacesFarAway) {
  TestGraph g;
  g.node("a", "mesh.sphere", {{"radius", 1}, {"detail", 4}})
      .node("b", "mesh.transform", {{"translate", {3, 0, 0}}})
      .node("both", "mesh.merge")
      .node("far", "field.distance", {{"resolution", 40}})
      .link("a.mesh", "b.mesh")
      .link("a.mesh", "both.meshes")
      .link("b.mesh", "both.meshes")
      .link("both.mesh", "far.body");
  for (const char* method : {"material", "surface", "surface_smooth"}) {
    const Outcome far = g.set("far.method", method).set("far.point", {0, 0.99, 0}).run("far.field");
    EXPECT_NE(far.warnings.find("no way leads to 162 of 324"), std::string::npos)
        << method << ": " << far.errors << far.warnings;
    const Field& field = far.as<Field>();
    for (size_t v = 162; v < 324; ++v) EXPECT_EQ(field.at(v), g.get<float>("far.maximum"));
    const Outcome away = g.set("far.point", {-4, 0, 0}).run("far.field");
    EXPECT_NE(away.warnings.find("3 m beside"), std::string::npos) << away.warnings;
  }
}

TEST(DistanceNode, SaysWhatIsWrong) {
  TestGraph g;
  g.node("sheet", "mesh.grid")
      .node("box", "mesh.box")
      .node("ramp", "field.axis")
      .node("far", "field.distance")
      .link("sheet.mesh", "far.body")
      .link("box.mesh", "ramp.mesh")
      .link("ramp.field", "far.painted");
  EXPECT_NE(g.run("far.field").errors.find("no inside"), std::string::npos);
  g.set("far.from", "painted").set("far.method", "surface");
  EXPECT_NE(g.run("far.field").errors.find("8 values"), std::string::npos);
}

}  // namespace
}  // namespace sinew::testing
