// Files with skeletons that are not what they say: one clear message each, no crash.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

#include "nodes/geometry/rig.h"
#include "nodes/geometry/skeleton_files.h"
#include "tests/kernels/fbx_maker.h"
#include "tests/kernels/rig_maker.h"
#include "tests/kernels/shapes.h"

namespace sinew {
namespace {

using test::Json, test::Gltf;
using test::strip_node, test::root_node, test::middle_node, test::tip_node;

std::string reading(const std::filesystem::path& path) {
  try {
    load_skeleton(path);
  } catch (const FileError& error) {
    const std::string message = error.what();
    EXPECT_TRUE(message.starts_with("cannot read '" + path.string() + "': ")) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    return message.substr(message.find("': ") + 3);
  }
  return "";
}

TEST(HostileSkeletons, missing_empty_and_of_another_kind) {
  const test::Folder folder;
  for (const char* ending : {".gltf", ".glb", ".fbx", ".dae", ".bvh"}) {
    const std::string name = std::string("a") + ending;
    EXPECT_EQ(reading(folder / name), "no such file");
    folder.write(name, "");
    EXPECT_EQ(reading(folder / name), "the file is empty");
    std::filesystem::remove(folder / name);
    std::filesystem::create_directory(folder / name);
    EXPECT_EQ(reading(folder / name), "it is a directory");
  }
  EXPECT_EQ(reading(folder / "a.obj"), "no such file");
  EXPECT_EQ(reading(folder.write("b.obj", "v 0 0 0\n")),
            "skeletons are read from files ending in .bvh, .dae, .fbx, .glb, .gltf");
  LoadOptions options;
  for (const float scale : {0.0f, NAN, INFINITY}) {
    options.scale = scale;
    EXPECT_THROW(load_skeleton(folder / "a.gltf", options), FileError);
  }
}

TEST(HostileSkeletons, a_file_without_bones_says_what_would_be_right) {
  const test::Folder folder;
  const std::string reason =
      "there is no skeleton in it: a mesh that is bound to bones, or animated nodes below one "
      "another, would be one";
  Gltf file = test::strip();
  file.json["nodes"][strip_node].erase("skin");
  EXPECT_EQ(reading(folder.write("a.gltf", file.text())), reason);
  file.json.erase("nodes");
  file.json.erase("scenes");
  EXPECT_EQ(reading(folder.write("a.gltf", file.text())), reason);
  EXPECT_EQ(reading(folder.write("a.gltf", R"({"asset":{"version":"2.0"}})")), reason);
  save_mesh(kernels::make_box({}), folder / "box.glb");
  EXPECT_EQ(reading(folder / "box.glb"), reason);
  test::FbxFile bare;
  bare.add_model(1, "alone", "Null", {}, 0);
  EXPECT_EQ(reading(folder.write("a.fbx", bare.binary())), reason);
}

TEST(HostileSkeletons, spoilt_gltf) {
  const test::Folder folder;
  const std::vector<std::pair<std::string, std::function<void(Gltf&)>>> ways = {
      {"joint out of range", [](Gltf& f) { f.json["skins"][0]["joints"][1] = 99; }},
      {"joint is a name", [](Gltf& f) { f.json["skins"][0]["joints"][1] = "middle"; }},
      {"no joints", [](Gltf& f) { f.json["skins"][0]["joints"] = Json::array(); }},
      {"skin out of range", [](Gltf& f) { f.json["nodes"][strip_node]["skin"] = 7; }},
      {"skin is negative", [](Gltf& f) { f.json["nodes"][strip_node]["skin"] = -1; }},
      {"too few matrices", [](Gltf& f) { f.json["accessors"][4]["count"] = 2; }},
      {"too many matrices", [](Gltf& f) { f.json["accessors"][4]["count"] = 4000000000u; }},
      {"matrices of another type", [](Gltf& f) { f.json["accessors"][4]["type"] = "VEC4"; }},
      {"unknown type", [](Gltf& f) { f.json["accessors"][4]["componentType"] = 1; }},
      {"more weights than vertices", [](Gltf& f) { f.json["accessors"][0]["count"] = 25; }},
      {"accessor out of range", [](Gltf& f) { f.json["skins"][0]["inverseBindMatrices"] = 1000; }},
      {"view out of range", [](Gltf& f) { f.json["accessors"][4]["bufferView"] = 1000; }},
      {"view beyond its buffer", [](Gltf& f) { f.json["bufferViews"][4]["byteOffset"] = 1 << 30; }},
      {"view of a huge length",
       [](Gltf& f) { f.json["bufferViews"][4]["byteLength"] = UINT64_MAX; }},
      {"offset beyond its view", [](Gltf& f) { f.json["accessors"][4]["byteOffset"] = 1u << 31; }},
      {"stride of nothing", [](Gltf& f) { f.json["bufferViews"][4]["byteStride"] = 0; }},
      {"huge stride", [](Gltf& f) { f.json["bufferViews"][4]["byteStride"] = UINT64_MAX; }},
      {"no buffers", [](Gltf& f) { f.json["buffers"] = Json::array(); }},
      {"not base64",
       [](Gltf& f) {
         f.json["buffers"] = {{{"uri", "data:;base64,!!!!"}, {"byteLength", 3}}};
       }},
      {"file outside",
       [](Gltf& f) {
         f.json["buffers"] = {{{"uri", "../x.bin"}}};
       }},
      {"child out of range", [](Gltf& f) { f.json["nodes"][tip_node]["children"] = {50}; }},
      {"ring", [](Gltf& f) { f.json["nodes"][tip_node]["children"] = {root_node}; }},
      {"its own child", [](Gltf& f) { f.json["nodes"][tip_node]["children"] = {tip_node}; }},
      {"short matrix",
       [](Gltf& f) {
         f.json["nodes"][tip_node]["matrix"] = {1, 2};
       }},
      {"translation of words",
       [](Gltf& f) {
         f.json["nodes"][tip_node]["translation"] = {"a", "b", "c"};
       }},
      {"scene out of range", [](Gltf& f) { f.json["scene"] = 3; }},
      {"node is a number", [](Gltf& f) { f.json["nodes"][tip_node] = 5; }},
      {"sampler out of range",
       [](Gltf& f) { f.json["animations"][0]["channels"][0]["sampler"] = 5; }},
      {"moves no node",
       [](Gltf& f) { f.json["animations"][0]["channels"][0]["target"]["node"] = 77; }},
      {"no samplers", [](Gltf& f) { f.json["animations"][0].erase("samplers"); }},
      {"fewer values than keys", [](Gltf& f) { f.json["accessors"][6]["count"] = 1; }},
      {"spline without slopes",
       [](Gltf& f) { f.json["animations"][0]["samplers"][0]["interpolation"] = "CUBICSPLINE"; }},
      {"huge number of zeros",
       [](Gltf& f) {
         f.json["accessors"][5].erase("bufferView");
         f.json["accessors"][5]["count"] = 4000000000u;
       }},
      {"keys run backwards",
       [](Gltf& f) {
         f.animate(0, root_node, "translation", {1, 0}, std::vector<float>(6, 0.0f));
       }},
      {"time is no number",
       [](Gltf& f) {
         f.animate(0, root_node, "translation", {0, NAN}, std::vector<float>(6, 0.0f));
       }},
      {"key is no number",
       [](Gltf& f) {
         f.animate(0, root_node, "translation", {0, 1}, {0, 0, 0, 0, 0, INFINITY});
       }},
      {"key is too far", [](Gltf& f) {
         f.animate(0, root_node, "translation", {0, 1}, {0, 0, 0, 0, 0, 1e30f});
       }}};
  for (const auto& [what, spoil] : ways) {
    Gltf file = test::bending_strip();
    ASSERT_EQ(reading(folder.write("whole.gltf", file.text())), "");
    spoil(file);
    EXPECT_NE(reading(folder.write("a.gltf", file.text())), "") << what;
  }
}

// Joints by numbers below 0, which a format of numbers with signs can hold.
TEST(HostileSkeletons, joints_below_the_first) {
  const test::Folder folder;
  const std::string text =
      R"({"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0, 1]}], "nodes": [{"mesh": 0, "skin": 0}, {"name": "a", "children": [2]}, {"name": "b", "translation": [0, 1, 0]}], "skins": [{"joints": [1, 2]}], "meshes": [{"primitives": [{"attributes": {"POSITION": 0, "JOINTS_0": 1, "WEIGHTS_0": 2}}]}], "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}, {"bufferView": 1, "componentType": 5126, "count": 3, "type": "VEC4"}, {"bufferView": 2, "componentType": 5126, "count": 3, "type": "VEC4"}], "bufferViews": [{"buffer": 0, "byteOffset": 0, "byteLength": 36}, {"buffer": 0, "byteOffset": 36, "byteLength": 48}, {"buffer": 0, "byteOffset": 84, "byteLength": 48}], "buffers": [{"byteLength": 132, "uri": "data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAApdRo0wAAAAAAAAAAAAAAAKXUaNMAAAAAAAAAAAAAAACl1GjTAAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAAAAAAAAAAAAIA/AAAAAAAAAAAAAAAA"}]})";
  EXPECT_NE(reading(folder.write("a.gltf", text)).find("of a skin that has 2"), std::string::npos);
}

