// Which sockets go together.
#pragma once

#include "app/editor/panels/canvas/model.h"

namespace sinew::editor::canvas {

// How well an output goes with an input; 0: not at all. An output of a type that is not known yet
// (nullptr) goes with everything.
int fit(const Registry& registry, const TypeInfo* output, const InputInfo& input);

// The socket that fits best, rather one that is free and needed; -1: none does.
int best_input(const Registry& registry, const Node& node, const TypeInfo* output);
int best_output(const Registry& registry, const Node& node, const InputInfo& input);

// The same for a type of node that is not on the canvas yet: which of its sockets.
int best_input(const Registry& registry, const std::vector<InputInfo>& inputs,
               const TypeInfo* output, int* how_well = nullptr);
int best_output(const Registry& registry, const std::vector<OutputInfo>& outputs,
                const InputInfo& input, int* how_well = nullptr);

}  // namespace sinew::editor::canvas
