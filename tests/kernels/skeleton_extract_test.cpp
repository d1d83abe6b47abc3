// A skeleton in each member of the cast: one tree that stays inside, with ends where limbs end.
#include "nodes/kernels/skeleton_extract.h"

#include <atomic>
#include <cmath>
#include <functional>
#include <limits>
#include <set>

#include "nodes/kernels/cast_living.h"
#include "nodes/kernels/everyday_bodies.h"
#include "nodes/kernels/everyday_shapes.h"
#include "nodes/kernels/measure.h"
#include "nodes/kernels/medial_tree.h"
#include "nodes/kernels/merge.h"
#include "nodes/kernels/skin_sets.h"
#include "nodes/kernels/surface_tree.h"
#include "nodes/kernels/teapot.h"
#include "nodes/kernels/transform.h"
#include "tests/kernels/shapes.h"

namespace sinew::kernels {
namespace {

struct Member {
  std::string name;
  std::function<Mesh()> make;
  int fewest, most;  // ends
};

Mesh bent_worm() {
  WormShape shape;
  shape.bend = 1;
  return make_worm(shape);
}
Mesh jellyfish_with_arms() {
  JellyfishShape shape;
  shape.oral_arms = true;
  return make_jellyfish(shape);
}
Mesh closed_heart() {
  HeartShape shape;
  shape.open = false;
  return make_heart(shape);
}
Mesh walking_figure() {
  FigureShape shape;
  shape.stride = 0.6f;
  return make_figure(shape);
}

std::vector<Member> cast() {
  return {
      {"worm", [] { return make_worm({}); }, 2, 2},
      {"bent_worm", bent_worm, 2, 2},
      {"jellyfish", [] { return make_jellyfish({}); }, 3, 9},  // ribs of the bell
      {"jellyfish_with_arms", jellyfish_with_arms, 7, 13},
      {"snail", [] { return make_snail({}); }, 5, 7},  // tail, shell, feelers
      {"heart", [] { return make_heart({}); }, 4, 9},
      {"closed_heart", closed_heart, 4, 9},
      {"squid", [] { return make_squid({}); }, 11, 11},    // ten arms and the mantle
      {"whale", [] { return make_whale({}); }, 5, 5},      // head, flippers, flukes
      {"seagull", [] { return make_seagull({}); }, 4, 4},  // head, wings, tail
      {"figure", [] { return make_figure({}); }, 5, 5},    // head, hands, feet
      {"walking_figure", walking_figure, 5, 5},
      {"hand", [] { return make_hand({}); }, 6, 6},  // fingers and the wrist
      {"apple", [] { return mesh_body(apple_body({}), 3000); }, 2, 3},
      {"bar", [] { return make_bar({}); }, 2, 2},
      {"beach_ball", [] { return make_beach_ball({}).mesh; }, 2, 2},
      {"bowel", [] { return make_bowel({}); }, 2, 2},
      {"car", [] { return mesh_body(car_body({}), 3000); }, 5, 8},
      {"table", [] { return mesh_body(table_body({}), 3000); }, 4, 4},
      {"teapot", [] { return mesh_body(teapot_body({}), 3500); }, 3, 3},  // knob, spout, handle
      {"terrain", [] { return make_terrain({}); }, 3, 8},
      {"u_shape", [] { return mesh_body(u_body({}), 2500); }, 2, 2},
      {"wine_glass", [] { return make_wine_glass({}); }, 3, 7},  // foot, ribs of the bowl
  };
}

std::vector<int> degrees(const Skeleton& skeleton) {
  std::vector<int> degree(skeleton.joint_count(), 0);
  for (const SkeletonBone& b : skeleton.bones) {
    ++degree[b.joints[0]];
    ++degree[b.joints[1]];
  }
  return degree;
}

int ends(const Skeleton& skeleton) {
  const std::vector<int> degree = degrees(skeleton);
  return static_cast<int>(std::count(degree.begin(), degree.end(), 1));
}

void expect_one_tree(const Skeleton& skeleton) {
  EXPECT_EQ(validate(skeleton), std::nullopt);
  ASSERT_GE(skeleton.bone_count(), 1u);
  // No ring, and as many bones as a tree has: it hangs together.
  EXPECT_EQ(skeleton.bone_count() + 1, skeleton.joint_count());
  const uint32_t root[] = {0};
  for (const double way : path_distances(skeleton, root)) EXPECT_LT(way, no_path);
  std::set<std::string> names;
  for (const SkeletonJoint& j : skeleton.joints) {
    EXPECT_FALSE(j.name.empty());
    EXPECT_TRUE(names.insert(j.name).second) << j.name << " twice";
  }
  for (const SkeletonBone& b : skeleton.bones) {
    EXPECT_FALSE(b.name.empty());
    EXPECT_TRUE(names.insert(b.name).second) << b.name << " twice";
  }
  EXPECT_EQ(skeleton.joints[0].name, "root");
}

// By the winding number of all triangles, which extraction does not ask.
void expect_inside(const Skeleton& skeleton, const Mesh& mesh, int samples = 80) {
  const SurfaceTree tree(mesh);
  for (std::size_t b = 0; b < skeleton.bone_count(); ++b) {
    for (int i = 0; i <= samples; ++i) {
      const double s = static_cast<double>(i) / samples;
      const Vec3d p = (1 - s) * skeleton.from(b) + s * skeleton.to(b);
      ASSERT_GT(std::abs(tree.exact_winding_number(p)), 0.5)
          << skeleton.bones[b].name << " at " << s << ": " << p.transpose();
    }
  }
}

double size_of(const Mesh& mesh) {
  return bounding_box(mesh.positions).sizes().cast<double>().maxCoeff();
}

Mesh scaled(const Mesh& mesh, float by) {
  std::vector<Vec3f> positions = mesh.positions;
  for (Vec3f& p : positions) p *= by;
  return mesh.with_positions(std::move(positions));
}

Mesh turned(const Mesh& mesh, const Vec3f& degrees) {
  return transform_mesh(compose_transform({0, 0, 0}, degrees, {1, 1, 1}), mesh);
}

Mesh together(const Mesh& a, const Mesh& b) {
  const Mesh* meshes[] = {&a, &b};
  return merge_meshes(meshes);
}

std::string why_not(const Mesh& mesh, const ExtractOptions& options = {}) {
  try {
    extract_skeleton(mesh, options);
  } catch (const std::invalid_argument& problem) {
    return problem.what();
  }
  return "";
}

// The distance from a place to the nearest joint.
double to_joint(const Skeleton& skeleton, const Vec3d& place) {
  double least = std::numeric_limits<double>::infinity();
  for (const SkeletonJoint& j : skeleton.joints) least = std::min(least, (j.place - place).norm());
  return least;
}

double to_bone(const Skeleton& skeleton, const Vec3d& place) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t b = 0; b < skeleton.bone_count(); ++b) {
    const double s = closest_on_bone(skeleton, b, place);
    const Vec3d there = (1 - s) * skeleton.from(b) + s * skeleton.to(b);
    least = std::min(least, (there - place).norm());
  }
  return least;
}

