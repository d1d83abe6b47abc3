// Surfaces of revolution with triangles of nearly one size.
//
// A profile in the half plane (radius, height) is turned about the y axis. Each of its points
// becomes a ring with as many vertices as the wanted edge length asks for at its radius, so that
// triangles do not crowd near the axis, as they do between longitudes; a point on the axis becomes
// one vertex. Neighbouring rings with n and m vertices are zipped together by n + m triangles, in
// the order of the middles of their edges: of the two possible next triangles the one whose ring
// edge has its middle at the smaller angle (compared in integers, so that it is exact).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "nodes/geometry/mesh.h"

namespace sinew::kernels {

// A line of smooth pieces; x is the radius (>= 0) and y the height, metres. The points between two
// pieces are kept when it is sampled, so that creases stay where they are.
class Profile {
 public:
  explicit Profile(const Vec2d& start) : corners_{start} {}

  // Each goes on from the end of the one before; `least` is its smallest number of segments.
  Profile& line_to(const Vec2d& end, int least = 1);
  Profile& bezier_to(const Vec2d& b, const Vec2d& c, const Vec2d& end, int least = 1);
  // Through all of the points, which lie closely.
  Profile& through(std::span<const Vec2d> points, int least = 1);

  // Points at about the given distance from each other, measured along the line.
  std::vector<Vec2d> sample(double spacing) const;

 private:
  struct Piece {
    std::vector<Vec2d> points;
    int least;
  };
  std::vector<Vec2d> corners_;
  std::vector<Piece> pieces_;
};

struct RevolveOptions {
  double edge = 0.01;    // wanted length of the edges, metres, > 0
  int sectors = 1;       // with more than 1, the vertices of each ring repeat in as many sectors,
                         // and each ring has a vertex at the start of each
  int least_around = 6;  // vertices in the smallest ring, >= 3
  bool closed = false;   // whether the last point is joined to the first: a ring, like a torus
};

// The profile runs so that the outside is on its right: from below to above on the outer side.
// An open profile should begin and end on the axis (radius 0), where it is closed by one vertex;
// otherwise it stays open there.
Mesh revolve(std::span<const Vec2d> profile, const RevolveOptions& options);
// How many vertices that gives.
std::size_t revolved_vertices(std::span<const Vec2d> profile, const RevolveOptions& options);
// The distance between rings that makes even triangles of that edge length.
inline double ring_spacing(double edge) { return 0.8660254037844386 * edge; }

// The length h for which count(h) comes closest to `target`, where count falls about as 1 / h^2:
// a few steps of h <- h sqrt(count / target) from a first guess.
template <class Count>
double edge_for_vertices(double guess, std::size_t target, const Count& count) {
  double edge = guess, best = guess, best_error = INFINITY;
  const double wanted = static_cast<double>(std::max<std::size_t>(target, 1));
  for (int i = 0; i < 24; ++i) {
    const double ratio = static_cast<double>(count(edge)) / wanted;
    const double error = std::abs(std::log(ratio));
    if (error < best_error) best = edge, best_error = error;
    if (error < 0.002) break;
    // Counts jump by whole rings: shorter steps later on end swinging between two lengths.
    edge *= std::pow(ratio, i < 6 ? 0.5 : 0.2);
  }
  return best;
}

}  // namespace sinew::kernels
