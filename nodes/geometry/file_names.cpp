#include "nodes/geometry/file_names.h"

#include <fmt/format.h>

namespace sinew {

std::string ending_of(const std::filesystem::path& path) {
  std::string ending = path.extension().string();
  if (!ending.empty()) ending.erase(0, 1);
  for (char& c : ending) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return ending;
}

std::optional<std::string> flaw_of_file_name(std::string_view name) {
  std::string shown;
  std::optional<unsigned> control;
  for (const char c : name) {
    const auto code = static_cast<unsigned char>(c);
    if (code >= 0x20 && code != 0x7f) {
      shown += c;
      continue;
    }
    shown += fmt::format("\\u{:04x}", code);
    if (!control) control = code;
  }
  if (!control) return std::nullopt;
  return fmt::format("the file name '{}' contains a control character (\\u{:04x})", shown,
                     *control);
}

}  // namespace sinew
