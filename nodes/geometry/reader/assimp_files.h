// The files that assimp sees while it reads one of ours: those that side_files.h allows.
#pragma once

#include <assimp/IOSystem.hpp>
#include <filesystem>
#include <memory>
#include <string>

#include "nodes/geometry/side_files.h"

namespace sinew {

class AssimpFiles final : public Assimp::IOSystem {
 public:
  // As for SideFiles.
  AssimpFiles(std::filesystem::path path, std::shared_ptr<const FileBytes> main);

  bool Exists(const char* file) const override;
  char getOsSeparator() const override { return '/'; }
  Assimp::IOStream* Open(const char* file, const char* mode) override;
  void Close(Assimp::IOStream* stream) override;
  bool CreateDirectory(const std::string&) override { return false; }
  bool ChangeDirectory(const std::string&) override { return false; }
  bool DeleteFile(const std::string&) override { return false; }

 private:
  SideFiles files_;
};

}  // namespace sinew
