// A document made ready to run: groups expanded in place, links resolved to indices, literals
// parsed into typed values, everything in topological order, with all that can be said about the
// graph without running it. Immutable and shared, so that an evaluation on another thread keeps the
// graph that it began with; an edit of one parameter makes a new graph that shares all other nodes.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "graph/animation.h"
#include "graph/document.h"
#include "graph/message.h"
#include "graph/registry.h"

namespace sinew {

// One output of one node. Links always come from nodes that stand earlier in the order.
struct LinkSource {
  int node = -1;
  int output = -1;                         // -1: the node is broken and its outputs unknown
  const Conversion* conversion = nullptr;  // applied on the way
};

struct InputSource {
  // Given, or the standard value. Empty where it changes over time, unless the node asks for the
  // whole of that: then it is the animation.
  Value literal;
  Key literal_key;
  std::shared_ptr<const Animation> animation;
  std::vector<LinkSource> links;

  bool empty() const { return !literal && !animation && links.empty(); }
  // Whether the node sees another value from frame to frame, by this input's own doing.
  bool varies() const { return animation && !literal; }
};

struct CompiledNode {
  const NodeType* type = nullptr;
  std::string path;     // "bell/twist"
  bool hidden = false;  // the two ends of a group instance, which the document does not show
  Key identity;         // type id and version: where a key begins
  std::vector<InputSource> inputs;
  std::vector<const TypeInfo*> output_types;  // generic ones resolved; nullptr: not known
  // Not empty: output i is input forward[i] (-1: none), and the node's own code does not run.
  std::vector<int> forward;
  // From the static checks, about how the node is wired and about its literals.
  std::vector<Message> wiring;
  std::vector<Message> literals;
  bool broken = false;  // one of them is an error: the node will not run
};

struct Target {
  int node = -1;
  int output = -1;

  bool operator==(const Target&) const = default;
};

struct CompileOptions {
  // Values that replace what the document says, by "path.input": for `--set`.
  std::map<std::string, Json> overrides;
  size_t max_nodes = 200000;  // after the groups are expanded
};

class CompiledGraph;
using GraphPtr = std::shared_ptr<const CompiledGraph>;

class CompiledGraph {
 public:
  static GraphPtr compile(const GraphDoc& doc, const Registry& registry,
                          const CompileOptions& options = {});

  // The same graph after the parameters of one node of the document's own graph changed. Nothing
  // else may have changed since; nullptr if the node is not there or the change is structural.
  GraphPtr with_params(const NodeDoc& node) const;

  int size() const { return static_cast<int>(nodes_.size()); }
  const CompiledNode& node(int i) const { return *nodes_[i]; }
  const Registry& registry() const { return *shape_->registry; }

  // Outputs of all nodes stand in one row; where those of node i begin, i up to size().
  int first_output(int i) const { return shape_->first_output[i]; }

  // Whether the node's outputs can differ from frame to frame.
  bool varies(int i) const { return varies_[i]; }
  // Whether an input can be another from frame to frame, as the node sees it at the moment. What a
  // hand does is not counted: the simulation that it pulls at remembers that.
  bool changes(int node, size_t input) const;
  // Whether a link brings the values of all frames, and not that of the moment: the input asks for
  // that (`whole_time`), and what comes differs from frame to frame. Such a link alone does not
  // make the node vary.
  bool spans_time(int node, size_t input, const LinkSource& link) const;
  // Whether the node has such a link; whether any node has.
  bool spans_time(int node) const { return spans_time_[node]; }
  bool spans_time() const { return any_spans_time_; }
  // Whether the node or anything upstream of it does something else for a draft; whether any does.
  bool has_drafts(int node) const { return has_drafts_[node]; }
  bool has_drafts() const { return any_has_drafts_; }
  // Whether a simulation depends on such a node: then a live step would keep what was a draft.
  bool drafts_stay() const { return drafts_stay_; }
  // Grows when the node or anything upstream of it changes; never the same for two graphs that
  // differ there.
  uint64_t revision(int i) const { return revisions_[i]; }
  // "twist.mesh", "bell/twist.mesh"; "twist" alone is its first output.
  Result<Target> find_output(std::string_view name) const;
  // The nodes that a path names: the one that gives its outputs, and the one that takes its
  // inputs. They differ for an instance of a group. -1 if there is none.
  int find_node(std::string_view path) const;
  int find_sink(std::string_view path) const;
  // The output that the values of this one live on: the mesh of a field. Found by the declarations
  // alone, upstream through nodes that combine, forward or choose values. Nothing for an output
  // that is no such value, and where no body is linked. (In body_of.cpp.)
  std::optional<Target> body_of(Target values) const;
  // What is evaluated unless something else is asked for: the viewers, else every output of the
  // nodes that feed no other.
  std::vector<Target> default_targets() const;
  // The nodes that write something outside, wherever they are: they run when that is asked for.
  std::vector<Target> effect_targets() const;

  // What the static checks say of the graph as a whole; and everything, in document order.
  std::vector<NodeMessage> general_messages() const { return shape_->general; }
  std::vector<NodeMessage> messages() const;
  // Files that nodes want to read and that are not there. Looks at the disk, so not part of
  // compiling.
  std::vector<NodeMessage> missing_files(const std::filesystem::path& folder) const;

 private:
  friend class Compiler;
  struct Shape {
    const Registry* registry = nullptr;
    CompileOptions options;
    std::vector<std::unique_ptr<NodeType>> own_types;  // of groups and of unknown nodes
    std::unordered_map<std::string, int> sinks;        // path -> node that takes its links
    std::unordered_map<std::string, int> sources;      // path -> node that gives its outputs
    std::vector<std::vector<int>> users;               // node -> nodes that it feeds
    std::vector<int> first_output;
    std::vector<int> document_order;
    std::vector<NodeMessage> general;  // what belongs to no node that could be made
  };

  void find_varying();
  bool changes(const LinkSource& link) const;

  std::shared_ptr<const Shape> shape_;
  std::vector<std::shared_ptr<const CompiledNode>> nodes_;
  std::vector<bool> varies_;
  std::vector<bool> spans_time_;
  std::vector<bool> has_drafts_;
  bool any_spans_time_ = false, any_has_drafts_ = false, drafts_stay_ = false;
  std::vector<uint64_t> revisions_;
  std::vector<bool> inputs_change_;  // whether changes() says so of any input of a node
};

}  // namespace sinew
