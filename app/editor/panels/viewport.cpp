// The body, and what can be done to it with the mouse.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/cameras.h"
#include "app/editor/panels/viewport/viewport.h"
#include "app/editor/titles.h"
#include "app/ui/landmarks.h"
#include "app/ui/widgets.h"
#include "render/bounds.h"

namespace sinew::editor {
namespace {

constexpr double info_seconds = 6;

float distance(ImVec2 a, ImVec2 b) { return std::hypot(a.x - b.x, a.y - b.y); }

// What moves at least so far with the button down is a drag.
float drag_pixels() { return ui::px(4); }

}  // namespace

Viewport::Viewport(Editor& editor)
    : editor_(editor), sight_(editor), picture_(sight_), moves_(sight_) {
  recall_look();
  add_actions();
  hands_.push_back(make_section_hand(sight_));
  hands_.push_back(make_grabber(sight_));
  hands_.push_back(make_handles(sight_));
  hands_.push_back(make_painter(sight_));
  hands_.push_back(make_toucher(sight_));
}

void Viewport::update() { moves_.update(); }

void Viewport::begin_document() {
  info_.reset();
  framed_ = false;
  for (const auto& hand : hands_) hand->forget();
  holding_ = nullptr;
  editor_.give_up = {};
  moves_.stop();
  editor_.tool = Tool::look;
  const Result<FoundCamera> camera = standard_camera(editor_.session.doc());
  if (!camera) return;
  sight_.view.camera = camera->camera;
  framed_ = camera->framed;
}

void Viewport::draw() {
  sight_.at = ImGui::GetCursorScreenPos();
  sight_.size = ImGui::GetContentRegionAvail();
  if (sight_.size.x < 2 || sight_.size.y < 2) return;
  if (picture_.take()) begin_document();
  if (!framed_ && !sight_.box.isEmpty()) {
    framed_ = true;
    sight_.view.camera.frame(sight_.box, sight_.aspect());
    sight_.dirty = true;
  }
  for (const auto& hand : hands_) hand->update();
  picture_.paint();
  ImGui::InvisibleButton("view", sight_.size,
                         ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonMiddle |
                             ImGuiButtonFlags_MouseButtonRight);
  ui::mark("viewport", "image");
  const bool hovered = ImGui::IsItemHovered() && !ImGui::IsAnyItemActive();
  const bool active = ImGui::IsItemActive();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PushClipRect(sight_.at, ImVec2(sight_.at.x + sight_.size.x, sight_.at.y + sight_.size.y),
                    true);
  picture_.show(list);
  if (hovered || active) editor_.set_hovered(Where::viewport);
  const bool on_axes =
      moves_.draw_axes(list, (hovered || active) && drag_ == Drag::none && !holding_);
  if (!on_axes || drag_ != Drag::none || holding_) use_mouse(hovered || active);
  if (picture_.problem().empty())
    for (auto hand = hands_.rbegin(); hand != hands_.rend(); ++hand) (*hand)->draw(list);
  draw_info(list);
  draw_words(list);
  list.PopClipRect();
  mark_body();
  draw_toolbar();
}

// Where the body is now: for who looks for it by name.
void Viewport::mark_body() const {
  if (!ui::landmarks().listening || sight_.whole.empty()) return;
  const render::Box box = render::bounds_of(sight_.whole);
  if (box.isEmpty()) return;
  ImVec2 from(FLT_MAX, FLT_MAX), to(-FLT_MAX, -FLT_MAX);
  for (int i = 0; i < 8; ++i) {
    const std::optional<ImVec2> p =
        sight_.place(box.corner(static_cast<render::Box::CornerType>(i)));
    if (!p) return;
    from = ImVec2(std::min(from.x, p->x), std::min(from.y, p->y));
    to = ImVec2(std::max(to.x, p->x), std::max(to.y, p->y));
  }
  ui::mark_passing("viewport", "body", from, to);
}

// The left button belongs to whoever wants it first; what nobody wants moves the eye.
void Viewport::use_mouse(bool hovered) {
  const ImGuiIO& io = ImGui::GetIO();
  const bool any_down = io.MouseDown[0] || io.MouseDown[1] || io.MouseDown[2];
  if (holding_) return use_hands(hovered);
  if (hovered && drag_ == Drag::none) {
    const bool orbits = io.KeyAlt;
    ViewHand* wants = nullptr;
    if (!orbits)
      for (const auto& hand : hands_)
        if (hand->hover() && (!io.KeyShift || hand->takes_shift())) {
          wants = hand.get();
          break;
        }
    if (!wants)
      editor_.hint(
          "Drag: go round    Right or Shift+drag: move    Wheel: closer    Click: choose what made "
          "it (Shift: that, too)    F: frame    0-6: views");
    if (io.MouseWheel != 0 && !io.KeyCtrl) moves_.zoom(io.MouseWheel, io.MousePos);
    if (ImGui::IsMouseClicked(0)) {
      pressed_at_ = io.MousePos;
      if (wants && wants->press()) {
        holding_ = wants;
        editor_.give_up = [this] { give_up(); };
        return;
      }
      drag_ = Drag::wait;
    } else if (ImGui::IsMouseClicked(2)) {
      pressed_at_ = io.MousePos;
      drag_ = io.KeyShift ? Drag::pan : Drag::orbit;
    } else if (ImGui::IsMouseClicked(1)) {
      pressed_at_ = io.MousePos;
      drag_ = Drag::pan;
    }
  }
  if (drag_ == Drag::none) return;
  if (drag_ == Drag::wait && distance(io.MousePos, pressed_at_) >= drag_pixels())
    drag_ = io.KeyShift ? Drag::pan : Drag::orbit;
  if (any_down && (io.MouseDelta.x != 0 || io.MouseDelta.y != 0)) {
    if (drag_ == Drag::orbit) moves_.orbit(io.MouseDelta);
    if (drag_ == Drag::pan) moves_.pan(io.MouseDelta);
  }
  if (any_down) return;
  if (drag_ == Drag::wait) click();
  drag_ = Drag::none;
}

void Viewport::use_hands(bool /*hovered*/) {
  const ImGuiIO& io = ImGui::GetIO();
  if (io.MouseDown[0] && ImGui::IsKeyPressed(ImGuiKey_Escape, false)) return give_up();
  if (io.MouseDown[0]) return holding_->drag();
  editor_.give_up = {};
  std::exchange(holding_, nullptr)->release();
}

// All is as it was before the hand took hold.
void Viewport::give_up() {
  editor_.give_up = {};
  if (ViewHand* hand = std::exchange(holding_, nullptr)) hand->cancel();
}

// A click chooses the node that made what is under it; a second one lets the eye turn round it.
void Viewport::click() {
  const bool alt = ImGui::GetIO().KeyAlt;
  if (std::any_of(hands_.begin(), hands_.end(), [&](const auto& hand) { return hand->click(alt); }))
    return;
  const std::optional<render::Pick> found = sight_.pick(pressed_at_);
  if (!found) return info_.reset();
  if (ImGui::GetIO().MouseClickedLastCount[0] >= 2) return moves_.set_pivot(found->point);
  const CompiledGraph& graph = *editor_.session.graph();
  std::string name;
  if (const std::optional<Target> target = target_of(graph, found->source)) {
    const std::string path = graph.node(origin_of(graph, *target).node).path;
    if (editor_.tool == Tool::look && ImGui::GetIO().KeyShift)
      choose_also(path);
    else if (editor_.tool == Tool::look)
      editor_.session.go_to_node(path);
    name = title_of_path(editor_.session, path);
  }
  std::string text = fmt::format("{}\ntriangle {}\n{:.4g}, {:.4g}, {:.4g} m", name, found->triangle,
                                 found->point.x(), found->point.y(), found->point.z());
  const draw::Mesh& mesh = sight_.list.meshes[found->mesh];
  if (mesh.scale >= 0 && !mesh.values.empty()) {
    float value = 0;
    if (mesh.values_per == draw::ValuesPer::triangle) {
      value = mesh.values[found->triangle];
    } else {
      for (int k = 0; k < 3; ++k)
        value += found->weights[k] * mesh.values[mesh.triangles[found->triangle][k]];
    }
    const draw::ColourScale& scale = sight_.list.scales[static_cast<std::size_t>(mesh.scale)];
    text += fmt::format("\n{}: {:.4g} {}", scale.title, value, scale.unit);
  }
  info_ = Info{found->point, std::move(text), editor_.now()};
  editor_.want_frames(info_seconds + 0.2);
}

// With Shift more is chosen. What is in hand stays in hand, with its handles.
void Viewport::choose_also(const std::string& path) {
  Session& session = editor_.session;
  const std::size_t slash = path.rfind('/');
  const std::string id = slash == std::string::npos ? path : path.substr(slash + 1);
  if (session.path_of(id) != path) return;  // it is in another graph
  std::set<std::string> all = session.selection();
  const NodeDoc* active = session.active();
  if (!all.insert(id).second && !(active && active->id == id)) all.erase(id);
  session.select(std::move(all));
}

void Viewport::draw_info(ImDrawList& list) {
  if (!info_ || editor_.now() - info_->at > info_seconds) return;
  const std::optional<ImVec2> at = sight_.place(info_->point);
  if (!at) return;
  list.AddCircleFilled(*at, ui::px(3), ui::theme().accent);
  const ImVec2 size = ImGui::CalcTextSize(info_->text.c_str()), pad(ui::px(7), ui::px(5));
  const float room = sight_.at.x + sight_.size.x - size.x - 2 * pad.x;
  const ImVec2 from(std::min(at->x + ui::px(14), room), at->y + ui::px(10));
  const ImVec2 to(from.x + size.x + 2 * pad.x, from.y + size.y + 2 * pad.y);
  list.AddRectFilled(from, to, ui::with_alpha(ui::theme().raised, 0.92f), ui::px(4));
  list.AddRect(from, to, ui::theme().line, ui::px(4));
  list.AddText(ImVec2(from.x + pad.x, from.y + pad.y), ui::theme().text, info_->text.c_str());
  ui::mark_passing("viewport", "info", from, to);
}

// Why there is nothing to see, or nothing new.
void Viewport::draw_words(ImDrawList& list) {
  if (picture_.problem().empty()) return;
  std::string text = picture_.problem();
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 32);
  if (!picture_.problem_node().empty()) {
    text = fmt::format("{}: {}", title_of_path(editor_.session, picture_.problem_node()),
                       picture_.problem());
  } else if (editor_.session.doc().graph.nodes.empty()) {
    text = "Nothing here yet. Press Tab on the canvas to add a node, or open a preset.";
  }
  const float width = std::min(ui::px(460), sight_.size.x - ui::px(60));
  const ImVec2 size = ImGui::CalcTextSize(text.c_str(), nullptr, false, width);
  const ImVec2 from(sight_.at.x + (sight_.size.x - size.x) / 2,
                    sight_.at.y + (sight_.size.y - size.y) / 2);
  const ImVec2 pad(ui::px(16), ui::px(10));
  list.AddRectFilled(ImVec2(from.x - pad.x, from.y - pad.y),
                     ImVec2(from.x + size.x + pad.x, from.y + size.y + pad.y),
                     ui::with_alpha(ui::theme().raised, 0.95f), ui::px(6));
  list.AddText(ImGui::GetFont(), ImGui::GetFontSize(), from,
               picture_.problem_node().empty() ? ui::theme().dim : ui::theme().error, text.c_str(),
               nullptr, width);
  ui::mark_passing("viewport", "words", from, ImVec2(from.x + size.x, from.y + size.y));
}

std::unique_ptr<Panel> make_viewport(Editor& editor) { return std::make_unique<Viewport>(editor); }

}  // namespace sinew::editor
