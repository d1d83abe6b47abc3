#include "nodes/kernels/rotation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "nodes/kernels/lane_kernels.h"
#include "nodes/kernels/shape_match.h"
#include "tests/kernels/rotation_blocks.h"
#include "tests/kernels/solids.h"

namespace sinew::kernels {
namespace {

using test::Blocks;
using test::expect_right;
using test::expect_unit;
using test::judge;
using test::Judged;
using test::many;
using test::Mat3;
using test::Quaternion;
using test::well_conditioned;
using Random = test::RandomMatrices;

TEST(Rotation, ReferenceIsTheNearestRotation) {
  Random random(1);
  for (int k = 0; k < 500; ++k) {
    const Mat3 a = random.matrix(), r = rotation_part(a);
    ASSERT_NEAR(r.determinant(), 1, 1e-12);
    ASSERT_LE((r.transpose() * r - Mat3::Identity()).cwiseAbs().maxCoeff(), 1e-12);
    for (int other = 0; other < 20; ++other) {
      const Mat3 near = random.small_rotation(other % 2 ? 3 : 0.1).toRotationMatrix() * r;
      ASSERT_GE((a - near).norm(), (a - r).norm() - 1e-12);
    }
    // R^T A is symmetric.
    const Mat3 s = r.transpose() * a;
    ASSERT_LE((s - s.transpose()).cwiseAbs().maxCoeff(), 1e-12);
  }
}

TEST(Rotation, FromNear) {
  Random random(2);
  for (const double most : {1e-4, 1e-2, 0.1}) {
    Blocks blocks;
    for (std::size_t k = 0; k < many; ++k) {
      const Mat3 a = random.matrix();
      blocks.add(a, random.small_rotation(most) * Quaternion(rotation_part(a)));
    }
    expect_right(blocks, "near " + std::to_string(most));
  }
}

TEST(Rotation, Reflections) {
  Random random(5);
  Blocks blocks;
  for (std::size_t k = 0; k < many; ++k) {
    const Vec3d s(random.uniform(0.5, 1), random.uniform(0.5, 1), -random.uniform(0.01, 0.3));
    const Mat3 a = random.rotation().toRotationMatrix() * s.asDiagonal() *
                   random.rotation().toRotationMatrix();
    blocks.add(a, random.small_rotation(0.1) * Quaternion(rotation_part(a)));
  }
  expect_right(blocks, "reflections");
}

// Rank 2 has a rotation (the third direction follows); rank 1 and 0 have many: any of the best.
TEST(Rotation, Degenerate) {
  Random random(7);
  for (const int rank : {2, 1, 0}) {
    Blocks blocks;
    for (std::size_t k = 0; k < many; ++k) {
      const Mat3 a = random.of_rank(rank);
      blocks.add(a, random.small_rotation(0.1) * Quaternion(rotation_part(a)));
    }
    expect_right(blocks, "rank " + std::to_string(rank));
  }
}

TEST(Rotation, ZeroKeepsTheStart) {
  Random random(8);
  Blocks blocks;
  for (std::size_t k = 0; k < 160; ++k) blocks.add(Mat3::Zero(), random.rotation());
  const Blocks before = blocks;
  blocks.run();
  for (std::size_t i = 0; i < blocks.count; ++i) {
    EXPECT_LE((blocks.rotation(i) - before.rotation(i)).cwiseAbs().maxCoeff(), 1e-6);
  }
}

TEST(Rotation, AnyScale) {
  for (int exponent = -18; exponent <= 18; exponent += 3) {
    Random random(9);
    Blocks blocks;
    for (std::size_t k = 0; k < 640; ++k) {
      const Mat3 a = random.matrix();
      blocks.add(std::pow(10.0, exponent) * a,
                 random.small_rotation(0.1) * Quaternion(rotation_part(a)));
    }
    expect_right(blocks, "1e" + std::to_string(exponent));
  }
}

// Again and again from where it was: no drift off the unit quaternions.
TEST(Rotation, StaysOrthonormalForever) {
  Random random(10);
  Blocks blocks;
  for (int k = 0; k < 64; ++k) blocks.add(random.matrix(), random.rotation());
  for (int round = 0; round < 5000; ++round) blocks.run();
  expect_unit(blocks, "again and again");
  for (std::size_t i = 0; i < blocks.count; ++i) {
    const Judged j = judge(blocks.matrix(i), blocks.rotation(i));
    if (j.gap >= well_conditioned) {
      EXPECT_LE(j.error, 3e-6);
    }
  }
}

// Nearly undetermined, entries of very different sizes, denormal numbers: finite and orthonormal.
TEST(Rotation, NeverNotANumber) {
  Random random(11);
  Blocks blocks;
  for (std::size_t k = 0; k < 4 * many; ++k) {
    Mat3 a;
    for (int e = 0; e < 9; ++e) {
      a(e / 3, e % 3) = random.normal() * std::pow(10.0, random.uniform(-40, 30));
      if (random.uniform(0, 1) < 0.2) a(e / 3, e % 3) = 0;
    }
    blocks.add(a, random.rotation());
  }
  blocks.run();
  expect_unit(blocks, "any numbers");
}

// ---------------------------------------------------------------------------------------------
// Every processor gives the same bits.

std::span<const LaneKernels* const> all_kernels() {
  static const LaneKernels* list[3] = {};
  static const std::size_t count = runnable_lane_kernels(list);
  return {list, count};
}

bool same_bits(const LaneFloats& a, const LaneFloats& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), 4 * a.size()) == 0;
}
bool all_finite(const LaneFloats& a) {
  return std::all_of(a.begin(), a.end(), [](float x) { return std::isfinite(x); });
}

