// The living half of the cast: what each member promises.
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "nodes/kernels/adjacency.h"
#include "nodes/kernels/measure.h"
#include "nodes/kernels/surface_tree.h"
#include "tests/nodes/harness.h"

namespace sinew::testing {
namespace {

struct Member {
  std::string type;
  std::map<std::string, Json> params;
  long euler;
  int parts;           // connected surfaces
  std::string length;  // the input that says its size, and along which axis
  int axis;
  bool mirrored;  // vertex by vertex at x = 0
  bool on_ground;
};

std::vector<Member> members() {
  return {
      {"cast.worm", {}, 2, 1, "length", 2, true, false},
      {"cast.worm", {{"bend", 60}}, 2, 1, "", 2, false, false},
      {"cast.jellyfish", {}, 2, 1, "diameter", 0, true, false},
      {"cast.jellyfish", {{"oral_arms", true}}, 2, 1, "diameter", 0, true, false},
      {"cast.snail", {}, 2, 1, "length", 2, false, true},
      {"cast.heart", {}, 2, 1, "height", 1, false, false},
      {"cast.heart", {{"open", false}}, 6, 3, "height", 1, false, false},
      {"cast.squid", {}, 2, 1, "length", 2, true, false},
      {"cast.whale", {}, 2, 1, "length", 2, true, false},
      {"cast.seagull", {}, 2, 1, "wingspan", 0, true, false},
      {"cast.figure", {}, 2, 1, "height", 1, true, true},
      {"cast.figure", {{"stride", 35}}, 2, 1, "height", 1, false, true},
      {"cast.hand", {}, 2, 1, "length", 1, false, true},
      {"cast.armadillo", {}, 2, 1, "height", 1, true, true},
      {"cast.dragon", {}, 2, 1, "length", 2, false, true},
      {"cast.girl", {}, 2, 1, "height", 1, true, true},
      {"cast.dragon", {{"wind", 0.5}}, 2, 1, "length", 2, false, true},
  };
}

Mesh make(const Member& member, std::map<std::string, Json> changes = {}) {
  changes.insert(member.params.begin(), member.params.end());
  TestGraph g;
  g.node("it", member.type, std::move(changes));
  const Outcome outcome = g.run("it.mesh");
  EXPECT_EQ(outcome.errors, "");
  return outcome.as<Mesh>();
}

// With all inputs as they come; made once for all tests.
const Mesh& standard_mesh(const Member& member) {
  static std::map<std::string, Mesh> made;
  std::string name = member.type;
  for (const auto& entry : member.params) name += " " + entry.first;
  const auto found = made.find(name);
  return found != made.end() ? found->second : made.emplace(name, make(member)).first->second;
}

double standard(const Member& member, const std::string& input) {
  for (const InputInfo& in : all_nodes().find(member.type)->inputs) {
    if (in.name == input) return in.type->to_numbers(in.standard.data())[0];
  }
  throw std::logic_error(member.type + " has no input " + input);
}

int connected_surfaces(const Mesh& mesh) {
  std::vector<uint32_t> root(mesh.vertex_count());
  std::iota(root.begin(), root.end(), 0u);
  const auto find = [&](uint32_t v) {
    while (root[v] != v) v = root[v] = root[root[v]];
    return v;
  };
  for (const Triangle& t : mesh.triangles()) {
    root[find(t[1])] = find(t[0]);
    root[find(t[2])] = find(t[0]);
  }
  int count = 0;
  for (uint32_t v = 0; v < root.size(); ++v) count += root[v] == v;
  return count;
}

double least_angle(const Mesh& mesh) {
  double least = 180;
  for (const Triangle& t : mesh.triangles()) {
    for (int k = 0; k < 3; ++k) {
      const Vec3d a = mesh.positions[t[k]].cast<double>();
      const Vec3d b = mesh.positions[t[(k + 1) % 3]].cast<double>() - a;
      const Vec3d c = mesh.positions[t[(k + 2) % 3]].cast<double>() - a;
      least = std::min(least, std::atan2(b.cross(c).norm(), b.dot(c)) * 180 / M_PI);
    }
  }
  return least;
}

void expect_closed(const Mesh& mesh, const Member& member) {
  ASSERT_FALSE(mesh.empty());
  EXPECT_FALSE(validate(mesh));
  const kernels::TopologyReport report =
      kernels::inspect_topology(mesh.triangles(), mesh.vertex_count());
  EXPECT_TRUE(report.watertight());
  EXPECT_EQ(report.used_vertices, mesh.vertex_count());
  EXPECT_EQ(report.euler, member.euler);
  EXPECT_EQ(connected_surfaces(mesh), member.parts);
  EXPECT_GT(kernels::signed_volume(mesh), 0);
  EXPECT_GT(least_angle(mesh), 0.1) << "a triangle without area";
}

class Cast : public ::testing::TestWithParam<Member> {};

TEST_P(Cast, IsOneClosedOutwardSurfaceWithEvenTriangles) {
  const Mesh& mesh = standard_mesh(GetParam());
  expect_closed(mesh, GetParam());
  EXPECT_GT(least_angle(mesh), 10);
}

// A little outside of every so many-th face is outside of all, and a little inside is inside once:
// fingers, arms and walls do not run through each other.
TEST_P(Cast, DoesNotRunThroughItself) {
  const Mesh& mesh = standard_mesh(GetParam());
  const kernels::SurfaceTree tree(mesh);
  const double edge =
      std::sqrt(kernels::surface_area(mesh) / static_cast<double>(mesh.triangle_count()));
  const std::size_t every = 7;
  for (std::size_t i = 0; i < mesh.triangle_count(); i += every) {
    const Triangle& t = mesh.triangles()[i];
    const Vec3d a = mesh.positions[t[0]].cast<double>(), b = mesh.positions[t[1]].cast<double>(),
                c = mesh.positions[t[2]].cast<double>();
    const Vec3d middle = (a + b + c) / 3;
    const Vec3d off = 0.02 * edge * (b - a).cross(c - a).normalized();
    EXPECT_NEAR(tree.winding_number(middle + off), 0, 0.1) << "outside of face " << i;
    EXPECT_NEAR(tree.winding_number(middle - off), 1, 0.1) << "inside of face " << i;
  }
}

TEST_P(Cast, HasTheSizeItSays) {
  const Member& member = GetParam();
  const Mesh& mesh = standard_mesh(member);
  const Eigen::AlignedBox3f box = kernels::bounding_box(mesh.positions);
  if (member.on_ground) {
    EXPECT_NEAR(box.min().y(), 0, 1e-5 * box.sizes().maxCoeff());
  }
  if (member.length.empty()) return;
  const double size = standard(member, member.length);
  EXPECT_NEAR(box.sizes()[member.axis], size, 1e-4 * size);
  // The same body, only smaller.
  if (member.type == "cast.worm") return;  // its girth is a length, too
  const Mesh small = make(member, {{member.length, 0.125 * size}});
  ASSERT_EQ(small.triangle_count(), mesh.triangle_count());
  double off = 0;
  for (std::size_t v = 0; v < mesh.vertex_count(); ++v) {
    off = std::max<double>(off, (8 * small.positions[v] - mesh.positions[v]).norm());
  }
  EXPECT_LT(off, size * 1e-5);
}

TEST_P(Cast, IsItsOwnMirrorImage) {
  if (!GetParam().mirrored) return;
  const Mesh& mesh = standard_mesh(GetParam());
  const float size = kernels::bounding_box(mesh.positions).sizes().maxCoeff();
  const kernels::SurfaceTree tree(mesh);
  for (std::size_t v = 0; v < mesh.vertex_count(); v += 5) {
    const Vec3d image = mesh.positions[v].cast<double>().cwiseProduct(Vec3d(-1, 1, 1));
    const auto found = tree.closest(image);
    ASSERT_TRUE(found);
    EXPECT_LT(std::sqrt(found->distance2), 1e-5 * size) << "vertex " << v;
  }
}

TEST_P(Cast, HasAboutTheVerticesItIsAskedFor) {
  const Member& member = GetParam();
  const double least = [&] {
    for (const InputInfo& in : all_nodes().find(member.type)->inputs) {
      if (in.name == "vertices") return in.min;
    }
    return 0.0;
  }();
  for (const double wished : {least, 6000.0}) {
    SCOPED_TRACE(wished);
    const Mesh mesh = make(member, {{"vertices", static_cast<int>(wished)}});
    EXPECT_NEAR(static_cast<double>(mesh.vertex_count()) / wished, 1, 0.2);
    expect_closed(mesh, member);
  }
}

TEST_P(Cast, StaysClosedAtTheEndsOfItsParameters) {
  const Member& member = GetParam();
  if (!member.params.empty()) return;  // the plain ones stand for all
  for (const InputInfo& in : all_nodes().find(member.type)->inputs) {
    if (in.type != &type_of<float>() && in.type != &type_of<int>()) continue;
    if (in.name == "vertices" || in.name == member.length) continue;
    for (const double x : {in.min, in.max}) {
      SCOPED_TRACE(in.name + " = " + std::to_string(x));
      const Json value = in.type == &type_of<int>() ? Json(static_cast<int>(x)) : Json(x);
      expect_closed(make(member, {{in.name, value}, {"vertices", 1500}}), member);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Living, Cast, ::testing::ValuesIn(members()), [](const auto& param) {
  std::string name = param.param.type.substr(5);
  for (const auto& entry : param.param.params) name += "_" + entry.first;
  return name;
});

// Fingers are apart at the standard number of vertices: a slice above the knuckles has four pieces
// of outline, and between two of them there is a gap.
TEST(CastHand, FingersAreApart) {
  const Mesh mesh = make({"cast.hand", {}, 2, 1, "length", 1, false, true});
  const kernels::SurfaceTree tree(mesh);
  const double height = 0.7 * 0.19;
  int changes = 0;
  bool before = false;
  for (int i = 0; i <= 400; ++i) {
    // Fingers lean towards the palm, so that any depth counts.
    const double x = -0.06 + 0.12 * i / 400;
    bool inside = false;
    for (int k = 0; k <= 12; ++k) inside |= tree.inside({x, height, -0.02 + 0.005 * k});
    changes += inside != before;
    before = inside;
  }
  EXPECT_EQ(changes, 8);
}

// The ventricles are hollow, with a wall between them.
TEST(CastHeart, HasTwoHollows) {
  const Mesh mesh =
      make({"cast.heart", {{"open", false}, {"twist", 0}}, 6, 3, "height", 1, false, false});
  const kernels::SurfaceTree tree(mesh);
  const double metre = 0.12;
  EXPECT_FALSE(tree.inside(metre * Vec3d(0.08, -0.1, -0.02)));    // left
  EXPECT_FALSE(tree.inside(metre * Vec3d(-0.15, -0.04, 0.12)));   // right
  EXPECT_TRUE(tree.inside(metre * Vec3d(-0.035, -0.08, 0.045)));  // between
}

// Pieces of the outline of a slice across an axis: triangles that cross the plane, joined where
// they share an edge that crosses.
long outlines(const Mesh& mesh, int axis, float level) {
  std::map<std::pair<uint32_t, uint32_t>, std::size_t> owner;
  std::vector<std::size_t> root(mesh.triangle_count());
  std::iota(root.begin(), root.end(), std::size_t{0});
  const auto find = [&](std::size_t t) {
    while (root[t] != t) t = root[t] = root[root[t]];
    return t;
  };
  std::vector<std::size_t> crossing;
  for (std::size_t t = 0; t < mesh.triangle_count(); ++t) {
    bool crosses = false;
    for (int k = 0; k < 3; ++k) {
      const auto [a, b] = std::minmax(mesh.triangles()[t][k], mesh.triangles()[t][(k + 1) % 3]);
      if ((mesh.positions[a][axis] < level) == (mesh.positions[b][axis] < level)) continue;
      crosses = true;
      const auto [place, fresh] = owner.try_emplace({a, b}, t);
      if (!fresh) root[find(t)] = find(place->second);
    }
    if (crosses) crossing.push_back(t);
  }
  return std::count_if(crossing.begin(), crossing.end(),
                       [&](std::size_t t) { return find(t) == t; });
}

// Ten arms: so many pieces of a slice through all of them, two of one farther out.
TEST(CastSquid, HasTenArmsTwoOfThemLonger) {
  const Mesh mesh = make({"cast.squid", {}, 2, 1, "length", 2, true, false});
  EXPECT_EQ(outlines(mesh, 2, 0.15f), 10);
  EXPECT_EQ(outlines(mesh, 2, 0.27f), 2);
  EXPECT_EQ(outlines(mesh, 2, 0.0f), 1);
}

TEST(CastDragon, StandsOnFourLegs) {
  for (const double wind : {0.0, 0.5, 1.0, 1.4}) {
    const Mesh mesh = make({"cast.dragon", {{"wind", wind}}, 2, 1, "length", 2, false, true});
    EXPECT_EQ(outlines(mesh, 1, 0.08f), 4) << wind;
  }
}

TEST(CastDragon, IsOneBodyWithAHundredThousandVertices) {
  const Member dragon{"cast.dragon", {{"vertices", 100000}}, 2, 1, "length", 2, false, true};
  const Mesh mesh = make(dragon);
  EXPECT_NEAR(static_cast<double>(mesh.vertex_count()), 100000, 5000);
  expect_closed(mesh, dragon);
}

TEST(CastArmadillo, StandsOnTwoLegsWithItsTailBehind) {
  const Mesh mesh = make({"cast.armadillo", {}, 2, 1, "height", 1, true, true});
  EXPECT_EQ(outlines(mesh, 1, 0.045f), 2);
  EXPECT_EQ(outlines(mesh, 1, 0.1f), 3);
  EXPECT_EQ(outlines(mesh, 1, 0.93f), 2);  // ears
}

// The skirt ends above the knees and is hollow: below the hem there are two legs.
TEST(CastGirl, LegsAreApartBelowTheHem) {
  for (const double skirt : {0.7, 1.0, 1.3}) {
    const Mesh mesh = make({"cast.girl", {{"skirt", skirt}}, 2, 1, "height", 1, true, true});
    for (const float part : {0.05f, 0.1f, 0.2f, 0.3f}) {
      EXPECT_EQ(outlines(mesh, 1, 1.2f * part), 2) << skirt << " " << part;
    }
    const kernels::SurfaceTree tree(mesh);
    EXPECT_FALSE(tree.inside({0, 1.2 * 0.345, 0})) << "between the legs, within the skirt";
    EXPECT_TRUE(tree.inside({0, 1.2 * 0.45, 0}));
  }
}

TEST(CastCancel, StoppedInTheMiddleIsACancellation) {
  const std::atomic<bool> stop{true};
  for (const Member& member : members()) {
    const NodeType& type = *all_nodes().find(member.type);
    std::vector<std::vector<Value>> inputs;
    for (const InputInfo& in : type.inputs) inputs.push_back({in.standard});
    const Context context;
    Exec e(type, std::move(inputs), context, &stop);
    EXPECT_THROW(type.exec(e), Cancelled) << member.type;
  }
}

}  // namespace
}  // namespace sinew::testing
