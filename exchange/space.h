// Axes and units of a file. Inside, y is up and lengths are metres.
#pragma once

#include <Eigen/Core>

#include "nodes/geometry/mesh_io.h"

namespace sinew::exchange {

struct Space {
  UpAxis up = UpAxis::y;
  double metres_per_unit = 1;

  // y up becomes z up by a quarter turn about x: (x, y, z) -> (x, -z, y).
  template <class Vector>
  Vector to_file(const Vector& p) const {
    using Scalar = typename Vector::Scalar;
    const auto s = static_cast<Scalar>(1 / metres_per_unit);
    if (up == UpAxis::y) return Vector(p * s);
    return Vector(p.x() * s, -p.z() * s, p.y() * s);
  }
};

}  // namespace sinew::exchange
