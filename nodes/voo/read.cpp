// Where an operator is at the moment, for others to follow.
#include <numbers>

#include "nodes/voo_words.h"

namespace sinew {
namespace {

In<VooSet> voos;
In<std::string> which;
Out<Vec3> head, tip;
Out<float> twist, length, strain;

void declare(Declaration& d) {
  d.id("voo.read", 2).label("Read Operator").category("VOODOO").uses_frame();
  d.doc(
      "Where the pin of an operator is at the moment; link it to any input that is a place. Since "
      "version 2, a pin eases into a large swing towards its head.");
  d.upgrade([](UpgradeStep&) {});
  d.in(voos, "voos").label("Operators").doc("The operators.");
  declare_which(d, which);
  d.out(head, "head").doc("Where the head of the first of them is.");
  d.out(tip, "tip").doc("Where its tip is.");
  d.out(twist, "twist").doc("How far it is turned about itself, in degrees.");
  d.out(length, "length").doc("From head to tip, in metres.");
  d.out(strain, "strain").doc("How much longer than at rest it is, as a part of that.");
}

void exec(Exec& e) {
  const VooSet& set = e.get(voos);
  const std::vector<std::size_t> meant = read_which(e, which, set);
  if (e.failed()) return;
  if (meant.empty()) return e.error("'voos' has no operators");
  const auto motion = prepared_motion(e, set);
  const VooPose now = motion->pose(meant.front(), e.seconds());
  if (const auto wrong = validate(now)) return e.error("{}", *wrong);
  const double rest = set.members[meant.front()].voo.rest.vector().norm();
  e.set(head, from_eigen(now.head.cast<float>()));
  e.set(tip, from_eigen(now.tip.cast<float>()));
  e.set(twist, to_float(now.twist * 180 / std::numbers::pi));
  e.set(length, to_float(now.vector().norm()));
  e.set(strain, to_float(now.vector().norm() / rest - 1));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(voo_read, declare, exec)
