#include "nodes/kernels/transfer.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "nodes/geometry/parallel.h"

namespace sinew::kernels {

namespace {

// A query costs far more than a sum: small blocks share the work better.
constexpr std::size_t query_block = 256;

float to_float(double x) {
  constexpr double most = std::numeric_limits<float>::max();
  return static_cast<float>(std::clamp(x, -most, most));
}

// Weights that reach no further out than half of the tetrahedron.
std::array<double, 4> limited(std::array<double, 4> w) {
  constexpr double reach = 0.5;
  const double least = *std::min_element(w.begin(), w.end());
  if (least >= -reach) return w;
  double sum = 0;
  for (const double x : w) sum += std::max(x, 0.0);
  const double part = reach / -least;
  for (double& x : w) x = (1 - part) * std::max(x, 0.0) / sum + part * x;
  return w;
}

}  // namespace

std::vector<Vec3f> fit_box(std::span<const Vec3f> points, const Eigen::AlignedBox3f& from,
                           const Eigen::AlignedBox3f& to) {
  std::vector<Vec3f> fitted(points.size());
  if (points.empty() || from.isEmpty() || to.isEmpty()) {
    std::copy(points.begin(), points.end(), fitted.begin());
    return fitted;
  }
  const Vec3d low = from.min().cast<double>(), size = from.max().cast<double>() - low;
  const Vec3d new_low = to.min().cast<double>(), new_size = to.max().cast<double>() - new_low;
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (int k = 0; k < 3; ++k) {
      const double part = size[k] > 0 ? (points[i][k] - low[k]) / size[k] : 0.5;
      fitted[i][k] = static_cast<float>(new_low[k] + part * new_size[k]);
    }
  }
  return fitted;
}

Transferred transfer(const SurfaceTree& tree, std::span<const Triangle> triangles,
                     std::span<const float> values, std::span<const Vec3f> places,
                     CancelView stop) {
  Transferred result{std::vector<float>(places.size()), std::vector<float>(places.size())};
  const auto read = [&](std::size_t begin, std::size_t end) {
    stop.check();
    for (std::size_t i = begin; i < end; ++i) {
      const auto near = tree.closest(places[i].cast<double>());
      if (!near) continue;
      double sum = 0;
      for (int k = 0; k < 3; ++k) sum += near->weights[k] * values[triangles[near->triangle][k]];
      result.values[i] = to_float(sum);
      result.distance[i] = to_float(std::sqrt(near->distance2));
    }
  };
  parallel_blocks(places.size(), read, query_block);
  return result;
}

Transferred transfer(const TetTree& tree, std::span<const Tetrahedron> tets,
                     std::span<const float> values, std::span<const Vec3f> places,
                     CancelView stop) {
  Transferred result{std::vector<float>(places.size()), std::vector<float>(places.size())};
  const auto read = [&](std::size_t begin, std::size_t end) {
    stop.check();
    for (std::size_t i = begin; i < end; ++i) {
      const SolidPoint at = tree.find(places[i].cast<double>());
      const std::array<double, 4> weights = limited(at.weights);
      double sum = 0;
      for (int k = 0; k < 4; ++k) sum += weights[k] * values[tets[at.tet][k]];
      result.values[i] = to_float(sum);
      result.distance[i] = to_float(std::sqrt(at.distance2));
    }
  };
  parallel_blocks(places.size(), read, query_block);
  return result;
}

}  // namespace sinew::kernels
