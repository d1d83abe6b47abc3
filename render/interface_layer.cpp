#include "render/interface_layer.h"

#include <algorithm>
#include <cstring>
#include <map>

#include "render/gpu.h"
#include "render/programs.h"

namespace sinew::render {
namespace {

// Behind all views of the scene.
enum ViewNumber : bgfx::ViewId { interface_view = 16, capture_view = 17, capture_read_view = 18 };

constexpr uint64_t clamped = BGFX_SAMPLER_U_CLAMP | BGFX_SAMPLER_V_CLAMP;

const bgfx::Memory* packed_rows(int width, int height, const uint8_t* rgba, int stride) {
  const auto row = static_cast<std::size_t>(4 * width);
  const auto [memory, bytes] = frame_memory<uint8_t>(row * static_cast<std::size_t>(height));
  for (int y = 0; y < height; ++y)
    std::memcpy(bytes + row * static_cast<std::size_t>(y),
                rgba + static_cast<std::ptrdiff_t>(y) * stride, row);
  return memory;
}

}  // namespace

struct InterfaceLayer::Parts {
  explicit Parts(Device& d) : device(d) {
    layout.begin()
        .add(bgfx::Attrib::Position, 2, bgfx::AttribType::Float)
        .add(bgfx::Attrib::TexCoord0, 2, bgfx::AttribType::Float)
        .add(bgfx::Attrib::Color0, 4, bgfx::AttribType::Uint8, true)
        .end();
    constexpr uint16_t flags = BGFX_BUFFER_ALLOW_RESIZE;
    vertices = Owned(bgfx::createDynamicVertexBuffer(1024, layout, flags));
    indices = Owned(bgfx::createDynamicIndexBuffer(1024, flags | BGFX_BUFFER_INDEX32));
  }

  void send(const InterfaceFrame& frame);
  void draw(const InterfaceFrame& frame, bgfx::ViewId view, bgfx::FrameBufferHandle target) const;
  void fit_capture(int width, int height);

