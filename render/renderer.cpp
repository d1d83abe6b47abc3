#include "render/renderer.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>

#include "render/colour_maps.h"
#include "render/instances.h"
#include "render/overlays.h"
#include "render/programs.h"
#include "render/sheet.h"
#include "render/signs.h"
#include "render/studio.h"
#include "render/targets.h"

namespace sinew::render {
namespace {

using Eigen::Matrix4f;
using Eigen::Vector3f;

// The order of passes.
enum ViewNumber : bgfx::ViewId {
  shadow_view,
  sky_view,
  scene_view,
  page_view,
  read_view,
  window_view
};

// A picture larger than this is drawn in pieces, so that no graphics card needs memory for all of
// it at once.
constexpr int largest_tile = 2048;

// A piece of a picture, in its pixels from the upper left.
struct Tile {
  int x = 0, y = 0, width = 0, height = 0;
};

Owned<bgfx::TextureHandle> make_maps() {
  const auto [memory, texels] =
      frame_memory<std::array<uint8_t, 4>>(draw::colour_map_count * map_steps);
  for (int m = 0; m < draw::colour_map_count; ++m)
    for (int k = 0; k < map_steps; ++k) {
      const auto& c = colour_map(static_cast<draw::ColourMap>(m))[k];
      texels[m * map_steps + k] = {c[0], c[1], c[2], 255};
    }
  return Owned(bgfx::createTexture2D(map_steps, draw::colour_map_count, false, 1,
                                     bgfx::TextureFormat::RGBA8,
                                     BGFX_SAMPLER_U_CLAMP | BGFX_SAMPLER_V_CLAMP, memory));
}

Owned<bgfx::TextureHandle> make_letters_texture(const Letters& letters) {
  return Owned(bgfx::createTexture2D(
      static_cast<uint16_t>(letters.atlas_width()), static_cast<uint16_t>(letters.atlas_height()),
      false, 1, bgfx::TextureFormat::R8,
      BGFX_SAMPLER_U_CLAMP | BGFX_SAMPLER_V_CLAMP | BGFX_SAMPLER_MIN_POINT | BGFX_SAMPLER_MAG_POINT,
      bgfx::copy(letters.atlas().data(), static_cast<uint32_t>(letters.atlas().size()))));
}

}  // namespace

struct Renderer::Parts {
  explicit Parts(Device& d) : device(d) {
    bgfx::VertexLayout place;
    place.begin().add(bgfx::Attrib::Position, 3, bgfx::AttribType::Float).end();
    sheet_layout.begin()
        .add(bgfx::Attrib::Position, 3, bgfx::AttribType::Float)
        .add(bgfx::Attrib::TexCoord0, 2, bgfx::AttribType::Float)
        .add(bgfx::Attrib::Color0, 4, bgfx::AttribType::Uint8, true)
        .end();
    kept_sheet_layout = Owned(bgfx::createVertexLayout(sheet_layout));
    const float triangle[9] = {-1, -1, 0, 3, -1, 0, -1, 3, 0};
    screen = Owned(bgfx::createVertexBuffer(bgfx::copy(triangle, sizeof triangle), place));
    floor_layout = place;
    deep = bgfx::getCaps()->homogeneousDepth;
    upside_down = bgfx::getCaps()->originBottomLeft;
  }

  // What all tiles of a picture of width x height share: buffers, signs, light.
  void gather(const draw::DrawList& list, const View& view, int width, int height,
              FrameReport& report);
  // One frame of one tile of what was gathered.
  void draw(const draw::DrawList& list, const View& view, int width, int height, const Tile& tile,
            FrameReport& report);
  void set_scene_uniforms(const View& view, int width, int height, const Tile& tile);
  void draw_depth(const draw::DrawList& list, bgfx::ViewId view, const ShadowTarget& target,
                  const DepthView& from);
  void draw_backdrop();
  void draw_floor(const View& view);
  void draw_bodies(const draw::DrawList& list, const Look& look, bool veiled);
  void draw_body(const draw::Mesh& mesh, const MeshEntry& entry, const draw::DrawList& list,
                 const Look& look, bool veiled);
  void draw_page();
  void use_letters(float scale);
  void copy_page_to_window();
  bool is_veil(const draw::Mesh& mesh, const Look& look) const {
    return mesh.colour.a < 1 || look.shading == Shading::veil;
  }
  void bind_light() const {
    bgfx::setTexture(0, *uniforms.shadow_map, shadow.depth());
    bgfx::setTexture(2, *uniforms.sky_map, sky.depth());
  }

