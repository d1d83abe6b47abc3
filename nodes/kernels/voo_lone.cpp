#include "nodes/kernels/voo_lone.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sinew::kernels {

namespace {

// From 1 to 0 with no speed at its ends.
double fade(double x) {
  const double u = std::clamp(x, 0.0, 1.0);
  return 1 - u * u * (3 - 2 * u);
}

Vec3d place_at(const VooPull& pull, double t) {
  const auto& list = pull.places;
  const auto after = std::upper_bound(list.begin(), list.end(), t,
                                      [](double x, const auto& p) { return x < p.first; });
  if (after == list.begin()) return list.front().second;
  if (after == list.end()) return list.back().second;
  const auto& a = *(after - 1);
  const auto& b = *after;
  return a.second + (t - a.first) / (b.first - a.first) * (b.second - a.second);
}

double greatest(const Chart& chart) {
  double most = 0;
  for (const ChartPoint& p : chart.points) most = std::max(most, std::abs(p.y));
  return most;
}

double* number_of(VooCoefficients& c, VooQuantity what) {
  switch (what) {
    case VooQuantity::elongation:
      return &c.elongation;
    case VooQuantity::volume:
      return &c.volume;
    case VooQuantity::cross_section:
      return &c.cross_section;
    case VooQuantity::flexibility:
      return &c.flexibility;
    case VooQuantity::weight:
      return &c.weight;
    case VooQuantity::torsion:
      return &c.torsion;
    case VooQuantity::locality:
      return &c.locality;
    case VooQuantity::shear_v:
      return &c.shear[0];
    case VooQuantity::shear_w:
      return &c.shear[1];
    default:
      return nullptr;
  }
}

// Charts may lead beyond the limits that operators have.
VooCoefficients limited(VooCoefficients c) {
  for (double* wide :
       {&c.elongation, &c.flexibility, &c.locality, &c.torsion, &c.shear[0], &c.shear[1]}) {
    *wide = std::clamp(*wide, -1e3, 1e3);
  }
  for (double* above : {&c.volume, &c.cross_section, &c.weight}) {
    *above = std::clamp(*above, 1e-3, 1e3);
  }
  return c;
}

// Of a share of a deviation from `to`, what the pin takes: it never goes through its own head.
double eased(double share, const VooPin& deviation, const VooPin& to) {
  const double length = to.vector.norm();
  const double out = length > 0 ? deviation.vector.dot(to.vector) / length : 0;
  if (!(share < 0 && out > 0)) return share;
  const double part = share * out / length, takes = eased_strain(part);
  return takes == part ? share : takes * length / out;
}

}  // namespace

LoneVoo::LoneVoo(const VooMember& from, std::span<const std::shared_ptr<const PathMotion>> paths)
    : from_(from), rest_(pin_of(from.voo.rest)) {
  for (const VooDrive& drive : from.drives) {
    drives_.push_back({drive.what, ChartPieces(drive.chart), ChartPieces(drive.by)});
    field_varies_ |= (drive.what == VooQuantity::flexibility || drive.what == VooQuantity::weight ||
                      drive.what == VooQuantity::locality) &&
                     (drive.chart.points.size() > 1 || drive.by.points.size() > 1);
  }
  for (std::size_t i = 0; i < from.travels.size(); ++i) {
    const VooTravel& travel = from.travels[i];
    travels_.push_back(
        {travel.carried, travel.on_path, paths[i], paths[i]->at(travel.path.start).position});
  }
  if (from.stuff) make_spans(*from.stuff);
}

VooPin LoneVoo::pin(double t) const {
  const Span* span = span_at(t);
  if (!span) return led(t);
  return span->pull ? pulled(*span, t) : free_or_led(*span, t);
}

VooCoefficients LoneVoo::coefficients(double t) const {
  VooCoefficients c = from_.voo.coefficients;
  const double s = t - from_.delay;
  for (const Drive& drive : drives_) {
    double* const number = number_of(c, drive.what);
    if (!number) continue;
    const double value = drive.at(s);
    *number = is_factor(drive.what) ? *number * value : *number + value;
  }
  return limited(c);
}

// The strain without its sign.
double LoneVoo::size_of(const VooPin& away) const {
  return std::hypot(away.vector.norm() / rest_.vector.norm(), away.twist);
}

