// Our shaders and what they are told. The compiled shaders are part of the program
// (shaders/compiled/, made by ./dev shaders from the .sc files beside them).
#pragma once

#include <Eigen/Core>
#include <string_view>

#include "render/gpu.h"

namespace sinew::render {

class Program {
 public:
  Program(std::string_view vertex, std::string_view fragment);
  bgfx::ProgramHandle operator*() const { return *program_; }

 private:
  Owned<bgfx::ProgramHandle> program_;
};

class Uniform {
 public:
  explicit Uniform(const char* name, bgfx::UniformType::Enum type = bgfx::UniformType::Vec4,
                   uint16_t count = 1)
      : handle_(bgfx::createUniform(name, type, count)), count_(count) {}
  bgfx::UniformHandle operator*() const { return *handle_; }
  void set(float x, float y = 0, float z = 0, float w = 0) const {
    const float values[4] = {x, y, z, w};
    bgfx::setUniform(*handle_, values);
  }
  void set(const float* values) const { bgfx::setUniform(*handle_, values, count_); }

 private:
  Owned<bgfx::UniformHandle> handle_;
  uint16_t count_;
};

struct Programs {
  Program mesh{"vs_mesh", "fs_mesh"};
  Program shadow{"vs_shadow", "fs_shadow"};
  Program backdrop{"vs_screen", "fs_backdrop"};
  Program floor{"vs_floor", "fs_floor"};
  Program line{"vs_line", "fs_line"};
  Program point{"vs_point", "fs_point"};
  Program solid{"vs_solid", "fs_solid"};
  Program sheet{"vs_sheet", "fs_sheet"};
  Program copy{"vs_screen", "fs_copy"};
};

struct Uniforms {
  Uniform eye{"u_eye"}, lights{"u_lights", bgfx::UniformType::Vec4, 3};
  Uniform to_shadow{"u_to_shadow", bgfx::UniformType::Mat4}, shadow{"u_shadow"}, floor{"u_floor"};
  Uniform to_sky{"u_to_sky", bgfx::UniformType::Mat4}, sky{"u_sky"};
  Uniform raster{"u_raster"}, colour{"u_colour"}, shade{"u_shade"}, scale{"u_scale"};
  Uniform wire{"u_wire"}, backdrop{"u_backdrop", bgfx::UniformType::Vec4, 2}, tile{"u_tile"};
  Uniform ruling{"u_ruling"}, middle{"u_middle"}, screen{"u_screen"}, corner{"u_corner"};
  Uniform flip{"u_flip"}, lift{"u_lift"};
  Uniform shadow_map{"s_shadow", bgfx::UniformType::Sampler};
  Uniform sky_map{"s_sky", bgfx::UniformType::Sampler};
  Uniform maps{"s_maps", bgfx::UniformType::Sampler};
  Uniform letters{"s_letters", bgfx::UniformType::Sampler};
  Uniform picture{"s_picture", bgfx::UniformType::Sampler};
};

}  // namespace sinew::render
