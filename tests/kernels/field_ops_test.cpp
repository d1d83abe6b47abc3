#include "nodes/kernels/field_ops.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <set>

#include "tests/kernels/shapes.h"

namespace sinew::kernels {
namespace {

constexpr int op_total = static_cast<int>(FieldOp::step) + 1;

float apply(FieldOp op, float a, float b = 0, float c = 0) {
  return field_math(op, Field::constant(a), Field::constant(b), Field::constant(c)).at(0);
}

TEST(FieldOps, each_operation_does_what_it_says) {
  EXPECT_EQ(apply(FieldOp::add, 2, 3), 5);
  EXPECT_EQ(apply(FieldOp::subtract, 2, 3), -1);
  EXPECT_EQ(apply(FieldOp::multiply, 2, 3), 6);
  EXPECT_EQ(apply(FieldOp::divide, 3, 2), 1.5f);
  EXPECT_EQ(apply(FieldOp::divide, 3, 0), 0);
  EXPECT_EQ(apply(FieldOp::minimum, 3, 2), 2);
  EXPECT_EQ(apply(FieldOp::maximum, 3, 2), 3);
  EXPECT_EQ(apply(FieldOp::power, 3, 2), 9);
  EXPECT_EQ(apply(FieldOp::power, -3, 2), -9);
  EXPECT_EQ(apply(FieldOp::power, 0, -1), 0);
  EXPECT_EQ(apply(FieldOp::modulo, -1, 3), 2);
  EXPECT_EQ(apply(FieldOp::modulo, 5, 0), 0);
  EXPECT_EQ(apply(FieldOp::mix, 2, 6, 0.25f), 3);
  EXPECT_EQ(apply(FieldOp::clamp, 7, 0, 1), 1);
  EXPECT_EQ(apply(FieldOp::clamp, -7, 0, 1), 0);
  EXPECT_EQ(apply(FieldOp::smoothstep, 0.5f, 0, 1), 0.5f);
  EXPECT_EQ(apply(FieldOp::smoothstep, 0.5f, 1, 1), 0);
  EXPECT_EQ(apply(FieldOp::smoothstep, 1, 1, 1), 1);
  EXPECT_EQ(apply(FieldOp::absolute, -2), 2);
  EXPECT_EQ(apply(FieldOp::negate, 2), -2);
  EXPECT_EQ(apply(FieldOp::invert, 0.25f), 0.75f);
  EXPECT_EQ(apply(FieldOp::sine, 0.25f), 1);
  EXPECT_EQ(apply(FieldOp::cosine, 0.5f), -1);
  EXPECT_EQ(apply(FieldOp::square_root, 4), 2);
  EXPECT_EQ(apply(FieldOp::square_root, -4), 0);
  EXPECT_EQ(apply(FieldOp::step, 2, 2), 1);
  EXPECT_EQ(apply(FieldOp::step, 1, 2), 0);
}

TEST(FieldOps, sine_is_accurate) {
  for (double a = -3; a < 3; a += 0.001) {
    const float turns = static_cast<float>(a);
    EXPECT_NEAR(apply(FieldOp::sine, turns), std::sin(2 * std::numbers::pi * turns), 1e-7);
    EXPECT_NEAR(apply(FieldOp::cosine, turns), std::cos(2 * std::numbers::pi * turns), 1e-7);
  }
}

TEST(FieldOps, finite_input_gives_finite_output) {
  constexpr float huge = std::numeric_limits<float>::max();
  constexpr float tiny = std::numeric_limits<float>::denorm_min();
  const float values[] = {0, -0.0f, 1, -1, 0.5f, huge, -huge, tiny, -tiny, 1e20f, -1e20f, 1e-20f};
  std::set<std::string_view> names;
  for (int i = 0; i < op_total; ++i) {
    const FieldOp op = static_cast<FieldOp>(i);
    names.insert(op_name(op));
    for (const float a : values) {
      for (const float b : values) {
        for (const float c : values) {
          EXPECT_TRUE(std::isfinite(apply(op, a, b, c)))
              << op_name(op) << " " << a << " " << b << " " << c;
        }
      }
    }
  }
  EXPECT_EQ(names.size(), static_cast<std::size_t>(op_total));
}

TEST(FieldOps, constants_adapt_and_mismatches_are_refused) {
  const Field f(Domain::vertex, {1, 2, 3}), g(Domain::face, {1, 2, 3}), h(Domain::vertex, {1, 2});
  EXPECT_EQ(field_math(FieldOp::add, f, Field::constant(1)), Field(Domain::vertex, {2, 3, 4}));
  EXPECT_EQ(field_math(FieldOp::add, Field::constant(1), f), Field(Domain::vertex, {2, 3, 4}));
  EXPECT_TRUE(field_math(FieldOp::add, Field::constant(1), Field::constant(2)).is_constant());
  EXPECT_THROW(field_math(FieldOp::add, f, g), std::invalid_argument);
  EXPECT_THROW(field_math(FieldOp::add, f, h), std::invalid_argument);
  // What is not read does not matter.
  EXPECT_EQ(field_math(FieldOp::negate, f, g, h).at(0), -1);
}

TEST(FieldOps, arrays_agree_with_single_values_on_any_number_of_threads) {
  std::vector<float> a, b, c;
  for (const Vec3f& p : test::random_points(40001, 9, 2)) {
    a.push_back(p[0]);
    b.push_back(p[1]);
    c.push_back(p[2]);
  }
  for (int i = 0; i < op_total; ++i) {
    const FieldOp op = static_cast<FieldOp>(i);
    std::vector<float> out(a.size());
    field_math(op, a, b, c, out);
    for (std::size_t k = 0; k < a.size(); k += 1009) EXPECT_EQ(out[k], apply(op, a[k], b[k], c[k]));
    test::expect_same_for_threads([&] {
      field_math(op, a, b, c, out);
      return out;
    });
  }
}

TEST(FieldOps, axis_ramp_runs_from_zero_to_one) {
  for (const float scale : {1e-6f, 1.0f, 1e6f}) {
    const Mesh box = make_box({Vec3f(1, 2, 3) * scale, {2, 4, 8}});
    for (int axis = 0; axis < 3; ++axis) {
      std::vector<float> out(box.vertex_count());
      axis_ramp(box.positions, static_cast<Axis>(axis), out);
      for (std::size_t i = 0; i < out.size(); ++i) {
        const float expected =
            box.positions[i][axis] / (scale * static_cast<float>(axis + 1)) + 0.5f;
        EXPECT_NEAR(out[i], expected, 1e-6);
      }
      EXPECT_EQ(*std::min_element(out.begin(), out.end()), 0);
      EXPECT_EQ(*std::max_element(out.begin(), out.end()), 1);
    }
  }
  std::vector<float> flat(3, 7);
  axis_ramp(std::vector<Vec3f>(3, Vec3f(1, 1, 1)), Axis::x, flat);
  EXPECT_EQ(flat, (std::vector<float>{0, 0, 0}));
}

TEST(FieldOps, remap_asks_the_chart) {
  Chart chart{{{0, 1}, {0.4, 3}, {1, -2}}, Interpolation::smooth, Extension::cyclic, 0, "", ""};
  const Field f(Domain::vertex, {-0.7f, 0, 0.2f, 0.4f, 0.99f, 5});
  const Field out = remap(chart, f);
  for (std::size_t i = 0; i < f.size(); ++i) {
    EXPECT_FLOAT_EQ(out.at(i), static_cast<float>(chart.evaluate(f.at(i))));
  }
  EXPECT_TRUE(remap(chart, Field::constant(1)).is_constant());
}

}  // namespace
}  // namespace sinew::kernels
