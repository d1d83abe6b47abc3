#include "nodes/kernels/named_curves.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace sinew::kernels {
namespace {

std::vector<NamedCurve> all_curves() {
  std::vector<NamedCurve> list;
  for (int i = 0; i < named_curve_count; ++i) list.push_back(static_cast<NamedCurve>(i));
  return list;
}

// The x in [0, 1] where the curve is lowest.
double lowest_place(const Chart& chart) {
  double best = 0;
  for (double x = 0; x <= 1; x += 0.001) {
    if (chart.evaluate(x) < chart.evaluate(best)) best = x;
  }
  return best;
}

TEST(NamedCurves, are_sound_at_every_size) {
  std::set<std::string_view> names;
  for (const NamedCurve curve : all_curves()) {
    SCOPED_TRACE(name_of(curve));
    EXPECT_TRUE(names.insert(name_of(curve)).second);
    for (const double width : {1e-6, 1.0, 25.0, 1e6}) {
      for (const double height : {-3.0, 0.0, 1.0, 1e6}) {
        for (const double ratio : {1.001, 2.0, 100.0}) {
          const Chart chart = make_named_curve(curve, {width, height, ratio, "frames"});
          const auto wrong = validate(chart);
          EXPECT_FALSE(wrong) << *wrong;
          EXPECT_EQ(chart.first_x(), 0);
          EXPECT_LE(chart.last_x(), width * (1 + 1e-12));
          if (chart.extension == Extension::cyclic) {
            EXPECT_NEAR(chart.cycle(), width, 1e-12 * width);
          }
        }
      }
    }
    EXPECT_THROW(make_named_curve(curve, {.width = 0}), std::invalid_argument);
    EXPECT_THROW(make_named_curve(curve, {.width = NAN}), std::invalid_argument);
    EXPECT_THROW(make_named_curve(curve, {.ratio = 1}), std::invalid_argument);
  }
}

TEST(NamedCurves, deformations_reach_their_ratio_and_start_at_rest) {
  for (const NamedCurve curve : all_curves()) {
    SCOPED_TRACE(name_of(curve));
    const Chart chart = make_named_curve(curve, {.ratio = 1.6});
    const bool deformation = curve >= NamedCurve::contraction_wave && curve <= NamedCurve::twitch;
    EXPECT_EQ(chart.axis == ValueAxis::ratio, deformation);
    if (!deformation) continue;
    double low = 1, high = 1;
    for (double x = 0; x <= 1; x += 0.0005) {
      low = std::min(low, chart.evaluate(x));
      high = std::max(high, chart.evaluate(x));
    }
    EXPECT_NEAR(std::max(high, 1 / low), 1.6, 1e-4);
    if (curve != NamedCurve::wing_beat) {
      EXPECT_DOUBLE_EQ(chart.evaluate(0), 1);
    }
  }
}

TEST(NamedCurves, are_what_their_names_say) {
  const auto curve = [](NamedCurve c) { return make_named_curve(c, {}); };
  for (const NamedCurve c :
       {NamedCurve::ease_in, NamedCurve::ease_out, NamedCurve::ease_in_out, NamedCurve::overshoot,
        NamedCurve::bounce, NamedCurve::step, NamedCurve::creep, NamedCurve::strain_damping}) {
    EXPECT_NEAR(curve(c).evaluate(0), 0, 1e-12) << name_of(c);
    EXPECT_NEAR(curve(c).evaluate(1), 1, 1e-12) << name_of(c);
  }
  EXPECT_LT(curve(NamedCurve::ease_in).evaluate(0.5), 0.3);
  EXPECT_GT(curve(NamedCurve::ease_out).evaluate(0.5), 0.7);
  EXPECT_NEAR(curve(NamedCurve::ease_in_out).tangent(0), 0, 0.2);
  EXPECT_NEAR(curve(NamedCurve::overshoot).evaluate(0.28), 1.2, 1e-12);
  // Energy goes from 1 to 0; stress relaxes but does not vanish.
  for (const NamedCurve c :
       {NamedCurve::energy_damping_linear, NamedCurve::energy_damping_exponential,
        NamedCurve::energy_damping_late}) {
    const Chart chart = curve(c);
    EXPECT_DOUBLE_EQ(chart.evaluate(0), 1);
    EXPECT_NEAR(chart.evaluate(1), 0, 1e-12);
    for (double x = 0; x < 1; x += 0.01) EXPECT_LE(chart.tangent(x), 0);
  }
  EXPECT_GT(curve(NamedCurve::energy_damping_late).evaluate(0.5),
            curve(NamedCurve::energy_damping_exponential).evaluate(0.5) + 0.5);
  EXPECT_NEAR(curve(NamedCurve::relaxation).evaluate(1), 0.25, 1e-12);
  // A jellyfish contracts faster than it relaxes; so does what twitches.
  EXPECT_LT(lowest_place(curve(NamedCurve::jellyfish_stroke)), 0.25);
  EXPECT_LT(lowest_place(curve(NamedCurve::twitch)), 0.2);
  EXPECT_NEAR(lowest_place(curve(NamedCurve::contraction_wave)), 0.5, 1e-2);
  EXPECT_GT(curve(NamedCurve::peristalsis).evaluate(0.2), 1.2);
  EXPECT_GE(curve(NamedCurve::breathing).evaluate(lowest_place(curve(NamedCurve::breathing))), 1);
}

TEST(NamedCurves, materials_have_their_limits) {
  for (const NamedCurve c : {NamedCurve::soft_tissue, NamedCurve::rubber, NamedCurve::plastic,
                             NamedCurve::clay, NamedCurve::brittle}) {
    SCOPED_TRACE(name_of(c));
    const Chart chart = make_named_curve(c, {.width = 10, .height = 50});
    EXPECT_EQ(chart.x_unit, "strain");
    const auto elastic = chart.mark(elastic_mark), fracture = chart.mark(fracture_mark);
    ASSERT_TRUE(elastic && fracture);
    EXPECT_GT(*elastic, 0);
    EXPECT_LE(*elastic, *fracture);
    EXPECT_LE(*fracture, 10);
    // Where a body springs back its stiffness is the slope, which must be above 0.
    for (double x = 0; x < *elastic; x += *elastic / 100) EXPECT_GT(chart.tangent(x), 0) << x;
  }
  // A J: stiffer and stiffer. Permanent strain e - sigma / s of a plastic body grows.
  const Chart tissue = make_named_curve(NamedCurve::soft_tissue, {});
  for (double x = 0.01; x < 0.9; x += 0.05) EXPECT_LT(tissue.tangent(x), tissue.tangent(x + 0.1));
  const Chart plastic = make_named_curve(NamedCurve::plastic, {});
  const double e_e = *plastic.mark(elastic_mark), s = plastic.evaluate(e_e) / e_e;
  double last = 0;
  for (double e = e_e; e < 1; e += 0.02) {
    const double permanent = e - plastic.evaluate(e) / s;
    EXPECT_GE(permanent, last - 1e-12);
    last = permanent;
  }
  const Chart loop = make_named_curve(NamedCurve::hysteresis, {.width = 2, .height = 3});
  EXPECT_GT(loop.loop_area(), 0.3);
  EXPECT_LT(loop.loop_area(), loop.integral(0, 2));
  EXPECT_EQ(loop.back.back(), loop.points.back());
}

}  // namespace
}  // namespace sinew::kernels
