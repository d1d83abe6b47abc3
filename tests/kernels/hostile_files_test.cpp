// Files that are not what they say: one clear message each, no crash, no great appetite for memory.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <random>

#include "nodes/geometry/file_names.h"
#include "nodes/geometry/format_error.h"
#include "nodes/geometry/mesh_io.h"
#include "nodes/geometry/nesting.h"
#include "tests/kernels/rig_maker.h"
#include "tests/kernels/shapes.h"

namespace sinew {
namespace {

std::string reading(const std::filesystem::path& path) {
  try {
    load_mesh(path);
  } catch (const FileError& error) {
    return error.what();
  }
  return "";
}

std::string writing(const Mesh& mesh, const std::filesystem::path& path) {
  try {
    save_mesh(mesh, path);
  } catch (const FileError& error) {
    return error.what();
  }
  return "";
}

TEST(HostileFiles, missing_empty_directories_and_pipes) {
  const test::Folder folder;
  for (const char* ending : {".obj", ".ply", ".stl", ".glb", ".fbx"}) {
    const std::string name = std::string("a") + ending;
    const std::string shown = (folder / name).string();
    EXPECT_EQ(reading(folder / name), "cannot read '" + shown + "': no such file");
    folder.write(name, "");
    EXPECT_EQ(reading(folder / name), "cannot read '" + shown + "': the file is empty");
    std::filesystem::remove(folder / name);
    std::filesystem::create_directory(folder / name);
    EXPECT_EQ(reading(folder / name), "cannot read '" + shown + "': it is a directory");
    std::filesystem::remove(folder / name);
    ASSERT_EQ(::mkfifo(shown.c_str(), 0600), 0);
    EXPECT_EQ(reading(folder / name), "cannot read '" + shown + "': it is not a regular file");
    std::filesystem::remove(folder / name);
  }
  folder.write("a.xyzzy", "hello");
  folder.write("plain", "hello");
  EXPECT_NE(reading(folder / "a.xyzzy").find("files ending in '.xyzzy' are not read"),
            std::string::npos);
  EXPECT_NE(reading(folder / "plain").find("no ending"), std::string::npos);
}

TEST(HostileFiles, garbage_in_every_format_gives_one_line) {
  const test::Folder folder;
  std::mt19937 random(1);
  for (const char* ending : {".obj", ".ply", ".stl", ".glb", ".gltf", ".off", ".dae"}) {
    for (int run = 0; run < 10; ++run) {
      std::string garbage(100 + random() % 1000, '\0');
      for (char& c : garbage) c = static_cast<char>(random());
      const auto path = folder.write(std::string("a") + ending, garbage);
      const std::string message = reading(path);
      EXPECT_TRUE(message.starts_with("cannot read '")) << ending << message;
      EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    }
  }
}

TEST(HostileFiles, truncated_files_of_ours) {
  const test::Folder folder;
  save_mesh(kernels::make_icosphere({1, 4}), folder / "whole.ply");
  std::ifstream file(folder / "whole.ply", std::ios::binary);
  const std::string whole((std::istreambuf_iterator<char>(file)), {});
  for (std::size_t length = 1; length < whole.size(); length += 37) {
    EXPECT_NE(reading(folder.write("cut.ply", whole.substr(0, length))), "") << length;
  }
}

TEST(HostileFiles, huge_counts_are_refused_at_once) {
  const test::Folder folder;
  const auto path = folder.write(
      "huge.ply",
      "ply\nformat binary_little_endian 1.0\nelement vertex 4000000000\nproperty float x\n"
      "property float y\nproperty float z\nend_header\n");
  EXPECT_NE(reading(path).find("4000000000 vertex records, but the file is too short"),
            std::string::npos);
}

TEST(HostileFiles, a_scale_of_nothing_or_beyond_floats) {
  const test::Folder folder;
  const auto path = folder.write("a.obj", "v 1 2 3e30\n");
  LoadOptions options;
  for (const float scale : {0.0f, NAN, INFINITY, 1e30f}) {
    options.scale = scale;
    EXPECT_THROW(load_mesh(path, options), FileError);
  }
}

TEST(HostileFiles, writing_where_one_cannot) {
  const test::Folder folder;
  const Mesh box = kernels::make_box({});
  EXPECT_NE(writing(box, folder / "a.xyz").find("is not one of the endings .obj, .ply, .stl, .glb"),
            std::string::npos);
  EXPECT_NE(writing(box, folder / "none" / "a.obj"), "");
  std::filesystem::create_directory(folder / "d.obj");
  EXPECT_NE(writing(box, folder / "d.obj"), "");
  Mesh bad = box;
  bad.positions[3][0] = NAN;
  EXPECT_NE(writing(bad, folder / "a.obj").find("vertex 3 is not finite"), std::string::npos);
  EXPECT_NE(writing(Mesh(), folder / "a.stl"), "");
  // What failed left nothing behind.
  std::size_t entries = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder / ""))
    ++entries;
  EXPECT_EQ(entries, 1u);
}