// A few bytes that ask for a great deal of memory.
TEST(HostileSkeletons, matrices_without_a_buffer) {
  const test::Folder folder;
  // Sixteen times the last three are 0, 16 and 320 for whoever counts in 64 bits.
  for (const uint64_t count :
       {uint64_t{1} << 24, uint64_t{1} << 60, (uint64_t{1} << 60) + 1, (uint64_t{1} << 60) + 20}) {
    Gltf file = test::strip();
    file.json["accessors"].push_back({{"componentType", 5126}, {"count", count}, {"type", "MAT4"}});
    file.json["skins"][0]["inverseBindMatrices"] = file.json["accessors"].size() - 1;
    EXPECT_NE(reading(folder.write("a.gltf", file.text())).find("too many elements"),
              std::string::npos)
        << count;
  }
}

// Each channel may name the same accessor, which takes no byte of the file.
TEST(HostileSkeletons, one_accessor_without_a_buffer_many_times) {
  const test::Folder folder;
  Gltf file = test::strip();
  file.json["accessors"].push_back(
      {{"componentType", 5126}, {"count", 5000000}, {"type", "SCALAR"}});
  file.json["accessors"].push_back({{"componentType", 5126}, {"count", 5000000}, {"type", "VEC3"}});
  const std::size_t values = file.json["accessors"].size() - 1;
  Json channels = Json::array();
  for (int k = 0; k < 20; ++k) {
    channels.push_back({{"sampler", 0}, {"target", {{"node", 0}, {"path", "translation"}}}});
  }
  file.json["animations"] =
      Json::array({{{"samplers", Json::array({{{"input", values - 1}, {"output", values}}})},
                    {"channels", channels}}});
  EXPECT_NE(reading(folder.write("a.gltf", file.text())), "");
}

