// What stands between rendered pictures and files: ranges of frames, folders that a killed call can
// be taken up in, videos with and without ffmpeg, and the line of progress.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <random>
#include <set>
#include <thread>

#include "app/cli/frame_folder.h"
#include "app/cli/frame_range.h"
#include "app/cli/progress_bar.h"
#include "app/cli/video.h"
#include "render/png_file.h"
#include "tests/app/run_program.h"

namespace sinew::cli {
namespace {

namespace fs = std::filesystem;
using sinew::testing::TemporaryFolder;

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::string png_of(int width, int height, uint8_t tone, uint8_t alpha = 255) {
  render::Picture picture = render::filled(width, height, {tone, 90, 40, alpha});
  for (int x = 0; x < width; ++x) picture.pixel(x, (x + tone) % height)[1] = 250;
  return render::encode_png(picture).bytes;
}

// ---- Ranges -----------------------------------------------------------------------------------

TEST(FrameRanges, AreRead) {
  const auto frames = [](const char* text) {
    const Result<FrameRange> range = parse_frame_range(text);
    return range ? range->frames() : std::vector<int>{};
  };
  EXPECT_EQ(frames("3:6"), (std::vector<int>{3, 4, 5, 6}));
  EXPECT_EQ(frames("0:10:4"), (std::vector<int>{0, 4, 8}));
  EXPECT_EQ(frames("-3:3:3"), (std::vector<int>{-3, 0, 3}));
  EXPECT_EQ(frames("-7"), (std::vector<int>{-7}));
  EXPECT_EQ(frames("5:5:9"), (std::vector<int>{5}));
  EXPECT_EQ(parse_frame_range("1:1000000")->count(), max_frame_count);
  EXPECT_EQ(parse_frame_range("-2147483648:2147483647:2147483647")->count(), 3);
  for (const char* text : {"3:6", "0:10:4", "12", "-3:3:3"})
    EXPECT_EQ(parse_frame_range(text)->text(), text);
  const FrameRange range = *parse_frame_range("0:10:4");
  EXPECT_TRUE(range.contains(8));
  for (const int outside : {-4, 1, 10, 12}) EXPECT_FALSE(range.contains(outside));
}

TEST(FrameRanges, SayWhatIsRight) {
  for (const char* text : {"", ":", "1:", ":5", "1:2:", "a", "1-5", "1 : 5", "1:2:x", "1.5", "0x5",
                           "+3", "--3", "1:5 "}) {
    const Result<FrameRange> range = parse_frame_range(text);
    ASSERT_FALSE(range) << text;
    EXPECT_TRUE(holds(range.error(), "A:B:STEP")) << range.error();
  }
  EXPECT_TRUE(holds(parse_frame_range("9:3").error(), "3:9"));
  EXPECT_TRUE(holds(parse_frame_range("9:3:2").error(), "3:9:2"));
  EXPECT_TRUE(holds(parse_frame_range("1:9:0").error(), "1 or more"));
  EXPECT_TRUE(holds(parse_frame_range("1:9:-2").error(), "1 or more"));
  EXPECT_TRUE(holds(parse_frame_range("1:2:3:4").error(), "too many"));
  EXPECT_TRUE(holds(parse_frame_range("0:1000000").error(), "1000001 frames"));
  EXPECT_TRUE(holds(parse_frame_range("-2147483648:2147483647").error(), "larger step"));
  EXPECT_TRUE(holds(parse_frame_range("99999999999").error(), "too large"));
  EXPECT_LT(parse_frame_range(std::string(100000, '7')).error().size(), 300u);
}

// ---- Folders ----------------------------------------------------------------------------------

struct Folder : ::testing::Test {
  FrameFolderOptions options(const std::string& range, const std::string& key = "aa") const {
    return {temporary / "out", {key, 8, 6}, *parse_frame_range(range)};
  }
  // Opens, writes what is missing, and closes; the number of frames written.
  int render(const FrameFolderOptions& o) {
    Result<FrameFolder> folder = FrameFolder::open(o);
    EXPECT_TRUE(folder) << folder.error();
    if (!folder) return -1;
    int written = 0;
    for (const int frame : o.range.frames()) {
      if (folder->has(frame)) continue;
      EXPECT_TRUE(folder->write(frame, png_of(8, 6, static_cast<uint8_t>(frame))));
      ++written;
    }
    return written;
  }
  std::vector<std::string> names() const {
    std::vector<std::string> list;
    for (const auto& entry : fs::directory_iterator(temporary / "out"))
      list.push_back(entry.path().filename().string());
    std::sort(list.begin(), list.end());
    return list;
  }
  std::string error_of(const FrameFolderOptions& o) const {
    const Result<FrameFolder> folder = FrameFolder::open(o);
    return folder ? "" : folder.error();
  }

