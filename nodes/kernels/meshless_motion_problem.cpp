#include "nodes/kernels/meshless_motion_problem.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "nodes/geometry/parallel.h"
#include "nodes/kernels/spline_weights.h"

namespace sinew::kernels {
namespace {

using Columns = Eigen::Map<const Eigen::Matrix<double, 3, Eigen::Dynamic>>;

// 3 x nodes.
Columns columns(const NodePlaces& places) {
  return Columns(places.empty() ? nullptr : places[0].data(), 3,
                 static_cast<Eigen::Index>(places.size()));
}

}  // namespace

const MotionKey* key_near(const KeyedBody& body, double time) {
  for (const MotionKey& key : body.keys) {
    if (std::abs(key.time - time) <= 1e-9 * (1 + std::abs(time))) return &key;
  }
  return nullptr;
}

MotionSpace::MotionSpace(const MeshlessBody& body)
    : elastic(body), contact(body), rest(body), stiff(elastic.laplacian()) {
  const auto n = static_cast<Eigen::Index>(body.node_count());
  mass = Eigen::MatrixXd::Zero(n, n);
  const ShapeRows& rows = body.at_samples;
  for (std::size_t s = 0; s < rows.size(); ++s) {
    for (uint32_t a = rows.first[s]; a < rows.first[s + 1]; ++a) {
      for (uint32_t b = rows.first[s]; b < rows.first[s + 1]; ++b) {
        mass(rows.node[a], rows.node[b]) += body.volumes[s] * rows.value[a] * rows.value[b];
      }
    }
  }
  total = mass.sum();
  inertia = turning_part(mass);
}

// Of sum_ab H_ab y_a . y_b what belongs to y = w x (x - c0): w^T that w.
Eigen::Matrix3d MotionSpace::turning_part(const Eigen::MatrixXd& of) const {
  const Eigen::Matrix3d second = rest.arms * of * rest.arms.transpose();
  return second.trace() * Eigen::Matrix3d::Identity() - 0.5 * (second + second.transpose());
}

MotionSolver::Problem::Problem(const std::vector<KeyedBody>& keyed_bodies,
                               const std::vector<std::unique_ptr<Body>>& prepared,
                               const ObstaclesInTime& in_the_way, const MotionSettings& how,
                               const MotionProgress& progress, const IsKey& is_key)
    : keyed(keyed_bodies), bodies(prepared), settings(how), times(progress.times) {
  const std::size_t frames = times.size();
  tau.resize(frames, 0);
  for (std::size_t j = 0; j + 1 < frames; ++j) {
    const double half = 0.5 * (times[j + 1] - times[j]);
    tau[j] += half;
    tau[j + 1] += half;
  }
  for (const double t : times) obstacles.push_back(in_the_way.at(t));
  meetings = keyed.size() > 1 || !in_the_way.empty();
  per_body.resize(keyed.size());
  std::size_t first = 0;
  for (std::size_t b = 0; b < keyed.size(); ++b) {
    PerBody& per = per_body[b];
    per.first = first;
    for (std::size_t j = 0; j < frames; ++j) {
      per.fixed.push_back(is_key(b, times[j]));
      if (!per.fixed.back()) per.free.push_back(j);
      const MotionKey* key = key_near(keyed[b], times[j]);
      per.breaks.push_back(key && key->breaks);
    }
    first += variables_of(b);
    measure_time(b);
    contact_bodies.push_back(&bodies[b]->space->contact);
  }
  rooms.resize(keyed.size());
  contacts.resize(frames);
  body_energies.resize(keyed.size());
  frame_energies.resize(frames);
  prepare_watches(progress.watches, in_the_way);
}

// It stands before its first and after its last key.
std::vector<SplineKnot> MotionSolver::Problem::knots_of(std::size_t b, bool with_told) const {
  const PerBody& per = per_body[b];
  std::vector<SplineKnot> knots;
  for (std::size_t j = 0; j < times.size(); ++j) {
    const MotionKey* key = with_told ? key_near(keyed[b], times[j]) : nullptr;
    knots.push_back({times[j], per.breaks[j] || j == per.begin || j == per.end,
                     key && key->kind == MotionKey::Kind::whole && key->velocities});
  }
  return knots;
}

void MotionSolver::Problem::prepare_watches(const std::vector<double>& moments,
                                            const ObstaclesInTime& in_the_way) {
  for (const double time : moments) {
    Watch& watch = watches.emplace_back();
    watch.time = time;
    watch.obstacles = in_the_way.at(time);
    for (const KeyedBody& body : keyed) {
      watch.places.emplace_back(body.body->node_count());
      watch.slopes.emplace_back(body.body->node_count());
    }
  }
  if (watches.empty()) return;
  for (std::size_t b = 0; b < keyed.size(); ++b) {
    const std::vector<SplineKnot> knots = knots_of(b, true);
    const std::vector<KnotTangents> tangents = spline_tangents(knots);
    for (Watch& watch : watches) watch.blends.push_back(spline_blend(knots, tangents, watch.time));
  }
}

// Second differences at uneven gaps, from the first to the last key of the body.
void MotionSolver::Problem::measure_time(std::size_t b) {
  PerBody& per = per_body[b];
  // Times of several bodies that are nearly the same are one frame.
  const double begin = keyed[b].keys.front().time, end = keyed[b].keys.back().time;
  const auto near = [](double t) { return 1e-9 * (1 + std::abs(t)); };
  per.begin = 0;
  while (times[per.begin] < begin - near(begin)) ++per.begin;
  per.end = times.size() - 1;
  while (times[per.end] > end + near(end)) --per.end;
  for (std::size_t j = per.begin; j <= per.end; ++j) {
    if (per.breaks[j]) continue;
    const bool has_before = j > per.begin, has_after = j < per.end;
    const MotionKey* key = key_near(keyed[b], times[j]);
    const bool told = key && key->velocities && !key->places.empty();
    if (!(has_before && has_after) && !(told && (has_before || has_after))) continue;
    const double h0 = has_before ? times[j] - times[j - 1] : 0;
    const double h1 = has_after ? times[j + 1] - times[j] : 0;
    if (told) {
      per.told[j] = CarriedRates::of(bodies[b]->space->rest, key->places, *key->velocities);
      // Each slope against the velocity, over half of its gap.
      if (has_before)
        per.differences.push_back({j, 2 / (h0 * h0), -2 / (h0 * h0), 0, 2 / h0, 0.5 * h0});
      if (has_after)
        per.differences.push_back({j, 0, -2 / (h1 * h1), 2 / (h1 * h1), -2 / h1, 0.5 * h1});
      continue;
    }
    const double span = 0.5 * (h0 + h1), before = 1 / (h0 * span), after = 1 / (h1 * span);
    per.differences.push_back({j, before, -(before + after), after, 0, span});
  }
}

double MotionSolver::Problem::add_elastic(std::size_t b, const State& state, State& gradient) {
  const PerBody& per = per_body[b];
  const ElasticSamples& elastic = bodies[b]->space->elastic;
  const MotionWeights& w = settings.weights;
  double energy = 0;
  for (std::size_t at = 0; at < per.free.size(); at += ElasticSamples::lanes) {
    const std::size_t count = std::min(ElasticSamples::lanes, per.free.size() - at);
    std::array<const Vec3d*, ElasticSamples::lanes> places{};
    std::array<Vec3d*, ElasticSamples::lanes> gradients{};
    std::array<double, ElasticSamples::lanes> energies{};
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t j = per.free[at + k];
      places[k] = state[j][b].data();
      gradients[k] = gradient[j][b].data();
    }
    elastic.add_many({places.data(), count}, {gradients.data(), count}, {energies.data(), count},
                     {w.strain, w.volume}, rooms[b]);
    for (std::size_t k = 0; k < count; ++k) {
      // The gradient was 0 before: strain comes first, and is weighted by its time here.
      const std::size_t j = per.free[at + k];
      energy += tau[j] * energies[k];
      for (Vec3d& g : gradient[j][b]) g *= tau[j];
    }
  }
  return energy;
}

