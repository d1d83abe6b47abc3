// Mathematics of single numbers: the same operations as those of fields.
#include "nodes/kernels/field_ops.h"
#include "nodes/node.h"

namespace sinew {
namespace {

In<kernels::FieldOp> operation;
In<float> a, b, c;
Out<float> out;

void declare(Declaration& d) {
  d.id("value.math", 1).label("Math").category("Value").doc("Computes with numbers.");
  d.in(operation, "operation", kernels::FieldOp::add)
      .choices(kernels::op_names())
      .doc(
          "mix: from a to b by c; clamp: a between b and c; smoothstep: 0 to 1 as a goes from b to "
          "c; step: 1 if a is at least b; invert: 1 - a; sine, cosine: a in turns.");
  d.in(a, "a", 0).range(-1e9, 1e9).doc("The first operand.");
  d.in(b, "b", 1).range(-1e9, 1e9).doc("The second operand, if there is one.");
  d.in(c, "c", 1).range(-1e9, 1e9).doc("The third operand, if there is one.");
  d.out(out, "value").doc("The result.");
}

void exec(Exec& e) {
  float result = 0;
  kernels::field_math(e.get(operation), {&e.get(a), 1}, {&e.get(b), 1}, {&e.get(c), 1},
                      {&result, 1});
  e.set(out, result);
}

}  // namespace
}  // namespace sinew

SINEW_NODE(value_math, declare, exec)
