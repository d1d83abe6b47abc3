// What a document may not do that came from a stranger, in a pack: it reads and writes beside
// itself only, and says so in its text; its words are short and plain; it is of bounded size.
// `load_document` opens whatever lies in an installed pack so, and `read_pack` what is in a pack.
#pragma once

#include <set>
#include <string>

#include "graph/document.h"
#include "graph/pack_folder.h"
#include "graph/registry.h"

namespace sinew {

// Of what is read of such a document at all.
DocumentLimits stranger_limits();

// All of these: one line about the first thing that is wrong; empty: nothing is.

// `files`: what came with it, and may be read.
std::string flaw_of_stranger(GraphDoc& doc, const Registry& registry,
                             const std::set<std::string>& files);

// What is wrong with opening this file of an installed pack: only its one document is opened.
std::string flaw_of_place(const PackFolder& pack, const std::filesystem::path& file);

// What is wrong with the document of an installed pack, and with what lies there.
std::string flaw_of_installed(GraphDoc& doc, const Registry& registry, const PackFolder& pack);

}  // namespace sinew
