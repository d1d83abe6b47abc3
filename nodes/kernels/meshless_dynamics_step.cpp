#include "nodes/kernels/meshless_dynamics_step.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew::kernels {
namespace {

constexpr double margin = 0.003;      // in which obstacles push, in sizes
constexpr double near_bodies = 0.05;  // the same of other bodies
constexpr double near = 0.15;         // points that may touch something, in sizes
constexpr double first_hardness = 1;  // of contacts, in masses per square of a step
constexpr double too_deep = 0.004;    // in sizes
constexpr double creeping = 2e-3;     // below that friction is smooth, in sizes a second
constexpr int most_passes = 5, most_iterations = 150;
constexpr uint32_t most_looked_at = 2000;  // vertices of a body

Vec3d place_at(const StepBody& body, uint32_t point, const NodePlaces& places) {
  return place_of(body.space->body->at_touching, point, places);
}
Vec3d place_at(const TouchPoint& touch, const NodePlaces& places) {
  return place_of(*touch.rows, touch.point, places);
}

// Smooth Coulomb friction [Li20, eq. 14]: the integral of f1, and f1 / x.
struct Slip {
  double energy, slope;
};
Slip slip_of(double x, double width) {
  if (x >= width) return {x, 1 / x};
  const double t = x / width;
  return {width * (t * t - t * t * t / 3 + 1.0 / 3), (2 - t) / width};
}

}  // namespace

// ---- What is touched ----------------------------------------------------------------------------

double StepGroup::meeting_energy(bool at_guess) {
  contact_bodies.clear();
  contact_places.clear();
  for (StepBody* body : bodies) {
    contact_bodies.push_back(&body->space->motion.contact);
    contact_places.push_back(at_guess ? body->guess.data() : body->state->places.data());
  }
  contacts.place(contact_bodies, contact_places, margin, false);
  return contacts.add_bodies({1, 1, margin}, {});
}

bool StepGroup::is_struck() {
  bool struck = false;
  if (obstacles && !obstacles->empty()) {
    for (const StepBody* body : bodies) {
      const double reach = margin * body->size();
      const auto count = static_cast<uint32_t>(body->space->body->at_touching.size());
      for (uint32_t p = 0; p < count && !struck; ++p) {
        const double comes =
            distance_with_slope(*obstacles, place_at(*body, p, body->guess)).distance;
        if (!(comes < reach)) continue;
        const double is =
            distance_with_slope(*obstacles_before, place_at(*body, p, body->state->places))
                .distance;
        struck = is >= reach || body->begins;
      }
    }
  }
  if (!struck && bodies.size() > 1) {
    const double was = meeting_energy(false), comes = meeting_energy(true);
    const bool begins =
        std::any_of(bodies.begin(), bodies.end(), [](auto* b) { return b->begins; });
    struck = comes > (begins ? 0 : 2 * was);
  }
  return struck;
}

// Points that come near something; of the vertices those that touch it already, since they would
// sink and be lifted in turn if they had to be found anew in each step.
void StepGroup::find_touches() {
  touches.clear();
  if (!obstacles) return;
  for (uint32_t b = 0; b < bodies.size(); ++b) {
    const StepBody& body = *bodies[b];
    const ShapeRows& points = body.space->body->at_touching;
    for (uint32_t p = 0; p < points.size(); ++p) {
      const Vec3d is = place_of(points, p, body.state->places);
      const Vec3d comes = place_of(points, p, body.guess);
      for (uint32_t o = 0; o < obstacles->list.size(); ++o) {
        const Collider& obstacle = obstacles->list[o];
        const double gap = std::min(distance_with_slope(obstacle, is).distance,
                                    distance_with_slope(obstacle, comes).distance);
        if (gap < near * body.size()) touches.push_back({b, p, o, &points});
      }
    }
  }
  if (touches.empty()) return;
  for (uint32_t b = 0; b < bodies.size(); ++b) {
    const StepBody& body = *bodies[b];
    const ShapeRows& vertices = body.space->body->at_vertices;
    const auto count = static_cast<uint32_t>(vertices.size());
    for (uint32_t v = 0; v < count; v += 1 + count / most_looked_at) {
      const Vec3d is = place_of(vertices, v, body.state->places);
      for (uint32_t o = 0; o < obstacles->list.size(); ++o) {
        const double gap = distance_with_slope(obstacles_before->list[o], is).distance;
        if (gap < 1.2 * margin * body.size()) touches.push_back({b, v, o, &vertices});
      }
    }
  }
}

