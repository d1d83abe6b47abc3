// A tree of boxes over the triangles of a mesh, for rays. Its order follows from one pose of the
// mesh; for another pose only the boxes are computed anew, all leaves side by side. What a ray hits
// does not depend on the order: boxes only save work.
//
// The tree is complete, so that it needs no links: on level l there are 2^l nodes, node i has the
// children 2i and 2i + 1 on the next level, and of n triangles it holds those from i n / 2^l to
// (i + 1) n / 2^l in the tree's order. Nodes lie level by level in one array, from 1 on.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "render/draw_list.h"
#include "render/pick_ray.h"

namespace sinew::render {

// How the triangles stand in the leaves: halves by their middles along the longest side, again and
// again. Bodies of the same triangles share it.
class PickOrder {
 public:
  // All indices are within the positions, and all positions are numbers.
  PickOrder(std::span<const draw::Point> positions, std::span<const draw::Triangle> triangles);

  int levels() const { return levels_; }  // the leaves' level
  std::size_t first(int level, std::size_t node) const {
    return static_cast<std::size_t>((uint64_t{node} * corners_.size()) >> level);
  }
  const draw::Triangle& corners(std::size_t place) const { return corners_[place]; }
  uint32_t triangle(std::size_t place) const { return triangles_[place]; }
  std::size_t bytes() const {
    return corners_.size() * (sizeof(draw::Triangle) + sizeof(uint32_t));
  }

 private:
  int levels_ = 0;
  std::vector<draw::Triangle> corners_;
  std::vector<uint32_t> triangles_;  // the numbers that the mesh knows them by
};

class PickTree {
 public:
  struct Hit : PickRay::Hit {
    uint32_t triangle = 0;
  };

  // Computes the boxes for a pose. At least one triangle.
  void fit(std::shared_ptr<const PickOrder> order, std::span<const draw::Point> positions);

  const std::shared_ptr<const PickOrder>& order() const { return order_; }
  // The leaves' surface in surfaces of the whole box: grows while the order fits a pose less well.
  double looseness() const { return looseness_; }
  std::size_t bytes() const { return boxes_.size() * sizeof(Box); }

  // The first hit up to `until`, of those at one distance the one with the lowest triangle. The
  // positions are those of the last fit.
  std::optional<Hit> first_hit(const PickRay& ray, std::span<const draw::Point> positions,
                               double until) const;

 private:
  std::shared_ptr<const PickOrder> order_;
  std::vector<Box> boxes_;
  double looseness_ = 0;
};

}  // namespace sinew::render
