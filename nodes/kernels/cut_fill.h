// Closes what the section through a solid leaves open inside of the skin that the solid carries: at
// a sharp rim the tetrahedra end before the skin does.
//
// The skin's outline is filled with triangles, these are halved until they are small against those
// of the section, and those that the section does not cover are added to it. Their values are those
// of the closest place of the section, so that colours run on over the seam.
#pragma once

#include <span>
#include <vector>

#include "nodes/geometry/mesh.h"

namespace sinew::kernels {

// The section, which grows.
struct CapMesh {
  std::vector<Vec3f>& positions;
  std::vector<float>& values;  // one per vertex
  std::vector<Triangle>& triangles;
  std::vector<uint32_t>& sources;  // one per triangle
};

// `filled`: triangles over `outline`, all in the plane of the section, which `normal` is across.
void fill_gaps(CapMesh cap, std::span<const Vec3f> outline, std::span<const Triangle> filled,
               const Vec3d& normal, CancelView stop = {});

}  // namespace sinew::kernels
