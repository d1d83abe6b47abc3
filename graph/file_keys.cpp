#include "graph/file_keys.h"

#include <fstream>
#include <vector>

namespace sinew {
namespace fs = std::filesystem;

namespace {

Key hash_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  // The ending counts, since it decides how the bytes are read.
  KeyHasher h(0x33);
  h.text(path.extension().string());
  std::vector<char> block(1 << 20);
  while (in) {
    in.read(block.data(), static_cast<std::streamsize>(block.size()));
    h.bytes(std::as_bytes(std::span(block.data(), static_cast<size_t>(in.gcount()))));
  }
  return h.finish();
}

}  // namespace

Key FileKeys::of(const fs::path& path) {
  std::error_code ec;
  const fs::file_status status = fs::status(path, ec);
  if (ec || status.type() != fs::file_type::regular)
    return KeyHasher(0x34).text(path.string()).word(static_cast<uint64_t>(status.type())).finish();
  const uintmax_t size = fs::file_size(path, ec);
  const fs::file_time_type changed = fs::last_write_time(path, ec);
  const std::string name = path.string();
  {
    const std::lock_guard lock(mutex_);
    const auto it = known_.find(name);
    if (it != known_.end() && it->second.size == size && it->second.changed == changed)
      return it->second.key;
  }
  const Key key = hash_file(path);
  const std::lock_guard lock(mutex_);
  known_[name] = {size, changed, key};
  return key;
}

}  // namespace sinew
