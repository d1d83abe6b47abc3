#include "app/editor/script/script.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "app/cli/program.h"
#include "app/editor/editor.h"
#include "app/ui/keys.h"
#include "graph/atomic_file.h"
#include "graph/made_files.h"
#include "render/png_file.h"

namespace sinew::editor {
namespace {

constexpr int frames_a_second = 60;
constexpr int longest_wait = 10 * 60 * frames_a_second;

Error wrong(const ScriptLine& line) {
  return Error{fmt::format("it reads: {}", usage_of(line.words[0]))};
}

// The part of a picture that a landmark covers.
render::Picture cut_out(const render::Picture& from, const ui::Landmark& mark) {
  const int left = std::clamp(static_cast<int>(std::floor(mark.left)), 0, from.width);
  const int top = std::clamp(static_cast<int>(std::floor(mark.top)), 0, from.height);
  const int right = std::clamp(static_cast<int>(std::ceil(mark.right)), left, from.width);
  const int bottom = std::clamp(static_cast<int>(std::ceil(mark.bottom)), top, from.height);
  render::Picture part;
  part.width = right - left;
  part.height = bottom - top;
  part.rgba.reserve(4 * static_cast<std::size_t>(part.width) *
                    static_cast<std::size_t>(part.height));
  for (int y = top; y < bottom; ++y) {
    const auto row = from.rgba.begin() + 4 * (static_cast<std::ptrdiff_t>(y) * from.width + left);
    part.rgba.insert(part.rgba.end(), row, row + 4 * static_cast<std::ptrdiff_t>(part.width));
  }
  return part;
}

std::string nearest_landmark(const std::string& word) {
  std::vector<std::string> names;
  for (const auto& [name, mark] : ui::landmarks().all()) names.push_back(name);
  return cli::did_you_mean(word, names);
}

}  // namespace

Result<Script> Script::load(const std::filesystem::path& path) {
  const Result<std::string> text = read_file(path, 8u << 20);
  if (!text) return Error{text.error()};
  Result<Script> script = parse(*text, path.parent_path());
  // The first frames of a window have no landmarks yet.
  if (script) script->wait(3);
  return script;
}

Result<Script> Script::parse(std::string_view text, const std::filesystem::path& folder) {
  Script script;
  script.folder_ = script.out_ = folder;
  std::istringstream in{std::string(text)};
  int number = 0;
  for (std::string words; std::getline(in, words);) {
    ++number;
    Result<ScriptLine> line = read_script_line(words);
    if (!line) return Error{fmt::format("line {}: {}", number, line.error())};
    if (line->words.empty()) continue;
    line->number = number;
    if (const Result<void> ok = check_script_line(*line); !ok)
      return Error{fmt::format("line {}: {}", number, ok.error())};
    script.lines_.push_back(std::move(*line));
  }
  return script;
}

void Script::set_size(int width, int height) {
  width_ = width;
  height_ = height;
}

WindowEvent Script::event(WindowEvent::Kind kind) const {
  WindowEvent e;
  e.kind = kind;
  e.shift = shift_;
  e.ctrl = ctrl_;
  e.alt = alt_;
  e.x = mouse_.x;
  e.y = mouse_.y;
  return e;
}

void Script::wait(int frames) {
  for (int i = 0; i < frames; ++i) steps_.emplace_back();
}

void Script::move_to(const Place& to) {
  WindowEvent e = event(WindowEvent::move);
  e.dx = to.x - mouse_.x;
  e.dy = to.y - mouse_.y;
  e.x = to.x;
  e.y = to.y;
  mouse_ = to;
  add(e);
}

// From where the mouse is through all places, with the same speed throughout.
void Script::move_along(const std::vector<Place>& path, int steps) {
  std::vector<Place> corners{mouse_};
  corners.insert(corners.end(), path.begin(), path.end());
  std::vector<float> lengths{0};
  for (std::size_t i = 1; i < corners.size(); ++i)
    lengths.push_back(lengths.back() +
                      std::hypot(corners[i].x - corners[i - 1].x, corners[i].y - corners[i - 1].y));
  std::size_t corner = 1;
  for (int i = 1; i < steps; ++i) {
    const float way = lengths.back() * static_cast<float>(i) / static_cast<float>(steps);
    while (corner + 1 < corners.size() && lengths[corner] < way) ++corner;
    const float length = lengths[corner] - lengths[corner - 1];
    const float t = length > 0 ? (way - lengths[corner - 1]) / length : 1;
    const Place &a = corners[corner - 1], &b = corners[corner];
    move_to({a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)});
  }
  move_to(path.back());
}

