#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "nodes/geometry/chart.h"

namespace sinew {

namespace {

// Steeper than this is as steep as this: points may be as close as numbers are.
constexpr double steepest = 1e300;

constexpr std::size_t buckets_per_piece = 4;

double saturated(double v) {
  constexpr double most = std::numeric_limits<double>::max();
  return std::clamp(v, -most, most);
}

double secant_of(double rise, double width) {
  return std::clamp(rise / width, -steepest, steepest);
}

// The slope at a knot between two intervals [Steffen90]: that of the parabola through the
// three points, limited so that both sides stay monotone.
double limited_slope(double h_left, double s_left, double h_right, double s_right) {
  if (!(s_left > 0 && s_right > 0) && !(s_left < 0 && s_right < 0)) return 0;
  const double share = h_right / (h_left + h_right);
  const double parabola = s_left * share + s_right * (1 - share);
  return (s_left < 0 ? -2.0 : 2.0) *
         std::min({std::abs(s_left), std::abs(s_right), 0.5 * std::abs(parabola)});
}

// The slope at an end, from the nearest two intervals [Steffen90].
double end_slope(double h, double s, double h_next, double s_next) {
  const double share = h / (h + h_next);
  const double parabola = s * (1 + share) - s_next * share;
  if (!((parabola > 0 && s > 0) || (parabola < 0 && s < 0))) return 0;
  if (std::abs(parabola) > 2 * std::abs(s)) return 2 * s;
  return parabola;
}

// What the curve climbs from knot i to the next, in y or in log y.
std::vector<double> rises_of(const std::vector<ChartPoint>& knots, bool ratio) {
  std::vector<double> rises(knots.size() - 1);
  for (std::size_t i = 0; i < rises.size(); ++i) {
    const double from = knots[i].y, to = knots[i + 1].y;
    rises[i] = ratio ? std::log(to) - std::log(from) : to - from;
    // Near 1 the quotient has more digits than the difference of logarithms.
    if (ratio && to < 2 * from && from < 2 * to) rises[i] = std::log1p((to - from) / from);
  }
  return rises;
}

// The slope at each knot, in units of the rise.
std::vector<double> smooth_slopes(const std::vector<ChartPoint>& knots,
                                  const std::vector<double>& rises, bool cyclic) {
  const std::size_t intervals = rises.size();
  std::vector<double> slopes(knots.size());
  const auto width = [&](std::size_t i) { return knots[i + 1].x - knots[i].x; };
  const auto secant = [&](std::size_t i) { return secant_of(rises[i], width(i)); };
  for (std::size_t i = 1; i < intervals; ++i) {
    slopes[i] = limited_slope(width(i - 1), secant(i - 1), width(i), secant(i));
  }
  const std::size_t last = intervals - 1;
  if (cyclic) {
    slopes[0] = slopes[intervals] = limited_slope(width(last), secant(last), width(0), secant(0));
  } else if (intervals == 1) {
    slopes[0] = slopes[1] = secant(0);
  } else {
    slopes[0] = end_slope(width(0), secant(0), width(1), secant(1));
    slopes[intervals] = end_slope(width(last), secant(last), width(last - 1), secant(last - 1));
  }
  return slopes;
}

// Slopes on both sides of each knot.
struct SidedSlopes {
  std::vector<double> in, out;
  std::vector<bool> drawn;  // whether one of them is: then the pieces beside it can overshoot
};

// The slopes of a chart with those that are drawn. The seam of a cycle is its first point.
SidedSlopes drawn_slopes(const Chart& chart, const std::vector<ChartPoint>& knots,
                         const std::vector<double>& automatic) {
  // As steep as numbers let a cubic be; on a ratio axis the values are at their ends long before.
  const double most = chart.axis == ValueAxis::ratio ? 1e4 : steepest;
  SidedSlopes slopes{automatic, automatic, std::vector<bool>(knots.size(), false)};
  for (std::size_t i = 0; i < knots.size(); ++i) {
    const bool seam = chart.cycle() > 0 && i + 1 == knots.size();
    const ChartTangent& t = chart.tangents[seam ? 0 : i];
    const auto limited = [&](double slope, std::size_t interval) {
      const double width = knots[interval + 1].x - knots[interval].x;
      return std::clamp(slope, -most / width, most / width);
    };
    if (t.in && i > 0) slopes.in[i] = limited(*t.in, i - 1);
    if (t.out && i + 1 < knots.size()) slopes.out[i] = limited(*t.out, i);
    slopes.drawn[i] = t.drawn();
  }
  return slopes;
}

// Gauss-Legendre quadrature of 16 points: the positive half of the nodes in [-1, 1].
constexpr double gauss_node[] = {
    0.0950125098376374402, 0.2816035507792589132, 0.4580167776572273863, 0.6178762444026437484,
    0.7554044083550030339, 0.8656312023878317439, 0.9445750230732325761, 0.9894009349916499326};
constexpr double gauss_weight[] = {
    0.1894506104550684963, 0.1826034150449235889, 0.1691565193950025382, 0.1495959888165767321,
    0.1246289712555338720, 0.0951585116824927848, 0.0622535239386478929, 0.0271524594117540949};

// y exp(q), for any q between the ends of the numbers: exp(q) alone could be beyond them.
double grown(double y, double q) {
  const double root = std::exp(q / 2);
  return y * root * root;
}

// The integral of y exp(q) over [from, to], for a monotone cubic q. Cut into spans on which q
// changes by about 1, so that each is exact to the last digits; a chart of sound values needs one
// to three, and no chart more than about 1400.
template <class Cubic>
double integral_of_growth(double y, const Cubic& q, double from, double to) {
  const double change = std::abs(q(to) - q(from));
  const int spans = static_cast<int>(std::min(change, 2000.0)) + 1;
  const double half = (to - from) / (2.0 * spans);
  double sum = 0;
  for (int k = 0; k < spans; ++k) {
    const double middle = from + (2 * k + 1) * half;
    for (int i = 0; i < 8; ++i) {
      const double offset = half * gauss_node[i];
      sum += gauss_weight[i] * (grown(y, q(middle - offset)) + grown(y, q(middle + offset)));
    }
  }
  return sum * half;
}

// Places in (0, 1) where a cubic without a constant term, u (a1 + u (a2 + u a3)), turns.
std::vector<double> turns_of(double a1, double a2, double a3) {
  std::vector<double> turns;
  const auto add = [&](double u) {
    if (u > 0 && u < 1) turns.push_back(u);
  };
  // a1 + 2 a2 u + 3 a3 u^2 = 0, scaled so that no square is beyond the numbers.
  const double scale = std::max({std::abs(a1), std::abs(a2), std::abs(a3)});
  if (scale == 0) return turns;
  const double a = 3 * (a3 / scale), b = a2 / scale, c = a1 / scale;
  const double root = std::sqrt(std::max(b * b - a * c, 0.0));
  if (b * b - a * c < 0) return turns;
  const double far = -(b + std::copysign(root, b));
  if (a != 0) add(far / a);
  if (far != 0) add(c / far);
  std::sort(turns.begin(), turns.end());
  return turns;
}

}  // namespace

// To the next piece's beginning.
void ChartPieces::add_piece(Piece piece, double end) {
  piece.before = area_;
  area_ = saturated(area_ + area_in(piece, piece.x0, end));
  pieces_.push_back(piece);
  starts_.push_back(piece.x0);
}

// A piece that can overshoot, cut where it turns and where it meets a bound: each part is monotone,
// and what would be beyond is constant.
void ChartPieces::add_limited(const Piece& piece, double end, const ChartBounds& bounds) {
  const double low = ratio_ ? std::log(bounds.low) - piece.log_y0 : bounds.low - piece.y0;
  const double high = ratio_ ? std::log(bounds.high) - piece.log_y0 : bounds.high - piece.y0;
  std::vector<double> cuts = turns_of(piece.a1, piece.a2, piece.a3);
  cuts.insert(cuts.begin(), 0);
  cuts.push_back(1);
  for (std::size_t i = cuts.size() - 1; i-- > 0;) {
    for (const double level : {low, high}) {
      double a = cuts[i], b = cuts[i + 1];
      const bool rises = piece.q(a) < level;
      if (rises == (piece.q(b) < level) || piece.q(b) == level) continue;
      for (int k = 0; k < 60; ++k) {
        const double middle = (a + b) / 2;
        ((piece.q(middle) < level) == rises ? a : b) = middle;
      }
      if (b > cuts[i] && b < cuts[i + 1]) cuts.push_back(b);
    }
  }
  std::sort(cuts.begin(), cuts.end());
  double from = piece.x0;
  for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
    const double u = cuts[i], width = cuts[i + 1] - u;
    const double to = i + 2 == cuts.size() ? end : piece.x0 + cuts[i + 1] * piece.width;
    // Parts that are too short to be told apart are none.
    if (!(to > from)) continue;
    const double start = std::clamp(piece.q(u), low, high), middle = piece.q(u + width / 2);
    Piece part{from, to - from, piece.y0, 0, 0, 0, 0, piece.log_y0 + start};
    part.y0 = ratio_ ? std::clamp(grown(piece.y0, start), bounds.low, bounds.high)
                     : std::clamp(piece.y0 + start, bounds.low, bounds.high);
    if (middle > low && middle < high) {
      part.a1 = piece.q_slope(u) * width;
      part.a2 = (piece.a2 + 3 * piece.a3 * u) * width * width;
      part.a3 = piece.a3 * width * width * width;
    }
    add_piece(part, to);
    from = to;
  }
}

