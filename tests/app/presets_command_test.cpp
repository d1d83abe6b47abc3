// `sinew presets`: the library, what is shared, and presets put onto other things.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "graph/compiled_graph.h"
#include "graph/evaluator.h"
#include "graph/plain_text.h"
#include "nodes/values.h"
#include "tests/app/run_program.h"
#include "tests/graph/tar_maker.h"
#include "tests/preset_files.h"
#include "tests/presets/pack_maker.h"
#include "tests/presets/preset_registry.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::bytes_of;
using testing::good;
using testing::Ran;
using testing::TemporaryFolder;
using testing::triangle;

class PresetsCommand : public ::testing::Test {
 protected:
  Ran presets(std::vector<std::string> words) const {
    words.insert(words.begin(), {"presets", "--library", "own"});
    return testing::run_program(words, folder.path);
  }
  json asked(std::vector<std::string> words) const {
    words.push_back("--json");
    const Ran ran = presets(words);
    EXPECT_EQ(ran.code, 0) << ran.err;
    return json::parse(ran.out, nullptr, false);
  }
  GraphDoc read(const std::string& name) const {
    const Result<GraphDoc> doc = load_document(folder / name, registry());
    EXPECT_TRUE(doc) << doc.error();
    return doc ? *doc : GraphDoc();
  }
  // Its first frame and one later, without an error.
  void expect_runs(const std::string& name, int later) const {
    const GraphDoc doc = read(name);
    const GraphPtr graph = CompiledGraph::compile(doc, registry());
    Evaluator evaluator;
    Context c;
    c.fps = doc.settings.fps;
    c.start_frame = doc.settings.first_frame;
    c.last_frame = doc.settings.last_frame;
    c.folder = folder.path;
    for (c.frame = c.start_frame; c.frame <= c.start_frame + later; c.frame += later) {
      const Evaluation e = evaluator.evaluate(*graph, c);
      for (const NodeMessage& m : e.messages(*graph))
        EXPECT_NE(m.message.severity, Severity::error)
            << name << ": " << m.path << ": " << m.message.text;
    }
  }

  TemporaryFolder folder;
};

TEST_F(PresetsCommand, WhatCannotBeALibraryIsRefused) {
  fs::create_symlink("/", folder / "disk");
  folder.write("file", "x");
  const std::map<std::string, std::string> wrong = {{"/dev/null", "is not a folder"},
                                                    {"file", "is not a folder"},
                                                    {"/", "is the root of the disk"},
                                                    {"disk", "is the root of the disk"}};
  for (const auto& [library, text] : wrong) {
    for (const std::vector<std::string>& act :
         std::vector<std::vector<std::string>>{{"presets", "list"},
                                               {"presets", "install", "x.sinew"},
                                               {"presets", "check"},
                                               {"gallery", "-o", "site"}}) {
      std::vector<std::string> words = act;
      words.insert(words.begin() + 1, {"--library", library});
      const Ran ran = testing::run_program(words, folder.path);
      EXPECT_EQ(ran.code, 2) << library;
      EXPECT_NE(ran.err.find("the library '" + library + "' " + text), std::string::npos)
          << ran.err;
      EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
    }
    const Ran told =
        testing::RunningProgram({"presets", "list"}, folder.path, {{"SINEW_PRESETS", library}})
            .wait();
    EXPECT_EQ(told.code, 2);
    EXPECT_NE(told.err.find(text), std::string::npos) << told.err;
  }
  EXPECT_FALSE(fs::exists(folder / "site"));
}