  Device& device;
  bool deep = false, upside_down = false;
  Programs programs;
  Uniforms uniforms;
  ShadowTarget shadow{ShadowTarget::key_texels}, sky{ShadowTarget::sky_texels};
  std::unique_ptr<PageTarget> page;
  MeshStore meshes;
  Instances instances;
  Owned<bgfx::VertexBufferHandle> screen;
  Owned<bgfx::TextureHandle> maps = make_maps();
  bgfx::VertexLayout sheet_layout, floor_layout;
  // Only frames' own memory has this layout: unless it is ours, bgfx keeps it until it ends.
  Owned<bgfx::VertexLayoutHandle> kept_sheet_layout;
  std::unique_ptr<Letters> letters;
  Owned<bgfx::TextureHandle> letters_texture;
  float letters_scale = 0;
  Sheet sheet;

  // Of the frame that is being drawn.
  std::vector<const MeshEntry*> entries;
  std::vector<draw::Label> labels;
  Studio studio;
  Box box;
  std::vector<uint8_t> read_bytes;
};

void Renderer::Parts::use_letters(float scale) {
  if (letters && scale == letters_scale) return;
  letters_scale = scale;
  letters = std::make_unique<Letters>(std::round(17 * scale));
  letters_texture = make_letters_texture(*letters);
}

void Renderer::Parts::gather(const draw::DrawList& list, const View& view, int width, int height,
                             FrameReport& report) {
  entries = meshes.prepare(list.meshes);
  report.problems.clear();
  box.setEmpty();
  box.extend(bounds_without_meshes(list));
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (!entries[i]->problem.empty())
      report.problems.push_back(
          fmt::format("'{}' is not drawn: {}", list.meshes[i].source, entries[i]->problem));
    else
      box.extend(entries[i]->box);
  }
  const draw::DrawList extra = overlays_of(list, entries, view.look, box);
  const float scale = sign_scale(view.look, width, height);
  use_letters(scale);
  instances.clear();
  instances.add(list, scale);
  instances.add(extra, scale);

  studio = Studio(box, view.camera, view.floor, view.look.has(Overlay::ground), deep, upside_down);
  sheet.clear();
  labels.assign(list.labels.begin(), list.labels.end());
  labels.insert(labels.end(), extra.labels.begin(), extra.labels.end());
  write_signs(list.scales, labels, view.camera, view.look, width, height, *letters, sheet);
}

void Renderer::Parts::draw(const draw::DrawList& list, const View& view, int width, int height,
                           const Tile& tile, FrameReport& report) {
  draw_depth(list, shadow_view, shadow, studio.key());
  draw_depth(list, sky_view, sky, studio.sky());
  set_scene_uniforms(view, width, height, tile);
  draw_backdrop();
  draw_bodies(list, view.look, false);
  instances.submit_opaque(scene_view, programs, [&] { bind_light(); });
  draw_floor(view);
  draw_bodies(list, view.look, true);
  instances.submit_rest(scene_view, programs, [&] { bind_light(); });
  const bool first = tile.x == 0 && tile.y == 0;  // the others leave out the same
  if (first && instances.left_out() > 0)
    report.problems.push_back(fmt::format(
        "{} lines, points or glyphs are not drawn: there are too many", instances.left_out()));
  draw_page();
}

