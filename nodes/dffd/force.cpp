// A push at a place of a body: an engine, a kick.
#include "nodes/node.h"

namespace sinew {
namespace {

In<BodyForces> forces;
In<bool> enabled;
In<Vec3> at, push;
Out<BodyForces> out;

void declare(Declaration& d) {
  d.id("dffd.force", 1).label("Body Force").category("Dynamic FFD");
  d.doc("Pushes at a place of a body, in a direction of the world.");
  d.in(forces, "forces").optional().doc("Others that act as well.");
  d.in(enabled, "enabled", true).doc("Whether it pushes.");
  d.in(at, "at", Vec3{}).range(-1e6, 1e6).unit("m").doc("Of the body at rest.");
  d.in(push, "push", Vec3{1, 0, 0})
      .range(-1e6, 1e6)
      .unit("m/s2")
      .doc("The acceleration that it gives the whole body, whatever it weighs.");
  d.handle(HandleKind::vector, "push").at(at).along(push).when(enabled);
  d.out(out, "forces").doc("All of them.");
}

void exec(Exec& e) {
  const BodyForces* others = e.get_if<BodyForces>(forces);
  BodyForces all = others ? *others : BodyForces();
  if (e.get(enabled)) {
    all.list.push_back({BodyForceKind::force, to_eigen(e.get(at)), to_eigen(e.get(push))});
  }
  e.set(out, std::move(all));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(dffd_force, declare, exec)
