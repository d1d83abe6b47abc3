// Operators as nodes: what they do to bodies, at any frame rate, and what they say when they
// cannot.
#include <cmath>

#include "nodes/kernels/voo_motion.h"
#include "tests/nodes/harness.h"

namespace sinew::testing {
namespace {

Json chart(std::vector<std::pair<double, double>> points) {
  Json list = Json::array();
  for (const auto& [x, y] : points) list.push_back({x, y});
  return {{"points", list}, {"interpolation", "linear"}, {"x_unit", "s"}};
}
Json along_x(const Json& c) { return {{"animate", {c, 0, 0}}}; }

// A bar along y from 0 to 2 with a pin in its upper half.
TestGraph bar(std::map<std::string, Json> pin = {}) {
  TestGraph g;
  g.node("bar", "mesh.box",
         {{"size", {0.5, 2, 0.5}}, {"segments_x", 6}, {"segments_y", 24}, {"segments_z", 6}});
  g.node("up", "mesh.transform", {{"translate", {0, 1, 0}}});
  std::map<std::string, Json> params = {
      {"head", {0, 0, 0}}, {"tip", {0, 2, 0}}, {"radii", {2, 2, 2}}};
  for (const auto& [name, value] : pin) params[name] = value;
  g.node("pin", "voo.create", params);
  g.node("move", "voo.animate").node("bend", "voo.deform");
  g.link("bar.mesh", "up.mesh").link("up.mesh", "bend.body");
  g.link("pin.voos", "move.voos").link("move.voos", "bend.voos");
  return g;
}

double largest(const Mesh& a, const Mesh& b) {
  double most = a.vertex_count() == b.vertex_count() ? 0 : 1e9;
  for (size_t i = 0; i < a.vertex_count() && i < b.vertex_count(); ++i) {
    most = std::max(most, static_cast<double>((a.positions[i] - b.positions[i]).norm()));
  }
  return most;
}

TEST(VooNodes, APinThatDoesNotMoveChangesNothing) {
  for (const char* field : {"head", "tip", "both", "length"}) {
    for (const char* combine : {"sum", "blend", "arthra"}) {
      TestGraph g = bar({{"field", field}});
      g.set("bend.combine", combine);
      EXPECT_EQ(g.get<Mesh>("bend.body", 7), g.get<Mesh>("up.mesh")) << field << combine;
    }
  }
}

TEST(VooNodes, MovingTheWholePinOfARigidFieldMovesTheBody) {
  TestGraph g = bar({{"flexibility", 0}, {"radii", {9, 9, 9}}});
  g.set("move.move", {0.25, -1, 3});
  const Mesh rest = g.get<Mesh>("up.mesh"), moved = g.get<Mesh>("bend.body");
  for (size_t i = 0; i < rest.vertex_count(); ++i) {
    EXPECT_LT((moved.positions[i] - rest.positions[i] - Vec3f(0.25f, -1, 3)).norm(), 1e-5f);
  }
}

TEST(VooNodes, TheTipTakesTheBodyAlongAndTheFarEndStays) {
  TestGraph g = bar();
  g.set("move.tip", {0.6, 0, 0});
  const Mesh rest = g.get<Mesh>("up.mesh"), moved = g.get<Mesh>("bend.body");
  double top = 0;
  for (size_t i = 0; i < rest.vertex_count(); ++i) {
    const Vec3f way = moved.positions[i] - rest.positions[i];
    if (rest.positions[i].y() < 1e-6f) {
      EXPECT_LT(way.norm(), 1e-6f);
    }
    top = std::max<double>(top, way.x());
  }
  EXPECT_GT(top, 0.4);
  EXPECT_GT(g.get<int>("bend.active"), 50);
  const Field damping = g.get<Field>("bend.damping");
  EXPECT_EQ(damping.size(), rest.vertex_count());
}

TEST(VooNodes, SolidsPointsPathsAndPinsAreDeformedAsWhatTheyAre) {
  TestGraph g = bar({{"flexibility", 0}, {"radii", {9, 9, 9}}});
  g.set("move.move", {1, 0, 0});
  g.node("solid", "tet.box").node("path", "path.motion").node("other", "voo.create");
  for (const char* id : {"a", "b", "c"}) {
    g.node(id, "voo.deform").link("move.voos", std::string(id) + ".voos");
  }
  g.link("solid.solid", "a.body").link("path.path", "b.body").link("other.voos", "c.body");
  EXPECT_NEAR(g.get<TetMesh>("a.body").positions[0].x(),
              g.get<TetMesh>("solid.solid").positions[0].x() + 1, 1e-5);
  EXPECT_NEAR(g.get<MotionPath>("b.body").points.list[0].x(), 0, 1e-5);
  EXPECT_NEAR(g.get<VooSet>("c.body").members[0].voo.rest.tip.x(), 1, 1e-5);
}

TEST(VooNodes, WhatHasNoVerticesIsRefusedBeforeItRuns) {
  TestGraph g;
  g.node("number", "value.float").node("bend", "voo.deform").link("number.value", "bend.body");
  const std::string errors = g.run("bend.body").errors;
  EXPECT_NE(errors.find("input 'body' wants a mesh, but"), std::string::npos) << errors;
  EXPECT_NE(errors.find("gives a float"), std::string::npos) << errors;
}

TEST(VooNodes, BadPinsSayWhatIsWrong) {
  EXPECT_NE(bar({{"tip", {0, 0, 0}}}).run("bend.body").errors.find("same place"),
            std::string::npos);
  EXPECT_NE(
      bar({{"radii", {0.5, 0, 1}}}).run("bend.body").errors.find("'radii': 0 is out of range"),
      std::string::npos);
  TestGraph g = bar();
  g.set("move.which", "wing");
  EXPECT_NE(g.run("bend.body").errors.find("'which' names no operator; there are operator 1"),
            std::string::npos);
}

TEST(VooNodes, FoldsAreWarnedOf) {
  TestGraph g = bar({{"radii", {0.3, 0.3, 0.3}}});
  EXPECT_EQ(g.run("bend.body").warnings, "");
  g.set("move.tip", {0, -1.9, 0});
  EXPECT_NE(g.run("bend.body").warnings.find("folded through itself"), std::string::npos);
  EXPECT_GT(g.get<int>("bend.folded"), 0);
  g.set("bend.check", "none");
  EXPECT_EQ(g.run("bend.body").warnings, "");
}

TEST(VooNodes, AMaskLeavesOut) {
  TestGraph g = bar();
  g.set("move.tip", {0.6, 0, 0}).set("bend.mask", 0);
  EXPECT_EQ(largest(g.get<Mesh>("bend.body"), g.get<Mesh>("up.mesh")), 0);
  g.set("bend.mask", 0.5);
  const Mesh half = g.get<Mesh>("bend.body");
  g.set("bend.mask", 1);
  const Mesh whole = g.get<Mesh>("bend.body"), rest = g.get<Mesh>("up.mesh");
  for (size_t i = 0; i < rest.vertex_count(); ++i) {
    EXPECT_LT((half.positions[i] - 0.5f * (whole.positions[i] + rest.positions[i])).norm(), 1e-6f);
  }
}

// All that moves over time, in one graph: charts, a path, a release, creep, an arthron on a path.
TestGraph everything() {
  TestGraph g = bar({{"name", "upper"}, {"head", {0, 1, 0}}});
  g.set("move.tip", along_x(chart({{0, 0}, {0.7, 0.9}, {1.6, 0.2}})));
  g.set("move.twist", {{"animate", chart({{0, 0}, {1, 80}})}});
  g.set("move.elongation", {{"animate", chart({{0, 1}, {2, 1.4}})}});
  g.set("move.flexibility", {{"animate", chart({{0, 1}, {2, 1.2}})}});
  g.node("stuff", "voo.material",
         {{"material",
           {{"gradient", {{"points", {{0, 0}, {1, 1}}}}},
            {"viscosity", 1.1},
            {"creep_coefficient", 0.5},
            {"creep_duration", 3},
            {"restoration", 1.5}}},
          {"hold", {{"points", {{0, 1}, {1.05, 0}}}, {"interpolation", "stepped"}}}});
  g.node("low", "voo.create",
         {{"name", "low"}, {"head", {0, 0, 0}}, {"tip", {0, 1, 0}}, {"radii", {1, 1, 1}}});
  g.node("way", "path.motion",
         {{"points", {{0, 1, 0}, {0.3, 1.2, 0}, {0.1, 1, 0.4}}}, {"start", 0.13}, {"end", 1.77}});
  g.node("joint", "voo.arthron", {{"place", {0, 1, 0}}});
  g.node("all", "voo.deform");
  g.link("move.voos", "stuff.voos").link("stuff.voos", "joint.voos").link("low.voos", "joint.voos");
  g.link("way.path", "joint.path").link("joint.voos", "all.voos").link("up.mesh", "all.body");
  return g;
}

TEST(VooNodes, MotionDoesNotDependOnTheFrameRate) {
  TestGraph reference = everything();
  reference.context.fps = 240;
  for (const double t : {0.5, 1.0, 1.5, 2.0, 3.0}) {
    const Mesh exact = reference.get<Mesh>("all.body", static_cast<int>(std::lround(t * 240)));
    for (const int fps : {12, 60, 24}) {
      TestGraph g = everything();
      g.context.fps = fps;
      const Mesh mesh = g.get<Mesh>("all.body", static_cast<int>(std::lround(t * fps)));
      EXPECT_LT(largest(mesh, exact), 1e-5 * 2) << t << " s at " << fps;
    }
  }
  // 25 frames a second meet the others at whole seconds.
  TestGraph g = everything();
  g.context.fps = 25;
  for (const int t : {1, 2, 3}) {
    EXPECT_LT(largest(g.get<Mesh>("all.body", 25 * t), reference.get<Mesh>("all.body", 240 * t)),
              1e-5 * 2);
  }
}

TEST(VooNodes, FramesComeInAnyOrder) {
  TestGraph forwards = everything(), backwards = everything();
  std::vector<Mesh> a, b;
  for (int f = 0; f <= 60; f += 15) a.push_back(forwards.get<Mesh>("all.body", f));
  for (int f = 60; f >= 0; f -= 15) b.push_back(backwards.get<Mesh>("all.body", f));
  for (size_t i = 0; i < a.size(); ++i) EXPECT_EQ(a[i], b[a.size() - 1 - i]);
}

TEST(VooNodes, AnAnimatedParameterIsKnownAtAllTimesAndStaysOneValueForAllFrames) {
  TestGraph g = bar();
  g.set("move.tip", along_x(chart({{0, 0}, {1, 1}})));
  g.node("read", "voo.read").link("move.voos", "read.voos");
  EXPECT_NEAR(g.get<Vec3>("read.tip", 0).x, 0, 1e-6);
  EXPECT_NEAR(g.get<Vec3>("read.tip", 10).x, 0.4, 1e-6);
  const VooSet early = g.get<VooSet>("move.voos", 3), late = g.get<VooSet>("move.voos", 20);
  EXPECT_EQ(early.members, late.members);
  // Frames, seconds and steps are the same moments.
  Json frames = chart({{0, 0}, {25, 1}});
  frames["x_unit"] = "frames";
  g.set("move.tip", along_x(frames));
  EXPECT_NEAR(g.get<Vec3>("read.tip", 10).x, 0.4, 1e-6);
  g.set("move.tip", Json::parse(R"({"steps": [[0, [0, 0, 0]], [8, [0.7, 0, 0]]]})"));
  EXPECT_NEAR(g.get<Vec3>("read.tip", 7).x, 0, 1e-6);
  EXPECT_NEAR(g.get<Vec3>("read.tip", 8).x, 0.7, 1e-6);
}

TEST(VooNodes, ArraysMoveEachMemberInItsOwnDirectionAndOneAfterTheOther) {
  TestGraph g = bar();
  g.set("move.tip", {{"animate", {0, chart({{0, 0}, {1, 1}}), 0}}});
  g.node("array", "voo.array", {{"kind", "radial"}, {"count", 20}, {"delay", 2}});
  g.link("move.voos", "array.voos");
  const VooSet set = g.get<VooSet>("array.voos", 0);
  ASSERT_EQ(set.size(), 20u);
  EXPECT_EQ(set.members[0].delay, 0);
  EXPECT_EQ(set.members[19].delay, 2);
  const kernels::VooMotion motion(set);
  for (size_t i = 0; i < set.size(); ++i) {
    const VooPose now = motion.pose(i, 9);
    EXPECT_NEAR(now.vector().norm(), 3, 1e-5);
    EXPECT_GT(now.vector().normalized().dot(set.members[i].voo.rest.vector().normalized()),
              1 - 1e-9);
  }
  g.set("array.kind", "ring").set("array.count", 6);
  EXPECT_EQ(g.get<VooSet>("array.voos").size(), 6u);
  g.set("array.kind", "mirror");
  EXPECT_EQ(g.get<VooSet>("array.voos").size(), 2u);
  g.set("array.kind", "directional").set("array.count_x", 3).set("array.count_y", 4);
  EXPECT_EQ(g.get<VooSet>("array.voos").size(), 12u);
}

TEST(VooNodes, NetworksAreJoinedWhereTheyMeet) {
  TestGraph g = bar();
  g.node("net", "voo.network", {{"edges", "1-2, 2-3, 2-4"}});
  g.link("pin.voos", "net.voos");
  VooSet set = g.get<VooSet>("net.voos");
  EXPECT_EQ(set.size(), 3u);
  ASSERT_EQ(set.ties.size(), 1u);
  EXPECT_EQ(set.ties[0].arthron.joints.size(), 3u);
  g.set("net.edges", "1-9");
  EXPECT_NE(g.run("net.voos").errors.find("'edges'"), std::string::npos);
  g.set("net.edges", "").set("net.kind", "cell");
  EXPECT_EQ(g.get<VooSet>("net.voos").ties.size(), 3u);
  g.set("net.kind", "plexus");
  EXPECT_EQ(g.get<VooSet>("net.voos").size(), 16u);
}

TEST(VooNodes, AnArthronTakesOverTheOneThatIsThereAndMovesIt) {
  TestGraph g = bar();
  g.node("net", "voo.network", {{"points", {{0, 0, 0}, {0, 1, 0}, {0, 2, 0}}}});
  g.node("joint", "voo.arthron", {{"place", {0, 1.01, 0}}});
  g.set("joint.move", along_x(chart({{0, 0}, {1, 0.5}})));
  g.node("read", "voo.read", {{"which", "2"}});
  g.link("pin.voos", "net.voos").link("net.voos", "joint.voos").link("joint.voos", "read.voos");
  EXPECT_EQ(g.get<VooSet>("joint.voos").ties.size(), 1u);
  EXPECT_NEAR(g.get<Vec3>("read.head", 25).x, 0.5, 1e-5);
  EXPECT_NEAR(g.get<Vec3>("read.tip", 25).x, 0, 1e-5);
  g.set("joint.place", {5, 5, 5});
  EXPECT_NE(g.run("joint.voos").errors.find("the nearest is"), std::string::npos);
}

TEST(VooNodes, ConstraintsHold) {
  TestGraph g = bar();
  g.set("move.tip", {1, 0, 0}).set("move.head", {0.3, 0.3, 0});
  g.node("keep", "voo.constrain", {{"hold_head", true}, {"keep_length", true}});
  g.node("read", "voo.read");
  g.link("move.voos", "keep.voos").link("keep.voos", "read.voos");
  EXPECT_NEAR(g.get<float>("read.length"), 2, 1e-5);
  EXPECT_NEAR(g.get<Vec3>("read.head").x, 0, 1e-6);
  g.set("keep.hold_tip", true);
  EXPECT_NE(g.run("keep.voos").warnings.find("both ends held"), std::string::npos);
}

TEST(VooNodes, NormalsAreThoseOfTheBentBody) {
  TestGraph g;
  g.node("ball", "mesh.sphere", {{"detail", 24}}).node("pin", "voo.create");
  g.set("pin.radii", {1.6, 1.6, 1.6}).set("pin.head", {0, -1, 0}).set("pin.tip", {0, 1, 0});
  g.set("pin.damping", {{"points", {{0, 0}, {1, 1}}}});
  g.node("move", "voo.animate", {{"tip", {0.3, 0.2, 0}}});
  g.node("bend", "voo.deform").node("normals", "voo.normals");
  g.link("pin.voos", "move.voos").link("ball.mesh", "bend.body").link("ball.mesh", "normals.body");
  g.link("move.voos", "bend.voos").link("move.voos", "normals.voos");
  const VectorField field = g.get<VectorField>("normals.normals");
  const Mesh bent = g.get<Mesh>("bend.body");
  std::vector<Vec3f> expected(bent.vertex_count(), Vec3f(0, 0, 0));
  for (const Triangle& t : bent.triangles()) {
    const Vec3f n = (bent.positions[t[1]] - bent.positions[t[0]])
                        .cross(bent.positions[t[2]] - bent.positions[t[0]]);
    for (const uint32_t v : t) expected[v] += n;
  }
  double sum = 0;
  for (size_t i = 0; i < expected.size(); ++i) sum += field.values[i].dot(expected[i].normalized());
  EXPECT_GT(sum / static_cast<double>(expected.size()), 0.995);
}

TEST(VooNodes, AHoldThatRepeatsLetsGoAgainAndAgain) {
  TestGraph g = bar();
  g.set("move.tip", {0.5, 0, 0});
  g.node("stuff", "voo.material",
         {{"material", {{"restoration", 0.3}}},
          {"hold",
           {{"points", {{0, 1}, {0.5, 0}, {1, 1}}},
            {"extension", "cyclic"},
            {"period", 1},
            {"interpolation", "stepped"}}}});
  g.node("read", "voo.read").link("move.voos", "stuff.voos").link("stuff.voos", "read.voos");
  for (const int second : {0, 1, 7}) {
    EXPECT_NEAR(g.get<Vec3>("read.tip", 25 * second + 12).x, 0.5, 1e-5) << second;
    EXPECT_NEAR(g.get<Vec3>("read.tip", 25 * second + 24).x, 0, 1e-5) << second;
  }
}

const Json dough = {{"gradient", {{"points", {{0, 0}, {1, 1}}}}},
                    {"viscosity", 1},
                    {"creep_coefficient", 0.5},
                    {"creep_duration", 3}};

// A bar whose pin is led by `source` through the input `to` of "move" or "keep", of a material.
TestGraph led_bar(const std::string& to, double viscosity, bool path = false) {
  TestGraph g = bar();
  g.node("way", "path.motion", {{"points", {{0, 2, 0}, {1, 1, 0}, {1, 0.2, 1}}}, {"end", 3}});
  Json material = dough;
  material["viscosity"] = viscosity;
  g.node("keep", "voo.constrain", {{"aims", true}});
  g.node("stuff", "voo.material", {{"hold", Json::array({{0, 1}})}, {"material", material}});
  g.node("all", "voo.deform", {{"check", "none"}}).link("up.mesh", "all.body");
  g.link("move.voos", "keep.voos").link("keep.voos", "stuff.voos").link("stuff.voos", "all.voos");
  g.link(path ? "way.path" : "way.position", to);
  return g;
}

TEST(VooNodes, WhatCreepsFeelsAllThatMovesItsPin) {
  for (const char* to : {"keep.aim", "keep.direction", "move.tip", "move.head", "move.move"}) {
    TestGraph creeps = led_bar(to, 1), plain = led_bar(to, 0);
    if (std::string(to) == "keep.direction") {
      for (TestGraph* g : {&creeps, &plain})
        g->set("keep.aims", false).set("keep.keep_direction", true);
    }
    for (const int frame : {20, 40, 60}) {
      EXPECT_GT(largest(creeps.get<Mesh>("all.body", frame), plain.get<Mesh>("all.body", frame)),
                0.02)
          << to << " at " << frame;
    }
    EXPECT_EQ(creeps.run("all.body", 60).warnings, "") << to;
  }
}

TEST(VooNodes, APlaceOfThePathAndThePathItselfAreTheSameAim) {
  TestGraph by_place = led_bar("keep.aim", 1), by_path = led_bar("move.aim_path", 1, true);
  by_path.set("keep.aims", false);
  by_place.set("keep.hold_head", true);  // or else it turns about its middle
  for (const int frame : {0, 20, 40, 75, 90}) {
    EXPECT_LT(largest(by_place.get<Mesh>("all.body", frame), by_path.get<Mesh>("all.body", frame)),
              2e-3)
        << frame;
  }
}

TEST(VooNodes, ConstraintsThatComeAndGoAreKnownAtAllTimes) {
  TestGraph g = led_bar("keep.aim", 1);
  g.set("keep.aims", Json::parse(R"({"steps": [[0, false], [20, true]]})"));
  g.node("read", "voo.read").link("stuff.voos", "read.voos");
  EXPECT_NEAR(g.get<Vec3>("read.tip", 19).x, 0, 1e-6);
  EXPECT_GT(std::abs(g.get<Vec3>("read.tip", 20).x), 0.05);
  EXPECT_EQ(g.get<VooSet>("keep.voos", 3).members, g.get<VooSet>("keep.voos", 50).members);
}

// Inputs that are read at the moment only, and what a warning calls them.
TEST(VooNodes, WhatCreepsBehindSomethingThatIsKnownAtTheMomentOnlyIsWarnedOf) {
  const Json now = {{"animate", {{"points", {{0, 1}, {2, 1.5}}}, {"x_unit", "s"}}}};
  const std::pair<const char*, const char*> inputs[] = {{"pin.tip", "the place of the tip at rest"},
                                                        {"pin.head", "the place of the head"},
                                                        {"pin.twist", "the twist at rest"},
                                                        {"pin.elongation", "a coefficient"},
                                                        {"pin.shear_v", "a coefficient"},
                                                        {"move.delay", "the delay"}};
  for (const auto& [input, words] : inputs) {
    for (const bool viscous : {true, false}) {
      TestGraph g = bar();
      g.set("move.tip", {0.3, 0, 0});
      g.node("stuff", "voo.material",
             {{"hold", Json::array({{0, 1}})},
              {"material", viscous ? dough : Json{{"viscosity", 0}}}});
      g.node("all", "voo.deform", {{"check", "none"}}).link("up.mesh", "all.body");
      g.link("move.voos", "stuff.voos").link("stuff.voos", "all.voos");
      const bool is_place = std::string(input) == "pin.tip" || std::string(input) == "pin.head";
      Json place = now;
      if (is_place) place = {{"animate", {now["animate"], 0.1, 0}}};
      g.set(input, place);
      const std::string warnings = g.run("all.body", 30).warnings;
      if (!viscous) {
        EXPECT_EQ(warnings, "") << input;
        continue;
      }
      EXPECT_NE(warnings.find(words), std::string::npos) << input << ": " << warnings;
      EXPECT_NE(warnings.find("known at the moment only"), std::string::npos) << input;
      // What it is let go by swings from a place that was never there.
      g.set("stuff.material", {{"viscosity", 0}});
      g.set("stuff.hold", {{"points", {{0, 1}, {0.4, 0}}}, {"interpolation", "stepped"}});
      EXPECT_NE(g.run("all.body", 30).warnings.find(words), std::string::npos) << input;
    }
  }
  // What only says how far it acts is no motion.
  TestGraph g = everything();
  g.set("pin.radii", {{"animate", {now["animate"], 2, 2}}}).set("all.check", "none");
  EXPECT_EQ(g.run("all.body", 30).warnings, "");
}

// A bar that creeps, or does not, with a node between the material and what is deformed.
TestGraph behind_material(const char* type, std::map<std::string, Json> params, bool viscous) {
  TestGraph g = bar();
  g.set("move.tip", {0.3, 0, 0}).node("mat", "material.curves");
  g.set("mat.gradient", dough["gradient"]).set("mat.viscosity", viscous ? 1 : 0);
  g.node("stuff", "voo.material", {{"hold", Json::array({{0, 1}})}});
  g.node("x", type, std::move(params)).node("all", "voo.deform", {{"check", "none"}});
  g.link("mat.material", "stuff.material").link("move.voos", "stuff.voos");
  g.link("stuff.voos", "x.voos").link("x.voos", "all.voos").link("up.mesh", "all.body");
  return g;
}

const Json grows = {{"animate", {{"points", {{0, 0}, {2, 0.5}}}, {"x_unit", "s"}}}};

TEST(VooNodes, WhatVariesBehindAMaterialIsWarnedOf) {
  struct Row {
    const char* type;
    const char* input;
    Json varies, stays;
    std::map<std::string, Json> with = {};
  };
  const std::map<std::string, Json> ring = {{"kind", "ring"}, {"count", 2}};
  const Json place = {{"animate", {grows["animate"], 2, 0}}};
  const Row rows[] = {
      {"voo.animate", "delay", grows, 0},
      {"voo.animate", "which", {{"steps", {{0, ""}, {20, "*"}}}}, "*"},
      {"voo.animate", "over_time", {{"steps", {{0, {{0, 1}}}, {20, {{0, 0.5}}}}}}, {{0, 1}}},
      {"voo.constrain", "which", {{"steps", {{0, ""}, {20, "*"}}}}, "*"},
      {"voo.arthron", "place", place, {0, 2, 0}, {{"radius", 1}, {"kind", "fixed"}}},
      {"voo.arthron", "radius", grows, 0.1, {{"place", {0, 2, 0}}}},
      {"voo.array", "about", {{"animate", {grows["animate"], 0, 0}}}, {0, 0, 0}, ring},
      {"voo.array", "sweep", grows, 30, ring},
      {"voo.array", "delay", grows, 0.1, ring},
      {"voo.network", "points", {{"steps", {{0, {{0, 0, 0}, {0, 2, 0}}}}}}, {{0, 0, 0}, {0, 2, 0}}},
  };
  for (const Row& row : rows) {
    const std::string name = std::string("'") + row.input + "' changes from frame to frame";
    for (const bool viscous : {true, false}) {
      for (const bool varies : {true, false}) {
        TestGraph g = behind_material(row.type, row.with, viscous);
        g.set(std::string("x.") + row.input, varies ? row.varies : row.stays);
        const Outcome seen = g.run("all.body", 30);
        EXPECT_EQ(seen.errors, "") << row.type << " " << row.input;
        EXPECT_EQ(seen.warnings.find(name) != std::string::npos, viscous && varies)
            << row.type << " " << row.input << ": " << seen.warnings;
      }
    }
  }
}

TEST(VooNodes, WhatIsKnownAtAllTimesBehindAMaterialIsNotWarnedOf) {
  TestGraph g = behind_material("voo.animate", {{"tip", along_x(grows["animate"])}}, true);
  g.node("way", "path.motion", {{"points", {{0, 2, 0}, {1, 1, 0}}}}).link("way.path", "x.tip_path");
  EXPECT_EQ(g.run("all.body", 30).warnings, "");
  g.set("way.mass", {{"animate", {{"points", {{0, 1}, {2, 5}}}, {"x_unit", "s"}}}});
  EXPECT_NE(g.run("all.body", 30).warnings.find("'tip_path'"), std::string::npos);

  // By a link as by a parameter, and only as long as it varies, though the value be the same.
  for (const bool linked : {false, true}) {
    TestGraph h = behind_material("voo.animate", {}, true);
    h.node("number", "value.float");
    if (linked) h.link("number.value", "x.delay");
    const std::string input = linked ? "number.value" : "x.delay";
    EXPECT_EQ(h.run("all.body", 0).warnings, "");
    h.set(input, grows);
    EXPECT_NE(h.run("all.body", 0).warnings.find("'delay'"), std::string::npos);
    h.set(input, 0);
    EXPECT_EQ(h.run("all.body", 0).warnings, "");
  }
}

TEST(VooNodes, AMaterialThatVariesItselfIsWarnedOf) {
  for (const char* input : {"mat.viscosity", "mat.creep_coefficient", "stuff.creep_start"}) {
    TestGraph g = behind_material("voo.animate", {}, true);
    EXPECT_EQ(g.run("all.body", 30).warnings, "");
    g.set(input, grows);
    const std::string words = input[0] == 'm' ? "'material'" : "'creep_start'";
    EXPECT_NE(g.run("all.body", 30).warnings.find(words), std::string::npos) << input;
  }
  // Pins that operators bend rest at another place in each frame.
  TestGraph g = behind_material("voo.animate", {}, true);
  g.node("on", "voo.deform").link("x.voos", "on.body").link("move.voos", "on.voos");
  EXPECT_EQ(g.run("on.body", 30).warnings, "");
  g.set("move.tip", along_x(grows["animate"]));
  EXPECT_NE(g.run("on.body", 30).warnings.find("operators bring these"), std::string::npos);
}

TEST(VooNodes, WhatAnArrayDoesNotHandOnIsSaid) {
  TestGraph g = bar();
  g.node("keep", "voo.constrain").node("many", "voo.array", {{"kind", "ring"}, {"count", 3}});
  g.link("move.voos", "keep.voos").link("keep.voos", "many.voos");
  EXPECT_EQ(g.run("many.voos").warnings, "");
  g.set("keep.keep_length", true).set("keep.aims", {{"steps", {{0, false}, {9, true}}}});
  const std::string warnings = g.run("many.voos").warnings;
  EXPECT_NE(warnings.find("the length, the aim;"), std::string::npos) << warnings;
}

// Heads that are joined, and tips that go over to the other side of them.
TEST(VooNodes, ThatVeryManyJoinedPinsMaySpinIsSaid) {
  for (const int count : {255, 300}) {
    TestGraph g;
    const Json over = {{"points", {{0, 0}, {1, 0.4}, {2, 0}}}, {"x_unit", "s"}};
    const Json down = {{"points", {{0, 0}, {2, -2}}}, {"x_unit", "s"}};
    g.node("ball", "mesh.sphere", {{"detail", 4}}).node("pin", "voo.create");
    g.set("pin.tip", {0, 1, 0})
        .node("move", "voo.animate", {{"tip", {{"animate", {over, down, 0}}}}});
    g.node("many", "voo.array", {{"count_x", count}, {"count_y", 1}, {"step_x", {1e-4, 0, 0}}});
    g.node("joint", "voo.arthron", {{"radius", 0.5}});
    g.node("all", "voo.deform", {{"check", "none"}}).link("ball.mesh", "all.body");
    g.link("pin.voos", "move.voos").link("move.voos", "many.voos").link("many.voos", "joint.voos");
    g.link("joint.voos", "all.voos");
    EXPECT_EQ(g.run("all.body", 10).warnings, "") << count;
    const bool said = g.run("all.body", 45).warnings.find("may spin") != std::string::npos;
    EXPECT_EQ(said, count > 256);
  }
}

TEST(VooNodes, HandsAreFollowedAndLetGoOnTheLiveClock) {
  TestGraph g = bar();
  g.node("stuff", "voo.material", {{"hold", Json::array({{0, 1}})}});
  g.node("read", "voo.read").link("move.voos", "stuff.voos").link("stuff.voos", "read.voos");
  Evaluator evaluator;
  LiveState live;
  const auto tick = [&](bool advance = true) {
    const GraphPtr graph = CompiledGraph::compile(g.doc, all_nodes());
    const Target targets[] = {*graph->find_output("read.tip")};
    if (advance) ++g.context.frame;
    const Evaluation result = evaluator.evaluate_live(*graph, targets, g.context, live, advance);
    for (const NodeMessage& m : result.messages(*graph)) ADD_FAILURE() << m.message.text;
    return result.targets[0].value.as<Vec3>();
  };
  tick(false);
  for (int f = 0; f < 5; ++f) EXPECT_NEAR(tick().x, 0, 1e-6);
  // It takes hold near the tip, and the tip goes where the hand goes.
  g.set("stuff.grab", true).set("stuff.grab_at", {0.1, 1.9, 0}).set("stuff.grab_to", {0.1, 1.9, 0});
  tick();
  g.set("stuff.grab_to", {0.9, 1.9, 0});
  EXPECT_NEAR(tick().x, 0.8, 1e-5);
  g.set("stuff.grab", false);
  double least = 1;
  std::vector<Vec3> swing;
  for (int f = 0; f < 20; ++f) {
    swing.push_back(tick());
    least = std::min<double>(least, swing.back().x);
  }
  EXPECT_LT(least, 0.4);  // it swings back
  for (int f = 0; f < 40; ++f) tick();
  EXPECT_NEAR(tick().x, 0, 1e-5);

  // What was done, written down, is the same on the timeline, from any frame.
  g.set("stuff.grab", Json::parse(R"({"steps": [[0, false], [6, true], [8, false]]})"));
  g.set("stuff.grab_to",
        Json::parse(R"({"steps": [[0, [0, 0, 0]], [6, [0.1, 1.9, 0]], [7, [0.9, 1.9, 0]]]})"));
  EXPECT_EQ(g.get<Vec3>("read.tip", 20), swing[12]);
  EXPECT_EQ(g.get<Vec3>("read.tip", 9), swing[1]);
}

}  // namespace
}  // namespace sinew::testing