TEST_F(PresetsCommand, ListsSearchesAndShows) {
  const json all = asked({"list"});
  EXPECT_GE(all.size(), 60u);
  std::map<std::string, int> counts;
  for (const json& p : all) ++counts[p["category"]];
  EXPECT_GE(counts["Materials"], 12);
  EXPECT_GE(counts["Motions"], 15);
  EXPECT_GE(counts["Characters"], 20);
  EXPECT_EQ(asked({}), all);
  for (const json& p : asked({"list", "--tag", "swimming"}))
    EXPECT_NE(std::find(p["tags"].begin(), p["tags"].end(), "swimming"), p["tags"].end());
  EXPECT_EQ(asked({"search", "heart"})[0]["name"], "sinew/heart");
  EXPECT_EQ(asked({"search", "swimming", "jelly"})[0]["name"], "sinew/jellyfish-swim");
  const json shown = asked({"show", "motions/heart"});
  EXPECT_EQ(shown["title"], "Beating heart");
  EXPECT_TRUE(shown["goes_onto_meshes"]);
  EXPECT_FALSE(shown["parameters"].empty());
  for (const char* name : {"sinew/heart", "heart"}) EXPECT_EQ(asked({"show", name}), shown) << name;
  const Ran words = presets({"show", "heart"});
  EXPECT_NE(words.out.find("parameters"), std::string::npos);
}

TEST_F(PresetsCommand, SaysWhatIsWrongInOneLine) {
  for (const std::vector<std::string>& call : std::vector<std::vector<std::string>>{
           {"show", "heert"},
           {"list", "--tag", "swiming"},
           {"list", "--category", "Motion"},
           {"pack", "nothing"},
           {"install", "nothing.sinew"},
           {"put", "heart"},
           {"put", "heart", "--on", "nothing.obj", "-o", "x.json"},
           {"put", "heart", "--on", "value.float", "-o", "x.json"},
           {"put", "dragon_pose", "--on", "cast.teapot"},
           {"put", "jelly", "--on", "cast.teapot", "-o", "no/such/folder/x.json"},
           {"diff", "heart", "nothing"},
           {"upgrade", "nothing.json"}}) {
    const Ran ran = presets(call);
    EXPECT_EQ(ran.code, 2) << call[0] << ' ' << call[1];
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
    EXPECT_TRUE(ran.err.starts_with("error: ")) << ran.err;
  }
  EXPECT_NE(presets({"show", "heert"}).err.find("did you mean 'heart'"), std::string::npos);
  EXPECT_FALSE(fs::exists(folder / "x.json"));
}

TEST_F(PresetsCommand, APackGoesRoundAndTwiceIsOnce) {
  folder.write("kite.obj", triangle);
  json doc = json::parse(good().dump());
  doc["nodes"][0]["params"]["file"] = "kite.obj";
  folder.write("kite.json", doc.dump());
  ASSERT_EQ(presets({"pack", "kite.json"}).code, 0);
  ASSERT_EQ(presets({"install", "kite.sinew"}).code, 0);
  const Ran again = presets({"install", "kite.sinew"});
  EXPECT_EQ(again.code, 0);
  EXPECT_NE(again.out.find("is there already"), std::string::npos) << again.out;
  int found = 0;
  for (const json& p : asked({"list"})) found += p["name"] == "anna/kite" ? 1 : 0;
  EXPECT_EQ(found, 1);
  // A newer one does not come unasked, and what differs can be seen first.
  doc["meta"]["version"] = "1.1.0";
  folder.write("kite.json", doc.dump());
  ASSERT_EQ(presets({"pack", "kite.json", "-o", "new.sinew"}).code, 0);
  EXPECT_EQ(presets({"install", "new.sinew"}).code, 2);
  const Ran diff = presets({"diff", "new.sinew"});
  EXPECT_NE(diff.out.find("-   \"meta\": {\"name\": \"anna/kite\", \"version\": \"1.0.0\""),
            std::string::npos)
      << diff.out;
  EXPECT_NE(diff.out.find("+   \"meta\": {\"name\": \"anna/kite\", \"version\": \"1.1.0\""),
            std::string::npos)
      << diff.out;
  EXPECT_EQ(presets({"install", "new.sinew", "--replace"}).code, 0);
  EXPECT_EQ(asked({"show", "anna/kite"})["version"], "1.1.0");
}

