// Skeletons from the formats that come through assimp.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "nodes/geometry/skeleton_files.h"
#include "tests/kernels/fbx_maker.h"
#include "tests/kernels/shapes.h"

namespace sinew {
namespace {

using test::fbx_middle, test::fbx_root, test::fbx_tip;

constexpr double right_angle = std::numbers::pi / 2;

void expect_near(const Vec3d& a, const Vec3d& b, double within = 1e-4) {
  EXPECT_LE((a - b).norm(), within) << a.transpose() << " is not " << b.transpose();
}

void expect_inside(const Skeleton& skeleton, const std::filesystem::path& path) {
  Eigen::AlignedBox3d box;
  for (const Vec3f& p : load_mesh(path).positions) box.extend(p.cast<double>());
  for (const SkeletonJoint& j : skeleton.joints) {
    EXPECT_LE(box.exteriorDistance(j.place), 1e-5) << j.name << " " << j.place.transpose();
  }
}

// The middle joint is turned by a right angle about y before its own rotation about z; so it turns
// about the x of the file.
TEST(SkeletonFormats, fbx_as_text_and_binary) {
  const test::Folder folder;
  const Vec3d place(5, 1, 2);
  test::FbxFile file = test::fbx_strip_file(place);
  file.add_stack(100, "bend", 1);
  file.add_curves(110, 101, fbx_middle, "Lcl Rotation", {0, 1}, {{0, 0, 0}, {0, 0, 90}});
  file.add_stack(200, "round", 2);
  file.add_curves(210, 201, fbx_middle, "Lcl Rotation", {0, 2}, {{0, 0, 0}, {0, 0, 360}});
  for (const auto& path :
       {folder.write("a.fbx", file.text()), folder.write("b.fbx", file.binary())}) {
    const SkeletonFile read = load_skeleton(path);
    ASSERT_EQ(read.skeleton.joint_count(), 4u);
    const char* const expected[] = {"root", "middle", "tip", "tip end"};
    for (std::size_t j = 0; j < 4; ++j) EXPECT_EQ(read.skeleton.joints[j].name, expected[j]);
    for (std::size_t j = 0; j < 3; ++j) {
      expect_near(read.skeleton.rest(j), place + Vec3d(0, static_cast<double>(j), 0));
    }
    expect_inside(read.skeleton, path);
    ASSERT_EQ(read.clips.size(), 2u);
    EXPECT_EQ(read.clips[0].name, "bend");
    EXPECT_NEAR(read.clips[0].duration(), 1, 1e-6);
    EXPECT_NEAR(read.clips[1].duration(), 2, 1e-6);
    for (const double t : {0.0, 0.3, 0.5, 1.0}) {
      const double bend = right_angle * t, round = 4 * right_angle * t / 2;
      expect_near(read.clips[0].place(1, t), place + Vec3d(0, 1, 0));
      expect_near(read.clips[0].place(2, t), place + Vec3d(0, 1 + std::cos(bend), std::sin(bend)));
      expect_near(read.clips[1].place(2, t),
                  place + Vec3d(0, 1 + std::cos(round), std::sin(round)));
    }
  }
}

// What FBX has between a node and its rotation. With all of these the frame of a node is
// T Roff Rp Rpre R Rpost^-1 Rp^-1 Soff Sp S Sp^-1.
TEST(SkeletonFormats, fbx_pivots) {
  const test::Folder folder;
  for (const char* pivot : {"RotationPivot", "RotationOffset", "ScalingPivot"}) {
    SCOPED_TRACE(pivot);
    test::FbxFile file = test::fbx_strip_file();
    for (test::Fbx& object : file.objects.children) {
      if (object.name != "Model" || std::get<int64_t>(object.properties[0]) != fbx_middle) continue;
      object.children[1].children.back() = test::vector_property(pivot, {0, 0.25, 0});
    }
    file.add_stack(100, "bend", 1);
    file.add_curves(110, 101, fbx_middle, "Lcl Rotation", {0, 1}, {{0, 0, 0}, {0, 0, 90}});
    const SkeletonFile read = load_skeleton(folder.write("a.fbx", file.binary()));
    ASSERT_EQ(read.skeleton.joint_count(), 4u);
    const bool moved = std::string(pivot) == "RotationOffset";
    const bool about = std::string(pivot) == "RotationPivot";
    for (const double t : {0.0, 0.5, 1.0}) {
      const double angle = right_angle * t;
      const Vec3d up(-std::sin(angle), std::cos(angle), 0);
      const Vec3d middle = about   ? Vec3d(Vec3d(0, 1.25, 0) - 0.25 * up)
                           : moved ? Vec3d(0, 1.25, 0)
                                   : Vec3d(0, 1, 0);
      expect_near(read.clips[0].place(1, t), middle);
      expect_near(read.clips[0].place(2, t), middle + up);
    }
  }
}

TEST(SkeletonFormats, fbx_that_moves_and_scales) {
  const test::Folder folder;
  test::FbxFile file = test::fbx_strip_file();
  file.add_stack(100, "", 2);
  file.add_curves(110, 101, fbx_root, "Lcl Translation", {0, 2}, {{0, 0, 0}, {0, 0, 4}});
  file.add_curves(120, 101, fbx_root, "Lcl Scaling", {0, 2}, {{1, 1, 1}, {1, 3, 1}});
  const SkeletonFile read = load_skeleton(folder.write("a.fbx", file.binary()));
  ASSERT_EQ(read.clips.size(), 1u);
  EXPECT_FALSE(read.clips[0].name.empty());
  expect_near(read.clips[0].place(0, 1), Vec3d(0, 0, 2));
  expect_near(read.clips[0].place(2, 1), Vec3d(0, 4, 2));
}

TEST(SkeletonFormats, bvh) {
  const test::Folder folder;
  const auto path = folder.write("a.bvh", R"(HIERARCHY
ROOT hips
{
  OFFSET 0 1 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT knee
  {
    OFFSET 0 -0.5 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 0 -0.25 0
    }
  }
}
MOTION
Frames: 3
Frame Time: 0.5
0 1 0 0 0 0 0 0 0
0 1 0 0 0 0 45 0 0
1 1 0 0 0 0 90 0 0
)");
  const SkeletonFile read = load_skeleton(path);
  ASSERT_EQ(read.skeleton.joint_count(), 3u);
  EXPECT_EQ(read.skeleton.joints[0].name, "hips");
  expect_near(read.skeleton.rest(0), Vec3d(0, 1, 0));
  expect_near(read.skeleton.rest(1), Vec3d(0, 0.5, 0));
  expect_near(read.skeleton.rest(2), Vec3d(0, 0.25, 0));
  ASSERT_EQ(read.clips.size(), 1u);
  EXPECT_NEAR(read.clips[0].duration(), 1, 1e-6);
  const double angle = right_angle / 4;
  expect_near(read.clips[0].place(2, 0.25),
              Vec3d(0.25 * std::sin(angle), 0.5 - 0.25 * std::cos(angle), 0));
  expect_near(read.clips[0].place(2, 1), Vec3d(1.25, 0.5, 0));
}

std::string source(const std::string& id, const std::string& array, const std::string& values,
                   int count, int stride, const std::string& parameters) {
  return "<source id=\"" + id + "\"><" + array + " id=\"" + id + "-list\" count=\"" +
         std::to_string(count * stride) + "\">" + values + "</" + array +
         "><technique_common><accessor source=\"#" + id + "-list\" count=\"" +
         std::to_string(count) + "\" stride=\"" + std::to_string(stride) + "\">" + parameters +
         "</accessor></technique_common></source>";
}

std::string parameter(const std::string& name, const std::string& type) {
  return "<param name=\"" + name + "\" type=\"" + type + "\"/>";
}

TEST(SkeletonFormats, collada) {
  const test::Folder folder;
  const std::string xyz =
      parameter("X", "float") + parameter("Y", "float") + parameter("Z", "float");
  const std::string text =
      R"(<?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema"
version="1.4.1"><asset><up_axis>Z_UP</up_axis></asset>
<library_geometries><geometry id="g"><mesh>)" +
      source("p", "float_array", "-.1 0 0 .1 0 0 -.1 0 1 .1 0 1 -.1 0 2 .1 0 2", 6, 3, xyz) +
      R"(<vertices id="v"><input semantic="POSITION" source="#p"/></vertices><triangles count="4">
<input semantic="VERTEX" source="#v" offset="0"/><p>0 1 3 0 3 2 2 3 5 2 5 4</p></triangles>
</mesh></geometry></library_geometries><library_controllers><controller id="c"><skin source="#g">)" +
      source("j", "Name_array", "lower upper", 2, 1, parameter("JOINT", "name")) +
      source("b", "float_array", "1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1 1 0 0 0 0 1 0 0 0 0 1 -1 0 0 0 1",
             2, 16, parameter("TRANSFORM", "float4x4")) +
      source("w", "float_array", "1", 1, 1, parameter("WEIGHT", "float")) +
      R"(<joints><input semantic="JOINT" source="#j"/><input semantic="INV_BIND_MATRIX" source="#b"/>
