// Keys, rounds and frames; the energy of one state is in meshless_motion_problem.cpp.
#include "nodes/kernels/meshless_motion.h"

#include <algorithm>
#include <cmath>

#include "nodes/geometry/parallel.h"
#include "nodes/kernels/counter_random.h"
#include "nodes/kernels/meshless_motion_problem.h"
#include "nodes/kernels/meshless_smooth.h"
#include "nodes/kernels/meshless_spline.h"
#include "nodes/kernels/meshless_ways.h"

namespace sinew::kernels {
namespace {

// Times closer than this are one frame, in parts of the whole time.
constexpr double same_time = 1e-9;

// Contacts press harder, step by step, until nothing is deeper than this, in sizes.
constexpr double allowed_depth = 0.004, push_step = 4, most_push = 256;
// Bodies that are deeper in each other than this, in sizes, step aside, so often at the most.
constexpr double tangled_depth = 0.05;
constexpr int most_asides = 8;

// Gaps between keys begin with so many parts where bodies fall.
constexpr std::size_t falling_parts = 4;
// And with so many where bodies have to get past each other; in each of them, ways are looked at so
// often.
constexpr std::size_t crossing_parts = 12, way_moments = 8;

// What a moment costs that is beside the smoothest motion, by the square of how many sizes: 0.2 %
// of the size is as much as the usual tolerance.
constexpr double beside_cost = 250;

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

}  // namespace

MotionSolver::MotionSolver(std::vector<KeyedBody> bodies, ObstaclesInTime obstacles,
                           const MotionSettings& settings)
    : keyed_(std::move(bodies)), obstacles_(std::move(obstacles)), settings_(settings) {
  // What falls flies past its keys, and shall.
  if (settings_.gravity.isZero(0) && settings_.overshoot < 1) {
    for (KeyedBody& keyed : keyed_) limit_overshoot(keyed, settings_.overshoot);
  }
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

// All gaps in so many parts, if there is room for as many frames.
void MotionSolver::divide(std::vector<double>& times, std::size_t parts) const {
  std::vector<double> keys;
  keys.swap(times);
  const std::size_t gaps = keys.empty() ? 0 : keys.size() - 1;
  const std::size_t room = static_cast<std::size_t>(std::max(0, settings_.most_frames));
  if (keys.size() + gaps * (parts - 1) > room) parts = 1;
  for (std::size_t g = 0; g < keys.size(); ++g) {
    times.push_back(keys[g]);
    for (std::size_t i = 1; g < gaps && i < parts; ++i) {
      const double part = static_cast<double>(i) / static_cast<double>(parts);
      times.push_back(keys[g] + part * (keys[g + 1] - keys[g]));
    }
  }
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
  // What falls leaves the straight way between two keys; nothing else would tell.
  if (!settings_.gravity.isZero(0) && settings_.weights.acceleration > 0) {
    divide(progress.times, falling_parts);
  }
  std::vector<BodySpline> splines;
  for (const KeyedBody& body : keyed_) splines.emplace_back(keys_as_motion(body));
  std::vector<std::vector<Vec3d>> aside;
  if (keyed_.size() > 1 && progress.times.size() > 1 && settings_.weights.bodies > 0) {
    const std::size_t most = static_cast<std::size_t>(std::max(2, settings_.most_frames));
    const std::size_t parts =
        std::min<std::size_t>(crossing_parts, (2 * most / 3) / (progress.times.size() - 1));
    std::vector<double> frames = progress.times;
    if (parts > 1) divide(frames, parts);
    aside = step_aside(splines, frames, nullptr);
    if (!aside.empty()) progress.times = std::move(frames);
  }
  progress.places.assign(progress.times.size(), std::vector<NodePlaces>(keyed_.size()));
  for (std::size_t b = 0; b < keyed_.size(); ++b) {
    for (std::size_t j = 0; j < progress.times.size(); ++j) {
      NodePlaces& places = progress.places[j][b];
      places.resize(keyed_[b].body->node_count());
      const double near = same_time * (1 + std::abs(progress.times[j]));
      const MotionKey* key = key_at(keyed_[b], progress.times[j], near);
      if (key && !key->places.empty()) {
        places = key->places;
      } else {
        splines[b].at(progress.times[j], places);
      }
    }
  }
  if (aside.empty()) return progress;
  move_aside(progress, aside);
  // Where many are near each other, none slips through between two frames.
  for (std::size_t j = 0; j + 1 < progress.times.size(); ++j) {
    const double t = progress.times[j], h = progress.times[j + 1] - t;
    for (const double part : {1.0 / 3, 2.0 / 3}) progress.watches.push_back(t + part * h);
  }
  return progress;
}

// By body and frame, how far each steps aside for the others; empty where nobody has to.
std::vector<std::vector<Vec3d>> MotionSolver::step_aside(const std::vector<BodySpline>& splines,
                                                         const std::vector<double>& frames,
                                                         const BodyPairs* asked) const {
  std::vector<double> moments;
  for (std::size_t g = 0; g + 1 < frames.size(); ++g) {
    for (std::size_t i = 0; i < way_moments; ++i) {
      const double part = static_cast<double>(i) / static_cast<double>(way_moments);
      moments.push_back(frames[g] + part * (frames[g + 1] - frames[g]));
    }
  }
  moments.push_back(frames.back());
  std::vector<RigidWay> ways(keyed_.size());
  parallel_each(keyed_.size(), [&](std::size_t b) {
    ways[b].body = keyed_[b].body.get();
    for (const double time : moments) {
      const RigidMoment moment = splines[b].rigid_at(time);
      ways[b].middles.push_back(moment.middle);
      ways[b].turns.push_back(moment.turn);
      double free = std::min(time - keyed_[b].keys.front().time, keyed_[b].keys.back().time - time);
      for (const MotionKey& key : keyed_[b].keys) {
        if (key.kind == MotionKey::Kind::whole) free = std::min(free, std::abs(time - key.time));
      }
      ways[b].free.push_back(free);
    }
  });
  std::vector<std::vector<Vec3d>> aside =
      part_ways(ways, moments, {.margin = settings_.margin, .seed = settings_.seed}, asked);
  for (std::vector<Vec3d>& of_body : aside) {
    for (std::size_t j = 0; j < frames.size(); ++j) of_body[j] = of_body[j * way_moments];
    of_body.resize(frames.size());
  }
  return aside;
}

void MotionSolver::move_aside(MotionProgress& progress,
                              const std::vector<std::vector<Vec3d>>& aside) const {
  for (std::size_t b = 0; b < aside.size(); ++b) {
    for (std::size_t j = 0; j < progress.times.size(); ++j) {
      if (is_key(b, progress.times[j])) continue;
      for (Vec3d& y : progress.places[j][b]) y += aside[b][j];
    }
  }
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
  Problem problem(keyed_, bodies_, obstacles_, settings, progress,
                  [this](std::size_t b, double t) { return is_key(b, t); });
  return problem.energy_of(progress.places, gradient);
}

void MotionSolver::refine(MotionProgress& progress, CancelView stop) const {
  if (progress.times.empty()) {
    progress.finished = true;
    return;
  }
  const MotionSettings settings = pushed(settings_, progress.push);
  Problem problem(keyed_, bodies_, obstacles_, settings, progress,
                  [this](std::size_t b, double t) { return is_key(b, t); });
  progress.energy = problem.solve(progress.places, stop);
  look_between(progress, stop);
}

// Those that are more in each other than a push would mend.
BodyPairs MotionSolver::tangled(const std::vector<BodySpline>& splines, const Looks& looks) const {
  const std::vector<double>&times = looks.times, &depths = looks.depths;
  std::vector<const ContactBody*> contact;
  for (const auto& b : bodies_) contact.push_back(&b->space->contact);
  std::vector<std::vector<BodyMeeting>> found(times.size());
  parallel_each(times.size(), [&](std::size_t k) {
    if (!(depths[k] > 0)) return;
    std::vector<NodePlaces> places(keyed_.size());
    std::vector<const Vec3d*> pointers;
    for (std::size_t b = 0; b < keyed_.size(); ++b) {
      places[b].resize(keyed_[b].body->node_count());
      splines[b].at(times[k], places[b]);
      pointers.push_back(places[b].data());
    }
    ContactFrame frame;
    frame.place(contact, pointers, 0, false);
    frame.find_meetings(0, found[k]);
  });
  BodyPairs pairs;
  for (const auto& list : found) {
    for (const BodyMeeting& m : list) {
      const double size = std::min(keyed_[m.moving].body->size, keyed_[m.other].body->size);
      if (m.in > tangled_depth * size) {
        pairs.insert({std::min(m.moving, m.other), std::max(m.moving, m.other)});
      }
    }
  }
  return pairs;
}

// All frames there may be are there, and something is still in something else.
void MotionSolver::press(MotionProgress& progress, const std::vector<BodySpline>& splines,
                         const Looks& looks) const {
  const std::vector<double>&times = looks.times, &depths = looks.depths;
  double size = 0;
  for (const KeyedBody& b : keyed_) size = std::max(size, b.body->size);
  if (progress.depth <= allowed_depth * size) {
    progress.finished = true;
    return;
  }
  // The deepest looks that no frame and no watch is near.
  std::vector<std::size_t> order;
  for (std::size_t k = 1; k + 1 < times.size(); ++k) {
    const bool is_frame = k % (static_cast<std::size_t>(settings_.looks) + 1) == 0;
    if (!is_frame && depths[k] > allowed_depth * size) order.push_back(k);
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return depths[a] > depths[b]; });
  const std::size_t before = progress.watches.size();
  for (const std::size_t k : order) {
    const double near = 0.6 * (times[k + 1] - times[k]);
    const auto is_near = [&](double t) { return std::abs(t - times[k]) < near; };
    if (std::none_of(progress.watches.begin(), progress.watches.end(), is_near)) {
      progress.watches.push_back(times[k]);
    }
  }
  std::sort(progress.watches.begin(), progress.watches.end());
  if (keyed_.size() > 1 && progress.asides < most_asides) {
    const BodyPairs pairs = tangled(splines, looks);
    const auto aside = pairs.empty() ? std::vector<std::vector<Vec3d>>()
                                     : step_aside(splines, progress.times, &pairs);
    ++progress.asides;
    if (!aside.empty()) return move_aside(progress, aside);
  }
  if (progress.watches.size() > before) return;
  // Harder, as long as that helps.
  const bool helps = progress.push == 1 || progress.depth < 0.9 * progress.pushed_depth;
  progress.finished = progress.push >= most_push || !helps;
  progress.pushed_depth = progress.depth;
  progress.push *= push_step;
}

MotionSolver::Looks MotionSolver::look(const MotionProgress& progress,
                                       const std::vector<BodySpline>& splines,
                                       CancelView stop) const {
  const std::size_t gaps = progress.times.size() - 1;
  const std::size_t each = static_cast<std::size_t>(settings_.looks) + 1;
  std::vector<const ContactBody*> contact;
  for (const auto& b : bodies_) contact.push_back(&b->space->contact);
  const std::size_t count = gaps * each + 1;
  Looks looks{std::vector<double>(count), std::vector<double>(count), std::vector<double>(count)};
  parallel_each(count, [&](std::size_t k) {
    stop.check();
    const std::size_t gap = std::min(k / each, gaps ? gaps - 1 : 0);
    const double part = static_cast<double>(k - gap * each) / static_cast<double>(each);
    looks.times[k] =
        gaps ? progress.times[gap] + part * (progress.times[gap + 1] - progress.times[gap])
             : progress.times[0];
    std::vector<NodePlaces> places(keyed_.size());
    std::vector<const Vec3d*> pointers;
    double cost = 0;
    for (std::size_t b = 0; b < keyed_.size(); ++b) {
      places[b].resize(keyed_[b].body->node_count());
      splines[b].at(looks.times[k], places[b]);
      pointers.push_back(places[b].data());
      cost += bodies_[b]->space->elastic.energy(
          places[b], {settings_.weights.strain, settings_.weights.volume});
    }
    ContactFrame frame;
    frame.place(contact, pointers, settings_.margin, true);
    const Colliders obstacles = obstacles_.at(looks.times[k]);
    // Without the margin: only what really goes into something is bad.
    const ContactWeights weights{settings_.weights.obstacles, settings_.weights.bodies, 0};
    cost += frame.add_obstacles(obstacles, weights, {}) + frame.add_bodies(weights, {});
    looks.costs[k] = cost;
    looks.depths[k] = frame.depth(obstacles);
  });
  return looks;
}

// Of each gap the place that is worst beside the line between its frames; or its middle, where it
// is not as smooth as it could be.
std::vector<MotionSolver::Worst> MotionSolver::worst_of_gaps(const MotionProgress& progress,
                                                             const Looks& looks) const {
  const std::size_t gaps = progress.times.size() - 1;
  const std::size_t each = static_cast<std::size_t>(settings_.looks) + 1;
  std::vector<Worst> worst(gaps);
  for (std::size_t g = 0; g < gaps; ++g) {
    const double a = looks.costs[g * each], b = looks.costs[(g + 1) * each];
    for (std::size_t i = 1; i < each; ++i) {
      const double part = static_cast<double>(i) / static_cast<double>(each);
      const double excess = looks.costs[g * each + i] - (a + part * (b - a));
      if (excess > worst[g].excess) worst[g] = {excess, looks.times[g * each + i]};
    }
  }
  if (!(settings_.weights.acceleration > 0)) return worst;
  std::vector<std::vector<double>> beside(keyed_.size());
  std::vector<std::size_t> first(keyed_.size());
  parallel_each(keyed_.size(), [&](std::size_t b) {
    const BodyMotion motion = body_motion(progress, b);
    beside[b] = smooth_misses(motion, settings_.gravity);
    while (progress.times[first[b]] != motion.frames.front().time) ++first[b];
  });
  for (std::size_t b = 0; b < keyed_.size(); ++b) {
    for (std::size_t k = 0; k < beside[b].size(); ++k) {
      const std::size_t g = first[b] + k;
      const double excess = beside_cost * beside[b][k] * beside[b][k];
      if (excess <= worst[g].excess) continue;
      worst[g] = {excess, 0.5 * (progress.times[g] + progress.times[g + 1])};
    }
  }
  return worst;
}

void MotionSolver::look_between(MotionProgress& progress, CancelView stop) const {
  std::vector<BodySpline> splines;
  for (std::size_t b = 0; b < keyed_.size(); ++b) splines.emplace_back(body_motion(progress, b));
  const Looks looks = look(progress, splines, stop);
  EnergyCurve curve;
  curve.frames = progress.times.size();
  progress.depth = 0;
  for (std::size_t k = 0; k < looks.times.size(); ++k) {
    curve.points.push_back({looks.times[k], looks.costs[k]});
    if (looks.depths[k] > progress.depth) {
      progress.depth = looks.depths[k];
      progress.depth_time = looks.times[k];
    }
  }
  progress.rounds.push_back(std::move(curve));

  const std::vector<Worst> worst = worst_of_gaps(progress, looks);
  const std::size_t gaps = worst.size();
  double most = 0;
  for (const Worst& one : worst) most = std::max(most, one.excess);
  const double bodies = static_cast<double>(std::max<std::size_t>(1, keyed_.size()));
  const bool enough = most <= settings_.tolerance * std::sqrt(bodies);
  const std::size_t room =
      static_cast<std::size_t>(std::max(0, settings_.most_frames - static_cast<int>(gaps) - 1));
  if (enough || room == 0) return press(progress, splines, looks);
  std::vector<std::size_t> chosen;
  for (std::size_t g = 0; g < gaps; ++g) {
    const double least = (progress.times.back() - progress.times.front()) * 1e-4;
    if (worst[g].excess > 0.15 * most && progress.times[g + 1] - progress.times[g] > least) {
      chosen.push_back(g);
    }
  }
  std::stable_sort(chosen.begin(), chosen.end(),
                   [&](std::size_t a, std::size_t b) { return worst[a].excess > worst[b].excess; });
  if (chosen.size() > room) chosen.resize(room);
  progress.finished = chosen.empty();
  std::sort(chosen.begin(), chosen.end(), std::greater<>());
  for (const std::size_t g : chosen) add_frame(progress, splines, g, worst[g].time);
}

void MotionSolver::add_frame(MotionProgress& progress, const std::vector<BodySpline>& splines,
                             std::size_t gap, double time) const {
  std::vector<NodePlaces> places(keyed_.size());
  for (std::size_t b = 0; b < keyed_.size(); ++b) {
    places[b].resize(keyed_[b].body->node_count());
    splines[b].at(time, places[b]);
    if (keyed_.size() < 2 || progress.depth == 0 || is_key(b, time)) continue;
    CounterRandom random(settings_.seed, b, progress.times.size());
    const double nudge = 0.01 * keyed_[b].body->size;
    const Vec3d by(random.normal(), random.normal(), random.normal());
    for (Vec3d& y : places[b]) y += nudge * by;
  }
  const auto at = static_cast<std::ptrdiff_t>(gap) + 1;
  progress.times.insert(progress.times.begin() + at, time);
  progress.places.insert(progress.places.begin() + at, std::move(places));
}

Motion find_motion(const MotionSolver& solver, CancelView stop) {
  MotionProgress progress = solver.begin();
  while (!progress.finished) solver.refine(progress, stop);
  return solver.motion(progress);
}

}  // namespace sinew::kernels
