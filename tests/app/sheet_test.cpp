// Literals that are sheets of numbers: as a table in the inspector, and as curves in the chart
// editor.
#include <cmath>

#include "tests/app/editor_fixture.h"
#include "tests/app/work_nodes.h"

namespace sinew {
namespace {

constexpr const char* graph = R"({
  "sinew": 1, "nodes": [{"id": "a", "type": "test.poses"}, {"id": "b", "type": "test.poses"}],
  "links": ["a.poses -> b.poses"]})";

class SheetTest : public testing::EditorTest {
 protected:
  SheetTest() : EditorTest(1440, 900, &testing::work_registry()) {
    open(graph);
    choose("a");
  }
  void choose(const std::string& node) {
    editor().session.select_only(node);
    settle();
  }
  // As it counts.
  Json poses() const {
    const Json* given = editor().session.param("a", "poses");
    return given ? *given : editor().session.input_of("a", "poses")->standard.to_json();
  }
  double time(std::size_t i) const { return poses()["poses"][i]["time"].get<double>(); }
  double amplitude(std::size_t pose, std::size_t mode) const {
    return poses()["poses"][pose]["amplitudes"][mode].get<double>();
  }
  std::size_t count() const { return poses()["poses"].size(); }
  std::vector<std::string> modes() const {
    return poses()["modes"].get<std::vector<std::string>>();
  }
  std::size_t steps() const { return editor().session.history().position(); }
  void drag_by(const std::string& landmark, float dx, float dy = 0) {
    const ImVec2 at = place(landmark);
    drag(at, ImVec2(at.x + dx, at.y + dy));
    frames(2);
  }
  void type_into(const std::string& landmark, const std::string& text) {
    click(landmark);
    frames(2);
    key("Ctrl+A");
    type(text);
    key("Return");
    frames(2);
  }
  std::string last_notice() const {
    return editor().notices().empty() ? "" : editor().notices().back().text;
  }
};

TEST_F(SheetTest, EveryCellIsThereAndADragIsOneStep) {
  for (const char* cell : {"time", "bend", "twist"})
    for (const char* row : {"0", "1", "2"})
      EXPECT_TRUE(sees(std::string("cell.poses.") + row + "." + cell)) << row << cell;
  EXPECT_TRUE(sees("cell.poses.frequency"));
  const std::string before = text();
  drag_by("cell.poses.0.bend", 40);
  EXPECT_EQ(steps(), 1u);
  EXPECT_GT(amplitude(0, 0), 0.5);
  EXPECT_EQ(amplitude(1, 0), -0.5);
  drag_by("cell.poses.0.bend", -10);
  EXPECT_EQ(steps(), 2u);
  key("Ctrl+Z");
  key("Ctrl+Z");
  EXPECT_EQ(text(), before);
}

TEST_F(SheetTest, NumbersAreTypedWithUnitsAndWhatIsOutOfRangeIsRefused) {
  type_into("cell.poses.1.time", "120 ms");
  EXPECT_DOUBLE_EQ(time(1), 0.12);
  type_into("cell.poses.1.twist", "-0.25");
  EXPECT_DOUBLE_EQ(amplitude(1, 1), -0.25);
  type_into("cell.poses.frequency", "6");
  EXPECT_DOUBLE_EQ(poses()["frequency"].get<double>(), 6);
  EXPECT_EQ(steps(), 3u);
  type_into("cell.poses.1.twist", "1000");
  EXPECT_DOUBLE_EQ(amplitude(1, 1), -0.25);
  EXPECT_NE(last_notice().find("amplitudes must be"), std::string::npos) << last_notice();
  EXPECT_EQ(steps(), 3u);
}

TEST_F(SheetTest, RowsComeGoAndChangePlaces) {
  click("sheet_add.poses.row");
  frames(2);
  ASSERT_EQ(count(), 4u);
  EXPECT_EQ(amplitude(3, 1), -1) << "like the last";
  click("sheet_row.poses.0");
  frames(2);
  click("item.Duplicate");
  frames(2);
  ASSERT_EQ(count(), 5u);
  EXPECT_EQ(amplitude(1, 0), 0.5);
  click("sheet_row.poses.1");
  frames(2);
  click("item.Remove");
  frames(2);
  ASSERT_EQ(count(), 4u);
  click("sheet_row.poses.0");
  frames(2);
  click("item.Move down");
  frames(2);
  EXPECT_EQ(amplitude(0, 0), -0.5);
  EXPECT_EQ(steps(), 4u);
  // By hand: the first to the third place, in one step.
  const ImVec2 from = place("sheet_row.poses.0"), to = place("sheet_row.poses.2");
  drag(from, to);
  frames(3);
  EXPECT_EQ(steps(), 5u);
  EXPECT_EQ(amplitude(2, 0), -0.5);
  EXPECT_EQ(amplitude(0, 0), 0.5);
  EXPECT_FALSE(sees("item.Duplicate")) << "a drag is no click";
}

