// Everyday things blended from parts: functions that are negative inside, which an even mesh is
// laid around. Lengths are metres; proportions are shares of one size. y is up, all stand on y = 0,
// and all are mirror images of themselves at x = 0.
#pragma once

#include <Eigen/Geometry>

#include "nodes/kernels/implicit_mesh.h"

namespace sinew::kernels {

struct Body {
  Implicit distance;         // about metres near the surface, negative inside
  Eigen::AlignedBox3d box;   // with room around the body
  double cell = 0;           // metres: half of what is thinnest, so that no part and no gap is lost
  double adaptivity = 0.35;  // 0: all edges of one length; 1: as the radius of curvature
};

// With about that many vertices; the edges are shorter where the body is more curved. Exactly
// symmetric.
Mesh mesh_body(const Body& body, int vertices, CancelView stop = {});

struct TableShape {
  double length = 1.2;  // along z
  double width = 0.62;  // along x, share of the length
  double height = 0.6;  // share of the length
  double top = 0.045;   // thickness of the top, share of the length
  double legs = 0.06;   // thickness of the legs where they meet the top, share of the length
};
Body table_body(const TableShape& shape);

// The leaf points along z.
struct AppleShape {
  double width = 0.08;
  double height = 0.9;   // without the stem, share of the width
  double dimple = 0.18;  // depth of the hollow around the stem, share of the width
  double leaf = 0.4;     // length, share of the width
};
Body apple_body(const AppleShape& shape);

// Faces +z. One body: the wheels hang on axles.
struct CarShape {
  double length = 1;
  double height = 0.5;   // share of the length
  double wheels = 0.11;  // radius, share of the length
};
Body car_body(const CarShape& shape);

// In the plane z = 0, with round ends, open above.
struct UShape {
  double height = 0.3;
  double thickness = 0.26;  // of the legs, share of the height
  double gap = 0.2;         // between the legs, share of their thickness
  double rounding = 0.4;    // radius of the edges, share of half the thickness
};
Body u_body(const UShape& shape);

}  // namespace sinew::kernels
