#include "nodes/soft_pins.h"

#include <algorithm>
#include <cmath>

namespace sinew {

Vec3f Pinned::off(double ago) const {
  if (!(ago < static_cast<double>(within))) return Vec3f::Zero();
  const float s = static_cast<float>(ago) / within, r = 1 - s;
  return r * r * (1 + 2 * s) * from + r * r * s * within * speed;
}

void SoftPins::declare(Declaration& d) {
  d.in(field, "pins", Field::constant(0))
      .range(0, 1)
      .doc(
          "1 holds a vertex where it is at rest, or where 'follow' puts it; less pulls it there, 0 "
          "lets it go.");
  d.in(follow, "pins_follow")
      .optional()
      .doc("Another pose of the solid, to which pinned vertices are held instead.");
  d.in(blend, "blend", 0.5f)
      .range(0, 100)
      .unit("s")
      .doc(
          "In which it finds back to its own shape when pins let it go, and is drawn to where it "
          "belongs when pins or 'follow' catch it again or hold it more firmly; 0 is at once, "
          "which "
          "throws its limbs.");
}

bool SoftPins::fits(Exec& e, std::size_t vertices) const {
  if (!fits_vertices(e, "pins", e.get(field), vertices)) return false;
  const TetMesh* pose = e.get_if<TetMesh>(follow);
  if (pose && pose->vertex_count() != vertices) {
    return e.error("'pins_follow' has {} vertices but the solid has {}; deform this solid",
                   pose->vertex_count(), vertices),
           false;
  }
  return true;
}

namespace {

// Part of the hold after a frame. Its fourth root goes evenly: a hold that has become weak still
// holds most of a fine body.
float gone_over(float before, float wanted, float pace) {
  const float root = std::sqrt(std::sqrt(before));
  const float low = std::max(root - pace, 0.0f), high = root + pace;
  return std::clamp(wanted, low * low * low * low, high * high * high * high);
}

}  // namespace

bool SoftPins::holds(const Exec& e) const {
  const Field& parts = e.get(field);
  return !parts.is_constant() || parts.at(0) > 0;
}

void SoftPins::begin(const Exec& e, std::size_t vertices, std::vector<Pinned>& held) const {
  held.clear();
  if (!holds(e)) return;
  const Field& parts = e.get(field);
  for (uint32_t i = 0; i < vertices; ++i) {
    if (const float part = parts.at(i); part > 0) held.push_back({i, std::min(part, 1.0f)});
  }
}

void SoftPins::step(const Exec& e, const PinPlaces& places, const kernels::SoftState& body,
                    std::vector<Pinned>& held, PinRoom& room) const {
  room.pins.clear();
  room.held.clear();
  room.parts.clear();
  const bool any = holds(e);
  if (!any && held.empty()) return;
  const Field& parts = e.get(field);
  const float dt = static_cast<float>(e.dt()), within = e.get(blend);
  const float pace = within > dt ? dt / within : 1;
  std::size_t next = 0;  // of those that were held
  for (uint32_t i = 0; i < body.positions.size(); ++i) {
    const float wanted = any && parts.at(i) > 0 ? std::min(parts.at(i), 1.0f) : 0;
    const bool was_held = next < held.size() && held[next].vertex == i;
    Pinned one = was_held ? held[next++] : Pinned{i, wanted};
    const float before = pace < 1 ? one.part : wanted;
    if (was_held && pace < 1) one.part = gone_over(before, wanted, pace);
    if (pace >= 1) one = {i, wanted};
    if (!(before > 0) && !(one.part > 0)) continue;
    if (!was_held && pace < 1) {
      one.within = within;
      one.from = body.positions[i] - places.before[i];
      one.speed = body.velocities[i] - (places.now[i] - places.before[i]) / dt;
    }
    one.caught += dt;
    room.pins.push_back({i, one.part, places.now[i], Vec3f::Zero()});
    room.held.push_back(one);
    room.parts.push_back(before);
  }
  held = room.held;
  std::erase_if(held, [](const Pinned& one) { return !(one.part > 0); });
}

void SoftPins::read(double dt, double part, PinRoom& room) {
  for (std::size_t k = 0; k < room.pins.size(); ++k) {
    const Pinned& one = room.held[k];
    const float before = room.parts[k];
    room.pins[k].part = before + static_cast<float>(part) * (one.part - before);
    room.pins[k].off = one.off(static_cast<double>(one.caught) - (1 - part) * dt);
  }
}

}  // namespace sinew
