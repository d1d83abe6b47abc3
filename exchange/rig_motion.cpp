#include "exchange/rig_motion.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

#include "nodes/geometry/parallel.h"
#include "nodes/kernels/rigid_fit.h"

namespace sinew::exchange {
namespace {

// Turns blended of several joints must not shrink space by more than to this part.
constexpr double least_volume = 0.2;

double distance_from(const Vec3d& p, const Vec3d& a, const Vec3d& b) {
  const Vec3d along = b - a;
  const double length = along.squaredNorm();
  const double s = length > 0 ? std::clamp((p - a).dot(along) / length, 0.0, 1.0) : 0;
  return (p - a - s * along).norm();
}

struct Blend {
  Eigen::Matrix3d turn = Eigen::Matrix3d::Zero();
  Vec3d shift{0, 0, 0};
};

Blend blended(const Binding& binding, std::size_t v, std::span<const Joint> joints,
              std::span<const JointFrame> frames) {
  Blend blend;
  for (std::size_t k = 0; k < 4; ++k) {
    const double part = static_cast<double>(binding.parts[v][k]);
    if (part == 0) continue;
    const std::size_t j = binding.joints[v][k];
    const Eigen::Matrix3d turn = frames[j].turn.toRotationMatrix();
    blend.turn += part * turn;
    blend.shift += part * (frames[j].place - turn * joints[j].rest);
  }
  return blend;
}

// The joints that own the bones nearest to a place; a bone belongs to the joint that it hangs on.
void choose(std::span<const Joint> joints, std::span<const JointFrame> frames, const Vec3d& p,
            std::array<uint16_t, 4>& which, std::array<float, 4>& parts) {
  std::vector<double> distance(joints.size(), std::numeric_limits<double>::max());
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const int parent = joints[j].parent;
    if (parent < 0) {
      // A joint without bones carries what is about it.
      distance[j] = std::min(distance[j], (p - frames[j].place).norm());
      continue;
    }
    const auto owner = static_cast<std::size_t>(parent);
    distance[owner] =
        std::min(distance[owner], distance_from(p, frames[owner].place, frames[j].place));
  }
  std::vector<uint16_t> order(joints.size());
  for (std::size_t j = 0; j < order.size(); ++j) order[j] = static_cast<uint16_t>(j);
  const std::size_t count = std::min<std::size_t>(4, order.size());
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count), order.end(),
                    [&](uint16_t a, uint16_t b) {
                      return distance[a] != distance[b] ? distance[a] < distance[b] : a < b;
                    });
  const double nearest = std::max(distance[order[0]], 1e-9);
  which = {};
  parts = {};
  float sum = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const double ratio = nearest / std::max(distance[order[k]], nearest);
    const auto part = static_cast<float>(std::pow(ratio, 4));
    if (!(part > 0.01f)) continue;
    which[k] = order[k];
    parts[k] = part;
    sum += part;
  }
  for (float& part : parts) part /= sum;
}

}  // namespace

std::vector<JointFrame> frames_of(std::span<const Joint> joints, std::span<const Vec3d> places) {
  std::vector<std::vector<std::size_t>> below(joints.size());
  for (std::size_t j = 0; j < joints.size(); ++j)
    if (joints[j].parent >= 0) below[static_cast<std::size_t>(joints[j].parent)].push_back(j);
  std::vector<JointFrame> frames(joints.size());
  for (std::size_t j = 0; j < joints.size(); ++j) {
    JointFrame& frame = frames[j];
    frame.place = places[j];
    if (joints[j].parent >= 0) frame.turn = frames[static_cast<std::size_t>(joints[j].parent)].turn;
    if (below[j].empty()) continue;
    if (below[j].size() > 1) {
      std::vector<Vec3d> from, to;
      for (const std::size_t k : below[j]) {
        from.push_back(frame.turn * (joints[k].rest - joints[j].rest));
        to.push_back(places[k] - places[j]);
        // The fit takes middles away; that of both is to be the joint.
        from.push_back(-from.back());
        to.push_back(-to.back());
      }
      frame.turn = Eigen::Quaterniond(kernels::fit_rigid(from, to, {}).turn) * frame.turn;
      frame.turn.normalize();
      continue;
    }
    const std::size_t k = below[j][0];
    const Vec3d from = frame.turn * (joints[k].rest - joints[j].rest), to = places[k] - places[j];
    if (from.norm() > 0 && to.norm() > 0)
      frame.turn = Eigen::Quaterniond::FromTwoVectors(from, to) * frame.turn;
    frame.turn.normalize();
  }
  return frames;
}

Bound bind_to(std::span<const Joint> joints, const std::vector<std::vector<JointFrame>>& frames,
              std::vector<std::vector<Vec3f>>& moved) {
  const std::size_t count = moved[0].size();
  Bound bound;
  bound.rest.resize(count);
  bound.binding.joints.resize(count);
  bound.binding.parts.resize(count);
  parallel_blocks(count, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) {
      choose(joints, frames[0], moved[0][v].cast<double>(), bound.binding.joints[v],
             bound.binding.parts[v]);
      const auto is_invertible = [&](const std::vector<JointFrame>& f) {
        return blended(bound.binding, v, joints, f).turn.determinant() > least_volume;
      };
      if (!std::all_of(frames.begin(), frames.end(), is_invertible))
        bound.binding.parts[v] = {1, 0, 0, 0};
      for (std::size_t k = 1; k < 4; ++k)
        if (bound.binding.parts[v][k] == 0) bound.binding.joints[v][k] = 0;
      Vec3d rest(0, 0, 0);
      for (std::size_t f = 0; f < moved.size(); ++f) {
        const Blend blend = blended(bound.binding, v, joints, frames[f]);
        const Vec3d back = blend.turn.inverse() * (moved[f][v].cast<double>() - blend.shift);
        if (f == 0) {
          bound.rest[v] = back.cast<float>();
          rest = bound.rest[v].cast<double>();
        }
        moved[f][v] = (back - rest).cast<float>();
      }
    }
  });
  return bound;
}

}  // namespace sinew::exchange
