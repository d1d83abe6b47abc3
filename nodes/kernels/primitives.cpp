#include "nodes/kernels/primitives.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <stdexcept>

#include "nodes/geometry/stop_check.h"

namespace sinew::kernels {

namespace {

constexpr double pi = std::numbers::pi;

void require_size(double value, const char* name) {
  if (!(value > 0) || !std::isfinite(value)) {
    throw std::invalid_argument(fmt::format("{} must be positive, but is {}", name, value));
  }
}

void require_count(int value, int minimum, const char* name) {
  if (value < minimum) {
    throw std::invalid_argument(
        fmt::format("{} must be at least {}, but is {}", name, minimum, value));
  }
}

void require_indexable(double vertices) {
  if (vertices > 1e9) {
    throw std::invalid_argument(
        fmt::format("the segments ask for {:.3g} vertices, more than a mesh can hold", vertices));
  }
}

// Collects faces; quads are split along alternating diagonals, so that no direction is preferred.
class Faces {
 public:
  void triangle(uint32_t a, uint32_t b, uint32_t c) {
    check_();
    topology_.triangles.push_back({a, b, c});
    topology_.polygon_of_triangle.push_back(polygon_++);
  }
  void quad(uint32_t a, uint32_t b, uint32_t c, uint32_t d, bool odd) {
    check_();
    if (odd) {
      topology_.triangles.push_back({b, c, d});
      topology_.triangles.push_back({b, d, a});
    } else {
      topology_.triangles.push_back({a, b, c});
      topology_.triangles.push_back({a, c, d});
    }
    topology_.polygon_of_triangle.insert(topology_.polygon_of_triangle.end(), 2, polygon_++);
  }
  Topology take() { return std::move(topology_); }

