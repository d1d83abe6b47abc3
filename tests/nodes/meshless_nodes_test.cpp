// Meshless bodies as nodes: poses, keys, motions, and what they say when something is wrong.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

#include "graph/document.h"
#include "nodes/kernels/measure.h"
#include "nodes/node.h"
#include "tests/nodes/harness.h"

namespace sinew::testing {
namespace {

// A bar that stands on the ground, with nodes.
TestGraph bar(int count = 24) {
  TestGraph g;
  g.node("bar", "mesh.box",
         {{"size", {0.2, 1, 0.2}}, {"segments_x", 4}, {"segments_y", 16}, {"segments_z", 4}});
  g.node("nodes", "meshless.nodes", {{"count", count}});
  g.link("bar.mesh", "nodes.mesh");
  return g;
}

Json ends(const char* by = "[0, 0, 0]") {
  Json list = Json::parse(R"([{"name": "low", "at": [0, -0.5, 0], "radius": 0.15},
                              {"name": "top", "at": [0, 0.5, 0], "radius": 0.15}])");
  list[1]["by"] = Json::parse(by);
  return list;
}

TestGraph posed(const char* by) {
  TestGraph g = bar();
  g.node("pose", "meshless.pose", {{"handles", ends(by)}}).link("nodes.body", "pose.body");
  return g;
}

TestGraph keyed(const char* keys) {
  TestGraph g = bar();
  g.node("keys", "meshless.keys", {{"handles", ends()}, {"keys", Json::parse(keys)}});
  g.node("motion", "meshless.motion").node("play", "meshless.play");
  g.link("nodes.body", "keys.body").link("keys.keys", "motion.keys");
  g.link("motion.motion", "play.motion");
  return g;
}

Vec3f middle(const Mesh& mesh) {
  Vec3f sum(0, 0, 0);
  for (const Vec3f& p : mesh.positions) sum += p;
  return sum / static_cast<float>(mesh.vertex_count());
}

TEST(MeshlessNodes, WithoutAMoveThePoseIsTheMesh) {
  TestGraph g = posed("[0, 0, 0]");
  const Mesh rest = g.get<Mesh>("bar.mesh"), pose = g.get<Mesh>("pose.mesh");
  for (std::size_t i = 0; i < rest.vertex_count(); ++i) {
    EXPECT_LT((rest.positions[i] - pose.positions[i]).norm(), 1e-6f);
  }
  EXPECT_NEAR(g.get<float>("pose.volume_change"), 0, 1e-6);
}

TEST(MeshlessNodes, AHandleTakesTheBodyAlong) {
  TestGraph g = posed("[0.3, 0, 0]");
  const Outcome out = g.run("pose.mesh");
  EXPECT_EQ(out.errors, "");
  const Mesh rest = g.get<Mesh>("bar.mesh");
  const Mesh& pose = out.as<Mesh>();
  for (std::size_t i = 0; i < rest.vertex_count(); ++i) {
    const Vec3f by = pose.positions[i] - rest.positions[i];
    if (rest.positions[i].y() > 0.49f) {
      EXPECT_NEAR(by.x(), 0.3f, 0.03f);
    }
    if (rest.positions[i].y() < -0.49f) {
      EXPECT_LT(by.norm(), 0.03f);
    }
  }
  EXPECT_NEAR(g.get<float>("pose.volume_change"), 0, 0.1);
  const VectorField& normals = g.get<VectorField>("pose.normals");
  for (const Vec3f& n : normals.values) EXPECT_NEAR(n.norm(), 1, 1e-4);
}

TEST(MeshlessNodes, DraftsAreNearTheFinalPose) {
  TestGraph g = posed("[0.1, 0, 0]");
  g.context.draft = true;
  g.run("pose.mesh");
  g.set("pose.handles", ends("[0.12, 0.02, 0]"));
  const Mesh draft = g.get<Mesh>("pose.mesh");
  g.context.draft = false;
  const Mesh final_one = g.get<Mesh>("pose.mesh");
  float off = 0;
  for (std::size_t i = 0; i < draft.vertex_count(); ++i) {
    off = std::max(off, (draft.positions[i] - final_one.positions[i]).norm());
  }
  EXPECT_LT(off, 5e-3f);
}

TEST(MeshlessNodes, KeysThatNobodyHelpsAreMetExactly) {
  TestGraph g = keyed(R"([{"frame": 0}, {"frame": 10, "move": [1, 0, 0], "turn": [0, 0, 90]},
                          {"frame": 20, "move": [2, 0, 0], "handles": {"top": [0.2, 0, 0]}}])");
  EXPECT_EQ(g.run("play.mesh", 0).errors, "");
  EXPECT_LT((middle(g.get<Mesh>("play.mesh", 0))).norm(), 1e-5f);
  EXPECT_LT((middle(g.get<Mesh>("play.mesh", 10)) - Vec3f(1, 0, 0)).norm(), 0.02f);
  // One motion for all frames: nothing is found anew while it plays.
  const Outcome first = g.run("motion.motion", 3), later = g.run("motion.motion", 17);
  EXPECT_EQ(first.key, later.key);
  EXPECT_EQ(later.evaluation.runs, 0);
}

