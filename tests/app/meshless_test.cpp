// Bodies posed by places on their surface: held, pulled, let go of; keys in the viewport and on the
// timeline; what a chosen node shows beside the rest.
#include <algorithm>
#include <random>

#include "tests/app/viewport_fixture.h"

namespace sinew {
namespace {

using testing::ViewportTest;

constexpr const char* posed = R"({"sinew": 1, "nodes": [
    {"id": "bar", "type": "mesh.box", "params": {"size": [2, 0.3, 0.3], "segments_x": 16,
      "segments_y": 3, "segments_z": 3}},
    {"id": "body", "type": "meshless.nodes", "params": {"count": 16}},
    {"id": "pose", "type": "meshless.pose", "params": {"handles": [
      {"name": "root", "at": [-1, 0, 0], "radius": 0.2}]}},
    {"id": "show", "type": "view"}],
  "links": ["bar.mesh -> body.mesh", "body.body -> pose.body", "pose.mesh -> show.value"]})";

constexpr const char* keyed = R"({"sinew": 1, "settings": {"last_frame": 48, "fps": 24}, "nodes": [
    {"id": "bar", "type": "mesh.box", "params": {"size": [2, 0.3, 0.3], "segments_x": 16,
      "segments_y": 3, "segments_z": 3}},
    {"id": "body", "type": "meshless.nodes", "params": {"count": 16}},
    {"id": "keys", "type": "meshless.keys", "params": {
      "handles": [{"name": "tip", "at": [1, 0, 0]}],
      "keys": [{"frame": 0}, {"frame": 24, "move": [0, 0.6, 0]}]}},
    {"id": "motion", "type": "meshless.motion", "params": {"frames": 6, "accuracy": 1}},
    {"id": "play", "type": "meshless.play"},
    {"id": "show", "type": "view"}],
  "links": ["bar.mesh -> body.mesh", "body.body -> keys.body", "keys.keys -> motion.keys",
    "motion.motion -> play.motion", "play.mesh -> show.value"]})";

class MeshlessTest : public ViewportTest {
 protected:
  void choose(const std::string& node) {
    editor().session.select_only(node);
    settle();
    settle();
  }
  // It may have left the picture.
  void go_to_and_see(int frame) {
    editor().player.go_to(frame);
    settle();
    settle();
    ASSERT_TRUE(editor().actions.run("viewport.frame_all"));
    frames(40);
    settle();
  }
  Json param(const std::string& node, const std::string& input) {
    const Json* found = editor().session.param(node, input);
    return found ? *found : Json();
  }
  // The highest place of the first body that is seen.
  float top() {
    float y = -1e9f;
    for (const auto& p : sight().whole.meshes.at(0).positions) y = std::max(y, p.y());
    return y;
  }
  void pull(int anchor, const std::string& name, float x, float y) {
    const ImVec2 at = place("handle." + name + "." + std::to_string(anchor));
    drag(at, ImVec2(at.x + x, at.y + y));
    settle();
    settle();
  }
  ImVec2 beside_middle(float x) {
    const ImVec2 middle = on_body();
    return ImVec2(middle.x + x, middle.y);
  }
};

TEST_F(MeshlessTest, ATouchHoldsTheBodyThere) {
  open(posed);
  choose("pose");
  editor().tool = editor::Tool::touch;
  settle();
  const std::string before = text();
  click(beside_middle(60));
  settle();
  settle();
  ASSERT_EQ(param("pose", "handles").size(), 2u);
  EXPECT_EQ(steps(), 1u);
  const Json at = param("pose", "handles")[1]["at"];
  EXPECT_LE(std::abs(at[0].get<double>()), 1.001);
  // It is chosen, and can be pulled with the same tool.
  pull(1, "handles", 0, -40);
  EXPECT_EQ(steps(), 2u);
  EXPECT_GT(param("pose", "handles")[1]["by"][1].get<double>(), 0.02);
  editor().session.undo();
  editor().session.undo();
  EXPECT_TRUE(text() == before);
}

TEST_F(MeshlessTest, ATouchThatIsDraggedPullsAtOnceInOneStep) {
  open(posed);
  choose("pose");
  editor().tool = editor::Tool::touch;
  settle();
  const std::string before = text();
  const float height = top();
  const ImVec2 at = beside_middle(70);
  move(at);
  frame();
  press();
  settle();
  settle();
  for (int i = 1; i <= 8; ++i) {
    move(ImVec2(at.x, at.y - 8.0f * static_cast<float>(i)));
    frame();
    editor().player.settle();
  }
  release();
  settle();
  settle();
  ASSERT_EQ(param("pose", "handles").size(), 2u);
  EXPECT_GT(param("pose", "handles")[1]["by"][1].get<double>(), 0.05);
  EXPECT_EQ(steps(), 1u);
  EXPECT_GT(top(), height + 0.05f) << "what is shown follows";
  editor().session.undo();
  EXPECT_TRUE(text() == before);
}

