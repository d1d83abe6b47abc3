// A sphere, of longitudes and latitudes or of an icosahedron's triangles.
#include "nodes/kernels/primitives.h"
#include "nodes/node.h"

namespace sinew {
namespace {

enum class Kind { ico, uv };

In<Kind> kind;
In<float> radius;
In<int> detail, segments, rings;
In<Axis> axis;
Out<Mesh> out;

void declare(Declaration& d) {
  d.id("mesh.sphere", 1).label("Sphere").category("Mesh").doc("A sphere about the origin.");
  d.in(kind, "kind", Kind::ico)
      .choices({"ico", "uv"})
      .doc(
          "ico: triangles of nearly one size; uv: longitudes and latitudes that meet at two "
          "poles.");
  d.in(radius, "radius", 0.5f).range(1e-4, 1e4).unit("m").doc("From the centre to the surface.");
  d.in(detail, "detail", 16)
      .range(1, 256)
      .doc("ico: pieces that each edge of the icosahedron is cut into; 20 detail^2 triangles.");
  d.in(segments, "segments", 32).range(3, 1024).doc("uv: quads around the axis.");
  d.in(rings, "rings", 16).range(2, 1024).doc("uv: rows from pole to pole.");
  d.in(axis, "axis", Axis::y).choices({"x", "y", "z"}).doc("uv: through the poles.");
  d.out(out, "mesh").doc("The sphere, watertight.");
}

void exec(Exec& e) {
  if (e.get(kind) == Kind::ico) {
    e.set(out, kernels::make_icosphere({.radius = e.get(radius), .frequency = e.get(detail)}));
  } else {
    e.set(out, kernels::make_uv_sphere({.radius = e.get(radius),
                                        .segments = e.get(segments),
                                        .rings = e.get(rings),
                                        .axis = e.get(axis)}));
  }
}

}  // namespace
}  // namespace sinew

SINEW_NODE(mesh_sphere, declare, exec)
