#include "nodes/values/common.h"

#include <fmt/core.h>

namespace sinew {

using namespace values;

namespace {

Json describe_colliders(const Colliders& colliders) {
  Json list = Json::array();
  for (const Collider& c : colliders.list) {
    Json one = {{"shape", std::string(shape_name(c.shape))},
                {"friction", shortest_decimal(c.friction)},
                {"position", vector_json(c.position)}};
    if (c.heights) one["cells"] = {c.heights->counts[0] - 1, c.heights->counts[1] - 1};
    if (c.distances) {
      one["cells"] = {c.distances->counts[0] - 1, c.distances->counts[1] - 1,
                      c.distances->counts[2] - 1};
    }
    list.push_back(std::move(one));
  }
  return {{"count", colliders.list.size()}, {"obstacles", std::move(list)}};
}

ValueTable obstacles_table(const Colliders& colliders) {
  return {"obstacle",
          {"shape", "x", "y", "z", "friction"},
          colliders.list.size(),
          [&colliders](size_t row, size_t column) {
            const Collider& c = colliders.list[row];
            if (column == 0) return std::string(shape_name(c.shape));
            return fmt::format("{}",
                               column == 4 ? c.friction : c.position[static_cast<int>(column) - 1]);
          }};
}

}  // namespace

template <>
const TypeInfo& type_of<Colliders>() {
  static const TypeInfo info = [] {
    TypeInfo t = plain_type<Colliders>("colliders", "Obstacles that bodies rest on and bump into.",
                                       0x8C6E5A);
    t.describe = [](const void* p) { return describe_colliders(content<Colliders>(p)); };
    t.tables = [](const void* p) { return std::vector{obstacles_table(content<Colliders>(p))}; };
    return t;
  }();
  return info;
}

}  // namespace sinew
