// One text.
#include "nodes/node.h"

namespace sinew {
namespace {

In<std::string> value;
Out<std::string> out;

void declare(Declaration& d) {
  d.id("value.string", 1)
      .label("Text")
      .category("Value")
      .doc("One text, for as many nodes as it is linked to.");
  d.in(value, "value", "").doc("The text.");
  d.out(out, "value").doc("The same.");
}

void exec(Exec& e) { e.forward(out, value); }

}  // namespace
}  // namespace sinew

SINEW_NODE(value_string, declare, exec)
