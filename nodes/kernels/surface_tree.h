// A tree of boxes over the triangles of a mesh, for whoever asks where the surface is: the closest
// point, the first hit of a ray, and whether a point lies inside.
//
// Inside is told by the generalised winding number w(q) = sum of the signed solid angles of the
// triangles seen from q, over 4 pi [Jacobson13]: 1 inside and 0 outside of a closed surface, and a
// smooth value between near holes, so that open seams and self-intersections do not matter. Far
// parts of the surface are summed up as dipoles with their first derivative [Barill18]: with
// r = p - q from the query to the middle p of a box of radius R, |r| > 2.3 R,
//   w ~ (N.r / |r|^3 + tr C / |r|^3 - 3 r^T C r / |r|^5) / 4 pi,
//   N = sum a n (areas times unit normals), C = sum a (c - p) n^T (c the triangles' centroids).
// What is left out is below 0.07: enough to tell the sides apart.
//
// Everything is computed in double precision. Triangles without area are never hit, and are closest
// where the line or the point that they are is closest. Queries are const and may run on any number
// of threads.
#pragma once

#include <Eigen/Geometry>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "nodes/geometry/mesh.h"

namespace sinew::kernels {

struct SurfacePoint {
  double distance2 = 0;  // m^2, from the query
  uint32_t triangle = 0;
  Vec3d point{0, 0, 0};
  Vec3d weights{1, 0, 0};  // barycentric, of the triangle's corners
};

struct RayHit {
  double t = 0;  // the point is origin + t direction
  uint32_t triangle = 0;
  Vec3d weights{1, 0, 0};
  bool from_inside = false;  // the ray leaves through the triangle's outer side
};

// Barycentric weights of the point of a triangle that is closest to p. A triangle without area is
// the segment or the point that it is.
Vec3d closest_on_triangle(const Vec3d& p, const Vec3d& a, const Vec3d& b, const Vec3d& c);

class SurfaceTree {
 public:
  // `mesh` must be valid; its positions are copied.
  explicit SurfaceTree(const Mesh& mesh, CancelView stop = {});

  bool empty() const { return triangles_.empty(); }
  const Eigen::AlignedBox3d& box() const { return box_; }

  // The closest point of the surface, or nothing if there is none within the distance.
  std::optional<SurfacePoint> closest(
      const Vec3d& query, double within = std::numeric_limits<double>::infinity()) const;
  std::optional<RayHit> first_hit(const Vec3d& origin, const Vec3d& direction,
                                  double until = std::numeric_limits<double>::infinity()) const;
  // All hits with 0 <= t <= until, in increasing t; `hits` is overwritten. An edge that two
  // triangles share may be hit twice.
  void all_hits(const Vec3d& origin, const Vec3d& direction, double until,
                std::vector<RayHit>& hits) const;
  // Whether a triangle has a point in the box, its border included.
  bool touches(const Eigen::AlignedBox3d& box) const;
  double winding_number(const Vec3d& query) const;
  // The sum over all triangles, for tests: what winding_number() approximates.
  double exact_winding_number(const Vec3d& query) const;
  // Turned inside out if the surface is: |w| > 1/2 is inside.
  bool inside(const Vec3d& query) const { return std::abs(winding_number(query)) > 0.5; }
  // Metres, negative inside; infinity if there is no surface.
  double signed_distance(const Vec3d& query) const;

  std::size_t bytes() const;

 private:
  struct Node {
    Eigen::AlignedBox3d box;
    uint32_t first = 0, count = 0;  // of triangles_; count 0: an inner node
    uint32_t right = 0;             // the left child is the next node
    Vec3d middle{0, 0, 0};          // area-weighted
    double radius = 0;              // of the sphere about it with all of its triangles
    Vec3d dipole{0, 0, 0};
    Eigen::Matrix3d derivative = Eigen::Matrix3d::Zero();
  };
  struct Corners {
    Vec3d a, b, c;
    uint32_t triangle;
  };
  static std::optional<RayHit> hit_of(const Corners& t, const Vec3d& origin, const Vec3d& direction,
                                      double until);
  void build(uint32_t node, uint32_t first, uint32_t last, CancelView stop);
  void sum_up(Node& node, uint32_t first, uint32_t last) const;

  std::vector<Corners> triangles_;  // in the order of the leaves
  std::vector<Node> nodes_;
  Eigen::AlignedBox3d box_;
};

}  // namespace sinew::kernels
