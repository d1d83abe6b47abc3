#include "nodes/geometry/reader/assimp_files.h"

#include <algorithm>
#include <assimp/IOStream.hpp>
#include <cstring>
#include <string_view>
#include <utility>

namespace sinew {

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

}  // namespace

AssimpFiles::AssimpFiles(std::filesystem::path path, std::shared_ptr<const FileBytes> main)
    : files_(std::move(path), std::move(main)) {}

bool AssimpFiles::Exists(const char* file) const { return files_.allowed(file).has_value(); }

Assimp::IOStream* AssimpFiles::Open(const char* file, const char* mode) {
  if (std::string_view(mode).find_first_of("wa+") != std::string_view::npos) return nullptr;
  std::shared_ptr<const FileBytes> bytes = files_.open(file);
  return bytes ? new MemoryStream(std::move(bytes)) : nullptr;
}

void AssimpFiles::Close(Assimp::IOStream* stream) { delete stream; }

}  // namespace sinew
