#include <sys/stat.h>

#include <algorithm>
#include <fstream>

#include "nodes/kernels/measure.h"
#include "tests/nodes/harness.h"

namespace sinew::testing {
namespace {

namespace fs = std::filesystem;

class FileNodes : public ::testing::Test {
 protected:
  FileNodes() { g.context.folder = folder.path(); }

  void write(const std::string& name, const std::string& text) {
    std::ofstream(folder.path() / name) << text;
  }

  TemporaryFolder folder;
  TestGraph g;
};

const char* const square = "v 0 0 0\nv 2 0 0\nv 2 1 0\nv 0 1 0\nf 1 2 3 4\n";

TEST_F(FileNodes, LoadScalesByUnitAndFactorAndTurnsUp) {
  write("square.obj", square);
  g.node("load", "mesh.load", {{"file", "square.obj"}, {"unit", "cm"}, {"scale", 10}});
  const Mesh mesh = g.get<Mesh>("load.mesh");
  EXPECT_EQ(mesh.vertex_count(), 4u);
  EXPECT_EQ(mesh.triangle_count(), 2u);
  EXPECT_TRUE(mesh.positions[2].isApprox(Vec3f(0.2f, 0.1f, 0), 1e-6f));
  const Mesh turned = g.set("load.up", "z").get<Mesh>("load.mesh");
  EXPECT_TRUE(turned.positions[2].isApprox(Vec3f(0.2f, 0, -0.1f), 1e-6f))
      << turned.positions[2].transpose();
}

TEST_F(FileNodes, AChangedFileIsReadAgain) {
  write("square.obj", square);
  g.node("load", "mesh.load", {{"file", "square.obj"}});
  const Outcome before = g.run("load.mesh");
  EXPECT_EQ(before.as<Mesh>().vertex_count(), 4u);
  write("square.obj", "v 0 0 0\nv 2 0 0\nv 2 1 0\nf 1 2 3\n");
  const Outcome after = g.run("load.mesh");
  EXPECT_EQ(after.as<Mesh>().vertex_count(), 3u);
  EXPECT_NE(after.key, before.key);
}

TEST_F(FileNodes, WhatCannotBeReadIsOneClearMessage) {
  fs::create_directory(folder.path() / "folder.obj");
  write("broken.obj", "v 0 0 0\nf 1 2 3\n");
  write("strange.xyz123", "?");
  g.node("load", "mesh.load");
  for (const char* file : {"", "missing.obj", "folder.obj", "broken.obj", "strange.xyz123"}) {
    const Outcome outcome = g.set("load.file", file).run("load.mesh");
    EXPECT_FALSE(static_cast<bool>(outcome.value)) << file;
    EXPECT_EQ(std::count(outcome.errors.begin(), outcome.errors.end(), '\n'), 1) << outcome.errors;
    EXPECT_NE(outcome.errors.find(*file ? file : "'file'"), std::string::npos) << outcome.errors;
  }
}

TEST_F(FileNodes, SaveWritesOnlyWhenAskedAndHandsOn) {
  g.node("box", "mesh.box")
      .node("save", "mesh.save", {{"file", "out/box.ply"}})
      .node("load", "mesh.load", {{"file", "out/box.ply"}})
      .link("box.mesh", "save.mesh");
  const Outcome quiet = g.run("save.mesh");
  EXPECT_TRUE(quiet.value.shares(g.run("box.mesh").value));
  EXPECT_FALSE(fs::exists(folder.path() / "out"));
  g.context.run_effects = true;
  EXPECT_EQ(g.run("save.mesh").errors, "");
  ASSERT_TRUE(fs::exists(folder.path() / "out/box.ply"));
  EXPECT_EQ(g.get<Mesh>("load.mesh").positions, g.get<Mesh>("box.mesh").positions);
  // Never from the cache: what was removed is written again.
  fs::remove(folder.path() / "out/box.ply");
  g.run("save.mesh");
  EXPECT_TRUE(fs::exists(folder.path() / "out/box.ply"));
}

TEST_F(FileNodes, SaveStaysInsideItsFolder) {
  const TemporaryFolder elsewhere;
  fs::create_directory_symlink(elsewhere.path(), folder.path() / "link");
  g.node("box", "mesh.box").node("save", "mesh.save").link("box.mesh", "save.mesh");
  g.context.run_effects = true;
  const std::string outside = (elsewhere.path() / "box.obj").string();
  for (const std::string& file :
       {outside, std::string("../box.obj"), std::string("a/../../box.obj"),
        std::string("link/box.obj"), std::string("/box.obj")}) {
    const Outcome outcome = g.set("save.file", file).run("save.mesh");
    EXPECT_NE(outcome.errors.find("document's folder"), std::string::npos)
        << file << ": " << outcome.errors;
  }
  EXPECT_TRUE(fs::is_empty(elsewhere.path()));
  EXPECT_FALSE(fs::exists(folder.path().parent_path() / "box.obj"));
  for (const char* file : {"", "out/", "box.unknown"}) {
    EXPECT_NE(g.set("save.file", file).run("save.mesh").errors, "") << file;
  }
  EXPECT_EQ(g.set("save.file", "a/../box.obj").run("save.mesh").errors, "");
  EXPECT_TRUE(fs::exists(folder.path() / "box.obj"));
}

TEST_F(FileNodes, SaveSaysWhatIsWrongWithTheName) {
  g.node("box", "mesh.box").node("save", "mesh.save").link("box.mesh", "save.mesh");
  g.context.run_effects = true;
  const std::string longer_than_any = std::string(300, 'a') + ".obj";
  const Outcome outcome = g.set("save.file", longer_than_any).run("save.mesh");
  EXPECT_NE(outcome.errors.find("File name too long"), std::string::npos) << outcome.errors;
  fs::create_directory(folder.path() / "folder.obj");
  EXPECT_NE(g.set("save.file", "folder.obj").run("save.mesh").errors.find("it is a folder"),
            std::string::npos);
}

TEST_F(FileNodes, ControlCharactersInNamesAreRefused) {
  using namespace std::string_literals;
  g.node("box", "mesh.box")
      .node("save", "mesh.save")
      .node("load", "mesh.load")
      .link("box.mesh", "save.mesh");
  g.context.run_effects = true;
  for (const std::string& file : {"nu.sh\0.obj"s, "two\nlines.obj"s}) {
    for (const std::string node : {"save", "load"}) {
      const Outcome outcome = g.set(node + ".file", file).run(node + ".mesh");
      EXPECT_NE(outcome.errors.find("contains a control character"), std::string::npos)
          << outcome.errors;
      EXPECT_EQ(std::count(outcome.errors.begin(), outcome.errors.end(), '\n'), 1);
    }
  }
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

TEST_F(FileNodes, SaveReplacesOnlyRegularFilesAndKeepsTheirPermissions) {
  g.node("box", "mesh.box").node("save", "mesh.save").link("box.mesh", "save.mesh");
  g.context.run_effects = true;
  ASSERT_EQ(::mkfifo((folder.path() / "pipe.obj").c_str(), 0600), 0);
  EXPECT_NE(g.set("save.file", "pipe.obj").run("save.mesh").errors.find("not a regular file"),
            std::string::npos);
  EXPECT_TRUE(fs::is_fifo(folder.path() / "pipe.obj"));
  write("old.obj", square);
  const fs::perms own = fs::perms::owner_read | fs::perms::owner_write;
  fs::permissions(folder.path() / "old.obj", own);
  EXPECT_EQ(g.set("save.file", "old.obj").run("save.mesh").errors, "");
  EXPECT_EQ(fs::status(folder.path() / "old.obj").permissions(), own);
}

}  // namespace
}  // namespace sinew::testing
