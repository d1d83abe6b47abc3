// Many vector offset operators from one, in the arrangements of vector fields
// [Hurmusiadis, section 8.3.7]: all in one direction (wind, waves), out of one point (springs), and
// along a spiral (tornadoes).
//
// Each member is the pattern moved, turned by the smallest rotation and scaled; its field is scaled
// with its length, so that it keeps its proportions. Along the array, from its first member (0) to
// its last (1), drawn charts vary length, width and coefficients.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "nodes/geometry/voo_set.h"

namespace sinew::kernels {

// Factors over the place along the array; nothing: 1 everywhere. The twist is added, in radians.
struct VooVariation {
  std::optional<Chart> length = {}, width = {};  // of the pin and its field; of the field across it
  std::optional<Chart> elongation = {}, flexibility = {}, blend = {};
  std::optional<Chart> twist = {};
};

struct VooArray {
  std::vector<Voo> members;
  std::vector<double> place;  // in [0, 1], for whoever animates them one after the other
};

inline constexpr std::size_t most_array_members = 100000;

// A grid of copies, first along steps[0], then [1], then [2]; centred about the pattern's head if
// `centred`, else starting there. counts >= 1. The place runs along the grid's first direction of
// more than one copy, so that a row moves together.
struct DirectionalArray {
  std::array<int, 3> counts = {5, 5, 1};
  std::array<Vec3d, 3> steps = {Vec3d(1, 0, 0), Vec3d(0, 0, 1), Vec3d(0, 1, 0)};  // m
  bool centred = true;
};
VooArray directional_array(const Voo& pattern, const DirectionalArray& options,
                           const VooVariation& variation = {});

// Out of one point, the pattern's head, evenly over a sphere or a part of it: member i of n points
// at the angle acos(1 - (1 - cos spread) (i + 1/2) / n) from the pattern's own direction, turned by
// i golden angles pi (3 - sqrt 5) about it (a Fibonacci lattice). The place is i / (n - 1): from
// the middle outwards.
struct RadialArray {
  int count = 32;
  double spread = 3.14159265358979323846;  // radians, (0, pi]: half the angle of the cone
  double start = 0;                        // m: how far from the point the heads are
};
VooArray radial_array(const Voo& pattern, const RadialArray& options,
                      const VooVariation& variation = {});

// Along a spiral about the pattern's head, up the pattern's own direction: the radius goes from
// radii[0] to radii[1] and the height from 0 to `height` while it winds `turns` times; heads are
// evenly spaced in angle. Each member follows the spiral, or, with `inward` 1, points at the axis;
// between the two by angle.
struct VortexArray {
  int count = 32;
  std::array<double, 2> radii = {0.3, 1};  // m
  double height = 2;                       // m
  double turns = 3;
  double inward = 0;  // 0 .. 1
};
VooArray vortex_array(const Voo& pattern, const VortexArray& options,
                      const VooVariation& variation = {});

// The pattern with another head and vector: turned by the smallest rotation, the radii scaled as
// its length is.
Voo placed_voo(const Voo& pattern, const Vec3d& head, const Vec3d& vector);

// The pattern's motion and material for an operator that was made from it: what moves the pin is
// turned and scaled as the pin was. Constraints belong to a place and are left behind.
VooMember placed_member(const VooMember& pattern, Voo placed);

// The pattern carried as a whole by x -> about + turn (x - about): pin, field and motion; `turn` is
// a rotation or a reflection, which turns twists round.
VooMember turned_member(const VooMember& pattern, const Vec3d& about, const Eigen::Matrix3d& turn);

// The pattern `count` times about an axis, evenly over the sweep (radians): a full turn comes back
// to the first one. The place is i / (n - 1). Not in the thesis: arms about a body, petals, legs.
struct RingArray {
  int count = 8;
  Vec3d about{0, 0, 0}, axis{0, 1, 0};  // m; any length but 0
  double sweep = 2 * 3.14159265358979323846;
};
std::vector<VooMember> ring_members(const VooMember& pattern, const RingArray& options);
// The pattern and its mirror image in a plane: wings, arms, fins.
std::vector<VooMember> mirrored_members(const VooMember& pattern, const Vec3d& about,
                                        const Vec3d& normal);

}  // namespace sinew::kernels
