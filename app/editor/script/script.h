// Scripts: what a person does, written down, one thing a line; for tests, for tutorials, and for
// showing a bug to somebody. docs/scripts.md is the reference.
//
//   settle                     # until evaluations are done and nothing moves
//   click node.bell            # a landmark; also `right`, `middle`, `double`
//   drag node.bell to +120 +0  # from a landmark's middle; to a landmark or by pixels
//   key Ctrl+Z
//   type jelly
//   expect node bell type cast.jellyfish
//   picture 01_bell.png
//
// A place is a landmark (`node.bell`), a landmark with pixels from its middle (`node.bell +10 -4`),
// pixels of the window (`@ 300 200`), or pixels from the place before it (`+120 +0`).
#pragma once

#include <deque>
#include <filesystem>
#include <string>
#include <vector>

#include "app/editor/script/line.h"
#include "app/ui/landmarks.h"
#include "app/window/window.h"
#include "graph/result.h"

namespace sinew::ui {
class Host;
}

namespace sinew::editor {

class Editor;

class Script {
 public:
  // A script's clock goes by so much with each frame.
  static constexpr double frame_seconds = 1.0 / 60;

  // What can be known to be wrong before anything is done is told here.
  static Result<Script> load(const std::filesystem::path& path);
  // Files that it names are relative to `folder`.
  static Result<Script> parse(std::string_view text, const std::filesystem::path& folder);

  void set_size(int width, int height);
  int width() const { return width_; }
  int height() const { return height_; }
  // Where pictures and saved documents go; beside the script unless said.
  void set_out(std::filesystem::path folder) { out_ = std::move(folder); }
  // Whether pictures can be taken; if not, its lines for them do nothing.
  void set_pictures(bool on) { has_pictures_ = on; }

  // Whether every evaluation is waited for while it plays, as it is unless said otherwise.
  void set_patient(bool on) { patient_ = on; }

  // What happens before the next frame; false when there is nothing left to do.
  bool next(Editor& editor, std::vector<WindowEvent>& events);
  // Whether a picture is taken of the frame that follows.
  bool takes_picture() const { return has_pictures_ && !picture_.empty(); }
  // In the frame, over everything: the pointer and the notes of a picture.
  void draw() const;
  // After the frame: pictures are taken. The error names the line.
  Result<void> look(ui::Host& host);
  // Whether all went well. The error names the line.
  Result<void> outcome() const;
  // Whether an expectation was not met, as opposed to something that could not be done.
  bool disappointed() const { return disappointed_; }

 private:
  struct Place {
    float x = 0, y = 0;
  };
  struct Note {
    std::string text;
    Place at;
  };
  // A frame to come: its events, and what is done with it afterwards.
  struct Step {
    std::vector<WindowEvent> events = {};
    std::string picture = {}, part = {};
  };

  Result<void> begin(Editor& editor, const ScriptLine& line);
  Result<void> begin_mouse(const ScriptLine& line);
  Result<void> begin_drag(const ScriptLine& line, std::size_t at, MouseButton which);
  Result<void> begin_click(const ScriptLine& line, std::size_t at, MouseButton which, int clicks);
  Result<void> begin_file(Editor& editor, const ScriptLine& line);
  Result<void> begin_look(Editor& editor, const ScriptLine& line);
  Result<void> begin_time(Editor& editor, const ScriptLine& line);
  Result<Place> place(const std::vector<std::string>& words, std::size_t& at,
                      const Place& from) const;
  void move_to(const Place& to);
  void move_along(const std::vector<Place>& path, int steps);
  void button(MouseButton which, bool down);
  Result<void> key(const std::string& chord);
  Result<void> hold(const std::string& key, bool down);
  void send_key(const std::string& name, bool down);
  WindowEvent event(WindowEvent::Kind kind) const;
  void add(WindowEvent event) { steps_.push_back({{std::move(event)}}); }
  void wait(int frames);
  std::filesystem::path beside(const std::string& file) const;

  std::filesystem::path folder_, out_;
  std::vector<ScriptLine> lines_;
  std::size_t at_ = 0;
  std::deque<Step> steps_;
  std::string picture_, part_;
  std::string failure_;
  bool disappointed_ = false;
  int settling_ = 0;
  Place mouse_;
  bool shift_ = false, ctrl_ = false, alt_ = false;
  bool pointer_ = false, pressed_ = false, has_pictures_ = true, patient_ = true;
  std::vector<Note> notes_;
  int width_ = 1440, height_ = 900;
};

// Whether the document and the screen are as an `expect` line says. The sentence of a failure says
// what is there instead; `malformed` if the line itself is wrong.
Result<void> check_expectation(Editor& editor, const ScriptLine& line, bool& malformed);

// Over everything in the present frame: the arrow of the mouse, with a ring while it is pressed;
// and a few words beside a place.
void draw_script_pointer(float x, float y, bool pressed);
void draw_script_note(const std::string& text, float x, float y);

}  // namespace sinew::editor
