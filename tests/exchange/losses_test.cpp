// What does not leave is named: by format, and by the file that bodies were read from.
#include "exchange/losses.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "nodes/geometry/mesh_io.h"
#include "nodes/kernels/primitives.h"
#include "tests/app/run_program.h"

namespace sinew::exchange {
namespace {

using sinew::testing::Ran;
using sinew::testing::run_program;
using sinew::testing::TemporaryFolder;
using Words = std::vector<std::string>;

Body plain(const std::string& name) {
  Body body;
  body.name = name;
  Mesh mesh = kernels::make_icosphere({0.5f, 1});
  Topology topology = *mesh.topology;
  topology.polygon_of_triangle.clear();
  topology.corner_uvs.clear();
  body.mesh = Mesh(topology, mesh.positions);
  return body;
}

std::string lost(const std::string& ending, const std::vector<Scene>& scenes) {
  Losses losses("x." + ending);
  for (const Scene& scene : scenes) losses.see(scene);
  return losses.text();
}

const Words endings = {"glb", "gltf", "usda", "pc2", "mdd", "ply", "obj"};

TEST(Losses, NothingIsSaidWhereNothingIsLost) {
  Scene scene;
  scene.bodies = {plain("a")};
  for (const std::string& ending : endings) EXPECT_EQ(lost(ending, {scene, scene}), "") << ending;
}

TEST(Losses, EachFormatSaysWhatItDoesNotGet) {
  Scene scene;
  scene.bodies = {plain("a")};
  Topology topology = *scene.bodies[0].mesh.topology;
  topology.corner_uvs.assign(3 * topology.triangles.size(), Vec2f(0, 0));
  for (std::size_t t = 0; t < topology.triangles.size(); ++t)
    topology.polygon_of_triangle.push_back(static_cast<uint32_t>(t / 2));
  scene.bodies[0].mesh = Mesh(topology, scene.bodies[0].mesh.positions);
  scene.rigs = {{"bones", {{"root", -1, {0, 0, 0}}}, {{0, 0, 0}}}};
  for (const std::string& ending : endings) {
    const std::string text = lost(ending, {scene});
    EXPECT_NE(text.find("polygons (they leave as triangles)"), std::string::npos) << text;
    EXPECT_EQ(text.find("texture coordinates") != std::string::npos, ending == "ply") << text;
    EXPECT_EQ(text.find("of bones: the skeleton") != std::string::npos,
              ending != "glb" && ending != "gltf")
        << text;
  }
  // Beside one without, texture coordinates do not leave in one mesh of all.
  scene.bodies.push_back(plain("b"));
  for (const std::string& ending : endings) {
    const std::string text = lost(ending, {scene});
    const bool one_mesh = ending.size() == 3 && ending != "glb";
    EXPECT_EQ(text.find("texture coordinates") != std::string::npos, one_mesh) << text;
    EXPECT_EQ(text.find("of a and b: that they are bodies of their own") != std::string::npos,
              one_mesh)
        << text;
  }
}

TEST(Losses, NumbersOfFields) {
  Scene scene;
  scene.bodies = {plain("a")};
  Values values;
  values.name = "heat";
  values.numbers.assign(scene.bodies[0].mesh.vertex_count(), 1);
  scene.bodies[0].values = values;
  Scene later = scene;
  later.bodies[0].values->numbers[3] = 2;
  Scene triangles = scene;
  triangles.bodies[0].values->per_triangle = true;
  const std::map<std::string, Words> expected = {
      {"usda", {"", "", ""}},
      {"ply", {"", "", "the numbers of 'heat' of triangles"}},
      {"glb", {"", "how 'heat' changes over time", "the numbers of 'heat' of triangles"}},
      {"obj", {"the numbers of 'heat' (they leave as colours)", "heat", "heat"}},
      {"pc2", {"the numbers of 'heat' (they leave as colours)", "how 'heat' changes", "heat"}}};
  for (const auto& [ending, texts] : expected) {
    const Words said = {lost(ending, {scene, scene}), lost(ending, {scene, later}),
                        lost(ending, {triangles})};
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(said[i].empty(), texts[i].empty()) << ending << ": " << said[i];
      EXPECT_NE(said[i].find(texts[i]), std::string::npos) << ending << ": " << said[i];
    }
  }
}

// What is in a file and is not read; nothing where it cannot be read.
Words unread_in_file(const std::filesystem::path& file) {
  LoadReport report;
  try {
    load_mesh(file, {}, &report);
  } catch (const FileError&) {
  }
  return report.unread;
}

TEST(Unread, OfAPly) {
  const TemporaryFolder folder;
  const std::string faces = "3 0 1 2\n";
  const auto unread = [&](const std::string& vertex, const std::string& row,
                          const std::string& more = "") {
    folder.write("x.ply",
                 "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float "
                 "y\nproperty float z\n" +
                     vertex + "element face 1\nproperty list uchar int vertex_indices\n" + more +
                     "end_header\n0 0 0" + row + "\n1 0 0" + row + "\n0 1 0" + row + "\n" + faces +
                     (more.empty() ? "" : "0 1\n"));
    return unread_in_file(folder / "x.ply");
  };
  EXPECT_EQ(unread("", ""), Words());
  EXPECT_EQ(unread("property uchar red\nproperty uchar green\nproperty uchar blue\n"
                   "property float pin\n",
                   " 1 2 3 0.5"),
            (Words{"vertex colours", "the vertex property 'pin'"}));
  EXPECT_EQ(unread("property float nx\nproperty float ny\nproperty float nz\nproperty float s\n"
                   "property float t\n",
                   " 0 0 1 0 0"),
            (Words{"normals", "texture coordinates"}));
  EXPECT_EQ(unread("", "", "element edge 1\nproperty int a\nproperty int b\n"),
            (Words{"the element 'edge'"}));
}

TEST(Unread, OfAnObj) {
  const TemporaryFolder folder;
  const auto unread = [&](const std::string& text) {
    folder.write("x.obj", text);
    return unread_in_file(folder / "x.obj");
  };
  EXPECT_EQ(unread("# a\no one\nv 0 0 0\nv 1 0 0\nv 0 1 0\ns off\nf 1 2 3\n"), Words());
  EXPECT_EQ(unread("mtllib a.mtl\nv 0 0 0 1 0 0\nv 1 0 0 1 0 0\nv 0 1 0 1 0 0\nvn 0 0 1\ng a\n"
                   "usemtl red\ns 1\nf 1//1 2//1 3//1\ng b\nusemtl green\nf 1 3 2\ng a\nusemtl "
                   "red\nf 1 2 3\nl 1 2\n"),
            (Words{"2 groups", "2 materials", "normals", "vertex colours", "smoothing groups",
                   "lines and points"}));
  EXPECT_EQ(unread("v 0 0 0 1\nv 1 0 0 1\nv 0 1 0 1\nf 1 2 3\n"), Words())
      << "weights are no colours";
}

TEST(Unread, OfAGltf) {
  const TemporaryFolder folder;
  // Three places, and whatever accessors there are read them as they want.
  nlohmann::json file = {
      {"asset", {{"version", "2.0"}}},
      {"buffers",
       {{{"byteLength", 36},
         {"uri",
          "data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8A"
          "AAAA"}}}},
      {"bufferViews", {{{"buffer", 0}, {"byteLength", 36}}}},
      {"accessors",
       {{{"bufferView", 0},
         {"componentType", 5126},
         {"count", 3},
         {"type", "VEC3"},
         {"min", {0, 0, 0}},
         {"max", {1, 1, 0}}}}},
      {"meshes", {{{"primitives", {{{"attributes", {{"POSITION", 0}}}}}}}}},
      {"nodes", {{{"mesh", 0}}}},
      {"scenes", {{{"nodes", {0}}}}},
      {"scene", 0}};
  folder.write("x.gltf", file.dump());
  EXPECT_EQ(unread_in_file(folder / "x.gltf"), Words());
  auto& primitives = file["meshes"][0]["primitives"];
  primitives[0]["attributes"]["NORMAL"] = 0;
  primitives[0]["attributes"]["COLOR_0"] = 0;
  primitives[0]["attributes"]["_PIN"] = 0;
  primitives[0]["material"] = 0;
  primitives.push_back(primitives[0]);
  file["materials"] = {{{"name", "skin"}}};
  folder.write("x.gltf", file.dump());
  EXPECT_EQ(unread_in_file(folder / "x.gltf"),
            (Words{"2 parts", "vertex colours", "normals", "the attribute '_PIN'", "1 material"}));
}

TEST(Unread, OfFilesThroughAssimp) {
  const TemporaryFolder folder;
  folder.write("x.dae", R"(<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset/>
<library_effects><effect id="e"><profile_COMMON><technique sid="t"><lambert/></technique>
</profile_COMMON></effect></library_effects>
<library_materials><material id="m" name="red"><instance_effect url="#e"/></material>
</library_materials>
<library_geometries><geometry id="g"><mesh>
<source id="p"><float_array id="pa" count="9">0 0 0 1 0 0 0 1 0</float_array><technique_common>
<accessor source="#pa" count="3" stride="3"><param name="X" type="float"/>
<param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="1" material="s"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2</p>
</triangles></mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="w">
<node id="a"><instance_geometry url="#g"><bind_material><technique_common>
<instance_material symbol="s" target="#m"/></technique_common></bind_material></instance_geometry>
</node><node id="b"><instance_geometry url="#g"/></node>
</visual_scene></library_visual_scenes><scene><instance_visual_scene url="#w"/></scene></COLLADA>
)");
  const Words unread = unread_in_file(folder / "x.dae");
  ASSERT_GE(unread.size(), 2u);
  EXPECT_EQ(unread[0], "2 parts");
  EXPECT_EQ(unread[1], "1 material");
}

TEST(Unread, WhatCannotBeReadSaysNothing) {
  const TemporaryFolder folder;
  for (const char* name : {"x.ply", "x.obj", "x.gltf", "x.glb", "x.dae", "x.what", "missing.obj"}) {
    if (std::string(name) != "missing.obj") folder.write(name, "not what it says");
    EXPECT_EQ(unread_in_file(folder / name), Words()) << name;
  }
}

// One line for all of it, in the report as well.
TEST(Losses, ExportSaysItOnce) {
  const TemporaryFolder folder;
  folder.write("two.obj",
               "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nvn 0 0 1\n"
               "g front\nf 1/1/1 2/2/1 3/3/1 4/4/1\ng back\nf 4/4/1 3/3/1 2/2/1 1/1/1\n");
  folder.write("a.json", R"({"sinew": 1, "settings": {"last_frame": 3}, "nodes": [
    {"id": "load", "type": "mesh.load", "params": {"file": "two.obj"}},
    {"id": "move", "type": "mesh.transform"},
    {"id": "show", "type": "view"}],
    "links": ["load.mesh -> move.mesh", "move.mesh -> show.value"]})");
  const std::string text =
      "lost on the way: what 'two.obj' has and is not read: 2 groups and normals; of move: "
      "polygons "
      "(they leave as triangles) and texture coordinates";
  const Ran ran = run_program({"export", "a.json", "-o", "x.ply"}, folder.path);
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.err, "warning: a.json: " + text + "\n");
  const Ran json = run_program({"export", "a.json", "-o", "x.ply", "--json"}, folder.path);
  const auto report = nlohmann::json::parse(json.out);
  ASSERT_EQ(report["messages"].size(), 1u);
  EXPECT_EQ(report["messages"][0]["severity"], "warning");
  EXPECT_EQ(report["messages"][0]["text"], text);
  // Evaluating it says nothing: nothing leaves.
  EXPECT_EQ(run_program({"check", "a.json"}, folder.path).err, "");
  EXPECT_EQ(run_program({"eval", "a.json"}, folder.path).err, "");
}

