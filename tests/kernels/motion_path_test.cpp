#include "nodes/kernels/motion_path.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "nodes/kernels/named_curves.h"

namespace sinew::kernels {
namespace {

constexpr double pi = std::numbers::pi;
constexpr PathCurve curves[] = {PathCurve::polyline, PathCurve::spline};

std::vector<Vec3f> random_points(std::mt19937& random, int count, double scale = 1) {
  std::normal_distribution<double> normal(0, scale);
  std::vector<Vec3f> points;
  for (int i = 0; i < count; ++i) {
    points.push_back(Vec3d(normal(random), normal(random), normal(random)).cast<float>());
  }
  return points;
}

std::vector<Vec3f> circle(int count, double radius = 1) {
  std::vector<Vec3f> points;
  for (int i = 0; i < count; ++i) {
    const double a = 2 * pi * i / count;
    points.push_back(Vec3d(radius * std::cos(a), 0, radius * std::sin(a)).cast<float>());
  }
  return points;
}

// The length between two distances by many chords.
double chords(const PathShape& shape, double from, double to, int count) {
  double sum = 0;
  Vec3d last = shape.at(from).position;
  for (int i = 1; i <= count; ++i) {
    const Vec3d next = shape.at(from + (to - from) * i / count).position;
    sum += (next - last).norm();
    last = next;
  }
  return sum;
}

TEST(PathShape, runs_through_its_points) {
  std::mt19937 random(1);
  for (const PathCurve curve : curves) {
    for (const bool closed : {false, true}) {
      const std::vector<Vec3f> points = random_points(random, 9);
      const PathShape shape(points, curve, closed);
      const std::vector<double> places = shape.point_distances();
      ASSERT_EQ(places.size(), points.size() + (closed ? 1 : 0));
      for (std::size_t i = 0; i < points.size(); ++i) {
        EXPECT_LT((shape.at(places[i]).position - points[i].cast<double>()).norm(), 1e-9);
      }
      const Vec3f& last = closed ? points.front() : points.back();
      EXPECT_LT((shape.at(shape.length()).position - last.cast<double>()).norm(), 1e-12);
    }
  }
}

TEST(PathShape, distances_are_lengths_of_the_curve) {
  std::mt19937 random(2);
  for (const double scale : {1e-6, 1.0, 1e6}) {
    for (const bool closed : {false, true}) {
      const PathShape shape(random_points(random, 7, scale), PathCurve::spline, closed);
      const double length = shape.length();
      // Chords fall short by a part that goes with the square of their length.
      const double coarse = chords(shape, 0, length, 4000), fine = chords(shape, 0, length, 8000);
      EXPECT_NEAR((4 * fine - coarse) / 3, length, 1e-7 * length);
      for (const double a : {0.1, 0.43, 0.77}) {
        EXPECT_NEAR(chords(shape, a * length, (a + 0.05) * length, 2000), 0.05 * length,
                    1e-6 * length);
      }
    }
  }
}

TEST(PathShape, a_straight_line_is_one) {
  for (const PathCurve curve : curves) {
    const PathShape shape(std::vector<Vec3f>{{0, 0, 0}, {1, 2, 2}}, curve, false);
    EXPECT_NEAR(shape.length(), 3, 1e-12);
    EXPECT_LT((shape.at(1.5).position - Vec3d(0.5, 1, 1)).norm(), 1e-12);
    EXPECT_LT((shape.at(1.5).tangent - Vec3d(1, 2, 2) / 3).norm(), 1e-12);
  }
  // Unevenly spaced points of a line stay on it, and the way is even.
  const PathShape uneven(std::vector<Vec3f>{{0, 0, 0}, {0.1f, 0, 0}, {2, 0, 0}, {3, 0, 0}},
                         PathCurve::spline, false);
  EXPECT_NEAR(uneven.length(), 3, 1e-9);
  EXPECT_LT((uneven.at(1.25).position - Vec3d(1.25, 0, 0)).norm(), 1e-9);
}

TEST(PathShape, a_circle_is_nearly_one) {
  const PathShape shape(circle(16, 2), PathCurve::spline, true);
  EXPECT_NEAR(shape.length(), 4 * pi, 0.01);
  for (double s = 0; s < 30; s += 0.31) {
    EXPECT_NEAR(shape.at(s).position.norm(), 2, 2e-3);
    EXPECT_LT((shape.at(s).position - shape.at(s + shape.length()).position).norm(), 1e-9);
    EXPECT_LT((shape.at(s).position - shape.at(s - 5 * shape.length()).position).norm(), 1e-9);
  }
}

TEST(PathShape, frames_are_orthonormal_and_do_not_twist) {
  std::mt19937 random(3);
  for (const PathCurve curve : curves) {
    for (const bool closed : {false, true}) {
      const PathShape shape(random_points(random, 8), curve, closed);
      const int n = 20000;
      double worst = 0;
      PathFrame last = shape.at(0);
      for (int i = 0; i <= n; ++i) {
        const PathFrame f = shape.at(shape.length() * i / n);
        Eigen::Matrix3d axes;
        axes << f.tangent, f.normal, f.binormal;
        EXPECT_LT((axes.transpose() * axes - Eigen::Matrix3d::Identity()).norm(), 1e-12);
        EXPECT_NEAR(axes.determinant(), 1, 1e-12);
        // The normal's change has no part along the binormal, but for what closes the frame.
        if (last.tangent.dot(f.tangent) > 1 - 1e-6) {
          const Vec3d halfway = (f.binormal + last.binormal).normalized();
          worst = std::max(worst, std::abs((f.normal - last.normal).dot(halfway)));
        }
        last = f;
      }
      EXPECT_LT(worst, closed ? 2 * pi / n * 1.1 : 1e-6);
      if (closed) {
        const PathFrame a = shape.at(0), b = shape.at(shape.length() * (1 - 1e-12));
        // A corner at the seam turns both in the same way.
        if (a.tangent.dot(b.tangent) > 0.999999) {
          EXPECT_LT((a.normal - b.normal).norm(), 1e-5);
        }
      }
    }
  }
}

TEST(PathShape, without_a_way_it_is_finite) {
  const std::vector<std::vector<Vec3f>> cases = {
      {}, {{1, 2, 3}}, {{1, 2, 3}, {1, 2, 3}}, std::vector<Vec3f>(50, Vec3f(1, 2, 3))};
  for (const PathCurve curve : curves) {
    for (const bool closed : {false, true}) {
      for (const auto& points : cases) {
        const PathShape shape(points, curve, closed);
        EXPECT_EQ(shape.length(), 0);
        for (const double s : {0.0, 1.0, -1.0, HUGE_VAL, std::nan("")}) {
          const PathFrame f = shape.at(s);
          EXPECT_EQ(f.position, points.empty() ? Vec3d(0, 0, 0) : Vec3d(1, 2, 3));
          EXPECT_EQ(f.tangent.norm(), 1);
        }
      }
      // There and back again; points twice; a spike.
      for (const auto& points : std::vector<std::vector<Vec3f>>{
               {{0, 0, 0}, {1, 0, 0}, {0, 0, 0}},
               {{0, 0, 0}, {0, 0, 0}, {1, 0, 0}, {1, 0, 0}, {1, 1, 0}, {1, 1, 0}},
               {{0, 0, 0}, {1, 0, 0}, {1 + 1e-6f, 0, 0}, {0, 1e-3f, 0}},
               {{0, 0, 0}, {0, 1e9f, 0}, {1e-3f, 0, 0}}}) {
        const PathShape shape(points, curve, closed);
        EXPECT_GT(shape.length(), 0);
        for (int i = 0; i <= 100; ++i) {
          const PathFrame f = shape.at(shape.length() * i / 100);
          EXPECT_TRUE(f.position.allFinite() && f.normal.allFinite());
          EXPECT_NEAR(f.tangent.norm(), 1, 1e-12);
          EXPECT_NEAR(f.tangent.dot(f.normal), 0, 1e-9);
        }
      }
    }
  }
}

MotionPath path_of(std::vector<Vec3f> points) {
  MotionPath path;
  path.points.list = std::move(points);
  path.start = 1;
  path.end = 4;
  return path;
}

TEST(PathClock, arrives_at_the_end_when_the_time_is_over) {
  std::mt19937 random(4);
  std::uniform_real_distribution<double> uniform(-2, 2);
  for (int run = 0; run < 60; ++run) {
    MotionPath path = path_of(random_points(random, 6));
    path.momentum.points.clear();
    for (int i = 0; i < 5; ++i) path.momentum.points.push_back({0.3 * i + 5, uniform(random)});
    path.momentum.interpolation = static_cast<Interpolation>(run % 3);
    path.mass = std::exp(uniform(random));
    path.speed = uniform(random);
    path.closed = run % 2 == 0;
    path.rounds = path.closed ? 1 + run % 4 : 1;
    path.offset = run % 5 == 0 ? 0.2 : 0;
    ASSERT_EQ(validate(path), std::nullopt);
    const PathMotion motion(path);
    const double length = motion.shape().length();
    const double end = path.closed ? path.offset + path.rounds * length : length;
    EXPECT_EQ(motion.clock().distance(4), end);
    // Not only by decree: just before it is close.
    const double rate = std::abs(motion.clock().speed(4 - 1e-9)) + 1;
    EXPECT_NEAR(motion.clock().distance(4 - 1e-9), end, 1e-8 * rate + 1e-9 * length);
    EXPECT_EQ(motion.clock().distance(9), end);
    EXPECT_EQ(motion.clock().distance(1), path.offset);
    EXPECT_EQ(motion.clock().distance(-3), path.offset);
    EXPECT_EQ(motion.clock().speed(0.5), 0);
    EXPECT_EQ(motion.clock().done(0), 0);
    EXPECT_EQ(motion.clock().done(7), 1);
  }
}

// s = s0 + v0 (t - t0) + the integral of (M - M0) / m, by Simpson's rule.
TEST(PathClock, the_way_is_the_integral_of_the_momentum) {
  MotionPath path = path_of({{0, 0, 0}, {100, 0, 0}});
  path.momentum = make_named_curve(NamedCurve::momentum, {.width = 25, .height = 400});
  path.mass = 7;
  path.speed = 1.5;
  path.offset = 3;
  path.fit = false;
  const PathMotion motion(path);
  const ChartPieces momentum(path.momentum);
  const auto speed = [&](double t) {
    return 1.5 + (momentum.evaluate((t - 1) / 3 * 25) - momentum.evaluate(0)) / 7;
  };
  double s = 3;
  const int n = 30000;
  for (int i = 0; i < n; ++i) {
    const double a = 1 + 3.0 * i / n, h = 3.0 / n;
    s += h / 6 * (speed(a) + 4 * speed(a + h / 2) + speed(a + h));
    if (i % 3000 == 0) {
      EXPECT_NEAR(motion.clock().distance(a + h), s, 1e-8);
      EXPECT_NEAR(motion.clock().speed(a + h), speed(a + h), 1e-9);
    }
  }
  EXPECT_NEAR(motion.clock().distance(4), s, 1e-8);
  EXPECT_NEAR(motion.clock().distance(40), s, 1e-8);
}

TEST(PathClock, speed_is_the_slope_of_the_distance) {
  MotionPath path = path_of({{0, 0, 0}, {3, 1, 0}, {5, 5, 5}});
  const PathMotion motion(path);
  for (double t = 1.01; t < 4; t += 0.0317) {
    const double h = 1e-5;
    const double slope =
        (motion.clock().distance(t + h) - motion.clock().distance(t - h)) / (2 * h);
    EXPECT_NEAR(motion.clock().speed(t), slope, 1e-5);
  }
}

TEST(PathClock, no_travel_is_a_constant_speed) {
  MotionPath path = path_of({{0, 0, 0}, {6, 0, 0}});
  Chart forth_and_back;
  forth_and_back.points = {{0, 0}, {1, 5}, {3, -5}, {4, 0}};
  forth_and_back.interpolation = Interpolation::linear;
  for (const Chart& momentum : {Chart::constant(0), Chart::constant(17), forth_and_back}) {
    path.momentum = momentum;
    const PathMotion motion(path);
    for (const double t : {1.0, 1.5, 2.25, 4.0}) {
      EXPECT_NEAR(motion.clock().distance(t), 2 * (t - 1), 1e-12);
      EXPECT_NEAR(motion.clock().speed(t), 2, 1e-12);
    }
  }
}

TEST(PathClock, backwards) {
  MotionPath path = path_of({{0, 0, 0}, {6, 0, 0}});
  path.momentum = Chart::constant(0);
  path.fit = false;
  path.speed = -1;
  path.offset = 5;
  EXPECT_NEAR(PathMotion(path).at(3).position.x(), 3, 1e-12);
  // An open path ends; a closed one goes round.
  path.speed = -100;
  EXPECT_EQ(PathMotion(path).at(3).position.x(), 0);
  path.closed = true;
  path.speed = -4;
  EXPECT_NEAR(PathMotion(path).at(3).position.x(), 3, 1e-9);
  EXPECT_EQ(PathMotion(path).clock().distance(3), -3);
  // Scaled, it may go backwards on the way, and still arrives.
  path.closed = false;
  path.fit = true;
  path.offset = 1;
  path.speed = 1;
  path.mass = 1;
  path.momentum.points = {{0, 0}, {1, -3}, {2, 6}};
  const PathMotion motion(path);
  double least = 9;
  for (double t = 1; t < 4; t += 0.01) least = std::min(least, motion.clock().distance(t));
  EXPECT_LT(least, 1);
  EXPECT_EQ(motion.clock().distance(4), 6);
}

TEST(PathMotion, does_not_depend_on_the_frame_rate) {
  std::mt19937 random(6);
  const PathMotion motion(path_of(random_points(random, 9)));
  for (int second = 0; second < 6; ++second) {
    const Vec3d at = motion.at(second).position;
    for (const int fps : {12, 25, 60, 240}) {
      EXPECT_LT((motion.at(second * fps * (1.0 / fps)).position - at).norm(), 1e-9);
    }
  }
}

TEST(PathMotion, is_the_same_at_every_scale) {
  std::mt19937 random(7);
  const std::vector<Vec3f> points = random_points(random, 6);
  for (const float scale : {1e-6f, 1e6f}) {
    std::vector<Vec3f> scaled = points;
    for (Vec3f& p : scaled) p *= scale;
    MotionPath slow = path_of(scaled);
    slow.start *= 1e6;
    slow.end *= 1e6;
    const PathMotion a(path_of(points)), b(slow);
    for (const double t : {1.2, 2.5, 3.3, 3.99}) {
      const double s = scale;
      EXPECT_LT((a.at(t).position * s - b.at(t * 1e6).position).norm(), 1e-5 * s);
      EXPECT_LT((a.at(t).normal - b.at(t * 1e6).normal).norm(), 1e-3);
    }
  }
}

TEST(MotionPath, validate_says_what_is_wrong) {
  const auto wrong = [](const auto& change) {
    MotionPath path = path_of({{0, 0, 0}, {1, 0, 0}});
    change(path);
    return validate(path).value_or("");
  };
  const double nan = std::nan("");
  EXPECT_EQ(wrong([](MotionPath&) {}), "");
  EXPECT_NE(wrong([](MotionPath& p) { p.points.list.clear(); }).find("has none"),
            std::string::npos);
  EXPECT_NE(wrong([](MotionPath& p) { p.points.list.pop_back(); }).find("at least two"),
            std::string::npos);
  EXPECT_NE(wrong([](MotionPath& p) {
              p.points.list[1] = {0, 0, 0};
            }).find("one place"),
            std::string::npos);
  EXPECT_NE(wrong([&](MotionPath& p) { p.points.list[1].x() = std::nanf(""); }).find("point 2"),
            std::string::npos);
  EXPECT_NE(wrong([&](MotionPath& p) { p.mass = 0; }).find("mass"), std::string::npos);
  EXPECT_NE(wrong([&](MotionPath& p) { p.speed = nan; }).find("speed"), std::string::npos);
  EXPECT_NE(wrong([&](MotionPath& p) { p.end = p.start; }).find("after"), std::string::npos);
  EXPECT_NE(wrong([&](MotionPath& p) { p.start = nan; }).find("start"), std::string::npos);
  EXPECT_NE(wrong([&](MotionPath& p) { p.offset = -1; }).find("offset"), std::string::npos);
  EXPECT_NE(wrong([&](MotionPath& p) { p.rounds = 0; }).find("rounds"), std::string::npos);
  EXPECT_NE(wrong([&](MotionPath& p) { p.time = nan; }).find("moment"), std::string::npos);
  EXPECT_NE(wrong([&](MotionPath& p) { p.momentum.points.clear(); }).find("momentum"),
            std::string::npos);
}

// Whatever is in the chart, the answer is a place on the path.
TEST(PathClock, huge_numbers) {
  for (const double huge : {1e10, 1e200, 1e300}) {
    for (const bool fit : {false, true}) {
      MotionPath path = path_of({{0, 0, 0}, {1, 2, 0}, {3, 3, 3}});
      path.momentum.points = {{-huge, -huge}, {0, huge}, {huge, 0}};
      path.mass = least_path_mass;
      path.speed = greatest_path_speed;
      path.fit = fit;
      ASSERT_EQ(validate(path), std::nullopt);
      const PathMotion motion(path);
      for (double t = 0; t < 5; t += 0.1) {
        EXPECT_TRUE(std::isfinite(motion.clock().distance(t)));
        EXPECT_TRUE(std::isfinite(motion.clock().speed(t)));
        EXPECT_TRUE(motion.at(t).position.allFinite());
      }
    }
  }
}

}  // namespace
}  // namespace sinew::kernels
