// Meshes and solids that nobody wants, through every node that takes one: each gives a sound value
// or one clear message.
#include <cmath>
#include <fstream>
#include <numbers>

#include "nodes/kernels/primitives.h"
#include "nodes/kernels/tet_primitives.h"
#include "nodes/node.h"
#include "tests/nodes/harness.h"

namespace sinew::testing {
namespace {

template <class T>
struct Named {
  std::string name;
  T value;
};

Mesh mesh_of(std::vector<Vec3f> points, std::vector<Triangle> triangles) {
  Topology topology;
  topology.triangles = std::move(triangles);
  return Mesh(std::move(topology), std::move(points));
}

Mesh ball(float radius, Vec3f centre = Vec3f::Zero()) {
  Mesh mesh = kernels::make_uv_sphere({.radius = radius});
  for (Vec3f& p : mesh.positions) p += centre;
  return mesh;
}

Mesh moebius_strip() {
  constexpr uint32_t n = 24;
  std::vector<Vec3f> points;
  std::vector<Triangle> triangles;
  for (uint32_t i = 0; i < n; ++i) {
    const float angle = 2 * std::numbers::pi_v<float> * static_cast<float>(i) / n;
    for (const float side : {-0.3f, 0.3f}) {
      const float r = 1 + side * std::cos(angle / 2);
      points.push_back({r * std::cos(angle), side * std::sin(angle / 2), r * std::sin(angle)});
    }
  }
  for (uint32_t i = 0; i < n; ++i) {
    // After one round the sides have changed places.
    const uint32_t a = 2 * i, b = 2 * i + 1;
    const uint32_t c = i + 1 < n ? a + 2 : 1, d = i + 1 < n ? a + 3 : 0;
    triangles.push_back({a, c, b});
    triangles.push_back({b, c, d});
  }
  return mesh_of(std::move(points), std::move(triangles));
}

// One way round and then the other, without an order.
Mesh turned_faces() {
  Mesh mesh = ball(0.5f);
  Topology topology = *mesh.topology;
  for (size_t t = 0; t < topology.triangles.size(); t += 3) {
    std::swap(topology.triangles[t][0], topology.triangles[t][1]);
  }
  return Mesh(std::move(topology), mesh.positions);
}

Mesh squashed(float x, float y, float z) {
  Mesh mesh = ball(0.5f);
  for (Vec3f& p : mesh.positions) p = p.cwiseProduct(Vec3f(x, y, z));
  return mesh;
}

// A ball that has every vertex twice and every face twice.
Mesh doubled() {
  const Mesh one = ball(0.5f);
  std::vector<Vec3f> points = one.positions;
  points.insert(points.end(), one.positions.begin(), one.positions.end());
  std::vector<Triangle> triangles(one.triangles().begin(), one.triangles().end());
  const auto n = static_cast<uint32_t>(one.vertex_count());
  for (const Triangle& t : one.triangles()) triangles.push_back({t[0] + n, t[1] + n, t[2] + n});
  for (const Triangle& t : one.triangles()) triangles.push_back(t);
  return mesh_of(std::move(points), std::move(triangles));
}

const std::vector<Named<Mesh>>& hostile_meshes() {
  static const std::vector<Named<Mesh>> list = {
      {"empty", Mesh()},
      {"one vertex", mesh_of({{1, 2, 3}}, {})},
      {"loose vertices", mesh_of({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {5, 5, 5}}, {})},
      {"one triangle", mesh_of({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}})},
      {"a triangle and loose vertices",
       mesh_of({{9, 9, 9}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {-9, 4, 2}}, {{1, 2, 3}})},
      {"no area", mesh_of({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}, {{0, 1, 2}, {0, 0, 1}, {1, 1, 1}})},
      {"all at one place", squashed(0, 0, 0)},
      {"a line", squashed(1, 0, 0)},
      {"a flat ball", squashed(1, 0, 1)},
      {"a needle", squashed(1e-6f, 1, 1e-6f)},
      {"three faces on one edge", mesh_of({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}},
                                          {{0, 1, 2}, {1, 0, 3}, {0, 1, 4}})},
      {"two fans on one vertex",
       mesh_of({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {0, -1, 0}}, {{0, 1, 2}, {0, 3, 4}})},
      {"doubled", doubled()},
      {"turned faces", turned_faces()},
      {"Moebius strip", moebius_strip()},
      {"1e-6 of its size", ball(1e-6f)},
      {"1e6 of its size", ball(1e6f)},
      {"far away", ball(0.5f, {1e6f, -1e6f, 1e6f})},
  };
  return list;
}

