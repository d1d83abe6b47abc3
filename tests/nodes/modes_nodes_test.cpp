#include <cmath>
#include <cstring>

#include "nodes/kernels/mode_library.h"
#include "nodes/kernels/modes.h"
#include "nodes/node.h"
#include "tests/nodes/harness.h"
#include "tests/nodes/show_helper.h"

namespace sinew::testing {
namespace {

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// A bar up along y in a lattice that is as large, with two modes that "it" deforms it by.
TestGraph bar_with_modes() {
  TestGraph g;
  g.node("bar", "mesh.box", {{"size", {1, 2, 1}}, {"segments_y", 20}});
  g.node("cage", "ffd.lattice", {{"margin", 0}}).link("bar.mesh", "cage.body");
  g.node("lean", "ffd.modes", {{"kind", "shear"}}).link("cage.lattice", "lean.lattice");
  g.node("press", "ffd.modes", {{"kind", "squash"}}).link("lean.modes", "press.modes");
  g.node("it", "ffd.deform").link("bar.mesh", "it.body").link("press.modes", "it.modes");
  return g;
}

// The same with a lattice around the upper half, whose modes are joined to those of the whole.
TestGraph bar_with_a_part() {
  TestGraph g = bar_with_modes();
  g.node("top", "ffd.lattice", {{"centre", {0, 0.5, 0}}, {"size", {1.2, 1.02, 1.2}}});
  g.node("turn", "ffd.modes", {{"kind", "twist"}, {"amplitude", 1}});
  g.link("top.lattice", "turn.lattice");
  g.node("joined", "ffd.local")
      .link("press.modes", "joined.modes")
      .link("turn.modes", "joined.local");
  g.node("parted", "ffd.deform").link("bar.mesh", "parted.body");
  g.link("joined.modes", "parted.modes");
  return g;
}

TEST(ModesNodes, AreMadeOneByOne) {
  TestGraph g = bar_with_modes();
  const Modes modes = g.get<Modes>("press.modes");
  ASSERT_EQ(modes.lattices.size(), 1u);
  ASSERT_EQ(modes.count(), 2u);
  EXPECT_EQ(modes.all()[0]->name, "shear y to x");
  EXPECT_EQ(modes.all()[1]->name, "squash y");
  EXPECT_EQ(*modes.lattices[0].rest, *g.get<Lattice>("cage.lattice").rest);
  g.set("press.frequency", 3).set("press.damping", 0.5).set("press.active", true);
  g.set("press.name", "breath").set("press.amplitude", -0.25);
  const DeformMode& press = *g.get<Modes>("press.modes").all()[1];
  EXPECT_EQ(press.name, "breath");
  EXPECT_EQ(press.frequency, 3);
  EXPECT_EQ(press.damping, 0.5);
  EXPECT_EQ(press.amplitude, -0.25);
  EXPECT_TRUE(press.active);
}

TEST(ModesNodes, ABodyFollowsTheAmplitudes) {
  TestGraph g = bar_with_modes();
  const Mesh bar = g.get<Mesh>("bar.mesh");
  EXPECT_EQ(std::memcmp(g.get<Mesh>("it.body").positions.data(), bar.positions.data(),
                        bar.positions.size() * sizeof(Vec3f)),
            0);
  g.set("lean.amplitude", 2).set("lean.size", 0.5);
  const Outcome outcome = g.run("it.body");
  EXPECT_EQ(outcome.warnings, "");
  for (std::size_t v = 0; v < bar.vertex_count(); ++v) {
    const Vec3f& at = bar.positions[v];
    const Vec3f must = at + Vec3f(at.y() / 2, 0, 0);
    EXPECT_LT((outcome.as<Mesh>().positions[v] - must).norm(), 1e-5f);
  }
  g.set("it.amount", 0.5);
  const Vec3f half = g.get<Mesh>("it.body").positions[0] - bar.positions[0];
  EXPECT_LT((2 * half - (outcome.as<Mesh>().positions[0] - bar.positions[0])).norm(), 1e-5f);
}

TEST(ModesNodes, AmplitudesAreAnimated) {
  TestGraph g = bar_with_modes();
  g.set("press.amplitude", Json::parse(R"({"animate": [[0, 0], [1, 1]]})"));
  const Mesh still = g.get<Mesh>("it.body", 0), pressed = g.get<Mesh>("it.body", 50);
  EXPECT_EQ(still.positions, g.get<Mesh>("bar.mesh").positions);
  EXPECT_NE(pressed.positions, still.positions);
}

TEST(ModesNodes, LatticesShowWhatTheyDo) {
  TestGraph g = bar_with_modes();
  EXPECT_TRUE(g.get<Lattice>("press.lattice").at_rest());
  EXPECT_FALSE(g.get<Lattice>("press.shape").at_rest()) << "all of the mode, whatever there is now";
  g.set("lean.amplitude", 1);
  const Lattice now = g.get<Lattice>("press.lattice"), shape = g.get<Lattice>("lean.shape");
  for (std::size_t n = 0; n < now.point_count(); ++n) {
    EXPECT_LT((now.positions[n] - shape.positions[n]).norm(), 1e-6f);
  }
}

TEST(ModesNodes, WhatIsDrawnIsDrawnInEdgesOrByTheLattice) {
  TestGraph g = bar_with_modes();
  g.set("lean.kind", "drawn")
      .set("lean.moves", Json::parse(R"([{"at": [null, -1, null], "by": [0, 0.5, 0]}])"));
  const Lattice shape = g.get<Lattice>("lean.shape");
  EXPECT_NEAR(shape.positions.back().y() - shape.rest->points.back().y(), 1, 1e-6);
  EXPECT_EQ(shape.positions[0], shape.rest->points[0]);
  // A lattice that was moved before is a drawing, too.
  g.node("moved", "ffd.edit", {{"moves", Json::parse(R"([{"at": [0, 0, 0], "by": [0, 0, 7]}])")}});
  g.node("seen", "ffd.modes", {{"kind", "drawn"}}).link("cage.lattice", "moved.lattice");
  g.link("moved.lattice", "seen.lattice");
  const Modes modes = g.get<Modes>("seen.modes");
  EXPECT_EQ(modes.all()[0]->name, "drawn");
  EXPECT_EQ(modes.all()[0]->delta[0], Vec3f(0, 0, 7));
  EXPECT_EQ(modes.all()[0]->delta[1], Vec3f(0, 0, 0));
  EXPECT_EQ(g.run("seen.modes").warnings, "");
  g.set("seen.kind", "twist");
  EXPECT_TRUE(has(g.run("seen.modes").warnings, "only a drawn mode"));
}

TEST(ModesNodes, SayWhatIsWrong) {
  TestGraph g = bar_with_modes();
  g.node("alone", "ffd.modes");
  EXPECT_TRUE(has(g.run("alone.modes").errors, "link a lattice to 'lattice'"));
  g.set("press.kind", "shear");
  EXPECT_TRUE(has(g.run("press.modes").errors, "there is a mode 'shear y to x' already"));
  g.set("press.toward", "y");  // its own: the next, z
  EXPECT_EQ(g.get<Modes>("press.modes").all()[1]->name, "shear y to z");
  g.set("press.kind", "drawn")
      .set("press.moves", Json::parse(R"([{"at": [0, 9, 0], "by": [0, 0, 0]}])"));
  EXPECT_TRUE(has(g.run("press.modes").errors, "'moves': move 1 is of point 9 along edge 2"));
  g.set("cage.points_y", 2).set("lean.kind", "bend");
  EXPECT_TRUE(has(g.run("lean.modes").errors, "a bend needs 3 points"));
  g.set("cage.points_y", 4);
  g.node("other", "ffd.lattice").link("other.lattice", "press.lattice");
  g.set("press.kind", "twist");
  EXPECT_TRUE(has(g.run("press.modes").errors, "join them to these with ffd.local"));
}

TEST(ModesNodes, ADeformerWantsALatticeOrModes) {
  TestGraph g = bar_with_modes();
  g.node("none", "ffd.deform").link("bar.mesh", "none.body");
  EXPECT_TRUE(has(g.run("none.body").errors, "nothing deforms the body; link a lattice"));
  g.link("cage.lattice", "it.lattice");
  EXPECT_TRUE(has(g.run("it.body").errors, "only one of the two"));
}

TEST(ModesNodes, AmplitudesAreInTheKeyOfTheBody) {
  TestGraph g = bar_with_modes();
  const Key before = g.run("it.body").key;
  EXPECT_NE(g.set("lean.amplitude", 0.5).run("it.body").key, before);
  EXPECT_EQ(g.set("lean.amplitude", 0).run("it.body").key, before);
}

TEST(ModesNodes, APartHasModesOfItsOwn) {
  TestGraph g = bar_with_a_part();
  const Modes modes = g.get<Modes>("joined.modes");
  ASSERT_EQ(modes.lattices.size(), 2u);
  EXPECT_EQ(modes.all()[0]->name, "twist y");
  EXPECT_EQ(modes.all()[1]->name, "shear y to x");
  const Mesh bar = g.get<Mesh>("bar.mesh"), parted = g.get<Mesh>("parted.body");
  for (std::size_t v = 0; v < bar.vertex_count(); ++v) {
    if (bar.positions[v].y() < -0.02f) {
      EXPECT_EQ(bar.positions[v], parted.positions[v]);
    } else if (bar.positions[v].y() > 0.8f && std::abs(bar.positions[v].x()) > 0.2f) {
      EXPECT_NE(bar.positions[v], parted.positions[v]);
    }
  }
}

TEST(ModesNodes, TearsAreSaidUnlessRowsAreFixed) {
  TestGraph g = bar_with_a_part();
  EXPECT_TRUE(has(g.run("parted.body").warnings,
                  "edges are torn where the lattice of mode 'twist y' ends; fix rows"));
  g.set("joined.fixed", "y_low");
  EXPECT_EQ(g.run("parted.body").warnings, "");
  g.set("joined.rows", 1);
  EXPECT_EQ(g.run("parted.body").warnings, "");
  g.set("joined.fixed", "y_high");
  EXPECT_NE(g.run("parted.body").warnings, "");
}

TEST(ModesNodes, PartsSayWhatIsWrong) {
  TestGraph g = bar_with_a_part();
  g.set("turn.kind", "squash");
  EXPECT_TRUE(has(g.run("joined.modes").errors, "both have a mode 'squash y'"));
  g.set("joined.prefix", "head ");
  EXPECT_EQ(g.get<Modes>("joined.modes").all()[0]->name, "head squash y");
  g.set("joined.fixed", "y_low").set("joined.rows", 4);
  EXPECT_TRUE(has(g.run("joined.modes").errors, "nothing of mode 'squash y' is left"));
}

TEST(ModesNodes, PartsOfPartsActFirst) {
  TestGraph g = bar_with_a_part();
  g.node("tip", "ffd.lattice", {{"centre", {0, 0.9, 0}}, {"size", {0.5, 0.3, 0.5}}});
  g.node("nod", "ffd.modes", {{"name", "nod"}}).link("tip.lattice", "nod.lattice");
  g.node("all", "ffd.local").link("joined.modes", "all.modes").link("nod.modes", "all.local");
  const Modes modes = g.get<Modes>("all.modes");
  ASSERT_EQ(modes.lattices.size(), 3u);
  EXPECT_EQ(modes.find("nod"), 0);
  EXPECT_EQ(modes.find("squash y"), 3);
}

TEST(ModesNodes, SolidsAndLatticesAreDeformed) {
  TestGraph g = bar_with_modes();
  g.set("lean.amplitude", 1);
  g.node("block", "tet.box").node("solid", "ffd.deform").node("inner", "ffd.deform");
  g.link("block.solid", "solid.body").link("press.modes", "solid.modes");
  g.link("cage.lattice", "inner.body").link("press.modes", "inner.modes");
  EXPECT_NE(g.get<TetMesh>("solid.body").positions, g.get<TetMesh>("block.solid").positions);
  EXPECT_FALSE(g.get<Lattice>("inner.body").at_rest());
}

TEST(ModesValues, AreSeenAsTheirLattices) {
  TestGraph g = bar_with_a_part();
  const draw::DrawList list = seen(shown(g.run("joined.modes").value));
  expect_sound(list);
  ASSERT_EQ(list.lattices.size(), 2u);
  EXPECT_EQ(list.lattices[0].points.size(), 64u);
  ASSERT_EQ(list.points.size(), 1u) << "only points that have moved stand out";
  g.set("lean.amplitude", 1);
  EXPECT_EQ(seen(shown(g.run("joined.modes").value)).points.size(), 2u);
}

TEST(ModesValues, FactsAndTables) {
  TestGraph g = bar_with_a_part();
  const Value value = g.run("joined.modes").value;
  EXPECT_EQ(value.type()->describe(value.data())["modes"], 3);
  const ValueTable table = value.type()->tables(value.data())[0];
  EXPECT_EQ(table.rows, 3u);
  EXPECT_EQ(table.cell(0, 1), "part 1");
  EXPECT_EQ(table.cell(2, 1), "whole");
  EXPECT_EQ(table.cell(2, 0), "squash y");
}

}  // namespace
}  // namespace sinew::testing
