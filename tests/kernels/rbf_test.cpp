#include "nodes/kernels/rbf.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "nodes/kernels/tile_cholesky.h"
#include "tests/kernels/shapes.h"

namespace sinew::kernels {
namespace {

using test::random_points;

struct Cloud {
  std::string name;
  std::vector<Vec3f> points;
  int dimension;
};

// Points of one kind, none of which are very close to each other.
std::vector<Cloud> clouds(std::size_t n) {
  const std::vector<Vec3f> random = random_points(n, 7 + static_cast<unsigned>(n));
  std::vector<Cloud> all = {{"box", random, 3},
                            {"sphere", random, 3},
                            {"plane", random, 2},
                            {"line", random, 1},
                            {"clusters", random, 3}};
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3f& p = random[i];
    all[1].points[i] = p.normalized();
    all[2].points[i] = {p[0], p[1], 0.5f * p[0] - 0.25f * p[1]};
    const float along = (static_cast<float>(i) + 0.3f * p[0]) / static_cast<float>(n);
    all[3].points[i] = along * Vec3f(1, 2, 4);
    const Vec3f middle(static_cast<float>(i % 7), static_cast<float>(i % 5),
                       static_cast<float>(i % 3));
    all[4].points[i] = 0.3f * middle + 0.02f * p;
  }
  for (Cloud& cloud : all) {
    cloud.dimension = std::min(cloud.dimension, static_cast<int>(n) - 1);
  }
  return all;
}

double smooth_value(const Vec3f& p) {
  const Vec3d q = p.cast<double>();
  return std::sin(3 * q[0]) + q[1] * q[2] + std::exp(q[2] / 2) - 2 * q[0];
}

std::vector<double> smooth_values(std::span<const Vec3f> points) {
  std::vector<double> values;
  for (const Vec3f& p : points) values.push_back(smooth_value(p));
  return values;
}

double range_of(std::span<const double> values) {
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return *high - *low;
}

std::vector<double> values_at(const RbfField& field, std::span<const Vec3f> points) {
  std::vector<double> out(field.columns * points.size());
  evaluate(field, points, std::span<double>(out));
  return out;
}

// The largest miss over the range of the values, by each of the three ways to evaluate.
void expect_interpolates(const RbfField& field, std::span<const Vec3f> points,
                         std::span<const double> values, const std::string& what) {
  const double range = std::max(range_of(values), 1e-300);
  const std::vector<double> got = values_at(field, points);
  std::vector<float> rounded(points.size());
  evaluate(field, points, std::span<float>(rounded));
  double worst = 0, worst_float = 0, largest = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    worst = std::max(worst, std::abs(got[i] - values[i]) / range);
    worst_float = std::max(worst_float, std::abs(static_cast<double>(rounded[i]) - values[i]));
    largest = std::max(largest, std::abs(values[i]));
  }
  EXPECT_LE(worst, 1e-8) << what;
  EXPECT_LE(worst_float, 1e-6 * range + 1e-7 * largest) << what;
  EXPECT_LE(field.report.residual, 1e-8) << what;
}

TEST(TileCholesky, SolvesRandomSystems) {
  for (const std::size_t n : {1u, 5u, 63u, 64u, 65u, 130u, 200u}) {
    const auto size = static_cast<Eigen::Index>(n);
    std::srand(static_cast<unsigned>(n));
    const Eigen::MatrixXd half = Eigen::MatrixXd::Random(size, size);
    const Eigen::MatrixXd a = half * half.transpose() + Eigen::MatrixXd::Identity(size, size);
    const Eigen::VectorXd b = Eigen::VectorXd::Random(size);
    TileCholesky factor(n);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        factor.tile(i / 64, j / 64)[(j % 64) * 64 + i % 64] =
            a(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
      }
    }
    ASSERT_TRUE(factor.factor(0));
    std::vector<double> x(b.data(), b.data() + n);
    factor.solve(x);
    const Eigen::Map<const Eigen::VectorXd> solution(x.data(), size);
    EXPECT_LE((a * solution - b).norm(), 1e-11 * a.norm() * solution.norm()) << n;
  }
}

TEST(TileCholesky, RefusesAnIndefiniteMatrix) {
  TileCholesky factor(70);
  factor.add_to_diagonal(1);
  factor.tile(1, 1)[2 * 65] = -1e-3;
  EXPECT_FALSE(factor.factor(0));
}

