// The node canvas. Our model owns places, sizes, links and what is chosen; imnodes draws the boxes
// of the nodes in view and knows nothing of the mouse: its own way to find what is under it grows
// with the square of the nodes.
//
//   canvas.cpp   the frame of it: one round of drawing
//   paint*.cpp   what is drawn
//   hand.cpp     what the mouse does
//   words.cpp    what can be done by name: actions
#pragma once

#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "app/editor/editor.h"
#include "app/editor/expose.h"
#include "app/editor/panels/canvas/edits.h"
#include "app/editor/panels/canvas/hit.h"
#include "app/editor/panels/canvas/model.h"
#include "app/editor/panels/canvas/search.h"
#include "app/editor/panels/canvas/view.h"
#include "app/editor/thumbnail.h"

struct ImNodesEditorContext;

namespace sinew::editor::canvas {

// A link under the hand: one end is fixed, the other follows the mouse.
struct LinkDrag {
  bool from_output = true;  // the fixed end
  std::string node, socket;
  std::optional<LinkDoc> detached;  // what was pulled off an input
  std::vector<bool> closed;         // nodes that it must not go to: a cycle
};

enum class Doing : unsigned char {
  nothing,
  pressed,  // on a node, not yet moved
  moving,
  boxing,
  linking,
  panning,
  right_pressed,  // becomes a pan, or on release a menu
  cutting,
  moving_frame,
  sizing,   // a frame or a note
  mapping,  // in the small map
};

// What evaluations say of a node.
struct NodeState {
  Severity worst = Severity::info;
  bool has_message = false;
  bool wanted = false;  // what is seen depends on it
  bool timed = false;   // it has run at least once, with all that is inside
  double seconds = 0;
};

// Where a link that is let go of here would end.
struct DropPlace {
  int node = -1, socket = -1;
  bool adds = false;  // a socket more, of the group
};

class Canvas : public Panel {
 public:
  explicit Canvas(Editor& editor);
  ~Canvas() override;
  void draw() override;
  void settle() override { pictures_.settle(); }

  // ---- For others: presets are dropped here.
  ImVec2 canvas_place(ImVec2 pixel) const { return view().canvas(pixel); }
  std::optional<ImVec2> ground_at(ImVec2 pixel) const override {
    const bool inside = pixel.x >= origin_.x && pixel.y >= origin_.y &&
                        pixel.x < origin_.x + size_.x && pixel.y < origin_.y + size_.y;
    return inside ? std::optional(canvas_place(pixel)) : std::nullopt;
  }
  void frame_all();
  void frame_selection();
  // About the middle of the panel.
  void zoom_to(float zoom);

 private:
  // ---- canvas.cpp
  View& view();
  const View& view() const { return const_cast<Canvas*>(this)->view(); }
  void open_graph();
  void update_states();
  void find_wanted();
  void note_seconds();
  // The node of this graph that a path leads to, or into; -1: none.
  int node_on(std::string_view path) const;
  bool on_badge(int index, ImVec2 at) const;
  void draw_breadcrumb();
  void draw_tooltips();
  void hint();
  std::vector<int> chosen() const;
  const Node& node(int i) const { return model_.nodes()[static_cast<std::size_t>(i)]; }
  Session& session() const { return editor_.session; }
  float snapped(float x) const;

  // ---- paint.cpp
  void paint_grid(ImDrawList& list);
  void paint_frames(ImDrawList& list);
  void paint_links(ImDrawList& list);
  void paint_link(ImDrawList& list, std::size_t index, const Rect& visible);
  void paint_dragged_link(ImDrawList& list);
  void paint_over(ImDrawList& list);
  void paint_overview(ImDrawList& list);
  void fit_far_titles(float room);
  void paint_text(ImDrawList& list, ImVec2 canvas_at, ImU32 colour, std::string_view text,
                  float height = text_height) const;
  // ---- paint_node.cpp
  void paint_nodes();
  void paint_node(int index);
  void paint_header(ImDrawList& list, const Node& node, ImVec2 at);
  void paint_rows(ImDrawList& list, int index);
  void paint_pins(ImDrawList& list, int index);
  void paint_pin(ImDrawList& list, int index, const Pin& pin);
  void paint_note(ImDrawList& list, const Node& node);
  void paint_dot(ImDrawList& list, int index);
  void paint_state(ImDrawList& list, int index);
  void mark_node(int index) const;
  ImU32 header_colour(const Node& node) const;
  ImU32 pin_colour(int index, const Pin& pin) const;
  // While a link is dragged: whether it can go to this socket.
  bool could_take(int index, const Pin& pin) const;
  bool is_shown(const Node& node, const Pin& pin) const;
  // ---- paint_picture.cpp
  void paint_picture(ImDrawList& list, int index);
  std::optional<Shown> pictured(const Node& node);
  // ---- paint_map.cpp
  void paint_map(ImDrawList& list);
  bool has_map() const;
  Rect map_area() const;
  Rect map_extent() const;

