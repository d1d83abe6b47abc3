// Which node reads a file, by its ending.
#pragma once

#include <string>

#include "graph/registry.h"

namespace sinew::library {

struct Reader {
  const NodeType* type = nullptr;  // nullptr: none does
  const InputInfo* input = nullptr;
};

// Of several the one that reads more formats: it is the more general one.
Reader reader_for(const Registry& registry, const std::string& name);

}  // namespace sinew::library
