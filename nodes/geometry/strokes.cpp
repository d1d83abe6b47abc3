#include "nodes/geometry/strokes.h"

#include <fmt/core.h>

namespace sinew {

Strokes in_rest_space(const Strokes& strokes, const Eigen::AlignedBox3f& box) {
  Strokes result = strokes;
  result.space = StrokeSpace::rest;
  if (strokes.space == StrokeSpace::rest || box.isEmpty()) return result;
  const Vec3f middle = box.center(), half = 0.5f * box.sizes();
  for (Stroke& s : result.strokes) {
    for (Vec3f& p : s.points) p = middle + p.cwiseProduct(half);
    s.radius *= half.norm();
    s.plane_point = middle + s.plane_point.cwiseProduct(half);
    // A plane n . u = c of the box becomes (n / half) . x = ..; a flat side adds nothing.
    Vec3f normal(0, 0, 0);
    for (int k = 0; k < 3; ++k) {
      if (half[k] > 0) normal[k] = s.plane_normal[k] * half.maxCoeff() / half[k];
    }
    if (normal.squaredNorm() > 0) s.plane_normal = normal.normalized();
  }
  return result;
}

std::optional<std::string> validate(const Strokes& strokes) {
  if (strokes.size() > most_strokes) {
    return fmt::format("{} strokes, but at most {} are allowed", strokes.size(), most_strokes);
  }
  std::size_t points = 0;
  for (std::size_t i = 0; i < strokes.size(); ++i) {
    const Stroke& s = strokes.strokes[i];
    const auto wrong = [&](const char* what) { return fmt::format("stroke {}: {}", i + 1, what); };
    for (const Vec3f& p : s.points) {
      if (!p.allFinite()) return wrong("a point is not finite");
    }
    if (!std::isfinite(s.radius) || s.radius < 0) return wrong("the radius must be 0 or more");
    if (!std::isfinite(s.value)) return wrong("the value is not finite");
    if (!(s.angle >= 0 && s.angle <= 180)) return wrong("the angle must be from 0 to 180 degrees");
    if (!s.plane_point.allFinite()) return wrong("the plane's point is not finite");
    if (!s.plane_normal.allFinite() || !(s.plane_normal.squaredNorm() > 0)) {
      return wrong("the plane's normal must be finite and not 0");
    }
    points += s.points.size();
  }
  if (points > most_stroke_points) {
    return fmt::format("the strokes have {} points, but at most {} are allowed", points,
                       most_stroke_points);
  }
  return std::nullopt;
}

std::size_t byte_size(const Strokes& strokes) {
  std::size_t bytes = sizeof strokes;
  for (const Stroke& s : strokes.strokes) bytes += sizeof s + s.points.size() * sizeof(Vec3f);
  return bytes;
}

}  // namespace sinew
