// A touch of the body puts a place into a literal of the chosen node: a handle that holds it there.
// Which input takes such places, and on which body, is declared (InputWords::places_on).
#pragma once

#include <string>

#include "app/editor/panels/viewport/rest_body.h"

namespace sinew::editor {

// The input of the chosen node whose literal takes places that are touched.
struct TouchedInput {
  std::string node, path, title;
  const InputInfo* input = nullptr;
  bool linked = false;  // then it cannot be changed here
  explicit operator bool() const { return input != nullptr; }
};
TouchedInput touched_input(const Session& session);

class Placer {
 public:
  explicit Placer(Sight& sight) : sight_(sight) {}

  // In each frame in which handles are wanted.
  void update();
  // Whether the chosen node takes touches, with the tool for them in the hand.
  bool is_on() const;
  // Whether a press would put one here; says so.
  bool hover();
  // The literal with the place under the mouse; nothing: there is no body.
  std::optional<Json> touched();
  const TouchedInput& input() const { return input_; }
  // What is written, or else what is standard.
  Json literal() const;
  // How one comes to the first of them.
  void draw(ImDrawList& list) const;

 private:
  std::optional<render::Pick> pick();

  Sight& sight_;
  TouchedInput input_;
  RestBody body_;
};

}  // namespace sinew::editor
