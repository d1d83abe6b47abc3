// A joint between the ends of operators. [Hurmusiadis, section 8.3.3]
#include "nodes/kernels/voo_articulate.h"

#include <limits>

#include "nodes/voo_words.h"

namespace sinew {
namespace {

enum class Kind : uint8_t { free, fixed };

InList<VooSet> voos;
In<Vec3> place, move;
In<float> radius;
In<Kind> kind;
In<MotionPath> path;
Out<VooSet> out;
Out<Vec3> rest;

void declare(Declaration& d) {
  d.id("voo.arthron", 2).label("Arthron").category("VOODOO");
  d.uses_frame().uses_dt().uses_changes();
  d.doc(
      "Joins the ends of operators that are near a place into one point, which can be dragged, "
      "sent "
      "along a path, or held. Since version 2, steps are never a frame late, and a move that "
      "comes by a link goes evenly from frame to frame.");
  d.upgrade([](UpgradeStep&) {});
  d.in(voos, "voos")
      .label("Operators")
      .doc("The operators whose ends are joined, in one set or in several.");
  d.in(place, "place", Vec3{})
      .range(-1e4, 1e4)
      .unit("m")
      .doc("Where the arthron is at rest: ends near it are joined.");
  d.in(radius, "radius", 0.05f)
      .range(0, 1e4)
      .unit("m")
      .doc("How near an end must be; those that are joined begin at their mean.");
  d.in(kind, "kind", Kind::free)
      .choices({"free", "fixed"})
      .doc("Free: operators and constraints may move it. Fixed: it is held where it is put.");
  d.in(move, "move", Vec3{})
      .range(-1e4, 1e4)
      .unit("m")
      .whole_time()
      .doc("How far it is moved from there.");
  d.in(path, "path").optional().doc("A path that it travels on, in place of where it rests.");
  d.out(out, "voos").label("Operators").doc("The operators, joined.");
  d.out(rest, "rest").doc("Where it is at rest.");
  d.handle(HandleKind::point, "place").at(place);
  d.handle(HandleKind::point, "move").at(move).from(rest);
}

Vec3d& rest_end(VooSet& set, const VooJoint& j) {
  VooPose& pose = set.members[j.voo].voo.rest;
  return j.end == VooEnd::tip ? pose.tip : pose.head;
}

// The ends that are near the place.
std::vector<VooJoint> ends_near(Exec& e, VooSet& set) {
  const Vec3d at = to_eigen(e.get(place)).cast<double>();
  const double reach = static_cast<double>(e.get(radius));
  std::vector<VooJoint> found;
  double least = std::numeric_limits<double>::infinity();
  for (uint32_t i = 0; i < set.size(); ++i) {
    for (const VooEnd end : {VooEnd::head, VooEnd::tip}) {
      const double distance = (rest_end(set, {i, end}) - at).norm();
      least = std::min(least, distance);
      if (distance <= reach) found.push_back({i, end});
    }
  }
  if (found.empty()) {
    e.error("no end of an operator is within {:g} m of 'place'; the nearest is {:.3g} m from it",
            reach, least);
  }
  return found;
}

// An arthron that is there already is taken over, with all of its ends.
void take_over(VooSet& set, std::vector<VooJoint>& ends) {
  const auto has = [](const std::vector<VooJoint>& list, const VooJoint& j) {
    return std::find(list.begin(), list.end(), j) != list.end();
  };
  std::erase_if(set.ties, [&](const VooTie& tie) {
    const std::vector<VooJoint>& joints = tie.arthron.joints;
    const bool meets =
        std::any_of(joints.begin(), joints.end(), [&](const VooJoint& j) { return has(ends, j); });
    if (!meets) return false;
    for (const VooJoint& j : joints) {
      if (!has(ends, j)) ends.push_back(j);
    }
    return true;
  });
}

void exec(Exec& e) {
  VooSet set = joined_sets(e, voos);
  if (set.size() == 0) return e.error("'voos' has no operators; link some");
  std::vector<VooJoint> ends = ends_near(e, set);
  if (e.failed()) return;
  take_over(set, ends);
  Vec3d mean(0, 0, 0);
  for (const VooJoint& j : ends) mean += rest_end(set, j) / static_cast<double>(ends.size());
  for (const VooJoint& j : ends) rest_end(set, j) = mean;

  VooTie tie;
  tie.arthron.joints = std::move(ends);
  tie.arthron.fixed = e.get(kind) == Kind::fixed;
  const std::vector<Chart> moves = charts_over_seconds(e, move);
  const bool moved = !std::all_of(moves.begin(), moves.end(),
                                  [](const Chart& chart) { return is_always(chart, 0); });
  if (moved) tie.move = {moves[0], moves[1], moves[2]};
  if (const MotionPath* along = e.get_if<MotionPath>(path)) {
    tie.path = *along;
    tie.path->time = 0;
  }
  if (moved || tie.path || tie.arthron.fixed) tie.arthron.place = mean;
  set.ties.push_back(std::move(tie));
  set.time = e.seconds();
  if (const auto wrong = validate(set)) return e.error("{}", *wrong);
  warn_of_moments(e, set, named_members(set, ""));
  e.set(rest, from_eigen(mean.cast<float>()));
  e.set(out, std::move(set));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(voo_arthron, declare, exec)
