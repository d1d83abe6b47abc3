// Loop subdivision [Loop87].
//
// Each triangle becomes four. With n neighbours v_j of a vertex v, an inner edge (a b) with
// opposite corners c, d:
//   new edge vertex   3/8 (a + b) + 1/8 (c + d)                inner edge
//                     1/2 (a + b)                              boundary or crease
//   old vertex        (1 - n beta) v + beta sum_j v_j          inner vertex
//                     3/4 v + 1/8 (v_left + v_right)           on a boundary or crease
//                     v                                        corner (other than two such edges)
// with beta(n) = (5/8 - (3/8 + cos(2 pi / n) / 4)^2) / n  [Loop87]
// or   beta(3) = 3/16, beta(n) = 3 / (8 n)                [Warren95].
// An edge with other than two triangles is a boundary or crease.
#pragma once

#include "nodes/geometry/mesh.h"

namespace sinew::kernels {

enum class LoopWeights : uint8_t { loop, warren };

// Triangles after `levels` steps: 4^levels times as many. The caller decides what is too many.
uint64_t subdivided_triangle_count(uint64_t triangles, int levels);

// The mesh after `levels` (>= 0) steps. Old vertices keep their indices, edge vertices follow in
// the order of the edges. Texture coordinates are interpolated linearly. After a step every
// triangle is a polygon of its own. Triangles with a repeated index are dropped. Throws Stopped,
// or std::length_error if the result does not fit 32-bit indices.
Mesh subdivide_loop(const Mesh& mesh, int levels, LoopWeights weights = LoopWeights::loop,
                    CancelView cancel = {});

}  // namespace sinew::kernels
