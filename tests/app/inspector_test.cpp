// The inspector with the hand of a person: what is dragged, typed and clicked, and what the
// document says then.
#include <cmath>

#include "app/editor/expose.h"
#include "app/library/animation.h"
#include "app/ui/number_box.h"
#include "tests/app/editor_fixture.h"

namespace sinew {
namespace {

using namespace editor;

// A box twisted by a field, and things of every type around it.
const char* const graph = R"({
  "sinew": 1,
  "nodes": [
    {"id": "ball", "type": "mesh.sphere", "label": "Ball"},
    {"id": "other", "type": "mesh.sphere", "params": {"radius": 2}},
    {"id": "move", "type": "mesh.transform"},
    {"id": "wave", "type": "chart.points"},
    {"id": "read", "type": "chart.sample"},
    {"id": "noise", "type": "field.noise"},
    {"id": "bend", "type": "mesh.displace", "params": {"distance": 0.25}},
    {"id": "load", "type": "mesh.load"},
    {"id": "remark", "type": "note"},
    {"id": "paint", "type": "paint.field"},
    {"id": "odd", "type": "none.such", "params": {"strange": [1, 2]}}
  ],
  "links": [
    "ball.mesh -> move.mesh",
    "ball.mesh -> noise.mesh",
    "ball.mesh -> bend.mesh",
    "noise.field -> bend.amount",
    "wave.chart -> read.chart"
  ]
})";

class Inspector : public testing::EditorTest {
 protected:
  Inspector() { open(graph); }

  void choose(const std::string& node) {
    editor().session.select_only(node);
    settle();
  }
  std::size_t steps() const { return editor().session.history().position(); }
  Json param(const std::string& node, const std::string& input) const {
    const Json* found = editor().session.param(node, input);
    return found ? *found : Json();
  }
  void type_into(const std::string& landmark, const std::string& text) {
    click(landmark);
    frames(2);
    key("Ctrl+A");
    type(text);
    key("Return");
    frames(2);
  }
  void drag_by(const std::string& landmark, float dx) {
    const ImVec2 at = place(landmark);
    drag(at, ImVec2(at.x + dx, at.y));
  }
  const InputInfo& input(const std::string& node, const std::string& name) const {
    return *editor().session.input_of(node, name);
  }
};

TEST_F(Inspector, EveryInputHasALine) {
  for (const char* id : {"ball", "move", "wave", "noise", "bend", "load", "remark", "paint"}) {
    choose(id);
    const NodeDoc& node = *editor().session.active();
    ASSERT_FALSE(editor().session.inputs_of(node).empty()) << id;
    EXPECT_TRUE(sees("param." + editor().session.inputs_of(node).front().name)) << id;
    EXPECT_TRUE(sees("inspector.label"));
  }
  EXPECT_EQ(steps(), 0u);
}

TEST_F(Inspector, ADragIsOneStep) {
  choose("ball");
  const std::string before = text();
  drag_by("param.radius", 40);
  ASSERT_EQ(steps(), 1u);
  EXPECT_TRUE(param("ball", "radius").is_number());
  EXPECT_NE(param("ball", "radius"), Json(1));
  drag_by("param.radius", -10);
  EXPECT_EQ(steps(), 2u);
  key("Ctrl+Z");
  key("Ctrl+Z");
  EXPECT_EQ(text(), before);
}

TEST_F(Inspector, ShiftIsFinerAndCtrlCoarser) {
  choose("bend");
  const auto change = [&](const char* modifier) {
    const double from = param("bend", "distance").get<double>();
    const ImVec2 at = place("param.distance");
    if (*modifier) hold(modifier, true);
    drag(at, ImVec2(at.x + 24, at.y));
    if (*modifier) hold(modifier, false);
    const double to = param("bend", "distance").get<double>();
    key("Ctrl+Z");
    return to - from;
  };
  const double usual = change(""), fine = change("Shift"), coarse = change("Ctrl");
  EXPECT_GT(fine, 0);
  EXPECT_NEAR(fine, usual / 10, usual / 50);
  EXPECT_NEAR(coarse, 10 * usual, 2 * usual);
}

TEST_F(Inspector, EscapeTakesADragBack) {
  choose("bend");
  move(place("param.distance"));
  press();
  const ImVec2 at = place("param.distance");
  for (int i = 1; i < 6; ++i) move(ImVec2(at.x + 8.0f * static_cast<float>(i), at.y));
  EXPECT_NE(param("bend", "distance"), Json(0.25));
  key("Escape");
  release();
  EXPECT_EQ(param("bend", "distance"), Json(0.25));
}

