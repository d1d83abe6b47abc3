// The chart editor, by hand: what the mouse and the keys do to the document.
#include <fmt/format.h>

#include <cmath>
#include <map>

#include "app/editor/panels/chart/curve_model.h"
#include "app/editor/panels/chart/spreadsheet.h"
#include "tests/app/editor_fixture.h"

namespace sinew {
namespace {

using editor::CurveModel;
using editor::PointRef;
using testing::EditorTest;

constexpr const char* one_chart = R"({
  "sinew": 1, "nodes": [
    {"id": "c", "type": "chart.points",
     "params": {"chart": {"points": [[0, 0], [1, 1], [2, 0.5], [4, 2]], "x_unit": "m"}}},
    {"id": "box", "type": "mesh.box"}],
  "links": []})";

class ChartPanelTest : public EditorTest {
 protected:
  void show(const std::string& document, const std::string& node) {
    open(document);
    editor().session.select_only(node);
    editor().bring_forward("Chart");
    frames(3);
  }
  const Json& param(const std::string& node, const std::string& input) const {
    return *editor().session.param(node, input);
  }
  CurveModel model() const { return *CurveModel::read(param("c", "chart")); }
  ImVec2 beside(const std::string& landmark, float dx, float dy) const {
    const ImVec2 at = place(landmark);
    return ImVec2(at.x + dx, at.y + dy);
  }
  void drag_by(const std::string& landmark, float dx, float dy) {
    drag(place(landmark), beside(landmark, dx, dy));
    frames(2);
  }
  std::size_t steps() const { return editor().session.history().position(); }
};

TEST_F(ChartPanelTest, DraggingAPointIsOneStep) {
  show(one_chart, "c");
  const std::string before = text();
  drag_by("chart.point.1", 20, -30);
  EXPECT_GT(model().points[1].x, 1);
  EXPECT_GT(model().points[1].y, 1);
  EXPECT_EQ(model().points[0].x, 0);
  EXPECT_EQ(model().x_unit, "m");
  EXPECT_EQ(steps(), 1u);
  key("Ctrl+Z");
  EXPECT_EQ(text(), before);
}

TEST_F(ChartPanelTest, NeighboursStopAPointAndAViewGrowsWithIt) {
  show(one_chart, "c");
  drag_by("chart.point.1", 400, -400);
  EXPECT_LT(model().points[1].x, 2);
  EXPECT_GT(model().points[1].x, 1.99);
  EXPECT_GT(model().points[1].y, 3);
  EXPECT_TRUE(sees("chart.point.1"));
}

TEST_F(ChartPanelTest, ShiftIsFinerAndCtrlStaysOnTheGrid) {
  show(one_chart, "c");
  hold("Shift", true);
  drag_by("chart.point.1", 0, -40);
  hold("Shift", false);
  const double fine = model().points[1].y - 1;
  key("Ctrl+Z");
  frames(2);
  drag_by("chart.point.1", 0, -40);
  const double coarse = model().points[1].y - 1;
  EXPECT_NEAR(coarse / fine, 10, 2);
  hold("Ctrl", true);
  drag_by("chart.point.2", 10, -13);
  hold("Ctrl", false);
  const double on_grid = model().points[2].y * 100;
  EXPECT_NEAR(on_grid, std::round(on_grid), 1e-6);
}

TEST_F(ChartPanelTest, PointsComeAndGo) {
  show(one_chart, "c");
  const ImVec2 a = place("chart.point.2"), b = place("chart.point.3");
  const ImVec2 empty((a.x + b.x) / 2, a.y - 60);
  hold("Ctrl", true);
  click(empty);
  hold("Ctrl", false);
  frames(2);
  ASSERT_EQ(model().points.size(), 5u);
  EXPECT_GT(model().points[3].x, 2);
  EXPECT_EQ(steps(), 1u);
  key("Delete");
  EXPECT_EQ(model().points.size(), 4u);
  click(empty);
  press();
  release();
  frames(2);
  EXPECT_EQ(model().points.size(), 5u);
  click("chart.point.1", MouseButton::right);
  frames(2);
  ASSERT_EQ(model().points.size(), 4u);
  EXPECT_EQ(model().points[1].x, 2);
  EXPECT_EQ(steps(), 4u);
}

