#include "render/targets.h"

namespace sinew::render {
namespace {

constexpr uint64_t clamped = BGFX_SAMPLER_U_CLAMP | BGFX_SAMPLER_V_CLAMP;
constexpr uint64_t unfiltered = clamped | BGFX_SAMPLER_MIN_POINT | BGFX_SAMPLER_MAG_POINT;

// The best depth format that the machine has.
bgfx::TextureFormat::Enum depth_format(uint64_t flags) {
  for (const auto format : {bgfx::TextureFormat::D32F, bgfx::TextureFormat::D24})
    if (bgfx::isTextureValid(0, false, 1, format, flags)) return format;
  return bgfx::TextureFormat::D24S8;
}

}  // namespace

ShadowTarget::ShadowTarget(uint16_t texels) : texels_(texels) {
  constexpr uint64_t flags = BGFX_TEXTURE_RT | unfiltered;
  depth_ = Owned(bgfx::createTexture2D(texels, texels, false, 1, depth_format(flags), flags));
  const bgfx::TextureHandle texture = *depth_;
  buffer_ = Owned(bgfx::createFrameBuffer(1, &texture, false));
}

PageTarget::PageTarget(uint16_t width, uint16_t height) : width_(width), height_(height) {
  constexpr uint64_t depth_flags = BGFX_TEXTURE_RT_MSAA_X4 | BGFX_TEXTURE_RT_WRITE_ONLY;
  const bgfx::TextureHandle textures[2] = {
      bgfx::createTexture2D(width, height, false, 1, bgfx::TextureFormat::RGBA8,
                            BGFX_TEXTURE_RT_MSAA_X4 | unfiltered),
      bgfx::createTexture2D(width, height, false, 1, depth_format(depth_flags), depth_flags)};
  scene_ = Owned(bgfx::createFrameBuffer(2, textures, true));
  const bgfx::TextureHandle page = bgfx::createTexture2D(
      width, height, false, 1, bgfx::TextureFormat::RGBA8, BGFX_TEXTURE_RT | unfiltered);
  page_ = Owned(bgfx::createFrameBuffer(1, &page, true));
}

bgfx::TextureHandle PageTarget::read_back() {
  if (!read_back_)
    read_back_ =
        Owned(bgfx::createTexture2D(width_, height_, false, 1, bgfx::TextureFormat::RGBA8,
                                    BGFX_TEXTURE_BLIT_DST | BGFX_TEXTURE_READ_BACK | unfiltered));
  return *read_back_;
}

}  // namespace sinew::render
