#include "nodes/kernels/meshless_nodes.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "tests/kernels/figures.h"
#include "tests/kernels/meshless_bodies.h"
#include "tests/kernels/shapes.h"

namespace sinew::kernels {
namespace {

using test::family_body;
using test::family_mesh;
using test::meshless_family;
using test::scaled_mesh;

struct RowErrors {
  double sum = 0, place = 0, slope_sum = 0, slope = 0, largest = 0;
  std::size_t empty = 0;
};

// How far the four sums are from what they should be, in sizes of the body.
RowErrors errors_of(const MeshlessBody& body, const ShapeRows& rows,
                    const std::vector<Vec3d>& points) {
  RowErrors worst;
  EXPECT_EQ(rows.size(), points.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows.first[i] == rows.first[i + 1]) ++worst.empty;
    double sum = 0;
    Vec3d place(0, 0, 0), slopes(0, 0, 0);
    Eigen::Matrix3d slope = Eigen::Matrix3d::Zero();
    for (uint32_t k = rows.first[i]; k < rows.first[i + 1]; ++k) {
      const Vec3d x = body.nodes[rows.node[k]] - points[i];
      sum += rows.value[k];
      place += rows.value[k] * x;
      slopes += rows.gradient[k];
      slope += x * rows.gradient[k].transpose();
      worst.largest = std::max(worst.largest, std::abs(rows.value[k]));
    }
    worst.sum = std::max(worst.sum, std::abs(sum - 1));
    worst.place = std::max(worst.place, place.norm() / body.size);
    worst.slope_sum = std::max(worst.slope_sum, slopes.norm() * body.size);
    worst.slope = std::max(worst.slope, (slope - Eigen::Matrix3d::Identity()).norm());
  }
  return worst;
}

std::vector<Vec3d> doubles(std::span<const Vec3f> points) {
  std::vector<Vec3d> all;
  for (const Vec3f& p : points) all.push_back(p.cast<double>());
  return all;
}

// The samples are asked for as floats.
std::vector<Vec3d> rounded(std::span<const Vec3d> points) {
  std::vector<Vec3d> all;
  for (const Vec3d& p : points) all.push_back(p.cast<float>().cast<double>());
  return all;
}

void expect_linear(const MeshlessBody& body, const std::string& name, double largest = 6) {
  SCOPED_TRACE(name);
  std::vector<Vec3d> touching;
  for (const uint32_t v : body.touching) touching.push_back(body.rest.positions[v].cast<double>());
  const std::array<RowErrors, 3> all{
      errors_of(body, body.at_vertices, doubles(body.rest.positions)),
      errors_of(body, body.at_samples, rounded(body.samples)),
      errors_of(body, body.at_touching, touching)};
  for (const RowErrors& e : all) {
    EXPECT_EQ(e.empty, 0u);
    EXPECT_LT(e.sum, 1e-10);
    EXPECT_LT(e.place, 1e-10);
    EXPECT_LT(e.slope_sum, 1e-7);
    EXPECT_LT(e.slope, 1e-8);
    EXPECT_LT(e.largest, largest);
  }
  double mass = 0, volume = 0;
  for (const double m : body.masses) mass += m;
  for (const double v : body.volumes) volume += v;
  EXPECT_NEAR(mass, 1, 1e-12);
  EXPECT_NEAR(volume, 1, 1e-12);
}

TEST(MeshlessNodes, ShapeFunctionsReproduceLinearFunctionsOnManyBodies) {
  RowErrors worst;
  for (const auto& [name, mesh] : meshless_family()) {
    for (const int count : {12, 40, 100}) {
      // So few nodes lie on the equator, in a plane.
      if (name == "torus" && count == 12) {
        const MeshlessSampling made = sample_meshless(mesh, {.count = count});
        EXPECT_EQ(made.problem, SamplingProblem::too_few_nodes);
        EXPECT_GT(made.needed, 12u);
        EXPECT_LT(made.needed, 40u);
        continue;
      }
      const auto body = family_body(name, count);
      expect_linear(*body, name + " " + std::to_string(count));
      EXPECT_EQ(body->node_count(), static_cast<std::size_t>(count));
      const RowErrors e = errors_of(*body, body->at_vertices, doubles(mesh.positions));
      worst.sum = std::max(worst.sum, e.sum);
      worst.slope = std::max(worst.slope, e.slope);
      worst.largest = std::max(worst.largest, e.largest);
    }
  }
  test::record("sum", worst.sum);
  test::record("slope", worst.slope);
  test::record("largest", worst.largest);
}

TEST(MeshlessNodes, TwoHundredNodesOnAHand) {
  const auto body = family_body("hand", 200);
  EXPECT_EQ(body->node_count(), 200u);
  expect_linear(*body, "hand 200");
}

TEST(MeshlessNodes, SizeDoesNotMatter) {
  for (const char* name : {"box", "U", "figure"}) {
    const auto unit = family_body(name, 30);
    for (const float size : {1.0f / 1048576, 1048576.0f}) {
      SCOPED_TRACE(size);
      const auto body = family_body(name, 30, size);
      expect_linear(*body, name);
      ASSERT_EQ(body->node_count(), unit->node_count());
      EXPECT_NEAR(body->radius / body->size, unit->radius / unit->size, 1e-6);
      EXPECT_EQ(body->at_vertices.node, unit->at_vertices.node) << name;
    }
  }
}

// Where all ways are straight the gradient is that of Phi itself.
TEST(MeshlessNodes, GradientsAgreeWithDifferences) {
  std::mt19937 engine(7);
  std::uniform_real_distribution<double> uniform(-0.5, 0.5);
  std::vector<Vec3d> nodes;
  for (int i = 0; i < 40; ++i) nodes.push_back({uniform(engine), uniform(engine), uniform(engine)});
  const double radius = 0.6;
  const auto row = [&](const Vec3d& x) {
    std::vector<NodeInReach> reach;
    for (uint32_t n = 0; n < nodes.size(); ++n) {
      const Vec3d away = x - nodes[n];
      reach.push_back({n, away.norm(), away.normalized()});
    }
    ShapeRows rows;
    EXPECT_TRUE(covers(x, nodes, reach, radius));
    EXPECT_TRUE(append_shape_row(x, nodes, reach, radius, rows));
    std::vector<double> values(nodes.size(), 0);
    std::vector<Vec3d> slopes(nodes.size(), Vec3d(0, 0, 0));
    for (std::size_t k = 0; k < rows.node.size(); ++k) {
      values[rows.node[k]] = rows.value[k];
      slopes[rows.node[k]] = rows.gradient[k];
    }
    return std::pair(values, slopes);
  };
  double worst = 0;
  for (int trial = 0; trial < 50; ++trial) {
    const Vec3d x = 0.6 * Vec3d(uniform(engine), uniform(engine), uniform(engine));
    const auto [values, slopes] = row(x);
    for (int k = 0; k < 3; ++k) {
      const double h = 1e-5;
      const auto up = row(x + h * Vec3d::Unit(k)).first, down = row(x - h * Vec3d::Unit(k)).first;
      for (std::size_t n = 0; n < nodes.size(); ++n) {
        worst = std::max(worst, std::abs((up[n] - down[n]) / (2 * h) - slopes[n][k]));
      }
    }
  }
  EXPECT_LT(worst, 2e-7);
  test::record("worst", worst);
}

// In a ball every way is straight: the rows of its vertices are those of straight distances.
TEST(MeshlessNodes, DistancesInABallAreStraight) {
  const auto body = family_body("sphere", 40);
  double off = 0;
  const ShapeRows& rows = body->at_vertices;
  for (std::size_t v = 0; v < rows.size(); ++v) {
    const Vec3d x = body->rest.positions[v].cast<double>();
    std::vector<NodeInReach> reach;
    for (uint32_t n = 0; n < body->nodes.size(); ++n) {
      const Vec3d away = x - body->nodes[n];
      reach.push_back({n, away.norm(), away.stableNormalized()});
    }
    if (!covers(x, body->nodes, reach, body->radius)) continue;
    ShapeRows straight;
    ASSERT_TRUE(append_shape_row(x, body->nodes, reach, body->radius, straight));
    std::vector<double> values(body->nodes.size(), 0);
    for (std::size_t k = 0; k < straight.node.size(); ++k)
      values[straight.node[k]] = straight.value[k];
    for (uint32_t k = rows.first[v]; k < rows.first[v + 1]; ++k)
      values[rows.node[k]] -= rows.value[k];
    for (const double d : values) off = std::max(off, std::abs(d));
  }
  EXPECT_LT(off, 0.1);
  test::record("off", off);
}

TEST(MeshlessNodes, ThreadsDoNotMatter) {
  test::expect_same_for_threads([] {
    const MeshlessBody body = sample_meshless(family_mesh("U"), {.count = 30}).body;
    std::vector<double> all(body.at_vertices.value);
    for (const std::vector<Vec3d>* list :
         {&body.nodes, &body.samples, &body.at_vertices.gradient}) {
      for (const Vec3d& x : *list) all.insert(all.end(), {x[0], x[1], x[2]});
    }
    all.push_back(body.radius);
    for (const NodeLink& link : body.links) all.push_back(link.length);
    return all;
  });
}

TEST(MeshlessNodes, OtherSeedsGiveOtherNodes) {
  std::set<std::vector<double>> all;
  for (const uint64_t seed : {1, 2, 3, 4, 5}) {
    const MeshlessSampling made = sample_meshless(family_mesh("box"), {.count = 20, .seed = seed});
    ASSERT_EQ(made.problem, SamplingProblem::none);
    expect_linear(made.body, "seed");
    std::vector<double> nodes;
    for (const Vec3d& x : made.body.nodes) nodes.insert(nodes.end(), {x[0], x[1], x[2]});
    all.insert(nodes);
    const MeshlessSampling again = sample_meshless(family_mesh("box"), {.count = 20, .seed = seed});
    EXPECT_EQ(again.body.nodes, made.body.nodes);
  }
  EXPECT_EQ(all.size(), 5u);
}

// No node is nearer to another than the farthest place is from all.
TEST(MeshlessNodes, NodesAreSpread) {
  for (const char* name : {"box", "sphere", "torus"}) {
    const auto body = family_body(name, 40);
    double nearest = 1e300, farthest = 0;
    for (const Vec3f& v : body->rest.positions) {
      double d = 1e300;
      for (const Vec3d& x : body->nodes) d = std::min(d, (x - v.cast<double>()).norm());
      farthest = std::max(farthest, d);
    }
    for (std::size_t i = 0; i < body->nodes.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        nearest = std::min(nearest, (body->nodes[i] - body->nodes[j]).norm());
      }
    }
    EXPECT_GT(nearest, 0.85 * farthest) << name;
    EXPECT_EQ(body->samples.size(), 2 * body->nodes.size());
  }
}

