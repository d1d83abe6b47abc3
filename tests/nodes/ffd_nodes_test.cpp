#include <cmath>
#include <cstring>
#include <set>

#include "graph/pack.h"
#include "nodes/kernels/ffd.h"
#include "nodes/kernels/measure.h"
#include "nodes/node.h"
#include "tests/nodes/harness.h"
#include "tests/nodes/show_helper.h"

namespace sinew::testing {
namespace {

const char* const lift_top = R"([{"at": [null, -1, null], "by": [0, 0.5, 0]}])";

// A ball in a lattice, whose points "moved" moves and which "it" follows.
TestGraph ball_in_lattice(const char* moves = lift_top) {
  TestGraph g;
  g.node("ball", "mesh.sphere", {{"detail", 12}}).node("cage", "ffd.lattice");
  g.node("moved", "ffd.edit", {{"moves", Json::parse(moves)}}).node("it", "ffd.deform");
  g.link("ball.mesh", "cage.body").link("cage.lattice", "moved.lattice");
  g.link("ball.mesh", "it.body").link("moved.lattice", "it.lattice");
  return g;
}

bool same_bits(const std::vector<Vec3f>& a, const std::vector<Vec3f>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(Vec3f)) == 0;
}

TEST(FfdNodes, ALatticeIsLaidAroundABody) {
  TestGraph g = ball_in_lattice();
  g.set("cage.margin", 0.1).set("cage.points_y", 6).set("cage.basis", "bspline");
  const Lattice cage = g.get<Lattice>("cage.lattice");
  EXPECT_EQ(cage.rest->counts, (std::array<uint32_t, 3>{4, 6, 4}));
  EXPECT_EQ(cage.rest->basis, LatticeBasis::bspline);
  EXPECT_TRUE(cage.at_rest());
  const Eigen::AlignedBox3f body = kernels::bounding_box(g.get<Mesh>("ball.mesh").positions);
  const Eigen::AlignedBox3f around = kernels::bounding_box(cage.positions);
  EXPECT_TRUE(around.sizes().isApprox(1.2f * body.sizes(), 1e-5f));
  EXPECT_TRUE(around.center().isApprox(body.center(), 1e-5f) || around.center().norm() < 1e-6f);
}

TEST(FfdNodes, ALatticeHasABoxOfItsOwn) {
  TestGraph g;
  g.node("cage", "ffd.lattice",
         {{"centre", {1, 2, 3}}, {"size", {2, 4, 6}}, {"rotation", {0, 0, 90}}});
  const LatticeBox box = g.get<Lattice>("cage.lattice").rest->box;
  EXPECT_TRUE(box.edges[0].isApprox(Vec3d(0, 2, 0), 1e-6));
  EXPECT_TRUE(box.edges[1].isApprox(Vec3d(-4, 0, 0), 1e-6));
  EXPECT_TRUE(box.corner.isApprox(Vec3d(3, 1, 0), 1e-6));
  // Also beside a body, if that is wanted.
  g.node("ball", "mesh.sphere").link("ball.mesh", "cage.body");
  EXPECT_FALSE(g.get<Lattice>("cage.lattice").rest->box == box);
  g.set("cage.own_box", true);
  EXPECT_EQ(g.get<Lattice>("cage.lattice").rest->box, box);
}

TEST(FfdNodes, AtRestNothingMoves) {
  for (const char* basis : {"bernstein", "bspline"}) {
    TestGraph g = ball_in_lattice("[]");
    g.set("cage.basis", basis).set("cage.points_x", 7);
    const Outcome outcome = g.run("it.body");
    EXPECT_EQ(outcome.warnings, "");
    EXPECT_TRUE(same_bits(outcome.as<Mesh>().positions, g.get<Mesh>("ball.mesh").positions));
    g = ball_in_lattice();
    g.set("it.amount", 0);
    EXPECT_TRUE(same_bits(g.get<Mesh>("it.body").positions, g.get<Mesh>("ball.mesh").positions));
  }
}

TEST(FfdNodes, TheBodyFollowsThePoints) {
  TestGraph g = ball_in_lattice(R"([{"at": [null, null, null], "by": [1, 2, 3]}])");
  const Mesh ball = g.get<Mesh>("ball.mesh"), moved = g.get<Mesh>("it.body");
  EXPECT_EQ(ball.topology, moved.topology);
  for (std::size_t v = 0; v < ball.vertex_count(); ++v) {
    EXPECT_TRUE(moved.positions[v].isApprox(ball.positions[v] + Vec3f(1, 2, 3), 1e-5f));
  }
  g.set("moved.amount", 0.5).set("moved.measure", "edges");
  const Vec3f way = 0.5f * 1.1f * Vec3f(1, 2, 3);
  EXPECT_TRUE((g.get<Mesh>("it.body").positions[0] - ball.positions[0]).isApprox(way, 2e-2f));
}

TEST(FfdNodes, MovesNamePointsRowsAndLayers) {
  TestGraph g = ball_in_lattice(
      R"([{"at": [0, 1, 2], "by": [1, 0, 0]}, {"at": [0, null, -2], "by": [0, 1, 0]}])");
  const Lattice cage = g.get<Lattice>("cage.lattice"), moved = g.get<Lattice>("moved.lattice");
  EXPECT_EQ(moved.rest, cage.rest) << "a moved lattice shares its rest";
  int ways = 0;
  for (std::size_t n = 0; n < cage.point_count(); ++n) {
    ways += moved.positions[n] != cage.positions[n];
  }
  EXPECT_EQ(ways, 4);
  const std::size_t both = cage.index(0, 1, 2);
  EXPECT_TRUE((moved.positions[both] - cage.positions[both]).isApprox(Vec3f(1, 1, 0), 1e-5f));
  g.set("moved.moves", Json::parse(R"([{"at": [0, 0, 4], "by": [1, 0, 0]}])"));
  const Outcome wrong = g.run("it.body");
  EXPECT_NE(wrong.errors.find("move 1 is of point 4 along edge 3"), std::string::npos)
      << wrong.errors;
}

// A solid stays a solid, with its skin, and a lattice a lattice: what comes in comes out.
TEST(FfdNodes, WhatComesOutIsOfTheSameKind) {
  TestGraph g = ball_in_lattice();
  g.node("block", "tet.box").node("block_cage", "ffd.lattice").node("solid", "ffd.deform");
  g.node("lift", "ffd.edit", {{"moves", Json::parse(lift_top)}});
  g.link("block.solid", "block_cage.body").link("block_cage.lattice", "lift.lattice");
  g.link("block.solid", "solid.body").link("lift.lattice", "solid.lattice");
  const TetMesh block = g.get<TetMesh>("block.solid"), solid = g.get<TetMesh>("solid.body");
  EXPECT_EQ(solid.topology, block.topology);
  EXPECT_NE(solid.positions, block.positions);
  // Fields live on it, and simulations take it.
  g.node("height", "field.axis").link("solid.body", "height.mesh");
  g.node("soft", "sim.shape_match").link("solid.body", "soft.solid");
  EXPECT_EQ(g.get<Field>("height.field").size(), block.vertex_count());
  EXPECT_EQ(g.run("soft.solid").errors, "");

  g.node("inner", "ffd.lattice", {{"size", {0.3, 0.3, 0.3}}}).node("outer", "ffd.deform");
  g.link("inner.lattice", "outer.body").link("moved.lattice", "outer.lattice");
  const Lattice lattice = g.get<Lattice>("outer.body");
  EXPECT_EQ(lattice.rest, g.get<Lattice>("inner.lattice").rest);
  EXPECT_FALSE(lattice.at_rest());
  // A lattice is no solid.
  g.link("outer.body", "soft.pins_follow");
  EXPECT_NE(g.run("soft.solid").errors.find("wants a solid"), std::string::npos);
}

TEST(FfdNodes, AMutedOneHandsTheBodyOn) {
  TestGraph g = ball_in_lattice();
  for (NodeDoc& n : g.doc.graph.nodes) n.muted = n.id == "it";
  EXPECT_EQ(g.get<Mesh>("it.body"), g.get<Mesh>("ball.mesh"));
}

TEST(FfdNodes, SaysWhatIsOutside) {
  TestGraph g = ball_in_lattice();
  g.set("cage.own_box", true).set("cage.size", {0.5, 2, 2});
  for (const char* outside : {"stay", "extend"}) {
    g.set("it.outside", outside);
    const Outcome outcome = g.run("it.body");
    EXPECT_NE(outcome.warnings.find("are outside of the lattice and"), std::string::npos);
    const Mesh ball = g.get<Mesh>("ball.mesh"), &moved = outcome.as<Mesh>();
    for (std::size_t v = 0; v < ball.vertex_count(); ++v) {
      if (std::abs(ball.positions[v].x()) < 0.2501f || *outside == 'e') continue;
      EXPECT_EQ(moved.positions[v], ball.positions[v]);
    }
    // The ball is one body, which only those that stay tear.
    float longest = 0;
    for (const Triangle& t : moved.triangles()) {
      longest = std::max(longest, (moved.positions[t[0]] - moved.positions[t[1]]).norm());
    }
    EXPECT_EQ(longest > 0.2f, *outside == 's') << longest;
  }
}

TEST(FfdNodes, AFlatBodyHasALattice) {
  TestGraph g;
  g.node("sheet", "mesh.grid").node("cage", "ffd.lattice").node("it", "ffd.deform");
  g.link("sheet.mesh", "cage.body")
      .link("sheet.mesh", "it.body")
      .link("cage.lattice", "it.lattice");
  const Outcome outcome = g.run("it.body");
  EXPECT_EQ(outcome.errors + outcome.warnings, "");
  EXPECT_EQ(outcome.as<Mesh>(), g.get<Mesh>("sheet.mesh"));
}

TEST(LatticeValues, ComeBackFromTheirBytes) {
  TestGraph g = ball_in_lattice();
  for (const char* basis : {"bernstein", "bspline"}) {
    const Value value = g.set("cage.basis", basis).run("moved.lattice").value;
    Packer packer;
    value.type()->pack(value.data(), packer);
    std::vector<Packer::Shared> parts = packer.new_parts();
    ASSERT_EQ(parts.size(), 1u);
    Unpacker unpacker(packer.content(), [&](const char*, const Key&, const Unpacker::Read& read) {
      Unpacker part(parts[0].content);
      return read(part);
    });
    const Value again = value.type()->unpack(unpacker);
    EXPECT_EQ(again.as<Lattice>(), value.as<Lattice>());
    ASSERT_TRUE(again.as<Lattice>().hand) << "it can be dragged still";
    EXPECT_EQ(again.as<Lattice>().hand->origins, value.as<Lattice>().hand->origins);
    EXPECT_EQ(again.as<Lattice>().hand->axes, value.as<Lattice>().hand->axes);
    EXPECT_TRUE(unpacker.done());
    Unpacker nothing("", {});
    EXPECT_FALSE(value.type()->unpack(nothing));
  }
}

TEST(LatticeValues, FactsAndTables) {
  TestGraph g = ball_in_lattice();
  const Value value = g.run("moved.lattice").value;
  const Json facts = value.type()->describe(value.data());
  EXPECT_EQ(facts["points"], Json::parse("[4, 4, 4]"));
  EXPECT_EQ(facts["basis"], "bernstein");
  EXPECT_EQ(facts["moved"], 16);
  EXPECT_NEAR(facts["farthest"].get<double>(), 0.5, 1e-6);
  const ValueTable table = value.type()->tables(value.data())[0];
  EXPECT_EQ(table.rows, 64u);
  EXPECT_EQ(table.columns.size(), 9u);
  EXPECT_EQ(table.cell(12 + 16 * 2 + 1, 0), "1");
  EXPECT_EQ(table.cell(12 + 16 * 2 + 1, 1), "3");
  EXPECT_EQ(table.cell(12 + 16 * 2 + 1, 2), "2");
  EXPECT_NEAR(std::stof(table.cell(12, 7)), 0.5f, 1e-6f);
  EXPECT_EQ(table.cell(0, 7), "0");
  EXPECT_GE(value.bytes(), 2 * 64 * sizeof(Vec3f));
}

TEST(LatticeValues, VisitContentSeesEveryPart) {
  const auto hash = [](const Lattice& lattice) {
    std::string all;
    visit_content(lattice, [&](std::span<const std::byte> bytes) {
      all.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    });
    return all;
  };
  LatticeBox box;
  std::set<std::string> seen = {hash(Lattice())};
  EXPECT_TRUE(
      seen.insert(hash(Lattice(LatticeRest({2, 2, 3}, LatticeBasis::bernstein, box)))).second);
  EXPECT_TRUE(
      seen.insert(hash(Lattice(LatticeRest({2, 2, 2}, LatticeBasis::bspline, box)))).second);
  box.edges[2] *= 2;
  EXPECT_TRUE(
      seen.insert(hash(Lattice(LatticeRest({2, 2, 2}, LatticeBasis::bernstein, box)))).second);
  Lattice moved;
  moved.positions[3].x() += 1;
  EXPECT_TRUE(seen.insert(hash(moved)).second);
}

TEST(LatticeValues, MovesAsJson) {
  const Json list = Json::parse(
      R"([{"at": [0, -1, null], "by": [0.0, 0.1, 0.0]},
          {"at": [1, 2, 3], "by": [1.0, 2.0, 3.0]}])");
  const Result<LatticeMoves> moves = lattice_moves_from_json(list);
  ASSERT_TRUE(static_cast<bool>(moves)) << moves.error();
  EXPECT_EQ(moves->list[0].at[2], std::nullopt);
  EXPECT_EQ(lattice_moves_to_json(*moves), list);
  const std::pair<const char*, const char*> cases[] = {
      {"3", "moves are a list"},
      {"[3]", "move 1: it is not"},
      {R"([{"at": [0, 0, 0]}])", "move 1: it is not"},
      {R"([{"at": [0, 0, 0.5], "by": [0, 0, 0]}])", "whole numbers"},
      {R"([{"at": [0, 0, 32], "by": [0, 0, 0]}])", "no lattice has a point 32"},
      {R"([{"at": [0, 0], "by": [0, 0, 0]}])", "move 1: it is not"},
      {R"([{"at": [0, 0, 0], "by": [0, 0]}])", "not [x, y, z]"},
      {R"([{"at": [0, 0, 0], "by": [0, 0, 1e30]}])", "must be within"},
      {R"([{"at": [0, 0, 0], "by": [0, 0, 1], "to": 3}])", "it has no 'to'"},
  };
  for (const auto& [text, words] : cases) {
    const Result<LatticeMoves> wrong = lattice_moves_from_json(Json::parse(text));
    ASSERT_FALSE(static_cast<bool>(wrong)) << text;
    EXPECT_NE(wrong.error().find(words), std::string::npos) << wrong.error();
  }
}