TEST(HostileSkeletons, numbers_that_are_none) {
  const test::Folder folder;
  Gltf file = test::bending_strip();
  const auto spoil = [&](std::size_t accessor, std::size_t number, float value) {
    Gltf bad = file;
    const std::size_t view = bad.json["accessors"][accessor]["bufferView"];
    const std::size_t at = bad.json["bufferViews"][view]["byteOffset"];
    std::memcpy(bad.bytes.data() + at + 4 * number, &value, sizeof value);
    return reading(folder.write("a.gltf", bad.text()));
  };
  EXPECT_EQ(spoil(4, 28, NAN),
            "'middle': the matrix with which a mesh is bound to it is not finite");
  EXPECT_NE(spoil(0, 77, INFINITY), "");  // a vertex of the tip
  EXPECT_EQ(spoil(6, 4, NAN), "the animation of 'middle': key 2 is not finite");
  // A joint that a vertex follows.
  Gltf bad = file;
  bad.bytes[bad.json["bufferViews"][1]["byteOffset"].get<std::size_t>()] = 9;
  EXPECT_EQ(reading(folder.write("a.gltf", bad.text())),
            "a vertex follows joint 9 of a skin that has 3");
  // A matrix that cannot be inverted says nothing; the nodes do.
  Gltf flat = file;
  std::vector<float> zeros(48, 0.0f);
  flat.json["skins"][0]["inverseBindMatrices"] = flat.add("MAT4", 16, zeros);
  const auto path = folder.write("a.gltf", flat.text());
  const Skeleton s = load_skeleton(path).skeleton;
  ASSERT_EQ(s.joint_count(), 4u);
  EXPECT_EQ(s.rest(2), Vec3d(0, 2, 0));
}

