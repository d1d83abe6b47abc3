// One field laid over another through a mask.
#include "nodes/kernels/blend.h"

#include "nodes/kernels/field_ops.h"
#include "nodes/node.h"

namespace sinew {
namespace {

In<Field> base, over, mask;
In<kernels::BlendMode> mode;
In<Chart> feather;
In<float> opacity, softness;
Out<Field> out;

void declare(Declaration& d) {
  d.id("field.blend", 1).label("Blend").category("Field");
  d.doc("Lays one field over another, where a mask says.");
  d.in(base, "base", Field::constant(0)).range(-1e9, 1e9).doc("What is below.");
  d.in(over, "over", Field::constant(1)).range(-1e9, 1e9).doc("What is laid over it.");
  d.in(mode, "mode", kernels::BlendMode::mix)
      .choices(kernels::blend_mode_names())
      .doc("mix: replaces the base; the others combine the two; the smooth ones without a crease.");
  d.in(mask, "mask", Field::constant(1))
      .range(-1e9, 1e9)
      .doc("0 keeps the base, 1 has the full effect; what is beyond is clamped.");
  d.in(feather, "feather", identity_chart())
      .doc("Reads the mask through a chart: soft edges, rings, an inverted mask.");
  d.in(opacity, "opacity", 1).range(0, 1).doc("Weakens the whole effect.");
  d.in(softness, "softness", 0.1f)
      .range(0, 1e6)
      .doc("Smooth modes only: how close two values are where the crease is rounded.");
  d.out(out, "field").on(base, over, mask).doc("One value for each value of the fields.");
}

// Sums and products mean something else than their parts.
FieldMeaning meaning(const Exec& e) {
  using enum kernels::BlendMode;
  const kernels::BlendMode how = e.get(mode);
  if (how == add || how == subtract || how == multiply) return {};
  return common_meaning({&e.get(base), &e.get(over)});
}

void exec(Exec& e) {
  const Field* shape = nullptr;
  for (const In<Field>& in : {base, over, mask}) {
    const Field& field = e.get(in);
    if (field.is_constant()) continue;
    if (!shape) shape = &field;
    if (!field.fits(shape->domain(), shape->size())) {
      return e.error(
          "the fields do not match: {} {} values and {} {} values; make them on one mesh",
          shape->size(), domain_name(shape->domain()), field.size(), domain_name(field.domain()));
    }
  }
  const Field& plain = e.get(mask);
  std::vector<float> weight(plain.values().begin(), plain.values().end());
  const float zero = 0, one = 1, strength = e.get(opacity);
  using kernels::FieldOp;
  kernels::field_math(FieldOp::clamp, weight, {&zero, 1}, {&one, 1}, weight);
  kernels::remap(e.get(feather), weight, weight);
  kernels::field_math(FieldOp::clamp, weight, {&zero, 1}, {&one, 1}, weight);
  kernels::field_math(FieldOp::multiply, weight, {&strength, 1}, {}, weight);
  std::vector<float> values(shape ? shape->size() : 1);
  kernels::blend(e.get(mode), e.get(softness), e.get(base).values(), e.get(over).values(), weight,
                 values);
  Field result = shape ? Field(shape->domain(), std::move(values)) : Field::constant(values[0]);
  e.set(out, std::move(result).with_meaning(meaning(e)));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(field_blend, declare, exec)