TEST(LaneKernels, AtLeastTheBaselineRuns) {
  ASSERT_GE(all_kernels().size(), 1u);
  EXPECT_EQ(all_kernels().back(), &lane_kernels());
  std::string names;
  for (const LaneKernels* k : all_kernels())
    names += std::string(names.empty() ? "" : " ") + k->name;
  RecordProperty("kernels", names);
}

TEST(LaneKernels, PolarHasTheSameBitsEverywhere) {
  Random random(12);
  Blocks blocks;
  for (std::size_t k = 0; k < 4 * many; ++k) {
    Mat3 a = random.matrix();
    if (k % 7 == 1) a *= std::pow(10.0, random.uniform(-37, 37));
    if (k % 11 == 2) a.col(k % 3).setZero();
    if (k % 13 == 3) a.row(k % 3) = a.row((k + 1) % 3);
    if (k % 101 == 4) a.setZero();
    blocks.add(
        a, k % 2 ? random.rotation() : random.small_rotation(0.2) * Quaternion(rotation_part(a)));
  }
  std::vector<std::vector<QuaternionBlock>> results;
  for (const LaneKernels* kernels : all_kernels()) {
    std::vector<QuaternionBlock> q = blocks.q;
    kernels->polar(blocks.a[0].at[0], q[0].at[0], q.size());
    results.push_back(std::move(q));
    EXPECT_EQ(std::memcmp(results[0].data(), results.back().data(),
                          results[0].size() * sizeof(QuaternionBlock)),
              0)
        << kernels->name;
  }
}

// One run of everything in the table over one body.
struct LaneResult {
  LaneFloats q, maps, goal, mixed, motions, v, centres;
  std::array<double, 32> sums{};
};
LaneResult run_all(const LaneKernels& kernels, const MatchBody& body, const LaneFloats& x,
                   const LaneFloats& tensors, const LaneFloats& q, const LaneFloats& v) {
  const std::size_t n = body.count(), stride = body.stride();
  LaneResult r{q,
               LaneFloats(16 * stride),
               LaneFloats(4 * stride),
               LaneFloats(4 * stride),
               LaneFloats(8 * stride),
               v,
               LaneFloats(4 * stride),
               {}};
  const RingView& view = body.view();
  // In uneven parts that begin at multiples of 16.
  const std::size_t part = n / 2 / 16 * 16;
  kernels.match_regions(view, x.data(), tensors.data(), r.q.data(), r.maps.data(), 0, part);
  kernels.match_regions(view, x.data(), tensors.data(), r.q.data(), r.maps.data(), part, n);
  kernels.match_vertices(view, r.maps.data(), {}, x.data(), x.data(), r.goal.data(), 0, part);
  kernels.match_vertices(view, r.maps.data(), {}, x.data(), x.data(), r.goal.data(), part, n);
  kernels.match_vertices(view, r.maps.data(), {0.7f, 0.8f, -0.5f}, r.goal.data(), x.data(),
                         r.mixed.data(), 0, n);
  kernels.damp_regions(view, x.data(), v.data(), r.motions.data(), 0, part);
  kernels.damp_regions(view, x.data(), v.data(), r.motions.data(), part, n);
  kernels.damp_vertices(view, x.data(), r.motions.data(), 0.3f, r.v.data(), 0, n);
  kernels.rigid_sums(body.masses().data(), x.data(), r.goal.data(), r.sums.data(), 3, n);
  const float shift[4] = {0.1f, -0.2f, 0.3f, 0}, turn[4] = {0.5f, 0.1f, -0.7f, 0};
  kernels.take_rigid(shift, turn, shift, x.data(), r.mixed.data(), 1, n);
  kernels.pull(shift, turn, turn, x.data(), r.goal.data(), 60, r.v.data(), 2, n);
  RingView moved = view;
  moved.rest = x.data();
  kernels.ring_centres(moved, r.centres.data(), 0, part);
  kernels.ring_centres(moved, r.centres.data(), part, n);
  return r;
}

