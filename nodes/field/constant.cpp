// The same number everywhere.
#include "nodes/node.h"

namespace sinew {
namespace {

In<float> value;
Out<Field> out;

void declare(Declaration& d) {
  d.id("field.constant", 1).label("Constant Field").category("Field");
  d.doc("The same number everywhere, on any mesh.");
  d.in(value, "value", 1).range(-1e6, 1e6).doc("The number.");
  d.out(out, "field").on_nothing().doc("The constant field.");
}

void exec(Exec& e) { e.set(out, Field::constant(e.get(value))); }

}  // namespace
}  // namespace sinew

SINEW_NODE(field_constant, declare, exec)
