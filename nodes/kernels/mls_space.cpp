#include "nodes/kernels/mls_space.h"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "nodes/geometry/parallel.h"
#include "nodes/geometry/stoppable_resize.h"
#include "nodes/kernels/mls_lanes.h"
#include "nodes/kernels/mls_rotation.h"

namespace sinew::kernels {

namespace {

constexpr std::size_t piece = 4096;        // vertices that are worked on together
constexpr double straight = 1e-10;         // of the squares of width and length: on a line
constexpr std::size_t rows_of_weight = 4;  // w, and x, y, z of w p^

void check_finite(std::span<const Vec3d> places) {
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (!places[i].allFinite()) {
      throw std::invalid_argument(fmt::format("control {} is not at a finite place", i + 1));
    }
  }
}

std::optional<Vec3d> line_through(std::span<const Vec3d> points) {
  if (points.size() < 2) return std::nullopt;
  Vec3d mean = Vec3d::Zero();
  for (const Vec3d& p : points) mean += p / static_cast<double>(points.size());
  Eigen::Matrix3d spread = Eigen::Matrix3d::Zero();
  for (const Vec3d& p : points) spread += (p - mean) * (p - mean).transpose();
  const double size = spread.trace();
  if (!(size > 0)) return std::nullopt;
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> by_spread(spread / size);
  if (by_spread.eigenvalues()[1] > straight) return std::nullopt;
  return by_spread.eigenvectors().col(2);
}

// What one vertex has of the controls, in double precision.
struct Seen {
  std::vector<double> w;       // sum 1
  std::vector<Vec3d> moments;  // w p^, the largest entry 1, or all 0
  Eigen::Matrix3d spread;      // sum w p^ p^^T, by the same factor
  Vec3d offset;                // x - p*
};

// w = |p - x|^(-2 alpha), as parts of the nearest control's, so that nothing overflows.
void see(const Vec3d& x, std::span<const Vec3d> controls, double alpha, Seen& seen) {
  const std::size_t count = controls.size();
  double least = std::numeric_limits<double>::infinity(), sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    seen.w[i] = (controls[i] - x).norm();
    least = std::min(least, seen.w[i]);
  }
  for (double& w : seen.w) {
    const double part = w > least ? least / w : 1;
    w = alpha == 1 ? part * part : std::pow(part, 2 * alpha);
    sum += w;
  }
  for (double& w : seen.w) w /= sum;
  // Relative to x: p* itself is next to a control, and would lose what is between them.
  seen.offset = Vec3d::Zero();
  for (std::size_t i = 0; i < count; ++i) seen.offset += seen.w[i] * (x - controls[i]);
  double size = 0;
  for (std::size_t i = 0; i < count; ++i) {
    seen.moments[i] = seen.w[i] * ((controls[i] - x) + seen.offset);
    size = std::max(size, seen.moments[i].cwiseAbs().maxCoeff());
  }
  seen.spread.setZero();
  for (std::size_t i = 0; i < count; ++i) {
    Vec3d& m = seen.moments[i];
    m = size > 0 ? Vec3d(m / size) : Vec3d(0, 0, 0);
    seen.spread += m * ((controls[i] - x) + seen.offset).transpose();
  }
}

// A vertex that is nowhere: an equal part of each control, and no rotation.
void see_nothing(Seen& seen) {
  std::fill(seen.w.begin(), seen.w.end(), 1 / static_cast<double>(seen.w.size()));
  std::fill(seen.moments.begin(), seen.moments.end(), Vec3d(0, 0, 0));
  seen.spread.setZero();
  seen.offset = Vec3d::Zero();
}

