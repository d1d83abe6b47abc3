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
#include "nodes/kernels/voo_lone.h"

namespace sinew::kernels {

namespace {

using Matrix = Eigen::Matrix3d;

// Motions that began earlier are carried along from here, seconds.
constexpr double earliest_begin = -60;

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
  std::vector<LoneVoo> members;
  std::vector<std::vector<Guide>> guides;  // by member
  std::vector<Tie> ties;
  std::vector<VooPose> rest;
  bool articulated = false;
  // By member; empty where nothing creeps.
  std::vector<std::unique_ptr<const CreepIntegral>> creep;
  // The place of each member among those that are joined; -1: it is in no arthron.
  std::vector<int> place_in_joined;
  std::vector<std::size_t> joined;
  // One for all that are joined, and by member for the others; none where the frame follows from
  // the direction alone.
  std::unique_ptr<const VooCarry> carry_of_joined;
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
    find_joined();
  }

  void find_joined() {
    place_in_joined.assign(set.size(), -1);
    for (const VooTie& tie : set.ties) {
      for (const VooJoint& j : tie.arthron.joints) place_in_joined[j.voo] = 0;
    }
    for (std::size_t i = 0; i < set.size(); ++i) {
      if (place_in_joined[i] < 0) continue;
      place_in_joined[i] = static_cast<int>(joined.size());
      joined.push_back(i);
    }
  }

  // The constraints of one at a time.
  VooConstraint constraint(std::size_t i, double t) const {
    VooConstraint now = set.members[i].constraint;
    for (const Guide& guide : guides[i]) guide.apply(t, rest[i], now);
    return now;
  }

  // Arthra without constraints.
  Articulation arthra_at(double t) const {
    Articulation now;
    for (std::size_t i = 0; i < ties.size(); ++i) {
      now.arthra.push_back(set.ties[i].arthron);
      std::optional<Vec3d>& place = now.arthra.back().place;
      if (ties[i].path) place = ties[i].path->at(t).position;
      for (int k = 0; k < static_cast<int>(ties[i].move.size()) && place; ++k) {
        (*place)[k] += ties[i].move[static_cast<std::size_t>(k)].evaluate(t);
      }
    }
    return now;
  }

  // Brings together where the pins are on their own.
  double bring_together(double t, std::span<VooPose> list) const {
    if (!articulated) return 0;
    Articulation now = arthra_at(t);
    for (std::size_t i = 0; i < set.size(); ++i) now.constraints.push_back(constraint(i, t));
    return articulate(now, rest, list).gap;
  }

  std::vector<VooPose> own_poses(double t) const {
    std::vector<VooPose> list;
    list.reserve(members.size());
    for (const LoneVoo& member : members) list.push_back(member.pin(t).pose());
    return list;
  }

  std::vector<VooPose> poses(double t, double* gap) const {
    std::vector<VooPose> list = own_poses(t);
    const double left = bring_together(t, list);
    if (gap) *gap = left;
    return list;
  }

  // Of one that is at `own` on its own.
  VooPose pose_from(std::size_t i, double t, VooPose own) const {
    if (!ties.empty()) {
      std::vector<VooPose> list = own_poses(t);
      list[i] = own;
      bring_together(t, list);
      return list[i];
    }
    if (const VooConstraint now = constraint(i, t); now.any()) {
      constrain_pose(now, rest[i], own);
    }
    return own;
  }

  VooPose pose(std::size_t i, double t) const {
    if (!ties.empty()) return poses(t, nullptr)[i];
    return pose_from(i, t, members[i].pin(t).pose());
  }

  VooStrainState state(std::size_t i, double t) const {
    VooStrainState now;
    if (!set.members[i].stuff) return now;
    const LoneVoo::Span* span = members[i].span_at(t);
    now.strain = members[i].strain(pose(i, t), span);
    const Chart& chart = set.members[i].stuff->material.stress;
    now.stress = (now.strain < 0 ? -1 : 1) * chart.evaluate(std::abs(now.strain));
    if (!span) return now;
    if (const auto rests = members[i].rest_of(*span, t)) {
      now.permanent = members[i].strain(pose_from(i, rests->at, rests->pin.pose()), span);
    }
    if (span->pull) now.phase = VooPhase::pulled;
    if (!span->swing) return now;
    const Restoration& swing = *span->swing;
    now.phase = t - span->from < swing.duration() ? VooPhase::swings : VooPhase::settled;
    now.broken = swing.kind() == RestorationKind::broken;
    if (span->held) return now;
    const double side = members[i].strain(members[i].pin(span->from).pose(), span) < 0 ? -1 : 1;
    const double way = swing.released() - swing.permanent();
    const double part = way > 0 ? (side * now.strain - swing.permanent()) / way : 0;
    now.stress = side * chart.evaluate(swing.released()) * part;
    return now;
  }

