#include "nodes/kernels/activation.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>

#include "nodes/geometry/parallel.h"
#include "nodes/kernels/chart_ops.h"
#include "nodes/kernels/dispatch.h"
#include "nodes/kernels/mesh_march.h"

namespace sinew::kernels {

namespace {

using Source = DeformationCharts::Source;

// As many vertices as all that is known of them stays in the innermost cache.
constexpr std::size_t chunk = 512;

// e^x to 2e-7, for |x| <= 80; e^0 is 1. Plain operations only, so that loops with it become wide.
inline float exp_of(float x) {
  constexpr float log2_e = 1.44269504f;
  constexpr float ln2_high = 0.693359375f, ln2_low = -2.12194440e-4f;  // their sum is ln 2
  constexpr float to_integer = 12582912.0f;  // 1.5 2^23: adding it rounds to an integer
  const float shifted = x * log2_e + to_integer;
  const float n = shifted - to_integer;
  const float r = (x - n * ln2_high) - n * ln2_low;
  const float tail = 1.0f / 24 + r * (1.0f / 120 + r * (1.0f / 720 + r * (1.0f / 5040)));
  const float series = 1 + r * (1 + r * (0.5f + r * (1.0f / 6 + r * tail)));
  const auto exponent = static_cast<uint32_t>(std::bit_cast<int32_t>(shifted)) << 23;
  return std::bit_cast<float>(std::bit_cast<uint32_t>(series) + exponent);
}

// So much of a cycle before its place a stepped chart jumps, and a sweep ends, so that the rounding
// of times cannot make them late.
constexpr double early = 1e-5;

// How near the end of a cycle counts as the end, after so many cycles, where charts jump there: the
// length of a cycle is a float.
double end_error(double cycles) { return std::min(1e-7 + 0x1p-23 * std::abs(cycles), 1e-3); }

// The place in the cycle of each vertex, in [0, 1): now - phase * cycles_per_phase. From `end` on,
// the next cycle has begun.
SINEW_CLONES void cycle_places(const float* __restrict phase, double now, double cycles_per_phase,
                               double end, double* __restrict place, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const double at = now - static_cast<double>(phase[i]) * cycles_per_phase;
    const double rest = at - std::floor(at);
    place[i] = rest < end ? rest : 0;  // a little below 0 is rounded to 1
  }
}

// The place in the sweep of a touch that began `since` sweeps ago, and how strong it is there: 0
// where it has not arrived or is over.
SINEW_CLONES void sweep_places(const float* __restrict distance, double since,
                               double sweeps_per_distance, float log_damping,
                               double* __restrict place, float* __restrict weight,
                               std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const double at = since - static_cast<double>(distance[i]) * sweeps_per_distance;
    place[i] = at >= 0 && at < 1 - early ? at : -1;
  }
  for (std::size_t i = 0; i < count; ++i) {
    const float strength = exp_of(-log_damping * std::min(distance[i], 1.0f));
    weight[i] = place[i] >= 0 ? strength : 0;
    place[i] = std::max(place[i], 0.0);
  }
}

SINEW_CLONES void add_weighted(const float* __restrict weight, const float* __restrict term,
                               float start, float factor, float* __restrict sum,
                               std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) sum[i] += weight[i] * (factor * (term[i] - start));
}

// Scales all three back to `most` where one of them is beyond.
SINEW_CLONES void keep_within(float most, float* __restrict a, float* __restrict b,
                              float* __restrict c, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const float largest = std::max(std::abs(a[i]), std::max(std::abs(b[i]), std::abs(c[i])));
    const float scale = largest > most ? most / largest : 1;
    a[i] *= scale;
    b[i] *= scale;
    c[i] *= scale;
  }
}

SINEW_CLONES void multiples(const float* __restrict a, float factor, float* __restrict out,
                            std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) out[i] = factor * a[i];
}

SINEW_CLONES void exponentials(float* values, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) values[i] = exp_of(values[i]);
}

// Where the six parts of some matrices go.
struct Parts {
  float *xx, *yy, *zz, *xy, *yz, *zx;
};

