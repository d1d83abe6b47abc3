#include "graph/file_keys.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <deque>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace sinew {
namespace fs = std::filesystem;

namespace {

// Formats whose readers open further files for geometry.
constexpr std::string_view referring_endings[] = {
    "3d",   "bsp",     "ele",       "enff", "glb", "gltf",    "irr",  "lws", "md2",
    "md3",  "md5anim", "md5camera", "mdc",  "mdl", "md5mesh", "mesh", "mot", "nff",
    "node", "pk3",     "smd",       "uc",   "vta", "x3d",     "xml"};

bool refers_to_others(const fs::path& path) {
  std::string ending = path.extension().string();
  if (ending.empty()) return false;
  ending.erase(0, 1);
  for (char& c : ending) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return std::find(std::begin(referring_endings), std::end(referring_endings), ending) !=
         std::end(referring_endings);
}

int64_t nanoseconds(const timespec& t) { return int64_t{t.tv_sec} * 1'000'000'000 + t.tv_nsec; }

FileKeys::Version version_of(const struct stat& s) {
  return {s.st_dev, s.st_ino, static_cast<uint64_t>(s.st_size), nanoseconds(s.st_mtim),
          nanoseconds(s.st_ctim)};
}

void absorb(const FileKeys::Version& v, KeyHasher& h) {
  h.word(v.device).word(v.inode).word(v.size);
  h.word(static_cast<uint64_t>(v.modified)).word(static_cast<uint64_t>(v.changed));
}

// The content of the file as long as it is still that version; nothing if it is not, or cannot be
// read to its end.
std::optional<Key> hash_file(const fs::path& path, const FileKeys::Version& version) {
  // O_NONBLOCK: the file may have become a pipe, which must not be waited for.
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return std::nullopt;
  // The ending counts, since it decides how the bytes are read.
  KeyHasher h(0x33);
  h.text(path.extension().string());
  std::vector<char> block(1 << 20);
  struct stat status {};
  ssize_t got = -1;
  if (::fstat(file, &status) == 0 && S_ISREG(status.st_mode)) {
    while ((got = ::read(file, block.data(), block.size())) != 0) {
      if (got < 0 && errno != EINTR) break;
      if (got > 0) h.bytes(std::as_bytes(std::span(block.data(), static_cast<size_t>(got))));
    }
  }
  const bool whole = got == 0 && ::fstat(file, &status) == 0 && version_of(status) == version;
  ::close(file);
  if (!whole) return std::nullopt;
  return h.finish();
}

// What lies around a file that refers to others.
void absorb_neighbours(const fs::path& path, KeyHasher& h) {
  const fs::path home = path.has_parent_path() ? path.parent_path() : fs::path(".");
  std::vector<std::pair<std::string, FileKeys::Version>> found;
  std::deque<fs::path> folders = {home};
  int left = FileKeys::max_neighbours;
  while (!folders.empty() && left > 0) {
    std::error_code ignored;
    for (fs::directory_iterator it(folders.front(), ignored), end;
         !ignored && it != end && left > 0; it.increment(ignored)) {
      const fs::path& one = it->path();
      if (one.filename().string().starts_with('.') || one.extension() == ".json") continue;
      --left;
      struct stat status {};
      if (::stat(one.c_str(), &status) != 0) continue;
      std::error_code unknown;
      if (S_ISDIR(status.st_mode) && !it->is_symlink(unknown)) folders.push_back(one);
      if (!S_ISREG(status.st_mode) || one == home / path.filename()) continue;
      found.emplace_back(one.lexically_relative(home).string(), version_of(status));
    }
    folders.pop_front();
  }
  // A folder lists its files in any order.
  std::sort(found.begin(), found.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  h.word(found.size());
  for (const auto& [name, version] : found) {
    h.text(name);
    absorb(version, h);
  }
}

}  // namespace

Key FileKeys::of(const fs::path& path) {
  const std::string name = path.string();
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0)
    return KeyHasher(0x34).text(name).word(static_cast<uint64_t>(errno)).finish();
  if (!S_ISREG(status.st_mode))
    return KeyHasher(0x35).text(name).word(status.st_mode & S_IFMT).finish();
  const Version version = version_of(status);
  std::optional<Key> content;
  {
    const std::lock_guard lock(mutex_);
    const auto it = known_.find(name);
    if (it != known_.end() && it->second.version == version) content = it->second.key;
  }
  if (!content) {
    content = hash_file(path, version);
    if (!content) {
      KeyHasher unreadable(0x36);
      unreadable.text(name);
      absorb(version, unreadable);
      return unreadable.finish();
    }
    const std::lock_guard lock(mutex_);
    known_[name] = {version, *content};
  }
  if (!refers_to_others(path)) return *content;
  KeyHasher h(0x37);
  h.key(*content);
  absorb_neighbours(path, h);
  return h.finish();
}

}  // namespace sinew
