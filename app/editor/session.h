// The document that is open: edited, undone, saved, and always compiled. It knows nothing of how it
// looks, so that tests and scripts use it as the editor does.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "graph/commands.h"
#include "graph/compiled_graph.h"
#include "graph/registry.h"

namespace sinew::editor {

class Session {
 public:
  explicit Session(const Registry& registry);

  const Registry& registry() const { return registry_; }
  const GraphDoc& doc() const { return doc_; }

  // ---- Files
  // Empty for a document that has never been saved.
  const std::filesystem::path& file() const { return file_; }
  // What relative paths inside the document are relative to.
  std::filesystem::path folder() const;
  // The document's title, or its file's name, or "Untitled".
  std::string title() const;
  // Whether it says something else than what is saved.
  bool modified() const;
  // What opening it had to say: upgrades, types that are not known.
  const std::vector<NodeMessage>& notes() const { return notes_; }

  void make_new();
  // An installed pack stays as it is: its document opens as one that was never saved.
  Result<void> open(const std::filesystem::path& path);
  // A document that is nowhere on the disk, or somewhere else: a preset as a start, or recovered
  // work. It counts as modified if `changed`.
  void adopt(GraphDoc doc, std::filesystem::path file, bool changed);
  Result<void> save();
  // What it reads is named as seen from its new place, in a step of its own.
  Result<void> save_as(const std::filesystem::path& path);
  // How this document is to name a file.
  std::string name_of_file(const std::filesystem::path& file) const;
  // The document as it is written down: without what a hand does while it holds.
  GraphDoc kept() const;
  // A hand holds something: the edits that take back what it does meanwhile. Empty: it lets go.
  void hold(std::vector<Edit> taken_back);

  // ---- Changes
  // The one way to change the document. What is refused changes nothing; the sentence says why, and
  // is also kept in refusal() for whoever shows such things.
  Result<void> apply(Command command);
  // Another value for what an earlier step has set; see History::amend.
  Result<void> amend(std::string_view merge_key, edit::SetParam edit);
  void undo();
  void redo();
  // Goes to a place in the history, by undoing or redoing.
  void go_to(std::size_t position);
  // Ends a drag: what follows is a step of its own.
  void seal() { history_.seal(); }
  const History& history() const { return history_; }
  std::string take_refusal() { return std::exchange(refusal_, {}); }
  // Called when the last step, just applied, is undone later, and when it is redone: for what is
  // not in the document, such as where a simulation stands.
  void on_undo(std::function<void()> undone, std::function<void()> redone = {});
  // A number that grows with every change; and with every change that evaluation can see.
  uint64_t revision() const { return revision_; }
  uint64_t graph_revision() const { return graph_revision_; }
  // Grows when another document is opened.
  uint64_t document_count() const { return document_count_; }
  // Called when another document has taken the place of the one before.
  void on_open(std::function<void()> opened) { opened_.push_back(std::move(opened)); }
  // Told of the edits of every change, after it.
  void listen(std::function<void(const std::vector<Edit>&)> listener) {
    listeners_.push_back(std::move(listener));
  }

  // ---- Shorthands for commands, in the graph that is being looked at
  // No value: the standard one. With the same `merge`, changes of one drag are one step.
  Result<void> set_param(const std::string& node, const std::string& input,
                         std::optional<Json> value, const std::string& merge = {});
  // What the document says of a parameter; nullptr: nothing, so the standard value counts.
  const Json* param(const std::string& node, const std::string& input) const;
  // The type of a node; nullptr if this build does not know it.
  const NodeType* type_of(const NodeDoc& node) const { return registry_.find(node.type); }
  // The sockets of a node of the graph that is being looked at: those of its type, or of the group
  // that it is an instance or an end of. A node of an unknown type has none.
  const std::vector<InputInfo>& inputs_of(const NodeDoc& node) const;
  const std::vector<OutputInfo>& outputs_of(const NodeDoc& node) const;
  const InputInfo* input_of(const std::string& node, const std::string& input) const;
  // What an output gives: generic ones as they are linked; nullptr: not known.
  const TypeInfo* output_type(const NodeDoc& node, std::size_t output) const;
  // The link that an input has, if it has one; of several, the first.
  const LinkDoc* link_into(const std::string& node, const std::string& input) const;

  // ---- The compiled graph
  const GraphPtr& graph() const { return graph_; }

  // ---- Where one is: inside which group
  // Instances, from the outermost on; empty: in the document's own graph.
  const std::vector<std::string>& place() const { return place_; }
  // As commands name a graph: "" or the group's name.
  const std::string& graph_name() const { return graph_name_; }
  const GraphBody& body() const;
  // As the compiled graph and messages name a node here: "low/noise".
  std::string path_of(const std::string& node) const;
  // Whether it is an instance of a group that can be entered.
  bool enter(const std::string& instance);
  void leave(std::size_t levels = 1);
  // Goes to where a node is ("low/noise") and chooses it. False if there is none.
  bool go_to_node(const std::string& path);

  // ---- What is chosen, in the graph that is being looked at
  const std::set<std::string>& selection() const { return selection_; }
  bool is_selected(const std::string& node) const { return selection_.contains(node); }
  // The one whose parameters are shown; nullptr: none.
  const NodeDoc* active() const;
  void select(std::set<std::string> nodes);
  void select_only(const std::string& node);
  void toggle_selected(const std::string& node);
  void clear_selection() { select({}); }
  uint64_t selection_revision() const { return selection_revision_; }

 private:
  void reset(GraphDoc doc, std::filesystem::path file);
  void changed(const std::vector<Edit>& edits);
  void recompile(const std::vector<Edit>& edits);
  void keep_place();
  struct Callback {
    std::function<void()> undone, redone;
  };

  const Registry& registry_;
  GraphDoc doc_;
  History history_{doc_};
  std::filesystem::path file_;
  std::vector<NodeMessage> notes_;
  std::string refusal_;
  GraphPtr graph_;
  std::vector<std::string> place_;
  std::string graph_name_;
  std::set<std::string> selection_;
  std::string active_;
  std::map<std::size_t, Callback> callbacks_;  // by the position behind the step
  std::vector<std::function<void(const std::vector<Edit>&)>> listeners_;
  uint64_t revision_ = 1, graph_revision_ = 1, selection_revision_ = 1, document_count_ = 1;
  std::vector<std::function<void()>> opened_;
  std::optional<GraphDoc> saved_;  // what is on the disk, or was at first; none: nothing like it
  std::vector<Edit> taken_back_;   // undoes what a hand does while it holds
  mutable uint64_t compared_ = 0;  // the revision that was compared with what is saved
  mutable bool differs_ = false;
};

}  // namespace sinew::editor