class ExtractedCast : public ::testing::TestWithParam<Member> {};

TEST_P(ExtractedCast, is_one_tree_inside) {
  const Mesh mesh = GetParam().make();
  const ExtractedSkeleton found = extract_skeleton(mesh);
  expect_one_tree(found.skeleton);
  expect_inside(found.skeleton, mesh);
  EXPECT_GE(ends(found.skeleton), GetParam().fewest);
  EXPECT_LE(ends(found.skeleton), GetParam().most);
  // Few enough to work with, and none that nobody could grasp.
  EXPECT_LE(found.skeleton.joint_count(), 60u);
  for (std::size_t b = 0; b < found.skeleton.bone_count(); ++b) {
    EXPECT_GT((found.skeleton.to(b) - found.skeleton.from(b)).norm(), 1e-3 * size_of(mesh));
  }
}

INSTANTIATE_TEST_SUITE_P(All, ExtractedCast, ::testing::ValuesIn(cast()),
                         [](const auto& test) { return test.param.name; });

TEST(SkeletonExtract, a_straight_limb_has_as_many_bones_as_are_asked_for) {
  const Mesh bar = make_bar({});
  ExtractOptions options;
  options.resolution = 30;
  for (const auto& [length, bones] : {std::pair{1.0, 1}, {0.5, 2}, {0.25, 4}, {0.1, 9}}) {
    options.bone_length = length;
    const Skeleton skeleton = extract_skeleton(bar, options).skeleton;
    EXPECT_NEAR(static_cast<double>(skeleton.bone_count()), bones, bones > 8 ? 1 : 0) << length;
    for (const SkeletonJoint& j : skeleton.joints) {
      EXPECT_LT(std::hypot(j.place.y(), j.place.z()), 0.15 * 0.03) << "off the axis";
    }
    // Near its ends, but not at them.
    double left = 0, right = 0;
    for (const SkeletonJoint& j : skeleton.joints) {
      left = std::min(left, j.place.x());
      right = std::max(right, j.place.x());
    }
    EXPECT_NEAR(left, -0.15, 0.03);
    EXPECT_NEAR(right, 0.15, 0.03);
  }
}

