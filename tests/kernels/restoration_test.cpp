#include "nodes/kernels/restoration.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "nodes/kernels/chart_ops.h"
#include "nodes/kernels/named_curves.h"
#include "nodes/kernels/named_materials.h"

namespace sinew::kernels {
namespace {

constexpr double pi = std::numbers::pi;
constexpr DampedEnergy energies[] = {DampedEnergy::total, DampedEnergy::elastic,
                                     DampedEnergy::kinetic};

Material with(NamedCurve damping, DampedEnergy damped, double duration = 3) {
  Material m;
  m.damping = make_named_curve(damping, {});
  m.damped = damped;
  m.restoration = duration;
  m.mass = 2;
  m.stiffness = 90;
  return m;
}

std::vector<Material> some_materials() {
  std::vector<Material> list;
  for (const DampedEnergy damped : energies) {
    for (const NamedCurve damping :
         {NamedCurve::energy_damping_linear, NamedCurve::energy_damping_exponential,
          NamedCurve::energy_damping_late}) {
      list.push_back(with(damping, damped));
    }
    Material standard;
    standard.damped = damped;
    list.push_back(standard);
  }
  for (int i = 0; i < named_material_count; ++i) {
    list.push_back(make_named_material(static_cast<NamedMaterial>(i)));
  }
  return list;
}

TEST(Restoration, begins_with_the_strain_and_ends_at_what_stays) {
  for (const Material& m : some_materials()) {
    ASSERT_EQ(validate(m), std::nullopt);
    for (const double part : {0.1, 0.7, 1.0, 1.3}) {
      const double e = part * m.elastic_limit();
      const Restoration r(m, e);
      EXPECT_EQ(r.strain(0), e);
      EXPECT_EQ(r.strain(-1), e);
      // At once after the release it has not moved far: the motion begins at rest.
      EXPECT_NEAR(r.strain(1e-9 * m.restoration), e, 1e-3 * e + 1e-12);
      if (m.damped == DampedEnergy::kinetic || r.kind() == RestorationKind::stays) continue;
      EXPECT_EQ(r.strain(m.restoration), r.permanent());
      EXPECT_EQ(r.strain(2 * m.restoration), r.strain(m.restoration));
    }
  }
}

TEST(Restoration, below_the_elastic_limit_everything_goes_back) {
  for (const DampedEnergy damped : {DampedEnergy::total, DampedEnergy::elastic}) {
    const Material m = with(NamedCurve::energy_damping_exponential, damped);
    for (const double e : {1e-9, 0.2, 0.999, 1.0}) {
      const Restoration r(m, e);
      EXPECT_EQ(r.kind(), RestorationKind::elastic);
      EXPECT_EQ(r.permanent(), 0);
      EXPECT_EQ(r.strain(m.restoration), 0);
      EXPECT_NEAR(r.stiffness(), 90, 1e-9);
    }
  }
}

TEST(Restoration, what_stays_is_strain_less_stress_over_stiffness) {
  Material m;
  m.stress.points = {{0, 0}, {0.5, 1}, {1, 2}, {2, 2.5}, {6, 3}};
  m.stress.set_mark(elastic_mark, 1);
  m.stress.set_mark(fracture_mark, 5);
  for (const double e : {1.0 + 1e-9, 1.5, 3.0, 4.999}) {
    const Restoration r(m, e);
    EXPECT_EQ(r.kind(), RestorationKind::plastic);
    EXPECT_NEAR(r.stiffness(), 50 * 2, 1e-9);
    EXPECT_NEAR(r.permanent(), e - m.stress.evaluate(e) / 2, 1e-12);
    EXPECT_NEAR(r.strain(100), r.permanent(), 1e-12);
    EXPECT_EQ(Restoration(m, -e).permanent(), -r.permanent());
    EXPECT_EQ(Restoration(m, -e).strain(0.3), -r.strain(0.3));
  }
  // Continuous at the elastic limit.
  EXPECT_EQ(Restoration(m, 1).permanent(), 0);
  EXPECT_NEAR(Restoration(m, 1 + 1e-7).permanent(), 0, 1e-6);
}

TEST(Restoration, from_the_fracture_limit_on_it_stays) {
  const Material m;
  for (const double e : {10.0, 10.5, 1e6}) {
    const Restoration r(m, e);
    EXPECT_EQ(r.kind(), RestorationKind::broken);
    for (const double tau : {0.0, 0.4, 1.0, 5.0}) EXPECT_EQ(r.strain(tau), e);
  }
  EXPECT_NE(Restoration(m, 9.999).kind(), RestorationKind::broken);
}

TEST(Restoration, without_slope_it_is_perfectly_plastic) {
  Material m;
  m.stress.points = {{0, 1}, {10, 1}};
  EXPECT_EQ(Restoration(m, 0.5).kind(), RestorationKind::stays);
  EXPECT_EQ(Restoration(m, 0.5).strain(7), 0.5);
  Material soft;
  soft.stiffness = 0;
  EXPECT_EQ(Restoration(soft, 0.5).strain(7), 0.5);
  // Without an elastic region, the slope at the beginning counts.
  Material clay;
  clay.stress.set_mark(elastic_mark, 0);
  const Restoration r(clay, 2);
  EXPECT_NEAR(r.stiffness(), 50, 1e-9);
  EXPECT_NEAR(r.permanent(), 2 - clay.stress.evaluate(2), 1e-12);
}

// The equations of the header, as a pair of first order: y' = rate w, w' = -omega0^2 rate y, where
// rate is 1, zeta^-1/2 and zeta^1/2; by Runge and Kutta with small steps.
double integrated(const Material& m, double omega, double to, int steps) {
  const ChartPieces zeta(m.damping);
  const auto rate = [&](double t) {
    const double z = zeta.evaluate(t / m.restoration);
    if (m.damped == DampedEnergy::total) return 1.0;
    return m.damped == DampedEnergy::elastic ? 1 / std::sqrt(z) : std::sqrt(z);
  };
  double y = 1, w = 0;
  const double h = to / steps;
  for (int i = 0; i < steps; ++i) {
    const double t = i * h, a = rate(t), b = rate(t + h / 2), c = rate(t + h);
    const double k = omega * omega;
    const double y1 = a * w, w1 = -k * a * y;
    const double y2 = b * (w + h / 2 * w1), w2 = -k * b * (y + h / 2 * y1);
    const double y3 = b * (w + h / 2 * w2), w3 = -k * b * (y + h / 2 * y2);
    const double y4 = c * (w + h * w3), w4 = -k * c * (y + h * y3);
    y += h / 6 * (y1 + 2 * y2 + 2 * y3 + y4);
    w += h / 6 * (w1 + 2 * w2 + 2 * w3 + w4);
  }
  if (m.damped == DampedEnergy::kinetic) return y;
  return std::sqrt(zeta.evaluate(to / m.restoration)) * y;
}

TEST(Restoration, agrees_with_direct_integration_for_each_energy) {
  for (const DampedEnergy damped : energies) {
    for (const NamedCurve damping :
         {NamedCurve::energy_damping_linear, NamedCurve::energy_damping_exponential,
          NamedCurve::energy_damping_late}) {
      const Material m = with(damping, damped);
      const Restoration r(m, 0.8);
      for (const double tau : {0.2, 1.0, 2.0, 2.7}) {
        EXPECT_NEAR(r.strain(tau), 0.8 * integrated(m, r.angular_speed(), tau, 20000), 1e-8)
            << static_cast<int>(damped) << " " << tau;
      }
    }
  }
}

// What is damped is what the graph says: the energies of (6.22), (6.24) and (6.26), with the speed
// relative to the envelope.
TEST(Restoration, each_energy_is_damped_as_drawn) {
  for (const DampedEnergy damped : energies) {
    const Material m = with(NamedCurve::energy_damping_exponential, damped);
    const double e = 0.6;
    const Restoration r(m, e);
    const double s = r.stiffness(), all = 0.5 * s * e * e;
    for (double tau = 0.05; tau < 2.8; tau += 0.137) {
      const double zeta = m.damping.evaluate(tau / m.restoration), h = 1e-5;
      const double envelope = damped == DampedEnergy::kinetic ? 1 : std::sqrt(zeta);
      const auto y = [&](double t) {
        const double z = m.damping.evaluate(t / m.restoration);
        return r.strain(t) / (damped == DampedEnergy::kinetic ? 1 : std::sqrt(z));
      };
      const double speed = envelope * (y(tau + h) - y(tau - h)) / (2 * h);
      const double elastic = 0.5 * s * std::pow(r.strain(tau), 2);
      const double kinetic = 0.5 * m.mass * speed * speed;
      if (damped == DampedEnergy::total) {
        EXPECT_NEAR(elastic + kinetic, all * zeta, 1e-6 * all);
      } else if (damped == DampedEnergy::elastic) {
        EXPECT_NEAR(elastic, (all - kinetic) * zeta, 1e-6 * all);
      } else {
        EXPECT_NEAR(kinetic, (all - elastic) * zeta, 1e-6 * all);
      }
    }
  }
}

TEST(Restoration, is_complete_after_an_odd_number_of_quarters) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> strain(0.05, 2);
  for (const DampedEnergy damped : energies) {
    for (const int n : {1, 3, 5, 11}) {
      const Material m = with(NamedCurve::energy_damping_late, damped);
      const double e = strain(random);
      const auto duration = complete_duration(m, e, n);
      const auto mass = complete_mass(m, e, n);
      ASSERT_TRUE(duration && mass);
      Material longer = m, heavier = m;
      longer.restoration = *duration;
      heavier.mass = *mass;
      for (const Material& fitted : {longer, heavier}) {
        const Restoration r(fitted, e);
        EXPECT_NEAR(r.phase(fitted.restoration), n * pi / 2, 1e-9 * n);
        EXPECT_NEAR(r.strain(fitted.restoration), r.permanent(), 1e-8);
      }
      if (damped == DampedEnergy::total) {
        EXPECT_NEAR(*duration, n * Restoration(m, e).period() / 4, 1e-9 * *duration);
      }
    }
  }
  EXPECT_THROW(complete_duration(Material(), 0.5, 2), std::invalid_argument);
  EXPECT_THROW(complete_mass(Material(), 0.5, -1), std::invalid_argument);
  EXPECT_FALSE(complete_duration(Material(), 20, 1));  // broken
}

TEST(Restoration, relaxation_slows_the_swing_and_keeps_some_strain) {
  Material m = with(NamedCurve::energy_damping_linear, DampedEnergy::total);
  m.relaxation = Chart{{{0, 1}, {1, 0.25}}, Interpolation::linear, Extension::clamped, 0, "", ""};
  m.relaxation_duration = 2;
  // Let go at once: nothing has relaxed yet, so all goes back, but ever more slowly.
  const Restoration quick(m, 0.8);
  EXPECT_EQ(quick.permanent(), 0);
  // The integral of sqrt(1 - 3 t / 8).
  const double t = 1.3, k = 0.375;
  const double exact = 2 / (3 * k) * (1 - std::pow(1 - k * t, 1.5));
  EXPECT_NEAR(quick.phase(t), quick.angular_speed() * exact, 1e-9);
  // Held for long: a quarter of the stress is left.
  const Restoration held(m, 0.8, 10);
  EXPECT_NEAR(held.permanent(), 0.6, 1e-12);
  EXPECT_NEAR(held.phase(1), 0.5 * held.angular_speed(), 1e-9);
  EXPECT_NEAR(held.strain(m.restoration), 0.6, 1e-12);
  // Beyond the elastic limit: e - sigma r / s, with s as it was (7.15).
  const Restoration plastic(m, 3, 10);
  EXPECT_NEAR(plastic.permanent(), 3 - 0.25 * m.stress.evaluate(3), 1e-12);
  EXPECT_NEAR(Restoration(m, 1, 1).permanent(), Restoration(m, 1 + 1e-8, 1).permanent(), 1e-7);
  for (const int n : {1, 3}) {
    const auto duration = complete_duration(m, 0.8, n, 0.5);
    ASSERT_TRUE(duration);
    Material fitted = m;
    fitted.restoration = *duration;
    EXPECT_NEAR(Restoration(fitted, 0.8, 0.5).phase(*duration), n * pi / 2, 1e-8);
  }
}

TEST(Restoration, hysteresis_swings_as_stiff_as_its_unloading_branch) {
  Material m;
  m.stress.points = {{0, 0}, {1, 1}, {2, 2}};
  m.stress.back = {{0, 0}, {1, 0.5}, {2, 2}};  // unloads with a slope of 1.5
  m.stress.set_mark(elastic_mark, 2);
  for (const double e : {0.1, 0.9, 2.0}) {
    // The loop is scaled to (e, sigma): here both by the same.
    EXPECT_NEAR(Restoration(m, e).stiffness(), 50 * 1.5, 1e-9) << e;
    EXPECT_EQ(Restoration(m, e).permanent(), 0);
  }
  // Beyond the limit it begins at what stays.
  m.stress.set_mark(elastic_mark, 0.5);
  m.stress.points = {{0, 0}, {0.5, 0.5}, {2, 1}};
  m.stress.back = {{0, 0}, {1, 0.25}, {2, 1}};
  const Restoration r(m, 2);
  EXPECT_NEAR(r.permanent(), 1, 1e-12);
  EXPECT_NEAR(r.stiffness(), 50 * (0.75 * 2 / 1 * 1), 1e-9);
}

// The tangent below a kink, not the one above, since that is where it goes.
TEST(Restoration, at_a_kink_the_lower_slope_counts) {
  const Material m;  // bends at the elastic limit
  EXPECT_NEAR(Restoration(m, 1).stiffness(), 50, 1e-9);
}

TEST(Restoration, does_not_depend_on_how_often_it_is_asked) {
  for (const Material& m : some_materials()) {
    const Restoration r(m, 0.9 * m.elastic_limit());
    for (int second = 0; second < 4; ++second) {
      const double at = r.strain(second);
      for (const int fps : {12, 25, 60, 240}) {
        EXPECT_NEAR(r.strain(static_cast<double>(second * fps) / fps), at, 1e-12);
      }
    }
  }
}

// Strains a million times as large or small, and times as long: the same motion.
TEST(Restoration, is_the_same_at_every_scale) {
  for (const DampedEnergy damped : energies) {
    const Material m = with(NamedCurve::energy_damping_exponential, damped);
    for (const double scale : {1e-6, 1e6}) {
      Material wide = m;
      wide.stress = scale_y(scale_x(m.stress, scale, 0), scale, 0);
      Material slow = m;
      slow.restoration *= scale;
      slow.stiffness /= scale * scale;
      for (const double tau : {0.3, 1.1, 2.9}) {
        const double expected = Restoration(m, 0.7).strain(tau);
        EXPECT_NEAR(Restoration(wide, 0.7 * scale).strain(tau), scale * expected, 1e-9 * scale);
        EXPECT_NEAR(Restoration(slow, 0.7).strain(tau * scale), expected, 1e-9);
      }
    }
  }
}

// Whatever is drawn, it stays between what it was and what is left of it, on either side.
TEST(Restoration, never_swings_wider_than_it_began) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> uniform(0, 1);
  std::normal_distribution<double> normal;
  const auto drawn = [&](double first, double last) {
    Chart chart;
    const int n = 2 + static_cast<int>(5 * uniform(random));
    for (int i = 0; i <= n; ++i)
      chart.points.push_back({i + 0.5 * uniform(random), uniform(random)});
    chart.points.front().y = first;
    chart.points.back().y = last;
    chart.interpolation = static_cast<Interpolation>(static_cast<int>(3 * uniform(random)));
    if (uniform(random) < 0.4) {
      for (int i = 0; i <= n; ++i) {
        const double slope = normal(random) * std::pow(10, 6 * uniform(random));
        chart.tangents.push_back({slope, uniform(random) < 0.5 ? slope : -slope});
      }
    }
    return chart;
  };
  for (int run = 0; run < 400; ++run) {
    Material m;
    m.damping = drawn(1, 0);
    m.relaxation = drawn(1, uniform(random));
    m.damped = energies[run % 3];
    m.stiffness = std::pow(10, 12 * uniform(random) - 3);
    m.mass = std::pow(10, 12 * uniform(random) - 6);
    m.restoration = std::pow(10, 6 * uniform(random) - 3);
    if (run % 7 == 0) m.stress.points = {{0, 0}, {1e-290, 1e300}, {10, 1e300}};
    ASSERT_EQ(validate(m), std::nullopt);
    const double e = 3 * uniform(random);
    const Restoration r(m, e, uniform(random));
    double last_phase = 0;
    for (double part = 0; part < 1.2; part += 0.0173) {
      const double tau = part * m.restoration, x = r.strain(tau), phase = r.phase(tau);
      EXPECT_LE(std::abs(x - r.permanent()), (e - r.permanent()) * (1 + 1e-12));
      EXPECT_GE(phase, last_phase * (1 - 1e-12));
      EXPECT_TRUE(std::isfinite(phase));
      last_phase = phase;
    }
  }
}

