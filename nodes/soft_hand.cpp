#include "nodes/soft_hand.h"

namespace sinew {

void SoftHand::declare(Declaration& d) {
  d.in(grab, "grab", false).doc("Whether a hand pulls at it.");
  d.in(at, "grab_at", Vec3{})
      .range(-1e6, 1e6)
      .unit("m")
      .doc("Where the hand takes hold: the closest vertex, when 'grab' begins.");
  d.in(to, "grab_to", Vec3{}).range(-1e6, 1e6).unit("m").doc("Where the hand pulls to.");
  d.in(strength, "grab_strength", 100)
      .range(0, 1e9)
      .unit("N/m")
      .doc("Of the spring between hand and body; any strength is safe.");
  d.in(radius, "grab_radius", 0)
      .range(0, 1e3)
      .unit("m")
      .doc("How much of the body around that vertex is taken hold of; 0: only the vertex.");
  d.in(follow, "grab_follow", 0)
      .range(0, 100)
      .unit("1/s")
      .doc(
          "How fast the whole body follows the hand, whatever it weighs: adds to the strength; 0: "
          "nothing.");
  d.hand(grab, at, to, radius, follow);
  d.handle(HandleKind::vector, "hand").at(at).to(to).when(grab);
}

// The closest vertex, and those around it.
std::vector<Held> SoftHand::take_hold(const Exec& e, std::span<const Vec3f> positions) const {
  const Vec3f place = to_eigen(e.get(at));
  std::size_t nearest = 0;
  for (std::size_t i = 1; i < positions.size(); ++i) {
    if ((positions[i] - place).squaredNorm() < (positions[nearest] - place).squaredNorm()) {
      nearest = i;
    }
  }
  std::vector<Held> held;
  const float reach = e.get(radius);
  for (uint32_t i = 0; i < positions.size(); ++i) {
    const Vec3f offset = positions[i] - positions[nearest];
    const float away = offset.norm();
    if (i != nearest && away >= reach) continue;
    const float near = i == nearest ? 1 : 1 - away / reach;
    held.push_back({i, near * near, offset});
  }
  return held;
}

void SoftHand::read(const Exec& e, const kernels::SoftBody& body, std::span<const Vec3f> positions,
                    std::vector<Held>& held, std::vector<kernels::Pull>& pulls) const {
  pulls.clear();
  if (!e.get(grab)) return held.clear();
  if (held.empty()) held = take_hold(e, positions);
  float whole = 0;
  for (const Held& one : held) whole += one.weight;
  // A mass m on a spring k moves with the root of k / m.
  const float speed = e.get(follow);
  float strong = e.get(strength);
  if (speed > 0) {
    double mass = 0;
    for (const double part : body.match().part_masses()) mass += part;
    strong += static_cast<float>(mass) * speed * speed;
  }
  for (const Held& one : held) {
    pulls.push_back({one.vertex, strong * one.weight / whole, to_eigen(e.get(to)) + one.offset});
  }
}

}  // namespace sinew
