#include "nodes/lost.h"

#include "nodes/geometry/mesh_io.h"
#include "nodes/values.h"

namespace sinew {

std::vector<std::string> lost_in_file(const Value& value, const std::string& ending) {
  return value.is<Mesh>() ? lost_in_file(value.as<Mesh>(), ending) : std::vector<std::string>();
}

}  // namespace sinew