TEST_F(PresetsCommand, MaliciousPacksAreRefusedAndNothingIsWritten) {
  std::map<std::string, std::string> evil;
  const std::vector<ArchiveFile> kite = {{"files/kite.obj", triangle}};
  const auto renamed = [](const std::string& name) {
    return testing::with_header([&](std::string& tar) {
      std::fill(tar.begin(), tar.begin() + 100, '\0');
      tar.replace(0, name.size(), name);
    });
  };
  evil["traversal"] = renamed("../../evil.json");
  evil["absolute"] = renamed("/tmp/evil.json");
  evil["symlink"] = testing::with_header([](std::string& tar) {
    tar[156] = '2';
    tar.replace(157, 11, "/etc/passwd");
  });
  evil["hardlink"] = testing::with_header([](std::string& tar) { tar[156] = '1'; });
  evil["bomb"] = testing::compressed(std::string(std::size_t{600} << 20, '\0'));
  json doc = good();
  doc["nodes"][0]["params"]["file"] = "../../../etc/passwd";
  evil["reads elsewhere"] = bytes_of(doc, kite);
  evil["nan mesh"] =
      bytes_of(good(), {{"files/kite.obj", "v nan 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"}});
  doc = good();
  doc["groups"]["a"] = {{"nodes", {{{"id", "x"}, {"type", "group"}, {"group", "b"}}}}};
  doc["groups"]["b"] = {{"nodes", {{{"id", "x"}, {"type", "group"}, {"group", "a"}}}}};
  evil["cyclic groups"] = bytes_of(doc, kite);
  doc = good();
  doc["groups"]["a"] = {{"nodes", {{{"id", "x"}, {"type", "group"}, {"group", "a"}}}}};
  evil["group in itself"] = bytes_of(doc, kite);
  doc = good();
  doc["nodes"][0]["version"] = 99;
  evil["version of a node"] = bytes_of(doc, kite);
  evil["version of the pack"] = bytes_of(good(), kite, [](Json& m) { m["version"] = "9.0.0"; });
  evil["format"] = bytes_of(good(), kite, [](Json& m) { m["sinew_pack"] = 7; });
  evil["name"] = bytes_of(good(), kite, [](Json& m) { m["name"] = "../../evil"; });
  doc = good();
  for (int i = 0; i < 300000; ++i)
    doc["nodes"].push_back({{"id", "n" + std::to_string(i)}, {"type", "note"}});
  evil["too many nodes"] = bytes_of(doc, kite);
  evil["rubbish"] = "this is no archive";
  evil["empty"] = "";
  for (const auto& [name, bytes] : evil) {
    folder.write("evil.sinew", bytes);
    const Ran ran = presets({"install", "evil.sinew"});
    EXPECT_EQ(ran.code, 2) << name;
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << name << ": " << ran.err;
    EXPECT_TRUE(ran.err.starts_with("error: evil.sinew: ")) << name << ": " << ran.err;
    EXPECT_EQ(ran.out, "") << name;
    for (const auto& left : fs::recursive_directory_iterator(folder.path))
      EXPECT_EQ(left.path().filename(), "evil.sinew") << name;
  }
}

// A short name means what comes with the program, or is one's own, before what came in a pack.
TEST_F(PresetsCommand, AStrangerDoesNotTakeAnothersShortName) {
  json doc = json::parse(good().dump());
  doc["meta"]["name"] = "aaa/heart";
  doc["meta"]["category"] = "AAA";  // first of all in the list
  folder.write("evil.sinew", bytes_of(doc, {{"files/kite.obj", triangle}}));
  ASSERT_EQ(presets({"install", "evil.sinew"}).code, 0);
  EXPECT_EQ(asked({"list"})[0]["name"], "aaa/heart");
  for (const char* word : {"heart", "sinew/heart", "motions/heart"})
    EXPECT_EQ(asked({"show", word})["name"], "sinew/heart") << word;
  EXPECT_EQ(asked({"show", "aaa/heart"})["name"], "aaa/heart");
  for (const char* word : {"preset", "heart/preset"})
    EXPECT_EQ(presets({"show", word}).code, 2) << word;
}

