// Operators over time: led, let go, pulled, joined; nothing jumps, nothing depends on steps.
#include "nodes/kernels/voo_motion.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "nodes/kernels/named_materials.h"
#include "nodes/kernels/restoration.h"
#include "nodes/kernels/voo_array.h"
#include "nodes/kernels/voo_carry.h"
#include "nodes/kernels/voo_frame.h"

namespace sinew::kernels {
namespace {

Chart ramp(double from, double to, double height) {
  return {.points = {{from, 0}, {to, height}}, .interpolation = Interpolation::linear};
}

VooDrive drive(VooQuantity what, Chart chart) {
  return {what, std::move(chart), Chart::constant(1)};
}

VooMember pin(const Vec3d& head = Vec3d::Zero(), const Vec3d& tip = Vec3d(0, 2, 0)) {
  VooMember member;
  member.voo.rest = {head, tip, 0};
  return member;
}

// Stretched along itself by `by` metres during the first second, then let go at `release`.
VooMember stretched(double by, double release, const Material& material = {}) {
  VooMember member = pin();
  member.drives = {drive(VooQuantity::tip_y, ramp(0, 1, by))};
  VooStuff stuff;
  stuff.material = material;
  stuff.hold = {{release, false}};
  member.stuff = std::make_shared<const VooStuff>(stuff);
  return member;
}

VooMotion motion_of(VooMember member) {
  VooSet set;
  set.members.push_back(std::move(member));
  EXPECT_EQ(validate(set), std::nullopt);
  return VooMotion(std::move(set));
}

double distance(const VooPose& a, const VooPose& b) {
  return std::max({(a.head - b.head).norm(), (a.tip - b.tip).norm(), std::abs(a.twist - b.twist)});
}

TEST(VooMotion, at_rest_it_is_where_it_was_put) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> number(-3, 3);
  const auto place = [&] { return Vec3d(number(random), number(random), number(random)); };
  for (int i = 0; i < 50; ++i) {
    VooMember member = pin(place(), place());
    member.voo.rest.twist = number(random);
    const VooMotion motion = motion_of(member);
    for (const double t : {-1.0, 0.0, 0.3, 1e6}) {
      EXPECT_LT(distance(motion.pose(0, t), member.voo.rest), 1e-12);
    }
    EXPECT_FALSE(motion.creeps(0));
    EXPECT_EQ(motion.memory(0, 1).viscosity, 0);
  }
}

TEST(VooMotion, drives_of_one_kind_add_up_and_factors_multiply) {
  VooMember member = pin();
  member.voo.coefficients.elongation = 3;
  member.voo.coefficients.locality = 0.25;
  member.delay = 1;
  member.drives = {drive(VooQuantity::head_x, ramp(0, 1, 2)),
                   drive(VooQuantity::head_x, Chart::constant(5)),
                   drive(VooQuantity::tip_z, ramp(0, 2, 4)),
                   drive(VooQuantity::twist, ramp(0, 1, 0.5)),
                   drive(VooQuantity::elongation, Chart::constant(2)),
                   drive(VooQuantity::elongation, ramp(0, 1, 1)),
                   drive(VooQuantity::locality, Chart::constant(0.5))};
  const VooMotion motion = motion_of(member);
  const VooPose now = motion.pose(0, 1.5);
  EXPECT_LT((now.head - Vec3d(6, 0, 0)).norm(), 1e-12);
  EXPECT_LT((now.tip - Vec3d(0, 2, 1)).norm(), 1e-12);
  EXPECT_NEAR(now.twist, 0.25, 1e-12);
  EXPECT_NEAR(motion.voo(0, 1.5).coefficients.elongation, 3, 1e-12);
  EXPECT_NEAR(motion.voo(0, 1.5).coefficients.locality, 0.75, 1e-12);
  EXPECT_FALSE(motion.field_varies(0));
}

TEST(VooMotion, charts_beyond_the_limits_of_coefficients_stop_there) {
  VooMember member = pin();
  member.drives = {drive(VooQuantity::volume, Chart::constant(-7)),
                   drive(VooQuantity::weight, Chart::constant(1e9)),
                   drive(VooQuantity::flexibility, ramp(0, 1, 1e9)),
                   drive(VooQuantity::shear_v, Chart::constant(-1e9))};
  const VooMotion motion = motion_of(member);
  EXPECT_TRUE(motion.field_varies(0));
  EXPECT_EQ(validate(motion.voo(0, 1)), std::nullopt);
}

TEST(VooMotion, paths_carry_ends_and_aims) {
  MotionPath path;
  path.points.list = {{0, 0, 0}, {4, 0, 0}};
  path.curve = PathCurve::polyline;
  path.momentum = Chart::constant(1);
  path.start = 0;
  path.end = 2;
  for (const bool exact : {false, true}) {
    VooMember member = pin(Vec3d(0, 0, 1), Vec3d(0, 2, 1));
    member.travels = {{VooCarried::tip, path, exact}};
    const VooPose now = motion_of(member).pose(0, 1);
    EXPECT_LT((now.tip - (exact ? Vec3d(2, 0, 0) : Vec3d(2, 2, 1))).norm(), 1e-6);
    EXPECT_LT((now.head - Vec3d(0, 0, 1)).norm(), 1e-12);
    member.travels = {{VooCarried::both, path, exact}};
    const VooPose both = motion_of(member).pose(0, 1);
    EXPECT_LT((both.vector() - Vec3d(0, 2, 0)).norm(), 1e-6);
    EXPECT_LT((both.head - (exact ? Vec3d(2, 0, 0) : Vec3d(2, 0, 1))).norm(), 1e-6);
  }
  VooMember member = pin(Vec3d(0, 0, 1), Vec3d(0, 2, 1));
  member.travels = {{VooCarried::aim, path, true}};
  const VooPose now = motion_of(member).pose(0, 1);
  EXPECT_NEAR(now.vector().norm(), 2, 1e-9);
  EXPECT_GT(now.vector().normalized().dot((Vec3d(2, 0, 0) - now.head).normalized()), 1 - 1e-12);
}

TEST(VooMotion, let_go_it_swings_as_its_material_does_and_comes_back) {
  for (const double by : {0.5, 1.9, -0.8}) {
    Material material;
    material.restoration = 3;
    const VooMotion motion = motion_of(stretched(by, 1.5, material));
    const double e = std::abs(by) / 2;
    const Restoration swing(material, e, 1.5);
    for (const double t : {1.5, 1.6, 2.0, 3.1, 4.4}) {
      EXPECT_NEAR(motion.pose(0, t).tip.y(), 2 + by * swing.share(t - 1.5), 1e-12) << t;
      const double side = by < 0 ? -1 : 1;  // pressed together it is below 0
      EXPECT_NEAR(motion.state(0, t).strain, side * swing.strain(t - 1.5), 1e-12);
    }
    EXPECT_NEAR(motion.pose(0, 1.5 - 1e-9).tip.y(), motion.pose(0, 1.5).tip.y(), 1e-8);
    EXPECT_LT(distance(motion.pose(0, 4.5), motion.set().members[0].voo.rest), 1e-12);
    EXPECT_EQ(motion.state(0, 1).phase, VooPhase::led);
    EXPECT_EQ(motion.state(0, 2).phase, VooPhase::swings);
    EXPECT_EQ(motion.state(0, 9).phase, VooPhase::settled);
  }
}

TEST(VooMotion, beyond_the_elastic_limit_a_part_stays_and_beyond_fracture_all) {
  const Material material;  // limits 1 and 10
  const double e = 3;
  const VooMotion plastic = motion_of(stretched(2 * e, 1, material));
  const double expected = Restoration(material, e, 1).permanent();
  EXPECT_GT(expected, 0.1);
  EXPECT_NEAR(plastic.pose(0, 50).tip.y(), 2 + 2 * expected, 1e-9);
  EXPECT_NEAR(plastic.state(0, 50).permanent, expected, 1e-12);
  EXPECT_NEAR(plastic.state(0, 50).stress, 0, 1e-12);
  const VooMotion broken = motion_of(stretched(24, 1, material));
  EXPECT_NEAR(broken.pose(0, 50).tip.y(), 26, 1e-9);
  EXPECT_TRUE(broken.state(0, 50).broken);
}

TEST(VooMotion, a_twist_and_a_bend_swing_back_too) {
  VooMember member = stretched(0, 1);
  member.drives = {drive(VooQuantity::twist, ramp(0, 1, 0.6)),
                   drive(VooQuantity::tip_x, ramp(0, 1, 0.7))};
  const VooMotion motion = motion_of(member);
  EXPECT_NEAR(motion.pose(0, 1).twist, 0.6, 1e-12);
  EXPECT_LT(distance(motion.pose(0, 30), member.voo.rest), 1e-12);
}

TEST(VooMotion, the_head_is_led_after_the_vector_is_let_go) {
  VooMember member = stretched(0.5, 1);
  member.drives.push_back(drive(VooQuantity::head_x, ramp(0, 10, 5)));
  member.drives.push_back(drive(VooQuantity::tip_x, ramp(0, 10, 5)));
  const VooMotion motion = motion_of(member);
  EXPECT_LT((motion.pose(0, 8).head - Vec3d(4, 0, 0)).norm(), 1e-12);
  EXPECT_LT((motion.pose(0, 8).vector() - Vec3d(0, 2, 0)).norm(), 1e-9);
}

TEST(VooMotion, held_again_it_is_brought_back_without_a_jump) {
  VooMember member = stretched(0.8, 1);
  VooStuff stuff = *member.stuff;
  stuff.hold = {{1, false}, {1.4, true}, {2.5, false}};
  stuff.catching = 0.5;
  member.stuff = std::make_shared<const VooStuff>(stuff);
  const VooMotion motion = motion_of(member);
  for (const double t : {1.0, 1.4, 1.9, 2.5}) {
    EXPECT_LT(distance(motion.pose(0, t - 1e-7), motion.pose(0, t + 1e-7)), 1e-5) << t;
  }
  EXPECT_NEAR(motion.pose(0, 2).tip.y(), 2.8, 1e-12);
}

TEST(VooMotion, a_chart_in_common_multiplies) {
  VooMember member = pin();
  member.drives = {{VooQuantity::tip_x, Chart::constant(3), ramp(0, 1, 1)}};
  EXPECT_NEAR(motion_of(member).pose(0, 0.5).tip.x(), 1.5, 1e-12);
}

TEST(VooMotion, what_stays_is_kept_where_the_motion_goes_on) {
  VooMember member = stretched(6, 1);  // plastic
  VooStuff stuff = *member.stuff;
  stuff.hold = {{1, false}, {3, true}};
  stuff.goes_on = true;
  member.stuff = std::make_shared<const VooStuff>(stuff);
  const VooMotion motion = motion_of(member);
  EXPECT_LT(distance(motion.pose(0, 3 - 1e-9), motion.pose(0, 9)), 1e-6);
  EXPECT_GT(motion.pose(0, 9).tip.y(), 2.1);
}

TEST(VooMotion, a_pin_that_was_drawn_far_out_does_not_swing_through_its_head) {
  Material material;
  material.stress = {.points = {{0, 0}, {20, 20}}, .interpolation = Interpolation::linear};
  material.stress.set_mark(elastic_mark, 19);
  material.stress.set_mark(fracture_mark, 20);
  material.mass = 1;
  const VooMotion motion = motion_of(stretched(8, 1, material));
  for (double t = 1; t < 3; t += 0.01) {
    EXPECT_GE(motion.pose(0, t).vector().y(), 0.2 - 1e-12);
    EXPECT_LT(distance(motion.pose(0, t), motion.pose(0, t + 1e-6)), 1e-3);
  }
}

// Materials of all kinds, let go from strains up to where a pin would swing through its head.
template <class Visit>
void for_swings(const Visit& visit) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> part(0, 1);
  for (int i = 0; i < 60; ++i) {
    Material material;
    material.stress = {.points = {{0, 0}, {4, 4}, {20, 6}}, .interpolation = Interpolation::linear};
    material.stress.set_mark(elastic_mark, 0.3 + 3 * part(random));
    material.stress.set_mark(fracture_mark, 20);
    material.damped = static_cast<DampedEnergy>(i % 3);
    material.mass = 0.2 + 3 * part(random);
    material.restoration = 0.5 + 3 * part(random);
    const double by = 2 * (0.1 + 2.5 * part(random));
    visit(motion_of(stretched(by, 1, material)), material);
  }
}

