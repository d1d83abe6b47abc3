// Finding a surface on a grid; see implicit_mesh.h.
#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <unordered_map>

#include "nodes/geometry/parallel.h"
#include "nodes/kernels/implicit_mesh.h"

namespace sinew::kernels {
namespace {

constexpr int side = 4;          // cubes along a block
constexpr int nodes = side + 1;  // grid nodes along a block
constexpr std::size_t largest_grid = std::size_t{1} << 27;

// The six tetrahedra of a cube, as corners (bit 0: x, 1: y, 2: z): all ways from 0 to 7.
constexpr std::array<std::array<int, 4>, 6> tetrahedra = {
    {{0, 1, 3, 7}, {0, 1, 5, 7}, {0, 2, 3, 7}, {0, 2, 6, 7}, {0, 4, 5, 7}, {0, 4, 6, 7}}};

struct Block {
  std::array<int, 3> at;  // in blocks
  std::array<double, nodes * nodes * nodes> values;
  double value(int x, int y, int z) const { return values[(z * nodes + y) * nodes + x]; }
};

class Grid {
 public:
  Grid(const Implicit& f, const ImplicitMeshOptions& options) : f_(f), options_(options) {
    const Vec3d size = options.box.sizes();
    const bool usable = !options.box.isEmpty() && size.allFinite() && size.minCoeff() > 0 &&
                        std::isfinite(options.cell) && options.cell > 0;
    if (!usable) throw std::invalid_argument("the box and the cells of a grid must have a size");
    origin_ = options.box.min();
    if (options.mirror_x) origin_.x() = 0;
    double cubes = 1;
    for (int k = 0; k < 3; ++k) {
      const double count = std::ceil((options.box.max()[k] - origin_[k]) / options.cell);
      cubes *= std::max(count, 1.0);
      if (!(cubes <= static_cast<double>(largest_grid))) {
        throw std::invalid_argument("the cells of the grid are too small for its box");
      }
      cells_[k] = std::max(1, static_cast<int>(count));
      blocks_[k] = (cells_[k] + side - 1) / side;
    }
    slot_.assign(static_cast<std::size_t>(blocks_[0]) * blocks_[1] * blocks_[2], 0);
  }

  void evaluate(CancelView stop);
  GridSurface triangulate(CancelView stop) const;

 private:
  Vec3d point(int x, int y, int z) const { return origin_ + options_.cell * Vec3d(x, y, z); }
  std::size_t block_index(int x, int y, int z) const {
    return (static_cast<std::size_t>(z) * blocks_[1] + y) * blocks_[0] + x;
  }
  void fill(Block& block) const;
  std::vector<std::array<int, 3>> blocks_beyond(const Block& block) const;

  const Implicit& f_;
  const ImplicitMeshOptions& options_;
  Vec3d origin_;
  std::array<int, 3> cells_{}, blocks_{};
  std::vector<char> slot_;  // 1: the block is evaluated
  std::vector<Block> active_;
};

// Nodes on the box, and beyond, are outside, so that the surface is closed.
void Grid::fill(Block& block) const {
  const double outside = 1e-3 * options_.cell;
  for (int z = 0; z < nodes; ++z) {
    for (int y = 0; y < nodes; ++y) {
      for (int x = 0; x < nodes; ++x) {
        const std::array<int, 3> at = {block.at[0] * side + x, block.at[1] * side + y,
                                       block.at[2] * side + z};
        bool edge = false, beyond = false;
        for (int k = 0; k < 3; ++k) {
          edge |= at[k] >= cells_[k] || (at[k] == 0 && !(k == 0 && options_.mirror_x));
          beyond |= at[k] > cells_[k];
        }
        double v = beyond ? outside : f_(point(at[0], at[1], at[2]));
        if (!(v >= 0) && !(v < 0)) v = outside;  // not a number
        block.values[(z * nodes + y) * nodes + x] = edge ? std::max(v, outside) : v;
      }
    }
  }
}

// The neighbours into which the surface goes on.
std::vector<std::array<int, 3>> Grid::blocks_beyond(const Block& block) const {
  std::vector<std::array<int, 3>> found;
  for (int axis = 0; axis < 3; ++axis) {
    for (const int end : {0, side}) {
      std::array<int, 3> next = block.at;
      next[axis] += end == 0 ? -1 : 1;
      if (next[axis] < 0 || next[axis] >= blocks_[axis]) continue;
      bool in = false, out = false;
      for (int i = 0; i < nodes; ++i) {
        for (int j = 0; j < nodes; ++j) {
          std::array<int, 3> at;
          at[axis] = end, at[(axis + 1) % 3] = i, at[(axis + 2) % 3] = j;
          (block.value(at[0], at[1], at[2]) < 0 ? in : out) = true;
        }
      }
      if (in && out) found.push_back(next);
    }
  }
  return found;
}

void Grid::evaluate(CancelView stop) {
  // Half the diagonal of a block, and some more, since f need not be a distance.
  const double near = 1.3 * 0.5 * std::sqrt(3.0) * side * options_.cell;
  std::vector<std::array<int, 3>> todo;
  for (int z = 0; z < blocks_[2]; ++z) {
    stop.check();
    for (int y = 0; y < blocks_[1]; ++y) {
      for (int x = 0; x < blocks_[0]; ++x) {
        const Vec3d middle =
            point(x * side, y * side, z * side) + Vec3d::Constant(0.5 * side * options_.cell);
        if (std::abs(f_(middle)) > near) continue;
        slot_[block_index(x, y, z)] = 1;
        todo.push_back({x, y, z});
      }
    }
  }
  while (!todo.empty()) {
    const std::size_t first = active_.size();
    active_.resize(first + todo.size());
    parallel_each(todo.size(), [&](std::size_t i) {
      if (stop()) return;
      active_[first + i].at = todo[i];
      fill(active_[first + i]);
    });
    stop.check();
    todo.clear();
    for (std::size_t i = first; i < active_.size(); ++i) {
      for (const std::array<int, 3>& next : blocks_beyond(active_[i])) {
        char& known = slot_[block_index(next[0], next[1], next[2])];
        if (known) continue;
        known = 1;
        todo.push_back(next);
      }
    }
  }
}

class Triangulation {
 public:
  GridSurface surface;