// One that ended assimp's reader when it was drawn, and one that calls for more than there is.
TEST_F(PresetsCommand, MeshesThatBreakTheirReaderBreakNothingElse) {
  fs::create_directory(folder / "tmp");
  const std::map<std::string, std::string> meshes = {
      {"files/x.raw",
       "0.51 2 3 4 5 6 7 8 9 10 11 12 t\n\"tex 1\n1 2 3 4 5 6 7 8 9" + std::string(40, 'x')},
      {"files/x.off", "OFF\n353535235358 1 0\n0 0 0\n"}};
  for (const auto& [name, content] : meshes) {
    json doc = good();
    doc["nodes"][0]["params"]["file"] = name;
    folder.write("evil.sinew", bytes_of(doc, {{name, content}}));
    testing::RunningProgram program({"presets", "--library", "own", "install", "evil.sinew"},
                                    folder.path, {{"TMPDIR", (folder / "tmp").string()}});
    const Ran ran = program.wait();
    EXPECT_EQ(ran.code, 2) << name << ran.err;
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << name << ": " << ran.err;
    EXPECT_EQ(ran.err.find(folder.path.string()), std::string::npos) << ran.err;
    EXPECT_TRUE(fs::is_empty(folder / "tmp")) << name;
    EXPECT_FALSE(fs::exists(folder / "own")) << name;
  }
}

TEST_F(PresetsCommand, WhatIsInOneFileIsNotAnotherFileElsewhere) {
  folder.write("kite.sinew", bytes_of(good(), {{"files/kite.obj", triangle}}));
  ASSERT_EQ(presets({"install", "kite.sinew"}).code, 0);
  // A mesh of the same name where one happens to work is not what the pack reads.
  fs::create_directory(folder / "files");
  folder.write("files/kite.obj", "v 0 0 0\nv 9 0 0\nv 0 9 0\nf 1 2 3\n");
  const Ran packed = presets({"put", "kite.sinew", "--on", "cast.teapot", "-o", "out.json"});
  EXPECT_EQ(packed.code, 2);
  EXPECT_NE(packed.err.find("install it first"), std::string::npos) << packed.err;
  // The library has what it came with, under its name, and is not written into.
  EXPECT_EQ(asked({"show", "anna/kite"})["file"], "own/anna/kite/preset.json");
  const Ran over = presets({"put", "materials/jelly", "--on", "own/anna/kite/preset.json", "-o",
                            "own/anna/kite/preset.json"});
  EXPECT_EQ(over.code, 2) << over.out;
}

