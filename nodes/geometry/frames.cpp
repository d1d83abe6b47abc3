#include "nodes/geometry/frames.h"

#include <fmt/format.h>

namespace sinew {

std::optional<std::string> validate(const Frames& frames) {
  if (frames.secondary.size() != frames.size() || frames.tertiary.size() != frames.size()) {
    return fmt::format("{} primary, {} secondary and {} tertiary directions", frames.size(),
                       frames.secondary.size(), frames.tertiary.size());
  }
  for (std::size_t i = 0; i < frames.size(); ++i) {
    Eigen::Matrix3f d;
    d << frames.primary[i], frames.secondary[i], frames.tertiary[i];
    if (!d.allFinite()) return fmt::format("the frame of vertex {} is not finite", i);
    const float error = (d.transpose() * d - Eigen::Matrix3f::Identity()).cwiseAbs().maxCoeff();
    if (error > 1e-4f || d.determinant() < 0) {
      return fmt::format("the frame of vertex {} is not orthonormal and right-handed", i);
    }
  }
  return std::nullopt;
}

std::size_t byte_size(const Frames& frames) {
  return sizeof(Frames) + 3 * bytes_of(frames.primary).size();
}

}  // namespace sinew
