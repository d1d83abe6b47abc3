// Fills a surface with tetrahedra by isosurface stuffing. [Labelle07]
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "nodes/kernels/stuff.h"
#include "nodes/node.h"

namespace sinew {
namespace {

enum class Sizing { resolution, vertices };

In<Mesh> mesh;
In<Sizing> sizing;
In<int> resolution, vertices;
In<bool> keep_thin;
In<int> grading;
Out<TetMesh> out;
Out<float> smallest_angle, largest_angle, volume, cell;

void declare(Declaration& d) {
  d.id("tet.from_mesh", 1).label("Fill Mesh").category("Solid");
  d.doc(
      "Fills a mesh with well-shaped tetrahedra and hangs the mesh in them. Small holes, "
      "self-intersections and overlapping parts do not matter.");
  d.in(mesh, "mesh").doc("A closed or nearly closed surface.");
  d.in(sizing, "sizing", Sizing::resolution)
      .choices({"resolution", "vertices"})
      .doc("resolution: by cells along the longest side; vertices: by how many points it gets.");
  d.in(resolution, "resolution", 20)
      .range(2, 1000)
      .doc("Cells along the longest side of the mesh, if sized by resolution.");
  d.in(keep_thin, "keep_thin", true)
      .doc(
          "Raises the resolution, up to four times, while thin parts are lost, broken or grown "
          "together, or the volume is off by more than 1.5 %. Without it a coarse cage is taken as "
          "it "
          "is wanted.");
  d.in(vertices, "vertices", 5000)
      .range(50, 200000)
      .doc("About how many points the solid gets, if sized by vertices.");
  d.in(grading, "grading", 3)
      .range(0, 8)
      .doc("How often cells may double in size towards the middle; 0: all have one size.");
  d.out(out, "solid").doc("The solid, which carries the mesh as its surface.");
  d.out(smallest_angle, "smallest_angle")
      .doc("Degrees between two faces of a tetrahedron, the smallest; never below 10.7.");
  d.out(largest_angle, "largest_angle")
      .doc("Degrees between two faces of a tetrahedron, the largest; never above 164.8.");
  d.out(volume, "volume").doc("Of all tetrahedra, in cubic metres.");
  d.out(cell, "cell").doc("Size of a cell at the surface, in metres.");
}

void say_what_is_missing(Exec& e, const kernels::StuffResult& result) {
  if (result.lost_vertices > 0) {
    e.warning(
        "parts thinner than a cell are lost ({} vertices); a resolution of about {} keeps "
        "them",
        result.lost_vertices, result.wanted_resolution);
    return;
  }
  if (!result.same_shape) {
    e.warning(
        "where the mesh is thin or its parts are close, the solid is broken through or grown "
        "together; raise 'resolution', which was {} in the end, or make the mesh thicker there",
        result.resolution);
  }
  if (result.surface_volume <= 0) return;
  const double off = result.volume / result.surface_volume - 1;
  // Who lets thin parts go has chosen a coarse cage for the skin.
  if (std::abs(off) <= (e.get(keep_thin) ? 0.02 : 0.25)) return;
  e.warning(
      "the solid has {:.0f} % {} volume than the mesh; a resolution of about {} comes within "
      "2 %",
      100 * std::abs(off), off < 0 ? "less" : "more",
      static_cast<int>(std::ceil(result.resolution * std::sqrt(std::abs(off) / 0.015))));
}

void exec(Exec& e) {
  kernels::StuffOptions options;
  options.resolution = e.get(resolution);
  if (e.get(sizing) == Sizing::vertices) options.vertices = static_cast<size_t>(e.get(vertices));
  options.coarsening = e.get(grading);
  options.keep_thin = e.get(keep_thin);
  try {
    kernels::StuffResult result = stoppable(
        e, [&](CancelView stop) { return kernels::stuff_surface(e.get(mesh), options, stop); });
    say_what_is_missing(e, result);
    e.set(smallest_angle, static_cast<float>(result.smallest));
    e.set(largest_angle, static_cast<float>(result.largest));
    e.set(volume, static_cast<float>(result.volume));
    e.set(cell, static_cast<float>(result.cell));
    e.set(out, std::move(result.solid));
  } catch (const std::invalid_argument& flaw) {
    e.error("{}", flaw.what());
  }
}

}  // namespace
}  // namespace sinew

SINEW_NODE(tet_from_mesh, declare, exec)
