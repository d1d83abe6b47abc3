// What was sent to the graphics card since the renderer was made, to see that nothing is sent
// twice.
#pragma once

#include <cstdint>

namespace sinew::render {

struct UploadCounts {
  uint64_t meshes = 0, values = 0, topologies = 0;  // how often each was sent
  uint64_t bytes = 0;
};

}  // namespace sinew::render
