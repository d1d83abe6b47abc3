#include "render/device.h"

#include <bgfx/bgfx.h>
#include <bgfx/platform.h>
#include <fmt/format.h>

#include <cstdlib>
#include <stdexcept>

#include "render/drivers.h"

namespace sinew::render {

std::string_view backend_name(Backend backend) {
  switch (backend) {
    case Backend::automatic:
      return "auto";
    case Backend::vulkan:
      return "vulkan";
    case Backend::opengl:
      return "opengl";
    case Backend::noop:
      break;
  }
  return "noop";
}

// What bgfx says. Its fatal errors become exceptions, which end in one message; the rest is silent.
struct Device::Callbacks : bgfx::CallbackI {
  void fatal(const char*, uint16_t, bgfx::Fatal::Enum code, const char* text) override {
    if (code != bgfx::Fatal::DebugCheck)
      throw std::runtime_error(fmt::format("the graphics driver failed: {}", text));
  }
  void traceVargs(const char*, uint16_t, const char*, va_list) override {}
  void profilerBegin(const char*, uint32_t, const char*, uint16_t) override {}
  void profilerBeginLiteral(const char*, uint32_t, const char*, uint16_t) override {}
  void profilerEnd() override {}
  uint32_t cacheReadSize(uint64_t) override { return 0; }
  bool cacheRead(uint64_t, void*, uint32_t) override { return false; }
  void cacheWrite(uint64_t, const void*, uint32_t) override {}
  void screenShot(const char*, uint32_t, uint32_t, uint32_t, const void*, uint32_t, bool) override {
  }
  void captureBegin(uint32_t, uint32_t, uint32_t, bgfx::TextureFormat::Enum, bool) override {}
  void captureEnd() override {}
  void captureFrame(const void*, uint32_t) override {}
};

namespace {

bool a_device_is_open = false;

// Vulkan first: it needs no window, and is what headless pictures are made with.
Backend choose(const DeviceOptions& options, std::string& error) {
  Backend wanted = options.backend;
  if (wanted == Backend::noop) return wanted;
  const std::string no_vulkan = wanted == Backend::opengl ? "" : missing_vulkan();
  if (wanted == Backend::automatic && no_vulkan.empty()) return Backend::vulkan;
  if (wanted == Backend::vulkan) {
    error = no_vulkan;
    return wanted;
  }
  const std::string no_opengl = missing_opengl(options.window);
  if (no_opengl.empty()) return Backend::opengl;
  error = wanted == Backend::opengl ? no_opengl : no_vulkan;
  return wanted;
}

bgfx::RendererType::Enum renderer_type(Backend backend) {
  switch (backend) {
    case Backend::vulkan:
      return bgfx::RendererType::Vulkan;
    case Backend::opengl:
      return bgfx::RendererType::OpenGL;
    default:
      return bgfx::RendererType::Noop;
  }
}

DeviceCounts count_now() {
  const bgfx::Stats& s = *bgfx::getStats();
  return {s.numVertexBuffers, s.numIndexBuffers, s.numDynamicVertexBuffers,
          s.numTextures,      s.numFrameBuffers, s.numPrograms,
          s.numShaders,       s.numUniforms,     s.numVertexLayouts};
}

}  // namespace

std::unique_ptr<Device> Device::open(const DeviceOptions& options, std::string& error) {
  if (a_device_is_open) {
    error = "a renderer is open already";
    return nullptr;
  }
  error.clear();
  // Mesa's loader looks for a Wayland display and complains on standard error if it has no place to
  // look in. Where there is no such place there is no such display.
  setenv("XDG_RUNTIME_DIR", "/nonexistent", 0);
  const Backend backend = choose(options, error);
  if (!error.empty()) return nullptr;

  std::unique_ptr<Device> device(new Device);
  device->callbacks_ = std::make_unique<Callbacks>();
  device->reset_ = options.wait_for_screen ? BGFX_RESET_VSYNC : BGFX_RESET_NONE;
  bgfx::renderFrame();  // before init: drawing happens on this thread, inside of end_frame()
  bgfx::Init init;
  init.type = renderer_type(backend);
  init.callback = device->callbacks_.get();
  init.platformData.ndt = options.window.display;
  init.platformData.nwh = options.window.window;
  init.platformData.type = options.window.wayland ? bgfx::NativeWindowHandleType::Wayland
                                                  : bgfx::NativeWindowHandleType::Default;
  // Without a window there is no back buffer; bgfx must not ask for one.
  device->has_window_ = static_cast<bool>(options.window);
  device->width_ = device->has_window_ ? options.width : 0;
  device->height_ = device->has_window_ ? options.height : 0;
  init.resolution.width = static_cast<uint32_t>(device->width_);
  init.resolution.height = static_cast<uint32_t>(device->height_);
  init.resolution.reset = device->reset_;
  if (!bgfx::init(init)) {
    error = fmt::format("the {} renderer could not be started", backend_name(backend));
    return nullptr;
  }
  a_device_is_open = true;
  device->backend_ = backend;
  if (bgfx::getRendererType() != init.type) {
    error = fmt::format("the {} driver is there, but refused to start", backend_name(backend));
    return nullptr;
  }
  // Frames are shown when they are done, not with the next one. bgfx takes this flag only from a
  // reset that follows the start.
  device->reset_ |= BGFX_RESET_FLIP_AFTER_RENDER;
  if (device->has_window_ && device->drawable())
    bgfx::reset(static_cast<uint32_t>(device->width_), static_cast<uint32_t>(device->height_),
                device->reset_);
  bgfx::frame();
  device->at_start_ = count_now();
  return device;
}

Device::~Device() {
  if (!a_device_is_open) return;
  bgfx::shutdown();
  a_device_is_open = false;
}

int Device::max_texture_size() const {
  return static_cast<int>(bgfx::getCaps()->limits.maxTextureSize);
}

void Device::resize(int width, int height) {
  if (width == width_ && height == height_) return;
  width_ = width;
  height_ = height;
  // A minimised window keeps its last buffers: a swap chain cannot be empty.
  if (drawable()) bgfx::reset(static_cast<uint32_t>(width), static_cast<uint32_t>(height), reset_);
}

uint32_t Device::end_frame() { return bgfx::frame(); }

DeviceCounts Device::counts() const {
  const DeviceCounts now = count_now();
  DeviceCounts more = now;
  more.vertex_buffers -= at_start_.vertex_buffers;
  more.index_buffers -= at_start_.index_buffers;
  more.dynamic_vertex_buffers -= at_start_.dynamic_vertex_buffers;
  more.textures -= at_start_.textures;
  more.frame_buffers -= at_start_.frame_buffers;
  more.programs -= at_start_.programs;
  more.shaders -= at_start_.shaders;
  more.uniforms -= at_start_.uniforms;
  more.layouts -= at_start_.layouts;
  return more;
}

}  // namespace sinew::render
