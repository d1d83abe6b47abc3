// The soft body as a node: what holds it, what it meets, what it feels, and what it says when
// something does not fit.
#include <algorithm>

#include "nodes/node.h"
#include "tests/nodes/harness.h"

namespace sinew::testing {
namespace {

// A bar 1 m along x, about the origin.
TestGraph bar(std::map<std::string, Json> more = {}) {
  TestGraph g;
  g.node("bar", "tet.box",
         {{"size", {1, 0.2, 0.2}}, {"cells_x", 10}, {"cells_y", 2}, {"cells_z", 2}});
  g.node("soft", "sim.shape_match", std::move(more)).link("bar.solid", "soft.solid");
  return g;
}

Vec3f centre(TestGraph& g, int frame, const std::string& id = "soft") {
  const Outcome outcome = g.run(id + ".centre", frame);
  EXPECT_EQ(outcome.errors, "");
  return to_eigen(outcome.as<Vec3>());
}
Vec3f impulse(TestGraph& g, int frame) { return to_eigen(g.get<Vec3>("soft.impulse", frame)); }

float largest_change(const std::vector<Vec3f>& a, const std::vector<Vec3f>& b) {
  EXPECT_EQ(a.size(), b.size());
  float most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, (a[i] - b[i]).norm());
  return most;
}

// --- what does not fit ---------------------------------------------------------------------------

// One line that begins with the node and names the input.
void expect_names(TestGraph& g, const std::string& input) {
  for (const int frame : {1, 4}) {
    const std::string errors = g.run("soft.solid", frame).errors;
    EXPECT_EQ(std::count(errors.begin(), errors.end(), '\n'), 1) << errors;
    EXPECT_EQ(errors.find("soft: "), 0u) << errors;
    EXPECT_NE(errors.find("'" + input + "'"), std::string::npos) << errors;
  }
}
// The bar and a smaller one, for what is made on the wrong body.
TestGraph two_bars() {
  TestGraph g = bar();
  g.node("small", "tet.box", {{"cells_x", 2}, {"cells_y", 2}, {"cells_z", 2}});
  return g;
}

TEST(SoftNode, NamesPinsOfAnotherBody) {
  TestGraph g = two_bars();
  g.node("ramp", "field.axis").link("small.solid", "ramp.mesh").link("ramp.field", "soft.pins");
  expect_names(g, "pins");
}

TEST(SoftNode, NamesMassesOfAnotherBody) {
  TestGraph g = two_bars();
  g.node("ramp", "field.axis", {{"low", 1}, {"high", 2}});
  g.link("small.solid", "ramp.mesh").link("ramp.field", "soft.mass");
  expect_names(g, "mass");
}

TEST(SoftNode, NamesAPoseOfAnotherBody) {
  TestGraph g = two_bars();
  g.link("small.solid", "soft.pins_follow");
  expect_names(g, "pins_follow");
  g.set("soft.pins", 1);
  expect_names(g, "pins_follow");
}

TEST(SoftNode, NamesForcesOnAnotherBody) {
  TestGraph g = two_bars();
  g.node("moves", "sim.shape_match").link("small.solid", "moves.solid");
  g.link("moves.velocity", "soft.force");
  expect_names(g, "force");
}

// --- what holds it -------------------------------------------------------------------------------

// Only the end at x = 0.5 is 1, everything else below 0.
TestGraph held_bar(std::map<std::string, Json> more = {}) {
  TestGraph g = bar(std::move(more));
  g.node("end", "field.axis", {{"axis", "x"}, {"low", -30}, {"high", 1}});
  g.link("bar.solid", "end.mesh").link("end.field", "soft.pins");
  return g;
}
bool is_end(const Vec3f& p) { return p.x() > 0.499f; }

TEST(SoftNode, PinsHoldAndTheRestHangs) {
  TestGraph g = held_bar({{"gravity", {0, -9.81, 0}}, {"stiffness", 4}});
  const std::vector<Vec3f> rest = g.get<TetMesh>("bar.solid").positions;
  float lowest = 0;
  for (const int frame : {1, 10, 60}) {
    const std::vector<Vec3f> now = g.get<TetMesh>("soft.solid", frame).positions;
    int ends = 0;
    for (std::size_t i = 0; i < rest.size(); ++i) {
      lowest = std::min(lowest, now[i].y());
      if (!is_end(rest[i])) continue;
      ++ends;
      EXPECT_LT((now[i] - rest[i]).norm(), 1e-5f) << frame;
    }
    EXPECT_EQ(ends, 9);
  }
  EXPECT_LT(lowest, -0.3f);
  g.set("soft.gravity", {0, 0, 0});
  EXPECT_LT(largest_change(g.get<TetMesh>("soft.solid", 20).positions, rest), 1e-4f);
}

TEST(SoftNode, PinsFollowAnotherPose) {
  TestGraph g = held_bar({{"damping", 10}});
  // Another simulation of the same bar, which goes its way to the side.
  g.node("lead", "sim.shape_match", {{"gravity", {0, 0.4, 0.3}}}).link("bar.solid", "lead.solid");
  g.link("lead.solid", "soft.pins_follow");
  const std::vector<Vec3f> rest = g.get<TetMesh>("bar.solid").positions;
  for (const int frame : {5, 40}) {
    const std::vector<Vec3f> now = g.get<TetMesh>("soft.solid", frame).positions;
    const std::vector<Vec3f> lead = g.get<TetMesh>("lead.solid", frame).positions;
    for (std::size_t i = 0; i < rest.size(); ++i) {
      if (!is_end(rest[i])) continue;
      EXPECT_LT((now[i] - lead[i]).norm(), 1e-4f) << frame;
    }
  }
  EXPECT_GT(centre(g, 40).y(), 0.1f) << "the rest comes along";
}

// --- the hand ------------------------------------------------------------------------------------

Json from_to(double on, double off) {  // seconds
  return {{"animate",
           {{"points", {{0, on > 0 ? 0 : 1}, {on, 1}, {off, 0}}}, {"interpolation", "stepped"}}}};
}

TEST(SoftNode, TheHandHoldsTheNearestVertexAndLetsGo) {
  // Closed from frame 5 to frame 29.
  TestGraph g = bar({{"grab", from_to(0.2, 1.2)},
                     {"grab_at", {0.55, 0.12, 0.12}},
                     {"grab_to", {0.8, 0.5, 0.1}},
                     {"grab_strength", 1e6},
                     {"damping", 10}});
  const TetMesh rest = g.get<TetMesh>("bar.solid");
  const auto nearest = [](const std::vector<Vec3f>& points, const Vec3f& place) {
    return std::min_element(points.begin(), points.end(),
                            [&](const Vec3f& a, const Vec3f& b) {
                              return (a - place).norm() < (b - place).norm();
                            }) -
           points.begin();
  };
  const auto corner = static_cast<std::size_t>(nearest(rest.positions, {0.5f, 0.1f, 0.1f}));
  EXPECT_LT(largest_change(g.get<TetMesh>("soft.solid", 4).positions, rest.positions), 1e-5f);
  for (const int frame : {10, 20, 29}) {
    const std::vector<Vec3f> now = g.get<TetMesh>("soft.solid", frame).positions;
    EXPECT_LT((now[corner] - Vec3f(0.8f, 0.5f, 0.1f)).norm(), 0.02f) << frame;
    EXPECT_EQ(nearest(now, {0.8f, 0.5f, 0.1f}), static_cast<long>(corner)) << frame;
  }
  EXPECT_EQ(impulse(g, 4), Vec3f::Zero());
  EXPECT_GT(impulse(g, 10).norm(), 1.0f);
  // Afterwards nothing pulls at it, wherever the hand is.
  const Vec3f given = impulse(g, 30);
  for (const int frame : {31, 50, 80}) EXPECT_EQ(impulse(g, frame), given) << frame;
}

TEST(SoftNode, TheHandTakesHoldWhereTheBodyIsNow) {
  // It has flown on by 2 m and more when the hand closes.
  TestGraph g = bar({{"gravity", {0, 4, 0}},
                     {"grab", from_to(1, 10)},
                     {"grab_at", {0.5, 2.1, 0}},
                     {"grab_to", {0.5, 2.1, 0}},
                     {"grab_strength", 1e7}});
  g.get<TetMesh>("soft.solid", 40);
  float closest = 10;
  for (const Vec3f& p : g.get<TetMesh>("soft.solid", 60).positions) {
    closest = std::min(closest, (p - Vec3f(0.5f, 2.1f, 0)).norm());
  }
  EXPECT_LT(closest, 0.02f);
}

// --- what it meets -------------------------------------------------------------------------------

// A block that comes from the left, faster and faster, and stops for nobody.
TestGraph met_bar() {
  TestGraph g = bar({{"stiffness", 8}});
  g.node("block", "mesh.box", {{"size", {0.4, 0.5, 0.5}}});
  g.node("left", "mesh.transform", {{"translate", {-1.2, 0.02, 0.01}}});
  g.node("filled", "tet.from_mesh", {{"resolution", 5}});
  g.node("comes", "sim.shape_match", {{"gravity", {1, 0, 0}}, {"stiffness", 20}});
  g.link("block.mesh", "left.mesh").link("left.mesh", "filled.mesh");
  g.link("filled.solid", "comes.solid").link("comes.solid", "soft.bodies");
  return g;
}
float front_of(TestGraph& g, int frame) {
  float x = -10;
  for (const Vec3f& p : g.get<TetMesh>("comes.solid", frame).positions) x = std::max(x, p.x());
  return x;
}

TEST(SoftNode, AnotherBodyPushesItAsideAndOnlyThen) {
  TestGraph g = met_bar();
  // The gap of 0.5 m takes a second.
  int last_free = 0;
  while (front_of(g, last_free + 1) < -0.52f) ++last_free;
  ASSERT_GT(last_free, 15);
  ASSERT_LT(last_free, 30);
  const std::vector<Vec3f> rest = g.get<TetMesh>("bar.solid").positions;
  EXPECT_LT(largest_change(g.get<TetMesh>("soft.solid", last_free).positions, rest), 1e-5f);
  EXPECT_EQ(impulse(g, last_free), Vec3f::Zero());

  EXPECT_GT(centre(g, 40).x(), 0.2f);
  EXPECT_GT(impulse(g, 40).x(), 10.0f);
  const Vec3f momentum = to_eigen(g.get<Vec3>("soft.momentum", 40));
  EXPECT_LT((momentum - impulse(g, 40)).norm(), 0.05f);
  // It stays before the block.
  float back = 10;
  for (const Vec3f& p : g.get<TetMesh>("soft.solid", 40).positions) back = std::min(back, p.x());
  EXPECT_GT(back, front_of(g, 40) - 0.05f);
  // The block goes its own way.
  EXPECT_NEAR(centre(g, 40, "comes").x() - centre(g, 0, "comes").x(), 0.5 * 1.6 * 1.6, 0.05);
}

TEST(SoftNode, WithoutTheOtherBodyItRests) {
  TestGraph g = met_bar();
  std::erase_if(g.doc.graph.links, [](const LinkDoc& l) { return l.to.socket == "bodies"; });
  EXPECT_LT(centre(g, 60).norm(), 1e-5f);
}

TEST(SoftNode, ARisingGroundCarriesIt) {
  TestGraph g = bar({{"gravity", {0, -9.81, 0}}, {"stiffness", 6}, {"damping", 10}});
  // It lies on the ground, which rises by 1 m/s.
  g.node("ground", "collide.plane");
  g.set("ground.position", Json::parse(R"({"animate": [0, {"points": [[0, -0.1], [4, 3.9]],
      "interpolation": "linear"}, 0]})"));
  g.link("ground.colliders", "soft.colliders");
  for (const int frame : {25, 50}) {
    const float ground = -0.1f + static_cast<float>(frame) / 25;
    float lowest = 10, highest = -10;
    for (const Vec3f& p : g.get<TetMesh>("soft.solid", frame).positions) {
      lowest = std::min(lowest, p.y()), highest = std::max(highest, p.y());
    }
    EXPECT_NEAR(lowest, ground, 0.01f) << frame;
    EXPECT_LT(highest, ground + 0.4f) << frame;
  }
}

