// The command line, run as a program: exit codes, the form of messages, what is written.
#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/app/run_program.h"

namespace sinew {
namespace {

using namespace testing;
using nlohmann::json;

const char* two_boxes = R"({
  "sinew": 1,
  "nodes": [
    {"id": "box", "type": "mesh.box", "params": {"size": [1, 2, 3]}},
    {"id": "move", "type": "mesh.transform", "params": {"translate": [10, 0, 0]}},
    {"id": "both", "type": "mesh.merge"},
    {"id": "show", "type": "view"}
  ],
  "links": ["box.mesh -> move.mesh", "box.mesh -> both.meshes", "move.mesh -> both.meshes",
            "both.mesh -> show.value"]
})";

TEST(CommandLine, HelpAndVersion) {
  const Ran help = run_program({"--help"});
  EXPECT_EQ(help.code, 0);
  for (const char* word : {"nodes", "check", "eval", "render"})
    EXPECT_NE(help.out.find(word), std::string::npos) << word;
  EXPECT_EQ(run_program({"--version"}).out, "sinew 0.1.0\n");
}

TEST(CommandLine, WithoutAScreenNothingAskedForIsAQuestionForHelp) {
  const Environment no_screen{{"DISPLAY", ""}, {"WAYLAND_DISPLAY", ""}};
  const Ran ran = RunningProgram({}, ".", no_screen).wait();
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(ran.out, run_program({"--help"}).out);
  EXPECT_EQ(ran.err, "");
}

TEST(CommandLine, AWrongCallIsOneLineAndCodeTwo) {
  for (const std::vector<std::string>& call :
       std::vector<std::vector<std::string>>{{"evil"},
                                             {"eval"},
                                             {"eval", "x.json", "--frame", "soon"},
                                             {"eval", "x.json", "y.json"},
                                             {"check"},
                                             {"render"},
                                             {"eval", "x.json", "--threads", "0"},
                                             {"x.json", "y.json"},
                                             {"--no-such-flag"},
                                             {"nodes", "--no-such-flag"}}) {
    const Ran ran = run_program(call);
    EXPECT_EQ(ran.code, 2);
    EXPECT_EQ(ran.out, "");
    EXPECT_TRUE(ran.err.starts_with("error: ")) << ran.err;
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
  }
}

// A word alone could be a file for the window, but is hardly ever meant so.
TEST(CommandLine, AMisspeltCommandGetsTheRightOne) {
  const TemporaryFolder folder;
  const std::vector<std::pair<std::vector<std::string>, std::string>> calls = {
      {{"evall", "x.json"}, "evall'; did you mean 'eval'?"},
      {{"evall"}, "evall'; did you mean 'eval'?"},
      {{"rendr", "x.json", "-o", "a.png", "--size", "9x9"}, "rendr'; did you mean 'render'?"},
      {{"nods", "--json"}, "nods'; did you mean 'nodes'?"},
      {{"frobnicate"}, "frobnicate'; see sinew --help"},
  };
  for (const auto& [call, message] : calls) {
    const Ran ran = run_program(call, folder.path);
    EXPECT_EQ(ran.code, 2);
    EXPECT_EQ(ran.err, "error: there is no command and no file '" + message + "\n");
  }
}

TEST(CommandLine, TheHelpThatIsNamedIsThatOfTheCommand) {
  EXPECT_EQ(run_program({"render"}).err, "error: FILE is required; see sinew render --help\n");
  EXPECT_NE(run_program({"eval", "x", "--frame", "soon"}).err.find("; see sinew eval --help\n"),
            std::string::npos);
  for (const char* command : {"render", "nodes", "check", "eval"}) {
    const Ran help = run_program({command, "--help"});
    EXPECT_EQ(help.code, 0);
    EXPECT_NE(help.out.find("--json"), std::string::npos) << command;
  }
}

