// Other bodies that go their own way and push a simulated one aside.
#pragma once

#include <memory>
#include <vector>

#include "nodes/kernels/soft_body.h"
#include "nodes/kernels/soft_contact.h"
#include "nodes/node.h"

namespace sinew {

// A body in its last frame, and the tables of its boundary.
struct Neighbour {
  std::shared_ptr<const TetMesh> pose;
  std::shared_ptr<const kernels::ContactShape> shape;
};

struct NeighbourRoom {
  kernels::ContactScratch contact;
  std::vector<std::vector<Vec3f>> places, velocities;
  std::vector<kernels::ContactBody> bodies;
  std::vector<Vec3d> impulses;
};

struct SoftNeighbours {
  InList<TetMesh> bodies;

  void declare(Declaration& d);
  // As they are in this frame, with the tables of the last one where the tetrahedra are the same.
  std::vector<Neighbour> read(const Exec& e, const std::vector<Neighbour>& last) const;
};

// How a frame goes from `last` to `now`, which takes `seconds`, in steps of `step` seconds.
struct NeighbourMotion {
  const std::vector<Neighbour>& last;
  const std::vector<Neighbour>& now;
  double seconds = 0, step = 0;
};

// The body `own` is pushed out of all neighbours, which are `part` of the way through the frame.
// Returns the momentum that it was given, kg m/s.
Vec3d meet_neighbours(const kernels::ContactBody& own, const NeighbourMotion& motion, float part,
                      float friction, NeighbourRoom& room, CancelView stop = {});

}  // namespace sinew
