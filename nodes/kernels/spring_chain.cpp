#include "nodes/kernels/spring_chain.h"

#include <algorithm>
#include <cmath>

namespace sinew::kernels {

namespace {

// The parameters in range, in double precision.
struct Chain {
  double rest;           // length of one spring
  double inverse_mass;   // of one particle
  double compliance;     // of one spring, m/N
  double damping, drag;  // 1/s
  Vec3d gravity;
  int substeps;

  Chain(const SpringChainParams& p, std::size_t particles) {
    const double n = static_cast<double>(std::max<std::size_t>(particles, 1));
    const auto in_range = [](double v, double low, double high) {
      return std::isnan(v) ? low : std::clamp(v, low, high);
    };
    rest = in_range(p.length, 1e-9, 1e9) / n;
    inverse_mass = n / in_range(p.mass, 1e-9, 1e9);
    compliance = 1 / std::max(double{p.stiffness}, 1e-9);  // 0 for infinite stiffness
    damping = in_range(p.damping, 0, 1e9);
    drag = in_range(p.drag, 0, 1e9);
    for (int k = 0; k < 3; ++k) gravity[k] = in_range(p.gravity[k], -1e9, 1e9);
    substeps = std::clamp(p.substeps, 1, 10000);
  }
};

// Moves the two ends of one spring along it; the upper end of the first is the anchor, with no
// inverse mass. [Macklin16], with one iteration a step.
void solve_spring(Vec3d& upper, double upper_inverse_mass, Vec3d& lower, const Chain& chain,
                  double h) {
  const Vec3d along = lower - upper;
  const double length = along.norm();
  if (!(length > 0)) return;  // no direction to push in: gravity will give it one
  const double w = upper_inverse_mass + chain.inverse_mass;
  const double push = (length - chain.rest) / (w + chain.compliance / (h * h));
  const Vec3d direction = along / length;
  upper += upper_inverse_mass * push * direction;
  lower -= chain.inverse_mass * push * direction;
}

constexpr double most_stretched = 10;  // times its rest length; there a spring holds

// From the anchor down, what hangs below is not farther away than that.
void hold_together(const Vec3d& top, const Chain& chain, std::vector<Vec3d>& x) {
  const double most = most_stretched * chain.rest;
  Vec3d upper = top;
  for (Vec3d& lower : x) {
    const Vec3d along = lower - upper;
    if (along.squaredNorm() > most * most) lower = upper + along * (most / along.norm());
    upper = lower;
  }
}

// Takes the share `decay` of the relative velocity along a spring away, keeping momentum.
void damp_spring(const Vec3d& upper, Vec3d& upper_velocity, bool upper_fixed, const Vec3d& lower,
                 Vec3d& lower_velocity, double decay) {
  const Vec3d along = lower - upper;
  const double length = along.norm();
  if (!(length > 0)) return;
  const Vec3d direction = along / length;
  const double change = decay * (lower_velocity - upper_velocity).dot(direction);
  const double upper_share = upper_fixed ? 0.0 : 0.5;
  upper_velocity += upper_share * change * direction;
  lower_velocity -= (1 - upper_share) * change * direction;
}

}  // namespace

SpringChainState make_spring_chain(int particles, const Vec3f& anchor, const Vec3f& direction,
                                   const SpringChainParams& params) {
  SpringChainState state;
  state.anchor = anchor;
  const std::size_t n = static_cast<std::size_t>(std::max(particles, 1));
  const Chain chain(params, n);
  const double length = direction.cast<double>().norm();
  const Vec3d along = length > 0 && std::isfinite(length) ? Vec3d(direction.cast<double>() / length)
                                                          : Vec3d(0, -1, 0);
  for (std::size_t i = 0; i < n; ++i) {
    const double distance = chain.rest * static_cast<double>(i + 1);
    state.positions.push_back((anchor.cast<double>() + distance * along).cast<float>());
  }
  state.velocities.assign(n, Vec3f(0, 0, 0));
  return state;
}

SpringChainState step_spring_chain(const SpringChainState& state, const Vec3f& anchor, float dt,
                                   const SpringChainParams& params) {
  const std::size_t n = state.positions.size();
  SpringChainState result = state;
  result.anchor = anchor;
  constexpr float shortest = 1e-9f, longest = 1e6f;
  if (n == 0 || !(dt >= shortest)) return result;
  const Chain chain(params, n);
  const double h = std::min(dt, longest) / static_cast<double>(chain.substeps);
  const double decay = -std::expm1(-h * chain.damping);
  const Vec3d from = state.anchor.cast<double>(), to = anchor.cast<double>();

  std::vector<Vec3d> x(n), v(n), before(n);
  for (std::size_t i = 0; i < n; ++i) {
    x[i] = state.positions[i].cast<double>();
    v[i] = state.velocities[i].cast<double>();
  }
  Vec3d anchor_velocity = (to - from) / (h * chain.substeps);
  for (int s = 0; s < chain.substeps; ++s) {
    Vec3d top = from + (to - from) * (s + 1.0) / chain.substeps;
    for (std::size_t i = 0; i < n; ++i) {
      before[i] = x[i];
      v[i] = (v[i] + h * chain.gravity) / (1 + h * chain.drag);
      x[i] += h * v[i];
    }
    solve_spring(top, 0, x[0], chain, h);
    for (std::size_t i = 1; i < n; ++i) {
      solve_spring(x[i - 1], chain.inverse_mass, x[i], chain, h);
    }
    hold_together(top, chain, x);
    for (std::size_t i = 0; i < n; ++i) v[i] = (x[i] - before[i]) / h;
    damp_spring(top, anchor_velocity, true, x[0], v[0], decay);
    for (std::size_t i = 1; i < n; ++i) {
      damp_spring(x[i - 1], v[i - 1], false, x[i], v[i], decay);
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    result.positions[i] = x[i].cast<float>();
    result.velocities[i] = v[i].cast<float>();
  }
  return result;
}

double spring_chain_energy(const SpringChainState& state, const SpringChainParams& params) {
  const Chain chain(params, state.positions.size());
  double energy = 0;
  Vec3d upper = state.anchor.cast<double>();
  for (std::size_t i = 0; i < state.positions.size(); ++i) {
    const Vec3d x = state.positions[i].cast<double>();
    const double m = 1 / chain.inverse_mass;
    energy += m / 2 * state.velocities[i].cast<double>().squaredNorm() - m * chain.gravity.dot(x);
    const double stretch = (x - upper).norm() - chain.rest;
    if (chain.compliance > 0) energy += stretch * stretch / (2 * chain.compliance);
    upper = x;
  }
  return energy;
}

}  // namespace sinew::kernels
