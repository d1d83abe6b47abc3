// Documents of strangers: what else lies in their packs, what they say, and what they read, by
// whatever way they are opened.
#include "graph/stranger.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <set>

#include "app/library/library_index.h"
#include "app/library/opening.h"
#include "graph/file_parameters.h"
#include "graph/file_places.h"
#include "graph/plain_text.h"
#include "graph/preset_pack.h"
#include "tests/app/run_program.h"
#include "tests/presets/pack_maker.h"
#include "tests/presets/preset_registry.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;
using testing::bytes_of;
using testing::full;
using testing::good;
using testing::TemporaryFolder;
using testing::triangle;

// Empty: it was taken.
std::string refusal(const std::string& bytes) {
  const Result<PresetPack> pack = read_pack(bytes, registry());
  if (pack) return "";
  EXPECT_TRUE(is_plain(pack.error())) << plain_line(pack.error());
  EXPECT_LT(pack.error().size(), 600u);
  return pack.error();
}

// Every text of a tree, and every key, each changed once.
void for_each_text(Json& tree, const std::function<std::string(const std::string&)>& change,
                   const std::function<void(const std::string& where)>& visit,
                   const std::string& where = "") {
  if (tree.is_string()) {
    const Json before = tree;
    tree = change(before.get<std::string>());
    visit(where);
    tree = before;
  } else if (tree.is_array()) {
    for (std::size_t i = 0; i < tree.size(); ++i)
      for_each_text(tree[i], change, visit, where + "/" + std::to_string(i));
  } else if (tree.is_object()) {
    std::vector<std::string> keys;
    for (const auto& [key, value] : tree.items()) keys.push_back(key);
    for (const std::string& key : keys) {
      const Json value = tree[key];
      tree.erase(key);
      tree[change(key)] = value;
      visit(where + "/(" + key + ")");
      tree.erase(change(key));
      tree[key] = value;
      for_each_text(tree[key], change, visit, where + "/" + key);
    }
  }
}

TEST(Stranger, EveryTextOfADocumentIsPlainOrRefused) {
  const std::vector<ArchiveFile> files = {{"files/kite.obj", triangle}};
  Json doc = full();
  ASSERT_EQ(refusal(bytes_of(doc, files)), "");
  int fields = 0, taken = 0;
  for (const char* control :
       {"\x1b[31m", "\x01", "\r", "\x7f", "\xC2\x85",
        "\xC2\x9B"
        "31m",
        "\xE2\x80\xAE", "\xE2\x81\xA6", "\xE2\x80\x8F", "\xD8\x9C", "\xE2\x80\xA8"}) {
    for_each_text(
        doc, [&](const std::string& text) { return text + control; },
        [&](const std::string& where) {
          ++fields;
          if (refusal(bytes_of(doc, files)) != "") return;
          ++taken;
          ADD_FAILURE() << where << " takes " << plain_line(Json(control).dump());
        });
  }
  EXPECT_GT(fields, 11 * 100);
  EXPECT_EQ(taken, 0);
}

TEST(Stranger, WordsThatAreShownAreShortAndOneLine) {
  const std::vector<ArchiveFile> files = {{"files/kite.obj", triangle}};
  const auto with = [&](const char* pointer, const Json& value) {
    Json doc = full();
    doc[Json::json_pointer(pointer)] = value;
    return refusal(bytes_of(doc, files));
  };
  const std::string long_text(2000, 'x');
  for (const char* line :
       {"/meta/title", "/meta/author", "/meta/licence", "/meta/category", "/meta/tags/0",
        "/meta/expose/0", "/nodes/0/label", "/groups/tail@1.0.0/meta/title",
        "/groups/tail@1.0.0/meta/category", "/groups/tail@1.0.0/inputs/0/name",
        "/groups/tail@1.0.0/nodes/0/label"}) {
    EXPECT_NE(with(line, long_text), "") << line;
    EXPECT_NE(with(line, "two\nlines"), "") << line;
    EXPECT_EQ(with(line, "Plain words: \xC3\xA4\xE6\x97\xA5"), "") << line;
  }
  EXPECT_NE(with("/meta/description", std::string(20000, 'x')), "");
  EXPECT_NE(with("/meta/tags", Json(std::vector<std::string>(60, "tag"))), "");
}