TEST(MeshlessNodes, AWantedRadiusIsMetAndCoversEveryPlace) {
  for (const char* name : {"box", "U", "figure"}) {
    const Mesh& mesh = family_mesh(name);
    const double size = family_body(name, 30)->size;
    for (const double part : {0.5, 0.3, 0.2}) {
      SCOPED_TRACE(fmt::format("{} {}", name, part));
      const MeshlessSampling made = sample_meshless(mesh, {.count = 0, .radius = part * size});
      ASSERT_EQ(made.problem, SamplingProblem::none);
      EXPECT_EQ(made.body.radius, part * size);
      expect_linear(made.body, name);
      EXPECT_LT(static_cast<double>(made.stretched),
                0.4 * static_cast<double>(mesh.vertex_count()));
    }
  }
}

// A row of U's left leg has no node of the right one.
TEST(MeshlessNodes, LegsDoNotFeelEachOther) {
  const test::UShape u;
  const auto body = family_body("U", 60);
  std::size_t across = 0, asked = 0;
  for (std::size_t v = 0; v < body->rest.vertex_count(); ++v) {
    const Vec3f& p = body->rest.positions[v];
    if (p.y() < u.bottom + body->radius || p.x() > u.leg) continue;
    ++asked;
    for (uint32_t k = body->at_vertices.first[v]; k < body->at_vertices.first[v + 1]; ++k) {
      across += body->nodes[body->at_vertices.node[k]].x() > u.leg + 0.5 * u.gap;
    }
  }
  EXPECT_GT(asked, 20u);
  EXPECT_EQ(across, 0u);
  for (const NodeLink& link : body->links) {
    EXPECT_LT(link.length, body->radius);
    ASSERT_GE(link.way.size(), 2u);
    EXPECT_EQ(link.way.front(), body->nodes[link.nodes[0]].cast<float>());
    EXPECT_EQ(link.way.back(), body->nodes[link.nodes[1]].cast<float>());
    for (const Vec3f& p : link.way) {
      const bool in_gap =
          p.x() > u.leg + 0.1f * u.gap && p.x() < u.leg + 0.9f * u.gap && p.y() > u.bottom + 0.25f;
      EXPECT_FALSE(in_gap) << p.transpose();
    }
  }
}