// Where each point would be at the end of the step if it stuck to what it touches.
void StepGroup::stick(const StepWeights& w) {
  for (TouchPoint& touch : touches) {
    const StepBody& body = *bodies[touch.body];
    const Collider& now = obstacles->list[touch.obstacle];
    const Collider& before = obstacles_before->list[touch.obstacle];
    const Vec3d place = place_at(touch, body.guess);
    const Vec3d moved = obstacles_in_frame.moved<double>(touch.obstacle, before, now, share, place);
    touch.from = place_at(touch, body.hat) + w.e / w.h * moved;
  }
}

// Normal forces of the moment; how much they have changed beside what they are.
double StepGroup::update_pushes(bool first) {
  double all = 0, changed = 0;
  for (TouchPoint& touch : touches) {
    const StepBody& body = *bodies[touch.body];
    const Collider& obstacle = obstacles->list[touch.obstacle];
    const Vec3d place = place_at(touch, first ? body.state->places : body.now);
    const DistanceSlope found = distance_with_slope(obstacle, place);
    const double push = stiffness_of(body) * std::max(0.0, margin * body.size() - found.distance);
    if (obstacle.friction > 0) {
      changed += std::abs(push - touch.push);
      all += push;
    }
    touch.push = push;
    const double length = found.slope.norm();
    if (length > 0) touch.normal = found.slope / length;
  }
  return all > 0 ? changed / all : 0;
}

// What pushes two bodies apart, in mass 1/s^2: the lighter one decides.
double StepGroup::meeting_stiffness() const {
  double least = std::numeric_limits<double>::max();
  for (const StepBody* body : bodies) least = std::min(least, stiffness_of(*body));
  return least;
}

// From the other body's point to the moving one's, now or since y^.
Vec3d StepGroup::apart(const StepMeeting& m, bool from_hat) const {
  const StepBody &moving = *bodies[m.at.moving], &other = *bodies[m.at.other];
  const ShapeRows& rows = moving.space->motion.contact.anchors();
  const ShapeRows& others = other.space->motion.contact.anchors();
  Vec3d sum(0, 0, 0);
  for (uint32_t k = rows.first[m.at.point]; k < rows.first[m.at.point + 1]; ++k) {
    const uint32_t i = rows.node[k];
    sum += rows.value[k] * (from_hat ? Vec3d(moving.now[i] - moving.hat[i]) : moving.now[i]);
  }
  for (uint32_t k = others.first[m.at.anchor]; k < others.first[m.at.anchor + 1]; ++k) {
    const uint32_t i = others.node[k];
    sum -= (others.value[k] + others.gradient[k].dot(m.at.step)) *
           (from_hat ? Vec3d(other.now[i] - other.hat[i]) : other.now[i]);
  }
  return sum;
}

// Where bodies meet at the base, or may do so from where they begin; how much their pushes have
// changed.
double StepGroup::find_meetings(bool first) {
  double before = 0, after = 0, reach = near_bodies;
  for (const StepMeeting& m : meetings) before += m.push;
  contact_places.clear();
  for (StepBody* body : bodies) {
    if (first) {
      for (std::size_t i = 0; i < body->count(); ++i) {
        const double goes = (body->guess[i] - body->state->places[i]).norm() / body->size();
        reach = std::max(reach, std::min(near_bodies + 2 * goes, 0.5));
      }
      body->now = body->state->places;
    }
    contact_places.push_back(body->now.data());
  }
  contacts.place(contact_bodies, contact_places, reach, false);
  contacts.find_meetings(reach, met);
  meetings.clear();
  for (const BodyMeeting& at : met) {
    StepMeeting& m = meetings.emplace_back(StepMeeting{at});
    const double size = 0.5 * (bodies[at.moving]->size() + bodies[at.other]->size());
    m.in = at.in - (reach - margin) * size;
    m.apart = at.normal.dot(apart(m, false));
    m.push = meeting_stiffness() * std::max(0.0, m.in);
    after += m.push;
  }
  if (first) {
    for (StepBody* body : bodies) body->now = body->guess;
  }
  return after > 0 ? std::abs(after - before) / after : 0;
}

// All touching points, and some of the vertices: the points are spread over the surface at rest,
// and where it is crushed what lies between them can go elsewhere.
template <class Visit>
void StepGroup::for_surface(const Visit& visit) const {
  for (uint32_t b = 0; b < bodies.size(); ++b) {
    const MeshlessBody& body = *bodies[b]->space->body;
    for (const ShapeRows* rows : {&body.at_touching, &body.at_vertices}) {
      const auto count = static_cast<uint32_t>(rows->size());
      const uint32_t stride = 1 + count / most_looked_at;
      for (uint32_t p = 0; p < count; p += stride) {
        const Vec3d place = place_of(*rows, p, bodies[b]->now);
        for (uint32_t o = 0; o < obstacles->list.size(); ++o) {
          const double gap = distance_with_slope(obstacles->list[o], place).distance;
          visit(b, rows, p, o, -gap / bodies[b]->size());
        }
      }
    }
  }
}

