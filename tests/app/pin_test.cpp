// Pins, and places that are counted from outputs: what a drag of them writes.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "tests/app/hand_nodes.h"
#include "tests/app/viewport_fixture.h"

namespace sinew {
namespace {

using Eigen::Vector3f;
using testing::hand_registry;
using testing::ViewportTest;

class PinTest : public ViewportTest {
 protected:
  PinTest() : ViewportTest(1440, 900, &hand_registry()) {}

  // A ball to look at, and the node to be dragged.
  void open_node(const std::string& node, const std::string& more = "",
                 const std::string& link = "") {
    open(fmt::format(R"({{"sinew": 1, "nodes": [
        {{"id": "ball", "type": "mesh.sphere", "params": {{"radius": 0.7}}}},
        {{"id": "show", "type": "view"}}, {}{}],
      "links": ["ball.mesh -> show.value"{}]}})",
                     node, more, link));
    editor().session.select_only("it");
    settle();
  }
  void open_pin(const std::string& more = "") {
    open_node(fmt::format(R"({{"id": "it", "type": "test.pin", "params": {{
        "head": [0, 0, 0], "tip": [0, 0.4, 0], "radii": [0.2, 0.25, 0.3]{}}}}})",
                          more));
  }
  const Json* json(const std::string& input) { return editor().session.param("it", input); }
  Vector3f param(const std::string& input) {
    const Json& v = *json(input);
    return Vector3f(v[0].get<float>(), v[1].get<float>(), v[2].get<float>());
  }
  float number(const std::string& input) { return json(input)->get<float>(); }
  void drag_handle(const std::string& name, float x, float y) {
    const ImVec2 at = place("handle." + name);
    drag(at, ImVec2(at.x + x, at.y + y));
    settle();
  }
  // So many pixels towards another place of the picture.
  void drag_towards(const std::string& name, const Vector3f& to, float pixels) {
    const ImVec2 from = place("handle." + name), there = *sight().place(to);
    const float x = there.x - from.x, y = there.y - from.y, length = std::hypot(x, y);
    drag_handle(name, pixels * x / length, pixels * y / length);
  }
  void expect_at(const std::string& name, const Vector3f& where) {
    const ImVec2 there = *sight().place(where);
    EXPECT_NEAR(place("handle." + name).x, there.x, 1.5f) << name;
    EXPECT_NEAR(place("handle." + name).y, there.y, 1.5f) << name;
  }
};

TEST_F(PinTest, EachEndIsDraggedForItselfAndTheLineTakesBoth) {
  open_pin();
  const std::string before = text();
  drag_handle("pin.tip", 30, -20);
  EXPECT_EQ(steps(), 1u);
  const Vector3f tip = param("tip");
  EXPECT_GT((tip - Vector3f(0, 0.4f, 0)).norm(), 0.02f);
  EXPECT_EQ(param("head"), Vector3f(0, 0, 0));
  expect_at("pin.tip", tip);
  drag_handle("pin.centre", -15, 25);
  EXPECT_EQ(steps(), 2u);
  const Vector3f head = param("head");
  EXPECT_GT(head.norm(), 0.02f);
  EXPECT_EQ(param("tip"), tip);
  drag_handle("pin.middle", 40, 10);
  EXPECT_EQ(steps(), 3u);
  EXPECT_GT((param("head") - head).norm(), 0.02f);
  EXPECT_LT(((param("head") - head) - (param("tip") - tip)).norm(), 1e-4f);
  EXPECT_FALSE(json("twist"));
  EXPECT_EQ(param("radii"), Vector3f(0.2f, 0.25f, 0.3f));
  for (int i = 0; i < 3; ++i) editor().session.undo();
  EXPECT_TRUE(text() == before);
}

TEST_F(PinTest, TheRingTwistsItMoreThanOnce) {
  open_pin();
  const std::string before = text();
  drag_handle("pin.twist", 25, 0);
  EXPECT_EQ(steps(), 1u);
  ASSERT_TRUE(json("twist"));
  EXPECT_GT(std::abs(number("twist")), 3);
  EXPECT_EQ(param("tip"), Vector3f(0, 0.4f, 0));
  editor().session.undo();
  EXPECT_TRUE(text() == before);
  settle();
  // Twice round the tip, seen from above.
  editor().actions.run("viewport.view.top");
  frames(60);
  settle();
  const ImVec2 middle = *sight().place(Vector3f(0, 0.4f, 0)), from = place("handle.pin.twist");
  const float radius = std::hypot(from.x - middle.x, from.y - middle.y);
  const float start = std::atan2(from.y - middle.y, from.x - middle.x);
  move(from);
  frame();
  press();
  for (int i = 1; i <= 80; ++i) {
    const float a = start + 4 * std::numbers::pi_v<float> * static_cast<float>(i) / 80;
    move(ImVec2(middle.x + radius * std::cos(a), middle.y + radius * std::sin(a)));
  }
  release();
  EXPECT_NEAR(std::abs(number("twist")), 720, 5);
  EXPECT_EQ(steps(), 1u);
}

