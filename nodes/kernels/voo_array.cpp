#include "nodes/kernels/voo_array.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "nodes/kernels/voo_frame.h"

namespace sinew::kernels {

namespace {

using std::numbers::pi;

// The charts of a variation, asked once for each member.
class Varied {
 public:
  explicit Varied(const VooVariation& variation) : v_(variation) {}

  double length(double place) const { return at(v_.length, place, 1); }
  void apply(double place, Voo& voo) const {
    const double width = at(v_.width, place, 1);
    voo.field.radii[0] *= width;
    voo.field.radii[1] *= width;
    voo.coefficients.elongation *= at(v_.elongation, place, 1);
    voo.coefficients.flexibility *= at(v_.flexibility, place, 1);
    voo.blend *= at(v_.blend, place, 1);
    voo.rest.twist += at(v_.twist, place, 0);
  }

 private:
  static double at(const std::optional<Chart>& chart, double place, double otherwise) {
    return chart ? chart->evaluate(place) : otherwise;
  }
  const VooVariation& v_;
};

// Adds members one by one, each checked.
class Builder {
 public:
  Builder(const Voo& pattern, const VooVariation& variation, double count)
      : pattern_(pattern), varied_(variation) {
    if (const auto wrong = validate(pattern)) throw std::invalid_argument(*wrong);
    if (!(count >= 1 && count <= static_cast<double>(most_array_members))) {
      throw std::invalid_argument(
          fmt::format("an array has from 1 to {} members, not {}", most_array_members, count));
    }
    made_.members.reserve(static_cast<std::size_t>(count));
  }

  // A member at `head` in the direction of `vector`, before its length varies.
  void add(double place, const Vec3d& head, const Vec3d& vector) {
    Voo voo = placed_voo(pattern_, head, vector * varied_.length(place));
    varied_.apply(place, voo);
    voo.name = fmt::format("{} {}", pattern_.name, made_.members.size() + 1);
    if (const auto wrong = validate(voo)) {
      throw std::invalid_argument(
          fmt::format("member {} of the array: {}", made_.members.size() + 1, *wrong));
    }
    made_.members.push_back(std::move(voo));
    made_.place.push_back(place);
  }
  VooArray take() { return std::move(made_); }

 private:
  const Voo& pattern_;
  Varied varied_;
  VooArray made_;
};

double place_of(int i, int count) { return count > 1 ? static_cast<double>(i) / (count - 1) : 0; }

void finite(std::initializer_list<double> values) {
  if (!std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); })) {
    throw std::invalid_argument("a measure of the array is not finite");
  }
}

}  // namespace

Voo placed_voo(const Voo& pattern, const Vec3d& head, const Vec3d& vector) {
  Voo voo = pattern;
  voo.rest.head = head;
  voo.rest.tip = head + vector;
  const double scale = vector.stableNorm() / pattern.rest.vector().stableNorm();
  for (double& r : voo.field.radii) r *= scale;
  return voo;
}

VooArray directional_array(const Voo& pattern, const DirectionalArray& options,
                           const VooVariation& variation) {
  const std::array<int, 3>& n = options.counts;
  double count = 1;
  for (const int k : n) count *= std::max(k, 0);
  Builder builder(pattern, variation, count);
  const Vec3d vector = pattern.rest.vector();
  Vec3d start = pattern.rest.head;
  for (std::size_t d = 0; d < 3 && options.centred; ++d) {
    start -= options.steps[d] * ((n[d] - 1) / 2.0);
  }
  const std::size_t along = n[0] > 1 ? 0 : n[1] > 1 ? 1 : 2;
  for (int k = 0; k < n[2]; ++k) {
    for (int j = 0; j < n[1]; ++j) {
      for (int i = 0; i < n[0]; ++i) {
        const std::array<int, 3> at = {i, j, k};
        builder.add(place_of(at[along], n[along]),
                    start + i * options.steps[0] + j * options.steps[1] + k * options.steps[2],
                    vector);
      }
    }
  }
  return builder.take();
}

VooArray radial_array(const Voo& pattern, const RadialArray& options,
                      const VooVariation& variation) {
  finite({options.spread, options.start});
  if (!(options.spread > 0 && options.spread <= pi + 1e-9)) {
    throw std::invalid_argument(fmt::format(
        "the spread must be above 0 and at most half a turn, but is {} radians", options.spread));
  }
  Builder builder(pattern, variation, options.count);
  const Eigen::Matrix3d frame = rest_frame(pattern.rest);
  const double length = pattern.rest.vector().stableNorm();
  const double depth = 1 - std::cos(options.spread), golden = pi * (3 - std::sqrt(5.0));
  for (int i = 0; i < options.count; ++i) {
    const double along = 1 - depth * (i + 0.5) / options.count;
    const double across = std::sqrt(std::max(0.0, 1 - along * along));
    const Vec3d direction =
        frame * Vec3d(along, across * std::cos(i * golden), across * std::sin(i * golden));
    builder.add(place_of(i, options.count), pattern.rest.head + options.start * direction,
                length * direction);
  }
  return builder.take();
}

