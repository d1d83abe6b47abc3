// Files as they are written, read again by our own readers.
#include "exchange/writer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

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
