// Cameras as a document keeps them.
#include "app/cameras.h"

#include <gtest/gtest.h>

#include "graph/document.h"
#include "graph/json_reader.h"
#include "graph/registry.h"

namespace sinew {
namespace {

render::Camera unusual() {
  render::Camera camera;
  camera.target = {0.1f, -2.5f, 1e-4f};
  camera.yaw = -123.4f;
  camera.pitch = 89.9f;
  camera.distance = 0.3f;
  camera.fov = 55;
  camera.parallel = true;
  return camera;
}

TEST(Cameras, ThereAndBack) {
  for (const render::Camera& camera : {render::Camera(), unusual()}) {
    const Result<render::Camera> back = camera_from_json(camera_to_json(camera));
    ASSERT_TRUE(back) << back.error();
    EXPECT_EQ(*back, camera);
  }
  // As a person would write them.
  EXPECT_EQ(camera_to_json(unusual()).dump(),
            R"({"distance":0.3,"fov":55.0,"parallel":true,"pitch":89.9,)"
            R"("target":[0.1,-2.5,0.0001],"yaw":-123.4})");
  EXPECT_FALSE(camera_to_json({}).contains("parallel"));
}

TEST(Cameras, WhatIsNotSaidIsAsUsual) {
  const Result<render::Camera> camera = camera_from_json(Json::parse(R"({"yaw": 5, "note": "?"})"));
  ASSERT_TRUE(camera) << camera.error();
  render::Camera expected;
  expected.yaw = 5;
  EXPECT_EQ(*camera, expected);
  EXPECT_TRUE(camera_from_json(Json::object()));
}

TEST(Cameras, BadNumbersAreNamed) {
  const std::vector<std::pair<std::string, std::string>> wrong = {
      {R"({"yaw": "left"})", "'yaw' must be a number from -1e+06 to 1e+06"},
      {R"({"yaw": 1e7})", "'yaw' must be a number from -1e+06 to 1e+06"},
      {R"({"pitch": 91})", "'pitch' must be a number from -90 to 90"},
      {R"({"pitch": null})", "'pitch' must be a number from -90 to 90"},
      {R"({"distance": 0})", "'distance' must be a number from 1e-09 to 1e+12"},
      {R"({"distance": -2})", "'distance' must be a number from 1e-09 to 1e+12"},
      {R"({"fov": 0.5})", "'fov' must be a number from 1 to 170"},
      {R"({"fov": 171})", "'fov' must be a number from 1 to 170"},
      {R"({"parallel": 1})", "'parallel' must be true or false"},
      {R"({"target": 0})", "'target' must be three numbers"},
      {R"({"target": [0, 1]})", "'target' must be three numbers"},
      {R"({"target": [0, 1, 2, 3]})", "'target' must be three numbers"},
      {R"({"target": [0, "1", 2]})", "'target' must be three numbers"},
      {R"({"target": [0, 1, 1e13]})", "'target' must be three numbers"},
      {R"([1, 2])",
       R"(a camera is an object: {"target": [x, y, z], "yaw": 30, "pitch": 18, "distance": 4})"},
  };
  for (const auto& [text, message] : wrong) {
    const Result<render::Camera> camera = camera_from_json(Json::parse(text));
    ASSERT_FALSE(camera) << text;
    EXPECT_EQ(camera.error(), message) << text;
  }
}

const char* with_cameras = R"({
  "sinew": 1,
  "nodes": [{"id": "b", "type": "mesh.box"}],
  "layout": {
    "nodes": {"b": {"at": [10, 20], "colour": "red"}},
    "cameras": {"plan": {"pitch": 90, "parallel": true, "lens": "soft"}, "bad": {"fov": 0}},
    "frames": [{"title": "All", "at": [0, 0]}]
  }
})";

GraphDoc read(const std::string& text) {
  const Registry none;
  const Result<GraphDoc> doc = parse_document(text, none);
  EXPECT_TRUE(doc) << doc.error();
  return doc ? *doc : GraphDoc();
}

TEST(Cameras, AreFoundByName) {
  const GraphDoc doc = read(with_cameras);
  const Result<FoundCamera> plan = find_camera(doc, "plan");
  ASSERT_TRUE(plan) << plan.error();
  EXPECT_TRUE(plan->framed);
  EXPECT_EQ(plan->camera.pitch, 90);
  const Result<FoundCamera> front = find_camera(doc, "front");
  ASSERT_TRUE(front);
  EXPECT_FALSE(front->framed) << "it still has to be framed";
  EXPECT_EQ(find_camera(doc, "bad").error(), "camera 'bad': 'fov' must be a number from 1 to 170");
  EXPECT_EQ(
      find_camera(doc, "side").error(),
      "there is no view 'side'; there are bad, plan, three-quarter, front, back, left, right, "
      "top, bottom, low, high");
  // A document's own comes before the view that every scene has.
  GraphDoc other = doc;
  other.graph.layout = with_camera(doc.graph.layout, "front", unusual());
  EXPECT_EQ(find_camera(other, "front")->camera, unusual());
}

TEST(Cameras, TheStandardOneIsMain) {
  GraphDoc doc = read(with_cameras);
  EXPECT_EQ(standard_camera(doc)->camera, *render::named_view("three-quarter"));
  EXPECT_FALSE(standard_camera(doc)->framed);
  doc.graph.layout = with_camera(doc.graph.layout, main_camera, unusual());
  EXPECT_EQ(standard_camera(doc)->camera, unusual());
  EXPECT_TRUE(standard_camera(doc)->framed);
  // Something else under that name is as good as nothing.
  doc.graph.layout.extra["cameras"] = 7;
  EXPECT_FALSE(standard_camera(doc)->framed);
}

TEST(Cameras, SavingKeepsThem) {
  const GraphDoc doc = read(with_cameras);
  const GraphDoc again = read(write_document(doc));
  EXPECT_EQ(again, doc);
  EXPECT_EQ(again.graph.layout.extra["cameras"], Json::parse(with_cameras)["layout"]["cameras"]);
}

TEST(Cameras, AnotherOneChangesNothingElse) {
  const LayoutDoc before = read(with_cameras).graph.layout;
  LayoutDoc after = with_camera(before, "main", unusual());
  EXPECT_EQ(after.extra["cameras"]["main"], camera_to_json(unusual()));
  after.extra["cameras"].erase("main");
  EXPECT_EQ(after, before);
  // Also where there was none, or no object.
  EXPECT_EQ(with_camera({}, "main", unusual()).extra["cameras"].size(), 1u);
  LayoutDoc odd;
  odd.extra["cameras"] = "none";
  EXPECT_EQ(with_camera(odd, "main", unusual()).extra["cameras"].size(), 1u);
}

}  // namespace
}  // namespace sinew
