#include "nodes/kernels/sweep.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace sinew::kernels {

namespace {

Vec3d reflect(const Vec3d& v, const Vec3d& normal) {
  const double square = normal.squaredNorm();
  if (square <= 1e-60) return v;
  return v - (2 * normal.dot(v) / square) * normal;
}

// The unit vector across t that is nearest to v, or any if v is along t.
Vec3d across(const Vec3d& v, const Vec3d& t) {
  const Vec3d rest = v - v.dot(t) * t;
  if (rest.norm() > 1e-6 * v.norm()) return rest.normalized();
  int axis = 0;
  t.cwiseAbs().minCoeff(&axis);
  return t.cross(Vec3d::Unit(axis)).normalized();
}

CurveFrame frame(const Vec3d& origin, const Vec3d& direction, const Vec3d& x) {
  return {origin, x, direction, x.cross(direction)};
}

}  // namespace

Curve::Curve(std::vector<Vec3d> points, const Vec3d& up) : points_(std::move(points)) {
  const std::size_t n = points_.size();
  if (n < 2) throw std::invalid_argument("a curve needs at least two points");
  lengths_.assign(1, 0.0);
  for (std::size_t i = 1; i < n; ++i) {
    const double step = (points_[i] - points_[i - 1]).norm();
    if (!(step > 0)) throw std::invalid_argument("neighbouring points of a curve must differ");
    lengths_.push_back(lengths_.back() + step);
  }
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3d way = points_[std::min(i + 1, n - 1)] - points_[i == 0 ? 0 : i - 1];
    const double length = way.norm();
    const Vec3d t = length > 0 ? Vec3d(way / length) : frames_.back().y;
    if (i == 0) {
      frames_.push_back(frame(points_[0], t, across(up, t)));
      continue;
    }
    const CurveFrame& last = frames_.back();
    const Vec3d step = points_[i] - points_[i - 1];
    const Vec3d halfway = reflect(last.y, step);
    const Vec3d x = reflect(reflect(last.x, step), t - halfway);
    frames_.push_back(frame(points_[i], t, across(x, t)));
  }
}

CurveFrame Curve::at(double length) const {
  const CurveFrame& first = frames_.front();
  const CurveFrame& last = frames_.back();
  if (!(length > 0)) return frame(first.origin + length * first.y, first.y, first.x);
  if (length >= lengths_.back()) {
    return frame(last.origin + (length - lengths_.back()) * last.y, last.y, last.x);
  }
  const auto after = std::upper_bound(lengths_.begin(), lengths_.end(), length);
  const std::size_t i = static_cast<std::size_t>(after - lengths_.begin());
  const double t = (length - lengths_[i - 1]) / (lengths_[i] - lengths_[i - 1]);
  const CurveFrame &a = frames_[i - 1], &b = frames_[i];
  const Vec3d y = ((1 - t) * a.y + t * b.y).normalized();
  return frame((1 - t) * a.origin + t * b.origin, y, across((1 - t) * a.x + t * b.x, y));
}

Vec3d bent(const Curve& curve, const Vec3d& point) {
  const CurveFrame f = curve.at(point.y());
  return f.origin + point.x() * f.x + point.z() * f.z;
}

std::vector<Vec3f> bend(const Curve& curve, std::span<const Vec3f> points) {
  std::vector<Vec3f> out;
  out.reserve(points.size());
  for (const Vec3f& p : points) out.push_back(bent(curve, p.cast<double>()).cast<float>());
  return out;
}

}  // namespace sinew::kernels
