// `sinew export` as a person calls it.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "nodes/geometry/mesh_io.h"
#include "nodes/geometry/point_cache.h"
#include "tests/app/run_program.h"

namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using sinew::testing::Ran;
using sinew::testing::run_program;
using sinew::testing::TemporaryFolder;

const std::string presets = std::string(SINEW_SOURCE) + "/presets/";

// A ball that grows, its height as colours beside it, and one whose triangles change.
constexpr const char* growing = R"({
  "sinew": 1,
  "meta": {"title": "Growing"},
  "settings": {"fps": 10, "last_frame": 6},
  "nodes": [
    {"id": "ball", "type": "mesh.sphere", "params": {"radius": {"animate": [[0, 0.5], [0.6, 1]]}}},
    {"id": "height", "type": "field.axis", "params": {"axis": "y"}},
    {"id": "finer", "type": "mesh.subdivide", "params": {"levels": {"animate": {"points": [[0, 0], [0.3, 1]], "interpolation": "stepped"}}}},
    {"id": "show", "type": "view"}
  ],
  "links": ["ball.mesh -> height.mesh", "ball.mesh -> finer.mesh", "ball.mesh -> show.value"]
})";

struct Exporting : ::testing::Test {
  TemporaryFolder folder;
  void SetUp() override { folder.write("growing.json", growing); }
  Ran run(std::vector<std::string> words) const {
    words.insert(words.begin(), {"export", "growing.json"});
    return run_program(words, folder.path);
  }
};

TEST_F(Exporting, WhatLeavesIsWhatIsEvaluated) {
  const Ran ran = run({"-o", "x.pc2"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.out.find("wrote x.pc2 and x.obj (7 frames"), std::string::npos) << ran.out;
  const sinew::PointCache cache = sinew::load_point_cache(folder / "x.pc2");
  ASSERT_EQ(cache.samples(), 7u);
  for (const int frame : {0, 3, 6}) {
    run_program({"eval", "growing.json", "--frame", std::to_string(frame), "-o", "e.ply"},
                folder.path);
    const sinew::Mesh mesh = sinew::load_mesh(folder / "e.ply");
    const auto sample = cache.sample(static_cast<std::size_t>(frame));
    ASSERT_EQ(sample.size(), mesh.positions.size());
    EXPECT_TRUE(std::equal(sample.begin(), sample.end(), mesh.positions.begin()));
  }
}

TEST_F(Exporting, BodiesHaveTheNamesOfTheirNodes) {
  ASSERT_EQ(run({"-o", "x.usda"}).code, 0);
  EXPECT_NE(folder.read("x.usda").find("def Mesh \"ball\""), std::string::npos);
}

TEST_F(Exporting, FieldsLeaveAsNumbersAndColours) {
  ASSERT_EQ(run({"--show", "height.field", "-o", "x.usda"}).code, 0);
  const std::string text = folder.read("x.usda");
  EXPECT_NE(text.find("primvars:displayColor"), std::string::npos);
  EXPECT_NE(text.find("float[] primvars:"), std::string::npos);
}

TEST_F(Exporting, RatesRangesAxesAndUnits) {
  const Ran ran =
      run({"--frames", "2:6", "--fps", "20", "--up", "z", "--unit", "cm", "--json", "-o", "x.mdd"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const json report = json::parse(ran.out);
  EXPECT_EQ(report["frames"], 9);
  const sinew::PointCache cache = sinew::load_point_cache(folder / "x.mdd");
  EXPECT_EQ(cache.samples(), 9u);
  float highest = 0;
  for (const sinew::Vec3f& p : cache.sample(8)) highest = std::max(highest, p.z());
  EXPECT_NEAR(highest, 100, 0.5);
}

TEST_F(Exporting, CallsThatAreWrongSayWhatIsRight) {
  struct Wrong {
    std::vector<std::string> words;
    std::string text;
    int code = 2;
  };
  for (const Wrong& wrong :
       std::vector<Wrong>{{{}, "-o is missing"},
                          {{"-o", "x.fbx"}, "the ending may be .glb"},
                          {{"-o", "none/x.glb"}, "there is no folder 'none'"},
                          {{"-o", "x.glb", "--up", "z"}, "glTF is in metres with y up"},
                          {{"-o", "x.usda", "--up", "w"}, "--up w: it may be y or z"},
                          {{"-o", "x.usda", "--unit", "mile"}, "--unit mile: it may be"},
                          {{"-o", "x.usda", "--frames", "-5:3"}, "the document begins at frame 0"},
                          {{"-o", "x.usda", "--frames", "a"}, "--frames"},
                          {{"-o", "x.usda", "--show", "bal.mesh"}, "did you mean 'ball'"},
                          {{"-o", "x.usda", "--skeleton", "ball.mesh"}, "is not a pose"},
                          {{"-o", "x.usda", "--show", "finer.mesh"}, "frame 3: 'finer' has"}}) {
    const Ran ran = run(wrong.words);
    EXPECT_EQ(ran.code, wrong.code) << wrong.text;
    EXPECT_NE(ran.err.find(wrong.text), std::string::npos) << ran.err;
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
  }
  for (const fs::directory_entry& left : fs::directory_iterator(folder.path))
    EXPECT_EQ(left.path().filename(), "growing.json");
  // What cannot keep its triangles can leave as a sequence.
  EXPECT_EQ(run({"-o", "x.ply", "--show", "finer.mesh"}).code, 0);
}

TEST_F(Exporting, ASkeletonGoesAlong) {
  const Ran ran = run_program({"export", presets + "studies/bones.json", "--frames", "0:12", "-o",
                               (folder / "b.gltf").string()},
                              folder.path);
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.out.find("on a skeleton"), std::string::npos) << ran.out;
  const json file = json::parse(folder.read("b.gltf"));
  ASSERT_EQ(file["skins"].size(), 1u);
  EXPECT_GT(file["skins"][0]["joints"].size(), 1u);
  const Ran without = run_program({"export", presets + "studies/bones.json", "--frames", "0:12",
                                   "--skeleton", "none", "-o", (folder / "c.gltf").string()},
                                  folder.path);
  ASSERT_EQ(without.code, 0) << without.err;
  EXPECT_FALSE(json::parse(folder.read("c.gltf")).contains("skins"));
}

}  // namespace
