#include "nodes/soft_lead.h"

#include <algorithm>

#include "nodes/kernels/fit_skin.h"

namespace sinew {

void SoftLead::declare(Declaration& d) {
  d.in(follow, "follow")
      .accepts<Mesh>()
      .optional()
      .doc(
          "The solid where a skeleton, a lattice or anything else has put it at this frame, or the "
          "mesh that was filled, where a point cache or a clip has put it. Its flesh comes after: "
          "it lags, overshoots, jiggles, and comes to rest there. Bends of the led shape are not "
          "pulled straight.");
  d.in(strength, "follow_strength", Field::constant(3))
      .range(0, 1000)
      .unit("Hz")
      .best_from("material.feel", "frequency")
      .doc(
          "How firmly it is led: how many times in a second flesh would swing about its place. "
          "Paint it: 10 and more near bones, 1 to 3 in fat; 0 leaves a place to its neighbours. "
          "'pins' holds exactly.");
  d.in(damping, "follow_damping", 0.15f)
      .range(0, 10)
      .best_from("material.feel", "damping")
      .doc(
          "How soon that swing dies: 0 never, 0.15 after three or four swings; from 1 on flesh "
          "comes back without swinging. More also takes it along, as dough would.");
}

bool SoftLead::fits(Exec& e, const In<TetMesh>& solid) const {
  if (!e.has(follow)) return true;
  const TetMesh& body = e.get(solid);
  const std::size_t vertices = body.vertex_count();
  if (const TetMesh* pose = e.get_if<TetMesh>(follow); pose && pose->vertex_count() != vertices) {
    return e.error("'follow' has {} vertices but the solid has {}; deform this solid",
                   pose->vertex_count(), vertices),
           false;
  }
  if (const Mesh* surface = e.get_if<Mesh>(follow)) {
    if (const std::size_t skin = kernels::surface_size(body); surface->vertex_count() != skin) {
      return e.error(
                 "'follow' has {} vertices but the solid's surface has {}; move the mesh that the "
                 "solid was made from",
                 surface->vertex_count(), skin),
             false;
    }
    if (vertices > kernels::SkinFit::most_vertices) {
      return e.error(
                 "'follow' is a mesh, which can lead a solid of up to {} vertices; this has {}, so "
                 "lower the resolution",
                 kernels::SkinFit::most_vertices, vertices),
             false;
    }
  }
  return fits_vertices(e, "follow_strength", e.get(strength), vertices);
}

std::optional<std::vector<Vec3f>> SoftLead::places(Exec& e, const In<TetMesh>& solid) const {
  if (const TetMesh* pose = e.get_if<TetMesh>(follow)) return pose->positions;
  const Mesh* surface = e.get_if<Mesh>(follow);
  if (!surface) return std::nullopt;
  const auto make = [&] {
    return stoppable(e, [&](CancelView stop) { return kernels::SkinFit(e.get(solid), stop); });
  };
  return e.prepared<kernels::SkinFit>("skin fit", make, solid)->solve(surface->positions);
}

void SoftLead::take_hold(const Exec& e, double blend, std::vector<float>& firm,
                         LeadRoom& room) const {
  const std::span<const float> wanted = e.get(strength).values();
  const float dying = e.get(damping);
  const float part = blend > e.dt() ? static_cast<float>(e.dt() / blend) : 1;
  const std::size_t count = wanted.empty() ? 0 : std::max(wanted.size(), firm.size());
  const bool begins = firm.empty() || wanted.empty();
  if (!begins) firm.resize(count, float{firm[0]});
  room.holds.clear();
  for (std::size_t i = 0; i < count; ++i) {
    const float goal = wanted[wanted.size() == 1 ? 0 : i];
    const float now = begins ? goal : std::min(goal, firm[i] + part * goal);
    // A pull that grows from nothing would throw it past its place and back.
    const float c = now < goal ? now / goal : 1, calm = 1 - c * c * c * c;
    room.holds.push_back({now, std::max(dying, calm)});
  }
  firm.clear();
  for (const LeadRoom::Hold& hold : room.holds) firm.push_back(hold.swings);
  if (std::all_of(firm.begin(), firm.end(), [&](float f) { return f == firm[0]; })) {
    firm.resize(std::min<std::size_t>(firm.size(), 1));
  }
}

const kernels::Led* SoftLead::read(double h, const std::vector<Vec3f>& before,
                                   const std::vector<Vec3f>& now, LeadRoom& room) const {
  room.vertices.clear();
  // Painted numbers come in plateaus, and a vertex costs a few exponentials.
  for (std::size_t i = 0; i < room.holds.size(); ++i) {
    const LeadRoom::Hold& hold = room.holds[i];
    const bool again = i > 0 && hold == room.holds[i - 1];
    room.vertices.push_back(again ? room.vertices.back()
                                  : kernels::led_vertex(static_cast<double>(hold.swings),
                                                        static_cast<double>(hold.damping), h));
  }
  room.led = {.before = before.size() == now.size() ? before : now,
              .now = now,
              .vertices = room.vertices,
              .holds_pins = false,
              .turns = {}};
  return &room.led;
}

}  // namespace sinew
