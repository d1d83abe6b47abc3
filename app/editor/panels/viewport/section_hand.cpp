// The plane that cuts bodies open, to be dragged along its normal and turned. It belongs to the
// look, not to the document.
#include "app/editor/panels/viewport/gizmo.h"
#include "app/editor/panels/viewport/viewport.h"
#include "app/ui/landmarks.h"

namespace sinew::editor {
namespace {

class SectionHand : public ViewHand {
 public:
  explicit SectionHand(Sight& sight) : sight_(sight) {}

  bool hover() override {
    part_ = Part::none;
    if (!sight_.show.section) return false;
    part_ = hit(grips_, sight_.mouse());
    if (part_ == Part::none) return false;
    sight_.editor.hint("Drag: move or turn the cut    Shift: fine    Ctrl: in steps");
    return true;
  }

  bool press() override {
    if (part_ == Part::none) return false;
    start_ = values();
    from_ = to_ = sight_.mouse();
    dragging_ = true;
    return true;
  }

  void drag() override {
    if (!sight_.show.section) return;
    const ImGuiIO& io = ImGui::GetIO();
    const float speed = io.KeyShift ? 0.1f : 1.0f;
    to_ = ImVec2(to_.x + speed * io.MouseDelta.x, to_.y + speed * io.MouseDelta.y);
    const GizmoValues now = dragged(sight_, start_, part_, from_, to_, io.KeyCtrl, words_);
    set(now);
  }

  void release() override { dragging_ = false; }
  void cancel() override {
    dragging_ = false;
    if (sight_.show.section) set(start_);
  }
  void forget() override { dragging_ = false; }

  void draw(ImDrawList& list) override {
    grips_.clear();
    if (!sight_.show.section) return;
    const GizmoValues now = values();
    draw_outline(list, sight_, now);
    grips_ = make_grips(sight_, now, GizmoMode::move);
    draw_grips(list, grips_, part_, false);
    for (const Grip& grip : grips_) {
      const ImVec2 e = grip.look == Grip::Look::ring ? grip.line[grip.line.size() / 2] : grip.end();
      ui::mark_area("handle", std::string("section.") + name_of(grip.part),
                    ImVec2(e.x - 3, e.y - 3), ImVec2(e.x + 3, e.y + 3));
    }
    if (dragging_) draw_feedback(list, sight_.mouse(), words_);
    if (!dragging_) part_ = Part::none;
  }

 private:
  GizmoValues values() const {
    GizmoValues v;
    v.kind = HandleKind::plane;
    v.turns = true;
    v.at = sight_.show.section->point;
    v.normal = sight_.show.section->normal;
    return v;
  }
  void set(const GizmoValues& v) {
    sight_.show.section->point = v.at;
    sight_.show.section->normal = v.plane_normal();
    sight_.moved();
  }

  Sight& sight_;
  std::vector<Grip> grips_;
  Part part_ = Part::none;
  bool dragging_ = false;
  GizmoValues start_;
  ImVec2 from_{0, 0}, to_{0, 0};
  std::string words_;
};

}  // namespace

std::unique_ptr<ViewHand> make_section_hand(Sight& sight) {
  return std::make_unique<SectionHand>(sight);
}

}  // namespace sinew::editor