  Voo voo(std::size_t i, double t) const {
    Voo now = set.members[i].voo;
    now.coefficients = members[i].coefficients(t);
    return now;
  }

  double spin(std::size_t i, double t, const VooPose& now) const {
    if (carry.empty()) return 0;  // it is not known yet
    const bool is_joined = place_in_joined[i] >= 0;
    const VooCarry* const of = is_joined ? carry_of_joined.get() : carry[i].get();
    const auto place = static_cast<std::size_t>(is_joined ? place_in_joined[i] : 0);
    return of ? of->spin(place, t, direction_of(rest[i], now)) : 0;
  }

  Matrix deformation(std::size_t i, double t) const {
    const VooPose now = pose(i, t);
    return deformation_at(voo(i, t), now, spin(i, t, now));
  }

  // When the motion of these pins bends by their own doing.
  std::vector<double> own_breaks_of(std::span<const std::size_t> which) const {
    std::vector<double> breaks;
    for (const std::size_t i : which) {
      members[i].add_breaks(breaks);
      for (const VooGuide& guide : set.members[i].guides) {
        add_breaks(guide.on, breaks);
        for (const Chart& chart : guide.value) add_breaks(chart, breaks);
      }
    }
    return breaks;
  }

  // When anything bends that moves them.
  std::vector<double> breaks_of(std::span<const std::size_t> which) const {
    std::vector<double> breaks = own_breaks_of(which);
    for (const VooTie& tie : set.ties) {
      if (tie.path) breaks.insert(breaks.end(), {tie.path->start, tie.path->end});
      if (!tie.move) continue;
      for (const Chart& chart : *tie.move) add_breaks(chart, breaks);
    }
    return breaks;
  }

  void prepare_carry() {
    if (!joined.empty() && joined.size() <= most_carried) {
      carry_of_joined =
          carry_of(joined, [this](double t, std::span<Vec3d> u) { aim_joined(t, u); });
    }
    std::vector<std::unique_ptr<const VooCarry>> each(set.size());
    for (std::size_t i = 0; i < set.size(); ++i) {
      if (place_in_joined[i] >= 0) continue;
      const bool over =
          members[i].may_turn_over() || set.members[i].constraint.any() || !guides[i].empty();
      if (!over) continue;
      each[i] = carry_of({&i, 1}, [this, i](double t, std::span<Vec3d> u) {
        VooPose now = members[i].pin(t).pose();
        if (const VooConstraint c = constraint(i, t); c.any()) constrain_pose(c, rest[i], now);
        u[0] = direction_of(rest[i], now);
      });
    }
    carry = std::move(each);
  }

  // Where those that are joined point to. Those that are not have no part in it.
  void aim_joined(double t, std::span<Vec3d> u) const {
    Articulation now = arthra_at(t);
    for (VooArthron& arthron : now.arthra) {
      for (VooJoint& j : arthron.joints) j.voo = static_cast<uint32_t>(place_in_joined[j.voo]);
    }
    std::vector<VooPose> list, rests;
    for (const std::size_t i : joined) {
      now.constraints.push_back(constraint(i, t));
      list.push_back(members[i].pin(t).pose());
      rests.push_back(rest[i]);
    }
    articulate(now, rests, list);
    for (std::size_t k = 0; k < list.size(); ++k) u[k] = direction_of(rests[k], list[k]);
  }

  std::unique_ptr<const VooCarry> carry_of(std::span<const std::size_t> which,
                                           VooCarry::DirectionsAt directions) const {
    std::vector<Matrix> frames;
    for (const std::size_t i : which) frames.push_back(rest_frame(rest[i]));
    double begin = 0;
    const bool alone = place_in_joined[which.front()] < 0;
    const std::vector<double> breaks = alone ? own_breaks_of(which) : breaks_of(which);
    for (const double t : breaks) begin = std::min(begin, t);
    return std::make_unique<const VooCarry>(std::move(frames), std::max(begin, earliest_begin),
                                            std::move(directions));
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

bool VooMotion::carries(std::size_t member) const {
  return parts_->place_in_joined[member] < 0 || parts_->carry_of_joined;
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
  return parts_->state(member, t);
}

std::vector<Vec3d> VooMotion::arthra(double t, std::span<const VooPose> poses) const {
  const Articulation now = parts_->arthra_at(t);
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
