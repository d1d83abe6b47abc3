#include "nodes/geometry/field.h"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

namespace sinew {

std::string_view domain_name(Domain domain) {
  switch (domain) {
    case Domain::constant:
      return "constant";
    case Domain::vertex:
      return "vertex";
    case Domain::face:
      return "face";
    case Domain::tet:
      return "tet";
    case Domain::bone:
      return "bone";
  }
  return "unknown";
}

std::string_view kind_name(FieldKind kind) {
  switch (kind) {
    case FieldKind::plain:
      return "plain";
    case FieldKind::layer:
      return "layer";
    case FieldKind::amplitude:
      return "amplitude";
    case FieldKind::phase:
      return "phase";
    case FieldKind::strain:
      return "strain";
    case FieldKind::group:
      return "group";
  }
  return "unknown";
}

Field::Field(Domain domain, std::vector<float> values, FieldMeaning meaning)
    : domain_(domain), values_(std::move(values)), meaning_(std::move(meaning)) {
  if (domain == Domain::constant) {
    throw std::invalid_argument("a field with one value per element needs a domain");
  }
}

Field Field::constant(float value) {
  Field field;
  field.constant_ = value;
  return field;
}

std::span<const float> Field::values() const {
  return is_constant() ? std::span<const float>(&constant_, 1) : std::span<const float>(values_);
}

bool Field::fits(Domain domain, std::size_t count) const {
  return is_constant() || (domain_ == domain && values_.size() == count);
}

std::vector<float> Field::expanded(std::size_t count) const {
  return is_constant() ? std::vector<float>(count, constant_) : values_;
}

Field Field::with_meaning(FieldMeaning meaning) const& {
  return Field(*this).with_meaning(std::move(meaning));
}

Field Field::with_meaning(FieldMeaning meaning) && {
  meaning_ = std::move(meaning);
  return std::move(*this);
}

FieldMeaning common_meaning(std::initializer_list<const Field*> fields) {
  const FieldMeaning* common = nullptr;
  for (const Field* field : fields) {
    if (field->is_constant() && field->meaning() == FieldMeaning{}) continue;
    if (common && field->meaning() != *common) return {};
    common = &field->meaning();
  }
  return common ? *common : FieldMeaning{};
}

std::optional<std::string> validate(const Field& field) {
  const std::span<const float> values = field.values();
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i])) {
      return field.is_constant()
                 ? std::string("the constant is not finite")
                 : fmt::format("the value of {} {} is not finite", domain_name(field.domain()), i);
    }
  }
  return std::nullopt;
}

std::size_t byte_size(const Field& field) { return sizeof(Field) + field.values().size_bytes(); }

}  // namespace sinew