TEST(VooMotion, the_strain_that_is_told_is_that_of_the_pin) {
  for_swings([](const VooMotion& motion, const Material& material) {
    const double end = 1 + material.restoration;
    for (double t = 1.001; t < end + 1; t += 0.037) {
      const double e = motion.pose(0, t).vector().norm() / 2 - 1;
      EXPECT_NEAR(motion.state(0, t).strain, e, 1e-9) << t;
    }
    const double rests = motion.pose(0, end + 9).vector().norm() / 2 - 1;
    EXPECT_NEAR(motion.state(0, 1.5).permanent, rests, 1e-9);
  });
}

// The equations of section 6.3 with nothing added, down to 0.85 of the way to its head.
TEST(VooMotion, a_swing_is_that_of_the_equations_but_near_its_head) {
  std::size_t near_its_head = 0;
  for_swings([&](const VooMotion& motion, const Material& material) {
    const double e = motion.pose(0, 1).vector().norm() / 2 - 1;
    const Restoration swing(material, e, 1);
    for (double t = 1.001; t < 2 + material.restoration; t += 0.013) {
      const double takes = motion.pose(0, t).vector().y() / 2 - 1, wants = swing.strain(t - 1);
      if (wants >= -0.85) {
        EXPECT_NEAR(takes, wants, 1e-12) << t;
      } else {
        ++near_its_head;
        EXPECT_GE(takes, wants);
        EXPECT_LT(takes, -0.85);
        EXPECT_GT(takes, -0.9);
      }
      EXPECT_NEAR(eased_strain(wants), takes, 1e-12) << t;
    }
  });
  EXPECT_GT(near_its_head, 100u);
  for (double x = -20; x < 3; x += 0.01) {
    EXPECT_GT(eased_strain(x + 0.01), eased_strain(x)) << x;
    EXPECT_LE(eased_strain(x + 0.01) - eased_strain(x), 0.01 + 1e-12) << x;
  }
}

