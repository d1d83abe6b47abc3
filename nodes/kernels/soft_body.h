// One soft body in time: shape matching pulls it to its goal, the world pushes it about.
//
// A step of h seconds [Ijiri09, eqs. 8 and 9], every part of which is stable whatever its numbers:
//   g   <- the goal shape of x under the local deformations T     shape_match.h
//   v   <- v + (g - x) / h
//   v   <- v + a (u - v) + b (y - x) / h                           led bodies only: soft_follow.h
//   v   <- v + h (gravity + push / m)
//   v   <- v + h k (to - x - h v) / (m + h^2 k)                    a spring that pulls: implicit
//   v   <- v exp(-h drag)                                          drag proportional to mass
//   v   <- v - (m I + h D)^-1 h D (v - wind)                       fluid on triangles: implicit
//   v   <- region damping by 1 - exp(-h damping)                   keeps momentum
//   x   <- x + h v                                                 no farther than 10 sizes a step
//   contacts: out of the obstacle as far as this step went in, and the rest of the way slowly, so
//             that an overlap does not become speed; approaching speed gone, Coulomb friction in
//             the tangent plane
//
// Fluid. A triangle of area A and normal n that moves at u against the fluid feels
//   -1/2 rho A (Cn |u.n| (u.n) n + Ct |u| (u - (u.n) n)):
// pushing water with the flat side costs more than slicing through it, and twice the speed costs
// four times as much. That is all a swimmer needs: a quick stroke and a slow recovery do not
// cancel. D is the sum of its triangles' thirds, with |u| of the beginning of the step.
//
// Friction. A vertex that slides along `heading` (given at rest, turned with the body) has the
// obstacle's coefficient times `forward`, against it times `backward`, across it times `sideways`:
// bristles that let the body go one way. Equal numbers are plain Coulomb friction.
//
// Books. What each kind of external force gave to the momentum is added up in double precision.
// Shape matching and damping are internal: they have no book, and momentum must come out without.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "nodes/geometry/colliders.h"
#include "nodes/geometry/tet_mesh.h"
#include "nodes/kernels/adjacency.h"
#include "nodes/kernels/collide.h"
#include "nodes/kernels/shape_match.h"
#include "nodes/kernels/soft_follow.h"

namespace sinew::kernels {

// The rest shape, prepared: rings, and the surface that the world acts on.
class SoftBody {
 public:
  SoftBody(const TetMesh& solid, std::span<const float> masses, CancelView stop = {});

  const MatchBody& match() const { return match_; }
  std::size_t count() const { return match_.count(); }
  std::span<const Triangle> triangles() const { return triangles_; }  // boundary, inside order
  const Rows& vertex_triangles() const { return around_; }            // by entry of surface()
  std::span<const uint32_t> surface() const { return surface_; }      // boundary vertices, inside
  std::size_t bytes() const;

