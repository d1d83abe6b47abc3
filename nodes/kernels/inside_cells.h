// The inside of a body as cells of a grid that know their neighbours and how deep they lie: what
// middle lines are looked for in (medial_tree.h).
//
// A cell is a point of a MaterialGrid that the surface winds around. Two neighbours along an axis
// are joined if the straight way between them does not leave the body; unlike in the grid itself,
// triangles that lie inside of the body, where closed parts of a mesh run into each other, do not
// part them. Steps across a square or a cube are free if steps along the axes lead there.
//
// Only the largest connected piece is kept. Depths are exact distances to the surface, metres.
#pragma once

#include <array>
#include <functional>
#include <limits>
#include <memory>
#include <queue>
#include <span>
#include <utility>
#include <vector>

#include "nodes/kernels/grid_distance.h"

namespace sinew::kernels {

// The surface of a body, asked for clearances.
struct BodySurface {
  std::shared_ptr<const SurfaceTree> whole;  // all triangles: tells inside from outside
  std::shared_ptr<const SurfaceTree> skin;   // without those that lie inside of the body
  bool overlaps = false;                     // parts run into each other: some triangle lies inside
  bool closed = false;                       // no edge is open

  // Metres to the skin. Whoever knows that it is at most `most` is answered faster.
  double depth(const Vec3d& place, double most = std::numeric_limits<double>::infinity()) const;
  bool inside(const Vec3d& place) const { return whole->inside(place); }
  // Whether the straight way from a place inside to b never comes closer to the surface than
  // `margin` metres, > 0. Not sampled: each step goes as far as the ball about it is free.
  bool clear(const Vec3d& a, const Vec3d& b, double margin) const;
  // Whether the straight way does not leave the body, told by where it crosses triangles.
  bool stays_inside(const Vec3d& a, const Vec3d& b) const;
};
BodySurface body_surface(const Mesh& mesh, CancelView stop = {});

class InsideCells {
 public:
  static constexpr uint32_t none = 0xFFFFFFFF;
  static constexpr int directions = 26;

  // `cells` along the longest side of the surface's box, >= 2.
  InsideCells(const BodySurface& surface, int cells, CancelView stop = {});

  std::size_t size() const { return points_.size(); }
  bool empty() const { return points_.empty(); }
  double cell() const { return grid_->cell(); }
  double depth(uint32_t c) const { return depths_[c]; }
  Vec3d place(uint32_t c) const { return grid_->position(points_[c]); }
  // The number of cells of each connected piece, the largest first, which is the one that is kept.
  const std::vector<std::size_t>& pieces() const { return pieces_; }

  // Next cell in one of 26 directions, or none. Directions 0 .. 5 are along the axes: 2 axis + up.
  uint32_t next(uint32_t c, int direction) const {
    if (!(ways_[c] >> direction & 1)) return none;
    return cell_at_[static_cast<std::size_t>(int64_t{points_[c]} + steps_[direction])];
  }
  // Length of a step, in cells: 1, sqrt 2 or sqrt 3.
  static double step_length(int direction);
  // Cells between two neighbours such that each step is along an axis; both ends left out.
  std::vector<uint32_t> along_axes(uint32_t from, uint32_t to) const;
  // A cell within `around` cells of a place, the nearest; or none.
  uint32_t near(const Vec3d& place, int around) const;

  // The time at which a wave arrives, by fast marching [Sethian96]: each cell takes `slowness` to
  // be crossed, in times of its edge. `time` has what is known (unreachable: nothing) and is
  // lowered to where the wave from `from`, whose times must be set, is earlier.
  template <class Slowness>
  void march(std::vector<double>& time, std::span<const uint32_t> from, const Slowness& slowness,
             CancelView stop = {}) const;
  // Distances through the inside from some cells, metres; exact within the ball about a single
  // start. With `from_balls`, each start is the whole ball about it that is free, so that distances
  // are negative within.
  std::vector<double> distances(std::span<const uint32_t> from, bool from_balls = false,
                                CancelView stop = {}) const;

 private:
  void join(CancelView stop);
  void keep_largest();
  void find_depths(CancelView stop);
  void add_diagonals();
  // sum over the axes of max(t - t_axis, 0)^2 = s^2, t_axis the earlier neighbour.
  double arrival(const std::vector<double>& time, uint32_t c, double slowness) const;

  BodySurface surface_;
  std::shared_ptr<const MaterialGrid> grid_;
  std::vector<uint32_t> points_;   // of the grid, increasing
  std::vector<uint32_t> cell_at_;  // of each grid point its cell, or none
  std::vector<uint32_t> ways_;     // bits: which directions are free
  std::vector<double> depths_;
  std::array<int64_t, directions> steps_{};  // in grid points
  std::vector<std::size_t> pieces_;
};

template <class Slowness>
void InsideCells::march(std::vector<double>& time, std::span<const uint32_t> from,
                        const Slowness& slowness, CancelView stop) const {
  using Entry = std::pair<double, uint32_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  for (const uint32_t c : from) queue.push({time[c], c});
  std::size_t count = 0;
  while (!queue.empty()) {
    const auto [now, c] = queue.top();
    queue.pop();
    if (now > time[c]) continue;
    if (++count % 4096 == 0) stop.check();
    for (int d = 0; d < 6; ++d) {
      const uint32_t to = next(c, d);
      if (to == none || !(time[to] > now)) continue;
      const double then = arrival(time, to, slowness(to));
      if (!(then < time[to])) continue;
      time[to] = then;
      queue.push({then, to});
    }
  }
}

}  // namespace sinew::kernels
