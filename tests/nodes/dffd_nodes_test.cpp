// Bodies that move by modes, as nodes.
#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "graph/document.h"
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

// The farthest that a place of the block is from where it shall be.
float off_by(TestGraph& g, int frame, const Vec3f& rest, const Vec3f& wanted) {
  const Mesh before = g.get<Mesh>("block.mesh"), now = g.get<Mesh>("it.mesh", frame);
  std::size_t nearest = 0;
  for (std::size_t i = 1; i < before.vertex_count(); ++i) {
    if ((before.positions[i] - rest).norm() < (before.positions[nearest] - rest).norm()) {
      nearest = i;
    }
  }
  return (now.positions[nearest] - wanted).norm();
}

TEST(DffdNodes, SeveralPinsHoldWhatIsLed) {
  // Two corners of its sole are put elsewhere, as far apart as they are; what it turns by about the
  // line between them is what the keys say.
  const Vec3f a(-0.2f, -0.25f, 0.2f), b(0.2f, -0.25f, 0.2f), c(-0.2f, -0.25f, -0.2f);
  TestGraph g = block();
  g.node("one", "dffd.pin",
         {{"at", {a.x(), a.y(), a.z()}}, {"in_place", false}, {"to", {0, 0, 1}}});
  g.node("two", "dffd.pin",
         {{"at", {b.x(), b.y(), b.z()}}, {"in_place", false}, {"to", {0.4, 0, 1}}});
  g.link("one.forces", "two.forces").link("two.forces", "it.forces");
  g.set("it.physics", false).set("it.rotation", {20, 0, 0}).set("it.position", {3, 2, 1});
  for (const int frame : {0, 3}) {
    EXPECT_LT(off_by(g, frame, a, Vec3f(0, 0, 1)), 1e-5f) << frame;
    EXPECT_LT(off_by(g, frame, b, Vec3f(0.4f, 0, 1)), 1e-5f) << frame;
    const float turn = 20 * std::numbers::pi_v<float> / 180;
    EXPECT_LT(off_by(g, frame, c, Vec3f(0, 0.4f * std::sin(turn), 1 - 0.4f * std::cos(turn))),
              1e-4f);
  }
  EXPECT_EQ(g.run("it.mesh", 3).warnings, "");
  // A third that does not fit turns it, and is told.
  g.node("three", "dffd.pin",
         {{"at", {c.x(), c.y(), c.z()}}, {"in_place", false}, {"to", {0, 0, 0.5}}});
  g.link("two.forces", "three.forces");
  for (LinkDoc& link : g.doc.graph.links) {
    if (link.to.node == "it" && link.to.socket == "forces") link.from.node = "three";
  }
  EXPECT_NE(g.run("it.mesh", 3).warnings.find("3 pins hold it"), std::string::npos);
  EXPECT_LT(off_by(g, 3, c, Vec3f(0, 0, 0.55f)), 0.08f);
}

// The block with other modes from a frame on: "a" before, "b" from then on.
TestGraph block_with_modes(std::vector<const char*> a, std::vector<const char*> b, int frame) {
  TestGraph g = block();
  g.node("cage", "ffd.lattice").link("block.mesh", "cage.body").node("which", "switch");
  for (const auto& [name, list] : {std::pair{"a", a}, std::pair{"b", b}}) {
    std::string last;
    for (const char* kind : list) {
      const std::string id = name + std::string(kind);
      g.node(id, "ffd.modes", {{"kind", kind}, {"name", kind}, {"size", 0.4}});
      g.link(last.empty() ? "cage.lattice" : last + ".modes",
             id + (last.empty() ? ".lattice" : ".modes"));
      last = id;
    }
    g.link(last + ".modes", std::string("which.") + name);
  }
  g.set("which.index", frames(fmt::format("[[0, 0], [{}, 1]]", frame).c_str(), "stepped"));
  g.link("which.value", "body.modes");
  return g;
}

float amplitude(TestGraph& g, const std::string& name, int frame) {
  const Modes modes = g.get<Modes>("it.modes", frame);
  for (const DeformMode* mode : modes.all()) {
    if (mode->name == name) return static_cast<float>(mode->amplitude);
  }
  return std::numeric_limits<float>::quiet_NaN();
}

