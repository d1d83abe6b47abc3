// Constraints on vector offset operators, and arthra (joints) between them
// [Hurmusiadis, section 8.3].
//
// The operators are posed by whoever animates them; this brings the poses to the nearest ones that
// can be. Ends that share an arthron become one point. Then sweeps go over the operators, forwards
// and backwards in turn, each moving its two points as little as its constraints allow: about its
// middle, or about the end that is held. 20 sweeps do for bodies of a few operators; longer chains
// need more, and the gap that is left is told.
//
// Constraints take precedence over arthra (section 8.3.3.2): at the end every operator meets its
// own exactly; an arthron is where the first constrained operator at it puts it, and what has no
// constraints follows. The gap is how far others at the arthron are from there.
//
// Within one operator: the position of an end first, then its direction or aim (the direction, if
// both are given), then its length. What cannot be met with both ends held is left.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "nodes/geometry/voo_set.h"

namespace sinew::kernels {

struct Articulation {
  std::vector<VooArthron> arthra;
  std::vector<VooConstraint> constraints;  // one per operator, or none
};

// The first thing that is wrong, or nothing: an end that does not exist or is in two arthra, a
// fixed arthron without a place, a number that is not finite, a direction without length.
std::optional<std::string> validate(const Articulation& articulation, std::size_t voo_count);

// One operator on its own: exact. `rest` gives the direction of one without length.
void constrain_pose(const VooConstraint& constraint, const VooPose& rest, VooPose& pose);

struct ArticulateReport {
  double gap = 0;  // m: the largest distance of an end from its arthron
};
// poses: one per operator, with what the animation wants; changed to what can be. rest: the same
// operators at rest. Deterministic; takes time for each operator and sweep.
ArticulateReport articulate(const Articulation& articulation, std::span<const VooPose> rest,
                            std::span<VooPose> poses, int sweeps = 20);

// --- networks ---------------------------------------------------------------------------------

// Operators along edges between points, and an arthron at each point where two or more meet.
struct VooNetwork {
  std::vector<Voo> members;
  std::vector<VooArthron> arthra;
};
struct VooEdge {
  uint32_t from = 0, to = 0;
};
// Each member is placed_voo() of the pattern (voo_array.h). A skeleton is this.
VooNetwork make_network(const Voo& pattern, std::span<const Vec3d> points,
                        std::span<const VooEdge> edges);
// A closed triangle of three (figure 8.20).
VooNetwork make_cell(const Voo& pattern, const Vec3d& a, const Vec3d& b, const Vec3d& c);
// A sheet of counts[0] x counts[1] parallelograms, each of two triangular cells (figure 8.21).
VooNetwork make_plexus(const Voo& pattern, const Vec3d& corner, const Vec3d& along,
                       const Vec3d& across, std::array<int, 2> counts);

}  // namespace sinew::kernels
