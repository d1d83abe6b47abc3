// Bodies and fields as something to be seen.
#include <algorithm>

#include "tests/nodes/show_helper.h"

namespace sinew::testing {
namespace {

using draw::ColourMap;
using draw::ValuesPer;

Value vertex_field(std::vector<float> values, FieldMeaning meaning = {}) {
  return Value::of(Field(Domain::vertex, std::move(values), std::move(meaning)));
}

// The scale of a field with these values.
draw::ColourScale scale_of(std::vector<float> values, FieldMeaning meaning = {},
                           const ShowOptions& options = {}) {
  Mesh points;
  points.positions.resize(values.size(), Vec3f(0, 0, 0));
  const draw::DrawList list =
      seen(shown(vertex_field(std::move(values), std::move(meaning)), Value::of(points)), options);
  expect_sound(list);
  return list.scales.at(0);
}

// ---- Bodies
// --------------------------------------------------------------------------------------

TEST(Show, AMeshIsPointedAt) {
  const Value value = Value::of(kernels::make_box({}));
  const Mesh& mesh = value.as<Mesh>();
  const draw::DrawList list = seen(shown(value));
  expect_sound(list);
  ASSERT_EQ(list.meshes.size(), 1u);
  const draw::Mesh& item = list.meshes[0];
  EXPECT_EQ(item.positions.data(), mesh.positions.data());
  EXPECT_EQ(item.triangles.data(), mesh.topology->triangles.data());
  EXPECT_EQ(item.polygon_of_triangle.data(), mesh.topology->polygon_of_triangle.data());
  EXPECT_EQ(item.topology, mesh.topology);
  EXPECT_EQ(item.owner, value.shared());
  EXPECT_EQ(item.key.lo, key_of(1).lo);
  EXPECT_EQ(item.scale, -1);
  EXPECT_EQ(item.colour, draw::clay);
}

TEST(Show, WhatIsShownLivesOnWithoutTheValue) {
  draw::DrawList list;
  {
    const Mesh mesh = ball();
    list = seen(shown(vertex_field(heights(mesh.positions)), Value::of(mesh)));
  }
  expect_sound(list);  // the sanitizers would tell
  EXPECT_EQ(list.meshes[0].values.size(), list.meshes[0].positions.size());
  EXPECT_FLOAT_EQ(list.meshes[0].values[5], list.meshes[0].positions[5].y());
}

TEST(Show, ASolidWithoutASkinIsPointedAt) {
  const Value value = Value::of(kernels::make_tet_box({1, 1, 1}, {3, 3, 3}));
  const TetMesh& solid = value.as<TetMesh>();
  const draw::DrawList list = seen(shown(value));
  expect_sound(list);
  EXPECT_EQ(list.meshes[0].positions.data(), solid.positions.data());
  EXPECT_EQ(list.meshes[0].triangles.data(), solid.topology->boundary.data());
  EXPECT_EQ(list.meshes[0].topology, solid.topology);
}

TEST(Show, ASkinIsCarried) {
  const Value value = Value::of(dressed_ball());
  const draw::DrawList list = seen(shown(value));
  expect_sound(list);
  const draw::Mesh& item = list.meshes[0];
  EXPECT_EQ(item.topology, value.as<TetMesh>().topology->skin);
  const std::vector<Vec3f> wanted = surface_of(value.as<TetMesh>()).positions;
  EXPECT_TRUE(std::equal(item.positions.begin(), item.positions.end(), wanted.begin()));
  EXPECT_NE(item.key, draw::ContentKey({key_of(1).lo, key_of(1).hi}));
}

TEST(Show, AWholeSceneShowsABodyOnceAndObstaclesLast) {
  const Value body = Value::of(ball());
  Shown coloured = shown(vertex_field(heights(body.as<Mesh>().positions)), body, 1, 2);
  Shown plain = shown(body, {}, 2);
  plain.key = coloured.body_key;
  Colliders ground;
  ground.list.resize(1);
  const Shown all[] = {shown(Value::of(ground), {}, 7), plain, coloured, shown(Value::of(1.0f))};
  draw::DrawList list;
  const std::vector<std::string> problems = show_all(all, {}, list);
  ASSERT_EQ(list.meshes.size(), 1u) << "the body is not there once more without its colours";
  EXPECT_FALSE(list.meshes[0].values.empty());
  EXPECT_EQ(problems.size(), 1u);
  // A plane that was shown first would not know how large the body is.
  draw::DrawList ordered;
  ASSERT_TRUE(show(coloured, {}, ordered));
  ASSERT_TRUE(show(all[0], {}, ordered));
  ASSERT_EQ(list.planes.size(), 1u);
  EXPECT_EQ(list.planes[0].u, ordered.planes.at(0).u);
}

TEST(Show, PointsWithoutTrianglesAreADots) {
  Mesh cloud;
  cloud.positions = {{0, 0, 0}, {1, 0, 0}, {0, 2, 0}};
  draw::DrawList list = seen(shown(Value::of(cloud)));
  expect_sound(list);
  EXPECT_EQ(list.points.at(0).points.size(), 3u);
  list = seen(shown(vertex_field({1, 2, 3}), Value::of(cloud)));
  EXPECT_EQ(list.points.at(0).values, (std::vector<float>{1, 2, 3}));
  list = seen(shown(vertex_field({1, 2, 3}), Value::of(cloud)), cut_at({0, 1, 0}, {0, 1, 0}));
  EXPECT_EQ(list.points.at(0).values, (std::vector<float>{1, 2}));
}

TEST(Show, NothingLooksLikeNothing) {
  for (const Value& empty : {Value::of(Mesh()), Value::of(TetMesh()), Value::of(Colliders())}) {
    EXPECT_TRUE(seen(shown(empty)).empty());
    EXPECT_TRUE(seen(shown(empty), cut_at({0, 0, 0}, {0, 0, 1})).empty());
  }
  EXPECT_TRUE(seen(shown(vertex_field({}), Value::of(Mesh()))).empty());
  EXPECT_TRUE(seen(shown(Value::of(Field::constant(2)), Value::of(Mesh()))).empty());
  EXPECT_TRUE(seen(shown(Value::of(VectorField()), Value::of(Mesh()))).empty());
  EXPECT_TRUE(seen(shown(Value::of(Frames()), Value::of(TetMesh()))).empty());
}

// ---- Fields
// --------------------------------------------------------------------------------------

TEST(Show, AFieldPerVertexIsPointedAt) {
  const Mesh mesh = ball();
  const Value field = vertex_field(heights(mesh.positions)), body = Value::of(mesh);
  const draw::DrawList list = seen(shown(field, body));
  expect_sound(list);
  EXPECT_EQ(list.meshes[0].values.data(), field.as<Field>().values().data());
  EXPECT_EQ(list.meshes[0].positions.data(), body.as<Mesh>().positions.data());
  EXPECT_EQ(list.meshes[0].values_per, ValuesPer::vertex);
  EXPECT_EQ(list.meshes[0].values_key.lo, key_of(1).lo);
  EXPECT_EQ(list.meshes[0].key.lo, key_of(2).lo);
}

TEST(Show, AFieldPerFaceIsByTriangleOrByPolygon) {
  const Mesh box = kernels::make_box({});
  std::vector<float> triangles(12), polygons(6);
  for (size_t i = 0; i < 12; ++i) triangles[i] = static_cast<float>(i);
  for (size_t i = 0; i < 6; ++i) polygons[i] = static_cast<float>(i);
  draw::DrawList list = seen(shown(Value::of(Field(Domain::face, triangles)), Value::of(box)));
  expect_sound(list);
  EXPECT_EQ(list.meshes[0].values_per, ValuesPer::triangle);
  list = seen(shown(Value::of(Field(Domain::face, polygons)), Value::of(box)));
  expect_sound(list);
  for (size_t i = 0; i < 12; ++i)
    EXPECT_EQ(list.meshes[0].values[i], box.topology->polygon_of_triangle[i]);
}

TEST(Show, AFieldOnASolidIsOnWhatIsSeenOfIt) {
  const TetMesh bare = kernels::make_tet_box({1, 1, 1}, {3, 3, 3}), dressed = dressed_ball();
  draw::DrawList list = seen(shown(vertex_field(heights(bare.positions)), Value::of(bare)));
  expect_sound(list);
  list = seen(shown(vertex_field(heights(dressed.positions)), Value::of(dressed)));
  expect_sound(list);
  for (size_t v = 0; v < list.meshes[0].values.size(); ++v)
    EXPECT_NEAR(list.meshes[0].values[v], list.meshes[0].positions[v].y(), 1e-5f);
}

TEST(Show, TetrahedraColourTheirTrianglesAndWhatHangsInThem) {
  const TetMesh bare = kernels::make_tet_box({1, 1, 1}, {3, 3, 3}), dressed = dressed_ball();
  std::vector<float> number(bare.tet_count());
  for (size_t i = 0; i < number.size(); ++i) number[i] = static_cast<float>(i);
  draw::DrawList list = seen(shown(Value::of(Field(Domain::tet, number)), Value::of(bare)));
  expect_sound(list);
  EXPECT_EQ(list.meshes[0].values_per, ValuesPer::triangle);
  for (size_t t = 0; t < list.meshes[0].triangles.size(); ++t) {
    const Tetrahedron& tet = bare.tets()[static_cast<size_t>(list.meshes[0].values[t])];
    for (const uint32_t v : list.meshes[0].triangles[t])
      EXPECT_NE(std::find(tet.begin(), tet.end(), v), tet.end());
  }
  number.resize(dressed.tet_count());
  for (size_t i = 0; i < number.size(); ++i) number[i] = static_cast<float>(i);
  list = seen(shown(Value::of(Field(Domain::tet, number)), Value::of(dressed)));
  expect_sound(list);
  EXPECT_EQ(list.meshes[0].values_per, ValuesPer::vertex);
  EXPECT_EQ(list.meshes[0].values[7], dressed.topology->embedding.tet[7]);
}

TEST(Show, AConstantIsOneColour) {
  const draw::DrawList list = seen(shown(Value::of(Field::constant(3)), Value::of(dressed_ball())));
  expect_sound(list);
  for (const float x : list.meshes[0].values) EXPECT_EQ(x, 3);
  EXPECT_EQ(list.scales[0].low, 2.5f);
  EXPECT_EQ(list.scales[0].high, 3.5f);
}

// ---- Keys
// ----------------------------------------------------------------------------------------

TEST(Show, KeysNameContent) {
  const Value body = Value::of(dressed_ball());
  const Value field = vertex_field(heights(body.as<TetMesh>().positions));
  const draw::DrawList one = seen(shown(field, body)), same = seen(shown(field, body));
  const draw::DrawList other_field = seen(shown(field, body, 3));
  const draw::DrawList other_body = seen(shown(field, body, 1, 4));
  EXPECT_EQ(one.meshes[0].key, same.meshes[0].key);
  EXPECT_EQ(one.meshes[0].values_key, same.meshes[0].values_key);
  EXPECT_EQ(one.meshes[0].key, other_field.meshes[0].key);
  EXPECT_NE(one.meshes[0].values_key, other_field.meshes[0].values_key);
  EXPECT_NE(one.meshes[0].key, other_body.meshes[0].key);
  // What has no key is never taken for something else.
  Shown nameless = shown(field, body);
  nameless.key = nameless.body_key = Key();
  EXPECT_FALSE(seen(nameless).meshes[0].key);
  EXPECT_FALSE(seen(nameless, cut_at({0, 0, 0}, {0, 0, 1})).meshes[0].values_key);
}

TEST(Show, KeysOfSectionsNameThePlane) {
  const Value body = Value::of(ball());
  const auto keys = [&](const Vec3f& point, const Vec3f& normal) {
    const draw::DrawList list = seen(shown(body), cut_at(point, normal));
    return std::pair(list.meshes.at(0).key, list.meshes.at(1).key);
  };
  const auto [outside, cap] = keys({0, 0, 0.1f}, {0, 0, 1});
  EXPECT_NE(outside, cap);
  EXPECT_EQ(keys({0, 0, 0.1f}, {0, 0, 1}), std::pair(outside, cap));
  EXPECT_EQ(keys({0, 0, 0.1f}, {0, -0.0f, 2}), std::pair(outside, cap));  // the same plane
  EXPECT_NE(keys({0, 0, 0.2f}, {0, 0, 1}).first, outside);
  EXPECT_NE(keys({0, 0, 0.1f}, {0, 1, 0}).first, outside);
  EXPECT_NE(outside, seen(shown(body)).meshes[0].key);
}

// ---- Scales
// --------------------------------------------------------------------------------------

TEST(Show, PlainFieldsGetTheMapThatFits) {
  draw::ColourScale s = scale_of({1, 2, 5});
  EXPECT_EQ(s.map, ColourMap::sequential);
  EXPECT_EQ(std::pair(s.low, s.high), std::pair(1.0f, 5.0f));
  s = scale_of({-2, 4});
  EXPECT_EQ(s.map, ColourMap::diverging);
  EXPECT_EQ(std::pair(s.low, s.high), std::pair(-4.0f, 4.0f));
  s = scale_of({-0.1f, 4});  // a little below 0: rounding or a stray
  EXPECT_EQ(s.map, ColourMap::sequential);
  EXPECT_EQ(std::pair(s.low, s.high), std::pair(-0.1f, 4.0f));
  s = scale_of({-4, 0.1f});
  EXPECT_EQ(s.map, ColourMap::sequential);
  s = scale_of({-4, 0.3f});
  EXPECT_EQ(s.map, ColourMap::diverging);
}

TEST(Show, MeaningsHaveTheirMaps) {
  draw::ColourScale s = scale_of({0.2f, 0.3f}, {.kind = FieldKind::layer});
  EXPECT_EQ(s.map, ColourMap::diverging);
  EXPECT_EQ(std::pair(s.low, s.high), std::pair(0.0f, 1.0f));
  s = scale_of({0.2f, 0.3f}, {.kind = FieldKind::amplitude});
  EXPECT_EQ(s.map, ColourMap::diverging);
  EXPECT_EQ(std::pair(s.low, s.high), std::pair(-1.0f, 1.0f));
  s = scale_of({0.2f, 0.3f}, {.kind = FieldKind::phase});
  EXPECT_EQ(s.map, ColourMap::phase);
  EXPECT_EQ(std::pair(s.low, s.high), std::pair(0.0f, 1.0f));
  s = scale_of({-0.2f, 0.1f}, {.kind = FieldKind::strain});
  EXPECT_EQ(s.map, ColourMap::strain);
  EXPECT_EQ(std::pair(s.low, s.high), std::pair(-0.2f, 0.2f));
  s = scale_of({0, 0}, {.kind = FieldKind::strain});
  EXPECT_EQ(std::pair(s.low, s.high), std::pair(-0.5f, 0.5f));
}

TEST(Show, TheLegendSaysWhatAndInWhichUnit) {
  const draw::ColourScale s = scale_of({1, 2}, {.unit = "m"});
  EXPECT_EQ(s.title, "It");
  EXPECT_EQ(s.unit, "m");
}

TEST(Show, ScalesAreNeverEmptyAndNeverEndless) {
  const float huge = std::numeric_limits<float>::max();
  for (const std::vector<float>& values :
       std::vector<std::vector<float>>{{0, 0},
                                       {7},
                                       {},
                                       {1e30f, 1e30f},
                                       {huge, huge},
                                       {-huge, -huge},
                                       {-huge, huge},
                                       {0, huge},
                                       {1e-42f, 0},
                                       {1e6f, 1e6f + 0.0625f},
                                       {0.3f, std::nextafter(0.3f, 1.0f)},
                                       {std::nanf(""), 1, 2},
                                       {INFINITY, 1, 2},
                                       {std::nanf("")}}) {
    if (!values.empty()) scale_of(values);  // expect_sound looks at it
  }
  // One number and rounding is one number.
  const draw::ColourScale s = scale_of({0.3f, std::nextafter(0.3f, 1.0f)});
  EXPECT_FLOAT_EQ(s.low, -0.2f);
  EXPECT_FLOAT_EQ(s.high, 0.8f);
}

TEST(Show, OptionsReplaceMapAndRange) {
  ShowOptions options;
  options.map = ColourMap::phase;
  options.range = {-3, 8};
  const draw::ColourScale s = scale_of({1, 2}, {.kind = FieldKind::layer}, options);
  EXPECT_EQ(s.map, ColourMap::phase);
  EXPECT_EQ(std::pair(s.low, s.high), std::pair(-3.0f, 8.0f));
  const Mesh mesh = ball(1);
  for (const auto& wrong : {std::pair(2.0f, 1.0f), std::pair(1.0f, 1.0f), std::pair(0.0f, NAN),
                            std::pair(-INFINITY, 1.0f)}) {
    options.range = wrong;
    EXPECT_NE(refusal(shown(vertex_field(heights(mesh.positions)), Value::of(mesh)), options)
                  .find("the first must be less than the second"),
              std::string::npos);
  }
}

TEST(Show, EqualScalesAreOne) {
  const Mesh mesh = ball(2);
  draw::DrawList list;
  const Shown what = shown(vertex_field(heights(mesh.positions)), Value::of(mesh));
  ASSERT_TRUE(static_cast<bool>(show(what, {}, list)));
  ASSERT_TRUE(static_cast<bool>(show(what, {}, list)));
  EXPECT_EQ(list.meshes.size(), 2u);
  EXPECT_EQ(list.scales.size(), 1u);
}

// ---- Sections
// ------------------------------------------------------------------------------------

// What the cap of a body looks like with a field that tells the height.
void expect_open(const Value& body, const Value& field, const char* name) {
  SCOPED_TRACE(name);
  const Vec3f point(0.05f, 0, 0.03f), normal = Vec3f(1, 0.5f, 2).normalized();
  const draw::DrawList list = seen(shown(field, body), cut_at(point, normal));
  expect_sound(list);
  ASSERT_EQ(list.meshes.size(), 2u);
  const draw::Mesh &outside = list.meshes[0], &cap = list.meshes[1];
  EXPECT_FALSE(outside.flat);
  EXPECT_TRUE(cap.flat);
  EXPECT_NE(outside.topology, cap.topology);
  for (const draw::Triangle& t : outside.triangles)
    for (const uint32_t v : t) EXPECT_LT(normal.dot(outside.positions[v] - point), 1e-5f);
  for (const draw::Triangle& t : cap.triangles) {
    for (const uint32_t v : t) {
      EXPECT_NEAR(normal.dot(cap.positions[v] - point), 0, 2e-5f);
      if (cap.values.empty() || cap.values_per == ValuesPer::triangle) continue;
      EXPECT_GE(cap.values[v], list.scales[0].low);
      EXPECT_LE(cap.values[v], list.scales[0].high);
    }
    const Vec3f a = cap.positions[t[0]], b = cap.positions[t[1]], c = cap.positions[t[2]];
    EXPECT_GE((b - a).cross(c - a).dot(normal), -1e-6f) << "the cap looks at who cut it";
  }
}

TEST(Show, ASectionShowsTheFieldInside) {
  const Mesh mesh = ball();
  const TetMesh bare = kernels::make_tet_box({1, 1, 1}, {5, 5, 5}), dressed = dressed_ball();
  const auto counted = [](Domain domain, size_t count) {
    std::vector<float> values(count);
    for (size_t i = 0; i < count; ++i) values[i] = static_cast<float>(i);
    return Value::of(Field(domain, values));
  };
  expect_open(Value::of(mesh), vertex_field(heights(mesh.positions)), "mesh, vertex");
  expect_open(Value::of(mesh), counted(Domain::face, mesh.triangle_count()), "mesh, face");
  expect_open(Value::of(mesh), Value::of(Field::constant(1)), "mesh, constant");
  expect_open(Value::of(bare), vertex_field(heights(bare.positions)), "solid, vertex");
  expect_open(Value::of(bare), counted(Domain::tet, bare.tet_count()), "solid, tet");
  expect_open(Value::of(bare), Value::of(Field::constant(1)), "solid, constant");
  expect_open(Value::of(dressed), vertex_field(heights(dressed.positions)), "skin, vertex");
  expect_open(Value::of(dressed), counted(Domain::tet, dressed.tet_count()), "skin, tet");
  expect_open(Value::of(dressed), Value::of(Field::constant(1)), "skin, constant");
}

TEST(Show, ValuesOnACapAreThoseOfThePlace) {
  for (const TetMesh& solid : {kernels::make_tet_box({1, 1, 1}, {5, 5, 5}), dressed_ball()}) {
    const draw::DrawList list =
        seen(shown(vertex_field(heights(solid.positions)), Value::of(solid)),
             cut_at({0, 0, 0.03f}, {0, 0, 1}));
    // The rim is drawn to the skin, by up to half of an edge, and keeps its value.
    const float slack = solid.has_skin() ? 0.1f : 1e-5f;
    for (const draw::Mesh& item : list.meshes)
      for (size_t v = 0; v < item.values.size(); ++v)
        EXPECT_NEAR(item.values[v], item.positions[v].y(), slack);
  }
}

TEST(Show, ACutOfTetrahedraShowsEachOfThem) {
  const TetMesh solid = kernels::make_tet_box({1, 1, 1}, {3, 3, 3});
  std::vector<float> number(solid.tet_count());
  for (size_t i = 0; i < number.size(); ++i) number[i] = static_cast<float>(i);
  const draw::DrawList list = seen(shown(Value::of(Field(Domain::tet, number)), Value::of(solid)),
                                   cut_at({0, 0, 0.07f}, {0, 0, 1}));
  const draw::Mesh& cap = list.meshes.at(1);
  for (size_t t = 0; t < cap.triangles.size(); ++t) {
    Eigen::AlignedBox3f box;
    for (const uint32_t v : solid.tets()[static_cast<size_t>(cap.values[t])])
      box.extend(solid.positions[v]);
    for (const uint32_t v : cap.triangles[t])
      EXPECT_LT(box.exteriorDistance(cap.positions[v]), 1e-5f);
  }
}

TEST(Show, ACutWithoutColoursHasAColourOfItsOwn) {
  const draw::DrawList list = seen(shown(Value::of(ball())), cut_at({0, 0, 0}, {1, 0, 0}));
  ASSERT_EQ(list.meshes.size(), 2u);
  EXPECT_EQ(list.meshes[0].colour, draw::clay);
  EXPECT_FALSE(list.meshes[1].colour == draw::clay);
  EXPECT_TRUE(list.scales.empty());
  // The wire shows no edge that the cut made: pieces of a quad are one polygon, and so is the cap.
  const draw::DrawList box =
      seen(shown(Value::of(kernels::make_box({}))), cut_at({0.1f, 0, 0}, {1, 0, 0}));
  expect_sound(box);
  for (const uint32_t polygon : box.meshes[0].polygon_of_triangle) EXPECT_LT(polygon, 6u);
  for (const uint32_t polygon : box.meshes[1].polygon_of_triangle) EXPECT_EQ(polygon, 0u);
}

TEST(Show, ASectionBesideTheBodyCopiesNothing) {
  const Value body = Value::of(ball());
  const draw::DrawList whole = seen(shown(body), cut_at({0, 2, 0}, {0, 1, 0}));
  ASSERT_EQ(whole.meshes.size(), 1u);
  EXPECT_EQ(whole.meshes[0].positions.data(), body.as<Mesh>().positions.data());
  for (const Value& value : {body, Value::of(dressed_ball())})
    EXPECT_TRUE(seen(shown(value), cut_at({0, -2, 0}, {0, 1, 0})).empty());
}

TEST(Show, AnOpenMeshIsCutWithoutACap) {
  const Value sheet = Value::of(kernels::make_grid({}));
  const draw::DrawList list = seen(shown(sheet), cut_at({0.03f, 0, 0}, {1, 0, 0}));
  expect_sound(list);
  EXPECT_EQ(list.meshes.size(), 1u);
}

// ---- What cannot be
// ------------------------------------------------------------------------------

TEST(Show, SaysWhatCouldBeShownInstead) {
  const std::string rest =
      "; what can be shown is a mesh, a solid, a field, vectors, frames or an activation on a "
      "body, colliders, a chart, a material, a motion path, points, operators, a "
      "lattice, modes, a dynamic body, forces, a skeleton, a pose, a vec3, or words";
  EXPECT_EQ(refusal(shown(Value::of(3.0f))), "'it.value' is a number" + rest);
  EXPECT_EQ(refusal(shown(Value::of(3))), "'it.value' is a number" + rest);
  EXPECT_EQ(refusal(shown(Value::of(true))), "'it.value' is a yes or no" + rest);
  EXPECT_EQ(refusal(shown(Value::of(Strokes()))), "'it.value' is strokes" + rest);
  EXPECT_EQ(refusal(shown(Value())), "'it.value' has no value; mend its errors");
  EXPECT_EQ(refusal(shown(Value::of(Field::constant(1)))),
            "'it.value' is a field, which is seen on a mesh or a solid, but it lives on none; make "
            "it on one, or show a body");
  EXPECT_EQ(refusal(shown(Value::of(Frames()))),
            "'it.value' is frames, which is seen on a mesh or a solid, but it lives on none; make "
            "it on one, or show a body");
  EXPECT_EQ(refusal(shown(Value::of(Field::constant(1)), Value::of(2))),
            "'it.value' lives on a number, but it can be seen only on a mesh or a solid");
}

TEST(Show, SaysWhyValuesDoNotFit) {
  const Value box = Value::of(kernels::make_box({}));
  EXPECT_EQ(refusal(shown(vertex_field({1, 2}), box)),
            "'it.value' cannot be shown: the field has 2 values per vertex, but its body has 8 "
            "vertices");
  EXPECT_EQ(refusal(shown(Value::of(Field(Domain::face, {1})), box)),
            "'it.value' cannot be shown: the field has 1 values per face, but its body has 12 "
            "triangles");
  EXPECT_EQ(refusal(shown(Value::of(Field(Domain::tet, {1})), box)),
            "'it.value' cannot be shown: the field has values per tet, but its body is a mesh; "
            "make it on a solid, or transfer it");
  EXPECT_NE(refusal(shown(Value::of(Field(Domain::tet, {1})), Value::of(dressed_ball())))
                .find("tetrahedra"),
            std::string::npos);
  EXPECT_NE(refusal(shown(Value::of(Field(Domain::bone, {1})), box)).find("per bone"),
            std::string::npos);
  for (const Vec3f& normal : {Vec3f(0, 0, 0), Vec3f(NAN, 0, 0), Vec3f(INFINITY, 0, 0)})
    EXPECT_NE(refusal(shown(box), cut_at({0, 0, 0}, normal)).find("no direction"),
              std::string::npos);
}

TEST(Show, WordsAreOnThePage) {
  draw::DrawList list;
  ASSERT_TRUE(show(shown(Value::of(std::string("5.20: flexibility"))), {}, list));
  ASSERT_EQ(list.labels.size(), 1u);
  EXPECT_TRUE(list.labels[0].on_page);
  EXPECT_EQ(list.labels[0].text, "5.20: flexibility");
}

TEST(Show, OperatorsArePinsWithRings) {
  VooSet set;
  set.members.emplace_back().voo.rest = {{0, 0, 0}, {0, 2, 0}, 0};
  draw::DrawList list;
  ASSERT_TRUE(show(shown(Value::of(set)), {}, list));
  int guides = 0;
  for (const draw::Lines& lines : list.lines) guides += lines.guide;
  EXPECT_EQ(guides, 1);
  EXPECT_EQ(list.lines.size(), 2u);  // rings and pin; at rest there is nothing else
  set.members[0].drives = {{VooQuantity::tip_x, Chart::constant(1), Chart::constant(1)}};
  draw::DrawList moved;
  ASSERT_TRUE(show(shown(Value::of(set)), {}, moved));
  EXPECT_EQ(moved.lines.size(), 3u);  // and where it rests
}

TEST(Show, KnowsWhatCanBeShown) {
  for (const TypeInfo* type : {&type_of<Mesh>(), &type_of<TetMesh>(), &type_of<Field>(),
                               &type_of<VectorField>(), &type_of<Frames>(), &type_of<Activation>(),
                               &type_of<Colliders>(), &type_of<Chart>(), &type_of<Vec3>()})
    EXPECT_TRUE(can_show(*type)) << type->name;
  for (const TypeInfo* type : {&type_of<float>(), &type_of<int>(), &type_of<bool>(),
                               &type_of<Choice>(), &type_of<Strokes>(), &type_of<Touches>()})
    EXPECT_FALSE(can_show(*type)) << type->name;
}

TEST(Show, HostileBodies) {
  Mesh far = ball(2);
  for (Vec3f& p : far.positions) p *= 1e30f;
  Mesh flat = ball(2);
  for (Vec3f& p : flat.positions) p = Vec3f(1, 1, 1);
  Mesh one;
  one.positions = {{1, 2, 3}};
  for (const Mesh& mesh : {far, flat, one}) {
    const Value body = Value::of(mesh), field = vertex_field(heights(mesh.positions));
    for (const ShowOptions& options :
         {ShowOptions(), cut_at({0, 0, 0}, {0, 0, 1}), cut_at({0, 1e30f, 0}, {0, 1, 0})}) {
      expect_sound(seen(shown(body), options));
      expect_sound(seen(shown(field, body), options));
    }
  }
}

// ---- From a graph
// --------------------------------------------------------------------------------

TEST(Show, AFieldOfAGraphOnItsBody) {
  TestGraph g;
  g.node("block", "tet.box").node("noise", "field.noise").node("view", "view");
  g.link("block.solid", "noise.mesh").link("noise.field", "view.value");
  const GraphPtr graph = CompiledGraph::compile(g.doc, all_nodes());
  const Target target = *graph->find_output("view.value");
  const std::optional<Target> body = graph->body_of(target);
  ASSERT_TRUE(body);
  const Target targets[] = {target, *body};
  const Evaluation result = g.evaluator->evaluate(*graph, targets, g.context);
  Shown what;
  what.source = "it.value";
  what.value = result.targets[0].value;
  what.key = result.targets[0].key;
  what.body = result.targets[1].value;
  what.body_key = result.targets[1].key;
  const draw::DrawList list = seen(what);
  expect_sound(list);
  EXPECT_EQ(list.meshes.at(0).values.data(), what.value.as<Field>().values().data());
  EXPECT_EQ(list.scales.at(0).title, "it.value");  // without a title
}

}  // namespace
}  // namespace sinew::testing