 private:
  MatchBody match_;
  std::vector<Triangle> triangles_;
  Rows around_;
  std::vector<uint32_t> surface_;
};

// kg per vertex: density times the volume around it times a factor (one, or one per vertex; kept
// from 0.001 to 1000). A vertex without volume gets a thousandth of the mean.
std::vector<float> vertex_masses(const TetMesh& solid, double density,
                                 std::span<const float> factor);

struct Fluid {
  float density = 0;    // rho, kg/m^3; 0: none
  float across = 1;     // Cn
  float along = 0.02f;  // Ct
  Vec3f flow{0, 0, 0};  // m/s, of the fluid: wind or current
};

struct Friction {
  Vec3f heading{0, 0, 1};  // at rest
  float forward = 1, backward = 1, sideways = 1;
  bool is_directed() const { return forward != sideways || backward != sideways; }
};

// One vertex of a patch that is pulled.
struct Pull {
  uint32_t vertex = 0;  // of the solid
  float stiffness = 0;  // k, N/m
  Vec3f to{0, 0, 0};    // m
};

// A vertex that is held, wholly (part 1) or softly.
struct Pin {
  uint32_t vertex = 0;  // of the solid
  float part = 1;
  Vec3f to{0, 0, 0};   // m
  Vec3f off{0, 0, 0};  // m, from there, or from the led shape if that holds it
};

struct SoftSettings {
  MatchPlan plan = plan_stiffness(1, StiffnessMethod::plain);
  float size = 1;          // of this instance against the rest shape; masses grow with its cube
  Vec3f gravity{0, 0, 0};  // m/s^2
  std::span<const Vec3f> push;  // N per vertex of the solid; may be empty
  float damping = 0;            // 1/s, of what is not rigid motion
  float drag = 0;               // 1/s, of every motion
  Fluid fluid;
  Friction friction;
  std::span<const Pull> pulls;
  std::span<const Pin> pins;
  const Led* led = nullptr;  // where it is led, or null: nowhere; its size must be 1 then
  const Colliders* colliders = nullptr;
  // The same obstacles a frame earlier; null, or others in kind or number: they stand still. In a
  // step they, and the led shape, go from the part `frame_from` of their way to `frame_to`.
  const Colliders* colliders_before = nullptr;
  float frame_from = 0, frame_to = 1;
  // From this obstacle on they are felt: a vertex that runs into one is reported.
  std::size_t first_felt = std::numeric_limits<std::size_t>::max();
};

// Momentum given from outside since the start, kg m/s.
struct SoftBooks {
  Vec3d gravity{0, 0, 0};
  Vec3d push{0, 0, 0};     // push and pulls
  Vec3d medium{0, 0, 0};   // drag and fluid
  Vec3d contact{0, 0, 0};  // obstacles and other bodies
  Vec3d held{0, 0, 0};     // pins
  Vec3d led{0, 0, 0};      // what draws it to where it is led
  Vec3d limit{0, 0, 0};    // limits of speed and of being drawn out; 0 in any sane scene
  Vec3d total() const { return gravity + push + medium + contact + held + led + limit; }
};

struct SoftState {
  std::vector<Vec3f> positions, velocities;  // m, m/s; the solid's order
  LaneFloats rotations;                      // of the regions, for the next step's warm start
  LaneFloats tensors;                        // T at the end of the last step
  SoftBooks books;

  std::size_t bytes() const;
};

// At rest, moved rigidly and scaled.
SoftState rest_state(const SoftBody& body, const TetMesh& solid, float size = 1,
                     const Eigen::Quaternionf& turn = Eigen::Quaternionf::Identity(),
                     const Vec3f& shift = Vec3f::Zero());

struct SoftScratch {
  MatchScratch match;
  LedScratch led;  // empty as long as nothing leads
  LaneFloats v, motions;
  std::vector<MatchPin> pins;
  std::vector<std::array<float, 6>> drag;  // per boundary triangle
  std::vector<RigidStep> rigid;            // per connected part
  Colliders obstacles, obstacles_before;   // at the two ends of a step
  std::vector<Vec3f> points, normals;      // per vertex, inside order
  std::vector<float> distances;
  std::vector<uint32_t> nearest;
  std::vector<uint32_t> near_obstacle;  // where groups of these begin
  void fit(const SoftBody& body);
};

// The tensors of an activation (the solid's order) as a step takes them.
void arrange_tensors(const SoftBody& body, const SymmetricArrays& activation, LaneFloats& out);
// No activation: T = I.
void rest_tensors(const SoftBody& body, LaneFloats& out);

inline constexpr uint32_t nothing_felt = std::numeric_limits<uint32_t>::max();

// h seconds on, in place. The local deformation goes `ramp` of the way from state.tensors to
// `tensors`: of n steps in a frame the k-th (from 0) has ramp 1 / (n - k). Returns the vertex of
// the solid that ran deepest into something that is felt, or nothing_felt. Allocates nothing once
// the scratch fits.
uint32_t step_soft_body(const SoftBody& body, const SoftSettings& settings, double h,
                        std::span<const float> tensors, float ramp, SoftScratch& scratch,
                        SoftState& state);

// How many steps a frame of dt seconds needs so that the body does not sag under its own weight: a
// step lets each layer of rings fall by g h^2 below the one under it, so with k layers
// g h^2 k^2 / 2 should be at most a hundredth of the thickness. At least 2, at most
// most_gravity_steps: whoever is asked for more is too small, or too fine, for this gravity.
inline constexpr int most_gravity_steps = 32;
int steps_for_gravity(const SoftBody& body, const Vec3f& gravity, float size, double dt);

struct SoftMotion {
  double mass = 0;          // kg
  Vec3d centre{0, 0, 0};    // m, of mass
  Vec3d momentum{0, 0, 0};  // kg m/s
  Vec3d spin{0, 0, 0};      // kg m^2/s, about the centre
  double kinetic = 0;       // J
};
SoftMotion soft_motion(const SoftBody& body, const SoftState& state, float size = 1);

}  // namespace sinew::kernels
