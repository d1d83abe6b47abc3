// The border between two parts of a window, which can be dragged.
#pragma once

#include <optional>

namespace sinew::ui {

enum class Direction : unsigned char { upright, level };

// Where it was dragged to (x of an upright one, y of a level one), while it is dragged.
std::optional<float> splitter(const char* id, Direction direction, float x, float y, float width,
                              float height);

}  // namespace sinew::ui
