// Skeletons in graphs: made, posed, moved, read, and bodies that follow them.
#include <cmath>
#include <cstring>
#include <numbers>

#include "nodes/kernels/measure.h"
#include "nodes/kernels/pose_motion.h"
#include "tests/kernels/mls_figure.h"
#include "tests/nodes/harness.h"
#include "tests/nodes/show_helper.h"

namespace sinew::testing {
namespace {

const char* const arm = R"([
  {"name": "shoulder", "at": [0, 0, 0]},
  {"name": "elbow", "at": [1, 0, 0], "on": "shoulder"},
  {"name": "hand", "at": [2, 0, 0], "on": "elbow", "bone": "forearm"}])";

Json keys(const char* text) { return Json::parse(text); }

// A bar along x from 0 to 2 with an arm in it; "it" follows the pose "posed".
TestGraph bar_with_arm(const char* moves = "[]") {
  TestGraph g;
  g.node("bar", "mesh.box",
         {{"size", {2, 0.4, 0.4}}, {"segments_x", 40}, {"segments_y", 8}, {"segments_z", 8}});
  g.node("place", "mesh.transform", {{"translate", {1, 0, 0}}}).link("bar.mesh", "place.mesh");
  g.node("bones", "skeleton.create", {{"joints", Json::parse(arm)}});
  g.node("posed", "skeleton.pose", {{"moves", keys(moves)}})
      .link("bones.skeleton", "posed.skeleton");
  g.node("it", "deform.mls_skin").link("place.mesh", "it.body").link("posed.pose", "it.pose");
  return g;
}

Vec3d joint_at(TestGraph& g, const std::string& output, std::size_t joint, int frame = 0) {
  const PosedSkeleton pose = g.get<PosedSkeleton>(output, frame);
  const kernels::PoseMotion motion(*pose.recipe);
  return kernels::joints_now(pose, motion)[joint].place;
}

bool same_bits(const std::vector<Vec3f>& a, const std::vector<Vec3f>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(Vec3f)) == 0;
}

TEST(SkeletonNodes, LiteralsSayEverythingAndAreWrittenBack) {
  const Result<Skeleton> made = skeleton_from_json(Json::parse(arm));
  ASSERT_TRUE(static_cast<bool>(made)) << made.error();
  EXPECT_EQ(made->joint_count(), 3u);
  EXPECT_EQ(made->bones[1].name, "forearm");
  EXPECT_EQ(made->bones[0].name, "elbow");
  EXPECT_EQ(skeleton_to_json(*made), Json::parse(arm));
  const auto wrong = [](const char* text) { return skeleton_from_json(Json::parse(text)).error(); };
  EXPECT_NE(wrong("{}").find("a skeleton is a list of joints"), std::string::npos);
  EXPECT_EQ(wrong(R"([{"name": "a", "at": [0, 0, 0], "on": "b"}])"),
            "joint 1: it hangs on 'b', but there is no joint of that name");
  EXPECT_EQ(wrong(R"([{"name": "a", "at": [0, 0, 0]}, {"name": "a", "at": [1, 0, 0]}])"),
            "joint 2: there is a 'a' already; names must differ");
  EXPECT_EQ(wrong(R"([{"name": "a", "at": [0, 0]}])"), "joint 1: its place is not [x, y, z]");
  EXPECT_EQ(wrong(R"([{"name": "a", "at": [0, 0, 0], "size": 3}])"),
            "joint 1: it has no 'size' (it has name, at, on and bone)");
  // A ring of three.
  EXPECT_NE(wrong(R"([{"name": "a", "at": [0, 0, 0], "on": "c"},
                      {"name": "b", "at": [1, 0, 0], "on": "a"},
                      {"name": "c", "at": [0, 1, 0], "on": "b"}])")
                .find("closes a ring"),
            std::string::npos);
}