double StepGroup::deepest() const {
  double most = 0;
  if (!obstacles) return most;
  for_surface([&](uint32_t, const ShapeRows*, uint32_t, uint32_t, double in) {
    most = std::max(most, in);
  });
  return most;
}

// Those that are too deep and not yet among the touches.
bool StepGroup::add_deep_vertices() {
  const std::size_t known = touches.size();
  for_surface([&](uint32_t b, const ShapeRows* rows, uint32_t p, uint32_t o, double in) {
    if (!(in > 0.5 * too_deep)) return;
    const bool is_known = std::any_of(touches.begin(), touches.end(), [&](const TouchPoint& t) {
      return t.body == b && t.rows == rows && t.point == p && t.obstacle == o;
    });
    if (!is_known) touches.push_back({b, p, o, rows});
  });
  return touches.size() > known;
}

// ---- The energy ---------------------------------------------------------------------------------

double StepGroup::add_touches() {
  double energy = 0;
  for (const TouchPoint& touch : touches) {
    StepBody& body = *bodies[touch.body];
    const Collider& obstacle = obstacles->list[touch.obstacle];
    const Vec3d place = place_at(touch, body.now);
    const DistanceSlope found = distance_with_slope(obstacle, place);
    const double in = margin * body.size() - found.distance;
    const double friction = static_cast<double>(obstacle.friction) * touch.push;
    if (!(in > 0) && !(friction > 0)) continue;
    Vec3d a(0, 0, 0);
    if (in > 0) {
      const double k = stiffness_of(body);
      energy += 0.5 * k * in * in;
      a -= k * in * found.slope;
    }
    if (friction > 0) {
      Vec3d off = place - touch.from;
      off -= touch.normal.dot(off) * touch.normal;
      const Slip s = slip_of(off.norm(), slip * body.size());
      energy += friction * s.energy;
      a += friction * s.slope * off;
    }
    const ShapeRows& rows = *touch.rows;
    for (uint32_t k = rows.first[touch.point]; k < rows.first[touch.point + 1]; ++k) {
      body.gradient[rows.node[k]] += rows.value[k] * a;
    }
  }
  return energy;
}

double StepGroup::add_meetings() {
  double energy = 0;
  const double hard = meeting_stiffness();
  for (const StepMeeting& m : meetings) {
    StepBody &moving = *bodies[m.at.moving], &other = *bodies[m.at.other];
    Vec3d a(0, 0, 0);
    if (const double in = m.in + m.apart - m.at.normal.dot(apart(m, false)); in > 0) {
      energy += 0.5 * hard * in * in;
      a -= hard * in * m.at.normal;
    }
    if (const double friction = rubbing * m.push; friction > 0) {
      Vec3d off = apart(m, true);
      off -= m.at.normal.dot(off) * m.at.normal;
      const Slip s = slip_of(off.norm(), slip * moving.size());
      energy += friction * s.energy;
      a += friction * s.slope * off;
    }
    if (a.isZero(0)) continue;
    const ShapeRows& rows = moving.space->motion.contact.anchors();
    const ShapeRows& others = other.space->motion.contact.anchors();
    for (uint32_t k = rows.first[m.at.point]; k < rows.first[m.at.point + 1]; ++k) {
      moving.gradient[rows.node[k]] += rows.value[k] * a;
    }
    for (uint32_t k = others.first[m.at.anchor]; k < others.first[m.at.anchor + 1]; ++k) {
      other.gradient[others.node[k]] -= (others.value[k] + others.gradient[k].dot(m.at.step)) * a;
    }
  }
  return energy;
}

double StepGroup::evaluate() {
  double energy = 0;
  for (StepBody* body : bodies) {
    std::fill(body->gradient.begin(), body->gradient.end(), Vec3d(0, 0, 0));
    double own =
        body->space->motion.elastic.add(body->now, body->gradient, {body->strain, body->volume},
                                        body->elastic, body->behind, body->metrics);
    for (std::size_t i = 0; i < body->count(); ++i) {
      body->moved.row(static_cast<Eigen::Index>(i)) = body->now[i] - body->guess[i];
    }
    body->slope.noalias() = body->quadratic.selfadjointView<Eigen::Lower>() * body->moved;
    own += 0.5 * body->moved.cwiseProduct(body->slope).sum() -
           body->moved.cwiseProduct(body->linear).sum();
    for (std::size_t i = 0; i < body->count(); ++i) {
      const auto row = static_cast<Eigen::Index>(i);
      body->gradient[i] += (body->slope.row(row) - body->linear.row(row)).transpose();
      body->gradient[i] *= body->weight;
    }
    energy += body->weight * own;
  }
  if (!touches.empty()) energy += add_touches();
  if (bodies.size() > 1) energy += add_meetings();
  return energy;
}