TEST(Restoration, refuses_what_is_no_number) {
  EXPECT_THROW(Restoration(Material(), std::nan("")), std::invalid_argument);
  EXPECT_THROW(Restoration(Material(), HUGE_VAL), std::invalid_argument);
  EXPECT_THROW(Restoration(Material(), 1, std::nan("")), std::invalid_argument);
  const Restoration r(Material(), 0.5);
  EXPECT_EQ(r.strain(std::nan("")), 0.5);
  EXPECT_EQ(r.strain(HUGE_VAL), 0);
  EXPECT_EQ(Restoration(Material(), 0).strain(0.5), 0);
  EXPECT_EQ(Restoration(Material(), 0).share(0.5), 1);
}

TEST(Material, validate_says_what_is_wrong) {
  const auto wrong = [](const auto& change) {
    Material m;
    change(m);
    return validate(m).value_or("");
  };
  EXPECT_EQ(validate(Material()), std::nullopt);
  const double nan = std::nan("");
  EXPECT_NE(wrong([&](Material& m) { m.mass = 0; }).find("mass"), std::string::npos);
  EXPECT_NE(wrong([&](Material& m) { m.mass = nan; }).find("mass"), std::string::npos);
  EXPECT_NE(wrong([&](Material& m) { m.stiffness = 1e300; }).find("stiffness"), std::string::npos);
  EXPECT_NE(wrong([&](Material& m) { m.restoration = 0; }).find("restoration"), std::string::npos);
  EXPECT_NE(wrong([&](Material& m) { m.viscosity = nan; }).find("viscosity"), std::string::npos);
  EXPECT_NE(wrong([&](Material& m) { m.creep_duration = -1; }).find("creep"), std::string::npos);
  EXPECT_NE(wrong([&](Material& m) { m.relaxation_duration = nan; }).find("relaxation"),
            std::string::npos);
  EXPECT_NE(wrong([&](Material& m) { m.stress.points.clear(); }).find("at least one point"),
            std::string::npos);
  EXPECT_NE(wrong([&](Material& m) { m.stress.points[0].x = 0.1; }).find("begin at"),
            std::string::npos);
  EXPECT_NE(wrong([&](Material& m) { m.stress.points[1].y = nan; }).find("finite"),
            std::string::npos);
  EXPECT_NE(wrong([&](Material& m) { m.stress.set_mark(elastic_mark, 20); }).find("exchange"),
            std::string::npos);
  EXPECT_NE(wrong([&](Material& m) { m.stress.set_mark(elastic_mark, -1); }).find("0 or more"),
            std::string::npos);
  EXPECT_NE(wrong([&](Material& m) { m.damping.points.back().y = 0.3; }).find("from 1 to 0"),
            std::string::npos);
  EXPECT_NE(wrong([&](Material& m) { m.damping.points[2].y = 1.5; }).find("stay from 0 to 1"),
            std::string::npos);
  EXPECT_NE(wrong([&](Material& m) { m.creep = Chart::constant(2); }).find("creep"),
            std::string::npos);
  EXPECT_NE(wrong([&](Material& m) { m.gradient.extension = Extension::cyclic; }).find("repeat"),
            std::string::npos);
  EXPECT_NE(wrong([&](Material& m) { m.relaxation.axis = ValueAxis::ratio; }).find("ratios"),
            std::string::npos);
  EXPECT_NE(wrong([&](Material& m) { m.source.assign(5000, 'x'); }).find("characters"),
            std::string::npos);
}

}  // namespace
}  // namespace sinew::kernels