std::vector<MlsControl> controls_at(const MlsSpace& space, std::span<const Vec3d> posed,
                                    const Eigen::Matrix3d& guess) {
  const double share = 1 / static_cast<double>(posed.size());
  Vec3d from = Vec3d::Zero(), to = Vec3d::Zero();
  for (std::size_t i = 0; i < posed.size(); ++i) {
    from += share * space.controls[i];
    to += share * posed[i];
  }
  std::vector<MlsControl> all(posed.size());
  for (std::size_t i = 0; i < posed.size(); ++i) {
    const Vec3d& p = space.controls[i];
    const Vec3d left = guess.transpose() * (posed[i] - to) - (p - from), shift = posed[i] - p;
    for (int k = 0; k < 3; ++k) {
      all[i].left[k] = static_cast<float>(left[k]);
      all[i].shift[k] = static_cast<float>(shift[k]);
    }
  }
  return all;
}

// One vertex by singular values, from what the lanes have of it.
Vec3d solve_one(const MlsSpace& space, std::span<const MlsControl> controls, const MlsGuess& guess,
                std::size_t vertex) {
  const std::size_t tile = vertex / mls_tile, lane = vertex % mls_tile;
  const auto at = [&](const std::vector<float>& rows, std::size_t row) -> double {
    return rows[mls_tile * row + lane];
  };
  const auto three = [&](const std::vector<float>& rows, std::size_t row) {
    return Vec3d(at(rows, row), at(rows, row + 1), at(rows, row + 2));
  };
  Eigen::Matrix3d moment = three(space.spreads, 6 * tile).asDiagonal();
  const Vec3d across = three(space.spreads, 6 * tile + 3);
  for (const auto& [i, j, k] : {std::array{0, 1, 0}, {1, 2, 1}, {0, 2, 2}}) {
    moment(i, j) = moment(j, i) = across[k];
  }
  Vec3d shift = Vec3d::Zero();
  for (std::size_t i = 0; i < controls.size(); ++i) {
    const std::size_t row = rows_of_weight * (controls.size() * tile + i);
    moment += Eigen::Map<const Vec3f>(controls[i].left).cast<double>() *
              three(space.weights, row + 1).transpose();
    shift += at(space.weights, row) * Eigen::Map<const Vec3f>(controls[i].shift).cast<double>();
  }
  Eigen::Matrix3d turn = guided_rotation(moment, {Eigen::Matrix3d::Identity(), guess.hold});
  if (space.line) {
    const Vec3d m = moment * *space.line;
    turn = m.norm() > 0 ? turn_between(*space.line, m.normalized(), flat_axis(space.controls))
                        : Eigen::Matrix3d::Identity();
  }
  const Vec3d d = three(space.offsets, 3 * tile);
  return three(space.rest, 3 * tile) + (guess.turn * (turn * d) - d) + shift;
}

}  // namespace

