#include "nodes/geometry/vector_field.h"

#include <fmt/format.h>

namespace sinew {

std::optional<std::string> validate(const VectorField& field) {
  for (std::size_t i = 0; i < field.size(); ++i) {
    if (!field.values[i].allFinite()) {
      return fmt::format("the vector of {} {} is not finite", domain_name(field.domain), i);
    }
  }
  return std::nullopt;
}

std::size_t byte_size(const VectorField& field) {
  return sizeof(VectorField) + bytes_of(field.values).size();
}

}  // namespace sinew
