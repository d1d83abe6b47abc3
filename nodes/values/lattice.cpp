#include "nodes/geometry/lattice.h"

#include <fmt/core.h>

#include "nodes/values/common.h"
#include "nodes/values/packing.h"

namespace sinew {

using namespace values;

namespace {

constexpr const char* basis_names[] = {"bernstein", "bspline"};

Json describe_lattice(const Lattice& lattice) {
  const LatticeRest& rest = *lattice.rest;
  std::size_t moved = 0;
  float farthest = 0;
  for (std::size_t n = 0; n < lattice.point_count(); ++n) {
    const float way = (lattice.positions[n] - rest.points[n]).norm();
    moved += way > 0;
    farthest = std::max(farthest, way);
  }
  Json edges = Json::array();
  for (const Vec3d& edge : rest.box.edges) edges.push_back(vector_json(edge));
  return {{"points", rest.counts},
          {"basis", basis_names[static_cast<int>(rest.basis)]},
          {"corner", vector_json(rest.box.corner)},
          {"edges", std::move(edges)},
          {"moved", moved},
          {"farthest", shortest_decimal(farthest)},
          {"bounds", bounds_json(lattice.positions)}};
}

// Which point, where it is, and how far it has moved.
ValueTable lattice_table(const Lattice& lattice) {
  return {"point",
          {"i", "j", "k", "x", "y", "z", "moved x", "moved y", "moved z"},
          lattice.point_count(),
          [&lattice](size_t row, size_t column) {
            const LatticeRest& rest = *lattice.rest;
            const size_t nx = rest.counts[0], ny = rest.counts[1];
            const size_t place[] = {row % nx, row / nx % ny, row / (nx * ny)};
            if (column < 3) return std::to_string(place[column]);
            const auto axis = static_cast<int>(column % 3);
            const float now = lattice.positions[row][axis];
            return fmt::format("{}", column < 6 ? now : now - rest.points[row][axis]);
          }};
}

void pack_rest(const LatticeRest& rest, Packer& packer) {
  packer.array(std::span(rest.counts.data(), 3));
  packer.number(static_cast<uint32_t>(rest.basis));
  packer.array(std::span(rest.box.corner.data(), 3));
  for (const Vec3d& edge : rest.box.edges) packer.array(std::span(edge.data(), 3));
}

// The points at rest follow from the box: they are not kept.
std::shared_ptr<const void> unpack_rest(Unpacker& part) {
  std::vector<uint32_t> counts;
  uint32_t basis = 0;
  if (!part.array(counts) || counts.size() != 3 || !part.number(basis) || basis > 1) return nullptr;
  LatticeBox box;
  for (Vec3d* vector : {&box.corner, &box.edges[0], &box.edges[1], &box.edges[2]}) {
    std::vector<double> numbers;
    if (!part.array(numbers) || numbers.size() != 3) return nullptr;
    *vector = Vec3d(numbers.data());
  }
  return std::make_shared<const LatticeRest>(std::array{counts[0], counts[1], counts[2]},
                                             static_cast<LatticeBasis>(basis), box);
}

Value unpack_lattice(Unpacker& unpacker) {
  auto rest =
      std::static_pointer_cast<const LatticeRest>(unpacker.shared("lattice rest", unpack_rest));
  std::vector<Vec3f> positions;
  if (!rest || !unpack_vectors(unpacker, positions)) return Value();
  if (positions.size() != rest->points.size()) return Value();
  return Value::of(Lattice(std::move(rest), std::move(positions)));
}

}  // namespace

template <>
const TypeInfo& type_of<Lattice>() {
  static const TypeInfo info = [] {
    TypeInfo t = plain_type<Lattice>(
        "lattice", "Control points around a part of space, which take along what is inside.",
        0xB07CC6);
    t.describe = [](const void* p) { return describe_lattice(content<Lattice>(p)); };
    t.tables = [](const void* p) { return std::vector{lattice_table(content<Lattice>(p))}; };
    t.pack = [](const void* p, Packer& packer) {
      const Lattice& lattice = content<Lattice>(p);
      packer.shared("lattice rest", lattice.rest,
                    [&](Packer& part) { pack_rest(*lattice.rest, part); });
      pack_vectors(packer, lattice.positions);
    };
    t.unpack = unpack_lattice;
    return t;
  }();
  return info;
}

}  // namespace sinew
