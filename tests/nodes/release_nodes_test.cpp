// Where designed and simulated parts meet: what is let go or caught, by whatever input, does not
// jump, and what begins anew or has no effect while it runs is said.
#include <algorithm>
#include <cmath>

#include "graph/document.h"
#include "nodes/node.h"
#include "tests/nodes/harness.h"

namespace sinew::testing {
namespace {

Json steps(Json points) {
  return {{"animate",
           {{"points", std::move(points)}, {"interpolation", "stepped"}, {"x_unit", "frames"}}}};
}

std::vector<Vec3f> places(TestGraph& g, const std::string& output, int frame) {
  const Outcome outcome = g.run(output, frame);
  EXPECT_EQ(outcome.errors, "") << frame;
  return outcome.value.is<TetMesh>() ? outcome.as<TetMesh>().positions
                                     : outcome.as<Mesh>().positions;
}

// How vertices go from frame to frame, in metres: the longest way in one, and by how much that of
// any vertex changes, direction and all, from one frame to the next.
struct Ways {
  float way = 0, change = 0;
};
Ways ways(TestGraph& g, const std::string& output, int first, int last) {
  Ways out;
  std::vector<Vec3f> before = places(g, output, first - 1), now = places(g, output, first);
  for (int frame = first + 1; frame <= last; ++frame) {
    const std::vector<Vec3f> next = places(g, output, frame);
    for (std::size_t i = 0; i < now.size(); ++i) {
      const Vec3f way = next[i] - now[i], way_before = now[i] - before[i];
      out.way = std::max(out.way, way.norm());
      out.change = std::max(out.change, (way - way_before).norm());
    }
    before = std::move(now);
    now = next;
  }
  return out;
}

float farthest(const std::vector<Vec3f>& a, const std::vector<Vec3f>& b) {
  float most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, (a[i] - b[i]).norm());
  return most;
}

// --- meshless bodies -----------------------------------------------------------------------------

// A bar that flies along x at 1 m/s from frame 10 on, and is caught at frame 30 where it began.
TestGraph flying() {
  TestGraph g;
  g.context.last_frame = 60;
  g.node("bar", "mesh.box", {{"size", {0.2, 0.6, 0.2}}, {"segments_y", 6}});
  g.node("nodes", "meshless.nodes", {{"count", 20}});
  g.node("keys", "meshless.keys",
         {{"keys", Json::parse(R"([{"frame": 0}, {"frame": 10, "velocity": [1, 0, 0]}])")}});
  g.node("motion", "meshless.motion").node("fly", "meshless.dynamics");
  g.set("fly.gravity", {0, 0, 0});
  g.link("bar.mesh", "nodes.mesh").link("nodes.body", "keys.body").link("keys.keys", "motion.keys");
  g.link("motion.motion", "fly.motion");
  return g;
}
TestGraph caught_by_gain() {
  TestGraph g = flying();
  g.set("fly.gain", steps({{0, 0.3}, {10, 0}, {30, 0.3}}));
  return g;
}
// By more gain than one that hardly leads it.
TestGraph caught_by_more_gain() {
  TestGraph g = flying();
  g.set("fly.gain", steps({{0, 0.3}, {10, 1e-6}, {30, 0.3}}));
  return g;
}
TestGraph caught_by_loose() {
  TestGraph g = flying();
  g.node("loose", "value.float", {{"value", steps({{0, 0}, {10, 1}, {30, 0}})}});
  g.link("loose.value", "fly.loose").set("fly.gain", 0.3);
  return g;
}
// By a motion that takes it over.
TestGraph caught_by_another() {
  TestGraph g = flying();
  g.set("fly.gain", steps({{0, 0.3}, {10, 0}}));
  g.node("there", "meshless.keys", {{"keys", Json::parse(R"([{"frame": 30}])")}});
  g.node("other", "meshless.motion").node("whole", "meshless.dynamics", {{"gain", 0.3}});
  g.set("whole.gravity", {0, 0, 0});
  g.link("nodes.body", "there.body").link("there.keys", "other.keys");
  g.link("other.motion", "whole.motion").link("fly.state", "whole.before");
  return g;
}

struct Catch {
  const char* name;
  TestGraph (*made)();
  const char* node;
};
class MeshlessCatch : public ::testing::TestWithParam<Catch> {};

TEST_P(MeshlessCatch, DoesNotJump) {
  const std::string node = GetParam().node;
  for (const double damping : {0.0, 0.1, 1.0}) {
    TestGraph g = GetParam().made();
    g.set(node + ".damping", damping);
    g.set(node + ".blend", 0);
    const Ways at_once = ways(g, node + ".mesh", 26, 34);
    for (const double blend : {0.5, 2.0}) {
      g.set(node + ".blend", blend);
      const int caught = 30 + static_cast<int>(std::ceil(blend * g.context.fps));
      const Ways seen = ways(g, node + ".mesh", 26, caught + 15);
      const std::string what = std::to_string(damping) + ", " + std::to_string(blend);
      // Of 77 cm, and of 4 cm a frame.
      EXPECT_LT(seen.change, 0.1f) << what;
      EXPECT_LT(seen.way, 0.2f) << what;
      EXPECT_GT(at_once.change, 0.3f) << what;
      const float off = farthest(places(g, node + ".mesh", caught + 15), places(g, "bar.mesh", 0));
      EXPECT_LT(off, 0.02f) << what << ": it is caught";
    }
  }
}
INSTANTIATE_TEST_SUITE_P(All, MeshlessCatch,
                         ::testing::Values(Catch{"ByGain", caught_by_gain, "fly"},
                                           Catch{"ByMoreGain", caught_by_more_gain, "fly"},
                                           Catch{"ByLoose", caught_by_loose, "fly"},
                                           Catch{"ByAnother", caught_by_another, "whole"}),
                         [](const auto& one) { return std::string(one.param.name); });

// A bent bar that is let go of with a long blend is taken over by a motion that begins with it.
TEST(MeshlessRelease, HandedOnWithoutAJump) {
  TestGraph g = flying();
  const Json handles = Json::parse(R"([{"name": "low", "at": [0, -0.3, 0], "radius": 0.1},
                                       {"name": "top", "at": [0, 0.3, 0], "radius": 0.1}])");
  g.set("keys.handles", handles);
  g.set("keys.keys", Json::parse(R"([{"frame": 0}, {"frame": 10, "velocity": [1, 0, 0],
                                      "handles": {"top": [0.25, -0.1, 0]}}])"));
  g.set("fly.gain", steps({{0, 0.3}, {10, 0}}));
  g.node("land", "meshless.keys",
         {{"keys", Json::parse(R"([{"frame": 20}, {"frame": 40, "move": [1.5, 0, 0]}])")}});
  g.node("down", "meshless.motion").node("whole", "meshless.dynamics", {{"gain", 0.3}});
  g.set("whole.gravity", {0, 0, 0});
  g.link("nodes.body", "land.body").link("fly.state", "land.begin").link("land.keys", "down.keys");
  g.link("down.motion", "whole.motion").link("fly.state", "whole.before");
  for (const double blend : {0.0, 0.5, 5.0}) {
    g.set("fly.blend", blend).set("whole.blend", blend);
    EXPECT_LT(ways(g, "whole.mesh", 17, 26).change, 0.02f) << blend;
  }
}

