#include "nodes/geometry/modal_body.h"

#include <fmt/format.h>

#include <cmath>

namespace sinew {

ModalBody::ModalBody()
    : mesh(std::make_shared<const Mesh>()), modes(std::make_shared<const Modes>()) {}

double ModalBody::mass() const {
  double sum = 0;
  for (const MassPoint& point : masses) sum += double{point.mass};
  return sum;
}

bool ModalBody::operator==(const ModalBody& other) const {
  return (mesh == other.mesh || *mesh == *other.mesh) &&
         (modes == other.modes || *modes == *other.modes) && masses == other.masses &&
         touching == other.touching && stiffness == other.stiffness && damping == other.damping;
}

std::optional<std::string> validate(const ModalBody& body) {
  if (auto wrong = validate(*body.mesh)) return wrong;
  if (auto wrong = validate(*body.modes)) return wrong;
  if (body.masses.size() > most_mass_points) {
    return fmt::format("{} mass points, but at most {} are allowed", body.masses.size(),
                       most_mass_points);
  }
  for (std::size_t i = 0; i < body.masses.size(); ++i) {
    const MassPoint& point = body.masses[i];
    if (point.at.allFinite() && std::isfinite(point.mass) && point.mass > 0) continue;
    return fmt::format("mass point {} has no place, or no mass", i);
  }
  uint32_t next = 0;
  for (const uint32_t vertex : body.touching) {
    if (vertex < next || vertex >= body.mesh->vertex_count()) {
      return fmt::format("touching vertex {} is not one of the mesh, or not in order", vertex);
    }
    next = vertex + 1;
  }
  const std::size_t count = body.modes->count();
  if (body.stiffness.size() != count || body.damping.size() != count) {
    return fmt::format("{} modes have {} stiffnesses and {} dampings", count, body.stiffness.size(),
                       body.damping.size());
  }
  for (std::size_t n = 0; n < count; ++n) {
    if (body.stiffness[n] >= 0 && body.damping[n] >= 0 && std::isfinite(body.stiffness[n]) &&
        std::isfinite(body.damping[n])) {
      continue;
    }
    return fmt::format("stiffness and damping of mode '{}' must be 0 or more",
                       body.modes->all()[n]->name);
  }
  return std::nullopt;
}

std::size_t byte_size(const ModalBody& body) {
  return sizeof body + byte_size(*body.mesh) + byte_size(*body.modes) +
         body.masses.size() * sizeof(MassPoint) + body.touching.size() * sizeof(uint32_t) +
         2 * body.stiffness.size() * sizeof(double);
}

}  // namespace sinew
