// Nodes for what the editor does with literals that are sheets, and with work.
#pragma once

#include <atomic>

#include "graph/registry.h"

namespace sinew::testing {

// All nodes of the program, and
//   test.poses   takes a pose graph, and hands it on
//   test.seeker  moves a mesh up by the picked one of what it has found, more in every frame; its
//                work finds better numbers in rounds, each as soon as the test lets it
const Registry& work_registry();

// So many rounds of every search may be done.
std::atomic<int>& rounds_allowed();

}  // namespace sinew::testing
