// What every node file includes: the words of a declaration, the values, and the few bridges
// between the graph's types and those of the kernels.
#pragma once

#include <algorithm>
#include <limits>

#include "graph/declaration.h"
#include "nodes/values.h"

namespace sinew {

inline Vec3f to_eigen(const Vec3& v) { return {v.x, v.y, v.z}; }
inline Vec3 from_eigen(const Vec3f& v) { return {v.x(), v.y(), v.z()}; }

// Runs a kernel that can be stopped: work(CancelView). Kernels know nothing of the graph, so that
// their Stopped becomes the evaluator's Cancelled here.
template <class Work>
auto stoppable(const Exec& e, const Work& work) {
  try {
    return work(CancelView{e.cancel_flag()});
  } catch (const Stopped&) {
    throw Cancelled();
  }
}

// y = x from 0 to 1: what a chart is before anyone draws it.
inline Chart identity_chart() {
  Chart chart;
  chart.points = {{0, 0}, {1, 1}};
  return chart;
}

// A computed number as the graph's float: beyond the floats is the largest of them, never infinity.
inline float to_float(double v) {
  constexpr double most = std::numeric_limits<float>::max();
  return static_cast<float>(std::clamp(v, -most, most));
}

// The vertices of an input that takes a mesh or a solid: In<Mesh>, declared with
// .accepts<TetMesh>(). Whoever makes fields asks for these, so that a field can live on the
// vertices of a solid, where simulations need it, and not only on the surface it carries. Deformers
// also take the points of a lattice, with .accepts<Lattice>().
inline std::span<const Vec3f> vertices_of(const Exec& e, const In<Mesh>& body) {
  if (const TetMesh* solid = e.get_if<TetMesh>(body)) return solid->positions;
  if (const Lattice* lattice = e.get_if<Lattice>(body)) return lattice->positions;
  return e.get(body).positions;
}

// What a deformer gives: the same body, or lattice, with its vertices elsewhere. Input and output
// are declared generic, with the same variable.
inline void set_moved(Exec& e, const Out<Mesh>& out, const In<Mesh>& body,
                      std::vector<Vec3f> moved) {
  if (const TetMesh* solid = e.get_if<TetMesh>(body)) {
    e.set_as(out, solid->with_positions(std::move(moved)));
  } else if (const Lattice* lattice = e.get_if<Lattice>(body)) {
    e.set_as(out, lattice->with_positions(std::move(moved)));
  } else {
    e.set(out, e.get(body).with_positions(std::move(moved)));
  }
}

// What each vertex takes of a deformation: 0 stays, 1 goes all the way.
inline void apply_mask(const Field& field, std::span<const Vec3f> rest, std::vector<Vec3f>& moved) {
  if (field.is_constant() && field.at(0) == 1) return;
  for (std::size_t i = 0; i < moved.size(); ++i) {
    moved[i] = rest[i] + field.at(i) * (moved[i] - rest[i]);
  }
}

// Whether the field has a value for each vertex; says what is wrong if not.
inline bool fits_vertices(Exec& e, const Field& field, std::size_t vertices) {
  if (field.fits(Domain::vertex, vertices)) return true;
  if (field.domain() != Domain::vertex) {
    e.error("the field has values per {}, but one per vertex is needed",
            domain_name(field.domain()));
  } else {
    e.error("the field has {} values but the mesh has {} vertices; make it on this mesh",
            field.size(), vertices);
  }
  return false;
}
inline bool fits_vertices(Exec& e, const Field& field, const Mesh& mesh) {
  return fits_vertices(e, field, mesh.vertex_count());
}

// The same for one of several fields of a node, which the message names.
inline bool fits_vertices(Exec& e, const char* name, const Field& field, std::size_t vertices) {
  if (field.fits(Domain::vertex, vertices)) return true;
  e.error("'{}' has {} values per {}, but the body has {} vertices; make it on this body", name,
          field.size(), domain_name(field.domain()), vertices);
  return false;
}

}  // namespace sinew