TEST(LaneKernels, TheWholeTableHasTheSameBitsEverywhere) {
  const std::pair<std::string, TetMesh> solids[] = {
      {"box", make_tet_box({1, 1, 1}, {5, 4, 3})},
      {"shaken", test::shaken_box({2, 1, 1}, {6, 4, 3}, 3)},
      {"bell", test::bell(0.7f, 1, 7, 2)},
      {"one cell", make_tet_box({1, 1, 1}, {1, 1, 1})},
      {"tiny", test::shaken_box({2e-3f, 1e-3f, 1e-3f}, {5, 3, 3}, 4)},
      {"large", test::shaken_box({2e3f, 1e3f, 1e3f}, {5, 3, 3}, 5)},
  };
  unsigned seed = 0;
  for (const auto& [name, solid] : solids) {
    Random random(++seed);
    std::vector<float> masses;
    for (std::size_t i = 0; i < solid.vertex_count(); ++i) {
      masses.push_back(static_cast<float>(random.uniform(0.5, 2)));
    }
    const MatchBody body(solid, masses);
    // Little deformed, wildly deformed, all in one point, in one line, in one plane.
    for (int kind = 0; kind < 5; ++kind) {
      LaneFloats x(4 * body.stride(), 0), v(4 * body.stride(), 0), q(4 * body.stride(), 0),
          tensors(6 * body.stride(), 0);
      const float size = body.size();
      for (std::size_t i = 0; i < body.count(); ++i) {
        for (std::size_t k = 0; k < 3; ++k) {
          const float noise = static_cast<float>(random.normal()) * size;
          const float at = body.view().rest[4 * i + k];
          x[4 * i + k] = kind == 0 ? at + 0.02f * noise : kind == 1 ? noise : 0;
          if (kind == 3 && k == 0) x[4 * i + k] = at;
          if (kind == 4 && k != 1) x[4 * i + k] = at;
          v[4 * i + k] = noise;
        }
      }
      for (std::size_t r = 0; r < body.stride(); ++r) {
        const Quaternion turn = random.rotation();
        const double w[4] = {turn.w(), turn.x(), turn.y(), turn.z()};
        for (std::size_t k = 0; k < 4; ++k) q[k * body.stride() + r] = static_cast<float>(w[k]);
        for (std::size_t k = 0; k < 6; ++k) {
          tensors[k * body.stride() + r] =
              static_cast<float>(k < 3 ? random.uniform(0.5, 2) : random.uniform(-0.2, 0.2));
        }
      }
      const LaneResult first = run_all(*all_kernels()[0], body, x, tensors, q, v);
      EXPECT_TRUE(all_finite(first.q) && all_finite(first.maps) && all_finite(first.goal) &&
                  all_finite(first.mixed) && all_finite(first.motions) && all_finite(first.v))
          << name << " " << kind;
      for (const LaneKernels* kernels : all_kernels()) {
        const LaneResult other = run_all(*kernels, body, x, tensors, q, v);
        const std::string where = name + " " + std::to_string(kind) + " " + kernels->name;
        EXPECT_TRUE(same_bits(first.q, other.q)) << where;
        EXPECT_TRUE(same_bits(first.maps, other.maps)) << where;
        EXPECT_TRUE(same_bits(first.goal, other.goal)) << where;
        EXPECT_TRUE(same_bits(first.mixed, other.mixed)) << where;
        EXPECT_TRUE(same_bits(first.motions, other.motions)) << where;
        EXPECT_TRUE(same_bits(first.v, other.v)) << where;
        EXPECT_TRUE(same_bits(first.centres, other.centres)) << where;
        EXPECT_EQ(first.sums, other.sums) << where;
      }
    }
  }
}

}  // namespace
}  // namespace sinew::kernels
