// What a pin must keep to, whoever moves it. [Hurmusiadis, section 8.3.1]
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
  d.id("voo.constrain", 1).label("Constrain Operators").category("VOODOO");
  d.doc(
      "What pins must keep to, whoever moves them: the place of an end, their length, their "
      "direction, or a point that they aim at. Constraints come before arthra.");
  d.in(voos, "voos").label("Operators").doc("The operators.");
  declare_which(d, which);
  d.in(hold_head, "hold_head", false).doc("Holds the head where it rests.");
  d.in(hold_tip, "hold_tip", false).doc("Holds the tip where it rests.");
  d.in(keep_length, "keep_length", false)
      .doc("Keeps the length: the pin is moved and turned only.");
  d.in(length, "length", 0.0f)
      .range(0, 1e4)
      .unit("m")
      .doc("The length that is kept; 0: that at rest.");
  d.in(keep_direction, "keep_direction", false)
      .doc("Keeps the direction: the pin is moved and stretched only.");
  d.in(direction, "direction", Vec3{})
      .range(-1e4, 1e4)
      .doc("The direction that is kept; all 0: that at rest.");
  d.in(aims, "aims", false).doc("Lets the pin point at 'aim', unless it keeps its direction.");
  d.in(aim, "aim", Vec3{0, 2, 0}).range(-1e4, 1e4).unit("m").doc("The point that it points at.");
  d.handle(HandleKind::point, "aim").at(aim).when(aims);
  d.out(out, "voos").label("Operators").doc("The operators, constrained.");
}

VooConstraint read_for(const Exec& e, const VooPose& rest) {
  VooConstraint c;
  if (e.get(hold_head)) c.head = rest.head;
  if (e.get(hold_tip)) c.tip = rest.tip;
  if (e.get(keep_length)) {
    const double given = static_cast<double>(e.get(length));
    c.length = given > 0 ? given : rest.vector().norm();
  }
  const Vec3d along = to_eigen(e.get(direction)).cast<double>();
  if (e.get(keep_direction)) c.direction = along.isZero(0) ? rest.vector() : along;
  if (e.get(aims)) c.aim = to_eigen(e.get(aim)).cast<double>();
  return c;
}

// What both say counts; where both speak of one thing, the later.
void add(const VooConstraint& more, VooConstraint& c) {
  if (more.head) c.head = more.head;
  if (more.tip) c.tip = more.tip;
  if (more.length) c.length = more.length;
  if (more.direction) c.direction = more.direction;
  if (more.aim) c.aim = more.aim;
}

void exec(Exec& e) {
  VooSet set = e.get(voos);
  for (const std::size_t i : read_which(e, which, set)) {
    VooMember& member = set.members[i];
    add(read_for(e, member.voo.rest), member.constraint);
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
