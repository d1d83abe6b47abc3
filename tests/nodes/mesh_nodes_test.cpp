#include "nodes/kernels/adjacency.h"
#include "nodes/kernels/measure.h"
#include "nodes/kernels/primitives.h"
#include "tests/nodes/harness.h"

namespace sinew::testing {
namespace {

double volume(const Mesh& mesh) { return kernels::measure_surface(mesh).signed_volume; }

TEST(MeshNodes, PrimitivesAreClosedAndOutwardWithTheirSegments) {
  TestGraph g;
  g.node("box", "mesh.box", {{"size", {1, 2, 3}}, {"segments_y", 4}})
      .node("ico", "mesh.sphere", {{"detail", 8}})
      .node("uv", "mesh.sphere", {{"kind", "uv"}, {"segments", 40}, {"rings", 20}})
      .node("cylinder", "mesh.cylinder")
      .node("cone", "mesh.cylinder", {{"top_radius", 0}})
      .node("torus", "mesh.torus")
      .node("capsule", "mesh.capsule");
  for (const char* id : {"box", "ico", "uv", "cylinder", "cone", "torus", "capsule"}) {
    const Mesh mesh = g.get<Mesh>(std::string(id) + ".mesh");
    EXPECT_TRUE(kernels::inspect_topology(mesh.triangles(), mesh.vertex_count()).watertight())
        << id;
    EXPECT_GT(volume(mesh), 0) << id;
  }
  EXPECT_NEAR(volume(g.get<Mesh>("box.mesh")), 6, 1e-5);
  EXPECT_EQ(g.get<Mesh>("box.mesh").triangle_count(), 2u * 2 * (4 + 4 + 1));
  EXPECT_EQ(g.get<Mesh>("ico.mesh").triangle_count(), 20u * 64);
  EXPECT_EQ(g.get<Mesh>("uv.mesh").vertex_count(), 40u * 19 + 2);
  EXPECT_NEAR(volume(g.get<Mesh>("uv.mesh")), 4.0 / 3 * M_PI / 8, 0.01);
}

TEST(MeshNodes, ContradictionsAreNamed) {
  TestGraph g;
  g.node("torus", "mesh.torus", {{"minor_radius", 2}})
      .node("capsule", "mesh.capsule", {{"radius", 2}});
  EXPECT_NE(g.run("torus.mesh").errors.find("less than the major radius (0.5 m)"),
            std::string::npos);
  EXPECT_NE(g.run("capsule.mesh").errors.find("more than twice the radius"), std::string::npos);
}

TEST(MeshNodes, FitTakesThePlaceOfAnother) {
  for (const double size : {1e-3, 1.0, 1e3}) {
    TestGraph g;
    g.node("model", "mesh.box", {{"size", {2, 1, 4}}})
        .node("there", "mesh.transform", {{"translate", {5, 7, -3}}})
        .node("small", "mesh.cylinder", {{"radius", 0.5}, {"height", 3}})
        .node("given", "mesh.transform", {{"size", size}, {"translate", {-90, 2, 8}}})
        .node("keep", "mesh.fit")
        .node("stretch", "mesh.fit", {{"fit", "stretch"}})
        .link("model.mesh", "there.mesh")
        .link("small.mesh", "given.mesh");
    for (const char* id : {"keep", "stretch"})
      g.link("given.mesh", std::string(id) + ".mesh").link("there.mesh", std::string(id) + ".like");
    const Eigen::AlignedBox3f model = kernels::bounding_box(g.get<Mesh>("there.mesh").positions);
    const Eigen::AlignedBox3f given = kernels::bounding_box(g.get<Mesh>("given.mesh").positions);
    const Eigen::AlignedBox3f kept = kernels::bounding_box(g.get<Mesh>("keep.mesh").positions);
    const Eigen::AlignedBox3f full = kernels::bounding_box(g.get<Mesh>("stretch.mesh").positions);
    EXPECT_NEAR(kept.diagonal().norm(), model.diagonal().norm(), 1e-4);
    EXPECT_NEAR(kept.min().y(), model.min().y(), 1e-4);
    EXPECT_NEAR(kept.center().x(), model.center().x(), 1e-4);
    EXPECT_NEAR(kept.center().z(), model.center().z(), 1e-4);
    // Its proportions are its own.
    const double times = static_cast<double>(g.get<float>("keep.scale"));
    EXPECT_TRUE(kept.sizes().isApprox(given.sizes() * static_cast<float>(times), 1e-3f));
    EXPECT_TRUE(full.min().isApprox(model.min(), 1e-4f)) << full.min();
    EXPECT_TRUE(full.max().isApprox(model.max(), 1e-4f)) << full.max();
  }
}

TEST(MeshNodes, FitLeavesWhatFitsAloneAndBearsSheets) {
  TestGraph g;
  g.node("a", "mesh.box")
      .node("same", "mesh.fit")
      .node("sheet", "mesh.grid")
      .node("flat", "mesh.fit", {{"fit", "stretch"}})
      .node("around", "mesh.fit", {{"fit", "stretch"}})
      .link("a.mesh", "same.mesh")
      .link("a.mesh", "same.like")
      .link("sheet.mesh", "flat.mesh")
      .link("a.mesh", "flat.like")
      .link("a.mesh", "around.mesh")
      .link("sheet.mesh", "around.like");
  EXPECT_EQ(g.get<Mesh>("same.mesh").positions, g.get<Mesh>("a.mesh").positions);
  for (const char* id : {"flat", "around"})
    for (const Vec3f& p : g.get<Mesh>(std::string(id) + ".mesh").positions)
      EXPECT_TRUE(p.allFinite()) << id;
}

TEST(MeshNodes, TransformScalesThenTurnsThenMoves) {
  TestGraph g;
  g.node("box", "mesh.box")
      .node("move", "mesh.transform",
            {{"scale", {2, 1, 1}}, {"rotate", {0, 0, 90}}, {"translate", {10, 0, 0}}})
      .link("box.mesh", "move.mesh");
  const Eigen::AlignedBox3f box = kernels::bounding_box(g.get<Mesh>("move.mesh").positions);
  EXPECT_TRUE(box.min().isApprox(Vec3f(9.5f, -1, -0.5f), 1e-6f)) << box.min();
  EXPECT_TRUE(box.max().isApprox(Vec3f(10.5f, 1, 0.5f), 1e-6f)) << box.max();
}

TEST(MeshNodes, TransformKeepsThePivot) {
  TestGraph g;
  g.node("box", "mesh.box")
      .node("move", "mesh.transform",
            {{"size", 3}, {"rotate", {10, 20, 30}}, {"pivot", {0.5, 0.5, 0.5}}})
      .link("box.mesh", "move.mesh");
  float nearest = 1;
  for (const Vec3f& p : g.get<Mesh>("move.mesh").positions) {
    nearest = std::min(nearest, (p - Vec3f(0.5f, 0.5f, 0.5f)).norm());
  }
  EXPECT_LT(nearest, 1e-6f);
  EXPECT_NEAR(volume(g.get<Mesh>("move.mesh")), 27, 1e-3);
}

TEST(MeshNodes, TransformMirrorsWithoutTurningInsideOutAndSharesWhatItDoesNotChange) {
  TestGraph g;
  g.node("box", "mesh.box")
      .node("mirror", "mesh.transform", {{"scale", {-1, 1, 1}}})
      .node("same", "mesh.transform")
      .link("box.mesh", "mirror.mesh")
      .link("box.mesh", "same.mesh");
  EXPECT_NEAR(volume(g.get<Mesh>("mirror.mesh")), 1, 1e-6);
  EXPECT_TRUE(g.run("same.mesh").value.shares(g.run("box.mesh").value));
}

TEST(MeshNodes, MergeKeepsTheOrderOfLinksAndWelds) {
  TestGraph g;
  g.node("a", "mesh.box")
      .node("b", "mesh.grid", {{"width_segments", 1}, {"depth_segments", 1}})
      .node("c", "mesh.transform", {{"translate", {1, 0, 0}}})
      .node("ab", "mesh.merge")
      .node("aa", "mesh.merge", {{"weld", true}, {"distance", 0.001}})
      .node("none", "mesh.merge")
      .link("a.mesh", "ab.meshes")
      .link("b.mesh", "ab.meshes")
      .link("a.mesh", "c.mesh")
      .link("a.mesh", "aa.meshes")
      .link("c.mesh", "aa.meshes");
  const Mesh merged = g.get<Mesh>("ab.mesh");
  EXPECT_EQ(merged.vertex_count(), 12u);
  EXPECT_EQ(merged.positions[0], g.get<Mesh>("a.mesh").positions[0]);
  EXPECT_EQ(merged.positions[8], g.get<Mesh>("b.mesh").positions[0]);
  EXPECT_EQ(g.get<Mesh>("aa.mesh").vertex_count(), 12u);  // two boxes that share a side
  EXPECT_TRUE(g.get<Mesh>("none.mesh").empty());
}

TEST(MeshNodes, SubdivideMakesFourOfEachAndRefusesTooMany) {
  TestGraph g;
  g.node("box", "mesh.box")
      .node("fine", "mesh.subdivide", {{"levels", 2}})
      .node("sphere", "mesh.sphere", {{"detail", 64}})
      .node("much", "mesh.subdivide", {{"levels", 5}})
      .node("none", "mesh.subdivide", {{"levels", 0}})
      .link("box.mesh", "fine.mesh")
      .link("box.mesh", "none.mesh")
      .link("sphere.mesh", "much.mesh");
  EXPECT_EQ(g.get<Mesh>("fine.mesh").triangle_count(), 12u * 16);
  EXPECT_NE(g.run("much.mesh").errors.find("at most 20000000 are possible"), std::string::npos);
  EXPECT_TRUE(g.run("none.mesh").value.shares(g.run("box.mesh").value));
}

TEST(MeshNodes, SmoothMovesOnlyWhereTheFieldSays) {
  TestGraph g;
  g.node("box", "mesh.box", {{"segments_x", 6}, {"segments_y", 6}, {"segments_z", 6}})
      .node("ramp", "field.axis", {{"axis", "y"}})
      .node("upper", "field.math", {{"operation", "step"}, {"b", 0.9}})
      .node("smooth", "mesh.smooth", {{"method", "laplacian"}})
      .link("box.mesh", "ramp.mesh")
      .link("ramp.field", "upper.a")
      .link("box.mesh", "smooth.mesh")
      .link("upper.field", "smooth.strength");
  const Mesh box = g.get<Mesh>("box.mesh"), smooth = g.get<Mesh>("smooth.mesh");
  ASSERT_EQ(box.vertex_count(), smooth.vertex_count());
  float moved = 0;
  for (size_t i = 0; i < box.vertex_count(); ++i) {
    const float distance = (box.positions[i] - smooth.positions[i]).norm();
    if (box.positions[i].y() < 0.39f)
      EXPECT_EQ(distance, 0);
    else
      moved = std::max(moved, distance);
  }
  EXPECT_GT(moved, 0.05f);
}

TEST(MeshNodes, TaubinKeepsTheVolumeBetter) {
  TestGraph g;
  g.node("box", "mesh.sphere", {{"detail", 6}})
      .node("smooth", "mesh.smooth", {{"method", "laplacian"}, {"iterations", 20}})
      .link("box.mesh", "smooth.mesh");
  const double before = volume(g.get<Mesh>("box.mesh"));
  const double shrunk = volume(g.get<Mesh>("smooth.mesh"));
  const double kept = volume(g.set("smooth.method", "taubin").get<Mesh>("smooth.mesh"));
  EXPECT_LT(shrunk, 0.9 * before);
  EXPECT_NEAR(kept, before, 0.05 * before);
}

TEST(MeshNodes, DisplaceByAConstantMovesAlongNormals) {
  TestGraph g;
  g.node("sphere", "mesh.sphere", {{"detail", 12}})
      .node("push", "mesh.displace", {{"amount", 2}, {"distance", 0.05}})
      .link("sphere.mesh", "push.mesh");
  for (const Vec3f& p : g.get<Mesh>("push.mesh").positions) EXPECT_NEAR(p.norm(), 0.6f, 1e-3f);
}

TEST(MeshNodes, AFieldOfAnotherMeshIsRefused) {
  TestGraph g;
  g.node("small", "mesh.box")
      .node("large", "mesh.sphere", {{"detail", 2}})
      .node("ramp", "field.axis")
      .node("push", "mesh.displace")
      .node("smooth", "mesh.smooth")
      .link("small.mesh", "ramp.mesh")
      .link("large.mesh", "push.mesh")
      .link("ramp.field", "push.amount")
      .link("large.mesh", "smooth.mesh")
      .link("ramp.field", "smooth.strength");
  const std::string wanted =
      "the field has 8 values but the mesh has 42 vertices; make it on this mesh";
  EXPECT_NE(g.run("push.mesh").errors.find(wanted), std::string::npos);
  EXPECT_NE(g.run("smooth.mesh").errors.find(wanted), std::string::npos);
}

TEST(MeshNodes, EmptyMeshesPassThroughEverything) {
  for (const char* type : {"mesh.transform", "mesh.subdivide", "mesh.smooth", "mesh.displace"}) {
    TestGraph g;
    g.node("none", "mesh.merge").node("it", type).link("none.mesh", "it.mesh");
    const Outcome outcome = g.run("it.mesh");
    EXPECT_EQ(outcome.errors, "") << type;
    EXPECT_TRUE(outcome.as<Mesh>().empty()) << type;
  }
}

}  // namespace
}  // namespace sinew::testing