TEST(SkeletonNodes, JointsAreDraggedRemovedAndDrawnOut) {
  const TypeInfo& type = type_of<Skeleton>();
  const Json literal = Json::parse(arm);
  const Places places = type.places(literal);
  ASSERT_EQ(places.list.size(), 3u);
  EXPECT_TRUE(places.free);
  EXPECT_EQ(places.list[2].on, 1);
  EXPECT_EQ(places.list[2].name, "hand");
  EXPECT_EQ(type.with_place(literal, 2, std::array{3.0, 1.0, 0.0})[2]["at"], Json({3.0, 1.0, 0.0}));
  // Without the elbow, the hand hangs on the shoulder.
  const Json shorter = type.with_place(literal, 1, std::nullopt);
  ASSERT_EQ(shorter.size(), 2u);
  EXPECT_EQ(shorter[1]["on"], "shoulder");
  EXPECT_FALSE(type.with_place(literal, 0, std::nullopt)[0].contains("on"));
  const Json longer = type.with_new_place(literal, 2, {2.5, 0, 0});
  ASSERT_EQ(longer.size(), 4u);
  EXPECT_EQ(longer[3]["on"], "hand");
  EXPECT_TRUE(static_cast<bool>(skeleton_from_json(longer)));
}

TEST(SkeletonNodes, MovedJointsAreWrittenByAHand) {
  const TypeInfo& type = type_of<JointKeys>();
  Json literal = type.with_move(Json::array(), "hand", std::array{0.0, 1.0, 0.0}, 0);
  EXPECT_EQ(literal, keys(R"([{"joint": "hand", "by": [0.0, 1.0, 0.0]}])"));
  literal = type.with_move(literal, "hand", std::array{0.0, 2.0, 0.0}, 12);
  literal = type.with_move(literal, "hand", std::array{0.0, 3.0, 0.0}, 12);
  ASSERT_EQ(literal.size(), 2u);
  EXPECT_EQ(literal[1]["frame"], 12.0);
  EXPECT_EQ(literal[1]["by"][1], 3.0);
  literal = type.with_move(literal, "hand", std::nullopt, 0);
  ASSERT_EQ(literal.size(), 1u);
  const Result<Value> value = type.from_json(literal);
  EXPECT_EQ(type.frames(value->data()), std::vector<double>{12});
}

TEST(SkeletonNodes, ControlsAreWhereTheyArePutAndTheOthersFollow) {
  TestGraph g = bar_with_arm(R"([{"joint": "hand", "by": [-1, 1, 0]}])");
  // Held at its ends: the shoulder stays.
  EXPECT_EQ(joint_at(g, "posed.pose", 0), Vec3d(0, 0, 0));
  EXPECT_EQ(joint_at(g, "posed.pose", 2), Vec3d(1, 1, 0));
  const Vec3d elbow = joint_at(g, "posed.pose", 1);
  EXPECT_GT(elbow.y(), 0.1);
  // With nothing held, one control takes everything along.
  g.set("posed.hold", "none");
  EXPECT_TRUE(joint_at(g, "posed.pose", 0).isApprox(Vec3d(-1, 1, 0), 1e-9));
  g.set("posed.hold", "all");
  EXPECT_EQ(joint_at(g, "posed.pose", 1), Vec3d(1, 0, 0));
}

TEST(SkeletonNodes, BadNamesListWhatThereIs) {
  TestGraph g = bar_with_arm(R"([{"joint": "foot", "by": [0, 1, 0]}])");
  EXPECT_NE(g.run("it.body").errors.find(
                "posed: there is no joint 'foot'; there are 'shoulder', 'elbow', 'hand'"),
            std::string::npos)
      << g.run("it.body").errors;
  g = bar_with_arm(R"([{"joint": "hand", "by": [0, 1, 0], "frame": 3}])");
  EXPECT_NE(g.run("it.body").errors.find("use skeleton.animate"), std::string::npos);
  g = bar_with_arm();
  g.set("it.bone", "shin");
  EXPECT_NE(g.run("it.body").errors.find("there is no bone 'shin'; there are 'elbow', 'forearm'"),
            std::string::npos);
  g.set("it.bone", "1").set("bones.joints", keys(R"([{"name": "alone", "at": [0, 0, 0]}])"));
  EXPECT_NE(g.run("it.body").errors.find("has no bones"), std::string::npos);
}

