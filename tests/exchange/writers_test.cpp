// Files as they are written, read again by our own readers.
#include "exchange/writer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "nodes/geometry/gltf_file.h"
#include "nodes/geometry/mesh_io.h"
#include "nodes/geometry/point_cache.h"
#include "nodes/kernels/primitives.h"
#include "tests/app/run_program.h"

namespace sinew::exchange {
namespace {

namespace fs = std::filesystem;
using sinew::testing::TemporaryFolder;

const auto never = [] { return false; };

Scene swelling(int frame, bool coloured = false) {
  Scene scene;
  scene.frame = frame;
  scene.seconds = frame / 25.0;
  for (const char* name : {"ball", "box"}) {
    Body body;
    body.name = name;
    body.mesh = std::string(name) == "ball" ? kernels::make_icosphere({0.5f, 3})
                                            : kernels::make_box({{1, 1, 1}, {2, 2, 2}});
    for (Vec3f& p : body.mesh.positions) p *= 1 + 0.1f * static_cast<float>(frame);
    if (coloured) {
      Values values;
      values.name = "height";
      for (const Vec3f& p : body.mesh.positions) {
        values.numbers.push_back(p.y());
        values.colours.emplace_back(0.2f, 0.5f, 0.9f);
      }
      body.values = std::move(values);
    }
    scene.bodies.push_back(std::move(body));
  }
  return scene;
}

Result<Report> write(const fs::path& file, int frames, bool coloured = false) {
  WriterOptions options;
  options.file = file;
  options.frame_count = frames;
  Result<std::unique_ptr<Writer>> writer = open_writer(options);
  if (!writer) return Error{writer.error()};
  for (int f = 0; f < frames; ++f)
    if (const Result<void> ok = (*writer)->add(swelling(f, coloured)); !ok)
      return Error{ok.error()};
  return (*writer)->finish(never);
}

std::size_t files_in(const fs::path& folder) {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

TEST(Writers, PointCachesComeBackBitByBit) {
  const TemporaryFolder folder;
  const Mesh first = merged(swelling(0)).mesh;
  for (const char* name : {"x.pc2", "x.mdd"}) {
    const Result<Report> report = write(folder / name, 4);
    ASSERT_TRUE(report) << report.error();
    const PointCache cache = load_point_cache(folder / name);
    ASSERT_EQ(cache.samples(), 4u);
    for (int f = 0; f < 4; ++f) {
      const std::span<const Vec3f> sample = cache.sample(static_cast<std::size_t>(f));
      const Mesh mesh = merged(swelling(f)).mesh;
      EXPECT_TRUE(std::equal(sample.begin(), sample.end(), mesh.positions.begin()));
      EXPECT_NEAR(cache.header.times[static_cast<std::size_t>(f)],
                  std::string(name) == "x.pc2" ? f : f / 25.0, 1e-6);
    }
    const Mesh beside = load_mesh(folder / "x.obj");
    EXPECT_EQ(beside.positions, first.positions);
    EXPECT_EQ(beside.topology->triangles, first.topology->triangles);
  }
}

TEST(Writers, CachesThatAreCutShortOrLieAreRefused) {
  const TemporaryFolder folder;
  for (const char* name : {"x.pc2", "x.mdd"}) {
    ASSERT_TRUE(write(folder / name, 2));
    const std::string whole = folder.read(name);
    for (std::size_t length = 0; length < whole.size(); length += length < 64 ? 1 : 97) {
      folder.write(name, whole.substr(0, length));
      EXPECT_THROW(load_point_cache(folder / name), FileError) << name << " " << length;
    }
    folder.write(name, whole + "x");
    EXPECT_THROW(load_point_cache(folder / name), FileError);
    // Any byte of the header may be anything.
    for (std::size_t at = 0; at < 40; ++at) {
      for (const char c : {'\0', '\x7f', '\xff'}) {
        std::string bent = whole;
        bent[at] = c;
        folder.write(name, bent);
        try {
          const PointCache cache = load_point_cache(folder / name);
          EXPECT_EQ(cache.places.size(), cache.samples() * cache.header.points);
        } catch (const FileError&) {
        }
      }
    }
    std::string bent = whole;
    for (std::size_t k = 0; k < 4; ++k) bent[bent.size() - 1 - k] = '\xff';  // not a number
    folder.write(name, bent);
    EXPECT_THROW(load_point_cache(folder / name), FileError);
  }
}

TEST(Writers, SequencesHaveAFileAFrame) {
  const TemporaryFolder folder;
  const Result<Report> plys = write(folder / "a.ply", 3, true);
  ASSERT_TRUE(plys) << plys.error();
  ASSERT_EQ(plys->files.size(), 3u);
  EXPECT_EQ(plys->files[2].filename(), "a_0002.ply");
  const Result<Report> objs = write(folder / "b_##_x.obj", 3, true);
  ASSERT_TRUE(objs) << objs.error();
  EXPECT_EQ(objs->files[1].filename(), "b_01_x.obj");
  for (int f = 0; f < 3; ++f) {
    const Mesh expected = merged(swelling(f)).mesh;
    for (const Result<Report>* report : {&plys, &objs}) {
      const Mesh mesh = load_mesh((*report)->files[static_cast<std::size_t>(f)]);
      EXPECT_EQ(mesh.positions, expected.positions);
      EXPECT_EQ(mesh.topology->triangles, expected.topology->triangles);
    }
  }
  EXPECT_NE(folder.read("a_0000.ply").find("property float height"), std::string::npos);
}

TEST(Writers, UsdTellsWhatChangesAndWhatDoesNot) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write(folder / "x.usda", 3, true));
  const std::string text = folder.read("x.usda");
  EXPECT_EQ(text.rfind("#usda 1.0\n", 0), 0u);
  for (const char* part :
       {"def Mesh \"ball\"", "def Mesh \"box\"", "point3f[] points.timeSamples = {",
        "endTimeCode = 2", "float[] primvars:height (", "float[] primvars:height.timeSamples = {",
        "color3f[] primvars:displayColor = [", "interpolation = \"vertex\"", "upAxis = \"Y\""})
    EXPECT_NE(text.find(part), std::string::npos) << part;
  EXPECT_EQ(std::count(text.begin(), text.end(), '{'), std::count(text.begin(), text.end(), '}'));
  ASSERT_TRUE(write(folder / "still.usda", 1));
  EXPECT_EQ(folder.read("still.usda").find("timeSamples"), std::string::npos);
}

TEST(Writers, GltfHasBodiesTargetsAndTimes) {
  const TemporaryFolder folder;
  const Result<Report> report = write(folder / "x.glb", 5, true);
  ASSERT_TRUE(report) << report.error();
  // Swelling is one way to deform.
  ASSERT_EQ(report->notes.size(), 2u);
  EXPECT_EQ(report->notes[0].rfind("ball: 1 morph target,", 0), 0u) << report->notes[0];
  const Mesh mesh = load_mesh(folder / "x.glb");
  EXPECT_EQ(mesh.triangle_count(), merged(swelling(0)).mesh.triangle_count());
  ASSERT_TRUE(write(folder / "x.gltf", 5));
  EXPECT_NE(folder.read("x.gltf").find("\"weights\""), std::string::npos);
}

// One body, still or as its places say, in text, so that what is in it can be looked at.
GltfFile written(const TemporaryFolder& folder, const Body& body,
                 const std::vector<std::vector<Vec3f>>& frames) {
  WriterOptions options;
  options.file = folder / "x.gltf";
  options.frame_count = static_cast<int>(frames.size());
  options.error = 1e-6;
  Result<std::unique_ptr<Writer>> writer = open_writer(options);
  for (std::size_t f = 0; f < frames.size(); ++f) {
    Scene scene;
    scene.seconds = static_cast<double>(f) / options.fps;
    scene.bodies.push_back(body);
    scene.bodies[0].mesh = body.mesh.with_positions(frames[f]);
    EXPECT_TRUE((*writer)->add(scene));
  }
  EXPECT_TRUE((*writer)->finish(never));
  return GltfFile(options.file, {});
}

// Every accessor has somebody who uses it.
std::set<std::size_t> used_accessors(const nlohmann::json& file) {
  std::set<std::size_t> used;
  for (const auto& mesh : file["meshes"])
    for (const auto& primitive : mesh["primitives"]) {
      used.insert(primitive["indices"].get<std::size_t>());
      for (const auto& [name, at] : primitive["attributes"].items())
        used.insert(at.get<std::size_t>());
      for (const auto& target : primitive.value("targets", nlohmann::json::array()))
        for (const auto& [name, at] : target.items()) used.insert(at.get<std::size_t>());
    }
  for (const auto& skin : file.value("skins", nlohmann::json::array()))
    used.insert(skin["inverseBindMatrices"].get<std::size_t>());
  for (const auto& animation : file.value("animations", nlohmann::json::array()))
    for (const auto& sampler : animation["samplers"])
      for (const char* name : {"input", "output"}) used.insert(sampler[name].get<std::size_t>());
  return used;
}

TEST(Writers, GltfHasEdgesWhereTheyAreDrawn) {
  const TemporaryFolder folder;
  Body box;
  box.name = "box";
  box.mesh = kernels::make_box({{1, 1, 1}, {1, 1, 1}});
  const std::vector<Vec3f>& places = box.mesh.positions;
  GltfFile file = written(folder, box, {places});
  const auto& primitive = file.json()["meshes"][0]["primitives"][0];
  const auto accessor = [&](const char* name) {
    return primitive["attributes"][name].get<std::size_t>();
  };
  const std::vector<double> at = file.numbers(accessor("POSITION"), "VEC3"),
                            normals = file.numbers(accessor("NORMAL"), "VEC3"),
                            corners =
                                file.numbers(primitive["indices"].get<std::size_t>(), "SCALAR");
  ASSERT_EQ(at.size(), 3 * 24u);
  ASSERT_EQ(corners.size(), 36u);
  // The body's own vertices come first, in their order.
  for (std::size_t v = 0; v < places.size(); ++v)
    for (int k = 0; k < 3; ++k) EXPECT_EQ(static_cast<float>(at[3 * v + k]), places[v][k]);
  for (std::size_t t = 0; t < 12; ++t) {
    Vec3d corner[3], normal[3];
    for (std::size_t k = 0; k < 3; ++k) {
      const auto v = static_cast<std::size_t>(corners[3 * t + k]);
      corner[k] = Vec3d(at[3 * v], at[3 * v + 1], at[3 * v + 2]);
      normal[k] = Vec3d(normals[3 * v], normals[3 * v + 1], normals[3 * v + 2]);
      EXPECT_EQ(corner[k].cast<float>(), places[box.mesh.triangles()[t][k]]);
    }
    const Vec3d flat = (corner[1] - corner[0]).cross(corner[2] - corner[0]).normalized();
    for (const Vec3d& n : normal) EXPECT_LT((n - flat).norm(), 1e-3);
  }
  // What is round stays one.
  Body ball;
  ball.name = "ball";
  ball.mesh = kernels::make_icosphere({0.5f, 3});
  const GltfFile round = written(folder, ball, {ball.mesh.positions});
  EXPECT_EQ(round.json()["accessors"][0]["count"], ball.mesh.vertex_count());
  EXPECT_EQ(load_mesh(folder / "x.gltf").positions, ball.mesh.positions);
}

TEST(Writers, GltfHasTextureCoordinatesOfCorners) {
  const TemporaryFolder folder;
  Body box;
  box.name = "box";
  box.mesh = kernels::make_box({{1, 1, 1}, {1, 1, 1}});
  Topology topology = *box.mesh.topology;
  topology.polygon_of_triangle.clear();
  for (std::size_t c = 0; c < 3 * topology.triangles.size(); ++c)
    topology.corner_uvs.emplace_back(0.125f * static_cast<float>(c % 5),
                                     0.0625f * static_cast<float>(c % 7));
  box.mesh = Mesh(topology, box.mesh.positions);
  written(folder, box, {box.mesh.positions});
  const Mesh again = load_mesh(folder / "x.gltf");
  EXPECT_EQ(again.topology->corner_uvs, topology.corner_uvs);
  EXPECT_EQ(again.positions, box.mesh.positions);
  EXPECT_EQ(again.topology->triangles, topology.triangles);
}

TEST(Writers, GltfWithEdgesMovesAsItIs) {
  const TemporaryFolder folder;
  Body box;
  box.name = "box";
  box.mesh = kernels::make_box({{1, 1, 1}, {1, 1, 1}});
  std::vector<std::vector<Vec3f>> frames;
  for (int f = 0; f < 6; ++f) {
    frames.push_back(box.mesh.positions);
    for (Vec3f& p : frames.back()) p.x() += 0.1f * static_cast<float>(f) * p.y() * p.y() * p.z();
  }
  GltfFile file = written(folder, box, frames);
  const auto& primitive = file.json()["meshes"][0]["primitives"][0];
  ASSERT_GE(primitive["targets"].size(), 1u);
  const std::vector<double> base =
      file.numbers(primitive["attributes"]["POSITION"].get<std::size_t>(), "VEC3");
  for (const auto& target : primitive["targets"]) {
    const std::vector<double> moves = file.numbers(target["POSITION"].get<std::size_t>(), "VEC3");
    ASSERT_EQ(moves.size(), base.size());
    // Sides of one vertex stay together.
    for (std::size_t a = 0; a < base.size(); a += 3)
      for (std::size_t b = 0; b < a; b += 3)
        if (std::equal(&base[a], &base[a] + 3, &base[b])) {
          EXPECT_TRUE(std::equal(&moves[a], &moves[a] + 3, &moves[b]));
        }
  }
  EXPECT_EQ(used_accessors(file.json()).size(), file.count("accessors"));
}

TEST(Writers, GltfOfWhatDoesNotMoveHasNoAnimation) {
  const TemporaryFolder folder;
  Body box;
  box.name = "box";
  box.mesh = kernels::make_box({{1, 1, 1}, {1, 1, 1}});
  for (const std::size_t frames : {1u, 4u}) {
    const GltfFile file =
        written(folder, box, std::vector<std::vector<Vec3f>>(frames, box.mesh.positions));
    EXPECT_FALSE(file.json().contains("animations")) << frames;
    EXPECT_EQ(used_accessors(file.json()).size(), file.count("accessors")) << frames;
  }
}

// A body that swells, and a skeleton that swings: it does not carry it.
TEST(Writers, GltfSaysWhyABodyIsNotOnItsSkeleton) {
  const TemporaryFolder folder;
  WriterOptions options;
  options.file = folder / "x.gltf";
  options.frame_count = 6;
  Result<std::unique_ptr<Writer>> writer = open_writer(options);
  for (int f = 0; f < 6; ++f) {
    Scene scene = swelling(f);
    const double angle = 0.4 * f;
    scene.rigs = {{"bones",
                   {{"root", -1, {0, 0, 0}}, {"tip", 0, {0, 1, 0}}},
                   {{0, 0, 0}, {std::sin(angle), std::cos(angle), 0}}}};
    ASSERT_TRUE((*writer)->add(scene));
  }
  const Result<Report> report = (*writer)->finish(never);
  ASSERT_TRUE(report) << report.error();
  ASSERT_EQ(report->notes.size(), 2u);
  for (const std::string& note : report->notes)
    EXPECT_NE(note.find("; not bound to the skeleton 'bones': its joints carry 0 % of how the body "
                        "deforms, and at least 50 % is asked for"),
              std::string::npos)
        << note;
  const GltfFile file(options.file, {});
  EXPECT_FALSE(file.json().contains("skins"));
  EXPECT_EQ(used_accessors(file.json()).size(), file.count("accessors"));
}

TEST(Writers, WhatBecomesSomethingElseIsRefusedAndNothingIsLeft) {
  for (const char* name : {"x.pc2", "x.mdd", "x.usda", "x.glb"}) {
    const TemporaryFolder folder;
    WriterOptions options;
    options.file = folder / name;
    options.frame_count = 2;
    {
      Result<std::unique_ptr<Writer>> writer = open_writer(options);
      ASSERT_TRUE(writer) << name;
      ASSERT_TRUE((*writer)->add(swelling(0)));
      Scene other = swelling(1);
      other.bodies[0].mesh = kernels::make_icosphere({0.5f, 4});
      const Result<void> ok = (*writer)->add(other);
      ASSERT_FALSE(ok) << name;
      EXPECT_NE(ok.error().find("vertices, and had"), std::string::npos) << ok.error();
    }
    EXPECT_EQ(files_in(folder.path), 0u) << name;
  }
}

TEST(Writers, AnEndingThatIsNotThereNamesTheOthers) {
  WriterOptions options;
  options.file = "x.fbx";
  const Result<std::unique_ptr<Writer>> writer = open_writer(options);
  ASSERT_FALSE(writer);
  EXPECT_EQ(writer.error(), "the ending may be .glb, .gltf, .usda, .pc2, .mdd, .ply, .obj");
}

TEST(Writers, SpacesAreTurnedAndScaled) {
  draw::DrawList list;
  const std::vector<draw::Point> places{{1, 2, 3}, {0, 0, 0}, {1, 0, 0}};
  const std::vector<draw::Triangle> triangles{{0, 1, 2}};
  draw::Mesh item;
  item.source = "a b.mesh";
  item.positions = places;
  item.triangles = triangles;
  list.meshes = {item, item};
  draw::Mesh veil = item;
  veil.colour.a = 0.5f;
  list.meshes.push_back(veil);
  const Scene scene = scene_of(list, {UpAxis::z, 0.01});
  ASSERT_EQ(scene.bodies.size(), 2u);  // veils stay
  EXPECT_EQ(scene.bodies[0].name, "a_b");
  EXPECT_EQ(scene.bodies[1].name, "a_b_2");
  EXPECT_LT((scene.bodies[0].mesh.positions[0] - Vec3f(100, -300, 200)).norm(), 1e-3f);
}

}  // namespace
}  // namespace sinew::exchange