TEST(Stranger, NothingElseIsInAPack) {
  const Json evil = [] {
    Json doc = good();
    doc["meta"]["name"] = "sinew/heart";
    return doc;
  }();
  const std::string text = evil.dump();
  for (const char* name :
       {"aaa.json", "files/heart.json", "previews/preset.jpg", "files/kite.mtl", "files/kite2.obj",
        "README", ".hidden", "files/.hidden.obj", "preset.json.bake/x", "manifest.json.bak",
        "files/run.sh", "files/deep/er/x.obj", "x.raw", "Preset.json"}) {
    const std::string error =
        refusal(bytes_of(good(), {{"files/kite.obj", triangle}, {name, text}}));
    EXPECT_NE(error.find("'" + std::string(name) + "', which its preset does not read"),
              std::string::npos)
        << name << ": " << error;
  }
  // Nor by a node that only says that it reads it.
  for (const char* name : {"aaa.json", "preset.json", "manifest.json", "files/heart.json"}) {
    Json doc = good();
    doc["nodes"].push_back({{"id", "more"}, {"type", "mesh.load"}, {"params", {{"file", name}}}});
    doc["nodes"].push_back({{"id", "one"}, {"type", "value.float"}});
    doc["links"].push_back("one.value -> more.scale");  // so that it is not tried
    std::vector<ArchiveFile> files = {{"files/kite.obj", triangle}};
    if (std::string(name) != "preset.json" && std::string(name) != "manifest.json")
      files.push_back({name, text});
    EXPECT_NE(refusal(bytes_of(doc, files)), "") << name;
  }
}

// A library with one pack in it, and whatever somebody puts beside its document.
class InstalledPacks : public ::testing::Test {
 protected:
  InstalledPacks() {
    const Result<PresetPack> pack =
        read_pack(bytes_of(good(), {{"files/kite.obj", triangle}}), registry());
    EXPECT_TRUE(pack) << pack.error();
    EXPECT_TRUE(install_pack(*pack, library, false));
    folder.write("secret.obj", triangle);
  }

  std::vector<library::PresetInfo> listed() const {
    library::LibraryIndex index(registry(), {}, library);
    EXPECT_TRUE(index.update(60));
    return index.presets();
  }
  void write(const std::string& name, const Json& doc) const {
    folder.write("library/anna/kite/" + name, doc.dump());
  }
  // All the ways in which a document comes from a file.
  void expect_refused(const fs::path& file, const std::string& why) const {
    const auto error_of = [](const auto& result) { return result ? "" : result.error(); };
    for (const std::string& error :
         {error_of(load_document(file, registry())), error_of(load_with_text(file, registry())),
          error_of(library::open_elsewhere(file, registry())),
          library::describe_preset(file, library, registry()).error,
          error_of(pack_preset(file, registry()))}) {
      EXPECT_NE(error.find(why), std::string::npos) << error;
      EXPECT_TRUE(is_plain(error)) << plain_line(error);
    }
  }

  TemporaryFolder folder;
  const fs::path library = folder / "library";
  const fs::path home = library / "anna/kite";
};

TEST_F(InstalledPacks, AreOnePresetEach) {
  Json evil = good();
  evil["meta"]["name"] = "sinew/heart";
  evil["meta"]["title"] = "\x1b[31mHeart";
  for (const char* name : {"aaa.json", "files/heart.json", "previews/zzz.json"})
    folder.write("library/anna/kite/" + std::string(name), evil.dump());
  for (const bool has_manifest : {true, false}) {  // older versions kept none
    if (!has_manifest) fs::remove(home / "manifest.json");
    const std::vector<library::PresetInfo> all = listed();
    ASSERT_EQ(all.size(), 1u);
    EXPECT_EQ(all[0].name, "anna/kite");
    EXPECT_EQ(all[0].file, home / "preset.json");
    EXPECT_TRUE(all[0].installed);
    EXPECT_EQ(all[0].error, "");
    expect_refused(home / "aaa.json", "has one document, preset.json");
    expect_refused(home / "files/heart.json", "has one document, preset.json");
  }
}

TEST_F(InstalledPacks, KeepTheNameThatTheyCameWith) {
  Json evil = good();
  evil["meta"]["name"] = "sinew/heart";
  write("preset.json", evil);
  expect_refused(home / "preset.json", "names itself 'sinew/heart'");
  const std::vector<library::PresetInfo> all = listed();
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].name, "anna/kite");
  EXPECT_NE(all[0].error, "");
}

