#include <cmath>
#include <set>

#include "graph/pack.h"
#include "nodes/kernels/motion_path.h"
#include "nodes/node.h"
#include "tests/nodes/harness.h"
#include "tests/nodes/show_helper.h"

namespace sinew::testing {
namespace {

const Json corner = Json::parse("[[0, 0, 0], [3, 0, 0], [3, 4, 0]]");

TestGraph corner_path() {
  TestGraph g;
  g.node("it", "path.motion",
         {{"points", corner},
          {"curve", "polyline"},
          {"momentum", Json::parse("[[0, 1]]")},
          {"start", 1},
          {"end", 8}});
  g.context.fps = 10;
  return g;
}

TEST(PathNodes, TravelsFromTheStartToTheEnd) {
  TestGraph g = corner_path();
  EXPECT_EQ(g.get<float>("it.length"), 7);
  const auto at = [&](const char* output, int frame) { return g.get<Vec3>(output, frame); };
  EXPECT_EQ(at("it.position", 0), (Vec3{0, 0, 0}));
  EXPECT_EQ(at("it.position", 10), (Vec3{0, 0, 0}));
  EXPECT_NEAR(at("it.position", 30).x, 2, 1e-6);
  EXPECT_NEAR(at("it.position", 60).y, 2, 1e-6);
  EXPECT_EQ(at("it.position", 500), (Vec3{3, 4, 0}));
  EXPECT_NEAR(at("it.tangent", 30).x, 1, 1e-6);
  EXPECT_NEAR(at("it.tangent", 60).y, 1, 1e-6);
  EXPECT_NEAR(g.get<float>("it.distance", 30), 2, 1e-6);
  EXPECT_NEAR(g.get<float>("it.done", 45), 0.5, 1e-6);
  EXPECT_NEAR(g.get<float>("it.speed", 45), 1, 1e-6);
  EXPECT_EQ(g.get<float>("it.speed", 5), 0);
  EXPECT_EQ(g.get<float>("it.done", 900), 1);
}

// 12, 25, 60 and 240 frames a second agree at common times.
TEST(PathNodes, DoesNotDependOnTheFrameRate) {
  TestGraph g;
  g.node("it", "path.motion", {{"closed", true}, {"rounds", 3}, {"speed", 0.3}, {"end", 5}});
  for (int second = 0; second < 6; ++second) {
    g.context.fps = 25;
    const Vec3 expected = g.get<Vec3>("it.position", second * 25);
    for (const int fps : {12, 60, 240}) {
      g.context.fps = fps;
      const Vec3 at = g.get<Vec3>("it.position", second * fps);
      EXPECT_NEAR(at.x, expected.x, 1e-5);
      EXPECT_NEAR(at.y, expected.y, 1e-5);
      EXPECT_NEAR(at.z, expected.z, 1e-5);
    }
  }
}

TEST(PathNodes, MovesWhateverHasAPlace) {
  TestGraph g = corner_path();
  g.node("box", "mesh.box").node("move", "mesh.transform");
  g.link("box.mesh", "move.mesh").link("it.position", "move.translate");
  const Mesh still = g.get<Mesh>("move.mesh", 0), moved = g.get<Mesh>("move.mesh", 500);
  EXPECT_TRUE((moved.positions[0] - still.positions[0]).isApprox(Vec3f(3, 4, 0)));
}

TEST(PathNodes, SaysWhatIsWrong) {
  const std::tuple<const char*, Json, const char*> cases[] = {
      {"points", Json::array(), "has none"},
      {"points", Json::parse("[[1, 1, 1]]"), "at least two"},
      {"points", Json::parse("[[1, 1, 1], [1, 1, 1]]"), "one place"},
      {"end", -3, "must be after its start"},
  };
  for (const auto& [input, value, words] : cases) {
    TestGraph g;
    g.node("it", "path.motion", {{input, value}});
    const Outcome outcome = g.run("it.position");
    EXPECT_FALSE(outcome.value);
    EXPECT_NE(outcome.errors.find(words), std::string::npos) << outcome.errors;
  }
  TestGraph g;
  g.node("it", "path.motion", {{"offset", 1000}});
  EXPECT_NE(g.run("it.position").warnings.find("beyond the path"), std::string::npos);
}

TEST(PathNodes, ThePathGoesOnWithItsMoment) {
  TestGraph g = corner_path();
  const MotionPath path = g.get<MotionPath>("it.path", 30);
  EXPECT_EQ(path.time, 3);
  EXPECT_EQ(path.points.size(), 3u);
  EXPECT_NEAR(kernels::PathMotion(path).at(path.time).position.x(), 2, 1e-9);
}

TEST(PathValues, LiteralsComeBack) {
  const char* texts[] = {
      "[[0, 0, 0], [1, 0.5, 0]]",
      R"({"points": [[0, 0, 0], [1, 0, 0]], "curve": "polyline", "closed": true, "rounds": 3,
          "momentum": [[0, 1], [2, 3]], "mass": 2, "speed": -1, "offset": 0.25, "start": -1,
          "end": 7, "fit": false})"};
  std::set<Key> keys;
  for (const char* text : texts) {
    const Result<MotionPath> path = motion_path_from_json(Json::parse(text));
    ASSERT_TRUE(static_cast<bool>(path)) << path.error();
    const Json written = motion_path_to_json(*path);
    EXPECT_EQ(*motion_path_from_json(written), *path);
    MotionPath later = *path;
    later.time = 12.5;
    const Value value = Value::of(later);
    EXPECT_TRUE(keys.insert(literal_key(value)).second);
    Packer packer;
    value.type()->pack(value.data(), packer);
    Unpacker unpacker(packer.content());
    EXPECT_EQ(value.type()->unpack(unpacker).as<MotionPath>(), later);
    EXPECT_EQ(value.type()->describe(value.data())["time"], 12.5);
    EXPECT_EQ(value.type()->tables(value.data())[0].rows, path->points.size());
  }
  EXPECT_EQ(motion_path_to_json(*motion_path_from_json(Json::parse(texts[0]))),
            Json::parse(R"({"points": [[0.0, 0.0, 0.0], [1.0, 0.5, 0.0]]})"));
}

TEST(PathValues, WrongLiteralsAreExplained) {
  const std::pair<const char*, const char*> cases[] = {
      {"3", "a path is"},
      {"[]", "has none"},
      {"[[0, 0]]", "point 1 is not [x, y, z]"},
      {"[[0, 0, 0], [0, 0, 1e30]]", "point 2"},
      {R"({"points": [[0, 0, 0], [1, 0, 0]], "width": 3})", "a path has no 'width'"},
      {R"({"points": [[0, 0, 0], [1, 0, 0]], "curve": "round"})", "polyline or spline"},
      {R"({"points": [[0, 0, 0], [1, 0, 0]], "rounds": 1.5})", "whole number"},
      {R"({"points": [[0, 0, 0], [1, 0, 0]], "closed": 1})", "true or false"},
      {R"({"points": [[0, 0, 0], [1, 0, 0]], "end": 0})", "after its start"},
      {R"({"points": [[0, 0, 0], [1, 0, 0]], "mass": 0})", "mass"},
      {R"({"points": [[0, 0, 0], [1, 0, 0]], "momentum": []})", "momentum"},
  };
  for (const auto& [text, words] : cases) {
    const Result<MotionPath> path = motion_path_from_json(Json::parse(text));
    ASSERT_FALSE(static_cast<bool>(path)) << text;
    EXPECT_NE(path.error().find(words), std::string::npos) << path.error();
  }
}

TEST(PathValues, PointsCanBeTakenHoldOf) {
  const TypeInfo& type = type_of<PathPoints>();
  const Places places = type.places(corner);
  ASSERT_EQ(places.list.size(), 3u);
  EXPECT_TRUE(places.free);
  EXPECT_EQ(places.list[2].at, (std::array<float, 3>{3, 4, 0}));
  EXPECT_EQ(places.list[0].line, places.list[2].line);
  const Json moved = type.with_place(corner, 1, std::array<double, 3>{5, 6, 7});
  EXPECT_EQ(points_from_json(moved)->list[1], Vec3f(5, 6, 7));
  EXPECT_EQ(type.with_place(corner, 1, std::nullopt).size(), 2u);
  EXPECT_EQ(type.with_place(corner, 9, std::nullopt), corner);
  EXPECT_TRUE(type.places(Json("nonsense")).list.empty());
  const Value value = Value::of(*points_from_json(corner));
  Packer packer;
  type.pack(value.data(), packer);
  Unpacker unpacker(packer.content());
  EXPECT_EQ(type.unpack(unpacker).as<PathPoints>(), value.as<PathPoints>());
}

TEST(PathValues, VisitContentSeesEveryPart) {
  const auto hash = [](const MotionPath& path) {
    std::string all;
    visit_content(path, [&](std::span<const std::byte> bytes) {
      all.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    });
    return all;
  };
  std::set<std::string> seen = {hash(MotionPath())};
  const auto changed = [&](const auto& change) {
    MotionPath path;
    change(path);
    EXPECT_TRUE(seen.insert(hash(path)).second);
  };
  changed([](MotionPath& p) { p.points.list = {{1, 2, 3}}; });
  changed([](MotionPath& p) { p.curve = PathCurve::polyline; });
  changed([](MotionPath& p) { p.closed = true; });
  changed([](MotionPath& p) { p.rounds = 2; });
  changed([](MotionPath& p) { p.momentum.points[1].y = 9; });
  changed([](MotionPath& p) { p.mass = 2; });
  changed([](MotionPath& p) { p.speed = 2; });
  changed([](MotionPath& p) { p.offset = 2; });
  changed([](MotionPath& p) { p.start = -2; });
  changed([](MotionPath& p) { p.end = 2; });
  changed([](MotionPath& p) { p.fit = false; });
  changed([](MotionPath& p) { p.time = 2; });
}

// A line through all points, ticks that are close where it is slow, and where it is now.
TEST(PathValues, APathIsALineWithTicks) {
  MotionPath path = *motion_path_from_json(corner);
  path.curve = PathCurve::polyline;
  path.time = 0.5;
  const draw::DrawList list = seen(shown(Value::of(path)));
  expect_sound(list);
  ASSERT_EQ(list.lines.size(), 2u);
  double length = 0;
  bool through_corner = false;
  for (size_t i = 0; i < list.lines[0].points.size(); i += 2) {
    length += static_cast<double>((list.lines[0].points[i + 1] - list.lines[0].points[i]).norm());
    through_corner |= list.lines[0].points[i].isApprox(draw::Point(3, 0, 0));
  }
  EXPECT_NEAR(length, 7, 1e-4);
  EXPECT_TRUE(through_corner);
  EXPECT_EQ(list.lines[1].points.size(), 50u);
  const Vec3d now = kernels::PathMotion(path).at(0.5).position;
  ASSERT_EQ(list.points.size(), 2u);
  EXPECT_TRUE(list.points[1].points[0].isApprox(now.cast<float>()));
  EXPECT_EQ(list.glyphs.size(), 1u);
  expect_sound(seen(shown(Value::of(path.points))));
  expect_sound(seen(shown(Value::of(PathPoints()))));
  // One that is unsound is drawn as far as it goes.
  path.points.list = {{1, 1, 1}, {1, 1, 1}};
  expect_sound(seen(shown(Value::of(path))));
}

}  // namespace
}  // namespace sinew::testing
