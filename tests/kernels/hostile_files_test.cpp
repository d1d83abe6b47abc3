// Files that are not what they say: one clear message each, no crash, no great appetite for memory.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <random>

#include "nodes/geometry/file_names.h"
#include "nodes/geometry/mesh_io.h"
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
