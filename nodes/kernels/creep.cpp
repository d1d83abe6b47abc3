#include "nodes/kernels/creep.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "nodes/kernels/chart_ops.h"
#include "nodes/kernels/gauss.h"

namespace sinew::kernels {

namespace {

using Matrix = Eigen::Matrix3d;

constexpr int coarsest_cuts = 16;  // panels of the whole duration, before any is halved
constexpr int most_halvings = 24;

// The chart over seconds since the beginning.
Chart stretched(const Chart& creep, double duration) {
  Chart chart = creep;
  chart.extension = Extension::clamped;
  chart.back.clear();
  chart.marks.clear();
  const double range = chart.last_x() - chart.first_x();
  if (!(range > 0)) return Chart::constant(chart.points.empty() ? 0 : chart.points.back().y);
  const double scale = duration / range;
  return scale_x(chart, scale, -scale * chart.first_x());
}

std::vector<double> cuts_of(const Chart& creep, double begin, double end,
                            std::span<const double> breaks) {
  std::vector<double> cuts = {begin, end};
  for (const ChartPoint& p : creep.points) cuts.push_back(begin + p.x);
  for (int k = 1; k < coarsest_cuts; ++k) {
    cuts.push_back(begin + (end - begin) * k / coarsest_cuts);
  }
  cuts.insert(cuts.end(), breaks.begin(), breaks.end());
  std::erase_if(cuts, [&](double t) { return !(t >= begin && t <= end); });
  std::sort(cuts.begin(), cuts.end());
  cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
  return cuts;
}

}  // namespace

CreepIntegral::CreepIntegral(const Chart& creep, double duration, double begin, DeformationAt f,
                             std::span<const double> breaks, double tolerance)
    : f_(std::move(f)),
      begin_(begin),
      end_(begin + duration),
      tolerance_(tolerance),
      creep_(stretched(creep, duration)) {
  if (!(duration > 0) || !std::isfinite(begin_) || !std::isfinite(end_)) {
    throw std::invalid_argument("a creep needs a beginning and a duration above 0 s");
  }
  start_ = f_(begin_);
  const Chart chart = stretched(creep, duration);
  if (chart.points.size() < 2) return;  // constant: its slope is 0 everywhere
  stepped_ = chart.interpolation == Interpolation::stepped;
  const std::vector<double> cuts = cuts_of(chart, begin_, end_, breaks);
  for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
    if (!stepped_) {
      add_interval(cuts[i], cuts[i + 1]);
      continue;
    }
    // A step has no slope, but its jump counts, at the end of the interval.
    panels_.push_back({cuts[i], cuts[i + 1], sum_});
    const bool last = i + 2 == cuts.size();
    const double next = last ? chart.points.back().y : value_between(cuts[i + 1], cuts[i + 2]);
    sum_ += (next - value_between(cuts[i], cuts[i + 1])) * change(cuts[i + 1]);
  }
}

// Of a stepped chart: asked for in the middle, where no rounding can take one step for another.
double CreepIntegral::value_between(double from, double to) const {
  return creep_.evaluate(0.5 * (from + to) - begin_);
}

Eigen::Matrix3d CreepIntegral::whole(double from, double to) const {
  return gauss8([this](double t) -> Matrix { return creep_.tangent(t - begin_) * change(t); }, from,
                to);
}

template <class Visit>
void CreepIntegral::refine(double from, double to, const Matrix& coarse, int depth,
                           const Visit& visit) const {
  const double middle = 0.5 * (from + to);
  if (depth >= most_halvings || !(middle > from && middle < to)) return visit(from, to, coarse);
  const Matrix left = whole(from, middle), right = whole(middle, to);
  const Matrix both = left + right;
  const double scale = std::max(1.0, both.cwiseAbs().maxCoeff());
  // What is not a number is no better when it is halved.
  if (!((both - coarse).cwiseAbs().maxCoeff() > tolerance_ * scale)) {
    return visit(from, to, both);
  }
  refine(from, middle, left, depth + 1, visit);
  refine(middle, to, right, depth + 1, visit);
}

void CreepIntegral::add_interval(double from, double to) {
  refine(from, to, whole(from, to), 0, [this](double a, double b, const Matrix& integral) {
    panels_.push_back({a, b, sum_});
    sum_ += integral;
  });
}

Eigen::Matrix3d CreepIntegral::at(double t) const {
  if (!(t > begin_)) return Matrix::Zero();
  Matrix integral = sum_;
  double value = creep_.evaluate(t - begin_);
  if (t < end_ && !panels_.empty()) {
    const auto after = std::upper_bound(panels_.begin(), panels_.end(), t,
                                        [](double x, const Panel& p) { return x < p.from; });
    const Panel& panel = *(after - 1);
    integral = panel.before;
    if (stepped_) {
      value = value_between(panel.from, panel.to);
    } else if (t > panel.from) {
      refine(panel.from, t, whole(panel.from, t), 0,
             [&](double, double, const Matrix& part) { integral += part; });
    }
  }
  return value * change(t) - integral;
}

CreepFactors creep_factors(const Material& material, const Matrix& f, const Matrix& g,
                           const Matrix& start) {
  CreepFactors factors;
  factors.plastic = f - Matrix::Identity();
  factors.viscous = material.viscosity * (material.creep_coefficient * g - (f - start));
  return factors;
}

}  // namespace sinew::kernels
