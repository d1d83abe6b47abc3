#include "app/editor/script.h"

#include "app/editor/editor.h"

namespace sinew::editor {

Result<Script> Script::load(const std::filesystem::path&) { return Script(); }
void Script::set_size(int width, int height) {
  width_ = width;
  height_ = height;
}
bool Script::next(Editor&, std::vector<WindowEvent>& events) {
  events.clear();
  static int frames = 0;
  return ++frames < 10;
}
Result<void> Script::look(Editor&, ui::Host& host) {
  static int frames = 0;
  if (++frames < 8) return {};
  std::string error;
  const auto picture = host.capture(error);
  if (!picture) return Error{error};
  return {};
}
Result<void> Script::outcome() const { return {}; }
void ScriptRecorder::note(const WindowEvent&) {}
void ScriptRecorder::frame(double) {}
Result<void> ScriptRecorder::write() { return {}; }
void write_landmarks(const std::filesystem::path&, Editor&) {}

}  // namespace sinew::editor
