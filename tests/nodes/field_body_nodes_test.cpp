// Nodes that bring fields, vectors and frames together with the bodies they live on.
#include <algorithm>
#include <cmath>

#include "nodes/kernels/measure.h"
#include "tests/nodes/harness.h"

namespace sinew::testing {
namespace {

// A box of tetrahedra with a ramp from 0 to 1 along an axis.
TestGraph solid_ramp(const char* axis = "y") {
  TestGraph g;
  g.node("solid", "tet.box", {{"size", {1, 2, 1}}, {"cells_x", 4}, {"cells_y", 6}, {"cells_z", 4}})
      .node("ramp", "field.axis", {{"axis", axis}})
      .link("solid.solid", "ramp.mesh");
  return g;
}

Json stroke(const char* points) { return Json::array({{{"points", Json::parse(points)}}}); }

TEST(FieldBodyNodes, GradientOfARampIsItsSlope) {
  TestGraph g = solid_ramp();
  g.node("slope", "field.gradient").link("solid.solid", "slope.mesh");
  g.link("ramp.field", "slope.field");
  const VectorField slope = g.get<VectorField>("slope.vectors");
  ASSERT_EQ(slope.size(), g.get<TetMesh>("solid.solid").vertex_count());
  for (const Vec3f& v : slope.values) EXPECT_LT((v - Vec3f(0, 0.5f, 0)).norm(), 1e-5f);
  // Its parts.
  g.node("part", "field.component").link("slope.vectors", "part.vectors");
  const std::tuple<const char*, float> parts[] = {
      {"length", 0.5f}, {"x", 0.0f}, {"y", 0.5f}, {"z", 0.0f}, {"along", 0.3f}};
  for (const auto& [name, wanted] : parts) {
    g.set("part.part", name).set("part.direction", {0, 3, 4});
    const Field measured = g.get<Field>("part.field");
    for (const float x : measured.values()) EXPECT_NEAR(x, wanted, 1e-5f) << name;
  }
  g.set("part.direction", {0, 0, 0});
  EXPECT_NE(g.run("part.field").errors.find("'direction' has no length"), std::string::npos);
}

TEST(FieldBodyNodes, AFieldOfAnotherBodyIsRefused) {
  for (const char* id : {"field.gradient", "field.cut_view", "field.frames", "field.transfer"}) {
    TestGraph g = solid_ramp();
    g.node("other", "mesh.box").node("it", id);
    const NodeType& type = *all_nodes().find(id);
    for (const InputInfo& in : type.inputs) {
      if (in.type == &type_of<Mesh>()) g.link("other.mesh", "it." + in.name);
      if (in.type == &type_of<Field>()) g.link("ramp.field", "it." + in.name);
    }
    EXPECT_NE(g.run("it." + type.outputs[0].name).errors.find("175 values but the mesh has 8"),
              std::string::npos)
        << id << g.run("it." + type.outputs[0].name).errors;
  }
}

TEST(FieldBodyNodes, AnEmptyMeshGivesNothingOrOneClearMessage) {
  TestGraph g;
  // Everything of the box is cut away.
  g.node("box", "mesh.box")
      .node("empty", "field.cut_view", {{"offset", -9}})
      .link("box.mesh", "empty.body");
  ASSERT_EQ(g.get<Mesh>("empty.mesh").vertex_count(), 0u);
  for (const char* id : {"field.gradient", "field.cut_view", "field.frames", "field.transfer",
                         "field.axis", "mesh.smooth"}) {
    TestGraph h = g;
    h.node("it", id);
    const NodeType& type = *all_nodes().find(id);
    for (const InputInfo& in : type.inputs) {
      if (in.type == &type_of<Mesh>()) h.link("empty.mesh", "it." + in.name);
    }
    const Outcome outcome = h.run("it." + type.outputs[0].name);
    if (std::string(id) == "field.transfer") {
      EXPECT_NE(outcome.errors.find("no triangles"), std::string::npos);
    } else {
      EXPECT_EQ(outcome.errors, "") << id;
      EXPECT_TRUE(outcome.value) << id;
    }
  }
}

TEST(FieldBodyNodes, BlendFollowsItsMaskThroughTheFeather) {
  TestGraph g = solid_ramp();
  g.node("blend", "field.blend", {{"base", 2}, {"over", 10}}).link("ramp.field", "blend.mask");
  const Field ramp = g.get<Field>("ramp.field");
  Field mixed = g.get<Field>("blend.field");
  for (size_t i = 0; i < ramp.size(); ++i) EXPECT_NEAR(mixed.at(i), 2 + 8 * ramp.at(i), 1e-5f);
  // A hard, inverted mask at half of the effect.
  g.set("blend.feather",
        Json::parse(R"({"points": [[0, 1], [0.45, 0]], "interpolation": "stepped"})"));
  g.set("blend.opacity", 0.5);
  mixed = g.get<Field>("blend.field");
  for (size_t i = 0; i < ramp.size(); ++i) {
    EXPECT_NEAR(mixed.at(i), ramp.at(i) < 0.45f ? 6 : 2, 1e-5f);
  }
  // Constants stay a constant, and fields of two bodies do not match.
  TestGraph plain;
  plain.node("blend", "field.blend", {{"base", 3}, {"over", 4}, {"mode", "multiply"}});
  EXPECT_TRUE(plain.get<Field>("blend.field") == Field::constant(12));
  g.node("box", "mesh.box").node("other", "field.axis").link("box.mesh", "other.mesh");
  g.link("other.field", "blend.base");
  EXPECT_NE(g.run("blend.field").errors.find("do not match"), std::string::npos);
}

TEST(FieldBodyNodes, TransferKeepsLinearFunctionsBetweenMeshesAndSolids) {
  TestGraph g = solid_ramp();
  g.node("finer", "tet.box", {{"size", {1, 2, 1}}, {"cells_x", 6}})
      .node("surface", "mesh.box", {{"size", {1, 2, 1}}, {"segments_y", 3}})
      .node("on_surface", "field.axis")
      .link("surface.mesh", "on_surface.mesh")
      .node("inside", "field.transfer")
      .link("ramp.field", "inside.field")
      .link("solid.solid", "inside.from")
      .link("finer.solid", "inside.to")
      .node("outside", "field.transfer")
      .link("ramp.field", "outside.field")
      .link("solid.solid", "outside.from")
      .link("surface.mesh", "outside.to")
      .node("inwards", "field.transfer")
      .link("on_surface.field", "inwards.field")
      .link("surface.mesh", "inwards.from")
      .link("finer.solid", "inwards.to");
  const auto expect_ramp = [](const Field& field, std::span<const Vec3f> points, float wrong) {
    ASSERT_EQ(field.size(), points.size());
    for (size_t i = 0; i < points.size(); ++i)
      EXPECT_NEAR(field.at(i), 0.5f + points[i].y() / 2, wrong);
  };
  const TetMesh finer = g.get<TetMesh>("finer.solid");
  expect_ramp(g.get<Field>("inside.field"), finer.positions, 1e-5f);
  expect_ramp(g.get<Field>("outside.field"), g.get<Mesh>("surface.mesh").positions, 1e-5f);
  // Inside of the box the closest place of its surface is at the same height, or above or below.
  expect_ramp(g.get<Field>("inwards.field"), finer.positions, 0.25f);
  const Field far = g.get<Field>("inwards.distance");
  EXPECT_NEAR(*std::max_element(far.values().begin(), far.values().end()), 0.5f, 0.05f);
}

TEST(FieldBodyNodes, TransferFitsBoxes) {
  TestGraph g;
  g.node("small", "mesh.sphere", {{"radius", 0.1}, {"detail", 9}})
      .node("paint", "field.axis")
      .link("small.mesh", "paint.mesh")
      .node("large", "mesh.sphere", {{"radius", 3}, {"detail", 14}})
      .node("away", "mesh.transform", {{"translate", {5, 6, 7}}})
      .link("large.mesh", "away.mesh")
      .node("move", "field.transfer", {{"space", "box"}})
      .link("paint.field", "move.field")
      .link("small.mesh", "move.from")
      .link("away.mesh", "move.to");
  const Field moved = g.get<Field>("move.field");
  const Mesh away = g.get<Mesh>("away.mesh");
  for (size_t i = 0; i < moved.size(); ++i)
    EXPECT_NEAR(moved.at(i), (away.positions[i].y() - 3) / 6, 0.02f);
  // A constant stays one, whatever it goes to.
  g.doc.graph.links.erase(g.doc.graph.links.begin() + 2);
  EXPECT_TRUE(g.get<Field>("move.field").is_constant());
}

TEST(FieldBodyNodes, CutViewShowsTheFieldInside) {
  TestGraph g = solid_ramp();
  g.node("cut", "field.cut_view", {{"normal", {0, 2, 0}}, {"offset", 0.1}})
      .link("solid.solid", "cut.body")
      .link("ramp.field", "cut.field");
  const Mesh lower = g.get<Mesh>("cut.mesh");
  const Field field = g.get<Field>("cut.field");
  ASSERT_EQ(field.size(), lower.vertex_count());
  for (size_t i = 0; i < field.size(); ++i)
    EXPECT_NEAR(field.at(i), 0.5f + lower.positions[i].y() / 2, 1e-5f);
  EXPECT_NEAR(kernels::signed_volume(lower), 1.1, 1e-4);
  g.set("cut.flip", true);
  EXPECT_NEAR(kernels::signed_volume(g.get<Mesh>("cut.mesh")), 0.9, 1e-4);
  g.set("cut.cap", false);
  EXPECT_NEAR(kernels::surface_area(g.get<Mesh>("cut.mesh")), 1 + 4 * 0.9, 1e-4);
}

TEST(FieldBodyNodes, CutViewSaysWhatIsWrong) {
  TestGraph g;
  g.node("grid", "mesh.grid").node("cut", "field.cut_view").link("grid.mesh", "cut.body");
  EXPECT_NE(g.run("cut.mesh").warnings.find("1 outlines have no cap"), std::string::npos);
  g.set("cut.offset", -5);
  const Outcome nothing = g.run("cut.mesh");
  EXPECT_EQ(nothing.errors, "");
  EXPECT_NE(nothing.warnings.find("nothing is left"), std::string::npos);
  EXPECT_TRUE(nothing.as<Mesh>().empty());
  g.set("cut.offset", 5);
  EXPECT_EQ(g.run("cut.mesh").warnings, "");
  EXPECT_TRUE(g.get<Mesh>("cut.mesh") == g.get<Mesh>("grid.mesh"));
  g.set("cut.normal", {0, 0, 0});
  EXPECT_NE(g.run("cut.mesh").errors.find("'normal' has no length"), std::string::npos);
}

TEST(FieldBodyNodes, FramesFollowLayersAndStrokes) {
  for (const char* follow : {"arrows", "lines"}) {
    TestGraph g = solid_ramp();
    g.node("frames", "field.frames",
           {{"follow", follow}, {"strokes", stroke("[[-0.5, 0, 0], [0.5, 0.2, 0]]")}})
        .link("solid.solid", "frames.body")
        .link("ramp.field", "frames.layer");
    const Outcome outcome = g.run("frames.frames");
    EXPECT_EQ(outcome.warnings, "");
    EXPECT_EQ(g.get<int>("frames.degenerate"), 0);
    g.node("axis", "field.frame_axes").link("frames.frames", "axis.frames");
    const std::tuple<const char*, Vec3f> axes[] = {
        {"primary", {1, 0, 0}}, {"secondary", {0, 1, 0}}, {"tertiary", {0, 0, 1}}};
    for (const auto& [name, wanted] : axes) {
      for (const Vec3f& v : g.set("axis.axis", name).get<VectorField>("axis.vectors").values)
        EXPECT_LT((v - wanted).norm(), 1e-4f) << name << follow;
    }
  }
}

TEST(FieldBodyNodes, FramesCountWhatTheyHadToFill) {
  TestGraph g = solid_ramp();
  g.node("frames", "field.frames").link("solid.solid", "frames.body");
  const int count = static_cast<int>(g.get<TetMesh>("solid.solid").vertex_count());
  EXPECT_NE(g.run("frames.frames").warnings.find("the same everywhere"), std::string::npos);
  EXPECT_EQ(g.get<int>("frames.degenerate"), count);
  g.link("ramp.field", "frames.layer");
  EXPECT_NE(g.run("frames.frames").warnings.find("no brush strokes"), std::string::npos);
  // A stroke across the layers says nothing about them.
  g.set("frames.strokes", stroke("[[0, -1, 0], [0, 1, 0]]"));
  EXPECT_EQ(g.get<int>("frames.degenerate"), count);
  EXPECT_NE(g.run("frames.frames").warnings.find("where no stroke lies in it"), std::string::npos);
  g.set("frames.strokes", stroke("[[0, 0, -1], [0, 0, 1]]"));
  EXPECT_EQ(g.get<int>("frames.degenerate"), 0);
  // What was erased does not count.
  Json strokes = stroke("[[0, 0, -1], [0, 0, 1]]");
  strokes.push_back({{"tool", "erase"}, {"radius", 5}, {"points", Json::parse("[[0, 0, 0]]")}});
  g.set("frames.strokes", strokes);
  EXPECT_NE(g.run("frames.frames").warnings.find("no brush strokes"), std::string::npos);
  strokes.push_back({{"points", Json::parse("[[-1, 0, 0], [1, 0, 0]]")}});
  EXPECT_EQ(g.set("frames.strokes", strokes).get<int>("frames.degenerate"), 0);
}

TEST(FieldBodyNodes, FramesTakeAGivenGradient) {
  TestGraph g = solid_ramp("x");
  g.node("slope", "field.gradient")
      .link("solid.solid", "slope.mesh")
      .link("ramp.field", "slope.field")
      .node("frames", "field.frames", {{"strokes", stroke("[[0, 0, -1], [0, 0, 1]]")}})
      .link("solid.solid", "frames.body")
      .link("slope.vectors", "frames.gradient");
  for (const Vec3f& v : g.get<Frames>("frames.frames").secondary)
    EXPECT_LT((v - Vec3f(1, 0, 0)).norm(), 1e-5f);
  g.node("box", "mesh.box").node("other", "field.gradient").link("box.mesh", "other.mesh");
  g.doc.graph.links.erase(
      std::find_if(g.doc.graph.links.begin(), g.doc.graph.links.end(),
                   [](const auto& link) { return link.to.socket == "gradient"; }));
  g.link("other.vectors", "frames.gradient");
  EXPECT_NE(g.run("frames.frames").errors.find("'gradient' has 8 values"), std::string::npos);
}

TEST(FieldBodyNodes, DisplaceAlongMovesByTheVectors) {
  TestGraph g;
  g.node("ball", "mesh.sphere", {{"detail", 4}})
      .node("ramp", "field.axis")
      .link("ball.mesh", "ramp.mesh")
      .node("slope", "field.gradient")
      .link("ball.mesh", "slope.mesh")
      .link("ramp.field", "slope.field")
      .node("push", "mesh.displace_along", {{"distance", 0.5}, {"amount", 2}})
      .link("ball.mesh", "push.mesh")
      .link("slope.vectors", "push.vectors");
  const Mesh before = g.get<Mesh>("ball.mesh"), after = g.get<Mesh>("push.mesh");
  const VectorField by = g.get<VectorField>("slope.vectors");
  for (size_t i = 0; i < by.size(); ++i)
    EXPECT_LT((after.positions[i] - before.positions[i] - by.values[i]).norm(), 1e-5f);
  g.node("box", "mesh.box").node("far", "mesh.displace_along").link("box.mesh", "far.mesh");
  g.link("slope.vectors", "far.vectors");
  EXPECT_NE(g.run("far.mesh").errors.find("but the mesh has 8 vertices"), std::string::npos);
}

}  // namespace
}  // namespace sinew::testing
