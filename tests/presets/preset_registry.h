// All nodes, for tests that load presets.
#pragma once

#include "graph/registry.h"
#include "nodes/register_all_nodes.h"

namespace sinew {

inline const Registry& registry() {
  static const Registry* all = [] {
    auto* made = new Registry;
    register_all_nodes(*made);
    return made;
  }();
  return *all;
}

}  // namespace sinew
