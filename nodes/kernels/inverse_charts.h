// Charts from shapes: what the tissue of a body must do so that the whole comes near to wanted
// shapes at given times of its cycle. The inverse of an activation [Ijiri09, section 7 leaves it
// open]; symbols as in geometry/activation.h.
//
// Unknown are l_jp = log chart_j at P points p / P of the cycle, cyclic, linear in between:
//   log c_j at vertex r and time t = As_r sum_p phi_p(frac(t / T - Ps_r / (vp T))) l_jp
// with phi_p the hat function of point p. If the volume is kept there is one chart, and log c_j =
// f_j log c_1 with f = (1, -1/2, -1/2) or (1, -1, 0).
//
// First, a linear problem. In each region (a vertex and its one-ring) a wanted shape has a linear
// map F = R U that fits it best, and u_j = d_j^T log(U) d_j is its stretch along direction j. Least
// squares over all regions and shapes of log c_j - u_j, by mass, with a little ridge towards 0 and
// a little smoothness, which decide only where the shapes say nothing: there the charts go on
// smoothly, and half way back to 1 in about a quarter of a cycle.
//
// That is exact where the wanted stretches fit together, such as the same everywhere. Where they do
// not (a bend: neighbours that pull at each other), what a region gets is less than what it wants,
// so that, second, the body itself is asked: x_k(l) is the shape that comes to rest under the
// charts at time t_k, e_k = x_k, moved rigidly as near as can be, less the wanted shape.
// Levenberg's method on the mass-weighted e, its derivatives by differences, keeps only what is
// better. Smoothness grows with what is left over of e: shapes that can be reached are, and where
// they cannot, points that hardly matter do not chase them.
//
// Everything is double precision but the shape matching itself. The result does not depend on the
// number of threads.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "nodes/geometry/chart.h"
#include "nodes/geometry/frames.h"
#include "nodes/kernels/activation.h"
#include "nodes/kernels/shape_match.h"

namespace sinew::kernels {

struct WantedShape {
  std::vector<Vec3f> positions;  // m, of all vertices of the solid, anywhere in space
  double time = 0;               // part of the cycle; whole cycles do not matter
};

// What is known of the activation.
struct InverseSettings {
  std::shared_ptr<const Frames> frames;  // null: the axes
  std::vector<float> amplitude = {1};    // As, one per vertex or one for all
  std::vector<float> phase = {0};        // Ps, the same
  double speed = 1, period = 1;          // vp in phases a second, T in seconds
  ChartLink link = ChartLink::keep_both;
  double limit = 4;  // A > 1
  int points = 8;    // P
  int refine = 2;    // rounds of the second step
};

// Distances are root mean squares by mass, as parts of the body's size (diagonal of its box).
struct FoundCharts {
  std::array<Chart, 3> charts;       // ratios, cyclic, period 1; made even where they are linked
  std::vector<double> rest_error;    // per shape: of the rest shape
  std::vector<double> linear_error;  // per shape: after the first step
  std::vector<double> error;         // per shape: in the end
};
// Over all shapes.
double overall_error(std::span<const double> errors);

// `body` is made of `solid`; shapes, frames and fields fit it. No shapes: charts of 1.
FoundCharts find_charts(const TetMesh& solid, const MatchBody& body,
                        std::span<const WantedShape> shapes, const InverseSettings& settings,
                        CancelView stop = {});

// Lets scratch.x come to rest under scratch.tensors: matched again and again until nothing moves by
// more than two millionths of the size, or for `most_rounds` rounds of a hundred passes. Says
// whether it came to rest.
bool relax_shape(const MatchBody& body, MatchScratch& scratch, CancelView stop = {},
                 int most_rounds = 100);

// The shape of rest of an activation at its moment, beginning at the solid's rest shape.
std::vector<Vec3f> relaxed_shape(const MatchBody& body, const Activation& activation,
                                 CancelView stop = {});

}  // namespace sinew::kernels
