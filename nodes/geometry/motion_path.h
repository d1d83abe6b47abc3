// A way through space and how it is travelled [Hurmusiadis, section 8.2]: a mass point runs along a
// curve, driven by a momentum drawn over time. As a value it is the recipe and a moment, so that
// whoever follows it can ask for any other time, too; kernels/motion_path.h does.
//
//   v(t) = v0 + (M(t) - M(t0)) / m                                                     8.8
//   s(t) = s0 + v0 (t - t0) + integral from t0 to t of (M - M(t0)) / m                 8.9
// s0 is `offset`, v0 `speed`, m `mass`, t0 `start`, t1 `end`; M is `momentum`, drawn over any range
// that is taken for the time from t0 to t1. With `fit` the way is scaled (8.11) so that the end E
// is reached at t1: S = s0 + (E - s0) (s - s0) / (s(t1) - s0); where s(t1) = s0, at a constant
// speed. E is the length L of an open path, and s0 + rounds L on a closed one. Before t0 and after
// t1 the point rests.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "nodes/geometry/chart.h"
#include "nodes/geometry/path_points.h"

namespace sinew {

enum class PathCurve : uint8_t {
  polyline,  // straight from point to point
  spline,    // a smooth curve through the points: centripetal Catmull-Rom [Yuksel11]
};

struct MotionPath {
  PathPoints points;
  PathCurve curve = PathCurve::spline;
  bool closed = false;  // from the last point back to the first
  int rounds = 1;       // of a closed one

  Chart momentum = standard_momentum();  // kg m/s
  double mass = 50;                      // kg
  double speed = 0;                      // at the start, m/s; may be negative
  double offset = 0;                     // where it starts, m along the path
  double start = 0, end = 1;             // seconds
  bool fit = true;                       // arrives at the end of the path when the time is over

  double time = 0;  // the moment, seconds

  // Gets going, goes on, brakes.
  static Chart standard_momentum();

  bool operator==(const MotionPath&) const = default;
};

inline constexpr double least_path_mass = 1e-9, greatest_path_mass = 1e12;
inline constexpr double greatest_path_speed = 1e9;      // m/s
inline constexpr double greatest_path_time = 1e9;       // seconds
inline constexpr double shortest_path_duration = 1e-6;  // seconds
inline constexpr int most_rounds = 10000;

// The first thing that is wrong, or nothing: no points, or all of them at one place, so that there
// is no way to go; a number that is not finite or outside of the ranges above; an end that is not
// after the start.
std::optional<std::string> validate(const MotionPath& path);

std::size_t byte_size(const MotionPath& path);

template <class Hash>
void visit_content(const MotionPath& path, Hash&& hash) {
  visit_content(path.points, hash);
  visit_content(path.momentum, hash);
  hash(bytes_of(std::array{static_cast<uint64_t>(path.curve), static_cast<uint64_t>(path.closed),
                           static_cast<uint64_t>(path.rounds), static_cast<uint64_t>(path.fit)}));
  hash(bytes_of(std::array{path.mass, path.speed, path.offset, path.start, path.end, path.time}));
}

}  // namespace sinew
