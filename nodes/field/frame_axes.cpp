// One of the three directions of frames, to look at or to use.
#include "nodes/node.h"

namespace sinew {
namespace {

enum class Which : uint8_t { primary, secondary, tertiary };

In<Frames> frames;
In<Which> which;
Out<VectorField> out;

void declare(Declaration& d) {
  d.id("field.frame_axes", 1).label("Frame Axis").category("Field");
  d.doc("One of the three directions of frames, as vectors.");
  d.in(frames, "frames").doc("Where the directions come from.");
  d.in(which, "axis", Which::primary)
      .choices({"primary", "secondary", "tertiary"})
      .doc("primary: along the strokes; secondary: across the layers; tertiary: the third.");
  d.out(out, "vectors").on(frames).doc("One vector of length 1 per vertex.");
}

void exec(Exec& e) {
  const Frames& input = e.get(frames);
  const std::vector<Vec3f>& chosen = e.get(which) == Which::primary     ? input.primary
                                     : e.get(which) == Which::secondary ? input.secondary
                                                                        : input.tertiary;
  e.set(out, VectorField{Domain::vertex, chosen});
}

}  // namespace
}  // namespace sinew

SINEW_NODE(field_frame_axes, declare, exec)
