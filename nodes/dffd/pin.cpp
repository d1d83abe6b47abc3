// A place of a body that is held.
#include "nodes/node.h"

namespace sinew {
namespace {

In<BodyForces> forces;
In<bool> enabled;
In<Vec3> at, to;
In<bool> where_it_is;
Out<BodyForces> out;

void declare(Declaration& d) {
  d.id("dffd.pin", 1).label("Body Pin").category("Dynamic FFD");
  d.doc("Holds a place of a body at a place of the world, about which it may still turn.");
  d.in(forces, "forces").optional().doc("Others that act as well.");
  d.in(enabled, "enabled", true).doc("Whether it holds; a chart lets go at a frame.");
  d.in(at, "at", Vec3{}).range(-1e6, 1e6).unit("m").doc("Of the body at rest.");
  d.in(where_it_is, "in_place", true).doc("Holds it where it rests, and not elsewhere.");
  d.in(to, "to", Vec3{}).range(-1e6, 1e6).unit("m").doc("Elsewhere: where it is held.");
  d.handle(HandleKind::point, "pin").at(at);
  d.out(out, "forces").doc("All of them.");
}

void exec(Exec& e) {
  const BodyForces* others = e.get_if<BodyForces>(forces);
  BodyForces all = others ? *others : BodyForces();
  if (e.get(enabled)) {
    const Vec3f place = to_eigen(e.get(at));
    all.list.push_back(
        {BodyForceKind::pin, place, e.get(where_it_is) ? place : to_eigen(e.get(to))});
  }
  e.set(out, std::move(all));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(dffd_pin, declare, exec)