VooArray vortex_array(const Voo& pattern, const VortexArray& options,
                      const VooVariation& variation) {
  finite({options.radii[0], options.radii[1], options.height, options.turns, options.inward});
  Builder builder(pattern, variation, options.count);
  const Eigen::Matrix3d frame = rest_frame(pattern.rest);
  const double length = pattern.rest.vector().stableNorm();
  const double full = 2 * pi * options.turns, growth = options.radii[1] - options.radii[0];
  const double turn_in = std::clamp(options.inward, 0.0, 1.0) * pi / 2;
  for (int i = 0; i < options.count; ++i) {
    const double place = place_of(i, options.count), angle = full * place;
    const double radius = options.radii[0] + growth * place;
    const Vec3d out(0, std::cos(angle), std::sin(angle)), round(0, -out.z(), out.y());
    const Vec3d axis(1, 0, 0);
    // The derivative of the spiral by its place; a spiral that goes nowhere goes up.
    Vec3d tangent = options.height * axis + growth * out + radius * full * round;
    tangent = tangent.norm() > 0 ? tangent.normalized() : axis;
    const Vec3d direction = std::cos(turn_in) * tangent - std::sin(turn_in) * out;
    builder.add(place, pattern.rest.head + frame * (radius * out + options.height * place * axis),
                length * (frame * (direction.norm() > 0 ? direction.normalized() : tangent)));
  }
  return builder.take();
}

VooMember placed_member(const VooMember& pattern, Voo placed) {
  VooMember member = pattern;
  const Vec3d from = pattern.voo.rest.vector(), to = placed.rest.vector();
  const Eigen::Matrix3d frame = rest_frame(pattern.voo.rest);
  member.turn = to.norm() / from.norm() *
                smallest_rotation(from.normalized(), to.normalized(), frame.col(2)) * pattern.turn;
  member.voo = std::move(placed);
  member.constraint = {};
  member.guides.clear();
  return member;
}

VooMember turned_member(const VooMember& pattern, const Vec3d& about, const Eigen::Matrix3d& turn) {
  VooMember member = pattern;
  VooPose& rest = member.voo.rest;
  const Vec3d v = turn * rest_frame(pattern.voo.rest).col(1);
  rest.head = about + turn * (rest.head - about);
  rest.tip = about + turn * (rest.tip - about);
  // The directions across the pin go along: the twist at rest makes up for what is built in.
  rest.twist = 0;
  const Eigen::Matrix3d frame = rest_frame(rest);
  rest.twist = std::atan2(v.dot(frame.col(2)), v.dot(frame.col(1)));
  member.turn = turn * pattern.turn;
  member.constraint = {};
  member.guides.clear();
  return member;
}

std::vector<VooMember> ring_members(const VooMember& pattern, const RingArray& options) {
  finite({options.sweep, options.axis.stableNorm(), options.about.stableNorm()});
  const double length = options.axis.stableNorm();
  if (!(length > 0)) throw std::invalid_argument("the axis of the ring has no length");
  if (options.count < 1 || static_cast<std::size_t>(options.count) > most_array_members) {
    throw std::invalid_argument(fmt::format("a ring of {} operators", options.count));
  }
  const bool closed = std::abs(std::abs(options.sweep) - 2 * pi) < 1e-9;
  const double step = options.count > 1 ? options.sweep / (options.count - (closed ? 0 : 1)) : 0;
  std::vector<VooMember> members;
  for (int i = 0; i < options.count; ++i) {
    const Eigen::AngleAxisd turn(i * step, options.axis / length);
    members.push_back(turned_member(pattern, options.about, turn.toRotationMatrix()));
    members.back().voo.name = fmt::format("{} {}", pattern.voo.name, i + 1);
  }
  return members;
}

std::vector<VooMember> mirrored_members(const VooMember& pattern, const Vec3d& about,
                                        const Vec3d& normal) {
  const double length = normal.stableNorm();
  if (!(length > 0)) throw std::invalid_argument("the plane of the mirror has no direction");
  const Vec3d n = normal / length;
  const Eigen::Matrix3d mirror = Eigen::Matrix3d::Identity() - 2 * n * n.transpose();
  std::vector<VooMember> members = {pattern, turned_member(pattern, about, mirror)};
  for (std::size_t i = 0; i < 2; ++i) {
    members[i].voo.name = fmt::format("{} {}", pattern.voo.name, i + 1);
  }
  return members;
}

}  // namespace sinew::kernels