TEST(HostileFiles, a_failed_write_keeps_the_old_file) {
  const test::Folder folder;
  const Mesh box = kernels::make_box({});
  save_mesh(box, folder / "a.ply");
  Mesh bad = box;
  bad.positions[0][0] = INFINITY;
  EXPECT_NE(writing(bad, folder / "a.ply"), "");
  EXPECT_EQ(load_mesh(folder / "a.ply").positions, box.positions);
}

std::string gltf_with_buffer(const std::string& uri) {
  return R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],
"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],
"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3",
"min":[0,0,0],"max":[1,1,1]}],
"bufferViews":[{"buffer":0,"byteLength":36}],"buffers":[{"byteLength":36,"uri":")" +
         uri + "\"}]}";
}

TEST(HostileFiles, nested_more_deeply_than_a_parser_can_follow) {
  const test::Folder folder;
  const std::string deep(200000, '[');
  const std::string reason = "it is nested 200000 levels deep; at most 64 are read";
  const auto text = folder.write("deep.gltf", deep);
  EXPECT_EQ(reading(text), "cannot read '" + text.string() + "': " + reason);
  std::string head = "glTF";
  for (const uint32_t word : {2u, 200020u, 200000u, 0x4E4F534Au}) {
    head.append(reinterpret_cast<const char*>(&word), sizeof word);
  }
  EXPECT_NE(reading(folder.write("deep.glb", head + deep)).find(reason), std::string::npos);
  std::string nodes = "<COLLADA>";
  for (int i = 0; i < 100000; ++i) nodes += "<node>";
  EXPECT_NE(reading(folder.write("deep.dae", nodes)).find("it is nested 100001 levels deep"),
            std::string::npos);
}

TEST(HostileFiles, nodes_of_a_gltf_are_trees_of_a_sensible_depth) {
  const test::Folder folder;
  std::string chain = R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[)";
  for (int i = 1; i < 100000; ++i) chain += "{\"children\":[" + std::to_string(i) + "]},";
  chain += "{\"name\":\"last\"}]}";
  EXPECT_NE(reading(folder.write("a.gltf", chain)).find("it is nested 100000 levels deep"),
            std::string::npos);
  EXPECT_EQ(gltf_node_depth(R"({"nodes":[{"children":[2,1]},{},{"children":[3]},{},{}]})"), 3u);
  EXPECT_EQ(gltf_node_depth(R"({"nodes":{"a":{"children":["b"]},"b":{}}})"), 2u);
  for (const char* plain : {"{}", R"({"nodes":1})", R"({"nodes":[7]})"}) {
    EXPECT_LE(gltf_node_depth(plain), 1u) << plain;
  }
  for (const char* wrong :
       {"", "[", "[]", "{\"nodes\":\"\xff\"}", R"({"nodes":[],"nodes":[]})",
        R"({"nodes":[{"children":[],"children":[]}]})", R"({"nodes":[{"children":[1,1]},{}]})",
        R"({"nodes":[{"children":[0]}]})", R"({"nodes":[{},{"children":[2]},{"children":[1]}]})"}) {
    EXPECT_THROW(gltf_node_depth(wrong), FormatError) << wrong;
  }
}

TEST(HostileFiles, depth_is_counted_outside_of_strings_and_comments) {
  EXPECT_EQ(json_depth(R"([{"a":"[[[\"[[","b":[1]},[]])"), 3u);
  EXPECT_EQ(json_depth("]]]["), 1u);
  EXPECT_EQ(json_depth(""), 0u);
  EXPECT_EQ(xml_depth("<?xml?><!DOCTYPE a><a><b x='>' y=\"/>\"/><!-- <c><c> --><b><c/></b></a>"),
            2u);
  EXPECT_EQ(xml_depth("<a><![CDATA[<b><b>]]></a><a/>"), 1u);
  EXPECT_EQ(xml_depth("<"), 1u);
}

TEST(HostileFiles, a_mesh_opens_only_regular_files_below_its_folder) {
  const test::Folder folder;
  const float corners[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
  const std::string bytes(reinterpret_cast<const char*>(corners), sizeof corners);
  std::filesystem::create_directories(folder / "in/below");
  folder.write("in/a.bin", bytes);
  folder.write("in/below/b.bin", bytes);
  const auto outside = folder.write("outside.bin", bytes);
  std::filesystem::create_symlink(outside, folder / "in/link.bin");
  ASSERT_EQ(::mkfifo((folder / "in/pipe.bin").c_str(), 0600), 0);
  for (const char* uri : {"a.bin", "./a.bin", "below/b.bin"}) {
    EXPECT_EQ(reading(folder.write("in/a.gltf", gltf_with_buffer(uri))), "") << uri;
  }
  for (const std::string& uri : {std::string("pipe.bin"), std::string("../outside.bin"),
                                 std::string("below/../../outside.bin"), outside.string(),
                                 std::string("link.bin"), std::string("none.bin")}) {
    const std::string message = reading(folder.write("in/a.gltf", gltf_with_buffer(uri)));
    EXPECT_NE(message.find("it is not a valid GLTF file (assimp: "), std::string::npos)
        << uri << ": " << message;
  }
}

TEST(HostileFiles, a_mesh_has_no_need_of_its_skin) {
  const test::Folder folder;
  const auto vertices = [&](test::Gltf file) {
    EXPECT_EQ(load_mesh(folder.write("a.glb", file.glb())).vertex_count(), 26u);
    return load_mesh(folder.write("a.gltf", file.text())).vertex_count();
  };
  test::Gltf file = test::bending_strip();
  EXPECT_EQ(vertices(file), 26u);
  file.json["accessors"][4]["count"] = 1;  // matrices
  file.json["accessors"][6]["count"] = 1;  // keys
  EXPECT_EQ(vertices(file), 26u);
  file.json["skins"][0].erase("inverseBindMatrices");  // as glTF allows
  EXPECT_EQ(vertices(file), 26u);
  file.json["skins"] = 5;
  EXPECT_EQ(vertices(file), 26u);
  std::string text = file.text();
  text.replace(text.find("\"skins\""), 7, "\"sk\\u0069ns\"");
  EXPECT_EQ(load_mesh(folder.write("b.gltf", text)).vertex_count(), 26u);
}

TEST(HostileFiles, what_assimp_says_stands_in_a_sentence) {
  const test::Folder folder;
  const auto path = folder.write("x.stl", std::string(100, 'x'));
  const std::string start =
      "cannot read '" + path.string() + "': it is not a valid STL file (assimp: ";
  EXPECT_TRUE(reading(path).starts_with(start)) << reading(path);
}

TEST(FileNames, endings_are_in_lower_case_without_a_dot) {
  EXPECT_EQ(ending_of("folder.x/Bunny.Old.OBJ"), "obj");
  EXPECT_EQ(ending_of("folder.x/bunny"), "");
  EXPECT_EQ(ending_of("bunny."), "");
  for (const auto& list : {loadable_endings(), savable_endings()}) {
    for (const std::string& ending : list)
      EXPECT_EQ(ending_of("a." + ending).find('.'), std::string::npos);
    for (const std::string& ending : list) EXPECT_FALSE(ending.starts_with('.')) << ending;
  }
}

TEST(FileNames, control_characters_are_shown_and_refused) {
  using namespace std::string_literals;
  EXPECT_FALSE(flaw_of_file_name("a b/\xc3\xa4.obj"));
  EXPECT_EQ(flaw_of_file_name("nu.sh\0.obj"s),
            "the file name 'nu.sh\\u0000.obj' contains a control character (\\u0000)");
  for (const std::string& name : {"a\nb.obj"s, "a\x7f"s, "\x1b[2J.obj"s}) {
    EXPECT_TRUE(flaw_of_file_name(name)) << name;
  }
}

}  // namespace
}  // namespace sinew
