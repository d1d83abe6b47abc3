#include "nodes/geometry/mesh.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "nodes/geometry/field.h"
#include "nodes/geometry/join.h"
#include "tests/kernels/shapes.h"

namespace sinew {
namespace {

TEST(Mesh, topology_is_never_null_and_shared_by_deformed_versions) {
  EXPECT_TRUE(Mesh().topology);
  EXPECT_TRUE(Mesh(std::shared_ptr<const Topology>(), {}).topology);
  const Mesh box = kernels::make_box({});
  const Mesh moved = box.with_positions(test::random_points(8, 1));
  EXPECT_EQ(box.topology, moved.topology);
  EXPECT_EQ(box.polygon_count(), 6u);
  EXPECT_EQ(box.triangle_count(), 12u);
}

TEST(Mesh, validate_names_the_first_bad_index) {
  Mesh box = kernels::make_box({});
  EXPECT_FALSE(validate(box));
  Mesh bad = box;
  bad.positions[5][1] = std::numeric_limits<float>::quiet_NaN();
  bad.positions[7][1] = std::numeric_limits<float>::infinity();
  EXPECT_EQ(validate(bad), "vertex 5 is not finite");
  Topology topology = *box.topology;
  topology.triangles[3][2] = 8;
  EXPECT_EQ(validate(Mesh(topology, box.positions)),
            "triangle 3 refers to vertex 8, but there are only 8");
  topology = *box.topology;
  topology.polygon_of_triangle.pop_back();
  EXPECT_TRUE(validate(Mesh(topology, box.positions)));
  topology = *box.topology;
  topology.corner_uvs.resize(5, Vec2f(0, 0));
  EXPECT_TRUE(validate(Mesh(topology, box.positions)));
}

TEST(Mesh, content_tells_meshes_apart) {
  const auto content = [](const Mesh& mesh) {
    std::string all;
    visit_content(mesh, [&](std::span<const std::byte> bytes) {
      all.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    });
    return all;
  };
  const Mesh box = kernels::make_box({});
  Mesh moved = box;
  moved.positions[0][0] += 1;
  EXPECT_EQ(content(box), content(kernels::make_box({})));
  EXPECT_NE(content(box), content(moved));
  EXPECT_GT(byte_size(box), 12 * 12 + 8 * 12u);
}

TEST(Mesh, joining_finds_equal_points_and_both_zeros) {
  const std::vector<Vec3f> points = {{0, 1, 2}, {1, 1, 1}, {-0.0f, 1, 2}, {1, 1, 1}, {1, 1, 1.5f}};
  const Joined joined = join_identical(points);
  EXPECT_EQ(joined.kept, (std::vector<uint32_t>{0, 1, 4}));
  EXPECT_EQ(joined.vertex_map, (std::vector<uint32_t>{0, 1, 0, 1, 2}));
}

TEST(Field, constants_and_values) {
  const Field c = Field::constant(3);
  EXPECT_TRUE(c.is_constant());
  EXPECT_EQ(c.size(), 1u);
  EXPECT_EQ(c.at(12345), 3);
  EXPECT_TRUE(c.fits(Domain::vertex, 7));
  EXPECT_EQ(c.expanded(3), (std::vector<float>{3, 3, 3}));
  const Field f(Domain::vertex, {1, 2, 3});
  EXPECT_TRUE(f.fits(Domain::vertex, 3));
  EXPECT_FALSE(f.fits(Domain::vertex, 4));
  EXPECT_FALSE(f.fits(Domain::face, 3));
  EXPECT_EQ(f.at(1), 2);
  EXPECT_EQ(Field().at(0), 0);
  EXPECT_THROW(Field(Domain::constant, {1}), std::invalid_argument);
  EXPECT_FALSE(validate(f));
  EXPECT_EQ(validate(Field(Domain::face, {1, NAN})), "the value of face 1 is not finite");
}

}  // namespace
}  // namespace sinew
