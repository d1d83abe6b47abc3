// Paints the strokes of the chosen node onto the body, whatever that does meanwhile.
#pragma once

#include "app/editor/panels/viewport/brush.h"

namespace sinew::editor {

class Painter : public ViewHand {
 public:
  explicit Painter(Sight& sight);

  void update() override;
  bool hover() override;
  bool press() override;
  void drag() override;
  void release() override;
  void cancel() override;
  void forget() override { drawing_ = changed_ = false; }
  bool click(bool alt) override;
  void draw(ImDrawList& list) override;

  Brush& brush() { return brush_; }
  const RestBody& body() const { return body_; }

 private:
  bool is_on() const { return sight_.editor.tool == Tool::paint; }
  void find_node();
  void take_field();
  // Adds a point if it is far enough from the last; true if it did.
  bool add(const Spot& spot);
  void apply();
  void resize(float factor);
  const Json& literal() const;
  std::optional<float> value_under(ImVec2 mouse);

  // The panel beside the picture (paint_panel.cpp).
  void draw_panel();
  void draw_choice_of_nodes();
  void draw_brush();
  void draw_palette();
  void draw_ring(ImDrawList& list);

  Sight& sight_;
  Brush brush_;
  RestBody body_;
  std::string node_, input_, title_;  // of the session's present graph; empty: none
  std::size_t written_ = 0;           // so many points of the stroke are in the document
  std::string stroke_node_;           // what the stroke that is being drawn belongs to
  std::string locked_;                // why it cannot be painted; empty: it can
  draw::ColourScale scale_;           // of the values that are painted
  draw::DrawList field_;              // them, on the body at rest
  Key field_key_;
  float low_ = 0, high_ = 1;

  std::optional<Spot> spot_;
  // The stroke that is being drawn.
  bool drawing_ = false, applied_ = false, changed_ = false;
  Json before_;
  std::vector<Vector3f> points_, shown_points_;
  std::optional<draw::SectionPlane> cut_;
  double applied_at_ = 0;
  int count_ = 0;
};

}  // namespace sinew::editor
