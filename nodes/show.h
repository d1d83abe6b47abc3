// How values become something to be seen: the one door between the nodes and whoever draws. A mesh
// is itself; a field is colours on the body that it lives on (CompiledGraph::body_of finds it);
// directions are arrows and needles on theirs; obstacles and charts are what they look like.
//
// Nothing here draws, and nothing large is copied that need not be: meshes, solids without a skin
// and fields per vertex are pointed at. What must be computed (a skin, a cut) follows from the keys
// and the options alone, so that a caller can keep a list and use it again while those are the
// same. The exception are the planes of obstacles, which are made as large as what is already in
// the list asks for: show_all() shows obstacles last.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "graph/key.h"
#include "graph/result.h"
#include "graph/value.h"
#include "render/draw_list.h"

namespace sinew {

struct ShowOptions {
  // Cuts bodies open; the cap shows the field inside. The normal need not have length 1.
  std::optional<draw::SectionPlane> section;
  std::optional<draw::ColourMap> map;            // instead of the one that fits the field
  std::optional<std::pair<float, float>> range;  // instead of the field's own
};

// One thing to show: a value and, for one that lives on a body, that body.
struct Shown {
  std::string source;  // "layer.field"
  std::string title;   // for the legend: the node's label
  Value value;
  Key key;
  Value body;  // empty if the value is its own body
  Key body_key;
};

// Adds what the value looks like to the list. An error says what could be shown instead, and leaves
// the list as it was.
//
//   mesh, solid   the surface; of a solid the skin that it carries. Points, if it has no triangles
//   field         the body in colours, by vertex or by triangle. Values of tetrahedra are those of
//                 the tetrahedron that a boundary triangle belongs to, or that a vertex of the skin
//                 hangs in
//   activation    the body in the colours of its signal: contraction red, expansion light blue
//   vectors       the body, and arrows at no more than 450 places; the longest about as long as
//                 the places are apart
//   frames        the same with three needles each: primary, and shorter, secondary and tertiary
//   colliders     obstacles as veils; the ground as ground
//   chart         curve, way back, marks and axes, in the x-y plane, 1.6 m wide and 1 m high
//   material      the chart of its stress over strain
//   motion_path   the line, ticks at equal times, the points, and where it is now
//   points        the points, joined in their order
//   voos          pins with their fields as rings, the pins at rest, and arthra
//   lattice       its points and the lines between them; those that have moved stand out
//   modes         their lattices, as the amplitudes move them
//   modal_body    the body at rest, and its mass points
//   body_forces   pushes as arrows, springs as lines, pins as dots, all seen through bodies
//   skeleton      its bones and joints, seen through bodies
//   pose          the same at its moment, controls standing out, and bones where they rest
//   meshless      the body as a veil, its nodes, and the ways between them through the material
//   posed_body    the same in its pose
//   keyed_bodies  ghosts of the poses at keys, and the points that are held
//   motion        the ways of some places and of the middles; keys stand out among the frames
//   body_states   the nodes
//   vec3          a point
//   string        its words, in the upper left of the picture
Result<void> show(const Shown& what, const ShowOptions& options, draw::DrawList& list);

// A whole scene. A body that is shown with colours or directions on it is not shown once more
// without them. Returns what could not be shown, and why.
std::vector<std::string> show_all(std::span<const Shown> all, const ShowOptions& options,
                                  draw::DrawList& list);

// Whether there is something to see in values of this type.
bool can_show(const TypeInfo& type);

}  // namespace sinew
