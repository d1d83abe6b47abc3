// Scripts: what they say against themselves, and that they do what they say.
#include "app/editor/script/script.h"
#include "app/editor/script/landmarks_file.h"
#include "app/editor/script/line.h"
#include "graph/atomic_file.h"
#include "nodes/values.h"
#include "tests/app/editor_fixture.h"

namespace sinew {
namespace {

using editor::read_script_line;
using editor::Shot;
using testing::EditorTest;

const char* box = R"({
  "sinew": 1,
  "meta": {"title": "A box"},
  "nodes": [{"id": "box", "type": "mesh.box", "params": {"size": [1, 2, 3]}},
            {"id": "show", "type": "view"}],
  "links": ["box.mesh -> show.value"]
})";

class ScriptTest : public EditorTest {
 protected:
  std::string complaint(const std::string& text) {
    const Result<void> ok = play(text);
    return ok ? "" : ok.error();
  }
};

TEST(ScriptLine, HasWordsAndARest) {
  const auto line = read_script_line(R"(expect  param a.b == ["x y", 1]  # why)");
  ASSERT_TRUE(line);
  EXPECT_EQ(line->words, (std::vector<std::string>{"expect", "param", "a.b", "==", "[x y,", "1]"}));
  EXPECT_EQ(line->rest(4), R"(["x y", 1])");
  const auto quoted = read_script_line(R"(note "a \"b\" \\ # c" at @ 1 2)");
  ASSERT_TRUE(quoted);
  EXPECT_EQ(quoted->words[1], R"(a "b" \ # c)");
  EXPECT_EQ(read_script_line("type \"half").error(), "a quotation mark has no end");
  for (const char* word :
       {"plain", "with space", "with \"quotes\"", "back\\slash", "#", "", "a\nb"})
    EXPECT_EQ(read_script_line(editor::quoted_if_needed(word))->words.at(0), word);
}

TEST_F(ScriptTest, SaysWhatIsWrongBeforeItBegins) {
  EXPECT_EQ(complaint("\n\nclik node.a"), "line 3: scripts have no 'clik'; did you mean 'click'?");
  EXPECT_EQ(complaint("frames"), "line 1: 'frames' has too few words; it reads: frames N");
  EXPECT_EQ(complaint("pause now"), "line 1: 'pause' has too many words; it reads: pause");
  EXPECT_EQ(complaint("settle now"), "line 1: settle: it reads: settle [work]");
}

TEST_F(ScriptTest, SaysWhatIsWrongAtItsLine) {
  open(box);
  EXPECT_EQ(complaint("frames 1\nclick panel.Canvass"),
            "line 2: click: there is no 'panel.Canvass' on the screen; did you mean "
            "'panel.Canvas'?");
  EXPECT_EQ(complaint("drag panel.Canvas"),
            "line 1: 'drag' has too few words; it reads: drag [right|middle] PLACE [via PLACE]... "
            "to PLACE [in FRAMES]");
  EXPECT_EQ(complaint("key Ctrl+Foo"),
            "line 1: key: 'Ctrl+Foo' is no key; keys are written as Space, F1, Ctrl+Shift+Z");
  EXPECT_EQ(complaint("action edit.undoo"),
            "line 1: action: there is no action 'edit.undoo'; did you mean 'edit.undo'?");
  EXPECT_EQ(complaint("action edit.undo"),
            "line 1: action: the action 'edit.undo' cannot be done now");
  EXPECT_EQ(complaint("click @ 3"), "line 1: click: after @ come two numbers of pixels");
  EXPECT_EQ(complaint("size 3"), "line 1: size: it reads: size WxH, such as size 1280x800");
}

