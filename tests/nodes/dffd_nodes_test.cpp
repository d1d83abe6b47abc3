// Bodies that move by modes, as nodes.
#include <cmath>

#include "graph/local_site.h"
#include "graph/work_run.h"
#include "nodes/kernels/measure.h"
#include "nodes/node.h"
#include "tests/nodes/harness.h"

namespace sinew::testing {
namespace {

// A block on the ground, with its usual modes.
TestGraph block() {
  TestGraph g;
  g.node("block", "mesh.box", {{"size", {0.4, 0.5, 0.4}}, {"segments_x", 4}, {"segments_y", 4}});
  g.node("body", "dffd.body").node("ground", "collide.plane").node("it", "dffd.simulate");
  g.link("block.mesh", "body.mesh").link("body.body", "it.body");
  g.link("ground.colliders", "it.colliders");
  return g;
}

Json frames(const char* points, const char* interpolation = "linear") {
  Json chart = {
      {"points", Json::parse(points)}, {"interpolation", interpolation}, {"x_unit", "frames"}};
  return {{"animate", chart}};
}

Vec3f centre_at(TestGraph& g, int frame) { return to_eigen(g.get<Vec3>("it.centre", frame)); }

TEST(DffdNodes, TheWholeCastFallsAndStaysOnTheGround) {
  for (const char* name :
       {"apple", "bar", "beach_ball", "car", "figure", "jellyfish", "seagull", "snail", "squid",
        "table", "teapot", "u_shape", "whale", "wine_glass", "worm"}) {
    TestGraph g;
    g.node("thing", std::string("cast.") + name).node("body", "dffd.body");
    g.node("ground", "collide.plane").node("it", "dffd.simulate", {{"position", {0, 0.3, 0}}});
    g.link("thing.mesh", "body.mesh").link("body.body", "it.body");
    g.link("ground.colliders", "it.colliders");
    const Outcome body = g.run("body.body");
    ASSERT_EQ(body.errors, "") << name;
    EXPECT_GE(body.value.as<ModalBody>().modes->count(), 3u) << name;
    const Mesh rest = g.get<Mesh>("thing.mesh");
    const Eigen::AlignedBox3f box = kernels::bounding_box(rest.positions);
    const Outcome later = g.run("it.mesh", 40);
    ASSERT_EQ(later.errors, "") << name;
    const Eigen::AlignedBox3f now = kernels::bounding_box(later.value.as<Mesh>().positions);
    const float size = box.sizes().maxCoeff();
    EXPECT_GT(now.min().y(), -0.02f * size) << name;
    EXPECT_LT(now.min().y(), 0.3f * size) << name;
  }
}

TEST(DffdNodes, AtRestTheMeshIsWhatItWas) {
  TestGraph g = block();
  const Mesh rest = g.get<Mesh>("block.mesh"), first = g.get<Mesh>("it.mesh", 0);
  for (std::size_t i = 0; i < rest.vertex_count(); ++i) {
    EXPECT_LT((rest.positions[i] - first.positions[i]).norm(), 1e-6f);
  }
}

TEST(DffdNodes, SuperfluousModesAreNamed) {
  TestGraph g = block();
  g.node("cage", "ffd.lattice").link("block.mesh", "cage.body");
  g.node("one", "ffd.modes", {{"kind", "shear"}, {"name", "lean"}});
  g.node("two", "ffd.modes", {{"kind", "shear"}, {"name", "tilt"}, {"size", 0.2}});
  g.link("cage.lattice", "one.lattice").link("one.modes", "two.modes");
  g.link("two.modes", "body.modes");
  EXPECT_NE(g.run("body.body")
                .errors.find("mode 'tilt' does to the mass points what 'lean' already does"),
            std::string::npos);
}

TEST(DffdNodes, AControllerThatDoesNotFitSaysSo) {
  TestGraph g = block();
  g.node(
      "poses", "dffd.controller",
      {{"poses", Json::parse(R"({"modes": ["wag"], "poses": [{"time": 1, "amplitudes": [1]}]})")}});
  g.link("poses.controller", "it.controller");
  const Outcome outcome = g.run("it.mesh", 2);
  EXPECT_EQ(outcome.errors, "");
  EXPECT_NE(outcome.warnings.find("drives 'wag', but the body has no such mode; it has 'squash y'"),
            std::string::npos)
      << outcome.warnings;
}

TEST(DffdNodes, FromKeysToPhysicsWithTheSameVelocity) {
  // Led along x at 2 m/s, then let go, where nothing falls.
  TestGraph g = block();
  g.set("it.gravity", {0, 0, 0});
  g.set("it.position", {{"animate", Json::array({frames("[[0, 0], [100, 8]]")["animate"], 1, 0})}});
  g.set("it.physics", frames("[[0, 0], [10, 1]]", "stepped"));
  for (const int frame : {5, 9, 10, 11, 15, 40}) {
    EXPECT_NEAR(centre_at(g, frame).x() - centre_at(g, 0).x(), 0.08 * frame, 1e-4) << frame;
  }
}

TEST(DffdNodes, FromPhysicsBackToKeysWithoutAJump) {
  TestGraph g = block();
  g.set("it.position", {0, 2, 0});
  g.set("it.physics", frames("[[0, 1], [12, 0]]", "stepped"));
  g.set("it.blend", 0.6);
  std::vector<Vec3f> way;
  for (int frame = 0; frame <= 40; ++frame) way.push_back(centre_at(g, frame));
  EXPECT_LT((way[40] - (way[0])).norm(), 1e-4f);  // where its keys are
  // Accelerations stay of the size of those on both sides: no jump, and no kick.
  for (std::size_t f = 2; f < way.size(); ++f) {
    const float acceleration = (way[f] - 2 * way[f - 1] + way[f - 2]).norm() * 25 * 25;
    EXPECT_LT(acceleration, 60) << f;
  }
}

TEST(DffdNodes, AKeyedJumpOffAPinnedFootJumps) {
  // Led from a crouch to its full height with its foot held, and then let go.
  TestGraph g = block();
  g.node("cage", "ffd.lattice").link("block.mesh", "cage.body");
  g.node("press", "ffd.modes",
         {{"kind", "squash"}, {"amplitude", frames("[[0, 0.6], [6, -0.4]]")}});
  g.link("cage.lattice", "press.lattice").link("press.modes", "body.modes");
  g.node("pin", "dffd.pin",
         {{"at", {0, -0.25, 0}}, {"enabled", frames("[[0, 1], [6, 0]]", "stepped")}});
  g.link("pin.forces", "it.forces").set("it.gravity", {0, 0, 0});
  g.set("it.physics", frames("[[0, 0], [6, 1]]", "stepped"));
  const float led = centre_at(g, 5).y() - centre_at(g, 4).y();
  EXPECT_GT(led, 0.005f);
  EXPECT_NEAR(g.get<Vec3>("it.velocity", 5).y, led * 25, 0.1f * led * 25);
  EXPECT_NEAR(centre_at(g, 8).y() - centre_at(g, 7).y(), led, 0.3f * led);
}

TEST(DffdNodes, APinHoldsWhatIsLed) {
  TestGraph g = block();
  g.node("pin", "dffd.pin", {{"at", {0.2, -0.25, 0.2}}}).link("pin.forces", "it.forces");
  g.set("it.physics", false).set("it.rotation", {0, 0, 30});
  const Mesh mesh = g.get<Mesh>("it.mesh", 3);
  float nearest = 1;
  for (const Vec3f& p : mesh.positions) {
    nearest = std::min(nearest, (p - Vec3f(0.2f, -0.25f, 0.2f)).norm());
  }
  EXPECT_LT(nearest, 1e-3f);
}

TEST(DffdNodes, ContactForcesCarryItsWeight) {
  TestGraph g = block();
  g.set("it.position", {0, 0.25, 0});
  float push = 0;
  for (const BodyForce& force : g.get<BodyForces>("it.contact", 150).list) push += force.to.y();
  EXPECT_NEAR(push, 9.81f, 0.2f);
}

TEST(DffdNodes, AHandPulls) {
  TestGraph g = block();
  g.set("it.grab", true).set("it.grab_at", {0, 0.5, 0}).set("it.grab_to", {0, 1.5, 0});
  g.set("it.position", {0, 0.25, 0});
  EXPECT_GT(centre_at(g, 40).y(), 0.6f);
}

// A search by the node's own work, in one process.
Found searched(TestGraph& g, const std::string& node, int threads) {
  const GraphPtr graph = CompiledGraph::compile(g.doc, *g.registry);
  Found found;
  LocalSite site(g.doc, graph, node, g.context,
                 {threads, nullptr, {}, [&](const Value& v) { found = v.as<Found>(); }});
  const auto done = run_work(*g.evaluator, *graph, node, g.context, site);
  EXPECT_TRUE(done) << (done ? "" : done.error());
  return found;
}

TEST(DffdNodes, AGaitIsFoundTheSameOnAnyNumberOfThreads) {
  TestGraph g = block();
  g.set("it.position", {0, 0.25, 0});
  g.node("poses", "dffd.controller",
         {{"poses", Json::parse(R"({"modes": ["squash y", "shear y to x"], "frequency": 3,
            "poses": [{"time": 0.2, "amplitudes": [0.6, -0.3]},
                      {"time": 0.2, "amplitudes": [-0.4, 0.4]}]})")}});
  g.node("find", "dffd.anneal",
         {{"trials", 24}, {"seconds", 1.5}, {"position", {0, 0.25, 0}}, {"goal", "weights"}});
  g.link("poses.controller", "find.controller").link("body.body", "find.body");
  g.link("ground.colliders", "find.colliders").link("find.controller", "it.controller");
  const PoseGraph before = g.get<PoseGraph>("find.controller");
  EXPECT_EQ(before, g.get<PoseGraph>("poses.controller"));
  const Found one = searched(g, "find", 1), two = searched(g, "find", 2);
  EXPECT_EQ(one, two);
  ASSERT_FALSE(one.empty());
  EXPECT_LT(one.candidates[0].cost, one.start_cost);
  // What was found is played when it stands in the document.
  g.set("find.found", found_to_json(one));
  const PoseGraph after = g.get<PoseGraph>("find.controller");
  EXPECT_EQ(after.poses[0].amplitudes[0], one.candidates[0].values[0]);
  EXPECT_NEAR(g.get<float>("find.cost"), one.candidates[0].cost, 1e-4);
  // Its cost is that of the motion that the simulation then shows.
  const Vec3f way = centre_at(g, 38) - centre_at(g, 0);
  EXPECT_GT(way.norm(), 0.0f);
}

TEST(DffdNodes, WhatWasFoundForAnotherControllerIsLeftAlone) {
  TestGraph g = block();
  g.node("poses", "dffd.controller").node("find", "dffd.anneal");
  g.link("poses.controller", "find.controller").link("body.body", "find.body");
  g.set("find.found",
        Json::parse(R"({"names": ["a"], "candidates": [{"cost": 1, "trial": 3, "values": [2]}]})"));
  const Outcome outcome = g.run("find.controller");
  EXPECT_NE(outcome.warnings.find("search again"), std::string::npos) << outcome.warnings;
}

TEST(PoseGraphValues, BadLiteralsGetOneMessage) {
  const std::pair<const char*, const char*> cases[] = {
      {"[]", "a controller is {"},
      {R"({"modes": 3})", "'modes' is not a list of names"},
      {R"({"modes": ["a", "a"]})", "mode 'a' is named twice"},
      {R"({"poses": [{"time": 1}]})", "pose 1: it is not {"},
      {R"({"modes": ["a"], "poses": [{"time": 1, "amplitudes": []}]})",
       "pose 1: it has 0 amplitudes, but there are 1 modes"},
      {R"({"modes": ["a"], "poses": [{"time": -1, "amplitudes": [0]}]})",
       "pose 1: its time must be from"},
      {R"({"modes": ["a"], "poses": [{"time": 1, "amplitudes": [1e9]}]})",
       "pose 1: amplitudes must be from"},
      {R"({"speed": 3})", "it has no 'speed'"},
      {R"({"frequency": -3})", "the frequency must be from"},
  };
  for (const auto& [text, wanted] : cases) {
    const Result<PoseGraph> graph = pose_graph_from_json(Json::parse(text));
    ASSERT_FALSE(graph) << text;
    EXPECT_NE(graph.error().find(wanted), std::string::npos) << graph.error();
  }
}

}  // namespace
}  // namespace sinew::testing
