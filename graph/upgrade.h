// Brings the nodes of a document to the versions of this build. DESIGN: small functions from
// version k to k + 1, chained; what this build does not know stays as it was.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "graph/document.h"

namespace sinew {

// Which links begin or end at a node. Links that an upgrade removes are only marked, so that the
// indices hold until sweep().
class LinkIndex {
 public:
  explicit LinkIndex(const GraphBody& graph);

  const std::vector<size_t>& at(const std::string& node) const;
  bool gone(size_t link) const { return gone_[link]; }
  void set_gone(size_t link, bool gone) { gone_[link] = gone; }
  void sweep(GraphBody& graph) const;

 private:
  std::unordered_map<std::string, std::vector<size_t>> at_;
  std::vector<bool> gone_;
};

void upgrade_nodes(GraphDoc& doc, const Registry& registry, std::vector<NodeMessage>* notes);

}  // namespace sinew
