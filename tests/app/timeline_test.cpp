// The timeline: the clock, scrubbing, the part that is played, keys that are dragged.
#include "app/editor/panels/timeline/keys.h"
#include "tests/app/editor_fixture.h"

namespace sinew {
namespace {

using testing::EditorTest;

// Cheap, and every frame is another one.
constexpr const char* growing = R"({"sinew": 1, "settings": {"last_frame": 100}, "nodes": [
  {"id": "ball", "type": "mesh.box"},
  {"id": "grow", "type": "mesh.transform", "params": {"size": {"animate": [[0, 1], [2, 3]]}}}],
  "links": ["ball.mesh -> grow.mesh"]})";

class TimelineTest : public EditorTest {
 protected:
  editor::Player& player() { return editor().player; }
  // Where a frame is on the ruler.
  ImVec2 at_frame(int frame) {
    const ui::Landmark* ruler = ui::landmarks().find("timeline.ruler");
    const ui::Landmark* head = ui::landmarks().find("timeline.playhead");
    const float pixels = (ruler->right - ruler->left - 28) / 100;
    return {head->middle().x + pixels * static_cast<float>(frame - player().frame()),
            ruler->middle().y};
  }
};

TEST_F(TimelineTest, PlaysAndPausesByButtonAndKey) {
  open(growing);
  click("button.play");
  EXPECT_TRUE(player().playing());
  const int before = player().frame();
  for (int i = 0; i < 30; ++i) {
    frame();
    player().settle();
  }
  EXPECT_GT(player().frame(), before + 5);
  EXPECT_EQ(player().shot()->context.frame, player().frame());
  key("Space");
  EXPECT_FALSE(player().playing());
}

TEST_F(TimelineTest, StepsAndJumps) {
  open(growing);
  key("Right");
  EXPECT_EQ(player().frame(), 1);
  key("Shift+Right");
  EXPECT_EQ(player().frame(), 11);
  key("Left");
  EXPECT_EQ(player().frame(), 10);
  key("Ctrl+Right");
  EXPECT_EQ(player().frame(), 100);
  move(place("timeline.ruler"));
  frame();
  key("Home");
  EXPECT_EQ(player().frame(), 0);
  settle();
  EXPECT_EQ(player().shot()->context.frame, 0);
}

TEST_F(TimelineTest, ScrubbingGoesToTheFrameUnderTheMouse) {
  open(growing);
  const ImVec2 to = at_frame(40);
  drag(at_frame(10), to);
  EXPECT_EQ(player().frame(), 40);
  settle();
  EXPECT_EQ(player().shot()->context.frame, 40);
  EXPECT_FALSE(editor().session.modified());
}

TEST_F(TimelineTest, AFrameCanBeTyped) {
  open(growing);
  double_click("timeline.frame");
  type("37");
  key("Return");
  EXPECT_EQ(player().frame(), 37);
}

TEST_F(TimelineTest, ThePartThatIsPlayedIsDraggedAndForgotten) {
  open(growing);
  const ImVec2 at_20 = at_frame(20), at_60 = at_frame(60);
  drag(place("timeline.in"), at_20);
  drag(place("timeline.out"), at_60);
  ASSERT_TRUE(player().loop());
  EXPECT_EQ(*player().loop(), std::pair(20, 60));
  hold("Shift", true);
  click("timeline.ruler");
  hold("Shift", false);
  EXPECT_FALSE(player().loop());
  player().go_to(30);
  move(place("timeline.ruler"));
  frame();
  key("I");
  player().go_to(50);
  frame();
  key("O");
  ASSERT_TRUE(player().loop());
  EXPECT_EQ(*player().loop(), std::pair(30, 50));
}

TEST_F(TimelineTest, PlayingStaysInThePartThatWasChosen) {
  open(growing);
  player().set_loop(std::pair(5, 8));
  player().play(true);
  for (int i = 0; i < 40; ++i) {
    frame();
    player().settle();
    if (i > 3) {
      EXPECT_GE(player().frame(), 5);
      EXPECT_LE(player().frame(), 8);
    }
  }
  player().loops = false;
  for (int i = 0; i < 40; ++i) {
    frame();
    player().settle();
  }
  EXPECT_FALSE(player().playing());
  EXPECT_EQ(player().frame(), 8);
}

TEST_F(TimelineTest, TheClockIsSwitched) {
  open(growing);
  click("button.live");
  EXPECT_EQ(player().clock(), editor::ClockKind::live);
  settle();
  EXPECT_EQ(player().shot()->clock, editor::ClockKind::live);
  click("button.timeline");
  EXPECT_EQ(player().clock(), editor::ClockKind::timeline);
}

