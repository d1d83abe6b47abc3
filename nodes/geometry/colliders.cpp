#include "nodes/geometry/colliders.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <span>

namespace sinew {

namespace {

template <class T>
bool same_content(const std::shared_ptr<const T>& a, const std::shared_ptr<const T>& b) {
  return a == b || (a && b && *a == *b);
}

bool all_finite(std::span<const float> values) {
  return std::all_of(values.begin(), values.end(), [](float x) { return std::isfinite(x); });
}

std::optional<std::string> flaw_of(const Collider& c) {
  if (!std::isfinite(c.friction) || c.friction < 0) return "its friction is negative or not finite";
  if (!c.position.allFinite()) return "its position is not finite";
  if (!c.rotation.coeffs().allFinite() || std::abs(c.rotation.norm() - 1) > 1e-4f) {
    return "its rotation is not of length 1";
  }
  if (!c.half.allFinite() || c.half.minCoeff() < 0 || !std::isfinite(c.radius) || c.radius < 0) {
    return "its size is negative or not finite";
  }
  if ((c.shape == ColliderShape::terrain) != (c.heights != nullptr)) {
    return "heights belong to a terrain";
  }
  if ((c.shape == ColliderShape::mesh) != (c.distances != nullptr)) {
    return "distances belong to a mesh";
  }
  if (c.heights) {
    const HeightGrid& g = *c.heights;
    if (g.counts[0] < 2 || g.counts[1] < 2 || !(g.spacing.minCoeff() > 0) ||
        g.heights.size() != std::size_t{g.counts[0]} * g.counts[1]) {
      return "its grid of heights has the wrong size";
    }
    if (!g.origin.allFinite() || !g.spacing.allFinite() || !all_finite(g.heights)) {
      return "a height is not finite";
    }
  }
  if (c.distances) {
    const DistanceGrid& g = *c.distances;
    if (*std::min_element(g.counts.begin(), g.counts.end()) < 2 || !(g.spacing > 0) ||
        g.distances.size() != std::size_t{g.counts[0]} * g.counts[1] * g.counts[2]) {
      return "its grid of distances has the wrong size";
    }
    if (!g.origin.allFinite() || !std::isfinite(g.spacing) || !all_finite(g.distances)) {
      return "a distance is not finite";
    }
  }
  return std::nullopt;
}

}  // namespace

std::string_view shape_name(ColliderShape shape) {
  static constexpr std::string_view names[] = {"plane",   "sphere",  "box",
                                               "capsule", "terrain", "mesh"};
  return names[static_cast<std::size_t>(shape)];
}

bool Collider::operator==(const Collider& o) const {
  return shape == o.shape && friction == o.friction && position == o.position &&
         rotation.coeffs() == o.rotation.coeffs() && half == o.half && radius == o.radius &&
         same_content(heights, o.heights) && same_content(distances, o.distances);
}

std::optional<std::string> validate(const Colliders& colliders) {
  for (std::size_t i = 0; i < colliders.list.size(); ++i) {
    if (const auto flaw = flaw_of(colliders.list[i])) {
      return fmt::format("collider {} ({}): {}", i, shape_name(colliders.list[i].shape), *flaw);
    }
  }
  return std::nullopt;
}

std::size_t byte_size(const Colliders& colliders) {
  std::size_t bytes = sizeof colliders + colliders.list.size() * sizeof(Collider);
  std::set<const void*> counted;  // a grid that several share is held once
  for (const Collider& c : colliders.list) {
    if (c.heights && counted.insert(c.heights.get()).second) bytes += c.heights->bytes();
    if (c.distances && counted.insert(c.distances.get()).second) bytes += c.distances->bytes();
  }
  return bytes;
}

}  // namespace sinew
