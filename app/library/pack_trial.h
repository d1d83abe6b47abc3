// What a pack of a stranger reads is tried before anything of it is taken: by this program, in a
// process of its own with little memory and time, so that a mesh which is made to harm its reader
// harms nothing else.
#pragma once

#include <filesystem>
#include <string>

#include "graph/preset_pack.h"

namespace sinew::library {

// The program that can try packs, started as PROGRAM presets try FOLDER. Unless one is named, they
// are tried by the process that reads them.
void try_packs_with(std::filesystem::path program);

// With these packs of strangers are read, wherever they come from.
PackLimits limits_for_packs();

// What that program does then: reads what the document in the folder reads. It prints the words and
// ends with the code.
struct TrialAnswer {
  int code = 0;
  std::string words;
};
TrialAnswer try_here(const std::string& folder, const Registry& registry);

}  // namespace sinew::library
