// A motion path at any moment: where, which way, and how far [Hurmusiadis, section 8.2]; see
// geometry/motion_path.h for the formulas and their symbols.
//
// The curve. A spline is the centripetal Catmull-Rom curve [Yuksel11]: cubics through the points,
// whose knots are apart by the roots of the distances; it has no cusps and no loops between two
// points. An open one goes on beyond its ends as if mirrored there. Points that coincide with the
// one before are left out. Lengths along the curve are integrals of its speed by Gauss on panels
// that are halved until they agree, to 1e-10 of the curve; the place at a length is found by
// Newton's method within its panel.
//
// Frames are carried along without twist by the double reflection method [Wang08], at a corner by
// the smallest turn. On a closed curve the twist that is left after a round is spread evenly, so
// that the frame closes, too.
//
// Distance over time is exact: the momentum chart's own integral, no Runge-Kutta (8.13).
#pragma once

#include <span>
#include <vector>

#include "nodes/geometry/motion_path.h"

namespace sinew::kernels {

struct PathFrame {
  Vec3d position{0, 0, 0};
  // Orthonormal and right-handed. The tangent looks to the end of the path, whichever way the
  // travel goes.
  Vec3d tangent{1, 0, 0}, normal{0, 1, 0}, binormal{0, 0, 1};
};

class PathShape {
 public:
  // Any points, also none: a path without length is its first point, with the axes as its frame.
  PathShape(std::span<const Vec3f> points, PathCurve curve, bool closed);

  double length() const { return length_; }  // metres, of one round
  bool closed() const { return closed_; }
  // At a distance along the path. Beyond the ends of an open one the ends, round and round on a
  // closed one. O(log n).
  PathFrame at(double distance) const;
  // How far along the path each of its points is that was not left out; on a closed one, the first
  // also at the end.
  std::vector<double> point_distances() const;

  std::size_t bytes() const;

 private:
  // p0 + u (c1 + u (c2 + u c3)) for u in [0, 1].
  struct Segment {
    Vec3d p0, p1, c1, c2, c3;
    bool straight;
    Vec3d at(double u) const;
    Vec3d speed(double u) const { return c1 + u * (2 * c2 + u * 3 * c3); }
    Vec3d direction(double u) const;
  };
  struct Panel {
    std::size_t segment;
    double u0, u1;
    double before;  // length up to u0
    Vec3d normal;   // at u0
  };

  void add_segments(const std::vector<Vec3d>& points, PathCurve curve);
  void add_panels(std::size_t segment, double u0, double u1, int depth);
  void carry_frames();
  double length_within(const Panel& panel, double u) const;
  double place_within(const Panel& panel, double length) const;

  std::vector<Segment> segments_;
  std::vector<Panel> panels_;
  Vec3d lonely_{0, 0, 0};  // where it is if it has no length
  double length_ = 0;
  double twist_ = 0;  // radians in a round, taken back evenly
  bool closed_ = false;
};

// How far along a path at which time.
class PathClock {
 public:
  // `length`: of one round. The path must be sound but for its points.
  PathClock(const MotionPath& path, double length);

  double distance(double t) const;  // S, metres; on a closed path it counts all rounds
  double speed(double t) const;     // dS/dt, m/s; 0 while it rests
  double done(double t) const;      // the part of the way from s0 to E, kept within 0 to 1
  double start_distance() const { return s0_; }
  double end_distance() const { return end_; }  // E

 private:
  double travelled(double t) const;  // s - s0

  ChartPieces momentum_;
  double mass_, v0_, start_, stop_;
  double first_x_ = 0, x_per_second_ = 0, first_y_ = 0;
  double s0_ = 0, end_ = 0;
  double scale_ = 1;
  bool fitted_ = false;
  bool steady_ = false;  // at a constant speed
};

class PathMotion {
 public:
  explicit PathMotion(const MotionPath& path);

  PathFrame at(double t) const { return shape_.at(clock_.distance(t)); }
  const PathShape& shape() const { return shape_; }
  const PathClock& clock() const { return clock_; }

 private:
  PathShape shape_;
  PathClock clock_;
};

}  // namespace sinew::kernels
