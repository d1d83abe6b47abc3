#include "nodes/kernels/rotation_spline.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "nodes/kernels/spline_weights.h"

namespace sinew::kernels {

namespace {

using Quaternion = Eigen::Quaterniond;

// Half of 1.25 turns.
constexpr double most_half_turn = 1.25 * std::numbers::pi;
// Below this square of an angle series are used; what they leave out is beyond double precision.
constexpr double small_square = 1e-4;

// A value with its rate of change in time.
struct DualScalar {
  double value, rate;
};
struct DualVector {
  Vec3d value, rate;
};
struct DualQuaternion {
  Quaternion value, rate;
};

Quaternion sum(const Quaternion& a, const Quaternion& b) {
  return Quaternion(Eigen::Vector4d(a.coeffs() + b.coeffs()));
}
DualQuaternion operator*(const DualQuaternion& a, const DualQuaternion& b) {
  return {a.value * b.value, sum(a.value * b.rate, a.rate * b.value)};
}
DualVector operator*(const DualScalar& s, const DualVector& v) {
  return {s.value * v.value, s.value * v.rate + s.rate * v.value};
}
DualQuaternion conjugate(const DualQuaternion& q) {
  return {q.value.conjugate(), q.rate.conjugate()};
}
Quaternion quaternion(double w, const Vec3d& v) { return {w, v.x(), v.y(), v.z()}; }

// The turn by 2 |x| about x.
DualQuaternion exp(const DualVector& x) {
  const double square = x.value.squaredNorm();
  const double slope = x.value.dot(x.rate);  // half of the square's rate
  double cosine, sinc, bend;                 // bend: sinc' = bend slope
  if (square < small_square) {
    cosine = 1 - square / 2 * (1 - square / 12 * (1 - square / 30));
    sinc = 1 - square / 6 * (1 - square / 20 * (1 - square / 42));
    bend = -1.0 / 3 * (1 - square / 10 * (1 - square / 28));
  } else {
    const double angle = std::sqrt(square);
    cosine = std::cos(angle);
    sinc = std::sin(angle) / angle;
    bend = (cosine - sinc) / square;
  }
  return {quaternion(cosine, sinc * x.value),
          quaternion(-sinc * slope, sinc * x.rate + bend * slope * x.value)};
}

// Half the rotation vector of a unit quaternion, of at most pi: not the shorter way, but the one
// that the quaternion means.
DualVector log(const DualQuaternion& q) {
  const Vec3d v = q.value.vec(), dv = q.rate.vec();
  const double w = q.value.w(), dw = q.rate.w();
  const double square = v.squaredNorm(), slope = v.dot(dv);
  if (square < small_square && w > 0) {  // asin(s) / s
    const double factor =
        1 + square * (1.0 / 6 + square * (3.0 / 40 + square * (5.0 / 112 + square * 35 / 1152)));
    const double bend = 1.0 / 3 + square * (3.0 / 10 + square * (15.0 / 56 + square * 35 / 144));
    return {factor * v, factor * dv + bend * slope * v};
  }
  if (!(square > 1e-200)) return {Vec3d(std::numbers::pi, 0, 0), Vec3d::Zero()};  // any axis
  const double sine = std::sqrt(square), dsine = slope / sine;
  const double angle = std::atan2(sine, w);
  const double dangle = (w * dsine - sine * dw) / (square + w * w);
  const double factor = angle / sine;
  return {factor * v, factor * dv + (dangle - factor * dsine) / sine * v};
}

Vec3d log(const Quaternion& q) {
  return log(DualQuaternion{q, quaternion(0, Vec3d::Zero())}).value;
}
Quaternion exp(const Vec3d& x) { return exp(DualVector{x, Vec3d::Zero()}).value; }

// p exp(t l), where p and l stand still.
DualQuaternion along(const Quaternion& p, const Vec3d& l, const DualScalar& t) {
  const DualQuaternion turn = exp(t * DualVector{l, Vec3d::Zero()});
  return {p * turn.value, p * turn.rate};
}

std::vector<RotationKnot> in_one_hemisphere(std::vector<RotationKnot> knots) {
  for (std::size_t j = 0; j < knots.size(); ++j) {
    Quaternion& q = knots[j].rotation;
    const double most = q.coeffs().cwiseAbs().maxCoeff();
    if (!q.coeffs().allFinite() || !(most > 0)) {
      throw std::invalid_argument(fmt::format("knot {} has no rotation", j));
    }
    if (knots[j].spin && !knots[j].spin->allFinite()) {
      throw std::invalid_argument(fmt::format("the spin of knot {} is not a number", j));
    }
    q.coeffs() /= most;  // lest the square of its length is beyond a double
    q.normalize();
    if (j > 0 && q.dot(knots[j - 1].rotation) < 0) q.coeffs() = -q.coeffs();
  }
  return knots;
}

}  // namespace

RotationSpline::RotationSpline(std::vector<RotationKnot> knots)
    : knots_(in_one_hemisphere(std::move(knots))) {
  std::vector<SplineKnot> times;
  for (const RotationKnot& k : knots_) times.push_back({k.time, k.breaks, k.spin.has_value()});
  const std::vector<KnotTangents> tangents = spline_tangents(times);
  if (knots_.size() < 2) return;
  const std::size_t last = knots_.size() - 1;
  segments_.resize(last);
  for (std::size_t j = 0; j < last; ++j) {
    segments_[j].p = knots_[j].rotation;
    segments_[j].to_q = log(knots_[j].rotation.conjugate() * knots_[j + 1].rotation);
  }
  std::vector<Quaternion> b(last);
  for (std::size_t j = 0; j <= last; ++j) {
    const Quaternion& r = knots_[j].rotation;
    // The arcs to the neighbours, in the frame of this knot: turning by an arc does not change it.
    const Vec3d to_next = j < last ? segments_[j].to_q : Vec3d::Zero();
    const Vec3d to_last = j > 0 ? Vec3d(-segments_[j - 1].to_q) : Vec3d::Zero();
    const double after = j < last ? knots_[j + 1].time - knots_[j].time : 0;
    const double before = j > 0 ? knots_[j].time - knots_[j - 1].time : 0;
    const auto tau = [&](const SplineTangent& t) -> Vec3d {
      Vec3d told = t.before * to_last + t.after * to_next;
      if (knots_[j].spin) told = r.conjugate() * *knots_[j].spin / 2;
      const double most = most_half_turn / std::max(before, after), size = told.norm();
      return size > most ? Vec3d(told * (most / size)) : told;
    };
    if (j < last) segments_[j].a = r * exp((after * tau(tangents[j].out) - to_next) / 2);
    if (j > 0) b[j - 1] = r * exp((-to_last - before * tau(tangents[j].in)) / 2);
  }
  for (std::size_t j = 0; j < last; ++j) segments_[j].to_b = log(segments_[j].a.conjugate() * b[j]);
}

Turning RotationSpline::at(double time) const {
  Turning turning;
  if (knots_.empty()) return turning;
  turning.rotation = knots_.front().rotation;
  if (segments_.empty() || !(time >= knots_.front().time)) return turning;
  turning.rotation = knots_.back().rotation;
  if (time > knots_.back().time) return turning;
  const auto next = std::upper_bound(knots_.begin(), knots_.end(), time,
                                     [](double t, const RotationKnot& k) { return t < k.time; });
  const std::size_t k =
      std::min(static_cast<std::size_t>(next - knots_.begin()), segments_.size()) - 1;
  const Segment& s = segments_[k];
  const double h = knots_[k + 1].time - knots_[k].time;
  const double t = (time - knots_[k].time) / h;
  const DualScalar part = {t, 1 / h}, mix = {2 * t * (1 - t), (2 - 4 * t) / h};
  const DualQuaternion u = along(s.p, s.to_q, part), v = along(s.a, s.to_b, part);
  const DualQuaternion r = u * exp(mix * log(conjugate(u) * v));
  if (time < knots_.back().time) turning.rotation = r.value;  // else the knot, to the bit
  turning.spin = 2 * (r.rate * r.value.conjugate()).vec();    // eq. 34
  return turning;
}

std::size_t RotationSpline::bytes() const {
  return sizeof *this + sizeof(RotationKnot) * knots_.size() + sizeof(Segment) * segments_.size();
}

}  // namespace sinew::kernels
