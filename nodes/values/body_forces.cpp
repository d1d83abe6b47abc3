#include "nodes/geometry/body_forces.h"

#include <fmt/core.h>

#include "nodes/values/common.h"

namespace sinew {

using namespace values;

namespace {

constexpr const char* kinds[] = {"spring", "pin", "force"};

ValueTable forces_table(const BodyForces& forces) {
  return {"force",
          {"kind", "at x", "at y", "at z", "to x", "to y", "to z", "frequency", "damping"},
          forces.list.size(),
          [&forces](size_t row, size_t column) {
            const BodyForce& one = forces.list[row];
            if (column == 0) return std::string(kinds[static_cast<int>(one.kind)]);
            const auto axis = static_cast<int>(column - 1) % 3;
            if (column < 7) return fmt::format("{}", (column < 4 ? one.at : one.to)[axis]);
            return fmt::format("{}", column == 7 ? one.frequency : one.damping);
          }};
}

}  // namespace

template <>
const TypeInfo& type_of<BodyForces>() {
  static const TypeInfo info = [] {
    TypeInfo t = plain_type<BodyForces>("body_forces",
                                        "Springs, pins and forces at places of a body.", 0xE5B85C);
    t.describe = [](const void* p) { return Json{{"forces", content<BodyForces>(p).list.size()}}; };
    t.tables = [](const void* p) { return std::vector{forces_table(content<BodyForces>(p))}; };
    return t;
  }();
  return info;
}

}  // namespace sinew