void Script::button(MouseButton which, bool down) {
  WindowEvent e = event(down ? WindowEvent::press : WindowEvent::release);
  e.button = which;
  add(e);
}

void Script::send_key(const std::string& name, bool down) {
  WindowEvent e = event(down ? WindowEvent::key : WindowEvent::key_up);
  e.key_name = name;
  add(e);
}

Result<void> Script::hold(const std::string& key, bool down) {
  const bool is_modifier = key == "Shift" || key == "Ctrl" || key == "Alt";
  if (is_modifier) (key == "Shift" ? shift_ : key == "Ctrl" ? ctrl_ : alt_) = down;
  const std::string name = is_modifier ? "Left " + key : key;
  if (ui::key_from_name(name) == ImGuiKey_None) return Error{fmt::format("'{}' is no key", key)};
  send_key(name, down);
  return {};
}

Result<void> Script::key(const std::string& chord) {
  if (!ui::chord_from_text(chord))
    return Error{fmt::format("'{}' is no key; keys are written as Space, F1, Ctrl+Shift+Z", chord)};
  std::string rest = chord;
  std::vector<std::string> held;
  for (bool more = true; more;) {
    more = false;
    for (const std::string modifier : {"Ctrl", "Shift", "Alt"}) {
      if (!rest.starts_with(modifier + "+")) continue;
      rest.erase(0, modifier.size() + 1);
      held.push_back(modifier);
      (void)hold(modifier, true);
      more = true;
    }
  }
  send_key(rest, true);
  send_key(rest, false);
  for (const std::string& modifier : held) (void)hold(modifier, false);
  wait(2);
  return {};
}

// A landmark, with pixels from its middle or without; "@" with pixels of the window; or, beside a
// place to start from, only pixels from there.
Result<Script::Place> Script::place(const std::vector<std::string>& words, std::size_t& at,
                                    const Place& from) const {
  if (at >= words.size()) return Error{"a place is missing: a landmark, or @ X Y"};
  const auto numbers = [&] {
    return at + 1 < words.size() && is_script_number(words[at]) && is_script_number(words[at + 1]);
  };
  Place found = from;
  if (words[at] == "@") {
    found = {0, 0};
    ++at;
    if (!numbers()) return Error{"after @ come two numbers of pixels"};
  } else if (is_script_number(words[at])) {
    if (!numbers()) return Error{"pixels are two numbers, to the right and down: +20 -5"};
  } else {
    const ui::Landmark* mark = ui::landmarks().find(words[at]);
    if (!mark)
      return Error{
          fmt::format("there is no '{}' on the screen{}", words[at], nearest_landmark(words[at]))};
    found = {mark->middle().x, mark->middle().y};
    ++at;
  }
  // Of a wheel, one number follows the place.
  if (numbers()) {
    found.x += script_number(words[at]);
    found.y += script_number(words[at + 1]);
    at += 2;
  }
  return found;
}

Result<void> Script::begin_drag(const ScriptLine& line, std::size_t at, MouseButton which) {
  const std::vector<std::string>& w = line.words;
  const Result<Place> from = place(w, at, mouse_);
  if (!from) return Error{from.error()};
  std::vector<Place> path;
  bool arrived = false;
  while (!arrived && at < w.size() && (w[at] == "via" || w[at] == "to")) {
    arrived = w[at] == "to";
    const Result<Place> next = place(w, ++at, path.empty() ? *from : path.back());
    if (!next) return Error{next.error()};
    path.push_back(*next);
  }
  if (!arrived) return wrong(line);
  int steps = 12 * static_cast<int>(path.size());
  if (at + 2 == w.size() && w[at] == "in" && is_script_number(w[at + 1])) {
    steps = std::clamp(static_cast<int>(script_number(w[at + 1])), 1, longest_wait);
    at += 2;
  }
  if (at != w.size()) return wrong(line);
  move_to(*from);
  wait(1);
  button(which, true);
  move_along(path, steps);
  wait(1);
  button(which, false);
  wait(2);
  return {};
}

Result<void> Script::begin_click(const ScriptLine& line, std::size_t at, MouseButton which,
                                 int clicks) {
  const Result<Place> to = place(line.words, at, mouse_);
  if (!to) return Error{to.error()};
  if (at != line.words.size()) return wrong(line);
  move_to(*to);
  wait(1);
  for (int i = 0; i < clicks; ++i) {
    button(which, true);
    button(which, false);
  }
  wait(2);
  return {};
}

