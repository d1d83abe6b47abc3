#include "nodes/kernels/meshless_spline.h"

#include <Eigen/Cholesky>

#include "nodes/kernels/rigid_fit.h"

namespace sinew::kernels {
namespace {

// The angular velocity that has the angular momentum of the points about their middle.
Vec3d spin_of(std::span<const Vec3d> places, std::span<const Vec3d> velocities, const Vec3d& middle,
              const Vec3d& drift, std::span<const double> masses) {
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();
  Vec3d momentum(0, 0, 0);
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Vec3d r = places[i] - middle;
    inertia += masses[i] * (r.squaredNorm() * Eigen::Matrix3d::Identity() - r * r.transpose());
    momentum += masses[i] * r.cross(velocities[i] - drift);
  }
  inertia.diagonal().array() += 1e-12 * std::max(inertia.trace(), 1e-300);
  return inertia.ldlt().solve(momentum);
}

}  // namespace

BodySpline::BodySpline(const BodyMotion& motion) {
  const MeshlessBody& body = *motion.body;
  const std::size_t n = body.node_count();
  std::vector<RotationKnot> turns;
  for (const MotionFrame& frame : motion.frames) {
    const RigidFit fit = fit_rigid(body.nodes, frame.places, body.masses);
    if (rest_.empty()) {
      for (const Vec3d& x : body.nodes) rest_.push_back(x - fit.from);
    }
    knots_.push_back({frame.time, frame.breaks, frame.velocities.has_value()});
    turns.push_back({frame.time, Eigen::Quaterniond(fit.turn), frame.breaks, {}});
    middles_.push_back(fit.to);
    middle_rates_.push_back(Vec3d(0, 0, 0));
    NodePlaces& details = details_.emplace_back(n);
    for (std::size_t i = 0; i < n; ++i) {
      details[i] = fit.turn.transpose() * (frame.places[i] - fit.to) - rest_[i];
    }
    NodePlaces& rates = detail_rates_.emplace_back();
    if (!frame.velocities) continue;
    Vec3d drift(0, 0, 0);
    double total = 0;
    for (std::size_t i = 0; i < n; ++i) {
      drift += body.masses[i] * (*frame.velocities)[i];
      total += body.masses[i];
    }
    drift /= total;
    const Vec3d spin = spin_of(frame.places, *frame.velocities, fit.to, drift, body.masses);
    middle_rates_.back() = drift;
    turns.back().spin = spin;
    rates.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
      const Vec3d left = (*frame.velocities)[i] - drift - spin.cross(frame.places[i] - fit.to);
      rates[i] = fit.turn.transpose() * left;
    }
  }
  turning_ = RotationSpline(std::move(turns));
  tangents_ = spline_tangents(knots_);
}

std::size_t BodySpline::bytes() const {
  return sizeof *this + knots_.size() * (sizeof(SplineKnot) + sizeof(KnotTangents) + 512) +
         (details_.size() + detail_rates_.size()) * rest_.size() * sizeof(Vec3d);
}

RigidMoment BodySpline::rigid(const SplineBlend& blend, double time) const {
  const Turning turn = turning_.at(time);
  RigidMoment moment;
  moment.turn = turn.rotation.toRotationMatrix();
  moment.spin = turn.spin;
  for (std::size_t k = 0; k < 4; ++k) {
    moment.middle += blend.value[k] * middles_[blend.knot[k]];
    moment.drift += blend.rate[k] * middles_[blend.knot[k]];
  }
  for (std::size_t k = 0; k < 2; ++k) {
    moment.middle += blend.told[k] * middle_rates_[blend.knot[k + 1]];
    moment.drift += blend.told_rate[k] * middle_rates_[blend.knot[k + 1]];
  }
  return moment;
}

RigidMoment BodySpline::rigid_at(double time) const {
  return rigid(spline_blend(knots_, tangents_, time), time);
}

void BodySpline::at(double time, std::span<Vec3d> places, std::span<Vec3d> velocities) const {
  const SplineBlend blend = spline_blend(knots_, tangents_, time);
  const RigidMoment moment = rigid(blend, time);
  const uint32_t told[2] = {blend.knot[1], blend.knot[2]};
  for (std::size_t i = 0; i < rest_.size(); ++i) {
    Vec3d detail(0, 0, 0), rate(0, 0, 0);
    for (std::size_t k = 0; k < 4; ++k) {
      detail += blend.value[k] * details_[blend.knot[k]][i];
      rate += blend.rate[k] * details_[blend.knot[k]][i];
    }
    for (std::size_t k = 0; k < 2; ++k) {
      if (detail_rates_[told[k]].empty()) continue;
      detail += blend.told[k] * detail_rates_[told[k]][i];
      rate += blend.told_rate[k] * detail_rates_[told[k]][i];
    }
    const Vec3d arm = moment.turn * (rest_[i] + detail);
    places[i] = moment.middle + arm;
    if (!velocities.empty()) {
      velocities[i] = moment.drift + moment.spin.cross(arm) + moment.turn * rate;
    }
  }
}

}  // namespace sinew::kernels
