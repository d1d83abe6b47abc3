#include "app/window/window.h"

#include <SDL2/SDL.h>
#include <SDL2/SDL_syswm.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <optional>

namespace sinew {

struct Window::Handle {
  SDL_Window* window = nullptr;
  std::array<SDL_Cursor*, 9> cursors = {};
  int held = 0;  // modifiers
  ~Handle() {
    for (SDL_Cursor* cursor : cursors)
      if (cursor) SDL_FreeCursor(cursor);
    if (window) SDL_DestroyWindow(window);
  }
};

namespace {

// SDL's number for our own event; 0 while there is no window to wake.
std::atomic<uint32_t> wake_event{0};

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

}  // namespace

bool has_display() { return !variable("DISPLAY").empty() || !variable("WAYLAND_DISPLAY").empty(); }

Result<std::unique_ptr<Window>> Window::open(const std::string& title, int width, int height,
                                             Visible visible) {
  if (!has_display()) return Error{"there is no display to open a window on"};
  SDL_SetHint(SDL_HINT_NO_SIGNAL_HANDLERS, "1");  // Ctrl-C stays ours
  // Only what there is: SDL would go on to look for others, which complain.
  const std::string x11 = variable("DISPLAY"), wayland = variable("WAYLAND_DISPLAY");
  SDL_SetHint(SDL_HINT_VIDEODRIVER, x11.empty()       ? "wayland"
                                    : wayland.empty() ? "x11"
                                                      : "x11,wayland");
  if (SDL_InitSubSystem(SDL_INIT_VIDEO) != 0)
    return Error{fmt::format("no window can be opened: the display '{}' does not answer",
                             x11.empty() ? wayland : x11)};
  std::unique_ptr<Window> window(new Window);
  window->handle_ = std::make_unique<Handle>();
  uint32_t flags = SDL_WINDOW_RESIZABLE | SDL_WINDOW_ALLOW_HIGHDPI;
  if (visible == Visible::no) flags |= SDL_WINDOW_HIDDEN;
  window->handle_->window = SDL_CreateWindow(title.c_str(), SDL_WINDOWPOS_CENTERED,
                                             SDL_WINDOWPOS_CENTERED, width, height, flags);
  if (!window->handle_->window)
    return Error{fmt::format("no window can be opened: {}", SDL_GetError())};
  if (!window->native()) return Error{"this display is neither X11 nor Wayland"};
  SDL_EventState(SDL_DROPFILE, SDL_ENABLE);
  SDL_StartTextInput();
  static const uint32_t ours = SDL_RegisterEvents(1);
  wake_event = ours;
  return window;
}

Window::~Window() {
  wake_event = 0;
  handle_.reset();
  SDL_QuitSubSystem(SDL_INIT_VIDEO);
}

render::NativeWindow Window::native() const {
  SDL_SysWMinfo info;
  SDL_VERSION(&info.version);
  render::NativeWindow native;
  if (!SDL_GetWindowWMInfo(handle_->window, &info)) return native;
#if defined(SDL_VIDEO_DRIVER_X11)
  if (info.subsystem == SDL_SYSWM_X11) {
    native.display = info.info.x11.display;
    native.window = reinterpret_cast<void*>(info.info.x11.window);
  }
#endif
#if defined(SDL_VIDEO_DRIVER_WAYLAND)
  if (info.subsystem == SDL_SYSWM_WAYLAND) {
    native.display = info.info.wl.display;
    native.window = info.info.wl.surface;
    native.wayland = true;
  }
#endif
  return native;
}

int Window::width() const {
  int w = 0, h = 0;
  SDL_GetWindowSizeInPixels(handle_->window, &w, &h);
  return SDL_GetWindowFlags(handle_->window) & SDL_WINDOW_MINIMIZED ? 0 : w;
}

int Window::height() const {
  int w = 0, h = 0;
  SDL_GetWindowSizeInPixels(handle_->window, &w, &h);
  return SDL_GetWindowFlags(handle_->window) & SDL_WINDOW_MINIMIZED ? 0 : h;
}

float Window::scale() const {
  // What the person told the desktop counts, not the screen's own size, which is often wrong.
  int w = 0, h = 0;
  SDL_GetWindowSize(handle_->window, &w, &h);
  const float pixels = w > 0 ? static_cast<float>(width()) / static_cast<float>(w) : 1;
  const std::string told = variable("GDK_SCALE");
  const float asked = told.empty() ? 1 : std::strtof(told.c_str(), nullptr);
  return std::clamp(std::max(pixels, asked), 1.0f, 4.0f);
}

void Window::set_pointer(Pointer pointer) {
  static constexpr SDL_SystemCursor shapes[] = {
      SDL_SYSTEM_CURSOR_ARROW,    SDL_SYSTEM_CURSOR_IBEAM,  SDL_SYSTEM_CURSOR_SIZEALL,
      SDL_SYSTEM_CURSOR_SIZEWE,   SDL_SYSTEM_CURSOR_SIZENS, SDL_SYSTEM_CURSOR_SIZENESW,
      SDL_SYSTEM_CURSOR_SIZENWSE, SDL_SYSTEM_CURSOR_HAND,   SDL_SYSTEM_CURSOR_NO};
  SDL_Cursor*& cursor = handle_->cursors[static_cast<std::size_t>(pointer)];
  if (!cursor) cursor = SDL_CreateSystemCursor(shapes[static_cast<std::size_t>(pointer)]);
  SDL_SetCursor(cursor);
}

void Window::capture_mouse(bool on) { SDL_CaptureMouse(on ? SDL_TRUE : SDL_FALSE); }

std::string Window::clipboard() {
  char* text = SDL_GetClipboardText();
  const std::string copy = text ? text : "";
  SDL_free(text);
  return copy;
}

void Window::set_clipboard(const std::string& text) { SDL_SetClipboardText(text.c_str()); }

void wake_window() {
  const uint32_t type = wake_event;
  if (type == 0) return;
  SDL_Event event = {};
  event.type = type;
  SDL_PushEvent(&event);
}

void Window::set_title(const std::string& title) {
  SDL_SetWindowTitle(handle_->window, title.c_str());
}

namespace {

MouseButton button_of(uint8_t button) {
  if (button == SDL_BUTTON_LEFT) return MouseButton::left;
  if (button == SDL_BUTTON_MIDDLE) return MouseButton::middle;
  return button == SDL_BUTTON_RIGHT ? MouseButton::right : MouseButton::none;
}

// While something is dragged over it from elsewhere, a window hears nothing of the mouse: where it
// is dropped is where the mouse is on the screen.
void place_drop(uint32_t window_id, float scale, WindowEvent& out) {
  int mouse_x = 0, mouse_y = 0, window_x = 0, window_y = 0;
  SDL_GetGlobalMouseState(&mouse_x, &mouse_y);
  if (SDL_Window* window = SDL_GetWindowFromID(window_id))
    SDL_GetWindowPosition(window, &window_x, &window_y);
  out.x = scale * static_cast<float>(mouse_x - window_x);
  out.y = scale * static_cast<float>(mouse_y - window_y);
}

// `scale`: pixels for each of SDL's units, which differ on screens with small pixels.
// `held`: the modifiers as the last key told them. SDL's own state is that of now: what was held
// with an event that waited may have been let go.
std::optional<WindowEvent> translated(const SDL_Event& e, float scale, int& held) {
  WindowEvent out;
  if (e.type == SDL_KEYDOWN || e.type == SDL_KEYUP) held = e.key.keysym.mod;
  if (e.type == SDL_WINDOWEVENT) held = SDL_GetModState();
  out.shift = held & KMOD_SHIFT;
  out.ctrl = held & KMOD_CTRL;
  out.alt = held & KMOD_ALT;
  if (e.type == wake_event) {
    out.kind = WindowEvent::woken;
    return out;
  }
  switch (e.type) {
    case SDL_QUIT:
      out.kind = WindowEvent::quit;
      return out;
    case SDL_WINDOWEVENT:
      out.kind = WindowEvent::resized;
      if (e.window.event == SDL_WINDOWEVENT_FOCUS_GAINED ||
          e.window.event == SDL_WINDOWEVENT_FOCUS_LOST) {
        out.kind = WindowEvent::focus;
        out.focused = e.window.event == SDL_WINDOWEVENT_FOCUS_GAINED;
      }
      return out;
    case SDL_KEYDOWN:
    case SDL_KEYUP:
      out.kind = e.type == SDL_KEYDOWN ? WindowEvent::key : WindowEvent::key_up;
      out.key_name = SDL_GetKeyName(e.key.keysym.sym);
      out.repeated = e.key.repeat != 0;
      return out;
    case SDL_TEXTINPUT:
      out.kind = WindowEvent::text;
      out.content = e.text.text;
      return out;
    case SDL_DROPFILE:
      out.kind = WindowEvent::drop;
      out.content = e.drop.file;
      SDL_free(e.drop.file);
      place_drop(e.drop.windowID, scale, out);
      return out;
    case SDL_MOUSEBUTTONDOWN:
    case SDL_MOUSEBUTTONUP:
      out.kind = e.type == SDL_MOUSEBUTTONDOWN ? WindowEvent::press : WindowEvent::release;
      out.button = button_of(e.button.button);
      out.x = scale * static_cast<float>(e.button.x);
      out.y = scale * static_cast<float>(e.button.y);
      return out;
    case SDL_MOUSEMOTION:
      out.kind = WindowEvent::move;
      out.x = scale * static_cast<float>(e.motion.x);
      out.y = scale * static_cast<float>(e.motion.y);
      out.dx = scale * static_cast<float>(e.motion.xrel);
      out.dy = scale * static_cast<float>(e.motion.yrel);
      return out;
    case SDL_MOUSEWHEEL:
      out.kind = WindowEvent::wheel;
      out.dx = e.wheel.preciseX;
      out.dy = e.wheel.preciseY;
      return out;
    default:
      return std::nullopt;
  }
}

}  // namespace

std::vector<WindowEvent> Window::events(int wait_milliseconds) {
  std::vector<WindowEvent> all;
  SDL_Event e;
  int w = 0, h = 0;
  SDL_GetWindowSize(handle_->window, &w, &h);
  const float scale =
      w > 0 && width() > 0 ? static_cast<float>(width()) / static_cast<float>(w) : 1;
  bool more =
      wait_milliseconds > 0 ? SDL_WaitEventTimeout(&e, wait_milliseconds) : SDL_PollEvent(&e);
  while (more) {
    if (std::optional<WindowEvent> event = translated(e, scale, handle_->held))
      all.push_back(std::move(*event));
    more = SDL_PollEvent(&e);
  }
  return all;
}

}  // namespace sinew
