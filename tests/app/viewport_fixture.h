// The editor with a view of the body: where it is on the screen, and how many steps were taken.
#pragma once

#include "app/editor/panels/viewport/viewport.h"
#include "tests/app/editor_fixture.h"

namespace sinew::testing {

class ViewportTest : public EditorTest {
 protected:
  using EditorTest::EditorTest;
  editor::Viewport& viewport() { return *editor().panel<editor::Viewport>(); }
  editor::Sight& sight() { return viewport().sight(); }
  std::size_t steps() { return editor().session.history().position(); }
  // A place of the picture where the body is, near its middle.
  ImVec2 on_body() {
    const std::optional<ImVec2> middle = sight().place(sight().box.center());
    EXPECT_TRUE(middle && sight().pick(*middle));
    return middle.value_or(ImVec2(0, 0));
  }
};

// Live, so that it goes on while the test draws.
class PlayingTest : public ViewportTest {
 protected:
  using ViewportTest::ViewportTest;
  void play_live(const std::string& preset, int count) {
    open_preset(preset);
    go_on_live(count);
  }
  void go_on_live(int count) {
    editor().player.set_clock(editor::ClockKind::live);
    editor().player.play(true);
    play(count);
  }
  // So many frames of the interface, each with what it asked for.
  void play(int count) {
    for (int i = 0; i < count; ++i) {
      frame();
      editor().player.settle();
    }
  }
};

}  // namespace sinew::testing
