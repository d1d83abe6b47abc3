// The soft body as a node that is led: what a deformer puts somewhere, flesh follows and swings.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "nodes/node.h"
#include "tests/nodes/harness.h"

namespace sinew::testing {
namespace {

// 0 until 0.2 s, then 1 within two frames.
Json jump() {
  return {{"animate",
           {{"points", {{0, 0}, {0.2, 0}, {0.28, 1}, {20, 1}}}, {"interpolation", "linear"}}}};
}

// A bar 1 m along x in a lattice, and its flesh after it. `moves`: of the points of the lattice.
TestGraph led_bar(const char* moves, std::map<std::string, Json> more = {}) {
  TestGraph g;
  g.node("bar", "tet.box",
         {{"size", {1, 0.2, 0.2}}, {"cells_x", 10}, {"cells_y", 2}, {"cells_z", 2}});
  g.node("cage", "ffd.lattice").link("bar.solid", "cage.body");
  g.node("moved", "ffd.edit", {{"moves", Json::parse(moves)}, {"amount", jump()}});
  g.link("cage.lattice", "moved.lattice");
  g.node("led", "ffd.deform").link("bar.solid", "led.body").link("moved.lattice", "led.lattice");
  g.node("soft", "sim.shape_match", std::move(more));
  g.link("bar.solid", "soft.solid").link("led.body", "soft.follow");
  return g;
}
const char* const aside = R"([{"at": [null, null, null], "by": [0, 0.5, 0]}])";
const char* const bent = R"([{"at": [-1, null, null], "by": [-0.2, 0.5, 0]},
                             {"at": [-2, null, null], "by": [-0.1, 0.2, 0]}])";

std::vector<Vec3f> places(TestGraph& g, const std::string& output, int at) {
  const Outcome outcome = g.run(output, at);
  EXPECT_EQ(outcome.errors, "");
  return outcome.as<TetMesh>().positions;
}
// The farthest that flesh is from where it is led, m.
float off(TestGraph& g, int at) {
  const std::vector<Vec3f> now = places(g, "soft.solid", at), led = places(g, "led.body", at);
  float most = 0;
  for (std::size_t i = 0; i < now.size(); ++i) most = std::max(most, (now[i] - led[i]).norm());
  return most;
}
float centre_y(TestGraph& g, int at) { return to_eigen(g.get<Vec3>("soft.centre", at)).y(); }

// --- what does not fit ---------------------------------------------------------------------------

// One line that begins with the node and names the input.
void expect_names(TestGraph& g, const std::string& input) {
  for (const int at : {0, 1, 4}) {
    const std::string errors = g.run("soft.solid", at).errors;
    EXPECT_EQ(std::count(errors.begin(), errors.end(), '\n'), 1) << errors;
    EXPECT_EQ(errors.find("soft: "), 0u) << errors;
    EXPECT_NE(errors.find("'" + input + "'"), std::string::npos) << errors;
  }
}

TEST(SoftFollowNode, NamesALedShapeOfAnotherBody) {
  TestGraph g = led_bar(aside);
  std::erase_if(g.doc.graph.links, [](const LinkDoc& l) { return l.to.socket == "follow"; });
  g.node("small", "tet.box", {{"cells_x", 2}, {"cells_y", 2}, {"cells_z", 2}});
  g.link("small.solid", "soft.follow");
  expect_names(g, "follow");
}

TEST(SoftFollowNode, NamesAStrengthOfAnotherBody) {
  TestGraph g = led_bar(aside);
  g.node("small", "tet.box", {{"cells_x", 2}, {"cells_y", 2}, {"cells_z", 2}});
  g.node("ramp", "field.axis").link("small.solid", "ramp.mesh");
  g.link("ramp.field", "soft.follow_strength");
  expect_names(g, "follow_strength");
}

// --- what it does --------------------------------------------------------------------------------

