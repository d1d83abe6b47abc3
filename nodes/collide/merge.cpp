// Several obstacles as one.
#include "nodes/node.h"

namespace sinew {
namespace {

InList<Colliders> colliders;
Out<Colliders> out;

void declare(Declaration& d) {
  d.id("collide.merge", 1).label("Merge Colliders").category("Collide");
  d.doc("Puts obstacles together; the nearest one counts.");
  d.in(colliders, "colliders").doc("Any number of them.");
  d.out(out, "colliders").doc("All of them.");
}

void exec(Exec& e) {
  Colliders all;
  for (const Colliders* some : e.get(colliders)) {
    all.list.insert(all.list.end(), some->list.begin(), some->list.end());
  }
  e.set(out, std::move(all));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(collide_merge, declare, exec)