// ---- Its least ----------------------------------------------------------------------------------

// The first axis is that along which most is pushed.
void StepGroup::choose_frames() {
  for (StepBody* body : bodies) body->frame.setZero();
  for (const TouchPoint& touch : touches) {
    bodies[touch.body]->frame += (touch.push + 1e-100) * touch.normal * touch.normal.transpose();
  }
  for (const StepMeeting& m : meetings) {
    const Eigen::Matrix3d pushes = (m.push + 1e-100) * m.at.normal * m.at.normal.transpose();
    bodies[m.at.moving]->frame += pushes;
    bodies[m.at.other]->frame += pushes;
  }
  for (StepBody* body : bodies) {
    const double all = body->frame.trace();
    if (all > 0 && std::isfinite(all)) {
      const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> axes(body->frame / all);
      const Vec3d axis = axes.eigenvectors().col(2);
      body->frame = Eigen::Quaterniond::FromTwoVectors(Vec3d::UnitX(), axis).toRotationMatrix();
    } else {
      body->frame.setIdentity();
    }
  }
}

// Bodies that meet, each as if the other stood still.
void StepGroup::add_hardness() {
  const auto add = [](StepBody& body, uint32_t point, const Vec3d& step, const Vec3d& normal,
                      double hard, double sticks) {
    const ShapeRows& rows = body.space->motion.contact.anchors();
    const double straight = std::pow(normal.dot(body.frame.col(0)), 2);
    const double against = hard * straight + sticks * (1 - straight);
    const double along = 0.5 * (hard * (1 - straight) + sticks * (1 + straight));
    for (uint32_t a = rows.first[point]; a < rows.first[point + 1]; ++a) {
      const double phi = rows.value[a] + rows.gradient[a].dot(step);
      for (uint32_t b = rows.first[point]; b < rows.first[point + 1]; ++b) {
        const double product = phi * (rows.value[b] + rows.gradient[b].dot(step));
        body.against.hessian(rows.node[a], rows.node[b]) += against * product;
        body.along.hessian(rows.node[a], rows.node[b]) += along * product;
      }
    }
  };
  for (const StepMeeting& m : meetings) {
    const double in = m.in + m.apart - m.at.normal.dot(apart(m, false));
    const double hard = in > 0 ? meeting_stiffness() : 0;
    Vec3d off = apart(m, true);
    off -= m.at.normal.dot(off) * m.at.normal;
    StepBody &moving = *bodies[m.at.moving], &other = *bodies[m.at.other];
    const double sticks = rubbing * m.push * slip_of(off.norm(), slip * moving.size()).slope;
    if (!(hard + sticks > 0)) continue;
    add(moving, m.at.point, Vec3d::Zero(), m.at.normal, hard, sticks);
    add(other, m.at.anchor, m.at.step, m.at.normal, hard, sticks);
  }
}

void StepBody::Scaling::factorise() {
  hessian.diagonal().array() += 1e-9 * hessian.trace() / static_cast<double>(hessian.rows());
  if (factored.size() == hessian.size() && factored == hessian) return;
  factored = hessian;
  factor.compute(hessian);
}

// The Hessian of the simpler body, with what touches now.
void StepGroup::factorise() {
  choose_frames();
  for (StepBody* body : bodies) {
    const double stiff = 6 * body->strain + body->volume;
    body->against.hessian = body->weight * (body->quadratic + stiff * body->space->motion.stiff);
    body->along.hessian = body->against.hessian;
  }
  for (const TouchPoint& touch : touches) {
    StepBody& body = *bodies[touch.body];
    const Collider& obstacle = obstacles->list[touch.obstacle];
    const Vec3d place = place_at(touch, body.base);
    const DistanceSlope found = distance_with_slope(obstacle, place);
    const double friction = static_cast<double>(obstacle.friction) * touch.push;
    double against = 0, along = 0;
    if (found.distance < margin * body.size()) {
      const double straight = std::pow(found.slope.dot(body.frame.col(0)), 2);
      against = stiffness_of(body) * straight;
      along = stiffness_of(body) * 0.5 * std::max(0.0, 1 - straight);
    }
    if (friction > 0) {
      Vec3d off = place - touch.from;
      off -= touch.normal.dot(off) * touch.normal;
      along += friction * slip_of(off.norm(), slip * body.size()).slope;
    }
    if (!(against + along > 0)) continue;
    const ShapeRows& rows = *touch.rows;
    for (uint32_t a = rows.first[touch.point]; a < rows.first[touch.point + 1]; ++a) {
      for (uint32_t b = rows.first[touch.point]; b < rows.first[touch.point + 1]; ++b) {
        const double product = rows.value[a] * rows.value[b];
        body.against.hessian(rows.node[a], rows.node[b]) += against * product;
        body.along.hessian(rows.node[a], rows.node[b]) += along * product;
      }
    }
  }
  add_hardness();
  for (StepBody* body : bodies) {
    body->against.factorise();
    body->along.factorise();
  }
}