// The place is one of the body at rest, wherever the body is now.
TEST_F(MeshlessTest, PlacesAreThoseOfTheBodyAtRest) {
  open(keyed);
  go_to_and_see(24);
  choose("keys");
  editor().tool = editor::Tool::touch;
  settle();
  const auto& mesh = sight().whole.meshes.at(0);
  const auto middle = sight().place(mesh.positions[mesh.triangles[0][0]]);
  ASSERT_TRUE(middle);
  Eigen::Vector3f sum(0, 0, 0);
  for (const auto& p : mesh.positions) sum += p;
  sum /= static_cast<float>(mesh.positions.size());
  EXPECT_NEAR(sum.y(), 0.6f, 0.05f);
  // Beside the middle, where the handle of the whole body is.
  click(*sight().place(sum + Eigen::Vector3f(0.5f, 0, 0)));
  settle();
  const Json handles = param("keys", "handles");
  ASSERT_EQ(handles.size(), 2u);
  EXPECT_LT(std::abs(handles[1]["at"][1].get<double>()), 0.16);
}

TEST_F(MeshlessTest, DeleteLetsGoAndThenRemoves) {
  open(posed);
  choose("pose");
  pull(0, "handles", 10, -30);
  ASSERT_TRUE(param("pose", "handles")[0].contains("by"));
  click(place("handle.handles.0"));
  key("Delete");
  settle();
  settle();
  ASSERT_EQ(param("pose", "handles").size(), 1u);
  EXPECT_FALSE(param("pose", "handles")[0].contains("by"));
  key("Delete");
  settle();
  EXPECT_TRUE(param("pose", "handles").empty());
}

TEST_F(MeshlessTest, DeleteTakesAHandleFromAllKeys) {
  open(keyed);
  choose("keys");
  pull(1, "keys", 0, -20);
  ASSERT_TRUE(param("keys", "keys")[0].contains("handles"));
  go_to_and_see(24);
  pull(1, "keys", 0, -20);
  ASSERT_TRUE(param("keys", "keys")[1].contains("handles"));
  click(place("handle.keys.1"));
  key("Delete");
  settle();
  settle();
  EXPECT_FALSE(param("keys", "keys")[1].contains("handles"));
  EXPECT_TRUE(param("keys", "keys")[0].contains("handles"));
  EXPECT_EQ(param("keys", "handles").size(), 1u);
  key("Delete");
  settle();
  EXPECT_TRUE(param("keys", "handles").empty());
  EXPECT_FALSE(param("keys", "keys")[0].contains("handles"));
}

TEST_F(MeshlessTest, TheBodyIsKeyedAtThePresentFrame) {
  open(keyed);
  editor().player.go_to(12);
  choose("keys");
  const std::string before = text();
  pull(0, "keys", 0, -30);
  const Json keys = param("keys", "keys");
  ASSERT_EQ(keys.size(), 3u);
  EXPECT_EQ(keys[1]["frame"], 12);
  EXPECT_GT(keys[1]["move"][1].get<double>(), 0.32);
  EXPECT_EQ(steps(), 1u);
  editor().session.undo();
  EXPECT_TRUE(text() == before);
}

TEST_F(MeshlessTest, GhostsAreSeenWhileTheirNodeIsChosen) {
  open(keyed);
  choose("bar");
  const std::size_t meshes = sight().list.meshes.size();
  const auto ran = [&](const std::string& path, int output) {
    return editor().player.shot()->result(path, output) != nullptr;
  };
  EXPECT_FALSE(ran("keys", 0));
  choose("keys");
  EXPECT_EQ(sight().list.meshes.size(), meshes + 2) << "one for each key";
  EXPECT_TRUE(ran("keys", 0));
  choose("motion");
  EXPECT_EQ(sight().list.meshes.size(), meshes);
  EXPECT_FALSE(sight().list.lines.empty()) << "the ways of a motion";
  choose("bar");
  EXPECT_EQ(sight().list.meshes.size(), meshes);
  EXPECT_TRUE(sight().list.lines.empty());
}

