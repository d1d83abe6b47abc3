// The key of a file is its content, so that the same mesh in two folders, or on two machines, is
// one. Hashing is done once per version of a file: size, times of modification and of change, and
// the inode tell versions apart. What cannot be read is asked for again each time.
//
// Some formats refer to other files for a part of their content: a .gltf has its vertices in a
// .bin. The graph cannot read them, so a file with such an ending is keyed by its content and by
// the versions of what lies around it: the regular files of its folder and of the folders below,
// nearest first, at most `max_neighbours` entries. Hidden files do not count, nor does .json: no
// format keeps shapes there, and a document that is saved next to its mesh must not make the mesh
// new. Whatever else changes there does: a result too many is computed, but no old one is shown.
#pragma once

#include <cstdint>
#include <filesystem>
#include <mutex>
#include <string>
#include <unordered_map>

#include "graph/key.h"

namespace sinew {

class FileKeys {
 public:
  static constexpr int max_neighbours = 1000;

  // Also a key of its own for "there is no such file" and for "it cannot be read", so that a node
  // notices when that changes.
  Key of(const std::filesystem::path& path);

  struct Version {
    uint64_t device = 0, inode = 0, size = 0;
    int64_t modified = 0, changed = 0;  // nanoseconds
    bool operator==(const Version&) const = default;
  };

 private:
  struct Known {
    Version version;
    Key key;
  };
  std::mutex mutex_;
  std::unordered_map<std::string, Known> known_;
};

}  // namespace sinew
