#include "nodes/kernels/meshless_pose.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "nodes/kernels/rigid_fit.h"

namespace sinew::kernels {
namespace {

// Lengths of the gradient in the scaled variables: its square is about twice the energy above the
// least one. A hand sees a few ten-thousandths of the body's size.
constexpr double seen_accuracy = 3e-4, full_accuracy = 1e-9, on_the_way = 3e-3;

// Farthest that a handle goes in one step of the way to a pose, in sizes, and turns, rad.
constexpr double step_length = 0.25, step_turn = std::numbers::pi / 7;

}  // namespace

std::vector<uint32_t> handle_vertices(const Mesh& rest, const Vec3d& at, double radius,
                                      std::size_t most) {
  std::vector<uint32_t> within;
  uint32_t nearest = 0;
  double least = std::numeric_limits<double>::infinity();
  for (uint32_t v = 0; v < rest.vertex_count(); ++v) {
    const double d2 = (rest.positions[v].cast<double>() - at).squaredNorm();
    if (d2 < least) {
      least = d2;
      nearest = v;
    }
    if (d2 <= radius * radius) within.push_back(v);
  }
  if (rest.empty()) return {};
  // The nearest, then always the farthest from those taken.
  std::vector<uint32_t> taken{nearest};
  std::vector<double> gap(within.size(), std::numeric_limits<double>::infinity());
  while (taken.size() < std::min(most, within.size())) {
    std::size_t best = 0;
    for (std::size_t i = 0; i < within.size(); ++i) {
      const Vec3f away = rest.positions[within[i]] - rest.positions[taken.back()];
      gap[i] = std::min(gap[i], static_cast<double>(away.squaredNorm()));
      if (gap[i] > gap[best]) best = i;
    }
    if (!(gap[best] > 0)) break;
    taken.push_back(within[best]);
  }
  return taken;
}

PoseSolver::PoseSolver(std::shared_ptr<const MeshlessBody> body,
                       std::span<const PoseHandle> handles, const PoseWeights& weights)
    : body_(std::move(body)), weights_(weights), elastic_(*body_) {
  for (const PoseHandle& handle : handles) {
    for (const uint32_t v : handle.vertices) {
      const double w = handle.weight / static_cast<double>(handle.vertices.size());
      points_.push_back({v, w, {0, 0, 0}});
    }
  }
  const double unit = weights_.handles / (body_->size * body_->size);
  Eigen::MatrixXd h = (6 * weights_.strain + weights_.volume) * elastic_.laplacian();
  const ShapeRows& rows = body_->at_vertices;
  for (const Point& point : points_) {
    for (uint32_t a = rows.first[point.vertex]; a < rows.first[point.vertex + 1]; ++a) {
      for (uint32_t b = rows.first[point.vertex]; b < rows.first[point.vertex + 1]; ++b) {
        h(rows.node[a], rows.node[b]) += 2 * unit * point.weight * rows.value[a] * rows.value[b];
      }
    }
  }
  const double little = 1e-4 * h.trace() / static_cast<double>(h.rows());
  h.diagonal().array() += little > 0 ? little : 1;
  const Eigen::LLT<Eigen::MatrixXd> factor(h);
  Eigen::MatrixXd inverse = Eigen::MatrixXd::Identity(h.rows(), h.cols());
  factor.matrixL().solveInPlace(inverse);
  inverse_ = LowerMatrix(inverse);
  const std::size_t n = body_->node_count();
  start_.resize(n);
  now_.resize(n);
  gradient_.resize(n);
  moved_.resize(static_cast<Eigen::Index>(n), 3);
  slope_.resize(static_cast<Eigen::Index>(n), 3);
}

std::size_t PoseSolver::bytes() const {
  return sizeof *this + elastic_.bytes() + inverse_.bytes() +
         body_->node_count() * (3 * sizeof(Vec3d) + 16 * 3 * sizeof(double));
}

void PoseSolver::set_targets(std::span<const PoseHandle> handles) {
  std::size_t at = 0;
  for (const PoseHandle& handle : handles) {
    for (const uint32_t v : handle.vertices) {
      points_[at++].target = handle.target(body_->rest.positions[v].cast<double>());
    }
  }
}

double PoseSolver::evaluate(std::span<const Vec3d> places, std::span<Vec3d> gradient) {
  std::fill(gradient.begin(), gradient.end(), Vec3d(0, 0, 0));
  double energy = elastic_.add(places, gradient, {weights_.strain, weights_.volume}, room_);
  const ShapeRows& rows = body_->at_vertices;
  const double unit = weights_.handles / (body_->size * body_->size);
  for (const Point& point : points_) {
    const Vec3d off = place_of(rows, point.vertex, places) - point.target;
    energy += unit * point.weight * off.squaredNorm();
    if (gradient.empty()) continue;
    for (uint32_t k = rows.first[point.vertex]; k < rows.first[point.vertex + 1]; ++k) {
      gradient[rows.node[k]] += 2 * unit * point.weight * rows.value[k] * off;
    }
  }
  return energy;
}

double PoseSolver::energy(std::span<const PoseHandle> handles, std::span<const Vec3d> places,
                          std::span<Vec3d> gradient) {
  set_targets(handles);
  return evaluate(places, gradient);
}

LbfgsOutcome PoseSolver::descend(NodePlaces& places, double accuracy, int iterations, bool goes_on,
                                 CancelView stop) {
  const std::size_t n = body_->node_count();
  start_ = places;
  z_.setZero(static_cast<Eigen::Index>(3 * n));
  const auto spread = [&](const Eigen::VectorXd& z) {
    inverse_.transposed_times(z.data(), moved_.data());
    for (std::size_t i = 0; i < n; ++i) {
      now_[i] = start_[i] + moved_.row(static_cast<Eigen::Index>(i)).transpose();
    }
  };
  const auto function = [&](const Eigen::VectorXd& z, Eigen::VectorXd& gradient) {
    spread(z);
    const double energy = evaluate(now_, gradient_);
    for (std::size_t i = 0; i < n; ++i) {
      slope_.row(static_cast<Eigen::Index>(i)) = gradient_[i].transpose();
    }
    inverse_.times(slope_.data(), gradient.data());
    return energy;
  };
  solver_.settings().least_gradient = accuracy;
  solver_.settings().most_iterations = iterations;
  solver_.settings().least_change = 1e-13;
  solver_.settings().keep_memory = goes_on;
  const LbfgsOutcome outcome = solver_.minimise(function, z_, stop);
  spread(z_);
  places = now_;
  return outcome;
}

PoseOutcome PoseSolver::outcome_of(std::span<const PoseHandle> handles, const NodePlaces& places,
                                   const LbfgsOutcome& last, int iterations, int evaluations) {
  PoseOutcome outcome;
  outcome.energy = last.value;
  outcome.converged = last.converged;
  outcome.iterations = iterations;
  outcome.evaluations = evaluations;
  outcome.strain = elastic_.add(places, {}, {1, 0}, room_);
  outcome.volume = elastic_.add(places, {}, {0, 1}, room_);
  std::size_t at = 0;
  for (const PoseHandle& handle : handles) {
    // Of all its points: where the nodes are too few for every one of them, it is met on average.
    double sum = 0;
    for (std::size_t i = 0; i < handle.vertices.size(); ++i, ++at) {
      const Vec3d is = place_of(body_->at_vertices, points_[at].vertex, places);
      sum += (is - points_[at].target).squaredNorm();
    }
    const double count = static_cast<double>(std::max<std::size_t>(1, handle.vertices.size()));
    outcome.misses.push_back(std::sqrt(sum / count));
  }
  return outcome;
}

PoseOutcome PoseSolver::solve(std::span<const PoseHandle> handles, NodePlaces& places,
                              CancelView stop) {
  places = body_->nodes;
  if (points_.empty()) {
    set_targets(handles);
    return outcome_of(handles, places, {.converged = true}, 0, 0);
  }
  // The rigid part at once, the rest in steps; turned back by it, each handle goes its own way.
  set_targets(handles);
  std::vector<Vec3d> from, to;
  std::vector<double> weights;
  for (const Point& point : points_) {
    from.push_back(body_->rest.positions[point.vertex].cast<double>());
    to.push_back(point.target);
    weights.push_back(std::max(point.weight, 1e-12));
  }
  // One or two points do not say how a body is turned about them: then it is not. So its nodes ask
  // softly to go along without a turn.
  Vec3d along(0, 0, 0);
  double total = 0;
  for (std::size_t i = 0; i < to.size(); ++i) {
    along += weights[i] * (to[i] - from[i]);
    total += weights[i];
  }
  along /= total;
  for (std::size_t i = 0; i < body_->nodes.size(); ++i) {
    from.push_back(body_->nodes[i]);
    to.push_back(body_->nodes[i] + along);
    weights.push_back(1e-6 * total * body_->masses[i]);
  }
  const RigidFit fit = fit_rigid(from, to, weights);
  for (Vec3d& place : places) place = fit(place);
  double farthest = 0;
  std::vector<PoseHandle> ways(handles.begin(), handles.end());
  std::vector<PoseHandle> step(ways);
  std::vector<Vec3d> begins;
  std::vector<Eigen::Quaterniond> turns;
  const Eigen::Quaterniond whole(fit.turn);
  for (const PoseHandle& handle : handles) {
    begins.push_back(fit(handle.middle) - handle.middle);
    turns.push_back(whole);
    farthest = std::max(farthest, (handle.by - begins.back()).norm() / body_->size / step_length);
    farthest = std::max(farthest, whole.angularDistance(handle.turn) / step_turn);
  }
  const int steps = std::clamp(static_cast<int>(std::ceil(farthest)), 1, 64);
  LbfgsOutcome last;
  int iterations = 0, evaluations = 0;
  for (int i = 1; i <= steps; ++i) {
    const double s = static_cast<double>(i) / steps;
    for (std::size_t h = 0; h < step.size(); ++h) {
      step[h].by = begins[h] + s * (ways[h].by - begins[h]);
      step[h].turn = i == steps ? ways[h].turn : turns[h].slerp(s, ways[h].turn);
    }
    set_targets(step);
    last = descend(places, i == steps ? full_accuracy : on_the_way, i == steps ? 4000 : 60, false,
                   stop);
    iterations += last.iterations;
    evaluations += last.evaluations;
  }
  return outcome_of(handles, places, last, iterations, evaluations);
}

PoseOutcome PoseSolver::follow(std::span<const PoseHandle> handles, NodePlaces& places,
                               CancelView stop) {
  if (points_.empty() || places.size() != body_->node_count()) return solve(handles, places, stop);
  set_targets(handles);
  const LbfgsOutcome last = descend(places, seen_accuracy, 60, true, stop);
  return outcome_of(handles, places, last, last.iterations, last.evaluations);
}

}  // namespace sinew::kernels
