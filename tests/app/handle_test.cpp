// What is dragged in the viewport: places, turns, sizes, points of strokes and paths, the cut.
#include <fmt/format.h>

#include "tests/app/viewport_fixture.h"

namespace sinew {
namespace {

using Eigen::Vector3f;
using testing::ViewportTest;

constexpr const char* moved_ball = R"({"sinew": 1, "nodes": [
    {"id": "ball", "type": "mesh.sphere", "params": {"radius": 0.5}},
    {"id": "place", "type": "mesh.transform"},
    {"id": "show", "type": "view"}],
  "links": ["ball.mesh -> place.mesh", "place.mesh -> show.value"]})";

class HandleTest : public ViewportTest {
 protected:
  Vector3f param(const std::string& node, const std::string& input) {
    const Json* json = editor().session.param(node, input);
    if (!json) return Vector3f(0, 0, 0);
    return Vector3f((*json)[0].get<float>(), (*json)[1].get<float>(), (*json)[2].get<float>());
  }
  void drag_handle(const std::string& name, float x, float y) {
    const ImVec2 at = place("handle." + name);
    drag(at, ImVec2(at.x + x, at.y + y));
    settle();
  }
};

TEST_F(HandleTest, AnArrowMovesAlongItsAxisInOneStep) {
  open(moved_ball);
  editor().session.select_only("place");
  settle();
  const std::string before = text();
  const ImVec2 tip = place("handle.place.x"), middle = place("handle.place.centre");
  drag_handle("place.x", 0.5f * (tip.x - middle.x), 0.5f * (tip.y - middle.y));
  EXPECT_EQ(steps(), 1u);
  const Vector3f moved = param("place", "translate");
  EXPECT_GT(moved.x(), 0.01f);
  EXPECT_EQ(moved.y(), 0);
  EXPECT_EQ(moved.z(), 0);
  // The handle went with it.
  EXPECT_NEAR(place("handle.place.x").x, tip.x + 0.5f * (tip.x - middle.x), 3);
  editor().session.undo();
  EXPECT_TRUE(text() == before);
}

TEST_F(HandleTest, RingsTurnAndBoxesSize) {
  open(moved_ball);
  editor().session.select_only("place");
  settle();
  move(place("viewport.image"));
  key("E");
  frames(2);
  drag_handle("place.turn_y", 40, 0);
  const Vector3f turned = param("place", "rotate");
  EXPECT_GT(std::abs(turned.y()), 5);
  EXPECT_NEAR(turned.x(), 0, 1e-3f);
  EXPECT_NEAR(turned.z(), 0, 1e-3f);
  move(place("viewport.image"));
  key("R");
  frames(2);
  drag_handle("place.size", 30, -30);
  EXPECT_GT(param("place", "scale").x(), 1.05f);
  EXPECT_EQ(steps(), 2u);
}

TEST_F(HandleTest, EscapeGivesADragUp) {
  open(moved_ball);
  editor().session.select_only("place");
  settle();
  const std::string before = text();
  const ImVec2 at = place("handle.place.y");
  move(at);
  frame();
  press();
  move(ImVec2(at.x, at.y - 40));
  EXPECT_FALSE(text() == before);
  key("Escape");
  release();
  EXPECT_TRUE(text() == before);
}

TEST_F(HandleTest, WhatIsLinkedOrAnimatedStays) {
  open(R"({"sinew": 1, "nodes": [
    {"id": "ball", "type": "mesh.sphere"},
    {"id": "place", "type": "mesh.transform",
     "params": {"translate": {"animate": [0, [[0, 0], [1, 1]], 0]}}},
    {"id": "show", "type": "view"}],
  "links": ["ball.mesh -> place.mesh", "place.mesh -> show.value"]})");
  editor().session.select_only("place");
  settle();
  EXPECT_FALSE(sees("handle.place.x"));
}

TEST_F(HandleTest, PointsOfStrokesAreDraggedAlongTheBody) {
  open_preset("jellyfish_swim");
  editor().session.select_only("fibres");
  settle();
  const std::string before = text();
  std::string found;
  for (int i = 0; i < 28 && found.empty(); ++i)
    if (const std::string name = fmt::format("strokes.{}", i);
        sees("handle." + name) && sight().pick(place("handle." + name)))
      found = name;
  ASSERT_FALSE(found.empty());
  drag_handle(found, 6, -6);
  EXPECT_EQ(steps(), 1u);
  EXPECT_FALSE(text() == before);
  move(place("viewport.image"));
  key("Delete");
  EXPECT_EQ(steps(), 2u);
  editor().session.undo();
  editor().session.undo();
  EXPECT_TRUE(text() == before);
}