// ---- Points in the hand -------------------------------------------------------------------------

// What a hand would write that puts a point of an output there.
Json written(TestGraph& g, const std::string& output, const Json& literal, const char* point,
             const Vec3f& there) {
  const Value value = g.run(output).value;
  const Places places = value.type()->anchors(value.data(), 0);
  Eigen::Matrix3f axes;
  for (int a = 0; a < 3; ++a) axes.col(a) = Vec3f(places.axes[static_cast<std::size_t>(a)].data());
  for (const Places::One& one : places.list) {
    if (one.name != point) continue;
    const Vec3f by = axes.inverse() * (there - Vec3f(one.origin.data()));
    return type_of<LatticeMoves>().with_move(literal, point,
                                             std::array<double, 3>{by.x(), by.y(), by.z()}, 0);
  }
  ADD_FAILURE() << "no point " << point;
  return literal;
}

// Wherever a point comes from, and whatever the ways count: it goes where the hand goes.
TEST(LatticeHands, APointGoesWhereItIsDragged) {
  for (const char* measure : {"metres", "edges"}) {
    for (const double amount : {1.0, -0.5}) {
      TestGraph g = ball_in_lattice();
      g.set("cage.rotation", {10, 20, 30});
      g.node("again", "ffd.edit", {{"measure", measure}, {"amount", amount}});
      g.link("moved.lattice", "again.lattice");
      Json moves = Json::parse(
          R"([{"at": [1, 2, 3], "by": [0, 0.1, 0]}, {"at": [1, 2, -1], "by": [0.2, 0, 0]},
              {"at": [null, 2, null], "by": [0, 0, 0.3]}])");
      g.set("again.moves", moves);
      const Vec3f there(0.4f, -0.7f, 1.1f);
      moves = written(g, "again.lattice", moves, "1,2,3", there);
      EXPECT_EQ(moves.size(), 3u) << "its own move is replaced, those of rows stay";
      g.set("again.moves", moves);
      const Lattice now = g.get<Lattice>("again.lattice");
      EXPECT_LT((now.positions[now.index(1, 2, 3)] - there).norm(), 1e-5f) << measure << amount;
    }
  }
}

