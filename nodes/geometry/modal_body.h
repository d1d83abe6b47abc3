// A body that translates, rotates and deforms by modes, with what its motion needs: masses at
// points of its inside, the vertices that touch obstacles, and how stiff and damped each mode is
// [Faloutsos97, sections 4.4, 4.5 and 5]. As plain immutable data.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "nodes/geometry/mesh.h"
#include "nodes/geometry/modes.h"

namespace sinew {

struct MassPoint {
  Vec3f at{0, 0, 0};  // m, at rest
  float mass = 1;     // kg

  bool operator==(const MassPoint&) const = default;
};

struct ModalBody {
  std::shared_ptr<const Mesh> mesh;  // never null
  std::shared_ptr<const Modes> modes;
  std::vector<MassPoint> masses;
  std::vector<uint32_t> touching;  // vertices of the mesh that are asked for contacts, increasing
  std::vector<double> stiffness;   // k_n of each mode, J: V = k_n / 2 (gamma - gamma_0)^2
  std::vector<double> damping;     // d_n of each mode, J s

  ModalBody();
  double mass() const;  // kg, of the whole
  bool operator==(const ModalBody& other) const;
};

inline constexpr std::size_t most_mass_points = 4096, most_touching = 20000;

std::optional<std::string> validate(const ModalBody& body);

std::size_t byte_size(const ModalBody& body);

}  // namespace sinew
