#include "nodes/geometry/lattice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

bool within_limits(uint32_t count) {
  return count >= least_lattice_count && count <= most_lattice_count;
}

// Flatter than this, floats no longer tell one side of the box from the other.
constexpr double least_volume_part = 1e-12;

std::optional<std::string> validate_box(const LatticeBox& box) {
  double lengths = 1;
  for (const Vec3d* v : {&box.corner, &box.edges[0], &box.edges[1], &box.edges[2]}) {
    if (!(v->array().abs() <= farthest_lattice_point).all()) {
      return fmt::format("its box must be within {:g} m", farthest_lattice_point);
    }
  }
  for (const Vec3d& edge : box.edges) {
    if (!(edge.norm() >= shortest_lattice_edge)) {
      return fmt::format("an edge of its box is shorter than {:g} m", shortest_lattice_edge);
    }
    lengths *= edge.norm();
  }
  // Of the unit vectors along the edges: a box may be thin, but not skewed until it is flat.
  const double volume = std::abs(box.edges[0].cross(box.edges[1]).dot(box.edges[2]));
  if (!(volume > least_volume_part * lengths)) {
    return "its box has no volume: one of its edges lies in the plane of the others";
  }
  return std::nullopt;
}

}  // namespace

int lattice_degree(LatticeBasis basis, uint32_t count) {
  const int most = static_cast<int>(count) - 1;
  return basis == LatticeBasis::bspline ? std::min(3, most) : most;
}

double rest_parameter(LatticeBasis basis, uint32_t count, uint32_t i) {
  if (basis == LatticeBasis::bernstein) return i / static_cast<double>(count - 1);
  // Knots 0 ... 0 1 2 ... m ... m, with `degree` more at each end: the mean of those from i + 1 on.
  const int degree = lattice_degree(basis, count), spans = static_cast<int>(count) - degree;
  int sum = 0;
  for (int k = 1; k <= degree; ++k) sum += std::clamp(static_cast<int>(i) + k - degree, 0, spans);
  return sum / static_cast<double>(degree * spans);
}

LatticeRest::LatticeRest(std::array<uint32_t, 3> points_along, LatticeBasis with,
                         const LatticeBox& around)
    : counts(points_along), basis(with), box(around) {
  if (!std::all_of(counts.begin(), counts.end(), within_limits)) return;
  const auto along = [&](int axis, uint32_t i) {
    return Vec3d(rest_parameter(basis, counts[axis], i) * box.edges[axis]);
  };
  points.reserve(std::size_t{counts[0]} * counts[1] * counts[2]);
  for (uint32_t k = 0; k < counts[2]; ++k) {
    for (uint32_t j = 0; j < counts[1]; ++j) {
      for (uint32_t i = 0; i < counts[0]; ++i) {
        points.push_back((box.corner + along(0, i) + along(1, j) + along(2, k)).cast<float>());
      }
    }
  }
}

Lattice::Lattice() : Lattice(LatticeRest()) {}

Lattice::Lattice(LatticeRest at_rest)
    : rest(std::make_shared<const LatticeRest>(std::move(at_rest))), positions(rest->points) {}

Lattice::Lattice(std::shared_ptr<const LatticeRest> at_rest, std::vector<Vec3f> points)
    : rest(std::move(at_rest)), positions(std::move(points)) {}

bool Lattice::operator==(const Lattice& other) const {
  return (rest == other.rest || *rest == *other.rest) && positions == other.positions;
}

std::optional<std::string> validate(const Lattice& lattice) {
  const LatticeRest& rest = *lattice.rest;
  for (const uint32_t count : rest.counts) {
    if (!within_limits(count)) {
      return fmt::format("{} points along an edge, but it must have from {} to {}", count,
                         least_lattice_count, most_lattice_count);
    }
  }
  if (auto wrong = validate_box(rest.box)) return wrong;
  if (lattice.positions.size() != rest.points.size()) {
    return fmt::format("it has {} points, but {} x {} x {} are {}", lattice.positions.size(),
                       rest.counts[0], rest.counts[1], rest.counts[2], rest.points.size());
  }
  for (std::size_t n = 0; n < lattice.positions.size(); ++n) {
    const Vec3f& p = lattice.positions[n];
    if (p.allFinite() && p.cwiseAbs().maxCoeff() <= static_cast<float>(farthest_lattice_point)) {
      continue;
    }
    const std::size_t nx = rest.counts[0], ny = rest.counts[1];
    return fmt::format("point [{}, {}, {}] is {}", n % nx, n / nx % ny, n / (nx * ny),
                       p.allFinite() ? "too far away" : "not a number");
  }
  return std::nullopt;
}

std::size_t byte_size(const Lattice& lattice) {
  const std::size_t hand =
      lattice.hand ? sizeof *lattice.hand + bytes_of(lattice.hand->origins).size() : 0;
  return sizeof lattice + sizeof *lattice.rest + bytes_of(lattice.rest->points).size() +
         bytes_of(lattice.positions).size() + hand;
}

}  // namespace sinew