void Renderer::Parts::set_scene_uniforms(const View& view, int width, int height,
                                         const Tile& tile) {
  const Camera& camera = view.camera;
  const float aspect = static_cast<float>(width) / static_cast<float>(height);
  Matrix4f projection = camera.projection(aspect, studio.seen(), deep);
  // The tile's part of the picture fills the whole of what is drawn into.
  const auto w = static_cast<float>(width), h = static_cast<float>(height);
  const auto tw = static_cast<float>(tile.width), th = static_cast<float>(tile.height);
  const float middle_x = (2 * static_cast<float>(tile.x) + tw) / w - 1;
  const float middle_y = 1 - (2 * static_cast<float>(tile.y) + th) / h;
  Matrix4f crop = Matrix4f::Identity();
  crop(0, 0) = w / tw;
  crop(1, 1) = h / th;
  crop(0, 3) = -middle_x * w / tw;
  crop(1, 3) = -middle_y * h / th;
  projection = crop * projection;
  const Matrix4f to_camera = camera.view();
  bgfx::setViewName(scene_view, "scene");
  bgfx::setViewMode(scene_view, bgfx::ViewMode::Sequential);
  bgfx::setViewFrameBuffer(scene_view, page->scene());
  bgfx::setViewRect(scene_view, 0, 0, page->width(), page->height());
  bgfx::setViewClear(scene_view, BGFX_CLEAR_COLOR | BGFX_CLEAR_DEPTH, 0xFFFFFFFF, 1.0f, 0);
  bgfx::setViewTransform(scene_view, to_camera.data(), projection.data());

  const Vector3f eye = camera.parallel ? camera.back() : camera.eye();
  uniforms.eye.set(eye.x(), eye.y(), eye.z(), camera.parallel ? 1.0f : 0.0f);
  const Vector3f lift = camera.parallel ? Vector3f(camera.distance * camera.back()) : eye;
  uniforms.lift.set(lift.x(), lift.y(), lift.z(), camera.parallel ? 1.0f : 0.0f);
  uniforms.lights.set(studio.lights().data());
  uniforms.to_shadow.set(studio.key().to_map.data());
  uniforms.to_sky.set(studio.sky().to_map.data());
  uniforms.sky.set(studio.sky_numbers().data());
  uniforms.shadow.set(studio.shadow().data());
  uniforms.floor.set(studio.floor().data());
  uniforms.raster.set(static_cast<float>(tile.x), static_cast<float>(tile.y), th,
                      upside_down ? 1.0f : 0.0f);
  uniforms.tile.set(static_cast<float>(tile.x) / w, 1 - (static_cast<float>(tile.y) + th) / h,
                    tw / w, th / h);
  const draw::Rgba &a = view.look.above, &b = view.look.below;
  const float backdrop[8] = {a.r, a.g, a.b, 1, b.r, b.g, b.b, 1};
  uniforms.backdrop.set(backdrop);
  uniforms.screen.set(tw, th, 1 / tw, 1 / th);
  uniforms.corner.set(static_cast<float>(tile.x), static_cast<float>(tile.y));
  uniforms.flip.set(upside_down ? 1.0f : 0.0f);
}

void Renderer::Parts::draw_depth(const draw::DrawList& list, bgfx::ViewId view,
                                 const ShadowTarget& target, const DepthView& from) {
  bgfx::setViewName(view, view == sky_view ? "sky" : "shadow");
  bgfx::setViewFrameBuffer(view, target.buffer());
  bgfx::setViewRect(view, 0, 0, target.texels(), target.texels());
  bgfx::setViewClear(view, BGFX_CLEAR_DEPTH, 0, 1.0f, 0);
  bgfx::setViewTransform(view, from.view.data(), from.projection.data());
  bgfx::touch(view);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const MeshEntry& e = *entries[i];
    if (!e.problem.empty() || e.triangles == 0) continue;
    if (!list.meshes[i].casts || list.meshes[i].colour.a < 1) continue;
    bgfx::setVertexBuffer(0, *e.corners);
    bgfx::setState(BGFX_STATE_WRITE_Z | BGFX_STATE_DEPTH_TEST_LESS);
    bgfx::submit(view, *programs.shadow);
  }
}

void Renderer::Parts::draw_backdrop() {
  bgfx::setVertexBuffer(0, *screen);
  bgfx::setState(BGFX_STATE_WRITE_RGB | BGFX_STATE_WRITE_A);
  bind_light();
  bgfx::submit(scene_view, *programs.backdrop);
}

void Renderer::Parts::draw_floor(const View& view) {
  const bool grid = view.look.has(Overlay::grid);
  if (box.isEmpty() || !(view.look.has(Overlay::ground) || grid)) return;
  // From below a floor would hide everything.
  const float fades = studio.floor_fade(view.camera);
  if (fades <= 0 || bgfx::getAvailTransientVertexBuffer(6, floor_layout) < 6) return;
  bgfx::TransientVertexBuffer buffer;
  bgfx::allocTransientVertexBuffer(&buffer, 6, floor_layout);
  const std::array<Vector3f, 6> corners = studio.floor_corners();
  std::memcpy(buffer.data, corners.data(), sizeof corners);
  bgfx::setVertexBuffer(0, &buffer);
  uniforms.ruling.set(studio.ruling(), grid ? 1.0f : 0.0f, studio.floor_radius(), fades);
  const Vector3f middle = box.center();
  uniforms.middle.set(middle.x(), middle.y(), middle.z());
  bind_light();
  bgfx::setState(BGFX_STATE_WRITE_RGB | BGFX_STATE_WRITE_Z | BGFX_STATE_DEPTH_TEST_LESS |
                 BGFX_STATE_MSAA);
  bgfx::submit(scene_view, *programs.floor);
}

