#include "app/library/flaw_of_library.h"

#include <fmt/format.h>

namespace sinew::library {

namespace fs = std::filesystem;

std::string flaw_of_library(const fs::path& folder) {
  std::error_code ec;
  if (folder.empty() || !fs::exists(folder, ec)) return "";
  if (!fs::is_directory(folder, ec))
    return fmt::format("the library '{}' is not a folder; name a folder of presets",
                       folder.string());
  const fs::path real = fs::canonical(folder, ec);
  if (!ec && real == real.root_path())
    return fmt::format("the library '{}' is the root of the disk; name a folder of presets",
                       folder.string());
  return "";
}

}  // namespace sinew::library
