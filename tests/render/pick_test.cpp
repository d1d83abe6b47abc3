// Picking, beside a slow search in higher precision; at edges and vertices, where it must not fall
// through; while bodies move; and through the camera.
#include "render/pick.h"

#include <gtest/gtest.h>
#include <tbb/task_arena.h>

#include <limits>

#include "render/pick_ray.h"
#include "tests/render/shapes.h"

namespace sinew::render::test {
namespace {

using Precise = Eigen::Matrix<long double, 3, 1>;

draw::DrawList list_of(std::initializer_list<draw::Mesh> meshes) {
  draw::DrawList list;
  list.meshes = meshes;
  return list;
}

Precise precise(const Point& p) { return p.cast<long double>(); }

// [Moeller97] in extended precision: the distance, and the least of the three weights.
struct Reference {
  long double t, least;
};
Reference reference_hit(const Ray& ray, const Point& a, const Point& b, const Point& c) {
  const Precise d = precise(ray.direction).normalized(), e = precise(b) - precise(a),
                f = precise(c) - precise(a), s = precise(ray.origin) - precise(a);
  const Precise p = d.cross(f), q = s.cross(e);
  const long double det = e.dot(p), u = s.dot(p) / det, v = d.dot(q) / det;
  return {f.dot(q) / det, std::min({u, v, 1 - u - v})};
}

// The pick must be a hit, and nothing that is clearly hit may lie before it.
void expect_first(const std::optional<Pick>& pick, const draw::DrawList& list, const Ray& ray,
                  long double size) {
  constexpr long double doubt = 1e-7L;  // weights this close to a border may fall on either side
  long double first = std::numeric_limits<long double>::infinity();
  for (const draw::Mesh& m : list.meshes)
    for (const Triangle& t : m.triangles) {
      const Reference r =
          reference_hit(ray, m.positions[t[0]], m.positions[t[1]], m.positions[t[2]]);
      if (r.least > doubt && r.t > doubt * size) first = std::min(first, r.t);
    }
  if (!pick) {
    EXPECT_TRUE(std::isinf(first)) << "missed what is " << first << " m away";
    return;
  }
  EXPECT_LE(pick->distance, first + 1e-6L * size);
  const draw::Mesh& m = list.meshes[pick->mesh];
  const Triangle& t = m.triangles[pick->triangle];
  const Reference r = reference_hit(ray, m.positions[t[0]], m.positions[t[1]], m.positions[t[2]]);
  EXPECT_GE(r.least, -doubt);
  EXPECT_NEAR(static_cast<double>(r.t), pick->distance, 1e-6 * static_cast<double>(size));
}

// What a pick says of itself fits together.
void expect_sound(const Pick& pick, const draw::DrawList& list, const Ray& ray, float size) {
  const draw::Mesh& m = list.meshes[pick.mesh];
  const Triangle& t = m.triangles[pick.triangle];
  const Point &a = m.positions[t[0]], &b = m.positions[t[1]], &c = m.positions[t[2]];
  EXPECT_GE(pick.weights.minCoeff(), 0);
  EXPECT_NEAR(pick.weights.sum(), 1, 1e-6);
  const Point by_weights = pick.weights[0] * a + pick.weights[1] * b + pick.weights[2] * c;
  EXPECT_LT((by_weights - pick.point).norm(), 1e-6f * size);
  EXPECT_LT((ray.origin + pick.distance * ray.direction - pick.point).norm(), 2e-6f * size);
  EXPECT_NEAR(pick.normal.norm(), 1, 1e-6);
  const Eigen::Vector3d side = (b - a).cast<double>().cross((c - a).cast<double>()).normalized();
  EXPECT_LT((side.cast<float>() - pick.normal).norm(), 1e-4f);
  const float facing = pick.normal.dot(ray.direction);
  if (std::abs(facing) > 1e-4f) {
    EXPECT_EQ(pick.from_behind, facing > 0);
  }
  EXPECT_EQ(pick.source, m.source);
}

void expect_same(const std::optional<Pick>& a, const std::optional<Pick>& b) {
  ASSERT_EQ(a.has_value(), b.has_value());
  if (!a) return;
  EXPECT_EQ(a->mesh, b->mesh);
  EXPECT_EQ(a->triangle, b->triangle);
  EXPECT_EQ(a->weights, b->weights);
  EXPECT_EQ(a->point, b->point);
  EXPECT_EQ(a->normal, b->normal);
  EXPECT_EQ(a->distance, b->distance);
  EXPECT_EQ(a->from_behind, b->from_behind);
}

// Every triangle with the picker's own test: what the tree must find, to the bit.
std::optional<std::pair<std::size_t, uint32_t>> without_tree(const draw::DrawList& list,
                                                             const Ray& ray) {
  const PickRay prepared(ray, 0);
  std::optional<std::pair<std::size_t, uint32_t>> found;
  double best = 0;
  for (std::size_t i = 0; i < list.meshes.size(); ++i)
    for (uint32_t t = 0; t < list.meshes[i].triangles.size(); ++t) {
      const auto& [a, b, c] = list.meshes[i].triangles[t];
      const auto& p = list.meshes[i].positions;
      const auto hit = prepared.hit(p[a], p[b], p[c]);
      if (hit && (!found || hit->t < best)) found = {i, t}, best = hit->t;
    }
  return found;
}

TEST(Pick, FindsTheFirstTriangleAtEveryScale) {
  std::mt19937 random(1);
  for (const float scale : {1e-6f, 1.0f, 1e6f})
    for (int round = 0; round < 12; ++round) {
      const Body first = soup(1 + random() % 300, 0.05f + 0.1f * static_cast<float>(round), random);
      const Body second = ball(3 + random() % 8, 3 + random() % 12).moved([&](const Point& p) {
        return Point(p + 0.1f * random_point(random));
      });
      const draw::DrawList list =
          list_of({first.scaled(scale).mesh(1, "soup"), second.scaled(scale).mesh(2, "ball")});
      Picker picker;
      int hits = 0;
      for (int i = 0; i < 300; ++i) {
        const Ray ray{3 * scale * random_point(random), random_direction(random)};
        const Ray aimed{ray.origin,
                        (0.7f * scale * random_point(random) - ray.origin).normalized()};
        for (const Ray& r : {ray, aimed}) {
          const std::optional<Pick> pick = picker.pick(list, r);
          expect_first(pick, list, r, 4.0L * scale);
          const auto plain = without_tree(list, r);
          ASSERT_EQ(pick.has_value(), plain.has_value());
          if (!pick) continue;
          EXPECT_EQ(std::pair(pick->mesh, pick->triangle), *plain);
          expect_sound(*pick, list, r, 4 * scale);
          ++hits;
        }
        if (testing::Test::HasFailure()) return;
      }
      EXPECT_GT(hits, 100);
      EXPECT_EQ(picker.counts().orders, 2u);
    }
}

TEST(Pick, FarFromTheOriginToo) {
  std::mt19937 random(2);
  const Point away(2000, -700, 4000);
  const draw::DrawList list =
      list_of({ball(20, 30).moved([&](const Point& p) { return Point(p + away); }).mesh(1)});
  Picker picker;
  for (int i = 0; i < 500; ++i) {
    const Point origin = away + 3 * random_direction(random);
    const Ray ray{origin, (away + 0.9f * random_point(random) - origin).normalized()};
    expect_first(picker.pick(list, ray), list, ray, 4000);
  }
}

// From inside of a closed surface every ray must hit it, whatever it is aimed at.
int leaks(const Body& body, const Point& inside, Picker& picker, int rays, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> part(0, 1);
  const draw::DrawList list = list_of({body.mesh(seed + 1)});
  const std::vector<Point>& p = *body.positions;
  const std::vector<Triangle>& t = *body.triangles;
  int missed = 0;
  for (int i = 0; i < rays; ++i) {
    const Triangle& v = t[random() % t.size()];
    const int k = static_cast<int>(random() % 3);
    const Point &a = p[v[k]], &b = p[v[(k + 1) % 3]];
    const Point at = i % 2 == 0 ? a : Point(a + part(random) * (b - a));
    missed += !picker.pick(list, {inside, (at - inside).normalized()});
  }
  return missed;
}

TEST(Pick, NothingFallsThroughEdgesAndVertices) {
  std::mt19937 random(3);
  Picker picker;
  const Body round = ball(16, 24), coarse = box();
  const Body rough = ball(12, 16).moved(
      [&](const Point& p) { return Point(p * (1 + 0.2f * random_point(random).x())); });
  for (const float scale : {1e-6f, 1.0f, 1e6f})
    for (int place = 0; place < 4; ++place) {
      // Exactly the middle, where rays meet edges and vertices without any rounding; and others.
      const Point inside = place == 0 ? Point(0, 0, 0) : Point(0.3f * random_point(random));
      const unsigned seed = static_cast<unsigned>(random());
      for (const Body& body : {round, coarse, rough})
        EXPECT_EQ(leaks(body.scaled(scale), scale * inside, picker, 2500, seed), 0);
      const Point in_tube = Point(1, 0, 0) + 0.5f * inside;
      EXPECT_EQ(leaks(ring(20, 12).scaled(scale), scale * in_tube, picker, 2500, seed), 0);
    }
}

TEST(Pick, RaysAlongAxesMeetEdgesAndVerticesExactly) {
  Picker picker;
  const draw::DrawList list = list_of({box().mesh(1), ball(15, 16).mesh(2)});
  for (int axis = 0; axis < 3; ++axis)
    for (const float sign : {-1.0f, 1.0f})
      for (const float x : {-1.0f, 0.0f, 0.25f, 1.0f})
        for (const float y : {-1.0f, 0.0f, 0.25f, 1.0f}) {
          Ray ray{Point::Zero(), Point::Zero()};
          ray.direction[axis] = sign;
          ray.origin[axis] = -3 * sign;
          ray.origin[(axis + 1) % 3] = x;
          ray.origin[(axis + 2) % 3] = y;
          const std::optional<Pick> pick = picker.pick(list, ray);
          ASSERT_TRUE(pick);
          EXPECT_EQ(pick->mesh, 0u);
          EXPECT_EQ(pick->distance, 2);
          EXPECT_FALSE(pick->from_behind);
          EXPECT_EQ(std::pair(pick->mesh, pick->triangle), *without_tree(list, ray));
        }
}

// Seen from outside, a vertex whose triangles all face the eye is solid.
TEST(Pick, VerticesAreSolidFromOutside) {
  std::mt19937 random(4);
  const Body body = ball(20, 30);
  const draw::DrawList list = list_of({body.mesh(1)});
  Picker picker;
  int aimed = 0;
  for (int i = 0; i < 20'000; ++i) {
    const Point& vertex = (*body.positions)[random() % body.positions->size()];
    const Point origin = vertex + 2 * random_direction(random);
    const Ray ray{origin, (vertex - origin).normalized()};
    if (ray.direction.dot(vertex) > -0.3f) continue;
    ++aimed;
    const std::optional<Pick> pick = picker.pick(list, ray);
    ASSERT_TRUE(pick);
    EXPECT_LT((pick->point - vertex).norm(), 1e-5f);
    EXPECT_FALSE(pick->from_behind);
  }
  EXPECT_GT(aimed, 4000);
}

TEST(Pick, TiesGoToTheLowestMeshAndTriangle) {
  Picker picker;
  // Six triangles round one vertex, in every order: the ray at the vertex and at a spoke.
  std::vector<Point> p = {Point(0, 0, 0)};
  for (int k = 0; k < 6; ++k)
    p.emplace_back(std::cos(static_cast<float>(k)), 0.1f * static_cast<float>(k % 3),
                   std::sin(static_cast<float>(k)));
  for (uint32_t turn = 0; turn < 6; ++turn) {
    std::vector<Triangle> t;
    for (uint32_t k = 0; k < 6; ++k) t.push_back({0, 1 + (k + turn + 1) % 6, 1 + (k + turn) % 6});
    const Body fan = body(p, t);
    const draw::DrawList list = list_of({fan.mesh(1, "first"), fan.mesh(1, "second")});
    const auto at_vertex = picker.pick(list, {Point(0, 3, 0), Point(0, -1, 0)});
    ASSERT_TRUE(at_vertex);
    EXPECT_EQ(at_vertex->triangle, 0u);
    EXPECT_EQ(at_vertex->source, "first");
    EXPECT_EQ(at_vertex->point, Point(0, 0, 0));
    const Point half = 0.5f * p[1 + turn];  // shared by triangles 0 and 5
    const auto at_edge = picker.pick(list, {Point(half.x(), 3, half.z()), Point(0, -1, 0)});
    ASSERT_TRUE(at_edge);
    EXPECT_EQ(at_edge->triangle, 0u);
  }
}

TEST(Pick, TrianglesWithoutAreaAreNeverHit) {
  const Body flat = body({Point(0, 0, 0), Point(1, 1, 1), Point(3, 3, 3), Point(5, 0, 0)},
                         {{0, 1, 2}, {0, 0, 1}, {3, 3, 3}, {0, 2, 1}});
  const draw::DrawList list = list_of({flat.mesh(1)});
  Picker picker;
  std::mt19937 random(5);
  for (int i = 0; i < 2000; ++i) {
    const Point at = 1.5f * (1 + random_point(random).x()) * Point(1, 1, 1);
    const Point origin = at + random_direction(random);
    EXPECT_FALSE(picker.pick(list, {origin, (at - origin).normalized()}));
  }
  EXPECT_FALSE(picker.pick(list, {Point(5, 1, 0), Point(0, -1, 0)}));
}

TEST(Pick, WhatIsNotDrawnIsNotPicked) {
  const Ray down{Point(0.1f, 5, 0.2f), Point(0, -1, 0)};
  const Body good = box();
  for (const float bad :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    Picker picker;
    int vertex = 0;
    const Body hurt = good.moved(
        [&](const Point& p) { return vertex++ == 5 ? Point(p.x(), bad, p.z()) : Point(3 * p); });
    EXPECT_FALSE(picker.pick(list_of({hurt.mesh(1)}), down));
    const auto other = picker.pick(list_of({hurt.mesh(1), good.mesh(2)}), down);
    ASSERT_TRUE(other);
    EXPECT_EQ(other->mesh, 1u);
    // It comes back when it is sound again.
    const auto mended = picker.pick(list_of({good.scaled(3).mesh(3)}), down);
    ASSERT_TRUE(mended);
    EXPECT_EQ(mended->distance, 2);
  }
  Picker picker;
  const Body broken = body(*good.positions, {{0, 4, 6}, {2, 6, 8}});
  EXPECT_FALSE(picker.pick(list_of({broken.mesh(1)}), {Point(-5, 0, 0.5f), Point(1, 0, 0)}));
  EXPECT_FALSE(picker.pick(list_of({body({}, {}).mesh(1)}), down));
  EXPECT_FALSE(picker.pick(list_of({body({}, {{0, 0, 0}}).mesh(2)}), down));
  EXPECT_FALSE(picker.pick({}, down));
}

TEST(Pick, RaysThatAreNoneHitNothing) {
  const draw::DrawList list = list_of({box().mesh(1)});
  Picker picker;
  const float none = std::numeric_limits<float>::quiet_NaN();
  EXPECT_FALSE(picker.pick(list, {Point(0, 0, 0), Point(0, 0, 0)}));
  EXPECT_FALSE(picker.pick(list, {Point(0, none, 0), Point(0, 0, 1)}));
  EXPECT_FALSE(picker.pick(list, {Point(0, 0, 0), Point(none, 0, 1)}));
  EXPECT_TRUE(picker.pick(list, {Point(0, 0, 0), Point(0, 0, 1)}));
}

TEST(Pick, SeesThroughVeilsUnlessToldNotTo) {
  const Ray down{Point(0.1f, 9, 0.2f), Point(0, -1, 0)};
  draw::DrawList list = list_of({box().scaled(3).mesh(1, "veil"), box().mesh(2, "inner")});
  list.meshes[0].colour.a = 0.3f;
  Picker picker;
  EXPECT_EQ(picker.pick(list, down)->source, "inner");
  EXPECT_EQ(picker.pick(list, down, {.through_veils = false})->source, "veil");
  const Ray beside{Point(2, 9, 2), Point(0, -1, 0)};
  EXPECT_EQ(picker.pick(list, beside)->source, "veil");
  EXPECT_EQ(picker.pick(list, beside)->distance, 6);
}

TEST(Pick, ABodyThatMovesIsPickedAsByAFreshPicker) {
  std::mt19937 random(6);
  const Body rest = ball(30, 40), other = ring(20, 16);
  Picker kept;
  for (uint64_t frame = 1; frame <= 60; ++frame) {
    const float t = 0.2f * static_cast<float>(frame);
    const auto bend = [&](const Point& p) {
      return Point(p.x() + 0.8f * std::sin(t + 2 * p.y()), p.y() * (1 + 0.5f * std::sin(t)),
                   p.z() + 0.3f * std::cos(3 * p.x() + t));
    };
    const Body moved = rest.moved(bend);
    // Two bodies of one kind, and one that stays.
    const draw::DrawList list =
        list_of({moved.mesh(frame), moved.scaled(0.5f).mesh(1000 + frame), other.mesh(1)});
    Picker fresh;
    for (int i = 0; i < 40; ++i) {
      const Point origin = 4 * random_direction(random);
      const Ray ray{origin, (0.8f * random_point(random) - origin).normalized()};
      expect_same(kept.pick(list, ray), fresh.pick(list, ray));
    }
  }
  EXPECT_EQ(kept.counts().orders, 2u) << "one a topology";
  EXPECT_EQ(kept.counts().fits, 60u * 2 + 1) << "one a pose";
  EXPECT_EQ(kept.size(), 3u);
}

TEST(Pick, ACollapsedPoseDoesNotSpoilTheTree) {
  const Body rest = ball(60, 80);
  Picker picker;
  const Ray ray{Point(0.1f, 0.2f, 5), Point(0, 0, -1)};
  const Body point = rest.moved([](const Point&) { return Point(0, 0, 0); });
  EXPECT_FALSE(picker.pick(list_of({point.mesh(1)}), ray));
  EXPECT_TRUE(picker.pick(list_of({rest.mesh(2)}), ray));
  EXPECT_EQ(picker.counts().orders, 2u) << "an order of equal middles is of no use later";
  EXPECT_TRUE(picker.pick(list_of({rest.scaled(1.1f).mesh(3)}), ray));
  EXPECT_EQ(picker.counts().orders, 2u);
}

TEST(Pick, TheSameOnAnyNumberOfThreads) {
  std::mt19937 random(7);
  const Body body = soup(30'000, 0.05f, random);
  const draw::DrawList list = list_of({body.mesh(1)});
  Picker alone, both;
  tbb::task_arena one(1), two(2);
  for (int i = 0; i < 300; ++i) {
    const Ray ray{3 * random_direction(random), random_direction(random)};
    std::optional<Pick> a, b;
    one.execute([&] { a = alone.pick(list, ray); });
    two.execute([&] { b = both.pick(list, ray); });
    expect_same(a, b);
  }
}

TEST(Pick, KeepsWhatIsUsedAndLetsGoOfTheRest) {
  const Ray ray{Point(0, 0, 5), Point(0, 0, -1)};
  Picker picker;
  std::weak_ptr<const void> topology;
  {
    const Body body = ball(10, 10);
    topology = body.triangles;
    picker.pick(list_of({body.mesh(1)}), ray);
    picker.pick(list_of({body.mesh(1)}), ray);
    EXPECT_EQ(picker.counts().fits, 1u);
  }
  EXPECT_FALSE(topology.expired()) << "its address must stay its own";
  const Body other = box();
  for (int i = 0; i < 200; ++i) picker.pick(list_of({other.mesh(2)}), ray);
  EXPECT_TRUE(topology.expired());
  EXPECT_EQ(picker.size(), 1u);

  // Triangles that change in every call, and triangles without a name.
  for (uint64_t i = 0; i < 300; ++i) picker.pick(list_of({ball(60, 60).mesh(i + 1)}), ray);
  EXPECT_LT(picker.size(), 100u);
  draw::Mesh nameless = other.mesh(1);
  nameless.topology = nullptr;
  const std::size_t before = picker.size();
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(picker.pick(list_of({nameless}), ray));
  EXPECT_LE(picker.size(), before);
}

TEST(Pick, ThroughTheCameraAndBack) {
  std::mt19937 random(8);
  std::uniform_real_distribution<float> part(0, 1);
  for (const float scale : {1e-6f, 1.0f, 1e6f})
    for (const bool parallel : {false, true}) {
      const draw::DrawList list = list_of({ball(40, 60).scaled(scale).mesh(1)});
      Picker picker;
      int hits = 0;
      for (int i = 0; i < 400; ++i) {
        Camera camera;
        camera.parallel = parallel;
        camera.yaw = 360 * part(random);
        camera.pitch = 180 * part(random) - 90;
        camera.fov = 10 + 60 * part(random);
        const float aspect = 0.4f + 2 * part(random), x = part(random), y = part(random);
        camera.frame(Box(Point::Constant(-scale), Point::Constant(scale)), aspect);
        const std::optional<Pick> pick = picker.pick(list, camera, x, y, aspect);
        if (!pick) continue;
        ++hits;
        const auto place = camera.place_of(pick->point, aspect);
        ASSERT_TRUE(place);
        EXPECT_NEAR(place->x(), x, 2e-5);
        EXPECT_NEAR(place->y(), y, 2e-5);
        EXPECT_FALSE(pick->from_behind);
      }
      EXPECT_GT(hits, 50);
    }
}

TEST(Pick, AParallelCameraSeesBehindItsEye) {
  Camera camera = *named_view("front");
  camera.distance = 0.1f;
  camera.fov = 90;
  const draw::DrawList list = list_of({box().mesh(1)});
  Picker picker;
  const auto pick = picker.pick(list, camera, 0.6f, 0.3f, 1);
  ASSERT_TRUE(pick);
  EXPECT_FLOAT_EQ(pick->point.z(), 1);
  EXPECT_FLOAT_EQ(pick->distance, 0.1f - 1);
  camera.parallel = false;
  EXPECT_TRUE(picker.pick(list, camera, 0.6f, 0.3f, 1)->from_behind);
}

draw::Points points_at(std::vector<Point> at) {
  draw::Points points;
  points.source = "handles";
  points.points = std::move(at);
  return points;
}

TEST(PickPoint, FindsTheNearestOnTheScreenThenToTheEye) {
  Camera camera = *named_view("front");
  camera.distance = 10;
  draw::DrawList list;
  const float none = std::numeric_limits<float>::quiet_NaN();
  list.points.push_back(points_at(
      {Point(1, 0, 0), Point(0, 0, -1), Point(0, 0, 1), Point(0.5f, 0, 0), Point(none, 0, 0)}));
  for (const bool parallel : {true, false}) {
    camera.parallel = parallel;
    const auto pick = Picker::pick_point(list, camera, 0.5f, 0.5f, 800, 600, 8);
    ASSERT_TRUE(pick);
    EXPECT_EQ(pick->of, PointsOf::points);
    EXPECT_EQ(pick->index, 2u) << "of two at one place the nearer";
    EXPECT_EQ(pick->source, "handles");
    EXPECT_NEAR(pick->pixels, 0, 1e-3);
    EXPECT_NEAR(pick->depth, 9, 1e-4);
    const Eigen::Vector3f at = *camera.place_of(Point(0.5f, 0, 0), 800.0f / 600);
    const auto beside = [&](float pixels) {
      return Picker::pick_point(list, camera, at.x(), at.y() + pixels / 600, 800, 600, 8);
    };
    ASSERT_TRUE(beside(7.5f));
    EXPECT_EQ(beside(7.5f)->index, 3u);
    EXPECT_NEAR(beside(7.5f)->pixels, 7.5, 1e-2);
    EXPECT_FALSE(beside(8.5f));
  }
}

TEST(PickPoint, LatticesAndPointsCompete) {
  const Camera camera = *named_view("front");
  draw::DrawList list;
  draw::Lattice lattice;
  lattice.source = "cage";
  lattice.counts = {2, 2, 1};
  lattice.points = {Point(-1, -1, 0), Point(1, -1, 0), Point(-1, 1, 0), Point(0.5f, 0.5f, 0.1f)};
  list.lattices = {lattice, lattice};
  list.points.push_back(points_at({Point(0.5f, 0.5f, 0), Point(9, 9, 9)}));
  const Eigen::Vector3f at = *camera.place_of(Point(0.5f, 0.5f, 0), 1);
  auto pick = Picker::pick_point(list, camera, at.x(), at.y(), 500, 500, 5);
  ASSERT_TRUE(pick);
  EXPECT_EQ(pick->of, PointsOf::lattice) << "it is nearer to the eye";
  EXPECT_EQ(pick->item, 0u);
  EXPECT_EQ(pick->index, 3u);
  EXPECT_EQ(pick->source, "cage");
  // One that has not as many points as it says is not drawn, and not picked.
  list.lattices[0].counts = {2, 2, 2};
  pick = Picker::pick_point(list, camera, at.x(), at.y(), 500, 500, 5);
  EXPECT_EQ(pick->item, 1u);
  list.lattices.clear();
  pick = Picker::pick_point(list, camera, at.x(), at.y(), 500, 500, 5);
  EXPECT_EQ(pick->of, PointsOf::points);
  EXPECT_FALSE(Picker::pick_point(list, camera, at.x(), at.y(), 0, 500, 5));
  EXPECT_FALSE(Picker::pick_point({}, camera, 0.5f, 0.5f, 500, 500, 5));
}

TEST(PickPoint, NothingBehindTheEye) {
  Camera camera;
  camera.yaw = camera.pitch = 0;
  camera.distance = 1;
  draw::DrawList list;
  list.points.push_back(points_at({Point(0, 0, 5)}));
  EXPECT_FALSE(Picker::pick_point(list, camera, 0.5f, 0.5f, 500, 500, 50));
  list.points.push_back(points_at({Point(0, 0, -5)}));
  EXPECT_EQ(Picker::pick_point(list, camera, 0.5f, 0.5f, 500, 500, 50)->item, 1u);
}

}  // namespace
}  // namespace sinew::render::test