void Renderer::Parts::draw_bodies(const draw::DrawList& list, const Look& look, bool veiled) {
  for (std::size_t i = 0; i < entries.size(); ++i)
    if (entries[i]->problem.empty() && entries[i]->triangles > 0 &&
        is_veil(list.meshes[i], look) == veiled)
      draw_body(list.meshes[i], *entries[i], list, look, veiled);
}

void Renderer::Parts::draw_body(const draw::Mesh& mesh, const MeshEntry& entry,
                                const draw::DrawList& list, const Look& look, bool veiled) {
  // The enum's order and the shader's modes: clay, facets, normals, unlit; a veil is lit as clay.
  const float mode = veiled ? 0.0f : static_cast<float>(look.shading);
  const bool coloured = !mesh.values.empty() && mesh.scale >= 0 &&
                        mesh.scale < static_cast<int>(list.scales.size()) && entry.values;
  uniforms.colour.set(mesh.colour.r, mesh.colour.g, mesh.colour.b, mesh.colour.a);
  uniforms.shade.set(mode, mesh.flat ? 1.0f : 0.0f, coloured ? 1.0f : 0.0f, veiled ? 1.0f : 0.0f);
  if (coloured) {
    const draw::ColourScale& s = list.scales[mesh.scale];
    uniforms.scale.set(s.low, 1 / std::max(s.high - s.low, 1e-30f), map_row(s.map));
  }
  const bool wire = look.has(Overlay::wire);
  uniforms.wire.set(1.1f * letters_scale, wire ? 0.85f : 0.0f);
  bgfx::setVertexBuffer(0, *entry.corners);
  bgfx::setVertexBuffer(1, **entry.edges);
  if (coloured) bgfx::setVertexBuffer(2, *entry.values);
  bind_light();
  bgfx::setTexture(1, *uniforms.maps, *maps);
  uint64_t state = BGFX_STATE_WRITE_RGB | BGFX_STATE_DEPTH_TEST_LEQUAL | BGFX_STATE_MSAA;
  state |= veiled ? BGFX_STATE_BLEND_ALPHA : BGFX_STATE_WRITE_Z;
  bgfx::setState(state);
  bgfx::submit(scene_view, *programs.mesh);
}

void Renderer::Parts::draw_page() {
  bgfx::setViewName(page_view, "page");
  bgfx::setViewMode(page_view, bgfx::ViewMode::Sequential);
  bgfx::setViewFrameBuffer(page_view, page->page());
  bgfx::setViewRect(page_view, 0, 0, page->width(), page->height());
  bgfx::setVertexBuffer(0, *screen);
  bgfx::setTexture(0, *uniforms.picture, page->scene_colour());
  bgfx::setState(BGFX_STATE_WRITE_RGB | BGFX_STATE_WRITE_A);
  bgfx::submit(page_view, *programs.copy);

  const std::vector<SheetVertex>& vertices = sheet.vertices();
  const uint32_t there =
      bgfx::getAvailTransientVertexBuffer(static_cast<uint32_t>(vertices.size()), sheet_layout) /
      6 * 6;
  if (there == 0) return;
  bgfx::TransientVertexBuffer buffer;
  bgfx::allocTransientVertexBuffer(&buffer, there, sheet_layout);
  std::memcpy(buffer.data, vertices.data(), there * sizeof(SheetVertex));
  bgfx::setVertexBuffer(0, &buffer);
  bgfx::setTexture(0, *uniforms.letters, *letters_texture);
  bgfx::setTexture(1, *uniforms.maps, *maps);
  bgfx::setState(BGFX_STATE_WRITE_RGB | BGFX_STATE_BLEND_ALPHA);
  bgfx::submit(page_view, *programs.sheet);
}

void Renderer::Parts::copy_page_to_window() {
  bgfx::setViewName(window_view, "window");
  bgfx::setViewFrameBuffer(window_view, BGFX_INVALID_HANDLE);
  bgfx::setViewRect(window_view, 0, 0, page->width(), page->height());
  bgfx::setVertexBuffer(0, *screen);
  bgfx::setTexture(0, *uniforms.picture, page->page_colour());
  bgfx::setState(BGFX_STATE_WRITE_RGB | BGFX_STATE_WRITE_A);
  bgfx::submit(window_view, *programs.copy);
}

Renderer::Renderer(Device& device) : parts_(std::make_unique<Parts>(device)) {}

// What bgfx was asked to let go of goes with the next two frames.
Renderer::~Renderer() {
  Device& device = parts_->device;
  parts_.reset();
  device.end_frame();
  device.end_frame();
}

const UploadCounts& Renderer::uploads() const { return parts_->meshes.uploads(); }

