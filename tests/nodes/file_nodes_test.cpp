#include <sys/stat.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "graph/file_keys.h"
#include "nodes/geometry/point_cache.h"
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

TEST_F(FileNodes, AKeyIsContentAndIsAskedForAgain) {
  FileKeys keys;
  const fs::path path = folder.path() / "a.obj", copy = folder.path() / "b.obj";
  const Key missing = keys.of(path);
  write("a.obj", "first");
  write("b.obj", "first");
  const Key first = keys.of(path);
  EXPECT_NE(first, missing);
  EXPECT_EQ(first, keys.of(copy));
  // Another content of the same size, made to look as old as the first.
  const fs::file_time_type then = fs::last_write_time(path);
  write("new.obj", "other");
  fs::rename(folder.path() / "new.obj", path);
  fs::last_write_time(path, then);
  EXPECT_NE(keys.of(path), first);
  fs::remove(path);
  EXPECT_EQ(keys.of(path), missing);
}

TEST_F(FileNodes, WhatBecomesReadableIsReadAgain) {
  // A link that leads to itself cannot be opened by anyone, not even by root.
  FileKeys keys;
  write("b.obj", square);
  const fs::path path = folder.path() / "a.obj";
  fs::create_symlink(path, path);
  const Key closed = keys.of(path);
  EXPECT_EQ(keys.of(path), closed);
  fs::remove(path);
  write("a.obj", square);
  EXPECT_NE(keys.of(path), closed);
  EXPECT_EQ(keys.of(path), keys.of(folder.path() / "b.obj"));
}

TEST_F(FileNodes, PartsOfAMeshAreInItsKey) {
  FileKeys keys;
  fs::create_directory(folder.path() / "parts");
  write("a.gltf", "{}");
  write("a.obj", square);
  write("a.bin", "first");
  write("parts/b.bin", "first");
  const fs::path whole = folder.path() / "a.gltf", alone = folder.path() / "a.obj";
  Key before = keys.of(whole);
  const Key obj = keys.of(alone);
  EXPECT_EQ(keys.of(whole), before);
  for (const char* part : {"a.bin", "parts/b.bin", "parts/new.bin"}) {
    write(part, "changed");
    const Key after = keys.of(whole);
    EXPECT_NE(after, before) << part;
    before = after;
  }
  write("document.json", "{}");
  write(".hidden", "");
  EXPECT_EQ(keys.of(whole), before);
  EXPECT_EQ(keys.of(alone), obj);
}

TEST_F(FileNodes, AMeshWithAChangedPartIsReadAgain) {
  write("a.gltf", R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],
"nodes":[{"mesh":0}],"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],
"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3",
"min":[0,0,0],"max":[9,9,9]}],"bufferViews":[{"buffer":0,"byteLength":36}],
"buffers":[{"byteLength":36,"uri":"a.bin"}]})");
  const auto write_corner = [&](float x) {
    const float corners[9] = {0, 0, 0, x, 0, 0, 0, 1, 0};
    write("a.bin", std::string(reinterpret_cast<const char*>(corners), sizeof corners));
  };
  write_corner(1);
  g.node("load", "mesh.load", {{"file", "a.gltf"}});
  EXPECT_EQ(g.get<Mesh>("load.mesh").positions[1].x(), 1);
  write_corner(5);
  EXPECT_EQ(g.get<Mesh>("load.mesh").positions[1].x(), 5);
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

TEST_F(FileNodes, SaveSaysWhatDoesNotGetIntoTheFile) {
  write("quad.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 0\nf 1/1 2/1 3/1 4/1\n");
  g.node("load", "mesh.load", {{"file", "quad.obj"}})
      .node("save", "mesh.save")
      .link("load.mesh", "save.mesh");
  g.context.run_effects = true;
  const std::string polygons = "does not get: polygons (they leave as triangles)";
  EXPECT_NE(
      g.set("save.file", "a.obj").run("save.mesh").warnings.find("'a.obj' " + polygons + "\n"),
      std::string::npos);
  for (const char* file : {"a.ply", "a.stl", "a.glb"})
    EXPECT_NE(
        g.set("save.file", file).run("save.mesh").warnings.find(polygons + ", texture coordinates"),
        std::string::npos)
        << file;
  g.context.run_effects = false;
  EXPECT_EQ(g.run("save.mesh").warnings, "") << "nothing is written";
}

