// What a pin must keep to, whoever moves it. [Hurmusiadis, section 8.3.1]
#include <algorithm>

#include "nodes/voo_words.h"

namespace sinew {
namespace {

In<VooSet> voos;
In<std::string> which;
In<bool> hold_head, hold_tip, keep_length, keep_direction, aims;
In<float> length;
In<Vec3> direction, aim;
Out<VooSet> out;

void declare(Declaration& d) {
  d.id("voo.constrain", 2).label("Constrain Operators").category("VOODOO");
  d.uses_dt().uses_changes();
  d.doc(
      "What pins must keep to, whoever moves them: the place of an end, their length, their "
      "direction, or a point that they aim at. Constraints come before arthra. Since version 2 "
      "they are known at all times, so that what they make the pins do creeps as well.");
  d.upgrade([](UpgradeStep&) {});
  d.in(voos, "voos").label("Operators").doc("The operators.");
  declare_which(d, which);
  d.in(hold_head, "hold_head", false).whole_time().doc("Holds the head where it rests.");
  d.in(hold_tip, "hold_tip", false).whole_time().doc("Holds the tip where it rests.");
  d.in(keep_length, "keep_length", false)
      .whole_time()
      .doc("Keeps the length: the pin is moved and turned only.");
  d.in(length, "length", 0.0f)
      .range(0, 1e4)
      .unit("m")
      .whole_time()
      .doc("The length that is kept; 0: that at rest.");
  d.in(keep_direction, "keep_direction", false)
      .whole_time()
      .doc("Keeps the direction: the pin is moved and stretched only.");
  d.in(direction, "direction", Vec3{})
      .range(-1e4, 1e4)
      .whole_time()
      .doc("The direction that is kept; all 0: that at rest.");
  d.in(aims, "aims", false)
      .whole_time()
      .doc("Lets the pin point at 'aim', unless it keeps its direction.");
  d.in(aim, "aim", Vec3{0, 2, 0})
      .range(-1e4, 1e4)
      .unit("m")
      .whole_time()
      .doc("The point that it points at.");
  d.handle(HandleKind::point, "aim").at(aim).when(aims);
  d.out(out, "voos").label("Operators").doc("The operators, constrained.");
}

// What one of the switches says, over time.
struct Kept {
  VooKept what;
  const In<bool>* on;
  std::vector<Chart> value;  // over seconds
};

std::vector<Chart> at_rest(const Vec3d& place) {
  return {Chart::constant(place.x()), Chart::constant(place.y()), Chart::constant(place.z())};
}

std::vector<Kept> all_kept(const Exec& e, const VooPose& rest) {
  return {{VooKept::head, &hold_head, at_rest(rest.head)},
          {VooKept::tip, &hold_tip, at_rest(rest.tip)},
          {VooKept::length, &keep_length, charts_over_seconds(e, length)},
          {VooKept::direction, &keep_direction, charts_over_seconds(e, direction)},
          {VooKept::aim, &aims, charts_over_seconds(e, aim)}};
}

bool is_constant(const Chart& chart) { return is_always(chart, chart.evaluate(0)); }

// Of what is the same at all times.
void keep(VooConstraint& c, VooKept what, const std::vector<Chart>& value, const VooPose& rest) {
  if (what == VooKept::length) {
    const double given = value[0].evaluate(0);
    c.length = given > 0 ? given : rest.vector().norm();
    return;
  }
  const Vec3d v(value[0].evaluate(0), value[1].evaluate(0), value[2].evaluate(0));
  if (what == VooKept::head) c.head = v;
  if (what == VooKept::tip) c.tip = v;
  if (what == VooKept::direction) c.direction = v.isZero(0) ? rest.vector() : v;
  if (what == VooKept::aim) c.aim = v;
}

// What was said before counts, too; where both speak of one thing, the later.
void add(const Exec& e, VooMember& member) {
  for (Kept& kept : all_kept(e, member.voo.rest)) {
    Chart on = chart_over_seconds(e, *kept.on);
    if (is_constant(on) && on.evaluate(0) < 0.5) continue;
    if (is_constant(on) && std::all_of(kept.value.begin(), kept.value.end(), is_constant)) {
      std::erase_if(member.guides, [&](const VooGuide& g) { return g.what == kept.what; });
      keep(member.constraint, kept.what, kept.value, member.voo.rest);
    } else {
      member.guides.push_back({kept.what, std::move(on), std::move(kept.value)});
    }
  }
}

void exec(Exec& e) {
  VooSet set = e.get(voos);
  const std::vector<std::size_t> meant = read_which(e, which, set);
  warn_of_moments(e, set, meant);
  for (const std::size_t i : meant) {
    VooMember& member = set.members[i];
    add(e, member);
    const VooConstraint& c = member.constraint;
    if (c.head && c.tip && (c.length || c.direction || c.aim)) {
      e.warning("{} has both ends held, so that its length, direction and aim have no effect",
                called(set, i));
    }
  }
  if (!e.failed()) e.set(out, std::move(set));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(voo_constrain, declare, exec)