Result<void> Script::begin_mouse(const ScriptLine& line) {
  const std::vector<std::string>& w = line.words;
  const std::string& verb = w[0];
  std::size_t at = 1;
  MouseButton which = MouseButton::left;
  int clicks = 1;
  for (; at < w.size(); ++at) {
    if (w[at] == "right")
      which = MouseButton::right;
    else if (w[at] == "middle")
      which = MouseButton::middle;
    else if (w[at] == "double" && verb == "click")
      clicks = 2;
    else
      break;
  }
  if (verb == "drag") return begin_drag(line, at, which);
  if (verb == "click") return begin_click(line, at, which, clicks);
  const bool is_button = verb == "press" || verb == "release";
  Place to = mouse_;
  if (!is_button || at < w.size()) {
    const Result<Place> found = place(w, at, mouse_);
    if (!found) return Error{found.error()};
    to = *found;
  }
  if (verb == "wheel") {
    if (at + 1 != w.size() || !is_script_number(w[at])) return wrong(line);
    move_to(to);
    WindowEvent e = event(WindowEvent::wheel);
    e.dy = script_number(w[at]);
    add(e);
    wait(2);
    return {};
  }
  int steps = 1;
  if (verb == "move" && at + 2 == w.size() && w[at] == "in" && is_script_number(w[at + 1])) {
    steps = std::clamp(static_cast<int>(script_number(w[at + 1])), 1, longest_wait);
    at += 2;
  }
  if (at != w.size()) return wrong(line);
  if (!is_button || to.x != mouse_.x || to.y != mouse_.y) move_along({to}, steps);
  if (is_button) button(which, verb == "press");
  wait(1);
  return {};
}

std::filesystem::path Script::beside(const std::string& file) const {
  const std::filesystem::path path(file);
  return path.is_absolute() ? path : folder_ / path;
}

Result<void> Script::begin_file(Editor& editor, const ScriptLine& line) {
  const std::string& verb = line.words[0];
  const std::string& file = line.words[1];
  if (verb == "open") {
    editor.open_file(beside(file));
  } else if (verb == "drop") {
    WindowEvent e = event(WindowEvent::drop);
    e.content = beside(file).string();
    add(e);
  } else if (const Result<void> ok = editor.session.save_as(out_ / file); !ok) {
    return ok;
  }
  wait(2);
  return {};
}

// What is only about pictures.
Result<void> Script::begin_look(Editor& editor, const ScriptLine& line) {
  const std::vector<std::string>& w = line.words;
  if (w[0] == "picture") {
    if (w.size() > 2 && (w.size() != 4 || w[2] != "part")) return wrong(line);
    Step step;
    step.picture = w[1];
    if (w.size() == 4) step.part = w[3];
    steps_.push_back(std::move(step));
  } else if (w[0] == "note") {
    std::size_t at = 3;
    if (w[2] != "at") return wrong(line);
    const Result<Place> where = place(w, at, mouse_);
    if (!where) return Error{where.error()};
    if (at != w.size()) return wrong(line);
    notes_.push_back({w[1], *where});
  } else if (w[0] == "pointer") {
    if (w[1] != "on" && w[1] != "off") return wrong(line);
    pointer_ = w[1] == "on";
  } else if (w[0] == "theme") {
    if (w[1] != "light" && w[1] != "dark") return wrong(line);
    editor.set_theme(w[1] == "light" ? ui::ThemeName::light : ui::ThemeName::dark);
    wait(3);
  } else if (w[0] == "scale") {
    if (!is_script_number(w[1])) return wrong(line);
    editor.set_scale(script_number(w[1]));
    wait(3);
  } else {
    const std::size_t x = w[1].find('x');
    if (x == std::string::npos || !is_script_number(w[1].substr(0, x)) ||
        !is_script_number(w[1].substr(x + 1)))
      return wrong(line);
    set_size(std::clamp(static_cast<int>(script_number(w[1].substr(0, x))), 1, 8192),
             std::clamp(static_cast<int>(script_number(w[1].substr(x + 1))), 1, 8192));
    wait(3);
  }
  return {};
}

Result<void> Script::begin_time(Editor& editor, const ScriptLine& line) {
  const std::vector<std::string>& w = line.words;
  if (w[0] == "settle") {
    if (w.size() > 1 && w[1] != "work") return wrong(line);
    if (w.size() > 1) editor.works.finish();
    settling_ = 4;
  } else if (w[0] == "pause") {
    editor.player.play(false);
    wait(2);
  } else if (w[0] == "play") {
    if (w.size() > 1 && w[1] != "live" && w[1] != "timeline") return wrong(line);
    if (w.size() > 1)
      editor.player.set_clock(w[1] == "live" ? ClockKind::live : ClockKind::timeline);
    editor.player.play(true);
  } else {
    if (!is_script_number(w[1]) || script_number(w[1]) < 0) return wrong(line);
    const float frames = script_number(w[1]) * (w[0] == "seconds" ? frames_a_second : 1);
    if (frames > longest_wait) return Error{"a script waits for ten minutes at most"};
    wait(static_cast<int>(std::lround(frames)));
  }
  return {};
}

