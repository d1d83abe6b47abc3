// Presets packed with their files, and packs of people who mean harm.
#include "graph/preset_pack.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "graph/atomic_file.h"
#include "graph/key.h"
#include "tests/app/run_program.h"
#include "tests/presets/pack_maker.h"
#include "tests/presets/preset_registry.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;
using testing::TemporaryFolder;

using testing::bytes_of;
using testing::good;
using testing::triangle;

std::string refusal(const std::string& bytes, const PackLimits& limits = {}) {
  const Result<PresetPack> pack = read_pack(bytes, registry(), limits);
  EXPECT_FALSE(pack);
  if (pack) return "";
  EXPECT_EQ(pack.error().find('\n'), std::string::npos) << pack.error();
  return pack.error();
}

std::size_t count_in(const fs::path& folder) {
  std::size_t count = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    count += entry.path().filename() != "";
  return count;
}

TEST(Pack, APresetGoesInAndComesOutWithItsFiles) {
  const TemporaryFolder folder;
  fs::create_directories(folder / "a");
  fs::create_directories(folder / "b");
  folder.write("a/kite.obj", triangle);
  folder.write("b/kite.obj", std::string(triangle) + "# another\n");
  Json doc = good();
  doc["nodes"][0]["params"]["file"] = "../a/kite.obj";
  doc["nodes"].push_back({{"id", "other"},
                          {"type", "mesh.load"},
                          {"params", {{"file", (folder / "b/kite.obj").string()}}}});
  folder.write("a/doc.json", doc.dump());
  const Result<std::string> bytes = pack_preset(folder / "a/doc.json", registry());
  ASSERT_TRUE(bytes) << bytes.error();
  EXPECT_EQ(*bytes, *pack_preset(folder / "a/doc.json", registry()));  // the same bytes every time
  const Result<PresetPack> pack = read_pack(*bytes, registry());
  ASSERT_TRUE(pack) << pack.error();
  EXPECT_EQ(pack->name, "anna/kite");
  EXPECT_EQ(pack->files.size(), 3u);
  for (const ArchiveFile& f : pack->files)
    EXPECT_EQ(f.content.find(folder.path.string()), std::string::npos) << f.name;
  const Result<InstalledPack> installed = install_pack(*pack, folder / "library", false);
  ASSERT_TRUE(installed) << installed.error();
  EXPECT_EQ(installed->document, folder / "library/anna/kite/preset.json");
  EXPECT_FALSE(installed->was_there);
  EXPECT_EQ(folder.read("library/anna/kite/files/kite.obj"), triangle);
  ASSERT_TRUE(load_document(installed->document, registry()));
}

TEST(Pack, TheSameTwiceIsOneAndAnotherIsNotLost) {
  const TemporaryFolder folder;
  Json doc = good();
  const std::vector<ArchiveFile> files = {{"files/kite.obj", triangle}};
  const PresetPack first = *read_pack(bytes_of(doc, files), registry());
  ASSERT_TRUE(install_pack(first, folder.path, false));
  const std::size_t before = count_in(folder.path);
  const Result<InstalledPack> again = install_pack(first, folder.path, false);
  ASSERT_TRUE(again);
  EXPECT_TRUE(again->was_there);
  doc["meta"]["version"] = "1.1.0";
  const PresetPack second = *read_pack(bytes_of(doc, files), registry());
  EXPECT_NE(first.hash, second.hash);
  const Result<InstalledPack> refused = install_pack(second, folder.path, false);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().find("differs"), std::string::npos);
  EXPECT_EQ(load_document(folder / "anna/kite/preset.json", registry())->meta.version, "1.0.0");
  ASSERT_TRUE(install_pack(second, folder.path, true));
  EXPECT_EQ(load_document(folder / "anna/kite/preset.json", registry())->meta.version, "1.1.0");
  EXPECT_EQ(count_in(folder.path), before);  // nothing is left beside it
}