TEST(SoftFollowNode, LagsOvershootsAndComesToRest) {
  TestGraph g = led_bar(aside, {{"follow_strength", 2}, {"follow_damping", 0.15}});
  EXPECT_LT(off(g, 5), 1e-6f) << "before anything moves";
  EXPECT_LT(centre_y(g, 7), 0.3f) << "the led bar is at 0.5";
  float most = 0;
  int turned = 0;
  bool was_over = false;
  for (int at = 8; at <= 60; ++at) {
    const float y = centre_y(g, at);
    most = std::max(most, y);
    if ((y > 0.5f) != was_over) was_over = !was_over, ++turned;
  }
  EXPECT_GT(most, 0.7f);
  EXPECT_LT(most, 0.95f);
  EXPECT_GE(turned, 4) << "it swings about its place";
  EXPECT_LE(turned, 11) << "about twice a second, for two seconds";
  EXPECT_LT(off(g, 250), 1e-4f);
}

TEST(SoftFollowNode, DampingTakesTheSwingAway) {
  const auto highest = [](double damping) {
    TestGraph g = led_bar(aside, {{"follow_strength", 2}, {"follow_damping", damping}});
    float most = 0;
    for (int at = 7; at <= 40; ++at) most = std::max(most, centre_y(g, at));
    return most;
  };
  EXPECT_GT(highest(0.05), highest(0.3) + 0.1f);
  EXPECT_LT(highest(1), 0.58f);
}

TEST(SoftFollowNode, ABendIsNotPulledStraight) {
  TestGraph g = led_bar(bent, {{"stiffness", 20}, {"damping", 8}, {"follow_damping", 0.5}});
  float most = 0;
  for (int at = 6; at <= 12; ++at) most = std::max(most, off(g, at));
  EXPECT_GT(most, 0.02f) << "it comes later";
  EXPECT_LT(off(g, 200), 1e-4f);
}

// Firm at one end and loose at the other.
TEST(SoftFollowNode, PaintedStrengthLetsFatJiggle) {
  TestGraph g = led_bar(aside, {{"stiffness", 2}});
  g.node("firm", "field.axis", {{"axis", "x"}, {"low", 400}, {"high", -100}});
  g.link("bar.solid", "firm.mesh").link("firm.field", "soft.follow_strength");
  const std::vector<Vec3f> rest = places(g, "bar.solid", 0);
  float firm = 0, loose = 0;
  for (int at = 6; at <= 30; ++at) {
    const std::vector<Vec3f> now = places(g, "soft.solid", at), led = places(g, "led.body", at);
    for (std::size_t i = 0; i < rest.size(); ++i) {
      const float e = (now[i] - led[i]).norm();
      if (rest[i].x() < -0.1f) firm = std::max(firm, e);
      if (rest[i].x() > 0.45f) loose = std::max(loose, e);
    }
  }
  EXPECT_LT(firm, 0.05f);
  EXPECT_GT(loose, 0.15f);
}

TEST(SoftFollowNode, PinsHoldOnTheLedShape) {
  TestGraph g = led_bar(bent, {{"gravity", {0, -9.81, 0}}, {"follow_strength", 0}});
  g.node("end", "field.axis", {{"axis", "x"}, {"low", -30}, {"high", 1}});
  g.link("bar.solid", "end.mesh").link("end.field", "soft.pins");
  const std::vector<Vec3f> rest = places(g, "bar.solid", 0);
  for (const int at : {1, 6, 7, 8, 30}) {
    const std::vector<Vec3f> now = places(g, "soft.solid", at), led = places(g, "led.body", at);
    for (std::size_t i = 0; i < rest.size(); ++i) {
      if (rest[i].x() < 0.499f) continue;
      EXPECT_LT((now[i] - led[i]).norm(), 1e-5f) << at;
    }
  }
}

