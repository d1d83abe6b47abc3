// Nodes that exist to be dragged, pulled at and watched: each declares one thing that the editor
// shows, and next to nothing else.
#pragma once

#include "graph/registry.h"

namespace sinew::testing {

// All nodes of the program, and
//   test.pin      head, tip, twist, radii, centre, cap: a pin with all that belongs to it
//   test.offset   a place and an arrow that are counted from outputs, which rise with the frames
//   test.puller   a simulation that moves a mesh with the hand, without a radius or a speed
//   test.strain   is at (strain, stress) on the curve 'stress' of what made its material
const Registry& hand_registry();

}  // namespace sinew::testing
