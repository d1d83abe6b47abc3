#include "nodes/kernels/modal_keys.h"

#include <Eigen/LU>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew::kernels {
namespace {

Vec3d rotation_vector(const Eigen::Quaterniond& turn) {
  Eigen::Quaterniond q = turn;
  if (q.w() < 0) q.coeffs() *= -1;
  const double sine = q.vec().norm();
  if (!(sine > 0)) return Vec3d::Zero();
  return q.vec() * (2 * std::atan2(sine, q.w()) / sine);
}

}  // namespace

double hold_key(std::span<const Vec3d> own, std::span<const Vec3d> held, ModalKey& key) {
  if (own.empty()) return 0;
  Vec3d from = Vec3d::Zero(), to = Vec3d::Zero();
  for (std::size_t i = 0; i < own.size(); ++i) {
    from += own[i] / static_cast<double>(own.size());
    to += held[i] / static_cast<double>(own.size());
  }
  Eigen::Matrix3d sum = Eigen::Matrix3d::Zero();
  double scale = 0;
  for (std::size_t i = 0; i < own.size(); ++i) {
    const Vec3d is = key.turn * (own[i] - from), wanted = held[i] - to;
    sum += wanted * is.transpose();
    scale += is.norm() * wanted.norm();
  }
  if (scale > 0) {
    // The unit matrix keeps what the pins say nothing about.
    sum += 1e-6 * scale * Eigen::Matrix3d::Identity();
    const Eigen::JacobiSVD<Eigen::Matrix3d> svd(sum, Eigen::ComputeFullU | Eigen::ComputeFullV);
    Vec3d signs = Vec3d::Ones();
    if ((svd.matrixU() * svd.matrixV().transpose()).determinant() < 0) signs[2] = -1;
    const Eigen::Matrix3d turn = svd.matrixU() * signs.asDiagonal() * svd.matrixV().transpose();
    key.turn = (Eigen::Quaterniond(turn) * key.turn).normalized();
  }
  key.place = to - key.turn * from;
  double worst = 0;
  for (std::size_t i = 0; i < own.size(); ++i) {
    worst = std::max(worst, (key.place + key.turn * own[i] - held[i]).norm());
  }
  return worst;
}

void ModalKeys::add(ModalKey key) {
  if (!last.empty() && last[0].amplitudes.size() != key.amplitudes.size()) last.clear();
  last.insert(last.begin(), std::move(key));
  if (last.size() > 3) last.pop_back();
}

ModalKeys::Motion ModalKeys::motion(double dt) const {
  Motion out;
  if (last.empty()) return out;
  out.rates.assign(last[0].amplitudes.size(), 0);
  if (last.size() < 2 || !(dt > 0)) return out;
  // Weights of the differences to the frames before.
  const bool three = last.size() == 3;
  const double one = three ? 2 / dt : 1 / dt, two = three ? -0.5 / dt : 0;
  const ModalKey &a = last[0], &b = last[1], &c = last[three ? 2 : 1];
  out.velocity = one * (a.place - b.place) + two * (a.place - c.place);
  out.spin = one * rotation_vector(a.turn * b.turn.conjugate()) +
             two * rotation_vector(a.turn * c.turn.conjugate());
  for (std::size_t m = 0; m < out.rates.size(); ++m) {
    out.rates[m] =
        one * (a.amplitudes[m] - b.amplitudes[m]) + two * (a.amplitudes[m] - c.amplitudes[m]);
  }
  return out;
}

ModalOffset offset_of(const ModalState& state, const ModalKeys& keys, double dt, double length) {
  ModalOffset offset;
  if (!(length > 0) || keys.last.empty()) return offset;
  const ModalKeys::Motion motion = keys.motion(dt);
  const ModalKey& key = keys.last[0];
  offset.length = length;
  offset.place = state.place - key.place;
  offset.velocity = state.velocity - motion.velocity;
  offset.turn = rotation_vector(state.turn * key.turn.conjugate());
  offset.spin = state.spin - motion.spin;
  for (std::size_t m = 0; m < key.amplitudes.size(); ++m) {
    offset.amplitudes.push_back(state.amplitudes[m] - key.amplitudes[m]);
    offset.rates.push_back(state.rates[m] - motion.rates[m]);
  }
  return offset;
}

void follow_keys(const ModalKeys& keys, double dt, ModalOffset& offset, ModalState& state) {
  const ModalKey& key = keys.last[0];
  const ModalKeys::Motion motion = keys.motion(dt);
  state.place = key.place;
  state.turn = key.turn;
  state.velocity = motion.velocity;
  state.spin = motion.spin;
  state.amplitudes = key.amplitudes;
  state.rates = motion.rates;
  state.asleep.assign(key.amplitudes.size(), 0);
  state.still.assign(key.amplitudes.size(), 0);
  state.grips.clear();
  state.bound = std::numeric_limits<double>::infinity();
  state.time += dt;
  offset.time += dt;
  if (!(offset.time < offset.length)) {
    offset.length = 0;
    return;
  }
  // o(s) and its derivative by time, as weights of o and o'.
  const double length = offset.length, s = offset.time / length, r = 1 - s;
  const double p = r * r * (1 + 2 * s), v = r * r * s * length;
  const double dp = -6 * s * r / length, dv = r * (1 - 3 * s);
  state.place += p * offset.place + v * offset.velocity;
  state.velocity += dp * offset.place + dv * offset.velocity;
  state.turn = (turned_by(p * offset.turn + v * offset.spin) * key.turn).normalized();
  state.spin += dp * offset.turn + dv * offset.spin;
  for (std::size_t m = 0; m < offset.amplitudes.size(); ++m) {
    state.amplitudes[m] += p * offset.amplitudes[m] + v * offset.rates[m];
    state.rates[m] += dp * offset.amplitudes[m] + dv * offset.rates[m];
  }
}

}  // namespace sinew::kernels