constexpr const char* coloured =
    "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float "
    "z\nproperty uchar red\nproperty uchar green\nproperty uchar blue\nelement face 1\nproperty "
    "list uchar int vertex_indices\nend_header\n0 0 0 1 2 3\n1 0 0 1 2 3\n0 1 0 1 2 3\n3 0 1 2\n";

// Whatever way a mesh leaves, and however its file is named, one line says what the file had.
TEST(Losses, AreSaidOnEveryWayOut) {
  const TemporaryFolder folder;
  folder.write("red.ply", coloured);
  const auto write = [&](const std::string& load, const std::string& more) {
    folder.write("a.json", R"({"sinew": 1, "settings": {"last_frame": 2}, "nodes": [
      {"id": "load", "type": "mesh.load")" +
                               load + R"(},
      {"id": "finer", "type": "mesh.subdivide"}, {"id": "show", "type": "view"}, )" +
                               more + R"("load.mesh -> finer.mesh", "finer.mesh -> show.value"]})");
  };
  const std::map<std::string, std::pair<std::string, std::string>> named = {
      {"itself", {R"(, "params": {"file": "red.ply"})", R"({"id": "x", "type": "mesh.box"}],
        "links": [)"}},
      {"steps",
       {R"(, "params": {"file": {"steps": [[0, "red.ply"], [2, "red.ply"]]}})",
        R"({"id": "x", "type": "mesh.box"}], "links": [)"}},
      {"a link", {"", R"({"id": "name", "type": "value.string", "params": {"value": "red.ply"}}],
        "links": ["name.value -> load.file", )"}}};
  const std::string lost = "what 'red.ply' has and is not read: vertex colours";
  for (const auto& [how, texts] : named) {
    write(texts.first, texts.second);
    for (const char* ending : {"obj", "ply", "stl", "glb"}) {
      const Ran ran = run_program(
          {"eval", "a.json", "--output", "finer", "-o", std::string("x.") + ending}, folder.path);
      EXPECT_EQ(ran.code, 0) << ran.err;
      EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << how << ": " << ran.err;
      EXPECT_NE(ran.err.find("lost on the way: " + lost), std::string::npos) << how << ran.err;
    }
    for (const char* out : {"x.glb", "x.usda", "x.pc2", "x.ply", "x.obj"}) {
      const Ran ran = run_program({"export", "a.json", "-o", out}, folder.path);
      EXPECT_EQ(ran.code, 0) << ran.err;
      EXPECT_NE(ran.err.find(lost), std::string::npos) << how << ", " << out << ": " << ran.err;
    }
  }
  // A node that writes.
  write(
      R"(, "params": {"file": "red.ply"})",
      R"({"id": "x", "type": "mesh.box"}, {"id": "save", "type": "mesh.save", "params": {"file": "y.obj"}}], "links": [
        "finer.mesh -> save.mesh", )");
  const Ran saved = run_program({"eval", "a.json"}, folder.path);
  EXPECT_EQ(saved.code, 0) << saved.err;
  EXPECT_EQ(saved.err, "warning: a.json: lost on the way: " + lost + "\n");
  // What is not behind what leaves is not lost.
  const Ran box = run_program({"eval", "a.json", "--output", "x", "-o", "x.obj"}, folder.path);
  EXPECT_EQ(box.err.find("red.ply"), std::string::npos) << box.err;
}

// What a switch does not choose is not read.
TEST(Losses, OfFilesThatAreNotChosenAreNone) {
  const TemporaryFolder folder;
  folder.write("red.ply", coloured);
  folder.write("a.json", R"({"sinew": 1, "settings": {"last_frame": 2}, "nodes": [
    {"id": "load", "type": "mesh.load", "params": {"file": "red.ply"}},
    {"id": "ball", "type": "mesh.sphere"}, {"id": "choose", "type": "switch"},
    {"id": "show", "type": "view"}],
    "links": ["ball.mesh -> choose.a", "load.mesh -> choose.b", "choose.value -> show.value"]})");
  const Ran ran = run_program({"export", "a.json", "-o", "x.obj"}, folder.path);
  EXPECT_EQ(ran.err.find("red.ply"), std::string::npos) << ran.err;
}

TEST(Losses, EvalSaysWhatTheFormatDoesNotHold) {
  const TemporaryFolder folder;
  folder.write("quad.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 0\nf 1/1 2/1 3/1 4/1\n");
  folder.write("a.json", R"({"sinew": 1, "nodes": [
    {"id": "load", "type": "mesh.load", "params": {"file": "quad.obj"}}]})");
  const std::map<std::string, std::string> words = {
      {"obj", "polygons (they leave as triangles)"},
      {"ply", "polygons (they leave as triangles) and texture coordinates"},
      {"stl", "polygons (they leave as triangles) and texture coordinates"},
      {"glb",
       "polygons (they leave as triangles), smooth normals (sinew export writes them) and "
       "texture coordinates"}};
  for (const auto& [ending, lost] : words) {
    const std::string out = "x." + ending;
    const std::string text = "lost on the way: of load.mesh: " + lost;
    EXPECT_EQ(run_program({"eval", "a.json", "-o", out}, folder.path).err,
              "warning: a.json: " + text + "\n");
    const Ran json = run_program({"eval", "a.json", "-o", out, "--json"}, folder.path);
    const auto report = nlohmann::json::parse(json.out);
    ASSERT_EQ(report["messages"].size(), 1u);
    EXPECT_EQ(report["messages"][0]["text"], text);
  }
}

}  // namespace
}  // namespace sinew::exchange