TetMesh box_of(float size) { return kernels::make_tet_box({size, size, size}, {3, 3, 3}); }

TetMesh flat_box() {
  TetMesh box = box_of(1);
  for (Vec3f& p : box.positions) p.y() = 0;
  return box;
}

TetMesh inverted_box() {
  TetMesh box = box_of(1);
  for (Vec3f& p : box.positions) p.x() = -p.x();
  return box;
}

const std::vector<Named<TetMesh>>& hostile_solids() {
  const std::vector<Vec3f> corner = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  static const std::vector<Named<TetMesh>> list = {
      {"empty", TetMesh()},
      {"loose vertices", TetMesh(std::vector<Tetrahedron>{}, corner)},
      {"one tetrahedron", TetMesh({{0, 1, 2, 3}}, corner)},
      {"one inverted tetrahedron", TetMesh({{0, 2, 1, 3}}, corner)},
      {"the same vertex twice", TetMesh({{0, 0, 1, 2}}, corner)},
      {"the same tetrahedron twice", TetMesh({{0, 1, 2, 3}, {0, 1, 2, 3}}, corner)},
      {"flat", flat_box()},
      {"inverted", inverted_box()},
      {"1e-6 of its size", box_of(1e-6f)},
      {"1e6 of its size", box_of(1e6f)},
  };
  return list;
}

// Nodes of the test's own that hand out the shapes above.
namespace mesh_source {
In<int> which;
Out<Mesh> out;
void declare(Declaration& d) {
  d.id("test.mesh", 1).label("Mesh").category("Test").doc("A hostile mesh.");
  d.in(which, "which", 0).range(0, 1000).doc("Its number.");
  d.out(out, "shape").doc("The mesh.");
}
void exec(Exec& e) { e.set(out, hostile_meshes()[static_cast<size_t>(e.get(which))].value); }
}  // namespace mesh_source

namespace solid_source {
In<int> which;
Out<TetMesh> out;
void declare(Declaration& d) {
  d.id("test.solid", 1).label("Solid").category("Test").doc("A hostile solid.");
  d.in(which, "which", 0).range(0, 1000).doc("Its number.");
  d.out(out, "shape").doc("The solid.");
}
void exec(Exec& e) { e.set(out, hostile_solids()[static_cast<size_t>(e.get(which))].value); }
}  // namespace solid_source

const Registry& with_sources() {
  static const Registry& registry = [] {
    static Registry r;
    register_all_nodes(r);
    r.add(compute_node(mesh_source::declare, mesh_source::exec));
    r.add(compute_node(solid_source::declare, solid_source::exec));
    return std::ref(r);
  }();
  return registry;
}

bool takes(const InputInfo& in, const TypeInfo& type) {
  if (in.selector) return false;
  if (in.type == &type || in.type == &type_of<Any>()) return true;
  return std::find(in.also.begin(), in.also.end(), &type) != in.also.end();
}

bool takes_a_shape(const NodeType& type) {
  for (const InputInfo& in : type.inputs) {
    if (takes(in, type_of<Mesh>()) || takes(in, type_of<TetMesh>())) return true;
  }
  return false;
}

std::vector<std::string> ids() {
  std::vector<std::string> list;
  for (const NodeType* type : all_nodes().nodes()) {
    const bool runs = type->role == NodeRole::compute || type->role == NodeRole::simulate;
    if (runs && takes_a_shape(*type) && !type->outputs.empty()) list.push_back(type->id);
  }
  return list;
}

