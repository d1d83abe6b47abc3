// The editor's frame: it opens, settles, shows, and ends.
#include "tests/app/editor_fixture.h"

namespace sinew {
namespace {

using testing::EditorTest;

TEST_F(EditorTest, OpensEmptyAndHasItsPanels) {
  for (const char* name : {"Viewport", "Canvas", "Inspector", "Timeline", "Library"})
    EXPECT_TRUE(sees(std::string("panel.") + name)) << name;
  EXPECT_FALSE(editor().session.modified());
  EXPECT_EQ(editor().window_title(), "Untitled - Sinew");
}

TEST_F(EditorTest, ShowsAPreset) {
  open_preset("default");
  ASSERT_TRUE(editor().player.shot());
  EXPECT_FALSE(editor().player.shot()->evaluation.failed());
  EXPECT_TRUE(editor().player.scene());
}

// Keys that come faster than frames, in whatever portions: each chord is heard, and heard once.
TEST_F(EditorTest, AQuickChordIsHeard) {
  open_preset("default");
  struct Stroke {
    bool down;
    const char* key;
    bool ctrl, shift;
  };
  const std::vector<Stroke> undo = {{true, "Left Ctrl", true, false},
                                    {true, "Z", true, false},
                                    {false, "Left Ctrl", false, false},
                                    {false, "Z", false, false}};
  const std::vector<Stroke> redo = {{true, "Left Ctrl", true, false},
                                    {true, "Left Shift", true, true},
                                    {true, "Z", true, true},
                                    {false, "Left Shift", true, false},
                                    {false, "Left Ctrl", false, false},
                                    {false, "Z", false, false}};
  ASSERT_TRUE(editor().session.set_param("displace", "distance", Json(0.2)));
  // After so many strokes there is a frame.
  for (std::size_t portion = 1; portion <= 6; ++portion)
    for (std::size_t first = 0; first < 6; ++first) {
      const auto strike = [&](const std::vector<Stroke>& strokes) {
        for (std::size_t i = 0; i < strokes.size(); ++i) {
          WindowEvent e;
          e.kind = strokes[i].down ? WindowEvent::key : WindowEvent::key_up;
          e.key_name = strokes[i].key;
          e.ctrl = strokes[i].ctrl;
          e.shift = strokes[i].shift;
          desk().feed(e);
          if ((i + first) % portion == 0) frame();
        }
        frames(5);
      };
      const std::size_t before = editor().session.history().position();
      strike(undo);
      EXPECT_EQ(editor().session.history().position(), before - 1) << portion << " " << first;
      strike(redo);
      EXPECT_EQ(editor().session.history().position(), before) << portion << " " << first;
    }
}

}  // namespace
}  // namespace sinew
