// Dear ImGui, ImPlot and imnodes, opened once: what a person does goes in, triangles come out and
// are drawn by the renderer's interface layer. With a window or without one: scripts and tests feed
// the same events.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/ui/theme.h"
#include "app/window/window.h"
#include "render/interface_layer.h"

namespace sinew::ui {

class Host {
 public:
  explicit Host(render::Device& device);
  ~Host();
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;

  // Theme and scale take effect with the next frame.
  void set_theme(ThemeName name, float scale);

  // For the next frame, or for a later one if it would hide what came before it.
  void feed(const WindowEvent& event);
  void begin_frame(int width, int height, double seconds);
  // Makes the triangles of the frame.
  void end_frame();
  // Draws what end_frame() made, into the window if there is one.
  void present();
  // How long the last present() took, with the driver's work: what a frame costs here.
  double present_seconds() const { return present_seconds_; }
  std::optional<render::Picture> capture(std::string& error);

  // Where the mouse went in this frame: what is drawn by hand needs the whole way.
  const std::vector<ImVec2>& trail() const { return trail_; }
  // How many keys were pressed so far.
  uint64_t keys_pressed() const { return keys_; }

  // Whether somebody looks at this frame. If not, as in most frames of a script, what costs a
  // software rasteriser much need not be drawn anew.
  bool is_seen = true;

  Pointer pointer() const;
  // Whether something of the interface, and not what lies under it, wants the mouse or the keys.
  bool wants_keys() const;
  // Something blinks or fades: frames are wanted although nothing happens.
  bool restless() const;
  int vertex_count() const;

  // Where text is copied to and pasted from: the window's clipboard, or one of our own.
  void use_window_clipboard();

  render::InterfaceLayer& layer() { return layer_; }

 private:
  void hand_on();
  void hand_on(const WindowEvent& event);
  void update_textures();
  void gather();

  render::InterfaceLayer layer_;
  render::InterfaceFrame frame_;
  std::vector<WindowEvent> waiting_;  // in the order in which they came
  std::vector<ImVec2> trail_;
  uint64_t keys_ = 0;
  std::string own_clipboard_, pasted_;
  bool window_clipboard_ = false;
  ThemeName theme_ = ThemeName::dark;
  float scale_ = 1;
  bool restyle_ = true;
  double present_seconds_ = 0;
};

// A picture in the interface. Goes when its owner goes.
class Texture {
 public:
  Texture() = default;
  Texture(render::InterfaceLayer& layer, const render::Picture& picture);
  ~Texture() { reset(); }
  Texture(Texture&& other) noexcept { *this = std::move(other); }
  Texture& operator=(Texture&& other) noexcept;
  explicit operator bool() const { return id_ != 0; }
  ImTextureRef ref() const { return ImTextureRef(static_cast<ImTextureID>(id_)); }
  int width() const { return width_; }
  int height() const { return height_; }
  void reset();

 private:
  render::InterfaceLayer* layer_ = nullptr;
  render::TextureId id_ = 0;
  int width_ = 0, height_ = 0;
};

}  // namespace sinew::ui
