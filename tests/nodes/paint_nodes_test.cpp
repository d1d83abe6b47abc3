#include <algorithm>
#include <cmath>

#include "nodes/kernels/primitives.h"
#include "tests/nodes/harness.h"

namespace sinew::testing {
namespace {

TestGraph painted(const std::string& body, const char* strokes) {
  TestGraph g;
  g.node("body", body).node("paint", "paint.field", {{"strokes", Json::parse(strokes)}});
  g.link("body." + std::string(body.starts_with("tet") ? "solid" : "mesh"), "paint.mesh");
  return g;
}

float largest(const Field& field) {
  return *std::max_element(field.values().begin(), field.values().end());
}

TEST(PaintField, NothingPaintedIsTheBackground) {
  for (const char* strokes :
       {"[]", R"({"space": "box", "strokes": []})", R"([{"tool": "brush", "points": []}])"}) {
    TestGraph g = painted("mesh.sphere", strokes);
    g.set("paint.background", 0.25);
    const Field field = g.get<Field>("paint.field");
    EXPECT_EQ(field.size(), g.get<Mesh>("body.mesh").vertex_count());
    for (const float v : field.values()) EXPECT_EQ(v, 0.25f);
    EXPECT_EQ(g.get<int>("paint.count"), 0);
  }
}

TEST(PaintField, ABrushPaintsWhereItIsAndNotBehind) {
  TestGraph g = painted("mesh.sphere", R"({"space": "box", "strokes": [
      {"tool": "brush", "points": [[-0.3, 0, 1], [0.3, 0, 1]], "radius": 0.15, "value": 0.8}]})");
  const Mesh body = g.get<Mesh>("body.mesh");
  const Field field = g.get<Field>("paint.field");
  const float radius = body.positions[0].norm();
  for (std::size_t i = 0; i < body.vertex_count(); ++i) {
    const Vec3f p = body.positions[i] / radius;
    if (p[2] > 0.99f) {
      EXPECT_NEAR(field.at(i), 0.8, 0.02);
    } else if (p[2] < 0) {
      EXPECT_NEAR(field.at(i), 0, 0.05);
    }
  }
  EXPECT_LT(g.get<float>("paint.residual"), 1e-6f);
  EXPECT_EQ(g.get<Mesh>("paint.places").vertex_count(),
            static_cast<std::size_t>(g.get<int>("paint.count")));
  EXPECT_EQ(g.run("paint.field").warnings, "");
}

TEST(PaintField, ASolidIsPaintedOnItsSurfaceAndFilledInside) {
  TestGraph g = painted("tet.box", R"({"space": "box", "strokes": [
      {"tool": "region", "points": [[0, 1, 0]], "value": 1},
      {"tool": "region", "points": [[0, -1, 0]], "value": 0}]})");
  g.set("paint.elsewhere", "interpolate");
  const TetMesh body = g.get<TetMesh>("body.solid");
  const Field field = g.get<Field>("paint.field");
  ASSERT_EQ(field.size(), body.vertex_count());
  Eigen::AlignedBox3f box;
  for (const Vec3f& p : body.positions) box.extend(p);
  for (std::size_t i = 0; i < field.size(); ++i) {  // from the bottom to the top
    EXPECT_NEAR(field.at(i), (body.positions[i][1] - box.min()[1]) / box.sizes()[1], 0.02);
  }
}

constexpr const char* painted_ends = R"({"space": "box", "strokes": [
      {"tool": "region", "points": [[-1, 0, 0]], "value": 0},
      {"tool": "region", "points": [[1, 0, 0]], "value": 1}]})";

// The largest difference from a ramp along the bar.
double off_ramp(const Field& field, const std::vector<Vec3f>& positions) {
  Eigen::AlignedBox3f box;
  for (const Vec3f& p : positions) box.extend(p);
  double worst = 0;
  for (std::size_t i = 0; i < field.size(); ++i) {
    const double part = (positions[i][0] - box.min()[0]) / box.sizes()[0];
    worst = std::max(worst, std::abs(field.at(i) - part));
  }
  return worst;
}

// What is painted at both ends is between them in the middle [Ijiri09, 4.1 and 4.3].
TEST(PaintField, MeaningfulKindsInterpolateUnlessToldOtherwise) {
  for (const char* kind : {"layer", "amplitude", "phase", "plain"}) {
    TestGraph g = painted("tet.box", painted_ends);
    g.set("body.size", {1, 0.2, 0.2}).set("paint.kind", kind);
    const TetMesh body = g.get<TetMesh>("body.solid");
    const double off = off_ramp(g.get<Field>("paint.field"), body.positions);
    if (std::string(kind) == "plain") {
      EXPECT_GT(off, 0.4) << kind;
      g.set("paint.elsewhere", "interpolate");
    } else {
      EXPECT_LT(off, 0.02) << kind;
      g.set("paint.elsewhere", "background");
    }
    const double other = off_ramp(g.get<Field>("paint.field"), body.positions);
    EXPECT_TRUE(std::string(kind) == "plain" ? other < 0.02 : other > 0.4) << kind << other;
  }
}

