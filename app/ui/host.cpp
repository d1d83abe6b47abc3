#include "app/ui/host.h"

#include <imgui_internal.h>
#include <imnodes.h>
#include <implot.h>

#include <algorithm>
#include <chrono>
#include <unordered_map>

#include "app/ui/keys.h"
#include "app/ui/landmarks.h"
#include "render/letters.h"

namespace sinew::ui {
namespace {

static_assert(sizeof(ImDrawVert) == sizeof(render::InterfaceVertex));
static_assert(sizeof(ImDrawIdx) == sizeof(uint32_t));

int button_number(MouseButton button) {
  switch (button) {
    case MouseButton::left:
      return 0;
    case MouseButton::right:
      return 1;
    case MouseButton::middle:
      return 2;
    case MouseButton::none:
      break;
  }
  return -1;
}

Pointer pointer_of(ImGuiMouseCursor cursor) {
  switch (cursor) {
    case ImGuiMouseCursor_TextInput:
      return Pointer::text;
    case ImGuiMouseCursor_ResizeAll:
      return Pointer::move;
    case ImGuiMouseCursor_ResizeEW:
      return Pointer::across;
    case ImGuiMouseCursor_ResizeNS:
      return Pointer::along;
    case ImGuiMouseCursor_ResizeNESW:
      return Pointer::slanted_up;
    case ImGuiMouseCursor_ResizeNWSE:
      return Pointer::slanted_down;
    case ImGuiMouseCursor_Hand:
      return Pointer::hand;
    case ImGuiMouseCursor_NotAllowed:
      return Pointer::forbidden;
    default:
      return Pointer::arrow;
  }
}

}  // namespace

Host::Host(render::Device& device) : layer_(device) {
  IMGUI_CHECKVERSION();
  ImGui::CreateContext();
  ImPlot::CreateContext();
  ImNodes::CreateContext();
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;  // what is remembered is in our own preferences
  io.LogFilename = nullptr;
  io.ConfigFlags |= ImGuiConfigFlags_NoMouseCursorChange;
  io.ConfigInputTrickleEventQueue = true;
  io.ConfigDebugHighlightIdConflicts = false;
  io.BackendFlags |= ImGuiBackendFlags_RendererHasTextures |
                     ImGuiBackendFlags_RendererHasVtxOffset | ImGuiBackendFlags_HasMouseCursors;
  io.BackendPlatformName = "sinew";
  io.BackendRendererName = "sinew";
  const auto font = render::font_bytes();
  ImFontConfig config;
  config.FontDataOwnedByAtlas = false;
  io.Fonts->AddFontFromMemoryTTF(const_cast<unsigned char*>(font.data()),
                                 static_cast<int>(font.size()), 0, &config);
  ImGuiPlatformIO& platform = ImGui::GetPlatformIO();
  platform.Platform_ClipboardUserData = this;
  platform.Platform_GetClipboardTextFn = [](ImGuiContext*) -> const char* {
    auto& host = *static_cast<Host*>(ImGui::GetPlatformIO().Platform_ClipboardUserData);
    host.pasted_ = host.window_clipboard_ ? Window::clipboard() : host.own_clipboard_;
    return host.pasted_.c_str();
  };
  platform.Platform_SetClipboardTextFn = [](ImGuiContext*, const char* text) {
    auto& host = *static_cast<Host*>(ImGui::GetPlatformIO().Platform_ClipboardUserData);
    if (host.window_clipboard_)
      Window::set_clipboard(text);
    else
      host.own_clipboard_ = text;
  };
}

Host::~Host() {
  for (ImTextureData* texture : ImGui::GetPlatformIO().Textures) {
    if (texture->GetTexID() != ImTextureID_Invalid) layer_.remove_texture(texture->GetTexID());
    texture->SetTexID(ImTextureID_Invalid);
    texture->SetStatus(ImTextureStatus_Destroyed);
  }
  ImNodes::DestroyContext();
  ImPlot::DestroyContext();
  ImGui::DestroyContext();
}

void Host::set_theme(ThemeName name, float scale) {
  restyle_ = restyle_ || name != theme_ || scale != scale_;
  theme_ = name;
  scale_ = scale;
}

void Host::use_window_clipboard() { window_clipboard_ = true; }

namespace {

// What is held means something for these.
bool is_input(const WindowEvent& e) {
  return e.kind >= WindowEvent::key && e.kind <= WindowEvent::wheel;
}

bool does_something(const WindowEvent& e) {
  return e.kind == WindowEvent::key || e.kind == WindowEvent::press ||
         e.kind == WindowEvent::release || e.kind == WindowEvent::wheel;
}

bool same_held(const WindowEvent& a, const WindowEvent& b) {
  return a.ctrl == b.ctrl && a.shift == b.shift && a.alt == b.alt;
}

}  // namespace

void Host::feed(const WindowEvent& e) { waiting_.push_back(e); }

// Where frames are slow, many events come in one, and Dear ImGui sees only how things are at its
// end. So a frame ends where something would be missed:
//   - what is held changes after something was done: Ctrl+Z, though Ctrl was let go at once;
//   - a button is let go after the mouse has moved: a drag is seen at its end with the button down.
void Host::hand_on() {
  std::size_t count = 0;
  const WindowEvent* deed = nullptr;
  trail_.clear();
  for (; count < waiting_.size(); ++count) {
    const WindowEvent& e = waiting_[count];
    if (deed && is_input(e) && !same_held(e, *deed)) break;
    if (e.kind == WindowEvent::release && !trail_.empty()) break;
    if (e.kind == WindowEvent::move && deed) break;
    if (does_something(e)) deed = &e;
    if (e.kind == WindowEvent::move) trail_.emplace_back(e.x, e.y);
    if (e.kind == WindowEvent::key) ++keys_;
    hand_on(e);
  }
  waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(count));
}

