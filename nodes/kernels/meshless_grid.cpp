#include "nodes/kernels/meshless_grid.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace sinew::kernels {
namespace {

constexpr int least_cells = 20, most_cells = 128;
constexpr double wanted_points = 7000;

}  // namespace

GridParts parts_of(const MaterialGrid& grid) {
  std::vector<uint8_t> seen(grid.point_count(), 0);
  std::vector<std::size_t> sizes;
  std::vector<uint32_t> stack;
  for (uint32_t p = 0; p < grid.point_count(); ++p) {
    if (!grid.inside(p) || seen[p]) continue;
    sizes.push_back(0);
    stack.assign(1, p);
    seen[p] = 1;
    while (!stack.empty()) {
      const uint32_t q = stack.back();
      stack.pop_back();
      ++sizes.back();
      for (int axis = 0; axis < 3; ++axis) {
        for (const bool up : {false, true}) {
          if (!grid.joined(q, axis, up)) continue;
          const uint32_t next = grid.neighbour(q, axis, up);
          if (!seen[next]) {
            seen[next] = 1;
            stack.push_back(next);
          }
        }
      }
    }
  }
  const std::size_t total = std::accumulate(sizes.begin(), sizes.end(), std::size_t{0});
  const std::size_t largest = sizes.empty() ? 0 : *std::max_element(sizes.begin(), sizes.end());
  GridParts parts;
  parts.small_volume = total ? 1 - static_cast<double>(largest) / static_cast<double>(total) : 0;
  parts.count = static_cast<std::size_t>(
      std::count_if(sizes.begin(), sizes.end(), [&](std::size_t s) { return 100 * s > total; }));
  return parts;
}

FittingGrid fitting_grid(const std::shared_ptr<const SurfaceTree>& surface, int cells,
                         CancelView stop) {
  FittingGrid fitting;
  const auto make = [&](int count) {
    fitting.cells = count;
    fitting.grid = std::make_shared<const MaterialGrid>(surface, count, stop);
    fitting.parts = parts_of(*fitting.grid);
  };
  if (cells > 0) return make(cells), fitting;
  const MaterialGrid coarse(surface, least_cells, stop);
  const double inside = std::max(1.0, static_cast<double>(coarse.inside_count()));
  make(std::clamp(static_cast<int>(least_cells * std::cbrt(wanted_points / inside)), least_cells,
                  most_cells));
  while (fitting.parts.count != 1 && fitting.cells < most_cells) {
    make(std::min(most_cells, fitting.cells + fitting.cells / 3));
  }
  return fitting;
}

std::size_t surface_pieces(const Mesh& mesh) {
  std::vector<uint32_t> above(mesh.vertex_count());
  std::iota(above.begin(), above.end(), uint32_t{0});
  const auto root = [&](uint32_t v) {
    while (above[v] != v) v = above[v] = above[above[v]];
    return v;
  };
  std::vector<uint8_t> used(mesh.vertex_count(), 0);
  for (const auto& triangle : mesh.topology->triangles) {
    for (const uint32_t v : triangle) {
      used[v] = 1;
      above[root(v)] = root(triangle[0]);
    }
  }
  std::size_t count = 0;
  for (uint32_t v = 0; v < above.size(); ++v) count += used[v] && above[v] == v;
  return count;
}

std::vector<int> finer_cells(int cells) {
  std::vector<int> list;
  while (cells < most_cells) list.push_back(cells = std::min(most_cells, cells + cells / 3));
  return list;
}

}  // namespace sinew::kernels