  // ---- hand.cpp
  void use_mouse(bool hovered);
  void press_left();
  void press_node();
  void press_pin();
  void press_right();
  void drag_on();
  void pan_at_edge();
  void release_left();
  void drop_nodes();
  void drop_link();
  void drop_as_socket();
  // Why a link must not go there; empty: it may.
  std::string why_not(const DropPlace& drop) const;
  std::optional<DropPlace> drop_place(const Hit& hit) const;
  void drop_box();
  void drop_frame();
  void drop_corner();
  void cut();
  void begin_link(int node, bool from_output, int socket, std::optional<LinkDoc> detached);
  void toggle_eye(const Node& node, const Pin& pin);
  void zoom_by_wheel();
  void cancel_drag();
  std::optional<int> link_under_nodes() const;
  std::vector<LinkDoc> links_across() const;
  std::optional<LinkEnd> fixed_end() const;
  ImVec2 mouse() const { return view().canvas(ImGui::GetIO().MousePos); }

  // ---- words.cpp
  void add_actions();
  void add_edit_actions();
  void add_node_actions();
  void add_view_actions();
  void remove_chosen(bool join);
  std::vector<std::string> chosen_inside() const;
  void copy();
  void paste(const std::string& text, std::optional<ImVec2> at);
  void duplicate();
  void nudge(float x, float y);
  void arrange_chosen();
  void align(bool left);
  void distribute(bool across);
  void toggle_layout(const char* member, const char* title);
  void mute();
  void make_group_of_chosen();
  void frame_chosen();

  // ---- menus.cpp
  void draw_menus();
  void draw_rename();
  void finish_rename();
  bool edit_name(const Rect& rect);
  void draw_pin_menu();
  void draw_border_menu(GroupSide side, const std::string& socket);
  void draw_expose_item(const Node& node, const Pin& pin);
  void draw_link_menu();
  void draw_colours();
  void draw_frame_menu();
  void begin_rename();
  void begin_rename_socket(GroupSide side, const std::string& socket);

  Editor& editor_;
  ImNodesEditorContext* nodes_context_ = nullptr;
  Model model_;
  SearchAdd search_;
  std::map<std::string, View> views_;  // by the place in the document
  View* view_ = nullptr;               // of this place: asked for thousands of times in a frame
  std::string place_;
  uint64_t seen_document_ = 0;
  bool frame_wanted_ = false;
  ImVec2 origin_{0, 0}, size_{1, 1};

  std::vector<NodeState> states_;
  uint64_t states_shot_ = 0, states_model_ = 0;
  std::unordered_map<std::string, double> seconds_;  // of the last run of each node, by its path
  // Titles as they fit from far away, where letters are larger against the boxes.
  std::vector<std::string> far_titles_;
  std::pair<uint64_t, float> far_titles_of_{0, 0.0f};
  std::vector<std::string> shown_;
  uint64_t shown_revision_ = 0;

  Hit hit_, last_hit_;
  double hit_since_ = 0;
  Doing doing_ = Doing::nothing;
  ImVec2 pressed_at_{0, 0};  // on the canvas
  ImVec2 pressed_pixel_{0, 0};
  uint64_t held_revision_ = 0;
  ImVec2 grabbed_{0, 0};  // where the node under the hand stood
  std::vector<int> moved_;
  ImVec2 moved_by_{0, 0};
  std::optional<LinkDrag> link_;
  std::optional<LinkEnd> held_end_;     // of the link under the hand, in this frame
  std::optional<DropPlace> drop_here_;  // ... and where it would go
  std::string opened_;  // the node under a dragged link, which shows all that it takes
  const TypeInfo* opened_for_ = nullptr;
  std::set<std::string> before_box_;
  Hit menu_hit_;
  uint64_t menu_revision_ = 0;
  ImVec2 menu_place_{0, 0};
  bool menu_wanted_ = false;
  int frame_ = -1;  // that is moved or sized
  Rect frame_rect_;
  int sized_note_ = -1;
  bool heat_ = false;

  struct DrawnChart {
    Key key;
    bool drawn = false;
    std::vector<std::pair<ImU32, std::vector<ImVec2>>> curves;  // in a box of size 1
  };
  std::map<std::string, DrawnChart> charts_;  // by the node's path
  Thumbnails pictures_;

  // Text that is edited in place.
  std::string rename_id_, rename_text_;
  int rename_frame_ = -1;
  std::string rename_socket_;  // of the group, if it is one
  GroupSide rename_side_ = GroupSide::input;
  bool rename_wanted_ = false, rename_open_ = false, rename_note_ = false;
};

}  // namespace sinew::editor::canvas