  TemporaryFolder temporary;
};

TEST(FrameNames, SortAsFramesDo) {
  EXPECT_EQ(frame_file_name(0), "frame_0000.png");
  EXPECT_EQ(frame_file_name(12), "frame_0012.png");
  EXPECT_EQ(frame_file_name(12345), "frame_12345.png");
  EXPECT_EQ(frame_file_name(12, 6), "frame_000012.png");
  EXPECT_EQ(frame_file_name(-1), "frame_-9999.png");
  std::string before;
  for (int frame = -12; frame < 12; ++frame) {
    const std::string name = frame_file_name(frame);
    EXPECT_LT(before, name);
    before = name;
  }
}

TEST_F(Folder, GoesOnWhereItStopped) {
  {
    Result<FrameFolder> folder = FrameFolder::open(options("1:5"));
    ASSERT_TRUE(folder) << folder.error();
    EXPECT_EQ(folder->removed(), 0);
    EXPECT_EQ(folder->kept(), 0);
    for (const int frame : {1, 2, 4})
      ASSERT_TRUE(folder->write(frame, png_of(8, 6, static_cast<uint8_t>(frame))));
    EXPECT_TRUE(folder->has(4));
    EXPECT_FALSE(folder->has(3));
  }
  {
    const Result<FrameFolder> folder = FrameFolder::open(options("1:5"));
    ASSERT_TRUE(folder) << folder.error();
    EXPECT_EQ(folder->removed(), 0);
    EXPECT_EQ(folder->kept(), 3);
    EXPECT_EQ(folder->file_names().back(), "frame_0005.png");
    EXPECT_EQ(folder->path(2), temporary / "out" / "frame_0002.png");
  }
  EXPECT_EQ(render(options("1:5")), 2);
  EXPECT_EQ(render(options("1:5")), 0);
}

TEST_F(Folder, OtherRangesOfTheSameKeyLiveTogether) {
  EXPECT_EQ(render(options("0:4:2")), 3);
  EXPECT_EQ(render(options("1:5")), 3) << "2 and 4 are there";
  EXPECT_EQ(render(options("-2:5")), 2) << "-2 and -1";
  const std::vector<std::string> all = names();
  ASSERT_EQ(all.size(), 9u);
  EXPECT_EQ(all[0], frame_file_name(-2));
  EXPECT_EQ(all[1], frame_file_name(-1));
  EXPECT_EQ(all[2], "frame_0000.png");
}

TEST_F(Folder, NoCallRemovesWhatIsOutsideOfItsRange) {
  EXPECT_EQ(render(options("0:3")), 4);
  std::map<int, std::string> before;
  for (int f = 0; f <= 3; ++f) before[f] = temporary.read("out/" + frame_file_name(f));
  const std::string broken = before[1].substr(0, 9);
  temporary.write("out/frame_0001.png", broken);
  temporary.write("out/.frame_0002.png.sinew-0123456789abcdef.tmp", "another call writes it");
  {
    const Result<FrameFolder> folder = FrameFolder::open(options("4:8", "bb"));
    ASSERT_TRUE(folder) << folder.error();
    EXPECT_EQ(folder->removed(), 0);
    EXPECT_EQ(folder->kept(), 0);
    EXPECT_EQ(folder->others(), (std::vector<int>{0, 1, 2, 3}));
  }
  EXPECT_EQ(render(options("4:8", "bb")), 5);
  EXPECT_EQ(temporary.read("out/frame_0001.png"), broken) << "nor looks after it";
  EXPECT_EQ(temporary.read("out/.frame_0002.png.sinew-0123456789abcdef.tmp"),
            "another call writes it");
  for (const int f : {0, 2, 3}) EXPECT_EQ(temporary.read("out/" + frame_file_name(f)), before[f]);
  // Both go on with what is theirs.
  EXPECT_EQ(render(options("0:3")), 1) << "the broken one";
  EXPECT_EQ(render(options("4:8", "bb")), 0);
  // Within a range, what is of another state is made anew, and no more than that.
  {
    const Result<FrameFolder> folder = FrameFolder::open(options("2:5"));
    ASSERT_TRUE(folder) << folder.error();
    EXPECT_EQ(folder->removed(), 2) << "4 and 5";
    EXPECT_EQ(folder->kept(), 2) << "2 and 3";
    EXPECT_EQ(folder->others(), (std::vector<int>{6, 7, 8}));
  }
  EXPECT_EQ(render(options("2:5")), 2);
  EXPECT_EQ(render(options("0:8")), 3);
  EXPECT_EQ(render(options("0:8", "bb")), 9);
}

TEST_F(Folder, AnyCallsOneAfterAnotherKeepWhatIsOutsideOfTheirRanges) {
  std::mt19937 random(25);
  const auto number = [&](int least, int most) {
    return std::uniform_int_distribution<int>(least, most)(random);
  };
  std::map<int, std::string> state_of;  // what each frame must be
  for (int call = 0; call < 200; ++call) {
    const int first = number(-4, 20), step = number(1, 4);
    const std::string key(1, static_cast<char>('a' + number(0, 2)));
    FrameFolderOptions o = options("0", key);
    o.range = {first, first + number(0, 12), step};
    Result<FrameFolder> folder = FrameFolder::open(o);
    ASSERT_TRUE(folder) << folder.error();
    int alike = 0, stale = 0;
    for (const int f : o.range.frames()) {
      const auto it = state_of.find(f);
      const bool there = it != state_of.end();
      EXPECT_EQ(folder->has(f), there && it->second == key) << "call " << call << " frame " << f;
      alike += there && it->second == key;
      stale += there && it->second != key;
    }
    EXPECT_EQ(folder->kept(), alike);
    EXPECT_EQ(folder->removed(), stale);
    int others = 0;
    for (const auto& [f, k] : state_of) others += !o.range.contains(f) && k != key;
    EXPECT_EQ(folder->others().size(), static_cast<size_t>(others));
    // Some calls are stopped on their way; what they have not made is not there.
    const int most = number(0, 3) == 0 ? number(0, 3) : o.range.count();
    int made = 0;
    for (const int f : o.range.frames()) {
      if (!folder->has(f) && made < most) {
        ASSERT_TRUE(folder->write(f, png_of(8, 6, static_cast<uint8_t>(key[0]))));
        ++made;
      }
      if (folder->has(f))
        state_of[f] = key;
      else
        state_of.erase(f);
    }
  }
  for (const auto& [f, key] : state_of)
    EXPECT_EQ(temporary.read("out/" + frame_file_name(f)),
              png_of(8, 6, static_cast<uint8_t>(key[0])));
}

TEST_F(Folder, TheManifestOfBeforeIsRead) {
  render(options("0:4"));
  temporary.write("out/sinew_render.json",
                  R"({"sinew_render":1,"key":"aa","size":[8,6],"frames":["0:2","2:4:2"]})");
  const Result<FrameFolder> folder = FrameFolder::open(options("0:1", "bb"));
  ASSERT_TRUE(folder) << folder.error();
  EXPECT_EQ(folder->removed(), 2);
  EXPECT_EQ(folder->others(), (std::vector<int>{2, 4})) << "3 is not listed";
}

TEST_F(Folder, AFilmRemovesItsOwnFramesAndNoOthers) {
  FrameFolderOptions film = options("0:3");
  film.for_film = true;
  const auto make_film = [&](const FrameFolderOptions& o) {
    Result<FrameFolder> folder = FrameFolder::open(o);
    ASSERT_TRUE(folder) << folder.error();
    for (const int f : o.range.frames())
      if (!folder->has(f)) {
        ASSERT_TRUE(folder->write(f, png_of(8, 6, 1)));
      }
    folder->discard();
  };
  make_film(film);
  EXPECT_FALSE(fs::exists(temporary / "out"));
  // One that was interrupted is gone on with, and its frames go when it is there.
  render(film);
  FrameFolderOptions later = options("4:8");
  later.for_film = true;
  make_film(later);
  EXPECT_EQ(names().size(), 5u) << "the frames of the first, and the manifest";
  make_film(film);
  EXPECT_FALSE(fs::exists(temporary / "out"));
  // Frames that a call has asked for as pictures stay.
  render(options("0:3"));
  make_film(film);
  make_film(later);
  EXPECT_EQ(names().size(), 10u);
}

TEST_F(Folder, ACallWithoutAPictureLeavesNothing) {
  FrameFolderOptions deep = options("0:3");
  deep.folder = temporary / "out" / "deeper" / "";
  { ASSERT_TRUE(FrameFolder::open(deep)); }
  EXPECT_FALSE(fs::exists(temporary / "out"));
  fs::create_directory(temporary / "out");
  { ASSERT_TRUE(FrameFolder::open(deep)); }
  EXPECT_TRUE(fs::is_empty(temporary / "out")) << "it was there before";
}

TEST(FrameManifest, HoldsAnyFrames) {
  std::mt19937 random(11);
  for (int round = 0; round < 50; ++round) {
    std::set<int> wanted;
    for (int i = 0; i < 30; ++i) wanted.insert(static_cast<int>(random() % 60) - 20);
    FrameManifest manifest;
    const FrameState state{"aa", 8, 6};
    for (const int f : wanted) manifest.claim(state, {f, f, 1});
    const std::optional<FrameManifest> again = FrameManifest::read(manifest.text());
    ASSERT_TRUE(again) << manifest.text();
    for (int f = -30; f < 50; ++f) EXPECT_EQ(again->lists(f), wanted.contains(f)) << f;
  }
  EXPECT_EQ(range_texts({0, 1, 2, 3, 7, 9, 11, 20, 30}),
            (std::vector<std::string>{"0:3", "7:11:2", "20", "30"}));
}

TEST_F(Folder, NamesGrowWithTheRange) {
  EXPECT_EQ(render(options("9998:9999")), 2);
  EXPECT_EQ(render(options("9998:10001")), 2);
  EXPECT_EQ(names(),
            (std::vector<std::string>{"frame_09998.png", "frame_09999.png", "frame_10000.png",
                                      "frame_10001.png", "sinew_render.json"}));
  EXPECT_EQ(render(options("9998:9999")), 0) << "and do not shrink";
}

TEST_F(Folder, AnotherKeyReplacesOursAndNothingElse) {
  render(options("1:3"));
  temporary.write("out/notes.txt", "mine");
  temporary.write("out/frame_0009.png", "not listed");
  temporary.write("out/frame_1.png", "not our way to write it");
  for (const bool wider : {false, true}) {
    FrameFolderOptions different = options("1:2", wider ? "aa" : "bb");
    if (wider) different.state.width = 9;
    const Result<FrameFolder> folder = FrameFolder::open(different);
    ASSERT_TRUE(folder) << folder.error();
    EXPECT_EQ(folder->removed(), wider ? 0 : 2);
    EXPECT_EQ(folder->kept(), 0);
    EXPECT_FALSE(folder->has(1));
  }
  EXPECT_EQ(names(), (std::vector<std::string>{"frame_0003.png", "frame_0009.png", "frame_1.png",
                                               "notes.txt", "sinew_render.json"}));
  EXPECT_TRUE(holds(error_of(options("8:9", "bb")), "frame_0009.png")) << "a stranger in the range";
  EXPECT_TRUE(holds(error_of(options("8:9", "cc")), "frame_0009.png"));
}

TEST_F(Folder, StrangersAreNotOverwritten) {
  fs::create_directories(temporary / "out");
  temporary.write("out/frame_0100.png", "somebody's");
  const std::string error = error_of(options("1:3"));
  EXPECT_TRUE(holds(error, "frame_0100.png") && holds(error, "sinew_render.json")) << error;
  EXPECT_EQ(names().size(), 1u) << "nothing was changed";
  fs::remove(temporary / "out" / "frame_0100.png");
  temporary.write("out/holiday.png", "of no concern");
  EXPECT_EQ(error_of(options("1:3")), "");
  for (const char* text : {"", "{", "[]", "{\"sinew_render\": 1}",
                           R"({"sinew_render":1,"key":"aa","size":[8,6],"frames":["9:1"]})"}) {
    temporary.write("out/sinew_render.json", text);
    EXPECT_TRUE(holds(error_of(options("1:3")), "sinew_render.json")) << text;
    EXPECT_EQ(temporary.read("out/sinew_render.json"), text);
  }
}

TEST_F(Folder, LinksAreStrangersToo) {
  render(options("1:2"));
  fs::remove(temporary / "out" / "frame_0002.png");
  temporary.write("treasure", "precious");
  fs::create_symlink(temporary / "treasure", temporary / "out" / "frame_0002.png");
  EXPECT_TRUE(holds(error_of(options("1:2")), "frame_0002.png"));
  EXPECT_TRUE(holds(error_of(options("1:2", "bb")), "frame_0002.png"));
  EXPECT_EQ(temporary.read("treasure"), "precious");
}

TEST_F(Folder, BrokenFramesAreMadeAgain) {
  render(options("1:4"));
  const std::string whole = temporary.read("out/frame_0001.png");
  temporary.write("out/frame_0001.png", "");
  temporary.write("out/frame_0002.png", whole.substr(0, whole.size() - 1));
  temporary.write("out/frame_0003.png", png_of(8, 7, 3));
  const Result<FrameFolder> folder = FrameFolder::open(options("1:4"));
  ASSERT_TRUE(folder) << folder.error();
  EXPECT_EQ(folder->kept(), 1);
  EXPECT_TRUE(folder->has(4));
}

TEST_F(Folder, RefusesWhatIsNoFolder) {
  temporary.write("out", "a file");
  EXPECT_TRUE(holds(error_of(options("1:3")), "is a file"));
  FrameFolderOptions below = options("1:3");
  below.folder = temporary / "out" / "deeper";
  EXPECT_NE(error_of(below), "");
  EXPECT_EQ(temporary.read("out"), "a file");
  below.folder = temporary / "made" / "on" / "the way";
  EXPECT_EQ(error_of(below), "");
}

TEST_F(Folder, IsForOneCallAtATime) {
  Result<FrameFolder> first = FrameFolder::open(options("1:3"));
  ASSERT_TRUE(first);
  EXPECT_TRUE(holds(error_of(options("1:3")), "another call"));
  const FrameFolder moved = std::move(*first);
  EXPECT_TRUE(holds(error_of(options("1:3")), "another call"));
}

TEST_F(Folder, SurvivesKills) {
  const FrameFolderOptions o = options("1:120");
  size_t kept = 0;
  for (int round = 0; round < 6; ++round) {
    const pid_t child = fork();
    if (child == 0) {
      Result<FrameFolder> folder = FrameFolder::open(o);
      for (const int frame : o.range.frames())
        if (folder && !folder->has(frame))
          (void)folder->write(frame, png_of(8, 6, static_cast<uint8_t>(frame)));
      _exit(folder ? 0 : 1);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5 + 7 * round));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    // As if it had been killed while it wrote.
    fs::create_directories(temporary / "out");
    temporary.write("out/.frame_0007.png.sinew-0123456789abcdef.tmp", "half");
    temporary.write("out/.sinew_render.json.sinew-0123456789abcdef.tmp", "half");
    temporary.write("out/.photo.png.sinew-0123456789abcdef.tmp", "not one of ours");
    const Result<FrameFolder> folder = FrameFolder::open(o);
    ASSERT_TRUE(folder) << folder.error();
    EXPECT_GE(static_cast<size_t>(folder->kept()), kept);
    kept = static_cast<size_t>(folder->kept());
    EXPECT_EQ(names().size(), kept + 2) << "the frames, the manifest, and the stranger";
    for (const int frame : o.range.frames())
      if (folder->has(frame)) {
        EXPECT_TRUE(render::decode_png(temporary.read("out/" + frame_file_name(frame))));
      }
  }
  EXPECT_EQ(render(o), 120 - static_cast<int>(kept));
}

// ---- Videos -----------------------------------------------------------------------------------

// Sets a variable for one test.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) {
    if (const char* old = std::getenv(name)) old_ = old;
    setenv(name, value.c_str(), 1);
  }
  ~Variable() { old_ ? setenv(name_, old_->c_str(), 1) : unsetenv(name_); }

 private:
  const char* name_;
  std::optional<std::string> old_;
};

