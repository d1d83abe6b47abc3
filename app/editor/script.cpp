#include "app/editor/script.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>
#include <sstream>

#include "app/editor/editor.h"
#include "app/ui/landmarks.h"
#include "graph/atomic_file.h"
#include "render/png_file.h"

namespace sinew::editor {
namespace {

// Words with spaces stand in quotation marks; a # begins a remark.
std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> words;
  std::string word;
  bool quoted = false, any = false;
  for (const char c : line) {
    if (c == '"') {
      quoted = !quoted;
      any = true;
    } else if (!quoted && c == '#') {
      break;
    } else if (!quoted && (c == ' ' || c == '\t' || c == '\r')) {
      if (any) words.push_back(std::exchange(word, {}));
      any = false;
    } else {
      word += c;
      any = true;
    }
  }
  if (any) words.push_back(word);
  return words;
}

bool is_number(const std::string& word) {
  char* end = nullptr;
  std::strtof(word.c_str(), &end);
  return !word.empty() && *end == 0;
}

float number(const std::string& word) { return std::strtof(word.c_str(), nullptr); }

}  // namespace

Result<Script> Script::load(const std::filesystem::path& path) {
  const Result<std::string> text = read_file(path, 8u << 20);
  if (!text) return Error{text.error()};
  Script script;
  script.folder_ = path.parent_path();
  std::istringstream in(*text);
  int line_number = 0;
  for (std::string line; std::getline(in, line);) {
    ++line_number;
    if (std::vector<std::string> words = words_of(line); !words.empty())
      script.lines_.push_back({line_number, std::move(words)});
  }
  script.wait(3);
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
  mouse_ = to;
  steps_.push_back({{event(WindowEvent::move)}, ""});
}

void Script::button(MouseButton which, bool down) {
  WindowEvent e = event(down ? WindowEvent::press : WindowEvent::release);
  e.button = which;
  steps_.push_back({{e}, ""});
}

void Script::drag(const Place& from, const Place& to, MouseButton which, int steps) {
  move_to(from);
  wait(1);
  button(which, true);
  for (int i = 1; i <= steps; ++i) {
    const float t = static_cast<float>(i) / static_cast<float>(steps);
    move_to({from.x + t * (to.x - from.x), from.y + t * (to.y - from.y)});
  }
  wait(1);
  button(which, false);
  wait(2);
}

void Script::hold(const std::string& modifier, bool down) {
  (modifier == "Shift" ? shift_ : modifier == "Ctrl" ? ctrl_ : alt_) = down;
  WindowEvent e = event(down ? WindowEvent::key : WindowEvent::key_up);
  e.key_name = "Left " + modifier;
  steps_.push_back({{e}, ""});
}

void Script::key(const std::string& chord) {
  std::string rest = chord;
  std::vector<std::string> held;
  for (const std::string modifier : {"Ctrl", "Shift", "Alt"}) {
    if (!rest.starts_with(modifier + "+")) continue;
    rest.erase(0, modifier.size() + 1);
    held.push_back(modifier);
    hold(modifier, true);
  }
  WindowEvent e = event(WindowEvent::key);
  e.key_name = rest;
  steps_.push_back({{e}, ""});
  e.kind = WindowEvent::key_up;
  steps_.push_back({{e}, ""});
  for (const std::string& modifier : held) hold(modifier, false);
  wait(2);
}

// A landmark, with pixels from its middle or without; "@" with pixels of the window; or, beside a
// place to start from, only pixels from there.
Result<Script::Place> Script::place(const std::vector<std::string>& words, std::size_t& at,
                                    const Place& from) const {
  if (at >= words.size()) return Error{"a place is missing: a landmark, or @ X Y"};
  Place found = from;
  if (words[at] == "@") {
    found = {0, 0};
    ++at;
    if (at + 1 >= words.size() || !is_number(words[at]) || !is_number(words[at + 1]))
      return Error{"after @ come two numbers of pixels"};
  } else if (!is_number(words[at])) {
    const ui::Landmark* mark = ui::landmarks().find(words[at]);
    if (!mark) return Error{fmt::format("there is no '{}' on the screen", words[at])};
    found = {mark->middle().x, mark->middle().y};
    ++at;
  }
  if (at + 1 < words.size() && is_number(words[at]) && is_number(words[at + 1])) {
    found.x += number(words[at]);
    found.y += number(words[at + 1]);
    at += 2;
  }
  return found;
}

