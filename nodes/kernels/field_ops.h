// Element by element mathematics of fields. No operation makes a NaN or infinity out of finite
// numbers: where mathematics has no answer, the stated one is given, and overflow saturates at the
// largest finite number.
#pragma once

#include <span>
#include <string_view>

#include "nodes/geometry/chart.h"
#include "nodes/geometry/field.h"
#include "nodes/geometry/types.h"

namespace sinew::kernels {

// Where a point is between the lower and the upper side of the bounding box of all points, along
// an axis: 0 .. 1; 0 where the box has no extent.
void axis_ramp(std::span<const Vec3f> points, Axis axis, std::span<float> out);

enum class FieldOp : uint8_t {
  add,          // a + b
  subtract,     // a - b
  multiply,     // a b
  divide,       // a / b; 0 where b is 0
  minimum,      // the smaller
  maximum,      // the larger
  power,        // |a|^b with the sign of a; 0 where a is 0
  modulo,       // the rest of a / b in [0, |b|); 0 where b is 0
  mix,          // a + (b - a) c
  clamp,        // a, but at least b and at most c
  smoothstep,   // 0 below b, 1 above c, 3 t^2 - 2 t^3 between; a step at b if c <= b
  absolute,     // |a|
  negate,       // -a
  invert,       // 1 - a
  sine,         // sin(2 pi a)
  cosine,       // cos(2 pi a)
  square_root,  // sqrt(a); 0 for negative
  step,         // 1 where a >= b, else 0
};

// How many of a, b, c the operation reads: 1, 2 or 3.
int operand_count(FieldOp op);
// As they stand in saved documents.
std::string_view op_name(FieldOp op);
std::vector<std::string> op_names();  // in the order of the enum

// out[i] = op(a[i], b[i], c[i]). Each operand has out.size() values, or one for all; those that the
// operation does not read may be empty.
void field_math(FieldOp op, std::span<const float> a, std::span<const float> b,
                std::span<const float> c, std::span<float> out);

// The same on fields: constants combine to a constant, and a constant adapts to a field. Throws
// std::invalid_argument if domains or sizes differ.
Field field_math(FieldOp op, const Field& a, const Field& b, const Field& c = {});

// out[i] = chart(a[i]).
void remap(const Chart& chart, std::span<const float> a, std::span<float> out);
Field remap(const Chart& chart, const Field& a);

}  // namespace sinew::kernels