TEST(Rbf, InterpolatesSmoothValues) {
  for (const std::size_t n : {1u, 2u, 3u, 4u, 5u, 6u, 17u, 64u, 67u, 69u, 133u, 400u, 1000u}) {
    for (const Cloud& cloud : clouds(n)) {
      const std::string what = cloud.name + " " + std::to_string(n);
      const std::vector<double> values = smooth_values(cloud.points);
      const RbfField field = solve_rbf(cloud.points, values);
      EXPECT_EQ(field.report.used, n) << what;
      EXPECT_EQ(field.report.dimension, cloud.dimension) << what;
      expect_interpolates(field, cloud.points, values, what);
    }
  }
}

TEST(Rbf, InterpolatesTwoThousand) {
  const std::vector<Vec3f> points = random_points(2000, 3);
  const std::vector<double> values = smooth_values(points);
  expect_interpolates(solve_rbf(points, values), points, values, "2000");
}

TEST(Rbf, InterpolatesRoughValues) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> uniform(-3, 7);
  for (const std::size_t n : {5u, 60u, 300u}) {
    for (const Cloud& cloud : clouds(n)) {
      if (n > 60 && (cloud.name == "line" || cloud.name == "clusters")) continue;  // too close
      std::vector<double> values(n);
      for (double& v : values) v = uniform(random);
      expect_interpolates(solve_rbf(cloud.points, values), cloud.points, values, cloud.name);
    }
  }
}

TEST(Rbf, ReproducesLinearFunctions) {
  const std::vector<Vec3f> elsewhere = random_points(300, 99, 2);
  const auto linear = [](const Vec3f& p) { return 3.0 - 2.0 * p[0] + 0.5 * p[1] + 4.0 * p[2]; };
  for (const std::size_t n : {4u, 5u, 50u, 300u}) {
    for (const Cloud& cloud : clouds(n)) {
      std::vector<double> values;
      for (const Vec3f& p : cloud.points) values.push_back(linear(p));
      const RbfField field = solve_rbf(cloud.points, values);
      std::vector<Vec3f> where = elsewhere;
      for (Vec3f& p : where) {  // into what the points span
        if (cloud.name == "plane") p[2] = 0.5f * p[0] - 0.25f * p[1];
        if (cloud.name == "line") p = p[0] * Vec3f(1, 2, 4);
      }
      const std::vector<double> got = values_at(field, where);
      // The points of planes and lines are floats, so that they determine it to 1e-6 only; four
      // random points may be almost in a plane.
      const double allowed = cloud.dimension < 3 ? 3e-5 : n < 10 ? 1e-8 : 1e-9;
      for (std::size_t i = 0; i < where.size(); ++i) {
        ASSERT_NEAR(got[i], linear(where[i]), allowed) << cloud.name << " " << n;
      }
    }
  }
}

TEST(Rbf, OneConstraintIsAConstantAndNoneIsZero) {
  const std::vector<Vec3f> one = {{1, 2, 3}}, where = random_points(50, 1, 9);
  const std::vector<double> five = {5};
  for (const double v : values_at(solve_rbf(one, five), where)) EXPECT_EQ(v, 5);
  const RbfField nothing = solve_rbf({}, {});
  EXPECT_EQ(nothing.report.used, 0u);
  for (const double v : values_at(nothing, where)) EXPECT_EQ(v, 0);
  std::vector<Vec3f> slope(where.size(), Vec3f(1, 1, 1));
  evaluate_gradient(nothing, where, slope);
  for (const Vec3f& s : slope) EXPECT_EQ(s, Vec3f(0, 0, 0));
}

TEST(Rbf, ConstantValuesStayConstant) {
  const std::vector<Vec3f> points = random_points(200, 1), where = random_points(50, 2, 3);
  const std::vector<double> values(points.size(), -0.75);
  for (const double v : values_at(solve_rbf(points, values), where)) EXPECT_NEAR(v, -0.75, 1e-12);
}

TEST(Rbf, GradientsAgreeWithDifferences) {
  for (const float size : {1e-3f, 1.0f, 1e4f}) {
    std::vector<Vec3f> points = random_points(200, 1);
    const std::vector<double> values = smooth_values(points);
    for (Vec3f& p : points) p *= size;
    const RbfField field = solve_rbf(points, values);
    // Inside, outside, and at centres, where the third derivative jumps but the gradient does not.
    std::vector<Vec3f> where = random_points(100, 2, 1.5f * size);
    where.insert(where.end(), points.begin(), points.begin() + 20);
    std::vector<Vec3f> slopes(where.size());
    evaluate_gradient(field, where, slopes);
    const float h = 1e-2f * size;
    for (std::size_t i = 0; i < where.size(); ++i) {
      for (int k = 0; k < 3; ++k) {
        // Differences of second order at h and h/2, extrapolated to fourth order.
        const auto difference = [&](float step) {
          Vec3f low = where[i], high = where[i];
          low[k] -= step;
          high[k] += step;
          return (evaluate_at(field, high) - evaluate_at(field, low)) /
                 (static_cast<double>(high[k]) - static_cast<double>(low[k]));
        };
        const double expected = (4 * difference(h / 2) - difference(h)) / 3;
        ASSERT_NEAR(slopes[i][k] * size, expected * size, 2e-3) << i;
      }
    }
  }
}

