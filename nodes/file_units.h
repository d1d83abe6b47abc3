// What every node asks that reads shapes from a file: how long a unit is, and what is up.
#pragma once

#include "nodes/geometry/mesh_io.h"
#include "nodes/node.h"

namespace sinew {

struct FileUnits {
  enum class Unit { metre, centimetre, millimetre, inch, foot };

  In<Unit> unit;
  In<float> scale;
  In<UpAxis> up;

  void declare(Declaration& d) {
    d.in(unit, "unit", Unit::metre)
        .choices({"m", "cm", "mm", "inch", "foot"})
        .doc("What a length of 1 in the file means.");
    d.in(scale, "scale", 1).range(1e-6, 1e6).doc("Makes everything larger, after the unit.");
    d.in(up, "up", UpAxis::y).choices({"y", "z"}).doc("The axis that points up in the file.");
  }

  LoadOptions options(const Exec& e) const {
    constexpr float metres[] = {1, 0.01f, 0.001f, 0.0254f, 0.3048f};
    LoadOptions options;
    options.file_up = e.get(up);
    options.scale = metres[static_cast<int>(e.get(unit))] * e.get(scale);
    return options;
  }
};

}  // namespace sinew
