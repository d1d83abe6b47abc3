// Packs into a person's library, with a look at what comes with the program.
#pragma once

#include "app/library/library_index.h"
#include "graph/preset_pack.h"

namespace sinew::library {

// The namespace of what comes with the program: a pack that names it is either one of those, and
// there already, or refused.
inline constexpr std::string_view own_namespace = "sinew/";
// Whether a preset names it, in small or capital letters.
bool is_in_own_namespace(std::string_view name);

Result<InstalledPack> take_pack(const PresetPack& pack, const LibraryIndex& index,
                                const std::filesystem::path& folder, bool replace);

}  // namespace sinew::library