struct Video : ::testing::Test {
  // Frames 0, 2, 4, ... as a step leaves them.
  VideoJob job(const std::string& target, int count = 12, int width = 33, int height = 25) {
    VideoJob j;
    j.folder = temporary / "x_frames";
    fs::create_directories(j.folder);
    for (int i = 0; i < count; ++i) {
      j.files.push_back(frame_file_name(2 * i));
      const uint8_t alpha = i % 3 == 1 ? 100 : 255;
      temporary.write("x_frames/" + j.files.back(),
                      png_of(width, height, static_cast<uint8_t>(20 * i), alpha));
    }
    j.fps = 24;
    j.target = temporary / target;
    return j;
  }
  std::string script(const std::string& lines) {
    temporary.write("fake", "#!/bin/sh\n" + lines + "\n");
    fs::permissions(temporary / "fake", fs::perms::owner_all);
    return temporary / "fake";
  }
  size_t entries() const {
    return static_cast<size_t>(
        std::distance(fs::directory_iterator(temporary.path), fs::directory_iterator()));
  }
  static std::string error_of(const VideoJob& j, const std::atomic<bool>* cancel = nullptr) {
    const Result<void> ok = write_video(j, cancel);
    return ok ? "" : ok.error();
  }

  TemporaryFolder temporary;
};

