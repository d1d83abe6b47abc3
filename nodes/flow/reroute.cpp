// A bend in a link.
#include "nodes/node.h"

namespace sinew {
namespace {

In<Any> value;
Out<Any> out;

void declare(Declaration& d) {
  d.id("reroute", 1).label("Reroute").category("Flow").role(NodeRole::forward);
  d.doc("Leads a link around; hands on what it is given.");
  d.in(value, "value").generic("T").doc("Anything.");
  d.out(out, "value").generic("T").doc("The same.");
}

}  // namespace
}  // namespace sinew

SINEW_STRUCTURAL(flow_reroute, declare)
