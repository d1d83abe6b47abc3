// A closed surface from rings about an axis, with one vertex at each end: clean rows and columns
// where rings have the same number of vertices, and three triangles to an edge where the number
// halves, so that triangles stay even towards the ends.
#pragma once

#include <functional>
#include <span>

#include "nodes/geometry/mesh.h"

namespace sinew::kernels {

struct Ring {
  double along;  // whatever `place` understands: the way along the profile
  int count;     // vertices around, >= 3; that of its neighbours, half or double
};

// place(along, angle) gives the points: angle in [0, 2 pi), counter-clockwise seen against the way
// along. Vertices: the first end, the rings one after the other from angle 0 on, the last end.
// Counter-clockwise from outside if the rings follow each other in the direction in which `angle`
// turns by the right hand.
Mesh make_ring_mesh(std::span<const Ring> rings, double first_end, double last_end,
                    const std::function<Vec3d(double along, double angle)>& place);

// Rings for a profile: at each of `stations` with the circumference there, at most `around`
// vertices, halved (while even and at least 2 `least`) where edges would be shorter than `edge`.
std::vector<Ring> choose_rings(std::span<const double> stations,
                               std::span<const double> circumferences, int around, int least,
                               double edge);

}  // namespace sinew::kernels