// With d1 d1^T + d2 d2^T + d3 d3^T = I two directions are enough, and T = I where all c are 1:
//   T = c3 I + (c1 - c3) d1 d1^T + (c2 - c3) d2 d2^T
SINEW_CLONES void two_directions(const float* __restrict d1, const float* __restrict d2,
                                 const float* __restrict c1, const float* __restrict c2,
                                 const float* __restrict c3, const Parts& out, std::size_t count) {
  float* __restrict const xx = out.xx;
  float* __restrict const yy = out.yy;
  float* __restrict const zz = out.zz;
  float* __restrict const xy = out.xy;
  float* __restrict const yz = out.yz;
  float* __restrict const zx = out.zx;
  for (std::size_t i = 0; i < count; ++i) {
    const float x = d1[3 * i], y = d1[3 * i + 1], z = d1[3 * i + 2];
    const float u = d2[3 * i], v = d2[3 * i + 1], w = d2[3 * i + 2];
    const float a = c1[i] - c3[i], b = c2[i] - c3[i];
    const float ax = a * x, ay = a * y, az = a * z;
    const float bu = b * u, bv = b * v, bw = b * w;
    xx[i] = c3[i] + (ax * x + bu * u);
    yy[i] = c3[i] + (ay * y + bv * v);
    zz[i] = c3[i] + (az * z + bw * w);
    xy[i] = ax * y + bu * v;
    yz[i] = ay * z + bv * w;
    zx[i] = az * x + bw * u;
  }
}

// The same where c2 = c3 everywhere.
SINEW_CLONES void one_direction(const float* __restrict d1, const float* __restrict c1,
                                const float* __restrict c2, const Parts& out, std::size_t count) {
  float* __restrict const xx = out.xx;
  float* __restrict const yy = out.yy;
  float* __restrict const zz = out.zz;
  float* __restrict const xy = out.xy;
  float* __restrict const yz = out.yz;
  float* __restrict const zx = out.zx;
  for (std::size_t i = 0; i < count; ++i) {
    const float x = d1[3 * i], y = d1[3 * i + 1], z = d1[3 * i + 2];
    const float a = c1[i] - c2[i];
    const float ax = a * x, ay = a * y, az = a * z;
    xx[i] = c2[i] + ax * x;
    yy[i] = c2[i] + ay * y;
    zz[i] = c2[i] + az * z;
    xy[i] = ax * y;
    yz[i] = ay * z;
    zx[i] = az * x;
  }
}

// How many times the logarithm of the first chart is that of one that follows from it.
float factor_of(Source source) {
  switch (source) {
    case Source::inverse_root:
      return -0.5f;
    case Source::inverse:
      return -1;
    case Source::drawn:
    case Source::one:
      break;
  }
  return 0;
}

// The part of the scratch that one block of vertices works in.
struct Room {
  double* arguments;
  float* weights;
  std::array<float*, 2> terms;
  std::array<float*, 3> logs;

  Room(ActivationScratch& scratch, std::size_t block) {
    const std::size_t at = block * chunk;
    arguments = scratch.arguments.data() + at;
    weights = scratch.weights.data() + at;
    for (std::size_t k = 0; k < 2; ++k) terms[k] = scratch.terms[k].data() + at;
    for (std::size_t k = 0; k < 3; ++k) logs[k] = scratch.logs[k].data() + at;
  }
};

void reserve_rooms(ActivationScratch& scratch, std::size_t count) {
  const std::size_t blocks = (count + default_block - 1) / default_block;
  const std::size_t room = std::min(count, blocks * chunk);
  if (scratch.arguments.size() >= room && scratch.logs[2].size() >= room) return;
  scratch.arguments.resize(room);
  scratch.weights.resize(room);
  for (auto& t : scratch.terms) t.resize(room);
  for (auto& l : scratch.logs) l.resize(room);
}

// One moment of an activation: what is the same for all of its vertices, and the sums of logarithms
// for a few of them at a time.
class Moment {
 public:
  Moment(const Activation& activation, double delay, std::span<const std::vector<Touch>> extra)
      : activation_(activation), extra_(extra), time_(activation.time - delay) {
    if (activation.pattern) take(activation.pattern->charts);
    for (std::size_t r = 0; r < activation.responses.size(); ++r) {
      take(activation.responses[r].pattern->charts);
      for_each_touch(r, [&](const Touch& t) { touched_ = touched_ || acts(pattern_of(r), t); });
    }
  }

