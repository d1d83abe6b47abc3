#include "nodes/kernels/meshless_smooth.h"

#include <algorithm>
#include <cmath>

#include "nodes/kernels/meshless_spline.h"

namespace sinew::kernels {
namespace {

// Slopes are taken over this part of a gap.
constexpr double small_part = 1e-4;

double product(const MeshlessBody& body, const NodePlaces& a, const NodePlaces& b) {
  double sum = 0, total = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    sum += body.masses[i] * a[i].dot(b[i]);
    total += body.masses[i];
  }
  return sum / total;
}

double length(const MeshlessBody& body, const NodePlaces& a) {
  return std::sqrt(product(body, a, a));
}

void add(NodePlaces& to, double by, const NodePlaces& what) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] += by * what[i];
}

// A moment of the spline: as a whole, and what each node does beside that, as the body is turned.
struct Moment {
  RigidMoment rigid;
  NodePlaces arms, rates;
};

Moment moment_at(const BodySpline& spline, std::size_t nodes, double time) {
  Moment m{spline.rigid_at(time), NodePlaces(nodes), NodePlaces(nodes)};
  spline.at(time, m.arms, m.rates);
  for (std::size_t i = 0; i < nodes; ++i) {
    const Vec3d own = m.rates[i] - m.rigid.velocity_at(m.arms[i]);
    m.arms[i] -= m.rigid.middle;
    m.rates[i] = m.rigid.turn.transpose() * own;
  }
  return m;
}

// f'' but for what turns have, beside gravity; just after `time` (step > 0) or just before it.
NodePlaces acceleration_beside(const BodySpline& spline, std::size_t nodes, double time,
                               double step, const Vec3d& gravity) {
  const Moment near = moment_at(spline, nodes, time + step);
  const Moment far = moment_at(spline, nodes, time + 2 * step);
  const Vec3d drift = (far.rigid.drift - near.rigid.drift) / step - gravity;
  const Vec3d spin = (far.rigid.spin - near.rigid.spin) / step;
  NodePlaces all(nodes);
  for (std::size_t i = 0; i < nodes; ++i) {
    all[i] = drift + spin.cross(near.arms[i]) +
             near.rigid.turn * ((far.rates[i] - near.rates[i]) / step);
  }
  return all;
}

}  // namespace

std::vector<double> smooth_misses(const BodyMotion& motion, const Vec3d& gravity) {
  const std::vector<MotionFrame>& frames = motion.frames;
  const MeshlessBody& body = *motion.body;
  if (frames.size() < 2) return {};
  const BodySpline spline(motion);
  const std::size_t gaps = frames.size() - 1;
  std::vector<double> misses(gaps, 0);
  const auto side = [&](std::size_t frame, std::size_t gap) {
    const double h = frames[gap + 1].time - frames[gap].time;
    return acceleration_beside(spline, body.node_count(), frames[frame].time,
                               frame == gap ? small_part * h : -small_part * h, gravity);
  };
  const auto gap_length = [&](std::size_t g) { return frames[g + 1].time - frames[g].time; };
  const auto miss = [&](std::size_t g, double slope) {
    misses[g] += 4.0 / 27 * gap_length(g) * slope / body.size;
  };
  for (std::size_t j = 0; j < frames.size(); ++j) {
    if (frames[j].velocities) continue;
    if (j > 0 && j < gaps && !frames[j].breaks) {
      NodePlaces jump = side(j, j);
      add(jump, -1, side(j, j - 1));
      const double before = gap_length(j - 1), after = gap_length(j);
      const double slope = length(body, jump) * before * after / (4 * (before + after));
      miss(j - 1, slope);
      miss(j, slope);
      continue;
    }
    if (j > 0) miss(j - 1, length(body, side(j, j - 1)) * gap_length(j - 1) / 4);
    if (j < gaps) miss(j, length(body, side(j, j)) * gap_length(j) / 4);
  }
  return misses;
}

BodyMotion keys_as_motion(const KeyedBody& body) {
  BodyMotion motion{body.body, {}};
  for (const MotionKey& key : body.keys) {
    if (key.places.empty()) continue;
    motion.frames.push_back(
        {key.time, key.places, key.breaks, key.velocities, key.kind == MotionKey::Kind::whole});
  }
  return motion;
}

void limit_overshoot(KeyedBody& body, double overshoot) {
  const MeshlessBody& shape = *body.body;
  // From key to key, each gap for itself.
  BodyMotion apart = keys_as_motion(body);
  const std::size_t count = apart.frames.size();
  if (count < 3) return;
  for (MotionFrame& frame : apart.frames) {
    frame.breaks = true;
    frame.velocities.reset();
  }
  const BodySpline spline(apart);
  NodePlaces places(shape.node_count()), before = places, after = places;
  for (std::size_t j = 1; j + 1 < count; ++j) {
    const double time = apart.frames[j].time;
    const auto key = std::find_if(body.keys.begin(), body.keys.end(),
                                  [&](const MotionKey& k) { return k.time == time; });
    if (key->kind != MotionKey::Kind::whole || key->breaks || key->velocities) continue;
    const double h0 = time - apart.frames[j - 1].time, h1 = apart.frames[j + 1].time - time;
    spline.at(std::nextafter(time, apart.frames[j - 1].time), places, before);
    spline.at(time, places, after);
    NodePlaces natural(shape.node_count(), Vec3d(0, 0, 0));
    add(natural, h1 / (h0 + h1), before);
    add(natural, h0 / (h0 + h1), after);
    NodePlaces limited = natural;
    for (const NodePlaces* way : {&before, &after}) {
      const double square = product(shape, *way, *way), along = product(shape, limited, *way);
      if (square > 0 && along < 0) add(limited, -along / square, *way);
    }
    const double most = 3 * std::min(length(shape, before), length(shape, after));
    const double is = length(shape, limited);
    if (is > most) {
      for (Vec3d& v : limited) v *= most / is;
    }
    add(natural, -1, limited);
    if (!(length(shape, natural) > 1e-9 * is)) continue;
    add(limited, overshoot, natural);
    key->velocities = std::move(limited);
  }
}

}  // namespace sinew::kernels