// Frames of one to five digits, whole ones and others, in any order: the marks of the charts are
// named by them.
TEST(MeshlessNodes, KeysMayBeAtAnyFrames) {
  std::mt19937 random(8);
  TestGraph g = keyed("[]");
  g.set("nodes.count", 12).set("motion.frames", 2);
  for (int trial = 0; trial < 120; ++trial) {
    const double most = std::pow(10, 1 + trial % 5);
    std::set<double> frames;
    const std::size_t count = 2 + random() % 6;
    while (frames.size() < count) {
      const double frame = std::uniform_real_distribution<double>(0, most)(random);
      frames.insert(trial % 7 == 6 ? std::round(16 * frame) / 16 : std::round(frame));
    }
    Json keys = Json::array();
    for (const double frame : frames) keys.push_back({{"frame", frame}});
    std::shuffle(keys.begin(), keys.end(), random);
    g.set("keys.keys", keys);
    const Outcome out = g.run("motion.energy");
    ASSERT_EQ(out.errors, "") << keys.dump();
    const Chart& energy = out.as<Chart>();
    EXPECT_EQ(energy.marks.size(), frames.size()) << keys.dump();
    for (const double frame : frames) {
      const std::optional<double> at = energy.mark(fmt::format("{:.10g}", frame));
      ASSERT_TRUE(at.has_value()) << frame << " in " << keys.dump();
      EXPECT_NEAR(*at, frame / g.context.fps, 1e-9 * most);
    }
    ASSERT_EQ(g.run("play.mesh", static_cast<int>(*frames.rbegin())).errors, "") << keys.dump();
  }
}

// Version 1 let motions swing past their keys, and let go at once: what it saved still does.
TEST(MeshlessNodes, DocumentsOfVersionOneKeepTheirMeaning) {
  const auto doc =
      load_document(SINEW_SOURCE_DIR "/tests/graph/corpus/meshless_version1.json", all_nodes());
  ASSERT_TRUE(doc) << doc.error();
  for (const NodeDoc& node : doc->graph.nodes) {
    if (node.type == "meshless.motion") {
      EXPECT_EQ(node.params.at("overshoot"), Json(1));
    }
    if (node.type == "meshless.dynamics") {
      EXPECT_EQ(node.params.at("blend"), Json(0));
    }
  }
  TestGraph g;
  g.doc = *doc;
  const Outcome out = g.run("swing.mesh", 12);
  EXPECT_EQ(out.errors, "");
  EXPECT_GT(out.as<Mesh>().vertex_count(), 0u);
}

TEST(MeshlessNodes, ARoundOfTurnsIsTurnedAndNotForgotten) {
  TestGraph g = keyed(R"([{"frame": 0}, {"frame": 40, "turn": [0, 0, 360]}])");
  // Half way it stands on its head.
  const Mesh rest = g.get<Mesh>("bar.mesh"), half = g.get<Mesh>("play.mesh", 20);
  float worst = 0;
  for (std::size_t i = 0; i < rest.vertex_count(); ++i) {
    worst = std::max(worst, std::abs(half.positions[i].y() + rest.positions[i].y()));
  }
  EXPECT_LT(worst, 0.1f);
}

TEST(MeshlessNodes, ObstaclesThatMoveAreSeenComing) {
  TestGraph g = keyed(R"([{"frame": 0}, {"frame": 50}])");
  g.context.last_frame = 50;
  Json way = {{"points", {{0, -2}, {50, 2}}}, {"interpolation", "linear"}, {"x_unit", "frames"}};
  g.node("ball", "collide.sphere",
         {{"radius", 0.2}, {"position", {{"animate", {way, 0.2, 0.03}}}}});
  g.link("ball.colliders", "motion.obstacles");
  const Outcome out = g.run("motion.motion", 0);
  EXPECT_EQ(out.errors, "");
  const Motion& motion = out.as<Motion>();
  EXPECT_LT(motion.depth, 0.01 * motion.size);
  EXPECT_GT(motion.bodies[0].frames.size(), 2u);
  // It has moved aside when the ball is there, and is back later.
  EXPECT_GT(middle(g.get<Mesh>("play.mesh", 25)).norm(), 0.1f);
  EXPECT_LT(middle(g.get<Mesh>("play.mesh", 50)).norm(), 1e-4f);
}

