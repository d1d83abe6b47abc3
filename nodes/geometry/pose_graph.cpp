#include "nodes/geometry/pose_graph.h"

#include <fmt/format.h>

#include <cmath>
#include <set>

#include "nodes/geometry/modes.h"

namespace sinew {

double PoseGraph::cycle() const {
  double sum = 0;
  for (const GraphPose& pose : poses) sum += pose.time;
  return sum;
}

const std::vector<double>& PoseGraph::at(double seconds) const {
  double left = std::fmod(seconds, cycle());
  if (left < 0) left += cycle();
  for (const GraphPose& pose : poses) {
    if (left < pose.time) return pose.amplitudes;
    left -= pose.time;
  }
  return poses.back().amplitudes;
}

std::optional<std::string> validate(const PoseGraph& graph) {
  if (graph.modes.size() > most_modes) {
    return fmt::format("{} modes, but at most {} are allowed", graph.modes.size(), most_modes);
  }
  std::set<std::string> names;
  for (const std::string& name : graph.modes) {
    if (name.empty()) return "a mode has no name";
    if (!names.insert(name).second) return fmt::format("mode '{}' is named twice", name);
  }
  if (graph.poses.size() > most_graph_poses) {
    return fmt::format("{} poses, but at most {} are allowed", graph.poses.size(),
                       most_graph_poses);
  }
  for (std::size_t i = 0; i < graph.poses.size(); ++i) {
    const GraphPose& pose = graph.poses[i];
    if (!(pose.time >= shortest_pose && pose.time <= longest_pose)) {
      return fmt::format("pose {}: its time must be from {:g} to {:g} s", i + 1, shortest_pose,
                         longest_pose);
    }
    if (pose.amplitudes.size() != graph.modes.size()) {
      return fmt::format("pose {}: it has {} amplitudes, but there are {} modes", i + 1,
                         pose.amplitudes.size(), graph.modes.size());
    }
    for (const double amplitude : pose.amplitudes) {
      if (std::abs(amplitude) <= largest_amplitude) continue;
      return fmt::format("pose {}: amplitudes must be from {:g} to {:g}", i + 1, -largest_amplitude,
                         largest_amplitude);
    }
  }
  if (!(graph.frequency >= 0 && graph.frequency <= 1000)) {
    return "the frequency must be from 0 to 1000 Hz";
  }
  if (!(graph.damping >= 0 && graph.damping <= 100)) return "the damping must be from 0 to 100";
  return std::nullopt;
}

std::size_t byte_size(const PoseGraph& graph) {
  std::size_t sum = sizeof graph;
  for (const std::string& name : graph.modes) sum += sizeof name + name.size();
  for (const GraphPose& pose : graph.poses) {
    sum += sizeof pose + pose.amplitudes.size() * sizeof(double);
  }
  return sum;
}

}  // namespace sinew
