#include "nodes/kernels/meshless_energy.h"

#include <algorithm>
#include <array>

#include "nodes/kernels/dispatch.h"

namespace sinew::kernels {
namespace {

// Coordinates of a node lie `component` apart, poses next to each other.
template <int lane_count, int component>
struct Layout {
  static constexpr int lanes = lane_count, step = component,
                       row = lane_count == 1 ? 4 : 3 * lane_count;
};
using Single = Layout<1, 1>;
using Many = Layout<8, 8>;

// F to dE/dF for one sample in all lanes, in place; f[k] has dF/dx_k. Adds the energies.
template <class L>
inline __attribute__((always_inline)) void stress(double (&f)[3][L::row], double volume,
                                                  double strain_weight, double volume_weight,
                                                  const StrainMetric& metric, double* energies) {
  for (int t = 0; t < L::lanes; ++t) {
    const double a = f[0][t], b = f[1][t], c = f[2][t];
    const double d = f[0][L::step + t], e = f[1][L::step + t], g = f[2][L::step + t];
    const double h = f[0][2 * L::step + t], i = f[1][2 * L::step + t], j = f[2][2 * L::step + t];
    // The columns of F are (a d h), (b e i), (c g j); S = F^T F - T.
    const double s00 = a * a + d * d + h * h - metric[0], s11 = b * b + e * e + i * i - metric[1],
                 s22 = c * c + g * g + j * j - metric[2];
    const double s01 = a * b + d * e + h * i - metric[3], s02 = a * c + d * g + h * j - metric[4],
                 s12 = b * c + e * g + i * j - metric[5];
    // Cofactors, as F.
    const double ca = e * j - g * i, cb = g * h - d * j, cc = d * i - e * h;
    const double cd = c * i - b * j, ce = a * j - c * h, cg = b * h - a * i;
    const double ch = b * g - c * e, ci = c * d - a * g, cj = a * e - b * d;
    const double off = a * ca + b * cb + c * cc - 1;
    energies[t] += volume * (strain_weight * (s00 * s00 + s11 * s11 + s22 * s22 +
                                              2 * (s01 * s01 + s02 * s02 + s12 * s12)) +
                             volume_weight * off * off);
    const double k = 4 * volume * strain_weight, m = 2 * volume * volume_weight * off;
    f[0][t] = k * (a * s00 + b * s01 + c * s02) + m * ca;
    f[1][t] = k * (a * s01 + b * s11 + c * s12) + m * cb;
    f[2][t] = k * (a * s02 + b * s12 + c * s22) + m * cc;
    f[0][L::step + t] = k * (d * s00 + e * s01 + g * s02) + m * cd;
    f[1][L::step + t] = k * (d * s01 + e * s11 + g * s12) + m * ce;
    f[2][L::step + t] = k * (d * s02 + e * s12 + g * s22) + m * cg;
    f[0][2 * L::step + t] = k * (h * s00 + i * s01 + j * s02) + m * ch;
    f[1][2 * L::step + t] = k * (h * s01 + i * s11 + j * s12) + m * ci;
    f[2][2 * L::step + t] = k * (h * s02 + i * s12 + j * s22) + m * cj;
  }
}

struct Loop {
  std::size_t samples;
  const uint32_t* first;
  const uint32_t* node;
  const double* slope;
  const double* volumes;
  const double* places;
  double* gradient;  // nullptr: only energies
  double* energies;
  double strain, volume;
  const Eigen::Matrix3d* reference;  // nullptr: none
  const StrainMetric* metrics;       // nullptr: I
};

constexpr StrainMetric unstrained{1, 1, 1, 0, 0, 0};

// f <- f A, rows of f being coordinates; then the stress <- stress A^T.
inline void times(double (&f)[3][4], const Eigen::Matrix3d& m, bool transposed) {
  for (int c = 0; c < 3; ++c) {
    const double x = f[0][c], y = f[1][c], z = f[2][c];
    for (int k = 0; k < 3; ++k) {
      f[k][c] = transposed ? x * m(k, 0) + y * m(k, 1) + z * m(k, 2)
                           : x * m(0, k) + y * m(1, k) + z * m(2, k);
    }
  }
}

template <class L>
inline __attribute__((always_inline)) void run(const Loop& loop) {
  for (std::size_t s = 0; s < loop.samples; ++s) {
    const uint32_t begin = loop.first[s], end = loop.first[s + 1];
    double f[3][L::row] = {};
    for (uint32_t e = begin; e < end; ++e) {
      const double* y = loop.places + static_cast<std::size_t>(loop.node[e]) * L::row;
      const double g0 = loop.slope[3 * e], g1 = loop.slope[3 * e + 1], g2 = loop.slope[3 * e + 2];
      for (int c = 0; c < L::row; ++c) {
        f[0][c] += g0 * y[c];
        f[1][c] += g1 * y[c];
        f[2][c] += g2 * y[c];
      }
    }
    if constexpr (L::lanes == 1) {
      if (loop.reference) times(f, loop.reference[s], false);
    }
    stress<L>(f, loop.volumes[s], loop.strain, loop.volume,
              loop.metrics ? loop.metrics[s] : unstrained, loop.energies);
    if (!loop.gradient) continue;
    if constexpr (L::lanes == 1) {
      if (loop.reference) times(f, loop.reference[s], true);
    }
    for (uint32_t e = begin; e < end; ++e) {
      double* to = loop.gradient + static_cast<std::size_t>(loop.node[e]) * L::row;
      const double g0 = loop.slope[3 * e], g1 = loop.slope[3 * e + 1], g2 = loop.slope[3 * e + 2];
      for (int c = 0; c < L::row; ++c) to[c] += g0 * f[0][c] + g1 * f[1][c] + g2 * f[2][c];
    }
  }
}

SINEW_CLONES void run_single(const Loop& loop) { run<Single>(loop); }
SINEW_CLONES void run_many(const Loop& loop) { run<Many>(loop); }

}  // namespace

ElasticSamples::ElasticSamples(const MeshlessBody& body)
    : node_count_(body.node_count()),
      first_(body.at_samples.first),
      node_(body.at_samples.node),
      volumes_(body.volumes) {
  slope_.reserve(3 * node_.size());
  for (const Vec3d& g : body.at_samples.gradient) slope_.insert(slope_.end(), {g[0], g[1], g[2]});
}

std::size_t ElasticSamples::bytes() const {
  return sizeof *this + (first_.size() + node_.size()) * sizeof(uint32_t) +
         (slope_.size() + volumes_.size()) * sizeof(double);
}

double ElasticSamples::add(std::span<const Vec3d> places, std::span<Vec3d> gradient,
                           const ElasticWeights& weights, Room& room,
                           std::span<const Eigen::Matrix3d> reference,
                           std::span<const StrainMetric> metrics) const {
  room.places.resize(node_count_ * Single::row);
  room.gradient.assign(node_count_ * Single::row, 0);
  for (std::size_t n = 0; n < node_count_; ++n) {
    for (int k = 0; k < 3; ++k) room.places[4 * n + static_cast<std::size_t>(k)] = places[n][k];
    room.places[4 * n + 3] = 0;
  }
  double energy = 0;
  run_single({sample_count(), first_.data(), node_.data(), slope_.data(), volumes_.data(),
              room.places.data(), gradient.empty() ? nullptr : room.gradient.data(), &energy,
              weights.strain, weights.volume, reference.empty() ? nullptr : reference.data(),
              metrics.empty() ? nullptr : metrics.data()});
  if (!gradient.empty()) {
    for (std::size_t n = 0; n < node_count_; ++n) {
      gradient[n] += Eigen::Map<const Vec3d>(&room.gradient[4 * n]);
    }
  }
  return energy;
}

void ElasticSamples::add_many(std::span<const Vec3d* const> places,
                              std::span<Vec3d* const> gradients, std::span<double> energies,
                              const ElasticWeights& weights, Room& room) const {
  room.places.resize(node_count_ * Many::row);
  room.gradient.assign(gradients.empty() ? 0 : node_count_ * Many::row, 0);
  const std::size_t count = places.size();
  for (std::size_t n = 0; n < node_count_; ++n) {
    double* row = &room.places[n * Many::row];
    for (std::size_t t = 0; t < lanes; ++t) {
      const Vec3d& y = places[std::min(t, count - 1)][n];
      for (std::size_t k = 0; k < 3; ++k) row[lanes * k + t] = y[static_cast<int>(k)];
    }
  }
  std::array<double, lanes> sums{};
  run_many({sample_count(), first_.data(), node_.data(), slope_.data(), volumes_.data(),
            room.places.data(), gradients.empty() ? nullptr : room.gradient.data(), sums.data(),
            weights.strain, weights.volume, nullptr, nullptr});
  for (std::size_t t = 0; t < count; ++t) {
    energies[t] = sums[t];
    if (gradients.empty()) continue;
    for (std::size_t n = 0; n < node_count_; ++n) {
      const double* row = &room.gradient[n * Many::row];
      gradients[t][n] += Vec3d(row[t], row[lanes + t], row[2 * lanes + t]);
    }
  }
}

double ElasticSamples::energy(std::span<const Vec3d> places, const ElasticWeights& weights) const {
  Room room;
  return add(places, {}, weights, room);
}

Eigen::MatrixXd ElasticSamples::laplacian() const {
  const auto n = static_cast<Eigen::Index>(node_count_);
  Eigen::MatrixXd k = Eigen::MatrixXd::Zero(n, n);
  for (std::size_t s = 0; s < sample_count(); ++s) {
    for (uint32_t a = first_[s]; a < first_[s + 1]; ++a) {
      for (uint32_t b = first_[s]; b < first_[s + 1]; ++b) {
        k(node_[a], node_[b]) +=
            volumes_[s] * (slope_[3 * a] * slope_[3 * b] + slope_[3 * a + 1] * slope_[3 * b + 1] +
                           slope_[3 * a + 2] * slope_[3 * b + 2]);
      }
    }
  }
  return k;
}

}  // namespace sinew::kernels
