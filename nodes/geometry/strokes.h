// What was painted, as it was drawn: the strokes themselves, not what they did to some mesh. They
// can be applied to any mesh, again and again.
//
// Points are in rest space: metres, or parts of the body's bounding box if `space` says so. A point
// need not lie on the surface: it acts where the surface is closest to it. The points of a stroke
// in their order give its direction: whoever wants tangents (directions of fibres) takes
// differences.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "nodes/geometry/types.h"

namespace sinew {

enum class StrokeTool : uint8_t {
  brush,   // along the line through the points, as wide as the radius says
  face,    // the triangle that is closest to each point
  region,  // from the place closest to each point as far as the surface bends less than the angle
  erase,   // takes back what earlier strokes did within the radius of the line
};

// Where a stroke was drawn.
enum class StrokePlace : uint8_t {
  surface,  // on the skin of the body
  cut,      // inside, on the cross-section of a cutting plane
};

enum class StrokeFalloff : uint8_t {
  flat,    // the value within the radius
  linear,  // the value in the middle, the standard value at the radius
  smooth,  // the same, without a crease at either end
};

// In which unit points, radii and planes are given.
enum class StrokeSpace : uint8_t {
  rest,  // metres
  box,   // -1 .. 1 along each side of the bounding box; a radius of 1 is half of its diagonal
};

struct Stroke {
  StrokeTool tool = StrokeTool::brush;
  StrokePlace on = StrokePlace::surface;
  std::vector<Vec3f> points;
  float radius = 0.1f;  // brush and erase; 0: only the line itself
  float value = 1;
  StrokeFalloff falloff = StrokeFalloff::flat;
  float angle = 30;  // degrees, region: how far the surface may bend between neighbouring places
  Vec3f plane_point{0, 0, 0};  // of a stroke on a cut
  Vec3f plane_normal{1, 0, 0};

  bool operator==(const Stroke&) const = default;
};

struct Strokes {
  StrokeSpace space = StrokeSpace::rest;
  std::vector<Stroke> strokes;  // the later ones paint over the earlier ones

  std::size_t size() const { return strokes.size(); }
  bool operator==(const Strokes&) const = default;
};

// More would make a document that nobody painted.
inline constexpr std::size_t most_strokes = 10000;
inline constexpr std::size_t most_stroke_points = 1000000;  // of all strokes together

// The same strokes in metres, for a body with this bounding box.
Strokes in_rest_space(const Strokes& strokes, const Eigen::AlignedBox3f& box);

// What is wrong, with the first bad stroke (counted from 1), or nothing: numbers that are not
// finite, a negative radius, an angle outside of 0 .. 180, a plane without a normal, too many.
std::optional<std::string> validate(const Strokes& strokes);

std::size_t byte_size(const Strokes& strokes);

template <class Hash>
void visit_content(const Strokes& strokes, Hash&& hash) {
  const std::array<uint64_t, 2> head = {static_cast<uint64_t>(strokes.space), strokes.size()};
  hash(bytes_of(head));
  for (const Stroke& s : strokes.strokes) {
    const std::array<uint64_t, 4> kinds = {static_cast<uint64_t>(s.tool),
                                           static_cast<uint64_t>(s.on),
                                           static_cast<uint64_t>(s.falloff), s.points.size()};
    hash(bytes_of(kinds));
    hash(bytes_of(s.points));
    const std::array<float, 9> numbers = {s.radius,          s.value,           s.angle,
                                          s.plane_point[0],  s.plane_point[1],  s.plane_point[2],
                                          s.plane_normal[0], s.plane_normal[1], s.plane_normal[2]};
    hash(bytes_of(numbers));
  }
}

}  // namespace sinew
