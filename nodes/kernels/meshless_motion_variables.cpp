// What L-BFGS varies: how each body is moved, turned and bent at its free frames, in the frame that
// is carried along with it, so that a body whose keys are rigid stays rigid to the last digit
// (meshless_carried.h). The scales are those of the simpler problem in meshless_motion.h.
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>

#include "nodes/geometry/parallel.h"
#include "nodes/kernels/meshless_motion_problem.h"

namespace sinew::kernels {
namespace {

using Pencil = Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd>;

// 1 / sqrt(mu + beta + least), by mode in space and in time.
Eigen::MatrixXd scales(const Eigen::VectorXd& in_space, const Eigen::VectorXd& in_time,
                       double least) {
  Eigen::MatrixXd scale(in_space.size(), in_time.size());
  for (Eigen::Index k = 0; k < in_time.size(); ++k) {
    const Eigen::ArrayXd sum = in_space.array().max(0) + std::max(0.0, in_time[k]) + least;
    scale.col(k) = sum.sqrt().inverse();
  }
  return scale;
}

}  // namespace

std::size_t MotionSolver::Problem::variables_of(std::size_t b) const {
  return (3 * keyed[b].body->node_count() + 6) * per_body[b].free.size();
}

void MotionSolver::Problem::prepare_variables(std::size_t b, const State& state) {
  PerBody& per = per_body[b];
  if (per.free.empty()) return;
  const MotionWeights& w = settings.weights;
  const MotionSpace& space = *bodies[b]->space;
  const double size = keyed[b].body->size, unit = 1 / (size * size);
  const auto n = space.mass.rows(), t = static_cast<Eigen::Index>(per.free.size());

  Eigen::MatrixXd held = Eigen::MatrixXd::Zero(n, n);
  const ShapeRows& rows = keyed[b].body->at_vertices;
  for (const HeldPoint& p : keyed[b].held) {
    for (uint32_t a = rows.first[p.vertex]; a < rows.first[p.vertex + 1]; ++a) {
      for (uint32_t c = rows.first[p.vertex]; c < rows.first[p.vertex + 1]; ++c) {
        held(rows.node[a], rows.node[c]) +=
            2 * w.position * unit * p.weight * rows.value[a] * rows.value[c];
      }
    }
  }
  Eigen::MatrixXd mass = 2 * w.acceleration * unit * space.mass;
  mass.diagonal().array() += 1e-5 * mass.trace() / static_cast<double>(n) + 1e-200;
  // Few nodes may lie on a line.
  Eigen::Matrix3d turning = space.turning_part(mass);
  turning.diagonal().array() += 1e-9 * size * size * mass.trace();

  std::vector<Eigen::Index> column(times.size(), -1);
  for (Eigen::Index k = 0; k < t; ++k) column[per.free[static_cast<std::size_t>(k)]] = k;
  Eigen::MatrixXd change = Eigen::MatrixXd::Zero(t, t), span = Eigen::MatrixXd::Zero(t, t);
  for (Eigen::Index k = 0; k < t; ++k) span(k, k) = tau[per.free[static_cast<std::size_t>(k)]];
  for (const Difference& d : per.differences) {
    std::array<std::pair<std::size_t, double>, 3> parts{
        {{d.frame - (d.before != 0), d.before}, {d.frame, d.here}, {d.frame + 1, d.after}}};
    for (const auto& [j, x] : parts) {
      for (const auto& [k, y] : parts) {
        if (x == 0 || y == 0 || column[j] < 0 || column[k] < 0) continue;
        change(column[j], column[k]) += d.tau * x * y;
      }
    }
  }
  const Eigen::MatrixXd firm = (6 * w.strain + w.volume) * space.stiff + held;
  const Pencil in_space(firm, mass);
  const Pencil in_time(change, span);
  // Alone, nothing but what holds the body resists a turn. But to others a body that turns is as
  // much in the way as one that is bent, and a crowd whose turns are scaled by their acceleration
  // alone spends its search on them: it ended at eight times the least energy. There turns have the
  // scale of what would be bent by moving the nodes in that way.
  const Pencil in_turns(space.turning_part(meetings ? firm : held), turning);
  const Eigen::VectorXd& beta = in_time.eigenvalues();
  const double least = 1e-9 * in_space.eigenvalues().cwiseAbs().maxCoeff() + 1e-3;
  per.v = in_space.eigenvectors();
  per.q = in_time.eigenvectors();
  per.scale = scales(in_space.eigenvalues(), beta, least);
  per.turn_v = in_turns.eigenvectors();
  per.turn_scale = scales(in_turns.eigenvalues(), beta, least);
  const double heavy = mass.sum();
  per.move_scale =
      scales(Eigen::VectorXd::Constant(1, held.sum() / heavy), beta, least) / std::sqrt(heavy);
  per.start.clear();
  for (const std::size_t j : per.free) per.start.push_back(Carried::of(space.rest, state[j][b]));
}

// The variables of a body: 3 x frames that move it, as many that turn it, then those that bend it,
// x, y and z one after the other, nodes x frames each.
void MotionSolver::Problem::spread_body(std::size_t b, const Eigen::VectorXd& z) {
  PerBody& per = per_body[b];
  if (per.free.empty()) return;
  const CarriedRest& rest = bodies[b]->space->rest;
  const auto n = per.v.rows(), t = per.q.rows();
  const double* at = z.data() + per.first;
  const auto part = [&](Eigen::Index height) {
    const Eigen::Map<const Eigen::MatrixXd> map(at, height, t);
    at += height * t;
    return map;
  };
  const Eigen::MatrixXd move = part(3), turn = part(3);
  per.moved = (move * per.move_scale.asDiagonal()) * per.q.transpose();
  per.turned = per.turn_v * per.turn_scale.cwiseProduct(turn) * per.q.transpose();
  std::array<Eigen::MatrixXd, 3> bent;
  for (Eigen::MatrixXd& one : bent) {
    one = per.v * per.scale.cwiseProduct(part(n)) * per.q.transpose();
  }
  NodeColumns bend(3, n);
  for (Eigen::Index k = 0; k < t; ++k) {
    for (int c = 0; c < 3; ++c) bend.row(c) = bent[static_cast<std::size_t>(c)].col(k);
    rest.take_whole(bend);
    const auto frame = static_cast<std::size_t>(k);
    per.start[frame].places_beside(rest, per.moved.col(k), per.turned.col(k), bend,
                                   now[per.free[frame]][b]);
  }
}

void MotionSolver::Problem::gather_body(std::size_t b, Eigen::VectorXd& gradient) const {
  const PerBody& per = per_body[b];
  if (per.free.empty()) return;
  const CarriedRest& rest = bodies[b]->space->rest;
  const auto n = per.v.rows(), t = per.q.rows();
  Eigen::MatrixXd moves(3, t), turns(3, t);
  std::array<Eigen::MatrixXd, 3> bends;
  for (Eigen::MatrixXd& one : bends) one.resize(n, t);
  NodeColumns forces(3, n);
  for (Eigen::Index k = 0; k < t; ++k) {
    const auto frame = static_cast<std::size_t>(k);
    const std::size_t j = per.free[frame];
    const Vec3d by = per.turned.col(k), middle = per.start[frame].middle + per.moved.col(k);
    const double angle = by.norm();
    Eigen::Matrix3d turn = per.start[frame].turn;
    if (angle > 0) turn = turn * Eigen::AngleAxisd(angle, by / angle).toRotationMatrix();
    Vec3d sum(0, 0, 0), torque(0, 0, 0);
    for (Eigen::Index i = 0; i < n; ++i) {
      const auto node = static_cast<std::size_t>(i);
      const Vec3d& force = slope[j][b][node];
      sum += force;
      torque += (now[j][b][node] - middle).cross(force);
      forces.col(i) = turn.transpose() * force;
    }
    rest.take_whole_transposed(forces);
    moves.col(k) = sum;
    turns.col(k) = rotation_slope(by).transpose() * (turn.transpose() * torque);
    for (int c = 0; c < 3; ++c) bends[static_cast<std::size_t>(c)].col(k) = forces.row(c);
  }
  double* at = gradient.data() + per.first;
  const auto part = [&](const Eigen::MatrixXd& values) {
    Eigen::Map<Eigen::MatrixXd>(at, values.rows(), values.cols()) = values;
    at += values.size();
  };
  part((moves * per.q) * per.move_scale.asDiagonal());
  part(per.turn_scale.cwiseProduct(per.turn_v.transpose() * turns * per.q));
  for (const Eigen::MatrixXd& one : bends) {
    part(per.scale.cwiseProduct(per.v.transpose() * one * per.q));
  }
}

void MotionSolver::Problem::spread(const Eigen::VectorXd& z) {
  parallel_each(keyed.size(), [&](std::size_t b) { spread_body(b, z); });
}

void MotionSolver::Problem::gather(Eigen::VectorXd& gradient) const {
  parallel_each(keyed.size(), [&](std::size_t b) { gather_body(b, gradient); });
}

}  // namespace sinew::kernels