// Ways in which a pin of length 2 is moved and let go after a second, and what it keeps to.
std::vector<VooSet> strained_sets() {
  std::vector<VooSet> sets;
  const Vec3d tips[] = {{0, 0.8, 0}, {0, -1.1, 0}, {0, -3.5, 0}, {0.9, 0, 0}, {0.4, -0.9, 0.3}};
  for (const Vec3d& tip : tips) {
    for (int kept = 0; kept < 5; ++kept) {
      for (const bool goes_on : {false, true}) {
        VooMember member = stretched(0, 1);
        for (const int k : {0, 1, 2}) {
          const auto what = static_cast<VooQuantity>(static_cast<int>(VooQuantity::tip_x) + k);
          member.drives.push_back(drive(what, {.points = {{0, 0}, {1, tip[k]}, {3, 0}}}));
        }
        VooStuff stuff = *member.stuff;
        stuff.material.damped = DampedEnergy::kinetic;  // some of it always stays
        stuff.material.mass = 3;
        if (goes_on) stuff.hold.emplace_back(1.3, true);
        stuff.goes_on = goes_on;
        member.stuff = std::make_shared<const VooStuff>(stuff);
        VooSet set;
        if (kept == 1) member.constraint.length = 2;
        if (kept == 2)
          member.guides.push_back({VooKept::length, Chart::constant(1), {ramp(0, 0.8, 1)}});
        if (kept == 3)
          member.guides.push_back(
              {VooKept::direction, Chart::constant(1), std::vector<Chart>(3, Chart::constant(1))});
        set.members.push_back(std::move(member));
        if (kept == 4) set.ties.push_back({{{{0, VooEnd::tip}}, true, Vec3d(0, 2, 0)}, {}, {}});
        EXPECT_EQ(validate(set), std::nullopt);
        sets.push_back(std::move(set));
      }
    }
  }
  return sets;
}

