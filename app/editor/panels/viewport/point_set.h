// The points of a list-like input, such as strokes and touches, on the body as it is shown: seen,
// picked, dragged along the surface, removed. Those of a path belong to no body, and are dragged
// across the view. Anchors, such as the joints of a pose, are places of what the node makes, and
// the input says how far each is moved.
#pragma once

#include <string>
#include <vector>

#include "app/editor/panels/viewport/rest_body.h"

namespace sinew::editor {

class PointSet {
 public:
  explicit PointSet(Sight& sight) : sight_(sight) {}

  // What has the anchors that the input moves; empty: the input has places of its own.
  struct Anchors {
    Value of;
    bool keyed = false;  // what is moved is moved at the present frame only
  };
  // In each frame: which input of which node; an empty node: none.
  void follow(const std::string& node, const std::string& path, const std::string& name,
              const InputInfo* input, const Anchors& anchors);

  bool hover();
  bool press();
  void drag();
  void release();
  void cancel();
  void forget();
  void draw(ImDrawList& list, bool can_be_taken);

  bool has_chosen() const { return chosen_ >= 0; }
  void choose_none() { chosen_ = -1; }
  void remove_chosen();

 private:
  struct One {
    Places::One place;
    Vector3f rest{0, 0, 0};
    std::optional<RestBody::Anchor> anchor;
    std::optional<ImVec2> at;  // on the screen
    bool faces_away = false;
  };
  void read();
  void read_anchors();
  void locate();
  // What is written, or else what is standard.
  std::optional<Json> literal() const;
  void set(int index, std::optional<Vector3f> rest, const std::string& merge);
  // The literal as it would be with that, and what to call the change.
  std::optional<Json> changed(int index, const std::optional<Vector3f>& rest) const;
  void draw_out();
  void draw_name(ImDrawList& list, const One& one) const;

  Sight& sight_;
  RestBody body_;
  std::string node_, name_;
  const InputInfo* input_ = nullptr;
  bool locked_ = false, in_box_ = false, free_ = false;
  bool are_anchors_ = false;
  bool draws_out_ = false;  // a new one, as soon as the hand moves
  Anchors anchors_;
  double frame_ = 0;  // at which they were read
  Eigen::Matrix3f axes_ = Eigen::Matrix3f::Identity();  // Places::axes, one a column
  std::vector<One> list_;
  uint64_t revision_ = 0, body_revision_ = 0;
  int hot_ = -1, chosen_ = -1;
  bool dragging_ = false, applied_ = false;
  ImVec2 pressed_at_{0, 0};
  int count_ = 0;
};

}  // namespace sinew::editor
