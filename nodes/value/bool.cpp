// One switch.
#include "nodes/node.h"

namespace sinew {
namespace {

In<bool> value;
Out<bool> out;

void declare(Declaration& d) {
  d.id("value.bool", 1)
      .label("Yes or No")
      .category("Value")
      .doc("One switch, for as many nodes as it is linked to.");
  d.in(value, "value", false).doc("On or off.");
  d.out(out, "value").doc("The same.");
}

void exec(Exec& e) { e.forward(out, value); }

}  // namespace
}  // namespace sinew

SINEW_NODE(value_bool, declare, exec)
