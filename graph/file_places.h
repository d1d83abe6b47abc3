// How a document names the files that it reads: by the way from its own folder where they are near,
// so that both can be moved and given away together, and else by their whole paths.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "graph/commands.h"
#include "graph/registry.h"

namespace sinew {

// Near: within the folder, or within one at most two levels above. An empty folder: a document that
// is nowhere yet names whole paths.
std::string file_name_from(const std::filesystem::path& folder, const std::filesystem::path& file);

// The edits after which a document that was in the folder `from` reads the same files when it is in
// `to`. What it writes stays beside it, wherever it is, and has no edits.
std::vector<Edit> edits_for_place(const GraphDoc& doc, const Registry& registry,
                                  const std::filesystem::path& from,
                                  const std::filesystem::path& to);

}  // namespace sinew
