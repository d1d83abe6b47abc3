// The viewport: the picture of the body, what lies over it, and what the mouse does there.
#pragma once

#include <memory>
#include <vector>

#include "app/editor/panels/viewport/camera_moves.h"
#include "app/editor/panels/viewport/picture.h"
#include "app/editor/panels/viewport/sight.h"

namespace sinew::editor {

class Viewport : public Panel {
 public:
  explicit Viewport(Editor& editor);

  void draw() override;
  void update() override;

  Sight& sight() { return sight_; }
  CameraMoves& moves() { return moves_; }

 private:
  // commands.cpp
  void add_actions();
  void add_view_actions();
  void add_look_actions();
  void keep_camera();
  void frame_chosen();
  void set_section(std::optional<int> axis);
  void remember_look();
  void recall_look();

  // toolbar.cpp
  void draw_toolbar();
  void draw_shown_menu();
  void draw_camera_menu();
  void draw_look_menus();
  void draw_section_menu();

  void begin_document();
  void use_mouse(bool hovered);
  void use_hands(bool hovered);
  void give_up();
  void click();
  void choose_also(const std::string& path);
  void draw_words(ImDrawList& list);
  void draw_info(ImDrawList& list);
  void mark_body() const;

  Editor& editor_;
  Sight sight_;
  ScenePicture picture_;
  CameraMoves moves_;
  std::vector<std::unique_ptr<ViewHand>> hands_;  // the first that wants the mouse gets it
  ViewHand* holding_ = nullptr;
  bool framed_ = false;
  // What a button that was pressed over the picture does.
  enum class Drag : unsigned char { none, wait, orbit, pan };
  Drag drag_ = Drag::none;
  ImVec2 pressed_at_{0, 0};

  // What was clicked last.
  struct Info {
    Vector3f point;
    std::string text;
    double at = 0;
  };
  std::optional<Info> info_;
};

// The hands, each in its file.
std::unique_ptr<ViewHand> make_section_hand(Sight& sight);
std::unique_ptr<ViewHand> make_handles(Sight& sight);
std::unique_ptr<ViewHand> make_painter(Sight& sight);
std::unique_ptr<ViewHand> make_grabber(Sight& sight);
std::unique_ptr<ViewHand> make_toucher(Sight& sight);

}  // namespace sinew::editor
