#include <gtest/gtest.h>

#include "nodes/geometry/mesh_io.h"
#include "nodes/kernels/adjacency.h"
#include "nodes/kernels/measure.h"
#include "tests/kernels/shapes.h"

namespace sinew {
namespace {

TEST(MeshFiles, obj_and_ply_come_back_as_they_were) {
  const test::Folder folder;
  for (const auto& [name, mesh, euler] : test::closed_meshes()) {
    for (const float scale : {1e-6f, 1.0f, 1e6f}) {
      std::vector<Vec3f> points = mesh.positions;
      for (Vec3f& p : points) p *= scale / 3;
      const Mesh scaled = mesh.with_positions(points);
      for (const char* file : {"a.obj", "a.ply"}) {
        save_mesh(scaled, folder / file);
        const Mesh back = load_mesh(folder / file);
        EXPECT_EQ(back.positions, scaled.positions) << name << file;
        EXPECT_EQ(back.topology->triangles, scaled.topology->triangles) << name << file;
      }
    }
  }
}

TEST(MeshFiles, formats_without_shared_vertices_are_joined) {
  const test::Folder folder;
  for (const auto& [name, mesh, euler] : test::closed_meshes()) {
    for (const char* file : {"a.stl", "a.glb"}) {
      SCOPED_TRACE(name + file);
      save_mesh(mesh, folder / file);
      LoadReport report;
      const Mesh back = load_mesh(folder / file, {}, &report);
      EXPECT_EQ(back.vertex_count(), mesh.vertex_count());
      EXPECT_EQ(back.triangle_count(), mesh.triangle_count());
      const auto topology = kernels::inspect_topology(back.triangles(), back.vertex_count());
      EXPECT_TRUE(topology.watertight());
      EXPECT_EQ(topology.euler, euler);
      EXPECT_NEAR(kernels::signed_volume(back), kernels::signed_volume(mesh), 1e-5);
      LoadOptions apart;
      apart.join_vertices = false;
      if (std::string(file) == "a.stl") {
        EXPECT_EQ(load_mesh(folder / file, apart).vertex_count(), 3 * mesh.triangle_count());
      }
    }
  }
}

TEST(MeshFiles, texture_coordinates_survive_obj) {
  const test::Folder folder;
  Topology topology;
  topology.triangles = {{0, 1, 2}, {1, 3, 2}};
  topology.corner_uvs = {{0, 0}, {1, 0}, {0, 1}, {0.5f, 0}, {1, 1}, {0.25f, 1}};
  const Mesh mesh(topology, {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}});
  save_mesh(mesh, folder / "a.obj");
  EXPECT_EQ(load_mesh(folder / "a.obj"), mesh);
}

TEST(MeshFiles, unit_and_up_axis) {
  const test::Folder folder;
  const auto path = folder.write("a.OBJ", "v 1 2 3\nv 0 1 0\nv 1 0 0\nf 1 2 3\n");
  LoadOptions options;
  options.file_up = UpAxis::z;
  EXPECT_EQ(load_mesh(path, options).positions[0], Vec3f(1, 3, -2));
  options.file_up = UpAxis::y;
  options.target_up = UpAxis::z;
  options.scale = 0.5f;
  EXPECT_EQ(load_mesh(path, options).positions[0], Vec3f(0.5f, -1.5f, 1));
  options.scale = -1;
  EXPECT_EQ(load_mesh(path, options).triangles()[0], (Triangle{0, 2, 1}));
}

TEST(MeshFiles, concave_polygons_of_other_formats_are_ours) {
  const test::Folder folder;
  // An L in OFF, which assimp reads.
  const auto path = folder.write(
      "l.off", "OFF\n6 1 6\n0 0 0\n4 0 0\n4 1 0\n1 1 0\n1 3 0\n0 3 0\n6 0 1 2 3 4 5\n");
  const Mesh mesh = load_mesh(path);
  EXPECT_EQ(mesh.triangle_count(), 4u);
  EXPECT_EQ(mesh.polygon_count(), 1u);
  EXPECT_NEAR(kernels::surface_area(mesh), 6, 1e-5);
}

TEST(MeshFiles, threads_do_not_matter) {
  const test::Folder folder;
  const Mesh mesh = kernels::make_icosphere({1, 100});
  for (const char* file : {"a.obj", "a.ply"}) {
    save_mesh(mesh, folder / file);
    test::expect_same_for_threads([&] { return load_mesh(folder / file); });
  }
  test::expect_same_for_threads([&] {
    save_mesh(mesh, folder / "b.obj");
    return std::filesystem::file_size(folder / "b.obj");
  });
}

}  // namespace
}  // namespace sinew
