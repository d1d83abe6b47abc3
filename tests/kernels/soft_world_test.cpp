// Soft bodies in a world that is not polite: several parts, heavy and light ones, overlaps at the
// start, floors that move and jump.
#include <gtest/gtest.h>

#include <cmath>

#include "nodes/kernels/soft_body.h"
#include "nodes/kernels/tet_primitives.h"

namespace sinew::kernels {
namespace {

constexpr double frame = 1.0 / 25;

struct Play {
  TetMesh solid;
  std::vector<float> masses;
  SoftBody body;
  SoftState state;
  SoftSettings settings;
  Colliders floor, floor_before;
  SoftScratch scratch;
  LaneFloats tensors;
  int substeps = 0;  // 0: as gravity asks

  explicit Play(TetMesh from, std::span<const float> factor = {})
      : solid(std::move(from)),
        masses(vertex_masses(solid, 1000, factor)),
        body(solid, masses),
        state(rest_state(body, solid)) {
    rest_tensors(body, tensors);
    settings.plan = plan_stiffness(3, StiffnessMethod::fast);
    settings.damping = 2;
  }
  Play(const Play&) = delete;

  void stand_on(float height) {
    floor.list.resize(1);
    floor.list[0].position.y() = height;
    floor_before = floor;
    settings.colliders = &floor;
    settings.colliders_before = &floor_before;
  }
  // One frame, in which the floor rises by so much.
  void play(float rise = 0) {
    floor_before = floor;
    if (!floor.list.empty()) floor.list[0].position.y() += rise;
    const int n = substeps > 0 ? substeps : steps_for_gravity(body, settings.gravity, 1, frame);
    for (int k = 0; k < n; ++k) {
      settings.frame_from = static_cast<float>(k) / static_cast<float>(n);
      settings.frame_to = static_cast<float>(k + 1) / static_cast<float>(n);
      step_soft_body(body, settings, frame / n, tensors, 1.0f / static_cast<float>(n - k), scratch,
                     state);
    }
  }
  SoftMotion motion() const { return soft_motion(body, state); }
  float lowest() const {
    float low = state.positions[0].y();
    for (const Vec3f& p : state.positions) low = std::min(low, p.y());
    return low;
  }
};

TetMesh cube(int cells, float size = 1, const Vec3f& at = Vec3f::Zero()) {
  TetMesh solid = make_tet_box({size, size, size}, {cells, cells, cells});
  for (Vec3f& p : solid.positions) p += at;
  return solid;
}

// Both solids in one, without a common vertex.
TetMesh together(const TetMesh& a, const TetMesh& b) {
  std::vector<Tetrahedron> tets(a.tets().begin(), a.tets().end());
  const uint32_t base = static_cast<uint32_t>(a.vertex_count());
  for (const Tetrahedron& t : b.tets()) {
    tets.push_back({t[0] + base, t[1] + base, t[2] + base, t[3] + base});
  }
  std::vector<Vec3f> points = a.positions;
  points.insert(points.end(), b.positions.begin(), b.positions.end());
  return TetMesh(std::move(tets), std::move(points));
}

TEST(SoftWorld, PartsOfOneSolidLeaveEachOtherAlone) {
  const TetMesh small = cube(4, 0.3f), large = cube(6, 1, {5, 0, 0});
  for (const int n : {1, 6, 15}) {
    Play play(together(small, large));
    play.settings.plan = plan_stiffness(n, StiffnessMethod::fast);
    EXPECT_EQ(play.body.match().parts().size(), 3u);
    // One part is plucked, the other must not know.
    for (std::size_t i = 0; i < small.vertex_count(); ++i) {
      play.state.velocities[i] = Vec3f(0.5f * play.state.positions[i].y(), 0, 0);
    }
    for (int f = 0; f < 200; ++f) play.play();
    Vec3d drift = Vec3d::Zero();
    for (std::size_t i = small.vertex_count(); i < play.solid.vertex_count(); ++i) {
      drift += (play.state.positions[i] - play.solid.positions[i]).cast<double>();
    }
    drift /= static_cast<double>(large.vertex_count());
    EXPECT_LT(drift.norm(), 1e-4) << n;
  }
}

TEST(SoftWorld, NoMassFieldBlowsItUp) {
  std::vector<float> factor;
  const TetMesh solid = cube(6);
  for (const Vec3f& p : solid.positions) factor.push_back(4 * p.x());  // below 0, too
  Play play(solid, factor);
  for (const float m : play.masses) EXPECT_GT(m, 0);
  play.settings.gravity = {0, -9.81f, 0};
  play.stand_on(-0.5f);
  for (int f = 0; f < 60; ++f) play.play();
  for (const Vec3f& p : play.state.positions) EXPECT_LT(p.norm(), 5);
}

// At the standard settings, and for finer bodies: it neither sags nor sinks in, inside or outside.
TEST(SoftWorld, ACubeRestsOnTheFloor) {
  for (const int cells : {2, 4, 8}) {
    Play play(cube(cells));
    play.settings.gravity = {0, -9.81f, 0};
    play.stand_on(-0.5f);
    for (int f = 0; f < 100; ++f) play.play();
    EXPECT_GT(play.motion().centre.y(), -0.05) << cells;
    EXPECT_GT(play.lowest(), -0.51f) << cells;
    EXPECT_LT(play.motion().momentum.norm() / play.motion().mass, 0.5) << cells;
  }
}

TEST(SoftWorld, AnOverlapAtTheStartDoesNotBecomeAShot) {
  for (const int substeps : {2, 10, 40}) {
    Play play(cube(6));
    play.substeps = substeps;
    play.stand_on(-0.45f);
    for (int f = 0; f < 30; ++f) play.play();
    // 5 cm, and about as much as they are pushed out in a twentieth of a second.
    EXPECT_LT(play.motion().momentum.norm() / play.motion().mass, 1) << substeps;
    EXPECT_GT(play.lowest(), -0.451f) << substeps;
  }
}

TEST(SoftWorld, AFloorThatRisesLiftsTheSameInFewAndManySteps) {
  std::vector<double> speeds;
  for (const int substeps : {2, 8, 30}) {
    Play play(cube(6));
    play.substeps = substeps;
    play.settings.damping = 20;
    play.stand_on(-0.5f);
    for (int f = 0; f < 40; ++f) play.play(0.02f);  // 0.5 m/s
    speeds.push_back(play.motion().momentum.y() / play.motion().mass);
    EXPECT_GT(play.lowest(), play.floor.list[0].position.y() - 0.02f) << substeps;
  }
  for (const double speed : speeds) {
    EXPECT_GT(speed, 0.45);
    EXPECT_LT(speed, 1.0);
  }
}

TEST(SoftWorld, AFloorThatJumpsThrowsNothing) {
  Play play(cube(6));
  play.stand_on(-3);
  for (int f = 0; f < 5; ++f) play.play();
  play.play(100);  // far above it
  play.play(-99.9f);
  for (int f = 0; f < 30; ++f) play.play();
  const Vec3d centre = play.motion().centre;
  for (const Vec3f& p : play.state.positions) EXPECT_LT((p.cast<double>() - centre).norm(), 5);
}

// The books at h / 50: rounding of many small steps must not look like a force.
TEST(SoftWorld, MomentumBalancesInVerySmallSteps) {
  Play play(cube(5));
  play.substeps = 50;
  play.settings.fluid.density = 1000;
  play.settings.gravity = {0.1f, -0.2f, 0};
  for (int f = 0; f < 50; ++f) {
    const float c = 1 + 0.2f * std::sin(0.5f * static_cast<float>(f));
    std::fill_n(play.tensors.begin(), play.body.match().stride(), c);
    play.play();
  }
  const SoftMotion m = play.motion();
  EXPECT_LT((m.momentum - play.state.books.total()).norm(), 1e-4 * m.mass);
}

}  // namespace
}  // namespace sinew::kernels