Result<void> Script::begin_mouse(const Line& line) {
  const std::vector<std::string>& w = line.words;
  std::size_t at = 1;
  MouseButton which = MouseButton::left;
  int clicks = 1;
  for (; at < w.size(); ++at) {
    if (w[at] == "right")
      which = MouseButton::right;
    else if (w[at] == "middle")
      which = MouseButton::middle;
    else if (w[at] == "double")
      clicks = 2;
    else
      break;
  }
  if (w[0] == "press" || w[0] == "release") {
    button(which, w[0] == "press");
    wait(1);
    return {};
  }
  const Result<Place> from = place(w, at, mouse_);
  if (!from) return Error{from.error()};
  if (w[0] == "move") {
    move_to(*from);
    wait(1);
  } else if (w[0] == "click") {
    move_to(*from);
    wait(1);
    for (int i = 0; i < clicks; ++i) {
      button(which, true);
      button(which, false);
    }
    wait(2);
  } else if (w[0] == "wheel") {
    if (at >= w.size() || !is_number(w[at]))
      return Error{"after the place comes a number of notches"};
    move_to(*from);
    WindowEvent e = event(WindowEvent::wheel);
    e.dy = number(w[at]);
    steps_.push_back({{e}, ""});
    wait(2);
  } else {
    if (at >= w.size() || w[at] != "to") return Error{"a drag reads: drag PLACE to PLACE"};
    ++at;
    const Result<Place> to = place(w, at, *from);
    if (!to) return Error{to.error()};
    int steps = 12;
    if (at + 1 < w.size() && w[at] == "in" && is_number(w[at + 1]))
      steps = std::max(1, static_cast<int>(number(w[at + 1])));
    drag(*from, *to, which, steps);
  }
  return {};
}

Result<void> Script::begin(Editor& editor, const Line& line) {
  const std::vector<std::string>& w = line.words;
  const std::string& verb = w[0];
  const auto needs = [&](std::size_t count) { return w.size() > count; };
  if (verb == "click" || verb == "drag" || verb == "move" || verb == "press" || verb == "release" ||
      verb == "wheel")
    return begin_mouse(line);
  if (verb == "settle") {
    settling_ = 4;
  } else if (verb == "frames" && needs(1) && is_number(w[1])) {
    wait(static_cast<int>(number(w[1])));
  } else if (verb == "key" && needs(1)) {
    for (std::size_t i = 1; i < w.size(); ++i) key(w[i]);
  } else if (verb == "hold" && needs(1)) {
    hold(w[1], true);
  } else if (verb == "let" && needs(1)) {
    hold(w[1], false);
  } else if (verb == "type" && needs(1)) {
    WindowEvent e = event(WindowEvent::text);
    for (std::size_t i = 1; i < w.size(); ++i) e.content += (i > 1 ? " " : "") + w[i];
    steps_.push_back({{e}, ""});
    wait(2);
  } else if (verb == "action" && needs(1)) {
    if (!editor.actions.run(w[1]))
      return Error{fmt::format("the action '{}' cannot be done now", w[1])};
    wait(2);
  } else if (verb == "open" && needs(1)) {
    const std::filesystem::path file(w[1]);
    editor.open_file(file.is_absolute() ? file : folder_ / file);
    wait(2);
  } else if (verb == "drop" && needs(1)) {
    WindowEvent e = event(WindowEvent::drop);
    const std::filesystem::path file(w[1]);
    e.content = (file.is_absolute() ? file : folder_ / file).string();
    steps_.push_back({{e}, ""});
    wait(2);
  } else if (verb == "picture" && needs(1)) {
    steps_.push_back({{}, w[1]});
  } else {
    return Error{fmt::format("'{}' is no line of a script", verb)};
  }
  return {};
}

bool Script::next(Editor& editor, std::vector<WindowEvent>& events) {
  events.clear();
  picture_.clear();
  while (failure_.empty()) {
    if (!steps_.empty()) {
      events = std::move(steps_.front().events);
      picture_ = std::move(steps_.front().picture);
      steps_.pop_front();
      return true;
    }
    if (settling_ > 0) {
      --settling_;
      editor.player.settle();
      wait(2);
      continue;
    }
    if (at_ >= lines_.size()) return false;
    const Line& line = lines_[at_++];
    if (const Result<void> ok = begin(editor, line); !ok)
      failure_ = fmt::format("line {}: {}", line.number, ok.error());
  }
  return false;
}

Result<void> Script::look(Editor&, ui::Host& host) {
  if (picture_.empty()) {
    host.present();
    return {};
  }
  const int line = at_ > 0 ? lines_[at_ - 1].number : 0;
  std::string error;
  const std::optional<render::Picture> picture = host.capture(error);
  if (!picture) return Error{fmt::format("line {}: {}", line, error)};
  const render::EncodedPng png = render::encode_png(*picture);
  if (!png) return Error{fmt::format("line {}: {}", line, png.error)};
  const Result<void> ok = write_file_atomically(picture_, png.bytes);
  return ok ? ok : Error{fmt::format("line {}: {}: {}", line, picture_, ok.error())};
}

Result<void> Script::outcome() const {
  if (failure_.empty()) return {};
  return Error{failure_};
}

void ScriptRecorder::note(const WindowEvent&) {}
void ScriptRecorder::frame(double) {}
Result<void> ScriptRecorder::write() { return {}; }
void write_landmarks(const std::filesystem::path&, Editor&) {}

}  // namespace sinew::editor