TEST(PaintField, DocumentsOfTheFirstVersionKeepTheirBackground) {
  std::vector<NodeMessage> notes;
  const Result<GraphDoc> old = load_document(
      SINEW_SOURCE_DIR "/tests/graph/corpus/paint_field_version1.json", all_nodes(), &notes);
  ASSERT_TRUE(static_cast<bool>(old)) << old.error();
  EXPECT_TRUE(notes.empty());
  const auto elsewhere = [&](const char* id) {
    EXPECT_EQ(old->graph.find(id)->version, 2);
    return old->graph.find(id)->params.at("elsewhere");
  };
  EXPECT_EQ(elsewhere("paint"), "background");
  EXPECT_EQ(elsewhere("plain"), "background");
  EXPECT_EQ(elsewhere("chosen"), "interpolate");
  TestGraph g;
  g.doc = *old;
  const TetMesh body = g.get<TetMesh>("body.solid");
  EXPECT_GT(off_ramp(g.get<Field>("paint.field"), body.positions), 0.4);
  EXPECT_LT(off_ramp(g.get<Field>("chosen.field"), body.positions), 0.02);
  EXPECT_EQ(g.get<Frames>("frames.frames").size(), body.vertex_count());
  EXPECT_EQ(old->graph.find("frames")->version, 2);
}

TEST(PaintField, AFaceThatLaterPaintChangesIsNamed) {
  const char* faces = R"({"space": "box", "strokes": [
      {"tool": "face", "points": [[0, 0, 1]], "value": 1},
      {"tool": "face", "points": [[0.3, 0.1, 1]], "value": 0.5}]})";
  TestGraph g = painted("mesh.sphere", faces);
  EXPECT_EQ(g.run("paint.field").warnings, "");
  Json over = Json::parse(faces);
  over["strokes"].push_back(
      {{"points", {{0.06, -1, 1}, {0.06, 1, 1}}}, {"radius", 0.02}, {"value", -1}});
  g.set("paint.strokes", over);
  EXPECT_NE(g.run("paint.field").warnings.find("stroke 1 says 1 for a face, which gets"),
            std::string::npos)
      << g.run("paint.field").warnings;
}

TEST(PaintField, KindsKeepTheirRange) {
  const char* strokes = R"({"space": "box", "strokes": [
      {"points": [[0, 0, 1]], "radius": 0.2, "value": 5},
      {"points": [[0, 0, -1]], "radius": 0.2, "value": -5}]})";
  const std::tuple<const char*, float, float> cases[] = {{"plain", -5.0f, 5.0f},
                                                         {"layer", -5.0f, 5.0f},
                                                         {"amplitude", -1.0f, 1.0f},
                                                         {"phase", 0.0f, 1.0f}};
  for (const auto& [kind, low, high] : cases) {
    TestGraph g = painted("mesh.sphere", strokes);
    g.set("paint.kind", kind);
    const Field field = g.get<Field>("paint.field");
    const auto [least, most] = std::minmax_element(field.values().begin(), field.values().end());
    EXPECT_NEAR(*least, low, 0.5 * (std::abs(low) > 1)) << kind;
    EXPECT_NEAR(*most, high, 0.5 * (high > 1)) << kind;
  }
}

TEST(PaintField, StrokesThatTouchNothingAreNamed) {
  TestGraph g = painted("mesh.box", R"([
      {"points": [[0, 0.5, 0]]},
      {"points": []},
      {"points": [[0, 2.5, 0]], "value": 3},
      {"points": [[5, 0, 0]], "cut": {"point": [5, 0, 0], "normal": [1, 0, 0]}},
      {"tool": "region", "points": [[0, -9, 0]]}])");
  g.set("body.size", {1, 1, 1});
  const Outcome outcome = g.run("paint.field");
  EXPECT_EQ(outcome.errors, "");
  EXPECT_EQ(outcome.warnings,
            "paint: stroke 2 has no points\n"
            "paint: stroke 3 is 2 m from the surface\n"
            "paint: stroke 4 on its cut is 4.5 m outside of the body\n"
            "paint: stroke 5 is 8.5 m from the surface\n");
  EXPECT_LT(largest(outcome.as<Field>()), 1.2f);
}