</joints><vertex_weights count="6"><input semantic="JOINT" source="#j" offset="0"/>
<input semantic="WEIGHT" source="#w" offset="1"/><vcount>1 1 1 1 1 1</vcount>
<v>0 0 0 0 1 0 1 0 1 0 1 0</v></vertex_weights></skin></controller></library_controllers>
<library_animations><animation id="a">)" +
      source("t", "float_array", "0 2", 2, 1, parameter("TIME", "float")) +
      source("o", "float_array", "0 90", 2, 1, parameter("ANGLE", "float")) +
      source("n", "Name_array", "LINEAR LINEAR", 2, 1, parameter("INTERPOLATION", "name")) +
      R"(<sampler id="s"><input semantic="INPUT" source="#t"/><input semantic="OUTPUT" source="#o"/>
<input semantic="INTERPOLATION" source="#n"/></sampler><channel source="#s" target="upper/r.ANGLE"/>
</animation></library_animations><library_visual_scenes><visual_scene id="all">
<node id="lower" sid="lower" name="lower" type="JOINT"><node id="upper" sid="upper" name="upper"
type="JOINT"><translate>0 0 1</translate><rotate sid="r">0 1 0 0</rotate></node></node>
<node id="m"><instance_controller url="#c"><skeleton>#lower</skeleton></instance_controller></node>
</visual_scene></library_visual_scenes><scene><instance_visual_scene url="#all"/></scene></COLLADA>)";
  const auto path = folder.write("a.dae", text);
  const SkeletonFile read = load_skeleton(path);
  ASSERT_EQ(read.skeleton.joint_count(), 3u);
  expect_inside(read.skeleton, path);
  expect_near(read.skeleton.rest(0), Vec3d(0, 0, 0));
  expect_near(read.skeleton.rest(1), Vec3d(0, 1, 0));  // assimp turns what has z up
  ASSERT_EQ(read.clips.size(), 1u);
  EXPECT_NEAR(read.clips[0].duration(), 2, 1e-6);
  const Vec3d way = read.skeleton.rest(2) - read.skeleton.rest(1);
  const Eigen::AngleAxisd half(right_angle / 2, -Vec3d::UnitZ());  // y of the file is -z
  expect_near(read.clips[0].place(2, 1), Vec3d(0, 1, 0) + half * way);
}

}  // namespace
}  // namespace sinew