TEST_F(InstalledPacks, ReadNothingElseHoweverTheyAreOpened) {
  fs::create_symlink(folder / "secret.obj", home / "files/link.obj");
  fs::create_directory_symlink(folder.path, home / "out");
  for (const std::string& name :
       {(folder / "secret.obj").string(), std::string("../../../secret.obj"),
        std::string("files/../../../../secret.obj"), std::string("files/link.obj"),
        std::string("out/secret.obj"), std::string("files/more.obj")}) {
    const Json values[] = {name, {{"steps", {{0, "files/kite.obj"}, {4, name}}}}};
    for (const Json& value : values) {
      Json doc = good();
      doc["nodes"][0]["params"]["file"] = value;
      write("preset.json", doc);
      expect_refused(home / "preset.json", "node 'load' (mesh.load)");
      Json grouped = good();
      grouped["groups"]["inner"] = {
          {"nodes", {{{"id", "x"}, {"type", "mesh.load"}, {"params", {{"file", value}}}}}}};
      write("preset.json", grouped);
      expect_refused(home / "preset.json", "node 'x' (mesh.load)");
    }
  }
  Json doc = good();
  doc["nodes"].push_back(
      {{"id", "text"}, {"type", "value.string"}, {"params", {{"value", "/etc/passwd"}}}});
  doc["links"].push_back("text.value -> load.file");
  write("preset.json", doc);
  expect_refused(home / "preset.json", "when it runs");
  // The file that it does name, in place of which a link was put.
  write("preset.json", good());
  fs::remove(home / "files/kite.obj");
  fs::create_symlink(folder / "secret.obj", home / "files/kite.obj");
  expect_refused(home / "preset.json", "leads out of the folder of its pack");
}

TEST_F(InstalledPacks, AreNoWayInOrOutByLinks) {
  folder.write("own.json", good().dump());
  ASSERT_TRUE(load_document(folder / "own.json", registry()));
  fs::create_symlink(home / "preset.json", folder / "link.json");
  expect_refused(folder / "link.json", "a link into the folder of a pack");
  fs::remove(home / "preset.json");
  fs::create_symlink(folder / "own.json", home / "preset.json");
  expect_refused(home / "preset.json", "a link that leads out of the folder");
  // A library that is itself reached by a link is one all the same.
  fs::create_directory_symlink(library, folder / "way");
  fs::remove(home / "preset.json");
  write("preset.json", good());
  EXPECT_TRUE(load_document(folder / "way/anna/kite/preset.json", registry()));
}

TEST_F(InstalledPacks, AreNotWrittenInto) {
  const Result<GraphDoc> doc = load_document(home / "preset.json", registry());
  ASSERT_TRUE(doc) << doc.error();
  for (const char* name : {"preset.json", "new.json", "files/new.json"})
    EXPECT_FALSE(save_document(*doc, home / name)) << name;
  EXPECT_TRUE(save_document(*doc, library / "anna/own.json"));
}

TEST_F(InstalledPacks, NameTheirFilesWhereverTheyGo) {
  const std::string mesh = (home / "files/kite.obj").string();
  const auto file_of = [](const GraphDoc& doc) { return doc.graph.nodes[0].params.at("file"); };
  EXPECT_EQ(file_of(*library::open_elsewhere(home / "preset.json", registry())), mesh);
  EXPECT_EQ(file_of(*library::open_elsewhere(home / "preset.json", registry(), folder / "work")),
            "../library/anna/kite/files/kite.obj");
  EXPECT_EQ(file_of(*load_document(home / "preset.json", registry())), "files/kite.obj");
}

// Every node that reads or writes files, in a group as well: what is read is named as seen from
// where the document goes, what is written keeps its name there.
TEST_F(InstalledPacks, WriteBesideTheDocumentThatTheyBecome) {
  GraphDoc doc;
  std::set<std::string> kinds;
  for (const NodeType* type : registry().nodes())
    for (const InputInfo& input : type->inputs) {
      if (input.file == FileUse::none) continue;
      NodeDoc node;
      node.id = fmt::format("n{}", doc.graph.nodes.size());
      node.type = type->id;
      node.params[input.name] = input.file == FileUse::read ? "r" : "w";
      kinds.insert(node.params[input.name].get<std::string>());
      doc.graph.nodes.push_back(node);
      doc.groups["inner"].graph.nodes.push_back(node);
    }
  ASSERT_EQ(kinds, (std::set<std::string>{"r", "w"}));
  const auto expect_names = [&](GraphDoc moved, const std::string& read) {
    for_files(moved, registry(), [&](const FileParameter& p) {
      if (!p.value) return;
      EXPECT_EQ(*p.value, p.input->file == FileUse::read ? read : "w") << p.node->type;
    });
  };
  GraphDoc anywhere = doc, near = doc;
  carry_files(anywhere, registry(), home);
  expect_names(anywhere, (home / "r").string());
  carry_files(near, registry(), home, folder / "work");
  expect_names(near, "../library/anna/kite/r");
  for (const Edit& edit : edits_for_place(doc, registry(), home, folder / "work"))
    ASSERT_TRUE(apply_edit(doc, edit));
  expect_names(doc, "../library/anna/kite/r");
}

