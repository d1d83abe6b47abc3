#include "nodes/kernels/soft_obstacles.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "nodes/kernels/moving_obstacles.h"

namespace sinew::kernels {

namespace {

// The obstacles of this frame.
ObstacleFrame frame_of(const SoftBody& body, const SoftSettings& s) {
  const double size = double{body.match().size() * s.size};
  return {s.colliders_before, s.colliders, farthest_in_frame * size};
}

// The coefficient for sliding along the unit vector `way`.
float friction_along(const Friction& f, float coefficient, const Vec3f& heading, const Vec3f& way) {
  const float along = way.dot(heading);
  const float end = along > 0 ? f.forward : f.backward;
  return coefficient * (f.sideways + (end - f.sideways) * along * along);
}

Eigen::Quaternionf turn_of(std::span<const float> rotations, std::size_t stride, std::size_t i) {
  return {rotations[i], rotations[stride + i], rotations[2 * stride + i],
          rotations[3 * stride + i]};
}

// The heading as the body is turned here, in the tangent plane; 0 if it points into the normal.
Vec3f turned_heading(const SoftSettings& s, std::span<const float> rotations, std::size_t stride,
                     std::size_t i, const Vec3f& normal) {
  Vec3f heading = s.friction.heading;
  // A led body is turned as it is led, and from there on as it is matched.
  if (s.led && !s.led->turns.empty()) heading = turn_of(s.led->turns, stride, i) * heading;
  heading = turn_of(rotations, stride, i) * heading;
  const Vec3f flat = heading - heading.dot(normal) * normal;
  const float length = flat.norm();
  return length > 0 ? Vec3f(flat / length) : Vec3f(Vec3f::Zero());
}

// Vertices of one group are near each other, since inside they lie along a curve.
constexpr std::size_t group_size = 32;

constexpr double recovery_rate = 10;  // 1/s: how fast an overlap that was there before goes

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
  scratch.near_obstacle.clear();
  if (s.colliders->empty() || body.count() == 0) return false;
  const ObstacleFrame frame = frame_of(body, s);
  frame.at(s.frame_from, scratch.obstacles_before);
  frame.at(s.frame_to, scratch.obstacles);
  for (std::size_t i = 0; i < body.count(); ++i) {
    const float* const p = scratch.match.x.data() + 4 * i;
    scratch.points[i] = Vec3f(p[0], p[1], p[2]) + origin;
  }
  const std::span<const Vec3f> points = scratch.points;
  if (!can_touch(scratch.obstacles, ball_around(points))) return false;
  for (std::size_t begin = 0; begin < points.size(); begin += group_size) {
    const std::size_t count = std::min(group_size, points.size() - begin);
    if (can_touch(scratch.obstacles, ball_around(points.subspan(begin, count)))) {
      scratch.near_obstacle.push_back(static_cast<uint32_t>(begin));
    }
  }
  return !scratch.near_obstacle.empty();
}

uint32_t meet_obstacles(const SoftBody& body, const SoftSettings& s, double h,
                        std::span<const float> rotations, SoftScratch& scratch) {
  float* const x = scratch.match.x.data();
  float* const v = scratch.v.data();
  const std::size_t stride = body.match().stride();
  const bool directed = s.friction.is_directed();
  uint32_t felt = nothing_felt;
  float deepest = 0;
  const float seconds = static_cast<float>(h);
  const ObstacleFrame frame = frame_of(body, s);
  const double share = double{s.frame_to - s.frame_from};
  const float slowly = static_cast<float>(-std::expm1(-h * recovery_rate));
  const auto meet = [&](std::size_t i) {
    const float depth = -scratch.distances[i];
    if (!(depth > 0)) return;
    const Collider& obstacle = scratch.obstacles.list[scratch.nearest[i]];
    if (scratch.nearest[i] >= s.first_felt && depth > deepest) {
      deepest = depth;
      felt = static_cast<uint32_t>(i);
    }
    const Vec3f n = scratch.normals[i];
    const std::size_t which = scratch.nearest[i];
    const Vec3f wall = frame.moved<float>(which, scratch.obstacles_before.list[which], obstacle,
                                          share, scratch.points[i]) /
                       seconds;
    Vec3f u = Vec3f(v[4 * i], v[4 * i + 1], v[4 * i + 2]) - wall;
    const float approach = -u.dot(n);
    Vec3f slide = u + approach * n;
    if (approach > 0) {
      const float speed = slide.norm();
      if (speed > 0) {
        const Vec3f way = slide / speed;
        const Vec3f heading =
            directed ? turned_heading(s, rotations, stride, i, n) : Vec3f(Vec3f::Zero());
        const float coefficient = friction_along(s.friction, obstacle.friction, heading, way);
        const float lost = std::min(coefficient * approach, speed);
        slide -= lost * way;
        // Sliding of this step that friction would not have let happen.
        for (int c = 0; c < 3; ++c) x[4 * i + c] -= seconds * lost * way[c];
      }
      u = slide;
    }
    const float entered = std::min(depth, std::max(approach, 0.0f) * seconds);
    const float back = entered + slowly * (depth - entered);
    for (int c = 0; c < 3; ++c) {
      x[4 * i + c] += back * n[c];
      v[4 * i + c] = u[c] + wall[c];
    }
  };
  for (const uint32_t begin : scratch.near_obstacle) {
    const std::size_t count = std::min(group_size, body.count() - begin);
    signed_distance(scratch.obstacles, std::span<const Vec3f>(scratch.points).subspan(begin, count),
                    std::span(scratch.distances).subspan(begin, count),
                    std::span(scratch.normals).subspan(begin, count),
                    std::span(scratch.nearest).subspan(begin, count));
    for (std::size_t k = begin; k < begin + count; ++k) meet(k);
  }
  return felt;
}

}  // namespace sinew::kernels
