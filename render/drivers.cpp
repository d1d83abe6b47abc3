#include "render/drivers.h"

#include <dlfcn.h>

#include <cstdint>

namespace sinew::render {
namespace {

// The few words of Vulkan and EGL that are needed to ask; their headers are not a dependency.
struct VkInstanceCreateInfo {
  int type = 1;  // VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO
  const void* next = nullptr;
  uint32_t flags = 0;
  const void* application = nullptr;
  uint32_t layer_count = 0;
  const char* const* layers = nullptr;
  uint32_t extension_count = 0;
  const char* const* extensions = nullptr;
};
using VkCreateInstance = int (*)(const VkInstanceCreateInfo*, const void*, void**);
using VkDestroyInstance = void (*)(void*, const void*);
using VkEnumeratePhysicalDevices = int (*)(void*, uint32_t*, void**);
using EglGetDisplay = void* (*)(void*);
using EglInitialize = unsigned (*)(void*, int*, int*);

template <class Function>
Function find(void* library, const char* name) {
  return reinterpret_cast<Function>(dlsym(library, name));
}

const char* const no_vulkan_driver =
    "no Vulkan driver is installed (Debian: apt-get install mesa-vulkan-drivers, which also draws "
    "without a graphics card)";

}  // namespace

std::string missing_vulkan() {
  void* library = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return "the Vulkan loader is not installed (Debian: apt-get install libvulkan1 "
           "mesa-vulkan-drivers)";
  const auto create = find<VkCreateInstance>(library, "vkCreateInstance");
  const auto destroy = find<VkDestroyInstance>(library, "vkDestroyInstance");
  const auto list = find<VkEnumeratePhysicalDevices>(library, "vkEnumeratePhysicalDevices");
  std::string missing = no_vulkan_driver;
  void* instance = nullptr;
  const VkInstanceCreateInfo info;
  if (create && destroy && list && create(&info, nullptr, &instance) == 0) {
    uint32_t count = 0;
    if (list(instance, &count, nullptr) == 0 && count > 0) missing.clear();
    destroy(instance, nullptr);
  }
  dlclose(library);
  return missing;
}

std::string missing_opengl(const NativeWindow& window) {
  if (!window)
    return "OpenGL draws into a window only, and there is none; with no display use --renderer "
           "vulkan, or start under Xvfb (Debian: apt-get install xvfb)";
  void* egl = dlopen("libEGL.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!egl) return "EGL is not installed (Debian: apt-get install libegl1 libegl-mesa0)";
  // Neither library is closed again: drivers do not survive being unloaded.
  if (!dlopen("libGL.so.1", RTLD_NOW | RTLD_LOCAL))
    return "OpenGL is not installed (Debian: apt-get install libgl1 libgl1-mesa-dri)";
  const auto get_display = find<EglGetDisplay>(egl, "eglGetDisplay");
  const auto initialize = find<EglInitialize>(egl, "eglInitialize");
  void* display = get_display ? get_display(window.display) : nullptr;
  int major = 0, minor = 0;
  if (!display || !initialize || !initialize(display, &major, &minor))
    return "no OpenGL driver answers (Debian: apt-get install libegl-mesa0 libgl1-mesa-dri)";
  return "";
}

}  // namespace sinew::render