// ---- Hostile ------------------------------------------------------------------------------------

TEST(MeshlessNodesHostile, WhatHasNoInsideSaysSo) {
  EXPECT_EQ(sample_meshless(Mesh{}, {}).problem, SamplingProblem::nothing_inside);
  const Mesh sheet = make_grid({});
  EXPECT_EQ(sample_meshless(sheet, {}).problem, SamplingProblem::nothing_inside);
  Mesh flat = family_mesh("box");
  for (Vec3f& p : flat.positions) p.y() = 0;
  EXPECT_EQ(sample_meshless(flat, {}).problem, SamplingProblem::nothing_inside);
  Mesh point = family_mesh("box");
  for (Vec3f& p : point.positions) p = Vec3f(1, 2, 3);
  EXPECT_EQ(sample_meshless(point, {}).problem, SamplingProblem::nothing_inside);
}

TEST(MeshlessNodesHostile, SeparatePartsAreCounted) {
  const Mesh ball = make_icosphere({0.5f, 5});
  std::vector<Vec3f> points = ball.positions;
  Topology topology = *ball.topology;
  const uint32_t n = static_cast<uint32_t>(points.size());
  for (uint32_t i = 0; i < n; ++i) points.push_back(points[i] + Vec3f(3, 0, 0));
  const std::size_t triangles = topology.triangles.size();
  for (std::size_t t = 0; t < triangles; ++t) {
    auto triangle = topology.triangles[t];
    for (uint32_t& v : triangle) v += n;
    topology.triangles.push_back(triangle);
  }
  const MeshlessSampling made = sample_meshless(Mesh{std::move(topology), std::move(points)}, {});
  EXPECT_EQ(made.problem, SamplingProblem::parts);
  EXPECT_EQ(made.parts, 2u);
  EXPECT_NEAR(made.part_volume, 0.5, 0.05);
  EXPECT_EQ(made.pieces, 2u);
}