TEST(LatticeHands, WhoCanBeDraggedHasAName) {
  TestGraph g = ball_in_lattice();
  const auto points = [&](const char* output) {
    const Value value = g.run(output).value;
    return value.type()->anchors(value.data(), 0).list;
  };
  EXPECT_TRUE(points("cage.lattice").empty()) << "it has no list of moves";
  ASSERT_EQ(points("moved.lattice").size(), 64u);
  EXPECT_EQ(points("moved.lattice")[27].name, "3,2,1");
  EXPECT_FALSE(points("moved.lattice")[12].held) << "a layer moves it, not a hand";
  g.set("moved.moves", Json::parse(R"([{"at": [0, 3, 0], "by": [0, 1, 0]}])"));
  EXPECT_TRUE(points("moved.lattice")[12].held);
  g.set("moved.amount", 0);
  EXPECT_EQ(points("moved.lattice")[27].name, "") << "nothing that is written would move it";
  g.set("moved.amount", 1).set("cage.points_x", 32).set("cage.points_y", 32);
  EXPECT_TRUE(points("moved.lattice").empty()) << "too many to tell apart";
}

TEST(LatticeHands, MovesOfOnePointAreWrittenAndTakenBack) {
  const TypeInfo& type = type_of<LatticeMoves>();
  const Json rows = Json::parse(R"([{"at": [null, 1, 2], "by": [0, 0, 1]}])");
  Json moves = type.with_move(rows, "0,1,2", std::array{0.0, 1.0, 0.0}, 0);
  ASSERT_EQ(moves.size(), 2u);
  EXPECT_EQ(moves[1]["at"], Json::parse("[0, 1, 2]"));
  moves = type.with_move(moves, "0,1,2", std::array{0.0, 2.0, 0.0}, 0);
  ASSERT_EQ(moves.size(), 2u);
  EXPECT_EQ(moves[1]["by"][1], 2.0);
  EXPECT_EQ(type.with_move(moves, "0,1,2", std::nullopt, 0), rows);
  EXPECT_EQ(type.with_move(moves, "elbow", std::array{0.0, 2.0, 0.0}, 0), moves);
  EXPECT_EQ(type.with_move(Json(), "0,0,0", std::array{0.0, 2.0, 0.0}, 0).size(), 1u);
}

