// Skeletons found in every member of the cast, as the nodes make them.
#include "nodes/kernels/surface_tree.h"
#include "tests/nodes/harness.h"

namespace sinew::testing {
namespace {

std::vector<std::string> cast_nodes() {
  std::vector<std::string> types;
  for (const NodeType* type : all_nodes().nodes()) {
    if (type->id.starts_with("cast.")) types.push_back(type->id);
  }
  return types;
}

TestGraph found_in(const std::string& type, std::map<std::string, Json> params = {}) {
  TestGraph g;
  g.node("body", type, std::move(params));
  g.node("find", "skeleton.extract").link("body.mesh", "find.body");
  return g;
}

// One tree, and nowhere outside.
void expect_tree_inside(const Skeleton& skeleton, const Mesh& mesh) {
  EXPECT_EQ(validate(skeleton), std::nullopt);
  ASSERT_GE(skeleton.bone_count(), 1u);
  EXPECT_EQ(skeleton.bone_count() + 1, skeleton.joint_count());
  const kernels::SurfaceTree tree(mesh);
  for (std::size_t b = 0; b < skeleton.bone_count(); ++b) {
    for (int i = 0; i <= 50; ++i) {
      const Vec3d p = skeleton.from(b) + i / 50.0 * (skeleton.to(b) - skeleton.from(b));
      ASSERT_LT(tree.signed_distance(p), 0) << skeleton.bones[b].name;
    }
  }
}

TEST(SkeletonExtractNode, FindsOneTreeInEveryMemberOfTheCast) {
  const std::vector<std::string> types = cast_nodes();
  EXPECT_GE(types.size(), 19u);
  for (const std::string& type : types) {
    SCOPED_TRACE(type);
    TestGraph g = found_in(type);
    const Outcome found = g.run("find.skeleton");
    EXPECT_EQ(found.errors, "");
    expect_tree_inside(found.as<Skeleton>(), g.get<Mesh>("body.mesh"));
    EXPECT_EQ(g.get<int>("find.joints"), static_cast<int>(found.as<Skeleton>().joint_count()));
  }
}

TEST(SkeletonExtractNode, SaysWhatTheArtistShouldKnow) {
  const Outcome ring = found_in("mesh.torus").run("find.skeleton");
  EXPECT_EQ(ring.errors, "");
  EXPECT_NE(ring.warnings.find("the body has a ring"), std::string::npos) << ring.warnings;
  const Outcome flat = found_in("mesh.grid").run("find.skeleton");
  EXPECT_NE(flat.errors.find("the mesh has no inside"), std::string::npos) << flat.errors;
}

TEST(SkeletonExtractNode, WorksOnTheSurfaceOfASolid) {
  TestGraph g;
  g.node("solid", "tet.box", {{"size", {2, 0.4, 0.4}}});
  g.node("find", "skeleton.extract", {{"bone_length", 1}}).link("solid.solid", "find.body");
  const Outcome found = g.run("find.skeleton");
  ASSERT_EQ(found.errors, "");
  EXPECT_EQ(found.as<Skeleton>().bone_count(), 1u);
}

}  // namespace
}  // namespace sinew::testing