TEST_F(ChartPanelTest, SeveralPointsMoveTogether) {
  show(one_chart, "c");
  click("chart.point.1");
  hold("Shift", true);
  click("chart.point.2");
  hold("Shift", false);
  drag_by("chart.point.2", 0, -40);
  EXPECT_NEAR(model().points[1].y - 1, model().points[2].y - 0.5, 1e-3);
  EXPECT_GT(model().points[1].y, 1.05);
  EXPECT_EQ(steps(), 1u);
  // With a box around all, and with the keys.
  const auto& plot = *ui::landmarks().find("chart.plot");
  drag(ImVec2(plot.left + 3, plot.top + 3), ImVec2(plot.right - 3, plot.bottom - 3));
  key("Up");
  EXPECT_GT(model().points[0].y, 0);
  EXPECT_GT(model().points[3].y, 2);
  key("Ctrl+A");
  key("X");
  EXPECT_EQ(model().points.size(), 1u) << "one point is left";
}

TEST_F(ChartPanelTest, NumbersAreExact) {
  show(one_chart, "c");
  click("chart.point.1");
  frames(2);
  double_click("chart.y");
  key("Ctrl+A");
  type("1.23456");
  key("Return");
  EXPECT_EQ(model().points[1].y, 1.23456);
  double_click("chart.x");
  key("Ctrl+A");
  type("1.5");
  key("Return");
  EXPECT_EQ(model().points[1].x, 1.5);
  EXPECT_EQ(steps(), 2u);
}

TEST_F(ChartPanelTest, SlopesAreDrawnPartedAndTakenBack) {
  show(one_chart, "c");
  click("chart.point.1");
  frames(2);
  ASSERT_TRUE(sees("chart.tangent.1.out"));
  drag_by("chart.tangent.1.out", -10, -40);
  ASSERT_TRUE(model().points[1].out);
  EXPECT_GT(*model().points[1].out, 0);
  EXPECT_EQ(model().points[1].in, model().points[1].out);
  EXPECT_EQ(steps(), 1u);
  hold("Alt", true);
  drag_by("chart.tangent.1.in", 0, -30);
  hold("Alt", false);
  EXPECT_NE(model().points[1].in, model().points[1].out);
  click("chart.automatic");
  EXPECT_FALSE(param("c", "chart").contains("tangents"));
  EXPECT_EQ(steps(), 3u);
}

TEST_F(ChartPanelTest, ColumnsArePastedAndCopied) {
  show(one_chart, "c");
  ImGui::SetClipboardText("time\tvalue\n0\t1,5\n2\t3\n1\t2,25\n1\t9\n");
  move(place("chart.plot"));
  frames(2);
  key("Ctrl+V");
  const auto points = model().points;
  ASSERT_EQ(points.size(), 3u);
  EXPECT_EQ(points[1].y, 2.25);
  EXPECT_EQ(points[2].x, 2);
  EXPECT_EQ(editor().notices().back().kind, editor::NoticeKind::warning) << "one was left out";
  EXPECT_EQ(steps(), 1u);
  key("Ctrl+C");
  EXPECT_STREQ(ImGui::GetClipboardText(), "0\t1.5\n1\t2.25\n2\t3\n");
}

TEST_F(ChartPanelTest, BeginsWithANamedCurve) {
  show(one_chart, "c");
  click("chart.menu.curves");
  frames(3);
  click("chart.start.ease_in_out");
  frames(2);
  const CurveModel m = model();
  EXPECT_EQ(m.points.size(), 7u);
  EXPECT_EQ(m.first_x(), 0);
  EXPECT_EQ(m.last_x(), 4) << "over the range that was there";
  EXPECT_EQ(m.x_unit, "m");
  EXPECT_EQ(steps(), 1u);
}

