#include "nodes/kernels/ffd.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "nodes/geometry/parallel.h"
#include "nodes/kernels/ffd_lanes.h"

namespace sinew::kernels {

namespace {

using Matrix = Eigen::Matrix3d;

static_assert(most_lattice_count == most_ffd_points);

// A lattice that is flat gets this part of its longest edge; one around a single place this part of
// the distance from the origin, or of a metre.
constexpr double least_thickness = 0.01, lone_thickness = 1e-3;

// ---- Splines ------------------------------------------------------------------------------------

constexpr int spline_degree = 3;
constexpr std::size_t spline_points = spline_degree + 1;

// Constant first.
using Cubic = std::array<double, spline_points>;

int spline_spans(uint32_t count) {
  return static_cast<int>(count) - lattice_degree(LatticeBasis::bspline, count);
}

double value_at(const Cubic& c, double x) { return ((c[3] * x + c[2]) * x + c[1]) * x + c[0]; }
double slope_at(const Cubic& c, double x) { return (3 * c[3] * x + 2 * c[2]) * x + c[1]; }

// sum += (a + b x) c, for a c below the highest degree.
void add_product(const Cubic& c, double a, double b, Cubic& sum) {
  for (std::size_t k = 0; k < spline_points; ++k) {
    sum[k] += a * c[k];
    if (k > 0) sum[k] += b * c[k - 1];
  }
}

// The weights that are not 0 between the knots `span` and `span` + 1, as polynomials in the way x
// from the first of them: the recursion of [Piegl97, eq. 2.5] with u = span + x. Points beyond the
// degree have none.
std::array<Cubic, spline_points> span_weights(uint32_t count, int span) {
  const int degree = lattice_degree(LatticeBasis::bspline, count), spans = spline_spans(count);
  // Knots are whole numbers, and those beyond the ends lie on the ends; t_i is knot(i - degree).
  const auto knot = [&](int i) { return static_cast<double>(std::clamp(i, 0, spans)); };
  std::array<Cubic, spline_points> weights{};
  weights[0][0] = 1;
  for (int p = 1; p <= degree; ++p) {
    std::array<Cubic, spline_points> next{};
    for (int r = 0; r < p; ++r) {
      // Of degree p - 1, between these knots; its share goes up to the left and to the right.
      const double from = knot(span + r - p + 1), to = knot(span + r + 1), x = span;
      const double over = 1 / (to - from);
      const Cubic& one = weights[static_cast<std::size_t>(r)];
      add_product(one, (to - x) * over, -over, next[static_cast<std::size_t>(r)]);
      add_product(one, (x - from) * over, over, next[static_cast<std::size_t>(r) + 1]);
    }
    weights = next;
  }
  return weights;
}

// What FfdLattice::pieces wants.
std::vector<float> spline_pieces(uint32_t count) {
  const int spans = spline_spans(count);
  std::vector<float> table;
  table.reserve(16 * (static_cast<std::size_t>(spans) + 2));
  const auto add = [&](const std::array<Cubic, spline_points>& weights) {
    for (std::size_t k = 0; k < spline_points; ++k) {
      for (const Cubic& c : weights) table.push_back(static_cast<float>(c[k]));
    }
  };
  const auto tangent = [&](int span, double x) {
    std::array<Cubic, spline_points> line{};
    const auto weights = span_weights(count, span);
    for (std::size_t i = 0; i < spline_points; ++i) {
      line[i][0] = value_at(weights[i], x);
      line[i][1] = slope_at(weights[i], x) * spans;  // by s, of which a span is one part
    }
    return line;
  };
  add(tangent(0, 0));
  for (int span = 0; span < spans; ++span) add(span_weights(count, span));
  add(tangent(spans - 1, 1));
  return table;
}

void spline_weights(double s, std::span<double> weights) {
  const auto count = static_cast<uint32_t>(weights.size());
  const int spans = spline_spans(count);
  const double within = std::clamp(s, 0.0, 1.0);
  const int span = std::min(static_cast<int>(within * spans), spans - 1);
  const std::array<Cubic, spline_points> cubics = span_weights(count, span);
  const double x = within * spans - span;
  std::fill(weights.begin(), weights.end(), 0.0);
  for (std::size_t i = 0; i < spline_points; ++i) {
    const std::size_t point = static_cast<std::size_t>(span) + i;
    if (point >= weights.size()) break;
    weights[point] = value_at(cubics[i], x) + slope_at(cubics[i], x) * spans * (s - within);
  }
}

void bernstein_weights(double s, std::span<double> weights) {
  const std::size_t count = weights.size();
  const double within = std::clamp(s, 0.0, 1.0);
  weights[0] = 1;
  for (std::size_t m = 1; m < count; ++m) {
    weights[m] = within * weights[m - 1];
    for (std::size_t i = m - 1; i > 0; --i) {
      weights[i] = (1 - within) * weights[i] + within * weights[i - 1];
    }
    weights[0] *= 1 - within;
  }
  const double beyond = static_cast<double>(count - 1) * (s - within);
  weights[0] -= std::min(beyond, 0.0);
  weights[1] += std::min(beyond, 0.0);
  weights[count - 2] -= std::max(beyond, 0.0);
  weights[count - 1] += std::max(beyond, 0.0);
}

// ---- From a lattice to lanes --------------------------------------------------------------------

// With one span a spline is a Bernstein polynomial, for which there is a faster loop.
bool is_polynomial(const LatticeRest& rest) {
  return rest.basis == LatticeBasis::bernstein ||
         std::all_of(rest.counts.begin(), rest.counts.end(),
                     [](uint32_t n) { return n <= spline_points; });
}

// A lattice for the loops, and what it points into.
struct Prepared {
  FfdLattice lattice;
  std::vector<float> offsets;
  std::array<std::vector<float>, 3> pieces;