TEST(MeshlessNodes, CrowdsChangePlaces) {
  TestGraph h = bar(20);
  h.node("keys", "meshless.keys", {{"keys", Json::parse(R"([{"frame": 0}, {"frame": 50}])")}});
  h.node("crowd", "meshless.crowd", {{"columns", 2}, {"rows", 2}, {"spacing", {0.6, 1, 0.6}}});
  h.node("motion", "meshless.motion");
  h.link("nodes.body", "keys.body")
      .link("keys.keys", "crowd.keys")
      .link("crowd.keys", "motion.keys");
  const Outcome out = h.run("motion.motion");
  EXPECT_EQ(out.errors, "");
  const Motion& motion = out.as<Motion>();
  ASSERT_EQ(motion.bodies.size(), 4u);
  EXPECT_LT(motion.depth, 0.02 * motion.size);
}

TEST(MeshlessNodes, LedLetGoAndLedAgain) {
  TestGraph g = keyed(R"([{"frame": 0}, {"frame": 10, "move": [0.3, 0.2, 0],
                           "velocity": [1, 2, 0]}])");
  g.context.last_frame = 60;
  Json fade = {{"points", {{0, 0.5}, {10, 0}}}, {"interpolation", "stepped"}, {"x_unit", "frames"}};
  g.node("fly", "meshless.dynamics", {{"gain", {{"animate", fade}}}});
  g.node("land", "meshless.keys",
         {{"keys", Json::parse(R"([{"frame": 20}, {"frame": 35, "move": [1.5, 0, 0]}])")}});
  g.node("down", "meshless.motion").node("play_down", "meshless.play");
  g.node("all", "meshless.dynamics", {{"gain", 1}});
  g.link("motion.motion", "fly.motion").link("nodes.body", "land.body");
  g.link("fly.state", "land.begin").link("land.keys", "down.keys");
  g.link("down.motion", "play_down.motion").link("down.motion", "all.motion");
  g.link("fly.state", "all.before");
  ASSERT_EQ(g.run("all.mesh", 40).errors, "");
  // At the seam, places and velocities of what was simulated and what is led from there agree.
  const BodyStates flown = g.get<BodyStates>("fly.state", 20);
  const BodyStates led = g.get<BodyStates>("play_down.state", 20);
  for (std::size_t i = 0; i < flown.list[0].places.size(); ++i) {
    EXPECT_LT((flown.list[0].places[i] - led.list[0].places[i]).norm(), 1e-9);
    EXPECT_LT((flown.list[0].velocities[i] - led.list[0].velocities[i]).norm(), 1e-6);
  }
  EXPECT_NEAR(middle(g.get<Mesh>("all.mesh", 45)).x(), 1.5f, 0.05f);
  // The first part can be changed afterwards: the second follows.
  g.set("keys.keys", Json::parse(R"([{"frame": 0}, {"frame": 10, "move": [0, 0.4, 0]}])"));
  const BodyStates other = g.get<BodyStates>("fly.state", 20);
  const BodyStates follows = g.get<BodyStates>("play_down.state", 20);
  EXPECT_GT((other.list[0].places[0] - flown.list[0].places[0]).norm(), 0.05);
  EXPECT_LT((other.list[0].places[0] - follows.list[0].places[0]).norm(), 1e-9);
}