  // c_k of vertices first .. first + count, in room.logs.
  void ratios(std::size_t first, std::size_t count, const Room& room, bool only_primary) const {
    for (const std::size_t k : {0, 1, 2}) {
      if (!follows_[k]) std::fill_n(room.logs[k], count, 0.0f);
    }
    if (activation_.pattern) add_pattern(first, count, room);
    for (std::size_t r = 0; touched_ && r < activation_.responses.size(); ++r) {
      for_each_touch(r, [&](const Touch& t) { add_touch(pattern_of(r), t, first, count, room); });
    }
    for (const std::size_t k : {1, 2}) {
      if (follows_[k]) multiples(room.logs[0], factor_[k], room.logs[k], count);
    }
    // The points of each chart are within its limit; only sums of several can go beyond.
    if (touched_) keep_within(most_, room.logs[0], room.logs[1], room.logs[2], count);
    exponentials(room.logs[0], count);
    if (only_primary) return;
    exponentials(room.logs[1], count);
    if (!equal_others()) exponentials(room.logs[2], count);
  }

  bool equal_others() const { return follows_[1] && follows_[2] && factor_[1] == factor_[2]; }

 private:
  const ResponsePattern& pattern_of(std::size_t response) const {
    return *activation_.responses[response].pattern;
  }

  template <class Visit>
  void for_each_touch(std::size_t response, const Visit& visit) const {
    for (const Touch& t : activation_.responses[response].touches) visit(t);
    if (response >= extra_.size()) return;
    for (const Touch& t : extra_[response]) visit(t);
  }

  // A direction follows from the first as long as all charts say so, in the same way.
  void take(const DeformationCharts& charts) {
    for (const std::size_t k : {1, 2}) {
      const float factor = factor_of(charts.source[k]);
      if (!any_) factor_[k] = factor;
      follows_[k] = follows_[k] && charts.source[k] != Source::drawn && factor_[k] == factor;
    }
    most_ = std::max(most_, static_cast<float>(std::log(charts.limit)));
    any_ = true;
  }

  // Whether there is a vertex between the front and the end of its sweep.
  bool acts(const ResponsePattern& pattern, const Touch& touch) const {
    const double since = time_ - touch.start;
    return since >= 0 && since <= pattern.period + 1 / pattern.speed;
  }

  void add_pattern(std::size_t first, std::size_t count, const Room& room) const {
    const ActivationPattern& p = *activation_.pattern;
    const double cycles_per_phase = 1 / (p.speed * p.period);
    const double now = time_ / p.period;
    // One for all is asked for once.
    const std::size_t places = p.phase.size() == 1 ? 1 : count;
    cycle_places(p.phase.data() + (places == 1 ? 0 : first), now - std::floor(now),
                 cycles_per_phase, jumps_at_end(p.charts) ? 1 - end_error(now) : 1, room.arguments,
                 places);
    if (p.amplitude.size() == 1) {
      std::fill_n(room.weights, count, p.amplitude[0]);
    } else {
      std::copy_n(p.amplitude.data() + first, count, room.weights);
    }
    add_charts(p.charts, places, false, count, room);
  }

  void add_touch(const ResponsePattern& pattern, const Touch& touch, std::size_t first,
                 std::size_t count, const Room& room) const {
    if (!acts(pattern, touch)) return;
    sweep_places(touch.distance->data() + first, (time_ - touch.start) / pattern.period,
                 1 / (pattern.speed * pattern.period),
                 static_cast<float>(std::log(pattern.damping)), room.arguments, room.weights,
                 count);
    const bool one = pattern.amplitude.size() == 1;
    for (std::size_t i = 0; i < count; ++i) {
      room.weights[i] *= pattern.amplitude[one ? 0 : first + i];
    }
    add_charts(pattern.charts, count, true, count, room);
  }

