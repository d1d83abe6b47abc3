#include "graph/bake_store.h"

#include <fmt/format.h>
#include <zstd.h>

#include <array>
#include <charconv>

#include "graph/atomic_file.h"
#include "graph/made_files.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

constexpr uint32_t magic = 0x4B425753;  // "SWBK"
constexpr uint32_t format_number = 1;
constexpr const char* result_ending = ".result";
constexpr const char* part_ending = ".part";
// Fast, since motion is baked while somebody works; higher levels gain a few per cent.
constexpr int compression_level = 3;

struct Header {
  uint32_t magic_number = magic;
  uint32_t format = format_number;
  Key key;       // of the result
  Key checksum;  // of the compressed content
  uint64_t bytes = 0;
};

Key checksum_of(std::string_view content) {
  return KeyHasher(0x9A).bytes(std::as_bytes(std::span(content.data(), content.size()))).finish();
}

// The first bytes of all words, then the second ones, and so on: neighbouring floats differ in
// their last bytes, and what is alike stands together.
std::string shuffled(std::string_view content) {
  const size_t words = content.size() / 4;
  std::string out(content.size(), '\0');
  for (size_t lane = 0; lane < 4; ++lane)
    for (size_t i = 0; i < words; ++i) out[lane * words + i] = content[4 * i + lane];
  return out;
}

std::string ordered(std::string_view lanes) {
  const size_t words = lanes.size() / 4;
  std::string out(lanes.size(), '\0');
  for (size_t lane = 0; lane < 4; ++lane)
    for (size_t i = 0; i < words; ++i) out[4 * i + lane] = lanes[lane * words + i];
  return out;
}

std::optional<Key> key_from_hex(std::string_view text) {
  if (text.size() != 32) return std::nullopt;
  std::array<uint64_t, 2> words{};
  for (size_t i = 0; i < 2; ++i) {
    const char* begin = text.data() + 16 * i;
    const auto [end, error] = std::from_chars(begin, begin + 16, words[i], 16);
    if (error != std::errc() || end != begin + 16) return std::nullopt;
  }
  Key key;
  key.hi = words[0];
  key.lo = words[1];
  return key;
}

}  // namespace

BakeStore::BakeStore(fs::path folder) : folder_(std::move(folder)) {
  std::error_code ec;
  for (fs::directory_iterator it(folder_, ec), end; !ec && it != end; it.increment(ec)) {
    const std::string ending = it->path().extension().string();
    if (ending != result_ending && ending != part_ending) continue;
    const std::optional<Key> key = key_from_hex(it->path().stem().string());
    std::error_code problem;
    const uintmax_t size = it->is_regular_file(problem) ? it->file_size(problem) : 0;
    if (!key || problem) continue;
    (ending == result_ending ? results_ : parts_).insert(*key);
    bytes_ += static_cast<size_t>(size);
  }
}

bool BakeStore::has(const Key& key) const {
  const std::lock_guard lock(mutex_);
  return results_.contains(key);
}

size_t BakeStore::count() const {
  const std::lock_guard lock(mutex_);
  return results_.size();
}

fs::path BakeStore::path_of(const Key& key, bool part) const {
  return folder_ / (key.hex() + (part ? part_ending : result_ending));
}

std::vector<std::string> BakeStore::take_warnings() {
  const std::lock_guard lock(mutex_);
  return std::exchange(warnings_, {});
}

void BakeStore::ignore(const Key& key, const std::string& why) {
  const std::lock_guard lock(mutex_);
  if (!results_.erase(key)) return;
  warnings_.push_back(fmt::format("the baked result {} is ignored: {}",
                                  path_of(key, false).filename().string(), why));
  ++revision_;
}

// ---- One file -----------------------------------------------------------------------------------

Result<std::string> BakeStore::read(const fs::path& path, const Key& key) const {
  Result<std::string> file = read_file(path, most_bytes);
  if (!file) return Error{file.error()};
  Header header;
  if (file->size() < sizeof header) return Error{"it is too short"};
  std::memcpy(&header, file->data(), sizeof header);
  if (header.magic_number != magic) return Error{"it is no baked result"};
  if (header.format != format_number) return Error{"another version of Sinew wrote it"};
  if (header.key != key) return Error{"it is the file of another result"};
  if (header.bytes > most_bytes || header.bytes % 4 != 0) return Error{"its size is not possible"};
  const std::string_view packed = std::string_view(*file).substr(sizeof header);
  if (checksum_of(packed) != header.checksum) return Error{"its checksum is wrong"};
  // The size that the compressed data name is asked before memory is.
  if (ZSTD_getFrameContentSize(packed.data(), packed.size()) != header.bytes)
    return Error{"its sizes contradict each other"};
  std::string lanes(static_cast<size_t>(header.bytes), '\0');
  const size_t got = ZSTD_decompress(lanes.data(), lanes.size(), packed.data(), packed.size());
  if (ZSTD_isError(got) || got != lanes.size()) return Error{"it is damaged"};
  return ordered(lanes);
}

Result<void> BakeStore::write(const fs::path& path, const Key& key, std::string_view content) {
  if (content.size() > most_bytes) return Error{"it is too large"};
  const std::string lanes = shuffled(content);
  Header header;
  header.key = key;
  header.bytes = content.size();
  std::string file(sizeof header + ZSTD_compressBound(lanes.size()), '\0');
  const size_t packed = ZSTD_compress(file.data() + sizeof header, file.size() - sizeof header,
                                      lanes.data(), lanes.size(), compression_level);
  if (ZSTD_isError(packed)) return Error{ZSTD_getErrorName(packed)};
  file.resize(sizeof header + packed);
  header.checksum = checksum_of(std::string_view(file).substr(sizeof header));
  std::memcpy(file.data(), &header, sizeof header);
  if (const Result<void> written = write_file_atomically(path, file); !written) return written;
  bytes_ += file.size();
  return {};
}

