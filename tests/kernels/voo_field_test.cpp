#include "nodes/kernels/voo_field.h"

#include <gtest/gtest.h>

#include "nodes/kernels/voo_frame.h"
#include "tests/kernels/figures.h"
#include "tests/kernels/shapes.h"
#include "tests/kernels/voo_reference.h"

namespace sinew::kernels {
namespace {

using test::RandomVoos;
using test::VooReference;

constexpr double scales[] = {1e-6, 1, 1e6};

std::vector<Vec3f> body(std::size_t count, unsigned seed, double scale) {
  return test::random_points(count, seed, static_cast<float>(1.5 * scale));
}

double value_at(const VooInfluence& i, const std::vector<float>& values, std::size_t vertex) {
  const auto at = std::lower_bound(i.tiles.begin(), i.tiles.end(), vertex / voo_tile);
  if (at == i.tiles.end() || *at != vertex / voo_tile) return 0;
  return values[voo_tile * static_cast<std::size_t>(at - i.tiles.begin()) + vertex % voo_tile];
}

TEST(VooField, delta_is_1_on_the_ellipsoid_and_0_at_the_centre) {
  RandomVoos random(1);
  for (const double scale : scales) {
    for (int n = 0; n < 300; ++n) {
      Voo voo = random.voo(scale);
      const Eigen::Matrix3d frame = rest_frame(voo.rest);
      const auto& [A, B, C] = voo.field.radii;
      const Vec3d s = random.direction();  // along v, w, u
      const bool tip = n % 2;
      voo.field.centre = tip ? VooCentre::tip : VooCentre::head;
      const Vec3d centre = tip ? voo.rest.tip : voo.rest.head;
      const bool cap = tip ? s.z() > 0 : s.z() < 0;
      const Vec3d on = centre + A * s.x() * frame.col(1) + B * s.y() * frame.col(2) +
                       C * (cap ? voo.field.cap : 1) * s.z() * frame.col(0);
      EXPECT_NEAR(delta_at(voo, on), 1, 1e-9);
      EXPECT_NEAR(delta_at(voo, centre + 0.25 * (on - centre)), 0.25, 1e-9);
      EXPECT_EQ(delta_at(voo, centre), 0);
      // Of the length field the same ellipsoid about the middle, and 0 all along the pin.
      voo.field.centre = VooCentre::length;
      const Vec3d middle = (voo.rest.head + voo.rest.tip) / 2;
      const Vec3d on_length =
          middle + A * s.x() * frame.col(1) + B * s.y() * frame.col(2) + C * s.z() * frame.col(0);
      EXPECT_NEAR(delta_at(voo, on_length), 1, 1e-6);
      EXPECT_NEAR(delta_at(voo, middle + 0.9 * C * s.z() * frame.col(0)), 0, 1e-9);
      EXPECT_GT(delta_at(voo, middle + 1.01 * C * frame.col(0)), 1);
    }
  }
}

TEST(VooField, of_both_ends_is_their_product_and_continuous) {
  RandomVoos random(2);
  for (int n = 0; n < 100; ++n) {
    Voo voo = random.voo(1);
    voo.field.centre = VooCentre::both;
    Voo head = voo, tip = voo;
    head.field.centre = VooCentre::head;
    tip.field.centre = VooCentre::tip;
    const Vec3d from = random.point(3), to = random.point(3);
    double last = delta_at(voo, from);
    const int steps = 5000;
    for (int k = 1; k <= steps; ++k) {
      const Vec3d p = from + (to - from) * k / steps;
      const double d = delta_at(voo, p), h = delta_at(head, p), t = delta_at(tip, p);
      if (h <= 1 && t <= 1) {
        EXPECT_NEAR(d, h * t, 1e-12);
      }
      EXPECT_EQ(d > 1, h > 1 && t > 1);
      EXPECT_LT(std::abs(d - last), 0.2);  // the narrowest cap is 0.08 wide, a step 0.002 long
      last = d;
    }
  }
}

TEST(VooInfluence, agrees_with_the_formula_at_every_vertex) {
  unsigned seed = 10;
  double worst = 0;
  for (const double scale : scales) {
    for (int n = 0; n < 40; ++n) {
      RandomVoos random(++seed);
      Voo voo = random.voo(scale);
      if (n % 5 == 0) voo.field.beyond = VooBeyond::as_edge;
      ASSERT_EQ(validate(voo), std::nullopt);
      const std::vector<Vec3f> points = body(1000 + static_cast<std::size_t>(n), seed, scale);
      const Chart viscous = random.chart();
      const ChartPieces pieces(viscous);
      const VooInfluence i = make_influence(voo, points, {.viscous = &pieces, .falloff = true});
      const VooReference reference(voo);
      const std::vector<float> damp = damping_of_vertices(i);
      std::vector<uint32_t> expected;
      for (std::size_t v = 0; v < points.size(); ++v) {
        const Vec3d p = points[v].cast<double>();
        if (!reference.active(p)) {
          EXPECT_EQ(damp[v], 0);
          continue;
        }
        expected.push_back(static_cast<uint32_t>(v));
        const double delta = std::min(reference.delta(p), 1.0);
        const double is = damp[v], must = reference.damp(p);
        worst = std::max(worst, std::abs(is - must));
        EXPECT_NEAR(is, must, 2e-6 * (1 + std::abs(must)));
        EXPECT_NEAR(value_at(i, i.viscous, v), viscous.evaluate(delta), 1e-6);
        EXPECT_NEAR(value_at(i, i.falloff, v), std::pow(std::max(1 - delta, 1e-6), 2), 1e-6);
      }
      EXPECT_EQ(active_vertices(i), expected);
      EXPECT_EQ(i.active_count, expected.size());
    }
  }
  test::record("worst_damp", worst);
}

TEST(VooInfluence, slopes_are_differences) {
  unsigned seed = 50;
  for (const double scale : scales) {
    for (int n = 0; n < 20; ++n) {
      RandomVoos random(++seed);
      Voo voo = random.voo(scale);
      voo.coefficients.weight = random.number(1, 2);
      voo.damping.interpolation = Interpolation::smooth;
      const std::vector<Vec3f> points = body(300, seed, scale);
      Chart viscous = random.chart();
      viscous.interpolation = Interpolation::smooth;
      const ChartPieces pieces(viscous);
      const VooInfluence i =
          make_influence(voo, points, {.viscous = &pieces, .falloff = true, .slopes = true});
      const VooReference reference(voo);
      const double h = 1e-6 * scale;
      for (std::size_t entry = 0; entry < i.tiles.size(); ++entry) {
        for (std::size_t lane = 0; lane < voo_tile; ++lane) {
          if (!(i.mask[entry] >> lane & 1)) continue;
          const Vec3d p = points[voo_tile * i.tiles[entry] + lane].cast<double>();
          const double delta = reference.delta(p), x = delta + voo.coefficients.locality;
          // Kinks: the centre, the edge, where the locality cuts, the plane of the cap.
          if (delta < 0.02 || delta > 0.98 || std::abs(x) < 0.02 || std::abs(x - 1) < 0.02)
            continue;
          for (std::size_t k = 0; k < 3; ++k) {
            const Vec3d step = h * Vec3d::Unit(static_cast<Eigen::Index>(k));
            const double damp = (reference.damp(p + step) - reference.damp(p - step)) / (2 * h);
            const double grad = (viscous.evaluate(reference.delta(p + step)) -
                                 viscous.evaluate(reference.delta(p - step))) /
                                (2 * h);
            const std::size_t at = 3 * voo_tile * entry + voo_tile * k + lane;
            EXPECT_NEAR(scale * static_cast<double>(i.damp_slope[at]), scale * damp, 2e-2);
            EXPECT_NEAR(scale * static_cast<double>(i.viscous_slope[at]), scale * grad, 2e-2);
          }
        }
      }
    }
  }
}

TEST(VooInfluence, is_empty_where_the_field_does_not_reach) {
  Voo voo;
  voo.rest.head = {100, 0, 0};
  voo.rest.tip = {101, 0, 0};
  const VooInfluence i = make_influence(voo, body(5000, 1, 1));
  EXPECT_TRUE(i.tiles.empty());
  EXPECT_EQ(i.active_count, 0u);
  EXPECT_EQ(make_influence(voo, {}).vertex_count, 0u);
}

TEST(VooInfluence, frozen_and_rigid) {
  Voo voo;
  voo.field.radii = {2, 2, 2};
  const std::vector<Vec3f> points = body(500, 3, 1);
  voo.damping = Chart::constant(1);
  for (const float d : damping_of_vertices(make_influence(voo, points))) EXPECT_EQ(d, 0);
  voo.coefficients.flexibility = 0;
  const VooInfluence rigid = make_influence(voo, points);
  const std::vector<float> damp = damping_of_vertices(rigid);
  for (const uint32_t v : active_vertices(rigid)) EXPECT_EQ(damp[v], 1);
}

TEST(VooInfluence, does_not_depend_on_threads) {
  RandomVoos random(7);
  const Voo voo = random.voo(1);
  const std::vector<Vec3f> points = body(50001, 8, 1);
  const ChartPieces viscous(random.chart());
  test::expect_same_for_threads([&] {
    return make_influence(voo, points, {.viscous = &viscous, .falloff = true, .slopes = true});
  });
}

TEST(VooBlend, shares_sum_to_1) {
  for (unsigned seed = 1; seed < 10; ++seed) {
    RandomVoos random(seed);
    const std::vector<Vec3f> points = body(9001, seed, 1);
    std::vector<VooInfluence> all, alone;
    std::vector<double> blend;
    std::vector<Voo> voos;
    for (int j = 0; j < 5; ++j) {
      Voo voo = random.voo(1);
      if (seed % 3 == 0 && j == 2) voo.field.beyond = VooBeyond::as_edge;
      voos.push_back(voo);
      blend.push_back(seed == 4 ? 0 : voo.blend);
      all.push_back(make_influence(voo, points, {.falloff = true, .slopes = true}));
    }
    alone = all;
    blend_influences(all, blend);
    for (std::size_t v = 0; v < points.size(); ++v) {
      double sum = 0;
      int holders = 0;
      Vec3d slope(0, 0, 0);
      for (std::size_t j = 0; j < all.size(); ++j) {
        const double share = value_at(all[j], all[j].share, v);
        sum += share;
        holders += VooReference(voos[j]).active(points[v].cast<double>());
        EXPECT_NEAR(value_at(all[j], all[j].damp, v), share * value_at(alone[j], alone[j].damp, v),
                    1e-6);
      }
      EXPECT_NEAR(sum, holders > 0 ? 1 : 0, 1e-6);
    }
    test::expect_same_for_threads([&] {
      std::vector<VooInfluence> again = alone;
      blend_influences(again, blend);
      return again;
    });
  }
}

TEST(VooArthronDamping, is_the_product_where_fields_overlap) {
  RandomVoos random(21);
  const std::vector<Vec3f> points = body(6000, 22, 1);
  std::vector<VooInfluence> all;
  for (int j = 0; j < 3; ++j) {
    all.push_back(make_influence(random.voo(1), points, {.slopes = true}));
  }
  const std::vector<VooInfluence> before = all;
  const std::vector<VooInfluence*> sharing = {&all[0], &all[2]};
  multiply_influences(sharing);
  EXPECT_EQ(all[1], before[1]);
  const std::vector<uint32_t> first = active_vertices(before[0]),
                              third = active_vertices(before[2]);
  std::size_t overlap = 0;
  for (std::size_t v = 0; v < points.size(); ++v) {
    const bool a = std::binary_search(first.begin(), first.end(), v);
    const bool b = std::binary_search(third.begin(), third.end(), v);
    const double d0 = value_at(before[0], before[0].damp, v);
    const double d2 = value_at(before[2], before[2].damp, v);
    overlap += a && b;
    EXPECT_NEAR(value_at(all[0], all[0].damp, v), a && b ? d0 * d2 : d0, 1e-6);
    EXPECT_NEAR(value_at(all[2], all[2].damp, v), a && b ? d0 * d2 : d2, 1e-6);
  }
  EXPECT_GT(overlap, 0u);
}

}  // namespace
}  // namespace sinew::kernels