void Host::hand_on(const WindowEvent& e) {
  ImGuiIO& io = ImGui::GetIO();
  if (is_input(e)) {
    io.AddKeyEvent(ImGuiMod_Ctrl, e.ctrl);
    io.AddKeyEvent(ImGuiMod_Shift, e.shift);
    io.AddKeyEvent(ImGuiMod_Alt, e.alt);
  }
  switch (e.kind) {
    case WindowEvent::key:
    case WindowEvent::key_up:
      // A key that is held down repeats by Dear ImGui's own clock.
      if (const ImGuiKey key = key_from_name(e.key_name); key != ImGuiKey_None && !e.repeated)
        io.AddKeyEvent(key, e.kind == WindowEvent::key);
      break;
    case WindowEvent::text:
      io.AddInputCharactersUTF8(e.content.c_str());
      break;
    case WindowEvent::press:
    case WindowEvent::release:
      io.AddMousePosEvent(e.x, e.y);
      if (const int button = button_number(e.button); button >= 0)
        io.AddMouseButtonEvent(button, e.kind == WindowEvent::press);
      break;
    case WindowEvent::move:
      io.AddMousePosEvent(e.x, e.y);
      break;
    case WindowEvent::wheel:
      io.AddMouseWheelEvent(e.dx, e.dy);
      break;
    case WindowEvent::focus:
      io.AddFocusEvent(e.focused);
      break;
    default:
      break;
  }
}

namespace {

// Escape closes what was opened last, a menu with all below it. What is typed into or dragged is
// left first; a dialog hears the key itself.
void close_by_escape() {
  ImGuiContext& g = *ImGui::GetCurrentContext();
  if (g.OpenPopupStack.empty() || g.ActiveId != 0 || !ImGui::IsKeyPressed(ImGuiKey_Escape, false))
    return;
  int level = g.OpenPopupStack.Size - 1;
  const auto flags = [&](int at) {
    const ImGuiWindow* window = g.OpenPopupStack[at].Window;
    return window ? window->Flags : 0;
  };
  if (flags(level) & ImGuiWindowFlags_Modal) return;
  while (level > 0 && (flags(level) & ImGuiWindowFlags_ChildMenu)) --level;
  ImGui::ClosePopupToLevel(level, true);
  // Nothing else hears it in this frame.
  ImGui::SetKeyOwner(ImGuiKey_Escape, ImHashStr("escape"), ImGuiInputFlags_LockThisFrame);
}

}  // namespace

