#include "nodes/geometry/modes.h"

#include <fmt/core.h>

#include "nodes/values/common.h"

namespace sinew {

using namespace values;

namespace {

Json describe_modes(const Modes& modes) {
  Json names = Json::array();
  for (const DeformMode* mode : modes.all()) names.push_back(mode->name);
  return {{"modes", modes.count()}, {"lattices", modes.lattices.size()}, {"names", names}};
}

ValueTable modes_table(const Modes& modes) {
  return {"mode",
          {"name", "lattice", "amplitude", "frequency", "damping", "active"},
          modes.count(),
          [&modes](size_t row, size_t column) {
            size_t lattice = 0;
            while (row >= modes.lattices[lattice].modes.size()) {
              row -= modes.lattices[lattice++].modes.size();
            }
            const DeformMode& mode = modes.lattices[lattice].modes[row];
            if (column == 0) return mode.name;
            if (column == 1) {
              return lattice + 1 == modes.lattices.size() ? std::string("whole")
                                                          : fmt::format("part {}", lattice + 1);
            }
            if (column == 5) return std::string(mode.active ? "yes" : "no");
            const double numbers[] = {mode.amplitude, mode.frequency, mode.damping};
            return fmt::format("{:g}", numbers[column - 2]);
          }};
}

}  // namespace

template <>
const TypeInfo& type_of<Modes>() {
  static const TypeInfo info = [] {
    TypeInfo t = plain_type<Modes>("modes", "Ways in which a body may deform, and how far it does.",
                                   0xD98CB3);
    t.describe = [](const void* p) { return describe_modes(content<Modes>(p)); };
    t.tables = [](const void* p) { return std::vector{modes_table(content<Modes>(p))}; };
    return t;
  }();
  return info;
}

}  // namespace sinew
