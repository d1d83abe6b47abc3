// What strokes demand of a field: places and values, which rbf.h interpolates through the volume.
//
// Places are chosen from the stroke and the size of the body, and never, but for faces, from its
// triangles, so that the same strokes give the same field on a finer mesh of the same shape.
//   brush   rows across the line, radius/2 apart (at least 1/80 of the body's diagonal), 5 places a
//           row (7 with a falloff), half a disc at both ends, along the surface; and beyond the
//           rim places where the field is what it was before, so that paint ends with the brush.
//           On a cut: in its plane, and only what is inside of the body.
//   face    the polygon at each point: its corners [Ijiri09, section 4.1], its middle, and a grid
//           of places if it is large. Faces do not weaken one another; of a shared corner the later
//           one counts.
//   region  as far as the surface bends less than the angle within 1/32 of the diagonal,
//           and places spread evenly, 1/24 of the diagonal apart. On a cut: the whole connected
//           piece of the cross-section.
//   erase   removes what earlier strokes demand within the radius of its line, and demands the
//           background there.
// A later stroke replaces what earlier ones demand where it paints. With a falloff the value goes
// over to what was demanded there before, or to the background. Where nothing is painted, the
// background is demanded: the interpolation alone would run on without bounds.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "nodes/geometry/strokes.h"
#include "nodes/kernels/paint_surface.h"

namespace sinew::kernels {

struct PaintOptions {
  double background = 0;
  // Demands the background where the surface is unpainted (a twelfth of the diagonal from all
  // paint), so that the field does not run on beyond the paint.
  bool surround = true;
  std::size_t max_constraints = 1500;  // more are thinned out evenly
};

// What became of one stroke.
struct StrokeOutcome {
  std::size_t constraints = 0;  // that it gave; later strokes may have replaced them
  // How far the closest of its points is from the surface (or, on a cut, from the inside), metres.
  double distance = 0;
  // Whether it reached the body: within twice the radius, or a tenth of the diagonal.
  bool touches = false;
};

struct PaintConstraints {
  std::vector<Vec3f> points;
  std::vector<double> values;
  // Metres, for RbfOptions::softness. Mostly 0; places that a slightly other shape or stroke would
  // not have count the less, the closer that is, so that no place comes or goes at once.
  std::vector<double> softness;
  std::vector<uint32_t> stroke;  // which one; the number of strokes: the background
  std::vector<StrokeOutcome> outcomes;
  std::size_t before_thinning = 0;
};

// `strokes` are in rest space.
PaintConstraints paint_constraints(const PaintSurface& surface, const Strokes& strokes,
                                   const PaintOptions& options = {}, CancelView stop = {});

}  // namespace sinew::kernels
