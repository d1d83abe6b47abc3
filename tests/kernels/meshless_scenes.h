// Scenes of moving meshless bodies, and what is asked of the motions found for them.
#pragma once

#include <numbers>

#include "nodes/kernels/meshless_motion.h"
#include "nodes/kernels/meshless_spline.h"
#include "nodes/kernels/surface_tree.h"
#include "tests/kernels/meshless_bodies.h"

namespace sinew::test {

inline KeyedBody from_to(const std::shared_ptr<const MeshlessBody>& body, const Vec3d& from,
                         const Vec3d& to, double time) {
  return {body, {whole_key(0, shifted(*body, from)), whole_key(time, shifted(*body, to))}, {}};
}

// Bodies on a ring, each of which goes to where the opposite one stands.
inline std::vector<KeyedBody> ring_exchange(const std::shared_ptr<const MeshlessBody>& body,
                                            int count, double radius, double time) {
  std::vector<KeyedBody> all;
  for (int i = 0; i < count; ++i) {
    const double angle = 2 * std::numbers::pi * i / count;
    const Vec3d at = radius * Vec3d(std::cos(angle), 0, std::sin(angle));
    all.push_back(from_to(body, at, -at, time));
  }
  return all;
}

inline Colliders one_sphere(const Vec3d& at, double radius) {
  Colliders all;
  Collider c;
  c.shape = ColliderShape::sphere;
  c.position = at.cast<float>();
  c.radius = static_cast<float>(radius);
  all.list.push_back(c);
  return all;
}

// Of all bodies at `count` + 1 moments: all vertices.
template <class Visit>
void for_moments(const Motion& motion, int count, const Visit& visit) {
  std::vector<kernels::BodySpline> splines;
  for (const BodyMotion& b : motion.bodies) splines.emplace_back(b);
  for (int i = 0; i <= count; ++i) {
    const double time =
        motion.first_time() + (motion.last_time() - motion.first_time()) * i / count;
    std::vector<NodePlaces> places;
    for (std::size_t b = 0; b < splines.size(); ++b) {
      places.emplace_back(motion.bodies[b].body->node_count());
      splines[b].at(time, places.back());
    }
    visit(time, places);
  }
}

// The deepest that any vertex is in an obstacle.
inline double depth_in(const Motion& motion, const kernels::ObstaclesInTime& obstacles, int count) {
  double deepest = 0;
  for_moments(motion, count, [&](double time, const std::vector<NodePlaces>& places) {
    const Colliders now = obstacles.at(time);
    for (std::size_t b = 0; b < places.size(); ++b) {
      const MeshlessBody& body = *motion.bodies[b].body;
      for (std::size_t v = 0; v < body.rest.vertex_count(); ++v) {
        const Vec3d at = place_of(body.at_vertices, v, places[b]);
        deepest = std::max(deepest, -kernels::distance_with_slope(now, at).distance);
      }
    }
  });
  return deepest;
}

// The deepest that any vertex is below the deformed surface of another body.
inline double depth_between(const Motion& motion, int count) {
  double deepest = 0;
  for_moments(motion, count, [&](double, const std::vector<NodePlaces>& places) {
    std::vector<Mesh> surfaces;
    std::vector<Eigen::AlignedBox3f> boxes(places.size());
    for (std::size_t b = 0; b < places.size(); ++b) {
      surfaces.push_back(surface_of(*motion.bodies[b].body, places[b]));
      for (const Vec3f& p : surfaces.back().positions) boxes[b].extend(p);
    }
    for (std::size_t s = 0; s < places.size(); ++s) {
      std::unique_ptr<kernels::SurfaceTree> tree;
      for (std::size_t t = 0; t < places.size(); ++t) {
        if (s == t || !boxes[s].intersects(boxes[t])) continue;
        if (!tree) tree = std::make_unique<kernels::SurfaceTree>(surfaces[s]);
        for (const Vec3f& p : surfaces[t].positions) {
          if (!boxes[s].contains(p)) continue;
          deepest = std::max(deepest, -tree->signed_distance(p.cast<double>()));
        }
      }
    }
  });
  return deepest;
}

}  // namespace sinew::test
