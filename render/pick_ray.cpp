#include "render/pick_ray.h"

#include <utility>

namespace sinew::render {
namespace {

using Eigen::Vector3d;
using Eigen::Vector3f;

// A product and what rounding took from it.
struct Product {
  Product(double a, double b) : value(a * b), rest(std::fma(a, b, -value)) {}
  double value, rest;
};

// The sign of a d - b c, exactly: rounding keeps the order of products or makes them equal.
int side(double a, double b, double c, double d) {
  const double p = a * d, q = b * c;
  if (p != q) return p > q ? 1 : -1;
  const double x = Product(a, d).rest, y = Product(b, c).rest;
  return x == y ? 0 : x > y ? 1 : -1;
}

// a d - b c, good to its last bits; exchanging the points changes its sign and nothing else.
double area(double a, double b, double c, double d) {
  const Product p(a, d), q(b, c);
  return (p.value - q.value) + (p.rest - q.rest);
}

}  // namespace

PickRay::PickRay(const Ray& ray, double from)
    : origin_(ray.origin.cast<double>()), direction_(ray.direction.cast<double>()), from_(from) {
  const double length = direction_.norm();
  usable_ = origin_.allFinite() && std::isfinite(length) && length > 0;
  if (!usable_) return;
  direction_ /= length;  // the floats' is 1 only roughly
  inverse_ = direction_.cwiseInverse();
  direction_.cwiseAbs().maxCoeff(&z_axis_);
  x_axis_ = (z_axis_ + 1) % 3;
  y_axis_ = (z_axis_ + 2) % 3;
  if (direction_[z_axis_] < 0) std::swap(x_axis_, y_axis_);  // keeps the sense of triangles
  shear_x_ = direction_[x_axis_] / direction_[z_axis_];
  shear_y_ = direction_[y_axis_] / direction_[z_axis_];
  stretch_ = 1 / direction_[z_axis_];
}

std::optional<PickRay::Hit> PickRay::hit(const Vector3f& a, const Vector3f& b,
                                         const Vector3f& c) const {
  const Seen p = seen(a), q = seen(b), r = seen(c);
  const int u = side(q.x, q.y, r.x, r.y), v = side(r.x, r.y, p.x, p.y);
  if (u * v < 0) return std::nullopt;
  const int w = side(p.x, p.y, q.x, q.y);
  if (v * w < 0 || u * w < 0 || (u == 0 && v == 0 && w == 0)) return std::nullopt;

  Vector3d weights(area(q.x, q.y, r.x, r.y), area(r.x, r.y, p.x, p.y), area(p.x, p.y, q.x, q.y));
  const double all = weights.x() + weights.y() + weights.z();
  weights /= all;
  const double t = weights.x() * p.z + weights.y() * q.z + weights.z() * r.z;
  if (!(t >= from_) || !weights.allFinite()) return std::nullopt;
  // Three points of a line may have an area when they are seen, by rounding.
  const Vector3d corner = a.cast<double>();
  const Vector3d normal = (b.cast<double>() - corner).cross(c.cast<double>() - corner);
  if (normal.isZero(0)) return std::nullopt;
  return Hit{t, weights, all > 0};
}

}  // namespace sinew::render
