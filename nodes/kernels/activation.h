// The local deformations of an activation at a moment [Ijiri09, eq. 1]; see geometry/activation.h
// for the formula and its symbols.
//
// Logarithms of the charts are added, then one exp per direction: amplitude -1 is exactly the
// inverse, and charts that keep the volume keep it to rounding. Vertices are independent; the
// result does not depend on the number of threads.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "nodes/geometry/activation.h"
#include "nodes/geometry/chart.h"
#include "nodes/geometry/tet_mesh.h"
#include "nodes/kernels/adjacency.h"

namespace sinew::kernels {

// Symmetric matrices as six arrays, one entry per vertex: xx, yy, zz, xy, yz, zx.
struct SymmetricArrays {
  std::array<std::vector<float>, 6> part;
  std::size_t size() const { return part[0].size(); }
  void resize(std::size_t count) {
    for (std::vector<float>& p : part) p.resize(count);
  }
};

// Room for one evaluation after another; what is in it means nothing to others.
struct ActivationScratch {
  std::vector<double> arguments;
  std::vector<float> weights;
  std::array<std::vector<float>, 2> terms;
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
// Compiled charts. The cycle of a cyclic chart becomes 1 and its x = 0 stays, so that charts that
// were drawn over the same cycle stay in step; the range of a clamped one becomes [0, 1], and is
// smooth over the seam if its ends have the same value, and jumps there if they have not. What is
// linear becomes a ratio, point by point, and points beyond [1/limit, limit] count as at the bound.
// std::invalid_argument for a limit that is not above 1 and for a chart that is not above 0, by its
// name; with a link only the first is looked at.
DeformationCharts compile_charts(const Chart& primary, const Chart& secondary,
                                 const Chart& tertiary, ChartLink link, double limit);

// What the chart of direction 1 or 2 is by the link, as a chart: of compile_charts(), for whoever
// wants to see it. Nothing for what is drawn, and for what cannot be compiled.
std::optional<Chart> linked_chart(const Chart& primary, ChartLink link, double limit,
                                  int direction);

// Distances in metres as a touch wants them: parts of the greatest one. What is unreachable (see
// mesh_march.h) is never touched.
std::shared_ptr<const std::vector<float>> touch_parts(std::span<const double> distances);

// The distances of a touch at a vertex, through the tetrahedra; `vertex_tets` is vertex_tets() of
// tet_measure.h.
std::shared_ptr<const std::vector<float>> touch_distance(const TetMesh& rest,
                                                         const Rows& vertex_tets, uint32_t vertex);

}  // namespace sinew::kernels
