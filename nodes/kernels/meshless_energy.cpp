#include "nodes/kernels/meshless_energy.h"

#include <algorithm>
#include <array>

#include "nodes/kernels/dispatch.h"
#include "nodes/kernels/four.h"

namespace sinew::kernels {
namespace {

// Eight in a row: eight poses at one sample, or eight samples of one pose.
constexpr int lanes = ElasticSamples::lanes;
// Coordinates of a node: of eight poses, those of each axis next to each other; of one, as they
// are.
constexpr int many_row = 3 * lanes, single_row = 4;

// F of all lanes: row k has dF/dx_k, and in it coordinate c of lane t is entry lanes c + t.
using Block = double[3][many_row];

// F to dE/dF in all lanes, in place. Adds the energies. What lanes may have of their own lies next
// to each other: volumes, and metrics, six rows of them.
inline __attribute__((always_inline)) void stress(Block& f, const double* volumes,
                                                  const double* metrics, double strain_weight,
                                                  double volume_weight, double* energies) {
  constexpr int step = lanes;
  for (int t = 0; t < lanes; ++t) {
    const double volume = volumes[t];
    const double a = f[0][t], b = f[1][t], c = f[2][t];
    const double d = f[0][step + t], e = f[1][step + t], g = f[2][step + t];
    const double h = f[0][2 * step + t], i = f[1][2 * step + t], j = f[2][2 * step + t];
    // The columns of F are (a d h), (b e i), (c g j); S = F^T F - T.
    const double s00 = a * a + d * d + h * h - metrics[t],
                 s11 = b * b + e * e + i * i - metrics[step + t],
                 s22 = c * c + g * g + j * j - metrics[2 * step + t];
    const double s01 = a * b + d * e + h * i - metrics[3 * step + t],
                 s02 = a * c + d * g + h * j - metrics[4 * step + t],
                 s12 = b * c + e * g + i * j - metrics[5 * step + t];
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
    f[0][step + t] = k * (d * s00 + e * s01 + g * s02) + m * cd;
    f[1][step + t] = k * (d * s01 + e * s11 + g * s12) + m * ce;
    f[2][step + t] = k * (d * s02 + e * s12 + g * s22) + m * cg;
    f[0][2 * step + t] = k * (h * s00 + i * s01 + j * s02) + m * ch;
    f[1][2 * step + t] = k * (h * s01 + i * s11 + j * s12) + m * ci;
    f[2][2 * step + t] = k * (h * s02 + i * s12 + j * s22) + m * cj;
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
  double* energies;  // one for each lane
  double strain, volume;
  const Eigen::Matrix3d* reference;  // nullptr: none
  const StrainMetric* metrics;       // nullptr: I
};

constexpr StrainMetric unstrained{1, 1, 1, 0, 0, 0};

void set_metric(const StrainMetric& metric, int lane, double* metrics) {
  for (int k = 0; k < 6; ++k) metrics[lanes * k + lane] = metric[static_cast<std::size_t>(k)];
}

// f <- f A, rows of f being coordinates; then the stress <- stress A^T.
inline void times(double (&f)[3][single_row], const Eigen::Matrix3d& m, bool transposed) {
  for (int c = 0; c < 3; ++c) {
    const double x = f[0][c], y = f[1][c], z = f[2][c];
    for (int k = 0; k < 3; ++k) {
      f[k][c] = transposed ? x * m(k, 0) + y * m(k, 1) + z * m(k, 2)
                           : x * m(0, k) + y * m(1, k) + z * m(2, k);
    }
  }
}

// F at a sample: f[k] += dPhi/dx_k y over its entries.
inline __attribute__((always_inline)) void gather(const Loop& loop, std::size_t sample, Block& f) {
  constexpr int row = many_row;
  for (uint32_t e = loop.first[sample]; e < loop.first[sample + 1]; ++e) {
    const double* y = loop.places + static_cast<std::size_t>(loop.node[e]) * row;
    const double g0 = loop.slope[3 * e], g1 = loop.slope[3 * e + 1], g2 = loop.slope[3 * e + 2];
    for (int c = 0; c < row; ++c) {
      f[0][c] += g0 * y[c];
      f[1][c] += g1 * y[c];
      f[2][c] += g2 * y[c];
    }
  }
}

// The stress back to the nodes.
inline __attribute__((always_inline)) void hand_back(const Loop& loop, std::size_t sample,
                                                     const Block& f) {
  constexpr int row = many_row;
  for (uint32_t e = loop.first[sample]; e < loop.first[sample + 1]; ++e) {
    double* to = loop.gradient + static_cast<std::size_t>(loop.node[e]) * row;
    const double g0 = loop.slope[3 * e], g1 = loop.slope[3 * e + 1], g2 = loop.slope[3 * e + 2];
    for (int c = 0; c < row; ++c) to[c] += g0 * f[0][c] + g1 * f[1][c] + g2 * f[2][c];
  }
}

// The same for one pose.
inline __attribute__((always_inline)) void gather(const Loop& loop, std::size_t sample,
                                                  double (&f)[3][single_row]) {
  Four f0 = {}, f1 = {}, f2 = {};
  for (uint32_t e = loop.first[sample]; e < loop.first[sample + 1]; ++e) {
    const Four y = *reinterpret_cast<const Four*>(loop.places + std::size_t{4} * loop.node[e]);
    f0 += loop.slope[3 * e] * y;
    f1 += loop.slope[3 * e + 1] * y;
    f2 += loop.slope[3 * e + 2] * y;
  }
  *reinterpret_cast<Four*>(f[0]) = f0;
  *reinterpret_cast<Four*>(f[1]) = f1;
  *reinterpret_cast<Four*>(f[2]) = f2;
}

inline __attribute__((always_inline)) void hand_back(const Loop& loop, std::size_t sample,
                                                     const double (&f)[3][single_row]) {
  const Four f0 = *reinterpret_cast<const Four*>(f[0]), f1 = *reinterpret_cast<const Four*>(f[1]),
             f2 = *reinterpret_cast<const Four*>(f[2]);
  for (uint32_t e = loop.first[sample]; e < loop.first[sample + 1]; ++e) {
    Four& to = *reinterpret_cast<Four*>(loop.gradient + std::size_t{4} * loop.node[e]);
    to += loop.slope[3 * e] * f0 + loop.slope[3 * e + 1] * f1 + loop.slope[3 * e + 2] * f2;
  }
}

// Eight poses, one sample after the other.
SINEW_CLONES void run_many(const Loop& loop) {
  double metrics[6 * lanes], volumes[lanes];
  for (int t = 0; t < lanes; ++t) set_metric(unstrained, t, metrics);
  for (std::size_t s = 0; s < loop.samples; ++s) {
    Block f = {};
    gather(loop, s, f);
    for (double& v : volumes) v = loop.volumes[s];
    stress(f, volumes, metrics, loop.strain, loop.volume, loop.energies);
    if (loop.gradient) hand_back(loop, s, f);
  }
}

// One pose, eight samples at a time. Lanes that are left over hold F = I of no volume.
SINEW_CLONES void run_single(const Loop& loop) {
  double metrics[6 * lanes], volumes[lanes];
  for (int t = 0; t < lanes; ++t) set_metric(unstrained, t, metrics);
  for (std::size_t s = 0; s < loop.samples; s += lanes) {
    const int count = static_cast<int>(std::min<std::size_t>(lanes, loop.samples - s));
    Block f;
    for (int t = 0; t < lanes; ++t) {
      const std::size_t sample = s + static_cast<std::size_t>(t);
      double one[3][single_row] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
      volumes[t] = 0;
      if (t < count) {
        volumes[t] = loop.volumes[sample];
        gather(loop, sample, one);
        if (loop.reference) times(one, loop.reference[sample], false);
        if (loop.metrics) set_metric(loop.metrics[sample], t, metrics);
      }
      for (int k = 0; k < 3; ++k) {
        for (int c = 0; c < 3; ++c) f[k][lanes * c + t] = one[k][c];
      }
    }
    stress(f, volumes, metrics, loop.strain, loop.volume, loop.energies);
    if (!loop.gradient) continue;
    for (int t = 0; t < count; ++t) {
      const std::size_t sample = s + static_cast<std::size_t>(t);
      double one[3][single_row];
      for (int k = 0; k < 3; ++k) {
        for (int c = 0; c < 3; ++c) one[k][c] = f[k][lanes * c + t];
        one[k][3] = 0;
      }
      if (loop.reference) times(one, loop.reference[sample], true);
      hand_back(loop, sample, one);
    }
  }
}

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
  room.places.resize(node_count_ * single_row);
  room.gradient.assign(node_count_ * single_row, 0);
  for (std::size_t n = 0; n < node_count_; ++n) {
    for (int k = 0; k < 3; ++k) room.places[4 * n + static_cast<std::size_t>(k)] = places[n][k];
    room.places[4 * n + 3] = 0;
  }
  std::array<double, lanes> energies{};
  run_single({sample_count(), first_.data(), node_.data(), slope_.data(), volumes_.data(),
              room.places.data(), gradient.empty() ? nullptr : room.gradient.data(),
              energies.data(), weights.strain, weights.volume,
              reference.empty() ? nullptr : reference.data(),
              metrics.empty() ? nullptr : metrics.data()});
  if (!gradient.empty()) {
    for (std::size_t n = 0; n < node_count_; ++n) {
      gradient[n] += Eigen::Map<const Vec3d>(&room.gradient[4 * n]);
    }
  }
  double energy = 0;
  for (const double one : energies) energy += one;
  return energy;
}

void ElasticSamples::add_many(std::span<const Vec3d* const> places,
                              std::span<Vec3d* const> gradients, std::span<double> energies,
                              const ElasticWeights& weights, Room& room) const {
  room.places.resize(node_count_ * many_row);
  room.gradient.assign(gradients.empty() ? 0 : node_count_ * many_row, 0);
  const std::size_t count = places.size();
  for (std::size_t n = 0; n < node_count_; ++n) {
    double* row = &room.places[n * many_row];
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
      const double* row = &room.gradient[n * many_row];
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
