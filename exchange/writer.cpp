#include "exchange/writer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "exchange/formats.h"
#include "nodes/geometry/file_names.h"

namespace sinew::exchange {

std::vector<std::string> writer_endings() {
  return {"glb", "gltf", "usda", "pc2", "mdd", "ply", "obj"};
}

Result<std::unique_ptr<Writer>> open_writer(const WriterOptions& options) {
  const std::string ending = ending_of(options.file);
  if (ending == "glb" || ending == "gltf") {
    if (options.space.up != UpAxis::y || options.space.metres_per_unit != 1)
      return Error{"glTF is in metres with y up, always; leave out --up and --unit"};
    return open_gltf(options, ending == "glb");
  }
  if (ending == "usda") return open_usda(options);
  if (ending == "pc2" || ending == "mdd") return open_point_cache(options, ending == "mdd");
  if (ending == "ply" || ending == "obj") return open_sequence(options, ending);
  return Error{fmt::format("the ending may be .{}", fmt::join(writer_endings(), ", ."))};
}

std::string change_of_shape(std::span<const Body> before, std::span<const Body> now) {
  if (before.size() != now.size())
    return fmt::format("there are {} bodies, and there were {}", now.size(), before.size());
  for (std::size_t b = 0; b < now.size(); ++b) {
    const Mesh &old = before[b].mesh, &mesh = now[b].mesh;
    if (before[b].name != now[b].name)
      return fmt::format("there is '{}' where '{}' was", now[b].name, before[b].name);
    if (old.vertex_count() != mesh.vertex_count())
      return fmt::format("'{}' has {} vertices, and had {}", now[b].name, mesh.vertex_count(),
                         old.vertex_count());
    if (old.topology->triangles != mesh.topology->triangles)
      return fmt::format("'{}' has other triangles than before", now[b].name);
  }
  return "";
}

}  // namespace sinew::exchange
