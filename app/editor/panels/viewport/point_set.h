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
  bool is_hot() const { return hot_ >= 0; }
  // With Shift one more is chosen, or one of those that are no longer; all are moved and removed
  // together.
  bool press();
  void drag();
  void release();
  void cancel();
  void forget();
  void draw(ImDrawList& list, bool can_be_taken);

  // A place more, as another literal of the node says it: chosen as soon as it is there, and in the
  // hand if the button is still down then. One step with what the hand then does.
  void add(const InputInfo& input, Json literal);
  bool removable = false;  // anchors come from a literal of the node, and can be taken from it
  bool has_chosen() const { return chosen_ >= 0; }
  void choose_none() { choose(-1); }
  // `also`: the input that anchors come from, where they are not those of the one that moves them;
  // nullptr: none. What is not moved is removed from there.
  void remove_chosen(const InputInfo* also);

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
  void choose(int index);  // it alone
  void choose_also(int index);
  bool is_chosen(int index) const;
  std::vector<int> all_chosen() const;  // the one that was taken last first
  void find_added();
  void remove_from(const InputInfo& input, const std::vector<std::string>& names);
  void locate();
  // What is written, or else what is standard.
  std::optional<Json> literal() const { return literal_of(*input_); }
  std::optional<Json> literal_of(const InputInfo& input) const;
  // Moves all that are chosen as the first of them goes there; nothing: removes them, or lets go.
  void set(std::optional<Vector3f> rest, const std::string& merge);
  void hold_at(const std::vector<int>& all, const Vector3f& rest);
  // The literal as it would be with one of them there.
  Json changed(Json written, int index, const std::optional<Vector3f>& rest) const;
  std::optional<Json> changed(const std::optional<Vector3f>& rest) const;
  Vector3f moved_with(int index, const Vector3f& rest) const;
  void meet_wanted();
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
  double frame_ = 0;                                    // at which they were read
  Eigen::Matrix3f axes_ = Eigen::Matrix3f::Identity();  // Places::axes, one a column
  std::vector<One> list_;
  uint64_t revision_ = 0, body_revision_ = 0;
  int hot_ = -1, chosen_ = -1;
  std::string chosen_name_;                        // of an anchor: others may come and go
  std::vector<std::pair<int, std::string>> also_;  // chosen besides, with their names
  bool dragging_ = false, applied_ = false;
  // Where several anchors are put at once: one that follows another is elsewhere as soon as the
  // other has moved, so that its own move is told again with what has been evaluated.
  struct Wanted {
    std::string name;
    Vector3f rest;
    float within;  // near enough
  };
  std::vector<Wanted> wanted_;
  int wanted_tries_ = 0;
  bool single_out_ = false;  // a click on one of many, unless it becomes a drag
  std::optional<std::vector<std::string>> names_before_;  // somebody has added one to these
  bool held_ = false;                                     // since that, the button is down
  ImVec2 pressed_at_{0, 0};
  int count_ = 0;
};

}  // namespace sinew::editor