// Boxes in a row, each a piece of its own, with gaps between them or overlapping.
Mesh row_of_boxes(int count, float gap) {
  Topology topology;
  std::vector<Vec3f> points;
  for (int k = 0; k < count; ++k) {
    const Mesh box = make_box({{1, 1, 1}, {4, 4, 4}});
    const auto first = static_cast<uint32_t>(points.size());
    for (const Vec3f& p : box.positions) {
      points.push_back(p + Vec3f(static_cast<float>(k) * (1 + gap), 0, 0));
    }
    for (auto triangle : box.topology->triangles) {
      for (uint32_t& v : triangle) v += first;
      topology.triangles.push_back(triangle);
    }
  }
  return Mesh(std::move(topology), std::move(points));
}

TEST(MeshlessNodesHostile, PiecesStayPieces) {
  for (const int count : {2, 3, 5}) {
    for (const float gap : {-0.05f, 0.01f, 0.1f, 0.8f}) {
      for (const int cells : {0, 30, 100}) {
        SCOPED_TRACE(::testing::Message() << count << " " << gap << " " << cells);
        const MeshlessSampling made =
            sample_meshless(row_of_boxes(count, gap), {.count = 60, .cells = cells});
        ASSERT_EQ(made.problem, SamplingProblem::parts);
        EXPECT_EQ(made.pieces, static_cast<std::size_t>(count));
        EXPECT_EQ(made.joins, 0) << "no resolution joins them";
      }
    }
  }
}

