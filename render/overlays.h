// What is drawn over bodies on request, as ordinary items of a draw list.
#pragma once

#include <vector>

#include "render/bounds.h"
#include "render/draw_list.h"
#include "render/look.h"
#include "render/mesh_store.h"

namespace sinew::render {

// Vertices, normals and bounds of the meshes, as far as the look asks for them. `entries` are those
// of the list's meshes.
draw::DrawList overlays_of(const draw::DrawList& list, const std::vector<const MeshEntry*>& entries,
                           const Look& look, const Box& box);

}  // namespace sinew::render
