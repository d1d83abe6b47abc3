// What pulls at single places of a body: springs, pins and forces. Places are those of the body at
// rest. Strengths are counted per mass of the whole body, so that a body that is heavier or larger
// is moved the same way.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "nodes/geometry/types.h"

namespace sinew {

enum class BodyForceKind : uint8_t {
  spring,  // pulls `at` to `to`, with the strength that swings the whole body at `frequency`
  pin,     // holds `at` at `to`
  force,   // pushes at `at` with the acceleration `to` of the whole body, m/s^2
};

struct BodyForce {
  BodyForceKind kind = BodyForceKind::spring;
  Vec3f at{0, 0, 0};     // m, at rest
  Vec3f to{0, 0, 0};     // m in the world, or m/s^2
  float frequency = 2;   // Hz, of a spring
  float damping = 0.2f;  // of a spring, parts of the critical damping

  bool operator==(const BodyForce&) const = default;
};

struct BodyForces {
  std::vector<BodyForce> list;

  bool operator==(const BodyForces&) const = default;
};

inline constexpr std::size_t most_body_forces = 1000;

std::optional<std::string> validate(const BodyForces& forces);

std::size_t byte_size(const BodyForces& forces);

}  // namespace sinew