// Two balls in one piece, with a thin neck between them: only a finer look helps.
TEST(MeshlessNodesHostile, AThinNeckNeedsAFinerLook) {
  Mesh neck = make_box({{4, 1, 1}, {40, 6, 6}});
  for (Vec3f& p : neck.positions) {
    const float thin = std::abs(p.x()) < 0.35f ? 0.06f : 1.0f;
    p.y() *= thin;
    p.z() *= thin;
  }
  int apart = 0;
  for (int cells = 9; cells < 16; ++cells) {
    const MeshlessSampling made = sample_meshless(neck, {.count = 60, .cells = cells});
    if (made.problem != SamplingProblem::parts) continue;  // points of the grid lie in the neck
    ++apart;
    EXPECT_EQ(made.pieces, 1u);
    ASSERT_GT(made.joins, made.cells);
    EXPECT_EQ(sample_meshless(neck, {.count = 60, .cells = made.joins}).problem,
              SamplingProblem::none);
  }
  EXPECT_GT(apart, 0);
}

TEST(MeshlessNodesHostile, AnOpenBoxIsRefusedOrWhole) {
  Mesh box = family_mesh("box");
  Topology topology = *box.topology;
  topology.triangles.resize(topology.triangles.size() - topology.triangles.size() / 6);
  const Mesh open(std::move(topology), box.positions);
  const MeshlessSampling made = sample_meshless(open, {.count = 20});
  if (made.problem == SamplingProblem::none) expect_linear(made.body, "open");
}

TEST(MeshlessNodesHostile, NeedlesAndPlatesAreRefusedOrWhole) {
  for (const float thin : {0.2f, 0.05f, 0.02f, 0.005f, 0.001f}) {
    for (const Vec3f& sides : {Vec3f(1, thin, thin), Vec3f(1, 1, thin)}) {
      SCOPED_TRACE(sides.transpose());
      const MeshlessSampling made = sample_meshless(make_box({sides, {16, 4, 4}}), {.count = 24});
      if (made.problem != SamplingProblem::none) {
        EXPECT_LT(thin, 0.02f) << static_cast<int>(made.problem);
        continue;
      }
      expect_linear(made.body, "thin", 60);
    }
  }
}

TEST(MeshlessNodesHostile, FewAndManyNodes) {
  for (const char* name : {"box", "sphere", "U", "figure"}) {
    SCOPED_TRACE(name);
    for (const int count : {1, 4, 5}) {
      const MeshlessSampling made = sample_meshless(family_mesh(name), {.count = count});
      if (made.problem != SamplingProblem::none) {
        EXPECT_EQ(made.problem, SamplingProblem::too_few_nodes);
        EXPECT_GT(made.needed, static_cast<std::size_t>(count));
        continue;
      }
      EXPECT_EQ(made.body.node_count(), static_cast<std::size_t>(std::max(4, count)));
      expect_linear(made.body, name, 60);
    }
  }
  // No more nodes than there are places.
  const MeshlessSampling many =
      sample_meshless(make_box({{1, 1, 1}, {1, 1, 1}}), {.count = 1000, .cells = 4});
  ASSERT_EQ(many.problem, SamplingProblem::none);
  EXPECT_LT(many.body.node_count(), 200u);
  expect_linear(many.body, "many");
}

TEST(MeshlessNodesHostile, ARadiusThatCannotDoIsRefused) {
  const MeshlessSampling made =
      sample_meshless(family_mesh("figure"), {.count = 10, .radius = 0.2});
  ASSERT_EQ(made.problem, SamplingProblem::too_few_nodes);
  ASSERT_GT(made.needed, 10u);
  const int more = static_cast<int>(made.needed);
  EXPECT_EQ(sample_meshless(family_mesh("figure"), {.count = more, .radius = 0.2}).problem,
            SamplingProblem::none);
}

}  // namespace
}  // namespace sinew::kernels
