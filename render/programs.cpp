#include "render/programs.h"

#include <fmt/format.h>

#include <stdexcept>

#include "render/shaders/compiled/all.h"

namespace sinew::render {
namespace {

bgfx::ShaderHandle load(std::string_view name) {
  for (const shaders::Compiled& s : shaders::all) {
    if (s.name != name) continue;
    std::span<const unsigned char> bytes = s.spirv;
    if (bgfx::getRendererType() == bgfx::RendererType::OpenGL) bytes = s.glsl;
    if (bgfx::getRendererType() == bgfx::RendererType::OpenGLES) bytes = s.essl;
    // The bytes are part of the program, so they need no copy.
    return bgfx::createShader(bgfx::makeRef(bytes.data(), static_cast<uint32_t>(bytes.size())));
  }
  throw std::logic_error(fmt::format("there is no shader '{}'", name));
}

}  // namespace

Program::Program(std::string_view vertex, std::string_view fragment)
    : program_(bgfx::createProgram(load(vertex), load(fragment), true)) {}

}  // namespace sinew::render
