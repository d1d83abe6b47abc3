#include "nodes/kernels/inverse_charts.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "nodes/kernels/embed.h"
#include "nodes/kernels/fit_skin.h"
#include "nodes/kernels/primitives.h"
#include "nodes/kernels/rigid_fit.h"
#include "nodes/kernels/soft_body.h"
#include "tests/kernels/shapes.h"
#include "tests/kernels/solids.h"

namespace sinew::kernels {
namespace {

constexpr std::array links = {ChartLink::drawn, ChartLink::keep_both, ChartLink::keep_secondary};

TetMesh bar(unsigned seed = 1, float scale = 1) {
  TetMesh solid = test::shaken_box({2, 0.6f, 0.6f}, {8, 3, 3}, seed, 0.1f);
  for (Vec3f& p : solid.positions) p *= scale;
  return solid;
}

MatchBody prepared(const TetMesh& solid) { return {solid, vertex_masses(solid, 1000, {})}; }

Chart ratios(std::span<const double> logs) {
  Chart chart;
  chart.interpolation = Interpolation::linear;
  chart.extension = Extension::cyclic;
  chart.axis = ValueAxis::ratio;
  chart.period = 1;
  for (std::size_t p = 0; p < logs.size(); ++p) {
    chart.points.push_back(
        {static_cast<double>(p) / static_cast<double>(logs.size()), std::exp(logs[p])});
  }
  return chart;
}

std::vector<double> random_logs(int points, std::mt19937& random, double most = 0.35) {
  std::uniform_real_distribution<double> uniform(-most, most);
  std::vector<double> logs(static_cast<std::size_t>(points));
  for (double& l : logs) l = uniform(random);
  return logs;
}

// The shapes that known charts lead to, at evenly spread times.
std::vector<WantedShape> shapes_of(const MatchBody& body, const InverseSettings& known,
                                   const std::array<Chart, 3>& charts, int times) {
  auto pattern = std::make_shared<ActivationPattern>();
  pattern->charts = compile_charts(charts[0], charts[1], charts[2], known.link, known.limit);
  pattern->amplitude = known.amplitude;
  pattern->phase = known.phase;
  pattern->speed = known.speed;
  pattern->period = known.period;
  std::vector<WantedShape> shapes;
  for (int k = 0; k < times; ++k) {
    Activation a;
    a.count = body.count();
    a.frames = known.frames;
    a.pattern = pattern;
    const double part = static_cast<double>(k) / times;
    a.time = part * known.period;
    shapes.push_back({relaxed_shape(body, a), part});
  }
  return shapes;
}

double largest_log_error(const Chart& found, const Chart& known) {
  double most = 0;
  for (const ChartPoint& p : known.points) {
    most = std::max(most, std::abs(std::log(found.evaluate(p.x) / p.y)));
  }
  return most;
}

struct Case {
  const char* name;
  std::vector<float> amplitude, phase;
};
std::vector<Case> cases(const TetMesh& solid) {
  const auto x = test::sampled(
      solid.positions, [](const Vec3f& p) { return std::clamp(0.5f + p.x() / 2, 0.0f, 1.0f); });
  const auto bend = test::sampled(
      solid.positions, [](const Vec3f& p) { return std::clamp(p.y() / 0.3f, -1.0f, 1.0f); });
  return {{"the same everywhere", {1}, {0}},
          {"travels", {0.8f}, x},
          {"bends", bend, {0}},
          {"bends and travels", bend, x}};
}

void expect_no_worse(const FoundCharts& found, const std::string& about) {
  EXPECT_LE(overall_error(found.error), overall_error(found.linear_error)) << about;
}

class RoundTrip : public testing::TestWithParam<ChartLink> {};

TEST_P(RoundTrip, KnownChartsAreFound) {
  for (const unsigned seed : {1u, 2u, 3u}) {
    std::mt19937 random(seed);
    const TetMesh solid = bar(seed);
    const MatchBody body = prepared(solid);
    for (const Case& c : cases(solid)) {
      InverseSettings settings;
      settings.link = GetParam();
      settings.amplitude = c.amplitude;
      settings.phase = c.phase;
      settings.speed = 1.3;
      settings.period = 1.7;
      settings.points = 5;
      settings.refine = 4;
      std::array<Chart, 3> known;
      for (Chart& chart : known) chart = ratios(random_logs(settings.points, random));
      const auto shapes = shapes_of(body, settings, known, 5);
      const FoundCharts found = find_charts(solid, body, shapes, settings);
      const std::string about = fmt::format("{}, seed {}", c.name, seed);
      EXPECT_LT(overall_error(found.error), 0.002) << about;
      expect_no_worse(found, about);
      for (std::size_t j = 0; j < (settings.link == ChartLink::drawn ? 3 : 1); ++j) {
        EXPECT_LT(largest_log_error(found.charts[j], known[j]), 0.03) << about << ", chart " << j;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Links, RoundTrip, testing::ValuesIn(links));

InverseSettings settings_for(ChartLink link, int points, int refine) {
  InverseSettings settings;
  settings.link = link;
  settings.points = points;
  settings.refine = refine;
  return settings;
}

std::vector<Vec3f> moved(std::span<const Vec3f> points, const Vec3f& shift, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  const Eigen::Quaternionf turn(normal(random), normal(random), normal(random), normal(random));
  std::vector<Vec3f> result;
  for (const Vec3f& p : points) result.push_back(turn.normalized() * p + shift);
  return result;
}

bool all_one(const FoundCharts& found) {
  for (const Chart& chart : found.charts) {
    for (const ChartPoint& p : chart.points) {
      if (p.y != 1) return false;
    }
  }
  return true;
}

void expect_sound(const FoundCharts& found, double limit, const std::string& about) {
  for (const Chart& chart : found.charts) {
    EXPECT_EQ(validate(chart), std::nullopt) << about;
    for (const ChartPoint& p : chart.points) {
      EXPECT_TRUE(p.y >= 1 / limit - 1e-9 && p.y <= limit + 1e-9) << about << ": " << p.y;
    }
  }
  for (const double e : found.error) EXPECT_TRUE(std::isfinite(e) && e >= 0) << about;
  expect_no_worse(found, about);
}

TEST(InverseCharts, TheRestShapeNeedsNothing) {
  const TetMesh solid = bar();
  const MatchBody body = prepared(solid);
  for (const ChartLink link : links) {
    const std::vector<WantedShape> shapes = {{solid.positions, 0}, {solid.positions, 0.4}};
    const FoundCharts found = find_charts(solid, body, shapes, settings_for(link, 8, 2));
    EXPECT_TRUE(all_one(found));
    EXPECT_LT(overall_error(found.error), 1e-6);
    EXPECT_TRUE(all_one(find_charts(solid, body, {}, settings_for(link, 8, 2))));
  }
}

TEST(InverseCharts, WhereAShapeIsDoesNotMatter) {
  const TetMesh solid = bar();
  const MatchBody body = prepared(solid);
  std::mt19937 random(5);
  for (const ChartLink link : links) {
    InverseSettings settings = settings_for(link, 4, 2);
    settings.amplitude = cases(solid)[2].amplitude;
    std::array<Chart, 3> known;
    for (Chart& chart : known) chart = ratios(random_logs(4, random));
    std::vector<WantedShape> shapes = shapes_of(body, settings, known, 4);
    const FoundCharts here = find_charts(solid, body, shapes, settings);
    for (unsigned k = 0; k < shapes.size(); ++k) {
      shapes[k].positions = moved(shapes[k].positions, {3, -2, 1}, k);
      shapes[k].time += static_cast<double>(k) - 2;  // nor does the round
    }
    const FoundCharts there = find_charts(solid, body, shapes, settings);
    for (std::size_t j = 0; j < 3; ++j) {
      EXPECT_LT(largest_log_error(there.charts[j], here.charts[j]), 1e-3);
    }
    EXPECT_NEAR(overall_error(there.error), overall_error(here.error), 1e-5);
  }
}

TEST(InverseCharts, AnySize) {
  for (const float scale : {1e-3f, 1.0f, 1e3f}) {
    const TetMesh solid = bar(1, scale);
    const MatchBody body = prepared(solid);
    std::mt19937 random(7);
    InverseSettings settings = settings_for(ChartLink::keep_both, 4, 3);
    settings.amplitude = cases(bar())[2].amplitude;
    const Chart known = ratios(random_logs(4, random));
    const auto shapes = shapes_of(body, settings, {known, known, known}, 4);
    const FoundCharts found = find_charts(solid, body, shapes, settings);
    EXPECT_LT(largest_log_error(found.charts[0], known), 0.01) << scale;
    EXPECT_LT(overall_error(found.error), 1e-3) << scale;
  }
}

TEST(InverseCharts, FollowsFrames) {
  const TetMesh solid = bar();
  const MatchBody body = prepared(solid);
  auto frames = std::make_shared<Frames>();
  const float s = std::sqrt(0.5f);
  for (std::size_t i = 0; i < body.count(); ++i) {
    frames->primary.push_back({s, 0, s});
    frames->secondary.push_back({0, 1, 0});
    frames->tertiary.push_back({-s, 0, s});
  }
  std::mt19937 random(9);
  InverseSettings settings = settings_for(ChartLink::drawn, 5, 2);
  settings.frames = frames;
  std::array<Chart, 3> known;
  for (Chart& chart : known) chart = ratios(random_logs(5, random));
  const FoundCharts found = find_charts(solid, body, shapes_of(body, settings, known, 5), settings);
  for (std::size_t j = 0; j < 3; ++j) EXPECT_LT(largest_log_error(found.charts[j], known[j]), 0.01);
}

// One shape and 24 points: at its time as wanted, at the other side of the cycle at rest.
TEST(InverseCharts, WhereNothingIsSaidItGoesBackToRest) {
  const TetMesh solid = bar();
  const MatchBody body = prepared(solid);
  for (const int points : {3, 8, 24}) {
    InverseSettings settings = settings_for(ChartLink::keep_both, points, 2);
    const std::vector<double> logs(static_cast<std::size_t>(points), 0.3);
    const Chart known = ratios(logs);
    auto shapes = shapes_of(body, settings, {known, known, known}, 1);
    const FoundCharts found = find_charts(solid, body, shapes, settings);
    expect_sound(found, settings.limit, "one shape");
    EXPECT_NEAR(std::log(found.charts[0].evaluate(0)), 0.3, 0.003) << points;
    EXPECT_LT(std::abs(std::log(found.charts[0].evaluate(0.5))), 0.15) << points;
    for (const ChartPoint& p : found.charts[0].points) {
      EXPECT_TRUE(std::log(p.y) > -0.1 && std::log(p.y) < 0.31) << points << " at " << p.x;
    }
  }
}

TEST(InverseCharts, WhatNoChartCanDoIsSaid) {
  const TetMesh solid = bar();
  const MatchBody body = prepared(solid);
  std::vector<Vec3f> mirrored = solid.positions, twisted = solid.positions, point = solid.positions,
                     huge = solid.positions, torn = solid.positions;
  for (Vec3f& p : mirrored) p.x() = -p.x();
  for (Vec3f& p : twisted) p = Eigen::AngleAxisf(1.5f * p.x(), Vec3f::UnitX()) * p;
  for (Vec3f& p : point) p.setZero();
  for (Vec3f& p : huge) p *= 1e6f;
  for (Vec3f& p : torn) p = 5 * Vec3f(std::sin(91 * p.x()), std::sin(77 * p.y()), p.z());
  const std::pair<const char*, std::vector<Vec3f>> wanted[] = {{"mirrored", mirrored},
                                                               {"twisted", twisted},
                                                               {"point", point},
                                                               {"huge", huge},
                                                               {"torn", torn}};
  for (const ChartLink link : links) {
    for (const auto& [name, positions] : wanted) {
      const InverseSettings settings = settings_for(link, 4, 2);
      const FoundCharts found = find_charts(solid, body, {{{positions, 0.1}}}, settings);
      expect_sound(found, settings.limit, name);
      EXPECT_GT(overall_error(found.error), 0.01) << name;
    }
  }
}

// A wave that was made by shifting slices up and down, which no bend can be: points at the ends of
// the bar, which hardly move anything, must not make up for it.
TEST(InverseCharts, WhatIsOutOfReachIsNotChased) {
  const TetMesh solid = bar();
  const MatchBody body = prepared(solid);
  InverseSettings settings = settings_for(ChartLink::keep_both, 12, 4);
  settings.amplitude = cases(solid)[3].amplitude;
  settings.phase = cases(solid)[3].phase;
  settings.speed = 2;
  std::vector<Vec3f> wave = solid.positions, arch = solid.positions;
  for (Vec3f& p : wave) p.y() += 0.15f * std::sin(3 * p.x());
  for (Vec3f& p : arch) p.y() += 0.15f * std::cos(2 * p.x());
  const FoundCharts found = find_charts(solid, body, {{{arch, 0}, {wave, 0.5}}}, settings);
  expect_sound(found, settings.limit, "wave");
  EXPECT_LT(overall_error(found.error), 0.75 * overall_error(found.rest_error));
  const std::vector<ChartPoint>& points = found.charts[0].points;
  for (std::size_t p = 0; p < points.size(); ++p) {
    const double next = points[(p + 1) % points.size()].y;
    EXPECT_LT(std::abs(std::log(next / points[p].y)), 0.35) << p;
  }
}

TEST(InverseCharts, NothingMovesWithoutAmplitude) {
  const TetMesh solid = bar();
  const MatchBody body = prepared(solid);
  InverseSettings settings = settings_for(ChartLink::drawn, 6, 2);
  std::vector<Vec3f> longer = solid.positions;
  for (Vec3f& p : longer) p.x() *= 1.5f;
  settings.amplitude = {0};
  EXPECT_TRUE(all_one(find_charts(solid, body, {{{longer, 0}}}, settings)));
}

TEST(InverseCharts, FewTetrahedra) {
  const std::vector<Vec3f> corner = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  TetMesh flat = kernels::make_tet_box({1, 1, 1}, {2, 2, 2});
  for (Vec3f& p : flat.positions) p.y() = 0;
  for (const TetMesh& solid : {TetMesh({{0, 1, 2, 3}}, corner), TetMesh({{0, 2, 1, 3}}, corner),
                               TetMesh({{0, 0, 1, 2}}, corner), flat}) {
    const MatchBody body = prepared(solid);
    std::vector<Vec3f> wider = solid.positions;
    for (Vec3f& p : wider) p.x() *= 1.2f;
    const InverseSettings settings = settings_for(ChartLink::drawn, 3, 2);
    expect_sound(find_charts(solid, body, {{{wider, 0}}}, settings), settings.limit, "few");
    expect_sound(find_charts(solid, body, {{{solid.positions, 0}}}, settings), 1.0001, "rest");
  }
}

TEST(InverseCharts, ThreadsDoNotMatter) {
  const TetMesh solid = bar();
  const MatchBody body = prepared(solid);
  std::mt19937 random(11);
  InverseSettings settings = settings_for(ChartLink::drawn, 4, 2);
  settings.amplitude = cases(solid)[3].amplitude;
  settings.phase = cases(solid)[3].phase;
  std::array<Chart, 3> known;
  for (Chart& chart : known) chart = ratios(random_logs(4, random));
  const auto shapes = shapes_of(body, settings, known, 3);
  test::expect_same_for_threads([&] { return find_charts(solid, body, shapes, settings).charts; });
}

TEST(InverseCharts, CanBeStopped) {
  const TetMesh solid = bar();
  const MatchBody body = prepared(solid);
  const std::atomic<bool> stop{true};
  EXPECT_THROW(find_charts(solid, body, {{{solid.positions, 0}}}, {}, {&stop}), Stopped);
}

TEST(RelaxedShape, OfTheSameStretchEverywhereIsThatStretch) {
  const TetMesh solid = bar(3);
  const MatchBody body = prepared(solid);
  const Chart known = ratios(std::array{0.4});
  const auto shape =
      shapes_of(body, settings_for(ChartLink::keep_both, 3, 0), {known, known, known}, 1);
  Eigen::Vector3d along(std::exp(0.4), std::exp(-0.2), std::exp(-0.2));
  std::vector<Vec3d> expected, got;
  for (std::size_t i = 0; i < body.count(); ++i) {
    expected.push_back(along.cwiseProduct(solid.positions[i].cast<double>()));
    got.push_back(shape[0].positions[i].cast<double>());
  }
  const RigidFit fit = fit_rigid(got, expected, {});
  for (std::size_t i = 0; i < got.size(); ++i) EXPECT_LT((fit(got[i]) - expected[i]).norm(), 1e-5);
}

// A solid with a skin of its own, and one without.
std::vector<TetMesh> covered() {
  const TetMesh solid = bar();
  Mesh skin = make_uv_sphere({.radius = 1});
  for (Vec3f& p : skin.positions) p = p.cwiseProduct(Vec3f(0.98f, 0.28f, 0.28f));
  return {solid, with_skin(solid, skin)};
}

TEST(SkinFit, IsExactForWhatIsAffine) {
  Eigen::Matrix3f map;
  map << 1.3f, 0.2f, 0, -0.4f, 0.8f, 0.1f, 0.3f, 0, 0.9f;
  for (const TetMesh& solid : covered()) {
    std::vector<Vec3f> deformed;
    for (const Vec3f& p : solid.positions) deformed.push_back(map * p + Vec3f(1, 2, 3));
    const SkinFit fit(solid);
    const Mesh surface = surface_of(solid.with_positions(deformed));
    ASSERT_EQ(fit.points(), surface.vertex_count());
    const std::vector<Vec3f> found = fit.solve(surface.positions);
    for (std::size_t i = 0; i < found.size(); ++i) {
      EXPECT_LT((found[i] - deformed[i]).norm(), 2e-4) << solid.has_skin() << " " << i;
    }
  }
}

TEST(SkinFit, SkinsSayWhatSolidsSay) {
  for (const TetMesh& solid : covered()) {
    const MatchBody body = prepared(solid);
    const SkinFit fit(solid);
    std::mt19937 random(13);
    InverseSettings settings = settings_for(ChartLink::keep_both, 4, 3);
    settings.amplitude = cases(solid)[2].amplitude;
    const Chart known = ratios(random_logs(4, random, 0.25));
    auto shapes = shapes_of(body, settings, {known, known, known}, 4);
    for (WantedShape& shape : shapes) {
      const Mesh surface = surface_of(solid.with_positions(shape.positions));
      shape.positions = fit.solve(moved(surface.positions, {1, 0, 2}, 3));
    }
    const FoundCharts found = find_charts(solid, body, shapes, settings);
    EXPECT_LT(largest_log_error(found.charts[0], known), 0.03) << solid.has_skin();
    EXPECT_LT(overall_error(found.error), 0.01) << solid.has_skin();
  }
}

}  // namespace
}  // namespace sinew::kernels
