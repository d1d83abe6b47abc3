// The local deformations of an activation at a moment [Ijiri09, eq. 1]; see geometry/activation.h
// for the formula and its symbols.
//
// Logarithms of the charts are added, then one exp per direction: amplitude -1 is exactly the
// inverse, and charts that keep the volume keep it to rounding. Vertices are independent; the
// result does not depend on the number of threads.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "nodes/geometry/activation.h"
#include "nodes/geometry/chart.h"
#include "nodes/kernels/chart_ops.h"

namespace sinew::kernels {

// Symmetric matrices as six arrays, one entry per vertex: xx, yy, zz, xy, yz, zx.
struct SymmetricArrays {
  std::array<std::vector<float>, 6> part;
  std::size_t size() const { return part[0].size(); }
  void resize(std::size_t count) {
    for (std::vector<float>& p : part) p.resize(count);
  }
};

// Room for one evaluation after another.
struct ActivationScratch {
  std::vector<float> arguments;
  std::array<std::vector<float>, 3> logs;
};

// T_i at activation.time - delay. `extra`, if given, are further touches by response: extra[j]
// belongs to activation.responses[j] (a simulation adds those that it felt). Allocates only what
// `out` and `scratch` lack. Everything is finite, symmetric and positive definite.
void evaluate_activation(const Activation& activation, double delay,
                         std::span<const std::vector<Touch>> extra, ActivationScratch& scratch,
                         SymmetricArrays& out);

// c1 - 1 at each vertex, what red and light blue show; same arguments.
void activation_signal(const Activation& activation, double delay,
                       std::span<const std::vector<Touch>> extra, ActivationScratch& scratch,
                       std::span<float> out);

enum class ChartLink : uint8_t {
  drawn,           // three charts as they are drawn
  keep_both,       // c2 = c3 = c1^(-1/2)
  keep_secondary,  // c2 = 1 / c1, c3 = 1
};
// Compiled charts; each one's own range (its cycle, if it is cyclic) becomes [0, 1]. A chart must
// be above 0 (std::invalid_argument names which); what is linear becomes a ratio, point by point.
DeformationCharts compile_charts(const Chart& primary, const Chart& secondary,
                                 const Chart& tertiary, ChartLink link, double limit);

}  // namespace sinew::kernels