TEST_F(Video, WithoutFfmpegTheFramesStay) {
  const Variable nowhere("SINEW_FFMPEG", temporary / "nowhere");
  EXPECT_FALSE(find_ffmpeg());
  const VideoJob j = job("x.mp4");
  EXPECT_EQ(error_of(j), "ffmpeg is missing, so the frames stay as pictures in '" +
                             (temporary / "x_frames/").string() +
                             "'; install it (Debian: apt-get install ffmpeg) and call again: "
                             "nothing is rendered twice");
  EXPECT_TRUE(fs::exists(j.folder / j.files[0]));
  EXPECT_EQ(entries(), 1u);
}

TEST_F(Video, TheProgramIsFoundByItsNameToo) {
  script("exit 0");
  const Variable path("PATH", "/nowhere::" + temporary.path.string());
  const Variable name("SINEW_FFMPEG", "fake");
  EXPECT_EQ(find_ffmpeg(), temporary / "fake");
  const Variable none("SINEW_FFMPEG", "");
  EXPECT_FALSE(find_ffmpeg()) << "no ffmpeg there";
}

TEST_F(Video, AFailureSaysWhatFfmpegSaid) {
  const VideoJob j = job("x.mp4");
  temporary.write("x.mp4", "old");
  const Variable fails("SINEW_FFMPEG", script("echo first >&2; echo 'no such codec' >&2; exit 3"));
  const std::string error = error_of(j);
  EXPECT_TRUE(holds(error, "ffmpeg failed: no such codec; the frames stay")) << error;
  EXPECT_FALSE(holds(error, "first"));
  script("exit 3");
  EXPECT_TRUE(holds(error_of(j), "code 3"));
  script("cat > /dev/null");
  EXPECT_TRUE(holds(error_of(j), "it wrote nothing"));
  script("kill -9 $$");
  EXPECT_TRUE(holds(error_of(j), "signal 9"));
  // More complaints than a pipe holds, before anything is read.
  script("yes 'a complaint' | head -c 1000000 >&2; cat >/dev/null; echo 'the end' >&2; exit 1");
  EXPECT_TRUE(holds(error_of(j), "the end"));
  EXPECT_EQ(temporary.read("x.mp4"), "old");
  EXPECT_EQ(entries(), 3u) << "nothing was left behind";
}

