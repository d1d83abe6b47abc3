#include "nodes/kernels/material_feel.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "nodes/kernels/named_materials.h"
#include "nodes/kernels/restoration.h"

namespace sinew::kernels {
namespace {

// A straight line and the standard damping (1 - t)^2: the width is 1 - t.
TEST(MaterialFeel, OfAStraightSpring) {
  for (const double mass : {1e-6, 1.0, 50.0, 1e6}) {
    for (const double stiffness : {1e-6, 7.0, 1e6}) {
      Material m;
      m.mass = mass;
      m.stiffness = stiffness;
      m.restoration = 3;
      const MaterialFeel feel = feel_of(m, 0.5);
      const double f = std::sqrt(stiffness / mass) / (2 * std::numbers::pi);
      EXPECT_NEAR(feel.frequency / f, 1, 1e-9);
      EXPECT_NEAR(feel.fade, 3 * (1 - std::exp(-1.0)), 2e-3);
      EXPECT_NEAR(feel.damping, 1 / (2 * std::numbers::pi * f * feel.fade), 1e-9 * feel.damping);
    }
  }
}

TEST(MaterialFeel, FadesWhenTheSwingDoes) {
  for (int i = 0; i < named_material_count; ++i) {
    const auto kind = static_cast<NamedMaterial>(i);
    SCOPED_TRACE(name_of(kind));
    const Material m = make_named_material(kind, {1, 1});
    const MaterialFeel feel = feel_of(m, 0);
    EXPECT_TRUE(std::isfinite(feel.frequency));
    EXPECT_GT(feel.fade, 0);
    EXPECT_LE(feel.fade, m.restoration);
    // What is left of the energy then, as the chart itself says.
    const Chart& zeta = m.damping;
    const double left = zeta.evaluate(zeta.first_x() +
                                      (zeta.last_x() - zeta.first_x()) * feel.fade / m.restoration);
    if (feel.fade < m.restoration) {
      EXPECT_NEAR(left, std::exp(-2.0), 0.02);
    }
  }
}

TEST(MaterialFeel, StiffStuffIsFastAndWhatStaysDoesNotSwing) {
  const auto feel = [](NamedMaterial kind) {
    return feel_of(make_named_material(kind, {1, 1}), 0);
  };
  EXPECT_GT(feel(NamedMaterial::mild_steel).frequency, feel(NamedMaterial::jelly).frequency);
  Material none;
  none.stiffness = 0;
  EXPECT_EQ(feel_of(none, 0).frequency, 0);
  EXPECT_TRUE(std::isinf(feel_of(none, 0).damping));
}

}  // namespace
}  // namespace sinew::kernels
