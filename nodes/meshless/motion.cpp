// The smooth motion through keys that costs least, around obstacles and each other.
// [Adams10, section 6]
#include "nodes/kernels/meshless_motion.h"

#include <algorithm>
#include <mutex>

#include "graph/document.h"
#include "nodes/geometry/frame_slack.h"
#include "nodes/meshless_words.h"

namespace sinew {
namespace {

using kernels::MotionProgress;
using kernels::MotionSettings;
using kernels::MotionSolver;
using kernels::ObstaclesInTime;

InList<KeyedBodies> keys;
In<Colliders> obstacles;
In<float> strain, volume, acceleration, position, velocity, avoid_obstacles, avoid_bodies, spin;
In<float> overshoot, margin, accuracy;
In<Vec3> gravity;
In<int> frames, seed;
Out<Motion> out;
Out<Chart> energy, energy_start;
Out<float> deepest;
Out<int> used;

void declare_weights(Declaration& d) {
  d.in(strain, "strain", 1).range(1e-4, 1e4).doc("How much bodies mind being deformed.");
  d.in(volume, "volume", 1).range(0, 1e4).doc("How much they mind a change of their volume.");
  d.in(acceleration, "acceleration", 0.01f)
      .range(1e-6, 100)
      .doc("How smooth the motion is: more is calmer, and looks further ahead.");
  d.in(position, "position", 1000)
      .range(1e-3, 1e6)
      .doc("How exactly keys of points, and what is held, are met. Whole poses are met exactly.");
  d.in(velocity, "velocity", 1)
      .range(0, 1e4)
      .doc("How exactly velocities of points are met. Those of whole poses are met exactly.");
  d.in(avoid_obstacles, "avoid_obstacles", 100)
      .range(0, 1e5)
      .doc("How much obstacles are avoided.");
  d.in(avoid_bodies, "avoid_bodies", 100).range(0, 1e5).doc("How much bodies avoid each other.");
  d.in(spin, "spin", 0)
      .range(0, 100)
      .doc(
          "How much the angular momentum is kept: in flight a body then turns as if nothing but "
          "gravity acted on it.");
}

void declare(Declaration& d) {
  d.id("meshless.motion", 2).label("Find Motion").category("Meshless");
  d.doc(
      "Finds the motion through all keys that costs least: smooth, without strain, around "
      "obstacles "
      "and the other bodies. Frames are added where they are needed, also where the motion would "
      "not "
      "be as smooth as it can be; version 1 did not look for that.");
  // Version 1 swung past its keys as far as the smoothest spline does.
  d.upgrade([](UpgradeStep& u) { u.params().try_emplace("overshoot", 1); });
  d.in(keys, "keys").doc("Bodies with their keys; several move together.");
  d.in(obstacles, "obstacles")
      .optional()
      .whole_time()
      .doc("What to keep out of; obstacles that move are seen coming.");
  declare_weights(d);
  d.in(gravity, "gravity", Vec3{})
      .range(-1000, 1000)
      .unit("m/s2")
      .doc("What bodies do not count as acceleration: (0, -9.8, 0) makes them fly in arcs.");
  d.in(overshoot, "overshoot", 0)
      .range(0, 1)
      .doc(
          "How far the motion swings past keys when a quick gap is next to a long one: 0 hardly, 1 "
          "as far as the smoothest motion does. What falls is not held back.");
  d.in(margin, "margin", 0.015f)
      .range(0, 0.5)
      .doc("How far bodies keep from what they avoid, in parts of their size.");
  d.in(frames, "frames", 40).range(2, 400).doc("How many frames there may be at the most.");
  d.in(accuracy, "accuracy", 1e-3f)
      .range(1e-6, 10)
      .doc("Ends when no moment between frames costs more than this beside what its frames do.");
  d.in(seed, "seed", 1)
      .range(0, 1e9)
      .doc("Decides for bodies that meet head on which side they take.");
  d.out(out, "motion").shown_when_chosen().doc("The motion, at any time.");
  d.out(energy, "energy").doc("What each moment costs, over time.");
  d.out(energy_start, "energy_start")
      .doc("The same for the keys alone, before anything was found.");
  d.out(deepest, "deepest").doc("The deepest that anything goes into anything, in metres.");
  d.out(used, "frames").doc("How many frames there are.");
  d.uses_dt();
  d.uses_draft();
}

MotionSettings settings_of(const Exec& e) {
  const auto number = [&](const In<float>& in) { return static_cast<double>(e.get(in)); };
  MotionSettings s;
  s.weights.position = number(position);
  s.weights.strain = number(strain);
  s.weights.volume = number(volume);
  s.weights.acceleration = number(acceleration);
  s.weights.velocity = number(velocity);
  s.weights.obstacles = number(avoid_obstacles);
  s.weights.bodies = number(avoid_bodies);
  s.weights.spin = number(spin);
  s.gravity = to_eigen(e.get(gravity)).cast<double>();
  s.overshoot = number(overshoot);
  s.margin = number(margin);
  s.most_frames = e.get(frames);
  s.tolerance = number(accuracy);
  s.seed = static_cast<uint64_t>(e.get(seed));
  return s;
}

// Obstacles at the frames of the document, if they move.
ObstaclesInTime obstacles_of(const Exec& e, const std::vector<KeyedBody>& bodies) {
  if (!e.has(obstacles)) return {};
  const OverTime<Colliders> coming = e.over_time(obstacles);
  if (!coming.varies()) return ObstaclesInTime(coming.at(0));
  std::vector<double> times;
  std::vector<Colliders> lists;
  for (double f = coming.first(); f <= coming.last(); ++f) {
    times.push_back(seconds_at(f, e.fps()));
    lists.push_back(coming.at(f));
  }
  double largest = 0;
  for (const KeyedBody& one : bodies) largest = std::max(largest, one.body->size);
  return ObstaclesInTime(std::move(times), std::move(lists), kernels::farthest_in_frame * largest);
}

// What has been found so far stays when the work is stopped; whoever asks again goes on from there,
// with the same result.
struct Desk {
  struct Paper {
    std::mutex mutex;
    std::optional<MotionProgress> progress;
  };
  std::unique_ptr<Paper> paper = std::make_unique<Paper>();

