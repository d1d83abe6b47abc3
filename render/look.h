// How a scene is shown: the shading of bodies, and what is drawn over and around them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "render/draw_list.h"

namespace sinew::render {

enum class Shading : uint8_t {
  clay,     // matte, lit by the studio; or the colours of a field under the same light
  facets,   // each triangle by its own normal
  normals,  // directions as colours
  unlit,    // colours as the legend shows them, with no light
  veil,     // bodies that can be seen through
};

enum class Overlay : uint8_t {
  ground,    // a floor that takes the shadow
  grid,      // lines on the floor, a round number of metres apart
  wire,      // the edges of polygons
  vertices,  // a point at each
  normals,   // a line along each
  bounds,    // the box round everything
  axes,      // x, y and z at the lower right
  legend,    // what colours mean
  labels,    // words beside things
};

struct Named {
  std::string_view name, doc;
};
std::span<const Named> shading_names();  // in the order of the enum
std::span<const Named> overlay_names();
std::optional<Shading> find_shading(std::string_view name);
std::optional<Overlay> find_overlay(std::string_view name);

struct Look {
  Shading shading = Shading::clay;
  uint32_t overlays = bit(Overlay::ground) | bit(Overlay::legend) | bit(Overlay::labels);
  draw::Rgba above{0.935f, 0.945f, 0.955f, 1}, below{0.735f, 0.755f, 0.785f, 1};
  std::string caption;  // at the upper left
  float sign_size = 0;  // of words and lines, against a usual screen; 0: as the picture asks for

  static constexpr uint32_t bit(Overlay o) { return 1u << static_cast<int>(o); }
  bool has(Overlay o) const { return overlays & bit(o); }
  void set(Overlay o, bool on) { overlays = on ? overlays | bit(o) : overlays & ~bit(o); }
};

}  // namespace sinew::render