TEST(PaintField, HostileStrokesAreBounded) {
  Json many = Json::array(), long_one = Json::array();
  for (int i = 0; i < 400; ++i) {
    const double a = 0.7 * i, z = -1 + 2.0 * i / 400, r = std::sqrt(1 - z * z);
    many.push_back(
        {{"points", {{r * std::cos(a), z, r * std::sin(a)}}}, {"radius", 0.2}, {"value", i % 2}});
  }
  for (int i = 0; i < 20000; ++i) {
    const double a = 0.1 * i, z = -1 + 2.0 * i / 20000, r = std::sqrt(1 - z * z);
    long_one.push_back({r * std::cos(a), z, r * std::sin(a)});
  }
  const Json cases[] = {
      {{"space", "box"}, {"strokes", many}},
      {{"space", "box"}, {"strokes", {{{"points", long_one}, {"radius", 0.01}}}}},
      {{"space", "box"}, {"strokes", {{{"points", long_one}, {"tool", "face"}}}}},
      {{"space", "box"}, {"strokes", {{{"points", long_one}, {"tool", "region"}, {"angle", 0}}}}},
      {{"space", "box"}, {"strokes", {{{"points", {{0, 0, 1}}}, {"radius", 0}}}}},
      {{"space", "box"}, {"strokes", {{{"points", {{0, 0, 1}, {0, 0, 1}}}, {"radius", 1e30}}}}},
      {{"strokes", {{{"points", {{1e30, 0, 1}, {-1e30, 0, 1}}}, {"radius", 0.1}}}}},
  };
  for (const Json& strokes : cases) {
    TestGraph g;
    g.node("body", "mesh.sphere").node("paint", "paint.field", {{"strokes", strokes}});
    g.link("body.mesh", "paint.mesh");
    const Outcome outcome = g.run("paint.field");
    EXPECT_EQ(outcome.errors, "");
    EXPECT_LE(g.get<int>("paint.count"), 2000);
    for (const float v : outcome.as<Field>().values()) ASSERT_TRUE(std::isfinite(v));
  }
}

TEST(PaintField, BodiesWithoutASurfaceAreRefusedKindly) {
  TestGraph g = painted("mesh.sphere", R"([{"points": [[0, 0, 0]]}])");
  const NodeType& type = *all_nodes().find("paint.field");
  EXPECT_EQ(type.inputs[0].name, "mesh");
  // A mesh of points only.
  TestGraph places = painted("mesh.sphere", R"([{"points": [[0, 0, 1]]}])");
  places.node("again", "paint.field", {{"strokes", Json::parse(R"([{"points": [[0, 0, 1]]}])")}});
  places.link("paint.places", "again.mesh");
  const Outcome outcome = places.run("again.field");
  EXPECT_EQ(outcome.errors, "");
  EXPECT_NE(outcome.warnings.find("no surface"), std::string::npos) << outcome.warnings;
  for (const float v : outcome.as<Field>().values()) EXPECT_EQ(v, 0);
}

TEST(StrokesValue, AsJson) {
  const Json full = Json::parse(R"({"space": "box", "strokes": [
      {"tool": "brush", "points": [[0.0, 0.5, 1.0], [1.0, 0.5, 1.0]], "radius": 0.25, "value": -0.5,
       "falloff": "smooth", "cut": {"point": [0.0, 0.0, 1.0], "normal": [0.0, 0.0, 2.0]}},
      {"tool": "region", "points": [[0.1, 0.2, 0.3]], "angle": 12.5},
      {"tool": "face", "points": []},
      {"tool": "erase", "points": [[1.0, 2.0, 3.0]]}]})");
  const Result<Strokes> strokes = strokes_from_json(full);
  ASSERT_TRUE(static_cast<bool>(strokes)) << strokes.error();
  EXPECT_EQ(strokes_to_json(*strokes), full);
  EXPECT_EQ(strokes->strokes[0].on, StrokePlace::cut);
  EXPECT_EQ(strokes_to_json(*strokes_from_json(Json::array())), Json::array());
  EXPECT_EQ(*strokes_from_json(strokes_to_json(*strokes)), *strokes);
}

TEST(StrokesValue, WrongOnesAreExplained) {
  const std::pair<const char*, const char*> cases[] = {
      {"3", "a list"},
      {"{}", "a list"},
      {"[3]", "stroke 1"},
      {R"([{"points": []}, {"tool": "pencil"}])", "stroke 2: its tool is"},
      {R"([{"points": [[1, 2]]}])", "point 0 is not [x, y, z]"},
      {R"([{"points": [[1, 2, 1e300]]}])", "point 0"},
      {R"([{"points": 3}])", "a list"},
      {R"([{"radius": -1}])", "radius"},
      {R"([{"radius": "big"}])", "radius"},
      {R"([{"angle": 190}])", "180"},
      {R"([{"cut": {"normal": [0, 0, 0]}}])", "normal"},
      {R"([{"cut": 1}])", "its cut is"},
      {R"([{"colour": 1}])", "'colour'"},
      {R"({"strokes": [], "unit": 1})", "'unit'"},
      {R"({"strokes": [], "space": "mm"})", "space"},
  };
  for (const auto& [text, word] : cases) {
    const Result<Strokes> strokes = strokes_from_json(Json::parse(text));
    ASSERT_FALSE(static_cast<bool>(strokes)) << text;
    EXPECT_NE(strokes.error().find(word), std::string::npos) << text << ": " << strokes.error();
  }
  const float nan = std::nanf("");
  EXPECT_FALSE(static_cast<bool>(strokes_from_json({{{"points", {{nan, 0, 0}}}}})));
  EXPECT_FALSE(static_cast<bool>(strokes_from_json({{{"value", nan}}})));
  EXPECT_FALSE(static_cast<bool>(strokes_from_json(Json(most_strokes + 1, Json::object()))));
}

}  // namespace
}  // namespace sinew::testing