  // way(n): of point n.
  template <class Way>
  Prepared(const LatticeRest& rest, const Way& way, const FfdSettings& settings) {
    const bool splines = !is_polynomial(rest);
    for (std::size_t a = 0; a < 3; ++a) {
      const std::size_t count = rest.counts[a];
      // A row of four is read wherever a spline has fewer points: the others have no offset.
      lattice.counts[a] = splines ? std::max(count, spline_points) : count;
      if (!splines) continue;
      pieces[a] = spline_pieces(rest.counts[a]);
      lattice.pieces[a] = pieces[a].data();
      lattice.spans[a] = static_cast<std::size_t>(spline_spans(rest.counts[a]));
    }
    fill_offsets(rest, way, settings.amount);
    set_frame(rest.box);
    lattice.border = ffd_border;
    lattice.reach = ffd_reach;
    lattice.extend = settings.outside == FfdOutside::extend;
  }
  Prepared(const Prepared&) = delete;

  template <class Way>
  void fill_offsets(const LatticeRest& rest, const Way& way_of, double amount) {
    const auto& counts = lattice.counts;
    offsets.assign(4 * counts[0] * counts[1] * counts[2], 0);
    std::size_t n = 0;
    for (std::size_t k = 0; k < rest.counts[2]; ++k) {
      for (std::size_t j = 0; j < rest.counts[1]; ++j) {
        float* to = offsets.data() + 4 * counts[0] * (j + counts[1] * k);
        for (std::size_t i = 0; i < rest.counts[0]; ++i, ++n, to += 4) {
          // The loops subtract.
          const Vec3d way = -way_of(n);
          // + 0 makes a 0 of what is -0, which would not leave a vertex as it is.
          for (int c = 0; c < 3; ++c) to[c] = static_cast<float>(amount * way[c]) + 0.0f;
        }
      }
    }
    lattice.offsets = offsets.data();
  }