TEST_F(PinTest, WithCtrlItTwistsInSteps) {
  open_pin(R"(, "twist": 7)");
  hold("Ctrl", true);
  drag_handle("pin.twist", 25, 3);
  hold("Ctrl", false);
  EXPECT_NE(number("twist"), 7);
  EXPECT_NEAR(std::remainder(number("twist"), 15), 0, 1e-3f);
}

TEST_F(PinTest, TheFieldIsSizedByItsRadii) {
  open_pin();
  const std::string before = text();
  // u = y, v = z x u = -x, w = u x v = z.
  const Vector3f tip(0, 0.4f, 0);
  expect_at("pin.size_x", tip + Vector3f(-0.2f, 0, 0));
  expect_at("pin.size_y", tip + Vector3f(0, 0, 0.25f));
  expect_at("pin.size_z", tip + Vector3f(0, 0.3f, 0));
  drag_towards("pin.size_x", tip + Vector3f(-5, 0, 0), 30);
  EXPECT_GT(param("radii").x(), 0.21f);
  EXPECT_EQ(param("radii").y(), 0.25f);
  EXPECT_EQ(param("radii").z(), 0.3f);
  EXPECT_EQ(steps(), 1u);
  expect_at("pin.size_x", tip + Vector3f(-param("radii").x(), 0, 0));
  const Vector3f sized = param("radii");
  drag_towards("pin.size_z", tip + Vector3f(0, 5, 0), 20);
  EXPECT_GT(param("radii").z(), 0.31f);
  EXPECT_EQ(param("radii").x(), sized.x());
  // Through the middle and out on the other side is nothing but small.
  drag_towards("pin.size_x", tip + Vector3f(5, 0, 0), 250);
  EXPECT_NEAR(param("radii").x(), 1e-4f, 1e-7f);
  EXPECT_FALSE(json("twist"));
  EXPECT_EQ(param("tip"), tip);
  for (int i = 0; i < 3; ++i) editor().session.undo();
  EXPECT_TRUE(text() == before);
}

TEST_F(PinTest, TheFieldSitsWhereItIsSaid) {
  open_pin(R"(, "twist": 90, "cap": 0.5, "centre": "head")");
  // Turned by a quarter v is what w was, and w against what v was.
  expect_at("pin.size_x", Vector3f(0, 0, 0.2f));
  expect_at("pin.size_y", Vector3f(0.25f, 0, 0));
  expect_at("pin.size_z", Vector3f(0, -0.15f, 0));
  drag_towards("pin.size_z", Vector3f(0, -5, 0), 20);
  expect_at("pin.size_z", Vector3f(0, -0.5f * param("radii").z(), 0));
  editor().session.undo();
  ASSERT_TRUE(editor().session.set_param("it", "centre", "length"));
  settle();
  expect_at("pin.size_y", Vector3f(0.25f, 0.2f, 0));
  expect_at("pin.size_z", Vector3f(0, 0.5f, 0));
  ASSERT_TRUE(editor().session.set_param("it", "centre", "both"));
  settle();
  expect_at("pin.size_z", Vector3f(0, 0.55f, 0));
}

TEST_F(PinTest, ARadiusThatEndsAtAnEndCanStillBeTakenHoldOf) {
  open_pin(R"(, "centre": "length")");
  ASSERT_TRUE(editor().session.set_param("it", "radii", Json::array({0.2, 0.25, 0.2})));
  settle();
  drag_towards("pin.size_z", Vector3f(0, 5, 0), 20);
  EXPECT_GT(param("radii").z(), 0.21f);
  EXPECT_EQ(param("tip"), Vector3f(0, 0.4f, 0));
}

