// Shape matching of overlapping regions: the shape that comes nearest to all of its locally
// deformed parts [Ijiri09, section 5], after [Mueller05] and [Rivers07].
//
// Region r is vertex r and its one-ring in the tetrahedra. With m~_i = m_i / |N_i| (|N_i| counts i
// itself), M_r = sum of m~ over N_r, and m~-weighted means c0_r at rest and c_r now (eq. 3):
//   A_r = sum m~_i (x_i - c_r) (T_r (x0_i - c0_r))^T                            eq. 5
//   R_r = rotation part of A_r
//   g_k = mean over the regions r of vertex k of  R_r T_r (x0_k - c0_r) + c_r   eq. 7
// T_r is symmetric, so that it leaves the sum: A_r = (sum ...) T_r. One pass keeps linear and
// angular momentum; more passes on g (stiffness N, section 5) keep the linear one only, and the
// rest of a rigid spin is taken out at the end.
//
// As it is computed: two gathering passes over compressed rows, without any atomics, so that the
// result does not depend on the number of threads. First, per region, the moments, R_r, and
// B_r = R_r T_r, b_r = c_r - B_r c0_r; second, per vertex, the mean of B and b, and g = B x0 + b.
//
// Stiffness that does not cost N passes: one pass is a step of smoothing, g - x = F(x), whose
// linear part has eigenvalues in [-1, 0]; N passes are N explicit steps of x' = F(x). The same span
// N is covered by s stages of a damped Chebyshev scheme (Runge-Kutta-Chebyshev, [Verwer90]) with s
// ~ sqrt(N / 1.6): N = 6 by 2 stages, 15 by 4, 100 by 8. Slow modes, which are what stiffness is
// seen by, decay as with N passes (exp(-N(1 - l)) in place of l^N); fast ones are damped.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "nodes/geometry/tet_mesh.h"
#include "nodes/kernels/activation.h"
#include "nodes/kernels/lane_kernels.h"
#include "nodes/kernels/lane_memory.h"

namespace sinew::kernels {

// Everything that follows from the rest shape and the masses. Inside, vertices are in another order
// (neighbours near each other in memory); `order` tells.
class MatchBody {
 public:
  // `solid` must be valid. Masses: kg per vertex, > 0.
  MatchBody(const TetMesh& solid, std::span<const float> masses, CancelView stop = {});

  std::size_t count() const { return order_.size(); }
  std::size_t stride() const { return view_.stride; }
  const RingView& view() const { return view_; }
  std::span<const uint32_t> order() const { return order_; }  // [inside] = vertex of the solid
  std::span<const uint32_t> place() const { return place_; }  // [vertex of the solid] = inside
  // Where connected parts begin inside, and the count at the end: each keeps its own momentum.
  std::span<const uint32_t> parts() const { return parts_; }
  std::span<const double> part_masses() const { return part_masses_; }  // kg, one per part
  std::span<const float> masses() const { return masses_; }             // kg, inside order
  double total_mass() const { return total_mass_; }
  const Vec3d& rest_centre() const { return rest_centre_; }  // m, where x0 = 0 inside is
  float size() const { return size_; }                       // m, diagonal of the rest box
  float thickness() const { return thickness_; }             // m, its shortest side
  float spacing() const { return spacing_; }                 // m, between neighbours, the mean
  std::size_t bytes() const;

  MatchBody(const MatchBody&) = delete;
  MatchBody(MatchBody&&) = default;

 private:
  void sort_vertices(const TetMesh& solid);
  void make_rings(const TetMesh& solid, CancelView stop);
  std::vector<Vec3d> part_centres(const TetMesh& solid) const;

  std::vector<uint32_t> order_, place_, parts_;
  std::vector<uint32_t> first_, ring_;
  LaneFloats rest_, centre_, weighted_, per_mass_;
  std::vector<float> masses_;
  std::vector<double> part_masses_;
  double total_mass_ = 0;
  Vec3d rest_centre_{0, 0, 0};
  float size_ = 0, thickness_ = 0, spacing_ = 0;
  RingView view_;
};

enum class StiffnessMethod : uint8_t {
  fast,   // Chebyshev stages that reach as far as N passes
  plain,  // N passes, as in the paper
};

// How N passes are made of stages: mix[j] is that of stage j.
struct MatchPlan {
  std::vector<MatchMix> stages;
};
MatchPlan plan_stiffness(int n, StiffnessMethod method);

// What one run of passes needs beside the body: arrays inside order.
struct MatchScratch {
  LaneFloats x;          // quads: where the vertices are
  LaneFloats goal;       // quads: where they should be
  LaneFloats tensors;    // six arrays of `stride`: T
  LaneFloats rotations;  // four arrays of `stride`: R as quaternions, warm
  LaneFloats maps;       // 16 per region
  LaneFloats spare_a, spare_b;
  void fit(const MatchBody& body);
  std::size_t bytes() const;
};

// A vertex that is held: part 1 is where it must be, less is how far it is pulled towards it.
struct MatchPin {
  uint32_t at = 0;  // inside
  float part = 1;
  std::array<float, 3> to{0, 0, 0};
};

// What is rigid in goal - x, per connected part: shift + turn x (x - centre), quads.
struct RigidStep {
  std::array<float, 4> shift{}, turn{}, centre{};
};
void rigid_steps(const MatchBody& body, std::span<const float> x, std::span<const float> goal,
                 std::vector<RigidStep>& out);

// goal from x, tensors and rotations; rotations move on. `pins` are kept at every stage. The goal
// still has the rigid spin of several passes.
void match_passes(const MatchBody& body, const MatchPlan& plan, std::span<const MatchPin> pins,
                  MatchScratch& scratch);
// The same to another rest shape, whose x0, c0 and m~ x0 `rest` has, in the rings of the body.
void match_passes(const MatchBody& body, const RingView& rest, const MatchPlan& plan,
                  std::span<const MatchPin> pins, MatchScratch& scratch);
// The same, and without pins the spin is taken out.
void match_shape(const MatchBody& body, const MatchPlan& plan, std::span<const MatchPin> pins,
                 MatchScratch& scratch);

// v += amount * (the mean of the rigid motions of its regions - v), amount in [0, 1] [Mueller06,
// section 3.5]. Momentum, linear and angular, is kept. `motions` is scratch, 8 per region.
void damp_motion(const MatchBody& body, std::span<const float> x, float amount,
                 std::span<float> motions, std::span<float> v);

// How much each region is stretched along a direction d of its rest shape: |F d| - 1, where F is
// the linear map that fits the ring best. `directions` per vertex of the solid, unit vectors, or
// empty: x; `positions` in the solid's order. 0 where a ring is flat.
std::vector<float> measured_strain(const MatchBody& body, std::span<const Vec3f> positions,
                                   std::span<const Vec3f> directions);

}  // namespace sinew::kernels
