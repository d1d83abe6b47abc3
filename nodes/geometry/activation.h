// What the tissue of a body does of itself: at each vertex a local deformation T_i(t) that changes
// with time [Ijiri09, section 4]. It is kept as the recipe and a moment, not as matrices, so that a
// crowd can ask one recipe for the moment of each of its members, and a moment costs no copy.
//
//   T_i(t) = D_i diag(c1, c2, c3) D_i^T                                        eq. 1
//   log c_k = As_i log chart_k(t - Ps_i / vp)                                  section 4.3
//           + sum over touches of As_i Dm^-d_i (log chart_k(t - t0 - d_i / vp) - log chart_k(0))
//                                                                              section 4.4
// Charts are ratios over one cycle of T seconds; As amplitude, Ps phase, vp speed in phases a
// second; d the way from the touched place through the body, 1 at the farthest vertex; t0 the
// moment of the touch, Dm its damping magnitude. A touch is one sweep: it acts while its argument
// is in [0, T]. Several touches multiply; where the logarithms of one vertex would go beyond those
// of the limit A, all three are scaled back together, so that what kept its volume still does.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "nodes/geometry/chart.h"
#include "nodes/geometry/frames.h"
#include "nodes/geometry/types.h"

namespace sinew {

// The charts of the three directions, compiled. The x axis is in cycles: one cycle is [0, 1].
// Which of the other two follow from the first is said, so that nothing is computed twice.
struct DeformationCharts {
  enum class Source : uint8_t {
    drawn,         // asked for in `drawn`
    inverse_root,  // c1^(-1/2)
    inverse,       // 1 / c1
    one,           // 1 everywhere
  };
  std::array<std::optional<ChartPieces>, 3> drawn;  // on ratio axes
  std::array<Source, 3> source = {Source::one, Source::one, Source::one};
  double limit = 4;  // A > 1: every c stays within [1/A, A]
};

// What a body does over and over.
struct ActivationPattern {
  DeformationCharts charts;
  std::vector<float> amplitude;  // As in [-1, 1], one per vertex or one for all
  std::vector<float> phase;      // Ps in [0, 1], the same
  double speed = 1;              // vp > 0, phases a second
  double period = 1;             // T > 0, seconds
};

// What it does once when it is touched.
struct ResponsePattern {
  DeformationCharts charts;
  std::vector<float> amplitude = {1};  // As in [-1, 1], one per vertex or one for all
  double speed = 1;                    // vp > 0, of the farthest vertex's distance a second
  double damping = 1;                  // Dm >= 1
  double period = 1;                   // T > 0, seconds
  bool feels = false;  // whether a collision with something that is felt counts as a touch
  double rest = 0;     // seconds after a collision in which another one is not felt
};

// The distance of a vertex that no way leads to, in another part of the body: it never responds.
inline constexpr float never_touched = 1e30f;

struct Touch {
  double start = 0;                                    // t0, seconds
  std::shared_ptr<const std::vector<float>> distance;  // d per vertex, 0 .. 1 or never_touched
};

struct Response {
  std::shared_ptr<const ResponsePattern> pattern;
  std::vector<Touch> touches;
};

struct Activation {
  std::size_t count = 0;                             // vertices of the body that it is for
  std::shared_ptr<const Frames> frames;              // null: the axes of space at every vertex
  std::shared_ptr<const ActivationPattern> pattern;  // null: rests unless touched
  std::vector<Response> responses;
  double time = 0;  // t, seconds
};

// The first thing that is wrong, or nothing. Frames are a value of their own and have been checked
// as such: here only their number is.
std::optional<std::string> validate(const Activation& activation);

// Without what is shared with all other moments (frames, patterns, distances), which whoever made
// it accounts for.
std::size_t byte_size(const Activation& activation);

}  // namespace sinew
