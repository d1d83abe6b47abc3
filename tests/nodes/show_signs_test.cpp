// Directions, obstacles, charts and places as something to be seen.
#include <algorithm>
#include <set>

#include "nodes/kernels/collide.h"
#include "nodes/kernels/distance_grid.h"
#include "nodes/kernels/measure.h"
#include "tests/nodes/show_helper.h"

namespace sinew::testing {
namespace {

VectorField upwards(size_t count, float length = 1) {
  return {Domain::vertex, std::vector<Vec3f>(count, Vec3f(0, length, 0))};
}

Frames frames_for(size_t count) {
  return {std::vector<Vec3f>(count, Vec3f(1, 0, 0)), std::vector<Vec3f>(count, Vec3f(0, 1, 0)),
          std::vector<Vec3f>(count, Vec3f(0, 0, 1))};
}

// How far each point is from the nearest other one.
std::vector<float> gaps(const std::vector<draw::Point>& points) {
  std::vector<float> list;
  for (size_t i = 0; i < points.size(); ++i) {
    float nearest = INFINITY;
    for (size_t k = 0; k < points.size(); ++k)
      if (k != i) nearest = std::min(nearest, (points[i] - points[k]).norm());
    list.push_back(nearest);
  }
  return list;
}

TEST(ShowSigns, ArrowsAreThinnedOutAndEven) {
  for (const int frequency : {2, 6, 20, 60}) {
    const Mesh mesh = ball(frequency);
    const Shown what = shown(Value::of(upwards(mesh.vertex_count())), Value::of(mesh));
    const draw::DrawList list = seen(what);
    expect_sound(list);
    ASSERT_EQ(list.meshes.size(), 1u);
    EXPECT_EQ(list.meshes[0].colour, draw::clay);
    ASSERT_EQ(list.glyphs.size(), 1u);
    const draw::Glyphs& arrows = list.glyphs[0];
    EXPECT_EQ(arrows.shape, draw::GlyphShape::arrow);
    EXPECT_LE(arrows.places.size(), 450u);
    EXPECT_GE(arrows.places.size(), std::min<size_t>(mesh.vertex_count(), 225));
    // Evenly: half of them have room for about their own length.
    std::vector<float> room = gaps(arrows.places);
    std::sort(room.begin(), room.end());
    const float length = arrows.vectors[0].norm();
    EXPECT_GT(room[room.size() / 2], 0.4f * length) << frequency;
    EXPECT_LT(room[room.size() / 2], 3 * length) << frequency;
  }
}

TEST(ShowSigns, TheSameEachTime) {
  const Mesh mesh = ball(30);
  const Shown what = shown(Value::of(upwards(mesh.vertex_count())), Value::of(mesh));
  const draw::DrawList one = seen(what), two = seen(what);
  EXPECT_EQ(one.glyphs[0].places, two.glyphs[0].places);
  EXPECT_EQ(one.glyphs[0].vectors, two.glyphs[0].vectors);
  // Wherever the body is, as far as rounding allows.
  Mesh moved = mesh;
  for (Vec3f& p : moved.positions) p += Vec3f(4, 0, 0);
  const draw::DrawList there =
      seen(shown(Value::of(upwards(mesh.vertex_count())), Value::of(moved)));
  EXPECT_NEAR(there.glyphs[0].places.size(), one.glyphs[0].places.size(), 20);
}

TEST(ShowSigns, LengthsTellTheSizeButForStrays) {
  const Mesh mesh = ball(12);
  VectorField field = upwards(mesh.vertex_count());
  for (size_t v = 0; v < field.size(); ++v)
    if (mesh.positions[v].x() > 0) field.values[v] *= 0.5f;
  field.values[0] *= 1000;
  const draw::Glyphs arrows = seen(shown(Value::of(field), Value::of(mesh))).glyphs.at(0);
  std::multiset<int> parts;
  float full = 0;
  for (const draw::Point& v : arrows.vectors) full = std::max(full, v.norm());
  for (const draw::Point& v : arrows.vectors)
    parts.insert(static_cast<int>(std::lround(100 * v.norm() / full)));
  // Halves and wholes, and perhaps the stray, shortened to one and a half.
  for (const int part : parts) EXPECT_TRUE(part == 100 || part == 67 || part == 50 || part == 33);
}

TEST(ShowSigns, NoArrowHidesInTheBody) {
  const Mesh mesh = ball(10);
  VectorField inwards{Domain::vertex, mesh.positions};
  for (Vec3f& v : inwards.values) v = -v;
  const draw::Glyphs arrows = seen(shown(Value::of(inwards), Value::of(mesh))).glyphs.at(0);
  for (size_t i = 0; i < arrows.places.size(); ++i) {
    EXPECT_GT(arrows.places[i].norm(), 0.5f);
    EXPECT_GT((arrows.places[i] + arrows.vectors[i]).norm(), 0.49f);
  }
}

TEST(ShowSigns, NothingPointsNowhere) {
  const Mesh mesh = ball(4);
  const draw::DrawList list =
      seen(shown(Value::of(upwards(mesh.vertex_count(), 0)), Value::of(mesh)));
  EXPECT_EQ(list.meshes.size(), 1u);
  EXPECT_TRUE(list.glyphs.empty());
}

TEST(ShowSigns, OnEveryKindOfBodyAndElement) {
  const Mesh mesh = ball();
  const TetMesh bare = kernels::make_tet_box({1, 1, 1}, {6, 6, 6}), dressed = dressed_ball();
  const auto with = [](Domain domain, size_t count) {
    VectorField field = upwards(count);
    field.domain = domain;
    return Value::of(field);
  };
  const std::pair<Value, Value> cases[] = {
      {with(Domain::face, mesh.triangle_count()), Value::of(mesh)},
      {with(Domain::vertex, bare.vertex_count()), Value::of(bare)},
      {with(Domain::tet, bare.tet_count()), Value::of(bare)},
      {with(Domain::face, bare.topology->boundary.size()), Value::of(bare)},
      {with(Domain::vertex, dressed.vertex_count()), Value::of(dressed)},
      {with(Domain::tet, dressed.tet_count()), Value::of(dressed)},
      {with(Domain::face, dressed.topology->skin->triangles.size()), Value::of(dressed)}};
  for (const auto& [field, body] : cases) {
    for (const ShowOptions& options : {ShowOptions(), cut_at({0, 0, 0.02f}, {0, 0, 1})}) {
      const draw::DrawList list = seen(shown(field, body), options);
      expect_sound(list);
      ASSERT_EQ(list.glyphs.size(), 1u);
      EXPECT_GT(list.glyphs[0].places.size(), 40u);
      EXPECT_LE(list.glyphs[0].places.size(), 450u);
      for (const draw::Point& v : list.glyphs[0].vectors) EXPECT_NEAR(v.normalized().y(), 1, 1e-5f);
      EXPECT_EQ(list.meshes.size(), options.section ? 2u : 1u);
    }
  }
}

TEST(ShowSigns, ASectionShowsDirectionsInside) {
  const TetMesh solid = kernels::make_tet_box({1, 1, 1}, {8, 8, 8});
  // Away from the axis: what is seen on the cap must be what is there.
  VectorField field{Domain::vertex, solid.positions};
  const ShowOptions options = cut_at({0, 0, 0.02f}, {0, 0, 1});
  const draw::Glyphs arrows = seen(shown(Value::of(field), Value::of(solid)), options).glyphs.at(0);
  size_t on_cap = 0;
  const float scale = arrows.vectors[0].norm() / arrows.places[0].norm();
  for (size_t i = 0; i < arrows.places.size(); ++i) {
    EXPECT_LT(arrows.places[i].z(), 0.1f) << "what is cut away has no arrows";
    const bool inside =
        std::abs(arrows.places[i].x()) < 0.4f && std::abs(arrows.places[i].y()) < 0.4f;
    if (!inside || arrows.places[i].z() < 0) continue;
    ++on_cap;
    const Vec3f there(arrows.places[i].x(), arrows.places[i].y(), 0.02f);
    EXPECT_NEAR(arrows.vectors[i].norm() / there.norm(), scale, 0.15f * scale);
  }
  EXPECT_GT(on_cap, 20u);
}

TEST(ShowSigns, FramesAreThreeNeedles) {
  for (const Value& body : {Value::of(ball()), Value::of(dressed_ball())}) {
    const size_t count =
        body.is<Mesh>() ? body.as<Mesh>().vertex_count() : body.as<TetMesh>().vertex_count();
    for (const ShowOptions& options : {ShowOptions(), cut_at({0, 0, 0}, {0, 0, 1})}) {
      const draw::DrawList list = seen(shown(Value::of(frames_for(count)), body), options);
      expect_sound(list);
      ASSERT_EQ(list.glyphs.size(), 3u);
      for (int k = 0; k < 3; ++k) {
        EXPECT_EQ(list.glyphs[k].shape, draw::GlyphShape::needle);
        EXPECT_EQ(list.glyphs[k].colour, draw::axis_colours[k]);
        EXPECT_NEAR(list.glyphs[k].vectors[0].normalized()[k], 1, 1e-5f);
      }
      EXPECT_GT(list.glyphs[0].vectors[0].norm(), list.glyphs[1].vectors[0].norm());
      EXPECT_EQ(list.glyphs[0].places, list.glyphs[2].places);
    }
  }
}

TEST(ShowSigns, HostileDirections) {
  Mesh one;
  one.positions = {{1, 2, 3}};
  Mesh line;
  for (int i = 0; i < 3000; ++i) line.positions.push_back({static_cast<float>(i), 0, 0});
  Mesh same;
  same.positions.assign(2000, Vec3f(1, 1, 1));
  Mesh far = ball(10);
  for (Vec3f& p : far.positions) p *= 1e30f;
  for (const Mesh& mesh : {one, line, same, far}) {
    for (const float length : {1.0f, 1e30f, 1e-30f}) {
      const draw::DrawList list =
          seen(shown(Value::of(upwards(mesh.vertex_count(), length)), Value::of(mesh)));
      expect_sound(list);
      ASSERT_EQ(list.glyphs.size(), 1u);
      EXPECT_LE(list.glyphs[0].places.size(), 450u);
    }
    expect_sound(seen(shown(Value::of(frames_for(mesh.vertex_count())), Value::of(mesh)),
                      cut_at({0, 0, 0}, {1, 0, 0})));
  }
}

TEST(ShowSigns, SayWhyTheyDoNotFit) {
  const Value box = Value::of(kernels::make_box({}));
  EXPECT_NE(refusal(shown(Value::of(upwards(3)), box)).find("do not fit the body"),
            std::string::npos);
  VectorField tets{Domain::tet, {Vec3f(1, 0, 0)}};
  EXPECT_NE(refusal(shown(Value::of(tets), box)).find("per tet"), std::string::npos);
  EXPECT_NE(refusal(shown(Value::of(frames_for(3)), box)).find("8 vertices"), std::string::npos);
}

// ---- Obstacles
// -----------------------------------------------------------------------------------

Collider obstacle(ColliderShape shape) {
  Collider c;
  c.shape = shape;
  c.position = {1, 2, 3};
  c.rotation = Eigen::Quaternionf(Eigen::AngleAxisf(0.5f, Vec3f(1, 2, 3).normalized()));
  c.half = {0.3f, 0.4f, 0.5f};
  c.radius = 0.1f;
  return c;
}

TEST(ShowSigns, EveryObstacleLooksLikeItself) {
  Collider sphere = obstacle(ColliderShape::sphere), box = obstacle(ColliderShape::box);
  Collider sharp = box, capsule = obstacle(ColliderShape::capsule);
  Collider terrain = obstacle(ColliderShape::terrain), mesh = obstacle(ColliderShape::mesh);
  sharp.radius = 0;
  HeightGrid heights;
  heights.counts = {3, 4};
  heights.heights.assign(12, 0.5f);
  terrain.heights = std::make_shared<HeightGrid>(heights);
  mesh.distances =
      std::make_shared<DistanceGrid>(kernels::make_distance_grid(kernels::SurfaceTree(ball()), 24));
  const draw::DrawList list =
      seen(shown(Value::of(Colliders{{sphere, box, sharp, capsule, terrain, mesh}})));
  expect_sound(list);
  ASSERT_EQ(list.ellipsoids.size(), 1u);
  EXPECT_EQ(list.ellipsoids[0].centre, sphere.position);
  EXPECT_NEAR(list.ellipsoids[0].axes.col(1).norm(), 0.1f, 1e-6f);
  ASSERT_EQ(list.meshes.size(), 5u);
  const Collider* which[] = {&box, &sharp, &capsule, &terrain, &mesh};
  std::set<const void*> topologies;
  std::set<std::pair<uint64_t, uint64_t>> keys;
  for (size_t i = 0; i < 5; ++i) {
    const draw::Mesh& item = list.meshes[i];
    topologies.insert(item.topology.get());
    keys.insert({item.key.lo, item.key.hi});
    for (const Vec3f& p : item.positions) {
      const double d = kernels::signed_distance(*which[i], p.cast<double>()).distance;
      EXPECT_NEAR(d, 0, i == 4 ? 0.01 : 1e-5) << i;
    }
    // A closed one is seen from outside.
    if (i != 3) {
      Topology topology;
      topology.triangles.assign(item.triangles.begin(), item.triangles.end());
      EXPECT_GT(
          kernels::signed_volume(Mesh(topology, {item.positions.begin(), item.positions.end()})),
          0);
    }
    EXPECT_EQ(item.colour.a < 1, i != 3);
  }
  EXPECT_EQ(topologies.size(), 5u);
  EXPECT_EQ(keys.size(), 5u);
}

TEST(ShowSigns, APlaneIsAsWideAsWhatStandsOnIt) {
  Collider floor;
  floor.position = {0, -1, 0};
  const Value value = Value::of(Colliders{{floor}});
  draw::DrawList list = seen(shown(value));
  ASSERT_EQ(list.planes.size(), 1u);
  EXPECT_EQ(list.planes[0].centre, floor.position);
  EXPECT_EQ(list.planes[0].u.norm(), 2);
  draw::DrawList rest = seen(shown(Value::of(kernels::make_box({.size = {30, 40, 0.1f}}))));
  ASSERT_TRUE(static_cast<bool>(show(shown(value), {}, rest)));
  EXPECT_NEAR(rest.planes.at(0).u.norm(), 50, 0.1f);
  EXPECT_EQ(rest.planes.at(0).centre.y(), -1);
  EXPECT_TRUE(rest.planes[0].u.cross(rest.planes[0].v).normalized().isApprox(Vec3f(0, -1, 0)));
}

TEST(ShowSigns, ObstaclesWithoutSize) {
  std::vector<Collider> list;
  for (const ColliderShape shape :
       {ColliderShape::sphere, ColliderShape::box, ColliderShape::capsule}) {
    for (const float radius : {0.0f, 0.1f, 1e4f}) {
      for (const Vec3f& half : {Vec3f(0, 0, 0), Vec3f(0, 0.5f, 0), Vec3f(1e-6f, 1e-6f, 1)}) {
        Collider c = obstacle(shape);
        c.radius = radius;
        c.half = half;
        list.push_back(c);
      }
    }
  }
  expect_sound(seen(shown(Value::of(Colliders{list}))));
}

// ---- Charts
// --------------------------------------------------------------------------------------

TEST(ShowSigns, AChartIsDrawnInItsBox) {
  Chart chart;
  chart.points = {{0, 10}, {1, 30}, {2, 20}};
  chart.x_unit = "s";
  chart.y_unit = "N";
  chart.set_mark("elastic", 1.5);
  chart.back = {{0, 10}, {2, 20}};
  const draw::DrawList list = seen(shown(Value::of(chart)));
  expect_sound(list);
  Eigen::AlignedBox3f box;
  for (const draw::Lines& lines : list.lines)
    for (const draw::Point& p : lines.points) box.extend(p);
  EXPECT_NEAR(box.sizes().x(), 1.6f, 0.05f);
  EXPECT_NEAR(box.sizes().y(), 1.0f, 0.05f);
  EXPECT_EQ(box.sizes().z(), 0);
  std::set<std::string> words;
  for (const draw::Label& label : list.labels) words.insert(label.text);
  for (const char* word : {"s", "N", "elastic", "It", "0", "0.5", "2", "10", "15", "30"})
    EXPECT_TRUE(words.contains(word)) << word;
  // The curve goes through its points; there and back are told apart.
  ASSERT_EQ(list.points.size(), 1u);
  EXPECT_TRUE(list.points[0].points[1].isApprox(draw::Point(0, 1, 0), 1e-5f));
  std::set<float> reds;
  for (const draw::Lines& lines : list.lines)
    if (lines.width > 2) reds.insert(lines.colour.r);
  EXPECT_EQ(reds.size(), 2u);
}

TEST(ShowSigns, EveryKindOfChart) {
  std::vector<Chart> charts(8);
  charts[0].points = {{3, 5}};
  charts[1] = Chart::constant(0);
  charts[2].points = {{0, 1}, {1, 8}};
  charts[2].axis = ValueAxis::ratio;
  charts[3].points = {{0, 0}, {1, 1}};
  charts[3].extension = Extension::cyclic;
  charts[3].period = 4;
  charts[4].points = {{-1e300, -1e300}, {1e300, 1e300}};
  charts[5].points = {{0, 1e-300}, {1e-300, 2e-300}};
  charts[6].points = {{0, 1}, {1, 1.01}};
  charts[6].axis = ValueAxis::ratio;
  charts[7].points = {{0, 1e-200}, {1, 1e200}};
  charts[7].axis = ValueAxis::ratio;
  for (const Interpolation how :
       {Interpolation::linear, Interpolation::smooth, Interpolation::stepped}) {
    for (Chart& chart : charts) {
      chart.interpolation = how;
      const draw::DrawList list = seen(shown(Value::of(chart)));
      expect_sound(list);
      EXPECT_GE(list.labels.size(), 4u);
      EXPECT_LE(list.labels.size(), 30u);
      for (const draw::Lines& lines : list.lines)
        for (const draw::Point& p : lines.points)
          EXPECT_TRUE(std::abs(p.x()) < 0.85f && p.y() > -0.05f && p.y() < 1.05f);
    }
  }
}

TEST(ShowSigns, AStepIsUpright) {
  Chart chart;
  chart.points = {{0, 0}, {1, 1}, {2, 0}};
  chart.interpolation = Interpolation::stepped;
  const draw::DrawList list = seen(shown(Value::of(chart)));
  for (const draw::Lines& lines : list.lines) {
    if (!(lines.colour == draw::accent)) continue;
    for (size_t i = 0; i < lines.points.size(); i += 2) {
      const draw::Point way = lines.points[i + 1] - lines.points[i];
      EXPECT_TRUE(way.x() == 0 || way.y() == 0);
    }
  }
}

TEST(ShowSigns, APlaceIsAPoint) {
  const draw::DrawList list = seen(shown(Value::of(Vec3{1, 2, 3.5f})));
  expect_sound(list);
  EXPECT_EQ(list.points.at(0).points.at(0), draw::Point(1, 2, 3.5f));
  EXPECT_EQ(list.labels.at(0).text, "It (1, 2, 3.5)");
}

}  // namespace
}  // namespace sinew::testing