// Words of the window before a command would be silently without effect.
TEST(CommandLine, WordsBeforeACommandAreRefused) {
  const TemporaryFolder folder;
  folder.write("a.json", two_boxes);
  EXPECT_EQ(run_program({"--size", "9x9", "eval", "a.json"}, folder.path).err,
            "error: --size before a command has no effect; see sinew eval --help\n");
  const Ran ran = run_program({"a.json", "eval", "a.json"}, folder.path);
  EXPECT_EQ(ran.code, 2);
  EXPECT_EQ(ran.err, "error: 'a.json' before a command has no effect; see sinew eval --help\n");
}

TEST(CommandLine, NodesListsShowsAndSuggests) {
  EXPECT_NE(run_program({"nodes"}).out.find("mesh.box"), std::string::npos);
  const Ran one = run_program({"nodes", "mesh.box"});
  EXPECT_NE(one.out.find("size"), std::string::npos);
  EXPECT_EQ(one.code, 0);
  const json list = json::parse(run_program({"nodes", "--json"}).out);
  EXPECT_GT(list.size(), 30u);
  const Ran wrong = run_program({"nodes", "mesh.bux"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_EQ(wrong.err, "error: there is no node type 'mesh.bux'; did you mean 'mesh.box'?\n");
}

// What is read is not lost by a slip of -o.
TEST(CommandLine, NothingIsWrittenOverTheDocumentOrWhatItReads) {
  const TemporaryFolder folder;
  const std::string triangle = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
  folder.write("a.json", R"({"sinew": 1, "nodes": [
    {"id": "load", "type": "mesh.load", "params": {"file": "in/tri.obj"}},
    {"id": "show", "type": "view"}], "links": ["load.mesh -> show.value"]})");
  std::filesystem::create_directory(folder / "in");
  folder.write("in/tri.obj", triangle);
  const auto text = [&](const char* name) {
    std::ifstream in(folder / name);
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  const std::string document = text("a.json");
  const std::vector<std::vector<std::string>> calls = {
      {"eval", "a.json", "-o", "in/tri.obj"},
      {"eval", "a.json", "-o", "a.json"},
      {"export", "a.json", "--frames", "0:1", "-o", "in/tri.pc2"},
      {"export", "a.json", "--frames", "0:1", "-o", "in/../in/tri.mdd"}};
  for (const std::vector<std::string>& call : calls) {
    const Ran ran = run_program(call, folder.path);
    EXPECT_EQ(ran.code, 2) << call.back();
    EXPECT_NE(ran.err.find("would be lost"), std::string::npos) << ran.err;
    EXPECT_EQ(text("in/tri.obj"), triangle);
    EXPECT_EQ(text("a.json"), document);
  }
  const Ran other =
      run_program({"export", "a.json", "--frames", "0:1", "-o", "in/tri.glb"}, folder.path);
  EXPECT_EQ(other.code, 0) << other.err;
}

TEST(CommandLine, EvalReportsWhatItMade) {
  const TemporaryFolder folder;
  folder.write("a.json", two_boxes);
  const Ran ran = run_program({"eval", "a.json", "--json"}, folder.path);
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.err, "");
  const json report = json::parse(ran.out);
  ASSERT_EQ(report["outputs"].size(), 1u);
  const json& out = report["outputs"][0];
  EXPECT_EQ(out["name"], "show.value");
  EXPECT_EQ(out["type"], "mesh");
  EXPECT_EQ(out["vertices"], 16);
  EXPECT_EQ(out["triangles"], 24);
  EXPECT_EQ(out["bounds"]["max"], json({10.5, 1.0, 1.5}));
  EXPECT_NEAR(out["centroid"][0].get<double>(), 5, 1e-5);
  EXPECT_EQ(out["key"].get<std::string>().size(), 32u);
  ASSERT_EQ(report["nodes"].size(), 3u);
  for (const json& node : report["nodes"]) {
    EXPECT_EQ(node["fate"], "ran");
    EXPECT_EQ(node["hit"], false);
    EXPECT_GE(node["seconds"].get<double>(), 0);
  }
  // The same key in another process.
  const json again = json::parse(run_program({"eval", "a.json", "--json"}, folder.path).out);
  EXPECT_EQ(again["outputs"][0]["key"], out["key"]);
}

