// Which body values live on: a field is one number for each vertex of some mesh, and it cannot be
// seen, or checked, without that mesh. Nodes declare it (`on`), so that nothing has to run.
#include <algorithm>
#include <unordered_set>

#include "graph/compiled_graph.h"
#include "graph/handed_on.h"

namespace sinew {
namespace {

// One search upstream, depth first and without recursion: graphs may be long.
class BodySearch {
 public:
  explicit BodySearch(const CompiledGraph& graph) : graph_(graph) {}

  std::optional<Target> from(Target values) {
    open_.push_back(values);
    while (!open_.empty()) {
      const Target at = open_.back();
      open_.pop_back();
      if (!tried_.insert(graph_.first_output(at.node) + at.output).second) continue;
      if (is_body(at)) return at;
      look_behind(at);
    }
    return std::nullopt;
  }

 private:
  // Whether the search ends here. It goes on through nodes that hand a body on, so that all who
  // ask for one body get the same answer; but not where the body is known only there: one of
  // several, or a solid that became its surface at the door of a group.
  bool is_body(Target at) const {
    const CompiledNode& node = graph_.node(at.node);
    const TypeInfo* type = node.output_types[at.output];
    if (!type || type->per_element) return false;
    if (!hands_on(node)) return true;
    const std::vector<int> inputs = handed_on(node, at.output);
    if (inputs.size() != 1) return !inputs.empty();
    const std::vector<LinkSource>& links = node.inputs[inputs[0]].links;
    return !links.empty() && links[0].conversion;
  }

  void look_behind(Target at) {
    const CompiledNode& node = graph_.node(at.node);
    std::vector<Target> next;
    if (hands_on(node)) {
      for (const int input : handed_on(node, at.output)) add_links(node, input, next);
    } else {
      for (const SocketRef& body : node.type->outputs[at.output].on) {
        if (body.is_output) {
          next.push_back({at.node, body.index});
        } else {
          add_links(node, body.index, next);
        }
      }
    }
    open_.insert(open_.end(), next.rbegin(), next.rend());
  }

  // A converted value is another one than the body behind it: a number that became a field.
  static void add_links(const CompiledNode& node, int input, std::vector<Target>& next) {
    if (input >= static_cast<int>(node.inputs.size())) return;  // a type that is not known
    for (const LinkSource& link : node.inputs[input].links)
      if (link.output >= 0 && !link.conversion) next.push_back({link.node, link.output});
  }

  const CompiledGraph& graph_;
  std::vector<Target> open_;
  std::unordered_set<int> tried_;
};

}  // namespace

std::optional<Target> CompiledGraph::body_of(Target values) const {
  const TypeInfo* type = node(values.node).output_types[values.output];
  if (!type || !type->per_element) return std::nullopt;
  return BodySearch(*this).from(values);
}

}  // namespace sinew
