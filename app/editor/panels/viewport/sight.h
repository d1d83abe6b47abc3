// What the parts of the viewport share: what is seen, from where, and where that is on the screen.
#pragma once

#include <imgui.h>

#include <optional>
#include <string>

#include "app/editor/editor.h"
#include "render/pick.h"

namespace sinew::editor {

using Eigen::Matrix3f;
using Eigen::Vector3f;

struct Sight {
  explicit Sight(Editor& the_editor) : editor(the_editor) {}

  Editor& editor;
  render::View view;
  ShowOptions show;
  draw::DrawList list;   // as it is drawn
  draw::DrawList whole;  // the same without the cutting plane
  render::Box box;       // of all that was seen of this document
  render::Picker picker;
  ImVec2 at{0, 0}, size{1, 1};  // of the picture, in pixels of the window
  bool dirty = true;            // the picture is to be drawn again
  bool handles = true, strokes = true;

  const render::Camera& camera() const { return view.camera; }
  float aspect() const { return size.x / size.y; }
  ImVec2 mouse() const { return ImGui::GetIO().MousePos; }

  // Where a point is on the screen; nothing behind the eye.
  std::optional<ImVec2> place(const Vector3f& point) const;
  render::Ray ray(ImVec2 at_screen) const;
  std::optional<render::Pick> pick(ImVec2 at_screen);
  // Of the bodies as they are without the cut, but only what the cut leaves.
  std::optional<render::Pick> pick_whole(ImVec2 at_screen);
  // How long a pixel is at a point, in metres.
  float metres_per_pixel(const Vector3f& point) const;
  // Where the ray meets the plane through a point; nothing if it looks along the plane.
  std::optional<Vector3f> on_plane(ImVec2 at_screen, const Vector3f& point,
                                   const Vector3f& normal) const;
  float diagonal() const { return box.isEmpty() ? 1 : std::max(box.diagonal().norm(), 1e-6f); }
  // Everything moves: drawn again, and for a moment not at its finest.
  void moved() { dirty = moving = true; }
  bool moving = false;
  float right_taken = 0;  // pixels at the right that something lies over
};

// Something that takes the mouse over the picture. The first that wants a press keeps the mouse
// until the button is up, or until Escape.
class ViewHand {
 public:
  virtual ~ViewHand() = default;
  virtual void update() {}                // in each frame, before the others
  virtual bool hover() { return false; }  // the mouse is here: whether a press would be taken
  // Whether a press with Shift would be taken, too; elsewhere Shift moves the eye.
  virtual bool takes_shift() const { return false; }
  virtual bool press() { return false; }  // the left button went down
  virtual void drag() {}                  // it is still down
  virtual void release() {}               // it went up
  virtual void cancel() {}                // Escape: all as it was before the press
  virtual void forget() {}                // another document: what was begun is no more
  // A click that nobody took: whether it means something here.
  virtual bool click(bool /*alt*/) { return false; }
  virtual void draw(ImDrawList& /*list*/) {}  // over the picture
};

// ---- The graph behind what is seen

// A node of the document by its path: the graph it is written in ("": the document's own), and it.
struct Written {
  std::string graph;
  const NodeDoc* node = nullptr;
  explicit operator bool() const { return node != nullptr; }
};
Written find_written(const GraphDoc& doc, const std::string& path);

// The node nearest upstream of an output, itself included, for which `fits` holds; -1: none.
int find_upstream(const CompiledGraph& graph, int node,
                  const std::function<bool(const CompiledNode&)>& fits);
// The output that an item of a draw list shows ("view.value").
std::optional<Target> target_of(const CompiledGraph& graph, const std::string& source);

// As documents are to keep it: five digits that count.
double rounded(double x);
Json to_json(const Vector3f& v);

}  // namespace sinew::editor
