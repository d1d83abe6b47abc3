#include "nodes/kernels/soft_body.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

#include "nodes/geometry/parallel.h"
#include "nodes/kernels/soft_fluid.h"
#include "nodes/kernels/soft_obstacles.h"
#include "nodes/kernels/tet_measure.h"

namespace sinew::kernels {

namespace {

constexpr double farthest_step = 10;  // sizes of the body
// From the middle of a part, in diagonals of what it is matched to: nothing is drawn out farther.
// The longest side of a box is at least the diagonal by the root of 3, so that a part becomes at
// most 2 * 2.8 * 1.73 = 9.7 times as long as it was.
constexpr float farthest_out = 2.8f;

Vec3d momentum_of(const MatchBody& body, std::span<const float> v, double mass_scale) {
  const std::span<const float> mass = body.masses();
  const Vec3d sum = parallel_reduce_ordered(
      body.count(), Vec3d(Vec3d::Zero()),
      [&](std::size_t begin, std::size_t end) {
        double x = 0, y = 0, z = 0;
        for (std::size_t i = begin; i < end; ++i) {
          x += static_cast<double>(mass[i]) * v[4 * i];
          y += static_cast<double>(mass[i]) * v[4 * i + 1];
          z += static_cast<double>(mass[i]) * v[4 * i + 2];
        }
        return Vec3d(x, y, z);
      },
      [](const Vec3d& a, const Vec3d& b) { return Vec3d(a + b); });
  return mass_scale * sum;
}

// Writes what a force from outside changes into its book. Momentum is summed only around such
// forces: a body that is left alone pays nothing.
class BookKeeper {
 public:
  BookKeeper(const MatchBody& body, std::span<const float> v, double mass_scale)
      : body_(body), v_(v), scale_(mass_scale) {}

  template <class Force>
  void enter(Vec3d& book, const Force& force) {
    const Vec3d before = known_ ? last_ : momentum_of(body_, v_, scale_);
    force();
    last_ = momentum_of(body_, v_, scale_);
    known_ = true;
    book += last_ - before;
  }
  // To be called after an internal force.
  void forget() { known_ = false; }

