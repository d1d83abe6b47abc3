#include "render/look.h"

namespace sinew::render {
namespace {

constexpr Named shadings[] = {
    {"clay", "matte, lit by three lights; fields show their colours under the same light"},
    {"facets", "each triangle by its own normal"},
    {"normals", "directions as colours"},
    {"unlit", "colours exactly as the legend shows them"},
    {"veil", "bodies that can be seen through"},
};
constexpr Named overlays[] = {
    {"ground", "a floor that takes the shadow"},
    {"grid", "lines on the floor, a round number of metres apart"},
    {"wire", "the edges of polygons"},
    {"vertices", "a point at each vertex"},
    {"normals", "a line along each normal"},
    {"bounds", "the box round everything, with its size"},
    {"axes", "which way x, y and z go"},
    {"legend", "what colours mean"},
    {"labels", "words beside things"},
};

template <class Enum>
std::optional<Enum> find(std::span<const Named> names, std::string_view name) {
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i].name == name) return static_cast<Enum>(i);
  return std::nullopt;
}

}  // namespace

std::span<const Named> shading_names() { return shadings; }
std::span<const Named> overlay_names() { return overlays; }
std::optional<Shading> find_shading(std::string_view name) { return find<Shading>(shadings, name); }
std::optional<Overlay> find_overlay(std::string_view name) { return find<Overlay>(overlays, name); }

}  // namespace sinew::render
