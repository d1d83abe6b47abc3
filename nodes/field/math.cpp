// Element by element mathematics of fields.
#include "nodes/kernels/field_ops.h"
#include "nodes/node.h"

namespace sinew {
namespace {

In<kernels::FieldOp> operation;
In<Field> a, b, c;
Out<Field> out;

void declare(Declaration& d) {
  d.id("field.math", 1).label("Field Math").category("Field");
  d.doc("Computes with fields, value by value; constants go with any field.");
  d.in(operation, "operation", kernels::FieldOp::multiply)
      .choices(kernels::op_names())
      .doc(
          "mix: from a to b by c; clamp: a between b and c; smoothstep: 0 to 1 as a goes from b to "
          "c; step: 1 where a is at least b; invert: 1 - a; sine, cosine: a in turns.");
  d.in(a, "a", Field::constant(0)).range(-1e9, 1e9).doc("The first operand.");
  d.in(b, "b", Field::constant(1)).range(-1e9, 1e9).doc("The second operand, if there is one.");
  d.in(c, "c", Field::constant(1)).range(-1e9, 1e9).doc("The third operand, if there is one.");
  d.out(out, "field").on(a, b, c).doc("One value for each value of the operands.");
}

// What lies between values means what they do; all else is a new number.
FieldMeaning meaning(const Exec& e) {
  switch (e.get(operation)) {
    case kernels::FieldOp::minimum:
    case kernels::FieldOp::maximum:
    case kernels::FieldOp::mix:
      return common_meaning({&e.get(a), &e.get(b)});
    case kernels::FieldOp::clamp:
      return common_meaning({&e.get(a), &e.get(b), &e.get(c)});
    default:
      return {};
  }
}

void exec(Exec& e) {
  const Field* operands[] = {&e.get(a), &e.get(b), &e.get(c)};
  const int count = kernels::operand_count(e.get(operation));
  const Field* shape = nullptr;
  for (int i = 0; i < count; ++i) {
    if (operands[i]->is_constant()) continue;
    if (!shape) shape = operands[i];
    if (!operands[i]->fits(shape->domain(), shape->size())) {
      return e.error(
          "the operands do not match: {} {} values and {} {} values; make them on one mesh",
          shape->size(), domain_name(shape->domain()), operands[i]->size(),
          domain_name(operands[i]->domain()));
    }
  }
  // An operand that the operation does not read need not match.
  static const Field nothing;
  Field result =
      kernels::field_math(e.get(operation), *operands[0], count > 1 ? *operands[1] : nothing,
                          count > 2 ? *operands[2] : nothing);
  e.set(out, std::move(result).with_meaning(meaning(e)));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(field_math, declare, exec)
