// What the viewport shows, and what is evaluated unless something else is asked for.
#include "nodes/node.h"

namespace sinew {
namespace {

In<Any> value;
Out<Any> out;

void declare(Declaration& d) {
  d.id("view", 1).label("View").category("Flow").role(NodeRole::forward).viewer();
  d.doc("Shows what it is given in the viewport, and hands it on.");
  d.in(value, "value").generic("T").doc("Anything; a mesh is drawn.");
  d.out(out, "value").generic("T").doc("The same.");
}

}  // namespace
}  // namespace sinew

SINEW_STRUCTURAL(flow_view, declare)