TEST(VooMotion, strains_are_those_of_the_pin_whatever_it_keeps_to) {
  for (const VooSet& set : strained_sets()) {
    const VooMotion motion{VooSet(set)};
    const bool goes_on = set.members[0].stuff->goes_on;
    for (const double t : {0.4, 0.9, 1.001, 1.1, 1.7, 3.0, 40.0}) {
      const Vec3d v = motion.poses(t)[0].vector();
      const VooStrainState now = motion.state(0, t);
      EXPECT_NEAR(std::abs(now.strain), (v - Vec3d(0, 2, 0)).norm() / 2, 1e-9) << t;
      const bool along = std::hypot(v.x(), v.z()) < 1e-9;
      if (along && v.y() > 0) {
        EXPECT_NEAR(now.strain, v.norm() / 2 - 1, 1e-9) << t;
      }
      if (t < 1) {
        EXPECT_GE(now.stress * now.strain, 0) << t;
      }
    }
    const VooStrainState late = motion.state(0, 40);
    EXPECT_NEAR(late.permanent, late.strain, 1e-9);
    if (!goes_on) {
      EXPECT_NEAR(motion.state(0, 1.2).permanent, late.strain, 1e-9);
    }
  }
}

TEST(VooMotion, a_large_swing_never_stands_still_on_its_way) {
  for_swings([](const VooMotion& motion, const Material& material) {
    int still = 0;
    const double step = 0.004;
    for (double t = 1.1; t < 0.9 + material.restoration; t += step) {
      const double a = motion.pose(0, t).vector().y(), b = motion.pose(0, t + step).vector().y();
      const double c = motion.pose(0, t + 2 * step).vector().y();
      EXPECT_GT(a, 0.2);
      still += a == b && b == c;
    }
    EXPECT_EQ(still, 0);
  });
}

// A pin of length 2 whose tip swings to the other side of its head and back, `beside` it.
VooMember swinging_over(double beside) {
  VooMember member = pin();
  const auto chart = [](std::vector<ChartPoint> points) { return Chart{.points = points}; };
  // Along a half circle in x and y, with a constant way along z.
  Chart x = chart({}), y = chart({}), z = chart({{0, 0}, {0.5, beside}});
  for (int i = 0; i <= 40; ++i) {
    const double t = 0.05 * i, angle = 1.25 * std::numbers::pi * t / 2;
    x.points.push_back({t, 2 * std::sin(angle)});
    y.points.push_back({t, 2 * std::cos(angle) - 2});
  }
  member.drives = {drive(VooQuantity::tip_x, x), drive(VooQuantity::tip_y, y),
                   drive(VooQuantity::tip_z, z)};
  return member;
}

Eigen::Matrix3d frame_of(const VooMotion& motion, double t) {
  const VooPose now = motion.pose(0, t);
  return frame_at(motion.voo(0, t), now, motion.spin(0, t, now));
}

