// Bodies of tetrahedra that push each other apart.
//
// A vertex of one body's boundary that lies inside a tetrahedron of another body is moved out to the
// nearest place of that body's boundary as it is now, and the triangle there gives way: positions
// by inverse masses, so that the centre of both stays where it is; then the approaching part of the
// relative velocity goes, and Coulomb friction takes from the sliding part no more than its share of
// what the normal part lost. Momentum is kept exactly up to rounding (bodies whose inverse masses
// are 0 are walls that move, and take up any momentum).
//
// Broad phase: boxes of bodies; then only the tetrahedra and vertices inside of the overlap of two
// boxes, in a spatial hash. Which triangles can be nearest to a place inside of a tetrahedron is
// found once, at rest. Contacts are found in parallel and applied in a fixed order: the same bits
// on any number of threads.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "nodes/geometry/tet_mesh.h"

namespace sinew::kernels {

// What follows from the rest shape, once for all instances of it.
class ContactShape {
 public:
  explicit ContactShape(const TetMesh& rest, CancelView stop = {});
  std::size_t bytes() const;
  // (private parts to be designed)
};

// One body as it is now; positions and velocities are changed.
struct ContactBody {
  const ContactShape* shape = nullptr;
  std::span<Vec3f> positions;
  std::span<Vec3f> velocities;
  std::span<const float> inverse_mass;  // 1/kg per vertex of the shape; 0: does not give way
  float inverse_mass_scale = 1;         // a larger instance of the same shape is heavier
};

struct ContactOptions {
  float friction = 0.3f;
  int passes = 1;  // how often contacts are looked for and resolved
};

struct ContactScratch;  // all the room that is needed, kept between calls

struct ContactReport {
  std::size_t contacts = 0;
  double deepest = 0;  // m, of the first pass
};

}  // namespace sinew::kernels
