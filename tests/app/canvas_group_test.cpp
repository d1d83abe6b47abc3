// Groups on the canvas: made, entered, given sockets and names, and taken apart; what is inside of
// them is seen and said from outside.
#include <algorithm>

#include "app/editor/titles.h"
#include "tests/app/canvas_fixture.h"

namespace sinew {
namespace {

using testing::CanvasTest;
using testing::chain;

TEST_F(CanvasTest, GroupsAreMadeEnteredAndLeft) {
  open(chain);
  click("node.smooth");
  key("Ctrl+G");
  ASSERT_TRUE(doc().groups.contains("group"));
  ASSERT_TRUE(body().find("group"));
  EXPECT_TRUE(has_link("box.mesh", "group.mesh"));
  double_click("node.group");
  frames(3);
  EXPECT_EQ(editor().session.graph_name(), "group");
  EXPECT_TRUE(sees("breadcrumb.0"));
  ASSERT_TRUE(sees("node.smooth"));

  // A parameter of a node inside becomes one of the group.
  click("more.smooth");
  frames(2);
  click("pin.smooth.iterations.in", MouseButton::right);
  frames(2);
  const std::size_t before = steps();
  click("menu.expose");
  const GroupDoc& group = doc().groups.at("group");
  ASSERT_EQ(group.inputs.size(), 2u);
  EXPECT_EQ(group.inputs[1].id, "iterations");
  EXPECT_TRUE(has_link("input.iterations", "smooth.iterations"));
  EXPECT_EQ(steps(), before + 1);
  click("breadcrumb.0");
  frames(2);
  EXPECT_TRUE(editor().session.place().empty());
  EXPECT_TRUE(editor().session.is_selected("group"));
}

TEST_F(CanvasTest, AGroupIsTakenApartAgain) {
  open(chain);
  click("node.smooth");
  key("Ctrl+G");
  ASSERT_TRUE(body().find("group"));
  key("Ctrl+Alt+G");
  EXPECT_FALSE(body().find("group"));
  EXPECT_TRUE(doc().groups.empty());
  EXPECT_TRUE(has_link("box.mesh", "smooth.mesh"));
  EXPECT_TRUE(has_link("smooth.mesh", "view.value"));
}

constexpr const char* grouped = R"({"sinew": 1,
  "nodes": [
    {"id": "box", "type": "mesh.box"},
    {"id": "low", "type": "group", "group": "soft_part"},
    {"id": "view", "type": "view"}],
  "links": ["box.mesh -> low.mesh", "low.mesh -> view.value"],
  "groups": {"soft_part": {
    "inputs": [{"id": "mesh", "type": "mesh"}],
    "outputs": [{"id": "mesh", "type": "mesh"}],
    "nodes": [
      {"id": "input", "type": "group.input"},
      {"id": "smooth", "type": "mesh.smooth",
       "params": {"strength": {"animate": [[0, 0.1], [10, 0.5]]}}},
      {"id": "noise", "type": "field.noise"},
      {"id": "output", "type": "group.output"}],
    "links": ["input.mesh -> smooth.mesh", "smooth.mesh -> output.mesh",
              "input.mesh -> noise.mesh"],
    "layout": {"nodes": {"input": {"at": [0, 0]}, "smooth": {"at": [300, 0]},
                         "noise": {"at": [300, 160]}, "output": {"at": [600, 0]}}}}}})";

TEST_F(CanvasTest, AGroupGetsSocketsOtherNamesAndLosesThem) {
  open(grouped);
  ASSERT_TRUE(editor().session.enter("low"));
  frames(3);
  const auto group = [&]() -> const GroupDoc& { return doc().groups.at("soft_part"); };
  // A link that is dropped on the border becomes a socket; the one that was there stays.
  drag(place("pin.noise.field.out"), place("node.output"));
  ASSERT_EQ(group().outputs.size(), 2u);
  EXPECT_EQ(group().outputs[1].id, "field");
  EXPECT_TRUE(has_link("noise.field", "output.field"));
  EXPECT_TRUE(has_link("smooth.mesh", "output.mesh"));
  EXPECT_EQ(steps(), 1u);
  // Another name; links stay.
  click("pin.output.field.in", MouseButton::right);
  frames(2);
  click("menu.rename_socket");
  frames(3);
  ASSERT_TRUE(sees("canvas.rename"));
  key("Ctrl+A");
  type("Bumps");
  key("Return");
  EXPECT_EQ(group().outputs[1].name, "Bumps");
  EXPECT_TRUE(has_link("noise.field", "output.field"));
  // Away with the mesh: also with the link of the instance.
  click("pin.output.mesh.in", MouseButton::right);
  frames(2);
  click("menu.unexpose");
  ASSERT_EQ(group().outputs.size(), 1u);
  EXPECT_FALSE(has_link("smooth.mesh", "output.mesh"));
  EXPECT_EQ(doc().graph.links.size(), 1u);
  // By a menu, too.
  click("pin.smooth.mesh.out", MouseButton::right);
  frames(2);
  click("menu.expose");
  ASSERT_EQ(group().outputs.size(), 2u);
  EXPECT_TRUE(has_link("smooth.mesh", "output.mesh"));
  for (int i = 0; i < 4; ++i) key("Ctrl+Z");
  EXPECT_EQ(group().outputs.size(), 1u);
  EXPECT_EQ(doc().graph.links.size(), 2u);
}

