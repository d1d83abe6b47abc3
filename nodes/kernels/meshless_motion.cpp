// Keys, rounds and frames; the energy of one state is in meshless_motion_problem.cpp.
#include "nodes/kernels/meshless_motion.h"

#include <algorithm>
#include <cmath>

#include "nodes/geometry/parallel.h"
#include "nodes/kernels/counter_random.h"
#include "nodes/kernels/meshless_motion_problem.h"
#include "nodes/kernels/meshless_spline.h"

namespace sinew::kernels {
namespace {

// Times closer than this are one frame, in parts of the whole time.
constexpr double same_time = 1e-9;

// Contacts press harder, step by step, until nothing is deeper than this, in sizes.
constexpr double allowed_depth = 0.006, push_step = 4, most_push = 256;

// Gaps between keys begin with so many parts where bodies fall.
constexpr std::size_t falling_parts = 4;

const MotionKey* key_at(const KeyedBody& body, double time, double near) {
  for (const MotionKey& key : body.keys) {
    if (std::abs(key.time - time) <= near) return &key;
  }
  return nullptr;
}

MotionSettings pushed(MotionSettings settings, double push) {
  settings.weights.obstacles *= push;
  settings.weights.bodies *= push;
  return settings;
}

// A body's own keys as a motion, for where the search begins.
BodyMotion keys_alone(const KeyedBody& body) {
  BodyMotion motion{body.body, {}};
  for (const MotionKey& key : body.keys) {
    if (key.places.empty()) continue;
    motion.frames.push_back({key.time, key.places, key.breaks, key.velocities,
                             key.kind == MotionKey::Kind::whole});
  }
  return motion;
}

}  // namespace

MotionSolver::MotionSolver(std::vector<KeyedBody> bodies, ObstaclesInTime obstacles,
                           const MotionSettings& settings)
    : keyed_(std::move(bodies)), obstacles_(std::move(obstacles)), settings_(settings) {
  for (const KeyedBody& keyed : keyed_) {
    // Bodies that share their nodes share what follows from them.
    std::shared_ptr<const MotionSpace> space;
    for (std::size_t i = 0; i < bodies_.size() && !space; ++i) {
      if (keyed_[i].body == keyed.body) space = bodies_[i]->space;
    }
    if (!space) space = std::make_shared<const MotionSpace>(*keyed.body);
    bodies_.push_back(std::make_unique<Body>(Body{std::move(space)}));
  }
}

MotionSolver::~MotionSolver() = default;

std::size_t MotionSolver::unknowns(const MotionProgress& progress) const {
  std::size_t count = 0;
  for (std::size_t b = 0; b < keyed_.size(); ++b) {
    for (const double t : progress.times) {
      if (!is_key(b, t)) count += 3 * keyed_[b].body->node_count();
    }
  }
  return count;
}

bool MotionSolver::is_key(std::size_t body, double time) const {
  const KeyedBody& keyed = keyed_[body];
  const double near = same_time * (1 + std::abs(time));
  // Before its first and after its last key a body stands.
  if (time <= keyed.keys.front().time + near || time >= keyed.keys.back().time - near) return true;
  const MotionKey* key = key_at(keyed, time, near);
  return key && key->kind == MotionKey::Kind::whole;
}

MotionProgress MotionSolver::begin() const {
  MotionProgress progress;
  for (const KeyedBody& body : keyed_) {
    for (const MotionKey& key : body.keys) progress.times.push_back(key.time);
  }
  std::sort(progress.times.begin(), progress.times.end());
  const auto same = [](double a, double b) { return b - a <= same_time * (1 + std::abs(b)); };
  progress.times.erase(std::unique(progress.times.begin(), progress.times.end(), same),
                       progress.times.end());
  if (!settings_.gravity.isZero(0) && settings_.weights.acceleration > 0) {
    // What falls leaves the straight way between two keys; nothing else would tell.
    std::vector<double> keys;
    keys.swap(progress.times);
    const std::size_t gaps = keys.empty() ? 0 : keys.size() - 1;
    const std::size_t room = static_cast<std::size_t>(std::max(0, settings_.most_frames));
    const std::size_t parts = keys.size() + gaps * (falling_parts - 1) <= room ? falling_parts : 1;
    for (std::size_t g = 0; g < keys.size(); ++g) {
      progress.times.push_back(keys[g]);
      for (std::size_t i = 1; g < gaps && i < parts; ++i) {
        const double part = static_cast<double>(i) / static_cast<double>(parts);
        progress.times.push_back(keys[g] + part * (keys[g + 1] - keys[g]));
      }
    }
  }
  progress.places.assign(progress.times.size(), std::vector<NodePlaces>(keyed_.size()));
  for (std::size_t b = 0; b < keyed_.size(); ++b) {
    const BodySpline spline(keys_alone(keyed_[b]));
    for (std::size_t j = 0; j < progress.times.size(); ++j) {
      NodePlaces& places = progress.places[j][b];
      places.resize(keyed_[b].body->node_count());
      const double near = same_time * (1 + std::abs(progress.times[j]));
      const MotionKey* key = key_at(keyed_[b], progress.times[j], near);
      if (key && !key->places.empty()) {
        places = key->places;
      } else {
        spline.at(progress.times[j], places);
      }
    }
  }
  return progress;
}

BodyMotion MotionSolver::body_motion(const MotionProgress& progress, std::size_t body) const {
  const KeyedBody& keyed = keyed_[body];
  BodyMotion motion{keyed.body, {}};
  for (std::size_t j = 0; j < progress.times.size(); ++j) {
    const double time = progress.times[j], near = same_time * (1 + std::abs(time));
    if (time < keyed.keys.front().time - near || time > keyed.keys.back().time + near) continue;
    const MotionKey* key = key_at(keyed, time, near);
    MotionFrame frame{time, progress.places[j][body], key && key->breaks, {}, is_key(body, time)};
    if (key && key->kind == MotionKey::Kind::whole) frame.velocities = key->velocities;
    motion.frames.push_back(std::move(frame));
  }
  return motion;
}

Motion MotionSolver::motion(const MotionProgress& progress) const {
  Motion motion;
  motion.size = 0;
  for (std::size_t b = 0; b < keyed_.size(); ++b) {
    motion.bodies.push_back(body_motion(progress, b));
    motion.size = std::max(motion.size, keyed_[b].body->size);
  }
  motion.rounds = progress.rounds;
  motion.depth = progress.depth;
  motion.depth_time = progress.depth_time;
  return motion;
}

double MotionSolver::energy(const MotionProgress& progress,
                            std::vector<std::vector<NodePlaces>>* gradient) const {
  const MotionSettings settings = pushed(settings_, progress.push);
  Problem problem(keyed_, bodies_, obstacles_, settings, progress.times,
                  [this](std::size_t b, double t) { return is_key(b, t); });
  return problem.energy_of(progress.places, gradient);
}

void MotionSolver::refine(MotionProgress& progress, CancelView stop) const {
  if (progress.times.empty()) {
    progress.finished = true;
    return;
  }
  const MotionSettings settings = pushed(settings_, progress.push);
  Problem problem(keyed_, bodies_, obstacles_, settings, progress.times,
                  [this](std::size_t b, double t) { return is_key(b, t); });
  progress.energy = problem.solve(progress.places, stop);
  look_between(progress, stop);
}

void MotionSolver::look_between(MotionProgress& progress, CancelView stop) const {
  const std::size_t gaps = progress.times.size() - 1, looks = static_cast<std::size_t>(settings_.looks);
  std::vector<std::unique_ptr<BodySpline>> splines(keyed_.size());
  parallel_each(keyed_.size(), [&](std::size_t b) {
    splines[b] = std::make_unique<BodySpline>(body_motion(progress, b));
  });
  std::vector<const ContactBody*> contact;
  for (const auto& b : bodies_) contact.push_back(&b->space->contact);
  const std::size_t count = gaps * (looks + 1) + 1;
  std::vector<double> times(count), costs(count), depths(count);
  parallel_each(count, [&](std::size_t k) {
    stop.check();
    const std::size_t gap = std::min(k / (looks + 1), gaps ? gaps - 1 : 0);
    const double part =
        static_cast<double>(k - gap * (looks + 1)) / static_cast<double>(looks + 1);
    times[k] = gaps ? progress.times[gap] + part * (progress.times[gap + 1] - progress.times[gap])
                    : progress.times[0];
    std::vector<NodePlaces> places(keyed_.size());
    std::vector<const Vec3d*> pointers;
    double cost = 0;
    for (std::size_t b = 0; b < keyed_.size(); ++b) {
      places[b].resize(keyed_[b].body->node_count());
      splines[b]->at(times[k], places[b]);
      pointers.push_back(places[b].data());
      cost += bodies_[b]->space->elastic.energy(
          places[b], {settings_.weights.strain, settings_.weights.volume});
    }
    ContactFrame frame;
    frame.place(contact, pointers);
    const Colliders obstacles = obstacles_.at(times[k]);
    // Without the margin: only what really goes into something is bad.
    const ContactWeights weights{settings_.weights.obstacles, settings_.weights.bodies, 0};
    cost += frame.add_obstacles(obstacles, weights, {}) + frame.add_bodies(weights, {});
    costs[k] = cost;
    depths[k] = frame.depth(obstacles);
  });
  EnergyCurve curve;
  curve.frames = progress.times.size();
  progress.depth = 0;
  for (std::size_t k = 0; k < count; ++k) {
    curve.points.push_back({times[k], costs[k]});
    if (depths[k] > progress.depth) {
      progress.depth = depths[k];
      progress.depth_time = times[k];
    }
  }
  progress.rounds.push_back(std::move(curve));

  // Of each gap the place that is worst beside the line between its frames.
  struct Worst {
    double excess = 0;
    std::size_t look = 0;
  };
  std::vector<Worst> worst(gaps);
  double most = 0;
  for (std::size_t g = 0; g < gaps; ++g) {
    const double a = costs[g * (looks + 1)], b = costs[(g + 1) * (looks + 1)];
    for (std::size_t i = 1; i <= looks; ++i) {
      const double part = static_cast<double>(i) / static_cast<double>(looks + 1);
      const double excess = costs[g * (looks + 1) + i] - (a + part * (b - a));
      if (excess > worst[g].excess) worst[g] = {excess, i};
    }
    most = std::max(most, worst[g].excess);
  }
  const double bodies = static_cast<double>(std::max<std::size_t>(1, keyed_.size()));
  const bool enough = most <= settings_.tolerance * std::sqrt(bodies);
  const std::size_t room =
      static_cast<std::size_t>(std::max(0, settings_.most_frames - static_cast<int>(gaps) - 1));
  if (enough || room == 0) {
    // Squeezed, not between frames but at them: press harder.
    double size = 0;
    for (const KeyedBody& b : keyed_) size = std::max(size, b.body->size);
    progress.finished = progress.depth <= allowed_depth * size || progress.push >= most_push;
    progress.push *= push_step;
    return;
  }
  std::vector<std::size_t> chosen;
  for (std::size_t g = 0; g < gaps; ++g) {
    const double least = (progress.times.back() - progress.times.front()) * 1e-4;
    if (worst[g].excess > 0.15 * most &&
        progress.times[g + 1] - progress.times[g] > least) {
      chosen.push_back(g);
    }
  }
  std::stable_sort(chosen.begin(), chosen.end(), [&](std::size_t a, std::size_t b) {
    return worst[a].excess > worst[b].excess;
  });
  if (chosen.size() > room) chosen.resize(room);
  if (chosen.empty()) {
    progress.finished = true;
    return;
  }
  std::sort(chosen.begin(), chosen.end(), std::greater<>());
  for (const std::size_t g : chosen) {
    const double time = times[g * (looks + 1) + worst[g].look];
    std::vector<NodePlaces> places(keyed_.size());
    for (std::size_t b = 0; b < keyed_.size(); ++b) {
      places[b].resize(keyed_[b].body->node_count());
      splines[b]->at(time, places[b]);
      if (keyed_.size() < 2 || progress.depth == 0 || is_key(b, time)) continue;
      CounterRandom random(settings_.seed, b, progress.times.size());
      const double nudge = 0.01 * keyed_[b].body->size;
      const Vec3d by(random.normal(), random.normal(), random.normal());
      for (Vec3d& y : places[b]) y += nudge * by;
    }
    progress.times.insert(progress.times.begin() + static_cast<std::ptrdiff_t>(g) + 1, time);
    progress.places.insert(progress.places.begin() + static_cast<std::ptrdiff_t>(g) + 1,
                           std::move(places));
  }
}

Motion find_motion(const MotionSolver& solver, CancelView stop) {
  MotionProgress progress = solver.begin();
  while (!progress.finished) solver.refine(progress, stop);
  return solver.motion(progress);
}

}  // namespace sinew::kernels
