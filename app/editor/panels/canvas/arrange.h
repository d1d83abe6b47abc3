// Places for nodes: in columns from left to right, each after what feeds it, with few crossings.
// The same graph gets the same places.
#pragma once

#include <vector>

#include "app/editor/panels/canvas/model.h"

namespace sinew::editor::canvas {

// For these nodes (indices, increasing), in their order; the upper left corner comes to (0, 0).
// Links to others do not count.
std::vector<ImVec2> arrange(const std::vector<Node>& nodes, const std::vector<Link>& links,
                            const std::vector<int>& which);

}  // namespace sinew::editor::canvas
