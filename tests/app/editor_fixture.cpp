#include "tests/app/editor_fixture.h"

#include <filesystem>
#include <stdexcept>

#include "tests/preset_files.h"

namespace sinew::testing {

namespace {

editor::EditorOptions test_options() {
  editor::EditorOptions options;
  options.first_start_welcome = false;
  options.presets = std::filesystem::path(SINEW_SOURCE_DIR) / "presets";
  options.remembers = false;
  options.preset_pictures = false;
  return options;
}

}  // namespace

EditorTest::EditorTest(int width, int height, const Registry* registry)
    : desk_(std::make_unique<HeadlessEditor>(width, height, test_options(), editor::Preferences(),
                                             registry)) {}

EditorTest::~EditorTest() = default;

void EditorTest::restart(editor::EditorOptions options) {
  options.remembers = false;
  options.preset_pictures = false;
  desk_->restart(options);
}

void EditorTest::open(const std::string& text) { desk_->open(text); }

void EditorTest::open_preset(const std::string& name) {
  editor().open_preset(preset_file(name));
  settle();
}

ImVec2 EditorTest::place(const std::string& landmark) const {
  const ui::Landmark* found = ui::landmarks().find(landmark);
  if (!found) {
    std::string all;
    for (const auto& [name, mark] : ui::landmarks().all()) all += " " + name;
    throw std::runtime_error("there is no '" + landmark + "' on the screen, but:" + all);
  }
  return found->middle();
}

bool EditorTest::sees(const std::string& landmark) const {
  return ui::landmarks().find(landmark) != nullptr;
}

void EditorTest::send(WindowEvent event) {
  event.shift = shift_;
  event.ctrl = ctrl_;
  event.alt = alt_;
  event.x = mouse_.x;
  event.y = mouse_.y;
  desk_->feed(event);
  frame();
}

void EditorTest::move(ImVec2 to) {
  mouse_ = to;
  WindowEvent event;
  event.kind = WindowEvent::move;
  send(event);
}

void EditorTest::press(MouseButton button) {
  WindowEvent event;
  event.kind = WindowEvent::press;
  event.button = button;
  send(event);
}

void EditorTest::release(MouseButton button) {
  WindowEvent event;
  event.kind = WindowEvent::release;
  event.button = button;
  send(event);
  frame();
}

void EditorTest::click(ImVec2 at, MouseButton button) {
  move(at);
  frame();
  press(button);
  release(button);
}

void EditorTest::click(const std::string& landmark, MouseButton button) {
  click(place(landmark), button);
}

void EditorTest::double_click(const std::string& landmark) {
  const ImVec2 at = place(landmark);
  click(at);
  press();
  release();
}

void EditorTest::drag(ImVec2 from, ImVec2 to, MouseButton button, int steps) {
  move(from);
  frame();
  press(button);
  for (int i = 1; i <= steps; ++i) {
    const float t = static_cast<float>(i) / static_cast<float>(steps);
    move(ImVec2(from.x + t * (to.x - from.x), from.y + t * (to.y - from.y)));
  }
  release(button);
}

void EditorTest::wheel(ImVec2 at, float notches) {
  move(at);
  WindowEvent event;
  event.kind = WindowEvent::wheel;
  event.dy = notches;
  send(event);
  frame();
}

void EditorTest::hold(const std::string& modifier, bool down) {
  (modifier == "Shift" ? shift_ : modifier == "Ctrl" ? ctrl_ : alt_) = down;
  WindowEvent event;
  event.kind = down ? WindowEvent::key : WindowEvent::key_up;
  event.key_name = "Left " + modifier;
  send(event);
}

void EditorTest::key(const std::string& chord) {
  std::string rest = chord;
  std::vector<std::string> held;
  for (const std::string modifier : {"Ctrl", "Shift", "Alt"}) {
    if (!rest.starts_with(modifier + "+")) continue;
    rest.erase(0, modifier.size() + 1);
    held.push_back(modifier);
    hold(modifier, true);
  }
  WindowEvent event;
  event.kind = WindowEvent::key;
  event.key_name = rest;
  send(event);
  event.kind = WindowEvent::key_up;
  send(event);
  for (const std::string& modifier : held) hold(modifier, false);
  frames(2);
}

void EditorTest::type(const std::string& letters) {
  WindowEvent event;
  event.kind = WindowEvent::text;
  event.content = letters;
  send(event);
  frames(2);
}

Result<void> EditorTest::play(const std::string& text) {
  Result<editor::Script> script = editor::Script::parse(text, SINEW_SOURCE_DIR);
  if (!script) return Error{script.error()};
  return desk_->play(std::move(*script));
}

}  // namespace sinew::testing
