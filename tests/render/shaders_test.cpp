// The compiled shaders are part of the repository: are they those of the sources beside them?
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "render/shaders/compiled/all.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

const fs::path kShaders = fs::path(SINEW_SOURCE_DIR) / "render" / "shaders";
constexpr const char* kRemedy = "; do: ./dev shaders";

// The names in a folder that end so, sorted by bytes.
std::vector<std::string> files(const fs::path& folder, const std::string& extension) {
  std::vector<std::string> found;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == extension) found.push_back(entry.path().filename().string());
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::set<std::string> shader_names() {
  std::set<std::string> names;
  for (const std::string& file : files(kShaders, ".sc")) {
    if (file.starts_with("vs_") || file.starts_with("fs_"))
      names.insert(fs::path(file).stem().string());
  }
  return names;
}

std::string quoted(const std::string& text) {
  std::string result = "'";
  for (char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

// What a command prints, or nothing if it fails.
std::string output_of(const std::string& command) {
  FILE* pipe = popen(command.c_str(), "r");
  if (!pipe) return {};
  std::string text;
  for (int c = fgetc(pipe); c != EOF; c = fgetc(pipe)) text += static_cast<char>(c);
  return pclose(pipe) == 0 ? text : std::string();
}

// As in cmake/compile_shaders.sh: any shared file may be included, so all of them count.
std::string source_hash(const std::string& name) {
  std::string command = "cd " + quoted(kShaders.string()) + " && sha256sum " +
                        quoted(name + ".sc") + " varying.def.sc";
  for (const std::string& shared : files(kShaders, ".sh")) command += " " + quoted(shared);
  return output_of(command + " | sha256sum").substr(0, 64);
}

std::string first_line(const fs::path& file) {
  std::ifstream stream(file);
  std::string line;
  std::getline(stream, line);
  return line;
}

TEST(CompiledShaders, AreMadeFromTheirSources) {
  ASSERT_FALSE(output_of("sha256sum </dev/null").empty()) << "there is no sha256sum here";
  for (const std::string& name : shader_names()) {
    EXPECT_EQ(first_line(kShaders / "compiled" / (name + ".h")),
              "// Sources: SHA-256 " + source_hash(name))
        << name << " has changed since it was compiled" << kRemedy;
  }
}

TEST(CompiledShaders, AreOnlyThoseThatHaveSources) {
  std::set<std::string> headers;
  for (const std::string& file : files(kShaders / "compiled", ".h")) {
    headers.insert(fs::path(file).stem().string());
  }
  headers.erase("all");
  EXPECT_EQ(headers, shader_names()) << kRemedy;
}

TEST(CompiledShaders, AreAllInTheTableInOrder) {
  std::vector<std::string> listed;
  for (const shaders::Compiled& shader : shaders::all) listed.emplace_back(shader.name);
  const std::set<std::string> names = shader_names();
  EXPECT_EQ(listed, std::vector<std::string>(names.begin(), names.end())) << kRemedy;
}

TEST(CompiledShaders, BeginAsBgfxWantsThem) {
  for (const shaders::Compiled& shader : shaders::all) {
    const std::string magic = shader.name.starts_with("vs_") ? "VSH" : "FSH";
    for (const auto bytes : {shader.glsl, shader.essl, shader.spirv}) {
      ASSERT_GT(bytes.size(), magic.size()) << shader.name;
      EXPECT_TRUE(std::equal(magic.begin(), magic.end(), bytes.begin())) << shader.name;
    }
  }
}

}  // namespace
}  // namespace sinew
