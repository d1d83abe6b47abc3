#include "nodes/kernels/stroke_guide.h"

#include <algorithm>
#include <cmath>

#include "nodes/kernels/vectors.h"

namespace sinew::kernels {

namespace {

bool within(const Stroke& eraser, const Vec3f& point) {
  const Vec3d p = point.cast<double>();
  const double limit = static_cast<double>(eraser.radius) * eraser.radius;
  for (std::size_t i = 0; i < eraser.points.size(); ++i) {
    const Vec3d a = eraser.points[i].cast<double>();
    const Vec3d b = eraser.points[std::min(i + 1, eraser.points.size() - 1)].cast<double>();
    if (segment_distance2(p, a, b) <= limit) return true;
  }
  return false;
}

void erase(StrokeTangents& drawn, const Stroke& eraser, CancelView stop) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    stop.check();
    if (within(eraser, drawn.points[i])) continue;
    drawn.points[kept] = drawn.points[i];
    drawn.tangents[kept++] = drawn.tangents[i];
  }
  drawn.points.resize(kept);
  drawn.tangents.resize(kept);
}

}  // namespace

StrokeTangents stroke_tangents(const Strokes& rest_space, CancelView stop) {
  StrokeTangents drawn;
  for (const Stroke& stroke : rest_space.strokes) {
    if (stroke.tool == StrokeTool::erase) erase(drawn, stroke, stop);
    if (stroke.tool != StrokeTool::brush) continue;
    const std::vector<Vec3f> tangents = polyline_tangents(stroke.points);
    for (std::size_t i = 0; i < tangents.size(); ++i) {
      if (tangents[i] == Vec3f(0, 0, 0)) continue;
      drawn.points.push_back(stroke.points[i]);
      drawn.tangents.push_back(tangents[i]);
    }
  }
  return drawn;
}

RbfField solve_strokes(const StrokeTangents& strokes, FollowStrokes follow, CancelView stop) {
  const std::size_t count = strokes.size();
  if (count == 0) return {};
  const std::size_t columns = follow == FollowStrokes::lines ? 9 : 3;
  std::vector<double> values(columns * count);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t k = 0; k < 3; ++k) values[k * count + i] = strokes.tangents[i][k];
    if (columns == 3) continue;
    const Symmetric3 line = line_tensor(strokes.tangents[i]);
    for (std::size_t k = 0; k < 6; ++k) values[(3 + k) * count + i] = line[k];
  }
  return solve_rbf(strokes.points, values, columns, {}, stop);
}

StrokeGuide guide_at(const RbfField& field, std::span<const Vec3f> points, CancelView stop) {
  StrokeGuide guide;
  if (field.columns == 0) return guide;
  const std::size_t count = points.size();
  std::vector<float> values(field.columns * count);
  evaluate(field, points, values, stop);
  guide.arrows.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    guide.arrows[i] = {values[i], values[count + i], values[2 * count + i]};
  }
  if (field.columns < 9) return guide;
  guide.lines.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t k = 0; k < 6; ++k) guide.lines[i][k] = values[(3 + k) * count + i];
  }
  return guide;
}

}  // namespace sinew::kernels
