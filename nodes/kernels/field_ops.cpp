#include "nodes/kernels/field_ops.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

#include "nodes/geometry/parallel.h"
#include "nodes/kernels/dispatch.h"
#include "nodes/kernels/measure.h"

namespace sinew::kernels {

namespace {

inline float finite(float v) {
  constexpr float limit = std::numeric_limits<float>::max();
  return std::min(std::max(v, -limit), limit);
}

// sin(2 pi a) by reduction to a quarter turn and Taylor's polynomial to degree 15 in double
// precision: the same bits everywhere, which the C library's sine does not promise.
inline float sine_of_turns(double a) {
  a -= std::nearbyint(a);  // -1/2 .. 1/2
  const double folded = a > 0.25 ? 0.5 - a : a < -0.25 ? -0.5 - a : a;
  const double t = folded * (2 * std::numbers::pi), q = t * t;
  const double p =
      t * (1 + q * (-1.0 / 6 +
                    q * (1.0 / 120 +
                         q * (-1.0 / 5040 +
                              q * (1.0 / 362880 +
                                   q * (-1.0 / 39916800 + q * (1.0 / 6227020800.0 +
                                                               q * (-1.0 / 1307674368000.0))))))));
  return static_cast<float>(p);
}

inline float power(float a, float b) {
  if (a == 0) return 0;
  return finite(static_cast<float>(std::copysign(std::pow(std::abs(double{a}), double{b}), a)));
}

inline float modulo(float a, float b) {
  if (b == 0) return 0;
  const float width = std::abs(b);
  float rest = std::fmod(a, width);
  if (rest < 0) rest += width;
  return rest < width ? rest : 0;  // rounding may have reached the end
}

inline float smoothstep(float a, float low, float high) {
  if (!(high > low)) return a >= low ? 1.0f : 0.0f;
  const double t = std::clamp((double{a} - low) / (double{high} - low), 0.0, 1.0);
  return static_cast<float>(t * t * (3 - 2 * t));
}

// One operand: its values and how far to go from one to the next (0 for one value for all).
struct Operand {
  const float* values;
  std::size_t stride;
  float operator[](std::size_t i) const { return values[i * stride]; }
};

// Arithmetic that becomes vector instructions; the rest is below.
SINEW_CLONES void simple_range(FieldOp op, const float* a, const float* b, const float* c,
                               float* out, std::size_t count) {
  switch (op) {
    case FieldOp::add:
      for (std::size_t i = 0; i < count; ++i) out[i] = finite(a[i] + b[i]);
      break;
    case FieldOp::subtract:
      for (std::size_t i = 0; i < count; ++i) out[i] = finite(a[i] - b[i]);
      break;
    case FieldOp::multiply:
      for (std::size_t i = 0; i < count; ++i) out[i] = finite(a[i] * b[i]);
      break;
    case FieldOp::divide:
      for (std::size_t i = 0; i < count; ++i) out[i] = b[i] == 0 ? 0 : finite(a[i] / b[i]);
      break;
    case FieldOp::minimum:
      for (std::size_t i = 0; i < count; ++i) out[i] = a[i] < b[i] ? a[i] : b[i];
      break;
    case FieldOp::maximum:
      for (std::size_t i = 0; i < count; ++i) out[i] = a[i] > b[i] ? a[i] : b[i];
      break;
    case FieldOp::mix:
      for (std::size_t i = 0; i < count; ++i) {
        out[i] = finite(a[i] + finite(finite(b[i] - a[i]) * c[i]));
      }
      break;
    case FieldOp::absolute:
      for (std::size_t i = 0; i < count; ++i) out[i] = std::abs(a[i]);
      break;
    case FieldOp::negate:
      for (std::size_t i = 0; i < count; ++i) out[i] = -a[i];
      break;
    case FieldOp::invert:
      for (std::size_t i = 0; i < count; ++i) out[i] = 1 - a[i];
      break;
    case FieldOp::step:
      for (std::size_t i = 0; i < count; ++i) out[i] = a[i] >= b[i] ? 1.0f : 0.0f;
      break;
    case FieldOp::square_root:
      for (std::size_t i = 0; i < count; ++i) out[i] = a[i] > 0 ? std::sqrt(a[i]) : 0.0f;
      break;
    default:
      break;
  }
}

float other(FieldOp op, float a, float b, float c) {
  switch (op) {
    case FieldOp::power:
      return power(a, b);
    case FieldOp::modulo:
      return modulo(a, b);
    case FieldOp::clamp:
      return std::min(std::max(a, b), c);
    case FieldOp::smoothstep:
      return smoothstep(a, b, c);
    case FieldOp::sine:
      return sine_of_turns(a);
    case FieldOp::cosine:
      return sine_of_turns(double{a} + 0.25);
    default:
      return a;
  }
}

bool is_simple(FieldOp op) {
  switch (op) {
    case FieldOp::power:
    case FieldOp::modulo:
    case FieldOp::clamp:
    case FieldOp::smoothstep:
    case FieldOp::sine:
    case FieldOp::cosine:
      return false;
    default:
      return true;
  }
}

// Constants are spread over a short buffer, so that the loops above always see arrays.
constexpr std::size_t run = 512;

void field_math_range(FieldOp op, const std::array<Operand, 3>& operands, std::size_t begin,
                      std::size_t end, float* out) {
  if (!is_simple(op)) {
    for (std::size_t i = begin; i < end; ++i) {
      out[i] = other(op, operands[0][i], operands[1][i], operands[2][i]);
    }
    return;
  }
  std::array<std::array<float, run>, 3> spread;
  for (int k = 0; k < 3; ++k) {
    if (operands[k].stride == 0) spread[k].fill(operands[k].values[0]);
  }
  for (std::size_t i = begin; i < end; i += run) {
    std::array<const float*, 3> at;
    for (int k = 0; k < 3; ++k) {
      at[k] = operands[k].stride == 0 ? spread[k].data() : operands[k].values + i;
    }
    simple_range(op, at[0], at[1], at[2], out + i, std::min(run, end - i));
  }
}

}  // namespace

void axis_ramp(std::span<const Vec3f> points, Axis axis, std::span<float> out) {
  if (points.empty()) return;
  const int k = static_cast<int>(axis);
  const Eigen::AlignedBox3f box = bounding_box(points);
  const float low = box.min()[k];
  const double extent = double{box.max()[k]} - low;
  parallel_blocks(points.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      out[i] = extent > 0 ? static_cast<float>((double{points[i][k]} - low) / extent) : 0.0f;
    }
  });
}