 private:
  const MatchBody& body_;
  std::span<const float> v_;
  double scale_;
  Vec3d last_{0, 0, 0};
  bool known_ = false;
};

// Positions inside are relative to this, so that floats keep their digits far from the origin.
Vec3f middle_of(std::span<const Vec3f> points) {
  Vec3d sum = Vec3d::Zero();
  for (const Vec3f& p : points) sum += p.cast<double>();
  return points.empty() ? Vec3f(Vec3f::Zero())
                        : Vec3f((sum / static_cast<double>(points.size())).cast<float>());
}

void load(const MatchBody& body, const SoftState& state, const Vec3f& origin,
          SoftScratch& scratch) {
  const std::span<const uint32_t> order = body.order();
  float* const x = scratch.match.x.data();
  float* const v = scratch.v.data();
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Vec3f p = state.positions[order[i]] - origin;
    const Vec3f& u = state.velocities[order[i]];
    for (int k = 0; k < 3; ++k) x[4 * i + k] = p[k], v[4 * i + k] = u[k];
  }
}

void store(const MatchBody& body, const SoftScratch& scratch, const Vec3f& origin,
           SoftState& state) {
  const std::span<const uint32_t> order = body.order();
  const float* const x = scratch.match.x.data();
  const float* const v = scratch.v.data();
  for (std::size_t i = 0; i < order.size(); ++i) {
    state.positions[order[i]] = Vec3f(x[4 * i], x[4 * i + 1], x[4 * i + 2]) + origin;
    state.velocities[order[i]] = Vec3f(v[4 * i], v[4 * i + 1], v[4 * i + 2]);
  }
}

// state.tensors go `ramp` of the way; the scratch has them for an instance of this size.
void move_tensors(std::span<const float> to, float ramp, float size, SoftState& state,
                  LaneFloats& now) {
  state.tensors.resize(to.size());
  float* const t = state.tensors.data();
  for (std::size_t i = 0; i < to.size(); ++i) t[i] += ramp * (to[i] - t[i]);
  if (size == 1) return std::swap(now, state.tensors);
  now.resize(to.size());
  for (std::size_t i = 0; i < to.size(); ++i) now[i] = size * t[i];
}

void pull(const MatchBody& body, const SoftSettings& s, double h, double mass_scale,
          const Vec3f& origin, SoftScratch& scratch) {
  for (const Pull& p : s.pulls) {
    const std::size_t i = body.place()[p.vertex];
    const double m = mass_scale * body.masses()[i], k = p.stiffness;
    for (int c = 0; c < 3; ++c) {
      const double x = scratch.match.x[4 * i + c] + static_cast<double>(origin[c]);
      float& v = scratch.v[4 * i + c];
      v = static_cast<float>(v + h * k * (p.to[c] - x - h * v) / (m + h * h * k));
    }
  }
}

// Held vertices arrive where they are held, at the speed that this takes.
void hold(const SoftScratch& scratch, double h, LaneFloats& v) {
  for (const MatchPin& pin : scratch.pins) {
    for (int k = 0; k < 3; ++k) {
      const float needed = static_cast<float>((pin.to[k] - scratch.match.x[4 * pin.at + k]) / h);
      v[4 * pin.at + k] += pin.part * (needed - v[4 * pin.at + k]);
    }
  }
}

void place_pins(const MatchBody& body, const SoftSettings& s, const Vec3f& origin,
                SoftScratch& scratch) {
  scratch.pins.clear();
  for (const Pin& pin : s.pins) {
    const Vec3f to = pin.to + pin.off - origin;
    scratch.pins.push_back({body.place()[pin.vertex], pin.part, {to.x(), to.y(), to.z()}});
  }
  if (!s.led || !s.led->holds_pins) return;
  // Matched where the led shape is, held where it will be at the end of the step.
  for (std::size_t i = 0; i < scratch.pins.size(); ++i) {
    MatchPin& pin = scratch.pins[i];
    const Vec3f& off = s.pins[i].off;
    for (std::size_t k = 0; k < 3; ++k) {
      pin.to[k] = scratch.led.place[4 * pin.at + k] + off[static_cast<Eigen::Index>(k)];
    }
  }
}

void move_led_pins(const SoftSettings& s, double h, SoftScratch& scratch) {
  if (!s.led || !s.led->holds_pins) return;
  for (MatchPin& pin : scratch.pins) {
    for (std::size_t k = 0; k < 3; ++k) {
      pin.to[k] += static_cast<float>(h) * scratch.led.speed[4 * pin.at + k];
    }
  }
}

// Of what is not rigid motion, and of a led body of what is not the led shape's own motion.
void damp(const MatchBody& body, const SoftSettings& s, double h, SoftScratch& scratch) {
  if (s.led) add_led_speed(body, -1, scratch.led, scratch.v);
  damp_motion(body, scratch.match.x, static_cast<float>(-std::expm1(-h * s.damping)),
              scratch.motions, scratch.v);
  if (s.led) add_led_speed(body, 1, scratch.led, scratch.v);
}

double speed2_of(const float* u) {
  return static_cast<double>(u[0]) * u[0] + static_cast<double>(u[1]) * u[1] +
         static_cast<double>(u[2]) * u[2];
}

bool is_too_fast(std::size_t count, float fastest, const LaneFloats& v) {
  const float most = fastest * 0.577f;  // no component above it: not too fast
  bool slow = true;
  for (std::size_t i = 0; i < 4 * count; ++i) slow &= std::abs(v[i]) <= most;
  return !slow;
}

void limit_speed(std::size_t count, float fastest, LaneFloats& v) {
  for (std::size_t i = 0; i < count; ++i) {
    float* const u = v.data() + 4 * i;
    const double speed2 = speed2_of(u);
    if (speed2 <= static_cast<double>(fastest) * fastest) continue;
    const float part = static_cast<float>(fastest / std::sqrt(speed2));
    for (int k = 0; k < 3; ++k) u[k] = speed2 < 1e300 ? u[k] * part : 0;
  }
}

// v += (g - x) / h. Without pins nothing rigid is in that but rounding, and the spin of several
// passes: it is taken out of the step itself, which has more digits than the goal.
void pull_to_goal(const MatchBody& body, double h, SoftScratch& scratch) {
  const std::span<const uint32_t> parts = body.parts();
  if (scratch.pins.empty()) {
    rigid_steps(body, scratch.match.x, scratch.match.goal, scratch.rigid);
  } else {
    scratch.rigid.assign(parts.size() - 1, RigidStep{});
  }
  for (std::size_t p = 0; p < scratch.rigid.size(); ++p) {
    const RigidStep& rigid = scratch.rigid[p];
    parallel_blocks(parts[p + 1] - parts[p], [&](std::size_t begin, std::size_t end) {
      lane_kernels().pull(rigid.shift.data(), rigid.turn.data(), rigid.centre.data(),
                          scratch.match.x.data(), scratch.match.goal.data(),
                          static_cast<float>(1 / h), scratch.v.data(), parts[p] + begin,
                          parts[p] + end);
    });
  }
}

void push_all(const MatchBody& body, const SoftSettings& s, double h, double mass_scale,
              SoftScratch& scratch) {
  if (s.push.empty()) return;
  for (std::size_t i = 0; i < body.count(); ++i) {
    const Vec3f& f = s.push[body.order()[i]];
    const double per_mass = h / (mass_scale * body.masses()[i]);
    for (int k = 0; k < 3; ++k) {
      scratch.v[4 * i + k] += static_cast<float>(std::clamp(f[k] * per_mass, -1e18, 1e18));
    }
  }
}

// How large the body is, or the led shape, or what lies between its pins.
float extent_of(const MatchBody& body, const SoftSettings& s, const SoftScratch& scratch) {
  float extent = static_cast<float>(body.size() * static_cast<double>(s.size));
  const auto include = [&](std::size_t count, const auto& place_of) {
    Vec3f low = Vec3f::Constant(std::numeric_limits<float>::max()), high = -low;
    for (std::size_t i = 0; i < count; ++i) {
      const Vec3f place(place_of(i));
      low = low.cwiseMin(place);
      high = high.cwiseMax(place);
    }
    if (count > 0) extent = std::max(extent, (high - low).norm());
  };
  include(scratch.pins.size(), [&](std::size_t i) { return scratch.pins[i].to.data(); });
  if (s.led) include(body.count(), [&](std::size_t i) { return scratch.led.place.data() + 4 * i; });
  return extent;
}

bool is_drawn_out(std::size_t count, float most, const LaneFloats& x) {
  bool near = true;
  for (std::size_t i = 0; i < 4 * count; ++i) near &= std::abs(x[i]) <= most;
  return !near;
}

// A body that forces would tear apart holds at some length: what is farther out comes back there,
// and goes no further.
void keep_together(const MatchBody& body, float most, SoftScratch& scratch) {
  using Map = Eigen::Map<Vec3f>;
  const auto x = [&](std::size_t i) { return Map(scratch.match.x.data() + 4 * i); };
  const auto v = [&](std::size_t i) { return Map(scratch.v.data() + 4 * i); };
  const std::span<const uint32_t> parts = body.parts();
  for (std::size_t p = 0; p + 1 < parts.size(); ++p) {
    Vec3d middle = Vec3d::Zero(), speed = Vec3d::Zero();
    for (std::size_t i = parts[p]; i < parts[p + 1]; ++i) {
      middle += x(i).cast<double>();
      speed += v(i).cast<double>();
    }
    const double share = 1.0 / (parts[p + 1] - parts[p]);
    const Vec3f centre = (share * middle).cast<float>(), mean = (share * speed).cast<float>();
    for (std::size_t i = parts[p]; i < parts[p + 1]; ++i) {
      const Vec3f away = x(i) - centre;
      const float length = away.norm();
      if (!(length > most)) continue;
      x(i) = centre + away * (most / length);
      const float outwards = (v(i) - mean).dot(away) / length;
      if (outwards > 0) v(i) -= away * (outwards / length);
    }
  }
}

void fall(std::size_t count, const Vec3f& gravity, double h, LaneFloats& v) {
  const Vec3f dv = static_cast<float>(h) * gravity;
  for (std::size_t i = 0; i < count; ++i) {
    for (int k = 0; k < 3; ++k) v[4 * i + k] += dv[k];
  }
}

// Everything from outside that acts in the space between: gravity, pushes, the medium.
void push_from_outside(const SoftBody& body, const SoftSettings& s, double h, double mass_scale,
                       const Vec3f& origin, BookKeeper& books, SoftBooks& entries,
                       SoftScratch& scratch) {
  const MatchBody& match = body.match();
  if (!s.gravity.isZero(0)) {
    books.enter(entries.gravity, [&] { fall(body.count(), s.gravity, h, scratch.v); });
  }
  if (!s.push.empty() || !s.pulls.empty()) {
    books.enter(entries.push, [&] {
      push_all(match, s, h, mass_scale, scratch);
      pull(match, s, h, mass_scale, origin, scratch);
    });
  }
  if (s.drag > 0 || s.fluid.density > 0) {
    books.enter(entries.medium, [&] {
      const float kept = static_cast<float>(std::exp(-h * s.drag));
      if (kept < 1) {
        for (float& v : scratch.v) v *= kept;
      }
      if (s.fluid.density > 0) fluid_drag(body, s.fluid, h, mass_scale, scratch);
    });
  }
}

}  // namespace

