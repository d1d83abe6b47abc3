// A scalar field: one number for everything, or one per element of some domain; with what the
// numbers mean, so that whoever shows them can choose colours and write a legend.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
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

// What the values of a field tell.
enum class FieldKind : uint8_t {
  plain,      // any number
  layer,      // 0 outermost, 1 innermost; beyond both is allowed [Ijiri09]
  amplitude,  // -1 .. 1
  phase,      // 0 .. 1, where 1 is 0 again
  strain,     // change of a length as a part of it: contraction below 0, expansion above
  group,      // which of several each belongs to: whole numbers, 0 for none
};

std::string_view kind_name(FieldKind kind);

struct FieldMeaning {
  FieldKind kind = FieldKind::plain;
  std::string unit = {};  // "m"; empty: a plain number
  bool operator==(const FieldMeaning&) const = default;
};

class Field {
 public:
  // The constant 0.
  Field() = default;
  // One value per element; the domain must not be `constant`.
  Field(Domain domain, std::vector<float> values, FieldMeaning meaning = {});
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
  const FieldMeaning& meaning() const { return meaning_; }
  // The same values, meaning something else.
  Field with_meaning(FieldMeaning meaning) const&;
  Field with_meaning(FieldMeaning meaning) &&;

  bool operator==(const Field&) const = default;

 private:
  Domain domain_ = Domain::constant;
  float constant_ = 0;
  std::vector<float> values_;
  FieldMeaning meaning_;
};

// What the fields agree to mean; constants of no particular meaning go with any. Plain if they
// differ.
FieldMeaning common_meaning(std::initializer_list<const Field*> fields);

// The first value that is not finite, as a message, or nothing.
std::optional<std::string> validate(const Field& field);

std::size_t byte_size(const Field& field);

template <class Hash>
void visit_content(const Field& field, Hash&& hash) {
  const std::array<uint64_t, 4> head = {static_cast<uint64_t>(field.domain()), field.size(),
                                        static_cast<uint64_t>(field.meaning().kind),
                                        field.meaning().unit.size()};
  hash(bytes_of(head));
  hash(std::as_bytes(field.values()));
  hash(bytes_of(field.meaning().unit));
}

}  // namespace sinew