// --- soft bodies ---------------------------------------------------------------------------------

// A bar of 80 cm, and where deformers put it: 30 cm aside and 40 cm longer, by frame 20.
TestGraph soft(std::map<std::string, Json> params) {
  TestGraph g;
  g.context.last_frame = 90;
  g.node("bar", "tet.box",
         {{"size", {0.2, 0.8, 0.2}}, {"cells_x", 2}, {"cells_y", 8}, {"cells_z", 2}});
  g.node("cage", "ffd.lattice").link("bar.solid", "cage.body");
  const Json grows = {{"animate", {{"points", {{0, 0}, {20, 1}}}, {"x_unit", "frames"}}}};
  g.node(
      "moved", "ffd.edit",
      {{"amount", grows}, {"moves", Json::parse(R"([{"at": [null, null, null], "by": [0.3, 0, 0]},
                                    {"at": [null, -1, null], "by": [0, 0.4, 0]}])")}});
  g.node("led", "ffd.deform").link("bar.solid", "led.body").link("cage.lattice", "moved.lattice");
  g.link("moved.lattice", "led.lattice");
  params.try_emplace("stiffness", 5);
  g.node("soft", "sim.shape_match", std::move(params)).link("bar.solid", "soft.solid");
  return g;
}
TestGraph pinned(Json parts, const char* to) {
  TestGraph g = soft({});
  g.node("parts", "value.float", {{"value", std::move(parts)}}).link("parts.value", "soft.pins");
  if (*to) g.link("led.body", std::string("soft.") + to);
  if (to == std::string("follow")) g.set("soft.follow_strength", 0);
  return g;
}

struct Pins {
  const char* name;
  const char* to;
};
class SoftPinsNode : public ::testing::TestWithParam<Pins> {};

TEST_P(SoftPinsNode, LetGoWithoutAJump) {
  TestGraph g = pinned(steps({{0, 1}, {30, 0}}), GetParam().to);
  if (!*GetParam().to) {
    // It falls, sooner or later; what gravity adds in a frame is 1.6 cm.
    g.set("soft.gravity", {0, -9.81, 0});
    EXPECT_LT(ways(g, "soft.solid", 26, 60).change, 0.025f);
    EXPECT_LT(farthest(places(g, "soft.solid", 29), places(g, "bar.solid", 29)), 1e-5f);
    EXPECT_GT(farthest(places(g, "soft.solid", 60), places(g, "bar.solid", 60)), 1.0f);
    return;
  }
  const float off = farthest(places(g, "soft.solid", 29), places(g, "led.body", 29));
  EXPECT_LT(off, 1e-5f) << "as long as it is held, it is";
  if (GetParam().to == std::string("follow")) {
    // The led shape is its shape at rest: nothing is thrown, blended or not.
    EXPECT_LT(ways(g, "soft.solid", 26, 60).change, 0.01f);
    return;
  }
  const Ways seen = ways(g, "soft.solid", 26, 60);
  EXPECT_LT(seen.change, 0.025f);
  const std::vector<Vec3f> end = places(g, "soft.solid", 80);
  Eigen::AlignedBox3f box;
  for (const Vec3f& p : end) box.extend(p);
  EXPECT_NEAR(box.sizes().y(), 0.8f, 0.02f) << "it finds back to its own shape";
  g.set("soft.blend", 0);
  EXPECT_GT(ways(g, "soft.solid", 26, 60).change, 4 * seen.change);
}

// What flies away is caught where it is, and comes to where it belongs.
TEST_P(SoftPinsNode, CatchWithoutAJump) {
  TestGraph g = pinned(steps({{0, 0}, {30, 1}}), GetParam().to);
  g.set("soft.gravity", {1, 0, 0});
  const Ways seen = ways(g, "soft.solid", 26, 60);
  EXPECT_LT(seen.change, 0.08f);
  const std::vector<Vec3f> aim = places(g, *GetParam().to ? "led.body" : "bar.solid", 60);
  EXPECT_LT(farthest(places(g, "soft.solid", 45), aim), 1e-4f) << "it is caught";
  g.set("soft.blend", 0);
  EXPECT_GT(ways(g, "soft.solid", 26, 60).change, 3 * seen.change);
}
INSTANTIATE_TEST_SUITE_P(All, SoftPinsNode,
                         ::testing::Values(Pins{"AtRest", ""}, Pins{"ToAPose", "pins_follow"},
                                           Pins{"ToWhatLeads", "follow"}),
                         [](const auto& one) { return std::string(one.param.name); });

TEST(SoftRelease, ALeadThatTakesHoldAgainDoesNotJump) {
  for (const bool painted : {false, true}) {
    TestGraph g = soft({{"gravity", {0.5, 0, 0}}});
    g.link("led.body", "soft.follow");
    g.node("firm", "value.float", {{"value", steps({{0, 8}, {10, 0}, {40, 8}})}});
    if (painted) {
      g.node("ramp", "field.axis", {{"axis", "y"}, {"low", 0.5}, {"high", 1}});
      g.node("both", "field.math");
      g.link("bar.solid", "ramp.mesh").link("ramp.field", "both.a").link("firm.value", "both.b");
      g.link("both.field", "soft.follow_strength");
    } else {
      g.link("firm.value", "soft.follow_strength");
    }
    const Ways let_go = ways(g, "soft.solid", 7, 36), caught = ways(g, "soft.solid", 36, 75);
    EXPECT_LT(let_go.change, 0.02f);
    EXPECT_LT(caught.change, 0.08f);
    EXPECT_LT(farthest(places(g, "soft.solid", 75), places(g, "led.body", 75)), 0.02f);
    g.set("soft.blend", 0);
    EXPECT_GT(ways(g, "soft.solid", 36, 75).change, 3 * caught.change);
  }
}

// Version 1 knew of no blend.
TEST(SoftRelease, DocumentsOfVersionOneLetGoAtOnce) {
  const Result<GraphDoc> doc =
      load_document(SINEW_SOURCE_DIR "/tests/graph/corpus/soft_version1.json", all_nodes());
  ASSERT_TRUE(doc) << doc.error();
  TestGraph g;
  g.doc = *doc;
  const Ways as_saved = ways(g, "soft.solid", 6, 20);
  g.set("soft.blend", 0.5);
  EXPECT_GT(as_saved.change, 2 * ways(g, "soft.solid", 6, 20).change);
}

// --- what is said --------------------------------------------------------------------------------

struct Change {
  const char* name;
  TestGraph (*made)();
  const char* input;
  Json from, to;
  const char* output;
  const char* says;
};

TestGraph a_chain() { return TestGraph().node("it", "sim.chain"); }
TestGraph a_crowd() {
  TestGraph g;
  g.node("box", "tet.box", {{"cells_x", 1}, {"cells_y", 1}, {"cells_z", 1}});
  return g.node("it", "sim.crowd", {{"count", 3}}).link("box.solid", "it.solid");
}
TestGraph a_soft_body() {
  TestGraph g;
  g.node("box", "tet.box", {{"cells_x", 1}, {"cells_y", 1}, {"cells_z", 1}});
  return g.node("it", "sim.shape_match").link("box.solid", "it.solid");
}
TestGraph a_meshless_body() {
  TestGraph g = flying();
  return g.set("fly.gain", 0);
}

class Restart : public ::testing::TestWithParam<Change> {};

// In mid-motion: nothing begins anew without a word, and nothing is without effect and a word.
TEST_P(Restart, IsSaid) {
  const Change& change = GetParam();
  TestGraph g = change.made();
  g.set(change.input, change.from);
  for (const int frame : {0, 11, 13}) EXPECT_EQ(g.run(change.output, frame).warnings, "");
  g.set(change.input, steps({{0, change.from}, {12, change.to}}));
  EXPECT_EQ(g.run(change.output, 11).warnings, "");
  const Outcome out = g.run(change.output, 12);
  EXPECT_EQ(out.errors, "");
  EXPECT_NE(out.warnings.find(change.says), std::string::npos) << out.warnings;
}
INSTANTIATE_TEST_SUITE_P(
    All, Restart,
    ::testing::Values(
        Change{"Meshless", a_meshless_body, "nodes.count", 12, 20, "fly.mesh", "begins anew"},
        Change{"Soft", a_soft_body, "box.cells_x", 1, 2, "it.solid", "begins anew"},
        Change{"Crowd", a_crowd, "box.cells_x", 1, 2, "it.solid", "begins anew"},
        Change{"CrowdCount", a_crowd, "it.count", 3, 4, "it.solid", "begins anew"},
        Change{"CrowdSeed", a_crowd, "it.seed", 1, 2, "it.solid", "'seed'"},
        Change{"CrowdSizes", a_crowd, "it.size_spread", 0.1, 0.2, "it.solid", "'size_spread'"},
        Change{"CrowdDelays", a_crowd, "it.delay_spread", 1, 2, "it.solid", "'delay_spread'"},
        Change{"ChainCount", a_chain, "it.count", 6, 10, "it.mesh", "'count'"}),
    [](const auto& one) { return std::string(one.param.name); });

}  // namespace
}  // namespace sinew::testing
