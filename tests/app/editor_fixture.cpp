#include "tests/app/editor_fixture.h"

#include <filesystem>
#include <stdexcept>

#include "app/cli/program.h"
#include "app/editor/script/script.h"

namespace sinew::testing {

EditorTest::EditorTest(int width, int height) : width_(width), height_(height) {
  render::DeviceOptions options;
  options.backend = render::Backend::noop;
  std::string error;
  device_ = render::Device::open(options, error);
  if (!device_) throw std::runtime_error(error);
  host_ = std::make_unique<ui::Host>(*device_);
  ui::landmarks().listening = true;
  editor::EditorOptions editor_options;
  editor_options.first_start_welcome = false;
  editor_options.presets = std::filesystem::path(SINEW_SOURCE_DIR) / "presets";
  restart(editor_options);
}

void EditorTest::restart(editor::EditorOptions editor_options) {
  end();
  editor_options.remembers = false;
  editor_options.preset_pictures = false;
  editor_ =
      std::make_unique<editor::Editor>(*host_, *device_, cli::registry(), editor::Preferences(),
                                       editor_options, std::function<void()>());
  frames(3);
}

EditorTest::~EditorTest() {
  editor_.reset();
  host_.reset();
  device_.reset();
}

void EditorTest::open(const std::string& text) {
  Result<GraphDoc> read = parse_document(text, cli::registry());
  if (!read) throw std::runtime_error(read.error());
  editor_->session.adopt(std::move(*read), {}, false);
  settle();
}

void EditorTest::open_preset(const std::string& name) {
  editor_->open_preset(editor_->options.presets / (name + ".json"));
  settle();
}

void EditorTest::frame() {
  now_ += 1.0 / 60;
  host_->begin_frame(width_, height_, 1.0 / 60);
  editor_->frame(now_);
  host_->end_frame();
  host_->present();
}

void EditorTest::frames(int count) {
  for (int i = 0; i < count; ++i) frame();
}

void EditorTest::settle() {
  for (int i = 0; i < 3; ++i) {
    frame();
    editor_->settle();
  }
  frames(3);
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
  host_->feed(event);
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
  script->set_size(width_, height_);
  script->set_pictures(false);
  std::vector<WindowEvent> events;
  while (script->next(*editor_, events)) {
    for (const WindowEvent& event : events) {
      if (event.kind == WindowEvent::drop) editor_->drop(event.content, event.x, event.y);
      host_->feed(event);
    }
    width_ = script->width();
    height_ = script->height();
    now_ += 1.0 / 60;
    host_->begin_frame(width_, height_, 1.0 / 60);
    editor_->frame(now_);
    script->draw();
    host_->end_frame();
    if (const Result<void> ok = script->look(*host_); !ok) return ok;
  }
  return script->outcome();
}

}  // namespace sinew::testing
