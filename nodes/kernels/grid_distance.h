// Distances through the inside of a closed surface by fast marching on a grid.
//
// The grid is made once for a surface (MaterialGrid); then any number of marches from points or
// sets run over it, with memory that is used again (GridMarch), and are read at any place (probes,
// made once for the points). Grid points are settled in the order of their distances [Sethian96],
// each from the settled neighbours d_i that the wave comes from, at most one along each axis:
//   curved (from points): the wave comes from the point S at which the neighbours' spheres meet.
//     With Q = d^2: m Q^2 + (2 A - 4 h^2) Q + B = 0, A = sum a_i, B = sum a_i^2, a_i = h^2 - d_i^2,
//     the larger root. Exact where the straight way is free.
//   flat (from sets): |grad d| = 1 by upwind differences, of second order where two neighbours in a
//     row are settled and of first order elsewhere [Sethian99, section 8.3]:
//     sum of ((d - b_k) / h_k)^2 = 1 with b = d1, h_k = h or b = (4 d1 - d2) / 3, h_k = 2 h / 3.
// Within `exact_cells` cells of a source that sees them, points have their straight distance, so
// that the error of the singular start does not travel on.
//
// A grid point belongs to the material if the surface winds around it. Two neighbours are only
// joined if no triangle lies between them, so that no gap is jumped even if it is thinner than a
// cell; the same holds between a probe and the corners of its cell, and between a source and what
// it sees. Material thinner than a cell may hold no grid point: it is then out of reach.
//
// In sight of the source the error is a fraction of h; a way that bends does so at grid points and
// costs about 0.7 h each time.
//
// h: edge of a cell, metres. Memory: 1 byte per grid point, and 16 for each GridMarch.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <vector>

#include "nodes/kernels/mesh_march.h"
#include "nodes/kernels/surface_tree.h"

namespace sinew::kernels {

class MaterialGrid {
 public:
  // `cells` along the longest side of the surface's box, >= 2. The tree is shared, not copied.
  MaterialGrid(std::shared_ptr<const SurfaceTree> surface, int cells, CancelView stop = {});

  bool empty() const { return inside_count_ == 0; }
  double cell() const { return cell_; }
  const std::array<int, 3>& points_along() const { return size_; }
  std::size_t point_count() const { return links_.size(); }
  std::size_t inside_count() const { return inside_count_; }
  const SurfaceTree& surface() const { return *surface_; }

  bool inside(uint32_t point) const { return (links_[point] & inside_bit) != 0; }
  // Whether a way leads to the neighbour along an axis, upwards (+1) or downwards (-1).
  bool joined(uint32_t point, int axis, bool up) const {
    return (links_[point] & link_bit(axis, up)) != 0;
  }
  // Joined with all six neighbours.
  bool enclosed(uint32_t point) const { return (links_[point] & 63) == 63; }
  uint32_t neighbour(uint32_t point, int axis, bool up) const {
    return up ? point + stride_[axis] : point - stride_[axis];
  }
  Vec3d position(uint32_t point) const;
  // Whether the straight way from a grid point inside to a place on or inside the surface is free.
  bool sees(uint32_t point, const Vec3d& place) const {
    return free_way(position(point), place, 0);
  }

  // A place where distances are read: the corners of its cell that it sees.
  struct Probe {
    Vec3d place{0, 0, 0};  // within the material: a point outside is moved to the surface
    uint32_t first = 0;    // the least corner of the cell
    uint8_t seen = 0;      // bits, corner k is first + (k & 1) x + (k >> 1 & 1) y + (k >> 2) z
    uint32_t instead =
        none;          // if no corner is seen: the closest grid point that is, within 3 cells
    double moved = 0;  // how far the point was from the material, metres
  };
  static constexpr uint32_t none = 0xFFFFFFFF;
  Probe probe(const Vec3d& point) const;
  std::vector<Probe> probes(std::span<const Vec3f> points, CancelView stop = {}) const;

  std::size_t bytes() const { return sizeof *this + links_.size() + surface_->bytes(); }

