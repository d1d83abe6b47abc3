#include "nodes/kernels/soft_obstacles.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew::kernels {

namespace {

// How fast the place p of an obstacle moves, from where it was a frame ago.
Vec3f obstacle_velocity(const SoftSettings& s, std::size_t which, const Vec3f& p) {
  if (!s.colliders_before || !(s.frame_seconds > 0)) return Vec3f::Zero();
  if (which >= s.colliders_before->list.size()) return Vec3f::Zero();
  const Collider& now = s.colliders->list[which];
  const Collider& before = s.colliders_before->list[which];
  if (now.shape != before.shape) return Vec3f::Zero();
  const Vec3f own = now.rotation.conjugate() * (p - now.position);
  return (p - (before.position + before.rotation * own)) / s.frame_seconds;
}

// The coefficient for sliding along the unit vector `way`.
float friction_along(const Friction& f, float coefficient, const Vec3f& heading, const Vec3f& way) {
  const float along = way.dot(heading);
  const float end = along > 0 ? f.forward : f.backward;
  return coefficient * (f.sideways + (end - f.sideways) * along * along);
}

bool is_directed(const Friction& f) { return f.forward != f.sideways || f.backward != f.sideways; }

// The heading as the body is turned here, in the tangent plane; 0 if it points into the normal.
Vec3f turned_heading(const Friction& f, std::span<const float> rotations, std::size_t stride,
                     std::size_t i, const Vec3f& normal) {
  const Eigen::Quaternionf turn(rotations[i], rotations[stride + i], rotations[2 * stride + i],
                                rotations[3 * stride + i]);
  const Vec3f heading = turn * f.heading;
  const Vec3f flat = heading - heading.dot(normal) * normal;
  const float length = flat.norm();
  return length > 0 ? Vec3f(flat / length) : Vec3f(Vec3f::Zero());
}

// Surface vertices of one group are near each other, since inside they lie along a curve.
constexpr std::size_t group_size = 32;

// How much smaller than what signed_distance() says the distance of a place nearby may be, beyond
// how far away that place is.
double slack_of(const Collider& c) {
  switch (c.shape) {
    case ColliderShape::terrain:  // known along the height only
      return std::numeric_limits<double>::infinity();
    case ColliderShape::mesh:
      return 2.0 * c.distances->spacing;
    default:
      return 0;
  }
}

struct Ball {
  Vec3d centre{0, 0, 0};
  double radius = 0;
};
Ball ball_around(std::span<const Vec3f> points) {
  Ball ball;
  for (const Vec3f& p : points) ball.centre += p.cast<double>();
  ball.centre /= static_cast<double>(points.size());
  for (const Vec3f& p : points) {
    ball.radius = std::max(ball.radius, (p.cast<double>() - ball.centre).squaredNorm());
  }
  ball.radius = std::sqrt(ball.radius) * (1 + 1e-6);
  return ball;
}

bool can_touch(const Colliders& colliders, const Ball& ball) {
  for (const Collider& c : colliders.list) {
    if (signed_distance(c, ball.centre).distance - slack_of(c) <= ball.radius) return true;
  }
  return false;
}

}  // namespace

bool find_near_obstacles(const SoftBody& body, const SoftSettings& s, const Vec3f& origin,
                         SoftScratch& scratch) {
  if (s.colliders->empty() || body.surface().empty()) return false;
  const std::span<const uint32_t> surface = body.surface();
  for (std::size_t k = 0; k < surface.size(); ++k) {
    const float* const p = scratch.match.x.data() + 4 * surface[k];
    scratch.points[k] = Vec3f(p[0], p[1], p[2]) + origin;
  }
  const std::span<const Vec3f> points = scratch.points;
  scratch.near_obstacle.clear();
  if (!can_touch(*s.colliders, ball_around(points))) return false;
  for (std::size_t begin = 0; begin < points.size(); begin += group_size) {
    const std::size_t count = std::min(group_size, points.size() - begin);
    if (can_touch(*s.colliders, ball_around(points.subspan(begin, count)))) {
      scratch.near_obstacle.push_back(static_cast<uint32_t>(begin));
    }
  }
  return !scratch.near_obstacle.empty();
}

uint32_t meet_obstacles(const SoftBody& body, const SoftSettings& s, double h,
                        std::span<const float> rotations, SoftScratch& scratch) {
  const std::span<const uint32_t> surface = body.surface();
  float* const x = scratch.match.x.data();
  float* const v = scratch.v.data();
  const std::size_t stride = body.match().stride();
  const bool directed = is_directed(s.friction);
  uint32_t felt = nothing_felt;
  float deepest = 0;
  const auto meet = [&](std::size_t k) {
    const float depth = -scratch.distances[k];
    if (!(depth > 0)) return;
    const std::size_t i = surface[k];
    const Collider& obstacle = s.colliders->list[scratch.nearest[k]];
    if (scratch.nearest[k] >= s.first_felt && depth > deepest) {
      deepest = depth;
      felt = static_cast<uint32_t>(i);
    }
    const Vec3f n = scratch.normals[k];
    const Vec3f wall = obstacle_velocity(s, scratch.nearest[k], scratch.points[k]);
    Vec3f u = Vec3f(v[4 * i], v[4 * i + 1], v[4 * i + 2]) - wall;
    const float approach = -u.dot(n);
    Vec3f slide = u + approach * n;
    if (approach > 0) {
      const float speed = slide.norm();
      if (speed > 0) {
        const Vec3f way = slide / speed;
        const Vec3f heading =
            directed ? turned_heading(s.friction, rotations, stride, i, n) : Vec3f(Vec3f::Zero());
        const float coefficient = friction_along(s.friction, obstacle.friction, heading, way);
        const float lost = std::min(coefficient * approach, speed);
        slide -= lost * way;
        // Sliding of this step that friction would not have let happen.
        for (int c = 0; c < 3; ++c) x[4 * i + c] -= static_cast<float>(h) * lost * way[c];
      }
      u = slide;
    }
    for (int c = 0; c < 3; ++c) {
      x[4 * i + c] += depth * n[c];
      v[4 * i + c] = u[c] + wall[c];
    }
  };
  for (const uint32_t begin : scratch.near_obstacle) {
    const std::size_t count = std::min(group_size, surface.size() - begin);
    signed_distance(*s.colliders, std::span<const Vec3f>(scratch.points).subspan(begin, count),
                    std::span(scratch.distances).subspan(begin, count),
                    std::span(scratch.normals).subspan(begin, count),
                    std::span(scratch.nearest).subspan(begin, count));
    for (std::size_t k = begin; k < begin + count; ++k) meet(k);
  }
  return felt;
}

}  // namespace sinew::kernels