TEST_F(Inspector, TypedUnitsAreConverted) {
  choose("ball");
  type_into("param.radius", "12 cm");
  EXPECT_EQ(param("ball", "radius"), Json(0.12));
  type_into("param.radius", "3*4 mm");
  EXPECT_EQ(param("ball", "radius"), Json(0.012));
  EXPECT_EQ(steps(), 2u);
  // What makes no sense changes nothing.
  type_into("param.radius", "3 kg");
  EXPECT_EQ(param("ball", "radius"), Json(0.012));
  // What is outside of the range is put to its end.
  type_into("param.radius", "-5");
  EXPECT_EQ(param("ball", "radius").get<float>(), static_cast<float>(input("ball", "radius").min));
  EXPECT_TRUE(editor().player.messages_of("ball").empty());
}

TEST_F(Inspector, WhatIsTypedCountsWhenAnotherNodeIsChosen) {
  choose("ball");
  click("param.radius");
  frames(2);
  key("Ctrl+A");
  type("0.6");
  ASSERT_TRUE(ui::typing_a_number());
  // As the canvas does it: a click elsewhere, and another node is chosen in the same frame.
  const ImVec2 empty = place("node.other");
  click(empty);
  frames(2);
  EXPECT_EQ(param("ball", "radius"), Json(0.6));
}

TEST_F(Inspector, AltAndTheWheelNudge) {
  choose("bend");
  hold("Alt", true);
  wheel(place("param.distance"), 1);
  wheel(place("param.distance"), 1);
  hold("Alt", false);
  frames(2);
  EXPECT_GT(param("bend", "distance").get<double>(), 0.25);
  EXPECT_EQ(steps(), 1u);
  wheel(place("param.distance"), 1);
  EXPECT_EQ(steps(), 1u) << "without Alt the page scrolls";
}

TEST_F(Inspector, ResetPutsTheStandardValueBack) {
  choose("other");
  ASSERT_TRUE(sees("reset.radius"));
  click("reset.radius");
  frames(2);
  EXPECT_TRUE(param("other", "radius").is_null());
  EXPECT_FALSE(sees("reset.radius"));
  EXPECT_EQ(steps(), 1u);
}

TEST_F(Inspector, AVectorHasThreeSliders) {
  choose("move");
  const std::string name = [&] {
    for (const InputInfo& info : editor().session.inputs_of(*editor().session.active()))
      if (info.type == &type_of<Vec3>()) return info.name;
    return std::string();
  }();
  ASSERT_FALSE(name.empty());
  type_into("param." + name + ".y", "2");
  ASSERT_TRUE(param("move", name).is_array());
  EXPECT_EQ(param("move", name)[1], Json(2));
}

TEST_F(Inspector, WhatIsLinkedIsReadOnlyAndLeadsToItsSource) {
  choose("bend");
  const std::string before = text();
  drag_by("param.amount", 40);
  EXPECT_EQ(text(), before);
  choose("bend");
  click("param.amount");
  frames(2);
  ASSERT_TRUE(editor().session.active());
  EXPECT_EQ(editor().session.active()->id, "noise");
  EXPECT_EQ(text(), before);
}

TEST_F(Inspector, SeveralNodesAreChangedInOneStep) {
  editor().session.select({"ball", "other"});
  settle();
  type_into("param.radius", "0.75");
  EXPECT_EQ(param("ball", "radius"), Json(0.75));
  EXPECT_EQ(param("other", "radius"), Json(0.75));
  EXPECT_EQ(steps(), 1u);
}

TEST_F(Inspector, AnimationWithoutExpressions) {
  choose("bend");
  click("animate.distance");
  frames(2);
  ASSERT_TRUE(param("bend", "distance").contains("animate"));
  EXPECT_EQ(param("bend", "distance")["animate"]["points"], Json::parse("[[0, 0.25]]"));
  EXPECT_EQ(editor().chart, (ChartFocus{"bend", "distance"}));
  editor().player.go_to(20);
  settle();
  type_into("param.distance", "0.75");
  EXPECT_EQ(param("bend", "distance")["animate"]["points"], Json::parse("[[0, 0.25], [20, 0.75]]"));
  // Halfway it is in between, and a drag there sets a key.
  editor().player.go_to(10);
  settle();
  drag_by("param.distance", 30);
  EXPECT_EQ(param("bend", "distance")["animate"]["points"].size(), 3u);
  EXPECT_EQ(steps(), 3u);
  click("key_after.distance");
  EXPECT_EQ(editor().player.frame(), 20);
  click("key_before.distance");
  EXPECT_EQ(editor().player.frame(), 10);
  settle();
  click("animate.distance");
  frames(2);
  EXPECT_EQ(param("bend", "distance")["animate"]["points"], Json::parse("[[0, 0.25], [20, 0.75]]"));
  EXPECT_TRUE(editor().player.messages_of("bend").empty());
  // What it is now stays when it no longer changes.
  editor().player.go_to(20);
  settle();
  click("param_label.distance", MouseButton::right);
  frames(2);
  click("item.Stop animating");
  frames(2);
  EXPECT_EQ(param("bend", "distance"), Json(0.75));
}

