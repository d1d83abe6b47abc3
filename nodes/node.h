// What every node file includes: the words of a declaration, the values, and the few bridges
// between the graph's types and those of the kernels.
#pragma once

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

// Whether the field has a value for each vertex; says what is wrong if not.
inline bool fits_vertices(Exec& e, const Field& field, const Mesh& mesh) {
  if (field.fits(Domain::vertex, mesh.vertex_count())) return true;
  if (field.domain() != Domain::vertex) {
    e.error("the field has values per {}, but one per vertex is needed",
            domain_name(field.domain()));
  } else {
    e.error("the field has {} values but the mesh has {} vertices; make it on this mesh",
            field.size(), mesh.vertex_count());
  }
  return false;
}

}  // namespace sinew