TEST(HostileSkeletons, too_much_of_everything) {
  const test::Folder folder;
  Gltf file = test::bending_strip();
  for (int i = 0; i < 10000; ++i) {
    file.json["nodes"].push_back({{"translation", {0, 0, 1}}});
    file.json["nodes"][middle_node]["children"].push_back(5 + i);
    file.json["skins"][0]["joints"].push_back(5 + i);
  }
  std::vector<float> matrices;
  for (int i = 0; i < 10003; ++i) test::set_matrix(matrices, Eigen::Affine3d::Identity());
  file.json["skins"][0]["inverseBindMatrices"] = file.add("MAT4", 16, matrices);
  EXPECT_EQ(reading(folder.write("a.gltf", file.text())),
            "it has 10003 joints; at most 4096 are read");
  Gltf clips = test::bending_strip();
  for (int i = 0; i < 1000; ++i) clips.json["animations"].push_back(clips.json["animations"][0]);
  EXPECT_EQ(reading(folder.write("a.gltf", clips.text())),
            "it has 1001 clips; at most 1000 are read");
  // A chain of 2000 is nested too deeply.
  Gltf deep = test::bending_strip();
  for (int i = 0; i < 2000; ++i) deep.json["nodes"].push_back({{"children", {6 + i}}});
  deep.json["nodes"].push_back({{"name", "last"}});
  EXPECT_NE(reading(folder.write("a.gltf", deep.text())).find("levels deep"), std::string::npos);
}

TEST(HostileSkeletons, cut_short_or_changed_in_a_byte) {
  const test::Folder folder;
  test::FbxFile fbx = test::fbx_strip_file();
  fbx.add_stack(100, "bend", 1);
  fbx.add_curves(110, 101, test::fbx_middle, "Lcl Rotation", {0, 1}, {{0, 0, 0}, {0, 0, 90}});
  const Gltf gltf = test::bending_strip();
  const std::pair<const char*, std::string> files[] = {
      {"a.gltf", gltf.text()}, {"a.glb", gltf.glb()}, {"a.fbx", fbx.binary()}};
  std::mt19937 random(7);
  for (const auto& [name, whole] : files) {
    for (std::size_t length = 1; length < whole.size(); length += whole.size() / 40) {
      reading(folder.write(name, whole.substr(0, length)));  // a message or a file, and no crash
    }
    EXPECT_NE(reading(folder.write(name, whole.substr(0, whole.size() / 2))), "") << name;
    if (std::string(name) == "a.fbx") continue;  // what assimp makes of its bytes is not ours
    for (int run = 0; run < 300; ++run) {
      std::string changed = whole;
      changed[random() % changed.size()] = static_cast<char>(random());
      reading(folder.write(name, changed));
    }
  }
}

TEST(HostileSkeletons, names) {
  using namespace std::string_literals;
  EXPECT_EQ(tidy_name("  left\tthigh\n"), "left thigh");
  EXPECT_EQ(tidy_name("\xc3\xa4\xff\xc3"), "\xc3\xa4??");
  EXPECT_EQ(tidy_name("a\0b"s), "a b");
  EXPECT_EQ(tidy_name(std::string(1000, 'x')).size(), 200u);
  std::vector<std::string> names{"a", "a 2", "a", "", "a", "joint 1"};
  make_names_unique(names, "joint");
  EXPECT_EQ(names, (std::vector<std::string>{"a", "a 2", "a 3", "joint 2", "a 4", "joint 1"}));
}

}  // namespace
}  // namespace sinew