double angle_of(const Eigen::Matrix3d& turn) { return Eigen::AngleAxisd(turn).angle(); }

TEST(VooMotion, a_pin_that_passes_the_opposite_of_its_rest_does_not_spin) {
  for (const double beside : {0.2, 0.06, 0.03, 0.01, 1e-3, 1e-6, 0.0, -0.03}) {
    const VooMotion motion = motion_of(swinging_over(beside));
    for (const double fps : {12.0, 24.0, 25.0, 29.97, 60.0, 240.0, 1000.0}) {
      double alone = 0;
      for (int f = 1; f <= 2.2 * fps; ++f) {
        const double t = (f - 1) / fps, next = f / fps;
        const VooPose a = motion.pose(0, t), b = motion.pose(0, next);
        const double swung =
            std::acos(std::clamp(a.vector().normalized().dot(b.vector().normalized()), -1.0, 1.0));
        const double turned = angle_of(frame_of(motion, t).transpose() * frame_of(motion, next));
        EXPECT_LE(turned, (1 + fastest_spin) * swung + 0.03) << beside << ", " << fps << ", " << t;
        alone = std::max(alone, angle_of(frame_at(motion.voo(0, t), a).transpose() *
                                         frame_at(motion.voo(0, next), b)) -
                                    swung);
      }
      // What it is saved from.
      if (std::abs(beside) == 0.03 && fps == 25) {
        EXPECT_GT(alone, 1);
      }
    }
    // Past it, it is again as its direction alone says.
    const VooPose last = motion.pose(0, 9);
    EXPECT_LT(std::abs(motion.spin(0, 9, last)), 0.6) << beside;
  }
}

// What is joined elsewhere in the set makes no difference, and of what is not carried it says so.
TEST(VooMotion, frames_are_carried_among_any_number_of_others) {
  const VooMotion alone = motion_of(swinging_over(0.02));
  for (const std::size_t others : {2u, 200u, 255u, 256u, 257u, 700u}) {
    for (const bool joined : {false, true}) {
      VooSet set;
      set.members.push_back(swinging_over(0.02));
      for (std::size_t i = 0; i < others; ++i) {
        const double x = 5.0 * static_cast<double>(i + 1);
        set.members.push_back(pin(Vec3d(x, 0, 0), Vec3d(x, 2, 0)));
      }
      const auto last = static_cast<uint32_t>(others);
      VooTie tie;
      tie.arthron.joints = {{joined ? 0 : last, VooEnd::head}};
      set.ties.push_back(tie);
      for (uint32_t i = 1; i <= last && joined; ++i) {
        tie.arthron.joints = {{i, VooEnd::head}};
        set.ties.push_back(tie);
      }
      const VooMotion motion(std::move(set));
      EXPECT_EQ(motion.carries(0), !joined || others < most_carried);
      for (const double t : {0.5, 1.4, 1.6, 1.9}) {
        const double spin = alone.spin(0, t, alone.pose(0, t));
        const double among = motion.spin(0, t, motion.pose(0, t));
        EXPECT_NEAR(among, motion.carries(0) ? spin : 0, 1e-9) << others << ", " << t;
      }
    }
  }
}

TEST(VooMotion, carried_frames_are_functions_of_time) {
  const VooMotion forwards = motion_of(swinging_over(0.02));
  const VooMotion backwards = motion_of(swinging_over(0.02));
  std::vector<double> there, back;
  for (int f = 0; f <= 80; ++f) {
    there.push_back(forwards.spin(0, f / 30.0, forwards.pose(0, f / 30.0)));
  }
  for (int f = 80; f >= 0; --f) {
    back.push_back(backwards.spin(0, f / 30.0, backwards.pose(0, f / 30.0)));
  }
  bool spins = false;
  for (int f = 0; f <= 80; ++f) {
    EXPECT_EQ(there[f], back[80 - f]) << f;
    spins |= there[f] != 0;
    // Nothing jumps between the moments that are asked for.
    const double t = f / 30.0 + 1e-7;
    const double near = forwards.spin(0, t, forwards.pose(0, t));
    EXPECT_LT(std::abs(std::remainder(near - there[f], 2 * std::numbers::pi)), 1e-4) << f;
  }
  EXPECT_TRUE(spins);
}