TEST(Pack, WhatReadsOrWritesElsewhereIsRefused) {
  for (const char* name : {"/etc/passwd", "../secret.obj", "files/../../x.obj", "C:\\x.obj", "x\\y",
                           "files/./kite.obj"}) {
    Json doc = good();
    doc["nodes"][0]["params"]["file"] = name;
    EXPECT_NE(refusal(bytes_of(doc, {{"files/kite.obj", triangle}})).find("node 'load'"),
              std::string::npos);
    doc = good();
    doc["nodes"][0]["params"]["file"] = {{"steps", {{0, "files/kite.obj"}, {9, name}}}};
    EXPECT_NE(refusal(bytes_of(doc, {{"files/kite.obj", triangle}})), "") << name;
    doc = good();
    doc["nodes"].push_back({{"id", "save"}, {"type", "mesh.save"}, {"params", {{"file", name}}}});
    EXPECT_NE(refusal(bytes_of(doc, {{"files/kite.obj", triangle}})), "") << name;
  }
  // By a link the name would only be known when it runs.
  Json doc = good();
  doc["nodes"].push_back(
      {{"id", "text"}, {"type", "value.string"}, {"params", {{"value", "/etc/passwd"}}}});
  doc["links"].push_back("text.value -> load.file");
  EXPECT_NE(refusal(bytes_of(doc, {{"files/kite.obj", triangle}})).find("when it runs"),
            std::string::npos);
  // In a group, too.
  doc = good();
  doc["groups"]["inner"] = {
      {"nodes", {{{"id", "x"}, {"type", "mesh.load"}, {"params", {{"file", "/a.obj"}}}}}}};
  EXPECT_NE(refusal(bytes_of(doc, {{"files/kite.obj", triangle}})).find("absolute"),
            std::string::npos);
  doc = good();
  doc["nodes"][0]["params"]["file"] = "files/missing.obj";
  EXPECT_NE(refusal(bytes_of(doc, {})).find("is not in the pack"), std::string::npos);
  doc = good();
  doc["nodes"].push_back(
      {{"id", "save"}, {"type", "mesh.save"}, {"params", {{"file", "preset.json"}}}});
  EXPECT_NE(refusal(bytes_of(doc, {{"files/kite.obj", triangle}})).find("write over"),
            std::string::npos);
}

TEST(Pack, NamesThatLeadElsewhereAreRefused) {
  for (const char* name : {"kite", "a/b/c", "../x", "a/..", "/x", "a/", "a b/c", ""}) {
    Json doc = good();
    doc["meta"]["name"] = name;
    EXPECT_NE(refusal(bytes_of(doc, {{"files/kite.obj", triangle}})).find("namespace/name"),
              std::string::npos)
        << name;
  }
}

TEST(Pack, LiesAreRefused) {
  const std::vector<ArchiveFile> files = {{"files/kite.obj", triangle}};
  const auto lied = [&](const std::function<void(Json&)>& lie) {
    return refusal(bytes_of(good(), files, lie));
  };
  EXPECT_NE(lied([](Json& m) { m["version"] = "2.0.0"; }).find("another name or version"),
            std::string::npos);
  EXPECT_NE(lied([](Json& m) { m["name"] = "sinew/heart"; }).find("another name or version"),
            std::string::npos);
  EXPECT_NE(lied([](Json& m) { m["sinew_pack"] = 99; }).find("a newer one is needed"),
            std::string::npos);
  EXPECT_NE(lied([](Json& m) { m["files"]["files/kite.obj"] = "0"; }).find("not what the manifest"),
            std::string::npos);
  EXPECT_NE(lied([](Json& m) { m["files"]["ghost"] = "0"; }).find("missing"), std::string::npos);
  EXPECT_NE(lied([](Json& m) { m = 5; }).find("manifest"), std::string::npos);
  EXPECT_NE(refusal(*pack_archive({{"preset.json", good().dump()}})).find("no manifest"),
            std::string::npos);
  Json doc = good();
  doc["sinew"] = 99;
  EXPECT_NE(refusal(bytes_of(doc, files)), "");
  doc = good();
  doc["nodes"][0]["version"] = 99;
  EXPECT_NE(refusal(bytes_of(doc, files)).find("version 99"), std::string::npos);
  doc = good();
  doc["nodes"][0]["type"] = "system.run";
  EXPECT_NE(refusal(bytes_of(doc, files)).find("does not know"), std::string::npos);
  for (const char* version : {"", "1", "1.0", "1.0.0.0", "1.0.x", "v1.0.0", "-1.0.0"}) {
    doc = good();
    doc["meta"]["version"] = version;
    EXPECT_NE(refusal(bytes_of(doc, files)).find("1.0.0"), std::string::npos) << version;
  }
}

