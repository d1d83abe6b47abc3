#include "nodes/kernels/solid_functions.h"

#include <array>
#include <stdexcept>

namespace sinew::kernels {

double cut_cone(const Vec3d& p, double low, double high, double radius_low, double radius_high) {
  const Vec2d q(std::hypot(p.x(), p.z()), p.y());
  // To the nearer of the two flat ends, and to the slanted side.
  const double end = q.y() < 0.5 * (low + high) ? low : high;
  const double end_radius = end == low ? radius_low : radius_high;
  const Vec2d to_end(q.x() - std::min(q.x(), end_radius), q.y() - end);
  const Vec2d foot(radius_low, low), side = Vec2d(radius_high, high) - foot;
  const double t = std::clamp((q - foot).dot(side) / side.squaredNorm(), 0.0, 1.0);
  const Vec2d to_side = q - foot - t * side;
  const double cross = side.y() * (q.x() - foot.x()) - side.x() * (q.y() - foot.y());
  const bool inside = cross < 0 && q.y() > low && q.y() < high;
  const double distance = std::sqrt(std::min(to_end.squaredNorm(), to_side.squaredNorm()));
  return inside ? -distance : distance;
}

PlaneShape::PlaneShape(std::vector<Vec2d> outline) : outline_(std::move(outline)) {
  if (outline_.size() < 3) throw std::invalid_argument("an outline needs at least three points");
  build(0, static_cast<uint32_t>(outline_.size()));
}

void PlaneShape::build(uint32_t first, uint32_t last) {
  const std::size_t index = nodes_.size();
  nodes_.push_back({{}, first, last, 0});
  Eigen::AlignedBox2d box;
  for (uint32_t i = first; i <= last; ++i) box.extend(outline_[i % outline_.size()]);
  nodes_[index].box = box;
  if (last - first <= 4) return;
  build(first, (first + last) / 2);
  nodes_[index].right = static_cast<uint32_t>(nodes_.size());
  build((first + last) / 2, last);
}

double PlaneShape::distance(const Vec2d& p) const {
  // The winding number by crossings of the ray to the right, and the nearest segment, in one walk.
  int winding = 0;
  double best = INFINITY;
  std::array<uint32_t, 64> stack;
  std::size_t height = 0;
  stack[height++] = 0;
  while (height > 0) {
    const uint32_t index = stack[--height];
    const Node& node = nodes_[index];
    const bool crossed =
        p.y() >= node.box.min().y() && p.y() <= node.box.max().y() && p.x() <= node.box.max().x();
    if (!crossed && node.box.squaredExteriorDistance(p) >= best) continue;
    if (node.right != 0) {
      stack[height++] = node.right;
      stack[height++] = index + 1;
      continue;
    }
    for (uint32_t i = node.first; i < node.last; ++i) {
      const Vec2d &a = outline_[i], &b = outline_[(i + 1) % outline_.size()];
      const Vec2d way = b - a, from = p - a;
      const double square = way.squaredNorm();
      const double t = square > 0 ? std::clamp(from.dot(way) / square, 0.0, 1.0) : 0.0;
      best = std::min(best, (from - t * way).squaredNorm());
      const double cross = way.x() * from.y() - way.y() * from.x();
      if (a.y() <= p.y() && b.y() > p.y() && cross > 0) ++winding;
      if (a.y() > p.y() && b.y() <= p.y() && cross < 0) --winding;
    }
  }
  return winding != 0 ? -std::sqrt(best) : std::sqrt(best);
}

}  // namespace sinew::kernels
