#include "tests/app/work_nodes.h"

#include <chrono>
#include <cmath>
#include <memory>
#include <thread>

#include "nodes/node.h"
#include "nodes/register_all_nodes.h"

namespace sinew::testing {
namespace {

namespace poses {

In<PoseGraph> graph;
Out<PoseGraph> out;

PoseGraph usual() {
  PoseGraph g;
  g.modes = {"bend", "twist"};
  g.poses = {{0.2, {0.5, 0}}, {0.3, {-0.5, 1}}, {0.5, {0, -1}}};
  return g;
}

void declare(Declaration& d) {
  d.id("test.poses", 1).label("Poses").category("Test").doc("Hands poses on.");
  d.in(graph, "poses", usual());
  d.out(out, "poses");
}

void exec(Exec& e) { e.forward(out, graph); }

}  // namespace poses

namespace seeker {

In<Mesh> mesh;
In<float> goal;
In<int> rounds;
In<Found> found;
In<int> pick;
Out<Mesh> out;

void search(Exec& e, WorkSite& site) {
  if (e.get(goal) < 0) return e.error("the goal is below 0");
  Found all;
  all.names = {"height"};
  all.start_cost = e.get(goal);
  all.trials = e.get(found).log.size();
  all.log = e.get(found).log;
  if (!all.log.empty()) all.candidates = e.get(found).candidates;
  while (all.log.size() < static_cast<size_t>(e.get(rounds))) {
    while (static_cast<int>(all.log.size()) >= rounds_allowed() && !site.stopped())
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (site.stopped()) {
      all.settings = "seeker";
      return site.publish(Value::of(all));
    }
    const double left = e.get(goal) * std::pow(0.5, static_cast<double>(all.log.size() + 1));
    all.candidates.insert(all.candidates.begin(), {left, all.trials, {e.get(goal) - left}});
    all.log.push_back(left);
    ++all.trials;
    site.publish(Value::of(all));
    site.progress(static_cast<double>(all.log.size()) / e.get(rounds),
                  fmt::format("trial {} of {}", all.log.size(), e.get(rounds)));
  }
  all.log.clear();
  site.publish(Value::of(all));
}

void declare(Declaration& d) {
  d.id("test.seeker", 1).label("Seeker").category("Test").doc("Searches for a height.");
  d.uses_frame();
  d.in(mesh, "mesh");
  d.in(goal, "goal", 1.0f).range(-10, 10);
  d.in(rounds, "rounds", 4).range(1, 100);
  d.in(found, "found", Found());
  d.in(pick, "pick", 0).range(0, 999);
  d.work("Search", found, search);
  d.out(out, "mesh");
}

void exec(Exec& e) {
  Mesh moved = e.get(mesh);
  const auto& list = e.get(found).candidates;
  const double high =
      list.empty() ? 0 : list[std::min<size_t>(e.get(pick), list.size() - 1)].values[0];
  const auto up = static_cast<float>(high * e.frame() / 10);
  for (Vec3f& p : moved.positions) p.y() += up;
  e.set(out, std::move(moved));
}

}  // namespace seeker

}  // namespace

std::atomic<int>& rounds_allowed() {
  static std::atomic<int> rounds{0};
  return rounds;
}

const Registry& work_registry() {
  static const std::unique_ptr<Registry> all = [] {
    auto made = std::make_unique<Registry>();
    register_all_nodes(*made);
    made->add(compute_node(poses::declare, poses::exec));
    made->add(compute_node(seeker::declare, seeker::exec));
    return made;
  }();
  return *all;
}

}  // namespace sinew::testing
