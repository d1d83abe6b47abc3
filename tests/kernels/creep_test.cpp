#include "nodes/kernels/creep.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <random>

#include "nodes/geometry/types.h"
#include "nodes/kernels/named_curves.h"

namespace sinew::kernels {
namespace {

using Matrix = Eigen::Matrix3d;

// A VOO that swings, stretches and keeps its volume; at rest at t = 1.
Matrix motion(double t) {
  const double s = t - 1, angle = 1.3 * s * std::exp(-0.2 * s), stretch = 1 + 0.8 * std::sin(2 * s);
  const Matrix turn = Eigen::AngleAxisd(angle, Vec3d(1, 2, -1).normalized()).toRotationMatrix();
  const Vec3d sizes(stretch, 1 / std::sqrt(stretch), 1 / std::sqrt(stretch));
  return turn * sizes.asDiagonal();
}

double difference(const Matrix& a, const Matrix& b) { return (a - b).cwiseAbs().maxCoeff(); }

TEST(Creep, constant_creep_is_exact) {
  for (const double c : {0.0, 0.4, 1.0}) {
    const CreepIntegral g(Chart::constant(c), 2, 1, motion);
    for (const double t : {1.0, 1.3, 2.0, 5.0}) {
      EXPECT_LT(difference(g.at(t), c * (motion(t) - motion(1))), 1e-15);
    }
    EXPECT_EQ(g.at(0.3), Matrix::Zero());
  }
}

TEST(Creep, a_motion_that_rests_creeps_nowhere) {
  const CreepIntegral g(Material::standard_creep(), 2, 1, [](double) { return motion(1.7); });
  EXPECT_EQ(g.at(2.2), Matrix::Zero());
  EXPECT_EQ(g.panel_count(), CreepIntegral(Material::standard_creep(), 2, 1, [](double) {
                               return Matrix(Matrix::Identity());
                             }).panel_count());
}

// F = t A and creep = t / T: G = t^2 A / (2 T), then it follows F.
TEST(Creep, a_line_over_a_line) {
  Matrix a;
  a << 1, 2, 3, -4, 5, 6, 7, 8, -9;
  Chart ramp;
  ramp.points = {{10, 0}, {30, 1}};
  ramp.interpolation = Interpolation::linear;
  const CreepIntegral g(ramp, 4, -1, [&](double t) -> Matrix { return (t + 1) * a; });
  EXPECT_LT(difference(g.at(1), 4 * a / 8), 1e-13);
  EXPECT_LT(difference(g.at(3), 16 * a / 8), 1e-13);
  EXPECT_LT(difference(g.at(5), 2 * a + 2 * a), 1e-13);
}

TEST(Creep, halved_grids_agree) {
  for (const NamedCurve curve : {NamedCurve::creep, NamedCurve::ease_in_out, NamedCurve::ease_in}) {
    const Chart creep = make_named_curve(curve, {});
    const CreepIntegral coarse(creep, 2.5, 1, motion, {}, 1e-8);
    const CreepIntegral fine(creep, 2.5, 1, motion, {}, 1e-13);
    EXPECT_GE(fine.panel_count(), coarse.panel_count());
    for (double t = 1; t < 5; t += 0.0371) {
      EXPECT_LT(difference(coarse.at(t), fine.at(t)), 1e-7) << t;
    }
  }
}

// A motion that bends and jumps: said in advance, and found.
TEST(Creep, breaks_of_the_motion) {
  const auto broken = [](double t) -> Matrix {
    if (t < 1.7) return motion(t);
    return motion(1.7) + (t < 2.3 ? Matrix(0.5 * Matrix::Identity()) : Matrix::Ones());
  };
  const double breaks[] = {1.7, 2.3, 99, -5};
  const Chart creep = Material::standard_creep();
  const CreepIntegral told(creep, 2, 1, broken, breaks), alone(creep, 2, 1, broken);
  EXPECT_LT(told.panel_count(), alone.panel_count());
  for (const double t : {1.2, 1.8, 2.31, 2.9, 4.0}) {
    EXPECT_LT(difference(told.at(t), alone.at(t)), 1e-6) << t;
  }
  // A jump creeps by what the creep is at that moment.
  const auto at = [&](double t) { return creep.evaluate((t - 1) / 2); };
  const Matrix jump = Matrix::Ones() - 0.5 * Matrix::Identity();
  EXPECT_LT(difference(told.at(2.3) - told.at(2.3 - 1e-9), at(2.3) * jump), 1e-7);
}

TEST(Creep, a_stepped_chart) {
  Chart steps;
  steps.points = {{0, 0.2}, {0.5, 0.7}, {1, 1}};
  steps.interpolation = Interpolation::stepped;
  const CreepIntegral g(steps, 2, 1, motion);
  for (const double t : {1.3, 2.0, 2.4, 3.0, 4.0}) {
    const Matrix first = motion(std::min(t, 2.0)) - motion(1);
    const Matrix second = motion(std::clamp(t, 2.0, 3.0)) - motion(2);
    const Matrix third = motion(std::max(t, 3.0)) - motion(3);
    EXPECT_LT(difference(g.at(t), 0.2 * first + 0.7 * second + third), 1e-12) << t;
  }
}

// The thesis' own loop (7.11) for single vertices, with ever smaller steps.
TEST(Creep, agrees_with_stepping_each_vertex) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> uniform(-1, 1);
  Material m;
  m.viscosity = 1.1;
  m.creep_coefficient = 0.65;
  m.creep_duration = 1.7;
  const CreepIntegral g(m.creep, m.creep_duration, 1, motion);
  const ChartPieces creep(m.creep);
  for (int vertex = 0; vertex < 5; ++vertex) {
    const Vec3d q(uniform(random), uniform(random), uniform(random));
    const double gradient = 0.5 + 0.5 * uniform(random), damp = uniform(random), end = 3.2;
    const auto stepped = [&](int steps) {
      Vec3d moved(0, 0, 0), last = damp * (motion(1) - Matrix::Identity()) * q;
      const double dt = (end - 1) / steps;
      for (int i = 1; i <= steps; ++i) {
        const double t = 1 + i * dt, middle = std::min((t - dt / 2 - 1) / m.creep_duration, 1.0);
        const Vec3d plastic = damp * (motion(t) - Matrix::Identity()) * q;
        moved += (1 - m.viscosity * gradient * (1 - m.creep_coefficient * creep.evaluate(middle))) *
                 (plastic - last);
        last = plastic;
      }
      return moved;
    };
    const CreepFactors f = creep_factors(m, motion(end), g.at(end), g.start());
    const Vec3d exact = damp * (f.plastic + gradient * f.viscous) * q;
    // Each halving of the step quarters the error.
    const double coarse = (stepped(2000) - exact).norm(), fine = (stepped(4000) - exact).norm();
    EXPECT_LT(fine, 1e-6);
    EXPECT_LT(fine, 0.3 * coarse + 1e-12);
    // The form of MATHS where it begins at rest.
    const Matrix i = Matrix::Identity(), nu_g = m.viscosity * gradient * i;
    const Matrix form = (i - nu_g) * (motion(end) - i) + m.creep_coefficient * nu_g * g.at(end);
    EXPECT_LT((damp * form * q - exact).norm(), 1e-14);
  }
}

TEST(Creep, without_viscosity_it_is_plastic) {
  Material m;
  m.viscosity = 0;
  const CreepFactors f = creep_factors(m, motion(2), Matrix::Ones(), motion(1));
  EXPECT_EQ(f.viscous, Matrix::Zero());
  EXPECT_EQ(f.plastic, motion(2) - Matrix::Identity());
}

// Asked for at the frames of any rate, in any order, it is the same.
TEST(Creep, does_not_depend_on_how_often_it_is_asked) {
  const CreepIntegral g(Material::standard_creep(), 3, 0, motion);
  for (int second = 1; second < 4; ++second) {
    const Matrix at = g.at(second);
    for (const int fps : {240, 12, 60, 25}) {
      for (int frame = 0; frame < second * fps; frame += 7) g.at(frame * (1.0 / fps));
      EXPECT_LT(difference(g.at(second * fps * (1.0 / fps)), at), 1e-12);
    }
  }
}

TEST(Creep, at_every_scale_of_time) {
  const CreepIntegral g(Material::standard_creep(), 2, 1, motion);
  for (const double scale : {1e-6, 1e6}) {
    const CreepIntegral scaled(Material::standard_creep(), 2 * scale, scale,
                               [=](double t) { return motion(t / scale); });
    for (const double t : {1.1, 1.9, 2.7, 3.3}) {
      EXPECT_LT(difference(scaled.at(t * scale), g.at(t)), 1e-9);
    }
  }
}

TEST(Creep, refuses_what_takes_no_time) {
  EXPECT_THROW(CreepIntegral(Chart::constant(1), 0, 0, motion), std::invalid_argument);
  EXPECT_THROW(CreepIntegral(Chart::constant(1), 1, std::nan(""), motion), std::invalid_argument);
  // What is not a number comes out as such, and comes out.
  const CreepIntegral g(Material::standard_creep(), 1, 0, [](double t) -> Matrix {
    return Matrix::Constant(t > 0.5 ? std::nan("") : 1);
  });
  EXPECT_FALSE(g.at(0.9).allFinite());
}

}  // namespace
}  // namespace sinew::kernels