TEST_F(Inspector, ALabelIsOneStep) {
  choose("bend");
  click("inspector.label");
  frames(2);
  type("Bumps");
  EXPECT_EQ(steps(), 0u);
  key("Return");
  EXPECT_EQ(editor().session.active()->label, "Bumps");
  EXPECT_EQ(steps(), 1u);
}

TEST_F(Inspector, ValuesAreCopiedAsText) {
  choose("other");
  click("param_label.radius", MouseButton::right);
  frames(2);
  click("item.Copy value");
  frames(2);
  choose("ball");
  click("param_label.radius", MouseButton::right);
  frames(2);
  click("item.Paste value");
  frames(2);
  EXPECT_EQ(param("ball", "radius"), Json(2));
}

TEST_F(Inspector, PresetsOfANode) {
  choose("other");
  click("inspector.presets");
  frames(2);
  click("inspector.preset_name");
  type("Large");
  key("Return");
  frames(2);
  choose("ball");
  click("inspector.presets");
  frames(2);
  click("item.Large");
  frames(2);
  EXPECT_EQ(param("ball", "radius"), Json(2));
  EXPECT_EQ(steps(), 1u);
  click("inspector.presets");
  frames(2);
  click("item.Standard values");
  frames(2);
  EXPECT_TRUE(editor().session.active()->params.empty());
}

TEST_F(Inspector, TheDocumentIsShownWhenNothingIsChosen) {
  editor().session.clear_selection();
  settle();
  click("document.title");
  frames(2);
  type("Worm");
  key("Return");
  EXPECT_EQ(doc().meta.title, "Worm");
  type_into("document.fps", "60");
  EXPECT_EQ(doc().settings.fps, 60);
  type_into("document.last frame", "50 + 10");
  EXPECT_EQ(doc().settings.last_frame, 60);
  EXPECT_EQ(steps(), 3u);
}

TEST_F(Inspector, UnknownNodesAreLeftAlone) {
  const std::string before = text();
  choose("odd");
  EXPECT_TRUE(sees("param.strange"));
  drag_by("param.strange", 30);
  EXPECT_EQ(text(), before);
}

TEST_F(Inspector, TheHistoryGoesAnywhere) {
  choose("ball");
  const std::string before = text();
  type_into("param.radius", "0.3");
  type_into("param.radius", "0.4");
  type_into("param.radius", "0.5");
  editor().bring_forward("History");
  frames(3);
  click("history.1");
  EXPECT_EQ(param("ball", "radius"), Json(0.3));
  click("history.3");
  EXPECT_EQ(param("ball", "radius"), Json(0.5));
  click("history.0");
  EXPECT_EQ(text(), before);
}

TEST_F(Inspector, MessagesLeadToTheirNodes) {
  editor().bring_forward("Messages");
  settle();
  ASSERT_FALSE(editor().player.messages().empty());
  ASSERT_TRUE(sees("message.0"));
  click("message.0");
  ASSERT_TRUE(editor().session.active());
}

TEST_F(Inspector, WhatIsPaintedHasItsTool) {
  choose("paint");
  ASSERT_TRUE(sees("tool_button.strokes"));
  click("tool_button.strokes");
  EXPECT_EQ(editor().tool, Tool::paint);
  click("tool_button.strokes");
  EXPECT_EQ(editor().tool, Tool::look);
}

TEST_F(Inspector, AParameterIsExposedInOneStep) {
  open(R"({
    "sinew": 1,
    "nodes": [{"id": "one", "type": "group", "group": "g"}],
    "groups": {"g": {"outputs": [{"id": "mesh", "type": "mesh"}],
      "nodes": [{"id": "ball", "type": "mesh.sphere", "params": {"radius": 2}},
                {"id": "out", "type": "group.output"}],
      "links": ["ball.mesh -> out.mesh"]}}
  })");
  ASSERT_TRUE(editor().session.enter("one"));
  choose("ball");
  const std::string before = text();
  click("param_label.radius", MouseButton::right);
  frames(2);
  click("item.Expose in the group");
  frames(2);
  const GroupDoc& group = doc().groups.at("g");
  ASSERT_EQ(group.inputs.size(), 1u);
  EXPECT_EQ(group.inputs[0].id, "radius");
  EXPECT_EQ(group.inputs[0].standard, Json(2));
  EXPECT_EQ(group.inputs[0].extra["unit"], "m");
  ASSERT_EQ(group.graph.links.size(), 2u);
  EXPECT_EQ(steps(), 1u);
  EXPECT_FALSE(why_not_exposed(editor().session, "ball", "radius").empty()) << "it is linked now";
  // The instance has a slider of its own, with the range of the one inside.
  editor().session.leave();
  settle();
  type_into("param.radius", "300 cm");
  EXPECT_EQ(param("one", "radius"), Json(3));
  key("Ctrl+Z");
  key("Ctrl+Z");
  EXPECT_EQ(text(), before);
}

