// The half of the cast that people make: what each member promises.
#include <tbb/global_control.h>

#include <cmath>

#include "nodes/kernels/adjacency.h"
#include "nodes/kernels/measure.h"
#include "nodes/kernels/surface_tree.h"
#include "tests/nodes/harness.h"

namespace sinew::testing {
namespace {

struct Member {
  const char* type;
  const char* length;  // the input that makes it larger
  long euler;
  std::array<double, 3> size;  // metres along x, y, z, as its parameters say
  bool mirrored;               // whether it is its own mirror image at x = 0, vertex by vertex
  bool stands;                 // on y = 0
};

const std::vector<Member>& members() {
  static const std::vector<Member> all = {
      {"cast.apple", "width", 2, {0.08, 0, 0.08}, true, true},
      {"cast.bar", "length", 2, {0.3, 0.06, 0.06}, true, false},
      {"cast.beach_ball", "diameter", 2, {0.35, 0.35, 0}, true, false},
      {"cast.bowel", "length", 0, {0, 0, 0.066}, false, false},
      {"cast.car", "length", 2, {0.47, 0.5, 1}, true, true},
      {"cast.table", "length", 2, {0.744, 0.72, 1.2}, true, true},
      {"cast.teapot", "length", 0, {0, 0, 0.25}, true, true},
      {"cast.terrain", "size", 2, {10, 0, 10}, false, true},
      {"cast.u_shape", "height", 2, {0.1716, 0.3, 0.078}, true, true},
      {"cast.wine_glass", "height", 2, {0.084, 0.2, 0.084}, true, true},
  };
  return all;
}

Mesh make_anew(const std::string& type, std::map<std::string, Json> params) {
  TestGraph g;
  g.node("it", type, std::move(params));
  const Outcome outcome = g.run("it.mesh");
  EXPECT_EQ(outcome.errors, "") << type;
  return outcome.as<Mesh>();
}

// Several tests look at the same meshes.
const Mesh& make(const std::string& type, const std::map<std::string, Json>& params = {}) {
  static std::map<std::string, Mesh> made;
  const std::string key = type + Json(params).dump();
  const auto known = made.find(key);
  if (known != made.end()) return known->second;
  return made.emplace(key, make_anew(type, params)).first->second;
}

double area_of(const Mesh& mesh, const Triangle& t) {
  const Vec3d a = mesh.positions[t[0]].cast<double>(), b = mesh.positions[t[1]].cast<double>(),
              c = mesh.positions[t[2]].cast<double>();
  return 0.5 * (b - a).cross(c - a).norm();
}

// Closed, outward, without slivers of no area, and nowhere through itself: just outside of each of
// some faces is outside of all, and just inside is inside once.
void expect_sound(const Mesh& mesh, long euler, const std::string& name) {
  SCOPED_TRACE(name);
  ASSERT_FALSE(mesh.empty());
  EXPECT_FALSE(validate(mesh));
  const kernels::TopologyReport report =
      kernels::inspect_topology(mesh.triangles(), mesh.vertex_count());
  EXPECT_TRUE(report.watertight());
  EXPECT_EQ(report.euler, euler);
  EXPECT_EQ(report.used_vertices, mesh.vertex_count());
  const kernels::SurfaceMeasures measures = kernels::measure_surface(mesh);
  EXPECT_GT(measures.signed_volume, 0);
  const double mean = measures.area / static_cast<double>(mesh.triangle_count());
  for (const Triangle& t : mesh.triangles()) {
    if (area_of(mesh, t) > 1e-4 * mean) continue;
    ADD_FAILURE() << "a triangle with " << area_of(mesh, t) / mean << " of the mean area";
    break;
  }
  const kernels::SurfaceTree tree(mesh);
  const std::size_t step = std::max<std::size_t>(1, mesh.triangle_count() / 300);
  for (std::size_t i = 0; i < mesh.triangle_count(); i += step) {
    const Triangle& t = mesh.triangles()[i];
    const Vec3d a = mesh.positions[t[0]].cast<double>(), b = mesh.positions[t[1]].cast<double>(),
                c = mesh.positions[t[2]].cast<double>();
    const Vec3d middle = (a + b + c) / 3, normal = (b - a).cross(c - a).normalized();
    const double off = 0.01 * std::sqrt(area_of(mesh, t));
    EXPECT_NEAR(tree.winding_number(middle + off * normal), 0, 0.1) << middle.transpose();
    EXPECT_NEAR(tree.winding_number(middle - off * normal), 1, 0.1) << middle.transpose();
  }
}

TEST(MadeCast, EachIsSoundAsItComes) {
  for (const Member& member : members()) expect_sound(make(member.type), member.euler, member.type);
}

TEST(MadeCast, EachHasItsSizeAndStandsWhereItShould) {
  for (const Member& member : members()) {
    SCOPED_TRACE(member.type);
    const Mesh& mesh = make(member.type);
    const Eigen::AlignedBox3d box = kernels::bounding_box(mesh.positions).cast<double>();
    const double longest = box.sizes().maxCoeff();
    for (int k = 0; k < 3; ++k) {
      if (member.size[k] == 0) continue;
      EXPECT_NEAR(box.sizes()[k], member.size[k], 0.02 * longest) << k;
    }
    if (member.stands) {
      EXPECT_NEAR(box.min().y(), 0, 2e-3 * longest);
    } else {
      EXPECT_LT(box.center().norm(), 0.02 * longest);
    }
    // Much larger, in the same proportions.
    const Mesh& large = make(member.type, {{member.length, 1000.0}, {"vertices", 1200}});
    EXPECT_EQ(kernels::inspect_topology(large.triangles(), large.vertex_count()).euler,
              member.euler);
    const Eigen::AlignedBox3d large_box = kernels::bounding_box(large.positions).cast<double>();
    const double ratio = large_box.sizes().maxCoeff() / longest;
    EXPECT_LT((large_box.sizes() - ratio * box.sizes()).norm(), 0.03 * ratio * longest);
  }
}

TEST(MadeCast, TheNumberOfVerticesIsMet) {
  for (const Member& member : members()) {
    for (const int vertices : {300, 1500, 20000}) {
      const Mesh& mesh = make(member.type, {{"vertices", vertices}});
      EXPECT_NEAR(static_cast<double>(mesh.vertex_count()) / vertices, 1, 0.2) << member.type;
      const auto report = kernels::inspect_topology(mesh.triangles(), mesh.vertex_count());
      EXPECT_TRUE(report.watertight()) << member.type << " with " << vertices;
      EXPECT_EQ(report.euler, member.euler) << member.type << " with " << vertices;
    }
  }
}

TEST(MadeCast, SymmetricMembersAreTheirOwnMirrorImages) {
  for (const Member& member : members()) {
    if (!member.mirrored) continue;
    const Mesh& mesh = make(member.type);
    const double size = kernels::bounding_box(mesh.positions).sizes().maxCoeff();
    const kernels::SurfaceTree tree(mesh);
    double worst = 0;
    for (const Vec3f& p : mesh.positions) {
      const auto there = tree.closest(Vec3d(-p.x(), p.y(), p.z()));
      ASSERT_TRUE(there.has_value());
      worst = std::max(worst, std::sqrt(there->distance2));
    }
    EXPECT_LT(worst, 1e-3 * size) << member.type;
  }
}

// Alone at each end of its range, every number leaves a sound body with the same holes.
TEST(MadeCast, TheEndsOfEveryRangeAreSound) {
  for (const Member& member : members()) {
    const NodeType* type = all_nodes().find(member.type);
    ASSERT_NE(type, nullptr);
    for (const auto& input : type->inputs) {
      if (!input.has_range() || input.name == "vertices") continue;
      for (const double end : {input.min, input.max}) {
        const std::vector<double> number = {end};
        const Json literal = input.type->from_numbers(number).to_json();
        const Mesh& mesh = make(member.type, {{input.name, literal}, {"vertices", 1200}});
        expect_sound(mesh, member.euler,
                     std::string(member.type) + " with " + input.name + " " + std::to_string(end));
      }
    }
    for (const int vertices : {300, 20000}) {
      expect_sound(make(member.type, {{"vertices", vertices}}), member.euler,
                   std::string(member.type) + " with vertices " + std::to_string(vertices));
    }
  }
}

TEST(MadeCast, EachHasTheSameBitsAgainOnOneThread) {
  const tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
  for (const Member& member : members()) {
    EXPECT_EQ(make_anew(member.type, {{"vertices", 300}}), make(member.type, {{"vertices", 300}}))
        << member.type;
  }
}

TEST(MadeCast, TheBallSaysWhichPanelAVertexIsIn) {
  TestGraph g;
  g.node("ball", "cast.beach_ball");
  const Mesh mesh = g.get<Mesh>("ball.mesh");
  const Field panel = g.get<Field>("ball.panel");
  ASSERT_TRUE(panel.fits(Domain::vertex, mesh.vertex_count()));
  std::array<int, 6> count{};
  for (std::size_t i = 0; i < mesh.vertex_count(); ++i) {
    const float number = panel.at(i);
    ASSERT_TRUE(number == std::floor(number) && number >= 0 && number < 6) << number;
    ++count[static_cast<std::size_t>(number)];
  }
  for (const int n : count) EXPECT_NEAR(n, mesh.vertex_count() / 6.0, 3);
  // Seams lie deeper than the middles of panels.
  float least = 1, most = 0;
  for (const Vec3f& p : mesh.positions) {
    if (std::abs(p.y()) > 0.01f) continue;
    least = std::min(least, p.norm());
    most = std::max(most, p.norm());
  }
  EXPECT_NEAR(least / most, 0.97, 0.01);
}

TEST(MadeCast, TheLegsOfTheUAreSeparate) {
  for (const double gap : {0.1, 0.2, 1.0}) {
    const Mesh& mesh = make("cast.u_shape", {{"gap", gap}});
    const kernels::SurfaceTree tree(mesh);
    const double thickness = 0.26 * 0.3;
    // Across the gap, half way up: the way from leg to leg is free for as long as it should be.
    const auto right = tree.first_hit({0, 0.2, 0}, {1, 0, 0});
    const auto left = tree.first_hit({0, 0.2, 0}, {-1, 0, 0});
    ASSERT_TRUE(right && left);
    EXPECT_NEAR(right->t + left->t, gap * thickness, 0.1 * gap * thickness);
    EXPECT_FALSE(right->from_inside);
  }
}

TEST(MadeCast, OtherSeedsGiveOtherHills) {
  const Mesh &a = make("cast.terrain", {{"seed", 1}}), &b = make("cast.terrain", {{"seed", 2}});
  EXPECT_EQ(*a.topology, *b.topology);
  EXPECT_NE(a, b);
}

}  // namespace
}  // namespace sinew::testing
