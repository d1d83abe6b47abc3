// What is done is written down so that doing it again gives the same document.
#include "app/editor/script/recorder.h"

#include "tests/app/editor_fixture.h"
#include "tests/app/run_program.h"

namespace sinew {
namespace {

using editor::ScriptRecorder;
using testing::EditorTest;

const char* start = R"({
  "sinew": 1,
  "nodes": [{"id": "box", "type": "mesh.box"}, {"id": "smooth", "type": "mesh.smooth"},
            {"id": "show", "type": "view"}],
  "links": ["box.mesh -> show.value"],
  "layout": {"nodes": {"box": {"at": [0, 0]}, "smooth": {"at": [260, 160]},
                       "show": {"at": [520, 0]}}}
})";

class RecorderTest : public EditorTest {
 protected:
  RecorderTest() { listen(); }

  void listen() {
    open(start);
    desk().on_event = [this](const WindowEvent& e) { recorder_.note(e); };
    desk().on_frame = [this] { recorder_.frame(editor()); };
    frames(5);
  }
  bool wrote(const std::string& line) const {
    return ("\n" + recorder_.text()).find("\n" + line) != std::string::npos;
  }
  // The same document once more, and the same done to it by the script.
  void expect_replays() {
    const std::string done = text();
    ASSERT_NE(done, write_document(*parse_document(start, editor().session.registry())));
    desk().on_event = {};
    desk().on_frame = {};
    open(start);
    const Result<void> ok = play(recorder_.text());
    EXPECT_TRUE(ok) << (ok ? "" : ok.error()) << "\n" << recorder_.text();
    EXPECT_EQ(text(), done) << recorder_.text();
  }

  testing::TemporaryFolder folder_;
  ScriptRecorder recorder_{folder_ / "script.txt"};
};

TEST_F(RecorderTest, MovesAndLinksByLandmarks) {
  const ImVec2 title(place("node.smooth").x, ui::landmarks().find("node.smooth")->top + 8);
  drag(title, ImVec2(title.x + 40, title.y + 30));
  frames(30);
  drag(place("pin.box.mesh.out"), place("pin.smooth.mesh.in"));
  frames(30);
  EXPECT_TRUE(wrote("drag node.smooth")) << recorder_.text();
  EXPECT_TRUE(wrote("drag pin.box.mesh.out to pin.smooth.mesh.in in ")) << recorder_.text();
  EXPECT_TRUE(wrote("frames ")) << recorder_.text();
  EXPECT_TRUE(doc().graph.links.size() == 2);
  expect_replays();
}

TEST_F(RecorderTest, KeysAndLettersAreToldApart) {
  move(ImVec2(place("panel.Canvas").x, place("panel.Canvas").y + 60));
  key("Tab");
  frames(5);
  type("ball");
  type("oon");
  for (int i = 0; i < 4; ++i) key("Backspace");
  type("s");
  for (int i = 0; i < 4; ++i) key("Backspace");
  type("sphere");
  key("Return");
  frames(5);
  EXPECT_TRUE(wrote("type balloon\n")) << recorder_.text();
  EXPECT_TRUE(wrote("key Tab\n")) << recorder_.text();
  click("node.smooth");
  key("Delete");
  key("Ctrl+Z");
  EXPECT_TRUE(wrote("key Ctrl+Z\n")) << recorder_.text();
  expect_replays();
}

TEST_F(RecorderTest, WritesHeldKeysWheelsAndDoubleClicks) {
  hold("Shift", true);
  click("node.box");
  click("node.smooth");
  hold("Shift", false);
  key("Delete");
  wheel(place("panel.Canvas"), 2);
  wheel(place("panel.Canvas"), 1);
  click(ImVec2(place("panel.Viewport").x, place("panel.Viewport").y), MouseButton::right);
  EXPECT_TRUE(wrote("hold Shift\n")) << recorder_.text();
  EXPECT_TRUE(wrote("let Shift\n")) << recorder_.text();
  EXPECT_NE(recorder_.text().find("wheel"), std::string::npos) << recorder_.text();
  EXPECT_NE(recorder_.text().find("click right"), std::string::npos) << recorder_.text();
  EXPECT_EQ(doc().graph.nodes.size(), 1u);
  expect_replays();
}

TEST_F(RecorderTest, AFileComesWithTheFirstFrame) {
  move(ImVec2(300, 300));
  key("Ctrl+A");
  ASSERT_TRUE(recorder_.write());
  EXPECT_EQ(folder_.read("script.txt"), recorder_.text());
  EXPECT_TRUE(recorder_.text().starts_with("# recorded with sinew --record\nsize 1440x900\n"))
      << recorder_.text();
  ScriptRecorder none{std::filesystem::path()};
  EXPECT_TRUE(none.write());
}

}  // namespace
}  // namespace sinew
