#include "nodes/kernels/root_integral.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "nodes/kernels/chart_ops.h"
#include "nodes/kernels/gauss.h"

namespace sinew::kernels {

namespace {

// 2^-40 in w is 1e-24 in h.
constexpr int most_levels = 40;

// A chart on the time axis: its polynomials, and what it is outside of them.
struct Track {
  std::vector<ChartPieces::Cubic> cubics;
  double first_y = 0, last_y = 0;

  const ChartPieces::Cubic* at(double t) const {
    const auto after =
        std::upper_bound(cubics.begin(), cubics.end(), t,
                         [](double x, const ChartPieces::Cubic& cubic) { return x < cubic.x0; });
    if (after == cubics.begin()) return nullptr;
    const ChartPieces::Cubic& cubic = *(after - 1);
    return t < cubic.x0 + cubic.width ? &cubic : nullptr;
  }
};

Track track_of(const RootFactor& factor) {
  Chart chart = factor.chart;
  chart.extension = Extension::clamped;
  chart.back.clear();
  chart.marks.clear();
  // Drawn slopes may lead below 0.
  ChartBounds bounds = chart.bounds.value_or(ChartBounds{0, 1e300});
  chart.bounds = ChartBounds{std::max(bounds.low, 0.0), std::max(bounds.high, 1e-300)};
  const double range = chart.last_x() - chart.first_x();
  if (range > 0 && factor.last > factor.first) {
    const double scale = (factor.last - factor.first) / range;
    chart = scale_x(chart, scale, factor.first - scale * chart.first_x());
  } else {
    chart = Chart::constant(chart.points.empty() ? 0 : chart.points.back().y);
  }
  Track track;
  const ChartPieces pieces(chart);
  track.cubics = pieces.cubics();
  track.first_y = pieces.evaluate(chart.first_x());
  track.last_y = pieces.evaluate(chart.last_x());
  return track;
}

// Moments between which all tracks are single polynomials.
std::vector<double> moments_of(std::span<const Track> tracks, double until) {
  std::vector<double> moments = {0, until};
  for (const Track& track : tracks) {
    for (const ChartPieces::Cubic& cubic : track.cubics) {
      moments.push_back(cubic.x0);
      moments.push_back(cubic.x0 + cubic.width);
    }
  }
  std::sort(moments.begin(), moments.end());
  const double least = 1e-14 * until;
  std::vector<double> kept;
  for (const double t : moments) {
    if (t < 0 || t > until) continue;
    if (kept.empty() || t - kept.back() > least) kept.push_back(t);
  }
  // Rounding must not cut off the end.
  if (kept.size() > 1) kept.back() = until;
  return kept;
}

}  // namespace

RootIntegral::RootIntegral(std::span<const RootFactor> factors, double until) {
  if (factors.size() > inverse_.size()) throw std::invalid_argument("at most two factors");
  count_ = factors.size();
  until_ = std::max(until, 0.0);
  std::vector<Track> tracks;
  for (std::size_t k = 0; k < count_; ++k) {
    inverse_[k] = factors[k].inverse;
    tracks.push_back(track_of(factors[k]));
  }
  const std::vector<double> moments = moments_of(tracks, until_);
  for (std::size_t i = 0; i + 1 < moments.size(); ++i) {
    const double from = moments[i], to = moments[i + 1], middle = 0.5 * (from + to);
    for (const bool backwards : {false, true}) {
      Half half{backwards ? to : from, 0.5 * (to - from), backwards, {}};
      for (std::size_t k = 0; k < count_; ++k) {
        const Track& track = tracks[k];
        const ChartPieces::Cubic* const cubic = track.at(middle);
        if (!cubic) {
          const bool early = !track.cubics.empty() && middle < track.cubics.front().x0;
          half.under[k] = {early ? track.first_y : track.last_y, 0, 0, 0};
          continue;
        }
        const double step = (backwards ? -half.length : half.length) / cubic->width;
        double u = (half.origin - cubic->x0) / cubic->width;
        // At the ends of a cubic its values are known without rounding.
        if (std::abs(u) < 1e-9) u = 0;
        if (std::abs(u - 1) < 1e-9) u = 1;
        Polynomial& p = half.under[k];
        p.c0 = u == 1 ? cubic->y1 : cubic->y0 + u * (cubic->a1 + u * (cubic->a2 + u * cubic->a3));
        p.c1 = (cubic->a1 + u * (2 * cubic->a2 + u * 3 * cubic->a3)) * step;
        p.c2 = (cubic->a2 + 3 * cubic->a3 * u) * step * step;
        p.c3 = cubic->a3 * step * step * step;
      }
      add_half(half);
    }
  }
}

// How often panels must halve towards the outer end: as far as the value there is small against
// what the polynomial changes by.
int RootIntegral::levels_of(const Half& half) const {
  int levels = 0;
  for (std::size_t k = 0; k < count_; ++k) {
    const Polynomial& p = half.under[k];
    const double change = std::abs(p.c1) + std::abs(p.c2) + std::abs(p.c3);
    if (change == 0) continue;
    int wanted = most_levels;
    if (p.c0 > 0) {
      const double ratio = 0.5 * std::log2(change / p.c0);
      wanted = static_cast<int>(std::clamp(std::ceil(ratio) + 1, 0.0, double{most_levels}));
    }
    levels = std::max(levels, wanted);
  }
  return levels;
}

void RootIntegral::add_half(Half half) {
  std::vector<double> edges = {0};
  for (int k = levels_of(half); k >= 0; --k) edges.push_back(std::ldexp(1.0, -k));
  if (half.backwards) std::reverse(edges.begin(), edges.end());
  half.first_panel = panels_.size();
  for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
    const Panel panel{edges[i], edges[i + 1], total_};
    total_ += part(half, panel, panel.w1);
    panels_.push_back(panel);
  }
  half.last_panel = panels_.size() - 1;
  halves_.push_back(half);
}

// With respect to w, per length of the half.
double RootIntegral::integrand(const Half& half, double w) const {
  double product = 1, below = 1;
  for (std::size_t k = 0; k < count_; ++k) {
    const double y = half.under[k].at(w * w);
    if (!(y > 0)) return 0;
    (inverse_[k] ? below : product) *= y;
  }
  return 2 * w * std::sqrt(product / below);
}

// From the panel's start to w, in the order of time.
double RootIntegral::part(const Half& half, const Panel& panel, double w) const {
  const double area = gauss16([&](double x) { return integrand(half, x); }, panel.w0, w);
  return half.length * std::abs(area);
}

double RootIntegral::operator()(double t) const {
  if (!(t > 0)) return 0;
  if (count_ == 0) return std::min(t, until_);
  if (t >= until_) return total_;
  const auto later = std::upper_bound(halves_.begin(), halves_.end(), t,
                                      [](double x, const Half& h) { return x < h.start(); });
  if (later == halves_.begin()) return 0;
  const Half& half = *(later - 1);
  const double h = half.backwards ? half.origin - t : t - half.origin;
  const double w = std::sqrt(std::clamp(h / half.length, 0.0, 1.0));
  const auto first = panels_.begin() + static_cast<std::ptrdiff_t>(half.first_panel);
  const auto last = panels_.begin() + static_cast<std::ptrdiff_t>(half.last_panel);
  const auto found = std::partition_point(
      first, last, [&](const Panel& p) { return half.backwards ? p.w1 > w : p.w1 < w; });
  return found->before + part(half, *found, w);
}

}  // namespace sinew::kernels
