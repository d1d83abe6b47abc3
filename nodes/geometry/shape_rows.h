// Shape functions of nodes at points, in compressed rows by point: entries first[p] .. first[p + 1]
// are the nodes that reach point p.
#pragma once

#include <vector>

#include "nodes/geometry/types.h"

namespace sinew {

struct ShapeRows {
  std::vector<uint32_t> first;  // one more than there are points
  std::vector<uint32_t> node;   // increasing within a row
  std::vector<double> value;    // Phi_i at the point
  std::vector<Vec3d> gradient;  // its gradient, 1/m
  std::size_t size() const { return first.empty() ? 0 : first.size() - 1; }
  std::size_t bytes() const;
};

inline std::size_t ShapeRows::bytes() const {
  return sizeof *this + sizeof(uint32_t) * (first.size() + node.size()) +
         sizeof(double) * value.size() + sizeof(Vec3d) * gradient.size();
}

}  // namespace sinew
