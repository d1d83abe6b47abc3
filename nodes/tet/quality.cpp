// How good the tetrahedra of a solid are.
#include "nodes/kernels/tet_measure.h"
#include "nodes/node.h"

namespace sinew {
namespace {

In<TetMesh> solid;
Out<Field> volume, angle, quality;
Out<int> count, inverted, open_rings;
Out<float> total_volume, least_angle, greatest_angle, least_quality;

void declare(Declaration& d) {
  d.id("tet.quality", 1).label("Quality of Solid").category("Solid");
  d.doc("Measures the tetrahedra of a solid; good ones make simulations fast and stable.");
  d.in(solid, "solid").doc("What to measure.");
  d.out(quality, "quality")
      .on(solid)
      .doc("Of each tetrahedron: 1 is regular, 0 is flat, below 0 is inverted.");
  d.out(angle, "angle")
      .on(solid)
      .doc("The smallest angle between two faces of each tetrahedron, in degrees.");
  d.out(volume, "volume")
      .on(solid)
      .doc("Of each tetrahedron, in cubic metres; negative if inverted.");
  d.out(count, "count").doc("The number of tetrahedra.");
  d.out(total_volume, "total_volume").doc("In cubic metres.");
  d.out(least_angle, "least_angle").doc("The smallest angle between faces anywhere, in degrees.");
  d.out(greatest_angle, "greatest_angle").doc("The greatest, in degrees.");
  d.out(least_quality, "least_quality").doc("That of the worst tetrahedron.");
  d.out(inverted, "inverted").doc("How many tetrahedra are turned inside out; should be 0.");
  d.out(open_rings, "open_rings")
      .doc("How many vertices inside have no closed ball of tetrahedra about them; should be 0.");
}

void exec(Exec& e) {
  kernels::TetMeasures each;
  const kernels::SolidReport report = stoppable(
      e, [&](CancelView stop) { return kernels::inspect_solid(e.get(solid), &each, stop); });
  e.set(volume, Field(Domain::tet, std::move(each.volume), {.unit = "m^3"}));
  e.set(angle, Field(Domain::tet, std::move(each.least_angle), {.unit = "deg"}));
  e.set(quality, Field(Domain::tet, std::move(each.quality)));
  e.set(count, static_cast<int>(report.tets));
  e.set(inverted, static_cast<int>(report.inverted));
  e.set(open_rings, static_cast<int>(report.open_rings));
  e.set(total_volume, static_cast<float>(report.volume));
  e.set(least_angle, static_cast<float>(report.least_angle));
  e.set(greatest_angle, static_cast<float>(report.greatest_angle));
  e.set(least_quality, static_cast<float>(report.least_quality));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(tet_quality, declare, exec)
