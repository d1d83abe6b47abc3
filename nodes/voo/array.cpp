// Many operators from one: in rows, out of a point, along a spiral. [Hurmusiadis, section 8.3.7]
#include "nodes/kernels/voo_array.h"

#include <iterator>
#include <numbers>

#include "nodes/geometry/stop_check.h"
#include "nodes/voo_words.h"

namespace sinew {
namespace {

enum class Kind : uint8_t { directional, radial, vortex, ring, mirror };

In<VooSet> pattern;
In<Kind> kind;
In<int> count_x, count_y, count_z, count;
In<Vec3> step_x, step_y, step_z, about, axis;
In<bool> centred;
In<float> spread, sweep, start, inner_radius, outer_radius, height, turns, inward, delay;
In<Chart> length, width, elongation, flexibility, blend, twist;
Out<VooSet> out;

Chart ones() { return Chart::constant(1); }

void declare_rows(Declaration& d) {
  d.in(count_x, "count_x", 5).range(1, 1000).doc("Directional: how many along the first step.");
  d.in(count_y, "count_y", 5).range(1, 1000).doc("Directional: how many along the second step.");
  d.in(count_z, "count_z", 1).range(1, 1000).doc("Directional: how many along the third step.");
  d.in(step_x, "step_x", Vec3{1, 0, 0}).range(-1e4, 1e4).unit("m").doc("From one to the next.");
  d.in(step_y, "step_y", Vec3{0, 0, 1}).range(-1e4, 1e4).unit("m").doc("From row to row.");
  d.in(step_z, "step_z", Vec3{0, 1, 0}).range(-1e4, 1e4).unit("m").doc("From layer to layer.");
  d.in(centred, "centred", true)
      .doc("Directional: the pattern is in the middle of the array; or else it is the first.");
}

void declare_round(Declaration& d) {
  d.in(count, "count", 32).range(1, 100000).doc("Radial, vortex and ring: how many.");
  d.in(about, "about", Vec3{})
      .range(-1e4, 1e4)
      .unit("m")
      .doc("Ring and mirror: a point of the axis, or of the mirror's plane.");
  d.in(axis, "axis", Vec3{0, 1, 0})
      .range(-1e4, 1e4)
      .doc("Ring: the axis; mirror: the direction that the plane looks in.");
  d.in(sweep, "sweep", 360.0f)
      .range(-360, 360)
      .unit("deg")
      .doc("Ring: from the first to the last; 360 is all round.");
  d.in(spread, "spread", 180.0f)
      .range(0.1, 180)
      .unit("deg")
      .doc("Radial: half the angle of the cone in which they point; 180 is all round.");
  d.in(start, "start", 0.0f)
      .range(0, 1e4)
      .unit("m")
      .doc("Radial: how far from the point they begin.");
  d.in(inner_radius, "inner_radius", 0.3f).range(0, 1e4).unit("m").doc("Vortex: where it begins.");
  d.in(outer_radius, "outer_radius", 1.0f).range(0, 1e4).unit("m").doc("Vortex: where it ends.");
  d.in(height, "height", 2.0f).range(-1e4, 1e4).unit("m").doc("Vortex: how high it climbs.");
  d.in(turns, "turns", 3.0f).range(-100, 100).doc("Vortex: how often it winds.");
  d.in(inward, "inward", 0.0f)
      .range(0, 1)
      .doc("Vortex: 0 they follow the spiral, 1 they look at its axis.");
}

void declare_variation(Declaration& d) {
  d.in(delay, "delay", 0.0f)
      .range(-1e5, 1e5)
      .unit("s")
      .doc("How much later the last one moves than the first: a wave runs through the array.");
  d.in(length, "length", ones())
      .doc(
          "Factor of their length, from the first (0) to the last (1). This and the following are "
          "not "
          "for ring and mirror.");
  d.in(width, "width", ones()).doc("Factor of the width of their fields, in the same way.");
  d.in(elongation, "elongation", ones()).doc("Factor of their elongation, in the same way.");
  d.in(flexibility, "flexibility", ones()).doc("Factor of their flexibility, in the same way.");
  d.in(blend, "blend", ones()).doc("Factor of their weight in a blend, in the same way.");
  d.in(twist, "twist", Chart::constant(0))
      .doc("Degrees by which they are turned, in the same way.");
}

void declare(Declaration& d) {
  d.id("voo.array", 1).label("Operator Array").category("VOODOO").uses_changes();
  d.doc(
      "Many operators from a pattern: in rows that all look the same way, out of one point, or "
      "along a spiral. Each moves as the pattern does, in its own direction.");
  d.in(pattern, "voos").label("Pattern").doc("The pattern; of several operators each is repeated.");
  d.in(kind, "kind", Kind::directional)
      .choices({"directional", "radial", "vortex", "ring", "mirror"})
      .doc(
          "Rows for wind and waves, a burst for springs, a spiral for whirls; the pattern turned "
          "about an axis, for arms and petals; the pattern and its mirror image, for wings and "
          "fins.");
  declare_rows(d);
  declare_round(d);
  declare_variation(d);
  d.out(out, "voos").label("Operators").doc("All of them.");
}

kernels::VooVariation read_variation(const Exec& e) {
  const auto chart = [&](const In<Chart>& in, double standard) -> std::optional<Chart> {
    if (is_always(e.get(in), standard)) return std::nullopt;
    return e.get(in);
  };
  kernels::VooVariation v{.length = chart(length, 1),
                          .width = chart(width, 1),
                          .elongation = chart(elongation, 1),
                          .flexibility = chart(flexibility, 1),
                          .blend = chart(blend, 1),
                          .twist = chart(twist, 0)};
  if (v.twist) {
    for (ChartPoint& p : v.twist->points) p.y *= std::numbers::pi / 180;
  }
  return v;
}

kernels::VooArray made_from(const Exec& e, const Voo& voo) {
  const kernels::VooVariation variation = read_variation(e);
  const auto number = [&](const In<float>& in) { return static_cast<double>(e.get(in)); };
  const auto vector = [&](const In<Vec3>& in) -> Vec3d {
    return to_eigen(e.get(in)).cast<double>();
  };
  switch (e.get(kind)) {
    case Kind::radial:
      return kernels::radial_array(voo,
                                   {.count = e.get(count),
                                    .spread = number(spread) * std::numbers::pi / 180,
                                    .start = number(start)},
                                   variation);
    case Kind::vortex:
      return kernels::vortex_array(voo,
                                   {.count = e.get(count),
                                    .radii = {number(inner_radius), number(outer_radius)},
                                    .height = number(height),
                                    .turns = number(turns),
                                    .inward = number(inward)},
                                   variation);
    default:
      return kernels::directional_array(voo,
                                        {.counts = {e.get(count_x), e.get(count_y), e.get(count_z)},
                                         .steps = {vector(step_x), vector(step_y), vector(step_z)},
                                         .centred = e.get(centred)},
                                        variation);
  }
}

// The pattern carried as a whole.
std::vector<VooMember> carried(const Exec& e, const VooMember& one) {
  const Vec3d point = to_eigen(e.get(about)).cast<double>();
  const Vec3d direction = to_eigen(e.get(axis)).cast<double>();
  if (e.get(kind) == Kind::mirror) return kernels::mirrored_members(one, point, direction);
  return kernels::ring_members(
      one, {.count = e.get(count),
            .about = point,
            .axis = direction,
            .sweep = static_cast<double>(e.get(sweep)) * std::numbers::pi / 180});
}

// Each at its place along the array, from 0 to 1.
std::vector<VooMember> members_of(const Exec& e, const VooMember& one) {
  std::vector<VooMember> members;
  std::vector<double> place;
  if (e.get(kind) == Kind::ring || e.get(kind) == Kind::mirror) {
    members = carried(e, one);
    for (std::size_t i = 0; i < members.size(); ++i) {
      const double last = static_cast<double>(std::max<std::size_t>(members.size(), 2) - 1);
      place.push_back(static_cast<double>(i) / last);
    }
  } else {
    kernels::VooArray array = made_from(e, one.voo);
    StopCheck check;
    for (Voo& voo : array.members) {
      check();
      members.push_back(kernels::placed_member(one, std::move(voo)));
    }
    place = std::move(array.place);
  }
  for (std::size_t i = 0; i < members.size(); ++i) {
    members[i].delay += place[i] * static_cast<double>(e.get(delay));
  }
  return members;
}

void exec(Exec& e) {
  const VooSet& patterns = e.get(pattern);
  warn_of_constraints(e, patterns);
  warn_of_moments(e, patterns, named_members(patterns, ""));
  VooSet set;
  set.time = patterns.time;
  for (const VooMember& one : patterns.members) {
    std::vector<VooMember> members = members_of(e, one);
    if (set.size() + members.size() > most_voos) {
      return e.error("the array has more than {} operators; lower its counts", most_voos);
    }
    set.members.insert(set.members.end(), std::make_move_iterator(members.begin()),
                       std::make_move_iterator(members.end()));
  }
  if (const auto wrong = validate(set)) return e.error("{}", *wrong);
  e.set(out, std::move(set));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(voo_array, declare, exec)