// Every text that a document holds, in every command that shows some of it.
TEST_F(PresetsCommand, NoFileSpeaksToTheTerminal) {
  const std::string control =
      "\x1b]0;evil\x07\x7f\xC2\x9B"
      "31m\xE2\x80\xAE\xE2\x81\xA6\r";
  Json doc = testing::full();
  int spoilt = 0;
  const Json leaves = doc.flatten();
  for (const auto& [place, value] : leaves.items()) {
    if (!value.is_string()) continue;
    const Json before = doc;
    doc[Json::json_pointer(place)] = value.get<std::string>() + control;
    // Some texts mean something, such as the id of a node; a title means nothing.
    if (parse_document(doc.dump(), registry()))
      ++spoilt;
    else
      doc = before;
  }
  EXPECT_GT(spoilt, 30);
  doc["meta"]["name"] = "anna/kite";
  doc["meta"]["version"] = "1.0.0";
  fs::create_directories(folder / "own");
  folder.write("own/evil.json", doc.dump());
  folder.write("own/" + std::string("\x1b[31m\xC2\x9B") + ".json", "{\"" + control + "\": nothing");
  doc["meta"]["version"] = "1.1.0";
  doc["nodes"][0]["label"] = control + control;
  ASSERT_TRUE(parse_document(doc.dump(), registry()));
  folder.write("new.json", doc.dump());
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"presets", "--library", "own"},
           {"presets", "--library", "own", "list"},
           {"presets", "--library", "own", "list", "--category", control},
           {"presets", "--library", "own", "search", "kite"},
           {"presets", "--library", "own", "show", "anna/kite"},
           {"presets", "--library", "own", "diff", "own/evil.json", "new.json"},
           {"presets", "--library", "own", "upgrade", "new.json"},
           {"presets", "--library", "own", "pack", "own/evil.json"},
           {"presets", "--library", "own", "show", "own/\x1b[31m\xC2\x9B.json"},
           {"check", "own/evil.json", "own/\x1b[31m\xC2\x9B.json"},
           {"eval", "own/evil.json"}}) {
    for (const bool as_json : {false, true}) {
      std::vector<std::string> call = words;
      if (as_json) call.push_back("--json");
      const Ran ran = testing::run_program(call, folder.path);
      EXPECT_NE(ran.out + ran.err, "");
      EXPECT_TRUE(is_plain(ran.out, true)) << words.back() << ": " << plain_lines(ran.out);
      EXPECT_TRUE(is_plain(ran.err, true)) << words.back() << ": " << plain_lines(ran.err);
    }
  }
}

TEST_F(PresetsCommand, UpgradesShowWhatDiffersAndKeepWhatWasSet) {
  const auto version = [&](const std::string& number, double size, const json& expose) {
    json doc = {
        {"sinew", 1},
        {"meta",
         {{"name", "anna/ball"}, {"version", number}, {"title", "Ball"}, {"expose", expose}}},
        {"nodes",
         {{{"id", "ball"}, {"type", "mesh.sphere"}, {"params", {{"radius", size}}}},
          {{"id", "show"}, {"type", "view"}}}},
        {"links", {"ball.mesh -> show.value"}}};
    return doc.dump();
  };
  fs::create_directories(folder / "own/anna");
  folder.write("own/anna/ball.json", version("1.9.0", 0.5, {"ball.radius", "ball.segments"}));
  ASSERT_EQ(presets({"put", "sinew/sway", "--on", "cast.teapot", "-o", "other.json"}).code, 0);
  // A document with two of them, one of which was changed.
  GraphDoc doc = read("other.json");
  {
    const GraphDoc ball = read("own/anna/ball.json");
    json group = {{"name", "anna/ball"}, {"version", "1.9.0"}};
    json raw = json::parse(write_document(doc));
    raw["groups"]["anna/ball@1.9.0"] = json::parse(R"({
      "meta": {"name": "anna/ball", "version": "1.9.0", "title": "Ball"},
      "inputs": [{"id": "radius", "type": "float", "default": 0.5},
                 {"id": "segments", "type": "int", "default": 32}],
      "outputs": [{"id": "mesh", "type": "mesh"}],
      "nodes": [{"id": "given", "type": "group.input"}, {"id": "result", "type": "group.output"},
                {"id": "ball", "type": "mesh.sphere"}],
      "links": ["given.radius -> ball.radius", "given.segments -> ball.segments", "ball.mesh -> result.mesh"]
    })");
    raw["nodes"].push_back({{"id", "one"},
                            {"type", "group"},
                            {"group", "anna/ball@1.9.0"},
                            {"params", {{"radius", 0.25}, {"segments", 20}}}});
    raw["nodes"].push_back({{"id", "two"}, {"type", "group"}, {"group", "anna/ball@1.9.0"}});
    folder.write("doc.json", raw.dump());
  }
  EXPECT_NE(presets({"upgrade", "doc.json"}).out.find("nothing newer"), std::string::npos);
  folder.write("own/anna/ball.json", version("1.10.0", 0.7, {"ball.radius"}));
  const std::string before = folder.read("doc.json");
  const Ran shown = presets({"upgrade", "doc.json"});
  EXPECT_EQ(shown.code, 0) << shown.err;
  EXPECT_NE(shown.out.find("1.9.0 -> 1.10.0"), std::string::npos) << shown.out;
  EXPECT_NE(shown.out.find("kept: 'one': radius = 0.25"), std::string::npos) << shown.out;
  EXPECT_NE(shown.out.find("has no place any more: 'one': segments = 20"), std::string::npos)
      << shown.out;
  EXPECT_EQ(folder.read("doc.json"), before) << "nothing is written unless asked for";
  ASSERT_EQ(presets({"upgrade", "doc.json", "-o", "new.json"}).code, 0);
  const GraphDoc after = read("new.json");
  EXPECT_TRUE(after.groups.contains("anna/ball@1.10.0"));
  EXPECT_FALSE(after.groups.contains("anna/ball@1.9.0"));
  EXPECT_EQ(after.graph.find("one")->params.at("radius"), 0.25);
  EXPECT_EQ(after.graph.find("two")->group, "anna/ball@1.10.0");
  const GraphPtr graph = CompiledGraph::compile(after, registry());
  for (const NodeMessage& m : graph->messages())
    EXPECT_NE(m.message.severity, Severity::error) << m.message.text;
}

