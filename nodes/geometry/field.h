// A scalar field: one number for everything, or one per element of some domain.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "nodes/geometry/types.h"

namespace sinew {

// What the elements of a field are.
enum class Domain : uint8_t { constant, vertex, face, tet, bone };

std::string_view domain_name(Domain domain);

class Field {
 public:
  // The constant 0.
  Field() = default;
  // One value per element; the domain must not be `constant`.
  Field(Domain domain, std::vector<float> values);
  static Field constant(float value);

  Domain domain() const { return domain_; }
  bool is_constant() const { return domain_ == Domain::constant; }
  // Number of elements; 1 for a constant.
  std::size_t size() const { return is_constant() ? 1 : values_.size(); }
  float at(std::size_t i) const { return is_constant() ? constant_ : values_[i]; }
  // The values as they are stored; a constant is a span of length 1.
  std::span<const float> values() const;
  // Whether it can be used on `count` elements of `domain`: always for a constant.
  bool fits(Domain domain, std::size_t count) const;
  // One value per element, a constant repeated.
  std::vector<float> expanded(std::size_t count) const;

  bool operator==(const Field&) const = default;

 private:
  Domain domain_ = Domain::constant;
  float constant_ = 0;
  std::vector<float> values_;
};

// The first value that is not finite, as a message, or nothing.
std::optional<std::string> validate(const Field& field);

std::size_t byte_size(const Field& field);

template <class Hash>
void visit_content(const Field& field, Hash&& hash) {
  const std::array<uint64_t, 2> head = {static_cast<uint64_t>(field.domain()), field.size()};
  hash(bytes_of(head));
  hash(std::as_bytes(field.values()));
}

}  // namespace sinew
