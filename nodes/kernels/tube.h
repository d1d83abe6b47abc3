// A round tube along a line of points.
//
// Each point becomes a ring of `segments` vertices in the plane across the line's direction there.
// The rings are carried along without twist by the double reflection method [Wang08]: a frame
// (r, t) at x is reflected at the plane between x and the next point, and then at the plane between
// the reflected and the next direction. A tube that only bends shows no spiral.
#pragma once

#include <span>

#include "nodes/geometry/mesh.h"

namespace sinew::kernels {

struct TubeShape {
  float radius = 0.02f;  // metres
  int segments = 8;      // around, >= 3
};

// Vertices ring by ring: vertex k of ring i has the index i * segments + k. The two ends are closed
// with one vertex each, first that of the start and then that of the end: n segments + 2 vertices
// for n >= 2 points. Points may coincide: a ring without a direction takes that of the one before.
Mesh make_tube(std::span<const Vec3f> points, const TubeShape& shape);

}  // namespace sinew::kernels