Result<void> Script::begin(Editor& editor, const ScriptLine& line) {
  const std::vector<std::string>& w = line.words;
  const std::string& verb = w[0];
  const auto is_one_of = [&](std::initializer_list<std::string_view> names) {
    return std::find(names.begin(), names.end(), verb) != names.end();
  };
  if (is_one_of({"click", "drag", "move", "press", "release", "wheel"})) return begin_mouse(line);
  if (is_one_of({"open", "drop", "save"})) return begin_file(editor, line);
  if (is_one_of({"picture", "note", "pointer", "theme", "scale", "size"}))
    return begin_look(editor, line);
  if (is_one_of({"settle", "frames", "seconds", "play", "pause"})) return begin_time(editor, line);
  if (verb == "hold" || verb == "let") return hold(w[1], verb == "hold");
  if (verb == "key") {
    for (std::size_t i = 1; i < w.size(); ++i)
      if (const Result<void> ok = key(w[i]); !ok) return ok;
  } else if (verb == "type") {
    WindowEvent e = event(WindowEvent::text);
    for (std::size_t i = 1; i < w.size(); ++i) e.content += (i > 1 ? " " : "") + w[i];
    add(e);
    wait(2);
  } else if (verb == "action") {
    if (!editor.actions.find(w[1])) {
      std::vector<std::string> ids;
      for (const Action& action : editor.actions.all()) ids.push_back(action.id);
      return Error{fmt::format("there is no action '{}'{}", w[1], cli::did_you_mean(w[1], ids))};
    }
    if (!editor.actions.run(w[1]))
      return Error{fmt::format("the action '{}' cannot be done now", w[1])};
    wait(2);
  } else {
    bool malformed = false;
    const Result<void> ok = check_expectation(editor, line, malformed);
    disappointed_ = !ok && !malformed;
    return ok;
  }
  return {};
}

bool Script::next(Editor& editor, std::vector<WindowEvent>& events) {
  events.clear();
  picture_.clear();
  part_.clear();
  // So that every run shows the same.
  if (patient_ && editor.player.playing()) editor.player.settle();
  while (failure_.empty()) {
    if (!steps_.empty()) {
      Step step = std::move(steps_.front());
      steps_.pop_front();
      events = std::move(step.events);
      picture_ = std::move(step.picture);
      part_ = std::move(step.part);
      for (const WindowEvent& e : events)
        if (e.kind == WindowEvent::press || e.kind == WindowEvent::release)
          pressed_ = e.kind == WindowEvent::press;
      return true;
    }
    if (settling_ > 0) {
      --settling_;
      editor.settle();
      wait(2);
      continue;
    }
    if (at_ >= lines_.size()) return false;
    const ScriptLine& line = lines_[at_++];
    if (const Result<void> ok = begin(editor, line); !ok)
      failure_ = fmt::format("line {}: {}: {}", line.number, line.words[0], ok.error());
  }
  return false;
}

void Script::draw() const {
  if (picture_.empty()) return;
  for (const Note& note : notes_) draw_script_note(note.text, note.at.x, note.at.y);
  if (pointer_) draw_script_pointer(mouse_.x, mouse_.y, pressed_);
}

Result<void> Script::look(ui::Host& host) {
  if (!picture_.empty()) notes_.clear();
  if (!takes_picture()) {
    host.present();
    return {};
  }
  const int line = at_ > 0 ? lines_[at_ - 1].number : 0;
  const auto failed = [&](const std::string& why) {
    return Error{fmt::format("line {}: picture: {}", line, why)};
  };
  std::string error;
  std::optional<render::Picture> picture = host.capture(error);
  if (!picture) return failed(error);
  if (!part_.empty()) {
    const ui::Landmark* mark = ui::landmarks().find(part_);
    if (!mark)
      return failed(
          fmt::format("there is no '{}' on the screen{}", part_, nearest_landmark(part_)));
    picture = cut_out(*picture, *mark);
  }
  const render::EncodedPng png = render::encode_png(*picture);
  if (!png) return failed(png.error);
  const std::filesystem::path file = out_ / picture_;
  const Result<MadeFolders> made = MadeFolders::make(file.parent_path());
  const Result<void> ok = write_file_atomically(file, png.bytes);
  return ok ? ok : failed(picture_ + ": " + ok.error());
}

Result<void> Script::outcome() const {
  if (failure_.empty()) return {};
  return Error{failure_};
}

}  // namespace sinew::editor
