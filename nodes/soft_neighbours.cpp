#include "nodes/soft_neighbours.h"

namespace sinew {

namespace {

const Neighbour* same_body(const std::vector<Neighbour>& list, std::size_t at,
                           const TetMesh& pose) {
  return at < list.size() && list[at].pose->topology == pose.topology ? &list[at] : nullptr;
}

}  // namespace

void SoftNeighbours::declare(Declaration& d) {
  d.in(bodies, "bodies").doc("Other bodies, which go their own way and push this one aside.");
}

std::vector<Neighbour> SoftNeighbours::read(const Exec& e,
                                            const std::vector<Neighbour>& last) const {
  std::vector<Neighbour> now;
  for (const Value& value : e.values(bodies.index)) {
    Neighbour one{std::static_pointer_cast<const TetMesh>(value.shared()), nullptr};
    if (one.pose->tet_count() == 0) continue;
    const Neighbour* known = same_body(last, now.size(), *one.pose);
    const auto make = [&](CancelView stop) { return kernels::ContactShape(*one.pose, stop); };
    one.shape =
        known ? known->shape : std::make_shared<const kernels::ContactShape>(stoppable(e, make));
    now.push_back(std::move(one));
  }
  return now;
}

Vec3d meet_neighbours(const kernels::ContactBody& own, const NeighbourMotion& motion, float part,
                      float friction, NeighbourRoom& room, CancelView stop) {
  const std::size_t count = motion.now.size();
  if (count == 0) return Vec3d::Zero();
  room.bodies.assign(1, own);
  room.places.resize(count);
  room.velocities.resize(count);
  const float per_second = static_cast<float>(1 / motion.seconds);
  for (std::size_t k = 0; k < count; ++k) {
    const Neighbour* before = same_body(motion.last, k, *motion.now[k].pose);
    const std::vector<Vec3f>& to = motion.now[k].pose->positions;
    const std::vector<Vec3f>& from = before ? before->pose->positions : to;
    std::vector<Vec3f>& places = room.places[k];
    std::vector<Vec3f>& velocities = room.velocities[k];
    places.resize(to.size());
    velocities.resize(to.size());
    for (std::size_t i = 0; i < to.size(); ++i) {
      places[i] = from[i] + part * (to[i] - from[i]);
      velocities[i] = (to[i] - from[i]) * per_second;
    }
    room.bodies.push_back({motion.now[k].shape.get(), places, velocities, {}, 1});
  }
  room.impulses.assign(room.bodies.size(), Vec3d::Zero());
  kernels::resolve_contacts(room.bodies, kernels::contacts_of_step(friction, motion.step),
                            room.contact, room.impulses, stop);
  return room.impulses[0];
}

}  // namespace sinew
