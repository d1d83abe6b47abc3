// Clips of glTF files as places of vertices over time.
#include "nodes/geometry/gltf_clip.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <random>

#include "nodes/geometry/mesh_io.h"
#include "nodes/geometry/skeleton_files.h"
#include "tests/kernels/rig_maker.h"
#include "tests/kernels/shapes.h"

namespace sinew {
namespace {

using Eigen::AngleAxisd;
using test::Gltf, test::Json, test::joined, test::turn;
using test::strip_node, test::root_node, test::middle_node, test::tip_node;

// The eight corners of a cube of side 2 as a mesh of node 0, which the scene shows. `split`: the
// corners of each triangle are vertices of their own.
Gltf box(bool split = false) {
  Gltf file;
  const Mesh cube = kernels::make_box({{2, 2, 2}, {1, 1, 1}});
  std::vector<float> places;
  std::vector<uint16_t> corners;
  const auto add = [&](const Vec3f& p) { places.insert(places.end(), p.begin(), p.end()); };
  for (const Vec3f& p : cube.positions) {
    if (!split) add(p);
  }
  for (const Triangle& t : cube.triangles()) {
    for (const uint32_t v : t) {
      corners.push_back(static_cast<uint16_t>(split ? places.size() / 3 : v));
      if (split) add(cube.positions[v]);
    }
  }
  Json attributes;
  attributes["POSITION"] = file.add("VEC3", 3, places);
  const int indices = file.add("SCALAR", 1, corners);
  file.json["meshes"] = {{{"primitives", {{{"attributes", attributes}, {"indices", indices}}}}}};
  file.json["nodes"] = {{{"mesh", 0}}, {{"children", {0}}}};
  file.json["scenes"] = {{{"nodes", {1}}}};
  file.json["scene"] = 0;
  return file;
}

VertexClip load(const test::Folder& folder, const Gltf& file, std::string name = "",
                double frame = 1.0 / 24) {
  const std::filesystem::path path = folder.write("a.glb", file.glb());
  return load_vertex_clip(path, {std::move(name), frame, load_mesh(path).vertex_count()});
}

std::string reading(const std::filesystem::path& path, std::size_t vertices,
                    const std::string& clip = "") {
  try {
    load_vertex_clip(path, {clip, 1.0 / 24, vertices});
  } catch (const FileError& error) {
    const std::string message = error.what();
    EXPECT_TRUE(message.starts_with("cannot read '" + path.string() + "': ")) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    return message.substr(message.find("': ") + 3);
  }
  return "";
}

// Whether every sample is where `where` takes the vertices at rest at its time.
void expect_at(const VertexClip& clip, const Mesh& rest,
               const std::function<Vec3d(const Vec3d&, double)>& where, double within = 1e-6) {
  ASSERT_EQ(clip.points, rest.vertex_count());
  ASSERT_EQ(clip.places.size(), clip.points * clip.times.size());
  for (std::size_t k = 0; k < clip.times.size(); ++k) {
    for (std::size_t v = 0; v < clip.points; ++v) {
      const Vec3d expected = where(rest.positions[v].cast<double>(), clip.times[k]);
      ASSERT_LT((clip.places[clip.points * k + v].cast<double>() - expected).norm(), within)
          << "vertex " << v << " at " << clip.times[k];
    }
  }
}

// The same between samples, where they are joined by straight lines.
double farthest_between(const VertexClip& clip, const Mesh& rest,
                        const std::function<Vec3d(const Vec3d&, double)>& where) {
  double worst = 0;
  for (std::size_t k = 0; k + 1 < clip.times.size(); ++k) {
    const double middle = 0.5 * (clip.times[k] + clip.times[k + 1]);
    for (std::size_t v = 0; v < clip.points; ++v) {
      const Vec3f straight =
          0.5f * (clip.places[clip.points * k + v] + clip.places[clip.points * (k + 1) + v]);
      const Vec3d expected = where(rest.positions[v].cast<double>(), middle);
      worst = std::max(worst, (straight.cast<double>() - expected).norm());
    }
  }
  return worst;
}

// --- nodes ---------------------------------------------------------------------------------------

TEST(VertexClips, a_box_that_turns_is_where_it_must_be) {
  const test::Folder folder;
  Gltf file = box();
  file.animate(0, 0, "rotation", {0.5f, 1.5f}, joined({turn({0, 1, 1}, 0), turn({0, 1, 1}, 150)}));
  file.animate(0, 1, "translation", {0.5f, 1, 1.5f}, {0, 0, 0, 1, 2, 3, 1, 2, 4});
  file.json["nodes"][1]["rotation"] = turn({1, 0, 0}, 30);
  file.json["nodes"][1]["scale"] = {2, 2, 2};
  const Mesh rest = load_mesh(folder.write("a.glb", file.glb()));
  const Eigen::Affine3d above(AngleAxisd(std::numbers::pi / 6, Vec3d::UnitX()) *
                              Eigen::Scaling(2.0));
  const auto where = [&](const Vec3d& p, double t) {
    const double angle = 150 * std::numbers::pi / 180 * t;
    const Vec3d by = t < 0.5 ? Vec3d(2 * t, 4 * t, 6 * t) : Vec3d(1, 2, 3 + 2 * (t - 0.5));
    const Vec3d own = above.inverse() * p;  // the mesh is loaded where its nodes have it
    return Vec3d(above * (AngleAxisd(angle, Vec3d(0, 1, 1).normalized()) * own) + by);
  };
  const VertexClip clip = load(folder, file);
  EXPECT_EQ(clip.name, "clip 1");
  EXPECT_EQ(clip.points, 8u);
  EXPECT_EQ(clip.times.front(), 0);
  EXPECT_DOUBLE_EQ(clip.times.back(), 1);
  expect_at(clip, rest, where, 3e-6);
  // 1/800 of a radius: half a diagonal of a cube of side 4.
  EXPECT_LT(farthest_between(clip, rest, where), 3.47 / 800);
  // Frames of whoever asks are samples.
  for (int f = 0; f <= 24; ++f) {
    EXPECT_TRUE(std::any_of(clip.times.begin(), clip.times.end(), [&](double t) {
      return std::abs(t - f / 24.0) < 1e-4;
    })) << f;
  }
}

TEST(VertexClips, what_goes_straight_has_no_more_samples_than_keys) {
  const test::Folder folder;
  Gltf file = box();
  file.animate(0, 0, "translation", {0, 1, 4}, {0, 0, 0, 1, 0, 0, 1, 5, 0});
  EXPECT_EQ(load(folder, file).times, (std::vector<double>{0, 1, 4}));
  // One key is a pose.
  Gltf still = box();
  still.animate(0, 0, "translation", {3}, {0, 7, 0});
  const VertexClip pose = load(folder, still);
  EXPECT_EQ(pose.times, std::vector<double>{0});
  EXPECT_NEAR(pose.places[0].y(), load_mesh(folder / "a.glb").positions[0].y() + 7, 1e-6);
}

TEST(VertexClips, steps_and_splines_of_nodes) {
  const test::Folder folder;
  Gltf file = box();
  const Mesh rest = load_mesh(folder.write("a.glb", file.glb()));
  file.animate(0, 0, "translation", {0, 1, 2}, {0, 0, 0, 3, 0, 0, 4, 0, 0}, "STEP");
  const VertexClip steps = load(folder, file);
  expect_at(steps, rest, [](const Vec3d& p, double t) {
    return Vec3d(p + Vec3d(t < 1 ? 0 : t < 2 ? 3 : 4, 0, 0));
  });
  EXPECT_EQ(steps.times.size(), 5u) << "keys, and the moments before them";

  // A slope of 2 at its beginning and of -1 at its end, of x; from 0 to 1 in 2 s.
  Gltf spline = box();
  spline.animate(0, 0, "translation", {1, 3},
                 {9, 9, 9, 0, 0, 0, 2, 0, 0, -1, 0, 0, 1, 0, 0, 9, 9, 9}, "CUBICSPLINE");
  const auto where = [](const Vec3d& p, double t) {
    const double u = t / 2, u2 = u * u, u3 = u2 * u;
    const double x = 2 * (u3 - 2 * u2 + u) * 2 + (3 * u2 - 2 * u3) + 2 * (u3 - u2) * -1;
    return Vec3d(p + Vec3d(x, 0, 0));
  };
  const VertexClip bent = load(folder, spline);
  EXPECT_EQ(bent.times.size(), 49u) << "24 a second";
  expect_at(bent, rest, where);
}

// --- morph targets -------------------------------------------------------------------------------

// Two targets: x by 1, and y by the vertex's own z.
Gltf morphing() {
  Gltf file = box();
  const Mesh cube = kernels::make_box({{2, 2, 2}, {1, 1, 1}});
  std::vector<float> first, second;
  for (const Vec3f& p : cube.positions) {
    first.insert(first.end(), {1, 0, 0});
    second.insert(second.end(), {0, p.z(), 0});
  }
  Json& primitive = file.json["meshes"][0]["primitives"][0];
  primitive["targets"] = {{{"POSITION", file.add("VEC3", 3, first)}},
                          {{"POSITION", file.add("VEC3", 3, second)}}};
  return file;
}

Vec3d blended(const Vec3d& p, double a, double b) { return p + Vec3d(a, b * p.z(), 0); }

TEST(VertexClips, weights_of_targets_by_lines_steps_and_splines) {
  const test::Folder folder;
  Gltf file = morphing();
  const Mesh rest = load_mesh(folder.write("a.glb", file.glb()));
  file.animate(0, 0, "weights", {0, 2}, {0, 1, 1, -0.5f});
  const VertexClip lines = load(folder, file);
  EXPECT_EQ(lines.times.size(), 2u);
  expect_at(lines, rest, [](const Vec3d& p, double t) { return blended(p, t / 2, 1 - 0.75 * t); });

  Gltf stepping = morphing();
  stepping.animate(0, 0, "weights", {0, 1}, {0.25f, 0.5f, 1, 0}, "STEP");
  const VertexClip steps = load(folder, stepping);
  EXPECT_EQ(steps.times.size(), 3u);
  expect_at(steps, rest, [](const Vec3d& p, double t) {
    return t < 1 ? blended(p, 0.25, 0.5) : blended(p, 1, 0);
  });

  // For each key: slopes before it, values, slopes after it. The second is a parabola t (2 - t).
  Gltf spline = morphing();
  spline.animate(0, 0, "weights", {0, 2}, {7, 7, 0, 0, 0, 2, 0, -2, 1, 0, 7, 7}, "CUBICSPLINE");
  const VertexClip splines = load(folder, spline);
  EXPECT_EQ(splines.times.size(), 49u);
  expect_at(splines, rest, [](const Vec3d& p, double t) {
    const double u = t / 2;
    return blended(p, 3 * u * u - 2 * u * u * u, t * (2 - t));
  });
}

TEST(VertexClips, weights_at_rest_count_where_no_curve_says_more) {
  const test::Folder folder;
  Gltf file = morphing();
  const Mesh rest = load_mesh(folder.write("a.glb", file.glb()));
  file.animate(0, 0, "translation", {0, 1}, {0, 0, 0, 0, 0, 1});
  file.json["meshes"][0]["weights"] = {0.5, 0};
  expect_at(load(folder, file), rest,
            [](const Vec3d& p, double t) { return Vec3d(blended(p, 0.5, 0) + Vec3d(0, 0, t)); });
  file.json["nodes"][0]["weights"] = {0, 2};
  expect_at(load(folder, file), rest,
            [](const Vec3d& p, double t) { return Vec3d(blended(p, 0, 2) + Vec3d(0, 0, t)); });
}

// --- skins ---------------------------------------------------------------------------------------

TEST(VertexClips, skins_move_vertices_as_their_joints_do) {
  const test::Folder folder;
  const Gltf file = test::bending_strip(2);
  const Mesh rest = load_mesh(folder.write("a.glb", file.glb()));
  const auto where = [](const Vec3d& p, double t) {
    if (p.y() < 0.99) return p;
    return Vec3d(AngleAxisd(std::numbers::pi / 4 * t, Vec3d::UnitZ()) * (p - Vec3d(0, 1, 0)) +
                 Vec3d(0, 1, 0));
  };
  expect_at(load(folder, file), rest, where, 2e-6);
  EXPECT_EQ(load(folder, file, "bend").name, "bend");
}

TEST(VertexClips, shares_of_joints_are_a_mean) {
  const test::Folder folder;
  Gltf file = test::bending_strip(1);
  // Every vertex half on the root and half on the middle joint, written as bytes of 128: of 1.004.
  std::vector<uint8_t> joints, shares;
  for (int v = 0; v < 26; ++v) {
    joints.insert(joints.end(), {0, 1, 0, 0});
    shares.insert(shares.end(), {128, 128, 0, 0});
  }
  Json& attributes = file.json["meshes"][0]["primitives"][0]["attributes"];
  attributes["JOINTS_0"] = file.add("VEC4", 4, joints);
  const int of_bytes = file.add("VEC4", 4, shares);
  file.json["accessors"][static_cast<std::size_t>(of_bytes)]["normalized"] = true;
  attributes["WEIGHTS_0"] = of_bytes;
  const Mesh rest = load_mesh(folder.write("a.glb", file.glb()));
  expect_at(
      load(folder, file), rest,
      [](const Vec3d& p, double t) {
        const Vec3d turned =
            AngleAxisd(std::numbers::pi / 2 * t, Vec3d::UnitZ()) * (p - Vec3d(0, 1, 0)) +
            Vec3d(0, 1, 0);
        return Vec3d(0.5 * (p + turned));
      },
      2e-6);
}

// Wherever the mesh was bound: at its first moment the clip is the mesh, and the joints of
// load_skeleton lie in it.
TEST(VertexClips, a_skin_begins_where_the_mesh_is_loaded) {
  const test::Folder folder;
  Eigen::Affine3d bound = Eigen::Affine3d::Identity();
  bound.translate(Vec3d(3, 1, -2)).rotate(AngleAxisd(1, Vec3d(1, 2, 3).normalized())).scale(0.1);
  Gltf file = test::strip(bound);
  file.animate(0, middle_node, "rotation", {0, 1},
               joined({turn({0, 0, 1}, 0), turn({0, 0, 1}, 90)}));
  const auto path = folder.write("a.glb", file.glb());
  const Mesh rest = load_mesh(path);
  const VertexClip clip = load_vertex_clip(path, {"", 1.0 / 24, rest.vertex_count()});
  for (std::size_t v = 0; v < clip.points; ++v) {
    EXPECT_LT((clip.places[v] - rest.positions[v]).norm(), 1e-5f);
  }
  // The last row of the strip is as far from the joint at its end as ever, at all times.
  const SkeletonFile skeleton = load_skeleton(path);
  const auto tip = bound * Vec3d(0, 3, 0);
  const auto middle = bound * Vec3d(0, 1, 0);
  const Vec3f last = clip.places[clip.points * (clip.times.size() - 1) + clip.points - 1];
  EXPECT_NEAR((last.cast<double>() - middle).norm(), (tip - middle).norm(), 2e-3);
  EXPECT_GT((last.cast<double>() - tip).norm(), 0.1);
}

// --- which vertices, which clip ------------------------------------------------------------------

TEST(VertexClips, vertices_are_joined_as_the_mesh_has_them) {
  const test::Folder folder;
  Gltf file = box(true);
  file.animate(0, 0, "translation", {0, 1}, {0, 0, 0, 1, 0, 0});
  const auto path = folder.write("a.glb", file.glb());
  const Mesh joined_mesh = load_mesh(path);
  LoadOptions options;
  options.join_vertices = false;
  const Mesh split = load_mesh(path, options);
  ASSERT_EQ(joined_mesh.vertex_count(), 8u);
  ASSERT_EQ(split.vertex_count(), 36u);
  const auto where = [](const Vec3d& p, double t) { return Vec3d(p + Vec3d(t, 0, 0)); };
  expect_at(load_vertex_clip(path, {"", 0.1, 8}), joined_mesh, where);
  expect_at(load_vertex_clip(path, {"", 0.1, 36}), split, where);
  EXPECT_EQ(reading(path, 12),
            "it has 8 vertices, 36 if none are joined, but the mesh has 12; load the mesh from "
            "this file");
}

TEST(VertexClips, several_meshes_are_one_in_the_order_of_the_scene) {
  const test::Folder folder;
  Gltf file = box();
  file.json["nodes"] = {{{"mesh", 0}, {"translation", {10, 0, 0}}},
                        {{"mesh", 0}, {"children", {2, 3}}},
                        {{"mesh", 0}, {"translation", {0, 10, 0}}},
                        {{"mesh", 0}, {"translation", {0, 0, 10}}},
                        {{"mesh", 0}, {"translation", {9, 9, 9}}}};  // not in the scene
  file.json["scenes"] = {{{"nodes", {1, 0}}}};
  file.animate(0, 2, "translation", {0, 1}, {0, 10, 0, 0, 20, 0});
  const Mesh rest = load_mesh(folder.write("a.glb", file.glb()));
  ASSERT_EQ(rest.vertex_count(), 32u);
  expect_at(load(folder, file), rest, [](const Vec3d& p, double t) {
    return Vec3d(p + Vec3d(0, p.y() > 5 ? 10 * t : 0, 0));
  });
}

TEST(VertexClips, clips_have_names_and_numbers) {
  const test::Folder folder;
  Gltf file = box();
  file.json["nodes"].push_back({{"name", "a light"}});
  for (std::size_t c = 0; c < 3; ++c) {
    const auto far = static_cast<float>(c + 1);
    // The second moves nothing that is seen, and does not count.
    file.animate(c, c == 1 ? 2 : 0, "translation", {0, 1}, {0, 0, 0, far, 0, 0});
  }
  file.json["animations"][0]["name"] = "hop";
  file.json["animations"][2]["name"] = "hop";
  const auto moved = [&](const std::string& name) {
    const VertexClip clip = load(folder, file, name);
    return clip.places[clip.points].x() - clip.places[0].x();
  };
  EXPECT_EQ(moved(""), 1);
  EXPECT_EQ(moved("1"), 1);
  EXPECT_EQ(moved("2"), 3);
  EXPECT_EQ(moved("hop"), 1);
  EXPECT_EQ(moved("hop 2"), 3);
  EXPECT_EQ(reading(folder / "a.glb", 8, "walk"), "there is no clip 'walk'; there are hop, hop 2");
}

TEST(VertexClips, long_ones_get_fewer_samples) {
  const test::Folder folder;
  Gltf file = box();
  file.animate(0, 0, "rotation", {0, 1e6f}, joined({turn({0, 1, 0}, 0), turn({0, 1, 0}, 170)}));
  EXPECT_LT(load(folder, file).times.size(), 100u);  // frames would be too many: arcs alone count
  Gltf busy = box();
  std::vector<float> times, turns;
  for (int k = 0; k < 30000; ++k) {
    times.push_back(static_cast<float>(k));
    const auto q = turn({0, 1, 0}, 170 * (k % 2));
    turns.insert(turns.end(), q.begin(), q.end());
  }
  busy.animate(0, 0, "rotation", times, turns);
  const VertexClip clip = load(folder, busy);
  EXPECT_EQ(clip.times.size(), 20000u);
  EXPECT_TRUE(std::is_sorted(clip.times.begin(), clip.times.end()));
}

// --- what is not right ---------------------------------------------------------------------------

TEST(VertexClips, files_without_motion_say_what_would_be_right) {
  const test::Folder folder;
  const std::string none =
      "there is no motion in it: an animation of its meshes by nodes, joints or morph targets "
      "would be one";
  EXPECT_EQ(reading(folder.write("a.glb", box().glb()), 8), none);
  Gltf file = box();
  file.json["nodes"].push_back({{"name", "a light"}});
  file.animate(0, 2, "translation", {0, 1}, {0, 0, 0, 1, 0, 0});
  EXPECT_EQ(reading(folder.write("a.glb", file.glb()), 8), none);
  EXPECT_EQ(reading(folder / "b.glb", 8), "no such file");
  EXPECT_EQ(reading(folder.write("c.glb", ""), 8), "the file is empty");
  EXPECT_EQ(reading(folder.write("c.obj", "v 0 0 0"), 8),
            "clips of meshes are read from files ending in .glb or .gltf");
  EXPECT_EQ(reading(folder.write("d.gltf", R"({"asset":{"version":"2.0"}})"), 8),
            "there are no vertices in it");
}

using Spoil = std::function<void(Gltf&)>;

TEST(VertexClips, hostile_shapes) {
  const test::Folder folder;
  const auto primitive = [](Gltf& f) -> Json& { return f.json["meshes"][0]["primitives"][0]; };
  const std::vector<std::pair<std::string, Spoil>> ways = {
      {"mesh out of range", [](Gltf& f) { f.json["nodes"][0]["mesh"] = 5; }},
      {"places of another type", [](Gltf& f) { f.json["accessors"][0]["type"] = "VEC2"; }},
      {"places beyond the buffer", [](Gltf& f) { f.json["accessors"][0]["count"] = 1 << 20; }},
      {"places without a buffer",
       [](Gltf& f) {
         f.json["accessors"][0].erase("bufferView");
         f.json["accessors"][0]["count"] = 4000000000u;
       }},
      {"place is no number",
       [](Gltf& f) {
         const float bad = NAN;
         std::memcpy(f.bytes.data(), &bad, sizeof bad);
       }},
      {"target out of range", [&](Gltf& f) { primitive(f)["targets"][0]["POSITION"] = 99; }},
      {"target of another size", [](Gltf& f) { f.json["accessors"][2]["count"] = 7; }},
      {"target is no number",
       [](Gltf& f) {
         const float bad = INFINITY;
         const std::size_t at = f.json["bufferViews"][2]["byteOffset"];
         std::memcpy(f.bytes.data() + at, &bad, sizeof bad);
       }},
      {"parts of other targets",
       [&](Gltf& f) {
         Json other = primitive(f);
         other.erase("targets");
         f.json["meshes"][0]["primitives"].push_back(other);
       }},
      {"weights of another count", [](Gltf& f) { f.json["nodes"][0]["weights"] = {1}; }},
      {"keys of another count",
       [](Gltf& f) {
         f.animate(0, 0, "weights", {0, 1}, {0, 0, 1});
       }},
      {"spline without slopes",
       [](Gltf& f) {
         f.animate(0, 0, "weights", {0, 1}, {0, 0, 1, 1}, "CUBICSPLINE");
       }},
      {"no keys", [](Gltf& f) { f.animate(0, 0, "weights", {}, {}); }},
      {"time is no number",
       [](Gltf& f) {
         f.animate(0, 0, "weights", {0, NAN}, {0, 0, 1, 1});
       }},
      {"weight is no number",
       [](Gltf& f) {
         f.animate(0, 0, "weights", {0, 1}, {0, 0, 1, INFINITY});
       }},
      {"keys run backwards",
       [](Gltf& f) {
         f.animate(0, 0, "weights", {1, 0}, {0, 0, 1, 1});
       }},
      {"moves no node",
       [](Gltf& f) {
         f.animate(0, 9, "weights", {0, 1}, {0, 0, 1, 1});
       }},
      {"sampler out of range",
       [](Gltf& f) { f.json["animations"][0]["channels"][0]["sampler"] = 5; }},
      {"a ring of nodes", [](Gltf& f) { f.json["nodes"][0]["children"] = {1}; }},
      {"its own child", [](Gltf& f) { f.json["nodes"][0]["children"] = {0}; }},
      {"two parents",
       [](Gltf& f) {
         f.json["nodes"].push_back({{"children", {0}}});
         f.json["scenes"][0]["nodes"].push_back(2);
       }},
      {"a root twice",
       [](Gltf& f) {
         f.json["scenes"][0]["nodes"] = {1, 1, 1};
       }},
      {"root out of range", [](Gltf& f) { f.json["scenes"][0]["nodes"] = {77}; }},
      {"compressed",
       [&](Gltf& f) { primitive(f)["extensions"]["KHR_draco_mesh_compression"] = Json::object(); }},
      {"too far away", [](Gltf& f) {
         f.animate(0, 0, "weights", {0, 1}, {0, 0, 3e38f, 3e38f});
       }}};
  for (const auto& [what, spoil] : ways) {
    Gltf file = morphing();
    if (what != "too far away") file.animate(0, 0, "weights", {0, 1}, {0, 0, 1, 1});
    if (what == "too far away") {
      file.json["nodes"][0]["scale"] = {1e30, 1e30, 1e30};
    } else {
      ASSERT_EQ(reading(folder.write("whole.glb", file.glb()), 8), "");
    }
    spoil(file);
    EXPECT_NE(reading(folder.write("a.glb", file.glb()), 8), "") << what;
  }
}

TEST(VertexClips, hostile_skins) {
  const test::Folder folder;
  const std::vector<std::pair<std::string, Spoil>> ways = {
      {"joint out of range", [](Gltf& f) { f.json["skins"][0]["joints"][1] = 99; }},
      {"skin out of range", [](Gltf& f) { f.json["nodes"][strip_node]["skin"] = 7; }},
      {"no joints", [](Gltf& f) { f.json["skins"][0]["joints"] = Json::array(); }},
      {"too few matrices", [](Gltf& f) { f.json["accessors"][4]["count"] = 2; }},
      {"more weights than vertices", [](Gltf& f) { f.json["accessors"][2]["count"] = 25; }},
      {"a vertex follows no joint of it",
       [](Gltf& f) { f.bytes[f.json["bufferViews"][1]["byteOffset"].get<std::size_t>()] = 9; }},
      {"a weight is no number",
       [](Gltf& f) {
         const float bad = NAN;
         const std::size_t at = f.json["bufferViews"][2]["byteOffset"];
         std::memcpy(f.bytes.data() + at, &bad, sizeof bad);
       }},
      {"a matrix is no number", [](Gltf& f) {
         const float bad = NAN;
         const std::size_t at = f.json["bufferViews"][4]["byteOffset"];
         std::memcpy(f.bytes.data() + at, &bad, sizeof bad);
       }}};
  for (const auto& [what, spoil] : ways) {
    Gltf file = test::bending_strip();
    ASSERT_EQ(reading(folder.write("whole.glb", file.glb()), 26), "");
    spoil(file);
    EXPECT_NE(reading(folder.write("a.glb", file.glb()), 26), "") << what;
  }
}

// A short file that names one accessor, one mesh or one list very often.
TEST(VertexClips, much_from_little_is_refused_at_once) {
  const test::Folder folder;
  Gltf targets = box();
  targets.json["accessors"].push_back(
      {{"componentType", 5126}, {"count", 5000000}, {"type", "VEC3"}});
  Json& primitive = targets.json["meshes"][0]["primitives"][0];
  primitive["attributes"]["POSITION"] = 2;
  for (int k = 0; k < 1000; ++k) primitive["targets"].push_back({{"POSITION", 2}});
  EXPECT_NE(reading(folder.write("a.glb", targets.glb()), 8).find("too many elements"),
            std::string::npos);

  Gltf crowd = box();
  for (int k = 0; k < 1000; ++k) {
    crowd.json["meshes"][0]["primitives"].push_back(crowd.json["meshes"][0]["primitives"][0]);
    crowd.json["nodes"].push_back({{"mesh", 0}});
    crowd.json["scenes"][0]["nodes"].push_back(2 + k);
  }
  EXPECT_NE(reading(folder.write("a.glb", crowd.glb()), 8).find("parts of meshes"),
            std::string::npos);
}

TEST(VertexClips, spoilt_bytes_never_crash) {
  const test::Folder folder;
  std::mt19937 random(5);
  Gltf skinned = test::bending_strip();
  Gltf blending = morphing();
  blending.animate(0, 0, "weights", {0, 1}, {0, 0, 1, 1}, "STEP");
  for (const std::string& whole : {skinned.text(), skinned.glb(), blending.glb()}) {
    const char* const name = whole.starts_with("glTF") ? "a.glb" : "a.gltf";
    for (int i = 0; i < 150; ++i) {
      std::string bytes = whole;
      for (int k = 0; k < 3; ++k) bytes[random() % bytes.size()] = static_cast<char>(random());
      if (i % 5 == 0) bytes.resize(random() % bytes.size());
      reading(folder.write(name, bytes), 26);
    }
  }
}

}  // namespace
}  // namespace sinew