// J of a gap = sum_ab M_ab (y_a - c) x (y+_b - c+) / h; as M's rows are shape functions, c = sum of
// the rows times y.
double MotionSolver::Problem::add_spin(std::size_t b, const State& state, State& gradient) const {
  const double weight = settings.weights.spin;
  const std::size_t frames = times.size();
  if (!(weight > 0) || frames < 3) return 0;
  const PerBody& per = per_body[b];
  const Eigen::MatrixXd& mass = bodies[b]->space->mass;
  const Eigen::VectorXd rows = mass.rowwise().sum();
  const double size = keyed[b].body->size, unit = 1 / (size * size), total = rows.sum();
  // Centred: N = M - r r^T / total.
  const Eigen::MatrixXd centred = mass - rows * rows.transpose() / total;
  const auto n = static_cast<Eigen::Index>(mass.rows());
  std::vector<Vec3d> momentum(frames - 1);
  std::vector<Eigen::Matrix<double, 3, Eigen::Dynamic>> forward(frames);  // N y
  for (std::size_t j = 0; j < frames; ++j) forward[j] = columns(state[j][b]) * centred;
  for (std::size_t j = 0; j + 1 < frames; ++j) {
    Vec3d sum(0, 0, 0);
    for (Eigen::Index i = 0; i < n; ++i) {
      sum += state[j][b][static_cast<std::size_t>(i)].cross(Vec3d(forward[j + 1].col(i)));
    }
    momentum[j] = unit * sum / (times[j + 1] - times[j]);
  }
  double energy = 0;
  std::vector<Vec3d> pull(frames - 1, Vec3d(0, 0, 0));  // dE/dJ
  for (std::size_t j = per.begin + 1; j < per.end; ++j) {
    if (per.breaks[j]) continue;
    const Vec3d torque = (momentum[j] - momentum[j - 1]) / tau[j];
    energy += weight * tau[j] * torque.squaredNorm();
    pull[j] += 2 * weight * torque;
    pull[j - 1] -= 2 * weight * torque;
  }
  for (std::size_t j = 0; j + 1 < frames; ++j) {
    const Vec3d g = pull[j] * unit / (times[j + 1] - times[j]);
    for (Eigen::Index i = 0; i < n; ++i) {
      const auto k = static_cast<std::size_t>(i);
      // d/dy of g . (y x m) = m x g; d/dm = g x y, and m = N y+.
      if (!per.fixed[j]) gradient[j][b][k] += Vec3d(forward[j + 1].col(i)).cross(g);
      if (!per.fixed[j + 1]) gradient[j + 1][b][k] += g.cross(Vec3d(forward[j].col(i)));
    }
  }
  return energy;
}