TEST(SkeletonNodes, AtRestTheBodyKeepsItsBits) {
  TestGraph g = bar_with_arm();
  EXPECT_TRUE(same_bits(g.get<Mesh>("it.body").positions, g.get<Mesh>("place.mesh").positions));
  // So does a skeleton that nobody has posed.
  g.node("direct", "deform.mls_skin").link("place.mesh", "direct.body");
  g.link("bones.skeleton", "direct.pose");
  EXPECT_TRUE(same_bits(g.get<Mesh>("direct.body").positions, g.get<Mesh>("place.mesh").positions));
}

TEST(SkeletonNodes, ARigidMotionOfTheControlsIsThatOfTheBody) {
  TestGraph g = bar_with_arm();
  g.node("go", "skeleton.animate", {{"move", {0.5, -1, 2}}}).link("posed.pose", "go.pose");
  g.node("moved", "deform.mls_skin").link("place.mesh", "moved.body").link("go.pose", "moved.pose");
  const Mesh rest = g.get<Mesh>("place.mesh"), moved = g.get<Mesh>("moved.body");
  for (std::size_t v = 0; v < rest.vertex_count(); ++v) {
    ASSERT_LT((moved.positions[v] - rest.positions[v] - Vec3f(0.5f, -1, 2)).norm(), 1e-5f);
  }
}

TEST(SkeletonNodes, ABentArmBendsTheBodyAndKeepsItsThickness) {
  TestGraph g = bar_with_arm(
      R"([{"joint": "shoulder", "by": [0, 0, 0]}, {"joint": "elbow", "by": [0, 0, 0]},
          {"joint": "hand", "by": [-1, 1, 0]}])");
  const Mesh rest = g.get<Mesh>("place.mesh"), bent = g.get<Mesh>("it.body");
  float farthest_upper = 0;
  for (std::size_t v = 0; v < rest.vertex_count(); ++v) {
    const Vec3f p = rest.positions[v], q = bent.positions[v];
    if (p.x() < 0.2f) farthest_upper = std::max(farthest_upper, (q - p).norm());
    // The lower arm is turned by a right angle: x goes up.
    if (p.x() > 1.8f) {
      EXPECT_LT((q - Vec3f(1 - p.y(), p.x() - 1, p.z())).norm(), 0.1f);
    }
  }
  EXPECT_LT(farthest_upper, 0.1f);
  const double volume = kernels::signed_volume(rest);
  EXPECT_NEAR(kernels::signed_volume(bent), volume, 0.15 * volume);
}

