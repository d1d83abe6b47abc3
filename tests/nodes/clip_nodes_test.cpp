// Meshes that deform elsewhere, from glTF clips and point caches: played, jiggled with nodes, and
// followed by flesh.
#include <algorithm>
#include <cmath>
#include <fstream>
#include <numbers>

#include "nodes/geometry/gltf_clip.h"
#include "nodes/geometry/mesh_io.h"
#include "nodes/geometry/point_cache.h"
#include "tests/kernels/rig_maker.h"
#include "tests/nodes/harness.h"

namespace sinew::testing {
namespace {

using test::Gltf;

// A mesh as a glTF has it, shown by node 0.
Gltf file_of(const Mesh& mesh) {
  Gltf file;
  std::vector<float> places;
  std::vector<uint16_t> corners;
  for (const Vec3f& p : mesh.positions) places.insert(places.end(), p.begin(), p.end());
  for (const Triangle& t : mesh.triangles()) {
    for (const uint32_t v : t) corners.push_back(static_cast<uint16_t>(v));
  }
  Json attributes;
  attributes["POSITION"] = file.add("VEC3", 3, places);
  const int indices = file.add("SCALAR", 1, corners);
  file.json["meshes"] = {{{"primitives", {{{"attributes", attributes}, {"indices", indices}}}}}};
  file.json["nodes"] = {{{"mesh", 0}}};
  file.json["scenes"] = {{{"nodes", {0}}}};
  return file;
}

// The bar's own end goes up by 0.4 m, and what is on the way less: a bend, times `much`.
Vec3f bent(const Vec3f& p, float much) {
  const float x = p.x() + 0.5f;
  return p + Vec3f(0, 0.4f * much * x * x, 0);
}

// 0 until 0.2 s, then 1 within two frames.
double jump(double seconds) { return std::clamp((seconds - 0.2) / 0.08, 0.0, 1.0); }

struct ClipNodes : ::testing::Test {
  ClipNodes() {
    g.context.folder = folder.path();
    g.node("bar", "mesh.box",
           {{"size", {1, 0.2, 0.2}}, {"segments_x", 10}, {"segments_y", 2}, {"segments_z", 2}});
    bar = g.get<Mesh>("bar.mesh");
  }

  void write(const std::string& name, const std::string& bytes) {
    std::ofstream(folder.path() / name, std::ios::binary) << bytes;
  }
  // The jump to the bend as a clip of a morph target, and as a cache.
  void write_jump() {
    Gltf file = file_of(bar);
    std::vector<float> by;
    for (const Vec3f& p : bar.positions) {
      const Vec3f d = bent(p, 1) - p;
      by.insert(by.end(), d.begin(), d.end());
    }
    file.json["meshes"][0]["primitives"][0]["targets"] = {{{"POSITION", file.add("VEC3", 3, by)}}};
    file.animate(0, 0, "weights", {0, 0.2f, 0.28f, 20}, {0, 0, 1, 1});
    file.json["animations"][0]["name"] = "up";
    write("jump.glb", file.glb());
    std::vector<double> times;
    for (int k = 0; k <= 10; ++k) times.push_back(k);
    std::string cache = encode_cache_header({PointCacheFormat::pc2, bar.vertex_count(), times});
    for (const double t : times) {
      std::vector<Vec3f> places;
      for (const Vec3f& p : bar.positions)
        places.push_back(bent(p, static_cast<float>(jump(t / 25))));
      cache += encode_cache_sample(PointCacheFormat::pc2, places);
    }
    write("jump.pc2", cache);
  }
  // The bar, filled, and its flesh after the mesh that the file plays.
  void lead(const char* file, std::map<std::string, Json> more = {}) {
    g.node("play", "mesh.cache", {{"file", file}}).link("bar.mesh", "play.mesh");
    fill("play.mesh", std::move(more));
  }
  void fill(const std::string& leads, std::map<std::string, Json> more = {}) {
    g.node("filled", "tet.from_mesh", {{"resolution", 10}}).link("bar.mesh", "filled.mesh");
    g.node("soft", "sim.shape_match", std::move(more));
    g.link("filled.solid", "soft.solid").link(leads, "soft.follow");
  }
  std::vector<Vec3f> mesh(const std::string& output, int at) {
    const Outcome outcome = g.run(output, at);
    EXPECT_EQ(outcome.errors, "");
    return outcome.as<Mesh>().positions;
  }
  float off(const std::vector<Vec3f>& a, const std::vector<Vec3f>& b) {
    EXPECT_EQ(a.size(), b.size());
    float most = 0;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
      most = std::max(most, (a[i] - b[i]).norm());
    return most;
  }
  // The middle of the end that is bent up, m.
  float tip(const std::string& output, int at) {
    const std::vector<Vec3f> now = mesh(output, at);
    float sum = 0, count = 0;
    for (std::size_t i = 0; i < now.size(); ++i) {
      if (bar.positions[i].x() > 0.499f) sum += now[i].y(), ++count;
    }
    return sum / count;
  }

