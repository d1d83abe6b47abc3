#include "app/editor/script/landmarks_file.h"

#include <cmath>

#include "app/editor/editor.h"
#include "app/ui/landmarks.h"
#include "graph/atomic_file.h"

namespace sinew::editor {
namespace {

constexpr double seconds_between = 0.05;

}  // namespace

std::string landmarks_text(Editor& editor) {
  Json marks = Json::object();
  for (const auto& [name, mark] : ui::landmarks().all())
    marks[name] = {std::lround(mark.left), std::lround(mark.top), std::lround(mark.right),
                   std::lround(mark.bottom)};
  const Session& session = editor.session;
  const Player& player = editor.player;
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  const ImGuiIO& io = ImGui::GetIO();
  const int buttons =
      (io.MouseDown[0] ? 1 : 0) + (io.MouseDown[1] ? 2 : 0) + (io.MouseDown[2] ? 4 : 0);
  const bool inside = ImGui::IsMousePosValid();
  Json state = {
      {"busy", player.busy()},
      {"buttons", buttons},
      {"clock", player.clock() == ClockKind::live ? "live" : "timeline"},
      {"frame", player.frame()},
      {"history", session.history().position()},
      {"keys", editor.host.keys_pressed()},
      {"modified", session.modified()},
      {"mouse",
       {inside ? std::lround(io.MousePos.x) : -1, inside ? std::lround(io.MousePos.y) : -1}},
      {"notice", editor.notices().empty() ? "" : editor.notices().back().text},
      {"playing", player.playing()},
      {"selection", session.selection()},
      {"shot", player.shot_number()},
      {"size", {std::lround(size.x), std::lround(size.y)}},
      {"title", editor.window_title()}};
  const Json all = {{"landmarks", std::move(marks)}, {"state", std::move(state)}};
  // A path or a title may hold bytes that are no UTF-8.
  return all.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

void LandmarksFile::update(Editor& editor) {
  if (file_.empty()) return;
  const double now = editor.now();
  if (now - written_at_ < seconds_between) {
    // This frame may be the last for a while: there must be one that writes.
    editor.want_frames(2 * seconds_between);
    return;
  }
  std::string text = landmarks_text(editor);
  if (text == written_) return;
  written_at_ = now;
  // Whoever asked for the file sees that it does not come; the editor has no use for it.
  if (write_file_atomically(file_, text)) written_ = std::move(text);
}

}  // namespace sinew::editor
