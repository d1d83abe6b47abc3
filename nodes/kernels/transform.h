// Affine maps of points and meshes.
#pragma once

#include <Eigen/Geometry>
#include <span>

#include "nodes/geometry/mesh.h"

namespace sinew::kernels {

// translate * rotate * scale. The rotation turns about x first, then y, then z (fixed axes):
// R = Rz Ry Rx, angles in degrees. Multiples of 90 degrees are exact.
Eigen::Affine3f compose_transform(const Vec3f& translation, const Vec3f& rotation_degrees,
                                  const Vec3f& scale);

// out[i] = map * points[i]; out may be the same memory as points.
void transform_points(const Eigen::Affine3f& map, std::span<const Vec3f> points,
                      std::span<Vec3f> out);

// Whether the map turns surfaces inside out (negative determinant).
bool is_mirroring(const Eigen::Affine3f& map);

// The mesh mapped. Triangles are flipped if the map mirrors, so that outside stays outside;
// otherwise the connectivity is shared with the input.
Mesh transform_mesh(const Eigen::Affine3f& map, const Mesh& mesh);

// The same connectivity with every triangle turned round.
Topology flipped(const Topology& topology);

}  // namespace sinew::kernels
