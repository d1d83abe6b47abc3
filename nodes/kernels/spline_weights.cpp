#include "nodes/kernels/spline_weights.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace sinew::kernels {

namespace {

void check(std::span<const SplineKnot> knots) {
  for (std::size_t j = 0; j < knots.size(); ++j) {
    if (!std::isfinite(knots[j].time)) {
      throw std::invalid_argument(fmt::format("the time of knot {} is not a number", j));
    }
    if (j > 0 && !(knots[j].time > knots[j - 1].time)) {
      throw std::invalid_argument(fmt::format("knot {} at {:g} s is not after the one at {:g} s", j,
                                              knots[j].time, knots[j - 1].time));
    }
  }
}

SplineTangent before_only(double gap) { return {-1 / gap, 1 / gap, 0}; }
SplineTangent after_only(double gap) { return {0, -1 / gap, 1 / gap}; }

SplineTangent through(double before, double after) {
  const double a = -after / (before * (before + after));
  const double c = before / (after * (before + after));
  return {a, -(a + c), c};
}

}  // namespace

std::vector<KnotTangents> spline_tangents(std::span<const SplineKnot> knots) {
  check(knots);
  std::vector<KnotTangents> tangents(knots.size());
  if (knots.size() < 2) return tangents;
  const std::size_t last = knots.size() - 1;
  for (std::size_t j = 0; j <= last; ++j) {
    if (knots[j].told) continue;
    const double before = j > 0 ? knots[j].time - knots[j - 1].time : 0;
    const double after = j < last ? knots[j + 1].time - knots[j].time : 0;
    KnotTangents& t = tangents[j];
    if (j > 0) t.in = before_only(before);
    if (j < last) t.out = after_only(after);
    if (j == 0) t.in = t.out;
    if (j == last) t.out = t.in;
    if (j > 0 && j < last && !knots[j].breaks) t.in = t.out = through(before, after);
  }
  return tangents;
}

SplineWeights spline_weights(std::span<const SplineKnot> knots, double time) {
  SplineWeights w;
  if (knots.size() < 2 || !(time >= knots.front().time)) return w;
  const std::size_t last = knots.size() - 1;
  if (time > knots[last].time) {
    w.knot = static_cast<uint32_t>(last - 1);
    w.p0 = 0, w.p1 = 1;
    return w;
  }
  const auto next = std::upper_bound(knots.begin(), knots.end(), time,
                                     [](double t, const SplineKnot& k) { return t < k.time; });
  const std::size_t k = std::min(static_cast<std::size_t>(next - knots.begin()), last) - 1;
  const double h = knots[k + 1].time - knots[k].time;
  const double u = (time - knots[k].time) / h, left = 1 - u;
  w.knot = static_cast<uint32_t>(k);
  w.p1 = u * u * (3 - 2 * u);
  w.p0 = left * left * (1 + 2 * u);
  w.m0 = h * u * left * left;
  w.m1 = -h * u * u * left;
  w.dp1 = 6 * u * left / h;
  w.dp0 = -w.dp1;
  w.dm0 = left * (1 - 3 * u);
  w.dm1 = u * (3 * u - 2);
  return w;
}

SplineBlend spline_blend(std::span<const SplineKnot> knots, std::span<const KnotTangents> tangents,
                         double time) {
  const SplineWeights w = spline_weights(knots, time);
  SplineBlend blend;
  const std::size_t last = knots.empty() ? 0 : knots.size() - 1;
  for (std::size_t i = 0; i < 4; ++i) {
    const std::size_t j = std::size_t{w.knot} + i;
    blend.knot[i] = static_cast<uint32_t>(std::min(j > 0 ? j - 1 : 0, last));
  }
  const auto mix = [&](double p0, double m0, double p1, double m1, std::array<double, 4>& of,
                       std::array<double, 2>& told) {
    of = {0, p0, p1, 0};
    if (knots.size() < 2) return;
    const SplineTangent &a = tangents[w.knot].out, &b = tangents[w.knot + 1].in;
    of[0] += m0 * a.before;
    of[1] += m0 * a.here + m1 * b.before;
    of[2] += m0 * a.after + m1 * b.here;
    of[3] += m1 * b.after;
    told = {m0, m1};
  };
  mix(w.p0, w.m0, w.p1, w.m1, blend.value, blend.told);
  mix(w.dp0, w.dm0, w.dp1, w.dm1, blend.rate, blend.told_rate);
  return blend;
}

}  // namespace sinew::kernels