  // Adds weight * log chart at room.arguments, of which there are `places`: as many as vertices, or
  // one for all. `from_start`: what the chart has at 0 is subtracted.
  void add_charts(const DeformationCharts& charts, std::size_t places, bool from_start,
                  std::size_t count, const Room& room) const {
    std::array<float, 3> start = {};
    for (const std::size_t k : {0, 1, 2}) {
      const bool drawn = charts.source[k] == Source::drawn;
      float* const term = room.terms[k == 0 ? 0 : 1];
      if (drawn) start[k] = look_up(*charts.drawn[k], places, from_start, term, count, room);
      if (follows_[k]) continue;
      if (drawn) {
        add_weighted(room.weights, term, start[k], 1, room.logs[k], count);
      } else if (charts.source[k] != Source::one && charts.source[0] == Source::drawn) {
        add_weighted(room.weights, room.terms[0], start[0], factor_of(charts.source[k]),
                     room.logs[k], count);
      }
    }
  }

  static bool jumps_at_end(const DeformationCharts& charts) {
    return std::any_of(charts.drawn.begin(), charts.drawn.end(), [](const auto& chart) {
      return chart && std::abs(chart->logarithm(1 - 1e-12) - chart->logarithm(0)) > 1e-6;
    });
  }

  static float look_up(const ChartPieces& chart, std::size_t places, bool from_start, float* term,
                       std::size_t count, const Room& room) {
    chart.logarithm_many({room.arguments, places}, {term, places});
    if (places == 1) std::fill_n(term, count, float{term[0]});
    float start = 0;
    const double zero = 0;
    if (from_start) chart.logarithm_many({&zero, 1}, {&start, 1});
    return start;
  }

  const Activation& activation_;
  std::span<const std::vector<Touch>> extra_;
  double time_;
  std::array<bool, 3> follows_ = {false, true, true};
  std::array<float, 3> factor_ = {1, 0, 0};
  bool any_ = false;
  bool touched_ = false;  // some touch acts now
  float most_ = 0;        // logarithm of the limit
};

// Calls visit(first, count, room) for all vertices, a few at a time, in parallel.
template <class Visit>
void for_each_chunk(std::size_t count, ActivationScratch& scratch, const Visit& visit) {
  reserve_rooms(scratch, count);
  parallel_blocks(count, [&](std::size_t begin, std::size_t end) {
    const Room room(scratch, begin / default_block);
    for (std::size_t i = begin; i < end; i += chunk) visit(i, std::min(chunk, end - i), room);
  });
}

}  // namespace

void evaluate_activation(const Activation& activation, double delay,
                         std::span<const std::vector<Touch>> extra, ActivationScratch& scratch,
                         SymmetricArrays& out) {
  out.resize(activation.count);
  const Moment moment(activation, delay, extra);
  const Frames* const frames = activation.frames.get();
  const bool equal_others = moment.equal_others();
  for_each_chunk(activation.count, scratch,
                 [&](std::size_t first, std::size_t count, const Room& room) {
                   moment.ratios(first, count, room, false);
                   std::array<float*, 6> part;
                   for (std::size_t k = 0; k < 6; ++k) part[k] = out.part[k].data() + first;
                   const float* const c1 = room.logs[0];
                   const float* const c2 = room.logs[1];
                   const float* const c3 = equal_others ? c2 : room.logs[2];
                   if (!frames) {
                     std::copy_n(c1, count, part[0]);
                     std::copy_n(c2, count, part[1]);
                     std::copy_n(c3, count, part[2]);
                     for (std::size_t k = 3; k < 6; ++k) std::fill_n(part[k], count, 0.0f);
                     return;
                   }
                   const Parts parts{part[0], part[1], part[2], part[3], part[4], part[5]};
                   const float* const d1 = frames->primary[first].data();
                   if (equal_others) return one_direction(d1, c1, c2, parts, count);
                   two_directions(d1, frames->secondary[first].data(), c1, c2, c3, parts, count);
                 });
}

void activation_signal(const Activation& activation, double delay,
                       std::span<const std::vector<Touch>> extra, ActivationScratch& scratch,
                       std::span<float> out) {
  const Moment moment(activation, delay, extra);
  for_each_chunk(std::min(activation.count, out.size()), scratch,
                 [&](std::size_t first, std::size_t count, const Room& room) {
                   moment.ratios(first, count, room, true);
                   for (std::size_t i = 0; i < count; ++i) out[first + i] = room.logs[0][i] - 1;
                 });
}

