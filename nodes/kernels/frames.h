// Orientations from layers and strokes [Ijiri09, section 4.1]:
//   d2  goes across the layers: the gradient of the layer field, made a unit vector;
//   d1  follows the strokes: their tangents, interpolated through the volume. Off the layer on
//   which
//       they were drawn these are not at right angles to d2, so d1 = normalise(t - (t.d2) d2);
//   d3  = d1 x d2.
//
// The paper interpolates the tangents as arrows, component by component. Two strokes that were
// drawn the other way round then cancel out between them. As lines, the tensors t t^T are
// interpolated instead, which do not know a sense, and d1 is that direction at right angles to d2
// in which the tensor is largest. The sense of the lines is then carried from vertex to vertex,
// first between those that agree best, from the one at which the arrows are clearest.
//
// Degenerate places: where |grad f| is below 1e-6 of its maximum, d2 is taken from the neighbours
// that have one, ring by ring until all are reached; where there is nothing to follow across d2
// (no tangent, or one parallel to d2), d1 is taken from the neighbours in the same way. Where no
// neighbour can help, any perpendicular is taken. Such vertices are counted.
//
// Every frame is orthonormal and right-handed to float precision, whatever the input.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "nodes/geometry/frames.h"
#include "nodes/kernels/adjacency.h"

namespace sinew::kernels {

// A symmetric matrix: xx, yy, zz, xy, yz, zx.
using Symmetric3 = std::array<float, 6>;

Symmetric3 line_tensor(const Vec3f& direction);     // t t^T of the unit vector
Vec3d largest_direction(const Symmetric3& tensor);  // of a line_tensor its line, either way

// What the strokes say at each vertex.
struct StrokeGuide {
  std::vector<Vec3f> arrows;      // interpolated tangents; 0: nothing to follow
  std::vector<Symmetric3> lines;  // interpolated tensors, or empty: follow the arrows
};

struct FrameField {
  Frames frames;
  std::size_t without_layer = 0;   // where the layer field has no direction
  std::size_t without_stroke = 0;  // where no stroke direction lies in the layer
  std::size_t degenerate = 0;      // vertices of either kind
};

// `gradient` of the layer field, one per vertex; `neighbours` of each vertex.
FrameField build_frames(std::span<const Vec3f> gradient, const StrokeGuide& guide,
                        const Rows& neighbours, CancelView stop = {});

}  // namespace sinew::kernels