  Device& device;
  bgfx::VertexLayout layout;
  Program program{"vs_interface", "fs_interface"};
  Uniform screen{"u_screen"};
  Uniform picture{"s_picture", bgfx::UniformType::Sampler};
  Owned<bgfx::DynamicVertexBufferHandle> vertices;
  Owned<bgfx::DynamicIndexBufferHandle> indices;
  std::map<TextureId, Owned<bgfx::TextureHandle>> textures;
  Owned<bgfx::FrameBufferHandle> captured;
  Owned<bgfx::TextureHandle> read_back;
  int captured_width = 0, captured_height = 0;
};

// All lists in one buffer each: draws name their places in them.
void InterfaceLayer::Parts::send(const InterfaceFrame& frame) {
  std::size_t vertex_count = 0, index_count = 0;
  for (const InterfaceList& list : frame.lists) {
    vertex_count += list.vertices.size();
    index_count += list.indices.size();
  }
  if (vertex_count == 0 || index_count == 0) return;
  const auto [vertex_memory, to_vertices] = frame_memory<InterfaceVertex>(vertex_count);
  const auto [index_memory, to_indices] = frame_memory<uint32_t>(index_count);
  std::size_t v = 0, i = 0;
  for (const InterfaceList& list : frame.lists) {
    std::copy(list.vertices.begin(), list.vertices.end(), to_vertices + v);
    std::copy(list.indices.begin(), list.indices.end(), to_indices + i);
    v += list.vertices.size();
    i += list.indices.size();
  }
  bgfx::update(*vertices, 0, vertex_memory);
  bgfx::update(*indices, 0, index_memory);
}

void InterfaceLayer::Parts::draw(const InterfaceFrame& frame, bgfx::ViewId view,
                                 bgfx::FrameBufferHandle target) const {
  bgfx::setViewName(view, "interface");
  bgfx::setViewMode(view, bgfx::ViewMode::Sequential);
  bgfx::setViewFrameBuffer(view, target);
  bgfx::setViewRect(view, 0, 0, static_cast<uint16_t>(frame.width),
                    static_cast<uint16_t>(frame.height));
  bgfx::setViewClear(view, BGFX_CLEAR_COLOR, 0x000000FF);
  bgfx::touch(view);
  const auto w = static_cast<float>(frame.width), h = static_cast<float>(frame.height);
  uint32_t vertex_base = 0, index_base = 0;
  for (const InterfaceList& list : frame.lists) {
    for (const InterfaceDraw& d : list.draws) {
      const float left = std::clamp(d.clip[0], 0.0f, w), top = std::clamp(d.clip[1], 0.0f, h);
      const float right = std::clamp(d.clip[2], 0.0f, w), bottom = std::clamp(d.clip[3], 0.0f, h);
      if (right <= left || bottom <= top || d.index_count == 0 || d.texture == 0) continue;
      // One more than bgfx's own number, so that 0 means none.
      bgfx::TextureHandle texture = {static_cast<uint16_t>(d.texture - 1)};
      if (!bgfx::isValid(texture)) continue;
      screen.set(w, h, 1 / w, 1 / h);
      bgfx::setScissor(static_cast<uint16_t>(left), static_cast<uint16_t>(top),
                       static_cast<uint16_t>(right - left), static_cast<uint16_t>(bottom - top));
      bgfx::setTexture(0, *picture, texture);
      bgfx::setVertexBuffer(0, *vertices, vertex_base + d.first_vertex,
                            static_cast<uint32_t>(list.vertices.size()) - d.first_vertex);
      bgfx::setIndexBuffer(*indices, index_base + d.first_index, d.index_count);
      bgfx::setState(BGFX_STATE_WRITE_RGB | BGFX_STATE_BLEND_ALPHA);
      bgfx::submit(view, *program);
    }
    vertex_base += static_cast<uint32_t>(list.vertices.size());
    index_base += static_cast<uint32_t>(list.indices.size());
  }
}

void InterfaceLayer::Parts::fit_capture(int width, int height) {
  if (captured && width == captured_width && height == captured_height) return;
  captured_width = width;
  captured_height = height;
  const auto w = static_cast<uint16_t>(width), h = static_cast<uint16_t>(height);
  const bgfx::TextureHandle page =
      bgfx::createTexture2D(w, h, false, 1, bgfx::TextureFormat::RGBA8, BGFX_TEXTURE_RT | clamped);
  captured = Owned(bgfx::createFrameBuffer(1, &page, true));
  read_back =
      Owned(bgfx::createTexture2D(w, h, false, 1, bgfx::TextureFormat::RGBA8,
                                  BGFX_TEXTURE_BLIT_DST | BGFX_TEXTURE_READ_BACK | clamped));
}

InterfaceLayer::InterfaceLayer(Device& device) : parts_(std::make_unique<Parts>(device)) {}

InterfaceLayer::~InterfaceLayer() {
  Device& device = parts_->device;
  parts_.reset();
  device.end_frame();
  device.end_frame();
}

TextureId InterfaceLayer::add_texture(int width, int height, const uint8_t* rgba, int stride) {
  Owned<bgfx::TextureHandle> texture(bgfx::createTexture2D(static_cast<uint16_t>(width),
                                                           static_cast<uint16_t>(height), false, 1,
                                                           bgfx::TextureFormat::RGBA8, clamped));
  if (!texture) return 0;
  // Not given at creation: such a texture could not be changed.
  bgfx::updateTexture2D(*texture, 0, 0, 0, 0, static_cast<uint16_t>(width),
                        static_cast<uint16_t>(height), packed_rows(width, height, rgba, stride));
  const TextureId id = TextureId{(*texture).idx} + 1;
  parts_->textures[id] = std::move(texture);
  return id;
}

void InterfaceLayer::update_texture(TextureId texture, int x, int y, int width, int height,
                                    const uint8_t* rgba, int stride) {
  const auto found = parts_->textures.find(texture);
  if (found == parts_->textures.end() || width <= 0 || height <= 0) return;
  bgfx::updateTexture2D(*found->second, 0, 0, static_cast<uint16_t>(x), static_cast<uint16_t>(y),
                        static_cast<uint16_t>(width), static_cast<uint16_t>(height),
                        packed_rows(width, height, rgba, stride));
}

void InterfaceLayer::remove_texture(TextureId texture) { parts_->textures.erase(texture); }

void InterfaceLayer::show(const InterfaceFrame& frame) {
  Parts& p = *parts_;
  p.send(frame);
  if (p.device.has_window() && p.device.drawable())
    p.draw(frame, interface_view, BGFX_INVALID_HANDLE);
  p.device.end_frame();
}

std::optional<Picture> InterfaceLayer::capture(const InterfaceFrame& frame, std::string& error) {
  Parts& p = *parts_;
  const uint64_t needed = BGFX_CAPS_TEXTURE_BLIT | BGFX_CAPS_TEXTURE_READ_BACK;
  if (p.device.backend() == Backend::noop || (bgfx::getCaps()->supported & needed) != needed) {
    error = "this renderer makes no pictures; choose --renderer vulkan or opengl";
    return std::nullopt;
  }
  p.fit_capture(frame.width, frame.height);
  p.send(frame);
  p.draw(frame, capture_view, *p.captured);
  bgfx::blit(capture_read_view, *p.read_back, 0, 0, bgfx::getTexture(*p.captured));
  Picture out;
  out.width = frame.width;
  out.height = frame.height;
  out.rgba.resize(4 * out.pixels());
  const uint32_t ready = bgfx::readTexture(*p.read_back, out.rgba.data());
  while (p.device.end_frame() < ready) {
  }
  if (bgfx::getCaps()->originBottomLeft) {
    const auto row = static_cast<std::ptrdiff_t>(4 * out.width);
    for (int y = 0; y < out.height / 2; ++y)
      std::swap_ranges(out.rgba.begin() + row * y, out.rgba.begin() + row * (y + 1),
                       out.rgba.begin() + row * (out.height - 1 - y));
  }
  for (std::size_t i = 3; i < out.rgba.size(); i += 4) out.rgba[i] = 255;
  return out;
}

}  // namespace sinew::render
