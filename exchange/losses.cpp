#include "exchange/losses.h"

#include <fmt/format.h>

#include <algorithm>

#include "nodes/geometry/file_names.h"

namespace sinew::exchange {
namespace {

// What our writers of a format write of a body beside its triangles and places. None of them writes
// polygons yet.
struct Format {
  bool parts = false;         // bodies apart from each other, with their names
  bool uvs = false;           // texture coordinates
  bool numbers = false;       // of a field
  bool per_triangle = false;  // numbers of triangles as such, not as means at vertices
  bool over_time = false;     // numbers at every frame
  bool skeletons = false;
};

Format format_of(const std::string& ending) {
  if (ending == "glb" || ending == "gltf") return {true, true, true, false, false, true};
  if (ending == "usda") return {true, true, true, true, true, false};
  if (ending == "ply") return {false, false, true, false, true, false};
  // Colours stand for numbers in an .obj, in a sequence for those of each frame.
  if (ending == "obj") return {false, true, false, false, true, false};
  return {false, true, false, false, false, false};  // a point cache and its .obj
}

}  // namespace

Losses::Losses(const std::filesystem::path& file) : ending_(ending_of(file)) {}

void Losses::see_first(const Scene& scene) {
  const Format format = format_of(ending_);
  const auto have_uvs = [](const Body& b) { return !b.mesh.topology->corner_uvs.empty(); };
  // As merged() does: texture coordinates of all or of none, numbers if all have the same ones.
  const bool all_uvs = std::all_of(scene.bodies.begin(), scene.bodies.end(), have_uvs);
  const bool same = std::all_of(scene.bodies.begin(), scene.bodies.end(), [&](const Body& b) {
    return b.values && scene.bodies[0].values && b.values->name == scene.bodies[0].values->name;
  });
  for (const Body& body : scene.bodies) {
    if (!format.parts && scene.bodies.size() > 1)
      list_.lose("that they are bodies of their own", body.name);
    if (!body.mesh.topology->polygon_of_triangle.empty())
      list_.lose("polygons (they leave as triangles)", body.name);
    if (have_uvs(body) && !(format.uvs && (format.parts || all_uvs)))
      list_.lose("texture coordinates", body.name);
    if (!body.values) continue;
    const std::string numbers = fmt::format("the numbers of '{}'", body.values->name);
    if (!format.numbers || !(format.parts || same))
      list_.lose(numbers + (format.numbers ? "" : " (they leave as colours)"), body.name);
    else if (body.values->per_triangle && !format.per_triangle)
      list_.lose(numbers + " of triangles (means at vertices leave)", body.name);
  }
  if (!format.skeletons)
    for (const Rig& rig : scene.rigs) list_.lose("the skeleton", rig.name);
}

void Losses::see(const Scene& scene) {
  const bool is_first = first_.empty();
  if (is_first) see_first(scene);
  if (format_of(ending_).over_time) {
    if (is_first && !scene.bodies.empty()) first_[scene.bodies[0].name];
    return;
  }
  for (const Body& body : scene.bodies) {
    if (is_first) {
      first_[body.name].values = body.values;
      continue;
    }
    const auto before = first_.find(body.name);
    if (before == first_.end() || !before->second.values || !body.values) continue;
    if (before->second.values->numbers != body.values->numbers)
      list_.lose(fmt::format("how '{}' changes over time", body.values->name), body.name);
  }
}

}  // namespace sinew::exchange
