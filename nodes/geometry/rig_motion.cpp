#include "nodes/geometry/rig_motion.h"

#include <algorithm>
#include <cmath>

#include "nodes/geometry/parallel.h"

namespace sinew {

namespace {

using Eigen::Affine3d;
using Eigen::Quaterniond;
using Eigen::Vector4d;

// Times that are nearer to one another are the same: files round them.
constexpr double same_time = 1e-6;

Quaterniond quaternion(const Vector4d& q) { return Quaterniond(q[3], q[0], q[1], q[2]); }

Vector4d unit(const Vector4d& q) {
  const double length = q.norm();
  return length > 1e-12 ? Vector4d(q / length) : Vector4d(0, 0, 0, 1);
}

// Keys a and b = a + 1 of a cubic curve, `u` of the way between them.
Vector4d cubic(const RigCurve& curve, std::size_t a, double u) {
  const double span = curve.times[a + 1] - curve.times[a];
  const Vector4d &from = curve.values[3 * a + 1], &leaving = curve.values[3 * a + 2];
  const Vector4d &arriving = curve.values[3 * a + 3], &to = curve.values[3 * a + 4];
  const double u2 = u * u, u3 = u2 * u;
  return (2 * u3 - 3 * u2 + 1) * from + span * (u3 - 2 * u2 + u) * leaving +
         (3 * u2 - 2 * u3) * to + span * (u3 - u2) * arriving;
}

// How far the curve turns from one time to a later one with no key between them, in radians, as if
// it turned everywhere as fast as where it is fastest.
double turn_between(const RigCurve& curve, double from, double to) {
  if (curve.way == RigWay::step) return 0;
  const int pieces = curve.way == RigWay::cubic ? 8 : 1;
  double most = 0;
  Quaterniond last = quaternion(value_of(curve, from));
  for (int i = 1; i <= pieces; ++i) {
    const double time = i == pieces ? to : from + (to - from) * i / pieces;
    const Quaterniond next = quaternion(value_of(curve, time));
    most = std::max(most, last.angularDistance(next));
    last = next;
  }
  return pieces * most;
}

}  // namespace

Vector4d value_of(const RigCurve& curve, double seconds) {
  const bool is_cubic = curve.way == RigWay::cubic;
  const auto key = [&](std::size_t k) { return curve.values[is_cubic ? 3 * k + 1 : k]; };
  const auto after = std::upper_bound(curve.times.begin(), curve.times.end(), seconds);
  if (after == curve.times.begin()) return key(0);
  const auto a = static_cast<std::size_t>(after - curve.times.begin()) - 1;
  if (after == curve.times.end() || curve.way == RigWay::step) return key(a);
  const double u = (seconds - curve.times[a]) / (curve.times[a + 1] - curve.times[a]);
  const bool turns = curve.part == RigPart::rotation;
  if (is_cubic) return turns ? unit(cubic(curve, a, u)) : cubic(curve, a, u);
  if (!turns) return key(a) + u * (key(a + 1) - key(a));
  const Quaterniond q = quaternion(key(a)).slerp(u, quaternion(key(a + 1)));
  return unit(Vector4d(q.x(), q.y(), q.z(), q.w()));
}

RigMover::RigMover(const Rig& rig, const RigMotion& motion, std::span<const uint32_t> nodes)
    : slot_(rig.nodes.size(), no_node) {
  std::vector<uint8_t> counts(rig.nodes.size(), 0);
  for (uint32_t n : nodes) {
    for (; n != no_node && !counts[n]; n = rig.nodes[n].parent) counts[n] = 1;
  }
  for (const RigCurve& curve : motion.curves) {
    if (counts[curve.node]) curves_.push_back(&curve);
  }
  std::stable_sort(curves_.begin(), curves_.end(),
                   [](const RigCurve* a, const RigCurve* b) { return a->node < b->node; });
  uint32_t next = 0;
  for (uint32_t n = 0; n < rig.nodes.size(); ++n) {
    if (!counts[n]) continue;
    const uint32_t parent = rig.nodes[n].parent, first = next;
    while (next < curves_.size() && curves_[next]->node == n) ++next;
    slot_[n] = static_cast<uint32_t>(nodes_.size());
    nodes_.push_back({&rig.nodes[n], parent == no_node ? no_node : slot_[parent], first, next});
  }
}

std::vector<double> RigMover::keys() const {
  std::vector<double> all;
  for (const RigCurve* curve : curves_) {
    all.insert(all.end(), curve->times.begin(), curve->times.end());
    if (curve->way != RigWay::step) continue;
    for (std::size_t k = 1; k < curve->times.size(); ++k) {
      if (curve->values[k] == curve->values[k - 1]) continue;
      all.push_back(before_jump(curve->times[k - 1], curve->times[k]));
    }
  }
  return apart(std::move(all));
}

RigMover::Change RigMover::change(double from, double to) const {
  Change most;
  std::vector<double> turned(nodes_.size());
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    const Node& node = nodes_[n];
    turned[n] = node.parent == no_node ? 0 : turned[node.parent];
    for (uint32_t c = node.first_curve; c < node.end_curve; ++c) {
      const RigCurve& curve = *curves_[c];
      if (curve.times.size() < 2) continue;
      if (curve.part == RigPart::rotation) {
        turned[n] += turn_between(curve, from, to);
      } else if (curve.way == RigWay::cubic) {
        most.bends = true;
      } else if (curve.part == RigPart::scale) {
        most.bends |= value_of(curve, from) != value_of(curve, to);
      }
    }
    most.turn = std::max(most.turn, turned[n]);
  }
  return most;
}