void Host::begin_frame(int width, int height, double seconds) {
  ImGuiIO& io = ImGui::GetIO();
  if (restyle_) apply_theme(theme_, scale_);
  restyle_ = false;
  io.DisplaySize = ImVec2(static_cast<float>(width), static_cast<float>(height));
  io.DeltaTime = static_cast<float>(std::clamp(seconds, 1e-4, 0.25));
  frame_.width = width;
  frame_.height = height;
  landmarks().clear();
  // What Dear ImGui itself has left of the last frame's events comes first.
  if (ImGui::GetCurrentContext()->InputEventsQueue.empty())
    hand_on();
  else
    trail_.clear();
  ImGui::NewFrame();
  close_by_escape();
}

void Host::end_frame() {
  ImGui::Render();
  update_textures();
  gather();
}

// Letters are drawn into the atlas when they are first needed; only what is new is sent.
void Host::update_textures() {
  for (ImTextureData* texture : ImGui::GetPlatformIO().Textures) {
    if (texture->Status == ImTextureStatus_WantCreate) {
      texture->SetTexID(layer_.add_texture(texture->Width, texture->Height,
                                           static_cast<const uint8_t*>(texture->GetPixels()),
                                           texture->GetPitch()));
      texture->SetStatus(ImTextureStatus_OK);
    } else if (texture->Status == ImTextureStatus_WantUpdates) {
      for (const ImTextureRect& r : texture->Updates)
        layer_.update_texture(texture->GetTexID(), r.x, r.y, r.w, r.h,
                              static_cast<const uint8_t*>(texture->GetPixelsAt(r.x, r.y)),
                              texture->GetPitch());
      texture->SetStatus(ImTextureStatus_OK);
    } else if (texture->Status == ImTextureStatus_WantDestroy && texture->UnusedFrames > 2) {
      layer_.remove_texture(texture->GetTexID());
      texture->SetTexID(ImTextureID_Invalid);
      texture->SetStatus(ImTextureStatus_Destroyed);
    }
  }
}

void Host::gather() {
  frame_.lists.clear();
  for (const ImDrawList* list : ImGui::GetDrawData()->CmdLists) {
    render::InterfaceList& out = frame_.lists.emplace_back();
    out.vertices = {reinterpret_cast<const render::InterfaceVertex*>(list->VtxBuffer.Data),
                    static_cast<std::size_t>(list->VtxBuffer.Size)};
    out.indices = {list->IdxBuffer.Data, static_cast<std::size_t>(list->IdxBuffer.Size)};
    for (const ImDrawCmd& c : list->CmdBuffer) {
      if (c.UserCallback) continue;
      out.draws.push_back({c.IdxOffset,
                           c.ElemCount,
                           c.VtxOffset,
                           {c.ClipRect.x, c.ClipRect.y, c.ClipRect.z, c.ClipRect.w},
                           c.GetTexID()});
    }
  }
}

void Host::present() {
  const auto before = std::chrono::steady_clock::now();
  layer_.show(frame_);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - before;
  present_seconds_ = took.count();
}

std::optional<render::Picture> Host::capture(std::string& error) {
  return layer_.capture(frame_, error);
}

Pointer Host::pointer() const { return pointer_of(ImGui::GetMouseCursor()); }

bool Host::wants_keys() const { return ImGui::GetIO().WantTextInput; }

bool Host::restless() const {
  return ImGui::GetIO().WantTextInput || !waiting_.empty() ||
         ImGui::GetCurrentContext()->InputEventsQueue.Size > 0 || ImGui::IsAnyMouseDown();
}

int Host::vertex_count() const {
  std::size_t sum = 0;
  for (const render::InterfaceList& list : frame_.lists) sum += list.vertices.size();
  return static_cast<int>(sum);
}

Texture::Texture(render::InterfaceLayer& layer, const render::Picture& picture)
    : layer_(&layer), width_(picture.width), height_(picture.height) {
  if (!picture.empty())
    id_ = layer.add_texture(picture.width, picture.height, picture.rgba.data(), 4 * picture.width);
}

Texture& Texture::operator=(Texture&& other) noexcept {
  if (this == &other) return *this;
  reset();
  layer_ = other.layer_;
  id_ = std::exchange(other.id_, 0);
  width_ = other.width_;
  height_ = other.height_;
  return *this;
}

void Texture::reset() {
  if (id_ != 0) layer_->remove_texture(id_);
  id_ = 0;
}

}  // namespace sinew::ui
