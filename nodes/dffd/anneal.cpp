// Finds a controller that makes a body move as somebody wishes. [Faloutsos97, section 6.2]
#include <fmt/format.h>

#include "graph/document.h"
#include "nodes/kernels/gait.h"
#include "nodes/modal_words.h"
#include "nodes/search_run.h"

namespace sinew {
namespace {

enum class Vary { poses, times, both };

ModalWords words;
SearchWords search_words;
In<kernels::GaitCost> goal;
In<float> k1, k2, constant;
In<Vec3> direction;
In<float> aside, height, upright, smooth, seconds;
In<Vary> vary;
In<float> range, shortest, longest;
Out<PoseGraph> out;
Out<float> cost, start_cost;

constexpr int former_price = 1;  // K1 until version 1
// How often a motion is looked at, whatever the frame rate is.
constexpr double judged_every = 0.04;  // s

void search(Exec& e, WorkSite& site);

void declare(Declaration& d) {
  d.id("dffd.anneal", 2).label("Find a Gait").category("Dynamic FFD");
  d.doc(
      "Searches for poses and times with which a body moves as far, as cheaply or as high as "
      "wished. What was found stays in the document; until then the controller is handed on. What "
      "is animated counts as it is at the first frame.");
  d.uses_dt();
  d.upgrade([](UpgradeStep& step) {
    step.params()["steps_fit"] = true;
    const auto goal_of_it = step.params().find("goal");
    const bool weighs = goal_of_it == step.params().end() || goal_of_it->second == "weights" ||
                        !goal_of_it->second.is_string();
    if (weighs) step.params().try_emplace("k1", former_price);
  });
  words.declare_body(d, "Where the search begins: its modes and poses are varied.");
  d.in(goal, "goal", kernels::GaitCost::weights)
      .choices({"distance", "effort", "bound", "fast_bound", "shuffle", "weights"})
      .doc(
          "What costs. distance: 1 / way. effort: energy / way. bound: energy / (constant way "
          "speed); fast_bound the same with 5 times the constant. shuffle: energy / (5 constant "
          "way). weights: k1 energy - k2 way. Ways count in sizes of the body, energy in what "
          "lifts "
          "it by its size.");
  d.in(k1, "k1", static_cast<float>(kernels::standard_price))
      .range(-1e6, 1e6)
      .doc("Of 'weights': the price of energy. With 1 most bodies do best to stand still.");
  d.in(k2, "k2", 1.0f).range(-1e6, 1e6).doc("Of 'weights': the reward for the way.");
  d.in(constant, "constant", 1.0f).range(1e-9, 1e12).doc("Of bound, fast_bound and shuffle.");
  d.in(direction, "direction", Vec3{1, 0, 0}).range(-1e6, 1e6).doc("In which it shall go.");
  d.in(aside, "aside", 0.0f).range(-1e6, 1e6).doc("Price of each size that it ends off its way.");
  d.in(height, "height", 0.0f).range(-1e6, 1e6).doc("Reward for each size that it rises at most.");
  d.in(upright, "upright", 0.0f)
      .range(-1e6, 1e6)
      .doc("Price of tilting: 1 is upside down all the time.");
  d.in(smooth, "smooth", 0.0f)
      .range(-1e6, 1e6)
      .doc("Price of the mean square of its accelerations, in that of falling.");
  d.in(seconds, "seconds", 4.0f).range(0.1, 100).unit("s").doc("Of motion that are judged.");
  d.in(vary, "vary", Vary::both)
      .choices({"poses", "times", "both"})
      .doc("What is searched: amplitudes of the poses, their times, or both.");
  d.in(range, "range", 1.0f).range(0.01, 100).doc("Amplitudes are looked for up to this.");
  d.in(shortest, "shortest", 0.05f).range(0.001, 100).unit("s").doc("Time of a pose, at least.");
  d.in(longest, "longest", 1.0f).range(0.001, 100).unit("s").doc("Time of a pose, at most.");
  words.declare_world(d);
  search_words.declare(d);
  d.work("Search", search_words.found, search);
  d.out(out, "controller").doc("The picked candidate; the one that came in while there is none.");
  d.out(cost, "cost").doc("Of the picked candidate; 0 while there is none.");
  d.out(start_cost, "start_cost").doc("Of what the search began with; 0 while there is none.");
}

bool varies_poses(const Exec& e) { return e.get(vary) != Vary::times; }
bool varies_times(const Exec& e) { return e.get(vary) != Vary::poses; }

// The numbers of a controller that are searched, in the order of pose_with().
kernels::SearchSpace space_of(const Exec& e, const PoseGraph& start) {
  kernels::SearchSpace space;
  const double most = shortest_decimal(e.get(range));
  const double brief = shortest_decimal(e.get(shortest));
  const double slow = std::max(brief, shortest_decimal(e.get(longest)));
  for (std::size_t p = 0; p < start.poses.size(); ++p) {
    for (std::size_t m = 0; varies_poses(e) && m < start.modes.size(); ++m) {
      space.variables.push_back({fmt::format("{} {}", start.modes[m], p + 1), -most, most,
                                 std::clamp(start.poses[p].amplitudes[m], -most, most)});
    }
    if (varies_times(e)) {
      space.variables.push_back({fmt::format("time {}", p + 1), brief, slow,
                                 std::clamp(start.poses[p].time, brief, slow)});
    }
  }
  return space;
}

// The controller with other numbers.
PoseGraph graph_with(const PoseGraph& start, std::span<const double> values, bool poses,
                     bool times) {
  PoseGraph graph = start;
  std::size_t next = 0;
  for (GraphPose& pose : graph.poses) {
    for (std::size_t m = 0; poses && m < graph.modes.size(); ++m) {
      pose.amplitudes[m] = values[next++];
    }
    if (times) pose.time = values[next++];
  }
  return graph;
}

kernels::GaitGoal goal_of(const Exec& e) {
  kernels::GaitGoal g;
  g.cost = e.get(goal);
  g.k1 = double{e.get(k1)};
  g.k2 = double{e.get(k2)};
  g.constant = double{e.get(constant)};
  g.direction = to_eigen(e.get(direction)).cast<double>();
  g.aside = double{e.get(aside)};
  g.height = double{e.get(height)};
  g.upright = double{e.get(upright)};
  g.smooth = double{e.get(smooth)};
  g.seconds = double{e.get(seconds)};
  g.frame = e.get(words.steps_fit) ? e.dt() : judged_every;
  return g;
}

// What the search begins with; nullptr after an error that says what is missing.
const PoseGraph* start_of(Exec& e) {
  const PoseGraph* start = e.get_if<PoseGraph>(words.controller);
  if (!start || start->poses.empty() || start->modes.empty()) {
    e.error(
        "link a controller with poses to begin with: it says which modes are driven, and how "
        "many poses there are");
    return nullptr;
  }
  return start;
}

void search(Exec& e, WorkSite& site) {
  const PoseGraph* start = start_of(e);
  if (!start) return;
  const auto model = words.prepare(e);
  const kernels::ModalControl drives = words.control(e, *model, start);
  if (std::none_of(drives.modes.begin(), drives.modes.end(),
                   [&](uint32_t m) { return m < model->modes(); })) {
    return e.error(
        "the controller drives none of the body's active modes: there is nothing to "
        "search");
  }
  kernels::ModalSettings settings = words.settings(e);
  const BodyForces* forces = e.get_if<BodyForces>(words.forces);
  const kernels::ModalPulls pulls(*model, forces ? *forces : BodyForces(),
                                  forces ? *forces : BodyForces());
  settings.pulls = &pulls;
  settings.stop = CancelView{e.cancel_flag()};
  const kernels::ModalState first = words.start(e, *model);
  const kernels::GaitGoal wish = goal_of(e);
  std::vector<std::unique_ptr<kernels::Gait>> gaits(site.lanes());
  for (auto& gait : gaits) {
    gait = std::make_unique<kernels::Gait>(model, settings, first, wish);
  }
  const bool poses = varies_poses(e), times = varies_times(e);
  const Modes& modes = *e.get(words.body).modes;
  run_search(e, site, search_words, space_of(e, *start),
             [&](std::span<const double> values, std::size_t lane) -> double {
               const PoseGraph graph = graph_with(*start, values, poses, times);
               const kernels::ModalControl control(*model, modes, graph);
               try {
                 return gaits[lane]->cost(gaits[lane]->measure(control));
               } catch (const Stopped&) {
                 return std::numeric_limits<double>::quiet_NaN();  // nobody asks for it any more
               }
             });
}

void exec(Exec& e) {
  const PoseGraph* start = start_of(e);
  if (!start) return;
  const FoundCandidate* one = search_words.picked(e);
  const Found& found = e.get(search_words.found);
  if (one) {
    std::vector<std::string> names;
    for (const kernels::SearchVariable& v : space_of(e, *start).variables) names.push_back(v.name);
    if (names != found.names) {
      e.warning(
          "what was found is for a controller with other poses or modes, or for another 'vary': "
          "search again; until then the one that came in is handed on");
      one = nullptr;
    }
  }
  e.set(cost, one ? to_float(one->cost) : 0.0f);
  e.set(start_cost, one ? to_float(found.start_cost) : 0.0f);
  e.set(out, one ? graph_with(*start, one->values, varies_poses(e), varies_times(e)) : *start);
}

}  // namespace
}  // namespace sinew

SINEW_NODE(dffd_anneal, declare, exec)
