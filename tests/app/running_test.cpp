// Where other nodes are on the curve that the chart editor shows, while it plays.
#include <fmt/format.h>

#include <cmath>

#include "tests/app/editor_fixture.h"
#include "tests/app/hand_nodes.h"

namespace sinew {
namespace {

using testing::EditorTest;
using testing::hand_registry;

class RunningTest : public EditorTest {
 protected:
  RunningTest() : EditorTest(1440, 900, &hand_registry()) {}

  void show(const std::string& nodes, const std::string& links, const std::string& node,
            const std::string& more = "") {
    open(fmt::format(R"({{"sinew": 1, "nodes": [{}], "links": [{}]{}}})", nodes, links, more));
    editor().session.select_only(node);
    editor().bring_forward("Chart");
    settle();
  }
  // Strained by a half at first, and by a tenth more with each frame.
  void show_strained(const std::string& node, const std::string& more = "") {
    show(std::string(drawn) + R"(, {"id": "bend", "type": "reroute"},
           {"id": "run", "type": "test.strain")" +
             more + "}",
         R"("stuff.material -> bend.value", "bend.value -> run.material")", node);
  }
  // On a straight line between two points of the chart.
  void expect_between(const std::string& runner, int point, float part) {
    const ImVec2 a = place(fmt::format("chart.point.{}", point));
    const ImVec2 b = place(fmt::format("chart.point.{}", point + 1));
    const ImVec2 at = place("chart.running." + runner);
    EXPECT_NEAR(at.x, a.x + part * (b.x - a.x), 1.5f);
    EXPECT_NEAR(at.y, a.y + part * (b.y - a.y), 1.5f);
  }

  static constexpr const char* drawn = R"({"id": "stuff", "type": "material.curves", "params": {
      "stress": {"points": [[0, 0], [1, 1], [2, 4]], "interpolation": "linear"}}})";
};

TEST_F(RunningTest, ADotIsWhereTheStrainIsAndGoesOn) {
  show_strained("stuff");
  ASSERT_TRUE(sees("chart.running.run"));
  expect_between("run", 0, 0.5f);
  editor().player.go_to(10);
  settle();
  expect_between("run", 1, 0.5f);
  // On another curve of the material there is none.
  editor().chart = editor::ChartFocus{"stuff", "damping"};
  settle();
  EXPECT_FALSE(sees("chart.running.run"));
}

TEST_F(RunningTest, SeveralAreSeveralDots) {
  show(std::string(drawn) + R"(, {"id": "run", "type": "test.strain"},
         {"id": "pick", "type": "switch", "params": {"index": 1}}, {"id": "other", "type": "material.named"},
         {"id": "far", "type": "test.strain", "params": {"first": 1.5}},
         {"id": "away", "type": "test.strain"})",
       R"("stuff.material -> run.material", "other.material -> pick.a", "stuff.material -> pick.b",
          "pick.value -> far.material", "other.material -> away.material")",
       "stuff");
  ASSERT_TRUE(sees("chart.running.run"));
  ASSERT_TRUE(sees("chart.running.far"));
  EXPECT_FALSE(sees("chart.running.away"));
  expect_between("run", 0, 0.5f);
  expect_between("far", 1, 0.5f);
}

TEST_F(RunningTest, WhoRunsShowsTheCurveToBeChanged) {
  show_strained("run");
  ASSERT_TRUE(editor().chart);
  EXPECT_EQ(editor().chart->node, "stuff");
  EXPECT_EQ(editor().chart->input, "stress");
  ASSERT_TRUE(sees("chart.interpolation"));
  const std::string before = text();
  const ImVec2 at = place("chart.point.1");
  drag(at, ImVec2(at.x, at.y - 30));
  settle();
  EXPECT_GT((*editor().session.param("stuff", "stress"))["points"][1][1].get<double>(), 1.05);
  EXPECT_EQ(editor().session.history().position(), 1u);
  expect_between("run", 0, 0.5f);
  editor().session.undo();
  EXPECT_TRUE(text() == before);
  EXPECT_TRUE(editor().session.is_selected("run"));
}

TEST_F(RunningTest, ACurveThatIsMadeIsShownLocked) {
  show(R"({"id": "stuff", "type": "material.named"}, {"id": "run", "type": "test.strain"})",
       R"("stuff.material -> run.material")", "run");
  ASSERT_TRUE(editor().chart);
  EXPECT_TRUE(editor().chart->only_seen);
  EXPECT_TRUE(sees("chart.running.run"));
  EXPECT_FALSE(sees("chart.interpolation"));
  ASSERT_TRUE(sees("chart.source"));
  click("chart.source");
  frames(2);
  EXPECT_TRUE(editor().session.is_selected("stuff"));
  EXPECT_TRUE(sees("chart.running.run")) << "what has no chart of its own leaves what is there";
}

TEST_F(RunningTest, ItIsFoundInsideOfAGroup) {
  show(R"({"id": "kit", "type": "group", "group": "kit"}, {"id": "run", "type": "test.strain"})",
       R"("kit.material -> run.material")", "run",
       fmt::format(R"(, "groups": {{"kit": {{
           "outputs": [{{"id": "material", "type": "material"}}],
           "nodes": [{}, {{"id": "output", "type": "group.output"}}],
           "links": ["stuff.material -> output.material"]}}}})",
                   drawn));
  ASSERT_TRUE(editor().chart);
  EXPECT_EQ(editor().chart->node, "kit/stuff");
  EXPECT_TRUE(sees("chart.running.run"));
  EXPECT_FALSE(sees("chart.interpolation"));
  click("chart.source");
  settle();
  EXPECT_EQ(editor().session.place(), std::vector<std::string>{"kit"});
  ASSERT_TRUE(editor().chart);
  EXPECT_EQ(editor().chart->node, "stuff");
  EXPECT_TRUE(sees("chart.interpolation"));
  expect_between("run", 0, 0.5f);
}

TEST_F(RunningTest, TheViewGrowsOnlyForADotThatIsBeyondIt) {
  show(drawn, "", "stuff");
  const ImVec2 alone = place("chart.point.2");
  show_strained("stuff");
  EXPECT_EQ(place("chart.point.2").x, alone.x);
  EXPECT_EQ(place("chart.point.2").y, alone.y);
  show_strained("stuff", R"(, "params": {"first": 4})");
  EXPECT_LT(place("chart.point.2").x, alone.x - 20);
  EXPECT_GT(place("chart.running.run").x, place("chart.point.2").x + 20);
  // Who looks closer is left alone: it is at the edge.
  wheel(place("chart.point.0"), 3);
  frames(3);
  const ImVec2 closer = place("chart.point.0");
  editor().player.go_to(3);
  settle();
  EXPECT_EQ(place("chart.point.0").x, closer.x);
  EXPECT_TRUE(sees("chart.running.run"));
}

TEST_F(RunningTest, AnotherLinkIsAnotherCurve) {
  show(std::string(drawn) + R"(, {"id": "other", "type": "material.curves"},
         {"id": "pick", "type": "switch"}, {"id": "run", "type": "test.strain"})",
       R"("stuff.material -> pick.a", "other.material -> pick.b", "pick.value -> run.material")",
       "run");
  ASSERT_TRUE(editor().chart);
  EXPECT_EQ(editor().chart->node, "stuff");
  ASSERT_TRUE(editor().session.set_param("pick", "index", 1));
  settle();
  EXPECT_EQ(editor().chart->node, "other");
  EXPECT_TRUE(sees("chart.running.run"));
}

}  // namespace
}  // namespace sinew