TEST(CommandLine, SetChangesOneRunOnly) {
  const TemporaryFolder folder;
  folder.write("a.json", two_boxes);
  auto vertices = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"eval", "a.json", "--json"});
    const Ran ran = run_program(more, folder.path);
    EXPECT_EQ(ran.code, 0) << ran.err;
    return json::parse(ran.out)["outputs"][0];
  };
  EXPECT_EQ(vertices({"--set", "box.size=[2,2,2]"})["bounds"]["max"], json({11.0, 1.0, 1.0}));
  EXPECT_EQ(vertices({"--output", "box.mesh"})["vertices"], 8);
  EXPECT_EQ(vertices({"--output", "box"})["vertices"], 8);
  EXPECT_EQ(folder.read("a.json"), two_boxes);

  const std::vector<std::pair<std::string, std::string>> wrong = {
      {"box.size", "--set box.size: it must be NODE.PARAM=VALUE"},
      {"bix.size=2", "a.json: --set bix.size: there is no node 'bix'; did you mean 'box'?"},
      {"box.sise=2",
       "a.json: --set box.sise: node 'box' (mesh.box) has no input 'sise'; did you mean 'size'?"},
      {"move.mesh=2", "a.json: --set move.mesh: the input is linked, so a value has no effect"},
  };
  for (const auto& [text, message] : wrong) {
    const Ran ran = run_program({"eval", "a.json", "--set", text}, folder.path);
    EXPECT_EQ(ran.code, 2);
    EXPECT_EQ(ran.err, "error: " + message + "\n");
  }
  const Ran nan = run_program({"eval", "a.json", "--set", "move.size=nan"}, folder.path);
  EXPECT_EQ(nan.code, 1);
  EXPECT_EQ(nan.err,
            "error: a.json: node 'move' (mesh.transform): 'size': \"nan\" is not a number\n");
}

const char* one_group = R"({
  "sinew": 1,
  "nodes": [{"id": "a", "type": "group", "group": "g"}],
  "groups": {"g": {
    "inputs": [{"id": "height", "type": "float", "default": 1}],
    "outputs": [{"id": "mesh", "type": "mesh"}, {"id": "more", "type": "float"}],
    "nodes": [{"id": "in", "type": "group.input"}, {"id": "out", "type": "group.output"},
              {"id": "cyl", "type": "mesh.cylinder"}],
    "links": ["in.height -> cyl.height", "cyl.mesh -> out.mesh"]}}
})";

TEST(CommandLine, SetReachesIntoGroups) {
  const TemporaryFolder folder;
  folder.write("g.json", one_group);
  const Ran ran =
      run_program({"eval", "g.json", "--set", "a.height=3", "--set", "a/cyl.caps=false", "--json"},
                  folder.path);
  ASSERT_EQ(ran.code, 0) << ran.err;
  const json out = json::parse(ran.out)["outputs"][0];
  EXPECT_EQ(out["bounds"]["max"][1], 1.5);
  EXPECT_EQ(out["closed"], false);
  EXPECT_EQ(run_program({"eval", "g.json", "--set", "a/in.height=2"}, folder.path).err,
            "error: g.json: --set a/in.height: 'a/in' hands on what the group is given; set "
            "a.height instead\n");
  const Ran end = run_program({"eval", "g.json", "--set", "a/out.more=2"}, folder.path);
  EXPECT_EQ(end.code, 2);
  EXPECT_EQ(std::count(end.err.begin(), end.err.end(), '\n'), 1) << end.err;
}