TEST(SkeletonExtract, joints_lie_where_limbs_do) {
  const Mesh figure = make_figure({});
  const Skeleton skeleton = extract_skeleton(figure).skeleton;
  const std::vector<int> degree = degrees(skeleton);
  EXPECT_LE(skeleton.joint_count(), 30u);
  // Two forks, at the chest and the hips, on the middle plane, one above the other.
  std::vector<Vec3d> forks;
  for (std::size_t j = 0; j < degree.size(); ++j) {
    if (degree[j] > 2) forks.push_back(skeleton.rest(j));
  }
  ASSERT_EQ(forks.size(), 2u);
  for (const Vec3d& fork : forks) EXPECT_NEAR(fork.x(), 0, 0.05);
  EXPECT_GT(std::abs(forks[0].y() - forks[1].y()), 0.2);
}

TEST(SkeletonExtract, symmetric_bodies_have_symmetric_skeletons) {
  for (const Mesh& mesh : {make_figure({}), make_squid({}), make_seagull({})}) {
    const Skeleton skeleton = extract_skeleton(mesh).skeleton;
    const std::vector<int> degree = degrees(skeleton);
    for (std::size_t j = 0; j < degree.size(); ++j) {
      if (degree[j] == 2) continue;  // along a limb they may lie anywhere
      const Vec3d p = skeleton.rest(j);
      EXPECT_LT(to_joint(skeleton, {-p.x(), p.y(), p.z()}), 0.03 * size_of(mesh))
          << skeleton.joints[j].name;
    }
  }
}

TEST(SkeletonExtract, scale_does_not_matter) {
  ExtractOptions options;
  options.resolution = 30;
  for (const Mesh& mesh : {make_figure({}), make_squid({}), mesh_body(u_body({}), 2500)}) {
    const Skeleton skeleton = extract_skeleton(mesh, options).skeleton;
    // A power of two changes no digit of a position.
    Skeleton large = extract_skeleton(scaled(mesh, 1024), options).skeleton;
    for (SkeletonJoint& j : large.joints) j.place /= 1024;
    EXPECT_EQ(large, skeleton);
    // Others round positions anew: a joint along a limb may slip, but the bones lie where they did.
    for (const float by : {1e-6f, 1e6f}) {
      Skeleton other = extract_skeleton(scaled(mesh, by), options).skeleton;
      for (SkeletonJoint& j : other.joints) j.place /= by;
      EXPECT_EQ(ends(other), ends(skeleton)) << by;
      for (const SkeletonJoint& j : other.joints) {
        EXPECT_LT(to_bone(skeleton, j.place), 0.02 * size_of(mesh)) << by;
      }
      for (const SkeletonJoint& j : skeleton.joints) {
        EXPECT_LT(to_bone(other, j.place), 0.02 * size_of(mesh)) << by;
      }
    }
  }
}

TEST(SkeletonExtract, it_does_not_matter_how_the_body_is_turned) {
  for (const Member& member : cast()) {
    if (member.fewest != member.most) continue;
    const Mesh mesh = turned(member.make(), {23, 71, -40});
    const Skeleton skeleton = extract_skeleton(mesh).skeleton;
    EXPECT_EQ(ends(skeleton), member.most) << member.name;
    expect_one_tree(skeleton);
    expect_inside(skeleton, mesh, 20);
  }
}

TEST(SkeletonExtract, the_number_of_threads_does_not_matter) {
  ExtractOptions options;
  options.resolution = 30;
  for (const Mesh& mesh : {make_figure({}), make_jellyfish({})}) {
    test::expect_same_for_threads([&] { return extract_skeleton(mesh, options).skeleton; });
  }
}

TEST(SkeletonExtract, a_ring_is_followed_all_around_and_stays_open) {
  const ExtractedSkeleton found = extract_skeleton(make_torus({1, 0.25f, 60, 20, Axis::y}));
  expect_one_tree(found.skeleton);
  EXPECT_EQ(ends(found.skeleton), 2);
  double length = 0;
  for (std::size_t b = 0; b < found.skeleton.bone_count(); ++b) {
    length += (found.skeleton.to(b) - found.skeleton.from(b)).norm();
  }
  EXPECT_GT(length, 0.75 * 2 * M_PI);
  ASSERT_EQ(found.remarks.size(), 1u);
  EXPECT_NE(found.remarks[0].find("a ring"), std::string::npos);
}