// Whether its tip has come nearer to its head more than it has gone across, or is twisted.
bool LoneVoo::is_pressed(const VooPin& away) const {
  return away.vector.dot(rest_.vector) / rest_.vector.squaredNorm() <
         -size_of(away) / std::numbers::sqrt2;
}

double LoneVoo::strain(const VooPose& at, const Span* span) const {
  const VooPin away = pin_of(at) - rest_;
  bool is_below = is_pressed(away);
  if (span && span->swing && !span->held) {  // it swings about its rest
    const VooPin& out = span->deviation;
    const double along = away.vector.dot(out.vector) / rest_.vector.squaredNorm();
    is_below = (along + away.twist * out.twist < 0) != is_pressed(out);
  }
  return is_below ? 0 - size_of(away) : size_of(away);  // no strain is 0, not -0
}

std::optional<LoneVoo::Rest> LoneVoo::rest_of(const Span& span, double t) const {
  if (span.pull) return std::nullopt;
  if (span.swing) {
    const double at = std::max(t, span.from + span.swing->duration());
    const double left = eased(share(span, at), span.deviation, base(at, span.held));
    return Rest{at, base(at, false) + span.deviation * left};
  }
  if (!from_.stuff->goes_on) return std::nullopt;
  return Rest{t, base(t, false) + span.deviation};
}

bool LoneVoo::may_turn_over() const {
  if (!from_.travels.empty() || (from_.stuff && !from_.stuff->pulls.empty())) return true;
  double reach = 0;
  for (const VooDrive& drive : from_.drives) {
    if (drive.what > VooQuantity::tip_z) continue;
    if (!drive.chart.tangents.empty() || !drive.by.tangents.empty()) return true;
    reach += greatest(drive.chart) * greatest(drive.by);
  }
  // What swings back may be added to what leads it.
  return (from_.stuff ? 2 : 1) * reach * from_.turn.norm() >= rest_.vector.norm();
}

void LoneVoo::add_breaks(std::vector<double>& breaks) const {
  for (const VooDrive& drive : from_.drives) {
    for (const Chart* chart : {&drive.chart, &drive.by}) {
      for (const ChartPoint& p : chart->points) breaks.push_back(p.x + from_.delay);
    }
  }
  for (const VooTravel& travel : from_.travels) {
    for (const double t : {travel.path.start, travel.path.end}) breaks.push_back(t + from_.delay);
    const double range = travel.path.end - travel.path.start;
    const Chart& momentum = travel.path.momentum;
    const double width = momentum.last_x() - momentum.first_x();
    for (const ChartPoint& p : momentum.points) {
      if (!(width > 0)) break;
      breaks.push_back(travel.path.start + range * (p.x - momentum.first_x()) / width +
                       from_.delay);
    }
  }
  for (const Span& span : spans_) {
    breaks.push_back(span.from);
    if (span.swing) breaks.push_back(span.from + span.swing->duration());
    if (span.catching > 0) breaks.push_back(span.from + span.catching);
    if (!span.pull) continue;
    for (const auto& [t, place] : span.pull->places) breaks.push_back(t);
  }
}

VooPin LoneVoo::led(double t) const {
  const double s = t - from_.delay;
  Vec3d head_way(0, 0, 0), tip_way(0, 0, 0);
  double twist = rest_.twist;
  const double sense = from_.turn.determinant() < 0 ? -1 : 1;  // a mirror turns twists round
  for (const Drive& drive : drives_) {
    const auto what = static_cast<int>(drive.what);
    if (what <= static_cast<int>(VooQuantity::head_z)) {
      head_way[what] += drive.at(s);
    } else if (what <= static_cast<int>(VooQuantity::tip_z)) {
      tip_way[what - static_cast<int>(VooQuantity::tip_x)] += drive.at(s);
    } else if (drive.what == VooQuantity::twist) {
      twist += sense * drive.at(s);
    }
  }
  Vec3d head = rest_.head + from_.turn * head_way;
  Vec3d tip = rest_.head + rest_.vector + from_.turn * tip_way;
  std::optional<Vec3d> aim;
  for (const Travel& travel : travels_) carry(travel, s, head, tip, aim);
  VooPin pin{head, tip - head, twist};
  if (aim && (*aim - head).norm() > 0) {
    pin.vector = pin.vector.norm() * (*aim - head).normalized();
  }
  return pin;
}

