// tet.from_mesh over the primitives and over the whole cast, whoever is in it.
#include <cmath>

#include "nodes/kernels/adjacency.h"
#include "nodes/kernels/measure.h"
#include "nodes/kernels/surface_tree.h"
#include "nodes/kernels/tet_measure.h"
#include "tests/nodes/harness.h"

namespace sinew::testing {
namespace {

// Nodes that make a mesh out of nothing but numbers: "node id.output".
std::vector<std::string> makers() {
  std::vector<std::string> list = {"mesh.box.mesh", "mesh.sphere.mesh", "mesh.torus.mesh",
                                   "mesh.cylinder.mesh", "mesh.capsule.mesh"};
  for (const NodeType* type : all_nodes().nodes()) {
    if (!type->id.starts_with("cast.")) continue;
    for (const OutputInfo& out : type->outputs) {
      if (out.type == &type_of<Mesh>()) list.push_back(type->id + "." + out.name);
    }
  }
  return list;
}

class FromMesh : public ::testing::TestWithParam<std::string> {};

// By sampling the box: where the winding number says inside, and whether parts overlap.
struct Sampled {
  double volume = 0;
  bool overlaps = false;
};
Sampled sample(const Mesh& mesh) {
  const kernels::SurfaceTree tree(mesh);
  const int n = 48;
  const Vec3d low = tree.box().min(), size = tree.box().sizes();
  int inside = 0;
  Sampled result;
  for (int i = 0; i < n * n * n; ++i) {
    const Vec3d q((i % n + 0.5) / n, (i / n % n + 0.5) / n, (i / n / n + 0.5) / n);
    const double w = tree.winding_number(low + q.cwiseProduct(size));
    inside += std::abs(w) > 0.5;
    result.overlaps |= std::abs(w) > 1.5;
  }
  result.volume = size.prod() * inside / (n * n * n);
  return result;
}

TEST_P(FromMesh, IsFilledWithinTheBounds) {
  const std::string from = GetParam();
  const std::string type = from.substr(0, from.rfind('.'));
  TestGraph g;
  g.node("maker", type).node("fill", "tet.from_mesh");
  g.link("maker" + from.substr(from.rfind('.')), "fill.mesh");
  const Mesh mesh = g.get<Mesh>("maker" + from.substr(from.rfind('.')));
  if (type == "cast.dragon") {
    // The tips of its spikes are thinner than the standard finds: it says so, and what would help.
    EXPECT_NE(g.run("fill.solid").warnings.find("raise 'resolution'"), std::string::npos);
    g.set("fill.resolution", 110);
  }
  const Outcome outcome = g.run("fill.solid");
  ASSERT_EQ(outcome.errors, "");
  EXPECT_EQ(outcome.warnings, "");
  const TetMesh& solid = outcome.as<TetMesh>();
  const kernels::SolidReport report = kernels::inspect_solid(solid);
  EXPECT_EQ(report.inverted + report.flat, 0u);
  EXPECT_GE(report.least_angle, 10.7);
  EXPECT_LE(report.greatest_angle, 164.8);
  EXPECT_EQ(report.open_rings + report.pinched_vertices + report.loose_vertices, 0u);
  EXPECT_GE(solid.vertex_count(), 300u);
  EXPECT_LE(solid.vertex_count(), 60000u);
  const Mesh boundary = boundary_mesh(solid);
  EXPECT_TRUE(
      kernels::inspect_topology(boundary.triangles(), boundary.vertex_count()).watertight());
  // The surface's own volume counts parts that overlap twice: then only the samples know.
  const double own = std::abs(kernels::signed_volume(mesh));
  const Sampled sampled = sample(mesh);
  const bool closed = kernels::inspect_topology(mesh.triangles(), mesh.vertex_count()).watertight();
  if (closed && !sampled.overlaps) {
    EXPECT_NEAR(report.volume / own, 1, 0.02);
    // Nothing is broken through, and nothing has grown together.
    EXPECT_EQ(kernels::inspect_topology(boundary.triangles(), boundary.vertex_count()).euler,
              kernels::inspect_topology(mesh.triangles(), mesh.vertex_count()).euler);
  } else {
    EXPECT_NEAR(report.volume / sampled.volume, 1, 0.05);
  }
  const Mesh shown = surface_of(solid);
  ASSERT_EQ(*shown.topology, *mesh.topology);
  const double diagonal = kernels::bounding_box(mesh.positions).diagonal().norm();
  double off = 0;
  for (size_t i = 0; i < mesh.vertex_count(); ++i) {
    off = std::max<double>(off, (shown.positions[i] - mesh.positions[i]).norm());
  }
  EXPECT_LE(off, 1e-6 * diagonal);
  EXPECT_NEAR(g.get<float>("fill.volume"), report.volume, 1e-4 * report.volume);
  EXPECT_NEAR(g.get<float>("fill.smallest_angle"), report.least_angle, 1e-3);
  EXPECT_NEAR(g.get<float>("fill.largest_angle"), report.greatest_angle, 1e-3);
  EXPECT_GT(g.get<float>("fill.cell"), 0);
}

INSTANTIATE_TEST_SUITE_P(Everyone, FromMesh, ::testing::ValuesIn(makers()), [](const auto& param) {
  std::string name = param.param;
  for (char& c : name) {
    if (c == '.') c = '_';
  }
  return name;
});

TEST(FromMeshNode, GivesAboutAsManyVerticesAsAsked) {
  TestGraph g;
  g.node("ball", "mesh.sphere").node("fill", "tet.from_mesh");
  g.link("ball.mesh", "fill.mesh").set("fill.sizing", "vertices").set("fill.vertices", 2000);
  const size_t count = g.get<TetMesh>("fill.solid").vertex_count();
  EXPECT_GT(count, 1400u);
  EXPECT_LT(count, 2800u);
}

TEST(FromMeshNode, CoarserInsideHasFewerVertices) {
  TestGraph g;
  g.node("ball", "mesh.sphere").node("fill", "tet.from_mesh");
  g.link("ball.mesh", "fill.mesh").set("fill.resolution", 30);
  const size_t graded = g.get<TetMesh>("fill.solid").vertex_count();
  EXPECT_LT(1.3 * graded, g.set("fill.grading", 0).get<TetMesh>("fill.solid").vertex_count());
}

TEST(FromMeshNode, SaysWhichResolutionKeepsThinParts) {
  TestGraph g;
  g.node("rod", "mesh.cylinder", {{"radius", 0.02}, {"top_radius", 0.02}, {"height", 1.0}});
  g.node("ball", "mesh.sphere", {{"radius", 0.2}}).node("both", "mesh.merge");
  g.link("rod.mesh", "both.meshes").link("ball.mesh", "both.meshes");
  g.node("fill", "tet.from_mesh", {{"resolution", 10}, {"keep_thin", false}});
  g.link("both.mesh", "fill.mesh");
  const Outcome outcome = g.run("fill.solid");
  ASSERT_EQ(outcome.errors, "");
  EXPECT_NE(outcome.warnings.find("a resolution of about"), std::string::npos) << outcome.warnings;
  const Outcome kept = g.set("fill.keep_thin", true).run("fill.solid");
  EXPECT_EQ(kept.warnings.find("lost"), std::string::npos) << kept.warnings;
}

TEST(FromMeshNode, BadInputGetsOneClearMessage) {
  TestGraph g;
  g.node("flat", "mesh.grid").node("fill", "tet.from_mesh").link("flat.mesh", "fill.mesh");
  EXPECT_NE(g.run("fill.solid").errors.find("encloses nothing"), std::string::npos);
  TestGraph h;
  h.node("box", "mesh.box").node("fill", "tet.from_mesh", {{"resolution", 1000}});
  h.link("box.mesh", "fill.mesh");
  const Outcome outcome = h.run("fill.solid");
  EXPECT_NE(outcome.errors.find("million tetrahedra"), std::string::npos) << outcome.errors;
  EXPECT_EQ(std::count(outcome.errors.begin(), outcome.errors.end(), '\n'), 1) << outcome.errors;
}

}  // namespace
}  // namespace sinew::testing
