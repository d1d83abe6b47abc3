// The paper's teapot and table with their controllers made by hand, for tests and benchmarks.
#pragma once

#include <tbb/parallel_for.h>

#include "nodes/kernels/everyday_bodies.h"
#include "nodes/kernels/gait.h"
#include "nodes/kernels/mode_library.h"
#include "nodes/kernels/search.h"
#include "nodes/kernels/teapot.h"
#include "tests/kernels/modal_bodies.h"

namespace sinew::kernels::testing {

struct Usual {
  ModeKind kind;
  int axis, toward;
  double size;
  bool active;
};

inline ModalBody character(const Mesh& mesh, std::initializer_list<Usual> list) {
  const auto rest = cage_around(mesh.positions);
  ModeLattice lattice{rest, {}};
  for (const Usual& one : list) {
    DeformMode mode;
    mode.name = default_mode_name(one.kind, one.axis, one.toward);
    mode.delta = mode_delta(*rest, one.kind, one.axis, one.toward, one.size);
    mode.active = one.active;
    lattice.modes.push_back(std::move(mode));
  }
  return body_of(mesh, {{lattice}}, 32, 300);
}

// Squash and shear, both active: figures 13 and 16.
inline ModalBody teapot_character() {
  return character(mesh_body(teapot_body({}), 3000),
                   {{ModeKind::squash, 1, 0, 0.5, true}, {ModeKind::shear, 1, 2, 0.6, true}});
}
// Crouch, leap forward, land.
inline PoseGraph teapot_hop() {
  PoseGraph graph;
  graph.modes = {"squash y", "shear y to z"};

  graph.frequency = 2;
  graph.poses = {{0.3, {0.5, -0.3}}, {0.3, {-0.4, 0.4}}, {0.15, {0, 0}}};
  return graph;
}

// Vertical shear and horizontal bend drive it, vertical and horizontal squash give way: figure 2.
// The table is long along z.
inline ModalBody table_character() {
  return character(mesh_body(table_body({}), 2000), {{ModeKind::shear, 1, 2, 0.5, true},
                                                     {ModeKind::bend, 2, 1, 0.3, true},
                                                     {ModeKind::squash, 1, 0, 0.4, false},
                                                     {ModeKind::squash, 2, 0, 0.2, false}});
}
inline PoseGraph table_bound() {
  PoseGraph graph;
  graph.modes = {"shear y to z", "bend z to y"};

  graph.frequency = 1.8;
  graph.poses = {{0.2, {-0.4, 0.4}}, {0.2, {0.4, -0.4}}, {0.2, {0.2, 0.2}}};
  return graph;
}

// Poses and times of a controller as numbers, and back.
inline SearchSpace space_of(const PoseGraph& start) {
  SearchSpace space;
  for (const GraphPose& pose : start.poses) {
    for (const double amplitude : pose.amplitudes) {
      space.variables.push_back({std::to_string(space.variables.size()), -1, 1, amplitude});
    }
    space.variables.push_back({std::to_string(space.variables.size()), 0.05, 1, pose.time});
  }
  return space;
}
inline PoseGraph graph_of(const PoseGraph& start, std::span<const double> values) {
  PoseGraph graph = start;
  std::size_t next = 0;
  for (GraphPose& pose : graph.poses) {
    for (double& amplitude : pose.amplitudes) amplitude = values[next++];
    pose.time = values[next++];
  }
  return graph;
}

struct Learning {
  ModalBody body;
  PoseGraph start;
  GaitGoal goal;
  Colliders ground_under;
  std::shared_ptr<const ModalModel> model;

  Learning(ModalBody with, PoseGraph begin, GaitGoal wish)
      : body(std::move(with)), start(std::move(begin)), goal(wish) {
    ground_under.list.push_back(ground(0.6f));
    model = std::make_shared<const ModalModel>(body);
  }
  std::unique_ptr<Gait> gait() const {
    ModalSettings settings;
    settings.colliders = &ground_under;
    settings.steps_per_second = 250;
    return std::make_unique<Gait>(model, settings, modal_rest(*model), goal);
  }
  GaitMeasure measure(const PoseGraph& graph) const {
    return gait()->measure(ModalControl(*model, *body.modes, graph));
  }
  // With two trials at a time.
  Found search(const SearchSettings& settings) const {
    Search search(space_of(start), settings);
    std::unique_ptr<Gait> gaits[2] = {gait(), gait()};
    while (!search.done()) {
      const std::vector<SearchTrial>& trials = search.ask(2);
      std::vector<double> costs(trials.size());
      tbb::parallel_for(std::size_t{0}, std::size_t{2}, [&](std::size_t lane) {
        for (std::size_t i = lane; i < trials.size(); i += 2) {
          const PoseGraph graph = graph_of(start, trials[i].values);
          const ModalControl control(*model, *body.modes, graph);
          costs[i] = gaits[lane]->cost(gaits[lane]->measure(control));
        }
      });
      search.tell(costs);
    }
    return search.found();
  }
};

}  // namespace sinew::kernels::testing
