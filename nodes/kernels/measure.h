// Measures of meshes and point sets. Sums run in double precision, block by block in a fixed order.
#pragma once

#include <Eigen/Geometry>
#include <span>
#include <vector>

#include "nodes/geometry/mesh.h"

namespace sinew::kernels {

// Of all points; empty (isEmpty()) for none.
Eigen::AlignedBox3f bounding_box(std::span<const Vec3f> points);

struct SurfaceMeasures {
  double area = 0;           // m^2
  double signed_volume = 0;  // m^3; positive if closed and outward; of the cone to the box's centre
                             // if open
  Vec3d centroid{0, 0, 0};   // area-weighted; the mean of the points where there is no area
};
SurfaceMeasures measure_surface(const Mesh& mesh);

double surface_area(const Mesh& mesh);
double signed_volume(const Mesh& mesh);
Vec3d centroid(const Mesh& mesh);

enum class NormalWeight : uint8_t { area, angle };
// Unit normals per vertex; 0 for a vertex that has no face with a direction.
std::vector<Vec3f> vertex_normals(const Mesh& mesh, NormalWeight weight = NormalWeight::angle);

}  // namespace sinew::kernels
