#include "app/editor/preferences.h"

#include <cstdlib>

#include "graph/atomic_file.h"

namespace sinew::editor {
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

Preferences::Preferences(std::filesystem::path file) : file_(std::move(file)) {
  constexpr std::size_t most = 4u << 20;
  const Result<std::string> text = read_file(file_, most);
  if (!text) return;
  Json read = Json::parse(*text, nullptr, false);
  if (read.is_object()) data_ = std::move(read);
}

Result<void> Preferences::save() {
  if (!changed_ || file_.empty()) return {};
  changed_ = false;
  std::error_code ec;
  std::filesystem::create_directories(file_.parent_path(), ec);
  return write_file_atomically(file_,
                               data_.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

}  // namespace sinew::editor
