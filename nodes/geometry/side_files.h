// The files that a mesh file may name as parts of itself.
//
// A mesh may come from a stranger, and name any file. So only regular files are opened, of a
// bounded size, and only in the folder of the mesh and the folders below it: no '..', and no
// symbolic link that leads out. Nothing is written.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "nodes/geometry/file_bytes.h"

namespace sinew {

constexpr std::size_t max_import_bytes = std::size_t{4} << 30;

class SideFiles {
 public:
  // `main` is the content of the file at `path`, which is absolute and in normal form.
  SideFiles(std::filesystem::path path, std::shared_ptr<const FileBytes> main);

  // Where the file is, if it may be opened.
  std::optional<std::filesystem::path> allowed(const char* file) const;
  // Its content, or nothing.
  std::shared_ptr<const FileBytes> open(const char* file) const;

 private:
  std::filesystem::path path_;
  std::shared_ptr<const FileBytes> main_;
};

}  // namespace sinew
