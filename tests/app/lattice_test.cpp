// Points of lattices in the viewport: dragged and let go of, in whatever their ways count.
#include "tests/app/viewport_fixture.h"

namespace sinew {
namespace {

using testing::ViewportTest;

// The ball is as large as its lattice.
constexpr const char* caged = R"({"sinew": 1, "nodes": [
    {"id": "ball", "type": "mesh.sphere", "params": {"detail": 12}},
    {"id": "cage", "type": "ffd.lattice", "params": {"margin": 0, "points_x": 3, "points_y": 3,
      "points_z": 2}},
    {"id": "first", "type": "ffd.edit", "params": {"moves": [
      {"at": [null, -1, null], "by": [0.1, 0.2, 0]}]}},
    {"id": "hand", "type": "ffd.edit"},
    {"id": "mode", "type": "ffd.modes", "params": {"kind": "drawn", "amplitude": 0.25}},
    {"id": "body", "type": "ffd.deform"},
    {"id": "show", "type": "view"}],
  "links": ["ball.mesh -> cage.body", "cage.lattice -> first.lattice",
    "first.lattice -> hand.lattice", "cage.lattice -> mode.lattice", "ball.mesh -> body.body",
    "hand.lattice -> body.lattice", "body.body -> show.value"]})";

constexpr int corner = 8;  // [2, 2, 0]

class LatticeTest : public ViewportTest {
 protected:
  void choose(const std::string& node) {
    editor().session.select_only(node);
    settle();
    settle();
  }
  ImVec2 point(int index) { return place("handle.points." + std::to_string(index)); }
  void drag_point(int index, float x, float y) {
    const ImVec2 at = point(index);
    drag(at, ImVec2(at.x + x, at.y + y));
    settle();
  }
  const Json* moves(const std::string& node) { return editor().session.param(node, "moves"); }
};

TEST_F(LatticeTest, PointsAreDraggedAndLetGoOf) {
  open(caged);
  choose("hand");
  const std::string before = text();
  const ImVec2 at = point(corner);
  drag_point(corner, 30, -20);
  EXPECT_EQ(steps(), 1u);
  ASSERT_TRUE(moves("hand"));
  ASSERT_EQ(moves("hand")->size(), 1u);
  EXPECT_EQ((*moves("hand"))[0]["at"], Json({2, 2, 0}));
  EXPECT_NEAR(point(corner).x, at.x + 30, 3);
  EXPECT_NEAR(point(corner).y, at.y - 20, 3);
  // It is counted from where the node before has put it, however often it is dragged.
  drag_point(corner, -30, 20);
  ASSERT_EQ(moves("hand")->size(), 1u);
  for (const Json& way : (*moves("hand"))[0]["by"]) EXPECT_NEAR(way.get<double>(), 0, 0.02);
  click(point(corner));
  key("Delete");
  settle();
  EXPECT_TRUE(moves("hand")->empty());
  while (steps() > 0) editor().session.undo();
  EXPECT_TRUE(text() == before);
}

TEST_F(LatticeTest, WaysInEdgesFollowTheHand) {
  open(caged);
  EXPECT_TRUE(editor().session.set_param("hand", "measure", "edges"));
  choose("hand");
  const ImVec2 at = point(corner);
  drag_point(corner, 25, 15);
  EXPECT_NEAR(point(corner).x, at.x + 25, 3);
  EXPECT_NEAR(point(corner).y, at.y + 15, 3);
}

TEST_F(LatticeTest, AModeIsDrawnOnAllOfIt) {
  open(caged);
  choose("mode");
  const ImVec2 at = point(corner);
  drag_point(corner, 20, -30);
  ASSERT_TRUE(moves("mode"));
  EXPECT_EQ(moves("mode")->size(), 1u);
  EXPECT_NEAR(point(corner).x, at.x + 20, 3);
  EXPECT_NEAR(point(corner).y, at.y - 30, 3);
}

}  // namespace
}  // namespace sinew
