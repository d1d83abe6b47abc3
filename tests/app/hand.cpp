#include "tests/app/hand.h"

#include <X11/Xlib.h>
#include <X11/Xutil.h>

#include <stdexcept>

namespace sinew::testing {
namespace {

// A window that is gone in the moment when it is asked is no reason to end the test.
int ignore_error(Display*, XErrorEvent*) { return 0; }

}  // namespace

struct Hand::Server {
  Display* display = nullptr;

  Window root() const { return DefaultRootWindow(display); }

  std::string title_of(Window window) const {
    char* name = nullptr;
    std::string title;
    if (XFetchName(display, window, &name) && name) title = name;
    if (name) XFree(name);
    return title;
  }
  bool is_seen(Window window) const {
    XWindowAttributes about;
    return XGetWindowAttributes(display, window, &about) && about.map_state == IsViewable;
  }
  // There is no window manager, so windows are the root's own children.
  Window find() const {
    Window parent = 0, top = 0, found = 0;
    Window* all = nullptr;
    unsigned count = 0;
    if (!XQueryTree(display, root(), &top, &parent, &all, &count)) return 0;
    for (unsigned i = 0; i < count; ++i)
      if (is_seen(all[i]) && !title_of(all[i]).empty()) found = all[i];
    if (all) XFree(all);
    return found;
  }

  void send(Window window, XEvent& event, long mask) const {
    event.xany.display = display;
    event.xany.window = window;
    XSendEvent(display, window, True, mask, &event);
    XSync(display, False);
  }
};

Hand::Hand(const std::string& display) : server_(std::make_unique<Server>()) {
  server_->display = XOpenDisplay(display.c_str());
  if (!server_->display) throw std::runtime_error("there is no display " + display);
  XSetErrorHandler(ignore_error);
}

Hand::~Hand() { XCloseDisplay(server_->display); }

std::string Hand::title() {
  const Window window = server_->find();
  return window ? server_->title_of(window) : "";
}

std::array<int, 2> Hand::size() {
  XWindowAttributes about;
  const Window window = server_->find();
  if (!window || !XGetWindowAttributes(server_->display, window, &about)) return {0, 0};
  return {about.width, about.height};
}

std::array<int, 2> Hand::position() const {
  int x = 0, y = 0;
  Window child = 0;
  if (const Window window = server_->find())
    XTranslateCoordinates(server_->display, window, server_->root(), 0, 0, &x, &y, &child);
  return {x, y};
}

void Hand::focus() {
  if (const Window window = server_->find())
    XSetInputFocus(server_->display, window, RevertToPointerRoot, CurrentTime);
  XSync(server_->display, False);
}

void Hand::resize(int width, int height) {
  if (const Window window = server_->find())
    XResizeWindow(server_->display, window, static_cast<unsigned>(width),
                  static_cast<unsigned>(height));
  XSync(server_->display, False);
}

std::optional<std::array<uint8_t, 3>> Hand::pixel(int x, int y) {
  const std::array<int, 2> all = size();
  const Window window = server_->find();
  if (!window || x < 0 || y < 0 || x >= all[0] || y >= all[1]) return std::nullopt;
  XImage* image = XGetImage(server_->display, window, x, y, 1, 1, AllPlanes, ZPixmap);
  if (!image) return std::nullopt;
  const unsigned long value = XGetPixel(image, 0, 0);
  XDestroyImage(image);
  return std::array<uint8_t, 3>{static_cast<uint8_t>(value >> 16), static_cast<uint8_t>(value >> 8),
                                static_cast<uint8_t>(value)};
}

void Hand::close() {
  const Window window = server_->find();
  if (!window) return;
  XEvent event = {};
  event.type = ClientMessage;
  event.xclient.message_type = XInternAtom(server_->display, "WM_PROTOCOLS", False);
  event.xclient.format = 32;
  event.xclient.data.l[0] =
      static_cast<long>(XInternAtom(server_->display, "WM_DELETE_WINDOW", False));
  server_->send(window, event, NoEventMask);
}

}  // namespace sinew::testing