TEST(SkeletonExtract, parts_that_overlap_are_one_body) {
  const Mesh along = make_capsule({0.2f, 3, 24, 8, 12, Axis::x}),
             across = make_capsule({0.2f, 3, 24, 8, 12, Axis::z});
  const Mesh cross = together(along, across);
  const Skeleton skeleton = extract_skeleton(cross).skeleton;
  expect_one_tree(skeleton);
  expect_inside(skeleton, cross);
  EXPECT_EQ(ends(skeleton), 4);
  EXPECT_LT(skeleton.rest(0).norm(), 0.1);
}

TEST(SkeletonExtract, separate_parts_are_told_and_small_ones_left_out) {
  const Mesh ball = make_icosphere({1, 8});
  const Mesh other = transform_mesh(compose_transform({5, 0, 0}, {0, 0, 0}, {1, 1, 1}), ball);
  EXPECT_EQ(why_not(together(ball, other)),
            "the mesh consists of 2 separate parts, and a skeleton is one tree that stays inside; "
            "let the parts overlap, or find a skeleton for each");
  const Mesh button =
      transform_mesh(compose_transform({1.5f, 0, 0}, {0, 0, 0}, {0.15f, 0.15f, 0.15f}), ball);
  const ExtractedSkeleton found = extract_skeleton(together(ball, button));
  expect_one_tree(found.skeleton);
  ASSERT_FALSE(found.remarks.empty());
  EXPECT_EQ(found.remarks[0], "1 small separate part was left out");
}

TEST(SkeletonExtract, bad_input_is_told_in_a_sentence) {
  EXPECT_EQ(why_not(Mesh()), "there is nothing to find a skeleton in: the mesh is empty");
  EXPECT_NE(why_not(make_grid({})).find("the mesh has no inside"), std::string::npos);
  Mesh broken = make_box({});
  broken.positions[3].y() = std::numeric_limits<float>::quiet_NaN();
  EXPECT_NE(why_not(broken).find("the mesh cannot be used"), std::string::npos);
  Mesh point = make_box({});
  for (Vec3f& p : point.positions) p = {1, 2, 3};
  EXPECT_NE(why_not(point).find("at one place"), std::string::npos);
  EXPECT_NE(why_not(scaled(make_box({}), 1e30f)).find("too large"), std::string::npos);
  const Mesh box = make_box({});
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NE(why_not(box, {.detail = 0}), "");
  EXPECT_NE(why_not(box, {.detail = nan}), "");
  EXPECT_NE(why_not(box, {.bone_length = 2}), "");
  EXPECT_NE(why_not(box, {.straightness = nan}), "");
  EXPECT_NE(why_not(box, {.resolution = 1000}), "");
}

// Any closed mesh gives a tree inside, at the ends of what options may be.
TEST(SkeletonExtract, every_closed_mesh_has_one) {
  for (const ExtractOptions& options :
       {ExtractOptions{0.005, 0.1, 0.05, 8}, ExtractOptions{0.5, 1, 2, 24}}) {
    for (const test::NamedMesh& named : test::closed_meshes()) {
      SCOPED_TRACE(named.name);
      const ExtractedSkeleton found = extract_skeleton(named.mesh, options);
      expect_one_tree(found.skeleton);
      expect_inside(found.skeleton, named.mesh, 20);
    }
  }
}

TEST(SkeletonExtract, stops_when_asked_to) {
  const std::atomic<bool> stop{true};
  EXPECT_THROW(extract_skeleton(make_bar({}), {}, CancelView{&stop}), Stopped);
}

TEST(SkeletonExtract, ways_are_told_clear_by_the_triangles) {
  const BodySurface surface = body_surface(mesh_body(u_body({}), 2500));
  EXPECT_TRUE(surface.closed);
  EXPECT_FALSE(surface.overlaps);
  const Vec3d left(-0.0468, 0.25, 0), right(0.0468, 0.25, 0), below(-0.0468, 0.08, 0);
  EXPECT_TRUE(surface.clear(left, below, 0.02));
  EXPECT_TRUE(surface.stays_inside(left, below));
  EXPECT_FALSE(surface.clear(left, below, 0.05));  // thinner than that
  EXPECT_FALSE(surface.clear(left, right, 1e-6));  // across the gap
  EXPECT_FALSE(surface.stays_inside(left, right));
}

}  // namespace
}  // namespace sinew::kernels