// ---- Results ------------------------------------------------------------------------------------

bool BakeStore::can_keep(const NodeResult& result) {
  if (result.failed || result.outputs.empty()) return false;
  for (const Value& v : result.outputs)
    if (!v || !v.type()->pack || !v.type()->unpack) return false;
  return true;
}

Result<void> BakeStore::save(const Key& key, const NodeResult& result) {
  if (!can_keep(result)) return Error{"it has values that cannot be kept on disk"};
  if (has(key)) return {};
  const std::lock_guard alone(saving_);
  const Result<MadeFolders> made = MadeFolders::make(folder_);
  if (!made) return Error{fmt::format("'{}' {}", folder_.string(), made.error())};
  Packer packer(&known_);
  packer.number(static_cast<uint32_t>(result.outputs.size()));
  packer.number(result.seconds);
  for (const Value& v : result.outputs) {
    packer.text(v.type()->name);
    v.type()->pack(v.data(), packer);
  }
  packer.number(static_cast<uint32_t>(result.messages.size()));
  for (const Message& m : result.messages) {
    packer.number(static_cast<uint32_t>(m.severity));
    packer.text(m.text);
  }
  const auto fail = [&](const Error& error) {
    known_.clear();  // parts may be missing now
    return error;
  };
  for (const Packer::Shared& part : packer.new_parts()) {
    {
      const std::lock_guard lock(mutex_);
      if (parts_.contains(part.key)) continue;
    }
    if (const Result<void> ok = write(path_of(part.key, true), part.key, part.content); !ok)
      return fail(Error{ok.error()});
    const std::lock_guard lock(mutex_);
    parts_.insert(part.key);
  }
  if (const Result<void> ok = write(path_of(key, false), key, packer.content()); !ok)
    return fail(Error{ok.error()});
  const std::lock_guard lock(mutex_);
  results_.insert(key);
  ++revision_;
  return {};
}

Unpacker::Find BakeStore::finder() {
  return [this](const char* kind, const Key& key, const Unpacker::Read& make) {
    return find_part(kind, key, make);
  };
}

std::shared_ptr<const void> BakeStore::find_part(const char* kind, const Key& key,
                                                 const Unpacker::Read& make) {
  const Key place = KeyHasher(0x9B).text(kind).key(key).finish();
  {
    const std::lock_guard lock(mutex_);
    if (const auto it = at_hand_.find(place); it != at_hand_.end())
      if (auto part = it->second.lock()) return part;
    if (!parts_.contains(key)) return nullptr;
  }
  const Result<std::string> content = read(path_of(key, true), key);
  if (!content) return nullptr;
  Unpacker unpacker(*content, finder());
  std::shared_ptr<const void> part = make(unpacker);
  if (!part || !unpacker.done()) return nullptr;
  const std::lock_guard lock(mutex_);
  at_hand_[place] = part;
  return part;
}

Result<ResultPtr> BakeStore::unpack(const std::string& content,
                                    const std::vector<const TypeInfo*>& types) {
  const Error damaged{"its content is damaged"};
  Unpacker unpacker(content, finder());
  auto result = std::make_shared<NodeResult>();
  uint32_t count = 0;
  if (!unpacker.number(count) || count != types.size() || !unpacker.number(result->seconds))
    return damaged;
  for (const TypeInfo* type : types) {
    std::string name;
    if (!type || !type->unpack || !unpacker.text(name) || name != type->name) return damaged;
    Value value = type->unpack(unpacker);
    if (!value || !unpacker.good()) return damaged;
    if (type->flaw)
      if (const auto flaw = type->flaw(value.data())) return Error{*flaw};
    result->outputs.push_back(std::move(value));
  }
  if (!unpacker.number(count)) return damaged;
  for (uint32_t i = 0; i < count; ++i) {
    uint32_t severity = 0;
    Message message;
    if (!unpacker.number(severity) || severity > static_cast<uint32_t>(Severity::error) ||
        !unpacker.text(message.text))
      return damaged;
    message.severity = static_cast<Severity>(severity);
    result->messages.push_back(std::move(message));
  }
  if (!unpacker.done()) return damaged;
  return ResultPtr(std::move(result));
}

ResultPtr BakeStore::load(const Key& key, const std::vector<const TypeInfo*>& types) {
  if (!has(key)) return nullptr;
  try {
    const Result<std::string> content = read(path_of(key, false), key);
    if (!content) {
      ignore(key, content.error());
      return nullptr;
    }
    Result<ResultPtr> result = unpack(*content, types);
    if (result) return std::move(*result);
    ignore(key, result.error());
  } catch (const std::bad_alloc&) {
    ignore(key, "there is not enough memory for it");
  }
  return nullptr;
}

Result<void> BakeStore::clear() {
  const std::lock_guard alone(saving_);
  std::unordered_set<Key> results, parts;
  {
    const std::lock_guard lock(mutex_);
    results.swap(results_);
    parts.swap(parts_);
    ++revision_;
  }
  known_.clear();
  bytes_ = 0;
  std::error_code ec, first;
  for (const Key& key : results) {
    fs::remove(path_of(key, false), ec);
    if (ec) first = ec;
  }
  for (const Key& key : parts) {
    fs::remove(path_of(key, true), ec);
    if (ec) first = ec;
  }
  fs::remove(folder_, ec);  // stays if something else is in it
  if (first) return Error{first.message()};
  return {};
}

}  // namespace sinew