TEST(SoftNode, AGroundThatSlidesTakesItAlongByFriction) {
  const auto way = [](double friction) {
    TestGraph g = bar({{"gravity", {0, -9.81, 0}}, {"stiffness", 6}, {"damping", 10}});
    g.node("ground", "collide.plane", {{"friction", friction}});
    // Under the bar, 0.5 m/s along z.
    g.set("ground.position", Json::parse(R"({"animate": [0, -0.1, {"points": [[0, 0], [4, 2]],
        "interpolation": "linear"}]})"));
    g.link("ground.colliders", "soft.colliders");
    return Vec3f(centre(g, 75) - centre(g, 25));  // 2 s
  };
  EXPECT_NEAR(way(1).z(), 1, 0.03f);
  EXPECT_NEAR(way(0).z(), 0, 0.01f);
  EXPECT_LT(std::abs(way(1).x()), 0.03f);
}

// A ball that comes along z and goes through where the bar is.
TestGraph struck_bar() {
  TestGraph g = bar({{"stiffness", 8}});
  g.node("ball", "collide.sphere", {{"radius", 0.2}, {"friction", 0}});
  g.set("ball.position", Json::parse(R"({"animate": [0, 0, {"points": [[0, -1], [2, 1]],
      "interpolation": "linear"}]})"));
  g.link("ball.colliders", "soft.colliders");
  return g;
}