TEST_F(Video, CancellingKillsFfmpeg) {
  const Variable hangs("SINEW_FFMPEG",
                       script("echo $$ > \"$(dirname \"$0\")/pid\"; exec sleep 60"));
  // More than fits between the two processes, so that sending has to wait.
  const VideoJob j = job("x.mp4", 3, 1000, 1000);
  std::atomic<bool> cancel = false;
  std::thread later([&] {
    while (temporary.read("pid").empty()) std::this_thread::yield();
    cancel = true;
  });
  EXPECT_EQ(error_of(j, &cancel), "interrupted");
  later.join();
  EXPECT_NE(kill(std::stoi(temporary.read("pid")), 0), 0);
  EXPECT_FALSE(fs::exists(j.target));
  EXPECT_EQ(entries(), 3u);
}

TEST_F(Video, WrongJobsAreRefused) {
  EXPECT_TRUE(holds(error_of(job("x.avi")), ".mp4 or .gif"));
  EXPECT_TRUE(holds(error_of(job("x.mp4", 0)), "no frames"));
  VideoJob j = job("x.mp4");
  j.fps = 0;
  EXPECT_TRUE(holds(error_of(j), "per second"));
  fs::create_directories(temporary / "folder.mp4");
  EXPECT_TRUE(holds(error_of(job("folder.mp4")), "is a folder"));
  EXPECT_TRUE(is_video_name("a.MP4") && is_video_name("b.gif"));
  EXPECT_FALSE(is_video_name("c.png") || is_video_name("mp4"));
}

