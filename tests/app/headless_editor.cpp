#include "tests/app/headless_editor.h"

#include <stdexcept>

#include "app/cli/program.h"
#include "app/ui/landmarks.h"

namespace sinew::testing {

HeadlessEditor::HeadlessEditor(int the_width, int the_height, const editor::EditorOptions& options,
                               editor::Preferences preferences, const Registry* registry)
    : width(the_width), height(the_height), registry_(registry ? *registry : cli::registry()) {
  render::DeviceOptions device_options;
  device_options.backend = render::Backend::noop;
  std::string error;
  device_ = render::Device::open(device_options, error);
  if (!device_) throw std::runtime_error(error);
  host_ = std::make_unique<ui::Host>(*device_);
  ui::landmarks().listening = true;
  restart(options, std::move(preferences));
}

void HeadlessEditor::restart(const editor::EditorOptions& options,
                             editor::Preferences preferences) {
  end();
  editor_ = std::make_unique<editor::Editor>(*host_, *device_, registry_, std::move(preferences),
                                             options, std::function<void()>());
  frames(3);
}

HeadlessEditor::~HeadlessEditor() {
  editor_.reset();
  host_.reset();
  device_.reset();
}

void HeadlessEditor::feed(const WindowEvent& event) {
  if (on_event) on_event(event);
  if (event.kind == WindowEvent::drop) editor_->drop(event.content, event.x, event.y);
  host_->feed(event);
}

void HeadlessEditor::frame(const std::function<void()>& over) {
  now += frame_seconds;
  host_->begin_frame(width, height, frame_seconds);
  editor_->frame(now);
  if (over) over();
  host_->end_frame();
  host_->present();
  if (on_frame) on_frame();
}

void HeadlessEditor::frames(int count) {
  for (int i = 0; i < count; ++i) frame();
}

void HeadlessEditor::settle() {
  for (int i = 0; i < 3; ++i) {
    frame();
    editor_->settle();
  }
  frames(3);
}

Result<void> HeadlessEditor::play(editor::Script script, const std::function<void()>& each) {
  script.set_size(width, height);
  script.set_pictures(false);
  std::vector<WindowEvent> events;
  while (script.next(*editor_, events)) {
    for (const WindowEvent& event : events) feed(event);
    width = script.width();
    height = script.height();
    frame([&] { script.draw(); });
    if (each) each();
  }
  return script.outcome();
}

void HeadlessEditor::open(const std::string& text) {
  Result<GraphDoc> read = parse_document(text, registry_);
  if (!read) throw std::runtime_error(read.error());
  editor_->session.adopt(std::move(*read), {}, false);
  settle();
}

}  // namespace sinew::testing
