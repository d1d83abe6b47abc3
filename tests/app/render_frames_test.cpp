// `sinew render` with many frames: folders that are gone on with, films, and calls that are ended
// half-way.
#include <signal.h>

#include <chrono>
#include <thread>

#include "tests/app/render_fixture.h"

namespace sinew {
namespace {

using namespace testing;
using nlohmann::json;
namespace fs = std::filesystem;

struct RenderFrames : RenderTest {
  std::map<std::string, std::string> pictures(const std::string& name) const {
    std::map<std::string, std::string> all;
    for (const std::string& file : files(name))
      if (file.ends_with(".png")) all[file] = folder.read(name + "/" + file);
    return all;
  }
  json report(const std::vector<std::string>& words, const Environment& environment = {},
              int code = 0) const {
    std::vector<std::string> all = words;
    all.push_back("--json");
    const Ran ran = render(all, "a.json", environment);
    EXPECT_EQ(ran.code, code) << ran.err;
    return json::parse(ran.out);
  }
  // Ends a call with a signal when some of its frames are there, but not all. A machine that was
  // busy elsewhere in that moment gets another try.
  Ran ended_half_way(std::vector<std::string> words, const std::string& frames, int count,
                     int signal) const {
    for (int attempt = 0; attempt < 10; ++attempt) {
      fs::remove_all(folder / frames);
      RunningProgram program(call(words), folder.path, headless());
      while (program.running() && pictures(frames).size() < 3)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      program.send(signal);
      const Ran ran = program.wait();
      if (ran.code != 0 && static_cast<int>(pictures(frames).size()) < count) return ran;
    }
    ADD_FAILURE() << "it was always done before it could be ended";
    return {};
  }
};

const std::vector<std::string> whole_timeline = {
    "frame_0002.png", "frame_0003.png", "frame_0004.png", "frame_0005.png",   "frame_0006.png",
    "frame_0007.png", "frame_0008.png", "frame_0009.png", "sinew_render.json"};

TEST_F(RenderFrames, AFolderHasTheWholeTimeline) {
  for (const char* out : {"frames", "deep/er/frames/"}) {
    const Ran ran = render({"-o", out});
    ASSERT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(ran.err, "");
    EXPECT_EQ(files(out), whole_timeline);
    const std::string name = std::string(out).ends_with('/') ? out : std::string(out) + "/";
    EXPECT_TRUE(ran.out.starts_with("wrote " + name + " (8 frames, 96 x 64, vulkan, ")) << ran.out;
  }
  EXPECT_EQ(pictures("frames"), pictures("deep/er/frames"));
  const render::Picture first = picture("frames/frame_0002.png");
  EXPECT_TRUE(is_clay(first.pixel(48, 32)));
  EXPECT_FALSE(first == picture("frames/frame_0009.png")) << "it moves";
}

TEST_F(RenderFrames, WhatIsThereIsKept) {
  EXPECT_EQ(report({"-o", "f/", "--frames", "2:6"})["rendered"], 5);
  const auto before = pictures("f");
  const Ran again = render({"-o", "f/", "--frames", "2:6"});
  EXPECT_EQ(again.code, 0);
  EXPECT_EQ(again.err, "");
  EXPECT_TRUE(again.out.starts_with("wrote f/ (5 frames, 5 of them there before, ")) << again.out;
  // One that is gone or broken is made again, the others are not touched.
  fs::remove(folder / "f/frame_0004.png");
  folder.write("f/frame_0006.png", "broken");
  const json third = report({"-o", "f/", "--frames", "2:6"});
  EXPECT_EQ(third["rendered"], 2);
  EXPECT_EQ(third["kept"], 3);
  EXPECT_EQ(pictures("f"), before);
}

TEST_F(RenderFrames, WhateverChangesAPictureMakesItAnew) {
  // A camera of its own, so that it does not move with what is changed.
  json doc = json::parse(moving_box);
  doc["layout"]["cameras"]["main"] = {{"distance", 5}};
  folder.write("a.json", doc.dump());
  const std::vector<std::string> usual{"-o", "f/", "--frames", "2:3"};
  ASSERT_EQ(report(usual)["rendered"], 2);
  EXPECT_EQ(report({"-o", "f/", "--frames", "2:4"})["kept"], 2) << "more of the same";
  const std::vector<std::vector<std::string>> changes = {{"--set", "box.size=[1, 1, 2]"},
                                                         {"--view", "front"},
                                                         {"--overlay", "axes"},
                                                         {"--shading", "facets"},
                                                         {"--section", "z"},
                                                         {"--show", "height"},
                                                         {"--turntable"},
                                                         {"--size", "100x64"},
                                                         {"--show", "height", "--map", "phase"}};
  // Each differs from the one before.
  for (const std::vector<std::string>& change : changes) {
    std::vector<std::string> words = usual;
    words.insert(words.end(), change.begin(), change.end());
    const Ran ran = render(words);
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_TRUE(ran.out.starts_with("wrote f/ (2 frames, 100 x") ||
                ran.out.starts_with("wrote f/ (2 frames, 96 x"))
        << change[0] << ": " << ran.out;
    EXPECT_TRUE(ran.err.starts_with("warning: 'f/' held ")) << ran.err;
    EXPECT_NE(ran.err.find("rendered anew now\n"), std::string::npos) << ran.err;
  }
  ASSERT_EQ(report(usual)["rendered"], 2);
  EXPECT_EQ(report({"-o", "f/", "--frames", "2:3", "--threads", "1"})["kept"], 2)
      << "which changes nothing";
  doc["nodes"][0]["params"]["size"] = {2, 1, 1};
  folder.write("a.json", doc.dump());
  EXPECT_EQ(report(usual)["rendered"], 2) << "another document";
}

// Views that are not the document's are framed for each range, so that these differ.
TEST_F(RenderFrames, ACallTouchesItsOwnRangeOnly) {
  ASSERT_EQ(report({"-o", "f/", "--frames", "2:4"})["rendered"], 3);
  const auto before = pictures("f");
  const Ran ran = render({"-o", "f/", "--frames", "5:9"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(ran.err,
            "warning: 'f/' also holds 3 frames outside of this range (2:4) of another state of the "
            "document or with other settings; they stay as before\n");
  auto after = pictures("f");
  EXPECT_EQ(after.size(), 8u);
  for (const auto& [name, content] : before) EXPECT_EQ(after[name], content) << name;
  EXPECT_EQ(report({"-o", "f/", "--frames", "2:4"})["kept"], 3);
  const json third = report({"-o", "f/", "--frames", "4:6"});
  EXPECT_EQ(third["rendered"], 3);
  EXPECT_EQ(third["messages"].size(), 2u) << third["messages"];
  EXPECT_EQ(third["messages"][0]["text"],
            "'f/' held 3 frames of this range of another state of the document or with other "
            "settings, rendered anew now");
}

// A farm's calls come in any order, and some have frames with more digits than others.
TEST_F(RenderFrames, FramesOfOtherCallsKeepTheirNames) {
  const std::vector<std::string> ranges = {"2:3", "10000:10001", "5:5", "2:3", "9999:10000"};
  for (const std::string& range : ranges) {
    const auto before = pictures("f");
    const std::size_t colon = range.find(':');
    const int first = std::stoi(range.substr(0, colon)), last = std::stoi(range.substr(colon + 1));
    const Ran ran = render({"-o", "f/", "--frames", range});
    ASSERT_EQ(ran.code, 0) << ran.err;
    const auto after = pictures("f");
    for (const auto& [name, content] : before) {
      const int frame = std::stoi(name.substr(6));
      if (frame >= first && frame <= last) continue;
      ASSERT_TRUE(after.contains(name)) << name << " is gone after --frames " << range;
      EXPECT_EQ(after.at(name), content) << name;
    }
    for (int frame = first; frame <= last; ++frame)
      EXPECT_EQ(std::count_if(after.begin(), after.end(),
                              [&](const auto& p) { return std::stoi(p.first.substr(6)) == frame; }),
                1)
          << frame << " after --frames " << range;
  }
}

TEST_F(RenderFrames, AFilmLeavesWhatWasAskedForAsPictures) {
  ASSERT_EQ(report({"-o", "x_frames/", "--frames", "2:4"})["rendered"], 3);
  const auto before = pictures("x_frames");
  EXPECT_EQ(report({"-o", "x.gif", "--frames", "2:4"})["kept"], 3);
  EXPECT_EQ(pictures("x_frames"), before);
}

TEST_F(RenderFrames, AFileThatTheDocumentReadsCounts) {
  folder.write("x.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  folder.write("a.json", R"({"sinew": 1, "settings": {"last_frame": 1}, "nodes": [
    {"id": "l", "type": "mesh.load", "params": {"file": "x.obj"}}]})");
  EXPECT_EQ(report({"-o", "f/"})["rendered"], 2);
  EXPECT_EQ(report({"-o", "f/"})["rendered"], 0);
  folder.write("x.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0.5\nf 1 2 3\n");
  EXPECT_EQ(report({"-o", "f/"})["rendered"], 2);
}

TEST_F(RenderFrames, StrangersStay) {
  fs::create_directories(folder / "f");
  folder.write("f/holiday.png", "mine");
  folder.write("f/notes.txt", "mine, too");
  ASSERT_EQ(report({"-o", "f/", "--frames", "2:3"})["rendered"], 2);
  ASSERT_EQ(report({"-o", "f/", "--frames", "2:3", "--view", "top"})["rendered"], 2);
  EXPECT_EQ(folder.read("f/holiday.png"), "mine");
  EXPECT_EQ(folder.read("f/notes.txt"), "mine, too");
  fs::create_directories(folder / "g");
  folder.write("g/frame_0002.png", "somebody's");
  const Ran ran = render({"-o", "g"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_EQ(
      ran.err,
      "error: the folder 'g' holds 'frame_0002.png' but no sinew_render.json, so its pictures "
      "are not known to be replaceable; remove them or name another folder\n");
  EXPECT_EQ(folder.read("g/frame_0002.png"), "somebody's");
}

TEST_F(RenderFrames, ATurnGoesOnceRound) {
  // What stands still turns, too.
  const std::vector<std::string> still{"--set", "move.rotate=[0, 0, 0]", "--set",
                                       "box.size=[1, 0.5, 4]"};
  std::vector<std::string> words{"-o", "f/", "--turntable"};
  words.insert(words.end(), still.begin(), still.end());
  ASSERT_EQ(report(words)["rendered"], 8);
  std::vector<render::Picture> all;
  for (const auto& [name, bytes] : pictures("f")) {
    all.push_back(picture("f/" + name));
    // Nothing of the body leaves the picture on the way round.
    for (int x = 0; x < 96; ++x)
      EXPECT_FALSE(is_clay(all.back().pixel(x, 0)) || is_clay(all.back().pixel(x, 63))) << name;
    for (int y = 0; y < 64; ++y)
      EXPECT_FALSE(is_clay(all.back().pixel(0, y)) || is_clay(all.back().pixel(95, y))) << name;
    EXPECT_TRUE(is_clay(all.back().pixel(48, 32))) << name;
  }
  for (std::size_t i = 0; i + 1 < all.size(); ++i) EXPECT_FALSE(all[i] == all[i + 1]) << i;
  words = {"-o", "g/"};
  words.insert(words.end(), still.begin(), still.end());
  ASSERT_EQ(report(words)["rendered"], 8);
  EXPECT_EQ(folder.read("g/frame_0002.png"), folder.read("g/frame_0009.png"));
}

// The same colour is the same number in all frames: a field that grows changes its colours, not
// only its legend.
TEST_F(RenderFrames, ColoursMeanTheSameInAllFrames) {
  json doc = json::parse(moving_box);
  doc["nodes"][2]["params"]["high"] = {
      {"animate", {{"points", {{2, 1}, {9, 10}}}, {"x_unit", "frames"}}}};
  folder.write("a.json", doc.dump());
  const std::vector<std::string> words{"--show",    "height", "--set",     "move.rotate=[0, 0, 0]",
                                       "--view",    "front",  "--overlay", "none",
                                       "--shading", "unlit"};
  std::vector<std::string> all{"-o", "f/"};
  all.insert(all.end(), words.begin(), words.end());
  ASSERT_EQ(report(all)["rendered"], 8);
  const render::Picture first = picture("f/frame_0002.png"), last = picture("f/frame_0009.png");
  // At the bottom it is 0 in all frames, at the top 1 in the first and 10 in the last.
  for (int c = 0; c < 3; ++c) EXPECT_NEAR(first.pixel(48, 58)[c], last.pixel(48, 58)[c], 12);
  int top = 0, within_first = 0;
  for (int c = 0; c < 3; ++c) {
    top += std::abs(first.pixel(48, 6)[c] - last.pixel(48, 6)[c]);
    within_first += std::abs(first.pixel(48, 6)[c] - first.pixel(48, 58)[c]);
  }
  EXPECT_GT(top, 150);
  EXPECT_LT(within_first, 100) << "only a tenth of the scale";
}

// ---- Films ------------------------------------------------------------------------------------

std::size_t frames_of_gif(const std::string& gif) {
  std::size_t controls = 0;
  for (std::size_t at = gif.find("\x21\xF9\x04"); at != std::string::npos;
       at = gif.find("\x21\xF9\x04", at + 1))
    ++controls;
  return controls;
}

// The table of sample sizes: its name, a version, a common size, and the count.
std::size_t frames_of_mp4(const std::string& mp4) {
  const std::size_t at = mp4.find("stsz");
  if (at == std::string::npos || at + 16 > mp4.size()) return 0;
  std::size_t count = 0;
  for (int i = 0; i < 4; ++i) count = 256 * count + static_cast<uint8_t>(mp4[at + 12 + i]);
  return count;
}

TEST_F(RenderFrames, Films) {
  const Ran gif = render({"-o", "x.gif"});
  ASSERT_EQ(gif.code, 0) << gif.err;
  EXPECT_EQ(gif.err, "");
  EXPECT_TRUE(gif.out.starts_with("wrote x.gif (8 frames, 96 x 64, vulkan, ")) << gif.out;
  EXPECT_TRUE(folder.read("x.gif").starts_with("GIF89a"));
  EXPECT_EQ(frames_of_gif(folder.read("x.gif")), 8u);
  const Ran mp4 = render({"-o", "x.mp4", "--frames", "2:9:3"});
  ASSERT_EQ(mp4.code, 0) << mp4.err;
  EXPECT_EQ(mp4.err, "");
  EXPECT_EQ(folder.read("x.mp4").substr(4, 4), "ftyp");
  EXPECT_EQ(frames_of_mp4(folder.read("x.mp4")), 3u);
  EXPECT_EQ(files("."), (std::vector<std::string>{"a.json", "x.gif", "x.mp4"}))
      << "the frames are gone";
}

TEST_F(RenderFrames, WithoutFfmpegTheFramesStayAndAreUsedLater) {
  const Ran ran = render({"-o", "x.mp4"}, "a.json", {{"SINEW_FFMPEG", "/nowhere/ffmpeg"}});
  EXPECT_EQ(ran.code, 2);
  EXPECT_EQ(ran.out, "");
  EXPECT_EQ(ran.err,
            "error: ffmpeg is missing, so the frames stay as pictures in 'x_frames/'; install it "
            "(Debian: apt-get install ffmpeg) and call again: nothing is rendered twice\n");
  EXPECT_EQ(files("x_frames"), whole_timeline);
  EXPECT_FALSE(fs::exists(folder / "x.mp4"));
  const json again = report({"-o", "x.mp4"}, {{"SINEW_FFMPEG", "/nowhere/ffmpeg"}}, 2);
  EXPECT_EQ(again["rendered"], 0);
  EXPECT_EQ(again["kept"], 8);
  EXPECT_EQ(again["wrote"], json({"x_frames/"}));
  const json film = report({"-o", "x.mp4"});
  EXPECT_EQ(film["rendered"], 0);
  EXPECT_EQ(film["kept"], 8);
  EXPECT_EQ(film["wrote"], json({"x.mp4"}));
  EXPECT_EQ(frames_of_mp4(folder.read("x.mp4")), 8u);
  EXPECT_FALSE(fs::exists(folder / "x_frames"));
}

TEST_F(RenderFrames, StrangersAmongTheFramesOfAFilmStay) {
  fs::create_directories(folder / "x_frames");
  folder.write("x_frames/notes.txt", "mine");
  ASSERT_EQ(report({"-o", "x.gif", "--frames", "2:3"})["rendered"], 2);
  EXPECT_EQ(files("x_frames"), (std::vector<std::string>{"notes.txt"}));
}

// ---- Ended half-way ---------------------------------------------------------------------------

constexpr int many = 40;
const std::vector<std::string> many_frames{"-o", "f/", "--frames", "2:41"};

TEST_F(RenderFrames, AKilledCallIsTakenUpAsIfNothingHadHappened) {
  const Ran killed = ended_half_way(many_frames, "f", many, SIGKILL);
  EXPECT_EQ(killed.code, -SIGKILL);
  const auto half = pictures("f");
  const json rest = report(many_frames);
  EXPECT_EQ(rest["kept"], half.size());
  EXPECT_EQ(rest["rendered"], many - half.size());
  ASSERT_EQ(report({"-o", "g/", "--frames", "2:41"})["rendered"], many);
  EXPECT_EQ(pictures("f"), pictures("g"));
  for (const std::string& name : files("f"))
    EXPECT_TRUE(name.starts_with("frame_") || name == "sinew_render.json") << name;
}

TEST_F(RenderFrames, AnInterruptedCallSaysHowToGoOn) {
  const Ran ran = ended_half_way(many_frames, "f", many, SIGINT);
  EXPECT_EQ(ran.code, 130);
  EXPECT_EQ(ran.out, "");
  const std::size_t half = pictures("f").size();
  EXPECT_EQ(ran.err, "error: interrupted; " + std::to_string(half) +
                         " of 40 frames are in 'f/': call again to go on\n");
  EXPECT_EQ(report(many_frames)["kept"], half);
}

TEST_F(RenderFrames, AFilmIsInterruptedToo) {
  const Ran ran = ended_half_way({"-o", "x.gif", "--frames", "2:41"}, "x_frames", many, SIGINT);
  EXPECT_EQ(ran.code, 130);
  EXPECT_EQ(ran.err, "error: interrupted; " + std::to_string(pictures("x_frames").size()) +
                         " of 40 frames are in 'x_frames/': call again to go on\n");
  EXPECT_FALSE(fs::exists(folder / "x.gif"));
}

// ffmpeg is stopped with it, and the frames wait for the next call.
TEST_F(RenderFrames, AFilmIsInterruptedWhileFfmpegWorks) {
  folder.write("slow", "#!/bin/sh\necho $$ > pid\nexec sleep 600\n");
  fs::permissions(folder / "slow", fs::perms::owner_all);
  RunningProgram program(call({"-o", "x.mp4"}), folder.path,
                         headless({{"SINEW_FFMPEG", (folder / "slow").string()}}));
  while (program.running() && folder.read("pid").empty())
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  program.send(SIGINT);
  const Ran ran = program.wait();
  EXPECT_EQ(ran.code, 130);
  EXPECT_EQ(ran.err, "error: interrupted; all frames are in 'x_frames/': call again to go on\n");
  EXPECT_NE(kill(std::stoi(folder.read("pid")), 0), 0) << "ffmpeg still runs";
  EXPECT_EQ(files("x_frames"), whole_timeline);
  EXPECT_EQ(report({"-o", "x.mp4"})["kept"], 8);
}

TEST_F(RenderFrames, OneCallAtATime) {
  RunningProgram first(call(many_frames), folder.path, headless());
  while (first.running() && pictures("f").empty())
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  first.send(SIGSTOP);  // it lives, and goes no further
  const Ran second = render(many_frames);
  EXPECT_EQ(second.code, 2);
  EXPECT_EQ(second.err,
            "error: the folder 'f/' is being rendered into by another call; wait for it or name "
            "another folder\n");
  first.send(SIGCONT);
  EXPECT_EQ(first.wait().code, 0);
  EXPECT_EQ(pictures("f").size(), static_cast<std::size_t>(many));
}

}  // namespace
}  // namespace sinew