TEST(CommandLine, SetRefusesWhatItCannotUnderstand) {
  const TemporaryFolder folder;
  folder.write("new.json",
               R"({"sinew": 1, "nodes": [{"id": "b", "type": "mesh.box", "version": 99}]})");
  folder.write("other.json", R"({"sinew": 1, "nodes": [{"id": "b", "type": "mesh.bux"}]})");
  folder.write("a.json", two_boxes);
  const std::vector<std::array<std::string, 3>> wrong = {
      {"new.json", "b.size=3",
       "new.json: --set b.size: this build does not understand node 'b' (mesh.box): its version "
       "is newer"},
      {"other.json", "b.size=3",
       "other.json: --set b.size: this build does not understand node 'b' (mesh.bux): its type is "
       "unknown"},
      {"a.json", "box.size=\xff", "--set: a name or value is not UTF-8 text"},
      {"a.json", "\xff.size=1", "--set: a name or value is not UTF-8 text"},
  };
  for (const auto& [file, text, message] : wrong) {
    const Ran ran = run_program({"eval", file, "--set", text}, folder.path);
    EXPECT_EQ(ran.code, 2);
    EXPECT_EQ(ran.err, "error: " + message + "\n");
  }
}

TEST(CommandLine, SuggestsOnlyWhatIsNear) {
  const TemporaryFolder folder;
  folder.write("a.json", two_boxes);
  folder.write("b.json", R"({"sinew": 1, "nodes": [{"id": "b", "type": "mesh.box"}]})");
  folder.write("t.json", R"({"sinew": 1, "nodes": [{"id": "b", "type": "mesh.bux"}]})");
  EXPECT_EQ(run_program({"eval", "a.json", "--output", "bix.mesh"}, folder.path).err,
            "error: a.json: there is no node 'bix'; did you mean 'box'?\n");
  EXPECT_EQ(run_program({"eval", "a.json", "--output", "box.mash"}, folder.path).err,
            "error: a.json: node 'box' (mesh.box) has no output 'mash'; it has mesh; did you mean "
            "'mesh'?\n");
  EXPECT_EQ(run_program({"eval", "b.json", "--output", "x"}, folder.path).err,
            "error: b.json: there is no node 'x'\n");
  EXPECT_NE(run_program({"check", "t.json"}, folder.path).err.find("did you mean 'mesh.box'?"),
            std::string::npos);
}

TEST(CommandLine, WhatCannotBePrintedIsAnError) {
  const TemporaryFolder folder;
  folder.write("a.json", two_boxes);
  for (const std::vector<std::string>& call :
       std::vector<std::vector<std::string>>{{"eval", "a.json"},
                                             {"eval", "a.json", "--json"},
                                             {"check", "a.json"},
                                             {"nodes", "--json"},
                                             {"--help"}}) {
    const Ran ran = run_program(call, folder.path, "/dev/full");
    EXPECT_EQ(ran.code, 2) << call[0];
    EXPECT_TRUE(ran.err.starts_with("error: cannot write to standard output")) << ran.err;
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
  }
}

TEST(CommandLine, WhereNothingCanBeEvaluatedItSaysWhy) {
  const TemporaryFolder folder;
  const std::vector<std::pair<std::string, std::string>> nodes = {
      {R"("type": "mesh.bux")", "this build does not know the type 'mesh.bux'"},
      {R"("type": "group", "group": "x")", "there is no group 'x'"},
      {R"("type": "group.input")", "it belongs inside a group"}};
  for (const auto& [node, reason] : nodes) {
    folder.write("a.json", R"({"sinew": 1, "nodes": [{"id": "b", )" + node + "}]}");
    const Ran ran = run_program({"eval", "a.json", "--json"}, folder.path);
    EXPECT_EQ(ran.code, 1);
    EXPECT_NE(ran.err.find(reason), std::string::npos) << ran.err;
    EXPECT_EQ(json::parse(ran.out)["ok"], false);
  }
}

