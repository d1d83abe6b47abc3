#include "nodes/soft_lead.h"

namespace sinew {

void SoftLead::declare(Declaration& d) {
  d.in(follow, "follow")
      .optional()
      .doc(
          "The solid where a skeleton, a lattice or anything else has put it at this frame. Its "
          "flesh comes after: it lags, overshoots, jiggles, and comes to rest there. Bends of the "
          "led shape are not pulled straight.");
  d.in(strength, "follow_strength", Field::constant(3))
      .range(0, 1000)
      .unit("Hz")
      .doc(
          "How firmly it is led: how many times in a second flesh would swing about its place. "
          "Paint it: 10 and more near bones, 1 to 3 in fat; 0 leaves a place to its neighbours. "
          "'pins' holds exactly.");
  d.in(damping, "follow_damping", 0.15f)
      .range(0, 10)
      .doc(
          "How soon that swing dies: 0 never, 0.15 after three or four swings; from 1 on flesh "
          "comes back without swinging. More also takes it along, as dough would.");
}

bool SoftLead::fits(Exec& e, std::size_t vertices) const {
  const TetMesh* pose = e.get_if<TetMesh>(follow);
  if (!pose) return true;
  if (pose->vertex_count() != vertices) {
    return e.error("'follow' has {} vertices but the solid has {}; deform this solid",
                   pose->vertex_count(), vertices),
           false;
  }
  return fits_vertices(e, "follow_strength", e.get(strength), vertices);
}

const std::vector<Vec3f>* SoftLead::places(const Exec& e) const {
  const TetMesh* pose = e.get_if<TetMesh>(follow);
  return pose ? &pose->positions : nullptr;
}

const kernels::Led* SoftLead::read(const Exec& e, double h, const std::vector<Vec3f>& before,
                                   LeadRoom& room) const {
  const std::vector<Vec3f>* now = places(e);
  if (!now) return nullptr;
  const Field& swings = e.get(strength);
  const double dying = static_cast<double>(e.get(damping));
  room.vertices.clear();
  // Painted numbers come in plateaus, and a vertex costs a few exponentials.
  float last = 0;
  for (std::size_t i = 0; i < swings.values().size(); ++i) {
    const float here = swings.values()[i];
    const bool again = i > 0 && here == last;
    room.vertices.push_back(again ? room.vertices.back()
                                  : kernels::led_vertex(static_cast<double>(here), dying, h));
    last = here;
  }
  room.led = {.before = before.size() == now->size() ? before : *now,
              .now = *now,
              .vertices = room.vertices,
              .holds_pins = false,
              .turns = {}};
  return &room.led;
}

}  // namespace sinew
