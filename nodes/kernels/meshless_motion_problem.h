// The energy of a motion at given frames, and its minimum: what meshless_motion.cpp asks for in
// each round. The equations are in meshless_motion.h; acceleration is in
// meshless_motion_acceleration.cpp, and what L-BFGS varies in meshless_motion_variables.cpp.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "nodes/kernels/lbfgs.h"
#include "nodes/kernels/meshless_carried.h"
#include "nodes/kernels/meshless_motion.h"
#include "nodes/kernels/spline_weights.h"

namespace sinew::kernels {

// The key of a body at a time, if there is one.
const MotionKey* key_near(const KeyedBody& body, double time);

// What follows from the nodes of a body alone.
struct MotionSpace {
  explicit MotionSpace(const MeshlessBody& body);
  Eigen::Matrix3d turning_part(const Eigen::MatrixXd& of) const;

  ElasticSamples elastic;
  ContactBody contact;
  CarriedRest rest;
  Eigen::MatrixXd mass;     // M
  Eigen::MatrixXd stiff;    // K
  double total = 0;         // of M
  Eigen::Matrix3d inertia;  // of M at rest
};

struct MotionSolver::Body {
  std::shared_ptr<const MotionSpace> space;
};

struct MotionSolver::Problem {
  using IsKey = std::function<bool(std::size_t body, double time)>;
  using State = std::vector<std::vector<NodePlaces>>;  // by frame, then body

  Problem(const std::vector<KeyedBody>& keyed_bodies,
          const std::vector<std::unique_ptr<Body>>& prepared, const ObstaclesInTime& in_the_way,
          const MotionSettings& how, const MotionProgress& progress, const IsKey& is_key);

  double energy_of(const State& state, State* gradient);
  // From where the state is; the least energy found.
  double solve(State& state, CancelView stop);

 private:
  // y'' of one frame is a sum over three frames, and what is told.
  struct Difference {
    std::size_t frame = 0;
    double before = 0, here = 0, after = 0;  // 1/s^2
    double told = 0;                         // of the velocities told there, 1/s
    double tau = 0;                          // s
  };
  struct PerBody {
    std::vector<char> fixed;  // by frame
    std::vector<std::size_t> free;
    std::vector<Difference> differences;
    std::vector<char> breaks;
    std::size_t begin = 0, end = 0;            // its first and its last frame
    std::map<std::size_t, CarriedRates> told;  // by frame
    // What the energy of acceleration is made of, by frame.
    std::vector<Carried> carried;
    std::vector<CarriedSlope> slopes;
    // The variables: d = start + V (S o Z) Q^T, and c and R in the same way.
    Eigen::MatrixXd v, q, scale, turn_scale;
    Eigen::Matrix3d turn_v;
    Eigen::RowVectorXd move_scale;
    std::vector<Carried> start;                              // by free frame
    Eigen::Matrix<double, 3, Eigen::Dynamic> moved, turned;  // of what is now
    std::size_t first = 0;                                   // of its variables
  };

  // Between frames: every body is where its spline has it, but for how that turns. So contacts are
  // found there without more unknowns.
  struct Watch {
    double time = 0;
    Colliders obstacles;
    ContactFrame contacts;
    std::vector<SplineBlend> blends;         // by body
    std::vector<NodePlaces> places, slopes;  // by body
    double energy = 0;
  };

  void measure_time(std::size_t b);
  std::vector<SplineKnot> knots_of(std::size_t b, bool with_told) const;
  void prepare_watches(const std::vector<double>& moments, const ObstaclesInTime& in_the_way);
  std::size_t variables_of(std::size_t b) const;
  void prepare_variables(std::size_t b, const State& state);
  // Those return energies, and add gradients.
  double add_elastic(std::size_t b, const State& state, State& gradient);
  double add_carried(std::size_t b, const State& state, State& gradient);
  double add_acceleration(std::size_t b);
  double hold_turns(std::size_t b);
  double add_spin(std::size_t b, const State& state, State& gradient) const;
  double add_points(std::size_t b, const State& state, State& gradient) const;
  double add_contacts(std::size_t frame, const State& state, State& gradient);
  double contact_energy(ContactFrame& frame, const Colliders& in_the_way,
                        std::span<const Vec3d* const> places,
                        std::span<Vec3d* const> gradients) const;
  void ask(Watch& watch, const State& state);
  void add_watches(std::size_t b, State& gradient) const;
  double evaluate(const State& state, State& gradient);
  void spread(const Eigen::VectorXd& z);
  void spread_body(std::size_t b, const Eigen::VectorXd& z);
  void gather(Eigen::VectorXd& gradient) const;
  void gather_body(std::size_t b, Eigen::VectorXd& gradient) const;

  const std::vector<KeyedBody>& keyed;
  const std::vector<std::unique_ptr<Body>>& bodies;
  const MotionSettings& settings;
  std::vector<double> times, tau;
  std::vector<Colliders> obstacles;  // by frame
  bool meetings = false;             // obstacles, or several bodies
  std::vector<PerBody> per_body;
  std::vector<ElasticSamples::Room> rooms;
  std::vector<ContactFrame> contacts;
  std::vector<Watch> watches;
  std::vector<const ContactBody*> contact_bodies;
  std::vector<double> body_energies, frame_energies;
  State now, slope;
};

}  // namespace sinew::kernels