TEST(Rbf, SeveralColumnsAreSolvedAsIfAlone) {
  const std::vector<Vec3f> points = random_points(150, 4), where = random_points(70, 5, 2);
  std::vector<double> columns = smooth_values(points);
  for (const Vec3f& p : points) columns.push_back(p.squaredNorm());
  for (const Vec3f& p : points) columns.push_back(1e6 * p[1] * p[0]);
  const std::vector<double> together = values_at(solve_rbf(points, columns, 3), where);
  for (std::size_t c = 0; c < 3; ++c) {
    const std::span<const double> one(columns.data() + c * points.size(), points.size());
    const std::vector<double> alone = values_at(solve_rbf(points, one), where);
    for (std::size_t i = 0; i < where.size(); ++i) {
      ASSERT_NEAR(together[c * where.size() + i], alone[i], 1e-10 * range_of(one));
    }
  }
}

TEST(Rbf, VectorLoopsAgreeWithThePlainLoop) {
  for (const std::size_t n : {1u, 7u, 300u}) {
    const std::vector<Vec3f> points = random_points(n, 4), where = random_points(777, 5, 3);
    const RbfField field = solve_rbf(points, smooth_values(points));
    const std::vector<double> exact = values_at(field, where);
    std::vector<float> fast(where.size());
    evaluate(field, where, std::span<float>(fast));
    for (std::size_t i = 0; i < where.size(); ++i) {
      const double plain = evaluate_at(field, where[i]);
      ASSERT_NEAR(exact[i], plain, 1e-11 * (1 + std::abs(plain)));
      ASSERT_NEAR(fast[i], plain, 1e-7 * (1 + std::abs(plain)));
    }
  }
}

TEST(Rbf, ScaleAndPlaceDoNotMatter) {
  const std::vector<Vec3f> points = random_points(300, 8);
  const std::vector<double> values = smooth_values(points);
  for (const float scale : {1e-6f, 1e-3f, 1e6f}) {
    std::vector<Vec3f> scaled = points;
    for (Vec3f& p : scaled) p *= scale;
    expect_interpolates(solve_rbf(scaled, values), scaled, values, std::to_string(scale));
  }
  for (const float offset : {1e3f, -1e3f}) {
    std::vector<Vec3f> moved = points;
    for (Vec3f& p : moved) p += Vec3f(offset, 2 * offset, -offset);
    const RbfField field = solve_rbf(moved, values);
    EXPECT_EQ(field.report.dimension, 3);
    expect_interpolates(field, moved, values, std::to_string(offset));
  }
  // A plane far away: floats there are coarse, but it is no body because of that.
  std::vector<Vec3f> plane = clouds(300)[2].points;
  const std::vector<double> on_plane = smooth_values(plane);
  for (Vec3f& p : plane) p += Vec3f(1000, 1000, 1000);
  const RbfField field = solve_rbf(plane, on_plane);
  EXPECT_EQ(field.report.dimension, 2);
  expect_interpolates(field, plane, on_plane, "a plane far away");
}

TEST(Rbf, DuplicatesAreMerged) {
  std::vector<Vec3f> points = random_points(40, 1);
  std::vector<double> values = smooth_values(points);
  const std::vector<double> once = values_at(solve_rbf(points, values), points);
  for (int i = 0; i < 10; ++i) {
    points.push_back(points[static_cast<std::size_t>(3 * i)]);
    values.push_back(values[static_cast<std::size_t>(3 * i)]);
  }
  const RbfField field = solve_rbf(points, values);
  EXPECT_EQ(field.report.used, 40u);
  EXPECT_EQ(field.report.merged, 10u);
  EXPECT_EQ(field.report.contradictions, 0u);
  EXPECT_TRUE(std::equal(once.begin(), once.end(), values_at(field, points).begin()));
}

TEST(Rbf, ContradictionsAreCountedAndAveraged) {
  std::vector<Vec3f> points = random_points(20, 1);
  std::vector<double> values = smooth_values(points);
  points.push_back(points[4]);
  values.push_back(values[4] + 1);
  points.push_back(points[7]);
  values.push_back(values[7]);
  const RbfField field = solve_rbf(points, values);
  EXPECT_EQ(field.report.merged, 2u);
  EXPECT_EQ(field.report.contradictions, 1u);
  EXPECT_NEAR(evaluate_at(field, points[4]), values[4] + 0.5, 1e-8);
}

