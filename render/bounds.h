// How large a scene is.
#pragma once

#include "render/camera.h"
#include "render/draw_list.h"

namespace sinew::render {

// The box of what a camera should see: everything in the list that has a place, but for guides,
// unless there is nothing else. What is no number does not count.
Box bounds_of(const draw::DrawList& list);
// The box of all that is drawn, without the meshes, whose boxes are known where they have been
// uploaded.
Box bounds_without_meshes(const draw::DrawList& list);

// Whether all of it lies in a plane across z, as charts do: then it is looked at from the front.
bool is_drawing(const Box& box);

}  // namespace sinew::render