TEST(CommandLine, TheReportNamesTheFrameThatIsShown) {
  const TemporaryFolder folder;
  folder.write("a.json", R"({"sinew": 1, "settings": {"first_frame": 3},
    "nodes": [{"id": "b", "type": "mesh.box"}]})");
  EXPECT_TRUE(run_program({"eval", "a.json", "--frame", "-5"}, folder.path)
                  .out.starts_with("a.json, frame 3\n"));
}

TEST(CommandLine, TheSummaryReadsWell) {
  const TemporaryFolder folder;
  folder.write("a.json", two_boxes);
  EXPECT_NE(run_program({"eval", "a.json"}, folder.path)
                .out.find("  show.value: mesh, 16 vertices, 24 triangles, 11 x 2 x 3 m, closed, "
                          "area 44, volume 12\n"),
            std::string::npos);
}

TEST(CommandLine, AFileThatIsMissingIsNamedAndReported) {
  const TemporaryFolder folder;
  folder.write("a.json", two_boxes);
  for (const char* command : {"eval", "check"}) {
    const Ran ran = run_program({command, ""}, folder.path);
    EXPECT_EQ(ran.code, 2);
    EXPECT_EQ(ran.err, "error: no file is named\n");
  }
  const Ran missing = run_program({"eval", "nosuch.json", "--json"}, folder.path);
  EXPECT_EQ(missing.code, 2);
  const json report = json::parse(missing.out);
  EXPECT_EQ(report["ok"], false);
  EXPECT_EQ(report["file"], "nosuch.json");
  EXPECT_EQ(report["messages"].size(), 1u);
  const Ran folder_missing = run_program({"eval", "a.json", "-o", "none/x.json"}, folder.path);
  EXPECT_EQ(folder_missing.code, 2);
  EXPECT_TRUE(folder_missing.err.starts_with("error: cannot write 'none/x.json': "))
      << folder_missing.err;
}

TEST(CommandLine, MessagesStayShortWhateverAFileHolds) {
  const TemporaryFolder folder;
  std::string wide;  // two bytes each, which must not be cut apart
  for (int i = 0; i < 500000; ++i) wide += "\u00e9";
  const std::string narrow(1000000, 'x');
  auto doc = [](const std::string& node) { return R"({"sinew": 1, "nodes": [{)" + node + "}]}"; };
  const std::vector<std::string> hostile = {
      doc(R"("id": "a", "type": ")" + wide + "\""),
      doc(R"("id": ")" + wide + R"(", "type": "t")"),
      doc(R"("id": "a", "type": "mesh.box", "params": {"size": ")" + narrow + R"("})"),
      doc(R"("id": "a", "type": "mesh.box", "params": {")" + narrow + R"(": 1})"),
      R"({"sinew": 1, ")" + wide + R"(": 1, ")" + wide + R"(": 1})",
      R"({"sinew": 1, "groups": {")" + wide + R"(": {}}})",
      R"({"sinew": 1, "groups": {")" + wide + R"(": 1}})"};
  for (const std::string& text : hostile) {
    folder.write("a.json", text);
    for (const char* command : {"check", "eval"}) {
      const Ran ran = run_program({command, "a.json"}, folder.path);
      std::istringstream lines(ran.err);
      for (std::string line; std::getline(lines, line);) EXPECT_LT(line.size(), 800u);
      // Throws if a character was cut.
      EXPECT_NO_THROW((void)json(ran.err).dump());
    }
  }
}

TEST(CommandLine, DocumentErrorsSayTheValueAndTheBound) {
  const TemporaryFolder folder;
  folder.write("seed.json", R"({"sinew": 1, "settings": {"seed": 1.5}})");
  EXPECT_EQ(run_program({"check", "seed.json"}, folder.path).err,
            "error: seed.json: line 1, column 35: \"seed\" must be a whole number, but is 1.5\n");
  folder.write("id.json", R"({"sinew": 1, "nodes": [{"id": ")" + std::string(101, 'a') +
                              R"(", "type": "t"}]})");
  const Ran ran = run_program({"check", "id.json"}, folder.path);
  EXPECT_TRUE(ran.err.ends_with("of a node has 101 characters: at most 100 are allowed\n"))
      << ran.err;
}