// What a preset writes, it writes beside the document that it has become a part of.
TEST_F(PresetsCommand, WhatIsWrittenStaysBesideTheDocument) {
  fs::create_directories(folder / "own/anna");
  folder.write("own/anna/kite.obj", triangle);
  folder.write("own/anna/kite.json", R"({"sinew": 1,
    "meta": {"name": "anna/kite", "version": "1.1.0", "title": "Kite"},
    "nodes": [{"id": "load", "type": "mesh.load", "params": {"file": "kite.obj"}},
              {"id": "save", "type": "mesh.save", "params": {"file": "out.obj"}},
              {"id": "show", "type": "view"}],
    "links": ["load.mesh -> save.mesh", "save.mesh -> show.value"]})");
  fs::create_directories(folder / "work");
  folder.write("work/d.json", R"({"sinew": 1,
    "nodes": [{"id": "i", "type": "group", "group": "anna/kite@1.0.0"},
              {"id": "v", "type": "view"}],
    "links": ["i.mesh -> v.value"],
    "groups": {"anna/kite@1.0.0": {
      "meta": {"name": "anna/kite", "version": "1.0.0", "title": "Kite"},
      "outputs": [{"id": "mesh", "type": "mesh"}],
      "nodes": [{"id": "ball", "type": "mesh.sphere"}, {"id": "out", "type": "group.output"}],
      "links": ["ball.mesh -> out.mesh"]}}})");
  const Ran upgraded = presets({"upgrade", "work/d.json", "-o", "work/e.json"});
  ASSERT_EQ(upgraded.code, 0) << upgraded.err;
  const Ran ran = testing::run_program({"eval", "work/e.json"}, folder.path);
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(fs::exists(folder / "work/out.obj"));
  EXPECT_FALSE(fs::exists(folder / "own/anna/out.obj"));
}

// Nothing is saved in the folder of a pack, and the message says what to do.
TEST_F(PresetsCommand, AnInstalledPackWritesNothingIntoItsFolder) {
  json doc = good();
  doc["nodes"].push_back(
      {{"id", "save"}, {"type", "mesh.save"}, {"params", {{"file", "a/o.obj"}}}});
  doc["links"].push_back("load.mesh -> save.mesh");
  folder.write("kite.sinew", bytes_of(doc, {{"files/kite.obj", triangle}}));
  ASSERT_EQ(presets({"install", "kite.sinew"}).code, 0);
  const Ran ran = testing::run_program({"eval", "own/anna/kite/preset.json"}, folder.path);
  EXPECT_EQ(ran.code, 1);
  EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
  EXPECT_NE(ran.err.find("holds the pack 'anna/kite' as it was installed"), std::string::npos)
      << ran.err;
  EXPECT_FALSE(fs::exists(folder / "own/anna/kite/a"));
}

