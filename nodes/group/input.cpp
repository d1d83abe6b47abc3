// Inside a group: what an instance of it is given.
#include "nodes/node.h"

namespace sinew {
namespace {

void declare(Declaration& d) {
  d.id("group.input", 1).label("Group Input").category("Group").role(NodeRole::group_input);
  d.doc("Inside a group: has an output for each input of the group.");
}

}  // namespace
}  // namespace sinew

SINEW_STRUCTURAL(group_input, declare)