SoftBody::SoftBody(const TetMesh& solid, std::span<const float> masses, CancelView stop)
    : match_(solid, masses, stop) {
  const std::span<const uint32_t> place = match_.place();
  std::vector<char> used(count(), 0);
  for (const Triangle& t : solid.topology->boundary) {
    triangles_.push_back({place[t[0]], place[t[1]], place[t[2]]});
    for (const uint32_t v : triangles_.back()) used[v] = 1;
  }
  std::vector<uint32_t> entry(count(), 0);
  for (uint32_t i = 0; i < count(); ++i) {
    if (!used[i]) continue;
    entry[i] = static_cast<uint32_t>(surface_.size());
    surface_.push_back(i);
  }
  std::vector<Triangle> by_entry;
  for (const Triangle& t : triangles_) by_entry.push_back({entry[t[0]], entry[t[1]], entry[t[2]]});
  around_ = kernels::vertex_triangles(by_entry, surface_.size());
}

std::size_t SoftBody::bytes() const {
  return match_.bytes() + triangles_.size() * sizeof(Triangle) +
         4 * (around_.offsets.size() + around_.items.size() + surface_.size());
}

std::vector<float> vertex_masses(const TetMesh& solid, double density,
                                 std::span<const float> factor) {
  std::vector<double> volumes = vertex_volumes(solid);
  double sum = 0;
  for (double& v : volumes) sum += v = std::abs(v);
  const double mean = volumes.empty() ? 0 : sum / static_cast<double>(volumes.size());
  const double least = mean > 0 ? 1e-3 * mean : 1;
  std::vector<float> masses(volumes.size());
  for (std::size_t i = 0; i < masses.size(); ++i) {
    const double f = factor.empty() ? 1.0 : static_cast<double>(factor[factor.size() == 1 ? 0 : i]);
    const double m = density * std::max(volumes[i], least) * std::clamp(f, 1e-3, 1e3);
    masses[i] = static_cast<float>(std::clamp(m, 1e-30, 1e30));
  }
  return masses;
}

