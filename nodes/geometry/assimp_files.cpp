#include "nodes/geometry/assimp_files.h"

#include <algorithm>
#include <assimp/IOStream.hpp>
#include <cstring>
#include <exception>
#include <string_view>
#include <utility>

namespace sinew {

namespace fs = std::filesystem;

namespace {

class MemoryStream final : public Assimp::IOStream {
 public:
  explicit MemoryStream(std::shared_ptr<const FileBytes> bytes) : bytes_(std::move(bytes)) {}

  std::size_t Read(void* out, std::size_t size, std::size_t count) override {
    if (size == 0) return 0;
    count = std::min(count, (FileSize() - at_) / size);
    std::memcpy(out, bytes_->text().data() + at_, size * count);
    at_ += size * count;
    return count;
  }
  std::size_t Write(const void*, std::size_t, std::size_t) override { return 0; }
  // An offset from the end or from here may be negative, in the guise of a size.
  aiReturn Seek(std::size_t offset, aiOrigin origin) override {
    const std::size_t base = origin == aiOrigin_SET ? 0 : origin == aiOrigin_CUR ? at_ : FileSize();
    const std::size_t target = base + offset;
    if (target > FileSize()) return aiReturn_FAILURE;
    at_ = target;
    return aiReturn_SUCCESS;
  }
  std::size_t Tell() const override { return at_; }
  std::size_t FileSize() const override { return bytes_->text().size(); }
  void Flush() override {}

 private:
  std::shared_ptr<const FileBytes> bytes_;
  std::size_t at_ = 0;
};

bool leads_up(const fs::path& way) { return std::find(way.begin(), way.end(), "..") != way.end(); }

}  // namespace

AssimpFiles::AssimpFiles(fs::path path, std::shared_ptr<const FileBytes> main)
    : path_(std::move(path)), main_(std::move(main)) {}

std::optional<fs::path> AssimpFiles::allowed(const char* file) const {
  const fs::path folder = path_.parent_path();
  const fs::path asked(file);
  if (asked.empty() || leads_up(asked)) return std::nullopt;
  const fs::path path = (folder / asked).lexically_normal();  // an absolute one replaces the folder
  if (path == path_) return path;
  std::error_code error;
  const fs::path real = fs::canonical(path, error);
  if (error) return std::nullopt;
  const fs::path way = real.lexically_relative(fs::canonical(folder, error));
  if (error || way.empty() || leads_up(way)) return std::nullopt;
  if (!fs::is_regular_file(real, error)) return std::nullopt;
  return real;
}

bool AssimpFiles::Exists(const char* file) const { return allowed(file).has_value(); }

std::shared_ptr<const FileBytes> AssimpFiles::open_bytes(const char* file) const {
  const std::optional<fs::path> path = allowed(file);
  if (!path) return nullptr;
  if (*path == path_) return main_;
  try {
    return std::make_shared<FileBytes>(*path, CancelView{}, max_import_bytes);
  } catch (const std::exception&) {
    return nullptr;  // to assimp, what cannot be read is not there
  }
}

Assimp::IOStream* AssimpFiles::Open(const char* file, const char* mode) {
  if (std::string_view(mode).find_first_of("wa+") != std::string_view::npos) return nullptr;
  std::shared_ptr<const FileBytes> bytes = open_bytes(file);
  return bytes ? new MemoryStream(std::move(bytes)) : nullptr;
}

void AssimpFiles::Close(Assimp::IOStream* stream) { delete stream; }

}  // namespace sinew
