#include "nodes/kernels/restoration.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>
#include <vector>

namespace sinew::kernels {

namespace {

// Stiffer is as stiff as this: far from where a mass that it swings would be beyond the numbers.
constexpr double stiffest = 1e200;

// So far a pin swings back towards its head freely, and so far at most, as parts of its length.
constexpr double free_swing = 0.85, most_swing = 0.9;

// The relaxation of a material that has none need not be integrated.
bool is_one(const Chart& chart) {
  return std::all_of(chart.points.begin(), chart.points.end(),
                     [](const ChartPoint& p) { return p.y == 1; }) &&
         (chart.tangents.empty() || chart.points.size() < 2);
}

// A chart over time at a time, stretched over its duration.
double over_duration(const Chart& chart, double duration, double t) {
  const double range = chart.last_x() - chart.first_x();
  return chart.evaluate(chart.first_x() + range * std::clamp(t / duration, 0.0, 1.0));
}

// What the stress chart says about one strain.
struct Stiffness {
  double s = 0;
  double permanent = 0;
};

// d(stress)/d(strain) on the side of smaller strain, since that is where it goes.
double slope_below(const ChartPieces& stress, double e) {
  return stress.tangent(std::nextafter(e, -std::numeric_limits<double>::infinity()));
}

// The slope at the upper end of the unloading branch, scaled to (permanent, 0) and (e, sigma).
double unloading_slope(const Chart& loop, double sigma, double span) {
  const Chart back = loop.way_back();
  const double width = back.last_x() - back.first_x();
  const double height = back.points.back().y - back.points.front().y;
  if (!(height > 0) || !(span > 0)) return 0;
  return slope_below(ChartPieces(back), back.last_x()) * (width / span) * (sigma / height);
}

Stiffness stiffness_at(const Material& material, double e) {
  const ChartPieces stress(material.stress);
  const double limit = material.elastic_limit(), sigma = stress.evaluate(e);
  Stiffness result;
  if (e <= limit) {
    result.s = slope_below(stress, e);
  } else {
    // Without an elastic region, the slope with which the chart begins.
    result.s = limit > 0 ? stress.evaluate(limit) / limit : stress.tangent(0);
    result.permanent = result.s > 0 ? std::clamp(e - sigma / result.s, 0.0, e) : e;
  }
  if (material.stress.has_loop()) {
    result.s = unloading_slope(material.stress, sigma, e - result.permanent);
  }
  result.s = std::clamp(result.s * material.stiffness, 0.0, stiffest);
  return result;
}

RootIntegral clock_of(const Material& material, double held) {
  std::vector<RootFactor> factors;
  if (material.damped != DampedEnergy::total) {
    factors.push_back(
        {material.damping, 0, material.restoration, material.damped == DampedEnergy::elastic});
  }
  if (!is_one(material.relaxation)) {
    factors.push_back({material.relaxation, -held, material.relaxation_duration - held, false});
  }
  return RootIntegral(factors, material.restoration);
}

void check_quarters(int n) {
  if (n > 0 && n % 2 == 1) return;
  throw std::invalid_argument(
      fmt::format("a complete restoration takes an odd number of quarters, not {}", n));
}

}  // namespace

Restoration::Restoration(const Material& material, double strain, double held)
    : duration_(material.restoration),
      damped_(material.damped),
      damping_(material.damping),
      damping_first_(material.damping.first_x()),
      damping_range_(material.damping.last_x() - material.damping.first_x()),
      clock_(clock_of(material, std::max(held, 0.0))) {
  if (!std::isfinite(strain) || !std::isfinite(held)) {
    throw std::invalid_argument(
        fmt::format("a strain of {} held for {} s is not a number", strain, held));
  }
  sign_ = strain < 0 ? -1 : 1;
  released_ = permanent_ = std::abs(strain);
  if (released_ >= material.fracture_limit()) {
    kind_ = RestorationKind::broken;
    return;
  }
  const Stiffness found = stiffness_at(material, released_);
  if (!(found.s > 0)) {
    kind_ = RestorationKind::stays;
    return;
  }
  const double left =
      over_duration(material.relaxation, material.relaxation_duration, std::max(held, 0.0));
  const double lost = std::clamp(1 - left, 0.0, 1.0);
  permanent_ = found.permanent + (released_ - found.permanent) * lost;
  stiffness_ = found.s;
  angular_speed_ = std::sqrt(found.s / material.mass);
  kind_ = permanent_ > 0 ? RestorationKind::plastic : RestorationKind::elastic;
}

double Restoration::period() const {
  if (!(angular_speed_ > 0)) return std::numeric_limits<double>::infinity();
  return 2 * std::numbers::pi / angular_speed_;
}

double Restoration::phase(double tau) const { return angular_speed_ * clock_(tau); }

// A cos(phi): 1 at the release, and where the width of the swing is damped, 0 at the end.
double Restoration::swing(double tau) const {
  if (tau >= duration_ && damped_ != DampedEnergy::kinetic) return 0;
  const double turn = std::cos(phase(std::min(tau, duration_)));
  if (damped_ == DampedEnergy::kinetic) return turn;
  const double zeta = damping_.evaluate(damping_first_ + damping_range_ * tau / duration_);
  return std::sqrt(std::clamp(zeta, 0.0, 1.0)) * turn;
}

double Restoration::strain(double tau) const {
  if (!(tau > 0) || kind_ == RestorationKind::broken || kind_ == RestorationKind::stays) {
    return released();
  }
  return sign_ * (permanent_ + (released_ - permanent_) * swing(tau));
}

double Restoration::share(double tau) const { return released_ > 0 ? strain(tau) / released() : 1; }

double eased_strain(double strain) {
  const double beyond = -strain - free_swing;
  if (!(beyond > 0)) return strain;
  constexpr double room = most_swing - free_swing;
  return -(free_swing + room * (beyond / (beyond + room)));
}

std::optional<double> complete_mass(const Material& material, double strain, int n, double held) {
  check_quarters(n);
  const Restoration now(material, strain, held);
  const double phase = now.phase(material.restoration);
  if (!(phase > 0) || !std::isfinite(phase)) return std::nullopt;
  // phi goes with one over the root of the mass.
  const double ratio = phase / (n * std::numbers::pi / 2);
  const double mass = material.mass * ratio * ratio;
  if (!(mass >= least_mass && mass <= greatest_mass)) return std::nullopt;
  return mass;
}

std::optional<double> complete_duration(const Material& material, double strain, int n,
                                        double held) {
  check_quarters(n);
  const double wanted = n * std::numbers::pi / 2;
  const Restoration now(material, strain, held);
  const double phase = now.phase(material.restoration);
  if (!(phase > 0) || !std::isfinite(phase)) return std::nullopt;
  Material other = material;
  const auto phase_after = [&](double duration) {
    other.restoration = duration;
    return Restoration(other, strain, held).phase(duration);
  };
  // Without relaxation the phase is proportional to the duration; with it, it grows ever less.
  double high =
      std::clamp(material.restoration * wanted / phase, shortest_duration, longest_duration);
  if (is_one(material.relaxation)) {
    if (std::abs(phase_after(high) - wanted) > 1e-9 * wanted) return std::nullopt;
    return high;
  }
  double low = 0;
  while (phase_after(high) < wanted) {
    if (high >= longest_duration) return std::nullopt;
    low = high;
    high = std::min(2 * high, longest_duration);
  }
  for (int i = 0; i < 200 && high - low > 1e-15 * high; ++i) {
    const double middle = 0.5 * (low + high);
    (phase_after(middle) < wanted ? low : high) = middle;
  }
  if (high < shortest_duration) return std::nullopt;
  return high;
}

}  // namespace sinew::kernels
