// A surface as those who paint on it see it: not its triangles, but the shape that they stand for.
//
// Closest points are moved from the triangle to the curved shape through its corners, by half of
// the way to the planes through the corners [Boubekeur08]: with q = sum b_i v_i on the triangle,
//   q* = q + 1/2 sum b_i n_i n_i . (v_i - q),
// which is exact for spheres to the second order in the length of the edges (the paper's 3/4 looks
// rounder, but overshoots). Normals n_i at corners are means of the triangles around the vertex
// that bend by less than 45 degrees from this one, so that creases stay sharp and flat faces flat.
//
// Surfels are sample points that hardly depend on how the shape is cut into triangles: a grid over
// the bounding box, 64 cells along the diagonal, and for each cell near the surface the closest
// point of it. The same shape with more triangles has the same cells, and almost the same points.
// What is near on the grid is near on the surface, unless two sheets are closer than a cell; the
// normals tell them apart.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "nodes/kernels/surface_tree.h"

namespace sinew::kernels {

struct Surfel {
  Vec3d point;
  Vec3d normal;
  std::array<int, 3> cell;
  // 1, or less if a slightly other shape would not have it: down to 0 for 0.65 .. 0.75 cells from
  // the middle of the cell.
  double firmness;
};

class PaintSurface {
 public:
  // `surface` must be valid.
  explicit PaintSurface(const Mesh& surface, CancelView stop = {});

  bool empty() const { return tree_.empty(); }
  const SurfaceTree& tree() const { return tree_; }
  std::span<const Triangle> triangles() const { return mesh_.triangles(); }
  const Mesh& mesh() const { return mesh_; }
  double diagonal() const { return diagonal_; }

  // The closest point of the shape.
  struct Foot {
    Vec3d point;
    Vec3d normal;
    double distance;  // metres
    uint32_t triangle;
  };
  std::optional<Foot> closest(const Vec3d& query,
                              double within = std::numeric_limits<double>::infinity()) const;

  // The same, but for queries that are some way from the surface: the closest point of a triangle
  // is then not below the query on the curved shape. Steps along the shape until it is.
  std::optional<Foot> land(const Vec3d& query) const;

  std::span<const Surfel> surfels() const { return surfels_; }
  double cell_size() const { return cell_; }
  // The largest angle, in degrees, between the surfel's normal and those within two cells of it.
  double bend(std::size_t surfel) const { return bends_[surfel]; }

  // The surfels that can be reached from the one that is closest to the seed without crossing a
  // place that bends by more than the angle, and the rim of such places that still looks the same
  // way. In increasing order.
  std::vector<uint32_t> flood(const Vec3d& seed, double angle) const;

  // Fewer of them, made in the same way with larger cells: 1/24 and 1/14 of the diagonal.
  std::span<const Surfel> medium() const { return medium_; }
  std::span<const Surfel> sparse() const { return sparse_; }
  // The surfel that is closest to a point.
  uint32_t nearest_surfel(const Vec3d& point) const;

  std::size_t bytes() const;

 private:
  // Surfels in cells that are at most `reach` away along each axis.
  template <class Visit>
  void visit_cells(const std::array<int, 3>& cell, int reach, const Visit& visit) const;
  Vec3d origin_of(int cells, double cell) const;
  void make_corner_normals();
  void make_surfels(CancelView stop);
  std::vector<Surfel> sample(int cells, double cell, CancelView stop) const;
  void descend(const std::array<int, 3>& low, int size, double cell, const Vec3d& origin,
               std::vector<Surfel>& out, CancelView stop) const;

  Mesh mesh_;
  SurfaceTree tree_;
  double diagonal_ = 0;
  std::vector<std::array<Vec3f, 3>> corner_normals_;  // of each triangle; 0: it has no area
  double cell_ = 0;
  Vec3d origin_{0, 0, 0};
  std::vector<Surfel> surfels_;  // ordered by their cells
  std::vector<double> bends_;
  std::vector<Surfel> medium_, sparse_;
};

}  // namespace sinew::kernels
