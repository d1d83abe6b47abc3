// Inside a group: what an instance of it gives.
#include "nodes/node.h"

namespace sinew {
namespace {

void declare(Declaration& d) {
  d.id("group.output", 1).label("Group Output").category("Group").role(NodeRole::group_output);
  d.doc("Inside a group: has an input for each output of the group.");
}

}  // namespace
}  // namespace sinew

SINEW_STRUCTURAL(group_output, declare)