ChartPieces::ChartPieces(const Chart& chart) : ratio_(chart.axis == ValueAxis::ratio) {
  if (chart.points.empty()) return;
  std::vector<ChartPoint> knots = chart.points;
  if (chart.bounds) {
    for (ChartPoint& p : knots) p.y = std::clamp(p.y, chart.bounds->low, chart.bounds->high);
  }
  const bool smooth = chart.interpolation == Interpolation::smooth;
  cycle_ = chart.cycle();
  first_x_ = knots.front().x;
  first_y_ = knots.front().y;
  if (cycle_ > 0) {
    // A gap of rounding errors between the last point and the seam is none.
    const double seam = first_x_ + cycle_;
    if (cycle_ - (knots.back().x - first_x_) > 1e-12 * cycle_ && seam > knots.back().x) {
      knots.push_back({seam, first_y_});
    } else if (smooth) {
      knots.back().y = first_y_;
    }
  }
  last_x_ = knots.back().x;
  last_y_ = knots.back().y;
  if (ratio_) first_log_ = std::log(first_y_), last_log_ = std::log(last_y_);
  if (knots.size() < 2) return;

  const std::vector<double> rises = rises_of(knots, ratio_);
  std::vector<double> slopes;
  if (smooth) slopes = smooth_slopes(knots, rises, cycle_ > 0);
  std::optional<SidedSlopes> drawn;
  if (smooth && !chart.tangents.empty()) drawn = drawn_slopes(chart, knots, slopes);
  // Without bounds, values stay within what a chart may have.
  const ChartBounds limits = chart.bounds.value_or(
      ratio_ ? ChartBounds{1e-300, 1e300} : ChartBounds{-steepest * 10, steepest * 10});
  if (drawn && chart.bounds) low_ = limits.low, high_ = limits.high;
  pieces_.reserve(rises.size());
  starts_.reserve(rises.size());
  for (std::size_t i = 0; i < rises.size(); ++i) {
    const double h = knots[i + 1].x - knots[i].x;
    const double log_y = ratio_ ? std::log(knots[i].y) : 0;
    Piece piece{knots[i].x, h, knots[i].y, 0, 0, 0, 0, log_y};
    if (smooth) {
      const double rise = rises[i], d0 = (drawn ? drawn->out : slopes)[i] * h,
                   d1 = (drawn ? drawn->in : slopes)[i + 1] * h;
      piece.a1 = d0;
      piece.a2 = 3 * rise - 2 * d0 - d1;
      piece.a3 = d0 + d1 - 2 * rise;
    } else if (chart.interpolation == Interpolation::linear) {
      piece.a1 = rises[i];
    }
    if (drawn && (drawn->drawn[i] || drawn->drawn[i + 1])) {
      add_limited(piece, knots[i + 1].x, limits);
    } else {
      add_piece(piece, knots[i + 1].x);
    }
  }
  // Of a range that is too small for this, all pieces are in the first bucket.
  const std::size_t buckets = buckets_per_piece * starts_.size();
  buckets_per_x_ = static_cast<double>(buckets) / (last_x_ - first_x_);
  if (!std::isfinite(buckets_per_x_)) buckets_per_x_ = 0;
  first_in_.assign(buckets + 1, 0);
  first_in_[0] = 1;  // the first piece starts before all x that are looked up
  for (std::size_t i = 1; i < starts_.size(); ++i) ++first_in_[bucket_of(starts_[i]) + 1];
  sparse_ = std::all_of(first_in_.begin(), first_in_.end(), [](uint32_t n) { return n <= 1; });
  std::partial_sum(first_in_.begin(), first_in_.end(), first_in_.begin());
  starts_.push_back(std::numeric_limits<double>::infinity());
}