namespace {

void fit(std::unique_ptr<PageTarget>& page, int width, int height) {
  if (page && page->width() == width && page->height() == height) return;
  page.reset();
  page = std::make_unique<PageTarget>(static_cast<uint16_t>(width), static_cast<uint16_t>(height));
}

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// Rows of a tile into the picture, the right way up.
void put_tile(const std::vector<uint8_t>& bytes, const Tile& tile, bool upside_down, Picture& out) {
  const std::size_t row_bytes = 4 * static_cast<std::size_t>(tile.width);
  for (int row = 0; row < tile.height; ++row) {
    const int from = upside_down ? tile.height - 1 - row : row;
    uint8_t* to = &out.rgba[4 * (static_cast<std::size_t>(tile.y + row) * out.width + tile.x)];
    std::memcpy(to, &bytes[from * row_bytes], row_bytes);
  }
}

}  // namespace

FrameReport Renderer::show(const draw::DrawList& list, const View& view) {
  FrameReport report;
  Parts& p = *parts_;
  const bool without_window = p.device.backend() == Backend::noop && !p.device.has_window();
  const int width = without_window ? 1280 : p.device.width();
  const int height = without_window ? 720 : p.device.height();
  if (width <= 0 || height <= 0) return report;
  fit(p.page, std::min(width, p.device.max_texture_size()),
      std::min(height, p.device.max_texture_size()));
  const auto begin = std::chrono::steady_clock::now();
  const Tile whole{0, 0, p.page->width(), p.page->height()};
  p.gather(list, view, whole.width, whole.height, report);
  p.draw(list, view, whole.width, whole.height, whole, report);
  p.copy_page_to_window();
  report.seconds = seconds_since(begin);
  p.device.end_frame();
  return report;
}

Renderer::Page Renderer::paint(const draw::DrawList& list, const View& view, int width, int height,
                               FrameReport& report) {
  Parts& p = *parts_;
  if (width <= 0 || height <= 0) return {};
  fit(p.page, std::min(width, p.device.max_texture_size()),
      std::min(height, p.device.max_texture_size()));
  const auto begin = std::chrono::steady_clock::now();
  const Tile whole{0, 0, p.page->width(), p.page->height()};
  p.gather(list, view, whole.width, whole.height, report);
  p.draw(list, view, whole.width, whole.height, whole, report);
  report.seconds = seconds_since(begin);
  return {uint64_t{p.page->page_colour().idx} + 1, p.upside_down};
}

std::optional<Picture> Renderer::picture(const draw::DrawList& list, const View& view, int width,
                                         int height, FrameReport& report, std::string& error) {
  Parts& p = *parts_;
  if (width < 1 || height < 1 || width > most_pixels || height > most_pixels) {
    error = fmt::format("a picture of {} x {} pixels cannot be made: each side may be 1 to {}",
                        width, height, most_pixels);
    return std::nullopt;
  }
  const uint64_t needed = BGFX_CAPS_TEXTURE_BLIT | BGFX_CAPS_TEXTURE_READ_BACK;
  if (p.device.backend() == Backend::noop || (bgfx::getCaps()->supported & needed) != needed) {
    error = "this renderer makes no pictures; choose --renderer vulkan or opengl";
    return std::nullopt;
  }
  Picture out;
  out.width = width;
  out.height = height;
  out.rgba.resize(4 * static_cast<std::size_t>(width) * height);
  const int tile_size = std::min(largest_tile, p.device.max_texture_size());
  const int tile_width = std::min(width, tile_size), tile_height = std::min(height, tile_size);
  fit(p.page, tile_width, tile_height);
  p.read_bytes.resize(4 * static_cast<std::size_t>(tile_width) * tile_height);
  const auto gathering = std::chrono::steady_clock::now();
  p.gather(list, view, width, height, report);
  report.seconds = seconds_since(gathering);
  for (int y = 0; y < height; y += tile_height)
    for (int x = 0; x < width; x += tile_width) {
      // The last ones of a row or column overlap those before them, so that all have one size.
      const Tile tile{std::min(x, width - tile_width), std::min(y, height - tile_height),
                      tile_width, tile_height};
      const auto begin = std::chrono::steady_clock::now();
      p.draw(list, view, width, height, tile, report);
      bgfx::blit(read_view, p.page->read_back(), 0, 0, p.page->page_colour());
      const uint32_t ready = bgfx::readTexture(p.page->read_back(), p.read_bytes.data());
      report.seconds += seconds_since(begin);
      while (p.device.end_frame() < ready) {
      }
      put_tile(p.read_bytes, tile, p.upside_down, out);
    }
  return out;
}

}  // namespace sinew::render
