#include "nodes/kernels/meshless_dynamics.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "nodes/geometry/parallel.h"
#include "nodes/kernels/meshless_dynamics_step.h"

namespace sinew::kernels {

struct DynamicsRoom::Parts {
  std::vector<StepBody> bodies;
  std::vector<StepGroup> groups;
  std::vector<std::size_t> leader;  // of each body: the first of its group
  std::vector<Eigen::AlignedBox3d> boxes;
  std::vector<StepWeights> weights;  // of each group
  std::vector<char> struck, sound;
  Colliders obstacles, obstacles_before;  // at the end and the beginning of the step
};

DynamicsRoom::DynamicsRoom() : parts_(std::make_unique<Parts>()) {}
DynamicsRoom::~DynamicsRoom() = default;
DynamicsRoom::DynamicsRoom(DynamicsRoom&&) noexcept = default;

std::size_t DynamicsState::bytes() const {
  std::size_t sum = sizeof *this;
  for (const DynamicBody& body : bodies) {
    sum += sizeof body +
           (body.places.size() + body.velocities.size() + body.places_before.size() +
            body.velocities_before.size()) *
               sizeof(Vec3d) +
           body.loose.size() * sizeof(double);
  }
  return sum;
}

// ---- Bodies -------------------------------------------------------------------------------------

MeshlessDynamics::MeshlessDynamics(const Motion& motion) : first_time_(motion.first_time()) {
  double largest = 0;
  for (const BodyMotion& one : motion.bodies) {
    leads_.emplace_back(one);
    const auto same = std::find_if(spaces_.begin(), spaces_.end(),
                                   [&](const auto& space) { return space->body == one.body; });
    spaces_.push_back(same != spaces_.end() ? *same
                                            : std::make_shared<const DynamicsSpace>(one.body));
    largest = std::max(largest, spaces_.back()->volume);
  }
  for (const auto& space : spaces_) weights_.push_back(std::max(space->volume / largest, 1e-6));
}

MeshlessDynamics::~MeshlessDynamics() = default;
MeshlessDynamics::MeshlessDynamics(MeshlessDynamics&&) noexcept = default;

const MeshlessBody& MeshlessDynamics::body(std::size_t b) const { return *spaces_[b]->body; }

std::size_t MeshlessDynamics::bytes() const {
  std::size_t sum = sizeof *this;
  for (std::size_t b = 0; b < size(); ++b) {
    sum += leads_[b].bytes();
    if (b > 0 && spaces_[b] == spaces_[b - 1]) continue;
    const MotionSpace& space = spaces_[b]->motion;
    sum += space.elastic.bytes() + space.contact.bytes() +
           2 * static_cast<std::size_t>(space.mass.size()) * sizeof(double);
  }
  return sum;
}

DynamicsState MeshlessDynamics::begin(double time) const {
  DynamicsState state;
  state.time = time;
  for (std::size_t b = 0; b < size(); ++b) {
    DynamicBody& one = state.bodies.emplace_back();
    one.places.resize(body(b).node_count());
    one.velocities.resize(body(b).node_count());
    leads_[b].at(time, one.places, one.velocities);
  }
  return state;
}

bool MeshlessDynamics::fits(const BodyStates& from) const {
  if (from.list.size() != size()) return false;
  for (std::size_t b = 0; b < size(); ++b) {
    const std::size_t n = body(b).node_count();
    if (from.list[b].places.size() != n || from.list[b].velocities.size() != n) return false;
  }
  return true;
}

namespace {

// How a body that comes from elsewhere lies to what will lead it.
struct Coming {
  double fits = 0, all = 0;  // of the led shape's metric, against 1: in that of the body, in itself
  double off = 0;            // sizes