// Never falls when x rises, whatever is rounded: that is all that the search relies on.
std::size_t ChartPieces::bucket_of(double x) const {
  const double bucket = (x - first_x_) * buckets_per_x_;
  const std::size_t last = first_in_.size() - 2;
  return bucket >= static_cast<double>(last) ? last : static_cast<std::size_t>(bucket);
}

// For first_x <= x. A piece that starts in an earlier bucket starts before x, one that starts in a
// later bucket after it.
std::size_t ChartPieces::index_at(double x) const {
  const std::size_t bucket = bucket_of(x);
  const auto low = starts_.begin() + first_in_[bucket];
  const auto high = starts_.begin() + first_in_[bucket + 1];
  auto after = low;
  if (high - low <= 8) {
    while (after != high && *after <= x) ++after;
  } else {
    after = std::upper_bound(low, high, x);
  }
  return static_cast<std::size_t>(after - starts_.begin()) - 1;
}

double ChartPieces::value_in(const Piece& piece, double x) const {
  const double q = piece.q((x - piece.x0) / piece.width);
  return ratio_ ? grown(piece.y0, q) : piece.y0 + q;
}

// The integral between two places of one piece. Nothing is subtracted from anything large, so that
// a short stretch has as many right digits as a long one.
double ChartPieces::area_in(const Piece& p, double from, double to) const {
  const double length = to - from;
  const double u = (from - p.x0) / p.width, v = (to - p.x0) / p.width;
  if (!ratio_) {
    // Gauss-Legendre quadrature of two points is exact for cubics.
    constexpr double gauss = 0.5773502691896257645;
    const double middle = (u + v) / 2, offset = (v - u) / 2 * gauss;
    const double mean = p.y0 + (p.q(middle - offset) + p.q(middle + offset)) / 2;
    return saturated(length * mean);
  }
  if (p.a2 == 0 && p.a3 == 0) {
    const double change = p.a1 * (v - u), start = grown(p.y0, p.a1 * u);
    // expm1 of more than 700 is beyond the numbers: go backwards from the larger end then.
    if (change > 1) {
      return saturated(length * (grown(p.y0, p.a1 * v) * (-std::expm1(-change) / change)));
    }
    return saturated(length * (start * (change == 0 ? 1 : std::expm1(change) / change)));
  }
  const auto q = [&p](double w) { return p.q(w); };
  return saturated(p.width * integral_of_growth(p.y0, q, u, v));
}

