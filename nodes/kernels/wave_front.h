// How a distance goes on by one element: from the two ends of an edge, or the three corners of a
// face, to the vertex opposite of it. What marching over triangles and tetrahedra shares.
//
// Two models of the wave that passes through:
//   curved: it comes from one point. The known distances fix that point S on the far side of the
//     edge or face (the intersection of two circles, of three spheres), and d = |S - c|. Exact for
//     a point source wherever the way is straight or, on a surface, straight after unfolding, for
//     triangles of any shape [Novotni02].
//   flat: it is a plane wave; the known distances fix its direction [Kimmel98]. Exact for the
//     distance from a straight line or a plane, so it is the one for sets.
// A way is only taken where it passes through the edge or face itself; else it goes along its rim,
// at last along the straight edges from the vertices. Every result is therefore at most
// min(d_i + |c - p_i|).
//
// Lengths in metres, double precision. Elements without length or area are taken as their rims.
#pragma once

#include "nodes/geometry/types.h"

namespace sinew::kernels {

enum class Wave : uint8_t { curved, flat };

// Distance at c, given da at a and db at b (both finite).
double through_edge(Wave wave, const Vec3d& a, double da, const Vec3d& b, double db,
                    const Vec3d& c);

// Distance at e, given da, db, dc at a, b, c (all finite).
double through_face(Wave wave, const Vec3d& a, double da, const Vec3d& b, double db, const Vec3d& c,
                    double dc, const Vec3d& e);

}  // namespace sinew::kernels
