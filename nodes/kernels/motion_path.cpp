#include "nodes/kernels/motion_path.h"

#include <algorithm>
#include <cmath>

#include "nodes/kernels/gauss.h"
#include "nodes/kernels/vectors.h"

namespace sinew::kernels {

namespace {

constexpr int least_halvings = 3;  // eight panels for a segment of a spline, for its frames
constexpr int most_halvings = 20;
constexpr double length_tolerance = 1e-11;  // of a panel, in parts of its segment's chord
constexpr double same_place = 1e-12;        // in parts of the whole extent

// Without those that are where the one before is.
std::vector<Vec3d> distinct_points(std::span<const Vec3f> points, bool closed) {
  std::vector<Vec3d> kept;
  Eigen::AlignedBox3d box;
  for (const Vec3f& p : points) box.extend(p.cast<double>());
  const double least = points.empty() ? 0 : same_place * box.diagonal().norm();
  for (const Vec3f& p : points) {
    const Vec3d place = p.cast<double>();
    if (kept.empty() || (place - kept.back()).norm() > least) kept.push_back(place);
  }
  while (closed && kept.size() > 1 && (kept.back() - kept.front()).norm() <= least) {
    kept.pop_back();
  }
  return kept;
}

Vec3d reflect(const Vec3d& v, const Vec3d& normal) {
  return v - (2 * normal.dot(v) / normal.squaredNorm()) * normal;
}

// Turned as `from` turns to `to` by the smallest angle. A vector across both stays.
Vec3d turned(const Vec3d& v, const Vec3d& from, const Vec3d& to) {
  const Vec3d axis = from.cross(to);
  const double cosine = from.dot(to);
  if (cosine < -1 + 1e-12) return v;
  return v * cosine + axis.cross(v) + axis * (axis.dot(v) / (1 + cosine));
}

Vec3d across(const Vec3d& v, const Vec3d& tangent) {
  const Vec3d rest = v - v.dot(tangent) * tangent;
  return rest.norm() > 1e-9 ? Vec3d(rest.normalized()) : any_perpendicular(tangent);
}

// One step of the double reflection method [Wang08, section 4.1].
Vec3d carried(const Vec3d& normal, const Vec3d& from, const Vec3d& tangent, const Vec3d& to,
              const Vec3d& next) {
  const Vec3d step = to - from;
  if (!(step.squaredNorm() > 0)) return across(turned(normal, tangent, next), next);
  const Vec3d halfway = reflect(tangent, step);
  const Vec3d second = next - halfway;
  if (second.squaredNorm() < 1e-24) return across(turned(normal, tangent, next), next);
  return across(reflect(reflect(normal, step), second), next);
}

}  // namespace

Vec3d PathShape::Segment::at(double u) const {
  if (u >= 1) return p1;  // without the rounding of a sum
  return p0 + u * (c1 + u * (c2 + u * c3));
}

Vec3d PathShape::Segment::direction(double u) const {
  const Vec3d chord = p1 - p0, way = straight ? chord : speed(u);
  const double size = way.norm();
  return size > 1e-12 * chord.norm() ? Vec3d(way / size) : Vec3d(chord.normalized());
}

PathShape::PathShape(std::span<const Vec3f> points, PathCurve curve, bool closed)
    : closed_(closed) {
  const std::vector<Vec3d> kept = distinct_points(points, closed);
  if (!kept.empty()) lonely_ = kept.front();
  if (kept.size() < 2) return;
  add_segments(kept, curve);
  for (std::size_t i = 0; i < segments_.size(); ++i) {
    add_panels(i, 0, 1, segments_[i].straight ? most_halvings : 0);
  }
  carry_frames();
}

void PathShape::add_segments(const std::vector<Vec3d>& points, PathCurve curve) {
  const std::size_t n = points.size(), count = closed_ ? n : n - 1;
  // Beyond the ends of an open path: mirrored.
  const auto point = [&](std::ptrdiff_t i) -> Vec3d {
    const auto size = static_cast<std::ptrdiff_t>(n);
    if (closed_) return points[static_cast<std::size_t>((i + size) % size)];
    if (i < 0) return 2 * points[0] - points[1];
    if (i >= size) return 2 * points[n - 1] - points[n - 2];
    return points[static_cast<std::size_t>(i)];
  };
  for (std::size_t i = 0; i < count; ++i) {
    const auto k = static_cast<std::ptrdiff_t>(i);
    const Vec3d a = point(k - 1), b = point(k), c = point(k + 1), d = point(k + 2);
    const Vec3d chord = c - b;
    Segment segment{b, c, chord, Vec3d::Zero(), Vec3d::Zero(), true};
    if (curve == PathCurve::spline && n > 2) {
      // Knots apart by the roots of the distances; slopes per segment, not per knot.
      const double before = std::sqrt((b - a).norm()), here = std::sqrt(chord.norm()),
                   after = std::sqrt((d - c).norm());
      const Vec3d m0 = chord + here * ((b - a) / before - (c - a) / (before + here));
      const Vec3d m1 = chord + here * ((d - c) / after - (d - b) / (here + after));
      segment.c1 = m0;
      segment.c2 = 3 * chord - 2 * m0 - m1;
      segment.c3 = m0 + m1 - 2 * chord;
      const double bend = segment.c2.norm() + segment.c3.norm();
      segment.straight = bend <= 1e-13 * chord.norm();
    }
    segments_.push_back(segment);
  }
}

// Halves until both halves have the length of the whole.
void PathShape::add_panels(std::size_t index, double u0, double u1, int depth) {
  const Segment& segment = segments_[index];
  const double chord = (segment.p1 - segment.p0).norm();
  const auto speed = [&](double u) { return segment.speed(u).norm(); };
  const double whole = segment.straight ? chord * (u1 - u0) : gauss8(speed, u0, u1);
  if (depth < most_halvings) {
    const double middle = 0.5 * (u0 + u1);
    const double halves = gauss8(speed, u0, middle) + gauss8(speed, middle, u1);
    if (depth < least_halvings || std::abs(halves - whole) > length_tolerance * chord) {
      add_panels(index, u0, middle, depth + 1);
      add_panels(index, middle, u1, depth + 1);
      return;
    }
  }
  panels_.push_back({index, u0, u1, length_, Vec3d::Zero()});
  length_ += whole;
}

void PathShape::carry_frames() {
  const Vec3d first = segments_.front().direction(0);
  Vec3d normal = across(Vec3d::UnitY(), first);
  Vec3d tangent = first;
  for (Panel& panel : panels_) {
    const Segment& segment = segments_[panel.segment];
    const Vec3d here = segment.direction(panel.u0);
    normal = panel.normal = across(turned(normal, tangent, here), here);
    tangent = segment.direction(panel.u1);
    normal = carried(normal, segment.at(panel.u0), here, segment.at(panel.u1), tangent);
  }
  if (!closed_) return;
  const Vec3d end = across(turned(normal, tangent, first), first), begin = panels_.front().normal;
  twist_ = std::atan2(begin.cross(end).dot(first), begin.dot(end));
}

double PathShape::length_within(const Panel& panel, double u) const {
  const Segment& segment = segments_[panel.segment];
  if (segment.straight) return (segment.p1 - segment.p0).norm() * (u - panel.u0);
  return gauss8([&](double x) { return segment.speed(x).norm(); }, panel.u0, u);
}

// Newton's method between bounds that close in.
double PathShape::place_within(const Panel& panel, double length) const {
  const Segment& segment = segments_[panel.segment];
  const double whole = length_within(panel, panel.u1);
  if (!(whole > 0)) return panel.u0;
  double u = panel.u0 + (panel.u1 - panel.u0) * std::clamp(length / whole, 0.0, 1.0);
  if (segment.straight) return u;
  double low = panel.u0, high = panel.u1;
  for (int i = 0; i < 30; ++i) {
    const double miss = length_within(panel, u) - length;
    if (std::abs(miss) <= 1e-14 * length_) break;
    (miss < 0 ? low : high) = u;
    const double speed = segment.speed(u).norm();
    double next = speed > 0 ? u - miss / speed : low;
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    if (next == u) break;
    u = next;
  }
  return u;
}

PathFrame PathShape::at(double distance) const {
  if (panels_.empty() || !(length_ > 0)) {
    PathFrame frame;
    frame.position = lonely_;
    return frame;
  }
  double s = std::isfinite(distance) ? distance : 0;
  if (closed_) {
    s -= std::floor(s / length_) * length_;
    if (!(s >= 0 && s < length_)) s = 0;
  }
  s = std::clamp(s, 0.0, length_);
  const auto after = std::upper_bound(panels_.begin() + 1, panels_.end(), s,
                                      [](double x, const Panel& p) { return x < p.before; });
  const Panel& panel = *(after - 1);
  const Segment& segment = segments_[panel.segment];
  const double u = s >= length_ ? 1 : place_within(panel, s - panel.before);
  PathFrame frame;
  frame.position = segment.at(u);
  frame.tangent = segment.direction(u);
  frame.normal = carried(panel.normal, segment.at(panel.u0), segment.direction(panel.u0),
                         frame.position, frame.tangent);
  if (closed_ && twist_ != 0) {
    const Eigen::AngleAxisd back(-twist_ * s / length_, frame.tangent);
    frame.normal = across(back * frame.normal, frame.tangent);
  }
  frame.binormal = frame.tangent.cross(frame.normal);
  return frame;
}

std::vector<double> PathShape::point_distances() const {
  std::vector<double> distances;
  for (const Panel& panel : panels_) {
    if (panel.u0 == 0) distances.push_back(panel.before);
  }
  distances.push_back(length_);
  return distances;
}

std::size_t PathShape::bytes() const {
  return sizeof *this + segments_.size() * sizeof(Segment) + panels_.size() * sizeof(Panel);
}

PathClock::PathClock(const MotionPath& path, double length)
    : momentum_(path.momentum),
      mass_(path.mass),
      v0_(path.speed),
      start_(path.start),
      stop_(std::max(path.end, path.start)) {
  const Chart& chart = path.momentum;
  const double range = chart.cycle() > 0 ? chart.cycle() : chart.last_x() - chart.first_x();
  first_x_ = chart.first_x();
  first_y_ = momentum_.evaluate(first_x_);
  const double duration = stop_ - start_;
  if (range > 0 && duration > 0) x_per_second_ = range / duration;
  s0_ = std::clamp(path.offset, 0.0, length);
  end_ = path.closed ? s0_ + path.rounds * length : length;
  fitted_ = path.fit;
  if (!fitted_) return;
  const double whole = travelled(stop_);
  // How far it would go without ever turning: against this, a whole of nearly 0 is 0.
  double most = std::abs(v0_) * duration;
  for (const ChartPoint& p : chart.points) {
    most = std::max(most, std::abs(p.y - first_y_) / mass_ * duration);
  }
  steady_ = !std::isfinite(whole) || !(std::abs(whole) > 1e-9 * most);
  if (!steady_) scale_ = (end_ - s0_) / whole;
  if (!std::isfinite(scale_)) steady_ = true;
}

double PathClock::travelled(double t) const {
  const double since = t - start_;
  double pushed = 0;
  if (x_per_second_ > 0) {
    const double x = first_x_ + since * x_per_second_;
    pushed = momentum_.integral(first_x_, x) / x_per_second_ - first_y_ * since;
  }
  return v0_ * since + pushed / mass_;
}

double PathClock::distance(double t) const {
  if (!(t > start_)) return s0_;
  if (t >= stop_ && fitted_) return end_;
  t = std::min(t, stop_);
  if (steady_) return s0_ + (end_ - s0_) * (t - start_) / (stop_ - start_);
  const double s = s0_ + scale_ * travelled(t);
  return std::isfinite(s) ? s : s0_;
}

double PathClock::speed(double t) const {
  if (!(t >= start_ && t <= stop_) || !(stop_ > start_)) return 0;
  if (steady_) return (end_ - s0_) / (stop_ - start_);
  const double x = first_x_ + (t - start_) * x_per_second_;
  const double v = scale_ * (v0_ + (momentum_.evaluate(x) - first_y_) / mass_);
  return std::isfinite(v) ? v : 0;
}

double PathClock::done(double t) const {
  const double whole = end_ - s0_;
  if (!(std::abs(whole) > 0)) return t >= stop_ ? 1 : 0;
  return std::clamp((distance(t) - s0_) / whole, 0.0, 1.0);
}

PathMotion::PathMotion(const MotionPath& path)
    : shape_(path.points.list, path.curve, path.closed), clock_(path, shape_.length()) {}

}  // namespace sinew::kernels