namespace {

// As ratios, within its own bounds and the limit.
Chart limited_ratios(const Chart& chart, double limit) {
  Chart ratios = as_ratio(chart);
  const ChartBounds own = ratios.bounds.value_or(ChartBounds{1 / limit, limit});
  ratios.bounds =
      ChartBounds{std::clamp(own.low, 1 / limit, limit), std::clamp(own.high, 1 / limit, limit)};
  return ratios;
}

// The chart over one cycle, its values within the limit; nothing if it is 1 everywhere.
std::optional<ChartPieces> compile_chart(const Chart& chart, const char* name, double limit) {
  Chart ratios;
  try {
    ratios = limited_ratios(chart, limit);
  } catch (const std::invalid_argument& e) {
    throw std::invalid_argument(fmt::format("the {} chart: {}", name, e.what()));
  }
  const auto value = [&](const ChartPoint& p) {
    return std::clamp(p.y, ratios.bounds->low, ratios.bounds->high);
  };
  if (std::all_of(ratios.points.begin(), ratios.points.end(),
                  [&](const ChartPoint& p) { return value(p) == 1; })) {
    return std::nullopt;
  }
  const double first = ratios.first_x(), range = ratios.last_x() - first;
  if (const double cycle = ratios.cycle(); cycle > 0) {
    ratios = scale_x(ratios, 1 / cycle, 0);
  } else if (range > 0) {
    ratios = scale_x(ratios, 1 / range, -first / range);
    const double a = value(ratios.points.front()), b = value(ratios.points.back());
    if (std::abs(a - b) <= 1e-9 * a) {
      ratios.extension = Extension::cyclic, ratios.period = 0;
      // It comes to the seam as it came to its last point.
      if (!ratios.tangents.empty()) ratios.tangents.front().in = ratios.tangents.back().in;
    }
  }
  if (ratios.interpolation == Interpolation::stepped) ratios = scale_x(ratios, 1, -early);
  return ChartPieces(ratios);
}

}  // namespace

DeformationCharts compile_charts(const Chart& primary, const Chart& secondary,
                                 const Chart& tertiary, ChartLink link, double limit) {
  if (!(limit > 1) || !std::isfinite(limit)) {
    throw std::invalid_argument(
        fmt::format("the limit of the charts must be above 1, but is {}", limit));
  }
  DeformationCharts charts;
  charts.limit = limit;
  const auto draw = [&](std::size_t k, const Chart& chart, const char* name) {
    charts.drawn[k] = compile_chart(chart, name, limit);
    charts.source[k] = charts.drawn[k] ? Source::drawn : Source::one;
  };
  draw(0, primary, "primary");
  switch (link) {
    case ChartLink::drawn:
      draw(1, secondary, "secondary");
      draw(2, tertiary, "tertiary");
      break;
    case ChartLink::keep_both:
      charts.source[1] = charts.source[2] = Source::inverse_root;
      break;
    case ChartLink::keep_secondary:
      charts.source[1] = Source::inverse;
      break;
  }
  return charts;
}

std::optional<Chart> linked_chart(const Chart& primary, ChartLink link, double limit,
                                  int direction) {
  if (link == ChartLink::drawn) return std::nullopt;
  try {
    const VolumeMode mode = link == ChartLink::keep_both ? VolumeMode::both : VolumeMode::secondary;
    VolumeCharts charts = volume_preserving(limited_ratios(primary, limit), mode);
    return std::move(direction == 1 ? charts.secondary : charts.tertiary);
  } catch (const std::invalid_argument&) {
    return std::nullopt;  // whoever evaluates the node is told why
  }
}

std::shared_ptr<const std::vector<float>> touch_parts(std::span<const double> distances) {
  double greatest = 0;
  for (const double d : distances) {
    if (d != unreachable) greatest = std::max(greatest, d);
  }
  auto parts = std::make_shared<std::vector<float>>(distances.size());
  for (std::size_t v = 0; v < distances.size(); ++v) {
    const double part = greatest > 0 ? distances[v] / greatest : 0;
    (*parts)[v] = distances[v] == unreachable ? never_touched : static_cast<float>(part);
  }
  return parts;
}

std::shared_ptr<const std::vector<float>> touch_distance(const TetMesh& rest,
                                                         const Rows& vertex_tets, uint32_t vertex) {
  const MarchStart start{vertex, 0};
  return touch_parts(march_solid(rest, vertex_tets, {&start, 1}, Wave::curved));
}

}  // namespace sinew::kernels