TEST_F(CanvasTest, AnInputPulledToTheBorderIsExposed) {
  open(grouped);
  ASSERT_TRUE(editor().session.enter("low"));
  frames(3);
  click("more.noise");
  frames(2);
  drag(place("pin.noise.scale.in"), place("node.input"));
  const GroupDoc& group = doc().groups.at("soft_part");
  ASSERT_EQ(group.inputs.size(), 2u);
  EXPECT_EQ(group.inputs[1].id, "scale");
  EXPECT_TRUE(has_link("input.scale", "noise.scale"));
}

TEST_F(CanvasTest, WhatIsExposedKeepsMoving) {
  open(grouped);
  const Json moving = *editor()
                           .session.doc()
                           .groups.at("soft_part")
                           .graph.find("smooth")
                           ->params.begin()
                           ->second.begin();
  ASSERT_TRUE(editor().session.enter("low"));
  ASSERT_TRUE(editor::expose(editor().session, "smooth", "strength"));
  const NodeDoc* instance = doc().graph.find("low");
  ASSERT_TRUE(instance->params.contains("strength"));
  EXPECT_EQ(instance->params.at("strength")["animate"], moving);
  EXPECT_EQ(steps(), 1u);
  settle();
  for (const NodeMessage& m : editor().player.messages())
    EXPECT_NE(m.message.severity, Severity::error) << m.path << ": " << m.message.text;
}

TEST_F(CanvasTest, TheBorderOfAGroupIsNotTakenAlong) {
  open(grouped);
  ASSERT_TRUE(editor().session.enter("low"));
  frames(3);
  move(empty());
  frames(2);
  key("Ctrl+A");
  EXPECT_EQ(editor().session.selection().size(), 4u);
  key("Ctrl+D");
  EXPECT_EQ(body().nodes.size(), 6u);
  key("Ctrl+Z");
  key("Ctrl+A");
  key("Ctrl+C");
  key("Ctrl+V");
  EXPECT_EQ(body().nodes.size(), 6u);
  key("Ctrl+Z");
  key("Ctrl+A");
  key("Ctrl+G");
  EXPECT_TRUE(doc().groups.contains("group"));
  EXPECT_EQ(body().nodes.size(), 3u);
  EXPECT_TRUE(body().find("input"));
}

TEST_F(CanvasTest, AnEyeFollowsIntoAGroupAndOut) {
  open(chain);
  editor().player.show({"smooth.mesh"});
  frames(2);
  click("node.smooth");
  key("Ctrl+G");
  EXPECT_EQ(editor().player.shown(), (std::vector<std::string>{"group/smooth.mesh"}));
  key("Ctrl+Alt+G");
  EXPECT_EQ(editor().player.shown(), (std::vector<std::string>{"smooth.mesh"}));
  key("Ctrl+Z");
  key("Ctrl+Z");
  EXPECT_EQ(editor().player.shown(), (std::vector<std::string>{"smooth.mesh"}));
  // The output of an instance is what is linked to it inside.
  editor().session.select_only("smooth");
  frames(2);
  key("Ctrl+G");
  editor().player.show({"group.mesh"});
  editor().session.select_only("group");
  frames(2);
  key("Ctrl+Alt+G");
  EXPECT_EQ(editor().player.shown(), (std::vector<std::string>{"smooth.mesh"}));
}

TEST_F(CanvasTest, ThingsAreCalledByTheirTitles) {
  open(grouped);
  const editor::Session& session = editor().session;
  EXPECT_EQ(editor::title_of(session, "low"), "Soft part");
  EXPECT_EQ(session.inputs_of(*session.body().find("low")).front().label, "Mesh");
  open(R"({"sinew": 1, "nodes": [{"id": "a", "type": "mesh.smooth", "label": "First"},
    {"id": "b", "type": "mesh.smooth", "label": "Second"}], "links": ["a.mesh -> b.mesh"]})");
  drag(place("pin.b.mesh.out"), place("pin.a.mesh.in"));
  EXPECT_EQ(body().links.size(), 1u);
  ASSERT_FALSE(editor().notices().empty());
  EXPECT_NE(editor().notices().back().text.find("First"), std::string::npos);
  EXPECT_NE(editor().notices().back().text.find("Second"), std::string::npos);
}

TEST_F(CanvasTest, MessagesFromInsideNameTheirNodes) {
  open(grouped);
  const editor::Session& session = editor().session;
  EXPECT_EQ(editor::title_of_path(session, "low/noise"), "Soft part / Noise");
  EXPECT_EQ(editor::title_of_path(session, "low/gone"), "Soft part / gone");
}

TEST_F(CanvasTest, TimesOfNodesStayAndAreSummedInGroups) {
  open(grouped);
  editor().actions.run("canvas.heat");
  frames(2);
  EXPECT_TRUE(sees("heat.box"));
  EXPECT_TRUE(sees("heat.low"));
  // Only the last node is evaluated anew.
  (void)editor().session.apply({"Name", {edit::SetLabel{"", "view", "See"}}, {}});
  settle();
  frames(2);
  EXPECT_TRUE(sees("heat.box"));
  EXPECT_TRUE(sees("heat.low"));
}

}  // namespace
}  // namespace sinew
