// Results on disk by their keys: what was baked is there again when the program starts the next
// time, and simulations need not run for it. One file for each result, one for each part that
// results share. A file is whole or not there; one that is damaged, or that somebody else wrote, is
// ignored, and said so once. Safe to use from any thread.
#pragma once

#include <atomic>
#include <filesystem>
#include <mutex>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "graph/cache.h"
#include "graph/pack.h"
#include "graph/result.h"

namespace sinew {

class BakeStore {
 public:
  // Nothing larger is read: neither from the disk nor out of what is compressed.
  static constexpr size_t most_bytes = size_t{1} << 30;

  // Looks into the folder, if there is one. That takes its time: not for the interface's thread.
  explicit BakeStore(std::filesystem::path folder);

  const std::filesystem::path& folder() const { return folder_; }
  bool has(const Key& key) const;
  size_t count() const;
  // Bytes on disk.
  size_t bytes() const { return bytes_; }
  // Grows whenever something is added or goes.
  uint64_t revision() const { return revision_; }

  // The result, if it is here, sound, and of these types; else nullptr.
  ResultPtr load(const Key& key, const std::vector<const TypeInfo*>& types);
  // Whether a result can be kept: every type of it can be packed, and it did not fail.
  static bool can_keep(const NodeResult& result);
  Result<void> save(const Key& key, const NodeResult& result);
  // Takes the files away, and the folder if nothing else is in it.
  Result<void> clear();

  // What was ignored since the last call.
  std::vector<std::string> take_warnings();

 private:
  std::filesystem::path path_of(const Key& key, bool part) const;
  Result<std::string> read(const std::filesystem::path& path, const Key& key) const;
  Result<void> write(const std::filesystem::path& path, const Key& key, std::string_view content);
  std::shared_ptr<const void> find_part(const char* kind, const Key& key,
                                        const Unpacker::Read& make);
  Unpacker::Find finder();
  Result<ResultPtr> unpack(const std::string& content, const std::vector<const TypeInfo*>& types);
  void ignore(const Key& key, const std::string& why);

  const std::filesystem::path folder_;
  mutable std::mutex mutex_;
  std::unordered_set<Key> results_, parts_;
  // Parts that somebody still has: values read later share them, as those that were computed do. By
  // kind and key: a file may name any part, but not as what it is not.
  std::unordered_map<Key, std::weak_ptr<const void>> at_hand_;
  std::vector<std::string> warnings_;
  std::atomic<size_t> bytes_{0};
  std::atomic<uint64_t> revision_{1};
  std::mutex saving_;
  Packer::Known known_;  // by the one who saves
};

}  // namespace sinew