TEST(SoftNode, AMovingBallPushesItAway) {
  TestGraph g = struck_bar();
  // It arrives after 0.7 s: frame 17.5.
  EXPECT_LT(centre(g, 17).norm(), 1e-5f);
  EXPECT_EQ(impulse(g, 17), Vec3f::Zero());
  EXPECT_GT(impulse(g, 30).z(), 5.0f);
  for (const int frame : {20, 30, 40, 50}) {
    const float ball = -1 + static_cast<float>(frame) / 25;
    EXPECT_GT(centre(g, frame).z(), ball) << frame;
    for (const Vec3f& p : g.get<TetMesh>("soft.solid", frame).positions) {
      EXPECT_GT((p - Vec3f(0, 0, ball)).norm(), 0.19f) << frame;
    }
  }
}

// --- what it feels -------------------------------------------------------------------------------

// A ball touches the left end at about 0.6 s and goes away again.
TestGraph feeling_bar(const std::string& socket, bool feels) {
  TestGraph g = bar({{"stiffness", 8}, {"damping", 5}, {"pins", 0.02}});
  g.node("touch", "procdef.stimulus",
         {{"feels", feels}, {"period", 1}, {"speed", 4}, {"damping", 1}, {"rest", 5}});
  g.link("bar.solid", "touch.body").link("touch.activation", "soft.activation");
  g.node("ball", "collide.sphere", {{"radius", 0.2}, {"friction", 0}});
  g.set("ball.position",
        Json::parse(R"({"animate": [{"points": [[0, -1.3], [0.8, -0.66], [1.6, -1.3]],
      "interpolation": "linear"}, 0, 0]})"));
  g.link("ball.colliders", "soft." + socket);
  return g;
}
float strongest(TestGraph& g, int frame) {
  const Outcome outcome = g.run("soft.signal", frame);
  EXPECT_EQ(outcome.errors, "");
  float least = 0;
  for (const float v : outcome.as<Field>().values()) least = std::min(least, v);
  return least;
}
float length_of(TestGraph& g, int frame) {
  float from = 10, to = -10;
  for (const Vec3f& p : g.get<TetMesh>("soft.solid", frame).positions) {
    from = std::min(from, p.x()), to = std::max(to, p.x());
  }
  return to - from;
}

