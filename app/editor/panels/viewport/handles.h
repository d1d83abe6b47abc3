// What the chosen node declares to be dragged: its handles, over the picture.
#pragma once

#include "app/editor/panels/viewport/gizmo.h"
#include "app/editor/panels/viewport/placer.h"
#include "app/editor/panels/viewport/point_set.h"

namespace sinew::editor {

class Handles : public ViewHand {
 public:
  explicit Handles(Sight& sight);

  void update() override;
  bool hover() override;
  bool takes_shift() const override { return part_ == Part::none && points_.is_hot(); }
  bool press() override;
  void drag() override;
  void release() override;
  void cancel() override;
  void forget() override;
  void draw(ImDrawList& list) override;

 private:
  // What is set is counted from here: outputs of the node, or nothing.
  struct Origin {
    Vector3f at{0, 0, 0}, to{0, 0, 0};
  };
  struct Item {
    HandleInfo info;
    GizmoValues values;
    Origin origin;
    bool locked = false;  // something of it is linked or animated
    std::vector<Grip> grips;
    bool folded = false;  // another one of the node is in the hand: only a dot with its name
    ImVec2 name_from{0, 0}, name_to{0, 0};
    bool has_name() const { return name_to.x > name_from.x; }
  };
  // Of places that a node has several of, one can be dragged by all its grips; the others are dots
  // with a name, which a click unfolds.
  void fold();
  void place_grips(std::size_t which);
  Part part_under(const Item& item, ImVec2 mouse) const;
  void draw_item(ImDrawList& list, std::size_t which);
  // An input's present value, whether it is written, standard, linked or animated.
  Value value_of(const CompiledNode& node, int input) const;
  // The newest value of an output; none before the first evaluation with it.
  Value output_of(const std::string& path, int output) const;
  // Nothing while it is not known.
  std::optional<Origin> origin_of(const std::string& path, const HandleInfo& info) const;
  void follow_origin();
  static bool is_free(const CompiledNode& node, int input);
  std::optional<Item> make(const CompiledNode& node, const HandleInfo& info) const;
  void read_pin(const CompiledNode& node, const HandleInfo& info, GizmoValues& values) const;
  void unfold();
  void apply(const GizmoValues& now);
  void set(int input, const Json& value, std::vector<Edit>& edits) const;
  bool is_on() const;

  Sight& sight_;
  GizmoMode mode_ = GizmoMode::move;
  std::string node_, path_;
  const NodeType* type_ = nullptr;
  std::vector<Item> items_;
  PointSet points_;
  Placer placer_;
  std::string unfolded_;            // the handle with all its grips, by name; empty: the first
  Part unfolded_end_ = Part::none;  // of a pin: the end with arrows
  std::size_t hot_ = 0;
  Part part_ = Part::none;
  bool mouse_here_ = false;

  // The drag that is under way.
  bool dragging_ = false, applied_ = false;
  GizmoValues start_, now_;
  HandleInfo info_;
  Origin origin_;
  ImVec2 from_{0, 0}, to_{0, 0};
  std::string words_, merge_;
  int count_ = 0;
};

}  // namespace sinew::editor
