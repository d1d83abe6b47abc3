// What a motion costs by its acceleration, and how it is held to turns that are written: both by
// what moves the body as a whole and what is left (meshless_carried.h).
//
// With u+ = log(R_j^T R_j+1), u- = log(R_j^T R_j-1), I the inertia of the body at rest and w the
// spin that is told, in second differences as in meshless_motion.h,
//   E = l4 / L^2 sum tau (m |c'' - g|^2 + a . I a + <d'', M d''>),
//   a = (u+ / h+ + u- / h-) / tau
// So a uniform turn costs nothing. By the places of the nodes it would cost omega^4, from which a
// body would shrink on its way.
#include <array>

#include "nodes/kernels/meshless_motion_problem.h"

namespace sinew::kernels {
namespace {

// How much firmer a written turn is held than what it costs to turn so.
constexpr double turn_holds = 4;

}  // namespace

double MotionSolver::Problem::add_carried(std::size_t b, const State& state, State& gradient) {
  if (!(settings.weights.acceleration > 0)) return 0;
  PerBody& per = per_body[b];
  const CarriedRest& rest = bodies[b]->space->rest;
  per.carried.resize(times.size());
  per.slopes.resize(times.size());
  for (std::size_t j = per.begin; j <= per.end; ++j) {
    per.carried[j] = Carried::of(rest, state[j][b]);
    per.slopes[j] = CarriedSlope(state[j][b].size());
  }
  const double energy = add_acceleration(b) + hold_turns(b);
  for (const std::size_t j : per.free) {
    per.slopes[j].add_to(gradient[j][b], rest, per.carried[j]);
  }
  return energy;
}

double MotionSolver::Problem::add_acceleration(std::size_t b) {
  PerBody& per = per_body[b];
  const MotionSpace& space = *bodies[b]->space;
  const double size = keyed[b].body->size;
  double energy = 0;
  NodeColumns bend, heavy;
  for (const Difference& d : per.differences) {
    const std::size_t j = d.frame;
    const Carried& here = per.carried[j];
    Vec3d moves = d.here * here.middle - settings.gravity, turns(0, 0, 0);
    bend = d.here * here.detail;
    if (d.told != 0) {
      const CarriedRates& told = per.told.at(j);
      moves += d.told * told.drift;
      turns += d.told * told.spin;
      bend += d.told * told.detail;
    }
    const double factor = 2 * settings.weights.acceleration / (size * size) * d.tau;
    struct Beside {
      std::size_t frame;
      double part;
      Vec3d turn;
    };
    std::array<Beside, 2> beside{{{j - (d.before != 0), d.before, {}}, {j + 1, d.after, {}}}};
    for (Beside& one : beside) {
      if (one.part == 0) continue;
      const Carried& there = per.carried[one.frame];
      one.turn = rotation_vector(here.turn.transpose() * there.turn);
      moves += one.part * there.middle;
      turns += one.part * one.turn;
      bend += one.part * there.detail;
    }
    const Vec3d torque = factor * (space.inertia * turns), force = factor * space.total * moves;
    heavy.noalias() = bend * space.mass;
    energy += 0.5 * (force.dot(moves) + torque.dot(turns));
    energy += 0.5 * factor * bend.cwiseProduct(heavy).sum();
    per.slopes[j].force += d.here * force;
    per.slopes[j].detail += factor * d.here * heavy;
    for (const Beside& one : beside) {
      if (one.part == 0) continue;
      // A turn of the frame itself is from the left, and the other way.
      const Eigen::Matrix3d by_turn = rotation_vector_slope(one.turn);
      per.slopes[j].torque -= one.part * (by_turn * torque);
      per.slopes[one.frame].torque += one.part * (by_turn.transpose() * torque);
      per.slopes[one.frame].force += one.part * force;
      per.slopes[one.frame].detail += factor * one.part * heavy;
    }
  }
  return energy;
}

// Sum of w |R (x - c0) - a|^2, a where each point is about the middle.
double MotionSolver::Problem::hold_turns(std::size_t b) {
  PerBody& per = per_body[b];
  const MeshlessBody& body = *keyed[b].body;
  const Vec3d middle = bodies[b]->space->rest.middle;
  const double weight = turn_holds * settings.weights.acceleration / (body.size * body.size);
  double energy = 0;
  for (const std::size_t j : per.free) {
    const MotionKey* key = key_near(keyed[b], times[j]);
    if (!key) continue;
    const Eigen::Matrix3d& turn = per.carried[j].turn;
    for (const HeldPoint& p : key->turned) {
      const Vec3d arm = body.rest.positions[p.vertex].cast<double>() - middle;
      const Vec3d off = turn * arm - p.target;
      energy += weight * tau[j] * p.weight * off.squaredNorm();
      per.slopes[j].torque +=
          2 * weight * tau[j] * p.weight * arm.cross(Vec3d(turn.transpose() * off));
    }
  }
  return energy;
}

}  // namespace sinew::kernels
