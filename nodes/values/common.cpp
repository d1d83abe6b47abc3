#include "nodes/values/common.h"

#include <fmt/core.h>

#include "graph/atomic_file.h"
#include "nodes/kernels/measure.h"

namespace sinew::values {

Json bounds_json(std::span<const Vec3f> points) {
  const Eigen::AlignedBox3f box = kernels::bounding_box(points);
  return {{"min", vector_json(Vec3f(box.min()))}, {"max", vector_json(Vec3f(box.max()))}};
}

ValueTable points_table(std::string rows_are, std::span<const Vec3f> points) {
  return {std::move(rows_are), {"x", "y", "z"}, points.size(), [points](size_t row, size_t column) {
            return fmt::format("{}", points[row][static_cast<int>(column)]);
          }};
}

Result<void> write_bytes(const std::filesystem::path& path, const std::string& bytes) {
  const Result<void> written = write_file_atomically(path, bytes);
  if (!written) return Error{fmt::format("cannot write '{}': {}", path.string(), written.error())};
  return {};
}

std::optional<std::array<float, 3>> place_of(const Json& json) {
  if (!json.is_array() || json.size() != 3) return std::nullopt;
  std::array<float, 3> at{};
  for (size_t k = 0; k < 3; ++k) {
    if (!json[k].is_number()) return std::nullopt;
    at[k] = json[k].get<float>();
  }
  return at;
}

}  // namespace sinew::values