TEST(VooMotion, a_pin_that_goes_round_a_cone_does_not_wind_its_body_up) {
  for (const double angle : {0.3, 0.9, 1.5, 1.9}) {
    VooMember member = pin();
    Chart x{.extension = Extension::cyclic}, z{.extension = Extension::cyclic};
    for (int i = 0; i <= 24; ++i) {
      const double turn = 2 * std::numbers::pi * i / 24;
      x.points.push_back({i / 24.0, 2 * std::sin(angle) * std::cos(turn)});
      z.points.push_back({i / 24.0, 2 * std::sin(angle) * std::sin(turn)});
    }
    member.drives = {drive(VooQuantity::tip_x, x), drive(VooQuantity::tip_z, z),
                     drive(VooQuantity::tip_y, Chart::constant(2 * std::cos(angle) - 2))};
    const VooMotion motion = motion_of(member);
    for (double t = 0; t < 20; t += 0.37) {
      EXPECT_EQ(motion.spin(0, t, motion.pose(0, t)), 0) << angle << ", " << t;
    }
  }
}

TEST(VooMotion, constraints_over_time_hold_while_they_are_on_and_come_one_after_the_other) {
  VooMember member = pin();
  member.constraint.head = Vec3d(0, 0, 0);
  member.constraint.aim = Vec3d(5, 0, 0);
  VooGuide aim;
  aim.on = {.points = {{0, 0}, {1, 1}, {2, 0}}, .interpolation = Interpolation::stepped};
  aim.value = {Chart::constant(0), Chart::constant(0), ramp(1, 2, 3)};
  aim.value[2].points[0].y = 1;
  member.guides.push_back(aim);
  VooGuide length;
  length.what = VooKept::length;
  length.value = {ramp(0, 4, 4)};
  member.guides.push_back(length);
  const VooMotion motion = motion_of(member);
  EXPECT_LT((motion.pose(0, 0.5).vector() - Vec3d(0.5, 0, 0)).norm(), 1e-9);
  EXPECT_LT((motion.pose(0, 1.5).vector() - Vec3d(0, 0, 1.5)).norm(), 1e-9);
  EXPECT_LT((motion.pose(0, 3).vector() - Vec3d(3, 0, 0)).norm(), 1e-9);
  EXPECT_LT((motion.pose(0, 0).vector() - Vec3d(2, 0, 0)).norm(), 1e-9);  // 0: that at rest
}

TEST(VooMotion, a_hand_has_the_end_and_after_it_the_motion_is_found_again) {
  for (const VooEnd end : {VooEnd::tip, VooEnd::head}) {
    VooMember member = pin();
    member.drives = {drive(VooQuantity::tip_x, ramp(0, 4, 0.4))};
    VooStuff stuff;
    const Vec3d from = end == VooEnd::tip ? Vec3d(0, 2, 0) : Vec3d(0, 0, 0);
    stuff.pulls = {{end, {{1, from}, {1.5, from + Vec3d(0, 0, 1)}}, 2.0}};
    member.stuff = std::make_shared<const VooStuff>(stuff);
    const VooMotion motion = motion_of(member);
    const auto at = [&](double t) {
      const VooPose p = motion.pose(0, t);
      return end == VooEnd::tip ? p.tip : p.head;
    };
    EXPECT_LT((at(1.25) - from - Vec3d(0, 0, 0.5)).norm(), 1e-12);
    EXPECT_LT((at(1.9) - from - Vec3d(0, 0, 1)).norm(), 1e-12);
    EXPECT_EQ(motion.state(0, 1.2).phase, VooPhase::pulled);
    EXPECT_LT(distance(motion.pose(0, 2 - 1e-7), motion.pose(0, 2 + 1e-7)), 1e-5);
    EXPECT_LT((motion.pose(0, 20).tip - Vec3d(0.4, 2, 0)).norm(), 1e-9);
    EXPECT_LT(motion.pose(0, 20).head.norm(), 1e-9);
  }
}

TEST(VooMotion, a_hand_takes_the_nearest_end_of_those_it_may) {
  VooSet set;
  set.members = {pin(), pin(Vec3d(3, 0, 0), Vec3d(3, 2, 0))};
  const VooMotion motion(std::move(set));
  const std::size_t all[] = {0, 1}, first[] = {0};
  const auto near = grip_at(motion, 0, Vec3d(2.8, 0.3, 0), all);
  ASSERT_TRUE(near);
  EXPECT_EQ(near->member, 1u);
  EXPECT_EQ(near->end, VooEnd::head);
  EXPECT_EQ(grip_at(motion, 0, Vec3d(2.8, 0.3, 0), first)->member, 0u);
  EXPECT_FALSE(grip_at(motion, 0, Vec3d(0, 0, 0), {}));
}

