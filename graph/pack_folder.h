// A pack, installed: a folder with a manifest, one document, and what that reads. Whatever lies
// below such a folder came from a stranger.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "graph/result.h"

namespace sinew {

inline constexpr std::string_view pack_manifest = "manifest.json";
inline constexpr std::string_view pack_document = "preset.json";

// What a pack says of itself, beside the document.
struct PackManifest {
  std::string name;                           // "namespace/name"
  std::string version;                        // "1.2.0"
  std::map<std::string, std::string> hashes;  // of each file but itself, by its name
};

// The error is one line. Bounded, whatever the text is.
Result<PackManifest> parse_manifest(std::string_view text);
std::string write_manifest(const PackManifest& manifest);

struct PackFolder {
  std::filesystem::path folder;
  std::string name;             // "namespace/name", whatever its document says
  std::set<std::string> files;  // what came with it, as the manifest names it

  std::filesystem::path document() const { return folder / pack_document; }
};

// If the folder is that of an installed pack: one with a manifest, or as packs were installed
// before they kept theirs: NAMESPACE/NAME/preset.json, of that name.
std::optional<PackFolder> pack_folder_at(const std::filesystem::path& folder);

// The installed pack that a file lies in; nothing: in none. The error: it would be a way into such
// a folder, or out of it, by a link.
Result<std::optional<PackFolder>> pack_folder_around(const std::filesystem::path& file);

// Whether a path, with all links followed, is inside of a folder.
bool leads_into(const std::filesystem::path& path, const std::filesystem::path& folder);

}  // namespace sinew
