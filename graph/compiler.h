// How a document becomes a CompiledGraph, in three steps: expand the groups (expand.cpp), order the
// nodes (compiled_graph.cpp), bind every input to a literal, a chart or a link (bind.cpp).
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "graph/compiled_graph.h"

namespace sinew {

// A node after expansion, before binding. Links are by flat index and socket name.
struct FlatNode {
  const NodeType* type = nullptr;
  const NodeDoc* doc = nullptr;  // nullptr: the far end of a group instance
  std::string path;
  bool hidden = false;
  bool unknown = false;  // a type that this build does not have: its sockets are not checked
  std::vector<Message> messages;
  struct Link {
    int input;   // of this node
    int source;  // flat index
    std::string output;
  };
  std::vector<Link> links;  // in the document's order
};

class Compiler {
 public:
  Compiler(const GraphDoc& doc, const Registry& registry, const CompileOptions& options);
  GraphPtr run();

 private:
  // One graph waiting to be expanded: a group's, or the document's own.
  struct Pending {
    const GraphBody* body;
    std::string prefix;                 // "" or "bell/"
    int inner_in = -1, inner_out = -1;  // flat nodes behind group.input and group.output
    std::vector<std::string> inside;    // names of the groups around it
  };
  struct Ends {
    int sink = -1;
    int source = -1;
  };

  void expand(const Pending& pending);
  Ends add_node(const NodeDoc& node, const Pending& pending);
  Ends add_group(const NodeDoc& node, const Pending& pending);
  void add_links(const Pending& pending, const std::unordered_map<std::string_view, Ends>& ends);
  int push(FlatNode node);
  const NodeType* own_type(NodeType type);
  const NodeType* group_end(const std::string& name, bool inputs);
  std::vector<std::string> inner_choices(const GroupDoc& group, const std::string& socket) const;
  void complain(int flat, std::string text) {
    flat_[flat].messages.push_back({Severity::error, std::move(text)});
  }

  std::vector<int> sorted_nodes() const;
  void cut_cycles(const std::vector<int>& sorted);
  std::shared_ptr<CompiledNode> bind(FlatNode& flat, const std::vector<int>& place);

  const GraphDoc& doc_;
  const Registry& registry_;
  const CompileOptions& options_;
  std::shared_ptr<CompiledGraph> graph_;
  std::shared_ptr<CompiledGraph::Shape> shape_;
  std::vector<FlatNode> flat_;
  std::vector<Pending> pending_;
  std::unordered_map<std::string, const NodeType*> group_types_;
  std::unordered_map<std::string, std::vector<Message>> group_problems_;
  bool too_large_ = false;
};

// Whether an output has nothing to give: a forwarding node with nothing behind it.
bool gives_nothing(const CompiledNode& node, int output);

// A value as it stands in a document, of the input's type and within its range.
Result<Value> read_literal(const InputInfo& info, const Json& given);

// Reads the literal of each input that has no link, from `doc` (may be null) and the overrides.
void bind_literals(CompiledNode& node, const NodeDoc* doc, const Registry& registry,
                   const CompileOptions& options);

}  // namespace sinew
