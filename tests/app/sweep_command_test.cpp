// `sinew sweep`: what is varied, and what comes out.
#include "app/cli/sweep_command.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "render/png_file.h"
#include "tests/app/run_program.h"

namespace sinew::cli {
namespace {

using sinew::testing::Ran;
using sinew::testing::run_program;
using sinew::testing::TemporaryFolder;

constexpr const char* ball = R"({
  "sinew": 1,
  "nodes": [
    {"id": "ball", "type": "mesh.sphere"},
    {"id": "bumps", "type": "mesh.displace", "params": {"distance": 0.1}},
    {"id": "square", "type": "value.math", "params": {"operation": "multiply", "a": 3, "b": 2}},
    {"id": "show", "type": "view"}
  ],
  "links": ["ball.mesh -> bumps.mesh", "bumps.mesh -> show.value"]
})";

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

TEST(Sweep, ReadsRangesAndLists) {
  EXPECT_EQ(*read_variation("a.x=0:1:3"), (Variation{"a.x", {"0", "0.5", "1"}}));
  EXPECT_EQ(*read_variation("a/b.x=-1:1:2"), (Variation{"a/b.x", {"-1", "1"}}));
  EXPECT_EQ(*read_variation("a.x=1,2.5,9"), (Variation{"a.x", {"1", "2.5", "9"}}));
  EXPECT_EQ(*read_variation("a.x=red"), (Variation{"a.x", {"red"}}));
  EXPECT_EQ(*read_variation("a.x=[1,2,3],[4,5,6]"), (Variation{"a.x", {"[1,2,3]", "[4,5,6]"}}));
  EXPECT_EQ(read_variation("a.x=0:10:11")->values[7], "7");
  for (const char* wrong :
       {"", "a", "a.x", "a.x=", ".x=1:2:3", "a.=1:2:3", "a.x=1:2", "a.x=1:2:3:4", "a.x=1:b:3",
        "a.x=1:2:1", "a.x=1:2:2.5", "a.x=1:2:1e9", "a.x=nan:1:3", "a.x=1,,2"}) {
    const Result<Variation> read = read_variation(wrong);
    ASSERT_FALSE(read) << wrong;
    EXPECT_EQ(read.error().rfind("--vary", 0), 0u) << read.error();
  }
}

TEST(Sweep, MakesASheetATableAndAPictureOfEach) {
  const TemporaryFolder folder;
  folder.write("ball.json", ball);
  const Ran ran = run_program(
      {"sweep", "ball.json", "--vary", "ball.radius=0.3:0.9:3", "--vary", "square.a=2,5",
       "--measure", "square.value", "--size", "80x60", "-o", "out/deep"},
      folder.path);
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.out.find("6 variations"), std::string::npos) << ran.out;
  const std::vector<std::string> lines = lines_of(folder.read("out/deep/sweep.csv"));
  ASSERT_EQ(lines.size(), 7u);
  EXPECT_EQ(lines[0], "picture,ball.radius,square.a,square.value,seconds,error");
  EXPECT_EQ(lines[1].rfind("0001.png,0.3,2,4", 0), 0u) << lines[1];
  EXPECT_EQ(lines[5].rfind("0005.png,0.6,5,10", 0), 0u) << lines[5];
  const render::DecodedPng sheet = render::decode_png(folder.read("out/deep/sheet.png"));
  ASSERT_TRUE(sheet);
  EXPECT_EQ(sheet.picture.width, 3 * 80 + 4 * 8);
  EXPECT_EQ(sheet.picture.height, 2 * 60 + 3 * 8);
  // One camera for all: a larger ball is larger in its picture.
  const auto warm = [&](const char* name) {  // clay; all else is grey or blue
    const render::DecodedPng one = render::decode_png(folder.read(name));
    EXPECT_TRUE(one);
    int count = 0;
    for (int y = 0; y < one.picture.height; ++y)
      for (int x = 0; x < one.picture.width; ++x)
        count += one.picture.pixel(x, y)[0] > one.picture.pixel(x, y)[2] + 8;
    return count;
  };
  EXPECT_GT(warm("out/deep/0001.png"), 20);
  EXPECT_GT(warm("out/deep/0003.png"), 2 * warm("out/deep/0001.png"));
}

TEST(Sweep, AVariationThatFailsDoesNotStopTheOthers) {
  const TemporaryFolder folder;
  folder.write("ball.json", ball);
  const Ran ran = run_program(
      {"sweep", "ball.json", "--vary", "ball.radius=0.5,-1,0.7", "--size", "80x60", "-o", "out"},
      folder.path);
  EXPECT_EQ(ran.code, 1);
  EXPECT_NE(ran.err.find("radius = -1"), std::string::npos) << ran.err;
  const std::vector<std::string> lines = lines_of(folder.read("out/sweep.csv"));
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_EQ(lines[2].rfind(",-1,", 0), 0u) << lines[2];
  EXPECT_FALSE(std::filesystem::exists(folder / "out/0002.png"));
  EXPECT_TRUE(std::filesystem::exists(folder / "out/0003.png"));
}

TEST(Sweep, CallsThatAreWrongMakeNothing) {
  const TemporaryFolder folder;
  folder.write("ball.json", ball);
  struct Wrong {
    std::vector<std::string> words;
    std::string text;
  };
  for (const Wrong& wrong : std::vector<Wrong>{
           {{"--vary", "ball.radius=1,2"}, "-o is missing"},
           {{"-o", "out"}, "--vary is missing"},
           {{"-o", "out", "--vary", "ball.radios=1,2"}, "did you mean 'radius'"},
           {{"-o", "out", "--vary", "bal.radius=1,2"}, "did you mean 'ball'"},
           {{"-o", "out", "--vary", "ball.radius=1:2:5000"}, "whole, from 2 to 4096"},
           {{"-o", "out", "--vary", "ball.radius=1:2:90", "--vary", "bumps.distance=0:1:90"},
            "more than 4096"},
           {{"-o", "out", "--vary", "ball.radius=1,2", "--measure", "ball.volume"}, "--measure"},
           {{"-o", "ball.json", "--vary", "ball.radius=1,2"}, "is a file, but must be a folder"}}) {
    std::vector<std::string> words = {"sweep", "ball.json"};
    words.insert(words.end(), wrong.words.begin(), wrong.words.end());
    const Ran ran = run_program(words, folder.path);
    EXPECT_EQ(ran.code, 2) << wrong.text;
    EXPECT_NE(ran.err.find(wrong.text), std::string::npos) << ran.err;
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
    EXPECT_FALSE(std::filesystem::exists(folder / "out")) << wrong.text;
  }
}

}  // namespace
}  // namespace sinew::cli