TEST(SoftNode, WhatFeelsContractsAfterTheTouchAndNotBefore) {
  TestGraph g = feeling_bar("felt", true);
  // The ball is at the end, -0.5, after 0.75 s: frame 18.75.
  for (const int frame : {0, 10, 18}) {
    EXPECT_EQ(strongest(g, frame), 0) << frame;
    EXPECT_NEAR(length_of(g, frame), 1, 1e-3f) << frame;
  }
  float most = 0, shortest = 10;
  for (int frame = 20; frame <= 45; ++frame) {
    most = std::min(most, strongest(g, frame));
    shortest = std::min(shortest, length_of(g, frame));
  }
  EXPECT_LT(most, -0.2f);
  EXPECT_LT(shortest, 0.85f);
  // Over after a period and the way through the body.
  EXPECT_EQ(strongest(g, 60), 0);
}

TEST(SoftNode, FeelsOnlyWhatIsFeltAndOnlyIfTold) {
  for (TestGraph g : {feeling_bar("felt", false), feeling_bar("colliders", true)}) {
    for (int frame = 0; frame <= 45; frame += 3) EXPECT_EQ(strongest(g, frame), 0) << frame;
    EXPECT_GT(centre(g, 20).x(), 0.001f) << "it was touched all the same";
  }
}

}  // namespace
}  // namespace sinew::testing
