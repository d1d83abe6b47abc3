#include "nodes/geometry/skeleton_files.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/kernels/fbx_maker.h"
#include "tests/kernels/rig_maker.h"
#include "tests/kernels/shapes.h"

namespace sinew {
namespace {

using test::strip_node, test::armature_node, test::root_node, test::middle_node, test::tip_node;
using test::turn, test::joined;

constexpr double right_angle = std::numbers::pi / 2;

std::size_t joint(const Skeleton& skeleton, const std::string& name) {
  for (std::size_t j = 0; j < skeleton.joint_count(); ++j) {
    if (skeleton.joints[j].name == name) return j;
  }
  ADD_FAILURE() << "no joint '" << name << "'";
  return 0;
}

std::vector<std::string> names(const Skeleton& skeleton) {
  std::vector<std::string> list;
  for (const SkeletonJoint& j : skeleton.joints) list.push_back(j.name);
  return list;
}

void expect_near(const Vec3d& a, const Vec3d& b, double within = 1e-5) {
  EXPECT_LE((a - b).norm(), within) << a.transpose() << " is not " << b.transpose();
}

// All joints lie within the box of the mesh that is loaded from the same file.
void expect_inside(const Skeleton& skeleton, const std::filesystem::path& path,
                   const LoadOptions& options = {}) {
  Eigen::AlignedBox3d box;
  for (const Vec3f& p : load_mesh(path, options).positions) box.extend(p.cast<double>());
  const double room = 1e-5 * box.diagonal().norm();
  for (const SkeletonJoint& j : skeleton.joints) {
    EXPECT_LE(box.exteriorDistance(j.place), room) << j.name << " " << j.place.transpose();
  }
}

// Where the tip is after the middle joint has turned about z, in the strip's own space.
Vec3d bent(double angle, double from_middle = 1) {
  return {-from_middle * std::sin(angle), 1 + from_middle * std::cos(angle), 0};
}

TEST(SkeletonFiles, joints_bones_and_a_clip_of_a_gltf) {
  const test::Folder folder;
  const test::Gltf file = test::bending_strip();
  for (const auto& path :
       {folder.write("a.gltf", file.text()), folder.write("a.GLB", file.glb())}) {
    const SkeletonFile read = load_skeleton(path);
    const Skeleton& s = read.skeleton;
    EXPECT_EQ(names(s), (std::vector<std::string>{"root", "middle", "tip", "tip end"}));
    ASSERT_EQ(s.bone_count(), 3u);
    for (std::size_t b = 0; b < 3; ++b) {
      EXPECT_EQ(s.bones[b].name, s.joints[b + 1].name);
      EXPECT_EQ(s.bones[b].joints[0], b);
      EXPECT_EQ(s.bones[b].joints[1], b + 1);
      expect_near(s.rest(b), Vec3d(0, static_cast<double>(b), 0));
    }
    expect_near(s.rest(3), Vec3d(0, 3, 0), 0.2);
    expect_inside(s, path);
    ASSERT_EQ(read.clips.size(), 1u);
    const SkeletonClip& clip = read.clips[0];
    EXPECT_EQ(clip.name, "bend");
    EXPECT_EQ(clip.joints, names(s));
    EXPECT_NEAR(clip.duration(), 1, 1e-6);
    EXPECT_EQ(clip.times[0], 0);
    const double end = s.rest(3).y() - 1;
    for (const double t : {0.0, 0.1, 0.25, 0.5, 0.77, 1.0, 2.0}) {
      const double angle = right_angle * std::min(t, 1.0);
      expect_near(clip.place(0, t), Vec3d(0, 0, 0));
      expect_near(clip.place(1, t), Vec3d(0, 1, 0));
      expect_near(clip.place(2, t), bent(angle), 1e-4);
      expect_near(clip.place(3, t), bent(angle, end), 2e-4);
    }
  }
}

TEST(SkeletonFiles, arcs_keep_their_radius_between_samples) {
  const test::Folder folder;
  for (const float seconds : {0.05f, 0.3f, 1.0f, 10.0f}) {
    test::Gltf file = test::bending_strip(seconds);
    file.animate(0, root_node, "rotation", {0, seconds},
                 joined({turn({0, 1, 1}, 10), turn({0, 1, 1}, 175)}));
    const SkeletonFile read = load_skeleton(folder.write("a.gltf", file.text()));
    const SkeletonClip& clip = read.clips[0];
    EXPECT_GE(static_cast<double>(clip.times.size()), 60 * seconds);
    EXPECT_LE(clip.times.size(), 1000u);
    double worst = 0;
    for (int i = 0; i <= 5000; ++i) {
      const double t = seconds * i / 5000;
      const Vec3d middle = clip.place(1, t);
      worst = std::max(worst, std::abs(middle.norm() - 1));
      worst = std::max(worst, std::abs((clip.place(2, t) - middle).norm() - 1));
    }
    EXPECT_LE(worst, 1e-4) << seconds;
  }
}

TEST(SkeletonFiles, straight_motions_need_no_samples_but_their_keys) {
  const test::Folder folder;
  test::Gltf file = test::strip();
  file.animate(0, root_node, "translation", {2, 3, 7}, {0, 0, 0, 1, 0, 0, 1, 0, 4});
  const SkeletonFile read = load_skeleton(folder.write("a.gltf", file.text()));
  const SkeletonClip& clip = read.clips[0];
  EXPECT_EQ(clip.name, "clip 1");
  EXPECT_EQ(clip.times, (std::vector<double>{0, 1, 5}));  // it begins at its first key
  expect_near(clip.place(0, 3), Vec3d(1, 0, 2));
  expect_near(clip.place(2, 3), Vec3d(1, 2, 2));
}

TEST(SkeletonFiles, splines_and_steps) {
  const test::Folder folder;
  test::Gltf file = test::strip();
  // In-slope, value, out-slope. From 0 to 1 in 2 s, leaving at 3 m/s and arriving at rest.
  file.animate(0, root_node, "translation", {0, 2},
               {0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0}, "CUBICSPLINE");
  file.animate(0, middle_node, "rotation", {0, 1, 2},
               joined({turn({0, 0, 1}, 0), turn({0, 0, 1}, 90), turn({0, 0, 1}, 90)}), "STEP");
  const std::vector<float> none(4, 0.0f);
  file.animate(1, middle_node, "rotation", {0, 1},
               joined({none, turn({0, 0, 1}, 0), none, none, turn({0, 0, 1}, 120), none}),
               "CUBICSPLINE");
  const SkeletonFile read = load_skeleton(folder.write("a.gltf", file.text()));
  ASSERT_EQ(read.clips.size(), 2u);
  const auto hermite = [](double t) {
    const double u = t / 2;
    return 2 * 3 * (u * u * u - 2 * u * u + u) + 3 * u * u - 2 * u * u * u;
  };
  for (const double t : {0.0, 0.3, 0.99, 1.01, 1.5, 2.0}) {
    const Vec3d root(hermite(t), 0, 0);
    expect_near(read.clips[0].place(0, t), root, 1e-3);
    expect_near(read.clips[0].place(2, t), root + bent(t < 1 ? 0 : right_angle), 1e-3);
  }
  for (const double t : {0.0, 0.2, 0.5, 0.8, 1.0}) {
    const double u = 3 * t * t - 2 * t * t * t;
    const double sixty = std::numbers::pi / 3;  // half of the turn is in the quaternion
    const double half = std::atan2(u * std::sin(sixty), 1 - u + u * std::cos(sixty));
    expect_near(read.clips[1].place(2, t), bent(2 * half), 1e-4);
  }
}

// The mesh below a turned and scaled armature; beside it, in the space of the world; and at a place
// of its own, which a skin does not heed but our mesh has.
TEST(SkeletonFiles, the_skeleton_is_where_the_mesh_is) {
  const test::Folder folder;
  const Eigen::Affine3d armature = Eigen::Translation3d(1, 2, 3) *
                                   Eigen::AngleAxisd(right_angle, Vec3d::UnitX()) *
                                   Eigen::Scaling(0.5);
  const auto placed = [](test::Gltf file) {
    test::Json& node = file.json["nodes"][armature_node];
    node["translation"] = {1, 2, 3};
    node["rotation"] = turn({1, 0, 0}, 90);
    node["scale"] = {0.5, 0.5, 0.5};
    file.animate(0, middle_node, "rotation", {0, 1},
                 joined({turn({0, 0, 1}, 0), turn({0, 0, 1}, 90)}));
    return file;
  };
  test::Gltf below = placed(test::strip());
  below.json["nodes"][armature_node]["children"] = {root_node, strip_node};
  below.json["scenes"][0]["nodes"] = {armature_node};
  const test::Gltf beside = placed(test::strip(armature));
  // The mesh's vertices are in the frame of the armature: bound there, standing here.
  test::Gltf apart = placed(test::strip());
  apart.json["nodes"][strip_node]["translation"] = {5, 0, 0};
  for (const auto& [file, frame] : {std::pair{below, armature},
                                    {beside, armature},
                                    {apart, Eigen::Affine3d(Eigen::Translation3d(5, 0, 0))}}) {
    const auto path = folder.write("a.gltf", file.text());
    const SkeletonFile read = load_skeleton(path);
    expect_inside(read.skeleton, path);
    for (std::size_t j = 0; j < 3; ++j) {
      expect_near(read.skeleton.rest(j), frame * Vec3d(0, static_cast<double>(j), 0), 1e-5);
    }
    for (const double t : {0.0, 0.4, 1.0}) {
      expect_near(read.clips[0].place(2, t), frame * bent(right_angle * t), 1e-4);
    }
  }
}

TEST(SkeletonFiles, unit_and_up_axis_as_for_meshes) {
  const test::Folder folder;
  const auto path = folder.write("a.gltf", test::bending_strip().text());
  for (const UpAxis up : {UpAxis::y, UpAxis::z}) {
    for (const float scale : {0.01f, 1.0f, -2.0f, 1000.0f}) {
      LoadOptions options;
      options.file_up = up;
      options.scale = scale;
      const SkeletonFile read = load_skeleton(path, options);
      expect_inside(read.skeleton, path, options);
      const Vec3d tip = up == UpAxis::y ? Vec3d(0, 2, 0) : Vec3d(0, 0, -2);
      expect_near(read.skeleton.rest(2), scale * tip, 1e-5 * std::abs(scale));
      expect_near(read.clips[0].place(2, 0), scale * tip, 1e-5 * std::abs(scale));
    }
  }
  LoadOptions back;
  back.target_up = UpAxis::z;
  expect_near(load_skeleton(path, back).skeleton.rest(2), Vec3d(0, 0, 2));
  expect_inside(load_skeleton(path, back).skeleton, path, back);
}

// A file whose nodes are not as the mesh was bound: at rest is where it was bound.
TEST(SkeletonFiles, a_posed_file_rests_where_it_was_bound) {
  const test::Folder folder;
  test::Gltf file = test::bending_strip();
  file.json["nodes"][middle_node]["rotation"] = turn({0, 0, 1}, 40);
  file.animate(1, root_node, "translation", {0, 1}, {0, 0, 0, 1, 0, 0});
  const auto path = folder.write("a.gltf", file.text());
  const SkeletonFile read = load_skeleton(path);
  expect_inside(read.skeleton, path);
  expect_near(read.skeleton.rest(2), Vec3d(0, 2, 0));
  expect_near(read.clips[0].place(2, 0.5), bent(right_angle / 2), 1e-4);
  const double forty = right_angle * 40 / 90;
  expect_near(read.clips[1].place(2, 1), Vec3d(1, 0, 0) + bent(forty), 1e-4);
}

TEST(SkeletonFiles, names_are_unique_and_never_empty) {
  const test::Folder folder;
  test::Gltf file = test::strip();
  file.json["nodes"][root_node]["name"] = "arm";
  file.json["nodes"][middle_node].erase("name");
  file.json["nodes"][tip_node]["name"] = "arm";
  for (const int clip : {0, 1, 2}) {
    file.animate(static_cast<std::size_t>(clip), root_node, "translation", {0, 1},
                 {0, 0, 0, 0, 0, 1});
  }
  file.json["animations"][0]["name"] = "wave";
  file.json["animations"][2]["name"] = "wave";
  const SkeletonFile read = load_skeleton(folder.write("a.gltf", file.text()));
  EXPECT_EQ(names(read.skeleton),
            (std::vector<std::string>{"arm", "joint 1", "arm 2", "arm 2 end"}));
  EXPECT_EQ(read.clips[0].name, "wave");
  EXPECT_EQ(read.clips[1].name, "clip 1");
  EXPECT_EQ(read.clips[2].name, "wave 2");
  EXPECT_EQ(read.clips[0].joints, names(read.skeleton));
}

TEST(SkeletonFiles, joints_always_at_one_place_are_one) {
  const test::Folder folder;
  test::Gltf file = test::bending_strip();
  // A twist joint at the place of the middle one, between it and the tip.
  file.json["nodes"].push_back({{"name", "twist"}, {"children", {tip_node}}});
  file.json["nodes"][middle_node]["children"] = {5};
  std::vector<std::string> four{"root", "middle", "tip", "tip end"};
  EXPECT_EQ(names(load_skeleton(folder.write("a.gltf", file.text())).skeleton), four);
  file.animate(1, 5, "translation", {0, 1}, {0, 0, 0, 0.1f, 0, 0});
  const Skeleton kept = load_skeleton(folder.write("b.gltf", file.text())).skeleton;
  ASSERT_EQ(kept.joint_count(), 5u);
  expect_near(kept.rest(joint(kept, "twist")), Vec3d(0, 1, 0));
}

TEST(SkeletonFiles, ends_of_bones) {
  const test::Folder folder;
  // A node below the tip that nothing is bound to is its end.
  test::Gltf file = test::strip();
  file.json["nodes"].push_back({{"name", "tip_leaf"}, {"translation", {0, 0.7, 0}}});
  file.json["nodes"][tip_node]["children"] = {5};
  Skeleton s = load_skeleton(folder.write("a.gltf", file.text())).skeleton;
  EXPECT_EQ(names(s), (std::vector<std::string>{"root", "middle", "tip", "tip_leaf"}));
  expect_near(s.rest(3), Vec3d(0, 2.7, 0));
  // Two are not.
  file.json["nodes"].push_back({{"name", "hook"}, {"translation", {0, 0.1, 0}}});
  file.json["nodes"][tip_node]["children"] = {5, 6};
  s = load_skeleton(folder.write("a.gltf", file.text())).skeleton;
  EXPECT_EQ(names(s), (std::vector<std::string>{"root", "middle", "tip", "tip end"}));
  // Vertices on both sides of a joint have no side.
  test::Gltf centred = test::strip();
  centred.json["nodes"][tip_node]["translation"] = {0, 1.5, 0};
  std::vector<float> inverse;
  for (const double y : {0.0, 1.0, 2.5}) {
    test::set_matrix(inverse, Eigen::Affine3d(Eigen::Translation3d(0, -y, 0)));
  }
  centred.json["skins"][0]["inverseBindMatrices"] = centred.add("MAT4", 16, inverse);
  s = load_skeleton(folder.write("a.gltf", centred.text())).skeleton;
  EXPECT_EQ(names(s), (std::vector<std::string>{"root", "middle", "tip"}));
}

// Two joints at one place, each with its own part of the mesh: both parts have a bone.
TEST(SkeletonFiles, a_hinge_of_two_joints_at_one_place) {
  const test::Folder folder;
  test::Gltf file = test::strip();
  file.json["skins"][0]["joints"] = {middle_node, tip_node, tip_node};
  file.json["nodes"][tip_node]["translation"] = {0, 0, 0};
  std::vector<float> inverse;
  for (int j = 0; j < 3; ++j) {
    test::set_matrix(inverse, Eigen::Affine3d(Eigen::Translation3d(0, -1, 0)));
  }
  file.json["skins"][0]["inverseBindMatrices"] = file.add("MAT4", 16, inverse);
  file.animate(0, tip_node, "rotation", {0, 1}, joined({turn({0, 0, 1}, 0), turn({0, 0, 1}, 90)}));
  const auto path = folder.write("a.gltf", file.text());
  const SkeletonFile read = load_skeleton(path);
  const Skeleton& s = read.skeleton;
  expect_inside(s, path);
  ASSERT_EQ(names(s), (std::vector<std::string>{"middle", "middle end", "tip end"}));
  expect_near(s.rest(1), Vec3d(0, 0, 0), 0.3);
  const double reach = s.rest(2).y() - 1;
  EXPECT_GT(reach, 0.5);
  expect_near(read.clips[0].place(1, 1), s.rest(1));
  expect_near(read.clips[0].place(2, 1), Vec3d(-reach, 1, 0), 1e-4);
}

TEST(SkeletonFiles, nodes_between_joints_join_them) {
  const test::Folder folder;
  // The middle is not bound, and the armature carries two chains.
  test::Gltf file = test::strip();
  file.json["skins"][0]["joints"] = {root_node, 5, tip_node};
  file.json["nodes"].push_back({{"name", "other"}, {"translation", {1, 1, 0}}});
  file.json["nodes"][armature_node]["children"] = {root_node, 5};
  const Skeleton s = load_skeleton(folder.write("a.gltf", file.text())).skeleton;
  for (const char* name : {"armature", "root", "middle", "tip", "other"}) joint(s, name);
  EXPECT_EQ(validate(s), std::nullopt);
  // All in one piece.
  EXPECT_EQ(s.bone_count() + 1, s.joint_count());
}

TEST(SkeletonFiles, without_a_skin_what_is_animated_counts) {
  const test::Folder folder;
  test::Gltf file = test::bending_strip();
  file.json["nodes"][strip_node].erase("skin");
  file.json.erase("skins");
  const SkeletonFile read = load_skeleton(folder.write("a.gltf", file.text()));
  EXPECT_EQ(names(read.skeleton), (std::vector<std::string>{"middle", "tip"}));
  expect_near(read.clips[0].place(1, 0.5), bent(right_angle / 2), 1e-4);
}

TEST(SkeletonFiles, long_clips_get_coarser) {
  const test::Folder folder;
  const auto path = folder.write("a.gltf", test::bending_strip(100000).text());
  const SkeletonFile read = load_skeleton(path);
  EXPECT_EQ(read.clips[0].times.size(), 20000u);
  EXPECT_NEAR(read.clips[0].duration(), 100000, 1e-6);
  expect_near(read.clips[0].place(2, 50000), bent(right_angle / 2), 1e-4);
}

TEST(SkeletonFiles, threads_do_not_matter) {
  const test::Folder folder;
  const auto path = folder.write("a.gltf", test::bending_strip(20).text());
  test::expect_same_for_threads([&] { return load_skeleton(path).clips; });
}

TEST(SkeletonFiles, a_clip_says_what_is_wrong_with_it) {
  SkeletonClip clip{"c", {0, 1}, {{0, 0, 0}, {1, 0, 0}}, {"a"}};
  EXPECT_EQ(validate(clip), std::nullopt);
  EXPECT_EQ(validate(SkeletonClip{}), std::nullopt);
  EXPECT_EQ(clip.duration(), 1);
  expect_near(clip.place(0, 0.25), Vec3d(0.25, 0, 0), 0);
  expect_near(clip.place(0, NAN), Vec3d(0, 0, 0), 0);
  expect_near(clip.places_at(-3)[0], Vec3d(0, 0, 0), 0);
  expect_near(clip.places_at(0.5)[0], Vec3d(0.5, 0, 0), 0);
  const auto spoilt = [&](const auto& spoil) {
    SkeletonClip bad = clip;
    spoil(bad);
    EXPECT_TRUE(validate(bad));
  };
  spoilt([](SkeletonClip& c) { c.times[0] = 0.5; });
  spoilt([](SkeletonClip& c) { c.times[1] = 0; });
  spoilt([](SkeletonClip& c) { c.times[1] = NAN; });
  spoilt([](SkeletonClip& c) { c.places.pop_back(); });
  spoilt([](SkeletonClip& c) { c.places[1].x() = INFINITY; });
  spoilt([](SkeletonClip& c) { c.times.clear(), c.places.clear(); });
  const SkeletonClip still = SkeletonClip::at_rest({{{"a", {1, 2, 3}}}, {}});
  EXPECT_EQ(still.duration(), 0);
  EXPECT_EQ(validate(still), std::nullopt);
  expect_near(still.place(0, 7), Vec3d(1, 2, 3), 0);
}

}  // namespace
}  // namespace sinew