  TemporaryFolder folder;
  TestGraph g;
  Mesh bar;
};

// --- a clip is a cache ---------------------------------------------------------------------------

TEST_F(ClipNodes, AClipIsPlayedAsACacheIs) {
  write_jump();
  g.node("a", "mesh.cache", {{"file", "jump.glb"}}).link("bar.mesh", "a.mesh");
  g.node("b", "mesh.cache", {{"file", "jump.pc2"}}).link("bar.mesh", "b.mesh");
  for (const int at : {0, 3, 5, 6, 7, 8, 30})
    EXPECT_LT(off(mesh("a.mesh", at), mesh("b.mesh", at)), 1e-6f);
  g.set("a.unit", "cm").set("b.unit", "cm").set("a.up", "z").set("b.up", "z");
  EXPECT_LT(off(mesh("a.mesh", 6), mesh("b.mesh", 6)), 1e-6f);
}

TEST_F(ClipNodes, TheMeshOfTheFileIsTheOneThatIsMoved) {
  Gltf file = file_of(bar);
  file.json["nodes"][0]["translation"] = {1, 2, 3};
  file.animate(0, 0, "rotation", {0, 1},
               test::joined({test::turn({0, 0, 1}, 0), test::turn({0, 0, 1}, 90)}));
  write("turn.glb", file.glb());
  g.node("load", "mesh.load", {{"file", "turn.glb"}});
  g.node("play", "mesh.cache", {{"file", "turn.glb"}}).link("load.mesh", "play.mesh");
  g.context.fps = 30;
  for (const int at : {0, 7, 15, 30}) {
    std::vector<Vec3f> expected;
    const Eigen::AngleAxisf by(static_cast<float>(std::numbers::pi / 60 * at), Vec3f::UnitZ());
    for (const Vec3f& p : bar.positions) expected.push_back(by * p + Vec3f(1, 2, 3));
    EXPECT_LT(off(mesh("play.mesh", at), expected), 2e-6f) << at;
  }
}

TEST_F(ClipNodes, WhatDoesNotFitIsOneLineThatSaysWhatWould) {
  write_jump();
  const auto expect = [&](const std::string& words) {
    const std::string errors = g.run("play.mesh").errors;
    EXPECT_EQ(std::count(errors.begin(), errors.end(), '\n'), 1) << errors;
    EXPECT_NE(errors.find(words), std::string::npos) << errors;
  };
  g.node("ball", "mesh.sphere");
  g.node("play", "mesh.cache", {{"file", "jump.glb"}}).link("ball.mesh", "play.mesh");
  expect("load the mesh from this file");
  g.doc.graph.links.clear();
  g.link("bar.mesh", "play.mesh");
  g.set("play.clip", "down");
  expect("there is no clip 'down'; there are up");
  EXPECT_EQ(g.set("play.clip", "up").run("play.mesh").errors, "");
  EXPECT_EQ(g.set("play.clip", "1").run("play.mesh").errors, "");
  write("jump.glb", "nonsense");
  expect("glTF");
  g.set("play.file", "bar.obj");
  expect(".pc2 or .mdd");
}

TEST_F(ClipNodes, AClipJigglesAsABodyWithNodes) {
  write_jump();
  g.node("nodes", "meshless.nodes", {{"count", 24}}).link("bar.mesh", "nodes.mesh");
  g.node("load", "meshless.load", {{"file", "jump.glb"}}).link("nodes.body", "load.body");
  EXPECT_LT(g.get<float>("load.farthest"), 0.02f);
  g.node("play", "meshless.play").link("load.motion", "play.motion");
  EXPECT_NEAR(tip("play.mesh", 30), 0.4f, 0.02f);
  g.node("soft", "meshless.dynamics", {{"gain", 0.01}, {"damping", 0}});
  g.link("load.motion", "soft.motion");
  EXPECT_LT(tip("soft.mesh", 7), 0.5f * tip("play.mesh", 7)) << "it lags";
  float highest = 0;
  for (int at = 8; at < 40; ++at) highest = std::max(highest, tip("soft.mesh", at));
  EXPECT_GT(highest, 0.43f) << "and overshoots";
}

// --- flesh that follows a mesh -------------------------------------------------------------------

TEST_F(ClipNodes, FleshFollowsAMeshThatMovesAsAWholeExactly) {
  g.node("put", "mesh.transform", {{"rotate", {20, 70, -130}}, {"translate", {3, -1, 2}}});
  g.link("bar.mesh", "put.mesh");
  fill("put.mesh");
  const TetMesh rest = g.get<TetMesh>("filled.solid");
  EXPECT_LT(off(mesh("soft.mesh", 0), mesh("put.mesh", 0)), 1e-5f);
  // The inside, too: distances are those at rest, from the first vertex.
  const TetMesh now = g.get<TetMesh>("soft.solid");
  for (std::size_t i = 0; i < rest.vertex_count(); ++i) {
    EXPECT_NEAR((now.positions[i] - now.positions[0]).norm(),
                (rest.positions[i] - rest.positions[0]).norm(), 1e-5f);
  }
  EXPECT_LT(off(mesh("soft.mesh", 25), mesh("put.mesh", 25)), 1e-5f) << "and it stays there";
  // On its way it stays as it is, wherever it swings.
  g.set("put.translate", Json::parse(R"({"animate": [0, [[0, 0], [0.2, 1]], 0]})"));
  g.set("put.rotate", Json::parse("[0, 0, 0]"));
  const TetMesh swung = g.get<TetMesh>("soft.solid", 9);
  EXPECT_GT((swung.positions[0] - rest.positions[0]).norm(), 0.3f);
  for (std::size_t i = 0; i < rest.vertex_count(); ++i) {
    EXPECT_LT(
        (swung.positions[i] - swung.positions[0] - rest.positions[i] + rest.positions[0]).norm(),
        1e-4f);
  }
}

TEST_F(ClipNodes, ABarThatIsLedByACacheLagsOvershootsAndComesToRest) {
  write_jump();
  for (const char* file : {"jump.pc2", "jump.glb"}) {
    ClipNodes::g = TestGraph();
    g.context.folder = folder.path();
    g.node("bar", "mesh.box",
           {{"size", {1, 0.2, 0.2}}, {"segments_x", 10}, {"segments_y", 2}, {"segments_z", 2}});
    lead(file, {{"follow_strength", 2}, {"follow_damping", 0.15}});
    EXPECT_LT(off(mesh("soft.mesh", 5), bar.positions), 1e-4f) << "before anything moves";
    EXPECT_NEAR(tip("play.mesh", 8), 0.4f, 1e-3f);
    EXPECT_LT(tip("soft.mesh", 7), 0.25f) << "it lags";
    float highest = 0;
    for (int at = 8; at <= 40; ++at) highest = std::max(highest, tip("soft.mesh", at));
    EXPECT_GT(highest, 0.46f) << "it overshoots";
    EXPECT_LT(highest, 0.8f);
    EXPECT_LT(off(mesh("soft.mesh", 250), mesh("play.mesh", 250)), 0.01f) << "bends stay bends";
  }
}

TEST_F(ClipNodes, ASolidWithoutASkinFollowsItsBoundary) {
  g.node("block", "tet.box", {{"cells_x", 4}, {"cells_y", 4}, {"cells_z", 4}});
  g.node("skin", "tet.surface").link("block.solid", "skin.solid");
  g.node("put", "mesh.transform", {{"rotate", {0, 0, 90}}, {"scale", {1, 1.5, 1}}});
  g.link("skin.mesh", "put.mesh");
  g.node("soft", "sim.shape_match")
      .link("block.solid", "soft.solid")
      .link("put.mesh", "soft.follow");
  EXPECT_LT(off(mesh("soft.mesh", 0), mesh("put.mesh", 0)), 1e-4f);
  EXPECT_LT(off(mesh("soft.mesh", 25), mesh("put.mesh", 25)), 1e-4f);
}

TEST_F(ClipNodes, AMeshOfAnotherBodyCannotLead) {
  g.node("ball", "mesh.sphere");
  fill("ball.mesh");
  for (const int at : {0, 1, 4}) {
    const std::string errors = g.run("soft.solid", at).errors;
    EXPECT_EQ(std::count(errors.begin(), errors.end(), '\n'), 1) << errors;
    EXPECT_EQ(errors.find("soft: "), 0u) << errors;
    EXPECT_NE(errors.find("'follow' has 2562 vertices but the solid's surface has 90; "),
              std::string::npos)
        << errors;
    EXPECT_NE(errors.find("move the mesh that the solid was made from"), std::string::npos);
  }
}

TEST_F(ClipNodes, FramesInAnyOrderAreTheSame) {
  write_jump();
  lead("jump.glb");
  TestGraph other = g;
  other.evaluator = std::make_shared<Evaluator>();
  std::vector<std::vector<Vec3f>> forth;
  for (int at = 0; at <= 20; ++at) forth.push_back(mesh("soft.mesh", at));
  for (const int at : {20, 7, 13, 0, 8}) {
    EXPECT_EQ(other.get<Mesh>("soft.mesh", at).positions, forth[static_cast<std::size_t>(at)]);
  }
}

}  // namespace
}  // namespace sinew::testing