TEST(DffdNodes, WithOtherModesItGoesOn) {
  struct Case {
    std::vector<const char*> before, after;
  };
  const Case cases[] = {
      {{"squash", "shear"}, {"squash", "shear", "bend"}},  // one comes
      {{"squash", "shear"}, {"bend", "twist", "squash"}},  // one goes, two come, all elsewhere
      {{"shear", "squash"}, {"squash", "shear"}},          // as many, in another order
      {{"squash", "shear", "bend"}, {"squash"}},           // two go
  };
  for (const Case& one : cases) {
    SCOPED_TRACE(&one - cases);
    TestGraph g = block_with_modes(one.before, one.after, 12);
    TestGraph alone = block_with_modes(one.before, one.before, 12);
    for (TestGraph* it : {&g, &alone}) {
      // Thrown and turning, swinging since it is let go off its rest.
      it->set("it.position", {0, 4, 0}).set("it.velocity", {2, 1, 0}).set("it.spin", {0, 90, 200});
      it->node("kick", "dffd.force",
               {{"at", {0.2, 0.25, 0.1}},
                {"push", {0, -40, 20}},
                {"enabled", frames("[[0, 1], [4, 0]]", "stepped")}});
      it->link("kick.forces", "it.forces");
    }
    // As if nothing had been: where it is, how fast, and in what it shares its shape.
    const Vec3f velocity = to_eigen(g.get<Vec3>("it.velocity", 12));
    EXPECT_GT(velocity.norm(), 2);
    EXPECT_LT((velocity - to_eigen(alone.get<Vec3>("it.velocity", 12))).norm(), 0.15f);
    EXPECT_LT((centre_at(g, 12) - centre_at(alone, 12)).norm(), 0.01f);
    float deepest = 0;
    for (const char* name : one.after) {
      const bool stays = std::find_if(one.before.begin(), one.before.end(), [&](const char* n) {
                           return std::string(n) == name;
                         }) != one.before.end();
      const float before = amplitude(g, name, 11), now = amplitude(g, name, 12);
      if (stays) {
        // The others pull at it within the frame, but it does not begin anew.
        EXPECT_NEAR(now, before, 0.15f * std::abs(before) + 0.05f) << name;
        deepest = std::max(deepest, std::abs(before));
      } else {
        EXPECT_LT(std::abs(now), 0.05f) << name;
      }
    }
    EXPECT_GT(deepest, 0.1f);
    EXPECT_EQ(g.run("it.mesh", 20).errors, "");
    EXPECT_EQ(g.run("it.mesh", 20).warnings, "");
  }
}

TEST(DffdNodes, WithOtherModesItGoesOnBeingLed) {
  TestGraph g = block_with_modes({"squash", "shear"}, {"shear", "bend", "squash"}, 12);
  g.set("asquash.amplitude", frames("[[0, 0], [50, 0.5]]"));
  g.set("bsquash.amplitude", frames("[[0, 0], [50, 0.5]]"));
  g.set("it.physics", frames("[[0, 0], [13, 1]]", "stepped")).set("it.gravity", {0, 0, 0});
  g.set("it.position", {{"animate", Json::array({frames("[[0, 0], [100, 8]]")["animate"], 1, 0})}});
  EXPECT_NEAR(amplitude(g, "squash", 12), 0.12f, 1e-5f);
  // It is let go a frame later, and has its velocities all the same.
  EXPECT_NEAR(g.get<Vec3>("it.velocity", 13).x, 2, 0.02);
  EXPECT_GT(amplitude(g, "squash", 14), 0.125f);
}

TEST(DffdNodes, AMotionIsTheSameAtAllFrameRates) {
  const auto at_second = [](double fps, int second) {
    TestGraph g = block();
    g.context.fps = fps;
    g.context.last_frame = 300;
    g.node("poses", "dffd.controller",
           {{"poses", Json::parse(R"({"modes": ["squash y", "shear y to x"], "frequency": 3,
            "poses": [{"time": 0.21, "amplitudes": [0.6, -0.3]},
                      {"time": 0.17, "amplitudes": [-0.4, 0.4]}]})")}});
    g.link("poses.controller", "it.controller").set("it.position", {0, 0.27, 0});
    return g.get<Mesh>("it.mesh", static_cast<int>(std::lround(fps * second))).positions;
  };
  for (const int second : {1, 3}) {
    const std::vector<Vec3f> wanted = at_second(24, second);
    for (const double fps : {12.0, 15.0, 25.0, 30.0, 48.0, 50.0, 60.0, 90.0, 120.0, 240.0}) {
      EXPECT_EQ(at_second(fps, second), wanted) << fps;
    }
    // A rate at which no frame is there: as near as time allows.
    const std::vector<Vec3f> near = at_second(30000.0 / 1001, second);
    for (std::size_t i = 0; i < near.size(); ++i) {
      EXPECT_LT((near[i] - wanted[i]).norm(), 0.02f);
    }
  }
}

TEST(DffdNodes, DocumentsOfVersionOneMoveAsTheyDid) {
  Registry registry;
  register_all_nodes(registry);
  const auto doc =
      load_document(SINEW_SOURCE_DIR "/tests/graph/corpus/dffd_version1.json", registry);
  ASSERT_TRUE(doc) << doc.error();
  TestGraph g;
  g.doc = *doc;
  g.context.fps = doc->settings.fps;
  // Figures of the program that wrote it.
  EXPECT_EQ(g.doc.graph.find("body")->params.at("contacts"), "even");
  EXPECT_EQ(g.doc.graph.find("it")->params.at("steps_fit"), true);
  EXPECT_EQ(g.doc.graph.find("find")->params.at("k1"), 1);
  EXPECT_FALSE(g.doc.graph.find("far")->params.contains("k1"));
  EXPECT_EQ(g.get<Vec3>("it.centre", 40), (Vec3{0.2207193f, 0.31521404f, -0.05474997f}));
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
