// The ground.
#include "nodes/collide/place.h"

namespace sinew {
namespace {

PlaceInputs place;
Out<Colliders> out;

void declare(Declaration& d) {
  d.id("collide.plane", 1).label("Plane Collider").category("Collide");
  d.doc("An endless floor; everything below it is solid.");
  place.declare(d);
  d.handle(HandleKind::plane, "place").at(place.position).rotation(place.rotation);
  d.out(out, "colliders").doc("The obstacle.");
}

void exec(Exec& e) { e.set(out, Colliders{{place.place(e, ColliderShape::plane)}}); }

}  // namespace
}  // namespace sinew

SINEW_NODE(collide_plane, declare, exec)