  void add(const MeshlessBody& body, const BodyStates::One& one, const NodePlaces& goal,
           const NodePlaces& goal_velocities) {
    constexpr double soon = 0.1;  // s
    const ShapeRows& rows = body.at_samples;
    for (std::size_t s = 0; s < rows.size(); ++s) {
      const Eigen::Matrix3d f = gradient_of(rows, s, one.places), g = gradient_of(rows, s, goal);
      const Eigen::Matrix3d is = f.transpose() * f - Eigen::Matrix3d::Identity();
      const Eigen::Matrix3d led = g.transpose() * g - Eigen::Matrix3d::Identity();
      fits += body.volumes[s] * is.cwiseProduct(led).sum();
      all += body.volumes[s] * led.squaredNorm();
    }
    double sum = 0;
    for (std::size_t i = 0; i < goal.size(); ++i) {
      sum += (one.places[i] - goal[i]).squaredNorm() +
             soon * soon * (one.velocities[i] - goal_velocities[i]).squaredNorm();
    }
    off = std::max(off, std::sqrt(sum / static_cast<double>(goal.size())) / body.size);
  }
};

}  // namespace

DynamicsState MeshlessDynamics::begin(double time, const BodyStates& from) const {
  constexpr double near = 0.005;  // sizes, at which half of the pull's frequency is there
  DynamicsState state;
  state.time = time;
  Coming coming;
  for (std::size_t b = 0; b < size(); ++b) {
    const BodyStates::One& one = from.list[b];
    state.bodies.push_back({one.places, one.velocities, {}, {}, {}});
    NodePlaces goal(one.places.size()), velocities(one.places.size());
    leads_[b].at(time, goal, velocities);
    coming.add(body(b), one, goal, velocities);
  }
  state.kept = coming.all > 0 ? std::clamp(coming.fits / coming.all, 0.0, 1.0) : 0;
  state.caught = 1 / (1 + coming.off / near);
  return state;
}

BodyStates MeshlessDynamics::states(const DynamicsState& state) const {
  BodyStates states;
  for (std::size_t b = 0; b < size(); ++b) {
    states.list.push_back({spaces_[b]->body, state.bodies[b].places, state.bodies[b].velocities});
  }
  return states;
}

double MeshlessDynamics::motion_energy(std::size_t b, std::span<const Vec3d> velocities) const {
  const Eigen::Map<const Eigen::Matrix3Xd> v(velocities[0].data(), 3,
                                             static_cast<Eigen::Index>(velocities.size()));
  return 0.5 * (v * spaces_[b]->motion.mass).cwiseProduct(v).sum();
}

double MeshlessDynamics::strain_energy(std::size_t b, std::span<const Vec3d> places,
                                       const DynamicsSettings& settings) const {
  const double swing = 2 * std::numbers::pi * settings.stiffness;
  const double k = swing * swing / spaces_[b]->softest;
  return spaces_[b]->motion.elastic.energy(places, {k, settings.volume * k});
}

double MeshlessDynamics::strain(std::size_t b, std::span<const Vec3d> places) const {
  return 0.5 * std::sqrt(spaces_[b]->motion.elastic.energy(places, {1, 0}));
}

// ---- Steps --------------------------------------------------------------------------------------

namespace {

// Bodies that may meet in this step are solved together.
void find_groups(DynamicsRoom::Parts& parts, bool collide) {
  const std::size_t count = parts.bodies.size();
  parts.leader.resize(count);
  std::iota(parts.leader.begin(), parts.leader.end(), std::size_t{0});
  if (collide && count > 1) {
    parts.boxes.assign(count, {});
    for (std::size_t b = 0; b < count; ++b) {
      const StepBody& body = parts.bodies[b];
      for (const Vec3d& y : body.state->places) parts.boxes[b].extend(y);
      for (const Vec3d& y : body.guess) parts.boxes[b].extend(y);
      const Vec3d more = Vec3d::Constant(body.space->body->radius + 0.05 * body.size());
      parts.boxes[b].min() -= more;
      parts.boxes[b].max() += more;
    }
    for (std::size_t a = 0; a < count; ++a) {
      for (std::size_t b = a + 1; b < count; ++b) {
        if (parts.leader[a] == parts.leader[b] || !parts.boxes[a].intersects(parts.boxes[b])) {
          continue;
        }
        const std::size_t to = std::min(parts.leader[a], parts.leader[b]);
        const std::size_t from = std::max(parts.leader[a], parts.leader[b]);
        std::replace(parts.leader.begin(), parts.leader.end(), from, to);
      }
    }
  }
  parts.groups.resize(std::max(parts.groups.size(), count));
  for (StepGroup& group : parts.groups) group.bodies.clear();
  for (std::size_t b = 0; b < count; ++b) {
    parts.groups[parts.leader[b]].bodies.push_back(&parts.bodies[b]);
  }
}

// What a group does in a step; its bodies have been predicted by BDF.
void step_group(StepGroup& group, const StepTimes& times, StepWeights& weights, char& struck,
                char& sound, const DynamicsSettings& how) {
  group.iterations = group.evaluations = 0;
  group.depth = 0;
  struck = group.is_struck();
  if (struck) {
    weights = euler_weights(weights.h);
    for (StepBody* body : group.bodies) body->predict(times, weights, how);
  }
  for (StepBody* body : group.bodies) body->prepare(times, weights, how);
  sound = group.solve(how, weights);
}

// Obstacles that come farther in a frame than so were put there.
double farthest_of(const std::vector<std::shared_ptr<const DynamicsSpace>>& spaces) {
  double largest = 0;
  for (const auto& space : spaces) largest = std::max(largest, space->body->size);
  return farthest_in_frame * largest;
}

// How the motion has hold of the bodies in a step.
struct Hold {
  double gain = 0;
  double calm = 0;  // the damping that the pull has at least
  double part = 1;  // of going over, in a step
};

// In the next step, of length h.
Hold take_hold(DynamicsState& state, const DynamicsSettings& wanted, double h) {
  Hold hold;
  hold.part = wanted.blend > h ? h / wanted.blend : 1;
  const bool begins = state.kept < 0;
  const double root = std::sqrt(std::max(wanted.gain, 0.0));
  const double last = state.pulled < 0 ? state.caught * root : state.pulled;
  state.pulled = std::min(root, last + root * hold.part);
  const double c = root > 0 ? state.pulled / root : 1;
  hold.gain = c < 1 ? wanted.gain * c * c : wanted.gain;
  hold.calm = 1 - c * c * c * c;
  const double goal = led_by(hold.gain) * std::clamp(wanted.keeps, 0.0, 1.0);
  state.kept = begins ? goal : std::clamp(goal, state.kept - hold.part, state.kept + hold.part);
  return hold;
}

struct Loosened {
  double calm = 0;  // the damping that the pull has at least, so that it is that of a grown one
  bool changed = false;
};

// What is loose in the next step: it is let loose at once, and led again so that the frequency of
// its pull grows evenly.
Loosened loosen(std::span<const double> wanted, double part, std::vector<double>& loose) {
  Loosened out;
  const auto is_led = [](double l) { return l == 0; };
  if (wanted.empty() && (part >= 1 || std::all_of(loose.begin(), loose.end(), is_led))) {
    out.changed = !loose.empty();
    loose.clear();
    return out;
  }
  if (!wanted.empty()) loose.resize(wanted.size(), 0);
  for (std::size_t i = 0; i < loose.size(); ++i) {
    const double goal = wanted.empty() ? 0 : wanted[i];
    const double root = std::min(1.0, std::sqrt(1 - loose[i]) + part);
    const double now = std::max(goal, 1 - root * root);
    if (now > goal) {
      const double c = std::sqrt((1 - now) / (1 - goal));
      out.calm += (1 - c * c * c * c) / c / static_cast<double>(loose.size());
    }
    out.changed |= now != loose[i];
    loose[i] = now;
  }
  return out;
}

// The same for all bodies, which are made ready for it; `first`: in an advance.
void take_hold(DynamicsState& state, const DynamicsSettings& wanted, const DynamicsWorld& world,
               double h, bool first, std::span<StepBody> bodies, DynamicsSettings& now) {
  const double gain_before = now.gain;
  const Hold hold = take_hold(state, wanted, h);
  now.gain = hold.gain;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    StepBody& body = bodies[b];
    std::span<const double> loose;
    if (b < world.loose.size()) loose = world.loose[b];
    const Loosened loosened = loosen(loose, hold.part, state.bodies[b].loose);
    body.kept = state.kept;
    body.calm = std::max(hold.calm, loosened.calm);
    body.loose = state.bodies[b].loose;
    if (first || loosened.changed || now.gain != gain_before) body.set_up(now);
  }
}

}  // namespace

