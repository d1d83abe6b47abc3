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
    sum += sizeof body + (body.places.size() + body.velocities.size() + body.places_before.size() +
                          body.velocities_before.size()) *
                             sizeof(Vec3d);
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

DynamicsState MeshlessDynamics::begin(double time, const BodyStates& from) const {
  DynamicsState state;
  state.time = time;
  for (const BodyStates::One& one : from.list) {
    state.bodies.push_back({one.places, one.velocities, {}, {}});
  }
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

// How the motion has hold of the bodies in the next step of length h.
void take_hold(DynamicsState& state, const DynamicsSettings& wanted, double h,
               DynamicsSettings& now) {
  const bool begins = state.kept < 0;
  const double part = wanted.blend > h ? h / wanted.blend : 1;
  state.caught = wanted.gain > 0 ? (begins ? 1 : std::min(1.0, state.caught + part)) : 0;
  now.gain = wanted.gain * state.caught * state.caught;
  const double goal = led_by(now.gain) * std::clamp(wanted.keeps, 0.0, 1.0);
  state.kept = begins ? goal : std::clamp(goal, state.kept - part, state.kept + part);
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
    body.loose = b < world.loose.size() ? std::span<const double>(world.loose[b])
                                        : std::span<const double>();
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
    const double gain_before = settings.gain;
    take_hold(state, wanted, h, settings);
    for (StepBody& body : parts.bodies) {
      if (k == 0 || settings.gain != gain_before) body.set_up(settings);
      body.kept = state.kept;
    }
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
