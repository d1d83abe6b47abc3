// A round bar in the way.
#include <algorithm>

#include "nodes/collide/place.h"

namespace sinew {
namespace {

In<float> radius, height;
PlaceInputs place;
Out<Colliders> out;

void declare(Declaration& d) {
  d.id("collide.capsule", 1).label("Capsule Collider").category("Collide");
  d.doc("A bar with round ends that things bump into; it stands along y until it is turned.");
  d.in(radius, "radius", 0.25f).range(0, 1e4).unit("m").doc("Of the bar and its ends.");
  d.in(height, "height", 1)
      .range(0, 1e4)
      .unit("m")
      .doc("From pole to pole; what is shorter than twice the radius is a ball.");
  place.declare(d);
  place.declare_frame(d);
  d.handle(HandleKind::ellipsoid, "width").at(place.position).radius(radius);
  d.out(out, "colliders").doc("The obstacle.");
}

void exec(Exec& e) {
  Collider bar = place.place(e, ColliderShape::capsule);
  bar.radius = e.get(radius);
  bar.half.y() = std::max(0.0f, 0.5f * e.get(height) - bar.radius);
  e.set(out, Colliders{{bar}});
}

}  // namespace
}  // namespace sinew

SINEW_NODE(collide_capsule, declare, exec)
