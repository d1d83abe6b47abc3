#include "nodes/geometry/body_forces.h"

#include <fmt/format.h>

namespace sinew {

std::optional<std::string> validate(const BodyForces& forces) {
  if (forces.list.size() > most_body_forces) {
    return fmt::format("{} forces, but at most {} are allowed", forces.list.size(),
                       most_body_forces);
  }
  for (std::size_t i = 0; i < forces.list.size(); ++i) {
    const BodyForce& one = forces.list[i];
    if (!(one.at.cwiseAbs().maxCoeff() <= 1e9f && one.to.cwiseAbs().maxCoeff() <= 1e9f)) {
      return fmt::format("force {}: its places must be numbers up to 1e9", i + 1);
    }
    if (!(one.frequency >= 0 && one.frequency <= 1000 && one.damping >= 0 && one.damping <= 100)) {
      return fmt::format("force {}: its frequency must be from 0 to 1000, its damping to 100",
                         i + 1);
    }
  }
  return std::nullopt;
}

std::size_t byte_size(const BodyForces& forces) {
  return sizeof forces + forces.list.size() * sizeof(BodyForce);
}

}  // namespace sinew