TEST_F(SheetTest, ColumnsHaveNamesAndBadOnesAreRefused) {
  click("sheet_add.poses.column");
  frames(3);
  type("shear");
  key("Return");
  frames(3);
  ASSERT_EQ(modes(), (std::vector<std::string>{"bend", "twist", "shear"}));
  EXPECT_EQ(amplitude(0, 2), 0);
  EXPECT_EQ(steps(), 1u);
  click("sheet_add.poses.column");
  frames(3);
  type("bend");
  key("Return");
  frames(3);
  EXPECT_EQ(modes().size(), 3u);
  EXPECT_NE(last_notice().find("named twice"), std::string::npos) << last_notice();
  key("Escape");
  frames(3);
  click("sheet_column.poses.bend");
  frames(3);
  type_into("sheet.name", "arch");
  ASSERT_EQ(modes()[0], "arch");
  click("sheet_column.poses.arch");
  frames(3);
  type_into("sheet.name", "twist");
  EXPECT_EQ(modes()[0], "arch");
  key("Escape");
  frames(3);
  click("sheet_column.poses.arch");
  frames(3);
  click("item.Move right");
  frames(3);
  EXPECT_EQ(modes()[1], "arch");
  EXPECT_EQ(amplitude(0, 1), 0.5);
  click("sheet_column.poses.twist");
  frames(3);
  click("item.Remove");
  frames(3);
  EXPECT_EQ(modes(), (std::vector<std::string>{"arch", "shear"}));
  EXPECT_EQ(steps(), 4u);
}

TEST_F(SheetTest, WhatIsLinkedIsNotChangedHere) {
  choose("b");
  EXPECT_FALSE(sees("cell.poses.0.time"));
  editor().bring_forward("Chart");
  frames(4);
  EXPECT_TRUE(sees("chart.source"));
  drag_by("chart.point.1", 0, -30);
  EXPECT_EQ(steps(), 0u);
}

TEST_F(SheetTest, CurvesShareTheirTimes) {
  click("chart_button.poses");
  settle();
  ASSERT_TRUE(sees("chart.curve.bend"));
  ASSERT_TRUE(sees("chart.point.2"));
  const std::string before = text();
  drag_by("chart.point.1", 0, -30);
  EXPECT_GT(amplitude(1, 0), -0.5);
  EXPECT_EQ(amplitude(1, 1), 1);
  EXPECT_DOUBLE_EQ(time(1), 0.3);
  EXPECT_EQ(steps(), 1u);
  drag_by("chart.point.1", 20, 0);
  EXPECT_GT(time(0), 0.2);
  EXPECT_LT(time(1), 0.3);
  EXPECT_NEAR(time(0) + time(1) + time(2), 1.0, 1e-9);
  EXPECT_EQ(steps(), 2u);
  // The first pose begins with the cycle.
  drag_by("chart.point.0", 30, 0);
  EXPECT_NEAR(time(0) + time(1) + time(2), 1.0, 1e-9);
  key("Ctrl+Z");
  key("Ctrl+Z");
  if (steps() > 0) key("Ctrl+Z");
  EXPECT_EQ(text(), before);
}

TEST_F(SheetTest, PointsOfACurveArePosesOfAllModes) {
  click("chart_button.poses");
  settle();
  click("chart.curve.twist");
  frames(3);
  const ImVec2 a = place("chart.point.1"), b = place("chart.point.2");
  hold("Ctrl", true);
  click(ImVec2((a.x + b.x) / 2, a.y + 25));
  hold("Ctrl", false);
  frames(3);
  ASSERT_EQ(count(), 4u);
  EXPECT_EQ(amplitude(2, 0), -0.5) << "the other mode goes on as it was";
  EXPECT_LT(amplitude(2, 1), 1);
  EXPECT_NEAR(time(1) + time(2), 0.3, 1e-9);
  click("chart.point.2", MouseButton::right);
  frames(3);
  ASSERT_EQ(count(), 3u);
  EXPECT_NEAR(time(1), 0.3, 1e-9);
  EXPECT_EQ(steps(), 2u);
}

}  // namespace
}  // namespace sinew
