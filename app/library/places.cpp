#include "app/library/places.h"

#include <cstdlib>

namespace sinew::library {
namespace {

std::filesystem::path folder_for(const char* variable, const char* at_home) {
  if (const char* told = std::getenv(variable); told && *told)
    return std::filesystem::path(told) / "sinew";
  const char* home = std::getenv("HOME");
  return std::filesystem::path(home && *home ? home : "/tmp") / at_home / "sinew";
}

}  // namespace

std::filesystem::path config_folder() { return folder_for("XDG_CONFIG_HOME", ".config"); }
std::filesystem::path state_folder() { return folder_for("XDG_STATE_HOME", ".local/state"); }
std::filesystem::path cache_folder() { return folder_for("XDG_CACHE_HOME", ".cache"); }

std::filesystem::path find_presets(const std::filesystem::path& told) {
  std::error_code ec;
  if (!told.empty()) return told;
  if (const char* named = std::getenv("SINEW_PRESETS"); named && *named) return named;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", ec);
  std::filesystem::path above = program.parent_path();
  for (int level = 0; level < 4 && above.has_relative_path(); ++level) {
    for (const char* place : {"share/sinew/presets", "presets"})
      if (std::filesystem::is_regular_file(above / place / "default.json", ec))
        return above / place;
    above = above.parent_path();
  }
  return {};
}

std::filesystem::path own_presets_folder() { return config_folder() / "presets"; }

}  // namespace sinew::library
