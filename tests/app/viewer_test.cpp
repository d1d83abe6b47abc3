// `sinew FILE`: the window, opened on a screen that nobody sees.
#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <nlohmann/json.hpp>
#include <thread>

#include "tests/app/hand.h"
#include "tests/app/run_program.h"
#include "tests/golden/screen.h"

namespace sinew {
namespace {

using namespace testing;
using nlohmann::json;

const char* box = R"({
  "sinew": 1,
  "meta": {"title": "A box"},
  "nodes": [{"id": "box", "type": "mesh.box"}, {"id": "show", "type": "view"}],
  "links": ["box.mesh -> show.value"],
  "layout": {"nodes": {"box": {"at": [10, 20]}}, "frames": [{"title": "All"}]}
})";

// Until it is so, however slow the machine; a minute means never.
bool comes_true(const std::function<bool()>& what) {
  for (int i = 0; i < 6000; ++i) {
    if (what()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

class Viewer : public ::testing::Test {
 protected:
  Viewer() { folder_.write("a.json", box); }

  std::unique_ptr<RunningProgram> open(const std::vector<std::string>& words = {}) {
    std::vector<std::string> all{"a.json", "--size", "320x240"};
    all.insert(all.end(), words.begin(), words.end());
    return std::make_unique<RunningProgram>(all, folder_.path);
  }
  bool shows_clay(int x, int y) {
    const auto pixel = hand_.pixel(x, y);
    return pixel && (*pixel)[0] > (*pixel)[2] + 8;
  }
  bool shows_studio(int x, int y) {
    const auto pixel = hand_.pixel(x, y);
    return pixel && (*pixel)[2] > (*pixel)[0];
  }
  // It ends by itself, in peace.
  static void expect_ends(RunningProgram& program) {
    EXPECT_TRUE(comes_true([&] { return !program.running(); }));
    const Ran ran = program.wait();
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(ran.err, "");
    EXPECT_EQ(ran.out, "");
  }

  Screen screen_{800, 600};
  Hand hand_{screen_.display()};
  TemporaryFolder folder_;
};

TEST_F(Viewer, ShowsTheBodyWithEitherRenderer) {
  for (const char* renderer : {"vulkan", "opengl"}) {
    const auto program = open({"--renderer", renderer});
    ASSERT_TRUE(comes_true([&] { return shows_clay(160, 120); })) << renderer;
    EXPECT_TRUE(shows_studio(4, 120));
    EXPECT_EQ(hand_.title(), "A box - Sinew");
    EXPECT_EQ(hand_.size(), (std::array<int, 2>{320, 240}));
    hand_.close();
    expect_ends(*program);
  }
}

TEST_F(Viewer, TakesAnySizeAndShowsItWithoutBeingAskedAgain) {
  const auto program = open();
  ASSERT_TRUE(comes_true([&] { return shows_clay(160, 120); }));
  for (const auto& [width, height] : {std::pair{500, 400}, {1, 1}, {90, 400}, {400, 80}}) {
    hand_.resize(width, height);
    ASSERT_TRUE(comes_true([&] { return hand_.size() == std::array<int, 2>{width, height}; }));
    EXPECT_TRUE(program->running());
    if (width == 1) continue;
    EXPECT_TRUE(comes_true([&] { return shows_clay(width / 2, height / 2); })) << width;
  }
  hand_.press("Escape");
  expect_ends(*program);
}

TEST_F(Viewer, KeysAndTheMouseMoveTheView) {
  const auto program = open();
  ASSERT_TRUE(comes_true([&] { return shows_clay(160, 120); }));
  // Far enough down to look straight from above.
  hand_.drag(160, 120, 160, 500);
  EXPECT_TRUE(comes_true([&] { return shows_clay(160, 120); }));
  hand_.press("s", true);
  json kept;
  ASSERT_TRUE(comes_true([&] {
    kept = json::parse(folder_.read("a.json"), nullptr, false);
    return kept.is_object() && kept["layout"].contains("cameras");
  }));
  EXPECT_EQ(kept["layout"]["cameras"]["main"]["pitch"], 90) << "straight from above";
  EXPECT_EQ(kept["layout"]["cameras"]["main"]["yaw"], 30);
  hand_.press("1");
  hand_.press("s", true);
  ASSERT_TRUE(comes_true([&] {
    kept = json::parse(folder_.read("a.json"), nullptr, false);
    return kept.is_object() && kept["layout"]["cameras"]["main"]["yaw"] == 0;
  }));
  EXPECT_EQ(kept["layout"]["cameras"]["main"]["parallel"], true);
  // Nothing else of the document has changed.
  kept["layout"].erase("cameras");
  EXPECT_EQ(kept, json::parse(box));
  for (const char* key : {"h", "h", "w", "g", "b",     "a",     "v",    "n",    "l", "p", "x",
                          "x", "x", "x", "f", "space", "Right", "Left", "Home", "0", "6", "s"})
    hand_.press(key);
  EXPECT_TRUE(program->running());
  hand_.press("q", true);
  expect_ends(*program);
}

TEST_F(Viewer, OpensWithTheCameraThatWasKept) {
  json doc = json::parse(box);
  doc["layout"]["cameras"]["main"] = {{"target", {30, 0, 0}}, {"distance", 5}};
  folder_.write("a.json", doc.dump());
  const auto program = open();
  ASSERT_TRUE(comes_true([&] { return shows_studio(160, 120); }));
  EXPECT_FALSE(shows_clay(160, 120)) << "it looks elsewhere";
  // Again and again: without a window manager the first key can come before the focus.
  EXPECT_TRUE(comes_true([&] {
    hand_.press("f");
    return shows_clay(160, 120);
  }));
  hand_.close();
  expect_ends(*program);
}

TEST_F(Viewer, SaysWhatIsWrong) {
  const auto said = [&](const std::vector<std::string>& words, int code) {
    const Ran ran = run_program(words, folder_.path);
    EXPECT_EQ(ran.code, code) << ran.err;
    return ran.err;
  };
  EXPECT_EQ(said({"none.json"}, 2),
            "error: none.json: cannot be read: No such file or directory\n");
  EXPECT_EQ(said({"a.json", "--show", "bix"}, 2),
            "error: a.json: --show: there is no node 'bix'; did you mean 'box'?\n");
  EXPECT_EQ(said({"a.json", "--size", "9"}, 2),
            "error: --size 9: it must be WIDTHxHEIGHT, such as 1280x720, each from 1 to 16384\n");
  EXPECT_EQ(said({"a.json", "--renderer", "metal"}, 2),
            "error: --renderer metal: there are auto, vulkan and opengl\n");
  folder_.write("empty.json", R"({"sinew": 1, "nodes": []})");
  EXPECT_EQ(
      said({"empty.json"}, 1),
      "error: empty.json: there is nothing to see: no output is a body, a field or directions "
      "on one\n");
  // A file without an ending is a file, if it is there.
  folder_.write("evall", "no document");
  EXPECT_TRUE(said({"evall"}, 2).starts_with("error: evall: line 1"));
}

TEST_F(Viewer, WithoutADisplayItSaysHowToMakeAPicture) {
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
