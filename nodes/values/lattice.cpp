#include "nodes/geometry/lattice.h"

#include <fmt/core.h>

#include "nodes/values/common.h"
#include "nodes/values/packing.h"

namespace sinew {

using namespace values;

namespace {

constexpr const char* basis_names[] = {"bernstein", "bspline"};

// More points could not be told apart on the screen.
constexpr size_t most_dragged = 600;

// [i, j, k] of the n-th point.
std::array<size_t, 3> point_at(const LatticeRest& rest, size_t n) {
  const size_t nx = rest.counts[0], ny = rest.counts[1];
  return {n % nx, n / nx % ny, n / (nx * ny)};
}

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
            if (column < 3) return std::to_string(point_at(rest, row)[column]);
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

// A cached lattice can be dragged like one that was made just now.
void pack_hand(const LatticeHand* hand, Packer& packer) {
  packer.number(static_cast<uint32_t>(hand ? 1 : 0));
  if (!hand) return;
  pack_vectors(packer, hand->origins);
  pack_vectors(packer, std::vector(hand->axes.begin(), hand->axes.end()));
}

bool unpack_hand(Unpacker& unpacker, Lattice& lattice) {
  uint32_t has = 0;
  if (!unpacker.number(has) || has > 1) return false;
  if (has == 0) return true;
  LatticeHand hand;
  std::vector<Vec3f> axes;
  if (!unpack_vectors(unpacker, hand.origins) || !unpack_vectors(unpacker, axes)) return false;
  if (hand.origins.size() != lattice.point_count() || axes.size() != 3) return false;
  std::copy(axes.begin(), axes.end(), hand.axes.begin());
  lattice.hand = std::make_shared<const LatticeHand>(std::move(hand));
  return true;
}

Value unpack_lattice(Unpacker& unpacker) {
  auto rest =
      std::static_pointer_cast<const LatticeRest>(unpacker.shared("lattice rest", unpack_rest));
  std::vector<Vec3f> positions;
  if (!rest || !unpack_vectors(unpacker, positions)) return Value();
  if (positions.size() != rest->points.size()) return Value();
  Lattice lattice(std::move(rest), std::move(positions));
  if (!unpack_hand(unpacker, lattice)) return Value();
  return Value::of(std::move(lattice));
}

std::array<float, 3> place_of_point(const Vec3f& p) { return {p.x(), p.y(), p.z()}; }

// Points that can be dragged, by the names that LatticeMoves have for them. None have names where
// all ways are made nothing.
Places points_of(const Lattice& lattice) {
  Places places;
  places.free = true;
  if (!lattice.hand || lattice.point_count() > most_dragged) return places;
  const LatticeHand& hand = *lattice.hand;
  Eigen::Matrix3f ways;
  for (int a = 0; a < 3; ++a) {
    ways.col(a) = hand.axes[static_cast<size_t>(a)];
    places.axes[static_cast<size_t>(a)] = place_of_point(ways.col(a));
  }
  const bool can_go = ways.determinant() != 0;
  for (size_t n = 0; n < lattice.point_count(); ++n) {
    Places::One one;
    one.at = place_of_point(lattice.positions[n]);
    one.origin = place_of_point(hand.origins[n]);
    one.line = static_cast<int>(n);
    one.held = lattice.positions[n] != hand.origins[n];
    const auto [i, j, k] = point_at(*lattice.rest, n);
    if (can_go) one.name = fmt::format("{},{},{}", i, j, k);
    places.list.push_back(std::move(one));
  }
  return places;
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
      pack_hand(lattice.hand.get(), packer);
    };
    t.unpack = unpack_lattice;
    t.anchors = [](const void* p, double) { return points_of(content<Lattice>(p)); };
    return t;
  }();
  return info;
}

}  // namespace sinew