TEST(Rbf, AllAtOnePlaceIsTheirMean) {
  const std::vector<Vec3f> points(9, Vec3f(3, 3, 3));
  const std::vector<double> values = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  const RbfField field = solve_rbf(points, values);
  EXPECT_EQ(field.report.dimension, 0);
  EXPECT_EQ(evaluate_at(field, {0, 0, 0}), 5);
}

TEST(Rbf, WhatIsNotFiniteIsDropped) {
  std::vector<Vec3f> points = random_points(30, 1);
  std::vector<double> values = smooth_values(points);
  points[3][1] = std::numeric_limits<float>::quiet_NaN();
  values[5] = std::numeric_limits<double>::infinity();
  const RbfField field = solve_rbf(points, values);
  EXPECT_EQ(field.report.dropped, 2u);
  EXPECT_EQ(field.report.used, 28u);
  EXPECT_TRUE(std::isfinite(evaluate_at(field, {0, 0, 0})));
}

// Almost the same place, and values that differ: no field can do that; it must say so and stay
// finite.
TEST(Rbf, TheImpossibleIsReported) {
  std::vector<Vec3f> points = random_points(100, 1);
  std::vector<double> values = smooth_values(points);
  for (std::size_t i = 0; i < 50; ++i) {
    points.push_back(points[i] + Vec3f(1e-6f, 0, 0));
    values.push_back(values[i] + (i % 2 ? 1 : -1));
  }
  const RbfField field = solve_rbf(points, values);
  EXPECT_GT(field.report.residual, 1e-8);
  for (const double v : values_at(field, random_points(100, 3, 2))) EXPECT_TRUE(std::isfinite(v));
}

TEST(Rbf, FarAwayItStaysFinite) {
  const std::vector<Vec3f> points = random_points(50, 1);
  const RbfField field = solve_rbf(points, smooth_values(points));
  const std::vector<Vec3f> far = {{1e9f, 0, 0}, {-1e10f, 1e10f, 0}};
  std::vector<float> out(2);
  evaluate(field, far, std::span<float>(out));
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_TRUE(std::isfinite(out[i]));
    EXPECT_NEAR(out[i] / evaluate_at(field, far[i]), 1, 1e-5);
  }
}

TEST(Rbf, ManyConstraintsAreMetByASubset) {
  const std::vector<Vec3f> points = random_points(3000, 12);
  const std::vector<double> values = smooth_values(points);
  RbfOptions options;
  options.max_centres = 600;
  options.tolerance = 2e-3;
  const RbfField field = solve_rbf(points, values, 1, options);
  EXPECT_LT(field.report.used, 600u);
  EXPECT_EQ(field.report.left_out, 3000 - field.report.used);
  const std::vector<double> got = values_at(field, points);
  double worst = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    worst = std::max(worst, std::abs(got[i] - values[i]) / range_of(values));
  }
  EXPECT_LE(worst, options.tolerance);
  EXPECT_NEAR(worst, field.report.residual, 1e-12);
  // Out of reach: it uses what it may and says how far it came.
  options.max_centres = 100;
  options.tolerance = 1e-9;
  const RbfField coarse = solve_rbf(points, values, 1, options);
  EXPECT_EQ(coarse.report.used, 100u);
  EXPECT_GT(coarse.report.residual, options.tolerance);
  EXPECT_LT(coarse.report.residual, 0.2);
}

TEST(Rbf, DoesNotDependOnThreads) {
  const std::vector<Vec3f> points = random_points(500, 1), where = random_points(5000, 2, 2);
  const std::vector<double> values = smooth_values(points);
  test::expect_same_for_threads([&] {
    const RbfField field = solve_rbf(points, values);
    std::vector<float> out(where.size());
    evaluate(field, where, std::span<float>(out));
    std::vector<Vec3f> slopes(where.size());
    evaluate_gradient(field, where, slopes);
    for (const Vec3f& s : slopes) out.insert(out.end(), {s[0], s[1], s[2]});
    return out;
  });
}

TEST(Rbf, StopsWhenAsked) {
  const std::atomic<bool> flag{true};
  const std::vector<Vec3f> points = random_points(100, 1);
  const std::vector<double> values = smooth_values(points);
  EXPECT_THROW(solve_rbf(points, values, 1, {}, {&flag}), Stopped);
  const RbfField field = solve_rbf(points, values);
  std::vector<float> out(100);
  EXPECT_THROW(evaluate(field, points, std::span<float>(out), {&flag}), Stopped);
}

}  // namespace
}  // namespace sinew::kernels
