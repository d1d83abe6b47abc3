#include <fmt/core.h>

#include "nodes/geometry/skeleton_clip.h"
#include "nodes/values/common.h"

namespace sinew {

using namespace values;

namespace {

// A row for each joint at each sample.
ValueTable places_table(const SkeletonClip& clip) {
  return {"sample",
          {"time", "joint", "x", "y", "z"},
          clip.places.size(),
          [&clip](size_t row, size_t column) {
            if (column == 0) return fmt::format("{:.6g}", clip.times[row / clip.joint_count()]);
            if (column == 1) return clip.joints[row % clip.joint_count()];
            return fmt::format("{:.6g}", clip.places[row][static_cast<int>(column) - 2]);
          }};
}

}  // namespace

template <>
const TypeInfo& type_of<SkeletonClip>() {
  static const TypeInfo info = [] {
    TypeInfo t = plain_type<SkeletonClip>(
        "clip", "A motion of a skeleton's joints over time, from a file.", 0xC98F5A);
    t.describe = [](const void* p) {
      const SkeletonClip& clip = content<SkeletonClip>(p);
      return Json{{"name", clip.name},
                  {"joints", clip.joint_count()},
                  {"samples", clip.times.size()},
                  {"duration", clip.duration()}};
    };
    t.tables = [](const void* p) { return std::vector{places_table(content<SkeletonClip>(p))}; };
    return t;
  }();
  return info;
}

}  // namespace sinew
