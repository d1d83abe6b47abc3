// The graph as the canvas sees it: each node with its place, its size and its rows, each link with
// its two ends, computed by us from the document alone, so that what is not drawn can be hit and
// linked, too. Made anew when the document changes; read in every frame.
#pragma once

#include <imgui.h>

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "app/editor/session.h"

namespace sinew::editor::canvas {

// Lengths of the canvas: pixels of a usual screen at zoom 1.
inline constexpr float node_width = 170, header_height = 24, row_height = 20, foot_height = 6;
inline constexpr float text_height = 13, picture_height = 64, pin_radius = 4.5f, dot_size = 18;
inline constexpr float note_width = 200, grid_step = 10;

struct Rect {
  ImVec2 from{0, 0}, to{0, 0};
  bool holds(ImVec2 p) const { return p.x >= from.x && p.x < to.x && p.y >= from.y && p.y < to.y; }
  bool meets(const Rect& r) const {
    return from.x < r.to.x && r.from.x < to.x && from.y < r.to.y && r.from.y < to.y;
  }
  bool contains(const Rect& r) const {
    return from.x <= r.from.x && from.y <= r.from.y && to.x >= r.to.x && to.y >= r.to.y;
  }
  ImVec2 middle() const { return {(from.x + to.x) / 2, (from.y + to.y) / 2}; }
  ImVec2 size() const { return {to.x - from.x, to.y - from.y}; }
  void add(const Rect& r);
};

struct Pin {
  const InputInfo* input = nullptr;  // one of the two
  const OutputInfo* output = nullptr;
  const TypeInfo* type = nullptr;  // nullptr: not known yet, fits all
  ImVec2 offset{0, 0};             // of its middle, from the node's corner
  bool shown = false;              // as a row of its own
  bool extra = false;              // only for now, below the others
  bool linked = false;
  bool has_eye = false;   // an output that can be seen
  float label_width = 0;  // of what is left of the label
  float value_width = 0;
  std::string label;  // as it fits
  std::string value;  // of a parameter without a link, as text

  const std::string& name() const { return input ? input->name : output->name; }
  const std::string& full_label() const { return input ? input->label : output->label; }
};

enum class Shape : unsigned char { box, dot, note };
// What a node shows of what it does.
enum class PictureKind : unsigned char { none, chart, body };

struct Node {
  std::string id, path;
  const NodeType* type = nullptr;  // nullptr: this build does not know it
  std::string type_name, full_title, title;
  std::string_view category;
  int number = 0;              // for imnodes: never used for another node
  int source = -1, sink = -1;  // in the compiled graph
  ImVec2 at{0, 0}, size{0, 0};
  Shape shape = Shape::box;
  PictureKind picture = PictureKind::none;
  int picture_socket = -1;  // an output, or of a chart parameter the input
  bool picture_of_input = false;
  bool placed = false;  // the document says where it stands
  bool muted = false, collapsed = false, expanded = false, has_more = false, is_group = false;
  bool is_border = false;  // of the group that is looked at: has room for one socket more
  ImU32 colour = 0;        // its own; 0: that of its category
  std::string text;        // of a note
  std::vector<Pin> inputs, outputs;
  float rows_end = 0;  // where its picture begins

  Rect rect() const { return {at, ImVec2(at.x + size.x, at.y + size.y)}; }
  int find_input(std::string_view name) const;
  int find_output(std::string_view name) const;
};

struct Link {
  int from = -1, output = -1, to = -1, input = -1;  // nodes and their sockets
  std::size_t place = 0;                            // among the document's links
  const TypeInfo* type = nullptr;
  bool converts = false;
};

struct Frame {
  std::string title;
  Rect rect;
  ImU32 colour = 0;
};

// A cubic curve from an output to an input.
struct Curve {
  ImVec2 a, b, c, d;
  static Curve between(ImVec2 from, ImVec2 to);
  ImVec2 at(float t) const;
  Rect bounds() const;
};

struct ModelOptions {
  bool pictures = true;
  // Shows all inputs that a link of this type can go to: it is dragged over the node.
  std::string opened;
  const TypeInfo* opened_for = nullptr;
  bool operator==(const ModelOptions&) const = default;
};

// As much of a text as fits, in lengths of the canvas; what is cut ends in dots.
std::string fitted(std::string_view text, float width);

class Model {
 public:
  // Whether something was different.
  bool update(const Session& session, const ModelOptions& options);

  const std::vector<Node>& nodes() const { return nodes_; }
  const std::vector<Link>& links() const { return links_; }
  const std::vector<Frame>& frames() const { return frames_; }
  int find(std::string_view id) const;  // -1: none
  // From the lowest to the topmost: what is chosen lies above.
  const std::vector<int>& order() const { return order_; }
  uint64_t revision() const { return revision_; }

  // ---- A drag that is not in the document yet: these nodes are so much further.
  void shift(const std::vector<int>& nodes, ImVec2 by);

  ImVec2 input_place(int node, int input) const;
  ImVec2 output_place(int node, int output) const;
  Curve curve(const Link& link) const;
  Rect bounds() const;
  Rect bounds(const std::vector<int>& nodes) const;
  // Which nodes lie inside.
  std::vector<int> inside(const Rect& rect, bool wholly) const;
  // Everything that gets something from a node, and the node: a link from there would be a cycle.
  std::vector<bool> downstream(int node) const;
  std::vector<bool> upstream(int node) const;

 private:
  void make_node(const Session& session, const NodeDoc& doc, const ModelOptions& options);
  void make_links(const Session& session);
  void make_rows(Node& node) const;
  void choose_picture(Node& node, const Session& session, const NodeDoc& doc) const;
  void place_homeless();
  void make_frames(const Session& session);
  std::vector<bool> reached(int node, bool forward) const;

  GraphPtr graph_;  // keeps the sockets of groups alive
  std::vector<Node> nodes_;
  std::vector<Link> links_;
  std::vector<Frame> frames_;
  std::vector<int> order_;
  std::unordered_map<std::string, int> by_id_;
  std::unordered_map<std::string, int> numbers_;  // by graph and id
  // Where nodes stand of which the document says nothing, as long as it is open.
  std::unordered_map<std::string, ImVec2> arranged_;
  std::vector<int> shifted_;
  std::vector<ImVec2> unshifted_;
  std::string graph_name_;
  ModelOptions options_;
  uint64_t seen_revision_ = 0, seen_selection_ = 0, seen_document_ = 0, revision_ = 0;
  std::vector<std::string> seen_place_;
};

}  // namespace sinew::editor::canvas