void StepGroup::spread(const Eigen::VectorXd& variables) {
  for (StepBody* body : bodies) {
    const auto n = static_cast<Eigen::Index>(body->count());
    body->moved =
        Eigen::Map<const NodeRows>(variables.data() + static_cast<Eigen::Index>(body->first), n, 3);
    auto across = body->moved.leftCols<1>();
    auto flat = body->moved.rightCols<2>();
    body->against.factor.matrixU().solveInPlace(across);
    body->along.factor.matrixU().solveInPlace(flat);
    for (std::size_t i = 0; i < body->count(); ++i) {
      const Vec3d by = body->moved.row(static_cast<Eigen::Index>(i)).transpose();
      body->now[i] = body->base[i] + body->frame * by;
    }
  }
}

void StepGroup::descend(double accuracy, const DynamicsSettings& how, const StepWeights& w) {
  factorise();
  std::size_t variables = 0;
  double finest = std::numeric_limits<double>::max();
  for (StepBody* body : bodies) {
    body->first = variables;
    variables += 3 * body->count();
    finest = std::min(finest, std::sqrt(body->weight) * body->size());
  }
  const auto function = [&](const Eigen::VectorXd& at, Eigen::VectorXd& gradient) {
    spread(at);
    const double energy = evaluate();
    for (StepBody* body : bodies) {
      const auto n = static_cast<Eigen::Index>(body->count());
      Eigen::Map<NodeRows> to(gradient.data() + static_cast<Eigen::Index>(body->first), n, 3);
      for (std::size_t i = 0; i < body->count(); ++i) {
        to.row(static_cast<Eigen::Index>(i)) = body->gradient[i].transpose() * body->frame;
      }
      auto across = to.leftCols<1>();
      auto flat = to.rightCols<2>();
      body->against.factor.matrixL().solveInPlace(across);
      body->along.factor.matrixL().solveInPlace(flat);
    }
    return energy;
  };
  z.setZero(static_cast<Eigen::Index>(variables));
  solver.settings().least_gradient = accuracy * finest / w.e;
  solver.settings().most_iterations = most_iterations;
  const LbfgsOutcome outcome = solver.minimise(function, z, how.stop);
  iterations += outcome.iterations;
  evaluations += outcome.evaluations;
  spread(z);
  for (StepBody* body : bodies) body->base = body->now;
}

bool StepGroup::solve(const DynamicsSettings& how, const StepWeights& w) {
  hardness = first_hardness / (w.e * w.e);
  slip = creeping * w.e;
  find_touches();
  meetings.clear();
  rubbing = bodies.size() > 1 ? how.friction : 0;
  if (bodies.size() > 1) {
    meeting_energy(true);
    find_meetings(true);
  }
  if (!touches.empty()) {
    stick(w);
    update_pushes(true);
  }
  // With contacts first roughly, until they are hard enough and friction knows their forces.
  const bool touching = !touches.empty() || bodies.size() > 1;
  for (int pass = 0; pass < most_passes && touching; ++pass) {
    descend(std::max(how.accuracy, std::min(1e-4, 30 * how.accuracy)), how, w);
    const double in = touches.empty() ? 0 : deepest();
    const bool more = in > too_deep && add_deep_vertices();
    if (more) stick(w);
    double changed = update_pushes(false);
    if (bodies.size() > 1) changed = std::max(changed, find_meetings(false));
    if (in <= too_deep && changed < 0.05) break;
    if (in > too_deep && !more) hardness *= std::min(16.0, 2 * in / too_deep);
  }
  descend(how.accuracy, how, w);
  depth = touches.empty() ? 0 : deepest();
  return std::all_of(bodies.begin(), bodies.end(), [](const StepBody* body) {
    return std::all_of(body->now.begin(), body->now.end(),
                       [](const Vec3d& y) { return y.allFinite(); });
  });
}

}  // namespace sinew::kernels