TEST_F(Video, BadFramesAreNamed) {
  const Variable reads("SINEW_FFMPEG", script("cat > /dev/null"));
  VideoJob j = job("x.mp4", 4);
  temporary.write("x_frames/" + j.files[2], png_of(5, 5, 0));
  EXPECT_TRUE(holds(error_of(j), "frame_0004.png' is 5 x 5, but the first is 33 x 25"));
  temporary.write("x_frames/" + j.files[2], "broken");
  EXPECT_TRUE(holds(error_of(j), "frame_0004.png': it is not a PNG file"));
  fs::remove(j.folder / j.files[0]);
  EXPECT_TRUE(holds(error_of(j), "frame_0000.png' cannot be read"));
}

TEST_F(Video, LeftoversOfAKilledCallGo) {
  ASSERT_TRUE(find_ffmpeg()) << "do: apt-get install ffmpeg";
  temporary.write(".x.gif.sinew-0123456789abcdef.tmp", "half");
  temporary.write(".x.gif.palette.sinew-0123456789abcdef.tmp", "half");
  EXPECT_EQ(error_of(job("x.gif", 3)), "");
  EXPECT_EQ(entries(), 2u) << "the video and the folder";
}

TEST_F(Video, Mp4Plays) {
  ASSERT_TRUE(find_ffmpeg()) << "do: apt-get install ffmpeg";
  for (const auto& [width, height] : {std::pair{33, 25}, {64, 48}, {1, 1}}) {
    VideoJob j = job("50% 'odd' name.mp4", 12, width, height);
    int steps = 0;
    j.on_frame = [&](int done) { EXPECT_EQ(done, ++steps); };
    EXPECT_EQ(error_of(j), "") << width;
    EXPECT_EQ(steps, video_steps(j));
    const std::string video = temporary.read("50% 'odd' name.mp4");
    EXPECT_EQ(video.substr(4, 4), "ftyp");
    // The index before the pictures, so that it plays while it loads.
    EXPECT_LT(video.find("moov"), video.find("mdat"));
    EXPECT_NE(video.find("avc1"), std::string::npos);
    // Primaries, transfer and matrix of BT.709.
    EXPECT_NE(video.find(std::string("nclx\0\1\0\1\0\1", 10)), std::string::npos);
  }
  EXPECT_EQ(entries(), 2u);
}

