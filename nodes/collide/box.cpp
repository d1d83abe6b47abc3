// A block in the way.
#include <algorithm>

#include "nodes/collide/place.h"

namespace sinew {
namespace {

In<Vec3> size;
In<float> rounding;
PlaceInputs place;
Out<Colliders> out;

void declare(Declaration& d) {
  d.id("collide.box", 1).label("Box Collider").category("Collide");
  d.doc("A block with rounded edges that things bump into.");
  d.in(size, "size", Vec3{1, 1, 1}).range(0, 1e4).unit("m").doc("Along each axis.");
  d.in(rounding, "rounding", 0)
      .range(0, 1e4)
      .unit("m")
      .doc("Radius of its edges; at most half of the shortest side.");
  place.declare(d);
  d.handle(HandleKind::frame, "place").at(place.position).rotation(place.rotation).extent(size);
  d.out(out, "colliders").doc("The obstacle.");
}

void exec(Exec& e) {
  Collider block = place.place(e, ColliderShape::box);
  const Vec3f half = 0.5f * to_eigen(e.get(size));
  block.radius = std::min(e.get(rounding), half.minCoeff());
  block.half = half - Vec3f::Constant(block.radius);
  e.set(out, Colliders{{block}});
}

}  // namespace
}  // namespace sinew

SINEW_NODE(collide_box, declare, exec)
