// The gradient of a field that is linear on each element: how fast, and in which direction, the
// values grow, per metre.
//
// On a tetrahedron with corners a, b, c, d, edges u = b - a, v = c - a, w = d - a and the
// differences fu, fv, fw of the values along them,
//   grad f = (fu v x w + fv w x u + fw u x v) / (u x v . w).
// On a triangle with unit normal n, area A, and e_i the edge opposite of corner i,
//   grad f = n x (f_0 e_0 + f_1 e_1 + f_2 e_2) / 2A,
// which lies in its plane. A vertex gets the mean over its elements, weighted by their volumes or
// areas; on a surface, what of that mean stands out of the vertex' tangent plane is removed. Linear
// functions on solids and on flat surfaces have their exact gradient.
//
// Elements without volume or area count as nothing; a vertex with no other ones gets 0. Computed in
// double precision; what is too large for a float saturates.
#pragma once

#include <span>
#include <vector>

#include "nodes/geometry/mesh.h"
#include "nodes/geometry/tet_mesh.h"

namespace sinew::kernels {

// `values` has one number per vertex.
std::vector<Vec3f> field_gradient(const TetMesh& solid, std::span<const float> values,
                                  CancelView stop = {});
std::vector<Vec3f> field_gradient(const Mesh& mesh, std::span<const float> values,
                                  CancelView stop = {});

}  // namespace sinew::kernels
