// `sinew render` in a folder of its own, on a machine without a display, and what it has drawn.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "render/png_file.h"
#include "tests/app/run_program.h"

namespace sinew::testing {

// A box that moves, a field on it, and numbers.
inline constexpr const char* moving_box = R"({
  "sinew": 1,
  "settings": {"first_frame": 2, "last_frame": 9},
  "nodes": [
    {"id": "box", "type": "mesh.box"},
    {"id": "move", "type": "mesh.transform", "params": {
      "rotate": {"animate": [0, {"points": [[0, 0], [20, 90]], "x_unit": "frames"}, 0]}}},
    {"id": "height", "type": "field.axis", "label": "Height"},
    {"id": "time", "type": "time"},
    {"id": "show", "type": "view"}
  ],
  "links": ["box.mesh -> move.mesh", "move.mesh -> height.mesh", "move.mesh -> show.value"]
})";

class RenderTest : public ::testing::Test {
 protected:
  RenderTest() { folder.write("a.json", moving_box); }

  static Environment headless(Environment more = {}) {
    more.insert({{"DISPLAY", ""}, {"WAYLAND_DISPLAY", ""}});
    return more;
  }

  // `sinew render a.json WORDS`, with small pictures unless the words say a size.
  static std::vector<std::string> call(const std::vector<std::string>& words,
                                       const std::string& file = "a.json") {
    std::vector<std::string> all{"render", file};
    all.insert(all.end(), words.begin(), words.end());
    if (std::find(words.begin(), words.end(), "--size") == words.end())
      all.insert(all.end(), {"--size", "96x64"});
    return all;
  }
  Ran render(const std::vector<std::string>& words, const std::string& file = "a.json",
             const Environment& environment = {}) const {
    return RunningProgram(call(words, file), folder.path, headless(environment)).wait();
  }

  // A picture that was asked for with a call that goes well: code 0, and not a word of complaint.
  render::Picture drawn(std::vector<std::string> words, const std::string& file = "a.json") const {
    words.insert(words.end(), {"-o", "drawn.png"});
    const Ran ran = render(words, file);
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(ran.err, "");
    EXPECT_TRUE(ran.out.starts_with("wrote drawn.png (1 frame, ")) << ran.out;
    return picture("drawn.png");
  }
  render::Picture picture(const std::string& name) const {
    const render::DecodedPng png = render::decode_png(folder.read(name));
    EXPECT_TRUE(png) << name << ": " << png.error;
    return png.picture;
  }

  // One line on standard error, nothing on standard output, and nothing written.
  void expect_refused(const std::vector<std::string>& words, const std::string& message,
                      int code = 2, const std::string& file = "a.json") const {
    const auto files_before = files(".");
    const Ran ran = render(words, file);
    EXPECT_EQ(ran.code, code) << ran.err;
    EXPECT_EQ(ran.err, "error: " + message + "\n");
    EXPECT_EQ(ran.out, "");
    EXPECT_EQ(files(".").size(), files_before.size()) << message;
  }

  // The names in a folder, sorted.
  std::vector<std::string> files(const std::string& name) const {
    std::vector<std::string> list;
    std::error_code ec;
    for (std::filesystem::directory_iterator it(folder / name, ec), end; !ec && it != end;
         it.increment(ec))
      list.push_back(it->path().filename().string());
    std::sort(list.begin(), list.end());
    return list;
  }

  // Clay is warmer than the studio round it, which is a bluish grey.
  static bool is_clay(const uint8_t* pixel) { return pixel[0] > pixel[2] + 8; }
  // Colours of a field are those that neither clay nor the studio has.
  static bool is_colourful(const uint8_t* pixel) {
    const auto [low, high] = std::minmax({pixel[0], pixel[1], pixel[2]});
    return high > low + 90;
  }
  template <class Predicate>
  static double part(const render::Picture& picture, Predicate predicate) {
    std::size_t count = 0;
    for (int y = 0; y < picture.height; ++y)
      for (int x = 0; x < picture.width; ++x) count += predicate(picture.pixel(x, y));
    return static_cast<double>(count) / static_cast<double>(picture.pixels());
  }

  TemporaryFolder folder;
};

}  // namespace sinew::testing
