// The files that were open last, newest first; kept in the preferences.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "app/editor/preferences.h"

namespace sinew::editor {

class RecentFiles {
 public:
  explicit RecentFiles(Preferences& preferences);

  struct File {
    std::filesystem::path path;
    bool missing = false;  // as far as it is known
  };
  const std::vector<File>& all() const { return all_; }
  void add(const std::filesystem::path& path);
  void remove(const std::filesystem::path& path);
  void clear();
  // Looks which of them are there, on a thread of its own: a folder on a sleeping disk or behind a
  // slow line must not hold up a menu. What was found counts with one of the next calls.
  void look();

 private:
  struct Looked;
  void keep();

  Preferences& preferences_;
  std::vector<File> all_;
  std::shared_ptr<Looked> looking_;
};

}  // namespace sinew::editor
