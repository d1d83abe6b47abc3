// Many soft bodies at once: each its own place, size and moment, and none of them inside another.
#include <algorithm>
#include <set>

#include "nodes/kernels/soft_contact.h"
#include "nodes/node.h"
#include "tests/nodes/harness.h"

namespace sinew::testing {
namespace {

constexpr std::size_t each = 27;  // vertices of a box
constexpr float side = 0.3f;      // m

// Boxes that beat.
TestGraph boxes(int count = 6, std::map<std::string, Json> more = {}) {
  TestGraph g;
  g.node("box", "tet.box",
         {{"size", {side, side, side}}, {"cells_x", 2}, {"cells_y", 2}, {"cells_z", 2}});
  g.node("beat", "procdef.activation").link("box.solid", "beat.body");
  more["count"] = count;
  g.node("crowd", "sim.crowd", std::move(more));
  g.link("box.solid", "crowd.solid").link("beat.activation", "crowd.activation");
  return g;
}

using Points = std::vector<Vec3f>;

std::vector<Points> members_of(const TetMesh& all) {
  std::vector<Points> members;
  for (auto at = all.positions.begin(); at != all.positions.end(); at += each) {
    members.emplace_back(at, at + each);
  }
  return members;
}
Vec3f middle_of(const Points& points) {
  Vec3f sum = Vec3f::Zero();
  for (const Vec3f& p : points) sum += p;
  return sum / static_cast<float>(points.size());
}
// The mean way from the middle to a vertex.
float size_of(const Points& points) {
  const Vec3f middle = middle_of(points);
  float sum = 0;
  for (const Vec3f& p : points) sum += (p - middle).norm();
  return sum / static_cast<float>(points.size());
}
std::vector<float> sizes_of(const TetMesh& all) {
  std::vector<float> sizes;
  for (const Points& member : members_of(all)) sizes.push_back(size_of(member));
  return sizes;
}
Eigen::AlignedBox3f box_of(const Points& points) {
  Eigen::AlignedBox3f box;
  for (const Vec3f& p : points) box.extend(p);
  return box;
}

// How far a vertex of one member is inside of another at most, m.
float deepest_overlap(TestGraph& g, int frame) {
  const kernels::ContactShape shape(g.get<TetMesh>("box.solid"));
  std::vector<Points> members = members_of(g.get<TetMesh>("crowd.solid", frame));
  std::vector<kernels::ContactBody> bodies;
  const std::vector<float> masses(each, 1);
  std::vector<Points> still(members.size(), Points(each, Vec3f::Zero()));
  for (std::size_t i = 0; i < members.size(); ++i) {
    bodies.push_back({&shape, members[i], still[i], masses, 1});
  }
  kernels::ContactScratch scratch;
  float deepest = 0;
  for (const kernels::Contact& c : kernels::find_contacts(bodies, scratch)) {
    deepest = std::max(deepest, c.depth);
  }
  return deepest;
}

// The signals of all members, one after the other.
std::vector<std::vector<float>> signals_of(TestGraph& g, int frame) {
  const Outcome outcome = g.run("crowd.signal", frame);
  EXPECT_EQ(outcome.errors, "");
  const std::span<const float> all = outcome.as<Field>().values();
  std::vector<std::vector<float>> list;
  for (std::size_t i = 0; i < all.size(); i += each) {
    list.emplace_back(all.begin() + static_cast<long>(i),
                      all.begin() + static_cast<long>(i + each));
  }
  return list;
}

TEST(Crowd, HasAsManyBodiesAsAsked) {
  for (const int count : {1, 2, 7}) {
    TestGraph g = boxes(count);
    const TetMesh one = g.get<TetMesh>("box.solid");
    const std::size_t n = static_cast<std::size_t>(count);
    for (const int frame : {0, 2}) {
      const TetMesh all = g.get<TetMesh>("crowd.solid", frame);
      EXPECT_EQ(all.vertex_count(), n * each);
      EXPECT_EQ(all.tet_count(), n * one.tet_count());
      EXPECT_EQ(surface_of(all).triangles().size(), n * surface_of(one).triangles().size());
      EXPECT_EQ(g.get<Field>("crowd.signal", frame).size(), n * each);
      EXPECT_EQ(g.get<VectorField>("crowd.velocity", frame).size(), n * each);
    }
  }
}

TEST(Crowd, CarriesTheSkinOfEachBody) {
  TestGraph g;
  g.node("ball", "mesh.sphere", {{"radius", 0.2}});
  g.node("solid", "tet.from_mesh", {{"resolution", 6}}).link("ball.mesh", "solid.mesh");
  g.node("crowd", "sim.crowd", {{"count", 3}, {"size_spread", 0}, {"area", {3, 0, 3}}});
  g.link("solid.solid", "crowd.solid");
  const Mesh ball = g.get<Mesh>("ball.mesh");
  const Mesh skin = surface_of(g.get<TetMesh>("crowd.solid", 3));
  ASSERT_EQ(skin.vertex_count(), 3 * ball.vertex_count());
  for (std::size_t i = 0; i < 3; ++i) {
    const auto at = skin.positions.begin() + static_cast<long>(i * ball.vertex_count());
    const Points one(at, at + static_cast<long>(ball.vertex_count()));
    EXPECT_NEAR(size_of(one), 0.2f, 0.005f) << i;
  }
}

TEST(Crowd, EachHasItsOwnPlaceInTheArea) {
  TestGraph g = boxes(20, {{"area", {3, 0.5, 2}}});
  const std::vector<Points> members = members_of(g.get<TetMesh>("crowd.solid"));
  Eigen::AlignedBox3f over;
  for (std::size_t i = 0; i < members.size(); ++i) {
    const Vec3f here = middle_of(members[i]);
    over.extend(here);
    for (std::size_t j = 0; j < i; ++j) {
      EXPECT_GT((here - middle_of(members[j])).norm(), 0.1f) << i << " and " << j;
    }
  }
  for (int k = 0; k < 3; ++k) {
    const float half = Vec3f(1.5f, 0.25f, 1)[k];
    EXPECT_GE(over.min()[k], -half - 1e-4f);
    EXPECT_LE(over.max()[k], half + 1e-4f);
    EXPECT_GT(over.sizes()[k], half) << "they use the area";
  }
}

TEST(Crowd, EachHasItsOwnSizeAndTurn) {
  TestGraph g = boxes(12, {{"size_spread", 0.3}});
  const float rest = size_of(g.get<TetMesh>("box.solid").positions);
  std::vector<float> sizes = sizes_of(g.get<TetMesh>("crowd.solid"));
  std::sort(sizes.begin(), sizes.end());
  EXPECT_GE(sizes.front(), 0.7f * rest - 1e-4f);
  EXPECT_LE(sizes.back(), 1.3f * rest + 1e-4f);
  EXPECT_GT(sizes.back() - sizes.front(), 0.2f * rest);
  for (std::size_t i = 1; i < sizes.size(); ++i) EXPECT_GT(sizes[i], sizes[i - 1]);

  g.set("crowd.size_spread", 0);
  for (const float size : sizes_of(g.get<TetMesh>("crowd.solid"))) EXPECT_NEAR(size, rest, 1e-5f);

  const auto first_edges = [&] {
    std::set<float> ways;
    for (const Points& m : members_of(g.get<TetMesh>("crowd.solid"))) {
      ways.insert(std::round(100 * (m[each - 1] - m[0]).normalized().x()));
    }
    return ways.size();
  };
  EXPECT_GT(first_edges(), 6u) << "each looks its own way";
  g.set("crowd.turn", 0);
  EXPECT_EQ(first_edges(), 1u);
}

TEST(Crowd, EachHasItsOwnMoment) {
  TestGraph g = boxes(6, {{"delay_spread", 0}});
  const std::vector<std::vector<float>> together = signals_of(g, 40);
  EXPECT_LT(together[0][0], -0.05f) << "something is going on";
  for (const std::vector<float>& one : together) EXPECT_EQ(one, together[0]);

  g.set("crowd.delay_spread", 0.5);
  const std::vector<std::vector<float>> apart = signals_of(g, 40);
  for (std::size_t i = 0; i < apart.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) EXPECT_NE(apart[i], apart[j]) << i << " and " << j;
  }
  // What each wants is what it does: the later ones have another shape.
  const std::vector<Points> members = members_of(g.get<TetMesh>("crowd.solid", 40));
  std::set<int> shapes;
  for (const Points& m : members) {
    shapes.insert(static_cast<int>(1000 * (m[0] - m[2]).norm() / size_of(m)));
  }
  EXPECT_GT(shapes.size(), 3u);
}

TEST(Crowd, AnotherSeedIsAnotherCrowd) {
  TestGraph g = boxes();
  const TetMesh one = g.get<TetMesh>("crowd.solid"), again = boxes().get<TetMesh>("crowd.solid");
  EXPECT_EQ(one.positions, again.positions);
  const std::vector<std::vector<float>> moments = signals_of(g, 8);
  g.set("crowd.seed", 2);
  const TetMesh other = g.get<TetMesh>("crowd.solid");
  EXPECT_NE(one.positions, other.positions);
  EXPECT_NE(sizes_of(one), sizes_of(other));
  EXPECT_NE(signals_of(g, 8), moments);
}

TEST(Crowd, StandsAtTheVerticesOfAMesh) {
  TestGraph g = boxes(9, {{"area", {5, 5, 5}}});
  g.node("grid", "mesh.grid",
         {{"width", 4}, {"depth", 4}, {"width_segments", 2}, {"depth_segments", 2}});
  g.node("up", "mesh.transform", {{"translate", {1, 2, 3}}}).link("grid.mesh", "up.mesh");
  g.link("up.mesh", "crowd.places");
  const std::vector<Vec3f> places = g.get<Mesh>("up.mesh").positions;
  ASSERT_EQ(places.size(), 9u);
  std::vector<Points> members = members_of(g.get<TetMesh>("crowd.solid"));
  ASSERT_EQ(members.size(), 9u);
  for (std::size_t i = 0; i < 9; ++i) {
    EXPECT_LT((middle_of(members[i]) - places[i]).norm(), 1e-4f) << i;
  }
  // Fewer: each at another vertex. More than there are places: one for each.
  g.set("crowd.count", 4);
  members = members_of(g.get<TetMesh>("crowd.solid", 1));
  ASSERT_EQ(members.size(), 4u);
  std::set<std::size_t> taken;
  for (const Points& m : members) {
    const auto nearest =
        std::min_element(places.begin(), places.end(), [&](const Vec3f& a, const Vec3f& b) {
          return (a - middle_of(m)).norm() < (b - middle_of(m)).norm();
        });
    EXPECT_LT((*nearest - middle_of(m)).norm(), 0.01f);
    taken.insert(static_cast<std::size_t>(nearest - places.begin()));
  }
  EXPECT_EQ(taken.size(), 4u);
  g.set("crowd.count", 100);
  EXPECT_EQ(members_of(g.get<TetMesh>("crowd.solid", 3)).size(), 9u);
}

// How fast the fastest member goes, as a whole, m/s.
float fastest_member(TestGraph& g, int frame) {
  const VectorField all = g.get<VectorField>("crowd.velocity", frame);
  float fastest = 0;
  for (auto at = all.values.begin(); at != all.values.end(); at += each) {
    fastest = std::max(fastest, middle_of(Points(at, at + each)).norm());
  }
  return fastest;
}
// Eight in the room of three.
TestGraph squeezed(double drag) {
  TestGraph g = boxes(8, {{"area", {0.4, 0.4, 0.4}}, {"stiffness", 6}, {"drag", drag}});
  g.set("beat.amplitude", 0);
  return g;
}

TEST(Crowd, WhatOverlapsComesApartAndIsWholeAgain) {
  TestGraph g = squeezed(0);
  EXPECT_GT(deepest_overlap(g, 0), 0.2f * side);
  EXPECT_LT(deepest_overlap(g, 100), 0.02f * side);
  const TetMesh start = g.get<TetMesh>("crowd.solid", 0), end = g.get<TetMesh>("crowd.solid", 100);
  for (const Vec3f& p : end.positions) ASSERT_TRUE(p.allFinite());
  const std::vector<float> before = sizes_of(start), after = sizes_of(end);
  for (std::size_t i = 0; i < before.size(); ++i) EXPECT_NEAR(after[i] / before[i], 1, 0.05) << i;
  // Nobody pushed from outside.
  const Vec3f from = to_eigen(g.get<Vec3>("crowd.centre", 0)),
              to = to_eigen(g.get<Vec3>("crowd.centre", 100));
  EXPECT_LT((to - from).norm(), 1e-3f);
}

TEST(Crowd, WhatComesApartDoesNotFlyAway) {
  // Where nothing slows them down: no faster than out of each other in about a tenth of a second.
  TestGraph g = squeezed(0);
  const float depth = deepest_overlap(g, 0);
  for (const int frame : {2, 5, 20, 100}) EXPECT_LT(fastest_member(g, frame), 11 * depth) << frame;
  // In a medium they stay together.
  TestGraph slowed = squeezed(2);
  for (const int frame : {5, 20, 100}) {
    EXPECT_LT(box_of(slowed.get<TetMesh>("crowd.solid", frame).positions).diagonal().norm(), 2.5f)
        << frame;
  }
  EXPECT_LT(deepest_overlap(slowed, 100), 0.02f * side);
}

// A heap that falls to the ground through thin water.
TestGraph heap() {
  TestGraph g = boxes(10, {{"area", {0.8, 0.8, 0.8}},
                           {"gravity", {0, -9.81, 0}},
                           {"fluid", 5},
                           {"drag", 0.1},
                           {"stiffness", 5},
                           {"tilt", 40}});
  g.node("ground", "collide.plane", {{"position", {0, -1, 0}}});
  g.link("ground.colliders", "crowd.colliders");
  return g;
}

TEST(Crowd, HasTheMomentumThatTheWorldGave) {
  TestGraph g = heap();
  const float mass = 10 * 1000 * side * side * side;  // kg, about
  float fastest = 0;
  for (int frame = 1; frame <= 60; frame += 3) {
    const Vec3f momentum = to_eigen(g.get<Vec3>("crowd.momentum", frame));
    const Vec3f impulse = to_eigen(g.get<Vec3>("crowd.impulse", frame));
    EXPECT_LT((momentum - impulse).norm(), 1e-3f * mass) << frame;
    fastest = std::max(fastest, momentum.norm() / mass);
  }
  EXPECT_GT(fastest, 1) << "m/s: there was something to count";
}

// On the ground, and no member deeper in another than so much of a side.
void expect_heaped(TestGraph& g, float part) {
  for (const int frame : {120, 150, 180}) {  // when all have fallen
    for (const Vec3f& p : g.get<TetMesh>("crowd.solid", frame).positions) {
      EXPECT_GT(p.y(), -1.01f) << frame;
    }
    EXPECT_LT(deepest_overlap(g, frame), part * side) << frame;
  }
}

TEST(Crowd, AHeapLiesOnTheGroundAndNotInItself) {
  TestGraph g = heap();
  g.set("beat.amplitude", 0);
  expect_heaped(g, 0.03f);
}

TEST(Crowd, AHeapThatBeatsDoesNotSinkIntoItself) {
  TestGraph g = heap();
  expect_heaped(g, 0.1f);
}

TEST(Crowd, ScrubbingAndThreadsChangeNothing) {
  TestGraph played = heap(), scrubbed = heap();
  EvaluatorOptions two, one;
  two.threads = 2;
  one.threads = 1;
  played.evaluator = std::make_shared<Evaluator>(two);
  scrubbed.evaluator = std::make_shared<Evaluator>(one);
  std::vector<TetMesh> frames;
  for (int f = 0; f <= 40; ++f) frames.push_back(played.get<TetMesh>("crowd.solid", f));
  EXPECT_NE(frames[0].positions, frames[40].positions);
  for (const int f : {31, 40, 2, 39, 0, 17, 18, 16, 40}) {
    EXPECT_EQ(scrubbed.get<TetMesh>("crowd.solid", f).positions,
              frames[static_cast<std::size_t>(f)].positions)
        << f;
  }
}

TEST(Crowd, AnotherCountWhileItPlaysBeginsAnew) {
  TestGraph g = heap();
  Evaluator evaluator;
  LiveState live;
  std::string said;
  const auto tick = [&](bool advance = true) {
    const GraphPtr graph = CompiledGraph::compile(g.doc, all_nodes());
    const Target targets[] = {*graph->find_output("crowd.solid")};
    if (advance) ++g.context.frame;
    const Evaluation result = evaluator.evaluate_live(*graph, targets, g.context, live, advance);
    said.clear();
    for (const NodeMessage& m : result.messages(*graph)) said += m.message.text;
    return result.targets[0].value.as<TetMesh>();
  };
  tick(false);
  for (int f = 0; f < 15; ++f) tick();
  EXPECT_EQ(said, "");
  int before = 0;
  for (const int count : {14, 3, 3, 1, 10}) {
    g.set("crowd.count", count);
    const TetMesh now = tick();
    EXPECT_EQ(said.find("it begins anew") != std::string::npos, count != before) << said;
    before = count;
    ASSERT_EQ(now.vertex_count(), static_cast<std::size_t>(count) * each);
    for (const Vec3f& p : now.positions) ASSERT_TRUE(p.allFinite());
    tick();
    EXPECT_EQ(said, "");
  }
  // From the place where they start, and on from there.
  g.set("crowd.count", 5);
  const float first = middle_of(tick().positions).y();
  for (int f = 0; f < 10; ++f) tick();
  EXPECT_GT(first, -0.2f);
  EXPECT_LT(middle_of(tick().positions).y(), first - 0.3f);
}

TEST(Crowd, ACountThatChangesOnTheTimelineIsNoError) {
  TestGraph g = heap();
  g.set("crowd.count", Json::parse(R"({"animate": {"points": [[0, 3], [0.4, 5], [0.8, 2]],
      "interpolation": "stepped"}})"));
  for (const auto& [frame, count] : {std::pair{5, 3}, {15, 5}, {25, 2}, {9, 3}}) {
    const Outcome outcome = g.run("crowd.solid", frame);
    ASSERT_EQ(outcome.errors, "");
    EXPECT_EQ(outcome.as<TetMesh>().vertex_count(), static_cast<std::size_t>(count) * each);
  }
}

