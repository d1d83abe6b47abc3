// An instance of one of the document's groups.
#include "nodes/node.h"

namespace sinew {
namespace {

void declare(Declaration& d) {
  d.id("group", 1).label("Group").category("Group").role(NodeRole::group);
  d.doc("Stands for a whole graph: has the inputs and outputs that the group declares.");
}

}  // namespace
}  // namespace sinew

SINEW_STRUCTURAL(group_instance, declare)
