// A preset with the files that it reads, as one file (.sinew) that can be handed to others: an
// archive with a manifest, the document, and what it reads under files/.
//
// A pack from a stranger is looked through before anything of it is written: what its nodes read
// and write must lie beside it, its name, version and hashes must be what it says, it must be a
// document that this build understands, of bounded size, and what it reads must be readable in
// bounded time. Nothing in it can start a program.
#pragma once

#include <atomic>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "graph/archive.h"
#include "graph/document.h"
#include "graph/registry.h"

namespace sinew {

inline constexpr std::string_view pack_manifest = "manifest.json";
inline constexpr std::string_view pack_document = "preset.json";

struct PackLimits {
  ArchiveLimits archive;
  std::size_t packed_bytes = std::size_t{256} << 20;  // of the file itself
  std::size_t nodes = 20000;                          // with groups expanded
  double seconds = 20;                                // for reading all that it reads
};

struct PresetPack {
  std::string name;     // "namespace/name"
  std::string version;  // "1.2.0"
  std::string hash;     // of all that is in it
  GraphDoc doc;
  std::vector<ArchiveFile> files;  // the document among them, not the manifest
};

// "namespace/name", both parts made like ids of nodes. Empty: it is so; else what is wrong.
std::string flaw_of_preset_name(std::string_view name);
// "1.2.0"
bool is_semantic_version(std::string_view version);

// The bytes of a pack of a document. The error says what it lacks: a name, a version, a file.
Result<std::string> pack_preset(const std::filesystem::path& document, const Registry& registry);

// The error is one line, and nothing has been written.
Result<PresetPack> read_pack(std::string_view bytes, const Registry& registry,
                             const PackLimits& limits = {});

struct InstalledPack {
  std::filesystem::path document;
  bool was_there = false;  // the same pack, so that nothing was written
};

// Into LIBRARY/namespace/name/, as a whole or not at all. Another version of the same preset is
// replaced only if `replace`.
Result<InstalledPack> install_pack(const PresetPack& pack, const std::filesystem::path& library,
                                   bool replace);

}  // namespace sinew