double MotionSolver::Problem::add_points(std::size_t b, const State& state, State& gradient) const {
  const PerBody& per = per_body[b];
  const KeyedBody& body = keyed[b];
  const ShapeRows& rows = body.body->at_vertices;
  const double unit = 1 / (body.body->size * body.body->size);
  double energy = 0;
  const auto hold = [&](std::size_t j, const HeldPoint& p, double weight) {
    const Vec3d off = place_of(rows, p.vertex, state[j][b]) - p.target;
    energy += weight * p.weight * off.squaredNorm();
    for (uint32_t k = rows.first[p.vertex]; k < rows.first[p.vertex + 1]; ++k) {
      gradient[j][b][rows.node[k]] += 2 * weight * p.weight * rows.value[k] * off;
    }
  };
  std::vector<KnotTangents> tangents;
  for (const std::size_t j : per.free) {
    for (const HeldPoint& p : body.held) {
      hold(j, p, settings.weights.position * unit * tau[j]);
    }
    const MotionKey* key = key_near(body, times[j]);
    if (!key) continue;
    for (const HeldPoint& p : key->points) hold(j, p, settings.weights.position * unit);
  }
  for (std::size_t j = 0; j < times.size(); ++j) {
    const MotionKey* key = key_near(body, times[j]);
    if (!key || key->point_velocities.empty()) continue;
    if (tangents.empty()) tangents = spline_tangents(knots_of(b, false));
    const SplineTangent& t = j < per.end ? tangents[j].out : tangents[j].in;
    const std::array<std::pair<std::size_t, double>, 3> parts{
        {{j - (t.before != 0), t.before}, {j, t.here}, {j + (t.after != 0), t.after}}};
    for (const HeldPoint& p : key->point_velocities) {
      Vec3d off = -p.target;
      for (const auto& [k, x] : parts) {
        if (x != 0) off += x * place_of(rows, p.vertex, state[k][b]);
      }
      const double weight = settings.weights.velocity * unit * p.weight;
      energy += weight * off.squaredNorm();
      for (const auto& [k, x] : parts) {
        if (x == 0 || per.fixed[k]) continue;
        for (uint32_t e = rows.first[p.vertex]; e < rows.first[p.vertex + 1]; ++e) {
          gradient[k][b][rows.node[e]] += 2 * weight * x * rows.value[e] * off;
        }
      }
    }
  }
  return energy;
}

double MotionSolver::Problem::add_contacts(std::size_t frame, const State& state, State& gradient) {
  std::vector<const Vec3d*> places;
  std::vector<Vec3d*> gradients;
  for (std::size_t b = 0; b < keyed.size(); ++b) {
    places.push_back(state[frame][b].data());
    gradients.push_back(gradient[frame][b].data());
  }
  return contact_energy(contacts[frame], obstacles[frame], places, gradients);
}

double MotionSolver::Problem::contact_energy(ContactFrame& frame, const Colliders& in_the_way,
                                             std::span<const Vec3d* const> places,
                                             std::span<Vec3d* const> gradients) const {
  frame.place(contact_bodies, places, settings.margin, !in_the_way.empty());
  const ContactWeights weights{settings.weights.obstacles, settings.weights.bodies,
                               settings.margin};
  return frame.add_obstacles(in_the_way, weights, gradients) + frame.add_bodies(weights, gradients);
}

