#include "nodes/kernels/blend.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace sinew::kernels {
namespace {

const std::vector<BlendMode> modes = {
    BlendMode::mix,     BlendMode::add,     BlendMode::subtract,       BlendMode::multiply,
    BlendMode::maximum, BlendMode::minimum, BlendMode::smooth_maximum, BlendMode::smooth_minimum};

float one(BlendMode mode, float a, float b, float mask, double softness = 0) {
  float out = 0;
  blend(mode, softness, {&a, 1}, {&b, 1}, {&mask, 1}, {&out, 1});
  return out;
}

TEST(Blend, ModesAreWhatTheyAreCalled) {
  EXPECT_EQ(blend_mode_names().size(), modes.size());
  for (const auto& [a, b] : {std::pair{2.0f, 5.0f}, {5.0f, 2.0f}, {-3.0f, 0.5f}, {1.0f, 1.0f}}) {
    EXPECT_EQ(one(BlendMode::mix, a, b, 1), b);
    EXPECT_EQ(one(BlendMode::add, a, b, 1), a + b);
    EXPECT_EQ(one(BlendMode::subtract, a, b, 1), a - b);
    EXPECT_EQ(one(BlendMode::multiply, a, b, 1), a * b);
    EXPECT_EQ(one(BlendMode::maximum, a, b, 1), std::max(a, b));
    EXPECT_EQ(one(BlendMode::minimum, a, b, 1), std::min(a, b));
    EXPECT_EQ(one(BlendMode::smooth_maximum, a, b, 1), std::max(a, b));
    EXPECT_EQ(one(BlendMode::smooth_minimum, a, b, 1), std::min(a, b));
  }
}

TEST(Blend, TheMaskGoesFromTheBaseToTheFullEffect) {
  for (const BlendMode mode : modes) {
    const float a = 0.1f, b = 0.7f, full = one(mode, a, b, 1, 0.3);
    EXPECT_EQ(one(mode, a, b, 0, 0.3), a);
    EXPECT_EQ(one(mode, a, b, -5, 0.3), a);
    EXPECT_EQ(one(mode, a, b, 9, 0.3), full);
    EXPECT_NEAR(one(mode, a, b, 0.25f, 0.3), 0.75f * a + 0.25f * full, 1e-6f);
  }
}

TEST(Blend, TheSmoothMaximumHasNoCreaseAndIsExactFurtherAway) {
  const double k = 0.5;
  for (double a = -1; a <= 1; a += 0.01) {
    const double value = smooth_maximum(a, 0, k);
    EXPECT_GE(value, std::max(a, 0.0));
    EXPECT_LE(value, std::max(a, 0.0) + k / 4 + 1e-12);
    EXPECT_EQ(value, smooth_maximum(0, a, k));
    if (std::abs(a) >= k) {
      EXPECT_EQ(value, std::max(a, 0.0));
    }
    // The slope goes from 0 to 1 over 2k, so differences over h change by at most h/2k + rounding.
    const double h = 1e-3;
    const double left = (value - smooth_maximum(a - h, 0, k)) / h;
    const double right = (smooth_maximum(a + h, 0, k) - value) / h;
    EXPECT_NEAR(left, right, h / (2 * k) + 1e-9) << a;
  }
  EXPECT_EQ(smooth_maximum(0, 0, k), k / 4);
}

TEST(Blend, SaturatesInsteadOfOverflowing) {
  const float most = std::numeric_limits<float>::max();
  for (const BlendMode mode : modes) {
    for (const float a : {most, -most}) {
      for (const float b : {most, -most}) {
        for (const float mask : {0.0f, 0.5f, 1.0f}) {
          EXPECT_TRUE(std::isfinite(one(mode, a, b, mask, 1e6)));
        }
      }
    }
  }
}

}  // namespace
}  // namespace sinew::kernels
