// The picture of the scene: drawn when something has changed, and kept. Where a frame takes long,
// as without a graphics card, it is coarser while something moves, and sharp when it rests.
#pragma once

#include "app/editor/panels/viewport/sight.h"

namespace sinew::editor {

class ScenePicture {
 public:
  explicit ScenePicture(Sight& sight) : sight_(sight), renderer_(sight.editor.device) {}

  // Takes the newest shot. True if another document has come.
  bool take();
  // Draws it as large as the sight, if it must.
  void paint();
  void show(ImDrawList& list) const;

  // Why the newest shot cannot be seen; empty: it can.
  const std::string& problem() const { return problem_; }
  // The node that the problem lies at; empty: none.
  const std::string& problem_node() const { return problem_node_; }
  bool has_list() const { return !sight_.list.empty(); }

 private:
  void take_list();
  // What the chosen nodes show beside the rest (OutputInfo::shown_when_chosen); asked for only
  // while they are chosen.
  std::vector<Target> beside_targets() const;
  void find_beside();
  void add_beside();
  void find_problem();
  bool is_slow();

  Sight& sight_;
  render::Renderer renderer_;
  render::Renderer::Page page_;
  SteadyScales scales_;
  struct Beside {
    Target target;
    Key key;  // of what was drawn
    draw::DrawList list;
  };
  std::vector<Beside> beside_;
  bool beside_changed_ = false;
  ShowOptions shown_with_;
  std::string problem_, problem_node_;
  uint64_t shot_ = 0, document_ = 0, plan_ = 0;
  int width_ = 0, height_ = 0;
  float scale_ = 0;  // of the interface, when it was drawn last
  bool coarse_ = false, painted_ = false;
  double mean_seconds_ = 0, moved_at_ = -1;
};

}  // namespace sinew::editor
