// A spring between a place of a body and a place of the world. [Faloutsos97, figure 15]
#include "nodes/node.h"

namespace sinew {
namespace {

In<BodyForces> forces;
In<bool> enabled;
In<Vec3> at, to;
In<float> frequency, damping;
Out<BodyForces> out;

void declare(Declaration& d) {
  d.id("dffd.spring", 1).label("Body Spring").category("Dynamic FFD");
  d.doc("Pulls a place of a body to a place of the world.");
  d.in(forces, "forces").optional().doc("Others that act as well.");
  d.in(enabled, "enabled", true).doc("Whether it pulls; a chart lets it vanish at a frame.");
  d.in(at, "at", Vec3{}).range(-1e6, 1e6).unit("m").doc("Of the body at rest.");
  d.in(to, "to", Vec3{0, 1, 0})
      .range(-1e6, 1e6)
      .unit("m")
      .doc(
          "Where it is pulled to; from farther than ten sizes of the body it pulls as from there.");
  d.in(frequency, "frequency", 2.0f)
      .range(0.01, 1000)
      .unit("Hz")
      .doc("With which the whole body swings on it: stiffness, whatever it weighs.");
  d.in(damping, "damping", 0.2f).range(0, 100).doc("Parts of the critical damping.");
  d.handle(HandleKind::vector, "spring").at(at).to(to).when(enabled);
  d.out(out, "forces").doc("All of them.");
}

void exec(Exec& e) {
  const BodyForces* others = e.get_if<BodyForces>(forces);
  BodyForces all = others ? *others : BodyForces();
  if (e.get(enabled)) {
    all.list.push_back({BodyForceKind::spring, to_eigen(e.get(at)), to_eigen(e.get(to)),
                        e.get(frequency), e.get(damping)});
  }
  e.set(out, std::move(all));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(dffd_spring, declare, exec)
