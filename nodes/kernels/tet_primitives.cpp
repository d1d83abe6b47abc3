#include "nodes/kernels/tet_primitives.h"

#include <utility>

#include "nodes/geometry/stop_check.h"

namespace sinew::kernels {

TetMesh make_tet_box(const Vec3f& size, const std::array<int, 3>& cells) {
  const int nx = cells[0], ny = cells[1], nz = cells[2];
  std::vector<Vec3f> points;
  points.reserve(static_cast<std::size_t>(nx + 1) * (ny + 1) * (nz + 1));
  for (int z = 0; z <= nz; ++z) {
    stop_if_wanted();
    for (int y = 0; y <= ny; ++y) {
      for (int x = 0; x <= nx; ++x) {
        const Vec3f part(static_cast<float>(x) / nx, static_cast<float>(y) / ny,
                         static_cast<float>(z) / nz);
        points.push_back((part - Vec3f::Constant(0.5f)).cwiseProduct(size));
      }
    }
  }
  // Corners of a cube by bits: 1 for x, 2 for y, 4 for z. One tetrahedron in the middle on the
  // even corners, four that cut off the odd ones.
  static constexpr Tetrahedron pattern[5] = {
      {0, 3, 6, 5}, {1, 0, 5, 3}, {2, 3, 6, 0}, {4, 5, 0, 6}, {7, 6, 3, 5}};
  std::vector<Tetrahedron> tets;
  tets.reserve(static_cast<std::size_t>(nx) * ny * nz * 5);
  for (int z = 0; z < nz; ++z) {
    stop_if_wanted();
    for (int y = 0; y < ny; ++y) {
      for (int x = 0; x < nx; ++x) {
        const bool mirrored = (x + y + z) % 2 != 0;
        auto vertex = [&](uint32_t corner) {
          if (mirrored) corner ^= 1;
          const int cx = x + static_cast<int>(corner & 1),
                    cy = y + static_cast<int>(corner >> 1 & 1),
                    cz = z + static_cast<int>(corner >> 2);
          return static_cast<uint32_t>((cz * (ny + 1) + cy) * (nx + 1) + cx);
        };
        for (const Tetrahedron& t : pattern) {
          Tetrahedron tet = {vertex(t[0]), vertex(t[1]), vertex(t[2]), vertex(t[3])};
          if (mirrored) std::swap(tet[2], tet[3]);
          tets.push_back(tet);
        }
      }
    }
  }
  return TetMesh(std::move(tets), std::move(points));
}

}  // namespace sinew::kernels