std::size_t SoftState::bytes() const {
  return sizeof *this + positions.size() * 2 * sizeof(Vec3f) +
         (rotations.size() + tensors.size()) * sizeof(float);
}

SoftState rest_state(const SoftBody& body, const TetMesh& solid, float size,
                     const Eigen::Quaternionf& turn, const Vec3f& shift) {
  SoftState state;
  const Vec3f centre = body.match().rest_centre().cast<float>();
  state.positions.reserve(body.count());
  for (const Vec3f& p : solid.positions) {
    state.positions.push_back(size == 1 && turn.isApprox(Eigen::Quaternionf::Identity(), 0)
                                  ? Vec3f(p + shift)
                                  : Vec3f(centre + shift + size * (turn * (p - centre))));
  }
  state.velocities.assign(body.count(), Vec3f::Zero());
  const std::size_t stride = body.match().stride();
  state.rotations.resize(4 * stride);
  const float q[4] = {turn.w(), turn.x(), turn.y(), turn.z()};
  for (std::size_t k = 0; k < 4; ++k) {
    std::fill_n(state.rotations.begin() + static_cast<std::ptrdiff_t>(k * stride), stride, q[k]);
  }
  rest_tensors(body, state.tensors);
  return state;
}

void SoftScratch::fit(const SoftBody& body) {
  const std::size_t stride = body.match().stride();
  match.fit(body.match());
  if (v.size() != 4 * stride) v.assign(4 * stride, 0);
  if (motions.size() != 8 * stride) motions.assign(8 * stride, 0);
  drag.resize(body.triangles().size());
  points.resize(body.count());
  normals.resize(body.count());
  distances.resize(body.count());
  nearest.resize(body.count());
  near_obstacle.reserve(body.count());
}

void arrange_tensors(const SoftBody& body, const SymmetricArrays& activation, LaneFloats& out) {
  const std::size_t stride = body.match().stride();
  out.resize(6 * stride);
  const std::span<const uint32_t> order = body.match().order();
  for (std::size_t k = 0; k < 6; ++k) {
    const float* const from = activation.part[k].data();
    float* const to = out.data() + k * stride;
    for (std::size_t i = 0; i < order.size(); ++i) to[i] = from[order[i]];
    std::fill(to + order.size(), to + stride, k < 3 ? 1.0f : 0.0f);
  }
}

void rest_tensors(const SoftBody& body, LaneFloats& out) {
  const std::size_t stride = body.match().stride();
  out.resize(6 * stride);
  std::fill_n(out.begin(), 3 * stride, 1.0f);
  std::fill(out.begin() + static_cast<std::ptrdiff_t>(3 * stride), out.end(), 0.0f);
}

