#include <fmt/core.h>

#include "nodes/geometry/skeleton_clip.h"
#include "nodes/values/common.h"

namespace sinew {

using namespace values;

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
    return t;
  }();
  return info;
}

}  // namespace sinew
