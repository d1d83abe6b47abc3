// A body posed by handles: the shape that costs least [Adams10, section 5].
//
//   E(y) = l1 sum_k w_k |f(x_k) - t_k|^2 / L^2 + l2 strain + l3 volume               (eq. 14)
// over the places y of the nodes, L the size of the body; strain and volume as in
// meshless_energy.h. Handle points are vertices, w_k sum to 1 for each handle.
//
// Solved by L-BFGS (lbfgs.h) in variables z with y = y0 + C^-T z, C C^T = H the Hessian of a body
// that resists every change of F alike and has the same handles:
//   H = (6 l2 + l3) K + 2 l1 / L^2 sum w_k Phi_k Phi_k^T + a little.
// It minds neither the rotation of parts nor the size, so that few iterations are enough.
//
// A pose without memory begins as the rigid motion that brings the handles nearest to their
// targets, and is led to them in steps, handles turning as they go, so that the result is a
// function of the handles alone. While a hand drags, it begins where it was.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "nodes/kernels/lbfgs.h"
#include "nodes/kernels/lower_matrix.h"
#include "nodes/kernels/meshless_energy.h"

namespace sinew::kernels {

struct PoseWeights {
  double handles = 1e3, strain = 1, volume = 1;

  bool operator==(const PoseWeights&) const = default;
};

// What a handle holds, and where it shall be: x goes to middle + turn (x - middle) + by.
struct PoseHandle {
  std::vector<uint32_t> vertices;  // at least one
  double weight = 1;
  Vec3d middle{0, 0, 0};
  Vec3d by{0, 0, 0};  // m
  Eigen::Quaterniond turn = Eigen::Quaterniond::Identity();

  Vec3d target(const Vec3d& x) const { return middle + turn * (x - middle) + by; }
};

// The vertices that a handle at `at` holds: those within the radius, spread over it and no more
// than `most`; at least the nearest one.
std::vector<uint32_t> handle_vertices(const Mesh& rest, const Vec3d& at, double radius,
                                      std::size_t most = 24);

struct PoseOutcome {
  double energy = 0;
  double strain = 0, volume = 0;  // energies without their weights
  int iterations = 0, evaluations = 0;
  bool converged = false;
  std::vector<double>
      misses;  // of each handle: how far its vertices are from their targets, m (rms)
};

class PoseSolver {
 public:
  // Only what the handles hold matters here, not where they shall be.
  PoseSolver(std::shared_ptr<const MeshlessBody> body, std::span<const PoseHandle> handles,
             const PoseWeights& weights);

  const MeshlessBody& body() const { return *body_; }
  std::size_t bytes() const;

  // Without memory. `places` is overwritten.
  PoseOutcome solve(std::span<const PoseHandle> handles, NodePlaces& places, CancelView stop = {});
  // From where `places` are, and only as well as a hand can see.
  PoseOutcome follow(std::span<const PoseHandle> handles, NodePlaces& places, CancelView stop = {});

  // The energy of a state and its gradient, for whoever wants to prove it.
  double energy(std::span<const PoseHandle> handles, std::span<const Vec3d> places,
                std::span<Vec3d> gradient);

 private:
  struct Point {
    uint32_t vertex;
    double weight;
    Vec3d target;
  };
  void set_targets(std::span<const PoseHandle> handles);
  // `goes_on`: from a problem that is nearly the same; what was learnt there about curvature is
  // used.
  LbfgsOutcome descend(NodePlaces& places, double accuracy, int iterations, bool goes_on,
                       CancelView stop);
  double evaluate(std::span<const Vec3d> places, std::span<Vec3d> gradient);
  PoseOutcome outcome_of(std::span<const PoseHandle> handles, const NodePlaces& places,
                         const LbfgsOutcome& last, int iterations, int evaluations);

  std::shared_ptr<const MeshlessBody> body_;
  PoseWeights weights_;
  ElasticSamples elastic_;
  ElasticSamples::Room room_;
  std::vector<Point> points_;
  LowerMatrix inverse_;  // C^-1
  Lbfgs solver_;
  Eigen::VectorXd z_;
  Eigen::MatrixXd moved_, slope_;  // node_count x 3
  NodePlaces start_, now_, gradient_;
};

}  // namespace sinew::kernels
