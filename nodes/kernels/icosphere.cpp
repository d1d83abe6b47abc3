// The geodesic sphere: each face of an icosahedron as a triangular lattice, pushed to the sphere.
#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "nodes/kernels/primitives.h"

namespace sinew::kernels {

namespace {

// Corners (0, +-1, +-phi) and their cyclic shifts; faces counter-clockwise from outside.
constexpr int corner_count = 12;
constexpr int face_corners[20][3] = {{0, 11, 5}, {0, 5, 1},  {0, 1, 7},   {0, 7, 10}, {0, 10, 11},
                                     {1, 5, 9},  {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
                                     {3, 9, 4},  {3, 4, 2},  {3, 2, 6},   {3, 6, 8},  {3, 8, 9},
                                     {4, 9, 5},  {2, 4, 11}, {6, 2, 10},  {8, 6, 7},  {9, 8, 1}};

std::array<Vec3d, corner_count> icosahedron() {
  const double phi = (1 + std::sqrt(5.0)) / 2;
  return {Vec3d{-1, phi, 0}, {1, phi, 0}, {-1, -phi, 0}, {1, -phi, 0},
          Vec3d{0, -1, phi}, {0, 1, phi}, {0, -1, -phi}, {0, 1, -phi},
          Vec3d{phi, 0, -1}, {phi, 0, 1}, {-phi, 0, -1}, {-phi, 0, 1}};
}

// Vertex numbers: 12 corners, then the inner points of the 30 edges, from the lower corner to the
// higher, then those of the faces.
class Lattice {
 public:
  explicit Lattice(int frequency) : f_(frequency) {
    for (auto& row : edge_) row.fill(-1);
    int edges = 0;
    for (const auto& face : face_corners) {
      for (int k = 0; k < 3; ++k) {
        const int a = face[k], b = face[(k + 1) % 3];
        if (edge_[a][b] < 0) edge_[a][b] = edge_[b][a] = edges++;
      }
    }
  }
  // The vertex at barycentric counts i + j + k = f of a face's three corners.
  uint32_t index(int face, int i, int j, int k) const {
    const auto [a, b, c] = face_corners[face];
    if (i == f_) return a;
    if (j == f_) return b;
    if (k == f_) return c;
    if (k == 0) return on_edge(a, b, j);
    if (i == 0) return on_edge(b, c, k);
    if (j == 0) return on_edge(c, a, i);
    const uint32_t inner = (f_ - 1) * (f_ - 2) / 2;
    // Rows j = 1, 2, ... have f - 2, f - 3, ... inner points.
    const uint32_t before = (j - 1) * (f_ - 2) - (j - 1) * (j - 2) / 2;
    return corner_count + 30 * (f_ - 1) + face * inner + before + (k - 1);
  }

 private:
  uint32_t on_edge(int from, int to, int step) const {
    const int forward = from < to ? step : f_ - step;
    return corner_count + edge_[from][to] * (f_ - 1) + (forward - 1);
  }
  int f_;
  std::array<std::array<int, corner_count>, corner_count> edge_;
};

}  // namespace

Mesh make_icosphere(const IcosphereShape& shape) {
  if (!(shape.radius > 0) || !std::isfinite(shape.radius)) {
    throw std::invalid_argument(fmt::format("radius must be positive, but is {}", shape.radius));
  }
  const int f = shape.frequency;
  if (f < 1 || f > 10000) {
    throw std::invalid_argument(fmt::format("frequency must be between 1 and 10000, but is {}", f));
  }
  const std::array<Vec3d, corner_count> corners = icosahedron();
  const Lattice lattice(f);
  const std::size_t squared = static_cast<std::size_t>(f) * f;
  std::vector<Vec3f> positions(10 * squared + 2);
  Topology topology;
  topology.triangles.reserve(20 * squared);
  for (int face = 0; face < 20; ++face) {
    const auto [a, b, c] = face_corners[face];
    for (int j = 0; j <= f; ++j) {
      for (int k = 0; j + k <= f; ++k) {
        const int i = f - j - k;
        const Vec3d flat = i * corners[a] + j * corners[b] + k * corners[c];
        positions[lattice.index(face, i, j, k)] = (shape.radius * flat.normalized()).cast<float>();
        if (i == 0) continue;
        const uint32_t p = lattice.index(face, i, j, k), q = lattice.index(face, i - 1, j + 1, k),
                       r = lattice.index(face, i - 1, j, k + 1);
        topology.triangles.push_back({p, q, r});
        if (i > 1) topology.triangles.push_back({q, lattice.index(face, i - 2, j + 1, k + 1), r});
      }
    }
  }
  return Mesh(std::move(topology), std::move(positions));
}

}  // namespace sinew::kernels
