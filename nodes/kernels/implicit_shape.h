// A body put together from round parts that flow into each other, as a function that is negative
// inside: what implicit_mesh.h makes a mesh of.
//
// Parts are joined in the order they are added by the smooth minimum with compact support
//   smin(a, b; k) = min(a, b) - max(k - |a - b|, 0)^2 / (4 k),
// which fills the angle between two parts up to about the distance k from it and changes nothing
// farther away; cutting is the same with signs turned. k = 0 leaves a sharp crease.
#pragma once

#include <Eigen/Geometry>
#include <memory>
#include <vector>

#include "nodes/kernels/even_mesh.h"

namespace sinew::kernels {

// An ellipsoid; columns of `frame` are its axes.
struct Ellipsoid {
  Vec3d centre{0, 0, 0};
  Vec3d radii{1, 1, 1};
  Eigen::Matrix3d frame = Eigen::Matrix3d::Identity();
};

// A round limb along points, with a radius at each: a ball for one point, a cone with round ends
// for two. With `flatness` < 1 it is a blade (a fin, a wing) across `flat_axis`, `flatness` times
// as thick in the middle as it is wide and falling off to a rim of radius `rim` on both sides;
// nothing of it is thinner than the rim.
struct Limb {
  std::vector<Vec3d> points;
  std::vector<double> radii;
  Vec3d flat_axis{0, 1, 0};
  double flatness = 1;
  double rim = 0.01;
  // The hull of balls along the line, smooth however fast the radius changes. If not, each place
  // belongs to the nearest place of the line, and cones of a different slope meet in faint steps.
  bool hull = false;
};
// A smooth line (Catmull-Rom) through the points, with `pieces` pieces from each to the next.
Limb smooth_limb(const Limb& through, int pieces = 6);

// A limb, prepared: its pieces, laid flat along `flat_axis` if it is a blade.
struct LimbPieces {
  struct Piece {
    Vec3d start, edge;
    double inverse_square;  // of the edge's length; 0 for a point
    double radius, radius_change;
    double level, level_change;  // along flat_axis
    double lean;                 // of the nearest ball along the edge, per distance from the edge
  };
  // Pieces that follow each other, for long limbs: passed over at once where they are far away.
  struct Run {
    std::size_t begin, end;
    Eigen::AlignedBox3d box;  // of the axis
    double radius;            // the largest
  };
  std::vector<Piece> pieces;
  std::vector<Run> runs;  // none for short limbs
  Vec3d flat_axis{0, 1, 0};
  double flatness = 1, rim = 0;
  bool blade = false, hull = false;
};

class ImplicitShape {
 public:
  ImplicitShape& add(const Ellipsoid& part, double blend);
  ImplicitShape& add(const Limb& part, double blend);
  // Anything: f is about a distance, and positive outside of the box.
  ImplicitShape& add(Implicit f, const Eigen::AlignedBox3d& box, double blend);
  // Another body, parts that lie together: passed over at once where it is far away.
  ImplicitShape& add(const ImplicitShape& group, double blend);
  // A part and its mirror image at x = 0.
  ImplicitShape& add_pair(const Ellipsoid& part, double blend);
  ImplicitShape& add_pair(const Limb& part, double blend);
  ImplicitShape& cut(const Ellipsoid& part, double blend);
  ImplicitShape& cut(const Limb& part, double blend);
  ImplicitShape& cut(Implicit f, const Eigen::AlignedBox3d& box, double blend);
  ImplicitShape& cut_pair(const Ellipsoid& part, double blend);
  ImplicitShape& cut_pair(const Limb& part, double blend);

  double operator()(const Vec3d& p) const;
  // Of all that was added, with room for blends.
  Eigen::AlignedBox3d box() const;

 private:
  enum class Kind : uint8_t { ellipsoid, limb, function, group };
  struct Part {
    Kind kind;
    bool removes;
    double blend;
    Eigen::AlignedBox3d box;
    double slack;  // how much its value may fall short of the distance to its box
    Ellipsoid ellipsoid;
    LimbPieces limb;
    Implicit function;
    std::shared_ptr<const ImplicitShape> group;
  };
  ImplicitShape& put(const Ellipsoid& part, double blend, bool removes);
  ImplicitShape& put(const Limb& part, double blend, bool removes);
  ImplicitShape& put(Implicit f, const Eigen::AlignedBox3d& box, double blend, bool removes);
  // Exact below the limit; above it, something that is not below.
  static double value(const Part& part, const Vec3d& p, double limit);
  double value_below(const Vec3d& p, double limit) const;

  std::vector<Part> parts_;
};

double smooth_min(double a, double b, double blend);
double smooth_max(double a, double b, double blend);

}  // namespace sinew::kernels
