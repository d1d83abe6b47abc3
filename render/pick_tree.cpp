#include "render/pick_tree.h"

#include <algorithm>
#include <array>

#include "render/blocks.h"

namespace sinew::render {
namespace {

using Eigen::Vector3f;

constexpr std::size_t leaf_size = 4;  // at most
constexpr int task_level = 7;         // 128 subtrees are worked on side by side

// A triangle's middle, and its number.
struct Middle {
  std::array<float, 3> at;
  uint32_t triangle;
};

// The triangles of a node, of all `count` of them, in halves along the longest side of their
// middles' box. Equal middles go by their number, so that the order is the same whatever sorts
// them.
void halve(std::span<Middle> all, int level, std::size_t node) {
  const auto first = [&](int l, std::size_t i) { return (i * all.size()) >> l; };
  const std::size_t begin = first(level, node), end = first(level, node + 1);
  Vector3f low = Vector3f::Constant(std::numeric_limits<float>::infinity()), high = -low;
  for (std::size_t i = begin; i < end; ++i) {
    const Vector3f p(all[i].at.data());
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
  }
  int axis = 0;
  (0.5f * high - 0.5f * low).maxCoeff(&axis);  // the halves do not overflow
  std::nth_element(all.begin() + begin, all.begin() + first(level + 1, 2 * node + 1),
                   all.begin() + end, [axis](const Middle& a, const Middle& b) {
                     return a.at[axis] != b.at[axis] ? a.at[axis] < b.at[axis]
                                                     : a.triangle < b.triangle;
                   });
}

double surface(const Box& box) {
  const Eigen::Vector3d s = box.max().cast<double>() - box.min().cast<double>();
  return s.x() * s.y() + s.y() * s.z() + s.z() * s.x();
}

Box leaf_box(const PickOrder& order, std::span<const draw::Point> positions, std::size_t begin,
             std::size_t end) {
  Vector3f low = positions[order.corners(begin)[0]], high = low;
  for (std::size_t i = begin; i < end; ++i)
    for (const uint32_t v : order.corners(i)) {
      low = low.cwiseMin(positions[v]);
      high = high.cwiseMax(positions[v]);
    }
  return {low, high};
}

}  // namespace

PickOrder::PickOrder(std::span<const draw::Point> positions,
                     std::span<const draw::Triangle> triangles)
    : corners_(triangles.size()), triangles_(triangles.size()) {
  while ((triangles.size() >> levels_) > leaf_size) ++levels_;
  std::vector<Middle> middles(triangles.size());
  in_blocks(triangles.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t t = begin; t < end; ++t) {
      const draw::Triangle& v = triangles[t];
      const Vector3f m = positions[v[0]] / 3 + positions[v[1]] / 3 + positions[v[2]] / 3;
      middles[t] = {{m.x(), m.y(), m.z()}, static_cast<uint32_t>(t)};
    }
  });
  // The upper levels one after another; then what lies below each of their nodes.
  const int top = std::min(levels_, task_level);
  for (int level = 0; level < top; ++level)
    for_each(std::size_t{1} << level, [&](std::size_t node) { halve(middles, level, node); });
  for_each(std::size_t{1} << top, [&](std::size_t subtree) {
    for (int level = top; level < levels_; ++level)
      for (std::size_t i = subtree << (level - top); i < (subtree + 1) << (level - top); ++i)
        halve(middles, level, i);
  });
  in_blocks(middles.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      triangles_[i] = middles[i].triangle;
      corners_[i] = triangles[middles[i].triangle];
    }
  });
}

void PickTree::fit(std::shared_ptr<const PickOrder> order, std::span<const draw::Point> positions) {
  order_ = std::move(order);
  const int levels = order_->levels(), top = std::min(levels, task_level);
  boxes_.resize(std::size_t{2} << levels);
  std::array<double, std::size_t{1} << task_level> surfaces{};
  for_each(std::size_t{1} << top, [&](std::size_t subtree) {
    const std::size_t begin = subtree << (levels - top), end = (subtree + 1) << (levels - top);
    const std::size_t base = std::size_t{1} << levels;
    for (std::size_t i = begin; i < end; ++i) {
      boxes_[base + i] =
          leaf_box(*order_, positions, order_->first(levels, i), order_->first(levels, i + 1));
      surfaces[subtree] += surface(boxes_[base + i]);
    }
    for (int level = levels - 1; level >= top; --level) {
      const std::size_t on_level = std::size_t{1} << level;
      for (std::size_t i = subtree << (level - top); i < (subtree + 1) << (level - top); ++i)
        boxes_[on_level + i] = boxes_[2 * (on_level + i)].merged(boxes_[2 * (on_level + i) + 1]);
    }
  });
  for (std::size_t i = (std::size_t{1} << top) - 1; i >= 1; --i)
    boxes_[i] = boxes_[2 * i].merged(boxes_[2 * i + 1]);
  double leaves = 0;
  for (const double s : surfaces) leaves += s;
  const double whole = surface(boxes_[1]);
  looseness_ = whole > 0 ? leaves / whole : 0;
}

std::optional<PickTree::Hit> PickTree::first_hit(const PickRay& ray,
                                                 std::span<const draw::Point> positions,
                                                 double until) const {
  struct Waiting {
    std::size_t node;
    int level;
    double entry;
  };
  std::array<Waiting, 40> waiting;  // one a level: 2^32 triangles have fewer
  std::optional<Hit> best;
  double limit = until;
  const double pad = ray.pad_for(boxes_[1]);
  int count = 0;
  const auto wait = [&](std::size_t node, int level, double entry) {
    // A box that is not entered has an infinite entry, also where there is no limit.
    if (entry <= limit && entry < std::numeric_limits<double>::infinity())
      waiting[count++] = {node, level, entry};
  };
  wait(1, 0, ray.entry(boxes_[1], pad, limit));
  while (count > 0) {
    const Waiting now = waiting[--count];
    if (now.entry > limit) continue;
    if (now.level == order_->levels()) {
      const std::size_t leaf = now.node - (std::size_t{1} << now.level);
      const std::size_t end = order_->first(now.level, leaf + 1);
      for (std::size_t i = order_->first(now.level, leaf); i < end; ++i) {
        const auto& [a, b, c] = order_->corners(i);
        const auto hit = ray.hit(positions[a], positions[b], positions[c]);
        if (!hit || hit->t > limit) continue;
        const uint32_t triangle = order_->triangle(i);
        if (best && hit->t == best->t && triangle > best->triangle) continue;
        best = Hit{*hit, triangle};
        limit = hit->t;
      }
      continue;
    }
    const std::size_t near = 2 * now.node, far = near + 1;
    const double a = ray.entry(boxes_[near], pad, limit), b = ray.entry(boxes_[far], pad, limit);
    // The nearer one is looked into first.
    if (a <= b) {
      wait(far, now.level + 1, b);
      wait(near, now.level + 1, a);
    } else {
      wait(near, now.level + 1, a);
      wait(far, now.level + 1, b);
    }
  }
  return best;
}

}  // namespace sinew::render
