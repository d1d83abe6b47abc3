// Meshes of simple shapes, centred at the origin, lengths in metres.
//
// All are watertight (except the grid and open cylinders): neighbouring faces share vertices, poles
// and seams are not doubled, triangles are counter-clockwise from outside. Sides are quads split
// along one diagonal, recorded as polygons so that a wireframe shows quads. Segment counts are
// exact. Sizes must be positive and segment counts at least the stated minimum, else
// std::invalid_argument is thrown with a message that names the parameter.
#pragma once

#include <array>

#include "nodes/geometry/mesh.h"

namespace sinew::kernels {

struct BoxShape {
  Vec3f size{1, 1, 1};
  std::array<int, 3> segments{1, 1, 1};  // along x, y, z; each >= 1
};
// 2 (ab + bc + ca) quads for a, b, c segments.
Mesh make_box(const BoxShape& shape);

struct GridShape {
  float width = 1, depth = 1;                    // along the first and the second axis of the plane
  int width_segments = 10, depth_segments = 10;  // each >= 1
  Axis normal = Axis::y;
};
// (w + 1)(d + 1) vertices, row by row. The plane's two axes are the cyclic successors of `normal`
// (z and x for y), so that the faces look along +normal. Diagonals alternate, so that neither
// direction is preferred.
Mesh make_grid(const GridShape& shape);

struct UvSphereShape {
  float radius = 0.5f;
  int segments = 32;  // around the axis, >= 3
  int rings = 16;     // from pole to pole, >= 2
  Axis axis = Axis::y;
};
// segments (rings - 1) + 2 vertices, 2 segments (rings - 1) triangles.
Mesh make_uv_sphere(const UvSphereShape& shape);

struct IcosphereShape {
  float radius = 0.5f;
  int frequency = 4;  // each edge of the icosahedron is cut into this many pieces, >= 1
};
// 10 f^2 + 2 vertices, 20 f^2 triangles.
Mesh make_icosphere(const IcosphereShape& shape);

struct CylinderShape {
  float radius = 0.5f;
  float top_radius = 0.5f;  // differs for a truncated cone; 0 for a cone (one vertex at its tip)
  float height = 1;
  int segments = 32;        // around, >= 3
  int height_segments = 1;  // along, >= 1
  int cap_segments = 1;     // rings in each cap, from rim to centre, >= 1
  bool caps = true;
  Axis axis = Axis::y;
};
Mesh make_cylinder(const CylinderShape& shape);

struct TorusShape {
  float major_radius = 0.5f;   // of the circle of centres
  float minor_radius = 0.15f;  // of the tube; smaller than major_radius
  int major_segments = 48;     // >= 3
  int minor_segments = 16;     // >= 3
  Axis axis = Axis::y;
};
// Mm vertices, 2 Mm triangles.
Mesh make_torus(const TorusShape& shape);

struct CapsuleShape {
  float radius = 0.25f;
  float height = 1;         // from pole to pole, > 2 radius
  int segments = 32;        // around, >= 3
  int cap_rings = 8;        // in each half sphere, >= 1
  int height_segments = 4;  // along the straight part, >= 1
  Axis axis = Axis::y;
};
Mesh make_capsule(const CapsuleShape& shape);

}  // namespace sinew::kernels