std::vector<ChartPieces::Cubic> ChartPieces::cubics() const {
  std::vector<Cubic> list;
  if (ratio_) return list;
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    const Piece& p = pieces_[i];
    const double next = i + 1 < pieces_.size() ? pieces_[i + 1].y0 : last_y_;
    // What the next one begins with has no rounding in it, unless the curve jumps there.
    const double end = p.y0 + p.q(1), scale = std::max(std::abs(p.y0), std::abs(next));
    const double y1 = std::abs(end - next) <= 1e-9 * scale ? next : end;
    list.push_back({p.x0, p.width, p.y0, y1, p.a1, p.a2, p.a3});
  }
  return list;
}

double ChartPieces::wrap(double x, double* cycles) const {
  const double offset = x - first_x_;
  double k = std::floor(std::clamp(offset / cycle_, -steepest, steepest));
  double rest = offset - k * cycle_;
  // Rounding can put the rest on the wrong side of a period's end.
  if (!(rest >= 0)) rest = 0;
  if (rest >= cycle_) {
    rest = 0;
    k += 1;
  }
  *cycles = k;
  return std::min(first_x_ + rest, last_x_);
}

double ChartPieces::evaluate(double x) const {
  if (pieces_.empty() || !std::isfinite(x)) return first_y_;
  if (cycle_ > 0) {
    double cycles;
    x = wrap(x, &cycles);
  } else if (x <= first_x_) {
    return first_y_;
  } else if (x >= last_x_) {
    return last_y_;
  }
  return std::clamp(value_in(pieces_[index_at(x)], x), low_, high_);
}

