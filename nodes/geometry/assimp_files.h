// The files that assimp sees while it reads one of ours.
//
// A mesh may come from a stranger, and name any file as a part of itself. So only regular files are
// opened, of a bounded size, and only in the folder of the mesh and the folders below it: no '..',
// and no symbolic link that leads out. Nothing is written.
#pragma once

#include <assimp/IOSystem.hpp>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "nodes/geometry/file_bytes.h"

namespace sinew {

constexpr std::size_t max_import_bytes = std::size_t{4} << 30;

class AssimpFiles final : public Assimp::IOSystem {
 public:
  // `main` is the content of the file at `path`, which is absolute and in normal form.
  AssimpFiles(std::filesystem::path path, std::shared_ptr<const FileBytes> main);

  bool Exists(const char* file) const override;
  char getOsSeparator() const override { return '/'; }
  Assimp::IOStream* Open(const char* file, const char* mode) override;
  void Close(Assimp::IOStream* stream) override;
  bool CreateDirectory(const std::string&) override { return false; }
  bool ChangeDirectory(const std::string&) override { return false; }
  bool DeleteFile(const std::string&) override { return false; }

  // What Open reads, or nothing: for readers of our own.
  std::shared_ptr<const FileBytes> open_bytes(const char* file) const;

 private:
  // Where the file is, if it may be opened.
  std::optional<std::filesystem::path> allowed(const char* file) const;

  std::filesystem::path path_;
  std::shared_ptr<const FileBytes> main_;
};

}  // namespace sinew