TEST(SkeletonNodes, KeysAreMetAndJoined) {
  TestGraph g = bar_with_arm();
  g.node("go", "skeleton.animate", {{"keys", keys(R"([{"joint": "hand", "by": [0, 0, 0]},
                            {"joint": "hand", "by": [0, 1, 0], "frame": 10},
                            {"joint": "hand", "by": [0, 0, 0], "frame": 20}])")}});
  g.link("posed.pose", "go.pose");
  EXPECT_EQ(joint_at(g, "go.pose", 2, 0), Vec3d(2, 0, 0));
  EXPECT_TRUE(joint_at(g, "go.pose", 2, 10).isApprox(Vec3d(2, 1, 0), 1e-9));
  EXPECT_EQ(joint_at(g, "go.pose", 2, 30), Vec3d(2, 0, 0));
  g.set("go.repeat", true);
  for (const int frame : {0, 3, 10, 17}) {
    EXPECT_TRUE(
        joint_at(g, "go.pose", 2, frame).isApprox(joint_at(g, "go.pose", 2, frame + 40), 1e-9))
        << frame;
  }
  // A key beyond the round belongs to the next one.
  g.set("go.period", 16);
  EXPECT_TRUE(joint_at(g, "go.pose", 2, 10).isApprox(Vec3d(2, 1, 0), 1e-9));
  EXPECT_TRUE(joint_at(g, "go.pose", 2, 4).isApprox(Vec3d(2, 0, 0), 1e-9));
  g.set("go.repeat", false).set("go.curve", "linear");
  EXPECT_NEAR(joint_at(g, "go.pose", 2, 5).y(), 0.5, 1e-9);
  g.set("go.curve", "stepped");
  EXPECT_NEAR(joint_at(g, "go.pose", 2, 9).y(), 0, 1e-9);
  g.set("go.amount", 2).set("go.delay", 0.4);  // ten frames
  EXPECT_NEAR(joint_at(g, "go.pose", 2, 20).y(), 2, 1e-9);
}

TEST(SkeletonNodes, MotionDoesNotDependOnTheFrameRate) {
  const auto at_two_seconds = [](double fps) {
    TestGraph g = bar_with_arm();
    g.context.fps = fps;
    // Round in a plane that is not the skeleton's own, as charts over seconds.
    const auto chart = [](const char* points) {
      return Json{{"points", Json::parse(points)}, {"x_unit", "s"}, {"interpolation", "linear"}};
    };
    g.node("go", "skeleton.animate",
           {{"which", "hand"},
            {"move",
             {{"animate",
               {chart("[[0, 0], [0.5, -2], [1, -4], [1.5, -2], [2, 0]]"), 0,
                chart("[[0, 0], [0.5, 2], [1, 0.001], [1.5, -2], [2, 0]]")}}}}});
    g.link("posed.pose", "go.pose");
    g.node("moved", "deform.mls_skin").link("place.mesh", "moved.body");
    g.link("go.pose", "moved.pose");
    return g.get<Mesh>("moved.body", static_cast<int>(std::lround(1.7 * fps))).positions;
  };
  const std::vector<Vec3f> one = at_two_seconds(20), two = at_two_seconds(60);
  for (std::size_t v = 0; v < one.size(); ++v) ASSERT_LT((one[v] - two[v]).norm(), 1e-4f);
}

TEST(SkeletonNodes, FramesCanBeAskedForInAnyOrder) {
  const auto make = [] {
    TestGraph g = bar_with_arm();
    g.node("go", "skeleton.animate",
           {{"keys", keys(R"([{"joint": "hand", "by": [0, 0, 0]},
                              {"joint": "hand", "by": [-2, 0, 2], "frame": 6},
                              {"joint": "hand", "by": [-4, 0, 0], "frame": 12},
                              {"joint": "hand", "by": [-2, 0, -2], "frame": 18}])")},
            {"repeat", true},
            {"period", 24}});
    g.link("posed.pose", "go.pose");
    g.node("moved", "deform.mls_skin").link("place.mesh", "moved.body");
    g.link("go.pose", "moved.pose");
    return g;
  };
  TestGraph forwards = make(), backwards = make();
  std::vector<std::vector<Vec3f>> seen;
  for (int frame = 0; frame <= 60; frame += 5) {
    seen.push_back(forwards.get<Mesh>("moved.body", frame).positions);
  }
  for (int frame = 60; frame >= 0; frame -= 5) {
    EXPECT_TRUE(same_bits(backwards.get<Mesh>("moved.body", frame).positions,
                          seen[static_cast<std::size_t>(frame / 5)]))
        << frame;
  }
  EXPECT_TRUE(static_cast<bool>(forwards.run("moved.body", -30).value));
  EXPECT_TRUE(static_cast<bool>(forwards.run("moved.body", 100000000).value));
}

TEST(SkeletonNodes, PathsCarryJoints) {
  TestGraph g = bar_with_arm();
  g.node("way", "path.motion",
         {{"points", {{2, 0, 0}, {2, 1, 0}, {1, 1, 0}}}, {"curve", "polyline"}, {"end", 2}});
  g.node("go", "skeleton.animate", {{"which", "hand"}, {"paths", "exact"}});
  g.link("posed.pose", "go.pose").link("way.path", "go.path");
  EXPECT_TRUE(joint_at(g, "go.pose", 2, 50).isApprox(Vec3d(1, 1, 0), 1e-6));
  g.node("read", "skeleton.read", {{"joint", "hand"}}).link("go.pose", "read.pose");
  EXPECT_NEAR(g.get<Vec3>("read.place", 50).y, 1, 1e-6);
  EXPECT_NEAR(g.get<Vec3>("read.moved", 50).x, -1, 1e-6);
  EXPECT_EQ(g.get<PathPoints>("read.places", 50).size(), 3u);
  // Without names it means the controls; without any of those, all joints.
  g.set("go.which", "").set("go.paths", "added");
  EXPECT_TRUE(joint_at(g, "go.pose", 0, 50).isApprox(Vec3d(-1, 1, 0), 1e-6));
  g.set("posed.hold", "none");
  EXPECT_TRUE(joint_at(g, "go.pose", 1, 50).isApprox(Vec3d(0, 1, 0), 1e-6));
  g.set("go.which", "foot");
  EXPECT_NE(g.run("go.pose").errors.find("'which' names no joint; there are 'shoulder'"),
            std::string::npos);
}

TEST(SkeletonNodes, SetsArePaintedAndWeightsAreTold) {
  TestGraph g = bar_with_arm();
  g.node("sets", "skeleton.skin_sets", {{"bone", "forearm"}});
  g.link("place.mesh", "sets.body").link("bones.skeleton", "sets.skeleton");
  const Mesh rest = g.get<Mesh>("place.mesh");
  const auto belongs = [&](const Field& sets, std::size_t v) { return sets.at(v); };
  Field sets = g.get<Field>("sets.sets");
  for (std::size_t v = 0; v < rest.vertex_count(); ++v) {
    const float x = rest.positions[v].x();
    if (std::abs(x - 1) > 0.01f) {
      EXPECT_EQ(belongs(sets, v), x < 1 ? 1 : 2);
    }
  }
  // Everything from 0.5 on is painted.
  g.node("paint", "field.axis", {{"axis", "x"}, {"low", 0.25}, {"high", 1.25}});
  g.link("place.mesh", "paint.mesh").link("paint.field", "sets.where");
  const Outcome painted = g.run("sets.sets");
  ASSERT_TRUE(static_cast<bool>(painted.value)) << painted.errors;
  g.link("sets.sets", "it.sets").set("it.bone", "forearm").set("it.radius", 0);
  const Field weight = g.get<Field>("it.weight");
  const Field now = painted.as<Field>();
  int more = 0;
  for (std::size_t v = 0; v < rest.vertex_count(); ++v) {
    EXPECT_EQ(weight.at(v), now.at(v) == 2 ? 1.0f : 0.0f);
    more += now.at(v) == 2 && sets.at(v) == 1;
  }
  EXPECT_GT(more, 0);
  // Paint that says nothing leaves the nearest bones.
  g.node("blank", "field.axis", {{"low", 0}, {"high", 0}}).link("place.mesh", "blank.mesh");
  g.node("again", "deform.mls_skin")
      .link("place.mesh", "again.body")
      .link("posed.pose", "again.pose");
  g.link("blank.field", "again.sets");
  EXPECT_EQ(g.get<Field>("again.sets").values()[0], sets.values()[0]);
  // Sets of another skeleton are refused.
  g.set("bones.joints",
        keys(R"([{"name": "a", "at": [0, 0, 0]}, {"name": "b", "at": [2, 0, 0], "on": "a"}])"));
  g.set("sets.bone", "1").set("it.bone", "1");
  EXPECT_TRUE(static_cast<bool>(g.run("it.body").value));
  g.node("many", "field.constant", {{"value", 7}}).link("many.field", "it.sets");
  g.doc.graph.links.erase(
      std::remove_if(g.doc.graph.links.begin(), g.doc.graph.links.end(),
                     [](const LinkDoc& l) { return l.from.node == "sets" && l.to.node == "it"; }),
      g.doc.graph.links.end());
  EXPECT_NE(g.run("it.body").errors.find("'sets' gives vertex 0 to bone 7"), std::string::npos)
      << g.run("it.body").errors;
}

TEST(SkeletonNodes, SolidsFollowInsideToo) {
  TestGraph g =
      bar_with_arm(R"([{"joint": "elbow", "by": [0, 0, 0]}, {"joint": "hand", "by": [-1, 1, 0]}])");
  g.set("bones.joints", keys(R"([{"name": "shoulder", "at": [-1, 0, 0]},
                                 {"name": "elbow", "at": [0, 0, 0], "on": "shoulder"},
                                 {"name": "hand", "at": [1, 0, 0], "on": "elbow"}])"));
  g.node("block", "tet.box",
         {{"size", {2, 0.4, 0.4}}, {"cells_x", 20}, {"cells_y", 4}, {"cells_z", 4}});
  g.node("inside", "deform.mls_skin").link("block.solid", "inside.body");
  g.link("posed.pose", "inside.pose");
  const Outcome outcome = g.run("inside.body");
  ASSERT_TRUE(static_cast<bool>(outcome.value)) << outcome.errors;
  const TetMesh rest = g.get<TetMesh>("block.solid"), bent = outcome.as<TetMesh>();
  ASSERT_EQ(rest.vertex_count(), bent.vertex_count());
  for (std::size_t v = 0; v < rest.vertex_count(); ++v) {
    const Vec3f p = rest.positions[v];
    if (p.x() < 0.8f) continue;
    EXPECT_LT((bent.positions[v] - Vec3f(-p.y(), p.x(), p.z())).norm(), 0.12f);
  }
}

TEST(SkeletonNodes, SpaceIsPulledByControlsOrByPoints) {
  TestGraph g = bar_with_arm(R"([{"joint": "hand", "by": [0, 0.5, 0]}])");
  g.node("space", "deform.mls").link("place.mesh", "space.body").link("posed.pose", "space.pose");
  const Mesh rest = g.get<Mesh>("place.mesh"), by_pose = g.get<Mesh>("space.body");
  EXPECT_FALSE(same_bits(rest.positions, by_pose.positions));
  TestGraph plain = bar_with_arm();
  plain.node("space", "deform.mls",
             {{"points", {{0, 0, 0}, {2, 0, 0}}}, {"moved", {{0, 0, 0}, {2, 0.5, 0}}}});
  plain.link("place.mesh", "space.body");
  EXPECT_TRUE(same_bits(plain.get<Mesh>("space.body").positions, by_pose.positions));
  plain.set("space.moved", Json::parse("[[0, 0, 0]]"));
  EXPECT_NE(plain.run("space.body").errors.find("there are 2 points at rest, but 1 moved ones"),
            std::string::npos);
  plain.set("space.points", Json::array()).set("space.moved", Json::array());
  EXPECT_TRUE(same_bits(plain.get<Mesh>("space.body").positions, rest.positions));
}

// A motion of ten seconds in which the hand goes round behind the shoulder and everything would
// leap at each half turn: no frame is far from the one before, wherever stretches of it begin.
TEST(SkeletonNodes, NothingLeapsInALongMotion) {
  TestGraph g = bar_with_arm();
  g.node("go", "skeleton.animate",
         {{"keys", keys(R"([{"joint": "hand", "by": [0, 0, 0]},
                            {"joint": "hand", "by": [-2, 0.01, 2], "frame": 12},
                            {"joint": "hand", "by": [-4, 0, 0.001], "frame": 24},
                            {"joint": "hand", "by": [-2, 0.01, -2], "frame": 36}])")},
          {"repeat", true},
          {"period", 48}});
  g.link("posed.pose", "go.pose");
  g.node("moved", "deform.mls_skin").link("place.mesh", "moved.body").link("go.pose", "moved.pose");
  std::vector<Vec3f> last;
  for (int frame = 0; frame <= 250; ++frame) {
    const std::vector<Vec3f> now = g.get<Mesh>("moved.body", frame).positions;
    for (std::size_t v = 0; v < last.size(); ++v) {
      ASSERT_LT((now[v] - last[v]).norm(), 0.6f) << frame;  // the hand goes up to 0.3 m a frame
    }
    last = now;
  }
}

// A hand drags from where a joint would be without the keys, whatever else the node adds.
TEST(SkeletonNodes, AnchorsAreCountedWithoutTheKeysOfTheNode) {
  TestGraph g = bar_with_arm();
  g.node("go", "skeleton.animate",
         {{"which", "hand"},
          {"move", {0, 0.5, 0}},
          {"keys", keys(R"([{"joint": "hand", "by": [0.25, 0, 0]}])")}});
  g.link("posed.pose", "go.pose");
  const auto anchors = [&](const char* output) {
    return type_of<PosedSkeleton>().anchors(g.run(output).value.data(), 0).list;
  };
  EXPECT_EQ(anchors("go.pose")[2].at, (std::array<float, 3>{2.25f, 0.5f, 0}));
  EXPECT_EQ(anchors("go.pose")[2].origin, (std::array<float, 3>{2, 0.5f, 0}));
  EXPECT_EQ(anchors("go.pose")[2].name, "hand");
  // Keys of nodes before are where things are.
  g.node("more", "skeleton.pose").link("go.pose", "more.skeleton");
  EXPECT_EQ(anchors("more.pose")[2].origin, (std::array<float, 3>{2.25f, 0.5f, 0}));
  // What is scaled or delayed has no name to be dragged by.
  g.set("go.amount", 0.5);
  EXPECT_EQ(anchors("go.pose")[2].name, "");
  g.set("go.amount", 1).set("go.delay", 1);
  EXPECT_EQ(anchors("go.pose")[2].name, "");
}

TEST(SkeletonNodes, NamesMeanWhatTheySay) {
  TestGraph g = bar_with_arm(R"([{"joint": "1", "by": [0, 1, 0]}])");
  g.set("bones.joints", keys(R"([{"name": "hip", "at": [0, 0, 0]},
                                 {"name": "arm, left", "at": [1, 0, 0], "on": "hip"},
                                 {"name": "1", "at": [2, 0, 0], "on": "arm, left"}])"));
  EXPECT_EQ(joint_at(g, "posed.pose", 2), Vec3d(2, 1, 0));
  g.set("posed.moves", keys(R"([{"joint": "arm, left", "by": [0, 1, 0]}])"));
  EXPECT_EQ(joint_at(g, "posed.pose", 1), Vec3d(1, 1, 0));
  g.set("posed.moves", keys(R"([{"joint": "3", "by": [0, 1, 0]}])"));
  EXPECT_EQ(joint_at(g, "posed.pose", 2), Vec3d(2, 1, 0));
  g.set("posed.moves", keys(R"([{"joint": " ", "by": [0, 1, 0]}])"));
  EXPECT_NE(g.run("posed.pose").errors, "");
}

// What is prepared for one frame serves the others: sets, shares and ways are not made anew.
TEST(SkeletonNodes, OnlyPosesCostPerFrame) {
  TestGraph g = bar_with_arm();
  g.set("bar.segments_x", 400).set("bar.segments_y", 40).set("bar.segments_z", 40);
  g.node("go", "skeleton.animate",
         {{"which", "hand"}, {"move", {{"animate", {0, {{0, 0}, {50, 1}}, 0}}}}});
  g.link("posed.pose", "go.pose");
  g.node("moved", "deform.mls_skin").link("place.mesh", "moved.body").link("go.pose", "moved.pose");
  ASSERT_TRUE(static_cast<bool>(g.run("moved.body", 0).value)) << g.run("moved.body", 0).errors;
  const std::size_t before = g.evaluator->cache().bytes();
  const Outcome next = g.run("moved.body", 1);
  ASSERT_TRUE(static_cast<bool>(next.value));
  // The moved body, its two fields and a few joints; shares alone would be twice as much.
  const std::size_t vertices = next.as<Mesh>().vertex_count();
  EXPECT_LT(g.evaluator->cache().bytes() - before, next.value.bytes() + 12 * vertices);
}

TEST(SkeletonNodes, SkeletonsAndPosesAreSeen) {
  TestGraph g = bar_with_arm(R"([{"joint": "hand", "by": [-1, 1, 0]}])");
  const draw::DrawList bones = seen(shown(g.run("bones.skeleton").value));
  expect_sound(bones);
  ASSERT_FALSE(bones.lines.empty());
  EXPECT_EQ(bones.lines[0].points.size(), 4u);
  EXPECT_TRUE(bones.lines[0].on_top);
  const draw::DrawList pose = seen(shown(g.run("posed.pose").value));
  expect_sound(pose);
  // Where it rests, rims, bones; joints that are found, and controls.
  EXPECT_EQ(pose.lines.size(), 3u);
  EXPECT_EQ(pose.points.size(), 4u);
  const Places anchors = type_of<PosedSkeleton>().anchors(g.run("posed.pose").value.data(), 0);
  ASSERT_EQ(anchors.list.size(), 3u);
  EXPECT_TRUE(anchors.list[0].held && !anchors.list[1].held && anchors.list[2].held);
  EXPECT_EQ(anchors.list[2].on, 1);
}

}  // namespace
}  // namespace sinew::testing
