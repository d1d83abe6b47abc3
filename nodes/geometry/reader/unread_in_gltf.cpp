#include "nodes/geometry/reader/unread_in_gltf.h"

#include <fmt/format.h>

#include <utility>

#include "nodes/geometry/format_error.h"
#include "nodes/geometry/gltf_file.h"
#include "nodes/geometry/reader_answer.h"
#include "nodes/geometry/unread.h"

namespace sinew {

namespace {

void read_attributes(const Json& primitive, std::vector<std::string>& unread) {
  const Json* const attributes = object_in(primitive, "attributes");
  if (!attributes) return;
  for (const auto& [name, accessor] : attributes->items()) {
    if (name == "NORMAL") add_unread(unread, "normals");
    if (name == "TANGENT") add_unread(unread, "tangents");
    if (name.starts_with("COLOR_")) add_unread(unread, "vertex colours");
    if (name.starts_with("TEXCOORD_") && name != "TEXCOORD_0")
      add_unread(unread, "further texture coordinates");
    if (name.starts_with("WEIGHTS_")) add_unread(unread, "skin weights");
    if (name.starts_with("_"))
      add_unread(unread, fmt::format("the attribute '{}'", one_line(name)));
  }
}

}  // namespace

std::optional<std::vector<std::string>> unread_in_gltf(const std::filesystem::path& path) {
  std::vector<std::string> unread;
  try {
    const GltfFile file(path, {});
    std::size_t parts = 0;
    if (const Json* const meshes = list_in(file.json(), "meshes"))
      for (const Json& mesh : *meshes)
        if (const Json* const primitives = list_in(mesh, "primitives"))
          for (const Json& primitive : *primitives) {
            ++parts;
            read_attributes(primitive, unread);
          }
    if (parts > 1) unread.insert(unread.begin(), counted(parts, "part"));
    for (const auto& [list, word] : {std::pair("materials", "material"), {"images", "picture"}})
      if (const Json* const found = list_in(file.json(), list); found && !found->empty())
        unread.push_back(counted(found->size(), word));
  } catch (const FormatError&) {
    return std::nullopt;  // assimp says what is wrong with it
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
  return unread;
}

}  // namespace sinew
