// What is under a place of the canvas.
#pragma once

#include "app/editor/panels/canvas/model.h"

namespace sinew::editor::canvas {

struct Hit {
  enum Kind : unsigned char {
    nothing,
    node,
    input,  // its pin or its row's left end
    output,
    eye,      // of an output
    chevron,  // shows all inputs, or only those that matter
    corner,   // of a note or of a frame: makes it larger
    link,
    frame,  // its title
  };
  Kind kind = nothing;
  int node_index = -1;  // also where a pin, an eye or a chevron was hit
  int socket = -1;
  int link_index = -1, frame_index = -1;

  bool on_node() const { return node_index >= 0; }
  bool operator==(const Hit&) const = default;
};

// `zoom`: pins and links have a size on the screen below which they are not made smaller.
Hit hit_test(const Model& model, ImVec2 p, float zoom);
// How near a curve comes to a place.
float distance(const Curve& curve, ImVec2 p);
// Whether a curve crosses the segment between two places.
bool crosses(const Curve& curve, ImVec2 a, ImVec2 b);

// Where the parts of a node are, from its corner.
ImVec2 eye_offset(const Pin& pin);
// The sign of trouble sits on the corner, half outside of the box.
inline constexpr float badge_radius = 9;
inline ImVec2 badge_place(const Node& node) { return {node.at.x + 2, node.at.y}; }
inline ImVec2 chevron_offset() { return {node_width - 12, header_height / 2}; }

}  // namespace sinew::editor::canvas