TEST_F(Video, GifLoopsWithAllItsFrames) {
  ASSERT_TRUE(find_ffmpeg()) << "do: apt-get install ffmpeg";
  VideoJob j = job("x.GIF");
  temporary.write("x.GIF", "old");
  int steps = 0;
  j.on_frame = [&](int done) { EXPECT_EQ(done, ++steps); };
  ASSERT_EQ(error_of(j), "");
  EXPECT_EQ(steps, 24);
  const std::string gif = temporary.read("x.GIF");
  EXPECT_TRUE(gif.starts_with("GIF89a"));
  EXPECT_NE(gif.find(std::string("NETSCAPE2.0\3\1\0\0\0", 16)), std::string::npos) << "for ever";
  size_t controls = 0;
  for (size_t at = gif.find("\x21\xF9\x04"); at != std::string::npos;
       at = gif.find("\x21\xF9\x04", at + 1))
    ++controls;
  EXPECT_EQ(controls, 12u) << "one for each frame";
}

// ---- Progress ---------------------------------------------------------------------------------

TEST(Progress, TheTextFitsItsWidth) {
  const ProgressNumbers n{12, 240, 0.31, 70.7};
  EXPECT_EQ(progress_text("rendering", n, 80),
            "rendering  [#---------------------]  12/240  5%  3.2 frames/s  about 1 min left");
  EXPECT_EQ(progress_text("rendering", n, 60),
            "rendering  [----------------]  12/240  5%  about 1 min left");
  for (int width = 0; width < 300; ++width) {
    const std::string text = progress_text("rendering", n, width);
    EXPECT_LE(text.size(), static_cast<size_t>(std::max(0, width - 1)));
    EXPECT_TRUE(width < 8 || holds(text, "12/240")) << width;
  }
  EXPECT_EQ(progress_text("rendering", n, 8), "12/240");
}

