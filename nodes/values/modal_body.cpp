#include "nodes/geometry/modal_body.h"

#include <fmt/core.h>

#include "nodes/values/common.h"

namespace sinew {

using namespace values;

namespace {

ValueTable masses_table(const ModalBody& body) {
  return {"mass point", {"x", "y", "z", "kg"}, body.masses.size(), [&body](size_t row, size_t col) {
            const MassPoint& point = body.masses[row];
            return fmt::format("{}", col < 3 ? point.at[static_cast<int>(col)] : point.mass);
          }};
}

ValueTable modes_table(const ModalBody& body) {
  return {"mode",
          {"name", "stiffness", "damping", "active"},
          body.stiffness.size(),
          [&body](size_t row, size_t column) {
            const DeformMode& mode = *body.modes->all()[row];
            if (column == 0) return mode.name;
            if (column == 3) return std::string(mode.active ? "yes" : "no");
            return fmt::format("{:g}", column == 1 ? body.stiffness[row] : body.damping[row]);
          }};
}

}  // namespace

template <>
const TypeInfo& type_of<ModalBody>() {
  static const TypeInfo info = [] {
    TypeInfo t = plain_type<ModalBody>(
        "modal_body", "A body that moves, turns and deforms by modes, with its masses.", 0xE0709A);
    t.describe = [](const void* p) {
      const ModalBody& body = content<ModalBody>(p);
      return Json{{"vertices", body.mesh->vertex_count()},
                  {"modes", body.modes->count()},
                  {"masses", body.masses.size()},
                  {"touching", body.touching.size()},
                  {"mass", body.mass()},
                  {"bounds", bounds_json(body.mesh->positions)}};
    };
    t.tables = [](const void* p) {
      const ModalBody& body = content<ModalBody>(p);
      return std::vector{modes_table(body), masses_table(body)};
    };
    return t;
  }();
  return info;
}

}  // namespace sinew
