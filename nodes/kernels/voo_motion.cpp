#include "nodes/kernels/voo_motion.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>

#include "nodes/kernels/creep.h"
#include "nodes/kernels/motion_path.h"
#include "nodes/kernels/restoration.h"
#include "nodes/kernels/voo_articulate.h"
#include "nodes/kernels/voo_carry.h"
#include "nodes/kernels/voo_frame.h"

namespace sinew::kernels {

namespace {

using Matrix = Eigen::Matrix3d;

// A pin as things that can be added: differences of pins are pins, too.
struct Pin {
  Vec3d head{0, 0, 0}, vector{0, 0, 0};
  double twist = 0;

  VooPose pose() const { return {head, head + vector, twist}; }
  Pin operator-(const Pin& b) const { return {head - b.head, vector - b.vector, twist - b.twist}; }
  Pin operator+(const Pin& b) const { return {head + b.head, vector + b.vector, twist + b.twist}; }
  Pin operator*(double s) const { return {s * head, s * vector, s * twist}; }
};

Pin pin_of(const VooPose& pose) { return {pose.head, pose.vector(), pose.twist}; }

// So far a pin swings back towards its head freely, and so far at most, as parts of its length.
constexpr double free_swing = 0.5, most_swing = 0.9;

// The frames of so many pins that are joined are carried along; those of more follow from where the
// pins are alone, since all of them would have to be found at many moments.
constexpr std::size_t most_carried = 256;
// Motions that began earlier are carried along from here, seconds.
constexpr double earliest_begin = -60;

// From 1 to 0 with no speed at its ends.
double fade(double x) {
  const double u = std::clamp(x, 0.0, 1.0);
  return 1 - u * u * (3 - 2 * u);
}

struct Drive {
  VooQuantity what;
  ChartPieces chart, by;
  double at(double s) const { return chart.evaluate(s) * by.evaluate(s); }
};

struct Travel {
  VooCarried carried;
  bool on_path;
  std::shared_ptr<const PathMotion> motion;
  Vec3d start;
};

// From a moment on: see the header.
struct Span {
  double from = 0;
  bool held = true;
  Pin deviation;
  std::optional<Restoration> swing;
  double catching = 0;
  const VooPull* pull = nullptr;
};

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

// One operator, apart from the others.
class Member {
 public:
  Member(const VooMember& from, std::span<const std::shared_ptr<const PathMotion>> paths)
      : from_(from), rest_(pin_of(from.voo.rest)) {
    for (const VooDrive& drive : from.drives) {
      drives_.push_back({drive.what, ChartPieces(drive.chart), ChartPieces(drive.by)});
      field_varies_ |= (drive.what == VooQuantity::flexibility ||
                        drive.what == VooQuantity::weight || drive.what == VooQuantity::locality) &&
                       (drive.chart.points.size() > 1 || drive.by.points.size() > 1);
    }
    for (std::size_t i = 0; i < from.travels.size(); ++i) {
      const VooTravel& travel = from.travels[i];
      travels_.push_back(
          {travel.carried, travel.on_path, paths[i], paths[i]->at(travel.path.start).position});
    }
    if (from.stuff) make_spans(*from.stuff);
  }

  Pin pin(double t) const {
    const Span* span = span_at(t);
    if (!span) return led(t);
    return span->pull ? pulled(*span, t) : free_or_led(*span, t);
  }