void MotionSolver::Problem::ask(Watch& watch, const State& state) {
  std::vector<const Vec3d*> places;
  std::vector<Vec3d*> slopes;
  for (std::size_t b = 0; b < keyed.size(); ++b) {
    const SplineBlend& blend = watch.blends[b];
    NodePlaces& at = watch.places[b];
    for (std::size_t i = 0; i < at.size(); ++i) {
      at[i] = blend.value[0] * state[blend.knot[0]][b][i];
      for (std::size_t k = 1; k < 4; ++k) at[i] += blend.value[k] * state[blend.knot[k]][b][i];
    }
    for (std::size_t k = 0; k < 2; ++k) {
      if (blend.told[k] == 0) continue;
      const MotionKey* key = key_near(keyed[b], times[blend.knot[k + 1]]);
      if (!key || !key->velocities) continue;
      for (std::size_t i = 0; i < at.size(); ++i) at[i] += blend.told[k] * (*key->velocities)[i];
    }
    std::fill(watch.slopes[b].begin(), watch.slopes[b].end(), Vec3d(0, 0, 0));
    places.push_back(at.data());
    slopes.push_back(watch.slopes[b].data());
  }
  watch.energy = contact_energy(watch.contacts, watch.obstacles, places, slopes);
}

void MotionSolver::Problem::add_watches(std::size_t b, State& gradient) const {
  for (const Watch& watch : watches) {
    const SplineBlend& blend = watch.blends[b];
    for (std::size_t k = 0; k < 4; ++k) {
      if (blend.value[k] == 0 || per_body[b].fixed[blend.knot[k]]) continue;
      NodePlaces& to = gradient[blend.knot[k]][b];
      for (std::size_t i = 0; i < to.size(); ++i) to[i] += blend.value[k] * watch.slopes[b][i];
    }
  }
}

double MotionSolver::Problem::evaluate(const State& state, State& gradient) {
  parallel_each(keyed.size(), [&](std::size_t b) {
    for (std::size_t j = 0; j < times.size(); ++j) {
      std::fill(gradient[j][b].begin(), gradient[j][b].end(), Vec3d(0, 0, 0));
    }
    body_energies[b] = add_elastic(b, state, gradient) + add_carried(b, state, gradient) +
                       add_spin(b, state, gradient) + add_points(b, state, gradient);
  });
  double energy = std::accumulate(body_energies.begin(), body_energies.end(), 0.0);
  if (!meetings) return energy;
  parallel_each(times.size(), [&](std::size_t j) {
    // Where nothing can move, nothing is asked.
    bool any = false;
    for (const PerBody& per : per_body) any |= !per.fixed[j];
    frame_energies[j] = any ? add_contacts(j, state, gradient) : 0;
  });
  for (const double e : frame_energies) energy += e;
  if (watches.empty()) return energy;
  parallel_each(watches.size(), [&](std::size_t w) { ask(watches[w], state); });
  for (const Watch& watch : watches) energy += watch.energy;
  parallel_each(keyed.size(), [&](std::size_t b) { add_watches(b, gradient); });
  return energy;
}

double MotionSolver::Problem::energy_of(const State& state, State* gradient) {
  slope = state;
  const double energy = evaluate(state, slope);
  if (gradient) {
    *gradient = slope;
    for (std::size_t b = 0; b < keyed.size(); ++b) {
      for (std::size_t j = 0; j < times.size(); ++j) {
        if (!per_body[b].fixed[j]) continue;
        std::fill((*gradient)[j][b].begin(), (*gradient)[j][b].end(), Vec3d(0, 0, 0));
      }
    }
  }
  return energy;
}

double MotionSolver::Problem::solve(State& state, CancelView stop) {
  std::size_t unknowns = 0;
  for (std::size_t b = 0; b < keyed.size(); ++b) {
    unknowns += variables_of(b);
  }
  slope = state;
  if (unknowns == 0) return evaluate(state, slope);
  parallel_each(keyed.size(), [&](std::size_t b) { prepare_variables(b, state); });
  now = state;
  Eigen::VectorXd z = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(unknowns));
  // As exact as one can see: the gradient's square is about twice the energy to be gained.
  LbfgsSettings effort;
  effort.most_iterations = 150;
  effort.least_gradient = 1e-3 * std::sqrt(static_cast<double>(keyed.size()));
  // A crowd is solved again and again while its members push each other about; what is left then
  // of the last per mille nobody sees.
  effort.least_change = keyed.size() > 8 ? 2e-3 : 1e-4;
  Lbfgs solver(effort);
  const LbfgsOutcome outcome = solver.minimise(
      [&](const Eigen::VectorXd& at, Eigen::VectorXd& gradient) {
        spread(at);
        const double energy = evaluate(now, slope);
        gather(gradient);
        return energy;
      },
      z, stop);
  spread(z);
  state = now;
  return outcome.value;
}

}  // namespace sinew::kernels