TEST(Progress, TheTextKnowsTheEnds) {
  EXPECT_EQ(progress_text("r", {0, 9, 0, -1}, 40), "r  [-------------------------]  0/9  0%");
  EXPECT_EQ(progress_text("r", {9, 9, 2, -1}, 40), "r  [##########]  9/9  100%  2.0 s/frame");
  EXPECT_TRUE(holds(progress_text("r", {999, 1000, 0, -1}, 40), "99%")) << "not 100 before the end";
  EXPECT_EQ(progress_text("r", {0, 0, 0, -1}, 20), "r  0/0  0%");
}

TEST(Progress, TimeIsRounded) {
  EXPECT_EQ(time_left_text(-1), "");
  EXPECT_EQ(time_left_text(0), "a few seconds left");
  EXPECT_EQ(time_left_text(42), "about 40 s left");
  EXPECT_EQ(time_left_text(58), "about 1 min left");
  EXPECT_EQ(time_left_text(130), "about 2 min left");
  EXPECT_EQ(time_left_text(3590), "about 1 h left");
  EXPECT_EQ(time_left_text(4800), "about 1 h 20 min left");
  EXPECT_EQ(time_left_text(200000), "about 56 h left");
}

TEST(Progress, ThePaceIsSteadyAndFollows) {
  Pace pace;
  EXPECT_EQ(pace.seconds_per_frame(), 0);
  for (int i = 0; i < 100; ++i) pace.add(1, i % 2 ? 0.5 : 1.5);
  EXPECT_NEAR(pace.seconds_per_frame(), 1, 0.1) << "not the newest frame alone";
  for (int i = 0; i < 60; ++i) pace.add(1, 4);
  EXPECT_NEAR(pace.seconds_per_frame(), 4, 0.05) << "what was before fades";
}

struct Terminal {
  Terminal() : master(posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK)) {
    grantpt(master);
    unlockpt(master);
    slave = open(ptsname(master), O_RDWR | O_NOCTTY);
    const winsize size{24, 70, 0, 0};
    ioctl(slave, TIOCSWINSZ, &size);
  }
  ~Terminal() {
    close(slave);
    close(master);
  }
  std::string shown() const {
    std::string text(65536, '\0');
    const ssize_t got = read(master, text.data(), text.size());
    return text.substr(0, static_cast<size_t>(std::max<ssize_t>(got, 0)));
  }
  int master = -1, slave = -1;
};

TEST(Progress, IsSeenOnATerminalAndGoesAway) {
  const Variable kind("TERM", "xterm");
  const Terminal terminal;
  {
    ProgressBar bar("rendering", 10, 3, terminal.slave);
    bar.advance();
    std::string text;
    for (int i = 0; i < 500 && !holds(text, "4/10"); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      text += terminal.shown();
    }
    EXPECT_TRUE(holds(text, "]  4/10  40%")) << text;
    bar.clear();
  }
  EXPECT_TRUE(terminal.shown().ends_with("\r\033[K"));
}

TEST(Progress, NothingInAPipe) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  {
    ProgressBar bar("rendering", 10, 0, ends[1]);
    bar.advance(10);
    bar.clear();
    std::this_thread::sleep_for(std::chrono::milliseconds(800));
  }
  close(ends[1]);
  char one;
  EXPECT_EQ(read(ends[0], &one, 1), 0);
  close(ends[0]);
}

}  // namespace
}  // namespace sinew::cli
