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

}  // namespace
}  // namespace sinew
