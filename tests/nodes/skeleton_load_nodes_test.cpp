// Skeletons and clips from files, in graphs.
#include <fstream>
#include <numbers>

#include "nodes/kernels/measure.h"
#include "nodes/kernels/pose_motion.h"
#include "tests/kernels/rig_maker.h"
#include "tests/nodes/harness.h"

namespace sinew::testing {
namespace {

class SkeletonLoad : public ::testing::Test {
 protected:
  SkeletonLoad() { g.context.folder = folder.path(); }

  void write(const std::string& name, const std::string& text) {
    std::ofstream(folder.path() / name, std::ios::binary) << text;
  }
  // Two clips: "bend", and one without a name that moves the root by 1 along x in 2 s.
  static test::Gltf two_clips() {
    test::Gltf file = test::bending_strip();
    file.animate(1, test::root_node, "translation", {0, 2}, {0, 0, 0, 1, 0, 0});
    return file;
  }

  TemporaryFolder folder;
  TestGraph g;
};

TEST_F(SkeletonLoad, GivesSkeletonClipNamesAndDuration) {
  write("a.glb", two_clips().glb());
  g.node("load", "skeleton.load", {{"file", "a.glb"}});
  EXPECT_EQ(g.get<Skeleton>("load.skeleton").joint_count(), 4u);
  EXPECT_EQ(g.get<SkeletonClip>("load.clip").name, "bend");
  EXPECT_EQ(g.get<std::string>("load.clips"), "bend\nclip 1");
  EXPECT_FLOAT_EQ(g.get<float>("load.duration"), 1);
  for (const char* second : {"2", "clip 1"}) {
    g.set("load.clip", second);
    EXPECT_EQ(g.get<SkeletonClip>("load.clip").name, "clip 1");
    EXPECT_FLOAT_EQ(g.get<float>("load.duration"), 2);
  }
}

TEST_F(SkeletonLoad, SaysWhatIsWrong) {
  write("a.glb", two_clips().glb());
  write("still.gltf", test::strip().text());
  write("box.obj", "v 0 0 0\n");
  g.node("load", "skeleton.load");
  EXPECT_EQ(g.run("load.skeleton").errors,
            "load: no file is chosen; set 'file' to the name of a file with a skeleton\n");
  g.set("load.file", "a.glb").set("load.clip", "walk");
  EXPECT_EQ(g.run("load.clip").errors, "load: there is no clip 'walk'; there are bend, clip 1\n");
  g.set("load.file", "still.gltf");
  EXPECT_EQ(g.run("load.clip").errors, "load: there is no clip 'walk': 'still.gltf' has none\n");
  g.set("load.file", "box.obj");
  EXPECT_NE(g.run("load.clip").errors.find("skeletons are read from files ending in"),
            std::string::npos);
  g.set("load.file", std::string("a\nb.glb"));
  EXPECT_NE(g.run("load.clip").errors.find("control character"), std::string::npos);
}

TEST_F(SkeletonLoad, AFileWithoutClipsGivesOneOfNoLength) {
  write("still.gltf", test::strip().text());
  g.node("load", "skeleton.load", {{"file", "still.gltf"}});
  const SkeletonClip clip = g.get<SkeletonClip>("load.clip");
  EXPECT_EQ(clip.duration(), 0);
  EXPECT_EQ(clip.places_at(3), g.get<Skeleton>("load.skeleton").rest_places());
  EXPECT_EQ(g.get<std::string>("load.clips"), "");
  EXPECT_EQ(g.get<float>("load.duration"), 0);
}

TEST_F(SkeletonLoad, LiesInTheMeshOfTheSameFile) {
  write("a.gltf", two_clips().text());
  for (const char* up : {"y", "z"}) {
    TestGraph both;
    both.context.folder = folder.path();
    const std::map<std::string, Json> how = {
        {"file", "a.gltf"}, {"unit", "cm"}, {"scale", 3}, {"up", up}};
    both.node("mesh", "mesh.load", how).node("load", "skeleton.load", how);
    const Mesh mesh = both.get<Mesh>("mesh.mesh");
    const auto box = kernels::bounding_box(mesh.positions);
    for (const Vec3d& p : both.get<Skeleton>("load.skeleton").rest_places()) {
      EXPECT_LE(box.exteriorDistance(p.cast<float>()), 1e-6f) << up << " " << p.transpose();
    }
  }
}

TEST_F(SkeletonLoad, AChangedFileIsReadAgain) {
  write("a.gltf", test::bending_strip(1).text());
  g.node("load", "skeleton.load", {{"file", "a.gltf"}});
  EXPECT_FLOAT_EQ(g.get<float>("load.duration"), 1);
  write("a.gltf", test::bending_strip(3).text());
  EXPECT_FLOAT_EQ(g.get<float>("load.duration"), 3);
}

TEST_F(SkeletonLoad, AClipLeadsAPose) {
  write("a.gltf", test::bending_strip(1).text());
  g.node("load", "skeleton.load", {{"file", "a.gltf"}});
  g.node("move", "skeleton.animate", {{"clip_repeat", false}});
  g.link("load.skeleton", "move.pose").link("load.clip", "move.clip");
  const double dt = g.context.dt();
  for (const int frame : {0, 5, 10}) {
    const PosedSkeleton pose = g.get<PosedSkeleton>("move.pose", frame);
    const kernels::PoseMotion motion(*pose.recipe);
    const double angle = std::min(frame * dt, 1.0) * std::numbers::pi / 2;
    const Vec3d tip(-std::sin(angle), 1 + std::cos(angle), 0);
    EXPECT_LE((kernels::joints_now(pose, motion)[2].place - tip).norm(), 1e-3) << frame;
  }
}

TEST_F(SkeletonLoad, ClipsCanBeLookedAt) {
  write("a.gltf", test::bending_strip(1).text());
  g.node("load", "skeleton.load", {{"file", "a.gltf"}});
  const Outcome outcome = g.run("load.clip");
  const SkeletonClip& clip = outcome.as<SkeletonClip>();
  const TypeInfo& type = type_of<SkeletonClip>();
  EXPECT_EQ(type.describe(&clip)["duration"], 1.0);
  const std::vector<ValueTable> tables = type.tables(&clip);
  ASSERT_EQ(tables.size(), 1u);
  EXPECT_EQ(tables[0].rows, clip.times.size() * clip.joint_count());
  EXPECT_EQ(tables[0].cell(2, 1), "tip");
  EXPECT_EQ(tables[0].cell(2, 3), "2");
}

}  // namespace
}  // namespace sinew::testing