constexpr const char* ratio_chart = R"({
  "sinew": 1, "nodes": [
    {"id": "c", "type": "chart.points",
     "params": {"chart": {"points": [[0, 1], [1, 0.5], [2, 2]], "axis": "ratio",
                          "bounds": [0.4, 2.5]}}}],
  "links": []})";

TEST_F(ChartPanelTest, OnARatioAxisFactorsAreDragged) {
  show(ratio_chart, "c");
  const float up = place("chart.point.0").y - place("chart.point.2").y;
  const float down = place("chart.point.1").y - place("chart.point.0").y;
  EXPECT_NEAR(up, down, 1) << "half is as far from 1 as the double";
  drag_by("chart.point.0", 0, up / 2);
  EXPECT_NEAR(model().points[0].y, std::sqrt(0.5), 0.02);
  drag_by("chart.point.1", 0, 500);
  EXPECT_EQ(model().points[1].y, 0.4) << "as far as the bounds";
}

TEST_F(ChartPanelTest, ChartsOfOnePlotLieOverOneAnother) {
  open_preset("jellyfish_swim");
  editor().session.select_only("pulse");
  editor().bring_forward("Chart");
  frames(3);
  ASSERT_TRUE(editor().chart);
  EXPECT_EQ(editor().chart->input, "primary");
  ASSERT_TRUE(sees("chart.curve.secondary"));
  EXPECT_TRUE(sees("chart.time"));
  click("chart.curve.tertiary");
  frames(2);
  EXPECT_EQ(editor().chart->input, "tertiary");
  EXPECT_TRUE(sees("chart.point.0"));
}

constexpr const char* animated = R"({
  "sinew": 1, "settings": {"fps": 24, "last_frame": 48}, "nodes": [
    {"id": "box", "type": "mesh.box"},
    {"id": "move", "type": "mesh.transform", "params": {
      "translate": {"animate": [0, {"points": [[0, 0], [24, 0.1], [48, 0]], "x_unit": "frames"}, 0]}}}],
  "links": ["box.mesh -> move.mesh"]})";

TEST_F(ChartPanelTest, AnAnimationHasACurveForEachNumberAndATimeToDrag) {
  show(animated, "move");
  ASSERT_TRUE(sees("chart.curve.X"));
  click("chart.curve.Y");
  frames(2);
  ASSERT_TRUE(sees("chart.point.2"));
  drag_by("chart.point.1", 0, -20);
  const Json& animation = param("move", "translate")["animate"];
  EXPECT_EQ(animation[0], 0);
  EXPECT_GT(animation[1]["points"][1][1].get<double>(), 0.1);
  drag(beside("chart.time", 0, 0), beside("chart.time", 40, 0));
  settle();
  EXPECT_GT(editor().player.frame(), 3);
}

TEST_F(ChartPanelTest, ALinkedChartIsShownAndLeadsToItsSource) {
  show(R"({"sinew": 1, "nodes": [
      {"id": "wave", "type": "chart.points"},
      {"id": "late", "type": "chart.retime"}],
    "links": ["wave.chart -> late.chart"]})",
       "late");
  settle();
  frames(3);
  EXPECT_FALSE(sees("chart.interpolation"));
  click("chart.source");
  frames(3);
  ASSERT_TRUE(editor().chart);
  EXPECT_EQ(editor().chart->node, "wave");
  EXPECT_TRUE(sees("chart.interpolation"));
}

// What the issue wants to be shown: with the jellyfish playing live, a dragged point acts at once.
class LiveChartTest : public ChartPanelTest {
 protected:
  // Facts of what is seen, by frames, while it plays.
  void watch_for(int moments, std::map<int, Json>& seen) {
    for (int i = 0; i < moments; ++i) {
      frames(3);
      editor().player.settle();
      const auto& shot = editor().player.shot();
      const auto* result = shot->result(shot->graph->default_targets().at(0));
      ASSERT_TRUE(result && result->value);
      seen[shot->context.frame] = result->value.type()->describe(result->value.data());
    }
  }
};