TEST_F(ScriptTest, ExpectsOfTheDocument) {
  open(box);
  EXPECT_EQ(complaint(R"(
      expect node box
      expect node box type mesh.box
      expect no node ball
      expect nodes 2
      expect link box.mesh -> show.value
      expect not link box.mesh -> show.nothing
      expect param box.size == [1, 2, 3]
      expect param box.size/1 == 2
      expect param box.size ~ [1.005, 2, 3]
      expect param box.size ~ [1.1, 2, 3] within 0.2
      expect param box.size/2 > 2.5
      expect saved
      expect not modified
      expect history 0
      expect frame 0
      expect not playing
      expect sees panel.Canvas
      expect not sees panel.Nothing
      expect title "A box")"),
            "");
  EXPECT_EQ(complaint("expect param box.size == [1, 2, 4]"),
            "line 1: expect: not so: param box.size == [1, 2, 4]; it is [1,2,3]");
  EXPECT_EQ(complaint("expect param bx.size == 1"),
            "line 1: expect: there is no node 'bx'; did you mean 'box'?");
  EXPECT_EQ(complaint("expect node box type mesh.ball"),
            "line 1: expect: not so: node box type mesh.ball; it is a mesh.box");
  EXPECT_EQ(complaint("expect link show.a -> box.b"),
            "line 1: expect: not so: link show.a -> box.b; neither has a link");
  EXPECT_EQ(complaint("expect modified"), "line 1: expect: not so: modified; nothing has changed");
  EXPECT_TRUE(
      complaint("expect rain")
          .starts_with("line 1: expect: nothing can be expected of 'rain'; there are param, link"));
}

TEST_F(ScriptTest, DoesWhatItSays) {
  open(box);
  EXPECT_EQ(complaint("size 1000x700\ntheme light\nseconds 0.5"), "");
  EXPECT_EQ(ImGui::GetIO().DisplaySize.x, 1000);
  EXPECT_EQ(ui::theme().name, ui::ThemeName::light);
  EXPECT_EQ(complaint("play\nseconds 0.5\nexpect playing\npause\nexpect not playing"), "");
  EXPECT_GT(editor().player.frame(), 5);
  EXPECT_EQ(complaint("pointer on\nnote \"look\" at panel.Canvas\npicture none.png"), "");
  EXPECT_EQ(complaint("move @ 10 20\nmove +5 +6"), "");
  EXPECT_EQ(ImGui::GetIO().MousePos.x, 15);
  EXPECT_EQ(ImGui::GetIO().MousePos.y, 26);
}

TEST_F(ScriptTest, TwoRunsThatPlayAreAtTheSameFrame) {
  open_preset("default");
  int at[2];
  for (int& frame : at) {
    editor().player.go_to(0);
    ASSERT_EQ(complaint("play\nseconds 1\npause"), "");
    frame = editor().player.frame();
  }
  EXPECT_EQ(at[0], at[1]);
}

TEST_F(ScriptTest, LandmarksAreWrittenForOtherPrograms) {
  open(box);
  const Json all = Json::parse(editor::landmarks_text(editor()));
  EXPECT_EQ(all["landmarks"]["panel.Canvas"].size(), 4u);
  EXPECT_LT(all["landmarks"]["panel.Canvas"][0], all["landmarks"]["panel.Canvas"][2]);
  EXPECT_EQ(all["state"]["title"], "A box - Sinew");
  EXPECT_EQ(all["state"]["modified"], false);
  EXPECT_EQ(all["state"]["history"], 0);
}

// The tutorial, as it is written: what it makes swims by at least half the height of its bell.
TEST_F(ScriptTest, TheJellyfishOfTheTutorialSwims) {
  editor::EditorOptions options;
  options.presets = std::filesystem::path(SINEW_SOURCE_DIR) / "presets";
  options.first_start_welcome = true;
  restart(options);
  const Result<std::string> script =
      read_file(std::filesystem::path(SINEW_SOURCE_DIR) / "docs/scripts/jellyfish.txt", 1 << 20);
  ASSERT_TRUE(script);
  ASSERT_EQ(complaint(*script), "");
  EXPECT_EQ(doc().settings.last_frame, 250);
  const auto heights = [&](int at) {
    editor().player.go_to(at);
    settle();
    const Shot& shot = *editor().player.shot();
    EXPECT_EQ(shot.context.frame, at);
    const TargetResult* body = shot.result("shape_match", 0);
    std::pair<float, float> range(1e9f, -1e9f);
    double sum = 0;
    if (!body) return std::tuple(0.0, 0.0);
    const TetMesh& solid = body->value.as<TetMesh>();
    for (const Vec3f& p : solid.positions) {
      range = {std::min(range.first, p.y()), std::max(range.second, p.y())};
      sum += static_cast<double>(p.y());
    }
    return std::tuple(sum / static_cast<double>(solid.positions.size()),
                      static_cast<double>(range.second - range.first));
  };
  const auto [from, height] = heights(0);
  ASSERT_GT(height, 0.05);
  const auto [to, height_then] = heights(250);
  EXPECT_GT(to - from, 0.5 * height);
  EXPECT_LT(height_then, 2 * height) << "it is still a bell";
}

}  // namespace
}  // namespace sinew
