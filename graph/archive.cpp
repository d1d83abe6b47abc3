#include "graph/archive.h"

#include <fmt/format.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <set>

#include "graph/json_reader.h"
#include "graph/plain_text.h"

namespace sinew {
namespace {

constexpr std::size_t block = 512;  // of a tar
constexpr std::size_t longest_name = 100;
constexpr int compression = 19;

struct Field {
  std::size_t at, size;
};
constexpr Field name_field{0, 100}, mode_field{100, 8}, size_field{124, 12}, time_field{136, 12},
    sum_field{148, 8}, kind_field{156, 1}, magic_field{257, 8}, prefix_field{345, 155};

std::string_view part_of(std::string_view header, const Field& field) {
  const std::string_view part = header.substr(field.at, field.size);
  return part.substr(0, std::min(part.find('\0'), part.size()));
}

void put(std::string& header, const Field& field, std::string_view text) {
  std::copy(text.begin(), text.end(), header.begin() + static_cast<std::ptrdiff_t>(field.at));
}

// The sum of all bytes of a header, its own place counting as blanks.
unsigned checksum(std::string_view header) {
  unsigned sum = 0;
  for (std::size_t i = 0; i < block; ++i) {
    const bool own = i >= sum_field.at && i < sum_field.at + sum_field.size;
    sum += own ? ' ' : static_cast<unsigned char>(header[i]);
  }
  return sum;
}

// Octal digits, with blanks or zero bytes around them; false: something else.
bool read_octal(std::string_view text, uint64_t& value) {
  const std::size_t first = text.find_first_not_of(' ');
  text = first == std::string_view::npos ? std::string_view() : text.substr(first);
  text = text.substr(0, text.find_first_of(std::string_view(" \0", 2)));
  if (text.empty() || text.size() > 11) return false;
  value = 0;
  for (const char c : text) {
    if (c < '0' || c > '7') return false;
    value = 8 * value + static_cast<uint64_t>(c - '0');
  }
  return true;
}

std::string header_of(const ArchiveFile& file) {
  std::string header(block, '\0');
  put(header, name_field, file.name);
  put(header, mode_field, "0000644");
  put(header, {108, 8}, "0000000");
  put(header, {116, 8}, "0000000");
  put(header, size_field, fmt::format("{:011o}", file.content.size()));
  put(header, time_field, "00000000000");
  put(header, kind_field, "0");
  put(header, magic_field, std::string_view("ustar\00000", 8));
  put(header, sum_field, fmt::format("{:06o}", checksum(header)));
  header[sum_field.at + 7] = ' ';
  return header;
}

std::size_t padded(std::size_t size) { return (size + block - 1) / block * block; }

// Takes a tar in pieces of any size. Each header is judged as soon as it is there, before anything
// of its file is kept: so what is refused was not unpacked first.
class TarReader {
 public:
  explicit TarReader(const ArchiveLimits& limits) : limits_(limits) {}

  Result<void> feed(std::string_view piece) {
    // Headers and padding count, too: a million empty blocks are not small.
    fed_ += piece.size();
    if (fed_ > limits_.bytes + 2 * block * (limits_.files + 2)) return Error{too_large()};
    while (!piece.empty()) {
      if (left_ > 0) {
        const std::size_t part = std::min(left_, piece.size());
        files_.back().content += piece.substr(0, part);
        left_ -= part;
        piece.remove_prefix(part);
      } else if (padding_ > 0) {
        const std::size_t part = std::min(padding_, piece.size());
        padding_ -= part;
        piece.remove_prefix(part);
      } else {
        const std::size_t part = std::min(block - header_.size(), piece.size());
        header_ += piece.substr(0, part);
        piece.remove_prefix(part);
        if (header_.size() < block) continue;
        if (const Result<void> ok = begin_file(); !ok) return ok;
        header_.clear();
      }
    }
    return {};
  }

  Result<std::vector<ArchiveFile>> finish() {
    if (!ended_ || left_ > 0) return Error{"it is cut short"};
    if (!header_.empty() && header_.find_first_not_of('\0') != std::string::npos)
      return Error{"something follows after its end"};
    return std::move(files_);
  }