double ChartPieces::logarithm(double x) const {
  if (pieces_.empty() || !std::isfinite(x)) return first_log_;
  if (cycle_ > 0) {
    double cycles;
    x = wrap(x, &cycles);
  } else if (x <= first_x_) {
    return first_log_;
  } else if (x >= last_x_) {
    return last_log_;
  }
  const Piece& piece = pieces_[index_at(x)];
  return piece.log_y0 + piece.q((x - piece.x0) / piece.width);
}

void ChartPieces::logarithm_many(std::span<const double> x, std::span<float> out) const {
  const std::size_t count = std::min(x.size(), out.size());
  if (pieces_.empty()) {
    std::fill_n(out.begin(), count, static_cast<float>(first_log_));
    return;
  }
  const double* const starts = starts_.data();
  const uint32_t* const first_in = first_in_.data();
  for (std::size_t i = 0; i < count; ++i) {
    const double at = x[i] < first_x_ ? x[i] + cycle_ : x[i];
    if (!sparse_ || !(at >= first_x_ && at < last_x_)) {
      out[i] = static_cast<float>(logarithm(x[i]));
      continue;
    }
    // What starts in this bucket is the next piece at most: no search, and nothing to mispredict.
    const uint32_t next = first_in[bucket_of(at)];
    const Piece& piece = pieces_[next - 1 + (starts[next] <= at ? 1 : 0)];
    out[i] = static_cast<float>(piece.log_y0 + piece.q((at - piece.x0) / piece.width));
  }
}

double ChartPieces::tangent(double x) const {
  if (pieces_.empty() || !std::isfinite(x)) return 0;
  if (cycle_ > 0) {
    double cycles;
    x = wrap(x, &cycles);
  } else if (x < first_x_ || x > last_x_) {
    return 0;
  }
  const Piece& piece = pieces_[index_at(x)];
  const double slope = piece.q_slope((x - piece.x0) / piece.width) / piece.width;
  return saturated(ratio_ ? slope * value_in(piece, x) : slope);
}

// For first_x <= a <= b <= last_x.
double ChartPieces::integral_within(double a, double b) const {
  const std::size_t left = index_at(a), right = index_at(b);
  if (left == right) return area_in(pieces_[left], a, b);
  const Piece &first = pieces_[left + 1], &last = pieces_[right];
  return saturated(area_in(pieces_[left], a, first.x0) + (last.before - first.before) +
                   area_in(last, last.x0, b));
}

double ChartPieces::integral(double a, double b) const {
  if (!std::isfinite(a) || !std::isfinite(b)) return 0;
  if (b < a) return -integral(b, a);
  if (pieces_.empty()) return first_y_ == 0 ? 0 : saturated(first_y_ * saturated(b - a));
  if (cycle_ > 0) {
    double cycles_a, cycles_b;
    const double start = wrap(a, &cycles_a), end = wrap(b, &cycles_b);
    const double whole = integral_within(first_x_, last_x_);
    if (cycles_a == cycles_b) return integral_within(start, std::max(start, end));
    return saturated(integral_within(start, last_x_) +
                     saturated((cycles_b - cycles_a - 1) * whole) + integral_within(first_x_, end));
  }
  double sum = 0;
  if (a < first_x_) sum += saturated(first_y_ * (std::min(b, first_x_) - a));
  if (b > last_x_) sum += saturated(last_y_ * (b - std::max(a, last_x_)));
  const double low = std::clamp(a, first_x_, last_x_), high = std::clamp(b, first_x_, last_x_);
  if (high > low) sum += integral_within(low, high);
  return saturated(sum);
}

template <class Number, class Where>
void ChartPieces::evaluate_each(std::span<Number> out, const Where& where) const {
  constexpr double most = std::numeric_limits<Number>::max();
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = static_cast<Number>(std::clamp(evaluate(where(i)), -most, most));
  }
}

void ChartPieces::evaluate_many(std::span<const double> x, std::span<double> out) const {
  evaluate_each(out.first(std::min(x.size(), out.size())), [&](std::size_t i) { return x[i]; });
}

void ChartPieces::evaluate_many(std::span<const float> x, std::span<float> out) const {
  evaluate_each(out.first(std::min(x.size(), out.size())),
                [&](std::size_t i) { return static_cast<double>(x[i]); });
}

void ChartPieces::evaluate_shifted(double x, std::span<const float> shift,
                                   std::span<float> out) const {
  evaluate_each(out.first(std::min(shift.size(), out.size())),
                [&](std::size_t i) { return x - static_cast<double>(shift[i]); });
}

}  // namespace sinew
