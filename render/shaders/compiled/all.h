// Every compiled shader. Made by ./dev shaders.
// clang-format off
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "render/shaders/compiled/fs_backdrop.h"
#include "render/shaders/compiled/fs_copy.h"
#include "render/shaders/compiled/fs_floor.h"
#include "render/shaders/compiled/fs_interface.h"
#include "render/shaders/compiled/fs_line.h"
#include "render/shaders/compiled/fs_mesh.h"
#include "render/shaders/compiled/fs_point.h"
#include "render/shaders/compiled/fs_shadow.h"
#include "render/shaders/compiled/fs_sheet.h"
#include "render/shaders/compiled/fs_solid.h"
#include "render/shaders/compiled/vs_floor.h"
#include "render/shaders/compiled/vs_interface.h"
#include "render/shaders/compiled/vs_line.h"
#include "render/shaders/compiled/vs_mesh.h"
#include "render/shaders/compiled/vs_point.h"
#include "render/shaders/compiled/vs_screen.h"
#include "render/shaders/compiled/vs_shadow.h"
#include "render/shaders/compiled/vs_sheet.h"
#include "render/shaders/compiled/vs_solid.h"

namespace sinew::shaders {

// One shader in the forms that bgfx::createShader takes: each renderer has its own.
struct Compiled {
  std::string_view name;
  std::span<const unsigned char> glsl;   // OpenGL 3.2
  std::span<const unsigned char> essl;   // OpenGL ES 3.0
  std::span<const unsigned char> spirv;  // Vulkan
};

// Sorted by name.
inline constexpr std::array<Compiled, 19> all{{
  {"fs_backdrop", fs_backdrop_glsl, fs_backdrop_essl, fs_backdrop_spirv},
  {"fs_copy", fs_copy_glsl, fs_copy_essl, fs_copy_spirv},
  {"fs_floor", fs_floor_glsl, fs_floor_essl, fs_floor_spirv},
  {"fs_interface", fs_interface_glsl, fs_interface_essl, fs_interface_spirv},
  {"fs_line", fs_line_glsl, fs_line_essl, fs_line_spirv},
  {"fs_mesh", fs_mesh_glsl, fs_mesh_essl, fs_mesh_spirv},
  {"fs_point", fs_point_glsl, fs_point_essl, fs_point_spirv},
  {"fs_shadow", fs_shadow_glsl, fs_shadow_essl, fs_shadow_spirv},
  {"fs_sheet", fs_sheet_glsl, fs_sheet_essl, fs_sheet_spirv},
  {"fs_solid", fs_solid_glsl, fs_solid_essl, fs_solid_spirv},
  {"vs_floor", vs_floor_glsl, vs_floor_essl, vs_floor_spirv},
  {"vs_interface", vs_interface_glsl, vs_interface_essl, vs_interface_spirv},
  {"vs_line", vs_line_glsl, vs_line_essl, vs_line_spirv},
  {"vs_mesh", vs_mesh_glsl, vs_mesh_essl, vs_mesh_spirv},
  {"vs_point", vs_point_glsl, vs_point_essl, vs_point_spirv},
  {"vs_screen", vs_screen_glsl, vs_screen_essl, vs_screen_spirv},
  {"vs_shadow", vs_shadow_glsl, vs_shadow_essl, vs_shadow_spirv},
  {"vs_sheet", vs_sheet_glsl, vs_sheet_essl, vs_sheet_spirv},
  {"vs_solid", vs_solid_glsl, vs_solid_essl, vs_solid_spirv},
}};

}  // namespace sinew::shaders