 private:
  Result<void> begin_file() {
    const bool empty = header_.find_first_not_of('\0') == std::string::npos;
    if (ended_ && !empty) return Error{"something follows after its end"};
    ended_ = empty;
    if (empty) return {};
    ArchiveFile file;
    file.name = part_of(header_, name_field);
    uint64_t sum = 0, size = 0;
    if (!read_octal(header_.substr(sum_field.at, sum_field.size), sum) || sum != checksum(header_))
      return Error{"it is damaged, or not a tar"};
    if (!part_of(header_, prefix_field).empty())
      file.name = fmt::format("{}/{}", part_of(header_, prefix_field), file.name);
    if (const std::string flaw = flaw_of_inner_name(file.name); !flaw.empty()) return Error{flaw};
    if (const char kind = header_[kind_field.at]; kind != '0' && kind != '\0')
      return Error{fmt::format("'{}' is {}; only plain files may be in it", file.name,
                               kind == '2' || kind == '1' ? "a link"
                               : kind == '5'              ? "a folder"
                                                          : "no plain file")};
    if (!read_octal(header_.substr(size_field.at, size_field.size), size))
      return Error{fmt::format("the size of '{}' is no number", file.name)};
    if (size > limits_.bytes || total_ + size > limits_.bytes) return Error{too_large()};
    if (files_.size() >= limits_.files)
      return Error{fmt::format("it holds more than {} files", limits_.files)};
    if (!names_.insert(file.name).second)
      return Error{fmt::format("'{}' is there twice", file.name)};
    total_ += size;
    left_ = size;
    padding_ = padded(size) - size;
    file.content.reserve(size);
    files_.push_back(std::move(file));
    return {};
  }

  std::string too_large() const {
    return fmt::format("it unpacks to more than {} MB", limits_.bytes >> 20);
  }

  const ArchiveLimits& limits_;
  std::string header_;
  std::vector<ArchiveFile> files_;
  std::set<std::string> names_;
  std::size_t total_ = 0, fed_ = 0, left_ = 0, padding_ = 0;
  bool ended_ = false;
};

}  // namespace

std::string flaw_of_inner_name(std::string_view name) {
  if (name.empty()) return "a file has no name";
  const std::string shown = plain_line(shortened(name));
  if (name.size() > longest_name)
    return fmt::format("the name '{}' is longer than {} bytes", shown, longest_name);
  if (!is_plain(name) || name.find_first_of("\\:") != std::string_view::npos)
    return fmt::format("the name '{}' has a character that may not be in it", shown);
  if (name.front() == '/') return fmt::format("'{}' is an absolute path", shown);
  for (std::size_t at = 0; at <= name.size();) {
    const std::size_t end = std::min(name.find('/', at), name.size());
    const std::string_view part = name.substr(at, end - at);
    if (part.empty() || part == "." || part == "..")
      return fmt::format("the path '{}' leads out of its folder", shown);
    at = end + 1;
  }
  return "";
}

Result<std::string> pack_archive(std::vector<ArchiveFile> files) {
  std::sort(files.begin(), files.end(),
            [](const ArchiveFile& a, const ArchiveFile& b) { return a.name < b.name; });
  std::string tar;
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (const std::string flaw = flaw_of_inner_name(files[i].name); !flaw.empty())
      return Error{flaw};
    if (i > 0 && files[i].name == files[i - 1].name)
      return Error{fmt::format("'{}' is there twice", files[i].name)};
    tar += header_of(files[i]);
    tar += files[i].content;
    tar.resize(padded(tar.size()), '\0');
  }
  tar.append(2 * block, '\0');
  std::string packed(ZSTD_compressBound(tar.size()), '\0');
  const std::size_t size =
      ZSTD_compress(packed.data(), packed.size(), tar.data(), tar.size(), compression);
  if (ZSTD_isError(size)) return Error{"it could not be compressed"};
  packed.resize(size);
  return packed;
}

// Piece by piece, so that a small file that unpacks to terabytes stops at the limit.
Result<std::vector<ArchiveFile>> unpack_archive(std::string_view bytes,
                                                const ArchiveLimits& limits) {
  const std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context(ZSTD_createDCtx(),
                                                                     &ZSTD_freeDCtx);
  if (!context) return Error{"there is not enough memory"};
  // A window larger than this would cost more memory than any honest archive needs.
  ZSTD_DCtx_setParameter(context.get(), ZSTD_d_windowLogMax, 27);
  ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
  TarReader tar(limits);
  std::string piece(1 << 18, '\0');
  for (;;) {
    ZSTD_outBuffer out{piece.data(), piece.size(), 0};
    const std::size_t left = ZSTD_decompressStream(context.get(), &out, &in);
    if (ZSTD_isError(left)) return Error{"it is damaged, or not compressed by zstd"};
    if (const Result<void> ok = tar.feed({piece.data(), out.pos}); !ok) return Error{ok.error()};
    if (left == 0) break;
    if (out.pos == 0 && in.pos == in.size) return Error{"it is cut short"};
  }
  if (in.pos != in.size) return Error{"something follows after its end"};
  return tar.finish();
}

}  // namespace sinew
