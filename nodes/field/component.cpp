// One number of each vector.
#include <algorithm>
#include <limits>

#include "nodes/geometry/parallel.h"
#include "nodes/node.h"

namespace sinew {
namespace {

enum class Part : uint8_t { length, x, y, z, along };

In<VectorField> vectors;
In<Part> part;
In<Vec3> direction;
Out<Field> out;

void declare(Declaration& d) {
  d.id("field.component", 1).label("Vector Part").category("Field");
  d.doc("One number of each vector: its length, or how far it goes in a direction.");
  d.in(vectors, "vectors").doc("What to measure.");
  d.in(part, "part", Part::length)
      .choices({"length", "x", "y", "z", "along"})
      .doc("length: however it points; x, y, z: along an axis; along: along the direction.");
  d.in(direction, "direction", Vec3{0, 1, 0})
      .range(-1e6, 1e6)
      .doc("For along; its length does not matter.");
  d.out(out, "field").on(vectors).doc("One value for each vector.");
}

void exec(Exec& e) {
  const VectorField& input = e.get(vectors);
  const Part wanted = e.get(part);
  Vec3d towards = Vec3d::Zero();
  if (wanted == Part::along) {
    towards = to_eigen(e.get(direction)).cast<double>();
    if (!(towards.norm() > 0)) {
      return e.error("'direction' has no length; give it at least one number that is not 0");
    }
    towards.normalize();
  } else if (wanted != Part::length) {
    towards[static_cast<int>(wanted) - static_cast<int>(Part::x)] = 1;
  }
  constexpr double most = std::numeric_limits<float>::max();
  std::vector<float> values(input.size());
  parallel_blocks(values.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const Vec3d v = input.values[i].cast<double>();
      const double x = wanted == Part::length ? v.norm() : v.dot(towards);
      values[i] = static_cast<float>(std::clamp(x, -most, most));
    }
  });
  e.set(out, Field(input.domain, std::move(values), {.unit = input.unit}));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(field_component, declare, exec)
