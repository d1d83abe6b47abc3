// Whether what a backend needs is on this machine, asked before bgfx is started: bgfx would take
// another backend in silence, or end the program.
#pragma once

#include <string>

#include "render/device.h"

namespace sinew::render {

// Empty if the drivers are there; else what is missing and which Debian package has it.
std::string missing_vulkan();
std::string missing_opengl(const NativeWindow& window);

}  // namespace sinew::render