TEST_F(LiveChartTest, ADraggedPointChangesWhatPlaysLive) {
  open_preset("jellyfish_swim");
  editor().session.select_only("pulse");
  editor().bring_forward("Chart");
  editor().player.set_clock(editor::ClockKind::live);
  frames(3);
  editor().player.play(true);
  std::map<int, Json> alone, dragged;
  watch_for(24, alone);
  editor().player.restart();
  watch_for(8, dragged);
  const GraphPtr before = editor().session.graph();
  const int at = editor().player.shot()->context.frame;
  for (const auto& [frame, facts] : dragged)
    if (const auto then = alone.find(frame); then != alone.end()) {
      EXPECT_EQ(facts, then->second) << "the same until it is touched";
    }
  move(place("chart.point.2"));
  frame();
  press();
  for (int i = 0; i < 12; ++i) move(beside("chart.point.1", 0, -3));
  EXPECT_NE(editor().session.graph(), before) << "while it is still held";
  EXPECT_TRUE(editor().player.playing());
  release();
  dragged.clear();
  watch_for(10, dragged);
  EXPECT_GT(editor().player.shot()->context.frame, at) << "it goes on from where it is";
  EXPECT_EQ(editor().player.shot()->graph, editor().session.graph());
  EXPECT_FALSE(editor().player.shot()->evaluation.failed());
  bool compared = false;
  for (const auto& [frame, facts] : dragged) {
    if (!alone.contains(frame)) continue;
    compared = true;
    EXPECT_NE(facts, alone[frame]) << "at frame " << frame;
  }
  EXPECT_TRUE(compared);
  EXPECT_EQ(steps(), 1u);
}

// ---- Without the screen

TEST(CurveModel, KeepsWhatADocumentSays) {
  for (
      const char* text :
      {R"([[0.0,1.0],[1.0,2.0]])",
       R"({"axis":"ratio","bounds":[0.5,2.0],"extension":"cyclic","marks":{"a":1.0},"period":3.0,"points":[[0.0,1.0],[1.0,2.0]],"tangents":[null,[1.0,null]],"x_unit":"s"})",
       R"({"back":[[0.0,0.0],[2.0,1.0]],"interpolation":"linear","points":[[0.0,0.0],[2.0,1.0]]})"}) {
    const auto m = CurveModel::read(Json::parse(text));
    ASSERT_TRUE(m);
    EXPECT_EQ(m->write(), Json::parse(text));
  }
  EXPECT_FALSE(CurveModel::read(Json("no")));
  EXPECT_EQ(CurveModel::read(Json(3))->points[0].y, 3);
}

TEST(CurveModel, TheEndsOfALoopStayTogether) {
  CurveModel m = *CurveModel::read(Json::parse(
      R"({"points": [[0, 0], [1, 0.4], [2, 1]], "back": [[0, 0], [1.9, 0.5], [2, 1]]})"));
  CurveModel moved;
  moved.move(m, {{false, 2}}, -5, 0);
  EXPECT_GT(moved.last_x(), 1.9) << "the way back stops it";
  EXPECT_EQ(moved.back.back().x, moved.last_x());
  moved.move(m, {{true, 2}}, 3, 0);
  EXPECT_EQ(moved.last_x(), 5);
  moved = m;
  moved.remove({{false, 0}, {false, 1}, {true, 0}, {true, 1}});
  EXPECT_EQ(moved.points.size(), 2u);
  EXPECT_EQ(moved.back.size(), 2u);
}