// Fibres are given on the solid at rest and turn with the led shape.
TEST(SoftFollowNode, FibresActOnTopOfALedShape) {
  const auto lengths = [](bool turned) {
    // The corners of the lattice turned by 90 degrees about z: x becomes y.
    TestGraph g = led_bar(turned ? R"([{"at": [0, 0, null], "by": [0.6, -0.4, 0]},
                                       {"at": [0, 1, null], "by": [0.4, -0.6, 0]},
                                       {"at": [1, 0, null], "by": [-0.4, 0.6, 0]},
                                       {"at": [1, 1, null], "by": [-0.6, 0.4, 0]}])"
                                 : "[]",
                          {{"stiffness", 8}, {"follow_strength", 0.5}, {"follow_damping", 1}});
    g.set("cage.points_x", 2).set("cage.points_y", 2).set("cage.points_z", 2);
    g.set("cage.margin", 0);
    g.node("squeeze", "procdef.activation",
           {{"primary", {{"points", {{0, 0.7}, {1, 0.7}}}}}, {"period", 1}});
    g.link("bar.solid", "squeeze.body").link("squeeze.activation", "soft.activation");
    const std::vector<Vec3f> led = places(g, "led.body", 100);
    const std::vector<Vec3f> now = places(g, "soft.solid", 100);
    Eigen::AlignedBox3f led_box, box;
    for (const Vec3f& p : led) led_box.extend(p);
    for (const Vec3f& p : now) box.extend(p);
    EXPECT_NEAR(led_box.sizes()[turned ? 1 : 0], 1, 1e-3);
    return Vec3f(box.sizes());
  };
  const Vec3f straight = lengths(false), turned = lengths(true);
  EXPECT_LT(straight.x(), 0.8f) << "it contracts along x";
  EXPECT_NEAR(turned.y(), straight.x(), 0.01f);
  EXPECT_NEAR(turned.x(), straight.y(), 0.01f);
}

TEST(SoftFollowNode, BeginsWhereItIsLed) {
  TestGraph g = led_bar(bent);
  g.set("moved.amount", 1);
  EXPECT_EQ(places(g, "soft.solid", 0), places(g, "led.body", 0));
  EXPECT_LT(off(g, 20), 1e-5f);
}

// The unlinked node does not look at the other two.
TEST(SoftFollowNode, WithoutALinkTheRestIsNotLookedAt) {
  TestGraph g = led_bar(aside, {{"gravity", {0, -2, 0}}});
  std::erase_if(g.doc.graph.links, [](const LinkDoc& l) { return l.to.socket == "follow"; });
  const std::vector<Vec3f> plain = places(g, "soft.solid", 20);
  g.set("soft.follow_strength", 50).set("soft.follow_damping", 2);
  EXPECT_EQ(places(g, "soft.solid", 20), plain);
}

TEST(SoftFollowNode, TheHandPullsAtALedBody) {
  TestGraph g = led_bar("[]", {{"grab", true},
                               {"grab_at", {0.5, 0.1, 0.1}},
                               {"grab_to", {0.6, 0.5, 0.1}},
                               {"grab_strength", 1e5},
                               {"damping", 8}});
  EXPECT_GT(off(g, 40), 0.2f);
  g.set("soft.grab", Json::parse(R"({"animate": {"points": [[0, 1], [1, 0]],
      "interpolation": "stepped"}})"));
  EXPECT_GT(off(g, 20), 0.2f);
  EXPECT_LT(off(g, 250), 1e-3f);
}

// Frames in any order, and a chain of states that can be asked for anywhere.
TEST(SoftFollowNode, FramesInAnyOrderAreTheSame) {
  TestGraph a = led_bar(bent), b = led_bar(bent);
  std::vector<std::vector<Vec3f>> forth;
  for (int at = 0; at <= 30; ++at) forth.push_back(places(a, "soft.solid", at));
  for (const int at : {30, 7, 19, 0, 8}) {
    EXPECT_EQ(places(b, "soft.solid", at), forth[static_cast<std::size_t>(at)]) << at;
  }
}

}  // namespace
}  // namespace sinew::testing