// dQ_ve = [1 - nu g (1 - mu creep)] dQ_p, stepped as the thesis does, against the closed form.
TEST(VooMotion, creep_is_what_small_steps_come_to) {
  VooMember member = pin();
  member.drives = {drive(VooQuantity::tip_x, ramp(0, 1.5, 1)),
                   drive(VooQuantity::tip_y, ramp(0.5, 2, 1))};
  VooStuff stuff;
  stuff.material.gradient = Chart::constant(1);
  stuff.material.viscosity = 1.1;
  stuff.material.creep_coefficient = 0.5;
  stuff.material.creep_duration = 2.5;
  stuff.hold = {{2, false}};
  for (const double begin : {0.0, 0.7}) {
    stuff.creep_start = begin;
    member.stuff = std::make_shared<const VooStuff>(stuff);
    const VooMotion motion = motion_of(member);
    ASSERT_TRUE(motion.creeps(0));
    const auto f = [&](double t) { return deformation_at(motion.voo(0, t), motion.pose(0, t)); };
    const Chart& creep = stuff.material.creep;
    const double range = creep.last_x() - creep.first_x(), end = 2.3;
    const int steps = 40000;
    Eigen::Matrix3d sum = f(begin) - Eigen::Matrix3d::Identity();
    for (int i = 0; i < steps; ++i) {
      const double a = begin + (end - begin) * i / steps,
                   b = begin + (end - begin) * (i + 1) / steps;
      const double x = (0.5 * (a + b) - begin) / stuff.material.creep_duration;
      const double c = creep.evaluate(creep.first_x() + range * x);
      sum += (1 - 1.1 * (1 - 0.5 * c)) * (f(b) - f(a));
    }
    const VooMemory memory = motion.memory(0, end);
    const Eigen::Matrix3d now = f(end), one = Eigen::Matrix3d::Identity();
    const Eigen::Matrix3d closed =
        now - one + memory.viscosity * (memory.creep * memory.strain - (now - memory.start));
    EXPECT_LT((closed - sum).cwiseAbs().maxCoeff(), 1e-6);
    EXPECT_EQ(motion.memory(0, begin - 0.1).viscosity, 0);
  }
}

TEST(VooMotion, joined_ends_stay_together_and_lengths_are_kept) {
  VooSet set;
  set.members = {pin(Vec3d(0, 0, 0), Vec3d(0, 1, 0)), pin(Vec3d(0, 1, 0), Vec3d(0, 2, 0))};
  for (VooMember& m : set.members) m.constraint.length = 1;
  set.members[0].constraint.head = Vec3d(0, 0, 0);
  VooTie tie;
  tie.arthron.joints = {{0, VooEnd::tip}, {1, VooEnd::head}};
  set.ties.push_back(tie);
  set.members[1].drives = {drive(VooQuantity::tip_x, ramp(0, 1, 1)),
                           drive(VooQuantity::tip_y, ramp(0, 1, -1))};
  const VooMotion motion(set);
  double gap = 0;
  for (const double t : {0.0, 0.4, 1.0}) {
    const std::vector<VooPose> poses = motion.poses(t, &gap);
    EXPECT_NEAR(poses[0].vector().norm(), 1, 1e-9);
    EXPECT_NEAR(poses[1].vector().norm(), 1, 1e-9);
    EXPECT_LT(gap, 1e-6);
    EXPECT_LT((motion.pose(1, t).tip - poses[1].tip).norm(), 1e-12);
    EXPECT_LT((motion.arthra(t, poses)[0] - poses[0].tip).norm(), 1e-6);
  }
}

TEST(VooMotion, an_arthron_on_a_path_takes_its_operators_along_and_they_creep) {
  MotionPath path;
  path.points.list = {{0, 1, 0}, {1, 1.5f, 0}, {1, 0.5f, 1}};
  path.end = 2;
  VooSet set;
  set.members = {pin(Vec3d(0, 0, 0), Vec3d(0, 1, 0)), pin(Vec3d(0, 1, 0), Vec3d(0, 2, 0))};
  VooStuff stuff;
  stuff.material.gradient = Chart::constant(0.8);
  stuff.material.viscosity = 0.6;
  stuff.material.creep_duration = 3;
  for (VooMember& m : set.members) m.stuff = std::make_shared<const VooStuff>(stuff);
  VooTie tie;
  tie.arthron.joints = {{0, VooEnd::tip}, {1, VooEnd::head}};
  tie.arthron.place = Vec3d(0, 1, 0);
  tie.path = path;
  set.ties.push_back(tie);
  const VooMotion motion(set);
  const std::vector<VooPose> end = motion.poses(5);
  EXPECT_LT((end[0].tip - Vec3d(1, 0.5, 1)).norm(), 1e-6);
  EXPECT_LT((end[1].head - Vec3d(1, 0.5, 1)).norm(), 1e-6);
  EXPECT_GT(motion.memory(0, 2).strain.norm(), 0.1);
  EXPECT_TRUE(motion.memory(1, 2).strain.allFinite());
}

TEST(VooMotion, every_named_material_stays_within_its_strain) {
  for (int i = 0; i < named_material_count; ++i) {
    const Material material = make_named_material(static_cast<NamedMaterial>(i), {});
    const VooMotion motion = motion_of(stretched(0.3, 1, material));
    for (double t = 0; t < 30; t += 0.37) {
      const VooPose now = motion.pose(0, t);
      EXPECT_TRUE(now.tip.allFinite());
      EXPECT_LE(std::abs(now.tip.y() - 2), 0.3 + 1e-9) << i;
    }
  }
}

