#include "app/editor/script/recorder.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/editor/editor.h"
#include "app/editor/script/line.h"
#include "app/editor/script/script.h"
#include "app/ui/keys.h"
#include "app/ui/landmarks.h"
#include "graph/atomic_file.h"

namespace sinew::editor {
namespace {

constexpr float still = 3;         // pixels: a click trembles
constexpr int noticed_pause = 15;  // frames: shorter ones are not written
constexpr int double_click_frames = 24;

const char* button_word(MouseButton button) {
  return button == MouseButton::right ? " right" : button == MouseButton::middle ? " middle" : "";
}

std::string pixels(float x, float y) {
  return fmt::format("{:+} {:+}", std::lround(x), std::lround(y));
}

// Whether a key's letter comes again as text.
bool makes_text(const std::string& name) { return name.size() == 1 || name == "Space"; }

bool is_modifier(const std::string& name) {
  return name.ends_with("Shift") || name.ends_with("Ctrl") || name.ends_with("Alt");
}

}  // namespace

// The smallest thing under it, or for what has none the window's pixels.
std::string ScriptRecorder::place_of(float x, float y) const {
  const std::string name = ui::landmarks().at(x, y);
  const ui::Landmark* mark = ui::landmarks().find(name);
  if (!mark) return fmt::format("@ {} {}", std::lround(x), std::lround(y));
  const float dx = x - mark->middle().x, dy = y - mark->middle().y;
  if (std::lround(dx) == 0 && std::lround(dy) == 0) return quoted_if_needed(name);
  return fmt::format("{} {}", quoted_if_needed(name), pixels(dx, dy));
}

// What happened before it, and the pause between, come first.
void ScriptRecorder::add(std::string line) {
  if (!typed_.empty()) lines_.push_back("type " + quoted_if_needed(std::exchange(typed_, {})));
  if (notches_ != 0)
    lines_.push_back(fmt::format("wheel {} {}", wheel_place_, std::exchange(notches_, 0)));
  const int pause = frame_ - last_frame_;
  if (pause >= noticed_pause && !lines_.empty()) {
    if (calm_) lines_.push_back("settle");
    lines_.push_back(fmt::format("frames {}", std::min(pause, 600)));
  }
  last_frame_ = frame_;
  if (!line.empty()) lines_.push_back(std::move(line));
}

void ScriptRecorder::tell_held_keys(const WindowEvent& event) {
  const auto tell = [&](bool& was, bool is, const char* name) {
    if (was == is) return;
    was = is;
    add(fmt::format("{} {}", is ? "hold" : "let", name));
  };
  tell(shift_, event.shift, "Shift");
  tell(ctrl_, event.ctrl, "Ctrl");
  tell(alt_, event.alt, "Alt");
}

// Keys mean what they mean where the mouse is.
void ScriptRecorder::tell_hover() {
  if (mouse_.x == told_mouse_.x && mouse_.y == told_mouse_.y) return;
  told_mouse_ = mouse_;
  add("move " + place_of(mouse_.x, mouse_.y));
}

// Something happens while a button is held: it is no plain drag.
void ScriptRecorder::tell_press() {
  if (!held_) return;
  if (!held_->told) {
    add(fmt::format("press{} {}", button_word(held_->button), held_->place));
    held_->told = true;
    held_->path.erase(held_->path.begin());
  }
  for (const Point& p : held_->path) lines_.push_back(fmt::format("move @ {} {}", p.x, p.y));
  held_->path.clear();
}

void ScriptRecorder::press(const WindowEvent& event) {
  tell_press();
  tell_held_keys(event);
  if (held_) return add(fmt::format("press{}", button_word(event.button)));
  held_ = Held{event.button, place_of(event.x, event.y), {{event.x, event.y}}, frame_, false};
}

void ScriptRecorder::release(const WindowEvent& event) {
  if (!held_ || held_->button != event.button) {
    tell_press();
    return add(fmt::format("release{}", button_word(event.button)));
  }
  if (held_->told) {
    tell_press();
    add(fmt::format("release{}", button_word(event.button)));
    held_.reset();
    return;
  }
  Held held = std::move(*held_);
  held_.reset();
  const Point from = held.path.front();
  const bool is_click = std::all_of(held.path.begin(), held.path.end(), [&](const Point& p) {
    return std::hypot(p.x - from.x, p.y - from.y) <= still;
  });
  told_mouse_ = mouse_;
  if (is_click) {
    const std::string word = button_word(held.button);
    const std::string line = fmt::format("click{} {}", word, held.place);
    const bool twice = !lines_.empty() && lines_.back() == line && typed_.empty() &&
                       frame_ - last_click_frame_ < double_click_frames;
    last_click_frame_ = twice ? -1000 : frame_;
    last_frame_ = twice ? frame_ : last_frame_;
    if (twice)
      lines_.back() = fmt::format("click{} double {}", word, held.place);
    else
      add(line);
    return;
  }
  std::string line = fmt::format("drag{} {}", button_word(held.button), held.place);
  // Every place where it turned; what is almost on the way from one to the next is left out.
  std::vector<Point> kept{from};
  for (std::size_t i = 1, last = 0; i < held.path.size(); ++i) {
    const Point &a = held.path[last], &b = held.path[i];
    const float length = std::hypot(b.x - a.x, b.y - a.y);
    bool straight = true;
    for (std::size_t k = last + 1; k < i && straight && length > 0; ++k) {
      const Point& p = held.path[k];
      straight = std::abs((b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x)) / length <= 1 &&
                 (b.x - a.x) * (p.x - a.x) + (b.y - a.y) * (p.y - a.y) <= length * length;
    }
    if (!straight) kept.push_back(held.path[last = i - 1]);
    if (i + 1 == held.path.size()) kept.push_back(b);
  }
  const std::string end = ui::landmarks().at(event.x, event.y);
  for (std::size_t i = 1; i < kept.size(); ++i) {
    const bool is_last = i + 1 == kept.size();
    // A link ends at a socket, wherever that is by then.
    const bool by_name = is_last && end.starts_with("pin.");
    line += is_last ? " to " : " via ";
    line += by_name ? place_of(event.x, event.y)
                    : pixels(std::round(kept[i].x) - std::round(kept[i - 1].x),
                             std::round(kept[i].y) - std::round(kept[i - 1].y));
  }
  const int took = frame_ - held.began;
  last_frame_ += took;
  add(line + fmt::format(" in {}", std::clamp(took, 2, 600)));
}

void ScriptRecorder::wheel(const WindowEvent& event) {
  tell_press();
  tell_held_keys(event);
  const std::string place = place_of(mouse_.x, mouse_.y);
  if (notches_ == 0 || place != wheel_place_) add("");
  wheel_place_ = place;
  told_mouse_ = mouse_;
  notches_ += event.dy;
  last_frame_ = frame_;
}

void ScriptRecorder::key(const WindowEvent& event) {
  if (is_modifier(event.key_name)) {
    // Held with the mouse they count; with a key they are part of its name.
    if (held_) {
      tell_press();
      tell_held_keys(event);
    }
    return;
  }
  const bool up = event.kind == WindowEvent::key_up;
  if (up) {
    if (held_key_ != event.key_name) return;
    held_key_.clear();
    return add("let " + quoted_if_needed(event.key_name));
  }
  if (types_ && makes_text(event.key_name) && !event.ctrl && !event.alt) return;
  if (ui::key_from_name(event.key_name) == ImGuiKey_None) return;
  const std::string name = quoted_if_needed(fmt::format("{}{}{}{}", event.ctrl ? "Ctrl+" : "",
                                                        event.shift ? "Shift+" : "",
                                                        event.alt ? "Alt+" : "", event.key_name));
  if (event.repeated) {
    if (held_key_.empty() && !lines_.empty() && lines_.back() == "key " + name) {
      lines_.back() = "hold " + quoted_if_needed(event.key_name);
      held_key_ = event.key_name;
    }
    return;
  }
  tell_press();
  tell_hover();
  // What was held for the mouse is let go first: the name of the key says it again.
  WindowEvent none;
  if (!held_) tell_held_keys(none);
  add("key " + name);
}

void ScriptRecorder::type(const WindowEvent& event) {
  if (!types_) return;
  if (typed_.empty()) add("");
  typed_ += event.content;
  last_frame_ = frame_;
}

void ScriptRecorder::note(const WindowEvent& event) {
  if (file_.empty()) return;
  switch (event.kind) {
    case WindowEvent::move:
      mouse_ = {event.x, event.y};
      if (held_) held_->path.push_back(mouse_);
      break;
    case WindowEvent::press:
    case WindowEvent::release:
      mouse_ = {event.x, event.y};
      if (event.kind == WindowEvent::press)
        press(event);
      else
        release(event);
      break;
    case WindowEvent::wheel:
      wheel(event);
      break;
    case WindowEvent::key:
    case WindowEvent::key_up:
      key(event);
      break;
    case WindowEvent::text:
      type(event);
      break;
    case WindowEvent::drop:
      mouse_ = {event.x, event.y};
      tell_hover();
      add("drop " + quoted_if_needed(event.content));
      break;
    default:
      break;
  }
}

// Time is counted in frames of a script, however fast the window shows them.
void ScriptRecorder::frame(Editor& editor) {
  if (file_.empty()) return;
  if (began_at_ < 0) {
    began_at_ = editor.now();
    if (!editor.session.file().empty())
      lines_.push_back("open " +
                       quoted_if_needed(std::filesystem::absolute(editor.session.file()).string()));
  }
  frame_ = static_cast<int>((editor.now() - began_at_) / Script::frame_seconds);
  types_ = editor.host.wants_keys();
  calm_ = !editor.player.playing() && !editor.player.busy();
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  const int width = static_cast<int>(size.x), height = static_cast<int>(size.y);
  if (width == width_ && height == height_) return;
  width_ = width;
  height_ = height;
  add(fmt::format("size {}x{}", width, height));
}

std::string ScriptRecorder::text() const {
  ScriptRecorder all = *this;
  all.add("");
  std::string text = "# recorded with sinew --record\n";
  for (const std::string& line : all.lines_) text += line + "\n";
  return text;
}

Result<void> ScriptRecorder::write() const {
  if (file_.empty()) return {};
  return write_file_atomically(file_, text());
}

}  // namespace sinew::editor
