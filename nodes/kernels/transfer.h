// Values from the vertices of one body, read at places of another.
//
// From a surface: at the closest point, by its barycentric weights. From a solid: in the
// tetrahedron around the place, or just outside the nearest one, by its weights; both reproduce
// linear functions wherever they are read on the surface or in the solid. Outside, a solid's values
// go on linearly for as far as about half of a tetrahedron, then no further: linear functions
// survive between two solids of one shape, whose vertices stick out of each other a little, and
// nothing explodes far away.
#pragma once

#include <Eigen/Geometry>
#include <span>
#include <vector>

#include "nodes/kernels/embed.h"
#include "nodes/kernels/surface_tree.h"

namespace sinew::kernels {

// Places of one box at the same parts of another one: 0 .. 1 along each side. Where the first box
// has no extent, the middle of the second.
std::vector<Vec3f> fit_box(std::span<const Vec3f> points, const Eigen::AlignedBox3f& from,
                           const Eigen::AlignedBox3f& to);

struct Transferred {
  std::vector<float> values;    // one per place
  std::vector<float> distance;  // m: how far away what was read is; 0 inside of a solid
};

// `values`: one per vertex of the body that the tree is made of; the tree must not be empty.
Transferred transfer(const SurfaceTree& tree, std::span<const Triangle> triangles,
                     std::span<const float> values, std::span<const Vec3f> places,
                     CancelView stop = {});
Transferred transfer(const TetTree& tree, std::span<const Tetrahedron> tets,
                     std::span<const float> values, std::span<const Vec3f> places,
                     CancelView stop = {});

}  // namespace sinew::kernels