  std::size_t bytes() const { return sizeof *this + sizeof(Paper); }
};

// What costs less than this is nothing, where costs are seen as ratios.
constexpr double least_cost = 1e-6;

// The artist's keys, by their frames. Keys of several bodies may share one.
void mark_keys(Chart& chart, const std::vector<KeyedBody>& bodies, double fps) {
  for (const KeyedBody& body : bodies) {
    for (const MotionKey& key : body.keys) {
      if (!key.turned.empty()) continue;  // put between, for a turn that is written
      chart.set_mark(fmt::format("{:.10g}", frame_at(key.time, fps)), key.time);
    }
  }
}

// Costs go over many powers of ten: as ratios.
Chart curve(const MotionProgress& progress, bool first, const std::vector<KeyedBody>& bodies,
            double fps) {
  if (progress.rounds.empty()) return Chart::constant(0);
  Chart chart;
  chart.interpolation = Interpolation::linear;
  chart.axis = ValueAxis::ratio;
  chart.x_unit = "s";
  mark_keys(chart, bodies, fps);
  const EnergyCurve& of = first ? progress.rounds.front() : progress.rounds.back();
  for (const auto& [x, y] : of.points) {
    if (!chart.points.empty() && x <= chart.points.back().x) continue;
    chart.points.push_back({x, std::max(y, least_cost)});
  }
  return chart;
}

void say_progress(const Exec& e, const MotionProgress& progress) {
  const double part = static_cast<double>(progress.times.size()) / e.get(frames);
  e.progress(std::min(part, 1.0),
             fmt::format("round {}, {} frames, deepest {:.2g} m", progress.rounds.size() + 1,
                         progress.times.size(), progress.depth));
}

// Keys that no motion can keep out of an obstacle.
void warn_of_keys(Exec& e, const std::vector<KeyedBody>& bodies,
                  const ObstaclesInTime& in_the_way) {
  if (in_the_way.empty()) return;
  for (const KeyedBody& body : bodies) {
    const kernels::ContactBody contact(*body.body);
    const std::vector<const kernels::ContactBody*> list{&contact};
    for (const MotionKey& key : body.keys) {
      if (key.kind != MotionKey::Kind::whole) continue;
      kernels::ContactFrame frame;
      const std::vector<const Vec3d*> places{key.places.data()};
      frame.place(list, places, 0, true);
      const double depth = frame.depth(in_the_way.at(key.time));
      if (depth <= 0.01 * body.body->size) continue;
      e.warning("the key at frame {:g} lies {:.3g} m inside of an obstacle; move one of them",
                frame_at(key.time, e.fps()), depth);
    }
  }
}

void exec(Exec& e) {
  std::vector<KeyedBody> bodies;
  for (const KeyedBodies* list : e.get(keys)) {
    bodies.insert(bodies.end(), list->list.begin(), list->list.end());
  }
  if (bodies.empty()) return e.error("there is no body; link keys to 'keys'");
  const ObstaclesInTime in_the_way = obstacles_of(e, bodies);
  warn_of_keys(e, bodies, in_the_way);
  const MotionSettings settings = settings_of(e);
  const auto desk = e.prepared<Desk>(
      "meshless motion", [] { return Desk(); }, keys, obstacles, strain, volume, acceleration,
      position, velocity, avoid_obstacles, avoid_bodies, spin, gravity, overshoot, margin, frames,
      accuracy, seed);
  const MotionSolver solver(bodies, in_the_way, settings);
  MotionProgress progress;
  {
    const std::lock_guard lock(desk->paper->mutex);
    progress = desk->paper->progress ? *desk->paper->progress : solver.begin();
  }
  // While a hand drags, the keys alone, or what was found for them.
  while (!progress.finished && !e.draft()) {
    say_progress(e, progress);
    stoppable(e, [&](CancelView stop) { solver.refine(progress, stop); });
    const std::lock_guard lock(desk->paper->mutex);
    desk->paper->progress = progress;
  }
  e.set(energy, curve(progress, false, bodies, e.fps()));
  e.set(energy_start, curve(progress, true, bodies, e.fps()));
  e.set(deepest, to_float(progress.depth));
  e.set(used, static_cast<int>(progress.times.size()));
  Motion motion = solver.motion(progress);
  if (progress.depth > 0.02 * motion.size) {
    e.warning(
        "at frame {:.6g} something is still {:.3g} m inside of something else; raise "
        "'avoid_obstacles' or 'frames', or add a guess that says which way round",
        frame_at(progress.depth_time, e.fps()), progress.depth);
  }
  e.set(out, std::move(motion));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(meshless_motion, declare, exec)
