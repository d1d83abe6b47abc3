#include "exchange/morph.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <mutex>

#include "nodes/geometry/parallel.h"

namespace sinew::exchange {
namespace {

// A row for each coordinate of each vertex, a column for each frame.
using Rows = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr std::size_t rows_a_block = 4096;

Rows rows_of(std::vector<std::vector<Vec3f>>& offsets) {
  const auto frames = static_cast<Eigen::Index>(offsets.size());
  const auto vertices = static_cast<Eigen::Index>(offsets[0].size());
  Rows rows(3 * vertices, frames);
  for (Eigen::Index f = 0; f < frames; ++f) {
    std::vector<Vec3f>& of_frame = offsets[static_cast<std::size_t>(f)];
    for (Eigen::Index v = 0; v < vertices; ++v)
      for (int c = 0; c < 3; ++c) rows(3 * v + c, f) = of_frame[static_cast<std::size_t>(v)][c];
    std::vector<Vec3f>().swap(of_frame);
  }
  return rows;
}

// The products of all frames with each other, summed block by block in their order.
Eigen::MatrixXd products(const Rows& rows) {
  const auto count = static_cast<std::size_t>(rows.rows());
  const std::size_t blocks = (count + rows_a_block - 1) / rows_a_block;
  Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(rows.cols(), rows.cols());
  // Some at a time, so that their sums fit into memory however many there are.
  constexpr std::size_t batch = 8;
  std::vector<Eigen::MatrixXd> parts(batch);
  for (std::size_t first = 0; first < blocks; first += batch) {
    const std::size_t many = std::min(batch, blocks - first);
    parallel_each(many, [&](std::size_t k) {
      const auto begin = static_cast<Eigen::Index>((first + k) * rows_a_block);
      const Eigen::Index size = std::min<Eigen::Index>(rows_a_block, rows.rows() - begin);
      const Eigen::MatrixXd block = rows.middleRows(begin, size).cast<double>();
      parts[k].noalias() = block.transpose() * block;
    });
    for (std::size_t k = 0; k < many; ++k) sum += parts[k];
  }
  return sum;
}

// Takes target k away from what is left, writes it, and says how far the farthest vertex is off.
double take_away(Rows& left, const Eigen::VectorXf& mode, std::vector<Vec3f>& target) {
  const auto vertices = static_cast<std::size_t>(left.rows() / 3);
  target.resize(vertices);
  double farthest = 0;
  std::mutex mutex;
  parallel_blocks(vertices, [&](std::size_t begin, std::size_t end) {
    float most = 0;
    for (std::size_t v = begin; v < end; ++v) {
      auto rows = left.middleRows<3>(static_cast<Eigen::Index>(3 * v));
      target[v] = rows * mode;
      rows.noalias() -= target[v] * mode.transpose();
      most = std::max(most, rows.colwise().squaredNorm().maxCoeff());
    }
    const std::lock_guard lock(mutex);
    farthest = std::max(farthest, static_cast<double>(most));
  });
  return std::sqrt(farthest);
}

double farthest_of(const Rows& rows) {
  float most = 0;
  for (Eigen::Index v = 0; v < rows.rows() / 3; ++v)
    most = std::max(most, rows.middleRows<3>(3 * v).colwise().squaredNorm().maxCoeff());
  return std::sqrt(static_cast<double>(most));
}

// What was found with weights of any sign, from 0 to 1.
MorphTargets with_plain_weights(const MorphTargets& found) {
  MorphTargets made;
  made.error = found.error;
  made.weights.resize(found.weights.size());
  for (std::size_t k = 0; k < found.targets.size(); ++k) {
    for (const float sign : {1.0f, -1.0f}) {
      float largest = 0;
      for (const std::vector<float>& w : found.weights) largest = std::max(largest, sign * w[k]);
      if (!(largest > 0)) continue;
      std::vector<Vec3f>& target = made.targets.emplace_back(found.targets[k]);
      for (Vec3f& t : target) t *= sign * largest;
      for (std::size_t f = 0; f < made.weights.size(); ++f)
        made.weights[f].push_back(std::max(0.0f, sign * found.weights[f][k]) / largest);
    }
  }
  return made;
}

MorphTargets frames_as_targets(const Rows& rows, double tolerance) {
  MorphTargets made;
  made.weights.resize(static_cast<std::size_t>(rows.cols()));
  // The base itself, but for rounding, needs none.
  const auto is_base = [&](Eigen::Index f) {
    return static_cast<double>(rows.col(f).cwiseAbs().maxCoeff()) < 1e-2 * tolerance;
  };
  for (Eigen::Index f = 0; f < rows.cols(); ++f) {
    if (is_base(f)) {
      made.error = std::max(made.error, static_cast<double>(rows.col(f).cwiseAbs().maxCoeff()));
      continue;
    }
    std::vector<Vec3f>& target = made.targets.emplace_back();
    for (Eigen::Index v = 0; v < rows.rows() / 3; ++v)
      target.emplace_back(rows.col(f).segment<3>(3 * v));
  }
  std::size_t next = 0;
  for (Eigen::Index f = 0; f < rows.cols(); ++f) {
    std::vector<float>& weights = made.weights[static_cast<std::size_t>(f)];
    weights.assign(made.targets.size(), 0.0f);
    if (!is_base(f)) weights[next++] = 1;
  }
  return made;
}

}  // namespace

MorphTargets find_targets(std::vector<std::vector<Vec3f>> offsets, double tolerance,
                          std::size_t most, const std::function<bool()>& stopped) {
  MorphTargets found;
  found.weights.resize(offsets.size());
  if (offsets.empty() || offsets[0].empty()) return found;
  const Rows rows = rows_of(offsets);
  found.error = farthest_of(rows);
  if (found.error <= tolerance) return found;
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(products(rows));
  const Eigen::Index frames = rows.cols();
  Rows left = rows;
  for (Eigen::Index k = 0; k < frames && found.error > tolerance; ++k) {
    // Each may become two.
    if (stopped() || (most > 0 && 2 * found.targets.size() + 2 > most)) break;
    const Eigen::VectorXf mode = solver.eigenvectors().col(frames - 1 - k).cast<float>();
    found.error = take_away(left, mode, found.targets.emplace_back());
    for (Eigen::Index f = 0; f < frames; ++f)
      found.weights[static_cast<std::size_t>(f)].push_back(mode[f]);
  }
  MorphTargets made = with_plain_weights(found);
  if (made.targets.size() < static_cast<std::size_t>(frames) - 1 || most > 0) return made;
  return frames_as_targets(rows, tolerance);
}

}  // namespace sinew::exchange
