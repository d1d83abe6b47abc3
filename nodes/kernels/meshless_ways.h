// Ways of several bodies that cross, moved aside until the bodies pass each other: where the search
// for a motion begins.
//
// What bodies that run into each other are told by contacts alone is to go back before they meet,
// and to go on after it: both along their way, so that one undoes the other and they go through
// each other, quickly. So the ways come first, by what is rigid of them. Of two that come too near,
// with r between their middles at the nearest moment and v the velocity of r,
//   n = r - (r . v / v . v) v, normed,   needed = support of one against n + of the other along n,
// and each goes (needed - r . n) / 2 along n, most at that moment and less before and after. This
// is repeated until nobody comes too near, or often enough.
#pragma once

#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "nodes/geometry/meshless_body.h"

namespace sinew::kernels {

// One body at all moments.
struct RigidWay {
  const MeshlessBody* body = nullptr;
  std::vector<Vec3d> middles;          // m
  std::vector<Eigen::Matrix3d> turns;  // from how it rests
  std::vector<double> free;            // s to the nearest moment at which it cannot be moved
};

struct WaySettings {
  double margin = 0.015;  // in sizes
  uint64_t seed = 1;      // which side they take who meet head on
  int rounds = 200;
};

// Two bodies, the smaller number first.
using BodyPairs = std::set<std::pair<uint32_t, uint32_t>>;

// How far each body is moved at each moment, by body and moment; empty where nobody is in the way
// of anybody. `times`: seconds, increasing. With `asked`, only those pairs step aside.
std::vector<std::vector<Vec3d>> part_ways(const std::vector<RigidWay>& ways,
                                          const std::vector<double>& times,
                                          const WaySettings& settings,
                                          const BodyPairs* asked = nullptr);

}  // namespace sinew::kernels
