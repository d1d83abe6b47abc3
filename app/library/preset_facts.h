// What a preset offers to whoever uses it: the parameters that it exposes, in words.
#pragma once

#include <string>
#include <vector>

#include "graph/document.h"
#include "graph/registry.h"

namespace sinew::library {

struct PresetParameter {
  std::string path;   // "pulse.speed", as --set takes it
  std::string node;   // "Pulse"
  std::string label;  // "Speed"
  std::string type;   // "float"
  std::string value;  // "0.8", "a chart", "its own": linked in the preset
  std::string unit;   // "Hz"
  std::string range;  // "0 to 10", or choices: "fast, plain"
  std::string doc;
};

// In the order of "expose"; what does not exist is left out.
std::vector<PresetParameter> parameters_of(const GraphDoc& doc, const Registry& registry);

}  // namespace sinew::library