// The only line that went wrong.
std::string only_error(TestGraph& g, int frame) {
  const std::string errors = g.run("crowd.solid", frame).errors;
  EXPECT_EQ(std::count(errors.begin(), errors.end(), '\n'), 1) << errors;
  return errors;
}

TEST(Crowd, SaysWhenItIsTooLarge) {
  TestGraph g;
  g.node("box", "tet.box", {{"cells_x", 20}, {"cells_y", 20}, {"cells_z", 20}});
  g.node("crowd", "sim.crowd", {{"count", 100}}).link("box.solid", "crowd.solid");
  for (const int frame : {0, 2}) {
    const std::string error = only_error(g, frame);
    EXPECT_NE(error.find("crowd: frame 0: 100 bodies of 9261 vertices are more than 400000"),
              std::string::npos)
        << error;
    EXPECT_NE(error.find("fewer"), std::string::npos) << error;
  }
}

TEST(Crowd, SaysWhenTheActivationIsForAnotherBody) {
  TestGraph g = boxes();
  g.node("ball", "mesh.sphere").node("other", "procdef.activation");
  g.link("ball.mesh", "other.body");
  for (LinkDoc& link : g.doc.graph.links) {
    if (link.to.socket == "activation") link.from.node = "other";
  }
  for (const int frame : {0, 3}) {
    const std::string error = only_error(g, frame);
    EXPECT_NE(error.find("crowd: frame 0: the activation is for"), std::string::npos) << error;
    EXPECT_NE(error.find("but the solid has 27"), std::string::npos) << error;
  }
}

}  // namespace
}  // namespace sinew::testing