 private:
  friend class GridMarch;
  static constexpr uint8_t inside_bit = 64;
  static constexpr uint8_t link_bit(int axis, bool up) {
    return static_cast<uint8_t>(1 << (2 * axis + up));
  }
  void block_rows(int axis, CancelView stop);
  void find_inside(CancelView stop);
  void join_inside();
  std::array<int, 3> cell_of(const Vec3d& place) const;
  uint32_t index(int x, int y, int z) const {
    return static_cast<uint32_t>(x) + stride_[1] * static_cast<uint32_t>(y) +
           stride_[2] * static_cast<uint32_t>(z);
  }
  uint32_t corner(uint32_t first, int k) const;
  // Whether nothing lies between two places, but for a touch at b, and `spare` metres at each end.
  bool free_way(const Vec3d& a, const Vec3d& b, double spare) const;
  Probe look_around(const Vec3d& place) const;
  // visit(point) for the corners of the cells at most `around` cells away.
  template <class Visit>
  void for_points_near(const std::array<int, 3>& cell, int around, const Visit& visit) const {
    std::array<int, 3> low, high;
    for (int k = 0; k < 3; ++k) {
      low[k] = std::max(0, cell[k] - around);
      high[k] = std::min(size_[k] - 1, cell[k] + 1 + around);
    }
    for (int z = low[2]; z <= high[2]; ++z) {
      for (int y = low[1]; y <= high[1]; ++y) {
        for (int x = low[0]; x <= high[0]; ++x) visit(index(x, y, z));
      }
    }
  }

  std::shared_ptr<const SurfaceTree> surface_;
  double cell_ = 0;
  Vec3d origin_{0, 0, 0};
  std::array<int, 3> size_{0, 0, 0};
  std::array<uint32_t, 3> stride_{1, 0, 0};
  // While it is built: bit set where an edge upwards crosses the surface. Then: link_bit of the six
  // neighbours, and inside_bit.
  std::vector<uint8_t> links_;
  std::size_t inside_count_ = 0;
};

// One march after another on one grid; allocates in the first only.
class GridMarch {
 public:
  static constexpr int exact_cells = 3;

  explicit GridMarch(std::shared_ptr<const MaterialGrid> grid);

  // Distances from the nearest of the sources, up to `until` metres. Sources outside of the
  // material start at the closest place of the surface.
  void run(std::span<const Vec3d> sources, Wave wave = Wave::curved, double until = unreachable,
           CancelView stop = {});

  double at(uint32_t point) const { return points_[point].distance; }  // or unreachable
  // At a place: exact close to a source that it sees; trilinear between the corners of its cell, or
  // where some are hidden, the mean of the planes through those that are seen.
  double at(const MaterialGrid::Probe& probe) const;
  // The direction in which that grows, of length 1 but for where ways from several sides meet.
  Vec3d gradient_at(const MaterialGrid::Probe& probe) const;
  std::size_t settled() const { return settled_count_; }
  std::size_t bytes() const { return sizeof *this + sizeof(Point) * points_.size(); }

 private:
  struct Entry {
    double distance;
    uint32_t point;
  };
  static bool later(const Entry& a, const Entry& b) {
    return a.distance != b.distance ? a.distance > b.distance : a.point > b.point;
  }
  void start_from(uint32_t source);
  void offer(uint32_t point, double distance);
  struct Term {
    double first, base, weight;  // d1, b, (h / h_k)^2
  };
  int terms_of(uint32_t point, std::array<Term, 3>& terms) const;
  double solve(uint32_t point) const;
  double solve_curved(std::span<const Term> terms) const;
  double solve_flat(std::span<const Term> terms) const;
  // The neighbour along an axis that the wave comes from: settled, joined, nearest.
  bool upwind(uint32_t point, int axis, bool& up) const;
  void take_root(uint32_t point);
  Vec3d gradient(uint32_t point) const;

  std::shared_ptr<const MaterialGrid> grid_;
  Wave wave_ = Wave::curved;
  struct Point {
    double distance = unreachable;
    uint32_t root = 0;  // of roots_, the first of which are the sources
    bool settled = false;
    bool straight = false;  // started from a source
  };
  std::vector<Point> points_;
  struct Root {
    Vec3d place;
    double distance;
  };
  std::vector<Root> roots_;
  std::vector<uint32_t> touched_;
  std::size_t settled_count_ = 0;
  std::vector<Entry> heap_;
  std::vector<Vec3d> sources_;
  std::vector<double> clearance_;  // of each source: how far it sees for sure
};

}  // namespace sinew::kernels