// The name of a pack is its maker's choice: what a person keeps there is not a pack.
TEST_F(InstalledPacks, DoNotReplaceWhatIsNoPack) {
  const Result<PresetPack> pack =
      read_pack(bytes_of(good(), {{"files/kite.obj", triangle}}), registry());
  const fs::path mine = library / "anna" / "kite";
  fs::remove_all(mine);
  fs::create_directory(mine);
  folder.write("library/anna/kite/mine.json", "{}");
  const Result<InstalledPack> refused = install_pack(*pack, library, true);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().find("no pack"), std::string::npos) << refused.error();
  EXPECT_TRUE(fs::exists(mine / "mine.json"));
}

TEST_F(InstalledPacks, GetAManifestWhereTheyHaveNoneAndLoseNothing) {
  const Result<PresetPack> pack =
      read_pack(bytes_of(good(), {{"files/kite.obj", triangle}}), registry());
  fs::remove(home / "manifest.json");
  folder.write("library/anna/kite/notes.txt", "mine");
  ASSERT_TRUE(install_pack(*pack, library, false));
  EXPECT_TRUE(fs::exists(home / "manifest.json"));
  EXPECT_TRUE(fs::exists(home / "notes.txt"));
  EXPECT_TRUE(install_pack(*pack, library, false)->was_there);
  folder.write("library/anna/kite/aaa.json", "{}");
  EXPECT_TRUE(install_pack(*pack, library, false)->was_there);
  EXPECT_EQ(fs::status(home).permissions(), fs::status(folder / "library").permissions());
}

// A file is tried whatever stands between it and the first frame: a linked number, a later step.
TEST(Stranger, FilesThatAreReadLaterAreTriedAsWell) {
  const std::string torn = "OFF\n353535235358 1 0\n0 0 0\n";
  for (const bool by_step : {false, true}) {
    Json doc = good();
    if (by_step) {
      doc["nodes"][0]["params"]["file"] = {{"steps", {{0, "files/kite.obj"}, {9, "files/b.off"}}}};
    } else {
      doc["nodes"][0]["params"]["file"] = "files/b.off";
      doc["nodes"].push_back({{"id", "big"}, {"type", "value.float"}});
      doc["links"].push_back("big.value -> load.scale");
    }
    std::vector<ArchiveFile> files = {{"files/b.off", torn}};
    if (by_step) files.push_back({"files/kite.obj", triangle});
    const std::string why = refusal(bytes_of(doc, files));
    EXPECT_NE(why.find("b.off"), std::string::npos) << why;
    EXPECT_NE(why.find("mesh.load"), std::string::npos) << why;
  }
}

// Each of forty groups hands its file to two of the next: 2^40 ways to one node.
TEST(Stranger, GroupsThatHandAFileOnInManyWaysAreLookedAtOnce) {
  constexpr int depth = 40;
  Json doc = good();
  for (int k = 0; k < depth; ++k) {
    const std::string next = "g" + std::to_string(k + 1) + "@1.0.0";
    Json inside = Json::array({{{"id", "in"}, {"type", "group.input"}}});
    Json links = Json::array();
    for (const char* id : {"a", "b"}) {
      if (k + 1 < depth) {
        inside.push_back({{"id", id}, {"type", "group"}, {"group", next}});
      } else {
        inside.push_back({{"id", id}, {"type", "mesh.load"}});
      }
      links.push_back("in.file -> " + std::string(id) + ".file");
    }
    doc["groups"]["g" + std::to_string(k) + "@1.0.0"] = {
        {"inputs", Json::array({{{"id", "file"}, {"type", "string"}}})},
        {"nodes", inside},
        {"links", links}};
  }
  doc["nodes"].push_back(
      {{"id", "top"}, {"type", "group"}, {"group", "g0@1.0.0"}, {"params", {{"file", "x.obj"}}}});
  Result<GraphDoc> parsed = parse_document(doc.dump(), registry());
  ASSERT_TRUE(parsed) << parsed.error();
  std::set<std::string> seen;
  for_files(*parsed, registry(), [&](const FileParameter& p) { seen.insert(p.node->id); });
  EXPECT_TRUE(seen.contains("top"));
}

TEST_F(InstalledPacks, InterruptedInstallationsGoAndLoseNothing) {
  const fs::path space = library / "anna";
  // As versions before this one named them, and as this one does; what had stepped aside goes back.
  for (const char* name :
       {".installing-4242-0/files", ".replaced-4242-0/old", ".installing-aB3xY9"})
    fs::create_directories(space / name);
  fs::create_directories(space / ".installing-qwerty/old");
  fs::rename(home, space / ".installing-qwerty/old/kite");
  remove_left_packs(library);
  std::vector<std::string> there;
  for (const auto& entry : fs::directory_iterator(space))
    there.push_back(entry.path().filename().string());
  EXPECT_EQ(there, std::vector<std::string>{"kite"});
  EXPECT_TRUE(load_document(home / "preset.json", registry()));
}

}  // namespace
}  // namespace sinew
