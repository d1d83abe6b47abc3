// What is drawn into: the maps of depth that light and shadow ask, the scene with four samples a
// pixel, and the page, on which the scene's samples are averaged and the signs are written. The
// page is shown in the window, or read back as a picture.
#pragma once

#include "render/gpu.h"

namespace sinew::render {

class ShadowTarget {
 public:
  static constexpr uint16_t key_texels = 2048, sky_texels = 512;
  explicit ShadowTarget(uint16_t texels);
  uint16_t texels() const { return texels_; }
  bgfx::FrameBufferHandle buffer() const { return *buffer_; }
  bgfx::TextureHandle depth() const { return *depth_; }

 private:
  uint16_t texels_;
  Owned<bgfx::TextureHandle> depth_;
  Owned<bgfx::FrameBufferHandle> buffer_;
};

class PageTarget {
 public:
  PageTarget(uint16_t width, uint16_t height);

  uint16_t width() const { return width_; }
  uint16_t height() const { return height_; }
  bgfx::FrameBufferHandle scene() const { return *scene_; }
  bgfx::TextureHandle scene_colour() const { return bgfx::getTexture(*scene_); }
  bgfx::FrameBufferHandle page() const { return *page_; }
  bgfx::TextureHandle page_colour() const { return bgfx::getTexture(*page_); }
  // Made when it is first asked for: windows are never read back.
  bgfx::TextureHandle read_back();

 private:
  uint16_t width_, height_;
  Owned<bgfx::FrameBufferHandle> scene_, page_;
  Owned<bgfx::TextureHandle> read_back_;
};

}  // namespace sinew::render