  VooCoefficients coefficients(double t) const {
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

  VooStrainState state(double t) const {
    VooStrainState now;
    const Span* span = span_at(t);
    if (!from_.stuff) return now;
    const ChartPieces stress(from_.stuff->material.stress);
    const Pin away = pin(t) - rest_;
    now.strain = strain_of(away);
    now.stress = stress.evaluate(now.strain);
    if (!span) return now;
    if (span->pull) {
      now.phase = VooPhase::pulled;
    } else if (span->swing) {
      const Restoration& swing = *span->swing;
      const double tau = t - span->from;
      now.phase = tau < swing.duration() ? VooPhase::swings : VooPhase::settled;
      now.strain = swing.released() * eased(swing.share(tau), *span, rest_);
      now.permanent = swing.released() * eased(swing.share(swing.duration()), *span, rest_);
      now.broken = swing.kind() == RestorationKind::broken;
      const double way = swing.released() - swing.permanent();
      now.stress =
          way > 0 ? stress.evaluate(swing.released()) * (now.strain - swing.permanent()) / way : 0;
    }
    return now;
  }

  bool field_varies() const { return field_varies_; }

  // Whether it may go so far from its direction at rest that its frame has to be carried along.
  bool may_turn_over() const {
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

  // Moments at which the pin's motion may bend.
  void add_breaks(std::vector<double>& breaks) const {
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

 private:
  static double greatest(const Chart& chart) {
    double most = 0;
    for (const ChartPoint& p : chart.points) most = std::max(most, std::abs(p.y));
    return most;
  }

  static double* number_of(VooCoefficients& c, VooQuantity what) {
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
  static VooCoefficients limited(VooCoefficients c) {
    for (double* wide :
         {&c.elongation, &c.flexibility, &c.locality, &c.torsion, &c.shear[0], &c.shear[1]}) {
      *wide = std::clamp(*wide, -1e3, 1e3);
    }
    for (double* above : {&c.volume, &c.cross_section, &c.weight}) {
      *above = std::clamp(*above, 1e-3, 1e3);
    }
    return c;
  }

  double strain_of(const Pin& away) const {
    return std::hypot(away.vector.norm() / rest_.vector.norm(), away.twist);
  }

  Pin led(double t) const {
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
    Pin pin{head, tip - head, twist};
    if (aim && (*aim - head).norm() > 0) {
      pin.vector = pin.vector.norm() * (*aim - head).normalized();
    }
    return pin;
  }

  void carry(const Travel& travel, double s, Vec3d& head, Vec3d& tip,
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

  Pin base(double t, bool held) const {
    Pin pin = led(t);
    if (held) return pin;
    return {pin.head, rest_.vector, rest_.twist};
  }

  // Of a share of the deviation, what the pin takes: see the header.
  static double eased(double share, const Span& span, const Pin& to) {
    const double length = to.vector.norm();
    const double out = length > 0 ? span.deviation.vector.dot(to.vector) / length : 0;
    const double part = length > 0 ? -share * out / length : 0;
    if (!(share < 0 && part > free_swing)) return share;
    const double room = most_swing - free_swing;
    return -(most_swing - room * std::exp(-(part - free_swing) / room)) * length / out;
  }

  Pin free_or_led(const Span& span, double t) const {
    const Pin to = base(t, span.held);
    return to + span.deviation * eased(share(span, t), span, to);
  }

  double share(const Span& span, double t) const {
    const double tau = t - span.from;
    if (span.swing) return span.swing->share(tau);
    if (from_.stuff->goes_on) return 1;
    return span.catching > 0 ? fade(tau / span.catching) : 0;
  }

  // The end in the hand is where the hand is; the other one goes on as it was going.
  Pin pulled(const Span& span, double t) const {
    const Span* before = &span == spans_.data() ? nullptr : &span - 1;
    Pin pin = !before ? led(t) : before->pull ? base(t, span.held) : free_or_led(*before, t);
    const Vec3d at = place_at(*span.pull, t);
    if (span.pull->end == VooEnd::tip) {
      pin.vector = at - pin.head;
    } else {
      pin.vector = pin.head + pin.vector - at;
      pin.head = at;
    }
    return pin;
  }

  const Span* span_at(double t) const {
    const auto after = std::upper_bound(spans_.begin(), spans_.end(), t,
                                        [](double x, const Span& s) { return x < s.from; });
    return after == spans_.begin() ? nullptr : &*(after - 1);
  }

  struct Event {
    double at;
    enum class Kind : uint8_t { hold, let_go, pull, release } kind;
    const VooPull* pull = nullptr;
  };

  std::vector<Event> events_of(const VooStuff& stuff) const {
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
  void make_spans(const VooStuff& stuff) {
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
        span.swing.emplace(stuff.material, strain_of(span.deviation), event.at - since);
      }
      spans_.push_back(std::move(span));
    }
  }

  const VooMember& from_;
  Pin rest_;
  std::vector<Drive> drives_;
  std::vector<Travel> travels_;
  std::vector<Span> spans_;
  bool field_varies_ = false;
};

// A constraint over time, compiled.
struct Guide {
  VooKept what;
  ChartPieces on;
  std::vector<ChartPieces> value;

  explicit Guide(const VooGuide& from) : what(from.what), on(from.on) {
    for (const Chart& chart : from.value) value.emplace_back(chart);
  }

  void apply(double t, const VooPose& rest, VooConstraint& to) const {
    if (!(on.evaluate(t) >= 0.5)) return;
    if (what == VooKept::length) {
      const double length = value[0].evaluate(t);
      to.length = length > 0 ? length : rest.vector().norm();
      return;
    }
    const Vec3d v(value[0].evaluate(t), value[1].evaluate(t), value[2].evaluate(t));
    if (what == VooKept::head) to.head = v;
    if (what == VooKept::tip) to.tip = v;
    if (what == VooKept::direction) to.direction = v.isZero(0) ? rest.vector() : v;
    if (what == VooKept::aim) to.aim = v;
  }
};

void add_breaks(const Chart& chart, std::vector<double>& breaks) {
  for (const ChartPoint& p : chart.points) breaks.push_back(p.x);
}

bool is_zero(const Chart& chart) {
  return std::all_of(chart.points.begin(), chart.points.end(),
                     [](const ChartPoint& p) { return p.y == 0; }) &&
         chart.tangents.empty();
}

}  // namespace

struct VooMotion::Parts {
  struct Tie {
    std::vector<ChartPieces> move;
    std::shared_ptr<const PathMotion> path;
  };

  VooSet set;
  std::vector<Member> members;
  std::vector<std::vector<Guide>> guides;  // by member
  std::vector<Tie> ties;
  std::vector<VooPose> rest;
  bool articulated = false;
  // By member; empty where nothing creeps.
  std::vector<std::unique_ptr<const CreepIntegral>> creep;
  // One for all where they are joined, else by member; none where the frame follows from the
  // direction alone.
  std::vector<std::unique_ptr<const VooCarry>> carry;
  CancelView while_made;  // nobody waits for it later
  // Members that were made from one pattern travel on one path.
  std::vector<std::pair<const MotionPath*, std::shared_ptr<const PathMotion>>> paths;

  std::shared_ptr<const PathMotion> motion_of(const MotionPath& path) {
    for (const auto& [known, motion] : paths) {
      if (*known == path) return motion;
    }
    paths.emplace_back(&path, std::make_shared<const PathMotion>(path));
    return paths.back().second;
  }

  void compile() {
    members.reserve(set.size());
    for (const VooMember& member : set.members) {
      while_made.check();
      std::vector<std::shared_ptr<const PathMotion>> of;
      for (const VooTravel& travel : member.travels) of.push_back(motion_of(travel.path));
      members.emplace_back(member, of);
      guides.emplace_back(member.guides.begin(), member.guides.end());
      rest.push_back(member.voo.rest);
    }
    for (const VooTie& tie : set.ties) {
      Tie made;
      if (tie.move) {
        for (const Chart& chart : *tie.move) made.move.emplace_back(chart);
      }
      if (tie.path) made.path = motion_of(*tie.path);
      ties.push_back(std::move(made));
    }
    articulated = set.is_articulated();
  }

  // The constraints of one at a time.
  VooConstraint constraint(std::size_t i, double t) const {
    VooConstraint now = set.members[i].constraint;
    for (const Guide& guide : guides[i]) guide.apply(t, rest[i], now);
    return now;
  }

  Articulation articulation(double t) const {
    Articulation now;
    for (std::size_t i = 0; i < ties.size(); ++i) {
      now.arthra.push_back(set.ties[i].arthron);
      std::optional<Vec3d>& place = now.arthra.back().place;
      if (ties[i].path) place = ties[i].path->at(t).position;
      for (int k = 0; k < static_cast<int>(ties[i].move.size()) && place; ++k) {
        (*place)[k] += ties[i].move[static_cast<std::size_t>(k)].evaluate(t);
      }
    }
    for (std::size_t i = 0; i < set.size(); ++i) now.constraints.push_back(constraint(i, t));
    return now;
  }

  std::vector<VooPose> poses(double t, double* gap) const {
    std::vector<VooPose> list;
    list.reserve(members.size());
    for (const Member& member : members) list.push_back(member.pin(t).pose());
    double left = 0;
    if (articulated) left = articulate(articulation(t), rest, list).gap;
    if (gap) *gap = left;
    return list;
  }

  VooPose pose(std::size_t i, double t) const {
    if (!ties.empty()) return poses(t, nullptr)[i];
    VooPose pose = members[i].pin(t).pose();
    if (const VooConstraint now = constraint(i, t); now.any()) {
      constrain_pose(now, rest[i], pose);
    }
    return pose;
  }

  Voo voo(std::size_t i, double t) const {
    Voo now = set.members[i].voo;
    now.coefficients = members[i].coefficients(t);
    return now;
  }

  double spin(std::size_t i, double t, const VooPose& now) const {
    if (carry.empty()) return 0;
    const bool joined = !ties.empty();
    const VooCarry* const of = carry[joined ? 0 : i].get();
    return of ? of->spin(joined ? i : 0, t, direction_of(rest[i], now)) : 0;
  }

  Matrix deformation(std::size_t i, double t) const {
    const VooPose now = pose(i, t);
    return deformation_at(voo(i, t), now, spin(i, t, now));
  }

  // When anything of it bends: all that moves the pins `which`.
  std::vector<double> breaks_of(std::span<const std::size_t> which) const {
    std::vector<double> breaks;
    for (const std::size_t i : which) {
      members[i].add_breaks(breaks);
      for (const VooGuide& guide : set.members[i].guides) {
        add_breaks(guide.on, breaks);
        for (const Chart& chart : guide.value) add_breaks(chart, breaks);
      }
    }
    for (const VooTie& tie : set.ties) {
      if (tie.path) breaks.insert(breaks.end(), {tie.path->start, tie.path->end});
      if (!tie.move) continue;
      for (const Chart& chart : *tie.move) add_breaks(chart, breaks);
    }
    return breaks;
  }

  void prepare_carry() {
    std::vector<std::size_t> all(set.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
    if (!ties.empty()) {
      if (set.size() <= most_carried) carry.push_back(carry_of(all));
      return;
    }
    for (const std::size_t i : all) {
      const bool over =
          members[i].may_turn_over() || set.members[i].constraint.any() || !guides[i].empty();
      carry.push_back(over ? carry_of({&i, 1}) : nullptr);
    }
  }

  std::unique_ptr<const VooCarry> carry_of(std::span<const std::size_t> which) const {
    std::vector<Matrix> frames;
    for (const std::size_t i : which) frames.push_back(rest_frame(rest[i]));
    double begin = 0;
    for (const double t : breaks_of(which)) begin = std::min(begin, t);
    const std::size_t only = which.front();
    return std::make_unique<const VooCarry>(std::move(frames), std::max(begin, earliest_begin),
                                            [this, only](double t, std::span<Vec3d> u) {
                                              if (ties.empty()) {
                                                u[0] = direction_of(rest[only], pose(only, t));
                                                return;
                                              }
                                              const std::vector<VooPose> now = poses(t, nullptr);
                                              for (std::size_t i = 0; i < now.size(); ++i)
                                                u[i] = direction_of(rest[i], now[i]);
                                            });
  }

  void integrate_creep() {
    creep.resize(set.size());
    std::vector<std::size_t> everyone(ties.empty() ? 0 : set.size());
    for (std::size_t i = 0; i < everyone.size(); ++i) everyone[i] = i;
    const std::vector<double> all = breaks_of(everyone);
    for (std::size_t i = 0; i < set.size(); ++i) {
      const VooStuff* stuff = set.members[i].stuff.get();
      if (!stuff || stuff->material.viscosity == 0 || is_zero(stuff->material.gradient)) continue;
      const std::vector<double> breaks = ties.empty() ? breaks_of({&i, 1}) : all;
      const double begin = stuff->creep_start + set.members[i].delay;
      creep[i] = std::make_unique<const CreepIntegral>(
          stuff->material.creep, stuff->material.creep_duration, begin,
          [this, i](double t) {
            while_made.check();
            return deformation(i, t);
          },
          breaks, ties.empty() ? 1e-10 : 1e-8);
    }
  }
};

VooMotion::VooMotion(VooSet set, CancelView stop) {
  auto parts = std::make_shared<Parts>();
  parts->set = std::move(set);
  parts->while_made = stop;
  parts->compile();
  parts->prepare_carry();
  parts->integrate_creep();
  parts->while_made = {};
  parts_ = std::move(parts);
}

const VooSet& VooMotion::set() const { return parts_->set; }

std::vector<VooPose> VooMotion::poses(double t, double* gap) const { return parts_->poses(t, gap); }

VooPose VooMotion::pose(std::size_t member, double t) const { return parts_->pose(member, t); }

Voo VooMotion::voo(std::size_t member, double t) const { return parts_->voo(member, t); }

bool VooMotion::field_varies(std::size_t member) const {
  return parts_->members[member].field_varies();
}

double VooMotion::spin(std::size_t member, double t, const VooPose& now) const {
  return parts_->spin(member, t, now);
}

bool VooMotion::creeps(std::size_t member) const { return parts_->creep[member] != nullptr; }

VooMemory VooMotion::memory(std::size_t member, double t) const {
  const CreepIntegral* integral = parts_->creep[member].get();
  if (!integral) return {};
  const VooStuff& stuff = *set().members[member].stuff;
  if (t < stuff.creep_start + set().members[member].delay) return {};
  return {stuff.material.viscosity, stuff.material.creep_coefficient, integral->at(t),
          integral->start()};
}

VooStrainState VooMotion::state(std::size_t member, double t) const {
  return parts_->members[member].state(t);
}

std::vector<Vec3d> VooMotion::arthra(double t, std::span<const VooPose> poses) const {
  const Articulation now = parts_->articulation(t);
  std::vector<Vec3d> places;
  for (const VooArthron& arthron : now.arthra) {
    Vec3d sum(0, 0, 0);
    for (const VooJoint& j : arthron.joints) {
      sum += j.end == VooEnd::tip ? poses[j.voo].tip : poses[j.voo].head;
    }
    const bool held = arthron.fixed && arthron.place;
    const double count = static_cast<double>(std::max<std::size_t>(arthron.joints.size(), 1));
    places.push_back(held ? *arthron.place : Vec3d(sum / count));
  }
  return places;
}

std::size_t VooMotion::bytes() const {
  std::size_t sum = 3 * byte_size(set()) + sizeof(Parts);
  for (const auto& integral : parts_->creep) {
    if (integral) sum += integral->panel_count() * 11 * sizeof(double);
  }
  return sum;
}

std::optional<VooGrip> grip_at(const VooMotion& motion, double t, const Vec3d& place,
                               std::span<const std::size_t> among) {
  const std::vector<VooPose> poses = motion.poses(t);
  std::optional<VooGrip> best;
  double least = std::numeric_limits<double>::infinity();
  for (const std::size_t i : among) {
    for (const VooEnd end : {VooEnd::tip, VooEnd::head}) {
      const Vec3d at = end == VooEnd::tip ? poses[i].tip : poses[i].head;
      const double distance = (at - place).norm();
      if (!(distance < least)) continue;
      least = distance;
      best = VooGrip{i, end, at};
    }
  }
  return best;
}

}  // namespace sinew::kernels
