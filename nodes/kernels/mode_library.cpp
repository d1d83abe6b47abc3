#include "nodes/kernels/mode_library.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace sinew::kernels {

namespace {

// The coefficients of a polynomial in one basis: s itself is where the points rest. That of s^2 is
// the mean of all products of two of the knots of which s is the mean (its polar form).
double square_coefficient(LatticeBasis basis, uint32_t count, uint32_t i) {
  const int degree = lattice_degree(basis, count);
  if (degree < 2) return rest_parameter(basis, count, i);  // no such polynomial: the line
  const int spans = basis == LatticeBasis::bspline ? static_cast<int>(count) - degree : 1;
  double sum = 0, squares = 0;
  for (int k = 1; k <= degree; ++k) {
    const double knot =
        std::clamp(static_cast<int>(i) + k - degree, 0, spans) / static_cast<double>(spans);
    sum += knot;
    squares += knot * knot;
  }
  return (sum * sum - squares) / (degree * (degree - 1));
}

// What the points along an edge contribute.
struct Row {
  std::vector<double> p;     // s - 1/2
  std::vector<double> bend;  // 4 p^2 - 1/3

  Row(LatticeBasis basis, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
      const double s = rest_parameter(basis, count, i);
      p.push_back(s - 0.5);
      bend.push_back(count < 3 ? 0 : 4 * (square_coefficient(basis, count, i) - s) + 2.0 / 3);
    }
  }
};

struct Place {
  std::array<double, 3> p{}, bend{};
};

class Field {
 public:
  Field(const LatticeBox& box, ModeKind kind, int axis, int toward)
      : kind_(kind),
        a_(static_cast<std::size_t>(axis)),
        b_(static_cast<std::size_t>(other_axis(axis, toward))),
        c_(3 - a_ - b_),
        along_(box.edges[a_]),
        toward_(box.edges[b_]),
        third_(box.edges[c_]) {}

  Vec3d at(const Place& place) const {
    const double p = place.p[a_];
    const Vec3d across = place.p[b_] * toward_ + place.p[c_] * third_;
    switch (kind_) {
      case ModeKind::bend:
        return place.bend[a_] * toward_;
      case ModeKind::shear:
        return p * toward_;
      case ModeKind::squash:
        return 0.5 * across - p * along_;
      case ModeKind::stretch:
        return p * along_;
      case ModeKind::twist:
        return p * std::numbers::pi / 2 * along_.normalized().cross(across);
      case ModeKind::taper:
        return p * across;
      case ModeKind::drawn:
        break;
    }
    return Vec3d::Zero();
  }

 private:
  ModeKind kind_;
  std::size_t a_, b_, c_;
  Vec3d along_, toward_, third_;
};

}  // namespace

std::vector<Vec3f> mode_delta(const LatticeRest& rest, ModeKind kind, int axis, int toward,
                              double size) {
  const Row rows[] = {
      {rest.basis, rest.counts[0]}, {rest.basis, rest.counts[1]}, {rest.basis, rest.counts[2]}};
  const Field field(rest.box, kind, axis, toward);
  std::vector<Vec3f> delta;
  delta.reserve(rest.points.size());
  for (std::size_t k = 0; k < rest.counts[2]; ++k) {
    for (std::size_t j = 0; j < rest.counts[1]; ++j) {
      for (std::size_t i = 0; i < rest.counts[0]; ++i) {
        const Place place{{rows[0].p[i], rows[1].p[j], rows[2].p[k]},
                          {rows[0].bend[i], rows[1].bend[j], rows[2].bend[k]}};
        delta.push_back((size * field.at(place)).cast<float>());
      }
    }
  }
  return delta;
}

std::string default_mode_name(ModeKind kind, int axis, int toward) {
  constexpr const char* kinds[] = {"bend", "shear", "squash", "stretch", "twist", "taper", "drawn"};
  constexpr const char* axes[] = {"x", "y", "z"};
  const char* const name = kinds[static_cast<int>(kind)];
  if (kind == ModeKind::drawn) return name;
  if (!has_toward(kind)) return fmt::format("{} {}", name, axes[axis]);
  return fmt::format("{} {} to {}", name, axes[axis], axes[other_axis(axis, toward)]);
}

}  // namespace sinew::kernels