TEST(MeshlessNodes, WhatIsWrongIsSaid) {
  const auto says = [](TestGraph g, const char* output, const char* what) {
    const Outcome out = g.run(output);
    EXPECT_NE((out.errors + out.warnings).find(what), std::string::npos)
        << out.errors << out.warnings;
  };
  says(posed("[3, 0, 0]").set("pose.handle_weight", 1), "pose.mesh", "handle 'top' stays");
  says(bar(2), "nodes.body", "4 at least");
  says(bar().set("nodes.count", 0), "nodes.body", "give a 'count'");
  says(bar(8).set("nodes.radius", 0.05), "nodes.body", "do not cover");
  says(keyed("[]"), "motion.motion", "no keys");
  says(keyed(R"([{"frame": 0}, {"frame": 9, "kind": "guess"}])"), "motion.motion", "last key");
  says(keyed(R"([{"frame": 0, "handles": {"toe": [0, 0, 0]}}])"), "motion.motion",
       "handle 'toe', which is not there; there are: low, top");
  says(keyed(R"([{"frame": 0, "pose": 2}])"), "motion.motion", "0 are linked");
  TestGraph two;
  two.node("a", "mesh.sphere")
      .node("b", "mesh.sphere")
      .node("away", "mesh.transform", {{"translate", {5, 0, 0}}});
  two.node("both", "mesh.merge").node("nodes", "meshless.nodes");
  two.link("a.mesh", "both.meshes").link("b.mesh", "away.mesh").link("away.mesh", "both.meshes");
  two.link("both.mesh", "nodes.mesh");
  says(two, "nodes.body", "2 pieces, and no 'resolution' leads");
  // What the message says makes one body of pieces that overlap.
  two.set("away.translate", {0.8, 0, 0});
  two.node("fill", "tet.from_mesh").node("skin", "tet.surface", {{"part", "boundary"}});
  two.node("whole", "meshless.nodes").link("both.mesh", "fill.mesh");
  two.link("fill.solid", "skin.solid").link("skin.mesh", "whole.mesh");
  says(two, "nodes.body", "tet.from_mesh");
  EXPECT_EQ(two.run("whole.body").errors, "");
  TestGraph inside = keyed(R"([{"frame": 0}, {"frame": 20, "move": [2, 0, 0]}])");
  inside.node("ball", "collide.sphere", {{"radius", 0.5}, {"position", {2, 0, 0}}});
  inside.link("ball.colliders", "motion.obstacles");
  says(inside, "motion.motion", "key at frame 20 lies");
}

TEST(MeshlessNodes, LiteralsAreReadAndWrittenBack) {
  for (
      const char* text :
      {R"([{"name": "a", "at": [0, 1, 0]}])",
       R"([{"name": "a", "at": [0, 1, 0], "radius": 0.5, "by": [1, 0, 0], "turn": [0, 90, 0], "weight": 2, "hold": true}])"}) {
    const Result<BodyHandles> handles = body_handles_from_json(Json::parse(text));
    ASSERT_TRUE(handles) << handles.error();
    EXPECT_EQ(body_handles_to_json(*handles), Json::parse(text));
  }
  const char* keys =
      R"([{"frame": 0}, {"frame": 3, "kind": "points", "handles": {"a": [0, 1, 0]}},
          {"frame": 4.5, "kind": "guess", "pose": 0, "move": [1, 0, 0], "turn": [0, 0, 720]},
          {"frame": 9, "velocity": [0, 1, 0], "spin": [0, 0, 90], "break": true}])";
  const Result<PoseKeys> read = pose_keys_from_json(Json::parse(keys));
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ(pose_keys_to_json(*read), Json::parse(keys));
  for (const char* bad : {R"({})", R"([{"frame": "x"}])", R"([{"frame": 0}, {"frame": 0}])",
                          R"([{"move": [0, 0, 0]}])", R"([{"frame": 0, "kind": "all"}])",
                          R"([{"frame": 0, "handles": [1]}])", R"([{"frame": 1e300}])",
                          R"([{"frame": 0, "colour": 1}])"}) {
    EXPECT_FALSE(pose_keys_from_json(Json::parse(bad))) << bad;
  }
  for (const char* bad :
       {R"([{"at": [0, 0, 0]}])", R"([{"name": "", "at": [0, 0, 0]}])",
        R"([{"name": "a", "at": [0, 0]}])", R"([{"name": "a", "at": [0, 0, 0], "radius": -1}])",
        R"([{"name": "a", "at": [0, 0, 0]}, {"name": "a", "at": [0, 0, 0]}])"}) {
    EXPECT_FALSE(body_handles_from_json(Json::parse(bad))) << bad;
  }
}

TEST(MeshlessNodes, HandsMakeMoveAndRemoveKeys) {
  const TypeInfo& type = type_of<PoseKeys>();
  Json keys = Json::parse(R"([{"frame": 0}, {"frame": 20, "move": [2, 0, 0]}])");
  // A key where there was none is where the body is then.
  keys = type.with_move(keys, "top", std::array<double, 3>{0, 0.5, 0}, 10);
  EXPECT_EQ(keys[1],
            Json::parse(R"({"frame": 10, "handles": {"top": [0, 0.5, 0]}, "move": [1, 0, 0]})"));
  keys = type.with_move(keys, "body", std::array<double, 3>{3, 0, 0}, 20);
  EXPECT_EQ(keys[2]["move"], Json::parse("[3, 0, 0]"));
  keys = type.with_move(keys, "top", std::nullopt, 10);
  EXPECT_FALSE(keys[1].contains("handles"));
  keys = type.with_frame(keys, 1, 99);
  EXPECT_EQ(keys[1]["frame"], 19);  // never past its neighbour
}

}  // namespace
}  // namespace sinew::testing
