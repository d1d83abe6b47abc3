// Calls on a disk that is full: a failed call leaves the folder as it was before, and no empty
// folders. A limit on the size of files stands for the disk: small ones fit, others do not.
#include <signal.h>
#include <sys/resource.h>

#include <map>

#include "tests/app/render_fixture.h"

namespace sinew {
namespace {

using namespace testing;
namespace fs = std::filesystem;

// A ball that becomes finer, and is saved into a folder below; a preset that can be packed.
constexpr const char* ball = R"({
  "sinew": 1,
  "meta": {"name": "tests/ball", "version": "1.0.0", "title": "Ball", "author": "Tests",
           "licence": "CC0-1.0", "description": "A ball.", "tags": ["tests"]},
  "settings": {"fps": 10, "last_frame": 3},
  "nodes": [
    {"id": "ball", "type": "mesh.sphere", "params": {"radius": {"animate": [[0, 0.5], [0.6, 1]]}}},
    {"id": "finer", "type": "mesh.subdivide", "params": {"levels": {"animate": {"points": [[0, 0], [0.2, 1]], "interpolation": "stepped"}}}},
    {"id": "save", "type": "mesh.save", "params": {"file": "saved/deep/ball.ply"}},
    {"id": "show", "type": "view"}
  ],
  "links": ["ball.mesh -> finer.mesh", "ball.mesh -> show.value", "ball.mesh -> save.mesh"]
})";

// No file that is written meanwhile, by this process or those that it starts, becomes larger.
class SmallDisk {
 public:
  explicit SmallDisk(rlim_t most) : handler_(signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    rlimit now = before_;
    now.rlim_cur = most;
    setrlimit(RLIMIT_FSIZE, &now);
  }
  ~SmallDisk() {
    setrlimit(RLIMIT_FSIZE, &before_);
    signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_{};
  void (*handler_)(int);
};

struct FullDisk : RenderTest {
  FullDisk() { folder.write("ball.json", ball); }

  // Every file with its content, and every folder.
  std::map<std::string, std::string> tree() const {
    std::map<std::string, std::string> all;
    for (const auto& entry : fs::recursive_directory_iterator(folder.path)) {
      const std::string name = fs::relative(entry.path(), folder.path).string();
      all[name] = entry.is_directory() ? "folder" : folder.read(name);
    }
    return all;
  }
  Ran run(const std::vector<std::string>& words) const {
    return RunningProgram(words, folder.path, headless()).wait();
  }
  void expect_nothing_left(const std::vector<std::string>& words, rlim_t most) const {
    const auto before = tree();
    Ran ran;
    {
      const SmallDisk disk(most);
      ran = run(words);
    }
    const std::string what = words[0] + " " + words.back();
    EXPECT_GT(ran.code, 0) << what;
    const auto after = tree();
    for (const auto& [name, content] : after)
      EXPECT_TRUE(before.contains(name)) << what << " leaves " << name;
    EXPECT_TRUE(before == after) << what;
  }
};

TEST_F(FullDisk, AFailedCallLeavesNothingBehind) {
  ASSERT_EQ(run({"presets", "pack", "ball.json", "-o", "ball.sinew"}).code, 0);
  // Nothing fits; small files fit.
  for (const rlim_t most : {0, 700}) {
    expect_nothing_left({"render", "ball.json", "--size", "96x64", "-o", "fr/"}, most);
    expect_nothing_left({"render", "ball.json", "--size", "96x64", "-o", "a/b/fr"}, most);
    expect_nothing_left({"render", "ball.json", "--size", "96x64", "-o", "x.mp4"}, most);
    expect_nothing_left({"render", "ball.json", "--size", "96x64", "-o", "x.png"}, most);
    expect_nothing_left(
        {"sweep", "ball.json", "--vary", "ball.radius=0.5,1", "--size", "80x60", "-o", "sw/deep"},
        most);
    expect_nothing_left({"presets", "--library", "lib", "install", "ball.sinew"}, most);
    expect_nothing_left({"eval", "ball.json"}, most);
    expect_nothing_left({"eval", "ball.json", "--output", "ball.mesh", "-o", "x.obj"}, most);
    for (const char* out : {"x.glb", "x.usda", "x.pc2", "x.mdd", "x.ply", "x_##.obj"})
      expect_nothing_left({"export", "ball.json", "-o", out}, most);
  }
  expect_nothing_left({"presets", "pack", "ball.json", "-o", "y.sinew"}, 0);
  expect_nothing_left({"gallery", "ball.json", "-o", "site"}, 700);
}

TEST_F(FullDisk, WhatWasThereStays) {
  for (const char* name : {"fr", "sw", "lib/tests", "site"}) fs::create_directories(folder / name);
  folder.write("sw/0001.png", "an older one");
  folder.write("x.obj", "an older one");
  ASSERT_EQ(run({"presets", "pack", "ball.json", "-o", "ball.sinew"}).code, 0);
  for (const rlim_t most : {0, 700}) {
    expect_nothing_left({"render", "ball.json", "--size", "96x64", "-o", "fr/"}, most);
    expect_nothing_left(
        {"sweep", "ball.json", "--vary", "ball.radius=0.5,1", "--size", "80x60", "-o", "sw"}, most);
    expect_nothing_left({"presets", "--library", "lib", "install", "ball.sinew"}, most);
    expect_nothing_left({"export", "ball.json", "-o", "x.pc2"}, most);
  }
}

// The first files of a sequence fit, a later one does not.
TEST_F(FullDisk, ASequenceIsWholeOrNotThere) {
  const std::vector<std::string> words = {"export",     "ball.json", "--show",
                                          "finer.mesh", "-o",        "x.ply"};
  ASSERT_EQ(run(words).code, 0);
  const auto small = folder.read("x_0000.ply").size(), large = folder.read("x_0003.ply").size();
  ASSERT_LT(small, large);
  for (int f = 0; f < 4; ++f) fs::remove(folder / ("x_000" + std::to_string(f) + ".ply"));
  expect_nothing_left(words, (small + large) / 2);
}

}  // namespace
}  // namespace sinew
