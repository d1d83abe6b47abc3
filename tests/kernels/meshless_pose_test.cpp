#include "nodes/kernels/meshless_pose.h"
#include "nodes/kernels/rigid_fit.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <set>

#include "nodes/kernels/measure.h"
#include "nodes/kernels/meshless_nodes.h"
#include "tests/kernels/figures.h"
#include "tests/kernels/meshless_bodies.h"
#include "tests/kernels/meshless_handles.h"

namespace sinew::kernels {
namespace {

using test::family_body;
using test::handle_at;
using test::RandomVectors;
using test::surface_of;
using test::turned;
using test::two_ends;

double farthest(std::span<const Vec3d> a, std::span<const Vec3d> b) {
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, (a[i] - b[i]).norm());
  return worst;
}

TEST(MeshlessPose, HandlesThatMoveRigidlyMoveTheBodyRigidly) {
  double worst = 0;
  for (const char* name : {"box", "U", "figure", "squid"}) {
    const auto body = family_body(name, 40);
    std::vector<PoseHandle> handles = two_ends(*body);
    PoseSolver solver(body, handles, {});
    for (int trial = 0; trial < 4; ++trial) {
      RandomVectors random(static_cast<unsigned>(trial) + 3);
      const Eigen::Quaterniond turn = turned(3 * random.number(), random());
      const Vec3d by = 2 * body->size * random();
      for (PoseHandle& h : handles) {
        h.turn = turn;
        h.by = turn * h.middle + by - h.middle;
      }
      NodePlaces y;
      const PoseOutcome outcome = solver.solve(handles, y);
      worst = std::max(worst, farthest(y, test::rigidly(body->nodes, turn, by)) / body->size);
      EXPECT_LT(outcome.energy, 1e-15) << name;
      EXPECT_TRUE(outcome.converged);
    }
  }
  EXPECT_LT(worst, 1e-7);
  test::record("worst", worst);
}

TEST(MeshlessPose, SolvedPosesAreMinima) {
  for (const char* name : {"box", "torus", "U", "hand"}) {
    SCOPED_TRACE(name);
    const auto body = family_body(name, 40);
    std::vector<PoseHandle> handles = two_ends(*body);
    PoseSolver solver(body, handles, {});
    handles[1].by = 0.2 * body->size * Vec3d(1, 1, 1);
    NodePlaces y, gradient(body->node_count());
    const PoseOutcome outcome = solver.solve(handles, y);
    EXPECT_LT(outcome.misses[0], 0.02 * body->size);
    EXPECT_LT(outcome.misses[1], 0.02 * body->size);
    const double least = solver.energy(handles, y, gradient);
    EXPECT_NEAR(least, outcome.energy, 1e-12 * least);
    RandomVectors random(4);
    for (int trial = 0; trial < 20; ++trial) {
      const NodePlaces beside = random.beside(y, 1e-3 * body->size);
      EXPECT_GT(solver.energy(handles, beside, gradient), least * (1 - 1e-9));
    }
  }
}

// Where a hand has dragged a body does not depend on the way, as far as one can see.
TEST(MeshlessPose, FollowingEndsWhereSolvingDoes) {
  double worst = 0;
  for (const char* name : {"box", "figure", "squid"}) {
    const auto body = family_body(name, 40);
    std::vector<PoseHandle> handles = two_ends(*body);
    PoseSolver solver(body, handles, {});
    NodePlaces y = body->nodes, settled;
    const Vec3d by = 0.12 * body->size * Vec3d(1, 1, -1);
    for (int i = 1; i <= 40; ++i) {
      handles[1].by = by * i / 40;
      solver.follow(handles, y);
    }
    for (int i = 0; i < 20; ++i) solver.follow(handles, y);
    solver.solve(handles, settled);
    worst = std::max(worst, farthest(y, settled) / body->size);
  }
  EXPECT_LT(worst, 0.01);
  test::record("worst", worst);
}

TEST(MeshlessPose, SizeDoesNotMatter) {
  const auto body = family_body("capsule", 20);
  std::vector<PoseHandle> handles = two_ends(*body);
  handles[1].by = 0.3 * body->size * Vec3d(1, 0, 1);
  handles[1].turn = turned(0.8, {0, 1, 0});
  NodePlaces y;
  const PoseOutcome one = PoseSolver(body, handles, {}).solve(handles, y);
  for (const double size : {1.0 / 1048576, 1048576.0}) {
    SCOPED_TRACE(size);
    const auto large = test::scaled_body(*body, size);
    std::vector<PoseHandle> scaled = handles;
    for (PoseHandle& h : scaled) {
      h.middle *= size;
      h.by *= size;
    }
    NodePlaces z;
    const PoseOutcome other = PoseSolver(large, scaled, {}).solve(scaled, z);
    for (Vec3d& p : z) p /= size;
    EXPECT_LT(farthest(y, z), 1e-6 * body->size);
    EXPECT_NEAR(other.energy / one.energy, 1, 1e-9);
    EXPECT_LT(other.iterations, 2 * one.iterations);
  }
}

TEST(MeshlessPose, TheSameEveryTime) {
  const auto body = family_body("hand", 40);
  std::vector<PoseHandle> handles = two_ends(*body);
  handles[1].by = 0.2 * body->size * Vec3d(1, 0, 1);
  PoseSolver solver(body, handles, {});
  NodePlaces first, again, fresh;
  solver.solve(handles, first);
  std::vector<PoseHandle> other = handles;
  other[0].by = {0, body->size, 0};
  solver.solve(other, again);
  solver.solve(handles, again);
  PoseSolver(body, handles, {}).solve(handles, fresh);
  EXPECT_EQ(first, again);
  EXPECT_EQ(first, fresh);
}

// ---- Figures of the paper -----------------------------------------------------------------------

// The same body with shape functions of straight distances.
std::shared_ptr<const MeshlessBody> straight(const MeshlessBody& body) {
  auto copy = std::make_shared<MeshlessBody>(body);
  const auto rows_at = [&](const std::vector<Vec3d>& points) {
    ShapeRows rows;
    for (const Vec3d& x : points) {
      std::vector<NodeInReach> reach;
      for (uint32_t n = 0; n < body.nodes.size(); ++n) {
        const Vec3d away = x - body.nodes[n];
        reach.push_back({n, away.norm(), away.stableNormalized()});
      }
      EXPECT_TRUE(append_shape_row(x, body.nodes, reach, body.radius, rows));
    }
    return rows;
  };
  std::vector<Vec3d> vertices;
  for (const Vec3f& p : body.rest.positions) vertices.push_back(p.cast<double>());
  copy->at_vertices = rows_at(vertices);
  copy->at_samples = rows_at(body.samples);
  return copy;
}

TEST(MeshlessPose, LegsOfAUMoveApart) {
  const test::UShape u;
  const auto body = family_body("U", 60);
  const auto other_tip = [&](const std::shared_ptr<const MeshlessBody>& b) {
    std::vector<PoseHandle> handles{handle_at(*b, {u.width() / 2, 0, u.leg / 2}, 1.2),
                                    handle_at(*b, {0, u.height, u.leg / 2}, 0.6, {-1.2, 0, 0})};
    PoseSolver solver(b, handles, {});
    NodePlaces y;
    solver.solve(handles, y);
    const uint32_t tip = test::closest_vertex(b->rest.positions, {u.width(), u.height, u.leg / 2});
    return (place_of(b->at_vertices, tip, y) - b->rest.positions[tip].cast<double>()).norm();
  };
  const double apart = other_tip(body), together = other_tip(straight(*body));
  EXPECT_LT(apart, 0.12);
  EXPECT_GT(together, 0.5);
  EXPECT_GT(together, 5 * apart);
  test::record("through the material", apart);
  test::record("straight", together);
}

// Figure 5: a box whose bottom is fixed and whose top is lifted and turned.
// Two handles leave open how the body is turned about the line between them: it is not.
TEST(MeshlessPose, WhatNobodyTurnsIsNotTurned) {
  const auto body = family_body("figure", 60);
  const auto vertex_at = [&](const Vec3d& place) {
    uint32_t best = 0;
    for (uint32_t v = 0; v < body->rest.vertex_count(); ++v) {
      const auto off = [&](uint32_t i) {
        return (body->rest.positions[i].cast<double>() - place).norm();
      };
      if (off(v) < off(best)) best = v;
    }
    return best;
  };
  Eigen::AlignedBox3f box;
  for (const Vec3f& p : body->rest.positions) box.extend(p);
  const Vec3d low = box.min().cast<double>(), high = box.max().cast<double>();
  std::vector<PoseHandle> handles(2);
  handles[0].vertices = {vertex_at(low)};
  handles[1].vertices = {vertex_at(Vec3d(high.x(), 0.5 * (low.y() + high.y()), high.z()))};
  for (PoseHandle& h : handles) h.middle = body->rest.positions[h.vertices[0]].cast<double>();
  handles[1].by = 0.2 * body->size * Vec3d(0.2, 1, 0);
  PoseSolver solver(body, handles, {1e3, 1, 1});
  NodePlaces y;
  solver.solve(handles, y);
  const RigidFit fit = fit_rigid(body->nodes, y, body->masses);
  EXPECT_LT(Eigen::AngleAxisd(fit.turn).angle(), 0.6);
}

TEST(MeshlessPose, ATwistedBoxKeepsItsVolume) {
  const auto body = family_body("box", 60);
  const double half = 0.5;
  std::vector<PoseHandle> handles(2);
  for (uint32_t v = 0; v < body->rest.vertex_count(); ++v) {
    const double y = static_cast<double>(body->rest.positions[v].y());
    if (y < -half + 1e-4) handles[0].vertices.push_back(v);
    if (y > half - 1e-4) handles[1].vertices.push_back(v);
  }
  handles[0].middle = {0, -half, 0};
  handles[1].middle = {0, half, 0};
  handles[1].by = {0, 0.6, 0};
  handles[1].turn = turned(std::numbers::pi / 2, {0, 1, 0});
  const double rest = signed_volume(body->rest);
  const auto grown = [&](double volume) {
    PoseSolver solver(body, handles, {1e3, 1, volume});
    NodePlaces y;
    EXPECT_TRUE(solver.solve(handles, y).converged);
    return signed_volume(surface_of(*body, y)) / rest - 1;
  };
  const double without = grown(0), with = grown(100);
  test::record("without", without);
  test::record("with", with);
  EXPECT_GT(without, 0.35);
  EXPECT_LT(without, 0.65);
  EXPECT_LT(std::abs(with), 0.03);
}

// ---- Hostile ------------------------------------------------------------------------------------

void expect_finite(const NodePlaces& y) {
  for (const Vec3d& p : y) EXPECT_TRUE(p.allFinite());
}

TEST(MeshlessPoseHostile, ContradictingHandlesMeetHalfWay) {
  const auto body = family_body("sphere", 20);
  std::vector<PoseHandle> handles(2);
  for (PoseHandle& h : handles) {
    h.vertices = {7};
    h.middle = body->rest.positions[7].cast<double>();
  }
  handles[0].by = {0.4, 0, 0};
  handles[1].by = {-0.2, 0, 0};
  PoseSolver solver(body, handles, {});
  NodePlaces y;
  const PoseOutcome outcome = solver.solve(handles, y);
  expect_finite(y);
  const Vec3d is = place_of(body->at_vertices, 7, y);
  EXPECT_LT((is - handles[0].middle - Vec3d(0.1, 0, 0)).norm(), 1e-6);
  EXPECT_NEAR(outcome.misses[0], 0.3, 1e-6);
}

TEST(MeshlessPoseHostile, NoHandlesOneHandleAndFarTargets) {
  const auto body = family_body("figure", 40);
  NodePlaces y;
  PoseSolver none(body, {}, {});
  EXPECT_TRUE(none.solve({}, y).converged);
  EXPECT_EQ(y, body->nodes);
  std::vector<PoseHandle> handles{handle_at(*body, {0, 1.7, 0}, 0)};
  ASSERT_EQ(handles[0].vertices.size(), 1u);
  PoseSolver one(body, handles, {});
  handles[0].by = {5, 0, 0};
  EXPECT_LT(one.solve(handles, y).misses[0], 1e-9);
  EXPECT_LT(farthest(y, test::shifted(*body, {5, 0, 0})), 1e-6);
  // Torn far apart, turned by half a turn, and back again.
  handles = two_ends(*body);
  PoseSolver two(body, handles, {});
  handles[1].by = {300, 200, 100};
  handles[1].turn = turned(std::numbers::pi, {1, 0, 0});
  two.solve(handles, y);
  expect_finite(y);
  two.follow(handles, y);
  expect_finite(y);
  handles[1].by.setZero();
  handles[1].turn.setIdentity();
  for (int i = 0; i < 50; ++i) two.follow(handles, y);
  expect_finite(y);
}

TEST(MeshlessPoseHostile, CollapsedAndInsideOut) {
  const auto body = family_body("box", 40);
  std::vector<PoseHandle> handles = two_ends(*body);
  PoseSolver solver(body, handles, {});
  NodePlaces y(body->node_count(), Vec3d(0, 0, 0));
  for (int i = 0; i < 30; ++i) solver.follow(handles, y);
  expect_finite(y);
  y = body->nodes;
  for (Vec3d& p : y) p.x() = -p.x();
  for (int i = 0; i < 30; ++i) solver.follow(handles, y);
  expect_finite(y);
  // Weights at their ends.
  for (const PoseWeights& w : {PoseWeights{0, 1, 1}, {1e6, 0, 0}, {1, 1e6, 0}, {1e-6, 0, 1}}) {
    PoseSolver odd(body, handles, w);
    handles[1].by = {0.3, 0.3, 0};
    odd.solve(handles, y);
    expect_finite(y);
  }
}

TEST(MeshlessPoseHostile, HandlesHoldWhatIsThere) {
  const Mesh& mesh = test::family_mesh("sphere");
  EXPECT_TRUE(handle_vertices(Mesh{}, {0, 0, 0}, 1).empty());
  EXPECT_EQ(handle_vertices(mesh, {9, 9, 9}, 0.1).size(), 1u);
  const std::vector<uint32_t> all = handle_vertices(mesh, {0, 0, 0}, 10, 24);
  EXPECT_EQ(all.size(), 24u);
  EXPECT_EQ(std::set<uint32_t>(all.begin(), all.end()).size(), 24u);
}

}  // namespace
}  // namespace sinew::kernels