TEST(CommandLine, OutWritesByEnding) {
  const TemporaryFolder folder;
  folder.write("a.json", two_boxes);
  for (const char* name : {"x.obj", "x.ply", "x.stl", "x.json"}) {
    const Ran ran = run_program({"eval", "a.json", "-o", name}, folder.path);
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_GT(std::filesystem::file_size(folder / name), 100u) << name;
  }
  const Ran wrong = run_program({"eval", "a.json", "-o", "x.docx"}, folder.path);
  EXPECT_EQ(wrong.code, 2);
  EXPECT_NE(wrong.err.find(".obj"), std::string::npos) << wrong.err;
  const Ran nowhere = run_program({"eval", "a.json", "-o", "none/x.obj"}, folder.path);
  EXPECT_EQ(nowhere.code, 2);
  // What was written reads back as the same mesh.
  folder.write("b.json", R"({"sinew": 1, "nodes": [
    {"id": "l", "type": "mesh.load", "params": {"file": "x.obj"}}]})");
  const json back = json::parse(run_program({"eval", "b.json", "--json"}, folder.path).out);
  EXPECT_EQ(back["outputs"][0]["vertices"], 16);
}

TEST(CommandLine, AGraphErrorIsCodeOneAndNamesTheNode) {
  const TemporaryFolder folder;
  folder.write("a.json", R"({"sinew": 1, "nodes": [
    {"id": "l", "type": "mesh.load", "params": {"file": "gone.obj"}},
    {"id": "s", "type": "mesh.smooth"}], "links": ["l.mesh -> s.mesh"]})");
  const Ran check = run_program({"check", "a.json"}, folder.path);
  EXPECT_EQ(check.code, 1);
  EXPECT_EQ(check.err,
            "error: a.json: node 'l' (mesh.load): 'file': there is no file 'gone.obj'\n");
  const Ran eval = run_program({"eval", "a.json"}, folder.path);
  EXPECT_EQ(eval.code, 1);
  EXPECT_TRUE(eval.err.starts_with("error: a.json: node 'l' (mesh.load): ")) << eval.err;
  EXPECT_EQ(std::count(eval.err.begin(), eval.err.end(), '\n'), 1) << eval.err;
}

TEST(CommandLine, CheckGoesOnAfterABadFile) {
  const TemporaryFolder folder;
  folder.write("good.json", two_boxes);
  folder.write("bad.json", "{\"sinew\": 1,\n \"nodes\": [}");
  folder.write(
      "warn.json",
      R"({"sinew": 1, "nodes": [{"id": "b", "type": "mesh.box", "params": {"sice": 1}}]})");
  const Ran ran =
      run_program({"check", "bad.json", "good.json", "warn.json", "none.json", "."}, folder.path);
  EXPECT_EQ(ran.code, 2);
  EXPECT_EQ(ran.out, "ok: good.json: 4 nodes\nok: warn.json: 1 node\n");
  std::istringstream lines(ran.err);
  std::vector<std::string> list;
  for (std::string line; std::getline(lines, line);) list.push_back(line);
  ASSERT_EQ(list.size(), 4u) << ran.err;
  EXPECT_TRUE(list[0].starts_with("error: bad.json: line 2, column ")) << list[0];
  EXPECT_TRUE(list[1].starts_with("warning: warn.json: node 'b' (mesh.box): ")) << list[1];
  EXPECT_TRUE(list[2].starts_with("error: none.json: ")) << list[2];
  EXPECT_TRUE(list[3].starts_with("error: .: ")) << list[3];
  const json reports =
      json::parse(run_program({"check", "--json", "bad.json", "good.json"}, folder.path).out);
  EXPECT_EQ(reports[0]["ok"], false);
  EXPECT_EQ(reports[1]["ok"], true);
}