// They belong to no body; those that are standard are written when they are moved.
TEST_F(HandleTest, PointsOfAPathAreDraggedAcrossTheView) {
  open(R"({"sinew": 1, "nodes": [
    {"id": "way", "type": "path.motion"}, {"id": "show", "type": "view"}],
  "links": ["way.path -> show.value"]})");
  editor().session.select_only("way");
  settle();
  const std::string before = text();
  ASSERT_TRUE(sees("handle.points.1"));
  const ImVec2 at = place("handle.points.1");
  drag_handle("points.1", 30, -20);
  EXPECT_EQ(steps(), 1u);
  EXPECT_NEAR(place("handle.points.1").x, at.x + 30, 3);
  EXPECT_NEAR(place("handle.points.1").y, at.y - 20, 3);
  const Json* points = editor().session.param("way", "points");
  ASSERT_TRUE(points && points->size() == 4);
  move(place("viewport.image"));
  key("Delete");
  EXPECT_EQ(editor().session.param("way", "points")->size(), 3u);
  editor().session.undo();
  editor().session.undo();
  EXPECT_TRUE(text() == before);
}

TEST_F(HandleTest, TheCutIsDraggedAlongItsNormal) {
  open_preset("jellyfish_swim");
  const std::string before = text();
  move(place("viewport.image"));
  key("X");
  frames(3);
  ASSERT_TRUE(sight().show.section);
  const draw::SectionPlane plane = *sight().show.section;
  const ImVec2 tip = place("handle.section.along"), middle = place("handle.section.centre");
  drag(tip, ImVec2(tip.x + 0.3f * (tip.x - middle.x), tip.y + 0.3f * (tip.y - middle.y)));
  frames(2);
  const Vector3f by = sight().show.section->point - plane.point;
  EXPECT_GT(by.dot(plane.normal), 1e-3f);
  EXPECT_LT(by.cross(plane.normal).norm(), 1e-4f);
  drag(place("handle.section.turn_x"),
       ImVec2(place("handle.section.turn_x").x + 15, place("handle.section.turn_x").y + 15));
  EXPECT_LT(sight().show.section->normal.dot(plane.normal), 0.9999f);
  EXPECT_TRUE(text() == before);
}

TEST_F(HandleTest, ThePivotIsReachedUnderTheArrowsOfThePlace) {
  open(moved_ball);
  editor().session.select_only("place");
  settle();
  ASSERT_TRUE(sees("handle.pivot.name"));
  EXPECT_FALSE(sees("handle.pivot.x")) << "only one has arrows";
  // In its middle the place is moved, by the name the pivot.
  drag_handle("place.centre", 20, 0);
  EXPECT_GT(param("place", "translate").norm(), 0.01f);
  EXPECT_EQ(param("place", "pivot").norm(), 0);
  drag_handle("pivot.name", 60, -30);
  EXPECT_GT(param("place", "pivot").norm(), 0.05f);
  const Vector3f translated = param("place", "translate");
  // Apart, the dot itself is taken.
  const Vector3f pivot = param("place", "pivot");
  drag_handle("pivot.centre", 15, 15);
  EXPECT_GT((param("place", "pivot") - pivot).norm(), 0.01f);
  // A click gives it the arrows, and the place a name.
  click(place("handle.pivot.name"));
  frames(2);
  EXPECT_TRUE(sees("handle.pivot.x"));
  EXPECT_TRUE(sees("handle.place.name"));
  EXPECT_EQ(param("place", "translate"), translated);
  click(place("handle.place.name"));
  frames(2);
  EXPECT_TRUE(sees("handle.place.x"));
}

TEST_F(HandleTest, WhatIsLinkedInPlaceCanBeSized) {
  open(R"({"sinew": 1, "nodes": [
    {"id": "tip", "type": "value.vec3", "params": {"y": 0.4}},
    {"id": "finger", "type": "collide.sphere", "params": {"radius": 0.3}},
    {"id": "show", "type": "view"}],
  "links": ["tip.value -> finger.position", "finger.colliders -> show.value"]})");
  editor().session.select_only("finger");
  settle();
  EXPECT_FALSE(sees("handle.place.x"));
  ASSERT_TRUE(sees("handle.place.size"));
  drag_handle("place.size", 30, -30);
  EXPECT_GT(editor().session.param("finger", "radius")->get<double>(), 0.31);
}

}  // namespace
}  // namespace sinew