TEST_F(TimelineTest, TheEndsOfTheDocumentAreOneStep) {
  open(growing);
  double_click("timeline.last");
  type("250");
  key("Return");
  EXPECT_EQ(doc().settings.last_frame, 250);
  key("Ctrl+Z");
  EXPECT_EQ(doc().settings.last_frame, 100);
}

TEST_F(TimelineTest, AKeyIsDraggedToAnotherTimeInOneStep) {
  open(growing);
  editor().session.select_only("grow");
  frames(2);
  const std::string before = text();
  ASSERT_TRUE(sees("timeline.key.grow.size.1"));
  const float x = place("timeline.key.grow.size.1").x;
  EXPECT_NEAR(x, at_frame(50).x, 1);
  drag(place("timeline.key.grow.size.1"),
       ImVec2(at_frame(75).x, place("timeline.key.grow.size.1").y));
  EXPECT_EQ(doc().graph.find("grow")->params.at("size"),
            Json::parse(R"({"animate": [[0, 1], [3, 3]]})"));
  EXPECT_EQ(player().frame(), 0) << "dragging a key is no scrubbing";
  key("Ctrl+Z");
  EXPECT_EQ(text(), before);
}

TEST(TimeKeys, AreFoundAndMovedInEveryForm) {
  const Json list = Json::parse(R"({"animate": [[0, 1], [2, 3]]})");
  EXPECT_EQ(editor::time_keys("n", "i", list, nullptr, 25).size(), 2u);
  const Json parts = Json::parse(
      R"({"animate": [0, {"points": [[0, 0], [24, 1]], "x_unit": "frames"}, [[0, 1], [1, 2]]]})");
  const auto keys = editor::time_keys("n", "i", parts, nullptr, 25);
  ASSERT_EQ(keys.size(), 3u);
  EXPECT_EQ(keys[1].frame, 24);
  EXPECT_EQ(keys[2].frame, 25);
  // It stays between its neighbours.
  const auto moved = editor::retimed(parts, 1, 40, nullptr, 25);
  ASSERT_TRUE(moved);
  EXPECT_NEAR((*moved)["animate"][1]["points"][1][0].get<double>(), 24.99, 1e-9);
  const Json steps = Json::parse(R"({"steps": [[0, "a"], [48, "b"]]})");
  EXPECT_EQ((*editor::retimed(steps, 1, 20.4, nullptr, 25))["steps"][1][0], 20);
  EXPECT_TRUE(editor::time_keys("n", "i", Json(3), nullptr, 25).empty());
  EXPECT_FALSE(editor::retimed(list, 7, 3, nullptr, 25));
}

// Buttons and boxes never lie over one another: what is least needed goes first.
TEST_F(TimelineTest, FiguresMakeRoom) {
  open(growing);
  player().play(true);
  for (int i = 0; i < 30; ++i) {
    frame();
    player().settle();
  }
  EXPECT_TRUE(sees("timeline.figures"));
  EXPECT_TRUE(sees("timeline.speed"));
  for (const float scale : {1.0f, 1.5f, 2.0f, 3.0f}) {
    editor().set_scale(scale);
    frames(3);
    const ui::Landmark* bake = ui::landmarks().find("button.bake");
    ASSERT_TRUE(bake);
    for (const char* name : {"timeline.figures", "timeline.speed", "timeline.first"}) {
      const ui::Landmark* mark = ui::landmarks().find(name);
      EXPECT_TRUE(!mark || mark->left >= bake->right) << name << " at " << scale;
    }
  }
  editor().set_scale(1);
}

TEST_F(TimelineTest, TabsStayReachable) {
  editor().set_scale(2);
  frames(3);
  for (const char* name : {"Messages", "History", "Library"}) {
    click(std::string("tab.") + name);
    frames(2);
    EXPECT_TRUE(sees(std::string("panel.") + name));
  }
  const ui::Landmark* tab = ui::landmarks().find("tab.Messages");
  const ui::Landmark* panel = ui::landmarks().find("panel.Library");
  ASSERT_TRUE(tab && panel);
  EXPECT_LE(tab->right, panel->right);
  editor().set_scale(1);
}

TEST_F(TimelineTest, ATableOfNumbersHasRoomForEightRows) {
  open(growing);
  editor().session.select_only("grow");
  editor().bring_forward("Numbers");
  settle();
  const ui::Landmark* table = ui::landmarks().find("numbers.table");
  const ui::Landmark* panel = ui::landmarks().find("panel.Numbers");
  ASSERT_TRUE(table && panel);
  const float row = ImGui::GetTextLineHeight() + 2 * ImGui::GetStyle().CellPadding.y;
  EXPECT_GE(std::min(table->bottom, panel->bottom) - table->top, 9 * row) << "with its heading";
}

}  // namespace
}  // namespace sinew
