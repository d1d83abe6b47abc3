#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "nodes/kernels/counter_random.h"
#include "nodes/kernels/measure.h"
#include "nodes/kernels/meshless_dynamics_step.h"

namespace sinew::kernels {
namespace {

using Matrix3 = Eigen::Matrix3d;

constexpr double pull_time = 0.01;  // s, in which a gain of 1 pulls
constexpr double full_lead = 0.02;  // the gain from which on a body is carried

// 4 (g_a . g_b + g_b g_a^T) of the strain, 2 g_a g_b^T of the volume.
Eigen::MatrixXd rest_hessian(const MeshlessBody& body) {
  const auto n = static_cast<Eigen::Index>(body.node_count());
  Eigen::MatrixXd h = Eigen::MatrixXd::Zero(3 * n, 3 * n);
  const ShapeRows& rows = body.at_samples;
  for (std::size_t s = 0; s < rows.size(); ++s) {
    const double v = body.volumes[s];
    for (uint32_t a = rows.first[s]; a < rows.first[s + 1]; ++a) {
      const Vec3d ga = rows.gradient[a];
      for (uint32_t b = rows.first[s]; b < rows.first[s + 1]; ++b) {
        const Vec3d gb = rows.gradient[b];
        Matrix3 block = 4 * v * gb * ga.transpose() + 2 * v * ga * gb.transpose();
        block.diagonal().array() += 4 * v * ga.dot(gb);
        h.block<3, 3>(3 * rows.node[a], 3 * rows.node[b]) += block;
      }
    }
  }
  return h;
}

// M for each coordinate, times vectors of places.
Eigen::MatrixXd times_mass(const Eigen::MatrixXd& mass, const Eigen::MatrixXd& x) {
  Eigen::MatrixXd product(x.rows(), x.cols());
  for (Eigen::Index c = 0; c < x.cols(); ++c) {
    const Eigen::Map<const Eigen::Matrix3Xd> from(x.col(c).data(), 3, mass.rows());
    Eigen::Map<Eigen::Matrix3Xd>(product.col(c).data(), 3, mass.rows()).noalias() = from * mass;
  }
  return product;
}

Eigen::MatrixXd rigid_motions(const MeshlessBody& body) {
  const auto n = static_cast<Eigen::Index>(body.node_count());
  Eigen::MatrixXd motions(3 * n, 6);
  for (Eigen::Index i = 0; i < n; ++i) {
    const Vec3d x = body.nodes[static_cast<std::size_t>(i)] / body.size;
    for (int k = 0; k < 3; ++k) {
      motions.block<3, 1>(3 * i, k) = Vec3d::Unit(k);
      motions.block<3, 1>(3 * i, 3 + k) = Vec3d::Unit(k).cross(x);
    }
  }
  return motions;
}

// F^T F.
Matrix3 metric_of(const ShapeRows& rows, std::size_t sample, std::span<const Vec3d> places) {
  const Matrix3 f = gradient_of(rows, sample, places);
  return f.transpose() * f;
}

}  // namespace

// Inverse iteration of a few vectors at once, in what is left beside rigid motions.
double softest_swing(const MeshlessBody& body, const Eigen::MatrixXd& mass,
                     Eigen::VectorXd* swing) {
  const Eigen::MatrixXd hessian = rest_hessian(body);
  const Eigen::Index n = hessian.rows(), block = std::min<Eigen::Index>(12, n - 6);
  if (block < 1) return 1 / (body.size * body.size);
  const double shift = 1e-7 * hessian.trace() / (3 * mass.trace());
  Eigen::MatrixXd shifted = hessian;
  for (Eigen::Index i = 0; i < mass.rows(); ++i) {
    for (Eigen::Index j = 0; j < mass.rows(); ++j) {
      shifted.block<3, 3>(3 * i, 3 * j).diagonal().array() += shift * mass(i, j);
    }
  }
  const Eigen::LDLT<Eigen::MatrixXd> factor(shifted);
  const Eigen::MatrixXd rigid = rigid_motions(body), heavy = times_mass(mass, rigid);
  const Eigen::LDLT<Eigen::MatrixXd> rigid_mass(rigid.transpose() * heavy);
  Eigen::MatrixXd x(n, block);
  CounterRandom random(1, 0);
  for (Eigen::Index c = 0; c < block; ++c) {
    for (Eigen::Index r = 0; r < n; ++r) x(r, c) = random.uniform() - 0.5;
  }
  double least = 0;
  for (int turn = 0; turn < 60; ++turn) {
    x -= rigid * rigid_mass.solve(heavy.transpose() * x);
    x = factor.solve(times_mass(mass, x));
    x -= rigid * rigid_mass.solve(heavy.transpose() * x);
    const Eigen::MatrixXd small_mass = x.transpose() * times_mass(mass, x);
    const Eigen::VectorXd scale = small_mass.diagonal().cwiseMax(1e-300).cwiseSqrt().cwiseInverse();
    x = x * scale.asDiagonal();
    const Eigen::MatrixXd m = scale.asDiagonal() * small_mass * scale.asDiagonal();
    const Eigen::MatrixXd k = x.transpose() * hessian * x;
    const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> ritz(k, m);
    if (ritz.info() != Eigen::Success) break;
    x = x * ritz.eigenvectors();
    const double before = least;
    least = ritz.eigenvalues()[0];
    if (turn > 2 && std::abs(least - before) <= 1e-6 * least) break;
  }
  if (swing) *swing = x.col(0);
  return std::max(least, shift);
}

DynamicsSpace::DynamicsSpace(std::shared_ptr<const MeshlessBody> of)
    : body(std::move(of)),
      motion(*body),
      softest(softest_swing(*body, motion.mass)),
      volume(std::max(signed_volume(body->rest), 1e-9 * std::pow(body->size, 3))) {}

StepWeights euler_weights(double h) { return {h, h, 0, 1}; }

StepWeights bdf_weights(double h, double before) {
  const double r = h / before;
  return {h, h * (1 + r) / (1 + 2 * r), r * r / (1 + 2 * r), r};
}

double led_by(double gain) { return std::clamp(gain / full_lead, 0.0, 1.0); }

void StepBody::set_up(const DynamicsSettings& how) {
  const std::size_t n = count();
  led = led_by(how.gain);
  aligned = how.align ? led : 0;
  const double swing = 2 * std::numbers::pi * how.stiffness;
  strain = swing * swing / space->softest;
  volume = how.volume * strain;
  for (NodePlaces* places :
       {&before, &before_velocities, &hat, &hat_aligned, &goal, &goal_velocities, &star,
        &star_aligned, &scratch, &guess, &base, &now, &gradient}) {
    places->resize(n);
  }
  for (NodeRows* rows : {&linear, &by_mass, &by_led_mass, &moved, &slope}) {
    rows->resize(static_cast<Eigen::Index>(n), 3);
  }
  if (led == 0) return;
  if (loose.empty()) {
    led_mass = space->motion.mass;
    return;
  }
  led_mass.setZero(static_cast<Eigen::Index>(n), static_cast<Eigen::Index>(n));
  const ShapeRows& rows = space->body->at_samples;
  for (std::size_t s = 0; s < rows.size(); ++s) {
    double part = 0;
    for (uint32_t a = rows.first[s]; a < rows.first[s + 1]; ++a) {
      part += rows.value[a] * led_part(rows.node[a]);
    }
    const double v = space->body->volumes[s] * std::clamp(part, 0.0, 1.0);
    for (uint32_t a = rows.first[s]; a < rows.first[s + 1]; ++a) {
      for (uint32_t b = rows.first[s]; b < rows.first[s + 1]; ++b) {
        led_mass(rows.node[a], rows.node[b]) += v * rows.value[a] * rows.value[b];
      }
    }
  }
}

void StepBody::predict(const StepTimes& times, const StepWeights& w, const DynamicsSettings& how) {
  const NodePlaces &y = state->places, &v = state->velocities;
  begins = state->places_before.empty();
  for (std::size_t i = 0; i < count(); ++i) {
    if (begins) {
      const Vec3d falls = (1 - led * led_part(i)) * how.gravity;
      before[i] = y[i] - w.h * v[i] + 0.5 * w.h * w.h * falls;
      before_velocities[i] = v[i] - w.h * falls;
    } else {
      before[i] = state->places_before[i];
      before_velocities[i] = state->velocities_before[i];
    }
    hat[i] = y[i] + w.back * (y[i] - before[i]);
    const Vec3d change = v[i] - before_velocities[i];
    star[i] = hat[i] + w.e * (v[i] + w.back * change);
    guess[i] = y[i] + w.h * v[i];
    if (w.back != 0) guess[i] += 0.5 * w.h * w.ratio * change;
  }
  if (led > 0) led_now = lead->rigid_at(times.now);
  if (led > 0 || kept > 0) lead->at(times.now, goal, goal_velocities);
  if (aligned > 0) take_along(times, w);
}

// y^ and y* in the frame of what leads it, for what is taken along.
void StepBody::take_along(const StepTimes& times, const StepWeights& w) {
  led_last = lead->rigid_at(times.last);
  led_before = lead->rigid_at(times.before);
  const auto same = [](const RigidMoment& a, const RigidMoment& b) {
    return a.middle == b.middle && a.turn == b.turn && a.drift.isZero(0) && b.drift.isZero(0) &&
           a.spin.isZero(0) && b.spin.isZero(0);
  };
  if (same(led_now, led_last) && same(led_last, led_before)) {
    hat_aligned = hat;
    star_aligned = star;
    return;
  }
  const Matrix3 turn = led_now.turn * led_last.turn.transpose();
  const Matrix3 turn_before = led_now.turn * led_before.turn.transpose();
  for (std::size_t i = 0; i < count(); ++i) {
    const Vec3d &y = state->places[i], &v = state->velocities[i];
    const Vec3d place = turn * (y - led_last.middle) + led_now.middle;
    const Vec3d speed = turn * (v - led_last.velocity_at(y));
    const Vec3d place_before = turn_before * (before[i] - led_before.middle) + led_now.middle;
    const Vec3d speed_before =
        turn_before * (before_velocities[i] - led_before.velocity_at(before[i]));
    hat_aligned[i] = place + w.back * (place - place_before);
    const Vec3d change = speed - speed_before;
    star_aligned[i] = hat_aligned[i] + w.e * (speed + w.back * change);
    Vec3d goes = place + w.h * speed;
    if (w.back != 0) goes += 0.5 * w.h * w.ratio * change;
    guess[i] += aligned * led_part(i) * (goes - guess[i]);
  }
}

void StepBody::prepare(const StepTimes& times, const StepWeights& w, const DynamicsSettings& how) {
  fill_metrics(times, w, how);
  fill_quadratic(w, how);
  now = base = guess;
}

// F^T F beside the metric of what leads it.
void StepBody::shapes_at(double time, std::span<const Vec3d> places, double keep,
                         std::vector<Matrix3>& to) {
  const ShapeRows& rows = space->body->at_samples;
  to.resize(rows.size());
  if (keep > 0) lead->at(time, scratch);
  for (std::size_t s = 0; s < rows.size(); ++s) {
    to[s] = metric_of(rows, s, places) - (1 - keep) * Matrix3::Identity();
    if (keep > 0) to[s] -= keep * metric_of(rows, s, scratch);
  }
}

void StepBody::fill_metrics(const StepTimes& times, const StepWeights& w,
                            const DynamicsSettings& how) {
  const ShapeRows& rows = space->body->at_samples;
  const double keep = kept;
  const double swing = 2 * std::numbers::pi * how.stiffness;
  const double elastic_part = 1 / (1 + 2 * how.damping / (swing * w.e));
  const bool damps = how.damping > 0;
  strain = swing * swing / space->softest / elastic_part;
  behind.resize(keep > 0 ? rows.size() : 0);
  metrics.resize(damps ? rows.size() : 0);
  if (damps) {
    shapes_at(times.last, state->places, keep, off);
    if (w.back != 0) shapes_at(times.before, before, keep, off_before);
  }
  for (std::size_t s = 0; s < rows.size(); ++s) {
    Matrix3 rest = Matrix3::Identity();
    Matrix3 back = rest;
    if (keep > 0) {
      rest = (1 - keep) * rest + keep * metric_of(rows, s, goal);
      // Crushed flat it has no inverse.
      if (rest.determinant() < 1e-6) rest.diagonal().array() += 1e-2;
      const Eigen::LLT<Matrix3> root(rest);
      behind[s] = root.matrixU().solve(Matrix3::Identity());
      back = behind[s];
    }
    if (!damps) continue;
    Matrix3 aim = rest + off[s];
    if (w.back != 0) aim += w.back * (off[s] - off_before[s]);
    if (keep > 0) aim = back.transpose() * aim * back;
    const Matrix3 t = elastic_part * Matrix3::Identity() + (1 - elastic_part) * aim;
    metrics[s] = {t(0, 0), t(1, 1), t(2, 2), t(0, 1), t(0, 2), t(1, 2)};
  }
}

void StepBody::fill_quadratic(const StepWeights& w, const DynamicsSettings& how) {
  const Eigen::MatrixXd& mass = space->motion.mass;
  const double kappa = 1 / (w.e * w.e);
  for (std::size_t i = 0; i < count(); ++i) {
    by_mass.row(static_cast<Eigen::Index>(i)) = kappa * (star[i] - guess[i]) + how.gravity;
  }
  quadratic = kappa * mass;
  linear.noalias() = mass * by_mass;
  if (led == 0) return;
  const double swing = std::sqrt(std::max(how.gain, 0.0)) / pull_time;
  const double drag = 2 * std::max({how.damping, how.gain, calm}) * swing / w.e;
  pull = swing * swing + drag;
  for (std::size_t i = 0; i < count(); ++i) {
    Vec3d speed = goal_velocities[i], from = hat[i];
    if (aligned > 0) {
      speed -= aligned * led_now.velocity_at(goal[i]);
      from += aligned * (hat_aligned[i] - hat[i]);
    }
    const Vec3d target = goal[i] + drag / pull * (from + w.e * speed - goal[i]);
    Vec3d push = pull * (target - guess[i]) - led * how.gravity;
    if (aligned > 0) push += kappa * aligned * (star_aligned[i] - star[i]);
    by_led_mass.row(static_cast<Eigen::Index>(i)) = push;
  }
  quadratic += pull * led_mass;
  linear.noalias() += led_mass * by_led_mass;
}

void StepBody::finish(const StepWeights& w) {
  state->places_before.swap(state->places);
  state->velocities_before.swap(state->velocities);
  state->places = now;
  state->velocities.resize(count());
  for (std::size_t i = 0; i < count(); ++i) {
    Vec3d v = (now[i] - hat[i]) / w.e;
    if (const double part = aligned * led_part(i); part > 0) {
      const Vec3d taken = (now[i] - hat_aligned[i]) / w.e + led_now.velocity_at(now[i]);
      v += part * (taken - v);
    }
    state->velocities[i] = v;
  }
}

}  // namespace sinew::kernels
