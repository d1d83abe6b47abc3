// The tutorial, beside the work: it can be moved, and what it says can be done while it is open.
// Whether something on this machine opens such pages does not matter.
#include <imgui.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "app/editor/editor.h"
#include "app/editor/page_text.h"
#include "app/ui/landmarks.h"
#include "app/ui/widgets.h"
#include "graph/atomic_file.h"
#include "render/png_file.h"

namespace sinew::editor {
namespace {

constexpr std::size_t most_bytes = 4u << 20;  // of the page, and of one of its pictures
constexpr std::size_t most_pictures = 8;      // that are kept from one frame to the next

class Tutorial : public Overlay {
 public:
  explicit Tutorial(Editor& editor) : editor_(editor) {
    Action action{"help.tutorial",
                  "Tutorial",
                  "Help",
                  "",
                  "From an empty canvas to a jellyfish that swims",
                  Where::anywhere,
                  [this] { open(); }};
    action.enabled = [this] { return !editor_.tutorial_file().empty(); };
    editor_.actions.add(std::move(action));
  }

  void draw() override {
    // Not while a frame is drawn, which may show them.
    if (!open_ || pictures_.size() > most_pictures) pictures_.clear();
    if (!open_) return;
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowSize(
        ImVec2(std::min(0.9f * screen.x, ui::px(470)), std::min(0.8f * screen.y, ui::px(640))),
        ImGuiCond_Appearing);
    ImGui::SetNextWindowPos(ImVec2(ui::px(24), screen.y / 2), ImGuiCond_Appearing, ImVec2(0, 0.5f));
    if (ImGui::Begin("Tutorial###tutorial", &open_,
                     ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings)) {
      const float below = 2 * ImGui::GetFrameHeightWithSpacing();
      ImGui::BeginChild("page", ImVec2(0, ImGui::GetContentRegionAvail().y - below));
      draw_page();
      ImGui::EndChild();
      ui::mark("tutorial", "page");
      ImGui::Separator();
      ImGui::PushTextWrapPos();
      ImGui::TextDisabled("%s", file_.string().c_str());
      ImGui::PopTextWrapPos();
      if (ImGui::IsItemClicked()) {
        ImGui::SetClipboardText(file_.string().c_str());
        editor_.notify(NoticeKind::info, "Its path is in the clipboard");
      }
      ui::hover_text("The page and its pictures. Click: copy the path");
      ui::mark("tutorial", "path");
      if (ImGui::IsWindowFocused(ImGuiFocusedFlags_ChildWindows) &&
          ImGui::IsKeyPressed(ImGuiKey_Escape, false))
        open_ = false;
    }
    ImGui::End();
  }

 private:
  void open() {
    file_ = editor_.tutorial_file();
    const Result<std::string> text = read_file(file_, most_bytes);
    if (!text) return editor_.notify(NoticeKind::error, file_.string() + ": " + text.error());
    page_ = read_page(*text);
    open_ = true;
  }

  void draw_page() {
    ImGui::PushTextWrapPos();
    for (const PageBlock& block : page_) draw_block(block);
    ImGui::PopTextWrapPos();
  }

  void draw_block(const PageBlock& block) {
    const float size = ImGui::GetStyle().FontSizeBase;
    switch (block.kind) {
      case PageBlock::Kind::heading:
        ImGui::Dummy(ImVec2(0, ui::px(6)));
        ImGui::PushFont(nullptr, (block.level == 1 ? 1.5f : 1.2f) * size);
        ImGui::TextUnformatted(block.text.c_str());
        ImGui::PopFont();
        ui::mark("tutorial.heading", block.text);
        return;
      case PageBlock::Kind::item:
      case PageBlock::Kind::row:
        ImGui::Bullet();
        ImGui::TextUnformatted(block.text.c_str());
        return;
      case PageBlock::Kind::code:
        ImGui::PushStyleColor(ImGuiCol_Text, ui::theme().dim);
        ImGui::TextUnformatted(block.text.c_str());
        ImGui::PopStyleColor();
        break;
      case PageBlock::Kind::picture:
        draw_picture(block);
        break;
      case PageBlock::Kind::paragraph:
        ImGui::TextUnformatted(block.text.c_str());
        break;
    }
    ImGui::Dummy(ImVec2(0, ui::px(4)));
  }

  // Room is kept for a picture that is not in view, so that nothing jumps.
  void draw_picture(const PageBlock& block) {
    const float width = ImGui::GetContentRegionAvail().x;
    const auto known = shapes_.find(block.file);
    const float shape = known == shapes_.end() ? 0.625f : known->second;
    const ImVec2 at = ImGui::GetCursorScreenPos(), room(width, shape * width);
    if (ImGui::IsRectVisible(room)) {
      if (const ui::Texture* picture = picture_of(block.file))
        ImGui::GetWindowDrawList()->AddImage(picture->ref(), at,
                                             ImVec2(at.x + room.x, at.y + room.y));
      else
        return ImGui::TextDisabled("(%s)", block.text.c_str());
    }
    ImGui::Dummy(room);
    ui::hover_text(block.text);
    ui::mark("tutorial.picture", block.file);
  }

  const ui::Texture* picture_of(const std::string& name) {
    if (const auto known = pictures_.find(name); known != pictures_.end())
      return known->second ? &known->second : nullptr;
    ui::Texture& texture = pictures_[name];
    const Result<std::string> bytes = read_file(file_.parent_path() / name, most_bytes);
    if (!bytes) return nullptr;
    const render::DecodedPng read = render::decode_png(*bytes, 4096);
    if (!read) return nullptr;
    texture = ui::Texture(editor_.host.layer(), read.picture);
    shapes_[name] =
        static_cast<float>(texture.height()) / static_cast<float>(std::max(1, texture.width()));
    return texture ? &texture : nullptr;
  }

  Editor& editor_;
  bool open_ = false;
  std::filesystem::path file_;
  std::vector<PageBlock> page_;
  std::map<std::string, ui::Texture> pictures_;  // those seen last; empty: it cannot be read
  std::map<std::string, float> shapes_;          // height by width
};

}  // namespace

std::unique_ptr<Overlay> make_tutorial(Editor& editor) {
  return std::make_unique<Tutorial>(editor);
}

}  // namespace sinew::editor
