// Space deformed by control points: moving least squares with rigid maps [Schaefer06, Cuno07], the
// plain version that figure 1 of [Cuno08] shows, blind to the shape of the body. Controls at p_i go
// to q_i; each place x has a rigid map of its own, which fits the controls as x sees them:
//   w_i = |p_i - x|^(-2 alpha)
//   p* = sum w p / sum w,  q* = sum w q / sum w,  p^ = p - p*,  q^ = q - q*
//   x' = R (x - p*) + q*,  R the best rotation of M = sum w q^ p^^T       [Cuno08, eq. 1]
// All lengths in metres; alpha has no unit.
//
// Controls are interpolated. With one control, or all at one place, everything is shifted; where
// all are on a line, nothing spins about it (mls_rotation.h). A rigid motion of the controls is the
// same motion of space, whatever alpha is.
//
// What follows from the rest alone is prepared: w, w p^, C = sum w p^ p^^T (both of any length:
// only the direction of M matters) and x - p*, in double precision, kept as floats. A pose begins
// with one guess G for all places (common_guess(), the motion itself if that is rigid); with what
// it leaves of the ways, y = G^T (q - mean q) - (p - mean p),
//   R = G Q,  Q the rotation of G^T M = C + sum y (w p^)^T
//   x' = x + (G Q - I)(x - p*) + sum w (q - p)
// So a rigid motion has y = 0 and Q = I whatever floats lose, nothing moves to the bit where no
// control does, and digits are kept far from the origin and next to a control. A sum over controls
// and a rotation for each vertex, in lanes. 16 n + 48 bytes a vertex for n controls. Same bits for
// any number of threads.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "nodes/geometry/types.h"

namespace sinew::kernels {

inline constexpr double least_mls_alpha = 0.1, greatest_mls_alpha = 10;

struct MlsSpace {
  std::size_t vertex_count = 0;
  std::vector<Vec3d> controls;  // p
  std::optional<Vec3d> line;    // along all controls, if they are on one
  // By tiles of 16 vertices; see MlsSpaceView in mls_lanes.h.
  std::vector<float> rest, offsets, spreads, weights;
  // Vertices that are on a control: they go where it goes, to the bit.
  struct Held {
    uint32_t vertex, control;
    bool operator==(const Held&) const = default;
  };
  std::vector<Held> held;

  bool operator==(const MlsSpace&) const = default;
};

// Throws std::invalid_argument for controls that are not finite or an alpha out of its range. A
// vertex that is not finite goes along with the mean of all, and stays not finite. In parallel.
MlsSpace prepare_space(std::span<const Vec3f> rest, std::span<const Vec3d> controls,
                       double alpha = 1, CancelView stop = {});

// moved[v] = x' of each vertex, with the controls at `posed`, as many as there are. Without any,
// everything stays. Throws std::invalid_argument if a place is not finite or sizes differ.
void pose_space(const MlsSpace& space, std::span<const Vec3d> posed, std::span<Vec3f> moved);

std::size_t byte_size(const MlsSpace& space);

}  // namespace sinew::kernels
