#include "app/editor/preferences.h"

#include "graph/atomic_file.h"
#include "graph/made_files.h"

namespace sinew::editor {

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
  const Result<MadeFolders> made = MadeFolders::make(file_.parent_path());
  return write_file_atomically(file_,
                               data_.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

}  // namespace sinew::editor
