// Solids from files and to files, and what is measured on them.
#include <algorithm>
#include <fstream>

#include "nodes/kernels/adjacency.h"
#include "tests/nodes/harness.h"

namespace sinew::testing {
namespace {

namespace fs = std::filesystem;

class SolidNodes : public ::testing::Test {
 protected:
  SolidNodes() { g.context.folder = folder.path(); }

  void write(const std::string& name, const std::string& text) {
    std::ofstream(folder.path() / name, std::ios::binary) << text;
  }

  TemporaryFolder folder;
  TestGraph g;
};

const std::string vtk_head =
    "# vtk DataFile Version 3.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 float\n"
    "0 0 0 1 0 0 0 1 0 0 0 1\n";

TEST_F(SolidNodes, SavedAndLoadedInEveryFormat) {
  g.node("box", "tet.box", {{"cells_x", 3}, {"cells_y", 2}, {"cells_z", 2}})
      .node("save", "tet.save")
      .node("load", "tet.load")
      .link("box.solid", "save.solid");
  const TetMesh box = g.get<TetMesh>("box.solid");
  EXPECT_TRUE(g.run("save.solid").value.shares(g.run("box.solid").value));
  EXPECT_TRUE(fs::is_empty(folder.path())) << "nothing is written unless asked";
  g.context.run_effects = true;
  for (const char* file : {"out/a.msh", "a.vtk", "a.node", "b.ele"}) {
    for (const char* encoding : {"text", "binary"}) {
      for (const char* version : {"2.2", "4.1"}) {
        g.set("save.file", file).set("save.encoding", encoding).set("save.msh_version", version);
        EXPECT_EQ(g.run("save.solid").errors, "") << file;
        const Outcome loaded = g.set("load.file", file).run("load.solid");
        EXPECT_EQ(loaded.errors + loaded.warnings, "") << file;
        EXPECT_EQ(loaded.as<TetMesh>(), box) << file;
      }
    }
  }
  EXPECT_TRUE(fs::exists(folder.path() / "a.ele"));
  EXPECT_TRUE(fs::exists(folder.path() / "b.node"));
}

TEST_F(SolidNodes, SaveStaysInsideItsFolder) {
  const TemporaryFolder elsewhere;
  g.node("box", "tet.box").node("save", "tet.save").link("box.solid", "save.solid");
  g.context.run_effects = true;
  // The second file of a pair is a way out, too.
  fs::create_symlink(elsewhere.path() / "a.ele", folder.path() / "a.ele");
  const std::string outside = (elsewhere.path() / "a.msh").string();
  for (const std::string& file :
       {outside, std::string("../a.msh"), std::string("b/../../a.msh"), std::string("a.node")}) {
    const Outcome outcome = g.set("save.file", file).run("save.solid");
    EXPECT_NE(outcome.errors.find("document's folder"), std::string::npos)
        << file << ": " << outcome.errors;
  }
  EXPECT_TRUE(fs::is_empty(elsewhere.path()));
  for (const char* file : {"", "out/", "a.stl"}) {
    EXPECT_NE(g.set("save.file", file).run("save.solid").errors, "") << file;
  }
}

TEST_F(SolidNodes, TheOtherFileOfAPairIsWatched) {
  write("a.node", "4 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n");
  write("a.ele", "1 4 0\n0 0 1 2 3\n");
  g.node("load", "tet.load", {{"file", "a.ele"}});
  EXPECT_EQ(g.get<TetMesh>("load.solid").positions[3].z(), 1);
  write("a.node", "4 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 17\n");
  EXPECT_EQ(g.get<TetMesh>("load.solid").positions[3].z(), 17);
}

TEST_F(SolidNodes, UnitScaleAndUp) {
  write("a.vtk", vtk_head + "CELLS 1 5\n4 0 1 2 3\nCELL_TYPES 1\n10\n");
  g.node("load", "tet.load", {{"file", "a.vtk"}, {"unit", "cm"}, {"scale", 10}, {"up", "z"}});
  const TetMesh solid = g.get<TetMesh>("load.solid");
  EXPECT_TRUE(solid.positions[3].isApprox(Vec3f(0, 0.1f, 0), 1e-6f));
  EXPECT_TRUE(solid.positions[2].isApprox(Vec3f(0, 0, -0.1f), 1e-6f));
}

TEST_F(SolidNodes, WhatWasMendedIsSaid) {
  write("a.vtk", vtk_head +
                     "CELLS 5 28\n4 0 1 3 2\n4 0 1 2 3\n4 0 1 1 2\n8 0 1 2 3 0 1 2 3\n3 0 1 2\n"
                     "CELL_TYPES 5\n10\n10\n10\n12\n5\n");
  const Outcome outcome = g.node("load", "tet.load", {{"file", "a.vtk"}}).run("load.solid");
  EXPECT_EQ(outcome.as<TetMesh>().tet_count(), 1u);
  EXPECT_NE(outcome.warnings.find("mended: 1 inverted tetrahedron turned round, 1 flat "
                                  "tetrahedron left out, 1 repeated tetrahedron left out"),
            std::string::npos)
      << outcome.warnings;
  EXPECT_NE(outcome.warnings.find("1 cells that are no plain tetrahedra"), std::string::npos);
}

TEST_F(SolidNodes, WhatCannotBeReadIsOneClearMessage) {
  fs::create_directory(folder.path() / "folder.msh");
  write("broken.msh", "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 -5 1 1\n");
  write("strange.stl", "solid");
  write("alone.node", "4 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n");
  g.node("load", "tet.load");
  for (const char* file :
       {"", "missing.msh", "folder.msh", "broken.msh", "strange.stl", "alone.node"}) {
    const Outcome outcome = g.set("load.file", file).run("load.solid");
    EXPECT_FALSE(static_cast<bool>(outcome.value)) << file;
    EXPECT_EQ(std::count(outcome.errors.begin(), outcome.errors.end(), '\n'), 1) << outcome.errors;
  }
  EXPECT_NE(g.set("load.file", "alone.node").run("load.solid").errors.find("alone.ele"),
            std::string::npos);
}

TEST_F(SolidNodes, ALoadedSolidCarriesASkin) {
  g.node("box", "tet.box", {{"cells_x", 4}, {"cells_y", 4}, {"cells_z", 4}})
      .node("save", "tet.save")
      .node("ball", "mesh.sphere", {{"radius", 0.45}})
      .node("load", "tet.load", {{"file", "solid.msh"}})
      .link("box.solid", "save.solid")
      .link("ball.mesh", "load.skin");
  g.context.run_effects = true;
  ASSERT_EQ(g.run("save.solid").errors, "");
  const Outcome outcome = g.run("load.solid");
  EXPECT_EQ(outcome.warnings, "");
  const TetMesh& solid = outcome.as<TetMesh>();
  ASSERT_TRUE(solid.has_skin());
  const Mesh ball = g.get<Mesh>("ball.mesh"), shown = surface_of(solid);
  ASSERT_EQ(shown.vertex_count(), ball.vertex_count());
  for (std::size_t i = 0; i < ball.vertex_count(); ++i) {
    EXPECT_LT((shown.positions[i] - ball.positions[i]).norm(), 1e-6f);
  }
  // The two surfaces of it.
  g.node("surface", "tet.surface").link("load.solid", "surface.solid");
  EXPECT_EQ(g.get<Mesh>("surface.mesh"), shown);
  const Mesh boundary = g.set("surface.part", "boundary").get<Mesh>("surface.mesh");
  EXPECT_EQ(boundary, boundary_mesh(solid));
  EXPECT_TRUE(
      kernels::inspect_topology(boundary.triangles(), boundary.vertex_count()).watertight());
  // Somewhere else it is no skin of this solid.
  g.node("move", "mesh.transform", {{"translate", Json::array({0, 5, 0})}})
      .link("ball.mesh", "move.mesh");
  g.doc.graph.links.erase(std::find_if(g.doc.graph.links.begin(), g.doc.graph.links.end(),
                                       [](const auto& link) { return link.to.socket == "skin"; }));
  g.link("move.mesh", "load.skin");
  EXPECT_NE(g.run("load.solid").warnings.find("outside of the solid"), std::string::npos);
}

TEST_F(SolidNodes, QualityOfABox) {
  g.node("box", "tet.box", {{"cells_x", 2}, {"cells_y", 2}, {"cells_z", 2}})
      .node("quality", "tet.quality")
      .link("box.solid", "quality.solid");
  EXPECT_EQ(g.get<int>("quality.count"), 40);
  EXPECT_EQ(g.get<int>("quality.inverted"), 0);
  EXPECT_EQ(g.get<int>("quality.open_rings"), 0);
  EXPECT_NEAR(g.get<float>("quality.total_volume"), 1, 1e-5);
  EXPECT_NEAR(g.get<float>("quality.least_angle"), 54.7356, 1e-3);
  EXPECT_NEAR(g.get<float>("quality.greatest_angle"), 90, 1e-3);
  for (const char* name : {"quality", "angle", "volume"}) {
    const Field field = g.get<Field>(std::string("quality.") + name);
    EXPECT_TRUE(field.fits(Domain::tet, 40)) << name;
  }
}

}  // namespace
}  // namespace sinew::testing