int operand_count(FieldOp op) {
  switch (op) {
    case FieldOp::mix:
    case FieldOp::clamp:
    case FieldOp::smoothstep:
      return 3;
    case FieldOp::absolute:
    case FieldOp::negate:
    case FieldOp::invert:
    case FieldOp::sine:
    case FieldOp::cosine:
    case FieldOp::square_root:
      return 1;
    default:
      return 2;
  }
}

std::string_view op_name(FieldOp op) {
  switch (op) {
    case FieldOp::add:
      return "add";
    case FieldOp::subtract:
      return "subtract";
    case FieldOp::multiply:
      return "multiply";
    case FieldOp::divide:
      return "divide";
    case FieldOp::minimum:
      return "minimum";
    case FieldOp::maximum:
      return "maximum";
    case FieldOp::power:
      return "power";
    case FieldOp::modulo:
      return "modulo";
    case FieldOp::mix:
      return "mix";
    case FieldOp::clamp:
      return "clamp";
    case FieldOp::smoothstep:
      return "smoothstep";
    case FieldOp::absolute:
      return "absolute";
    case FieldOp::negate:
      return "negate";
    case FieldOp::invert:
      return "invert";
    case FieldOp::sine:
      return "sine";
    case FieldOp::cosine:
      return "cosine";
    case FieldOp::square_root:
      return "square_root";
    case FieldOp::step:
      return "step";
  }
  return "unknown";
}

std::vector<std::string> op_names() {
  std::vector<std::string> names;
  for (int op = 0; op <= static_cast<int>(FieldOp::step); ++op)
    names.emplace_back(op_name(static_cast<FieldOp>(op)));
  return names;
}

void field_math(FieldOp op, std::span<const float> a, std::span<const float> b,
                std::span<const float> c, std::span<float> out) {
  static constexpr float unused = 0;
  std::array<Operand, 3> operands;
  const std::array<std::span<const float>, 3> spans = {a, b, c};
  for (int k = 0; k < 3; ++k) {
    const bool read = k < operand_count(op);
    if (read && spans[k].size() != 1 && spans[k].size() != out.size()) {
      throw std::invalid_argument(fmt::format("operand {} has {} values, but {} are needed",
                                              "abc"[k], spans[k].size(), out.size()));
    }
    operands[k] =
        read ? Operand{spans[k].data(), spans[k].size() == 1 ? 0u : 1u} : Operand{&unused, 0};
  }
  parallel_blocks(
      out.size(),
      [&](std::size_t begin, std::size_t end) {
        field_math_range(op, operands, begin, end, out.data());
      },
      16384);
}

Field field_math(FieldOp op, const Field& a, const Field& b, const Field& c) {
  const std::array<const Field*, 3> fields = {&a, &b, &c};
  const Field* shape = nullptr;
  for (int k = 0; k < operand_count(op); ++k) {
    if (fields[k]->is_constant()) continue;
    if (!shape) shape = fields[k];
    if (!fields[k]->fits(shape->domain(), shape->size())) {
      throw std::invalid_argument(fmt::format(
          "a field of {} values per {} does not go with one of {} per {}", shape->size(),
          domain_name(shape->domain()), fields[k]->size(), domain_name(fields[k]->domain())));
    }
  }
  std::vector<float> out(shape ? shape->size() : 1);
  field_math(op, a.values(), b.values(), c.values(), out);
  return shape ? Field(shape->domain(), std::move(out)) : Field::constant(out[0]);
}

void remap(const Chart& chart, std::span<const float> a, std::span<float> out) {
  const ChartPieces pieces(chart);
  parallel_blocks(a.size(), [&](std::size_t begin, std::size_t end) {
    pieces.evaluate_many(a.subspan(begin, end - begin), out.subspan(begin, end - begin));
  });
}

Field remap(const Chart& chart, const Field& a) {
  std::vector<float> out(a.size());
  remap(chart, a.values(), out);
  return a.is_constant() ? Field::constant(out[0]) : Field(a.domain(), std::move(out));
}

}  // namespace sinew::kernels
