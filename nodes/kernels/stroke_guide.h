// From drawn strokes to a direction at every place: the tangents of the strokes at their points are
// interpolated by radial basis functions (rbf.h), as arrows (three numbers) and, if lines are
// wanted, as tensors t t^T (six more). See frames.h for what is made of them.
#pragma once

#include <span>
#include <vector>

#include "nodes/geometry/strokes.h"
#include "nodes/kernels/frames.h"
#include "nodes/kernels/rbf.h"

namespace sinew::kernels {

// Where a stroke passes, and in which direction.
struct StrokeTangents {
  std::vector<Vec3f> points;
  std::vector<Vec3f> tangents;  // unit vectors

  std::size_t size() const { return points.size(); }
};

// Of all brush strokes, in metres. An eraser takes away what was drawn before within its radius.
// Places without a direction (a stroke that is a single point) and tools that have none are left
// out.
StrokeTangents stroke_tangents(const Strokes& rest_space, CancelView stop = {});

enum class FollowStrokes : uint8_t {
  arrows,  // the way they were drawn
  lines,   // either way
};

// The interpolated directions: columns 0 .. 2 are the arrow, 3 .. 8, for lines, the tensor. No
// columns if nothing was drawn.
RbfField solve_strokes(const StrokeTangents& strokes, FollowStrokes follow, CancelView stop = {});

StrokeGuide guide_at(const RbfField& field, std::span<const Vec3f> points, CancelView stop = {});

}  // namespace sinew::kernels