uint32_t step_soft_body(const SoftBody& body, const SoftSettings& s, double h,
                        std::span<const float> tensors, float ramp, SoftScratch& scratch,
                        SoftState& state) {
  const MatchBody& match = body.match();
  const double mass_scale = static_cast<double>(s.size) * s.size * s.size;
  scratch.fit(body);
  const Vec3f origin = middle_of(state.positions);
  load(match, state, origin, scratch);
  move_tensors(tensors, ramp, s.size, state, scratch.match.tensors);
  std::swap(scratch.match.rotations, state.rotations);
  const RingView rest =
      s.led ? lead_rest(match, *s.led, s.frame_from, s.frame_to, h, origin, scratch.led)
            : match.view();
  place_pins(match, s, origin, scratch);
  match_passes(match, rest, s.plan, scratch.pins, scratch.match);
  std::swap(scratch.match.rotations, state.rotations);
  if (s.size == 1) std::swap(scratch.match.tensors, state.tensors);

  BookKeeper books(match, scratch.v, mass_scale);
  SoftBooks& entries = state.books;
  // Held vertices give the goal momentum; without them, matching has none to give.
  const auto to_goal = [&] { pull_to_goal(match, h, scratch); };
  scratch.pins.empty() ? to_goal() : books.enter(entries.held, to_goal);
  if (s.led) {
    books.enter(entries.led,
                [&] { draw_to_led(match, *s.led, h, scratch.led, scratch.match.x, scratch.v); });
  }
  push_from_outside(body, s, h, mass_scale, origin, books, entries, scratch);
  if (s.damping > 0) {
    damp(match, s, h, scratch);
    books.forget();
  }
  const float fastest = static_cast<float>(farthest_step * match.size() * s.size / h);
  if (is_too_fast(body.count(), fastest, scratch.v)) {
    books.enter(entries.limit, [&] { limit_speed(body.count(), fastest, scratch.v); });
  }
  move_led_pins(s, h, scratch);
  if (!scratch.pins.empty()) books.enter(entries.held, [&] { hold(scratch, h, scratch.v); });
  float* const x = scratch.match.x.data();
  for (std::size_t i = 0; i < 4 * body.count(); ++i) {
    x[i] += static_cast<float>(h) * scratch.v[i];
  }
  uint32_t felt = nothing_felt;
  if (s.colliders && find_near_obstacles(body, s, origin, scratch)) {
    books.enter(entries.contact,
                [&] { felt = meet_obstacles(body, s, h, state.rotations, scratch); });
  }
  const float most = farthest_out * static_cast<float>(match.size() * s.size);
  if (is_drawn_out(body.count(), 0.5f * most, scratch.match.x)) {
    const float out = farthest_out * extent_of(match, s, scratch);
    books.enter(entries.limit, [&] { keep_together(match, out, scratch); });
  }
  store(match, scratch, origin, state);
  return felt == nothing_felt ? felt : match.order()[felt];
}

int steps_for_gravity(const SoftBody& body, const Vec3f& gravity, float size, double dt) {
  const double fall = gravity.cast<double>().norm();
  const double thickness = static_cast<double>(body.match().thickness()) * size;
  const double layers =
      std::max(1.5, thickness / (static_cast<double>(body.match().spacing()) * size));
  const double room = 0.02 * thickness / (layers * layers);
  if (!(room > 0)) return 2;
  return static_cast<int>(std::clamp(std::ceil(dt * std::sqrt(fall / room)), 2.0,
                                     static_cast<double>(most_gravity_steps)));
}

SoftMotion soft_motion(const SoftBody& body, const SoftState& state, float size) {
  const MatchBody& match = body.match();
  const double scale = static_cast<double>(size) * size * size;
  SoftMotion motion;
  for (std::size_t i = 0; i < body.count(); ++i) {
    const double m = scale * match.masses()[i];
    const Vec3d v = state.velocities[match.order()[i]].cast<double>();
    motion.mass += m;
    motion.centre += m * state.positions[match.order()[i]].cast<double>();
    motion.momentum += m * v;
    motion.kinetic += 0.5 * m * v.squaredNorm();
  }
  if (motion.mass > 0) motion.centre /= motion.mass;
  for (std::size_t i = 0; i < body.count(); ++i) {
    const uint32_t vertex = match.order()[i];
    const Vec3d r = state.positions[vertex].cast<double>() - motion.centre;
    motion.spin += scale * match.masses()[i] * r.cross(state.velocities[vertex].cast<double>());
  }
  return motion;
}

}  // namespace sinew::kernels
