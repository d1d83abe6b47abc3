// The body, and what can be done to it with the mouse.
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/cameras.h"
#include "app/editor/editor.h"
#include "app/ui/landmarks.h"
#include "render/bounds.h"

namespace sinew::editor {
namespace {

class Viewport : public Panel {
 public:
  explicit Viewport(Editor& editor) : editor_(editor), renderer_(editor.device) {
    editor_.actions.add({"viewport.frame_all", "Frame all", "View", "F", "Everything in the picture",
                         Where::viewport, [this] { frame_all(); }});
  }

  void draw() override {
    const ImVec2 at = ImGui::GetCursorScreenPos(), size = ImGui::GetContentRegionAvail();
    if (size.x < 2 || size.y < 2) return;
    take_shot();
    paint(static_cast<int>(size.x), static_cast<int>(size.y));
    ImGui::InvisibleButton("view", size,
                           ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonMiddle |
                               ImGuiButtonFlags_MouseButtonRight);
    if (page_.texture)
      ImGui::GetWindowDrawList()->AddImage(
          ImTextureRef(static_cast<ImTextureID>(page_.texture)), at,
          ImVec2(at.x + size.x, at.y + size.y), ImVec2(0, page_.upside_down ? 1.0f : 0.0f),
          ImVec2(1, page_.upside_down ? 0.0f : 1.0f));
    if (ImGui::IsItemHovered()) {
      editor_.set_hovered(Where::viewport);
      editor_.hint("Drag: go round   Shift+drag: move   Wheel: closer   F: frame all");
      if (const float wheel = ImGui::GetIO().MouseWheel; wheel != 0) {
        view_.camera.zoom(std::pow(0.9f, wheel));
        dirty_ = true;
      }
    }
    if (ImGui::IsItemActive()) {
      const ImVec2 d = ImGui::GetIO().MouseDelta;
      if (d.x != 0 || d.y != 0) {
        if (ImGui::GetIO().KeyShift || !ImGui::IsMouseDown(0))
          view_.camera.pan(d.x / size.y, d.y / size.y);
        else
          view_.camera.orbit(-0.4f * d.x, 0.4f * d.y);
        dirty_ = true;
      }
    }
  }

 private:
  void take_shot() {
    Player& player = editor_.player;
    if (document_ != editor_.session.document_count()) {
      document_ = editor_.session.document_count();
      framed_ = false;
      box_.setEmpty();
      scales_ = {};
      list_ = {};
      dirty_ = true;
      const Result<FoundCamera> camera = standard_camera(editor_.session.doc());
      if (camera) {
        view_.camera = camera->camera;
        framed_ = camera->framed;
      }
    }
    if (shot_ == player.shot_number() || !player.shot() || !player.scene()) return;
    shot_ = player.shot_number();
    if (&player.scene()->graph() != player.shot()->graph.get()) return;
    list_ = player.scene()->draw(player.shot()->evaluation, show_).list;
    scales_.see(list_);
    scales_.apply(list_);
    box_.extend(render::bounds_of(list_));
    if (!box_.isEmpty()) view_.floor = box_.min().y();
    if (!framed_ && !box_.isEmpty()) frame_all();
    dirty_ = true;
  }

  void paint(int width, int height) {
    if (!dirty_ && width == width_ && height == height_) return;
    width_ = width;
    height_ = height;
    render::FrameReport report;
    page_ = renderer_.paint(list_, view_, width, height, report);
    dirty_ = false;
  }

  void frame_all() {
    if (box_.isEmpty()) return;
    framed_ = true;
    view_.camera.frame(box_, static_cast<float>(std::max(width_, 1)) /
                                 static_cast<float>(std::max(height_, 1)));
    dirty_ = true;
  }

  Editor& editor_;
  render::Renderer renderer_;
  render::View view_;
  render::Renderer::Page page_;
  draw::DrawList list_;
  ShowOptions show_;
  SteadyScales scales_;
  render::Box box_;
  uint64_t shot_ = 0, document_ = 0;
  int width_ = 0, height_ = 0;
  bool dirty_ = true, framed_ = false;
};

}  // namespace

std::unique_ptr<Panel> make_viewport(Editor& editor) { return std::make_unique<Viewport>(editor); }

}  // namespace sinew::editor
