// One step of meshless bodies: what is to be the least, and finding it. The equations are in
// meshless_dynamics.h.
#pragma once

#include <Eigen/Cholesky>
#include <memory>
#include <span>
#include <vector>

#include "nodes/kernels/lbfgs.h"
#include "nodes/kernels/meshless_dynamics.h"
#include "nodes/kernels/meshless_motion_problem.h"

namespace sinew::kernels {

struct DynamicsSpace {
  explicit DynamicsSpace(std::shared_ptr<const MeshlessBody> of);

  std::shared_ptr<const MeshlessBody> body;
  MotionSpace motion;
  double softest = 1;  // lambda, 1/m^2
  double volume = 1;   // m^3
};

// The least eigenvalue of the rest's Hessian against the mass, rigid motions left out; and how the
// body swings there, three for each node.
double softest_swing(const MeshlessBody& body, const Eigen::MatrixXd& mass,
                     Eigen::VectorXd* swing = nullptr);

using NodeRows = Eigen::Matrix<double, Eigen::Dynamic, 3>;

// How a step is made of what was before it.
struct StepWeights {
  double h = 0;      // its length, s
  double e = 0;      // y = y^ + e v
  double back = 0;   // y^ = y0 + back (y0 - y-)
  double ratio = 1;  // of this step to the one before
};
StepWeights euler_weights(double h);
StepWeights bdf_weights(double h, double before);

// How much of a body the motion carries.
double led_by(double gain);

struct StepTimes {
  double before = 0, last = 0, now = 0;  // s
};

// One body within a step.
struct StepBody {
  const DynamicsSpace* space = nullptr;
  const BodySpline* lead = nullptr;
  DynamicBody* state = nullptr;
  double weight = 1;  // mass beside the others
  std::span<const double> loose;

  // Made by prepare().
  bool begins = false;            // no step before: one is made up
  double strain = 0, volume = 0;  // weights of the energies, m^2/s^2
  double led = 0, aligned = 0;    // parts that are carried and taken along where not loose
  double kept = 0;                // of the led shape as the rest; set by who steps
  double calm = 0;                // the damping that the pull has at least; set by who steps
  double pull = 0;                // 1/s^2
  Eigen::MatrixXd led_mass;       // W
  Eigen::MatrixXd quadratic;      // of y - guess
  NodeRows linear;
  NodePlaces before, before_velocities;  // y-, v-
  NodePlaces hat, hat_aligned;           // y^, in the world and taken along
  NodePlaces goal, goal_velocities;      // g, g'
  NodePlaces star, star_aligned;         // y* but for gravity
  NodePlaces scratch;
  NodeRows by_mass, by_led_mass;
  RigidMoment led_now, led_last, led_before;
  std::vector<Eigen::Matrix3d> behind;
  std::vector<StrainMetric> metrics;
  std::vector<Eigen::Matrix3d> off, off_before;  // F^T F beside what is led
  NodePlaces guess, base, now, gradient;
  NodeRows moved, slope;
  // Against the obstacles, that is along the first axis of the frame, and along them.
  Eigen::Matrix3d frame;
  struct Scaling {
    Eigen::MatrixXd hessian, factored;
    Eigen::LLT<Eigen::MatrixXd> factor;
    void factorise();
  };
  Scaling against, along;
  ElasticSamples::Room elastic;
  std::size_t first = 0;  // of its variables, within its group

  std::size_t count() const { return space->body->node_count(); }
  double size() const { return space->body->size; }
  // Once for an advance, or again with another gain or with other parts loose.
  void set_up(const DynamicsSettings& how);
  // Once for a step, or again with other weights: y^, y* and the guess.
  void predict(const StepTimes& times, const StepWeights& w, const DynamicsSettings& how);
  void prepare(const StepTimes& times, const StepWeights& w, const DynamicsSettings& how);
  void finish(const StepWeights& w);

 private:
  double led_part(std::size_t node) const { return loose.empty() ? 1 : 1 - loose[node]; }
  void take_along(const StepTimes& times, const StepWeights& w);
  void fill_metrics(const StepTimes& times, const StepWeights& w, const DynamicsSettings& how);
  void fill_quadratic(const StepWeights& w, const DynamicsSettings& how);
  void shapes_at(double time, std::span<const Vec3d> places, double keep,
                 std::vector<Eigen::Matrix3d>& off);
};

// A point of a body that may touch an obstacle in this step.
struct TouchPoint {
  uint32_t body = 0, point = 0, obstacle = 0;
  const ShapeRows* rows = nullptr;  // that the point is of
  double push = 0;                  // normal force that friction counts with
  Vec3d normal{0, 1, 0};
  Vec3d from{0, 0, 0};  // where it would be if it stuck, m
};

// A point of a body that may touch another body in this step: how far in it is, e, is taken to go
// straight from where it was found, and so the energy stays smooth.
struct StepMeeting {
  BodyMeeting at;
  double in = 0;     // e there, m
  double apart = 0;  // along the normal there, m
  double push = 0;   // normal force that friction counts with
};

// Bodies that are solved together.
struct StepGroup {
  std::vector<StepBody*> bodies;
  std::vector<TouchPoint> touches;
  std::vector<const ContactBody*> contact_bodies;
  std::vector<const Vec3d*> contact_places;
  ContactFrame contacts;
  std::vector<BodyMeeting> met;
  std::vector<StepMeeting> meetings;
  Lbfgs solver;
  Eigen::VectorXd z;
  int iterations = 0, evaluations = 0;
  double depth = 0;  // in sizes

  // Obstacles at the end of the step and at its beginning; may be null.
  const Colliders* obstacles = nullptr;
  const Colliders* obstacles_before = nullptr;
  ObstacleFrame obstacles_in_frame;
  double share = 1;  // of the frame that the step takes

  // Whether something is touched that was not at the beginning of the step. After predicting.
  bool is_struck();
  // From guess to now; false if there is no end.
  bool solve(const DynamicsSettings& how, const StepWeights& w);

 private:
  void find_touches();
  void stick(const StepWeights& w);
  void descend(double accuracy, const DynamicsSettings& how, const StepWeights& w);
  void choose_frames();
  void factorise();
  void spread(const Eigen::VectorXd& variables);
  double evaluate();
  double add_touches();
  double add_meetings();
  double meeting_stiffness() const;
  double find_meetings(bool first);
  Vec3d apart(const StepMeeting& m, bool from_hat) const;
  void add_hardness();
  template <class Visit>
  void for_surface(const Visit& visit) const;
  double deepest() const;
  bool add_deep_vertices();
  double meeting_energy(bool at_guess);
  double update_pushes(bool first);
  double stiffness_of(const StepBody& body) const { return hardness * body.weight; }

  double hardness = 0;  // of contacts, 1/s^2
  double rubbing = 0;   // friction between bodies
  double slip = 0;      // below that friction is smooth, in sizes
};

}  // namespace sinew::kernels
