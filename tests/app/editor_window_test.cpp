// The editor in a real window: it opens with either renderer, takes any size, asks before it loses
// anything, rests when nobody does anything, and gives back the work after a crash.
#include <signal.h>

#include <chrono>
#include <thread>

#include "tests/app/real_window.h"

namespace sinew {
namespace {

using namespace testing;
using nlohmann::json;

const char* box = R"({
  "sinew": 1,
  "meta": {"title": "A box"},
  "nodes": [{"id": "box", "type": "mesh.box"}, {"id": "show", "type": "view"}],
  "links": ["box.mesh -> show.value"],
  "layout": {"nodes": {"box": {"at": [10, 20]}, "show": {"at": [260, 20]}}}
})";

class EditorWindow : public RealWindow {
 protected:
  EditorWindow() { folder_.write("a.json", box); }
};

TEST_F(EditorWindow, ShowsTheBodyWithEitherRenderer) {
  for (const char* renderer : {"vulkan", "opengl"}) {
    start({"a.json", "--renderer", renderer, "--size", "1000x700"});
    EXPECT_TRUE(comes_true([&] { return shows_clay(place("panel.Viewport")); })) << renderer;
    EXPECT_EQ(hand_.title(), "A box - Sinew");
    EXPECT_EQ(hand_.size(), (std::array<int, 2>{1000, 700}));
    photograph(std::string("window_") + renderer);
    hand_.close();
    expect_ends();
  }
}

TEST_F(EditorWindow, TakesAnySize) {
  start({"a.json"});
  for (const auto& [width, height] :
       {std::pair{1200, 800}, {1, 1}, {90, 400}, {400, 80}, {640, 480}}) {
    hand_.resize(width, height);
    const json wanted = {width, height};
    EXPECT_TRUE(comes_true([&] { return state()["size"] == wanted; })) << width << " x " << height;
    EXPECT_TRUE(running());
  }
  EXPECT_TRUE(comes_true([&] { return shows_clay(place("panel.Viewport")); }));
  hand_.close();
  expect_ends();
}

TEST_F(EditorWindow, RestsWhenNobodyDoesAnything) {
  start({"a.json"});
  settle();
  // At the very first start the library makes its pictures; then it rests.
  double share = 1;
  for (int i = 0; i < 20 && share >= 0.1; ++i) {
    const double before = processor_seconds();
    std::this_thread::sleep_for(std::chrono::seconds(3));
    share = (processor_seconds() - before) / 3;
  }
  RecordProperty("percent_of_a_core", std::to_string(100 * share));
  std::printf("idle: %.1f %% of a core\n", 100 * share);
  EXPECT_LT(share, 0.1);
  hand_.close();
  expect_ends();
}

TEST_F(EditorWindow, SaysWhatIsWrong) {
  const auto said = [&](const std::vector<std::string>& words, int code) {
    const Ran ran = run_program(words, folder_.path);
    EXPECT_EQ(ran.code, code) << ran.err;
    return ran.err;
  };
  EXPECT_EQ(said({"none.json"}, 2),
            "error: none.json: cannot be read: No such file or directory\n");
  EXPECT_EQ(said({"a.json", "--show", "bix"}, 2),
            "error: --show: there is no node 'bix'; did you mean 'box'?\n");
  EXPECT_EQ(said({"a.json", "--size", "9"}, 2),
            "error: --size 9: it must be WIDTHxHEIGHT, such as 1280x720, each from 1 to 16384\n");
  EXPECT_EQ(said({"a.json", "--renderer", "metal"}, 2),
            "error: --renderer metal: there are auto, vulkan and opengl\n");
  folder_.write("s.txt", "clik node.box\n");
  EXPECT_EQ(said({"a.json", "--script", "s.txt"}, 2),
            "error: s.txt: line 1: scripts have no 'clik'; did you mean 'click'?\n");
  folder_.write("s.txt", "expect node ball\n");
  EXPECT_EQ(said({"a.json", "--renderer", "noop", "--script", "s.txt"}, 1),
            "error: s.txt: line 1: expect: not so: node ball; there is none\n");
  // A file without an ending is a file, if it is there.
  folder_.write("evall", "no document");
  EXPECT_TRUE(said({"evall"}, 2).starts_with("error: evall: line 1"));
}

TEST_F(EditorWindow, WithoutADisplayItSaysHowToMakeAPicture) {
  const std::vector<std::pair<std::string, std::string>> displays = {
      {"", "there is no display to open a window on"},
      {":54321", "no window can be opened: the display ':54321' does not answer"}};
  for (const auto& [display, message] : displays) {
    const Environment environment{{"DISPLAY", display}, {"WAYLAND_DISPLAY", ""}};
    const Ran ran = RunningProgram({"a.json"}, folder_.path, environment).wait();
    EXPECT_EQ(ran.code, 2);
    EXPECT_EQ(ran.err,
              "error: " + message + "; for a picture: sinew render a.json -o picture.png\n");
  }
}

}  // namespace
}  // namespace sinew
