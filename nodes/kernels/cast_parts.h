// What the makers of the cast share.
#pragma once

#include <functional>

#include "nodes/kernels/implicit_mesh.h"
#include "nodes/kernels/implicit_shape.h"
#include "nodes/kernels/measure.h"

namespace sinew::kernels::cast {

struct Making {
  double cell;  // of the grid, for a body of about unit size
  int vertices;
  bool mirrored;  // the body is symmetric
  double adaptivity = 0.6;
  bool hollows = false;  // closed ones are meant
  bool on_ground = false;
};

// A body of about unit size as a mesh, scaled.
inline Mesh mesh_of(const ImplicitShape& body, const Making& making, double scale,
                    CancelView stop) {
  ImplicitMeshOptions options;
  options.box = body.box();
  options.cell = making.cell;
  options.vertices = making.vertices;
  options.adaptivity = making.adaptivity;
  options.mirror_x = making.mirrored;
  options.keep_hollows = making.hollows;
  Mesh mesh = mesh_implicit(std::cref(body), options, stop);
  const float lowest = making.on_ground ? bounding_box(mesh.positions).min().y() : 0;
  for (Vec3f& p : mesh.positions) {
    p.y() -= lowest;
    p *= static_cast<float>(scale);
  }
  return mesh;
}

}  // namespace sinew::kernels::cast
