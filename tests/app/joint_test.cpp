// Joints in the viewport: dragged, drawn out, let go of, and keyed at the present frame.
#include "tests/app/viewport_fixture.h"

namespace sinew {
namespace {

using testing::ViewportTest;

constexpr const char* arm = R"({"sinew": 1, "nodes": [
    {"id": "bar", "type": "mesh.box", "params": {"size": [2, 0.3, 0.3], "segments_x": 20}},
    {"id": "bones", "type": "skeleton.create", "params": {"joints": [
      {"name": "shoulder", "at": [-1, 0, 0]},
      {"name": "elbow", "at": [0, 0, 0], "on": "shoulder"},
      {"name": "hand", "at": [1, 0, 0], "on": "elbow"}]}},
    {"id": "pose", "type": "skeleton.pose"},
    {"id": "go", "type": "skeleton.animate"},
    {"id": "skin", "type": "deform.mls_skin"},
    {"id": "show", "type": "view"}],
  "links": ["bones.skeleton -> pose.skeleton", "pose.pose -> go.pose", "bar.mesh -> skin.body",
    "go.pose -> skin.pose", "skin.body -> show.value"]})";

class JointTest : public ViewportTest {
 protected:
  void choose(const std::string& node) {
    editor().session.select_only(node);
    settle();
    settle();
  }
  void drag_joint(int joint, float x, float y) {
    const ImVec2 at = place("handle.joints." + std::to_string(joint));
    drag(at, ImVec2(at.x + x, at.y + y));
    settle();
  }
  const Json* param(const std::string& node, const std::string& input) {
    return editor().session.param(node, input);
  }
};

TEST_F(JointTest, JointsOfASkeletonAreDragged) {
  open(arm);
  choose("bones");
  const std::string before = text();
  drag_joint(2, 0, -60);
  EXPECT_EQ(steps(), 1u);
  EXPECT_GT((*param("bones", "joints"))[2]["at"][1].get<double>(), 0.05);
  EXPECT_EQ((*param("bones", "joints"))[1]["at"], Json({0, 0, 0}));
  editor().session.undo();
  EXPECT_TRUE(text() == before);
}

TEST_F(JointTest, WithControlANewJointIsDrawnOutInOneStep) {
  open(arm);
  choose("bones");
  const std::string before = text();
  const ImVec2 at = place("handle.joints.2");
  hold("Ctrl", true);
  drag(at, ImVec2(at.x + 5, at.y - 70));
  hold("Ctrl", false);
  settle();
  const Json joints = *param("bones", "joints");
  ASSERT_EQ(joints.size(), 4u);
  EXPECT_EQ(joints[3]["on"], "hand");
  EXPECT_GT(joints[3]["at"][1].get<double>(), 0.05);
  EXPECT_EQ(steps(), 1u);
  editor().session.undo();
  EXPECT_TRUE(text() == before);
}

TEST_F(JointTest, APoseIsMadeByDraggingAndUnmadeByLettingGo) {
  open(arm);
  choose("pose");
  const ImVec2 hand = place("handle.joints.2");
  drag_joint(2, -20, -50);
  ASSERT_TRUE(param("pose", "moves"));
  const Json moves = *param("pose", "moves");
  ASSERT_EQ(moves.size(), 1u);
  EXPECT_EQ(moves[0]["joint"], "hand");
  EXPECT_FALSE(moves[0].contains("frame"));
  EXPECT_GT(moves[0]["by"][1].get<double>(), 0.02);
  // The joint is where it was let go of, and the elbow, which nobody holds, went along.
  EXPECT_NEAR(place("handle.joints.2").x, hand.x - 20, 3);
  EXPECT_NEAR(place("handle.joints.2").y, hand.y - 50, 3);
  // It is counted from where it would be, however often it is dragged.
  drag_joint(2, 20, 50);
  EXPECT_NEAR((*param("pose", "moves"))[0]["by"][1].get<double>(), 0, 0.02);
  EXPECT_EQ(steps(), 2u);
  click(place("handle.joints.2"));
  key("Delete");
  settle();
  EXPECT_TRUE(param("pose", "moves")->empty());
}

