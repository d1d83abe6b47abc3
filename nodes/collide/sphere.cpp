// A ball in the way.
#include "nodes/collide/place.h"

namespace sinew {
namespace {

In<float> radius;
PlaceInputs place;
Out<Colliders> out;

void declare(Declaration& d) {
  d.id("collide.sphere", 1).label("Sphere Collider").category("Collide");
  d.doc("A ball that things bump into.");
  d.in(radius, "radius", 0.5f).range(0, 1e4).unit("m").doc("Of the ball.");
  place.declare(d);
  d.handle(HandleKind::ellipsoid, "place").at(place.position).radius(radius);
  d.out(out, "colliders").doc("The obstacle.");
}

void exec(Exec& e) {
  Collider ball = place.place(e, ColliderShape::sphere);
  ball.radius = e.get(radius);
  e.set(out, Colliders{{ball}});
}

}  // namespace
}  // namespace sinew

SINEW_NODE(collide_sphere, declare, exec)