TEST(Pack, WhatIsTooMuchIsRefused) {
  // A million nodes.
  std::string text = R"({"sinew":1,"meta":{"name":"a/b","version":"1.0.0"},"nodes":[)";
  for (int i = 0; i < 1000000; ++i)
    text += (i ? "," : "") + std::string(R"({"id":"n)") + std::to_string(i) + R"(","type":"note"})";
  text += "]}";
  Json manifest = {{"sinew_pack", 1}, {"name", "a/b"}, {"version", "1.0.0"}};
  manifest["files"]["preset.json"] = KeyHasher(0x7061636b).text(text).finish().hex();
  const std::string many =
      *pack_archive({{"preset.json", text}, {"manifest.json", manifest.dump()}});
  EXPECT_LT(many.size(), text.size() / 5);
  EXPECT_NE(refusal(many), "");
  // Few words, but doubled by each of thirty groups in groups.
  Json doc = good();
  for (int i = 0; i < 30; ++i) {
    const std::string inner = "g" + std::to_string(i + 1);
    Json nodes = Json::array();
    for (const char* id : {"a", "b"}) {
      if (i < 29)
        nodes.push_back({{"id", id}, {"type", "group"}, {"group", inner}});
      else
        nodes.push_back({{"id", id}, {"type", "mesh.box"}});
    }
    doc["groups"]["g" + std::to_string(i)] = {{"nodes", nodes}};
  }
  doc["nodes"].push_back({{"id", "all"}, {"type", "group"}, {"group", "g0"}});
  EXPECT_NE(refusal(bytes_of(doc, {{"files/kite.obj", triangle}})), "");
  // Groups that contain themselves, or each other.
  doc = good();
  doc["groups"]["self"] = {{"nodes", {{{"id", "x"}, {"type", "group"}, {"group", "self"}}}}};
  EXPECT_NE(refusal(bytes_of(doc, {{"files/kite.obj", triangle}})).find("contains itself"),
            std::string::npos);
  doc = good();
  doc["groups"]["one"] = {{"nodes", {{{"id", "x"}, {"type", "group"}, {"group", "two"}}}}};
  doc["groups"]["two"] = {{"nodes", {{{"id", "x"}, {"type", "group"}, {"group", "one"}}}}};
  EXPECT_NE(refusal(bytes_of(doc, {{"files/kite.obj", triangle}})).find("contains itself"),
            std::string::npos);
  EXPECT_NE(refusal(bytes_of(good(), {{"files/kite.obj", std::string(3 << 20, 'x')}}),
                    {.archive = {1 << 20, 10}}),
            "");
}

TEST(Pack, MeshesThatAreBrokenAreRefused) {
  for (const char* mesh :
       {"v nan 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "v inf 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n",
        "v 0 0 0\nf 1 2 99\n", "", "\xff\xfe nonsense"}) {
    const std::string error = refusal(bytes_of(good(), {{"files/kite.obj", mesh}}));
    EXPECT_NE(error.find("node 'load' (mesh.load)"), std::string::npos) << error;
  }
}

TEST(Pack, WhatLacksANameOrAFileIsNotPacked) {
  const TemporaryFolder folder;
  Json doc = good();
  folder.write("doc.json", doc.dump());
  EXPECT_FALSE(pack_preset(folder / "doc.json", registry()));  // files/kite.obj is not there
  doc["meta"].erase("name");
  folder.write("doc.json", doc.dump());
  const Result<std::string> unnamed = pack_preset(folder / "doc.json", registry());
  ASSERT_FALSE(unnamed);
  EXPECT_NE(unnamed.error().find("\"name\""), std::string::npos);
}

}  // namespace
}  // namespace sinew
