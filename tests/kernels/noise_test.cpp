#include "nodes/kernels/noise.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/kernels/shapes.h"

namespace sinew::kernels {
namespace {

std::vector<float> sample(const std::vector<Vec3f>& points, const NoiseOptions& options) {
  std::vector<float> out(points.size());
  noise(points, options, out);
  return out;
}

TEST(Noise, stays_within_one_and_uses_its_range) {
  for (const int octaves : {1, 4, 16}) {
    NoiseOptions options;
    options.octaves = octaves;
    options.scale = 0.05f;
    const std::vector<float> values = sample(test::random_points(200000, 1), options);
    double sum = 0, low = 1, high = -1;
    for (const float v : values) {
      sum += v;
      low = std::min<double>(low, v);
      high = std::max<double>(high, v);
    }
    EXPECT_GE(low, -1);
    EXPECT_LE(high, 1);
    EXPECT_LT(low, -0.5);
    EXPECT_GT(high, 0.5);
    EXPECT_NEAR(sum / static_cast<double>(values.size()), 0, 0.01);
  }
}

TEST(Noise, is_zero_on_the_lattice_and_smooth_across_cells) {
  NoiseOptions options;
  for (int i = -3; i < 3; ++i) {
    EXPECT_NEAR(noise_at(Vec3f(i, 2 - i, 3 * i), options), 0, 1e-6);
  }
  // First differences on both sides of a cell's face agree.
  for (const Vec3f& p : test::random_points(100, 2, 5)) {
    const Vec3f on_face(std::round(p[0]), p[1], p[2]), h(1e-2f, 0, 0);
    const float here = noise_at(on_face, options);
    const float right = (noise_at(on_face + h, options) - here) / h[0];
    const float left = (here - noise_at(on_face - h, options)) / h[0];
    EXPECT_NEAR(left, right, 0.02);
  }
}

TEST(Noise, seeds_octaves_and_offset_matter) {
  const std::vector<Vec3f> points = test::random_points(1000, 3, 4);
  NoiseOptions a, b, c;
  b.seed = 1;
  c.octaves = 3;
  EXPECT_NE(sample(points, a), sample(points, b));
  EXPECT_NE(sample(points, a), sample(points, c));
  // Neighbouring seeds are not shifted octaves of each other: correlation is small.
  double dot = 0, square = 0;
  const std::vector<float> va = sample(points, a), vb = sample(points, b);
  for (std::size_t i = 0; i < va.size(); ++i) {
    dot += va[i] * vb[i];
    square += va[i] * va[i];
  }
  EXPECT_LT(std::abs(dot), 0.15 * square);
  NoiseOptions moved = a;
  moved.offset = Vec3f(1, 2, 3);
  EXPECT_FLOAT_EQ(noise_at(Vec3f(0.25f, 0.5f, 0.75f), moved),
                  noise_at(Vec3f(1.25f, 2.5f, 3.75f), a));
}

TEST(Noise, scales_with_the_mesh) {
  for (const float scale : {1e-6f, 1e6f}) {
    NoiseOptions unit, scaled;
    scaled.scale = scale;
    for (const Vec3f& p : test::random_points(100, 4, 3)) {
      EXPECT_NEAR(noise_at(p, unit), noise_at(p * scale, scaled), 1e-4);
    }
  }
}

TEST(Noise, extremes_are_finite_and_threads_do_not_matter) {
  NoiseOptions options;
  options.scale = 1e-30f;
  options.octaves = 16;
  options.lacunarity = 1e6f;
  for (const float far : {1e30f, -1e30f, 3e38f, 0.0f}) {
    EXPECT_TRUE(std::isfinite(noise_at(Vec3f(far, far, far), options)));
  }
  options = {};
  options.gain = 0;
  options.octaves = 5;
  EXPECT_EQ(noise_at(Vec3f(0.3f, 0.4f, 0.5f), options), noise_at(Vec3f(0.3f, 0.4f, 0.5f), {}));
  const std::vector<Vec3f> points = test::random_points(50001, 5, 10);
  options.gain = 0.6f;
  test::expect_same_for_threads([&] { return sample(points, options); });
  // One by one is the same as all together.
  const std::vector<float> all = sample(points, options);
  for (std::size_t i = 0; i < points.size(); i += 501)
    EXPECT_EQ(all[i], noise_at(points[i], options));
  std::atomic<bool> stop = true;
  std::vector<float> out(points.size());
  EXPECT_THROW(noise(points, options, out, CancelView{&stop}), Stopped);
}

}  // namespace
}  // namespace sinew::kernels