void RigMover::frames(double seconds, const Affine3d& space, std::span<Affine3d> out) const {
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    const Node& node = nodes_[n];
    const Affine3d& above = node.parent == no_node ? space : out[node.parent];
    if (node.first_curve == node.end_curve) {
      out[n] = above * node.what->rest;
      continue;
    }
    RigParts parts = node.what->parts;
    for (uint32_t c = node.first_curve; c < node.end_curve; ++c) {
      const Vector4d value = value_of(*curves_[c], seconds);
      if (curves_[c]->part == RigPart::translation) parts.translation = value.head<3>();
      if (curves_[c]->part == RigPart::rotation) parts.rotation = quaternion(value);
      if (curves_[c]->part == RigPart::scale) parts.scale = value.head<3>();
    }
    out[n] = above * parts.frame();
  }
}

double before_jump(double last, double jump) {
  return jump - std::min(jump_time, (jump - last) / 2);
}

std::vector<double> apart(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  std::size_t kept = 0;
  for (const double time : times) {
    if (kept == 0 || time - times[kept - 1] > same_time) times[kept++] = time;
  }
  times.resize(kept);
  return times;
}

std::vector<double> spread(std::span<const double> keys, std::size_t most, CancelView cancel,
                           const std::function<std::size_t(double from, double to)>& pieces) {
  std::vector<double> fine;
  if (keys.empty()) return fine;
  const double begin = keys.front(), end = keys.back();
  bool fits = keys.size() <= most;
  for (std::size_t k = 0; fits && k + 1 < keys.size(); ++k) {
    if (k % 64 == 0) cancel.check();
    const std::size_t count = pieces(keys[k], keys[k + 1]);
    fits = fine.size() + count + (keys.size() - k - 1) <= most;
    for (std::size_t i = 0; fits && i < count; ++i) {
      fine.push_back(keys[k] +
                     (keys[k + 1] - keys[k]) * static_cast<double>(i) / static_cast<double>(count));
    }
  }
  if (!fits) {
    fine.clear();
    for (std::size_t i = 0; i + 1 < most; ++i) {
      fine.push_back(begin +
                     (end - begin) * (static_cast<double>(i) / static_cast<double>(most - 1)));
    }
  }
  fine.push_back(end);
  return fine;
}

RigSamples sample_motion(const Rig& rig, const RigMotion& motion, std::span<const RigPoint> points,
                         const Affine3d& space, std::size_t most, CancelView cancel) {
  std::vector<uint32_t> nodes;
  for (const RigPoint& point : points) nodes.push_back(point.node);
  const RigMover ready(rig, motion, nodes);
  RigSamples samples;
  if (!ready.moves()) return samples;
  samples.times =
      spread(ready.keys(), std::max<std::size_t>(most, 2), cancel, [&](double from, double to) {
        const RigMover::Change change = ready.change(from, to);
        double count = std::ceil(change.turn / finest_turn);
        if (change.turn > 1e-9 || change.bends) {
          count = std::max(count, std::ceil((to - from) * samples_a_second));
        }
        return static_cast<std::size_t>(std::clamp(count, 1.0, 1e9));
      });
  samples.places.resize(points.size() * samples.times.size());
  parallel_blocks(
      samples.times.size(),
      [&](std::size_t begin, std::size_t end) {
        std::vector<Affine3d> frames(ready.frame_count());
        for (std::size_t k = begin; k < end; ++k) {
          if (cancel()) return;
          ready.frames(samples.times[k], space, frames);
          Vec3d* const out = samples.places.data() + points.size() * k;
          for (std::size_t i = 0; i < points.size(); ++i) {
            out[i] = frames[ready.frame_of(points[i].node)] * points[i].place;
          }
        }
      },
      64);
  cancel.check();
  const double first = samples.times.front();
  for (double& time : samples.times) time -= first;
  return samples;
}

}  // namespace sinew
