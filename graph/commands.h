// Every change to a document is a command on one stack, so that everything is undoable: parameters,
// links, moves, groups, settings. A command is a list of small edits, each of which gives back its
// own inverse when applied; undoing applies the inverses in reverse and restores the document byte
// for byte. One drag is one step: commands with the same merge key become one.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "graph/document.h"

namespace sinew {

// Each edit names its graph: "" is the document's own, else a group's name.
namespace edit {
struct InsertNode {
  std::string graph;
  size_t at;
  NodeDoc node;
};
// Its links must be gone, unless they are to be left without an end: what undoes the insertion of a
// node that such links waited for.
struct EraseNode {
  std::string graph;
  std::string id;
  bool leave_links = false;
};
struct SetParam {
  std::string graph, node, input;
  std::optional<Json> value;
};  // none: standard
struct SetLabel {
  std::string graph, node, label;
};
struct SetMuted {
  std::string graph, node;
  bool muted;
};
struct SetGroupRef {
  std::string graph, node, group;
};
struct InsertLink {
  std::string graph;
  size_t at;
  LinkDoc link;
};
struct EraseLink {
  std::string graph;
  LinkDoc link;
  std::optional<size_t> at = {};  // which of equal links; none: the first
};
struct SetNodeLayout {
  std::string graph, node;
  std::optional<Json> layout;
};
struct SetGraphLayout {
  std::string graph, key;
  std::optional<Json> value;
};  // frames, cameras
struct InsertGroup {
  std::string name;
  GroupDoc group;
};
struct EraseGroup {
  std::string name;
};
struct SetInterface {
  std::string group;
  std::vector<InterfaceItem> inputs, outputs;
};
struct SetMeta {
  std::string group;
  Meta meta;
};
struct SetSettings {
  Settings settings;
};
}  // namespace edit

using Edit = std::variant<edit::InsertNode, edit::EraseNode, edit::SetParam, edit::SetLabel,
                          edit::SetMuted, edit::SetGroupRef, edit::InsertLink, edit::EraseLink,
                          edit::SetNodeLayout, edit::SetGraphLayout, edit::InsertGroup,
                          edit::EraseGroup, edit::SetInterface, edit::SetMeta, edit::SetSettings>;

// Applies one edit and returns its inverse, or says why it cannot be applied and changes nothing.
// What it lets through can be written and read back: ids are valid, text is UTF-8, numbers finite.
Result<Edit> apply_edit(GraphDoc& doc, Edit edit);

struct Command {
  std::string title;  // for the history: "Move 3 nodes"
  std::vector<Edit> edits;
  std::string merge_key;  // e.g. "drag 17 twist.angle"; empty: never merged
};

// Commands made of several edits. add_node picks a free id if the node's is empty or taken.
Command add_node(const GraphDoc& doc, std::string graph, NodeDoc node, double x, double y);
Command remove_nodes(const GraphDoc& doc, std::string graph, const std::vector<std::string>& ids);
// Replaces the link that a single socket already has; keeps the others of a multi socket.
Command add_link(const GraphDoc& doc, std::string graph, LinkDoc link, bool multi);
Command rename_node(const GraphDoc& doc, std::string graph, std::string_view from, std::string to);
// A text made by write_fragment, with fresh ids where they are taken; inner links kept. A group
// that the document has with the same content is used; one of the same name and other content is
// added under a new name. The upper left corner of the pasted nodes comes to (x, y).
Result<Command> paste_fragment(const GraphDoc& doc, std::string graph, std::string_view text,
                               const Registry& registry, double x, double y);
// Moves the nodes into a new group with an instance in their place; links across the border become
// the group's interface. `type_of_socket` names the value type of an output or input.
using SocketTypes = std::function<std::string(const Endpoint&, bool output)>;
Result<Command> make_group(const GraphDoc& doc, std::string graph,
                           const std::vector<std::string>& ids, std::string group_name,
                           const SocketTypes& type_of_socket);

class History {
 public:
  explicit History(GraphDoc& doc) : doc_(doc) {}

  // All or nothing: if an edit is refused, or links would form a cycle, or a group would contain
  // itself, the edits before it are taken back. A command without edits is no step.
  Result<void> apply(Command command);
  bool can_undo() const { return position_ > 0; }
  bool can_redo() const { return position_ < steps_.size(); }
  // If the document was changed behind the history's back so that a step no longer fits, the
  // history is forgotten and the document stays as it is.
  void undo();
  void redo();
  // Another document has taken the place of the one that the steps were made for.
  void clear() { forget(); }
  // Another value for a parameter that a step has set, below the steps that came after it, which
  // stay as they are: for work that finds better values while a person goes on. The step is the one
  // with this merge key. Refused where it was undone, and where a later step has set the same
  // parameter, or put another node in the place of the node.
  Result<void> amend(std::string_view merge_key, edit::SetParam edit);
  // Whether there is a step with this merge key that is not undone.
  bool is_done(std::string_view merge_key) const;
  // Ends a drag: the next command starts a step of its own even with the same merge key.
  void seal() { sealed_ = true; }

  size_t position() const { return position_; }
  std::vector<std::string> titles() const;
  // What the last apply, undo or redo changed, for incremental recompilation.
  const std::vector<Edit>& last_edits() const { return last_edits_; }

 private:
  Result<std::vector<Edit>> run(const std::vector<Edit>& edits);
  void forget();

  struct Step {
    std::string title;
    std::string merge_key;
    std::vector<Edit> forward;   // to redo
    std::vector<Edit> backward;  // to undo, in the order of application
  };
  GraphDoc& doc_;
  std::vector<Step> steps_;
  std::vector<Edit> last_edits_;
  size_t position_ = 0;
  bool sealed_ = false;
};

}  // namespace sinew