// What is carried as a whole does what the pattern does, carried: pins, fields, motions, twists.
void expect_carried(const VooMember& pattern, const VooMember& member, const Vec3d& about,
                    const Eigen::Matrix3d& turn) {
  const VooMotion one = motion_of(pattern), other = motion_of(member);
  for (const double t : {0.0, 0.4, 1.3}) {
    const VooPose a = one.pose(0, t), b = other.pose(0, t);
    EXPECT_LT((about + turn * (a.head - about) - b.head).norm(), 1e-9);
    EXPECT_LT((about + turn * (a.tip - about) - b.tip).norm(), 1e-9);
    const Eigen::Matrix3d f = deformation_at(pattern.voo, a), g = deformation_at(member.voo, b);
    EXPECT_LT((turn * f * turn.transpose() - g).cwiseAbs().maxCoeff(), 1e-9);
  }
}

TEST(VooArray, rings_and_mirrors_carry_all_of_the_pattern) {
  VooMember pattern = pin(Vec3d(0.5, 0.1, 0.2), Vec3d(1.5, 0.4, 0.3));
  pattern.voo.rest.twist = 0.3;
  pattern.voo.coefficients.cross_section = 1.4;
  pattern.drives = {drive(VooQuantity::tip_x, ramp(0, 1, 0.5)),
                    drive(VooQuantity::head_y, ramp(0, 2, 0.3)),
                    drive(VooQuantity::twist, ramp(0, 1, 0.8))};
  const Vec3d about(0.1, 0.2, 0.3), axis(1, 2, -1);
  const std::vector<VooMember> ring =
      ring_members(pattern, {.count = 5, .about = about, .axis = axis});
  ASSERT_EQ(ring.size(), 5u);
  for (int i = 0; i < 5; ++i) {
    const Eigen::Matrix3d turn =
        Eigen::AngleAxisd(i * 2 * M_PI / 5, axis.normalized()).toRotationMatrix();
    expect_carried(pattern, ring[static_cast<std::size_t>(i)], about, turn);
  }
  const std::vector<VooMember> half =
      ring_members(pattern, {.count = 3, .about = about, .axis = axis, .sweep = M_PI});
  expect_carried(pattern, half[2], about,
                 Eigen::AngleAxisd(M_PI, axis.normalized()).toRotationMatrix());
  const Vec3d n = axis.normalized();
  expect_carried(pattern, mirrored_members(pattern, about, axis)[1], about,
                 Eigen::Matrix3d::Identity() - 2 * n * n.transpose());
  EXPECT_THROW(ring_members(pattern, {.count = 3, .axis = Vec3d(0, 0, 0)}), std::invalid_argument);
  EXPECT_THROW(mirrored_members(pattern, about, Vec3d(0, 0, 0)), std::invalid_argument);
}

TEST(VooSet, what_is_wrong_is_told_with_the_name) {
  VooSet set;
  set.members = {pin(), pin(Vec3d(1, 0, 0), Vec3d(1, 0, 0))};
  set.members[1].voo.name = "fin";
  EXPECT_EQ(*validate(set), "'fin': the head and the tip at rest are at the same place");
  set.members.pop_back();
  set.ties.emplace_back().arthron.joints = {{4, VooEnd::tip}};
  EXPECT_EQ(*validate(set), "arthron 1: it joins operator 5, but there are 1");
}

TEST(VooSet, names_choose_members) {
  VooSet set;
  for (const char* name : {"leg left", "leg right", "tail", ""}) {
    set.members.push_back(pin());
    set.members.back().voo.name = name;
  }
  using List = std::vector<std::size_t>;
  EXPECT_EQ(named_members(set, ""), (List{0, 1, 2, 3}));
  EXPECT_EQ(named_members(set, "leg*"), (List{0, 1}));
  EXPECT_EQ(named_members(set, " tail , *right"), (List{1, 2}));
  EXPECT_EQ(named_members(set, "4"), (List{3}));
  EXPECT_EQ(named_members(set, "*l*t"), (List{0, 1}));
  EXPECT_TRUE(named_members(set, "wing").empty());
}

TEST(VooSet, joined_sets_keep_their_arthra) {
  VooSet a, b;
  a.members = {pin()};
  b.members = {pin(), pin()};
  b.ties.emplace_back().arthron.joints = {{0, VooEnd::tip}, {1, VooEnd::head}};
  append(a, b);
  EXPECT_EQ(a.size(), 3u);
  EXPECT_EQ(a.ties[0].arthron.joints[1].voo, 2u);
}

}  // namespace
}  // namespace sinew::kernels