TEST_F(MeshlessTest, ChartsThatANodeGivesAreSeen) {
  open(keyed);
  editor().bring_forward("Chart");
  choose("motion");
  frames(3);
  EXPECT_TRUE(sees("chart.curve.energy"));
  EXPECT_TRUE(sees("chart.curve.energy_start"));
  EXPECT_TRUE(sees("chart.mark.24"));
  const std::string before = text();
  click("chart.curve.energy_start");
  frames(2);
  drag(place("chart.plot"), ImVec2(place("chart.plot").x + 30, place("chart.plot").y + 10));
  EXPECT_TRUE(text() == before) << "only to be seen";
}

class PoseKeysTest : public MeshlessTest {
 protected:
  std::vector<int> key_frames() {
    std::vector<int> frames;
    for (const Json& key : param("keys", "keys")) frames.push_back(key["frame"].get<int>());
    return frames;
  }
  // What the evaluation says of the nodes at the present frame.
  std::string said() {
    settle();
    std::string text;
    for (const NodeMessage& m : editor().player.messages()) text += m.path + ": " + m.message.text;
    return text;
  }
  float frame_pixels() {
    return (place("timeline.key.keys.keys.1").x - place("timeline.key.keys.keys.0").x) / 24;
  }
};

TEST_F(PoseKeysTest, AreDraggedInTime) {
  open(keyed);
  choose("keys");
  const std::string before = text();
  const ImVec2 at = place("timeline.key.keys.keys.1");
  drag(at, ImVec2(at.x + 12 * frame_pixels(), at.y));
  EXPECT_EQ(key_frames(), (std::vector{0, 36}));
  EXPECT_EQ(steps(), 1u);
  // Never past their neighbours.
  const ImVec2 there = place("timeline.key.keys.keys.1");
  drag(there, ImVec2(there.x - 60 * frame_pixels(), there.y));
  EXPECT_EQ(key_frames(), (std::vector{0, 1}));
  editor().session.undo();
  editor().session.undo();
  EXPECT_TRUE(text() == before);
}

TEST_F(PoseKeysTest, AreRemovedByRightClickAndDelete) {
  open(keyed);
  choose("keys");
  click("timeline.key.keys.keys.1", MouseButton::right);
  frame();
  EXPECT_EQ(key_frames(), std::vector{0});
  editor().session.undo();
  frames(2);
  move(place("timeline.key.keys.keys.0"));
  frames(2);
  key("Delete");
  EXPECT_EQ(key_frames(), std::vector{24});
  EXPECT_TRUE(editor().session.body().find("keys")) << "the node itself stays";
}

TEST_F(PoseKeysTest, AreAddedWhereTheBodyIs) {
  open(keyed);
  choose("keys");
  editor().player.go_to(6);
  settle();
  click("button.add_key");
  frame();
  EXPECT_EQ(key_frames(), (std::vector{0, 6, 24}));
  EXPECT_NEAR(param("keys", "keys")[1]["move"][1].get<double>(), 0.15, 1e-5);
  EXPECT_EQ(steps(), 1u);
  EXPECT_EQ(said(), "");
  editor().player.go_to(40);
  settle();
  key("K");
  EXPECT_EQ(key_frames(), (std::vector{0, 6, 24, 40}));
  EXPECT_EQ(said(), "");
  EXPECT_FALSE(sight().whole.meshes.empty());
  choose("bar");
  EXPECT_FALSE(sees("button.add_key"));
}

// The frames that an artist sets keys at have any number of digits, and come in any order.
TEST_F(PoseKeysTest, AtAnyFramesLeaveTheBodyInSight) {
  open(keyed);
  choose("keys");
  std::mt19937 random(25);
  for (int i = 0; i < 12; ++i) {
    editor().player.go_to(std::uniform_int_distribution<int>(1, 48)(random));
    settle();
    key("K");
    ASSERT_EQ(said(), "") << "keys at " << ::testing::PrintToString(key_frames());
    ASSERT_FALSE(sight().whole.meshes.empty());
  }
  EXPECT_GT(key_frames().size(), 8u);
}

// A body without keys stands, and can be taken all the same.
TEST_F(PoseKeysTest, BeginWithAHand) {
  open(keyed);
  ASSERT_TRUE(editor().session.set_param("keys", "keys", Json::array(), ""));
  editor().player.go_to(8);
  choose("keys");
  pull(0, "keys", 20, 0);
  EXPECT_EQ(key_frames(), std::vector{8});
}

}  // namespace
}  // namespace sinew