// A message is one line that says something, not what a library threw.
void expect_clear(const std::string& errors) {
  EXPECT_EQ(std::count(errors.begin(), errors.end(), '\n'), 1) << errors;
  EXPECT_GT(errors.size(), 20u) << errors;
  EXPECT_LT(errors.size(), 400u) << errors;
  for (const char* word : {"std::", "bad_alloc", "vector::", "not a number", "not finite", "memory",
                           "assert", "Eigen", "internal"}) {
    EXPECT_EQ(errors.find(word), std::string::npos) << errors;
  }
}

class Hostile : public ::testing::TestWithParam<std::string> {
 protected:
  // The node "it" with the shape on every socket that takes one, and what is made from the shape on
  // the sockets that only a link can feed. Sockets that take no such shape keep a good one.
  TestGraph fed(const std::string& source, const TypeInfo& shape, int which) {
    const NodeType& type = *all_nodes().find(GetParam());
    TestGraph g;
    g.registry = &with_sources();
    g.context.folder = folder_.path();
    g.node("shape", source, {{"which", which}}).node("it", type.id);
    g.node("height", "field.axis").link("shape.shape", "height.mesh");
    for (const InputInfo& in : type.inputs) {
      const std::string socket = "it." + in.name;
      const bool converts = in.type == &type_of<Mesh>() && &shape == &type_of<TetMesh>();
      if (takes(in, shape) || converts) {
        g.link("shape.shape", socket);
      } else if (in.type == &type_of<TetMesh>()) {
        g.node("good_" + in.name, "tet.box").link("good_" + in.name + ".solid", socket);
      } else if (!in.optional && !in.multi && in.type == &type_of<Colliders>()) {
        g.node("made_" + in.name, "collide.sphere").link("made_" + in.name + ".colliders", socket);
      } else if (in.type == &type_of<Lattice>()) {
        g.node("made_" + in.name, "ffd.lattice").link("made_" + in.name + ".lattice", socket);
      } else if (!in.optional && in.type == &type_of<Modes>()) {
        g.node("box_" + in.name, "ffd.lattice").node("made_" + in.name, "ffd.modes");
        g.link("box_" + in.name + ".lattice", "made_" + in.name + ".lattice");
        g.link("made_" + in.name + ".modes", socket);
      } else if (in.type == &type_of<ModalBody>()) {
        g.node("made_" + in.name, "dffd.body").link("shape.shape", "made_" + in.name + ".mesh");
        g.link("made_" + in.name + ".body", socket);
      } else if (in.type == &type_of<PoseGraph>() && !in.standard) {
        g.node("made_" + in.name, "dffd.controller");
        g.link("made_" + in.name + ".controller", socket);
      } else if (!in.optional && in.type == &type_of<PosedSkeleton>()) {
        g.node("made_" + in.name, "skeleton.create").link("made_" + in.name + ".skeleton", socket);
      } else if (in.name == "resolution" || in.name == "cells") {
        g.set(socket, std::max(8.0, in.min));  // what is hostile is the shape, not its size
      } else if (!in.optional && in.type == &type_of<VectorField>()) {
        g.node("made_" + in.name, "field.gradient")
            .link("shape.shape", "made_" + in.name + ".mesh")
            .link("height.field", "made_" + in.name + ".field")
            .link("made_" + in.name + ".vectors", socket);
      } else if (!in.optional && in.type == &type_of<Frames>()) {
        g.node("made_" + in.name, "field.frames")
            .link("shape.shape", "made_" + in.name + ".body")
            .link("height.field", "made_" + in.name + ".layer")
            .link("made_" + in.name + ".frames", socket);
      }
    }
    return g;
  }

  void try_shape(const std::string& source, const TypeInfo& shape, int which) {
    const NodeType& type = *all_nodes().find(GetParam());
    TestGraph g = fed(source, shape, which);
    for (const OutputInfo& out : type.outputs) {
      const Outcome outcome = g.run("it." + out.name, type.role == NodeRole::simulate ? 2 : 0);
      if (!outcome.value) {
        expect_clear(outcome.errors);
      } else {
        EXPECT_EQ(outcome.errors, "") << out.name;
        const TypeInfo& info = *outcome.value.type();
        if (info.flaw) {
          EXPECT_EQ(info.flaw(outcome.value.data()).value_or(""), "") << out.name;
        }
      }
    }
  }