  // Places are taken relative to a float near the corner, so that a small body far away keeps its
  // digits; what rounding the corner has lost is in the fourth column.
  void set_frame(const LatticeBox& box) {
    Vec3d lost;
    for (int k = 0; k < 3; ++k) {
      // Volatile for the reason that make_operator() in voo_deform.cpp gives.
      const volatile float rounded = static_cast<float>(box.corner[k]);
      lattice.origin[k] = rounded;
      lost[k] = static_cast<double>(lattice.origin[k]) - box.corner[k];
    }
    Matrix edges;
    edges << box.edges[0], box.edges[1], box.edges[2];
    const Matrix inverse = edges.inverse();
    const Vec3d last = inverse * lost;
    for (int i = 0; i < 3; ++i) {
      for (int k = 0; k < 3; ++k) lattice.rows[4 * i + k] = static_cast<float>(inverse(i, k));
      lattice.rows[4 * i + 3] = static_cast<float>(last[i]);
    }
  }
};

template <class Way>
std::size_t deform(const LatticeRest& rest, const Way& way, const FfdSettings& settings,
                   std::span<const Vec3f> points, std::span<Vec3f> moved, CancelView stop) {
  if (points.size() != moved.size()) {
    throw std::invalid_argument(
        fmt::format("{} points, but room for {}", points.size(), moved.size()));
  }
  if (points.empty()) return 0;
  const Prepared prepared(rest, way, settings);
  const FfdLanes& lanes = ffd_lanes();
  const auto loop = is_polynomial(rest) ? lanes.bernstein : lanes.bspline;
  const float* const from = points.data()->data();
  float* const to = moved.data()->data();
  return parallel_reduce_ordered(
      points.size(), std::size_t{0},
      [&](std::size_t begin, std::size_t end) {
        stop.check();
        return loop(from + 3 * begin, end - begin, prepared.lattice, to + 3 * begin);
      },
      [](std::size_t a, std::size_t b) { return a + b; });
}

}  // namespace

std::size_t deform_by_lattice(const Lattice& lattice, const FfdSettings& settings,
                              std::span<const Vec3f> points, std::span<Vec3f> moved,
                              CancelView stop) {
  const LatticeRest& rest = *lattice.rest;
  const auto way = [&](std::size_t n) -> Vec3d {
    return lattice.positions[n].cast<double>() - rest.points[n].cast<double>();
  };
  return deform(rest, way, settings, points, moved, stop);
}

std::size_t deform_by_offsets(const LatticeRest& rest, std::span<const Vec3d> offsets,
                              const FfdSettings& settings, std::span<const Vec3f> points,
                              std::span<Vec3f> moved, CancelView stop) {
  if (offsets.size() != rest.points.size()) {
    throw std::invalid_argument(
        fmt::format("{} offsets, but {} points", offsets.size(), rest.points.size()));
  }
  return deform(
      rest, [&](std::size_t n) -> Vec3d { return offsets[n]; }, settings, points, moved, stop);
}

Vec3d lattice_parameters(const LatticeBox& box, const Vec3d& place) {
  Matrix edges;
  edges << box.edges[0], box.edges[1], box.edges[2];
  return edges.inverse() * (place - box.corner);
}

void lattice_weights(LatticeBasis basis, double s, std::span<double> weights) {
  if (basis == LatticeBasis::bspline) {
    spline_weights(s, weights);
  } else {
    bernstein_weights(s, weights);
  }
}

LatticeBox box_about(const Vec3d& centre, const Vec3d& size, const Matrix& axes) {
  LatticeBox box;
  for (int k = 0; k < 3; ++k) box.edges[static_cast<std::size_t>(k)] = size[k] * axes.col(k);
  box.corner = centre - 0.5 * (axes * size);
  return box;
}

LatticeBox box_around(std::span<const Vec3f> points, const Matrix& axes, double margin) {
  using Box = Eigen::AlignedBox3d;
  const Matrix turn = axes.transpose();
  const Box box = parallel_reduce_ordered(
      points.size(), Box(),
      [&](std::size_t begin, std::size_t end) {
        Box part;
        for (std::size_t i = begin; i < end; ++i) part.extend(turn * points[i].cast<double>());
        return part;
      },
      [](const Box& a, const Box& b) { return a.merged(b); });
  Vec3d size = box.sizes();
  const double longest = size.maxCoeff();
  const double alone = lone_thickness * std::max(1.0, box.center().cwiseAbs().maxCoeff());
  size = size.cwiseMax(longest > 0 ? least_thickness * longest : alone);
  return box_about(axes * box.center(), (1 + 2 * margin) * size, axes);
}

}  // namespace sinew::kernels
