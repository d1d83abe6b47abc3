// The key of a file is its content, so that the same mesh in two folders, or on two machines, is
// one. Hashing is done once per version of a file: size and time of change tell versions apart.
#pragma once

#include <filesystem>
#include <mutex>
#include <string>
#include <unordered_map>

#include "graph/key.h"

namespace sinew {

class FileKeys {
 public:
  // Also a key of its own for "there is no such file", so that a node notices when it appears.
  Key of(const std::filesystem::path& path);

 private:
  struct Known {
    uintmax_t size;
    std::filesystem::file_time_type changed;
    Key key;
  };
  std::mutex mutex_;
  std::unordered_map<std::string, Known> known_;
};

}  // namespace sinew