  TemporaryFolder folder_;
};

TEST_P(Hostile, MeshesGiveASoundValueOrOneClearMessage) {
  for (size_t i = 0; i < hostile_meshes().size(); ++i) {
    SCOPED_TRACE(hostile_meshes()[i].name);
    try_shape("test.mesh", type_of<Mesh>(), static_cast<int>(i));
  }
}

TEST_P(Hostile, SolidsGiveASoundValueOrOneClearMessage) {
  for (size_t i = 0; i < hostile_solids().size(); ++i) {
    SCOPED_TRACE(hostile_solids()[i].name);
    try_shape("test.solid", type_of<TetMesh>(), static_cast<int>(i));
  }
}

INSTANTIATE_TEST_SUITE_P(AllNodes, Hostile, ::testing::ValuesIn(ids()), [](const auto& param) {
  std::string name = param.param;
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
});

TEST(HostileShapes, AreValidValues) {
  EXPECT_GE(ids().size(), 10u);
  for (const auto& [name, mesh] : hostile_meshes()) EXPECT_EQ(validate(mesh), std::nullopt) << name;
  for (const auto& [name, solid] : hostile_solids()) {
    EXPECT_EQ(validate(solid), std::nullopt) << name;
  }
}

// Files that are not there, are folders, are empty or are rubbish, at every node that reads one.
TEST(HostileFiles, AreOneClearMessage) {
  TemporaryFolder folder;
  int readers = 0;
  for (const NodeType* type : all_nodes().nodes()) {
    for (const InputInfo& in : type->inputs) {
      if (in.file != FileUse::read) continue;
      ++readers;
      for (const std::string& ending : in.file_endings) {
        const std::string dot = "." + ending;
        std::filesystem::create_directories(folder.path() / ("folder" + dot));
        std::ofstream(folder.path() / ("empty" + dot)).flush();
        std::ofstream(folder.path() / ("rubbish" + dot))
            << std::string(3000, '\xff') << "\n\0x y z";
        for (const std::string name : {"missing", "folder", "rubbish", "empty"}) {
          SCOPED_TRACE(type->id + " " + name + dot);
          TestGraph g;
          g.context.folder = folder.path();
          g.node("it", type->id, {{in.name, name + dot}});
          g.node("ball", "mesh.sphere").node("nodes", "meshless.nodes", {{"count", 12}});
          g.link("ball.mesh", "nodes.mesh");
          for (const InputInfo& other : type->inputs) {
            if (other.type == &type_of<Mesh>()) g.link("ball.mesh", "it." + other.name);
            if (other.type == &type_of<Meshless>()) g.link("nodes.body", "it." + other.name);
          }
          const Outcome outcome = g.run("it." + type->outputs[0].name);
          if (outcome.value && (name == "empty" || name == "rubbish")) {
            EXPECT_NE(outcome.warnings, "");  // formats of text in which anything is a comment
            continue;
          }
          EXPECT_FALSE(static_cast<bool>(outcome.value));
          expect_clear(outcome.errors);
          EXPECT_NE(outcome.errors.find(name), std::string::npos) << outcome.errors;
        }
      }
    }
  }
  EXPECT_GE(readers, 1);
}

// More than can be had is said before it is tried.
TEST(HostileRequests, TooManyFacesAreOneClearMessage) {
  TestGraph g;
  g.node("ball", "mesh.sphere", {{"detail", 20}})
      .node("refine", "mesh.subdivide", {{"levels", 6}})
      .link("ball.mesh", "refine.mesh");
  for (const int levels : {6, 7, 8}) {
    const Outcome outcome = g.set("refine.levels", levels).run("refine.mesh");
    EXPECT_FALSE(static_cast<bool>(outcome.value));
    expect_clear(outcome.errors);
    EXPECT_NE(outcome.errors.find("triangles"), std::string::npos) << outcome.errors;
  }
}

}  // namespace
}  // namespace sinew::testing
