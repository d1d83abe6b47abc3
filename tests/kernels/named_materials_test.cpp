#include "nodes/kernels/named_materials.h"

#include <gtest/gtest.h>

#include <set>

#include "nodes/kernels/restoration.h"

namespace sinew::kernels {
namespace {

std::vector<NamedMaterial> all_materials() {
  std::vector<NamedMaterial> list;
  for (int i = 0; i < named_material_count; ++i) list.push_back(static_cast<NamedMaterial>(i));
  return list;
}

TEST(NamedMaterials, are_sound_at_every_scale) {
  std::set<std::string_view> names;
  for (const NamedMaterial kind : all_materials()) {
    SCOPED_TRACE(name_of(kind));
    EXPECT_TRUE(names.insert(name_of(kind)).second);
    EXPECT_TRUE(about(kind).ends_with('.'));
    for (const double strain : {1e-6, 1.0, 30.0, 1e6}) {
      for (const double time : {1e-6, 1.0, 1e6}) {
        const Material m = make_named_material(kind, {strain, time});
        const auto wrong = validate(m);
        EXPECT_FALSE(wrong) << *wrong;
        EXPECT_GT(m.source.size(), 20u);
        const Restoration r(m, 0.8 * m.elastic_limit());
        EXPECT_TRUE(std::isfinite(r.strain(0.3 * m.restoration)));
      }
    }
  }
  EXPECT_THROW(make_named_material(NamedMaterial::jelly, {0, 1}), std::invalid_argument);
  EXPECT_THROW(make_named_material(NamedMaterial::jelly, {1, -1}), std::invalid_argument);
}

// The same motion at the same part of the limits, slower by the scale of time.
TEST(NamedMaterials, scales_keep_the_motion) {
  for (const NamedMaterial kind : all_materials()) {
    SCOPED_TRACE(name_of(kind));
    const Material m = make_named_material(kind), s = make_named_material(kind, {20, 0.5});
    const double e = 0.9 * m.elastic_limit();
    for (const double part : {0.1, 0.35, 0.9}) {
      EXPECT_NEAR(Restoration(s, 20 * e).strain(part * s.restoration),
                  20 * Restoration(m, e).strain(part * m.restoration), 1e-6 * (20 * e + 1e-9));
    }
  }
}

TEST(NamedMaterials, the_tendon_loses_what_was_measured) {
  const Material m = make_named_material(NamedMaterial::kangaroo_tendon);
  const double whole = m.stress.integral(0, m.stress.last_x());
  const double lost = m.stress.loop_area() / whole;
  EXPECT_GT(lost, 0.06);
  EXPECT_LT(lost, 0.11);
  // 1.5 GPa beyond 30 MPa.
  EXPECT_NEAR(m.stress.tangent(0.05), 1500, 60);
  EXPECT_LT(m.stress.tangent(0.004), 700);
}

TEST(NamedMaterials, the_sea_anemone_creeps_over_decades_of_time) {
  const Material m = make_named_material(NamedMaterial::anemone_mesogloea);
  const auto creep = [&](double seconds) { return m.creep.evaluate(seconds); };
  EXPECT_NEAR(creep(0), 0.1, 1e-12);
  EXPECT_NEAR(creep(3500), 1 - 0.9 / std::exp(1.0), 1e-3);
  EXPECT_NEAR(creep(500), 1 - 0.9 * std::exp(-500.0 / 3500), 0.01);
  EXPECT_GT(creep(4e4), 0.999);
  EXPECT_GE(m.creep_duration, 12 * 3600);
  EXPECT_LE(m.creep_duration, 15 * 3600);
  EXPECT_LT(m.relaxation.evaluate(1e4), 0.1);
}

TEST(NamedMaterials, do_what_they_say) {
  const auto made = [](NamedMaterial kind) { return make_named_material(kind); };
  const auto stays = [&](NamedMaterial kind, double e) {
    return Restoration(made(kind), e).permanent() / e;
  };
  EXPECT_EQ(stays(NamedMaterial::rubber, 5), 0);
  EXPECT_EQ(stays(NamedMaterial::jelly, 0.8), 0);
  EXPECT_GT(stays(NamedMaterial::putty, 1), 0.9);
  EXPECT_GT(stays(NamedMaterial::mild_steel, 0.2), 0.98);
  EXPECT_EQ(stays(NamedMaterial::thin_fluid, 0.7), 1);
  EXPECT_EQ(stays(NamedMaterial::thick_fluid, 0.7), 1);
  EXPECT_EQ(Restoration(made(NamedMaterial::human_bone), 0.02).kind(), RestorationKind::broken);
  // Jelly swings several times before it rests.
  const Material jelly = made(NamedMaterial::jelly);
  EXPECT_GT(jelly.restoration / Restoration(jelly, 0.5).period(), 4);
}

}  // namespace
}  // namespace sinew::kernels