std::vector<fs::path> motions() {
  std::vector<fs::path> list;
  for (const fs::path& file : testing::preset_files())
    if (file.parent_path().filename() == "motions") list.push_back(file);
  return list;
}

class PutMotion : public PresetsCommand, public ::testing::WithParamInterface<fs::path> {};

// Every motion goes onto a mesh that it was not made for, a hundred times as large and elsewhere.
TEST_P(PutMotion, GoesOntoAnotherMesh) {
  const std::string name = GetParam().stem().string();
  folder.write("hat.json", R"({"sinew": 1, "nodes": [
    {"id": "hat", "type": "mesh.cylinder", "params": {"radius": 0.4, "top_radius": 0.15,
      "height": 0.5, "segments": 32, "height_segments": 12, "cap_segments": 4}},
    {"id": "far", "type": "mesh.transform", "params": {"size": 100, "translate": [700, 30, -40]}},
    {"id": "show", "type": "view"}], "links": ["hat.mesh -> far.mesh", "far.mesh -> show.value"]})");
  ASSERT_EQ(testing::run_program({"eval", "hat.json", "-o", "hat.obj"}, folder.path).code, 0);
  const Ran ran = presets({"put", name, "--on", "hat.obj", "-o", "out.json"});
  ASSERT_EQ(ran.code, 0) << name << ": " << ran.err;
  const GraphDoc doc = read("out.json");
  EXPECT_EQ(doc.graph.find("body")->params.at("file"), "hat.obj");
  expect_runs("out.json", 8);
}

INSTANTIATE_TEST_SUITE_P(All, PutMotion, ::testing::ValuesIn(motions()),
                         [](const auto& preset) { return preset.param.stem().string(); });

TEST_F(PresetsCommand, WritesOverNothingThatItReads) {
  folder.write("hat.obj", triangle);
  for (const char* out : {"hat.obj", "x.png", "-"}) {
    EXPECT_EQ(presets({"put", "sway", "--on", "hat.obj", "-o", out}).code, 2) << out;
    EXPECT_EQ(presets({"upgrade", "hat.obj", "-o", out}).code, 2) << out;
  }
  fs::create_symlink("hat.obj", folder / "alias.json");
  EXPECT_EQ(presets({"put", "sway", "--on", "hat.obj", "-o", "alias.json"}).code, 2);
  EXPECT_EQ(folder.read("hat.obj"), triangle);
}

TEST_F(PresetsCommand, NobodyIsTakenForThoseThatComeWithTheProgram) {
  json doc = good();
  for (const char* name : {"sinew/heart", "Sinew/heart", "SINEW/Heart", "sineW/new"}) {
    doc["meta"]["name"] = name;
    folder.write("fake.sinew", bytes_of(doc, {{"files/kite.obj", triangle}}));
    const Ran fake = presets({"install", "fake.sinew"});
    EXPECT_EQ(fake.code, 2) << name;
    EXPECT_NE(fake.err.find("namespace"), std::string::npos) << fake.err;
  }
  // One of them from a gallery is there already.
  ASSERT_EQ(presets({"pack", "sinew/heart", "-o", "heart.sinew"}).code, 0);
  const Ran real = presets({"install", "heart.sinew"});
  EXPECT_EQ(real.code, 0) << real.err;
  EXPECT_NE(real.out.find("is there already"), std::string::npos) << real.out;
  EXPECT_FALSE(fs::exists(folder / "own"));
  // Words that would move a terminal's cursor, or fill it.
  for (const std::string& title : {std::string("\x1b]0;pwn\x07"), std::string(100000, 'x')}) {
    doc = good();
    doc["meta"]["title"] = title;
    folder.write("loud.sinew", bytes_of(doc, {{"files/kite.obj", triangle}}));
    EXPECT_EQ(presets({"install", "loud.sinew"}).code, 2);
  }
  doc = good();
  doc["meta"]["title"] = "\x1b[2Jx\nfake";
  doc["nodes"] = {{{"id", "a"}, {"type", "mesh.box"}}};
  doc["links"] = json::array();
  fs::create_directories(folder / "own/anna");
  folder.write("own/anna/loud.json", doc.dump());
  for (const std::vector<std::string>& call :
       std::vector<std::vector<std::string>>{{"list"}, {"show", "anna/kite"}})
    EXPECT_EQ(presets(call).out.find('\x1b'), std::string::npos);
}

