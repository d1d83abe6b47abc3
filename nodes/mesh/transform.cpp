// Moves, turns and scales a mesh.
#include "nodes/kernels/transform.h"

#include "nodes/node.h"

namespace sinew {
namespace {

In<Mesh> mesh;
In<Vec3> translate, rotate, scale, pivot;
In<float> size;
Out<Mesh> out;

void declare(Declaration& d) {
  d.id("mesh.transform", 1).label("Transform").category("Mesh");
  d.doc("Scales, then turns, then moves a mesh.");
  d.in(mesh, "mesh").doc("What to move.");
  d.in(translate, "translate", Vec3{}).range(-1e4, 1e4).unit("m").doc("Where to move it.");
  d.in(rotate, "rotate", Vec3{})
      .range(-36000, 36000)
      .unit("deg")
      .doc("Turns about the fixed axes: first x, then y, then z.");
  d.in(scale, "scale", Vec3{1, 1, 1})
      .range(-1e3, 1e3)
      .doc("Along each axis; a negative one mirrors, and faces still look outwards.");
  d.in(size, "size", 1).range(1e-3, 1e3).doc("Along all axes.");
  d.in(pivot, "pivot", Vec3{})
      .range(-1e4, 1e4)
      .unit("m")
      .doc("The point that stays in place when scaled and turned.");
  d.handle(HandleKind::frame, "place").at(translate).rotation(rotate).scale(scale).pivot(pivot);
  d.handle(HandleKind::point, "pivot").at(pivot);
  d.out(out, "mesh").doc("The moved mesh.");
}

void exec(Exec& e) {
  const Vec3f fixed = to_eigen(e.get(pivot));
  Eigen::Affine3f map =
      kernels::compose_transform(to_eigen(e.get(translate)) + fixed, to_eigen(e.get(rotate)),
                                 to_eigen(e.get(scale)) * e.get(size));
  map.translate(-fixed);
  if (map.isApprox(Eigen::Affine3f::Identity(), 0)) return e.forward(out, mesh);
  e.set(out, kernels::transform_mesh(map, e.get(mesh)));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(mesh_transform, declare, exec)