MlsSpace prepare_space(std::span<const Vec3f> rest, std::span<const Vec3d> controls, double alpha,
                       CancelView stop) {
  check_finite(controls);
  if (!(alpha >= least_mls_alpha && alpha <= greatest_mls_alpha)) {
    throw std::invalid_argument(fmt::format("alpha is {:g}, but must be from {:g} to {:g}", alpha,
                                            least_mls_alpha, greatest_mls_alpha));
  }
  MlsSpace space;
  space.vertex_count = rest.size();
  space.controls.assign(controls.begin(), controls.end());
  space.line = line_through(controls);
  const std::size_t tiles = (rest.size() + mls_tile - 1) / mls_tile, count = controls.size();
  space.rest.assign(3 * mls_tile * tiles, 0);
  space.offsets.assign(3 * mls_tile * tiles, 0);
  space.spreads.assign(6 * mls_tile * tiles, 0);
  stoppable_resize(space.weights, rows_of_weight * mls_tile * count * tiles);
  parallel_blocks(
      rest.size(),
      [&](std::size_t begin, std::size_t end) {
        stop.check();
        Seen seen{std::vector<double>(count), std::vector<Vec3d>(count), Eigen::Matrix3d::Zero(),
                  Vec3d::Zero()};
        for (std::size_t v = begin; v < end; ++v) {
          const std::size_t tile = v / mls_tile, lane = v % mls_tile;
          if (count > 0 && rest[v].allFinite()) {
            see(rest[v].cast<double>(), controls, alpha, seen);
          } else {
            see_nothing(seen);
          }
          const auto put = [&](std::vector<float>& rows, std::size_t row, double value) {
            rows[mls_tile * row + lane] = static_cast<float>(value);
          };
          for (int k = 0; k < 3; ++k) {
            const std::size_t row = 3 * tile + static_cast<std::size_t>(k);
            space.rest[mls_tile * row + lane] = rest[v][k];
            put(space.offsets, row, seen.offset[k]);
            put(space.spreads, 6 * tile + static_cast<std::size_t>(k), seen.spread(k, k));
            put(space.spreads, 6 * tile + 3 + static_cast<std::size_t>(k),
                seen.spread(k, (k + 1) % 3));
          }
          for (std::size_t i = 0; i < count; ++i) {
            const std::size_t row = rows_of_weight * (count * tile + i);
            put(space.weights, row, seen.w[i]);
            for (int k = 0; k < 3; ++k) {
              put(space.weights, row + 1 + static_cast<std::size_t>(k), seen.moments[i][k]);
            }
          }
        }
      },
      piece);
  for (std::size_t i = 0; i < count; ++i) {
    stop_if_wanted();
    const Vec3f place = controls[i].cast<float>();
    if (std::count(controls.begin(), controls.end(), controls[i]) > 1) continue;
    for (std::size_t v = 0; v < rest.size(); ++v) {
      if (rest[v] == place) {
        space.held.push_back({static_cast<uint32_t>(v), static_cast<uint32_t>(i)});
      }
    }
  }
  return space;
}

void pose_space(const MlsSpace& space, std::span<const Vec3d> posed, std::span<Vec3f> moved) {
  if (posed.size() != space.controls.size() || moved.size() != space.vertex_count) {
    throw std::invalid_argument(
        fmt::format("{} controls and {} vertices are given {} places and {} vertices",
                    space.controls.size(), space.vertex_count, posed.size(), moved.size()));
  }
  check_finite(posed);
  const MlsGuess guess = common_guess(space.controls, posed);
  const std::vector<MlsControl> controls = controls_at(space, posed, guess.turn);
  MlsStart start = start_of(guess);
  start.line = space.line.has_value();
  for (int k = 0; k < 3 && start.line; ++k) start.along[k] = static_cast<float>((*space.line)[k]);
  const MlsSpaceView view{controls.size(), space.weights.data(), space.spreads.data(),
                          space.offsets.data()};
  const MlsLanes& lanes = mls_lanes();
  parallel_blocks(
      space.vertex_count,
      [&](std::size_t begin, std::size_t end) {
        float rows[3 * piece];
        uint16_t unsettled[piece / mls_tile];
        const std::size_t first = begin / mls_tile, last = (end + mls_tile - 1) / mls_tile;
        lanes.space(view, controls.data(), start, space.rest.data(), first, last, rows, unsettled);
        for (std::size_t v = begin; v < end; ++v) {
          const std::size_t tile = v / mls_tile - first, lane = v % mls_tile;
          const float* const row = rows + 3 * mls_tile * tile + lane;
          moved[v] = {row[0], row[mls_tile], row[2 * mls_tile]};
          if (unsettled[tile] >> lane & 1) {
            moved[v] = solve_one(space, controls, guess, v).cast<float>();
          }
        }
      },
      piece);
  for (const MlsSpace::Held& held : space.held) {
    moved[held.vertex] = posed[held.control].cast<float>();
  }
}

std::size_t byte_size(const MlsSpace& space) {
  return sizeof space + sizeof(Vec3d) * space.controls.size() +
         sizeof(float) * (space.rest.size() + space.offsets.size() + space.spreads.size() +
                          space.weights.size()) +
         sizeof(MlsSpace::Held) * space.held.size();
}

}  // namespace sinew::kernels
