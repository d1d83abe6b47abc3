#include "nodes/kernels/voo_articulate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>

#include "nodes/kernels/voo_array.h"
#include "tests/kernels/figures.h"
#include "tests/kernels/voo_reference.h"

namespace sinew::kernels {
namespace {

using std::numbers::pi;
using test::RandomVoos;

constexpr double scales[] = {1e-6, 1, 1e6};

// A row of operators, tip to head.
struct Chain {
  std::vector<Voo> voos;
  std::vector<VooPose> rest, poses;
  Articulation with;

  Chain(RandomVoos& random, std::size_t count, double scale) {
    Vec3d at = random.point(scale);
    for (std::size_t i = 0; i < count; ++i) {
      const Vec3d next = at + random.number(0.5, 1) * scale * random.direction();
      Voo voo;
      voo.rest = {at, next, 0};
      voos.push_back(voo);
      rest.push_back(voo.rest);
      at = next;
      if (i > 0) {
        const auto k = static_cast<uint32_t>(i);
        with.arthra.push_back({{{k - 1, VooEnd::tip}, {k, VooEnd::head}}, false, {}});
      }
    }
    poses = rest;
    with.constraints.resize(count);
  }
  void keep_lengths() {
    for (std::size_t i = 0; i < rest.size(); ++i) {
      with.constraints[i].length = rest[i].vector().norm();
    }
  }
};

TEST(VooConstraint, of_one_operator_is_met_exactly) {
  unsigned seed = 0;
  for (const double scale : scales) {
    for (int n = 0; n < 200; ++n) {
      RandomVoos random(++seed);
      const Voo voo = random.voo(scale);
      VooPose pose = random.pose(voo, scale);
      VooConstraint c;
      const int hold = n % 3;
      if (hold == 1) c.head = random.point(scale);
      if (hold == 2) c.tip = random.point(scale);
      if (n % 2) c.length = random.number(0.2, 2) * scale;
      const int way = n / 3 % 3;
      if (way == 1) c.direction = 5 * random.direction();
      if (way == 2) c.aim = random.point(3 * scale);
      const VooPose before = pose;
      constrain_pose(c, voo.rest, pose);
      if (!c.any()) {
        EXPECT_EQ(pose, before);
      }
      if (c.head) {
        EXPECT_EQ(pose.head, *c.head);
      }
      if (c.tip) {
        EXPECT_EQ(pose.tip, *c.tip);
      }
      const Vec3d vector = pose.vector();
      if (c.length) {
        EXPECT_NEAR(vector.norm(), *c.length, 1e-12 * scale);
      }
      if (c.direction) {
        EXPECT_LT(vector.normalized().cross(c.direction->normalized()).norm(), 1e-9);
        EXPECT_GT(vector.dot(*c.direction), 0);
      }
      if (c.aim) {
        const Vec3d line = c.tip ? *c.aim - pose.tip : *c.aim - pose.head;
        EXPECT_LT(vector.normalized().cross(line.normalized()).norm(), 1e-9);
      }
      // Once met, it changes nothing.
      VooPose again = pose;
      constrain_pose(c, voo.rest, again);
      EXPECT_LT((again.head - pose.head).norm() + (again.tip - pose.tip).norm(), 1e-9 * scale);
    }
  }
}

TEST(Articulate, lets_everything_else_follow_an_arthron) {
  RandomVoos random(5);
  Chain chain(random, 4, 1);
  const Vec3d to = random.point(2);
  chain.with.arthra[1].place = to;
  const ArticulateReport report = articulate(chain.with, chain.rest, chain.poses);
  EXPECT_EQ(report.gap, 0);
  EXPECT_EQ(chain.poses[1].tip, to);
  EXPECT_EQ(chain.poses[2].head, to);
  EXPECT_EQ(chain.poses[1].head, chain.rest[1].head);
  EXPECT_EQ(chain.poses[3], chain.rest[3]);
}

TEST(Articulate, reaches_with_a_chain_that_keeps_its_lengths) {
  unsigned seed = 10;
  double worst = 0;
  for (const double scale : scales) {
    for (int n = 0; n < 30; ++n) {
      RandomVoos random(++seed);
      Chain chain(random, 3 + static_cast<std::size_t>(n % 3), scale);
      chain.keep_lengths();
      chain.with.constraints[0].head = chain.rest[0].head;
      // Somewhere within reach: the end of the chain in another, random pose.
      Vec3d goal = chain.rest[0].head;
      for (const VooPose& p : chain.rest) goal += 0.8 * p.vector().norm() * random.direction();
      const auto last = static_cast<uint32_t>(chain.rest.size() - 1);
      chain.with.arthra.push_back({{{last, VooEnd::tip}}, false, goal});
      const ArticulateReport report = articulate(chain.with, chain.rest, chain.poses);
      EXPECT_LT(report.gap, 1e-9 * scale);  // a chain holds together in any case
      EXPECT_EQ(chain.poses[0].head, chain.rest[0].head);
      for (std::size_t i = 0; i < chain.rest.size(); ++i) {
        EXPECT_NEAR(chain.poses[i].vector().norm(), chain.rest[i].vector().norm(), 1e-9 * scale);
      }
      worst = std::max(worst, (chain.poses[last].tip - goal).norm() / scale);
    }
  }
  EXPECT_LT(worst, 0.3);
  test::record("farthest_from_goal", worst);
}

TEST(Articulate, stretches_towards_what_is_out_of_reach) {
  RandomVoos random(60);
  Chain chain(random, 3, 1);
  chain.keep_lengths();
  const Vec3d root = chain.rest[0].head, goal = root + Vec3d(30, 40, 0);
  chain.with.constraints[0].head = root;
  chain.with.arthra.push_back({{{2, VooEnd::tip}}, false, goal});
  EXPECT_LT(articulate(chain.with, chain.rest, chain.poses).gap, 1e-9);
  double reach = 0;
  for (const VooPose& p : chain.rest) reach += p.vector().norm();
  EXPECT_NEAR((chain.poses[2].tip - root).norm(), reach, 0.01 * reach);
}

TEST(Articulate, puts_constraints_above_arthra) {
  // Figure 8.17: a held head, a constant length, a free arthron, and an operator that aims.
  RandomVoos random(70);
  Chain chain(random, 2, 1);
  VooConstraint& first = chain.with.constraints[0];
  first.head = chain.rest[0].head;
  first.length = chain.rest[0].vector().norm();
  chain.with.constraints[1].aim = Vec3d(5, 5, 5);
  chain.with.arthra[0].place = chain.rest[0].head + Vec3d(9, 0, 0);
  EXPECT_LT(articulate(chain.with, chain.rest, chain.poses).gap, 1e-9);
  EXPECT_EQ(chain.poses[0].head, *first.head);
  EXPECT_NEAR(chain.poses[0].vector().norm(), *first.length, 1e-12);
  EXPECT_LT((chain.poses[0].tip - (chain.rest[0].head + *first.length * Vec3d(1, 0, 0))).norm(),
            1e-9);
  const Vec3d line = Vec3d(5, 5, 5) - chain.poses[1].head;
  EXPECT_LT(chain.poses[1].vector().normalized().cross(line.normalized()).norm(), 1e-9);

  // A fixed arthron that cannot be reached stays alone, and the gap is told.
  chain.with.arthra[0].fixed = true;
  chain.poses = chain.rest;
  const double gap = articulate(chain.with, chain.rest, chain.poses).gap;
  EXPECT_NEAR(gap, 9 - *first.length, 1e-9);
  EXPECT_NEAR(chain.poses[0].vector().norm(), *first.length, 1e-12);
}

TEST(Articulate, holds_a_cell_together) {
  unsigned seed = 80;
  double worst = 0;
  for (const double scale : scales) {
    for (int n = 0; n < 20; ++n) {
      RandomVoos random(++seed);
      Voo pattern;
      VooNetwork cell = make_cell(pattern, scale * Vec3d(0, 0, 0), scale * Vec3d(1, 0, 0),
                                  scale * Vec3d(0.3, 0.9, 0));
      Articulation with{cell.arthra, {}};
      std::vector<VooPose> rest;
      for (const Voo& v : cell.members) rest.push_back(v.rest);
      for (const VooPose& p : rest) {
        with.constraints.push_back({.length = p.vector().norm()});
      }
      with.constraints[0].head = rest[0].head;
      std::vector<VooPose> poses = rest;
      for (VooPose& p : poses) {
        p.head += random.point(0.2 * scale);
        p.tip += random.point(0.2 * scale);
      }
      const std::vector<VooPose> wanted = poses;
      const ArticulateReport report = articulate(with, rest, poses);
      for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_NEAR(poses[i].vector().norm(), rest[i].vector().norm(), 1e-9 * scale);
      }
      worst = std::max(worst, report.gap / scale);
      std::vector<VooPose> again = wanted;
      articulate(with, rest, again);
      EXPECT_EQ(again, poses);
      again = wanted;
      EXPECT_LT(articulate(with, rest, again, 400).gap, 1e-6 * scale);
    }
  }
  EXPECT_LT(worst, 0.02);
  test::record("largest_gap", worst);
}

TEST(Articulate, drags_a_plexus_by_one_arthron) {
  const VooNetwork plexus = make_plexus({}, {0, 0, 0}, {1, 0, 0}, {0, 0, 1}, {4, 3});
  std::vector<VooPose> rest;
  for (const Voo& v : plexus.members) rest.push_back(v.rest);
  Articulation with{plexus.arthra, {}};
  const Vec3d to(2, 1.5, 1);
  with.arthra[7].place = to;
  std::vector<VooPose> poses = rest;
  EXPECT_EQ(articulate(with, rest, poses).gap, 0);
  for (std::size_t i = 0; i < poses.size(); ++i) {
    const auto index = static_cast<uint32_t>(i);
    const std::vector<VooJoint>& dragged = with.arthra[7].joints;
    const auto holds = [&](VooEnd end) {
      return std::find(dragged.begin(), dragged.end(), VooJoint{index, end}) != dragged.end();
    };
    EXPECT_LT((poses[i].head - (holds(VooEnd::head) ? to : rest[i].head)).norm(), 1e-12);
    EXPECT_LT((poses[i].tip - (holds(VooEnd::tip) ? to : rest[i].tip)).norm(), 1e-12);
  }
  // With constant lengths the sheet gives way as a whole, and what gap is left is small.
  for (const VooPose& p : rest) with.constraints.push_back({.length = p.vector().norm()});
  with.arthra[7].place = rest[0].head + Vec3d(2.2, 0.3, 1.1);
  poses = rest;
  const double gap = articulate(with, rest, poses, 200).gap;
  EXPECT_LT(gap, 0.2);
  test::record("gap_of_a_stiff_plexus", gap);
}

TEST(Articulate, says_what_is_wrong) {
  Articulation with;
  with.arthra.push_back({{{0, VooEnd::tip}, {1, VooEnd::head}}, true, {}});
  EXPECT_EQ(validate(with, 2), "arthron 1 is fixed, but nowhere");
  with.arthra[0].fixed = false;
  EXPECT_EQ(validate(with, 2), std::nullopt);
  EXPECT_EQ(validate(with, 1), "arthron 1 joins operator 2, but there are 1");
  with.arthra.push_back(with.arthra[0]);
  EXPECT_EQ(validate(with, 2), "the tip of operator 1 is in two arthra");
  with.arthra.pop_back();
  with.constraints.resize(2);
  with.constraints[1].direction = Vec3d(0, 0, 0);
  EXPECT_EQ(validate(with, 2), "the direction of operator 2 has no length");
  with.constraints[1] = {.length = -1.0};
  EXPECT_EQ(validate(with, 2), "the length of operator 2 must be above 0, but is -1");
  std::vector<VooPose> poses(2);
  EXPECT_THROW(articulate(with, poses, poses), std::invalid_argument);
}

TEST(VooNetwork, joins_what_meets) {
  Voo pattern;
  pattern.name = "skin";
  const VooNetwork cell = make_cell(pattern, {0, 0, 0}, {2, 0, 0}, {0, 1, 0});
  ASSERT_EQ(cell.members.size(), 3u);
  EXPECT_EQ(cell.arthra.size(), 3u);
  EXPECT_EQ(cell.members[1].name, "skin 2");
  EXPECT_NEAR(cell.members[0].field.radii[2], 2, 1e-12);  // twice as long as the pattern

  const VooNetwork plexus = make_plexus(pattern, {0, 0, 0}, {1, 0, 0}, {0, 0, 1}, {3, 2});
  EXPECT_EQ(plexus.members.size(), 3u * 3 + 4u * 2 + 3u * 2);  // along, across, diagonals
  EXPECT_EQ(plexus.arthra.size(), 12u);
  EXPECT_EQ(validate(Articulation{plexus.arthra, {}}, plexus.members.size()), std::nullopt);
  std::size_t ends = 0;
  for (const VooArthron& a : plexus.arthra) {
    ends += a.joints.size();
    const auto place = [&](const VooJoint& j) {
      const VooPose& p = plexus.members[j.voo].rest;
      return j.end == VooEnd::head ? p.head : p.tip;
    };
    for (const VooJoint& j : a.joints) EXPECT_EQ(place(j), place(a.joints[0]));
  }
  EXPECT_EQ(ends, 2 * plexus.members.size());
  EXPECT_THROW(make_cell(pattern, {0, 0, 0}, {0, 0, 0}, {0, 1, 0}), std::invalid_argument);
}

TEST(VooArray, directional_is_a_grid_of_the_same) {
  Voo pattern;
  pattern.rest = {{1, 2, 3}, {1, 2, 5}, 0.3};
  VooVariation variation;
  variation.length = Chart{.points = {{0, 1}, {1, 3}}, .interpolation = Interpolation::linear};
  variation.width = Chart::constant(0.5);
  const VooArray array = directional_array(pattern, {.counts = {3, 4, 2}}, variation);
  ASSERT_EQ(array.members.size(), 24u);
  Vec3d mean(0, 0, 0);
  for (std::size_t i = 0; i < array.members.size(); ++i) {
    const Voo& voo = array.members[i];
    EXPECT_EQ(validate(voo), std::nullopt);
    mean += voo.rest.head / 24;
    const double factor = 1 + 2 * array.place[i];
    EXPECT_LT((voo.rest.vector() - factor * pattern.rest.vector()).norm(), 1e-12);
    EXPECT_NEAR(voo.field.radii[0], 0.5 * factor * pattern.field.radii[0], 1e-12);
    EXPECT_NEAR(voo.field.radii[2], factor * pattern.field.radii[2], 1e-12);
    EXPECT_EQ(array.place[i], static_cast<double>(i % 3) / 2);
  }
  EXPECT_LT((mean - pattern.rest.head).norm(), 1e-12);
}

TEST(VooArray, radial_is_even) {
  Voo pattern;
  pattern.rest.tip = pattern.rest.head + Vec3d(0.3, 0.4, 1.2);
  const int count = 200;
  const VooArray array = radial_array(pattern, {.count = count, .start = 0.5});
  Vec3d mean(0, 0, 0);
  Eigen::Matrix3d second = Eigen::Matrix3d::Zero();
  double nearest = 10;
  for (const Voo& voo : array.members) {
    const Vec3d u = voo.rest.vector().normalized();
    EXPECT_NEAR(voo.rest.vector().norm(), 1.3, 1e-12);
    EXPECT_LT((voo.rest.head - 0.5 * u).norm(), 1e-12);
    mean += u / count;
    second += u * u.transpose() / count;
    for (const Voo& other : array.members) {
      if (&other == &voo) continue;
      nearest = std::min(nearest, (other.rest.vector().normalized() - u).norm());
    }
  }
  EXPECT_LT(mean.norm(), 1e-3);
  EXPECT_LT((3 * second - Eigen::Matrix3d::Identity()).norm(), 0.02);
  // The best that so many points can do on a sphere is about 3.8 / sqrt(count) apart.
  EXPECT_GT(nearest, 2.8 / std::sqrt(count));
  // A narrow cone stays about the pattern's own direction.
  const Vec3d u = pattern.rest.vector().normalized();
  for (const Voo& voo : radial_array(pattern, {.count = 50, .spread = 0.4}).members) {
    EXPECT_GT(voo.rest.vector().normalized().dot(u), std::cos(0.4));
  }
}

TEST(VooArray, vortex_follows_its_spiral) {
  Voo pattern;
  pattern.rest.tip = pattern.rest.head + Vec3d(0, 0.5, 0);
  const VortexArray options{.count = 400, .radii = {0.2, 1}, .height = 2, .turns = 3};
  const VooArray array = vortex_array(pattern, options);
  ASSERT_EQ(array.members.size(), 400u);
  const auto head = [&](std::size_t i) { return array.members[i].rest.head; };
  for (std::size_t i = 0; i < 400; ++i) {
    const Vec3d at = head(i) - pattern.rest.head;
    EXPECT_NEAR(at.y(), 2 * array.place[i], 1e-12);
    EXPECT_NEAR(std::hypot(at.x(), at.z()), 0.2 + 0.8 * array.place[i], 1e-12);
    if (i == 0 || i + 1 == 400) continue;
    const Vec3d along = (head(i + 1) - head(i - 1)).normalized();
    EXPECT_GT(array.members[i].rest.vector().normalized().dot(along), 0.999);
  }
  VortexArray inward = options;
  inward.inward = 1;
  for (const Voo& voo : vortex_array(pattern, inward).members) {
    const Vec3d out(voo.rest.head.x(), 0, voo.rest.head.z());
    EXPECT_LT((voo.rest.vector().normalized() + out.normalized()).norm(), 1e-9);
  }
}

TEST(VooArray, refuses_what_cannot_be) {
  EXPECT_THROW(directional_array({}, {.counts = {0, 1, 1}}), std::invalid_argument);
  EXPECT_THROW(directional_array({}, {.counts = {1000, 1000, 1000}}), std::invalid_argument);
  EXPECT_THROW(radial_array({}, {.count = 10, .spread = 0}), std::invalid_argument);
  EXPECT_THROW(vortex_array({}, {.count = 10, .height = NAN}), std::invalid_argument);
  VooVariation shrinking;
  shrinking.length = Chart{.points = {{0, 1}, {1, 0}}};
  EXPECT_THROW(vortex_array({}, {.count = 10}, shrinking), std::invalid_argument);
}

}  // namespace
}  // namespace sinew::kernels
