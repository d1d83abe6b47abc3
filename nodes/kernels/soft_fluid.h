// What a fluid does to the surface of a soft body; the formula stands in soft_body.h.
#pragma once

#include "nodes/kernels/soft_body.h"

namespace sinew::kernels {

// Slows scratch.v by h seconds of the fluid, at the places scratch.match.x. Implicit: whatever the
// density, no vertex is slowed past the flow.
void fluid_drag(const SoftBody& body, const Fluid& fluid, double h, double mass_scale,
                SoftScratch& scratch);

}  // namespace sinew::kernels