TEST(CommandLine, HostileFilesGiveOneLineAndTakeNoHarm) {
  const TemporaryFolder folder;
  folder.write("empty", "");
  folder.write("zeros", std::string(1000, '\0'));
  folder.write("deep", std::string(1000000, '['));
  folder.write("list", "[1, 2, 3]");
  folder.write("words", "hello there");
  folder.write("cycle", R"({"sinew": 1, "nodes": [{"id": "a", "type": "value.math"},
    {"id": "b", "type": "value.math"}], "links": ["a.value -> b.a", "b.value -> a.a"]})");
  folder.write(
      "twice",
      R"({"sinew": 1, "nodes": [{"id": "a", "type": "note"}, {"id": "a", "type": "note"}]})");
  folder.write("future", R"({"sinew": 999, "nodes": []})");
  for (const char* name : {"empty", "zeros", "deep", "list", "words", "cycle", "twice", "future"}) {
    const Ran ran = run_program({"eval", name}, folder.path);
    EXPECT_EQ(ran.code, 2) << name;
    EXPECT_TRUE(ran.err.starts_with(std::string("error: ") + name + ": ")) << ran.err;
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
  }
}

TEST(CommandLine, SaveWritesInsideTheDocumentsFolderOnly) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "inner");
  auto doc = [](const std::string& file) {
    return R"({"sinew": 1, "nodes": [{"id": "b", "type": "mesh.box"},
      {"id": "v", "type": "view"},
      {"id": "s", "type": "mesh.save", "params": {"file": ")" +
           file + R"("}}], "links": ["b.mesh -> s.mesh", "b.mesh -> v.value"]})";
  };
  folder.write("inner/ok.json", doc("x.obj"));
  EXPECT_EQ(run_program({"eval", "inner/ok.json"}, folder.path).code, 0);
  EXPECT_TRUE(std::filesystem::exists(folder / "inner/x.obj"));
  for (const std::string& bad : {std::string("../x.obj"), (folder / "x.obj").string()}) {
    folder.write("inner/bad.json", doc(bad));
    const Ran ran = run_program({"eval", "inner/bad.json"}, folder.path);
    EXPECT_EQ(ran.code, 1) << bad;
    EXPECT_TRUE(ran.err.starts_with("error: inner/bad.json: node 's' (mesh.save): ")) << ran.err;
    EXPECT_FALSE(std::filesystem::exists(folder / "x.obj"));
  }
}

TEST(CommandLine, TheSameOnOneAndTwoThreads) {
  const TemporaryFolder folder;
  folder.write("a.json", R"({"sinew": 1, "nodes": [
    {"id": "s", "type": "mesh.sphere"}, {"id": "u", "type": "mesh.subdivide"},
    {"id": "c", "type": "sim.chain"}],
    "links": ["s.mesh -> u.mesh"]})");
  run_program(
      {"eval", "a.json", "--frame", "30", "--threads", "1", "--output", "c.mesh", "-o", "one.ply"},
      folder.path);
  run_program(
      {"eval", "a.json", "--frame", "30", "--threads", "2", "--output", "c.mesh", "-o", "two.ply"},
      folder.path);
  EXPECT_GT(folder.read("one.ply").size(), 1000u);
  EXPECT_EQ(folder.read("one.ply"), folder.read("two.ply"));
}

TEST(Reference, IsCurrent) {
  std::ifstream file(std::string(SINEW_SOURCE_DIR) + "/docs/nodes.md");
  std::ostringstream text;
  text << file.rdbuf();
  EXPECT_EQ(text.str(), run_program({"nodes", "--markdown"}).out)
      << "docs/nodes.md is stale; make it anew: build/sinew nodes --markdown > docs/nodes.md";
}

}  // namespace
}  // namespace sinew
