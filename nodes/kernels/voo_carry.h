// Frames of pins that are carried along in time.
//
// The frame that follows from a pin's direction u alone, by the smallest rotation (voo_frame.h), is
// as good as can be but near u = -u_rest: there it spins about u by (1 - cos) of the angle from the
// rest for each turn of u about the axis, so that a pin that passes a little beside the opposite of
// its rest spins its body by a whole turn, half of it within a few frames. Carried along without
// any spin (parallel transport), it would not; but then cones that a pin describes add up, and the
// body winds. So the frame follows that of the direction alone, but never spins faster than
// `fastest_spin` times as fast as the pin itself turns, and takes the shorter way round:
//
//   M(t + h) = catch_up(carry(M(t), u(t) -> u(t + h)))
//   catch_up: the frame of the direction alone, if that is within fastest_spin times the angle
//             between u(t) and u(t + h); or else so much nearer to it
//
// Below 2 atan(fastest_spin), 113 degrees from the rest, the two are the same, to the bit. What is
// told is the spin between them. It is followed from the beginning of the motion on a grid of its
// own, so that frames can be asked for in any order and do not depend on the frame rate.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "nodes/geometry/types.h"

namespace sinew::kernels {

inline constexpr double fastest_spin = 1.5;
// The cosine of that angle from the rest: (1 - fastest_spin^2) / (1 + fastest_spin^2).
inline constexpr double farthest_alike = -5.0 / 13.0;

class VooCarry {
 public:
  // u of all pins at a time, of length 1.
  using DirectionsAt = std::function<void(double t, std::span<Vec3d> u)>;

  // `rest`: the frames at rest. Until `begin`, seconds, they follow from the directions alone.
  VooCarry(std::vector<Eigen::Matrix3d> rest, double begin, DirectionsAt directions);

  // How far the frame of a pin is turned about u, beside that of its direction alone, radians;
  // `u`: its direction at t. Safe to ask from several threads.
  double spin(std::size_t pin, double t, const Vec3d& u) const;

 private:
  using Spins = std::vector<std::pair<uint32_t, double>>;  // by pin; those that are not here are 0
  // A stretch of the grid. Calm ones, in which no pin is far from its rest, have no cells.
  struct Stretch {
    std::vector<Spins> cells;  // at the beginning of each
  };
  double carried(std::size_t pin, const Vec3d& from, double spin, const Vec3d& to) const;
  bool is_calm(std::span<const Vec3d> from, std::span<const Vec3d> to) const;
  void add_stretch() const;
  double time_of(std::size_t stretch, std::size_t cell) const;

  std::vector<Eigen::Matrix3d> rest_;
  double begin_;
  DirectionsAt directions_;
  mutable std::mutex mutex_;
  mutable std::vector<Stretch> stretches_;
  mutable std::vector<Vec3d> now_;  // u where the last stretch ends
  mutable Spins spins_;             // there
  // Directions at the cell that was asked for last.
  mutable double known_at_;
  mutable std::vector<Vec3d> known_;
};

}  // namespace sinew::kernels
