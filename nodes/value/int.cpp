// One whole number.
#include "nodes/node.h"

namespace sinew {
namespace {

In<int> value;
Out<int> out;

void declare(Declaration& d) {
  d.id("value.int", 1)
      .label("Integer")
      .category("Value")
      .doc("One whole number, for as many nodes as it is linked to.");
  d.in(value, "value", 0).range(-1e9, 1e9).doc("The number.");
  d.out(out, "value").doc("The same.");
}

void exec(Exec& e) { e.forward(out, value); }

}  // namespace
}  // namespace sinew

SINEW_NODE(value_int, declare, exec)
