// One vector per element: displacements, gradients, directions, velocities.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "nodes/geometry/field.h"
#include "nodes/geometry/types.h"

namespace sinew {

struct VectorField {
  Domain domain = Domain::vertex;  // never `constant`
  std::vector<Vec3f> values;
  std::string unit = {};  // of their lengths: "m"; empty: a plain number

  std::size_t size() const { return values.size(); }
  bool fits(Domain wanted, std::size_t count) const {
    return domain == wanted && values.size() == count;
  }
  bool operator==(const VectorField&) const = default;
};

// The first vector that is not finite, as a message, or nothing.
std::optional<std::string> validate(const VectorField& field);

std::size_t byte_size(const VectorField& field);

template <class Hash>
void visit_content(const VectorField& field, Hash&& hash) {
  const std::array<uint64_t, 3> head = {static_cast<uint64_t>(field.domain), field.size(),
                                        field.unit.size()};
  hash(bytes_of(head));
  hash(bytes_of(field.values));
  hash(bytes_of(field.unit));
}

}  // namespace sinew