void LoneVoo::carry(const Travel& travel, double s, Vec3d& head, Vec3d& tip,
                    std::optional<Vec3d>& aim) const {
  const Vec3d at = travel.motion->at(s).position;
  const Vec3d way = from_.turn * (at - travel.start);
  switch (travel.carried) {
    case VooCarried::head:
      head = travel.on_path ? at : Vec3d(head + way);
      break;
    case VooCarried::tip:
      tip = travel.on_path ? at : Vec3d(tip + way);
      break;
    case VooCarried::both:
      tip = travel.on_path ? Vec3d(tip + at - head) : Vec3d(tip + way);
      head = travel.on_path ? at : Vec3d(head + way);
      break;
    case VooCarried::aim:
      aim = at;
      break;
  }
}

VooPin LoneVoo::base(double t, bool held) const {
  VooPin pin = led(t);
  if (held) return pin;
  return {pin.head, rest_.vector, rest_.twist};
}

VooPin LoneVoo::free_or_led(const Span& span, double t) const {
  const VooPin to = base(t, span.held);
  return to + span.deviation * eased(share(span, t), span.deviation, to);
}

double LoneVoo::share(const Span& span, double t) const {
  const double tau = t - span.from;
  if (span.swing) return span.swing->share(tau);
  if (from_.stuff->goes_on) return 1;
  return span.catching > 0 ? fade(tau / span.catching) : 0;
}

// The end in the hand is where the hand is; the other one goes on as it was going.
VooPin LoneVoo::pulled(const Span& span, double t) const {
  const Span* before = &span == spans_.data() ? nullptr : &span - 1;
  VooPin pin = !before ? led(t) : before->pull ? base(t, span.held) : free_or_led(*before, t);
  const Vec3d at = place_at(*span.pull, t);
  if (span.pull->end == VooEnd::tip) {
    pin.vector = at - pin.head;
  } else {
    pin.vector = pin.head + pin.vector - at;
    pin.head = at;
  }
  return pin;
}

const LoneVoo::Span* LoneVoo::span_at(double t) const {
  const auto after = std::upper_bound(spans_.begin(), spans_.end(), t,
                                      [](double x, const Span& s) { return x < s.from; });
  return after == spans_.begin() ? nullptr : &*(after - 1);
}

std::vector<LoneVoo::Event> LoneVoo::events_of(const VooStuff& stuff) const {
  std::vector<Event> events;
  for (const auto& [t, held] : stuff.hold) {
    events.push_back({t + from_.delay, held ? Event::Kind::hold : Event::Kind::let_go});
  }
  for (const VooPull& pull : stuff.pulls) {
    events.push_back({pull.places.front().first, Event::Kind::pull, &pull});
    if (pull.released) events.push_back({*pull.released, Event::Kind::release, &pull});
  }
  std::stable_sort(events.begin(), events.end(),
                   [](const Event& a, const Event& b) { return a.at < b.at; });
  return events;
}

// While a hand holds the pin, what the lead does is only noted.
void LoneVoo::make_spans(const VooStuff& stuff) {
  bool held = true, in_hand = false;
  double since = 0;  // when the stress began
  for (const Event& event : events_of(stuff)) {
    const bool was_held = held;
    if (event.kind == Event::Kind::hold || event.kind == Event::Kind::let_go) {
      held = event.kind == Event::Kind::hold;
      if (in_hand || held == was_held) continue;
    }
    Span span;
    span.from = event.at;
    span.held = held;
    if (event.kind == Event::Kind::pull) {
      in_hand = true;
      since = event.at;
      span.pull = event.pull;
      spans_.push_back(std::move(span));
      continue;
    }
    span.deviation = pin(event.at) - base(event.at, held);
    if (event.kind == Event::Kind::hold) {
      span.catching = stuff.catching;
      since = event.at;
    } else {
      in_hand = false;
      span.swing.emplace(stuff.material, size_of(span.deviation), event.at - since);
    }
    spans_.push_back(std::move(span));
  }
}

}  // namespace sinew::kernels
