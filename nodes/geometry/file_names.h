// What the name of a file says.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace sinew {

// The ending that tells the format: in lower case and without the dot ("obj"); empty if none.
std::string ending_of(const std::filesystem::path& path);

// Why no file may have that name, or nothing: control characters. A name with a NUL inside would
// mean another file to the system than it says to the reader.
std::optional<std::string> flaw_of_file_name(std::string_view name);

}  // namespace sinew
