#include "nodes/kernels/voo_frame.h"

#include <gtest/gtest.h>

#include <numbers>

#include "tests/kernels/voo_reference.h"

namespace sinew::kernels {
namespace {

using test::RandomVoos;
using test::VooReference;
using Matrix = Eigen::Matrix3d;
using std::numbers::pi;

constexpr double scales[] = {1e-6, 1, 1e6};

void expect_rotation(const Matrix& m, double tolerance = 1e-13) {
  EXPECT_LT((m.transpose() * m - Matrix::Identity()).norm(), tolerance);
  EXPECT_NEAR(m.determinant(), 1, tolerance);
}

TEST(Voo, says_the_first_thing_that_is_wrong) {
  EXPECT_EQ(validate(Voo{}), std::nullopt);
  const auto wrong = [](const auto& change) {
    Voo voo;
    change(voo);
    return validate(voo).value_or("nothing");
  };
  EXPECT_EQ(wrong([](Voo& v) { v.rest.tip = v.rest.head; }),
            "the head and the tip at rest are at the same place");
  EXPECT_EQ(wrong([](Voo& v) { v.field.radii[1] = 0; }),
            "the radius B, across of the field must be above 0, but is 0");
  EXPECT_NE(wrong([](Voo& v) { v.field.radii[2] = -1; }).find("radius C"), std::string::npos);
  EXPECT_NE(wrong([](Voo& v) { v.rest.head.x() = NAN; }).find("the head must be"),
            std::string::npos);
  EXPECT_NE(wrong([](Voo& v) { v.rest.twist = INFINITY; }).find("the twist"), std::string::npos);
  EXPECT_EQ(wrong([](Voo& v) { v.coefficients.volume = 0; }),
            "the volume must be from 0.001 to 1000, but is 0");
  EXPECT_NE(wrong([](Voo& v) { v.coefficients.weight = -1; }).find("weight"), std::string::npos);
  EXPECT_NE(wrong([](Voo& v) { v.coefficients.shear[1] = NAN; }).find("shear along w"),
            std::string::npos);
  EXPECT_NE(wrong([](Voo& v) { v.field.cap = 0; }).find("cap"), std::string::npos);
  EXPECT_NE(wrong([](Voo& v) { v.blend = -1; }).find("blend"), std::string::npos);
  EXPECT_NE(wrong([](Voo& v) { v.damping.points.clear(); }).find("damping chart"),
            std::string::npos);
  VooPose on_itself;
  on_itself.tip = on_itself.head;
  EXPECT_EQ(validate(on_itself), std::nullopt);  // at a moment that may be
}

TEST(Voo, content_tells_all_of_it_apart) {
  const auto content = [](const Voo& voo) {
    std::string all;
    visit_content(voo, [&](std::span<const std::byte> bytes) {
      all.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    });
    return all;
  };
  Voo a, b;
  EXPECT_EQ(content(a), content(b));
  b.coefficients.shear[1] = 0.1;
  EXPECT_NE(content(a), content(b));
  b = a;
  b.field.beyond = VooBeyond::as_edge;
  EXPECT_NE(content(a), content(b));
  b = a;
  b.damping.points.push_back({2, 1});
  EXPECT_NE(content(a), content(b));
  EXPECT_GE(byte_size(b), sizeof(Voo));
}

TEST(VooFrame, is_a_rotation_along_the_vector) {
  RandomVoos random(1);
  for (const double scale : scales) {
    for (int n = 0; n < 200; ++n) {
      const Voo voo = random.voo(scale);
      const Matrix frame = rest_frame(voo.rest);
      expect_rotation(frame);
      EXPECT_LT((frame.col(0) - voo.rest.vector().normalized()).norm(), 1e-13);
      EXPECT_LT((frame - VooReference(voo).frame()).norm(), 1e-11);
      const VooPose now = random.pose(voo, scale);
      const Matrix carried = frame_at(voo, now);
      expect_rotation(carried, 1e-12);
      EXPECT_LT((carried.col(0) - now.vector().normalized()).norm(), 1e-12);
      EXPECT_LT((carried - VooReference(voo).frame_at(now)).norm(), 1e-9);
    }
  }
}

TEST(VooFrame, has_the_thesis_axes_at_k) {
  for (const double sign : {1.0, -1.0}) {
    VooPose pose;
    pose.tip = pose.head + Vec3d(0, 0, 3 * sign);
    const Matrix frame = rest_frame(pose);
    EXPECT_LT((frame.col(1) - Vec3d(0, 1, 0)).norm(), 1e-15);
    EXPECT_LT((frame.col(2) - Vec3d(-sign, 0, 0)).norm(), 1e-15);
    for (const double off : {1e-300, 1e-14, 1e-9, 1e-5}) {
      pose.tip = pose.head + Vec3d(off, 0, 3 * sign);
      expect_rotation(rest_frame(pose));
      pose.tip = pose.head + Vec3d(0, off, 3 * sign);
      expect_rotation(rest_frame(pose));
    }
  }
}

// Along a great circle through +-k and past it at every distance, the frame turns no faster than
// the pin does.
TEST(VooFrame, passes_k_without_a_jump) {
  RandomVoos random(2);
  for (const double sign : {1.0, -1.0}) {
    for (const double miss : {0.0, 1e-12, 1e-6, 1e-3, 0.1}) {
      Voo voo;
      voo.rest.tip = voo.rest.head + Vec3d(0.8, 0.1, 0.6 * sign);
      const double step = 1e-3;
      Matrix last = Matrix::Zero();
      for (double angle = -0.5; angle < 0.5; angle += step) {
        const Vec3d u(std::sin(angle), miss, sign * std::cos(angle));
        VooPose now = voo.rest;
        now.tip = now.head + u.normalized();
        const Matrix frame = frame_at(voo, now);
        if (angle > -0.5) {
          EXPECT_LT((frame - last).norm(), 6 * step);
        }
        last = frame;
      }
    }
  }
}

TEST(VooFrame, is_continuous_along_random_paths) {
  RandomVoos random(3);
  for (int n = 0; n < 50; ++n) {
    const Voo voo = random.voo(1);
    const Vec3d u = voo.rest.vector().normalized(), a = random.direction(), b = random.direction();
    const double step = 1e-4;
    Matrix last = Matrix::Zero();
    bool started = false;
    for (double t = 0; t < 2; t += step) {
      VooPose now = voo.rest;
      const Vec3d way = (u + std::sin(2 * t) * a + std::sin(3 * t) * b).normalized();
      now.tip = now.head + way;
      now.twist += t;
      const double from_opposite = (way + u).norm();
      const Matrix frame = frame_at(voo, now);
      if (started && from_opposite > 0.01) {
        // As far as the pin has turned, times 1 + tan of half its angle from rest; and the twist.
        const double turned = (frame.col(0) - last.col(0)).norm();
        EXPECT_LT((frame - last).norm(), 1.6 * turned * (1 + 2 / from_opposite) + 4 * step);
      }
      last = frame;
      started = true;
    }
  }
}

TEST(VooFrame, turns_half_about_w_at_the_opposite_direction) {
  RandomVoos random(4);
  for (int n = 0; n < 50; ++n) {
    Voo voo = random.voo(1);
    VooPose now = voo.rest;
    now.tip = now.head - voo.rest.vector();
    const Matrix rest = rest_frame(voo.rest);
    Matrix expected = rest;
    expected.col(0) *= -1;
    expected.col(1) *= -1;
    EXPECT_LT((frame_at(voo, now) - expected).norm(), 1e-7);
    for (const double off : {1e-15, 1e-9, 1e-8, 1e-7, 1e-4}) {
      now.tip = now.head - voo.rest.vector() + off * random.direction();
      const Matrix frame = frame_at(voo, now);
      expect_rotation(frame, 1e-12);
      EXPECT_LT((frame.col(0) - now.vector().normalized()).norm(), 1e-7);
    }
  }
}

TEST(VooStrain, changes_the_volume_by_the_square_of_its_coefficient) {
  RandomVoos random(5);
  for (const double scale : scales) {
    for (int n = 0; n < 200; ++n) {
      const Voo voo = random.voo(scale);
      const VooPose now = random.pose(voo, scale);
      const double a2 = voo.coefficients.volume * voo.coefficients.volume;
      const Matrix F = deformation_at(voo, now);
      EXPECT_NEAR(F.determinant(), a2, 1e-11 * a2) << "scale " << scale;
      EXPECT_LT((F - VooReference(voo).deformation(now)).norm(), 1e-8 * F.norm());
    }
  }
}

TEST(VooStrain, is_none_at_rest) {
  RandomVoos random(6);
  for (const double scale : scales) {
    for (int n = 0; n < 100; ++n) {
      Voo voo = random.voo(scale);
      voo.coefficients.volume = voo.coefficients.cross_section = 1;
      voo.coefficients.shear = {};
      EXPECT_EQ(deformation_at(voo, voo.rest), Matrix::Identity());
    }
  }
}

TEST(VooStrain, takes_the_pin_with_it) {
  // With eps = 1, F takes V to V(t): what the artist moves is where the body goes.
  RandomVoos random(7);
  for (int n = 0; n < 200; ++n) {
    Voo voo = random.voo(1);
    voo.coefficients.elongation = 1;
    voo.coefficients.shear = {};
    const VooPose now = random.pose(voo, 1);
    if (now.vector().norm() < 1e-2) continue;
    EXPECT_LT((deformation_at(voo, now) * voo.rest.vector() - now.vector()).norm(), 1e-12);
  }
}

TEST(VooStrain, is_finite_where_the_head_is_on_the_tip) {
  RandomVoos random(8);
  for (const double scale : scales) {
    for (int n = 0; n < 100; ++n) {
      Voo voo = random.voo(scale);
      voo.coefficients.elongation = n % 2 ? 1 : 1000;
      VooPose now = random.pose(voo, scale);
      for (const double length : {0.0, 1e-300, 1e-30}) {
        now.tip = now.head + length * random.direction();
        EXPECT_EQ(validate(now), std::nullopt);
        const Matrix F = deformation_at(voo, now);
        EXPECT_TRUE(F.allFinite());
        EXPECT_EQ(strain_at(voo, now).s_u, least_voo_stretch);
        const double a2 = voo.coefficients.volume * voo.coefficients.volume;
        EXPECT_NEAR(F.determinant(), a2, 1e-9 * a2);
      }
    }
  }
}

TEST(VooStrain, stays_within_its_limits_at_those_of_the_coefficients) {
  for (const double eps : {-1e3, 1e3}) {
    for (const double a : {1e-3, 1e3}) {
      for (const double b : {1e-3, 1e3}) {
        Voo voo;
        voo.coefficients.elongation = eps;
        voo.coefficients.volume = a;
        voo.coefficients.cross_section = b;
        voo.coefficients.shear = {1e3, -1e3};
        ASSERT_EQ(validate(voo), std::nullopt);
        for (const double length : {0.0, 0.5, 1.0, 2.0, 1e12}) {
          VooPose now = voo.rest;
          now.tip = now.head + length * Vec3d(0.6, 0, 0.8);
          EXPECT_TRUE(deformation_at(voo, now).allFinite());
          const VooStrain s = strain_at(voo, now);
          EXPECT_GE(s.s_u, least_voo_stretch);
          EXPECT_LE(s.s_u, greatest_voo_stretch);
        }
      }
    }
  }
}

TEST(VooStrain, shear_leans_the_axis_and_nothing_else) {
  Voo voo;
  voo.rest = {{0, 0, 0}, {2, 0, 0}, 0};
  voo.coefficients.shear = {0.5, -0.25};
  const Matrix frame = rest_frame(voo.rest), F = deformation_at(voo, voo.rest);
  EXPECT_LT((F * frame.col(1) - frame.col(1)).norm(), 1e-14);
  EXPECT_LT((F * frame.col(2) - frame.col(2)).norm(), 1e-14);
  EXPECT_LT((F * frame.col(0) - (frame.col(0) + 0.5 * frame.col(1) - 0.25 * frame.col(2))).norm(),
            1e-14);
}

}  // namespace
}  // namespace sinew::kernels