TEST_F(PinTest, AClickGivesAnEndItsArrows) {
  open_pin();
  EXPECT_FALSE(sees("handle.pin.y"));
  click("handle.pin.tip");
  frames(2);
  ASSERT_TRUE(sees("handle.pin.y"));
  EXPECT_EQ(steps(), 0u);
  drag_towards("pin.y", Vector3f(0, 5, 0), 20);
  EXPECT_GT(param("tip").y(), 0.41f);
  EXPECT_EQ(param("tip").x(), 0);
  EXPECT_EQ(param("head"), Vector3f(0, 0, 0));
  click("handle.pin.centre");
  frames(2);
  const Vector3f tip = param("tip");
  drag_towards("pin.x", Vector3f(5, 0, 0), 20);
  EXPECT_GT(param("head").x(), 0.01f);
  EXPECT_EQ(param("tip"), tip);
  click("handle.pin.centre");
  frames(2);
  EXPECT_FALSE(sees("handle.pin.y"));
}

TEST_F(PinTest, WhatIsLinkedOfItStays) {
  open_node(R"({"id": "it", "type": "test.pin", "params": {"radii": [0.2, 0.25, 0.3]}})",
            R"(, {"id": "far", "type": "value.vec3", "params": {"y": 0.4}})",
            R"(, "far.value -> it.tip")");
  EXPECT_FALSE(sees("handle.pin.tip"));
  EXPECT_FALSE(sees("handle.pin.middle"));
  ASSERT_TRUE(sees("handle.pin.twist"));
  drag_handle("pin.centre", 20, 10);
  EXPECT_GT(param("head").norm(), 0.01f);
  EXPECT_FALSE(json("tip"));
}

TEST_F(PinTest, PlacesAreCountedFromOutputs) {
  open_node(R"({"id": "it", "type": "test.offset", "params": {"place": [0, 0.2, 0]}})");
  const std::string before = text();
  ASSERT_TRUE(sees("handle.place.x"));
  const ImVec2 middle = place("handle.place.centre");
  expect_at("place.centre", Vector3f(0.5f, 0.2f, 0));
  expect_at("pull.tip", Vector3f(-0.5f, 0, 0));
  drag_towards("place.y", Vector3f(0.5f, 5, 0), 20);
  EXPECT_EQ(param("place").x(), 0) << "the difference is written";
  EXPECT_GT(param("place").y(), 0.21f);
  expect_at("place.centre", Vector3f(0.5f, 0, 0) + param("place"));
  EXPECT_LT(place("handle.place.centre").y, middle.y);
  drag_handle("pull.tip", 20, -20);
  EXPECT_GT(param("end").norm(), 0.02f);
  EXPECT_FALSE(json("start"));
  expect_at("pull.tip", Vector3f(-0.5f, 0, 0) + param("end"));
  EXPECT_EQ(steps(), 2u);
  editor().session.undo();
  editor().session.undo();
  EXPECT_TRUE(text() == before);
  // They go with what they are counted from.
  editor().player.go_to(10);
  settle();
  expect_at("place.centre", Vector3f(0.5f, 0.3f, 0));
}

TEST_F(PinTest, WhatIsCountedFromNothingIsNotShown) {
  open_node(R"({"id": "it", "type": "test.offset", "params": {"fails": true}})");
  EXPECT_FALSE(sees("handle.place.x"));
  EXPECT_FALSE(sees("handle.pull.tip"));
}

// ---- A hand without a radius and a speed

class PlainHandTest : public testing::PlayingTest {
 protected:
  PlainHandTest() : PlayingTest(1440, 900, &hand_registry()) {}
};

TEST_F(PlainHandTest, ItSetsOnlyWhatThereIs) {
  open(R"({"sinew": 1, "nodes": [
      {"id": "ball", "type": "mesh.sphere"}, {"id": "it", "type": "test.puller"},
      {"id": "show", "type": "view"}],
    "links": ["ball.mesh -> it.mesh", "it.mesh -> show.value"]})");
  const std::string before = text();
  go_on_live(4);
  click("tool.grab");
  const ImVec2 from = on_body();
  move(from);
  press();
  for (int i = 1; i <= 10; ++i) {
    move(ImVec2(from.x + 6.0f * static_cast<float>(i), from.y));
    editor().player.settle();
  }
  play(3);
  const NodeDoc* held = doc().graph.find("it");
  EXPECT_EQ(held->params.size(), 3u);
  EXPECT_EQ(held->params.at("grab"), true);
  render::Box box;
  for (const Vector3f& p : sight().whole.meshes.at(0).positions) box.extend(p);
  EXPECT_GT((box.center()).norm(), 0.05f) << "it came along";
  release();
  play(2);
  EXPECT_EQ(steps(), 1u);
  EXPECT_TRUE(text() == before);
  editor().player.play(false);
}

}  // namespace
}  // namespace sinew
