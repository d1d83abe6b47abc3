#include "nodes/values/common.h"

#include <fmt/core.h>

#include "graph/atomic_file.h"
#include "nodes/kernels/measure.h"

namespace sinew::values {

Json bounds_json(std::span<const Vec3f> points) {
  const Eigen::AlignedBox3f box = kernels::bounding_box(points);
  return {{"min", vector_json(Vec3f(box.min()))}, {"max", vector_json(Vec3f(box.max()))}};
}

Result<void> write_bytes(const std::filesystem::path& path, const std::string& bytes) {
  const Result<void> written = write_file_atomically(path, bytes);
  if (!written) return Error{fmt::format("cannot write '{}': {}", path.string(), written.error())};
  return {};
}

}  // namespace sinew::values
