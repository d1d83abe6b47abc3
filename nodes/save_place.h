// Where a node may write. A document may come from a stranger, so it writes only below its own
// folder: no absolute path, no '..' that leaves the folder, and no symbolic link that does. Below
// the folder of an installed pack nothing is written at all.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "graph/exec.h"
#include "graph/made_files.h"
#include "graph/result.h"

namespace sinew {

// Why nothing may be written under that name, or nothing. `example` is a good one.
std::optional<std::string> flaw_of_save_name(const std::string& name, const char* example);

struct SavePlace {
  std::filesystem::path file;  // itself, after all links
  MadeFolders folders;         // on the way to it
};
Result<SavePlace> make_save_place(const Exec& e, const std::string& name);

}  // namespace sinew
