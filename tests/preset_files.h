// The presets that ship, by the last part of their names and by their tags, wherever in the library
// they lie.
#pragma once

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace sinew::testing {

inline std::filesystem::path preset_folder() {
  return std::filesystem::path(SINEW_SOURCE_DIR) / "presets";
}

// Sorted by their paths.
inline std::vector<std::filesystem::path> preset_files() {
  std::vector<std::filesystem::path> list;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(preset_folder()))
    if (entry.path().extension() == ".json") list.push_back(entry.path());
  std::sort(list.begin(), list.end());
  return list;
}

// "jellyfish_swim"
inline std::filesystem::path preset_file(const std::string& stem) {
  for (const std::filesystem::path& file : preset_files())
    if (file.stem() == stem) return file;
  throw std::runtime_error("there is no preset " + stem);
}

inline std::vector<std::filesystem::path> presets_tagged(const std::string& tag) {
  std::vector<std::filesystem::path> list;
  for (const std::filesystem::path& file : preset_files()) {
    std::ifstream in(file);
    const nlohmann::json doc = nlohmann::json::parse(in);
    for (const nlohmann::json& one : doc.at("meta").at("tags"))
      if (one == tag) list.push_back(file);
  }
  return list;
}

// A name for a test: "characters/giant_squid" with nothing but letters, digits and underscores.
inline std::string test_name_of(const std::filesystem::path& file) {
  std::string name = file.lexically_relative(preset_folder()).replace_extension().string();
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
}

}  // namespace sinew::testing
