#include "nodes/kernels/smooth.h"

#include <gtest/gtest.h>

#include <cmath>

#include "nodes/kernels/adjacency.h"
#include "nodes/kernels/measure.h"
#include "tests/kernels/shapes.h"

namespace sinew::kernels {
namespace {

Mesh bumpy(const Mesh& mesh, float amount, unsigned seed) {
  const std::vector<Vec3f> bumps = test::random_points(mesh.vertex_count(), seed, amount);
  std::vector<Vec3f> points = mesh.positions;
  for (std::size_t i = 0; i < points.size(); ++i) points[i] += bumps[i];
  return mesh.with_positions(points);
}

// Sum of squared edge lengths: the Dirichlet energy of the uniform weights.
double energy(const Mesh& mesh, const std::vector<Vec3f>& p) {
  double sum = 0;
  for (const auto& edge : build_edges(mesh.triangles(), p.size()).edges) {
    sum += (p[edge.a] - p[edge.b]).cast<double>().squaredNorm();
  }
  return sum;
}

TEST(Smooth, a_plane_stays_flat_and_its_outline_stays) {
  const Mesh grid = bumpy(make_grid({1, 1, 12, 9, Axis::z}), 0.03f, 1);
  std::vector<Vec3f> points = grid.positions;
  for (Vec3f& p : points) p[2] = 0.25f;
  const Mesh flat = grid.with_positions(points);
  for (const SmoothWeights weights : {SmoothWeights::uniform, SmoothWeights::cotangent}) {
    for (const SmoothMethod method : {SmoothMethod::laplacian, SmoothMethod::taubin}) {
      SmoothOptions options;
      options.weights = weights;
      options.method = method;
      const std::vector<Vec3f> out = smooth_positions(flat, options);
      for (const Vec3f& p : out) EXPECT_NEAR(p[2], 0.25f, 1e-6);
      for (const auto& edge : build_edges(flat.triangles(), points.size()).edges) {
        if (edge.triangles == 1) {
          EXPECT_EQ(out[edge.a], points[edge.a]);
          EXPECT_EQ(out[edge.b], points[edge.b]);
        }
      }
    }
  }
}

TEST(Smooth, every_step_lowers_the_dirichlet_energy) {
  for (const auto& [name, mesh, euler] : test::closed_meshes()) {
    const Mesh rough = bumpy(mesh, 0.05f, 5);
    double last = energy(rough, rough.positions);
    for (int i = 1; i < 6; ++i) {
      SmoothOptions options;
      options.iterations = i;
      const double now = energy(rough, smooth_positions(rough, options));
      EXPECT_LT(now, last) << name;
      last = now;
    }
  }
}

TEST(Smooth, taubin_keeps_the_volume_where_laplacian_shrinks) {
  const Mesh rough = bumpy(make_icosphere({1, 12}), 0.02f, 3);
  SmoothOptions options;
  options.iterations = 30;
  const double before = signed_volume(rough);
  const double shrunk = signed_volume(rough.with_positions(smooth_positions(rough, options)));
  options.method = SmoothMethod::taubin;
  const Mesh filtered = rough.with_positions(smooth_positions(rough, options));
  EXPECT_LT(shrunk, 0.9 * before);
  EXPECT_NEAR(signed_volume(filtered), before, 0.02 * before);
  EXPECT_LT(surface_area(filtered), surface_area(rough));
}

TEST(Smooth, cotangent_weights_do_not_slide_on_a_plane_with_uneven_triangles) {
  // Linear precision: inside a plane the cotangent Laplacian of the position is 0.
  Mesh grid = make_grid({1, 1, 10, 10, Axis::z});
  for (Vec3f& p : grid.positions) p[0] += 0.3f * p[0] * p[0];
  SmoothOptions options;
  options.weights = SmoothWeights::cotangent;
  options.iterations = 1;
  const std::vector<Vec3f> out = smooth_positions(grid, options);
  float slide = 0;
  for (std::size_t i = 0; i < out.size(); ++i)
    slide = std::max(slide, (out[i] - grid.positions[i]).norm());
  EXPECT_LT(slide, 1e-5f);
}

TEST(Smooth, strength_scales_and_zero_leaves) {
  const Mesh rough = bumpy(make_icosphere({1, 6}), 0.05f, 3);
  SmoothOptions options;
  EXPECT_EQ(smooth_positions(rough, options, std::vector<float>{0}), rough.positions);
  std::vector<float> half(rough.vertex_count(), 1);
  for (std::size_t i = 0; i < half.size() / 2; ++i) half[i] = 0;
  const std::vector<Vec3f> out = smooth_positions(rough, options, half);
  for (std::size_t i = 0; i < half.size(); ++i) {
    EXPECT_EQ(out[i] == rough.positions[i], half[i] == 0);
  }
  EXPECT_EQ(smooth_positions(rough, options, std::vector<float>{1}),
            smooth_positions(rough, options));
  options.iterations = 0;
  EXPECT_EQ(smooth_positions(rough, options), rough.positions);
}

TEST(Smooth, degenerate_triangles_and_lonely_vertices_stay_finite) {
  Topology topology;
  topology.triangles = {{0, 1, 2}, {0, 1, 3}, {2, 2, 1}};
  const Mesh mesh(topology, {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {0, 0, 0}, {7, 7, 7}});
  for (const SmoothWeights weights : {SmoothWeights::uniform, SmoothWeights::cotangent}) {
    SmoothOptions options;
    options.weights = weights;
    options.pin_boundary = false;
    const std::vector<Vec3f> out = smooth_positions(mesh, options);
    EXPECT_FALSE(validate(mesh.with_positions(out)));
    EXPECT_EQ(out[4], mesh.positions[4]);
  }
  EXPECT_TRUE(smooth_positions(Mesh(), {}).empty());
}

TEST(Smooth, scales_and_threads) {
  SmoothOptions options;
  options.weights = SmoothWeights::cotangent;
  const Mesh rough = bumpy(make_icosphere({1, 8}), 0.05f, 3);
  const std::vector<Vec3f> unit = smooth_positions(rough, options);
  for (const float scale : {1e-6f, 1e6f}) {
    std::vector<Vec3f> points = rough.positions;
    for (Vec3f& p : points) p *= scale;
    const std::vector<Vec3f> out = smooth_positions(rough.with_positions(points), options);
    for (std::size_t i = 0; i < out.size(); ++i)
      EXPECT_LT((out[i] / scale - unit[i]).norm(), 1e-5f);
  }
  const Mesh big = bumpy(make_icosphere({1, 50}), 0.01f, 3);
  test::expect_same_for_threads([&] { return smooth_positions(big, options); });
  std::atomic<bool> stop = true;
  EXPECT_THROW(smooth_positions(big, options, {}, CancelView{&stop}), Stopped);
}

}  // namespace
}  // namespace sinew::kernels
