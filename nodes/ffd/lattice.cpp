// A lattice of control points, around a body or in a box of its own. [Sederberg86, section 3]
#include "nodes/geometry/lattice.h"

#include "nodes/kernels/ffd.h"
#include "nodes/kernels/transform.h"
#include "nodes/node.h"

namespace sinew {
namespace {

In<Mesh> body;
In<int> points_x, points_y, points_z;
In<LatticeBasis> basis;
In<float> margin;
In<bool> own_box;
In<Vec3> centre, size, rotation;
Out<Lattice> out;

void declare(Declaration& d) {
  d.id("ffd.lattice", 1).label("Lattice").category("FFD");
  d.doc(
      "Control points in rows around a body, or in a box: who moves them deforms what is inside.");
  d.in(body, "body")
      .accepts<TetMesh>()
      .optional()
      .doc("What the lattice is laid around, at rest; without it the box below counts.");
  d.in(points_x, "points_x", 4)
      .range(least_lattice_count, most_lattice_count)
      .doc("Points along the first edge, x unless turned.");
  d.in(points_y, "points_y", 4)
      .range(least_lattice_count, most_lattice_count)
      .doc("Points along the second edge.");
  d.in(points_z, "points_z", 4)
      .range(least_lattice_count, most_lattice_count)
      .doc("Points along the third edge.");
  d.in(basis, "basis", LatticeBasis::bernstein)
      .choices({"bernstein", "bspline"})
      .doc(
          "bernstein: each point moves everything, most what is near; for few points. bspline: "
          "each "
          "point moves only what is near; for many.");
  d.in(margin, "margin", 0.05f)
      .range(0, 10)
      .doc("Room around the body on each side, as a part of its box.");
  d.in(own_box, "own_box", false).doc("Takes the box below also where there is a body.");
  d.in(centre, "centre", Vec3{}).range(-1e4, 1e4).unit("m").doc("Of its own box.");
  d.in(size, "size", Vec3{1, 1, 1}).range(1e-6, 1e4).unit("m").doc("Of its own box.");
  d.in(rotation, "rotation", Vec3{})
      .range(-36000, 36000)
      .unit("deg")
      .doc("Turns the box about the fixed axes: first x, then y, then z; also one around a body.");
  d.handle(HandleKind::frame, "box").at(centre).rotation(rotation).extent(size).when(own_box);
  d.out(out, "lattice").doc("The lattice at rest.");
}

void exec(Exec& e) {
  const Eigen::Matrix3d axes =
      kernels::compose_transform(Vec3f::Zero(), to_eigen(e.get(rotation)), Vec3f::Ones())
          .linear()
          .cast<double>();
  LatticeBox box;
  if (e.has(body) && !e.get(own_box)) {
    const std::span<const Vec3f> vertices = vertices_of(e, body);
    if (vertices.empty()) return e.error("the body has no vertices to lay a lattice around");
    box = kernels::box_around(vertices, axes, static_cast<double>(e.get(margin)));
  } else {
    box = kernels::box_about(to_eigen(e.get(centre)).cast<double>(),
                             to_eigen(e.get(size)).cast<double>(), axes);
  }
  const auto count = [&](const In<int>& in) { return static_cast<uint32_t>(e.get(in)); };
  e.set(out, Lattice(LatticeRest({count(points_x), count(points_y), count(points_z)}, e.get(basis),
                                 box)));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(ffd_lattice, declare, exec)
