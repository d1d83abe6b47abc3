#include "nodes/geometry/voo_set.h"

#include <fmt/core.h>

#include "nodes/values/common.h"

namespace sinew {

using namespace values;

namespace {

constexpr const char* centre_names[] = {"head", "tip", "both", "length"};

Json describe_member(const VooMember& member) {
  const Voo& voo = member.voo;
  Json facts = {{"name", voo.name},
                {"head", vector_json(voo.rest.head)},
                {"tip", vector_json(voo.rest.tip)},
                {"field", centre_names[static_cast<int>(voo.field.centre)]},
                {"radii", voo.field.radii}};
  if (!member.drives.empty()) facts["charts"] = member.drives.size();
  if (!member.travels.empty()) facts["paths"] = member.travels.size();
  if (member.delay != 0) facts["delay"] = member.delay;
  if (member.stuff) facts["material"] = member.stuff->material.source;
  return facts;
}

constexpr std::size_t most_described = 20;

Json describe_set(const VooSet& set) {
  Json list = Json::array();
  for (std::size_t i = 0; i < std::min(set.size(), most_described); ++i) {
    list.push_back(describe_member(set.members[i]));
  }
  return {{"count", set.size()}, {"arthra", set.ties.size()}, {"operators", std::move(list)}};
}

ValueTable members_table(const VooSet& set) {
  ValueTable table;
  table.rows_are = "operator";
  table.columns = {"name",  "head x", "head y", "head z", "tip x", "tip y",
                   "tip z", "A",      "B",      "C",      "delay"};
  table.rows = set.size();
  table.cell = [&set](size_t row, size_t column) -> std::string {
    const VooMember& m = set.members[row];
    if (column == 0) return m.voo.name;
    const Vec3d &h = m.voo.rest.head, &t = m.voo.rest.tip;
    const auto& r = m.voo.field.radii;
    const double numbers[] = {h.x(), h.y(), h.z(), t.x(), t.y(), t.z(), r[0], r[1], r[2], m.delay};
    return fmt::format("{:.6g}", numbers[column - 1]);
  };
  return table;
}

ValueTable arthra_table(const VooSet& set) {
  ValueTable table;
  table.rows_are = "arthron";
  table.columns = {"joins", "fixed", "moved by"};
  table.rows = set.ties.size();
  table.cell = [&set](size_t row, size_t column) -> std::string {
    const VooTie& tie = set.ties[row];
    if (column == 1) return tie.arthron.fixed ? "yes" : "no";
    if (column == 2) return tie.path ? "a path" : tie.move ? "charts" : "its operators";
    std::string text;
    for (const VooJoint& j : tie.arthron.joints) {
      text += fmt::format("{}{} of {}", text.empty() ? "" : ", ",
                          j.end == VooEnd::tip ? "tip" : "head", called(set, j.voo));
    }
    return text;
  };
  return table;
}

}  // namespace

template <>
const TypeInfo& type_of<VooSet>() {
  static const TypeInfo info = [] {
    TypeInfo t = plain_type<VooSet>(
        "voos", "Vector offset operators: pins that take the body along, and how they move.",
        0xD9734E);
    t.describe = [](const void* p) { return describe_set(content<VooSet>(p)); };
    t.tables = [](const void* p) {
      const VooSet& set = content<VooSet>(p);
      std::vector<ValueTable> tables = {members_table(set)};
      if (!set.ties.empty()) tables.push_back(arthra_table(set));
      return tables;
    };
    return t;
  }();
  return info;
}

}  // namespace sinew
