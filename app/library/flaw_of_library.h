// What can be a library of presets.
#pragma once

#include <filesystem>
#include <string>

namespace sinew::library {

// Why this folder cannot be one: it is no folder, or the whole disk. Empty: nothing is wrong; one
// that is not there is made when something comes into it.
std::string flaw_of_library(const std::filesystem::path& folder);

}  // namespace sinew::library
