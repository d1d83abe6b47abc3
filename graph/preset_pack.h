// A preset with the files that it reads, as one file (.sinew) that can be handed to others: an
// archive with a manifest, the document, and what it reads under files/.
//
// A pack from a stranger is looked through before anything of it is written: it holds nothing but
// its manifest, its document and what that reads; its name, version and hashes must be what it
// says; it must be a document that this build understands and that keeps to the rules for strangers
// (stranger.h), and what it reads must be readable in bounded time. Nothing in it can start a
// program.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "graph/archive.h"
#include "graph/document.h"
#include "graph/registry.h"

namespace sinew {

struct PackLimits {
  ArchiveLimits archive;
  std::size_t packed_bytes = std::size_t{256} << 20;  // of the file itself
  std::size_t nodes = 20000;                          // with groups expanded
  double seconds = 10;                                // for reading all that it reads
  // Tries that, in a folder that has it all; says what is wrong with it, or nothing. Unless given:
  // flaw_of_reading, in this process.
  std::function<std::string(const std::filesystem::path&)> trial = {};
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
Result<std::string> pack_preset(const std::filesystem::path& document, const Registry& registry,
                                const PackLimits& limits = {});

// The error is one line, and nothing has been written.
Result<PresetPack> read_pack(std::string_view bytes, const Registry& registry,
                             const PackLimits& limits = {});

// Runs the nodes of a document that read files in the folder, and nothing else; what they say is
// wrong. Empty: nothing.
std::string flaw_of_reading(const GraphDoc& doc, const Registry& registry,
                            const std::filesystem::path& folder, const PackLimits& limits);

struct InstalledPack {
  std::filesystem::path document;
  bool was_there = false;  // the same pack, so that nothing was written
};

// Into LIBRARY/namespace/name/, as a whole or not at all. Another version of the same preset is
// replaced only if `replace`.
Result<InstalledPack> install_pack(const PresetPack& pack, const std::filesystem::path& library,
                                   bool replace);

// What installations that were interrupted left behind, in the library and in the temporary folder.
void remove_left_packs(const std::filesystem::path& library);

}  // namespace sinew