// With Shift one more joint is chosen, and what is chosen is moved and let go of together. A click
// that misses chooses the skin besides, and leaves the joints in hand.
TEST_F(JointTest, SeveralJointsAreChosenWithShift) {
  open(arm);
  choose("pose");
  click(place("handle.joints.2"));
  settle();
  hold("Shift", true);
  click(place("handle.joints.1"));
  hold("Shift", false);
  settle();
  ASSERT_TRUE(editor().session.active());
  EXPECT_EQ(editor().session.active()->id, "pose");
  ASSERT_TRUE(sees("handle.joints.0")) << "the joints are still there";
  EXPECT_EQ(steps(), 0u);
  const ImVec2 shoulder = place("handle.joints.0"), elbow = place("handle.joints.1"),
               hand = place("handle.joints.2");
  drag_joint(1, 0, -40);
  EXPECT_EQ(steps(), 1u);
  EXPECT_EQ(param("pose", "moves")->size(), 2u);
  EXPECT_NEAR(place("handle.joints.0").y, shoulder.y, 2);
  EXPECT_NEAR(place("handle.joints.1").y, elbow.y - 40, 3);
  // The hand is nearer to the camera than the elbow: the same way looks longer there.
  EXPECT_LT(place("handle.joints.2").y, hand.y - 37);
  EXPECT_GT(place("handle.joints.2").y, hand.y - 60);
  key("Delete");
  settle();
  EXPECT_TRUE(param("pose", "moves")->empty()) << "both are let go of";
  EXPECT_EQ(steps(), 2u);
  // Once more with Shift, it is no longer chosen.
  hold("Shift", true);
  click(place("handle.joints.1"));
  hold("Shift", false);
  settle();
  drag_joint(2, 0, -30);
  ASSERT_EQ(param("pose", "moves")->size(), 1u);
  EXPECT_EQ((*param("pose", "moves"))[0]["joint"], "hand");
  // A click without Shift chooses one alone.
  click(place("handle.joints.1"));
  settle();
  drag_joint(1, 0, 20);
  EXPECT_EQ(param("pose", "moves")->size(), 2u);
  const ImVec2 a = place("handle.joints.0"), b = place("handle.joints.1");
  hold("Shift", true);
  click(ImVec2((a.x + b.x) / 2, (a.y + b.y) / 2));
  hold("Shift", false);
  settle();
  EXPECT_EQ(editor().session.active()->id, "pose");
  EXPECT_TRUE(editor().session.is_selected("skin"));
  EXPECT_TRUE(sees("handle.joints.0"));
}

TEST_F(JointTest, KeysAreSetAtThePresentFrame) {
  open(arm);
  choose("go");
  editor().player.go_to(12);
  settle();
  drag_joint(2, 0, -40);
  const Json keys = *param("go", "keys");
  ASSERT_EQ(keys.size(), 1u);
  EXPECT_EQ(keys[0]["frame"], 12.0);
  editor().player.go_to(0);
  settle();
  drag_joint(2, 0, 40);
  EXPECT_EQ(param("go", "keys")->size(), 2u);
  EXPECT_FALSE((*param("go", "keys"))[1].contains("frame"));
}

TEST_F(JointTest, EscapeGivesADragUp) {
  open(arm);
  choose("pose");
  const std::string before = text();
  const ImVec2 at = place("handle.joints.2");
  move(at);
  frame();
  press();
  move(ImVec2(at.x, at.y - 40));
  frame();
  EXPECT_FALSE(text() == before);
  key("Escape");
  release();
  EXPECT_TRUE(text() == before);
}

// A skin set is painted on the body as it is posed, and seen at once.
TEST_F(JointTest, SkinSetsArePaintedOnThePosedBody) {
  open(R"({"sinew": 1, "nodes": [
    {"id": "bar", "type": "cast.bar", "params": {"length": 2, "vertices": 2000}},
    {"id": "bones", "type": "skeleton.create", "params": {"joints": [
      {"name": "shoulder", "at": [-0.9, 0, 0]},
      {"name": "elbow", "at": [0, 0, 0], "on": "shoulder"},
      {"name": "hand", "at": [0.9, 0, 0], "on": "elbow"}]}},
    {"id": "pose", "type": "skeleton.pose", "params": {"moves": [
      {"joint": "elbow", "by": [0, 0.3, 0]}]}},
    {"id": "brush", "type": "paint.field"},
    {"id": "sets", "type": "skeleton.skin_sets", "params": {"bone": "hand"}},
    {"id": "skin", "type": "deform.mls_skin"},
    {"id": "show", "type": "view"}],
  "links": ["bar.mesh -> brush.mesh", "bar.mesh -> sets.body", "bones.skeleton -> sets.skeleton",
    "brush.field -> sets.where", "bones.skeleton -> pose.skeleton", "bar.mesh -> skin.body",
    "pose.pose -> skin.pose", "sets.sets -> skin.sets", "skin.sets -> show.value"]})");
  editor().session.select_only("brush");
  editor().tool = editor::Tool::paint;
  settle();
  const auto seen = [&] {
    const auto& values = sight().whole.meshes.at(0).values;
    return std::vector<float>(values.begin(), values.end());
  };
  const std::vector<float> before = seen();
  const ImVec2 middle = on_body();
  drag(ImVec2(middle.x - 60, middle.y), ImVec2(middle.x - 20, middle.y));
  settle();
  EXPECT_EQ(steps(), 1u);
  ASSERT_EQ(seen().size(), before.size());
  EXPECT_NE(seen(), before);
}

}  // namespace
}  // namespace sinew
