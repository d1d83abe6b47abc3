#include "nodes/kernels/activation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "nodes/kernels/chart_ops.h"
#include "nodes/kernels/named_curves.h"
#include "nodes/kernels/tet_measure.h"
#include "nodes/kernels/tet_primitives.h"
#include "tests/kernels/shapes.h"
#include "tests/kernels/solids.h"

namespace sinew::kernels {
namespace {

using Matrix = Eigen::Matrix3d;

std::shared_ptr<const Frames> random_frames(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  auto frames = std::make_shared<Frames>();
  for (std::size_t i = 0; i < count; ++i) {
    const Eigen::Quaterniond turn(normal(random), normal(random), normal(random), normal(random));
    const Matrix d = turn.normalized().toRotationMatrix();
    frames->primary.push_back(d.col(0).cast<float>());
    frames->secondary.push_back(d.col(1).cast<float>());
    frames->tertiary.push_back(d.col(2).cast<float>());
  }
  return frames;
}

std::vector<float> random_values(std::size_t count, unsigned seed, float low, float high) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> uniform(low, high);
  std::vector<float> values(count);
  for (float& v : values) v = uniform(random);
  return values;
}

Chart wave(NamedCurve curve, double ratio = 1.8, double width = 1) {
  return make_named_curve(curve, {.width = width, .ratio = ratio});
}

struct Motion {
  std::string name;
  Chart primary;
};
std::vector<Motion> motions() {
  Chart corners = make_wave({.shape = WaveShape::triangle, .amplitude = 0.4, .offset = 1});
  Chart shifted = make_wave({.amplitude = 0.3, .offset = 1.1, .phase = 0.3, .points = 7});
  return {{"contraction", wave(NamedCurve::contraction_wave)},
          {"heartbeat, slow", wave(NamedCurve::heartbeat, 2.5, 3.7)},
          {"crawl", wave(NamedCurve::crawl, 1.3)},
          {"twitch", wave(NamedCurve::twitch, 1.6, 0.4)},
          {"corners", corners},
          {"starts late", shifted},
          {"steps", make_wave({.shape = WaveShape::square, .amplitude = 0.2, .offset = 1})},
          {"constant", Chart::constant(1.5)}};
}

ActivationPattern pattern_of(const Chart& primary, ChartLink link, double limit = 4) {
  ActivationPattern p;
  p.charts = compile_charts(primary, Chart::constant(1), Chart::constant(1), link, limit);
  p.amplitude = {1};
  p.phase = {0};
  return p;
}

Activation with(ActivationPattern pattern, std::size_t count,
                std::shared_ptr<const Frames> frames = nullptr) {
  Activation a;
  a.count = count;
  a.frames = std::move(frames);
  a.pattern = std::make_shared<const ActivationPattern>(std::move(pattern));
  return a;
}

SymmetricArrays evaluate(const Activation& a, double time,
                         std::span<const std::vector<Touch>> extra = {}) {
  Activation at = a;
  at.time = time;
  EXPECT_EQ(validate(at), std::nullopt);
  ActivationScratch scratch;
  SymmetricArrays out;
  evaluate_activation(at, 0, extra, scratch, out);
  return out;
}

std::vector<float> signal(const Activation& a, double time) {
  ActivationScratch scratch;
  std::vector<float> out(a.count);
  activation_signal(a, a.time - time, {}, scratch, out);
  return out;
}

Matrix matrix(const SymmetricArrays& t, std::size_t i) {
  const auto p = [&](int k) { return static_cast<double>(t.part[k][i]); };
  Matrix m;
  m << p(0), p(3), p(5), p(3), p(1), p(4), p(5), p(4), p(2);
  return m;
}

Matrix frame(const Activation& a, std::size_t i) {
  Matrix d = Matrix::Identity();
  if (a.frames) {
    d << a.frames->primary[i].cast<double>(), a.frames->secondary[i].cast<double>(),
        a.frames->tertiary[i].cast<double>();
  }
  return d;
}

// log of a chart at a place of its cycle, by way of the chart itself.
double log_at(const Chart& chart, double cycles, double limit) {
  Chart c = as_ratio(chart);
  for (ChartPoint& p : c.points) p.y = std::clamp(p.y, 1 / limit, limit);
  const double start = c.extension == Extension::cyclic ? 0 : c.first_x();
  c.extension = Extension::cyclic;  // all clamped ones of these tests come back
  const double range = c.cycle();
  return std::log(c.evaluate(start + (cycles - std::floor(cycles)) * range));
}

TEST(Activation, agrees_with_the_formula_in_double_precision) {
  unsigned seed = 1;
  for (const Motion& motion : motions()) {
    for (const auto link : {ChartLink::drawn, ChartLink::keep_both, ChartLink::keep_secondary}) {
      const std::size_t count = 701;
      const Chart second = wave(NamedCurve::peristalsis, 1.4);
      const Chart third = wave(NamedCurve::breathing, 1.2, 2);
      ActivationPattern p;
      p.charts = compile_charts(motion.primary, second, third, link, 4);
      p.amplitude = random_values(count, ++seed, -1, 1);
      p.phase = random_values(count, ++seed, 0, 1);
      p.speed = 0.7;
      p.period = 1.3;
      const Activation a = with(p, count, random_frames(count, ++seed));
      double worst = 0, worst_signal = 0;
      for (const double t : {0.0, 0.31, 1.0, 7.77, -3.2, 12345.678}) {
        const SymmetricArrays made = evaluate(a, t);
        const std::vector<float> shown = signal(a, t);
        for (std::size_t i = 0; i < count; ++i) {
          const double cycles = (t - static_cast<double>(p.phase[i]) / p.speed) / p.period;
          const double As = p.amplitude[i], first = As * log_at(motion.primary, cycles, 4);
          Vec3d logs(first, -first / 2, -first / 2);
          if (link == ChartLink::keep_secondary) logs = {first, -first, 0};
          if (link == ChartLink::drawn) {
            logs = {first, As * log_at(second, cycles, 4), As * log_at(third, cycles, 4)};
          }
          const Vec3d c = logs.array().exp();
          const Matrix d = frame(a, i), expected = d * c.asDiagonal() * d.transpose();
          const double off = (matrix(made, i) - expected).cwiseAbs().maxCoeff();
          // Where a chart steps, rounding decides on which side of the step a vertex is.
          if (motion.name == "steps" && off > 1e-3) continue;
          worst = std::max(worst, off / c.maxCoeff());
          worst_signal = std::max(worst_signal, std::abs(shown[i] - (c[0] - 1)));
        }
      }
      EXPECT_LT(worst, 1e-6) << motion.name << " " << static_cast<int>(link);
      EXPECT_LT(worst_signal, 1e-6) << motion.name << " " << static_cast<int>(link);
    }
  }
}

TEST(Activation, without_frames_the_axes_are_the_directions) {
  for (const std::size_t count : {1u, 2u, 17u, 600u}) {
    ActivationPattern p;
    p.charts = compile_charts(Chart::constant(2), Chart::constant(0.5), Chart::constant(1.25),
                              ChartLink::drawn, 4);
    p.amplitude = {1};
    p.phase = {0};
    const SymmetricArrays made = evaluate(with(p, count), 0.4);
    ASSERT_EQ(made.size(), count);
    for (std::size_t i = 0; i < count; ++i) {
      const Matrix expected = Vec3d(2, 0.5, 1.25).asDiagonal();
      EXPECT_LT((matrix(made, i) - expected).cwiseAbs().maxCoeff(), 1e-6);
    }
  }
}

TEST(Activation, amplitude_zero_is_exactly_the_identity_at_all_times) {
  const std::size_t count = 333;
  for (const Motion& motion : motions()) {
    for (const auto link : {ChartLink::drawn, ChartLink::keep_both, ChartLink::keep_secondary}) {
      for (const bool with_frames : {false, true}) {
        ActivationPattern p = pattern_of(motion.primary, link);
        p.amplitude = with_frames ? std::vector<float>(count, 0) : std::vector<float>{0};
        p.phase = random_values(count, 3, 0, 1);
        const Activation a = with(p, count, with_frames ? random_frames(count, 5) : nullptr);
        for (double t = -2; t < 2; t += 0.173) {
          const SymmetricArrays made = evaluate(a, t);
          for (std::size_t i = 0; i < count; ++i) {
            ASSERT_EQ(matrix(made, i), Matrix::Identity()) << motion.name << " at " << t;
          }
        }
      }
    }
  }
}

TEST(Activation, amplitude_minus_one_is_the_inverse) {
  const std::size_t count = 222;
  for (const Motion& motion : motions()) {
    for (const auto link : {ChartLink::drawn, ChartLink::keep_both, ChartLink::keep_secondary}) {
      ActivationPattern p = pattern_of(motion.primary, link);
      p.phase = random_values(count, 8, 0, 1);
      ActivationPattern q = p;
      q.amplitude = {-1};
      const auto frames = random_frames(count, 9);
      const Activation a = with(p, count, frames), b = with(q, count, frames);
      double worst = 0;
      for (double t = 0; t < 1; t += 0.0931) {
        const SymmetricArrays there = evaluate(a, t), back = evaluate(b, t);
        for (std::size_t i = 0; i < count; ++i) {
          const Matrix product = matrix(there, i) * matrix(back, i);
          worst = std::max(worst, (product - Matrix::Identity()).cwiseAbs().maxCoeff() /
                                      (matrix(there, i).norm() * matrix(back, i).norm() / 3));
        }
      }
      EXPECT_LT(worst, 1e-6) << motion.name;
    }
  }
}

TEST(Activation, linked_charts_keep_the_volume_at_all_times) {
  const std::size_t count = 150;
  for (const Motion& motion : motions()) {
    for (const auto link : {ChartLink::keep_both, ChartLink::keep_secondary}) {
      ActivationPattern p = pattern_of(motion.primary, link);
      p.amplitude = random_values(count, 11, -1, 1);
      p.phase = random_values(count, 12, 0, 1);
      const Activation a = with(p, count, random_frames(count, 13));
      for (int step = 0; step < 200; ++step) {
        const SymmetricArrays made = evaluate(a, 0.0137 * step);
        for (std::size_t i = 0; i < count; ++i) {
          ASSERT_NEAR(matrix(made, i).determinant(), 1, 1e-5) << motion.name;
        }
      }
    }
  }
}

TEST(Activation, repeats_after_each_period) {
  const std::size_t count = 100;
  for (const double period : {0.02, 0.7, 1.0, 1000.0}) {
    ActivationPattern p = pattern_of(wave(NamedCurve::crawl), ChartLink::keep_both);
    p.phase = random_values(count, 21, 0, 1);
    p.period = period;
    p.speed = 3;
    const Activation a = with(p, count);
    for (const double part : {0.0, 0.2, 0.71}) {
      const std::vector<float> now = signal(a, part * period);
      for (const int cycles : {-5, 1, 2, 1000}) {
        const std::vector<float> later = signal(a, (part + cycles) * period);
        for (std::size_t i = 0; i < count; ++i) ASSERT_NEAR(later[i], now[i], 1e-6);
      }
    }
  }
}

TEST(Activation, phase_is_a_delay) {
  for (const double speed : {0.01, 0.5, 1.0, 100.0}) {
    for (const double period : {0.02, 1.0, 30.0}) {
      for (const float phase : {0.0f, 0.25f, 0.3f, 1.0f}) {
        ActivationPattern p = pattern_of(wave(NamedCurve::heartbeat), ChartLink::keep_both);
        p.speed = speed;
        p.period = period;
        const Activation at_source = with(p, 1);
        p.phase = {phase};
        const Activation shifted = with(p, 1);
        for (const double t : {0.0, 0.3, 11.7}) {
          const double earlier = t - static_cast<double>(phase) / speed;
          EXPECT_NEAR(signal(shifted, t)[0], signal(at_source, earlier)[0], 5e-7);
        }
      }
    }
  }
}

TEST(Activation, stays_within_the_limit) {
  for (const double limit : {1.01, 1.5, 20.0}) {
    for (const auto link : {ChartLink::drawn, ChartLink::keep_both, ChartLink::keep_secondary}) {
      const Chart wild = wave(NamedCurve::crawl, 100);
      ActivationPattern p;
      p.charts = compile_charts(wild, wild, wild, link, limit);
      p.amplitude = {1};
      p.phase = random_values(100, 31, 0, 1);
      const Activation a = with(p, 100);
      for (double t = 0; t < 1; t += 0.05) {
        const SymmetricArrays made = evaluate(a, t);
        for (std::size_t i = 0; i < 100; ++i) {
          for (int k = 0; k < 3; ++k) {
            EXPECT_LE(made.part[k][i], limit * (1 + 1e-6));
            EXPECT_GE(made.part[k][i], (1 - 1e-6) / limit);
          }
        }
      }
    }
  }
}

TEST(Activation, charts_with_other_ranges_fill_one_cycle) {
  // Clamped, from 3 to 8, with ends that differ: it runs from 0 to 1 and jumps.
  Chart ramp{.points = {{3, 1}, {8, 2}}, .interpolation = Interpolation::linear};
  const Activation a = with(pattern_of(ramp, ChartLink::drawn), 1);
  EXPECT_NEAR(signal(a, 0)[0], 0, 1e-6);
  EXPECT_NEAR(signal(a, 0.5)[0], std::sqrt(2.0) - 1, 1e-6);
  EXPECT_NEAR(signal(a, 0.999999)[0], 1, 1e-5);
  EXPECT_NEAR(signal(a, 1)[0], 0, 1e-6);
  ramp.interpolation = Interpolation::smooth;
  EXPECT_NEAR(signal(with(pattern_of(ramp, ChartLink::drawn), 1), 0.999999)[0], 1, 1e-5);
}

TEST(Activation, charts_that_are_one_cost_nothing) {
  const DeformationCharts charts =
      compile_charts(wave(NamedCurve::crawl), Chart::constant(1), Chart{.points = {{0, 1}, {1, 1}}},
                     ChartLink::drawn, 4);
  EXPECT_EQ(charts.source[0], DeformationCharts::Source::drawn);
  EXPECT_EQ(charts.source[1], DeformationCharts::Source::one);
  EXPECT_EQ(charts.source[2], DeformationCharts::Source::one);
}

TEST(Activation, charts_that_are_not_above_zero_are_named) {
  const Chart good = Chart::constant(1), bad{.points = {{0, 1}, {1, -1}}};
  const auto message = [&](const Chart& a, const Chart& b, const Chart& c, ChartLink link) {
    try {
      compile_charts(a, b, c, link, 4);
    } catch (const std::invalid_argument& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_NE(message(bad, good, good, ChartLink::keep_both).find("primary"), std::string::npos);
  EXPECT_NE(message(good, bad, good, ChartLink::drawn).find("secondary"), std::string::npos);
  EXPECT_NE(message(good, good, bad, ChartLink::drawn).find("tertiary"), std::string::npos);
  EXPECT_NE(message(good, good, Chart{}, ChartLink::drawn).find("tertiary"), std::string::npos);
  EXPECT_EQ(message(good, bad, bad, ChartLink::keep_both), "");
  EXPECT_THROW(compile_charts(good, good, good, ChartLink::drawn, 1), std::invalid_argument);
}

// Touches.

Activation touched(const Chart& primary, std::size_t count, ChartLink link = ChartLink::keep_both,
                   double damping = 4) {
  ResponsePattern r;
  r.charts = compile_charts(primary, Chart::constant(1), Chart::constant(1), link, 4);
  r.speed = 2;
  r.damping = damping;
  r.period = 0.5;
  Activation a;
  a.count = count;
  a.responses = {{std::make_shared<const ResponsePattern>(r), {}}};
  return a;
}

Touch touch_at(double start, std::vector<float> distance) {
  return {start, std::make_shared<const std::vector<float>>(std::move(distance))};
}

TEST(Activation, a_touch_is_one_sweep) {
  const Chart twitch = wave(NamedCurve::twitch);
  Activation a = touched(twitch, 4);
  const std::vector<float> d = {0, 0.3f, 1, never_touched};
  a.responses[0].touches = {touch_at(2, d)};
  for (double t = 0; t < 4; t += 0.01) {
    const std::vector<float> shown = signal(a, t);
    const SymmetricArrays made = evaluate(a, t);
    for (std::size_t i = 0; i < 4; ++i) {
      const double at = (t - 2 - static_cast<double>(d[i]) / 2) / 0.5;
      if (!(at >= 0 && at <= 1)) {
        EXPECT_EQ(shown[i], 0) << "nothing before and after";
        EXPECT_EQ(matrix(made, i), Matrix::Identity());
        continue;
      }
      const double log_c = std::pow(4.0, -static_cast<double>(d[i])) * log_at(twitch, at, 4);
      EXPECT_NEAR(shown[i], std::expm1(log_c), 1e-6);
      EXPECT_NEAR(matrix(made, i)(1, 1), std::exp(-log_c / 2), 1e-6);
    }
  }
}

TEST(Activation, a_touch_does_not_pop_at_its_beginning) {
  // A chart that begins at 1.6: only its change counts.
  const Chart high = make_wave({.amplitude = 0.4, .offset = 1.6});
  Activation a = touched(high, 3, ChartLink::keep_secondary, 1);
  a.responses[0].touches = {touch_at(1, {0, 0.5f, 1})};
  EXPECT_EQ(signal(a, 1)[0], 0);
  for (std::size_t i = 0; i < 3; ++i) {
    const double begin = 1 + 0.25 * static_cast<double>(i);
    EXPECT_NEAR(signal(a, begin + 1e-5)[i], 0, 1e-4);
    EXPECT_GT(signal(a, begin + 0.1)[i], 0.1);
    EXPECT_NEAR(signal(a, begin + 0.5 - 1e-5)[i], 0, 1e-4);
  }
}

TEST(Activation, several_touches_multiply_within_the_limit) {
  for (const auto link : {ChartLink::drawn, ChartLink::keep_both, ChartLink::keep_secondary}) {
    const std::size_t count = 50;
    Activation a = touched(wave(NamedCurve::twitch, 1.5), count, link), b = a, both = a, many = a;
    const Touch first = touch_at(0.1, random_values(count, 41, 0, 1));
    const Touch second = touch_at(0.2, random_values(count, 42, 0, 1));
    a.responses[0].touches = {first};
    b.responses[0].touches = {second};
    both.responses[0].touches = {first, second};
    many.responses[0].touches.assign(20, first);
    const std::vector<std::vector<Touch>> felt = {{second}};
    for (double t = 0; t < 1.2; t += 0.06) {
      const SymmetricArrays one = evaluate(a, t), two = evaluate(b, t), all = evaluate(both, t);
      EXPECT_EQ(evaluate(a, t, felt).part, all.part) << "a felt touch is a touch";
      const SymmetricArrays most = evaluate(many, t);
      for (std::size_t i = 0; i < count; ++i) {
        const Matrix product = matrix(one, i) * matrix(two, i);
        EXPECT_LT((matrix(all, i) - product).cwiseAbs().maxCoeff(), 1e-6);
        EXPECT_LE(most.part[0][i], 4 * (1 + 1e-6));
        EXPECT_GE(most.part[0][i], (1 - 1e-6) / 4);
        if (link == ChartLink::drawn) continue;
        EXPECT_NEAR(matrix(most, i).determinant(), 1, 1e-5);
      }
    }
  }
}

TEST(Activation, a_touch_adds_to_what_the_body_does) {
  const std::size_t count = 120;
  for (const auto link : {ChartLink::drawn, ChartLink::keep_both, ChartLink::keep_secondary}) {
    ActivationPattern p = pattern_of(wave(NamedCurve::crawl, 1.3), ChartLink::keep_both);
    p.phase = random_values(count, 51, 0, 1);
    const auto frames = random_frames(count, 52);
    const Activation alone = with(p, count, frames);
    Activation response = touched(wave(NamedCurve::twitch, 1.5), count, link), both = alone;
    response.frames = frames;
    response.responses[0].touches = {touch_at(0.3, random_values(count, 53, 0, 1))};
    both.responses = response.responses;
    for (double t = 0; t < 1.5; t += 0.11) {
      const SymmetricArrays a = evaluate(alone, t), b = evaluate(response, t);
      const SymmetricArrays all = evaluate(both, t);
      for (std::size_t i = 0; i < count; ++i) {
        const Matrix product = matrix(a, i) * matrix(b, i);
        EXPECT_LT((matrix(all, i) - product).cwiseAbs().maxCoeff(), 2e-6);
      }
    }
  }
}

TEST(Activation, delay_is_an_earlier_moment) {
  Activation a = with(pattern_of(wave(NamedCurve::crawl), ChartLink::keep_both), 9);
  a.time = 3.3;
  ActivationScratch scratch;
  SymmetricArrays out;
  evaluate_activation(a, 0.8, {}, scratch, out);
  EXPECT_EQ(out.part, evaluate(a, 3.3 - 0.8).part);
}

TEST(Activation, distances_of_a_touch_go_through_the_body) {
  for (const float scale : {0.01f, 1.0f, 50.0f}) {
    TetMesh box = make_tet_box(Vec3f(4, 1, 1) * scale, {16, 4, 4});
    const Rows around = vertex_tets(box.tets(), box.vertex_count());
    uint32_t corner = 0;
    for (uint32_t v = 0; v < box.vertex_count(); ++v) {
      if (box.positions[v].sum() < box.positions[corner].sum()) corner = v;
    }
    const auto d = touch_distance(box, around, corner);
    const float longest = Vec3f(4, 1, 1).norm() * scale;
    for (uint32_t v = 0; v < box.vertex_count(); ++v) {
      const float straight = (box.positions[v] - box.positions[corner]).norm() / longest;
      EXPECT_NEAR((*d)[v], straight, 1e-4);
    }
  }
}

TEST(Activation, other_parts_of_the_body_are_never_touched) {
  const double far = std::numeric_limits<double>::infinity();
  const std::vector<double> metres = {0, 2, 4, far};
  EXPECT_EQ(*touch_parts(metres), (std::vector<float>{0, 0.5f, 1, never_touched}));
  EXPECT_EQ(*touch_parts(std::vector<double>{0}), std::vector<float>{0});
  EXPECT_TRUE(touch_parts({})->empty());
}

TEST(Activation, the_same_for_any_number_of_threads) {
  const std::size_t count = 3 * 4096 + 77;
  ActivationPattern p = pattern_of(wave(NamedCurve::heartbeat), ChartLink::keep_both);
  p.amplitude = random_values(count, 61, -1, 1);
  p.phase = random_values(count, 62, 0, 1);
  Activation a = with(p, count, random_frames(count, 63));
  a.responses = touched(wave(NamedCurve::twitch), count, ChartLink::keep_secondary).responses;
  a.responses[0].touches = {touch_at(0.1, random_values(count, 64, 0, 1))};
  test::expect_same_for_threads([&] { return evaluate(a, 0.4).part; });
  test::expect_same_for_threads([&] { return signal(a, 0.4); });
}

TEST(Activation, room_is_reused) {
  ActivationPattern p = pattern_of(wave(NamedCurve::heartbeat), ChartLink::keep_both);
  const std::size_t count = 9000;
  p.phase = random_values(count, 71, 0, 1);
  const Activation a = with(p, count, random_frames(count, 72));
  ActivationScratch scratch;
  SymmetricArrays out;
  evaluate_activation(a, 0, {}, scratch, out);
  const void* const before[] = {scratch.arguments.data(), scratch.logs[0].data(),
                                out.part[0].data()};
  evaluate_activation(a, 0.3, {}, scratch, out);
  EXPECT_EQ(before[0], scratch.arguments.data());
  EXPECT_EQ(before[1], scratch.logs[0].data());
  EXPECT_EQ(before[2], out.part[0].data());
}

TEST(Activation, what_is_wrong_is_said) {
  const Activation good = with(pattern_of(wave(NamedCurve::crawl), ChartLink::keep_both), 3);
  EXPECT_EQ(validate(good), std::nullopt);
  const auto spoiled = [&](const auto& change) {
    ActivationPattern p = *good.pattern;
    change(p);
    return validate(with(p, 3)).value_or("");
  };
  EXPECT_EQ(spoiled([](auto& p) {
              p.amplitude = {1, 1};
            }),
            "2 values of the amplitude for 3 vertices");
  EXPECT_EQ(spoiled([](auto& p) {
              p.amplitude = {1, 1, 2};
            }),
            "the amplitude of vertex 2 is 2, but must be from -1 to 1");
  EXPECT_EQ(spoiled([](auto& p) { p.phase = {std::nanf("")}; }),
            "the phase of vertex 0 is nan, but must be from 0 to 1");
  EXPECT_EQ(spoiled([](auto& p) { p.speed = 0; }), "the speed must be above 0, but is 0");
  EXPECT_EQ(spoiled([](auto& p) { p.charts.drawn[0].reset(); }),
            "chart 1 and whether it is drawn do not agree");
  Activation a = good;
  a.frames = random_frames(4, 1);
  EXPECT_EQ(validate(a), "4 frames for 3 vertices");
  a = touched(wave(NamedCurve::twitch), 3);
  a.responses[0].touches = {touch_at(0, {0, 1})};
  EXPECT_EQ(validate(a), "a touch has 2 distances for 3 vertices");
  a.responses[0].touches = {touch_at(0, {0, 1, 1.5f})};
  EXPECT_EQ(validate(a), "a distance of a touch is not from 0 to 1");
}

}  // namespace
}  // namespace sinew::kernels
