// A preset that goes on elsewhere: as a new document, as a group of another one, put on something.
#pragma once

#include <filesystem>
#include <vector>

#include "graph/document.h"
#include "graph/registry.h"

namespace sinew::library {

// It names what it reads as seen from the folder `to`, or by whole paths: relative names would mean
// other files there.
Result<GraphDoc> open_elsewhere(const std::filesystem::path& preset, const Registry& registry,
                                const std::filesystem::path& to = {},
                                std::vector<NodeMessage>* notes = nullptr);

}  // namespace sinew::library