TEST_F(PresetsCommand, SaysWhatCouldNotBeCarriedOver) {
  const Ran swim = presets({"put", "jellyfish_swim", "--on", "cast.teapot", "-o", "a.json"});
  EXPECT_EQ(swim.code, 0) << swim.err;
  EXPECT_NE(swim.out.find("fitted: 'Layers: outside to inside': 2 strokes"), std::string::npos)
      << swim.out;
  const Ran salto = presets({"put", "salto", "--on", "cast.teapot", "-o", "b.json"});
  EXPECT_NE(salto.out.find("as it was: "), std::string::npos) << salto.out;
}

TEST_F(PresetsCommand, AMaterialGoesOntoOperatorsAndSimulations) {
  const Ran voo = presets({"put", "rubber", "--on", "characters/giant_squid", "-o", "voo.json"});
  ASSERT_EQ(voo.code, 0) << voo.err;
  EXPECT_NE(voo.out.find("material"), std::string::npos) << voo.out;
  expect_runs("voo.json", 10);
  EXPECT_EQ(read("voo.json").meta.name, "") << "it is no longer what it was";
  EXPECT_EQ(read("voo.json").meta.title, "Giant squid (Rubber)");
  // An operator without a material gets one.
  folder.write("plain.json", R"({"sinew": 1, "nodes": [
    {"id": "bar", "type": "cast.bar"},
    {"id": "pin", "type": "voo.create"},
    {"id": "bend", "type": "voo.deform"},
    {"id": "show", "type": "view"}],
    "links": ["bar.mesh -> bend.body", "pin.voos -> bend.voos", "bend.body -> show.value"]})");
  const Ran plain = presets({"put", "putty", "--on", "plain.json", "-o", "stuff.json"});
  ASSERT_EQ(plain.code, 0) << plain.err;
  const GraphDoc stuff = read("stuff.json");
  EXPECT_TRUE(std::any_of(stuff.graph.nodes.begin(), stuff.graph.nodes.end(),
                          [](const NodeDoc& n) { return n.type == "voo.material"; }));
  expect_runs("stuff.json", 5);
  for (const char* target : {"characters/flesh", "characters/jumpers", "motions/shuffle"}) {
    const Ran sim = presets({"put", "jelly", "--on", target, "-o", "sim.json"});
    ASSERT_EQ(sim.code, 0) << target << sim.err;
    EXPECT_NE(sim.out.find("fitted: "), std::string::npos) << sim.out;
    const GraphDoc doc = read("sim.json");
    EXPECT_TRUE(std::any_of(doc.graph.nodes.begin(), doc.graph.nodes.end(),
                            [](const NodeDoc& n) { return n.type == "material.feel"; }));
    expect_runs("sim.json", 3);
  }
  EXPECT_EQ(presets({"put", "jelly", "--on", "three_pebbles", "-o", "none.json"}).code, 2);
  EXPECT_FALSE(fs::exists(folder / "none.json"));
}

}  // namespace
}  // namespace sinew