  // Corners of a cube with their node numbers, places and values.
  struct Cube {
    std::array<uint64_t, 8> node;
    std::array<Vec3d, 8> place;
    std::array<double, 8> value;
  };

  void add(const Cube& cube) {
    for (const std::array<int, 4>& tet : tetrahedra) {
      std::array<int, 4> in{}, out{};
      int ins = 0, outs = 0;
      for (const int corner : tet) {
        if (cube.value[corner] < 0) {
          in[ins++] = corner;
        } else {
          out[outs++] = corner;
        }
      }
      if (ins == 1) {
        triangle(cube, in, ins, {{{in[0], out[0]}, {in[0], out[1]}, {in[0], out[2]}}});
      } else if (ins == 3) {
        triangle(cube, in, ins, {{{in[0], out[0]}, {in[1], out[0]}, {in[2], out[0]}}});
      } else if (ins == 2) {
        triangle(cube, in, ins, {{{in[0], out[0]}, {in[0], out[1]}, {in[1], out[1]}}});
        triangle(cube, in, ins, {{{in[0], out[0]}, {in[1], out[1]}, {in[1], out[0]}}});
      }
    }
  }

 private:
  using Edge = std::array<int, 2>;  // a corner inside and one outside

  // The order follows from the middles of the edges, whatever the values are.
  void triangle(const Cube& cube, const std::array<int, 4>& in, int ins,
                const std::array<Edge, 3>& edges) {
    std::array<Vec3d, 3> middle;
    for (int k = 0; k < 3; ++k) {
      middle[k] = 0.5 * (cube.place[edges[k][0]] + cube.place[edges[k][1]]);
    }
    Vec3d inside(0, 0, 0);
    for (int k = 0; k < ins; ++k) inside += cube.place[in[k]] / ins;
    const Vec3d normal = (middle[1] - middle[0]).cross(middle[2] - middle[0]);
    const bool outward = normal.dot(middle[0] - inside) > 0;
    const uint32_t a = vertex(cube, edges[0]), b = vertex(cube, edges[1]),
                   c = vertex(cube, edges[2]);
    surface.triangles.push_back(outward ? Triangle{a, b, c} : Triangle{a, c, b});
  }

  uint32_t vertex(const Cube& cube, const Edge& edge) {
    const auto [low, high] = std::minmax(edge[0], edge[1]);
    const uint64_t key = cube.node[low] * 8 + static_cast<uint64_t>(high - low);
    const auto [place, fresh] =
        index_.try_emplace(key, static_cast<uint32_t>(surface.positions.size()));
    if (fresh) {
      const double a = cube.value[low], b = cube.value[high];
      // Not at the ends: several edges meet there.
      const double t = std::clamp(a / (a - b), 0.05, 0.95);
      surface.positions.push_back((1 - t) * cube.place[low] + t * cube.place[high]);
    }
    return place->second;
  }

  std::unordered_map<uint64_t, uint32_t> index_;
};

GridSurface Grid::triangulate(CancelView stop) const {
  Triangulation result;
  Triangulation::Cube cube;
  for (const Block& block : active_) {
    stop.check();
    for (int z = 0; z < side; ++z) {
      for (int y = 0; y < side; ++y) {
        for (int x = 0; x < side; ++x) {
          int ins = 0;
          for (int c = 0; c < 8; ++c) {
            cube.value[c] = block.value(x + (c & 1), y + (c >> 1 & 1), z + (c >> 2));
            ins += cube.value[c] < 0;
          }
          if (ins == 0 || ins == 8) continue;
          for (int c = 0; c < 8; ++c) {
            const int i = block.at[0] * side + x + (c & 1);
            const int j = block.at[1] * side + y + (c >> 1 & 1);
            const int k = block.at[2] * side + z + (c >> 2);
            cube.place[c] = point(i, j, k);
            cube.node[c] =
                (static_cast<uint64_t>(k) * (blocks_[1] * side + 1) + j) * (blocks_[0] * side + 1) +
                i;
          }
          result.add(cube);
        }
      }
    }
  }
  return std::move(result.surface);
}

}  // namespace

GridSurface find_on_grid(const Implicit& f, const ImplicitMeshOptions& options, CancelView stop) {
  Grid grid(f, options);
  grid.evaluate(stop);
  return grid.triangulate(stop);
}

}  // namespace sinew::kernels