// A mode is drawn on its shape: all of it, however much there is now.
TEST(LatticeHands, ModesAreDrawn) {
  TestGraph g = ball_in_lattice();
  g.node("mode", "ffd.modes", {{"kind", "drawn"}, {"amplitude", 0.1}});
  g.link("cage.lattice", "mode.lattice");
  const Vec3f there(0.3f, 0.2f, 0.1f);
  g.set("mode.moves", written(g, "mode.shape", Json::array(), "0,0,0", there));
  EXPECT_LT((g.get<Lattice>("mode.shape").positions[0] - there).norm(), 1e-5f);
  g.set("mode.kind", "bend");
  const Value bend = g.run("mode.shape").value;
  EXPECT_TRUE(bend.type()->anchors(bend.data(), 0).list.empty()) << "nobody draws a bend";
}

TEST(LatticeValues, AreSeenWithWhatHasMoved) {
  TestGraph g = ball_in_lattice();
  const draw::DrawList still = seen(shown(g.run("cage.lattice").value));
  expect_sound(still);
  ASSERT_EQ(still.lattices.size(), 1u);
  EXPECT_EQ(still.lattices[0].points.size(), 64u);
  EXPECT_TRUE(still.points.empty());
  const draw::DrawList moved = seen(shown(g.run("moved.lattice").value));
  expect_sound(moved);
  ASSERT_EQ(moved.points.size(), 1u);
  EXPECT_EQ(moved.points[0].points.size(), 16u);
  EXPECT_EQ(moved.points[0].colour, draw::accent);
}

}  // namespace
}  // namespace sinew::testing