DynamicsReport MeshlessDynamics::advance(DynamicsState& state, double to,
                                         const DynamicsSettings& wanted, const DynamicsWorld& world,
                                         DynamicsRoom& room) const {
  DynamicsReport report;
  DynamicsSettings settings = wanted;
  const double start = state.time, length = to - start;
  if (!(length > 0) || size() == 0) return report;
  const int steps = std::clamp(static_cast<int>(std::lround(length * settings.rate)), 1, 10000);
  const double h = length / steps;
  DynamicsRoom::Parts& parts = room.parts();
  parts.bodies.resize(size());
  for (std::size_t b = 0; b < size(); ++b) {
    StepBody& body = parts.bodies[b];
    body.space = spaces_[b].get();
    body.lead = &leads_[b];
    body.state = &state.bodies[b];
    body.weight = weights_[b];
  }
  const bool obstructed = world.now && !world.now->empty();
  const ObstacleFrame frame(world.before, world.now, farthest_of(spaces_));
  if (obstructed) frame.at(0, parts.obstacles, true);
  for (int k = 0; k < steps; ++k) {
    settings.stop.check();
    StepTimes times{start + (k - 1) * h, start + k * h, k + 1 == steps ? to : start + (k + 1) * h};
    const double step_before = state.step_before > 0 ? state.step_before : h;
    if (k == 0) times.before = start - step_before;
    if (obstructed) {
      std::swap(parts.obstacles, parts.obstacles_before);
      frame.at(static_cast<float>(static_cast<double>(k + 1) / steps), parts.obstacles, true);
    }
    take_hold(state, wanted, world, h, k == 0, parts.bodies, settings);
    // A body that begins makes up a step of the same length.
    const StepWeights weights = bdf_weights(h, step_before);
    for (StepBody& body : parts.bodies) {
      const bool begins = body.state->places_before.empty();
      body.predict(times, begins ? bdf_weights(h, h) : weights, settings);
    }
    find_groups(parts, settings.collide);
    parts.weights.assign(size(), weights);
    parts.struck.assign(size(), 0);
    parts.sound.assign(size(), 1);
    parallel_each(size(), [&](std::size_t g) {
      StepGroup& group = parts.groups[g];
      if (group.bodies.empty()) return;
      const bool begins = std::any_of(group.bodies.begin(), group.bodies.end(),
                                      [](const StepBody* body) { return body->begins; });
      if (begins) parts.weights[g] = bdf_weights(h, h);
      group.obstacles = obstructed ? &parts.obstacles : nullptr;
      group.obstacles_before = obstructed ? &parts.obstacles_before : nullptr;
      group.obstacles_in_frame = frame;
      group.share = 1.0 / steps;
      step_group(group, times, parts.weights[g], parts.struck[g], parts.sound[g], settings);
    });
    for (std::size_t g = 0; g < size(); ++g) {
      const StepGroup& group = parts.groups[g];
      if (group.bodies.empty()) continue;
      report.iterations += group.iterations;
      report.evaluations += group.evaluations;
      report.depth = std::max(report.depth, group.depth);
      if (!parts.sound[g]) report.sound = false;
    }
    if (!report.sound) return report;
    for (std::size_t g = 0; g < size(); ++g) {
      for (StepBody* body : parts.groups[g].bodies) {
        body->finish(parts.weights[g]);
        // Nothing is to be extrapolated across an impact.
        if (parts.struck[g]) {
          body->state->places_before.clear();
          body->state->velocities_before.clear();
        }
      }
    }
    state.time = times.now;
    state.step_before = h;
    ++report.steps;
  }
  return report;
}

std::vector<double> field_at_nodes(const MeshlessBody& body, std::span<const float> values) {
  std::vector<double> sum(body.node_count(), 0), weight(body.node_count(), 0);
  const ShapeRows& rows = body.at_vertices;
  for (std::size_t v = 0; v < rows.size(); ++v) {
    for (uint32_t k = rows.first[v]; k < rows.first[v + 1]; ++k) {
      const double w = std::max(rows.value[k], 0.0);
      sum[rows.node[k]] += w * static_cast<double>(values[v]);
      weight[rows.node[k]] += w;
    }
  }
  for (std::size_t i = 0; i < sum.size(); ++i) {
    if (weight[i] > 0) sum[i] /= weight[i];
  }
  return sum;
}

}  // namespace sinew::kernels
