// A controller: shapes that a body takes in turn, over and over [Faloutsos97, section 6.1 and
// figure 10]. It belongs to no body: it fits every one that has modes of these names.
//
// Each pose says the amplitude that some modes shall have, and for how long. Which shape it gets is
// up to forces: Q_u = -(C (gamma - u) + D gamma'), C = f^2 k and D = 2 z f sqrt(k m) for the mode's
// own stiffness k and inertia m, so that the same controller serves bodies of any size and weight.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "nodes/geometry/types.h"

namespace sinew {

struct GraphPose {
  double time = 0.25;              // s, for which it is wanted
  std::vector<double> amplitudes;  // u, one for each of the modes

  bool operator==(const GraphPose&) const = default;
};

struct PoseGraph {
  std::vector<std::string> modes;  // names; no two the same
  std::vector<GraphPose> poses;    // in their order, and then from the first again
  double frequency = 4;            // f, times that of the mode alone: how stiffly poses are held
  double damping = 1;              // z, parts of the critical damping

  double cycle() const;  // s, of all poses once
  // u of all modes at a time since the start, s.
  const std::vector<double>& at(double seconds) const;
  bool operator==(const PoseGraph&) const = default;
};

inline constexpr std::size_t most_graph_poses = 256;
inline constexpr double shortest_pose = 1e-3, longest_pose = 1e4;  // s

std::optional<std::string> validate(const PoseGraph& graph);

std::size_t byte_size(const PoseGraph& graph);

}  // namespace sinew