 private:
  Topology topology_;
  uint32_t polygon_ = 0;
  StopCheck check_;
};

// A point given along the axis and the two that follow it cyclically.
Vec3f along(Axis axis, double first, double second, double height) {
  const int a = static_cast<int>(axis);
  Vec3f p;
  p[(a + 1) % 3] = static_cast<float>(first);
  p[(a + 2) % 3] = static_cast<float>(second);
  p[a] = static_cast<float>(height);
  return p;
}

struct ProfilePoint {
  double radius, height;
};

// Turns a profile, from below to above, about an axis. A radius of 0 at an end is a pole: one
// vertex. A closed profile joins its last point to its first.
Mesh revolve(const std::vector<ProfilePoint>& profile, int segments, bool closed, Axis axis) {
  require_indexable(static_cast<double>(profile.size()) * segments);
  std::vector<Vec3f> positions;
  std::vector<uint32_t> ring_start;
  std::vector<std::array<double, 2>> circle(segments);
  for (int j = 0; j < segments; ++j) {
    const double angle = 2 * pi * j / segments;
    circle[j] = {std::cos(angle), std::sin(angle)};
  }
  for (const ProfilePoint& p : profile) {
    stop_if_wanted();
    ring_start.push_back(static_cast<uint32_t>(positions.size()));
    if (p.radius == 0) {
      positions.push_back(along(axis, 0, 0, p.height));
      continue;
    }
    for (const auto& [c, s] : circle) {
      positions.push_back(along(axis, p.radius * c, p.radius * s, p.height));
    }
  }

  Faces faces;
  const std::size_t rings = profile.size();
  for (std::size_t i = 0; i + 1 < rings + (closed ? 1 : 0); ++i) {
    const std::size_t up = (i + 1) % rings;
    const uint32_t low = ring_start[i], high = ring_start[up];
    for (int j = 0; j < segments; ++j) {
      const uint32_t here = j, next = (j + 1) % segments;
      if (profile[i].radius == 0) {
        faces.triangle(low, high + next, high + here);
      } else if (profile[up].radius == 0) {
        faces.triangle(low + here, low + next, high);
      } else {
        faces.quad(low + here, low + next, high + next, high + here, (i + j) % 2 == 1);
      }
    }
  }
  return Mesh(faces.take(), std::move(positions));
}

}  // namespace

Mesh make_box(const BoxShape& shape) {
  const char* const names[] = {"x", "y", "z"};
  for (int k = 0; k < 3; ++k) {
    require_size(shape.size[k], fmt::format("size {}", names[k]).c_str());
    require_count(shape.segments[k], 1, fmt::format("segments {}", names[k]).c_str());
  }
  const int a = shape.segments[0], b = shape.segments[1], c = shape.segments[2];
  require_indexable(2.0 * (1.0 * a * b + 1.0 * b * c + 1.0 * c * a) + 2);

  // Layers along z: the first and the last are full, those between are the outline only.
  const uint32_t full = (a + 1) * (b + 1), outline = 2 * (a + b);
  const auto index = [=](int i, int j, int k) -> uint32_t {
    if (k == 0) return j * (a + 1) + i;
    if (k == c) return full + (c - 1) * outline + j * (a + 1) + i;
    const uint32_t layer = full + (k - 1) * outline;
    if (j == 0) return layer + i;
    if (i == a) return layer + a + j;
    if (j == b) return layer + a + b + (a - i);
    return layer + 2 * a + b + (b - j);
  };
  std::vector<Vec3f> positions(2 * full + (c - 1) * outline);
  const auto coordinate = [&](int axis, int i) {
    return shape.size[axis] * (static_cast<float>(i) / shape.segments[axis] - 0.5f);
  };
  for (int k = 0; k <= c; ++k) {
    stop_if_wanted();
    for (int j = 0; j <= b; ++j) {
      const bool inside = k > 0 && k < c && j > 0 && j < b;
      for (int i = 0; i <= a; i += inside ? a : 1) {
        positions[index(i, j, k)] = {coordinate(0, i), coordinate(1, j), coordinate(2, k)};
      }
    }
  }

  // Each side as a lattice over the axes u, v that follow its normal's axis cyclically.
  Faces faces;
  for (int normal = 0; normal < 3; ++normal) {
    const int u = (normal + 1) % 3, v = (normal + 2) % 3;
    for (const bool upper : {false, true}) {
      const auto vertex = [&](int iu, int iv) {
        std::array<int, 3> at;
        at[normal] = upper ? shape.segments[normal] : 0;
        at[u] = iu;
        at[v] = iv;
        return index(at[0], at[1], at[2]);
      };
      for (int iv = 0; iv < shape.segments[v]; ++iv) {
        for (int iu = 0; iu < shape.segments[u]; ++iu) {
          const uint32_t p = vertex(iu, iv), q = vertex(iu + 1, iv), r = vertex(iu + 1, iv + 1),
                         s = vertex(iu, iv + 1);
          const bool odd = (iu + iv) % 2 == 1;
          upper ? faces.quad(p, q, r, s, odd) : faces.quad(p, s, r, q, odd);
        }
      }
    }
  }
  return Mesh(faces.take(), std::move(positions));
}

Mesh make_grid(const GridShape& shape) {
  require_size(shape.width, "width");
  require_size(shape.depth, "depth");
  require_count(shape.width_segments, 1, "width segments");
  require_count(shape.depth_segments, 1, "depth segments");
  const int w = shape.width_segments, d = shape.depth_segments;
  require_indexable((w + 1.0) * (d + 1.0));
  std::vector<Vec3f> positions;
  positions.reserve(static_cast<std::size_t>(w + 1) * (d + 1));
  for (int j = 0; j <= d; ++j) {
    stop_if_wanted();
    for (int i = 0; i <= w; ++i) {
      positions.push_back(along(shape.normal, shape.width * (static_cast<double>(i) / w - 0.5),
                                shape.depth * (static_cast<double>(j) / d - 0.5), 0));
    }
  }
  Faces faces;
  const uint32_t row = w + 1;
  for (int j = 0; j < d; ++j) {
    for (int i = 0; i < w; ++i) {
      const uint32_t p = j * row + i;
      faces.quad(p, p + 1, p + row + 1, p + row, (i + j) % 2 == 1);
    }
  }
  return Mesh(faces.take(), std::move(positions));
}

Mesh make_uv_sphere(const UvSphereShape& shape) {
  require_size(shape.radius, "radius");
  require_count(shape.segments, 3, "segments");
  require_count(shape.rings, 2, "rings");
  require_indexable(1.0 * shape.rings * shape.segments);
  std::vector<ProfilePoint> profile;
  for (int i = 0; i <= shape.rings; ++i) {
    const double angle = pi * i / shape.rings;
    const bool pole = i == 0 || i == shape.rings;
    profile.push_back(
        {pole ? 0.0 : shape.radius * std::sin(angle), -shape.radius * std::cos(angle)});
  }
  return revolve(profile, shape.segments, false, shape.axis);
}

Mesh make_cylinder(const CylinderShape& shape) {
  if (!(shape.radius >= 0 && shape.top_radius >= 0 && shape.radius + shape.top_radius > 0) ||
      !std::isfinite(shape.radius + shape.top_radius)) {
    throw std::invalid_argument(
        fmt::format("radius and top radius must not be negative, nor both 0, but are {} and {}",
                    shape.radius, shape.top_radius));
  }
  require_size(shape.height, "height");
  require_count(shape.segments, 3, "segments");
  require_count(shape.height_segments, 1, "height segments");
  require_count(shape.cap_segments, 1, "cap segments");
  require_indexable((shape.height_segments + 2.0 * shape.cap_segments) * shape.segments);
  const double half = shape.height / 2.0;
  std::vector<ProfilePoint> profile;
  if (shape.caps && shape.radius > 0) {
    for (int i = 0; i < shape.cap_segments; ++i) {
      profile.push_back({shape.radius * (static_cast<double>(i) / shape.cap_segments), -half});
    }
  }
  for (int i = 0; i <= shape.height_segments; ++i) {
    const double t = static_cast<double>(i) / shape.height_segments;
    profile.push_back({(1 - t) * shape.radius + t * shape.top_radius, shape.height * t - half});
  }
  if (shape.caps && shape.top_radius > 0) {
    for (int i = shape.cap_segments - 1; i >= 0; --i) {
      profile.push_back({shape.top_radius * (static_cast<double>(i) / shape.cap_segments), half});
    }
  }
  return revolve(profile, shape.segments, false, shape.axis);
}

Mesh make_torus(const TorusShape& shape) {
  require_size(shape.major_radius, "major radius");
  require_size(shape.minor_radius, "minor radius");
  if (!(shape.minor_radius < shape.major_radius)) {
    throw std::invalid_argument(fmt::format("minor radius must be smaller than {}, but is {}",
                                            shape.major_radius, shape.minor_radius));
  }
  require_count(shape.major_segments, 3, "major segments");
  require_count(shape.minor_segments, 3, "minor segments");
  require_indexable(1.0 * shape.major_segments * shape.minor_segments);
  std::vector<ProfilePoint> profile;
  for (int i = 0; i < shape.minor_segments; ++i) {
    const double angle = 2 * pi * i / shape.minor_segments;
    profile.push_back({shape.major_radius + shape.minor_radius * std::cos(angle),
                       shape.minor_radius * std::sin(angle)});
  }
  return revolve(profile, shape.major_segments, true, shape.axis);
}

Mesh make_capsule(const CapsuleShape& shape) {
  require_size(shape.radius, "radius");
  if (!(shape.height > 2 * shape.radius) || !std::isfinite(shape.height)) {
    throw std::invalid_argument(fmt::format(
        "height must be more than twice the radius {}, but is {}", shape.radius, shape.height));
  }
  require_count(shape.segments, 3, "segments");
  require_count(shape.cap_rings, 1, "cap rings");
  require_count(shape.height_segments, 1, "height segments");
  require_indexable((2.0 * shape.cap_rings + shape.height_segments) * shape.segments);
  const double middle = shape.height / 2.0 - shape.radius;
  std::vector<ProfilePoint> profile;
  const auto cap_point = [&](int i) {  // from the pole (0) to the rim (cap_rings)
    const double angle = pi / 2 * i / shape.cap_rings;
    return ProfilePoint{i == 0 ? 0.0 : shape.radius * std::sin(angle),
                        middle + shape.radius * std::cos(angle)};
  };
  for (int i = 0; i < shape.cap_rings; ++i) {
    const ProfilePoint p = cap_point(i);
    profile.push_back({p.radius, -p.height});
  }
  for (int i = 0; i <= shape.height_segments; ++i) {
    profile.push_back({shape.radius, middle * (2.0 * i / shape.height_segments - 1)});
  }
  for (int i = shape.cap_rings - 1; i >= 0; --i) profile.push_back(cap_point(i));
  return revolve(profile, shape.segments, false, shape.axis);
}

}  // namespace sinew::kernels