TEST(CurveModel, ACycleIsNeverShorterThanItsPoints) {
  CurveModel m = *CurveModel::read(
      Json::parse(R"({"points": [[0, 1], [1, 2]], "extension": "cyclic", "period": 1.5})"));
  CurveModel moved;
  moved.move(m, {{false, 1}}, 9, 0);
  EXPECT_EQ(moved.last_x(), 1.5);
  m.set_period(0.2);
  EXPECT_EQ(m.period, 1);
  const auto added = m.add(false, 2.5, 7);
  ASSERT_TRUE(added);
  EXPECT_EQ(m.points[added->index].x, 0.5) << "in the round that is drawn";
}

TEST(CurveModel, AnotherAxisKeepsTheSlopes) {
  CurveModel m = *CurveModel::read(
      Json::parse(R"({"points": [[0, 2], [1, 4], [2, -1]], "tangents": [null, 8, 1]})"));
  m.set_ratio(true);
  EXPECT_EQ(m.points[1].in, 2);
  EXPECT_FALSE(m.points[2].in);
  EXPECT_EQ(m.points[2].y, 2) << "the least that is above 0";
  m.set_ratio(false);
  EXPECT_EQ(m.points[1].in, 8);
}

TEST(Spreadsheet, ReadsWhatPeopleCopy) {
  using editor::read_columns;
  EXPECT_EQ(read_columns("x,y\n0,1\n1,2.5\n").points.size(), 2u);
  EXPECT_EQ(read_columns("0;1,5\r\n1;2,5\r\n").points[1].y, 2.5);
  EXPECT_EQ(read_columns("  0   1e3 \n 1  -2\n").points[0].y, 1000);
  EXPECT_EQ(read_columns("0\t1\t7\n\n1\t2\t8\nsum\t3\n").skipped, 1);
  EXPECT_EQ(read_columns("nothing here").points.size(), 0u);
  EXPECT_EQ(read_columns("").points.size(), 0u);
}

TEST_F(ChartPanelTest, EscapeTakesADragBack) {
  show(one_chart, "c");
  const std::string before = text();
  const ImVec2 at = place("chart.point.1");
  move(at);
  frames(2);
  press();
  move(ImVec2(at.x + 20, at.y - 30));
  move(ImVec2(at.x + 30, at.y - 40));
  EXPECT_NE(text(), before);
  key("Escape");
  EXPECT_EQ(text(), before);
  move(ImVec2(at.x + 50, at.y - 60));  // still held: nothing is moved any more
  release();
  EXPECT_EQ(text(), before);
  EXPECT_EQ(steps(), 0u);
}

TEST_F(ChartPanelTest, WhatIsRemovedInADragStaysAway) {
  show(one_chart, "c");
  const ImVec2 at = place("chart.point.1");
  move(at);
  frames(2);
  press();
  move(ImVec2(at.x + 10, at.y - 10));
  move(ImVec2(at.x + 12, at.y - 12));
  key("Delete");
  move(ImVec2(at.x + 20, at.y - 20));
  release();
  frames(2);
  EXPECT_EQ(model().points.size(), 3u);
}

TEST_F(ChartPanelTest, SaysWhoseChartItIs) {
  show(one_chart, "c");
  ASSERT_TRUE(sees("chart.owner"));
  editor().session.select_only("box");
  frames(3);
  ASSERT_TRUE(sees("chart.owner"));
  click("chart.owner");
  EXPECT_TRUE(editor().session.is_selected("c"));
}

TEST_F(ChartPanelTest, AnUndonePasteIsSeenAsAWhole) {
  show(one_chart, "c");
  const ImVec2 before = place("chart.point.3");
  ImGui::SetClipboardText("0\t0\n1000\t500\n");
  editor().actions.run("chart.paste");
  frames(3);
  ASSERT_EQ(model().points.size(), 2u);
  key("Ctrl+Z");
  frames(3);
  ASSERT_TRUE(sees("chart.point.3"));
  EXPECT_NEAR(place("chart.point.3").x, before.x, 2);
}

}  // namespace
}  // namespace sinew
