// What the makers of commands share: rewriting the links of a graph, and ids that are free.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "graph/commands.h"

namespace sinew {

// What becomes of the link at one place: another link, or none.
struct LinkChange {
  size_t at;
  std::optional<LinkDoc> link;
};

// The changes are in ascending order of `at`. Links are first taken out, last one first; then, when
// the nodes have changed, put back at the places that they will have in the end.
void append_unlinks(std::vector<Edit>& edits, const std::string& graph,
                    const std::vector<LinkDoc>& links, const std::vector<LinkChange>& changes);
void append_relinks(std::vector<Edit>& edits, const std::string& graph,
                    const std::vector<LinkChange>& changes);

// Gives out ids that nobody has: box, box2, box3, ... Nor does a link without a node mention them:
// a new node must not be linked by accident.
class IdPool {
 public:
  explicit IdPool(const GraphBody& graph) {
    for (const NodeDoc& node : graph.nodes) taken_.insert(node.id);
    for (const LinkDoc& link : graph.links) {
      taken_.insert(link.from.node);
      taken_.insert(link.to.node);
    }
  }
  IdPool() = default;
  std::string take(std::string_view base);

 private:
  std::unordered_set<std::string> taken_;
  std::unordered_map<std::string, size_t> next_;  // by stem
};

// A text as an id: what cannot be in one is left out.
std::string id_from(std::string_view text);

// {"at": [x, y]}: whole numbers where they are, so that the file stays short.
Json position_json(double x, double y);
// Where a node stands, if its layout says so.
std::optional<std::pair<double, double>> position_of(const GraphBody& graph, const std::string& id);

// Whether a node is the border of its group: what stands for the group's own sockets.
bool is_border(const NodeDoc& node);

// The outputs that are shown are named by paths from the document's own graph. When nodes of a
// graph move, so do these names: `moved` gets what of a path lies in that graph
// ("bell/noise.field") and gives what it becomes. Nothing, if all stay as they are.
std::optional<Edit> move_shown(const GraphDoc& doc, const std::string& graph,
                               const std::function<std::string(const std::string&)>& moved);

}  // namespace sinew
