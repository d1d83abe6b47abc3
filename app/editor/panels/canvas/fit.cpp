#include "app/editor/panels/canvas/fit.h"

#include <algorithm>

namespace sinew::editor::canvas {

int fit(const Registry& registry, const TypeInfo* output, const InputInfo& input) {
  if (input.takes_anything()) return 2;
  if (!output || !input.type) return 1;
  if (output == input.type) return 8;
  if (std::find(input.also.begin(), input.also.end(), output) != input.also.end()) return 6;
  return registry.find_conversion(*output, *input.type) ? 4 : 0;
}

int best_input(const Registry& registry, const Node& node, const TypeInfo* output) {
  int best = -1, most = 0;
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    const Pin& pin = node.inputs[i];
    const int how_well = fit(registry, output, *pin.input);
    if (how_well == 0) continue;
    const bool free = !pin.linked || pin.input->multi;
    const int score =
        8 * how_well + (free ? 4 : 0) + (pin.input->required() ? 2 : 0) + (pin.shown ? 1 : 0);
    if (score <= most) continue;
    most = score;
    best = static_cast<int>(i);
  }
  return best;
}

int best_output(const Registry& registry, const Node& node, const InputInfo& input) {
  int best = -1, most = 0;
  for (std::size_t i = 0; i < node.outputs.size(); ++i) {
    const int how_well = fit(registry, node.outputs[i].type, input);
    if (how_well <= most) continue;
    most = how_well;
    best = static_cast<int>(i);
  }
  return best;
}

int best_input(const Registry& registry, const std::vector<InputInfo>& inputs,
               const TypeInfo* output, int* how_well) {
  int best = -1, most = 0;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const int score = 2 * fit(registry, output, inputs[i]);
    if (score == 0 || score + (inputs[i].required() ? 1 : 0) <= most) continue;
    most = score + (inputs[i].required() ? 1 : 0);
    best = static_cast<int>(i);
  }
  if (how_well) *how_well = most;
  return best;
}

int best_output(const Registry& registry, const std::vector<OutputInfo>& outputs,
                const InputInfo& input, int* how_well) {
  int best = -1, most = 0;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const TypeInfo* type = outputs[i].generic.empty() ? outputs[i].type : nullptr;
    const int score = 2 * fit(registry, type, input);
    if (score <= most) continue;
    most = score;
    best = static_cast<int>(i);
  }
  if (how_well) *how_well = most;
  return best;
}

}  // namespace sinew::editor::canvas
