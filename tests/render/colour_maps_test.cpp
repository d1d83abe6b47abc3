// Whether equal steps of a value look equally large, whether lightness tells the order, and whether
// people of all kinds of colour vision can tell the values apart.
//
// [Machado09] Machado, Oliveira and Fernandes, "A physiologically-based model for simulation of
// color vision deficiency", IEEE Transactions on Visualization and Computer Graphics 15(6), 2009:
// matrices for linear light, here of full severity.
#include "render/colour_maps.h"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>

#include "render/picture.h"

namespace sinew::render {
namespace {

using draw::ColourMap;

struct Arm {
  std::string name;
  ColourMap map;
  int first, last;
};

// The pieces that are even in themselves.
const std::vector<Arm>& arms() {
  static const std::vector<Arm> all = {{"sequential", ColourMap::sequential, 0, 255},
                                       {"diverging, low", ColourMap::diverging, 0, 127},
                                       {"diverging, high", ColourMap::diverging, 128, 255},
                                       {"strain, low", ColourMap::strain, 0, 127},
                                       {"strain, high", ColourMap::strain, 128, 255},
                                       {"phase", ColourMap::phase, 0, 255}};
  return all;
}
constexpr ColourMap all_maps[] = {ColourMap::sequential, ColourMap::diverging, ColourMap::strain,
                                  ColourMap::phase};

Eigen::Vector3f linear_at(ColourMap map, int step) {
  const auto& c = colour_map(map)[step];
  return {linear_light(c[0]), linear_light(c[1]), linear_light(c[2])};
}

Eigen::Vector3f lab_of_linear(const Eigen::Vector3f& linear) {
  std::array<float, 3> srgb;
  for (int k = 0; k < 3; ++k) {
    const float x = std::clamp(linear[k], 0.0f, 1.0f);
    srgb[k] = x <= 0.0031308f ? 12.92f * x : 1.055f * std::pow(x, 1 / 2.4f) - 0.055f;
  }
  return Eigen::Vector3f(srgb_to_oklab(srgb).data());
}

Eigen::Vector3f lab_at(ColourMap map, int step) { return lab_of_linear(linear_at(map, step)); }

float hue_of(const Eigen::Vector3f& lab) {
  return std::atan2(lab.z(), lab.y()) * 180 / std::numbers::pi_v<float>;
}

TEST(ColourMaps, OklabComesBack) {
  for (int r = 0; r <= 10; ++r)
    for (int g = 0; g <= 10; ++g)
      for (int b = 0; b <= 10; ++b) {
        const std::array<float, 3> c = {static_cast<float>(r) / 10, static_cast<float>(g) / 10,
                                        static_cast<float>(b) / 10};
        const std::array<float, 3> back = oklab_to_srgb(srgb_to_oklab(c));
        for (int k = 0; k < 3; ++k) EXPECT_NEAR(back[k], c[k], 1e-3);
      }
  // The paper's own examples: white, and the lightness and hue of pure red.
  const auto white = srgb_to_oklab({1, 1, 1}), red = srgb_to_oklab({1, 0, 0});
  EXPECT_NEAR(white[0], 1, 1e-4);
  EXPECT_NEAR(std::hypot(white[1], white[2]), 0, 1e-4);
  EXPECT_NEAR(red[0], 0.628, 1e-3);
  EXPECT_NEAR(hue_of(Eigen::Vector3f(red.data())), 29.2, 0.2);
}

TEST(ColourMaps, StepsLookEquallyLarge) {
  constexpr int stride = 8;  // single steps are mostly the rounding to eight bits
  for (const Arm& arm : arms()) {
    std::vector<float> steps;
    for (int k = arm.first; k + stride <= arm.last; k += stride)
      steps.push_back((lab_at(arm.map, k + stride) - lab_at(arm.map, k)).norm());
    float mean = 0;
    for (const float s : steps) mean += s / static_cast<float>(steps.size());
    for (std::size_t i = 0; i < steps.size(); ++i) {
      EXPECT_GT(steps[i], 0.8f * mean) << arm.name << " at " << i * stride;
      EXPECT_LT(steps[i], 1.2f * mean) << arm.name << " at " << i * stride;
    }
    EXPECT_GT(mean * static_cast<float>(steps.size()), 0.2f) << arm.name << " is hardly seen";
  }
}

TEST(ColourMaps, LightnessTellsTheOrder) {
  for (const Arm& arm : arms()) {
    if (arm.map == ColourMap::phase) continue;
    const bool rises = lab_at(arm.map, arm.last).x() > lab_at(arm.map, arm.first).x();
    for (int k = arm.first; k + 4 <= arm.last; ++k) {
      const float step = lab_at(arm.map, k + 4).x() - lab_at(arm.map, k).x();
      EXPECT_GT(rises ? step : -step, 0) << arm.name << " at " << k;
    }
  }
  // A cycle rises to about its middle, and then falls.
  int lightest = 0;
  for (int k = 0; k < map_steps; ++k)
    if (lab_at(ColourMap::phase, k).x() > lab_at(ColourMap::phase, lightest).x()) lightest = k;
  EXPECT_NEAR(lightest, map_steps / 2, map_steps / 16);
  for (int k = 0; k + 4 < map_steps; ++k) {
    const float step = lab_at(ColourMap::phase, k + 4).x() - lab_at(ColourMap::phase, k).x();
    if (k + 4 <= lightest) {
      EXPECT_GT(step, 0) << k;
    } else if (k >= lightest) {
      EXPECT_LT(step, 0) << k;
    }
  }
}

TEST(ColourMaps, EndsAndMiddlesAreWhatTheySay) {
  const auto lab = [](ColourMap map, int step) { return lab_at(map, step); };
  EXPECT_GT(lab(ColourMap::sequential, 255).x() - lab(ColourMap::sequential, 0).x(), 0.6f);
  EXPECT_NEAR(lab(ColourMap::diverging, 0).x(), lab(ColourMap::diverging, 255).x(), 0.1);
  for (const ColourMap map : {ColourMap::diverging, ColourMap::strain}) {
    for (const int middle : {127, 128})
      EXPECT_LT(lab(map, middle).tail<2>().norm(), 0.03f) << "neutral";
    EXPECT_LT((lab(map, 127) - lab(map, 128)).norm(), 0.03f) << "the arms meet";
  }
  EXPECT_NEAR(hue_of(lab(ColourMap::diverging, 0)), -100, 20) << "blue";
  EXPECT_NEAR(hue_of(lab(ColourMap::diverging, 255)), 29, 15) << "red";
  EXPECT_NEAR(hue_of(lab(ColourMap::strain, 0)), 29, 10) << "what contracts is red";
  EXPECT_GT(lab(ColourMap::strain, 0).tail<2>().norm(), 0.15f);
  EXPECT_NEAR(hue_of(lab(ColourMap::strain, 255)), -125, 20) << "what expands is blue";
  EXPECT_GT(lab(ColourMap::strain, 255).x(), 0.7f) << "and light";
  EXPECT_EQ(colour_map(ColourMap::phase)[0], colour_map(ColourMap::phase)[255]);
}

Eigen::Matrix3f vision(int kind) {
  Eigen::Matrix3f m = Eigen::Matrix3f::Identity();
  if (kind == 1)  // protanopia
    m << 0.152286f, 1.052583f, -0.204868f, 0.114503f, 0.786281f, 0.099216f, -0.003882f, -0.048116f,
        1.051998f;
  if (kind == 2)  // deuteranopia
    m << 0.367322f, 0.860646f, -0.227968f, 0.280085f, 0.672501f, 0.047413f, -0.011820f, 0.042940f,
        0.968881f;
  if (kind == 3)  // tritanopia
    m << 1.255528f, -0.076749f, -0.178779f, -0.078411f, 0.930809f, 0.147602f, 0.004733f, 0.691367f,
        0.303900f;
  return m;
}

// Two colours side by side differ clearly from about 0.02 on in OKLab.
TEST(ColourMaps, AllKindsOfColourVisionTellValuesApart) {
  for (int kind = 0; kind < 4; ++kind) {
    const Eigen::Matrix3f eyes = vision(kind);
    ASSERT_LT((eyes * Eigen::Vector3f::Ones() - Eigen::Vector3f::Ones()).norm(), 1e-4f)
        << "white is white to all";
    for (const ColourMap map : all_maps) {
      const auto seen = [&](int step) { return lab_of_linear(eyes * linear_at(map, step)); };
      constexpr int quarter = map_steps / 4;
      for (int k = 0; k + quarter < map_steps; ++k)
        EXPECT_GT((seen(k + quarter) - seen(k)).norm(), 0.05f)
            << "map " << static_cast<int>(map) << " from " << k << ", vision " << kind;
      if (map != ColourMap::phase) {
        EXPECT_GT((seen(255) - seen(0)).norm(), 0.1f)
            << "ends of map " << static_cast<int>(map) << ", vision " << kind;
      }
    }
  }
}

TEST(ColourMaps, ValuesOutsideOfTheScaleHaveTheColoursOfItsEnds) {
  draw::ColourScale scale;
  scale.low = -2;
  scale.high = 6;
  for (const ColourMap map : all_maps) {
    scale.map = map;
    const auto at = [&](int step) {
      const auto& c = colour_map(map)[step];
      return draw::Rgba{static_cast<float>(c[0]) / 255, static_cast<float>(c[1]) / 255,
                        static_cast<float>(c[2]) / 255, 1};
    };
    EXPECT_EQ(colour_of(-2, scale), at(0));
    EXPECT_EQ(colour_of(-1e30f, scale), at(0));
    EXPECT_EQ(colour_of(6, scale), at(255));
    EXPECT_EQ(colour_of(std::numeric_limits<float>::infinity(), scale), at(255));
    EXPECT_EQ(colour_of(std::numeric_limits<float>::quiet_NaN(), scale), at(0));
    EXPECT_EQ(colour_of(2, scale), at(128));
  }
}

}  // namespace
}  // namespace sinew::render
