#include "app/editor/node_presets.h"

#include <fmt/format.h>

#include "graph/atomic_file.h"
#include "graph/made_files.h"

namespace sinew::editor {

const std::map<std::string, NodePresets::Params>& NodePresets::of(const std::string& type) {
  const auto [found, fresh] = types_.try_emplace(type);
  if (!fresh || folder_.empty()) return found->second;
  constexpr std::size_t most = 8u << 20;
  const Result<std::string> text = read_file(file(type), most);
  const Json read = text ? Json::parse(*text, nullptr, false) : Json();
  if (!read.is_object() || !read.contains("presets") || !read["presets"].is_object())
    return found->second;
  for (const auto& [name, params] : read["presets"].items())
    if (params.is_object())
      for (const auto& [input, value] : params.items()) found->second[name][input] = value;
  return found->second;
}

Result<void> NodePresets::keep(const std::string& type, const std::string& name, Params params) {
  (void)of(type);
  types_[type][name] = std::move(params);
  return write(type);
}

Result<void> NodePresets::forget(const std::string& type, const std::string& name) {
  (void)of(type);
  types_[type].erase(name);
  return write(type);
}

Result<void> NodePresets::write(const std::string& type) {
  if (folder_.empty()) return {};
  Json presets = Json::object();
  for (const auto& [name, params] : types_[type]) {
    presets[name] = Json::object();
    for (const auto& [input, value] : params) presets[name][input] = value;
  }
  const Result<MadeFolders> made = MadeFolders::make(folder_);
  const Result<void> written =
      write_file_atomically(file(type), Json{{"presets", presets}}.dump(2) + "\n");
  if (!written)
    return Error{fmt::format("cannot write '{}': {}", file(type).string(), written.error())};
  return {};
}

}  // namespace sinew::editor
