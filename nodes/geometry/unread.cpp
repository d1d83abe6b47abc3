#include "nodes/geometry/unread.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "nodes/geometry/format_error.h"
#include "nodes/geometry/gltf_file.h"
#include "nodes/geometry/mesh_io.h"

namespace sinew {

namespace {

bool is_one_of(const std::string& name, std::initializer_list<const char*> names) {
  return std::any_of(names.begin(), names.end(), [&](const char* n) { return name == n; });
}

// The properties that tools agree on, else the property's own name.
std::string words_of(const std::string& element, const std::string& name) {
  if (is_one_of(name, {"red", "green", "blue", "alpha", "diffuse_red", "diffuse_green",
                       "diffuse_blue", "diffuse_alpha"}))
    return element + " colours";
  if (is_one_of(name, {"nx", "ny", "nz"})) return "normals";
  if (is_one_of(name, {"s", "t", "u", "v", "texture_u", "texture_v", "texcoord"}))
    return "texture coordinates";
  return fmt::format("the {} property '{}'", element, name);
}

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
    if (name.starts_with("_")) add_unread(unread, fmt::format("the attribute '{}'", name));
  }
}

}  // namespace

std::string counted(std::size_t count, const std::string& what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

void add_unread(std::vector<std::string>& unread, const std::string& what) {
  if (std::find(unread.begin(), unread.end(), what) == unread.end()) unread.push_back(what);
}

std::vector<std::string> unread_in(const ply::Header& header) {
  std::vector<std::string> unread;
  for (const ply::Element& element : header.elements) {
    if (element.count == 0) continue;
    if (element.name != "vertex" && element.name != "face") {
      add_unread(unread, fmt::format("the element '{}'", element.name));
      continue;
    }
    for (const ply::Property& property : element.properties)
      if (!is_one_of(property.name, {"x", "y", "z", "vertex_indices", "vertex_index"}))
        add_unread(unread, words_of(element.name, property.name));
  }
  return unread;
}

std::vector<std::string> unread_in_gltf(const std::filesystem::path& path) {
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
    // Whoever reads it says what is wrong with it.
  } catch (const nlohmann::json::exception&) {
  }
  return unread;
}

std::vector<std::string> unread_in_file(const std::filesystem::path& path) {
  LoadReport report;
  try {
    load_mesh(path, {}, &report);
  } catch (const FileError&) {
    return {};
  }
  return report.unread;
}

}  // namespace sinew
