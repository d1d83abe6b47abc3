// Martin Newell's teapot of 1975, from its bicubic Bezier patches [Crow87]: a surface of revolution
// (bottom, body, rim, lid) with a handle and a spout, made one solid body without gaps.
//
// The patches are open sheets that pass through each other. Here the revolved ones are closed
// between lid and rim and told by the distance to their outline in the half plane; handle and spout
// are closed at their ends, which lie inside the body, and told by the signed distance to the
// triangles their patches are cut into. The three are joined with a small fillet.
#pragma once

#include "nodes/kernels/everyday_bodies.h"

namespace sinew::kernels {

// Stands on y = 0 with its middle axis on the y axis; the spout points along +z.
struct TeapotShape {
  double length = 0.25;  // from the handle to the tip of the spout, metres
  double height = 1;     // 1: as it is usually shown; 4/3: as the pot that was drawn from
};
Body teapot_body(const TeapotShape& shape);

}  // namespace sinew::kernels
