// Poses that a body takes in turn. [Faloutsos97, section 6.1]
#include "nodes/node.h"

namespace sinew {
namespace {

In<PoseGraph> poses, from;
In<float> speed, strength, stiffness, damping;
Out<PoseGraph> out;

PoseGraph squash_and_stretch() {
  PoseGraph graph;
  graph.modes = {"squash y"};
  graph.poses = {{0.25, {0.5}}, {0.25, {-0.3}}};
  return graph;
}

void declare(Declaration& d) {
  d.id("dffd.controller", 1).label("Controller").category("Dynamic FFD");
  d.doc("Poses that active modes of a body take in turn, over and over: how it walks and hops.");
  d.in(poses, "poses", squash_and_stretch())
      .doc(
          "The amplitudes of some modes, each pose for its time. It fits every body with modes of "
          "these names.");
  d.in(from, "from").optional().doc("Another controller, whose poses are taken instead.");
  d.in(speed, "speed", 1.0f).range(0.01, 100).doc("Times as fast.");
  d.in(strength, "strength", 1.0f).range(-100, 100).doc("All amplitudes times this.");
  d.in(stiffness, "stiffness", 1.0f)
      .range(0.001, 1000)
      .doc("Times as stiff as the poses say: how hard it tries to take them.");
  d.in(damping, "damping", 1.0f).range(0, 1000).doc("Times as damped.");
  d.out(out, "controller").doc("For a simulation, or for a search to begin with.");
}

void exec(Exec& e) {
  const PoseGraph* other = e.get_if<PoseGraph>(from);
  PoseGraph graph = other ? *other : e.get(poses);
  for (GraphPose& pose : graph.poses) {
    pose.time = std::clamp(pose.time / double{e.get(speed)}, shortest_pose, longest_pose);
    for (double& amplitude : pose.amplitudes) {
      amplitude =
          std::clamp(amplitude * double{e.get(strength)}, -largest_amplitude, largest_amplitude);
    }
  }
  graph.frequency = std::clamp(graph.frequency * std::sqrt(double{e.get(stiffness)}), 0.0, 1000.0);
  graph.damping = std::clamp(graph.damping * double{e.get(damping)}, 0.0, 100.0);
  e.set(out, std::move(graph));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(dffd_controller, declare, exec)
