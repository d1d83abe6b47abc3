#include "nodes/geometry/lattice_moves.h"

#include <fmt/core.h>

#include <cmath>
#include <cstdio>

#include "nodes/values/common.h"

namespace sinew {

using namespace values;

namespace {

constexpr const char* wanted = "it is not {\"at\": [i, j, k], \"by\": [x, y, z]}";

// Empty if all is well.
std::string read_point(const Json& json, LatticeMove& move) {
  if (!json.is_array() || json.size() != 3) return wanted;
  for (size_t k = 0; k < 3; ++k) {
    if (json[k].is_null()) continue;
    const double i = json[k].is_number() ? json[k].get<double>() : 0.5;
    if (i != std::floor(i) || std::abs(i) > 1e6) {
      return "its point is not [i, j, k], whole numbers or null for all of them";
    }
    move.at[k] = static_cast<int32_t>(i);
  }
  return {};
}

std::string read_move(const Json& json, LatticeMove& move) {
  if (!json.is_object() || !json.contains("at") || !json.contains("by")) return wanted;
  for (const auto& [name, part] : json.items()) {
    if (name == "at") {
      if (std::string wrong = read_point(part, move); !wrong.empty()) return wrong;
    } else if (name == "by") {
      const auto by = place_of(part);
      if (!by) return "its way is not [x, y, z]";
      move.by = {(*by)[0], (*by)[1], (*by)[2]};
    } else {
      return fmt::format("it has no '{}' (it has at and by)", name);
    }
  }
  return {};
}

Json point_json(const LatticeMove& move) {
  Json at = Json::array();
  for (const std::optional<int32_t>& i : move.at) at.push_back(i ? Json(*i) : Json());
  return at;
}

// "1,0,3", as anchors of lattices are called; nothing else is one.
std::optional<Json> point_of_name(const std::string& name) {
  int i = 0, j = 0, k = 0, length = 0;
  if (std::sscanf(name.c_str(), "%d,%d,%d%n", &i, &j, &k, &length) != 3) return std::nullopt;
  if (static_cast<size_t>(length) != name.size()) return std::nullopt;
  return Json::array({i, j, k});
}

// The literal with a point moved, or (nothing) no longer moved by itself. Rows and layers that it
// is a part of stay as they are.
Json with_move(Json literal, const std::string& name, std::optional<std::array<double, 3>> by,
               double) {
  if (!literal.is_array()) literal = Json::array();
  const std::optional<Json> point = point_of_name(name);
  if (!point) return literal;
  Json kept = Json::array();
  for (Json& one : literal) {
    if (!one.is_object() || one.value("at", Json()) != *point) kept.push_back(std::move(one));
  }
  if (by) kept.push_back({{"at", *point}, {"by", place_json(*by)}});
  return kept;
}

ValueTable moves_table(const LatticeMoves& moves) {
  return {
      "move", {"i", "j", "k", "x", "y", "z"}, moves.size(), [&moves](size_t row, size_t column) {
        const LatticeMove& move = moves.list[row];
        if (column >= 3) return fmt::format("{}", move.by[static_cast<int>(column) - 3]);
        return move.at[column] ? std::to_string(*move.at[column]) : std::string("all");
      }};
}

}  // namespace

Result<LatticeMoves> lattice_moves_from_json(const Json& json) {
  if (!json.is_array()) {
    return Error{"moves are a list: [{\"at\": [0, -1, null], \"by\": [0, 0.1, 0]}, ...]"};
  }
  LatticeMoves moves;
  for (const Json& j : json) {
    LatticeMove move;
    const std::string wrong = read_move(j, move);
    if (!wrong.empty()) return Error{fmt::format("move {}: {}", moves.size() + 1, wrong)};
    moves.list.push_back(move);
  }
  if (const auto wrong = validate(moves)) return Error{*wrong};
  return moves;
}

Json lattice_moves_to_json(const LatticeMoves& moves) {
  Json list = Json::array();
  for (const LatticeMove& m : moves.list) {
    list.push_back({{"at", point_json(m)}, {"by", vector_json(m.by)}});
  }
  return list;
}

template <>
const TypeInfo& type_of<LatticeMoves>() {
  static const TypeInfo info = [] {
    TypeInfo t = plain_type<LatticeMoves>(
        "lattice_moves", "Points of a lattice, and how far each is moved.", 0xC99BDB);
    t.describe = [](const void* p) { return Json{{"moves", content<LatticeMoves>(p).size()}}; };
    t.from_json = [](const Json& json) -> Result<Value> {
      Result<LatticeMoves> moves = lattice_moves_from_json(json);
      if (!moves) return Error{moves.error()};
      return Value::of(std::move(*moves));
    };
    t.with_move = with_move;
    t.to_json = [](const void* p) { return lattice_moves_to_json(content<LatticeMoves>(p)); };
    t.file_endings = {"json"};
    t.save = [](const void* p, const std::filesystem::path& path) {
      return write_bytes(path, lattice_moves_to_json(content<LatticeMoves>(p)).dump() + "\n");
    };
    t.tables = [](const void* p) { return std::vector{moves_table(content<LatticeMoves>(p))}; };
    return t;
  }();
  return info;
}

}  // namespace sinew
