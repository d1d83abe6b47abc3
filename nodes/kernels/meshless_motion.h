// Smooth motions through keys, around obstacles and each other: the trajectory of all bodies that
// costs least [Adams10, section 6].
//
// Unknown are the places y of all nodes of all bodies at the frames between the keys; frames are
// shared by all bodies. With tau_j = (h- + h+) / 2 the time that a frame stands for (s), L the
// size of a body and all sums over bodies and frames,
//   E = l1 sum w |f(x_k) - p_k|^2 / L^2                        points that are held          (18)
//     + l2 sum tau strain + l3 sum tau volume                                           (19, 20)
//     + l4 sum tau (m |c'' - g|^2 + a . I a + <d'', M d''>) / L^2                       (21)
//     + l5 sum |f'(x_k) - v_k|^2 / L^2                         velocities of points     (22)
//     + l6 obstacles + l7 other bodies                         meshless_collide.h       (23, 24)
//     + 4 l4 sum tau w |R (x_k - c0) - a_k|^2 / L^2            turns that are written, w = omega^4
//     + l8 sum tau |(J+ - J-) / tau|^2 / L^4                   angular momentum, which the paper
//                                                              leaves for later
// y = c + R (x - c0 + d) is what moves a body as a whole and what is left (meshless_carried.h), and
// a the angular acceleration. The paper's |f'' - g|^2 also counts what every turn has towards its
// axis, omega^4, and a body would rather go through its inside and shrink; counted this way, one
// whose keys are rigid stays rigid. c'' = ((c+ - c)/h+ - (c - c-)/h-) / tau, and the others alike;
// d'' goes through the mass matrix M = sum V Phi Phi^T, an integral over the body, with m and I its
// mass and inertia; at a frame whose velocities v are told, the first or the last,
// the missing slope is v; at one between them there are two slopes, each against v over half of its
// gap. No acceleration is counted where a frame breaks. g lets bodies fall. The
// angular momentum of a gap about the middle is J = (y x y+) / h, summed with M.
// Strain and acceleration are integrals over time and do not change when frames are added.
//
// The least of that swings far past keys at uneven times. Where the spline of the keys alone does,
// the velocities of whole keys are told (meshless_smooth.h), but for what falls.
//
// Bodies whose ways cross begin beside each other (meshless_ways.h).
//
// Whole keys are no unknowns at all. Keys of some points hold these; guesses are only where the
// search begins (section 6.4).
//
// Solved by L-BFGS in c, R and d, scaled so that the Hessian of a simpler problem is the identity:
// a body that resists every change of F alike, with the same acceleration and the same points held
// all the time,
//   H = (a K + held) (x) T + 2 l4 M (x) B,   T = diag(tau), B = A^T T A, A the second differences,
// which K v = mu M v and B q = beta T q bring to mu + 2 l4 beta; for c and R without K. So the
// number of iterations grows with neither nodes nor frames.
//
// Frames are added where they are needed (section 6.3): after each round every gap is looked at in
// ten places, and those that are worse between their frames than at them get a frame at the worst
// place, from the spline. Those whose spline is beside the smoothest motion, by the jumps of its
// acceleration (meshless_smooth.h), get one in their middle. When there may be no more frames and
// bodies still go into what they avoid between them, contacts are asked there, too, where the
// spline of the frames has the bodies; and where they are squeezed too hard even so, the weights of
// contacts grow. Each round begins with what the one before has found and nothing else, so that a
// search that was stopped can go on and gives the same bits.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "nodes/geometry/meshless_keys.h"
#include "nodes/geometry/meshless_motion.h"
#include "nodes/kernels/meshless_collide.h"
#include "nodes/kernels/meshless_energy.h"
#include "nodes/kernels/meshless_ways.h"

namespace sinew::kernels {

class BodySpline;

struct MotionWeights {
  double position = 1e3, strain = 1, volume = 1, acceleration = 1e-2, velocity = 1, obstacles = 1e2,
         bodies = 1e2, spin = 0;
};

struct MotionSettings {
  MotionWeights weights;
  Vec3d gravity{0, 0, 0};  // m/s^2
  double margin = 0.015;   // kept from obstacles and others, in sizes
  int most_frames = 40;
  double tolerance = 1e-3;  // what a moment between frames may cost more than the frames
  double overshoot = 0;     // past keys: 0 hardly, 1 as smooth as can be
  int looks = 10;           // places in each gap that are looked at
  uint64_t seed = 1;        // of the nudge that lets bodies that meet head on choose a side
};

// What is known after a round.
struct MotionProgress {
  std::vector<double> times;
  std::vector<std::vector<NodePlaces>> places;  // by frame, then body
  std::vector<EnergyCurve> rounds;
  double energy = 0;
  double depth = 0, depth_time = 0;
  std::vector<double> watches;  // moments between frames at which contacts are asked, too
  int asides = 0;               // how often bodies that were in each other have stepped aside
  double push = 1;              // how much harder contacts are than their weights say
  double pushed_depth = 0;      // before they were
  bool finished = false;
};

class MotionSolver {
 public:
  MotionSolver(std::vector<KeyedBody> bodies, ObstaclesInTime obstacles,
               const MotionSettings& settings);
  ~MotionSolver();

  std::size_t unknowns(const MotionProgress& progress) const;

  MotionProgress begin() const;
  // One round: solves for the frames there are, looks between them, and adds frames. Says how far
  // it is, 0 to 1 within the round, from any thread.
  void refine(MotionProgress& progress, CancelView stop = {}) const;
  // What has been found so far.
  Motion motion(const MotionProgress& progress) const;

  // The energy of a state with its gradient by body and frame, for whoever wants to prove it.
  double energy(const MotionProgress& progress,
                std::vector<std::vector<NodePlaces>>* gradient = nullptr) const;

 private:
  struct Body;
  struct Problem;
  BodyMotion body_motion(const MotionProgress& progress, std::size_t body) const;
  bool is_key(std::size_t body, double time) const;
  void divide(std::vector<double>& times, std::size_t parts) const;
  std::vector<std::vector<Vec3d>> step_aside(const std::vector<BodySpline>& splines,
                                             const std::vector<double>& frames,
                                             const BodyPairs* asked) const;
  void move_aside(MotionProgress& progress, const std::vector<std::vector<Vec3d>>& aside) const;
  // Every gap in ten places, and every frame.
  struct Looks {
    std::vector<double> times, costs, depths;
  };
  struct Worst {
    double excess = 0, time = 0;
  };
  std::vector<Worst> worst_of_gaps(const MotionProgress& progress, const Looks& looks) const;
  Looks look(const MotionProgress& progress, const std::vector<BodySpline>& splines,
             CancelView stop) const;
  void look_between(MotionProgress& progress, CancelView stop) const;
  void add_frame(MotionProgress& progress, const std::vector<BodySpline>& splines, std::size_t gap,
                 double time) const;
  BodyPairs tangled(const std::vector<BodySpline>& splines, const Looks& looks) const;
  void press(MotionProgress& progress, const std::vector<BodySpline>& splines,
             const Looks& looks) const;

  std::vector<KeyedBody> keyed_;
  ObstaclesInTime obstacles_;
  MotionSettings settings_;
  std::vector<std::unique_ptr<Body>> bodies_;
};

// All rounds.
Motion find_motion(const MotionSolver& solver, CancelView stop = {});

}  // namespace sinew::kernels
