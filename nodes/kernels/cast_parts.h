// What the makers of the cast share.
#pragma once

#include <functional>

#include "nodes/kernels/implicit_mesh.h"
#include "nodes/kernels/implicit_shape.h"
#include "nodes/kernels/measure.h"

namespace sinew::kernels::cast {

enum class Stands : uint8_t {
  centred,   // the middle of its extent along `axis` is at 0
  on_ground  // its lowest point is at y = 0
};

struct Making {
  double cell;  // of the grid, for a body of about unit size
  int vertices;
  bool mirrored;  // the body is symmetric in x
  int axis;       // along which its size is measured: 0 x, 1 y, 2 z
  Stands stands = Stands::centred;
  double adaptivity = 0.6;
  bool hollows = false;  // closed ones are meant
};

// A smooth line through points, as the hull of its balls.
inline Limb flowing(Limb through, int pieces = 6) {
  through.hull = true;
  return smooth_limb(through, pieces);
}

// Brings a mesh to a size along an axis, exactly.
inline void fit(Mesh& mesh, int axis, Stands stands, double size) {
  const Eigen::AlignedBox3f box = bounding_box(mesh.positions);
  Vec3f origin(0, 0, 0);
  if (stands == Stands::on_ground) {
    origin.y() = box.min().y();
  } else {
    origin[axis] = box.center()[axis];
  }
  const float factor = static_cast<float>(size) / box.sizes()[axis];
  for (Vec3f& p : mesh.positions) p = factor * (p - origin);
}

// A body of about unit size as a mesh, `size` metres long.
inline Mesh mesh_of(const ImplicitShape& body, const Making& making, double size, CancelView stop) {
  ImplicitMeshOptions options;
  options.box = body.box();
  options.cell = making.cell;
  options.vertices = making.vertices;
  options.adaptivity = making.adaptivity;
  options.mirror_x = making.mirrored;
  options.keep_hollows = making.hollows;
  Mesh mesh = mesh_implicit(std::cref(body), options, stop);
  fit(mesh, making.axis, making.stands, size);
  return mesh;
}

}  // namespace sinew::kernels::cast
