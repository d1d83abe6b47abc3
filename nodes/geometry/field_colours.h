// What the painted fields of ProcDef look like [Ijiri09, section 3]: one colour for each value, as
// red, green and blue from 0 to 1.
#pragma once

#include <algorithm>
#include <array>

#include "nodes/geometry/field.h"

namespace sinew {

using Colour = std::array<float, 3>;

// Blue (0, outermost) over cyan, green and yellow to red (1, innermost).
inline Colour layer_colour(float value) {
  const float x = 4 * std::clamp(value, 0.0f, 1.0f);
  return {std::clamp(x - 2, 0.0f, 1.0f), std::clamp(x < 2 ? x : 4 - x, 0.0f, 1.0f),
          std::clamp(2 - x, 0.0f, 1.0f)};
}

// Red (1), black (0), blue (-1).
inline Colour amplitude_colour(float value) {
  return {std::clamp(value, 0.0f, 1.0f), 0, std::clamp(-value, 0.0f, 1.0f)};
}

// Black (0) to green (1).
inline Colour phase_colour(float value) { return {0, std::clamp(value, 0.0f, 1.0f), 0}; }

// The colour of a value of a field whose values go from `low` to `high`, which matters for plain
// fields (from black to white) and for layers.
inline Colour field_colour(FieldKind kind, float value, float low, float high) {
  const float part = high > low ? (value - low) / (high - low) : 0.0f;
  if (kind == FieldKind::layer) return layer_colour(part);
  if (kind == FieldKind::amplitude) return amplitude_colour(value);
  if (kind == FieldKind::phase) return phase_colour(value);
  const float grey = std::clamp(part, 0.0f, 1.0f);
  return {grey, grey, grey};
}

}  // namespace sinew