TEST_F(Inspector, NumbersFollowTheChosenOutput) {
  choose("ball");
  editor().bring_forward("Numbers");
  settle();
  ASSERT_TRUE(sees("numbers.output"));
  ASSERT_TRUE(sees("numbers.table"));
  ASSERT_TRUE(sees("table.triangle"));
  click("table.triangle");
  click("numbers.copy");
  const std::string copied = ImGui::GetClipboardText();
  EXPECT_EQ(copied.substr(0, copied.find('\n')), "triangle\ta\tb\tc");
  choose("noise");
  EXPECT_TRUE(sees("numbers.table"));
  EXPECT_FALSE(sees("table.triangle"));
}

TEST(Animation, KeysOfChartsOverSecondsAndOfCycles) {
  const Json seconds = Json::parse(R"({"animate": [[0, 1], [2, 3]]})");
  EXPECT_EQ(key_frames(seconds, {0, 25}), (std::vector<double>{0, 50}));
  EXPECT_EQ(with_key(seconds, 0, 7, {3, 25})["animate"],
            Json::parse("[[0, 1], [0.12, 7], [2, 3]]"));
  const Json cycle = Json::parse(
      R"({"animate": {"points": [[0, 1], [4, 2]], "x_unit": "frames", "extension": "cyclic", "period": 10}})");
  EXPECT_EQ(key_frames(cycle, {23, 25}), (std::vector<double>{20, 24}));
  EXPECT_EQ(with_key(cycle, 0, 9, {24, 25})["animate"]["points"], Json::parse("[[0, 1], [4, 9]]"));
  const Json three = Json::parse(
      R"({"animate": [1, {"points": [[5, 2]], "x_unit": "frames"}, {"points": [[5, 2], [9, 1]], "x_unit": "frames"}]})");
  EXPECT_EQ(key_frames(three, {0, 25}), (std::vector<double>{5, 9}));
  EXPECT_EQ(with_key(three, 0, 4, {7, 25})["animate"][0]["points"], Json::parse("[[7, 4]]"));
  EXPECT_EQ(without_key(three, {5, 25})["animate"][1]["points"], Json::parse("[[5, 2]]"))
      << "the last key stays";
  EXPECT_EQ(without_key(three, {5, 25})["animate"][2]["points"], Json::parse("[[9, 1]]"));
  EXPECT_EQ(key_before(three, {9, 25}), 5);
  EXPECT_EQ(key_after(three, {9, 25}), std::nullopt);
}

TEST_F(Inspector, AnAngleTurnsAsTheHandGoes) {
  choose("move");
  const ImVec2 from = place("param.rotate.x");
  drag(from, ImVec2(from.x + 60, from.y));
  const Json turned = param("move", "rotate");
  ASSERT_TRUE(turned.is_array());
  EXPECT_GT(turned[0].get<double>(), 20);
  EXPECT_LT(turned[0].get<double>(), 60);
}

TEST_F(Inspector, WhatIsOutOfRangeIsShownAndCanBeReset) {
  open(R"({"sinew": 1, "nodes": [{"id": "ball", "type": "mesh.sphere",
                                  "params": {"radius": -3}}]})");
  choose("ball");
  ASSERT_TRUE(sees("reset.radius"));
  click("reset.radius");
  EXPECT_TRUE(param("ball", "radius").is_null());
}

TEST_F(Inspector, EscapeClosesAParametersMenuAndAChoice) {
  choose("ball");
  click("param_label.radius", MouseButton::right);
  frames(2);
  ASSERT_TRUE(sees("item.Reset"));
  key("Escape");
  EXPECT_FALSE(sees("item.Reset"));
}

TEST_F(Inspector, ALongTextIsReadAndThenWritten) {
  editor().session.clear_selection();
  frames(3);
  click("document.description");
  frames(3);
  type("It swims.");
  click("document.title");
  frames(3);
  EXPECT_EQ(doc().meta.description, "It swims.");
  EXPECT_EQ(steps(), 1u);
}

TEST_F(Inspector, AVectorSaysWhereItEnds) {
  choose("move");
  type_into("param.rotate.x", "1000000");
  EXPECT_EQ(param("move", "rotate")[0], 36000);
  ASSERT_FALSE(editor().notices().empty());
  EXPECT_EQ(editor().notices().back().text, "Rotate goes from -36000 to 36000");
}

}  // namespace
}  // namespace sinew