TEST_F(FileNodes, SaveStaysInsideItsFolder) {
  const TemporaryFolder elsewhere;
  fs::create_directory_symlink(elsewhere.path(), folder.path() / "link");
  fs::create_symlink(elsewhere.path() / "new.obj", folder.path() / "to_nothing.obj");
  g.node("box", "mesh.box").node("save", "mesh.save").link("box.mesh", "save.mesh");
  g.context.run_effects = true;
  const std::string outside = (elsewhere.path() / "box.obj").string();
  for (const std::string& file :
       {outside, std::string("../box.obj"), std::string("a/../../box.obj"),
        std::string("link/box.obj"), std::string("to_nothing.obj"), std::string("/box.obj")}) {
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

// ---- Point caches -------------------------------------------------------------------------------

// A bar that bends, as another tool might have written it: so many samples, a frame apart.
std::string bending(const Mesh& bar, PointCacheFormat format, int samples, bool only_moves) {
  std::vector<double> times;
  for (int k = 0; k < samples; ++k) times.push_back(format == PointCacheFormat::pc2 ? k : k / 25.0);
  std::string bytes = encode_cache_header({format, bar.vertex_count(), times});
  for (int k = 0; k < samples; ++k) {
    std::vector<Vec3f> places;
    const float angle = 0.04f * static_cast<float>(k);
    for (const Vec3f& p : bar.positions) {
      const float a = only_moves ? angle : angle * p.y();
      places.emplace_back(std::cos(a) * p.x() - std::sin(a) * p.y(),
                          std::sin(a) * p.x() + std::cos(a) * p.y() + angle, p.z());
    }
    bytes += encode_cache_sample(format, places);
  }
  return bytes;
}

struct CacheNodes : FileNodes {
  void SetUp() override {
    g.node("bar", "mesh.box",
           {{"size", {0.4, 2, 0.3}}, {"segments_x", 4}, {"segments_y", 16}, {"segments_z", 3}});
    bar = g.get<Mesh>("bar.mesh");
  }
  Mesh bar;
};

TEST_F(CacheNodes, AMeshGoesWhereTheCacheHasIt) {
  write("x.pc2", bending(bar, PointCacheFormat::pc2, 10, false));
  write("x.mdd", bending(bar, PointCacheFormat::mdd, 10, false));
  g.node("play", "mesh.cache", {{"file", "x.pc2"}}).link("bar.mesh", "play.mesh");
  const PointCache cache = load_point_cache(folder.path() / "x.pc2");
  for (const char* file : {"x.pc2", "x.mdd"}) {
    g.set("play.file", file);
    for (const int frame : {0, 4, 9, 30}) {
      const Mesh mesh = g.run("play.mesh", frame).as<Mesh>();
      const auto sample = cache.sample(static_cast<std::size_t>(std::min(frame, 9)));
      for (std::size_t v = 0; v < sample.size(); ++v)
        ASSERT_LT((mesh.positions[v] - sample[v]).norm(), 1e-5f) << file << " " << frame;
    }
  }
  // Half as fast: between two samples.
  g.set("play.speed", 0.5);
  const Mesh between = g.run("play.mesh", 5).as<Mesh>();
  const Vec3f middle = 0.5f * (cache.sample(2)[7] + cache.sample(3)[7]);
  EXPECT_LT((between.positions[7] - middle).norm(), 1e-5f);
  g.set("play.speed", 1).set("play.repeat", true);
  EXPECT_LT((g.run("play.mesh", 13).as<Mesh>().positions[7] - cache.sample(4)[7]).norm(), 1e-5f);
}

TEST_F(CacheNodes, ACacheOfAnotherMeshIsRefused) {
  write("x.pc2", bending(bar, PointCacheFormat::pc2, 3, false));
  g.node("ball", "mesh.sphere");
  g.node("play", "mesh.cache", {{"file", "x.pc2"}}).link("ball.mesh", "play.mesh");
  const std::string errors = g.run("play.mesh").errors;
  EXPECT_NE(errors.find("points, but the mesh has"), std::string::npos) << errors;
  write("x.pc2", "nonsense");
  EXPECT_NE(g.run("play.mesh").errors.find("POINTCACHE2"), std::string::npos);
  g.set("play.file", "");
  EXPECT_NE(g.run("play.mesh").errors.find("no file is chosen"), std::string::npos);
}

TEST_F(CacheNodes, AMotionFromElsewhereIsPlayedByFewNodes) {
  g.node("nodes", "meshless.nodes", {{"count", 24}}).link("bar.mesh", "nodes.mesh");
  g.node("load", "meshless.load", {{"file", "x.pc2"}}).link("nodes.body", "load.body");
  g.node("play", "meshless.play").link("load.motion", "play.motion");
  const auto worst_at = [&](const PointCache& cache, int frame) {
    const Outcome outcome = g.run("play.mesh", frame);
    EXPECT_EQ(outcome.errors, "");
    const Mesh mesh = outcome.as<Mesh>();
    float worst = 0;
    for (std::size_t v = 0; v < mesh.vertex_count(); ++v)
      worst = std::max(
          worst, (mesh.positions[v] - cache.sample(static_cast<std::size_t>(frame))[v]).norm());
    return worst;
  };
  // What moves as a whole does so exactly; what bends, nearly.
  for (const bool only_moves : {true, false}) {
    write("x.pc2", bending(bar, PointCacheFormat::pc2, 12, only_moves));
    const PointCache cache = load_point_cache(folder.path() / "x.pc2");
    const float farthest = g.get<float>("load.farthest");
    for (const int frame : {0, 5, 11}) {
      EXPECT_LT(worst_at(cache, frame), only_moves ? 1e-5f : farthest + 1e-5f);
    }
    EXPECT_LT(farthest, only_moves ? 1e-5f : 0.05f);
    if (only_moves) continue;
    // More nodes come nearer.
    EXPECT_LT(g.set("nodes.count", 100).get<float>("load.farthest"), 0.5f * farthest);
  }
}

TEST_F(CacheNodes, AMotionFromElsewhereJiggles) {
  write("x.mdd", bending(bar, PointCacheFormat::mdd, 12, false));
  g.node("nodes", "meshless.nodes", {{"count", 20}}).link("bar.mesh", "nodes.mesh");
  g.node("load", "meshless.load", {{"file", "x.mdd"}}).link("nodes.body", "load.body");
  g.node("soft", "meshless.dynamics").link("load.motion", "soft.motion");
  const Outcome outcome = g.run("soft.mesh", 10);
  EXPECT_EQ(outcome.errors, "");
  const PointCache cache = load_point_cache(folder.path() / "x.mdd");
  float late = 0;
  for (std::size_t v = 0; v < bar.vertex_count(); ++v)
    late = std::max(late, (outcome.as<Mesh>().positions[v] - cache.sample(10)[v]).norm());
  EXPECT_GT(late, 0.01f);
  EXPECT_LT(late, 1.0f);
}

}  // namespace
}  // namespace sinew::testing
