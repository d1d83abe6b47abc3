// What fields mean: as content, in documents, and on the way through nodes.
#include "tests/nodes/harness.h"

namespace sinew::testing {
namespace {

Value from_json(const char* text) {
  const Result<Value> value = type_of<Field>().from_json(Json::parse(text));
  if (!value) throw std::runtime_error(value.error());
  return *value;
}

std::string content_of(const Field& field) {
  std::string all;
  visit_content(field, [&](std::span<const std::byte> bytes) {
    all.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  });
  return all;
}

TEST(Meaning, IsContent) {
  const Field plain(Domain::vertex, {1, 2});
  const Field metres = plain.with_meaning({.unit = "m"});
  const Field layer = plain.with_meaning({.kind = FieldKind::layer});
  EXPECT_FALSE(plain == metres);
  EXPECT_FALSE(metres == layer);
  EXPECT_EQ(metres, Field(Domain::vertex, {1, 2}, {.unit = "m"}));
  EXPECT_NE(content_of(plain), content_of(metres));
  EXPECT_NE(content_of(plain), content_of(layer));
  EXPECT_EQ(plain.meaning(), FieldMeaning{});
}

TEST(Meaning, IsWrittenOnlyWhereItIsNotStandard) {
  EXPECT_EQ(from_json("0.5").to_json(), Json(0.5));
  const char* plain = R"({"domain": "face", "values": [0.5, 0.1]})";
  EXPECT_EQ(from_json(plain).to_json(), Json::parse(plain));
  EXPECT_EQ(from_json(R"({"domain": "face", "values": [1], "kind": "plain"})").to_json(),
            Json::parse(R"({"domain": "face", "values": [1.0]})"));
  for (const char* text : {R"({"domain": "vertex", "values": [0.5], "kind": "strain"})",
                           R"({"domain": "vertex", "values": [], "kind": "layer", "unit": "m"})",
                           R"({"value": 0.25, "kind": "phase"})", R"({"value": 2.0, "unit": "m"})"})
    EXPECT_EQ(from_json(text).to_json(), Json::parse(text)) << text;
}

TEST(Meaning, IsInTheKeyOfALiteral) {
  const Key plain = literal_key(from_json("0.5"));
  EXPECT_EQ(literal_key(from_json(R"({"value": 0.5})")), plain);
  EXPECT_NE(literal_key(from_json(R"({"value": 0.5, "unit": "m"})")), plain);
  EXPECT_NE(literal_key(from_json(R"({"value": 0.5, "kind": "layer"})")), plain);
}

TEST(Meaning, WrongFormsAreRefused) {
  for (const char* text :
       {R"({"value": "x"})", R"({"value": 1, "kind": "colour"})", R"({"value": 1, "unit": 3})",
        R"({"value": 1, "more": 3})", R"({"kind": "layer"})", R"({"value": 1e39})", "{}",
        R"({"value": 1, "unit": "a unit that is far too long to be one"})",
        R"({"domain": "vertex", "values": [1], "value": 1})"}) {
    EXPECT_FALSE(static_cast<bool>(type_of<Field>().from_json(Json::parse(text)))) << text;
  }
}

TEST(Meaning, TheFactsTellIt) {
  const Value field = from_json(R"({"domain": "vertex", "values": [1], "kind": "layer"})");
  EXPECT_EQ(field.type()->describe(field.data())["kind"], "layer");
  const Value plain = from_json(R"({"domain": "vertex", "values": [1]})");
  EXPECT_FALSE(plain.type()->describe(plain.data()).contains("kind"));
}

FieldMeaning meaning(TestGraph& g, const std::string& output) {
  return g.get<Field>(output, 1).meaning();
}

TEST(Meaning, OfWhatIsMeasured) {
  TestGraph g;
  g.node("ball", "mesh.sphere").node("block", "tet.box").node("floor", "collide.plane");
  g.node("far", "field.distance").link("ball.mesh", "far.body");
  g.node("part", "field.distance", {{"normalise", true}}).link("ball.mesh", "part.body");
  g.node("near", "field.collider_distance").link("ball.mesh", "near.mesh");
  g.link("floor.colliders", "near.colliders");
  g.node("good", "tet.quality").link("block.solid", "good.solid");
  g.node("slope", "field.gradient").link("ball.mesh", "slope.mesh");
  g.link("far.field", "slope.field");
  g.node("steep", "field.component").link("slope.vectors", "steep.vectors");
  g.node("ramp", "field.axis").link("ball.mesh", "ramp.mesh");
  g.node("chain", "sim.chain");
  EXPECT_EQ(meaning(g, "far.field").unit, "m");
  EXPECT_EQ(meaning(g, "part.field").unit, "");
  EXPECT_EQ(meaning(g, "near.field").unit, "m");
  EXPECT_EQ(meaning(g, "good.angle").unit, "deg");
  EXPECT_EQ(meaning(g, "good.volume").unit, "m^3");
  EXPECT_EQ(meaning(g, "good.quality"), FieldMeaning{});
  EXPECT_EQ(g.get<VectorField>("slope.vectors").unit, "m/m");
  EXPECT_EQ(meaning(g, "steep.field").unit, "m/m");
  EXPECT_EQ(meaning(g, "ramp.field"), FieldMeaning{});
  EXPECT_EQ(meaning(g, "chain.speed").unit, "m/s");
  EXPECT_EQ(meaning(g, "chain.stretch").kind, FieldKind::strain);
  g.link("ramp.field", "far.painted");  // not read, but linked
  g.node("rise", "field.gradient").link("ball.mesh", "rise.mesh").link("ramp.field", "rise.field");
  EXPECT_EQ(g.get<VectorField>("rise.vectors").unit, "1/m");
}

TEST(Meaning, IsHandedOnWhereValuesStayWhatTheyAre) {
  TestGraph g;
  g.node("ball", "mesh.sphere").node("other", "mesh.sphere", {{"radius", 0.6}});
  g.node("paint", "paint.field", {{"kind", "amplitude"}, {"background", 0.5}});
  g.link("ball.mesh", "paint.mesh");
  g.node("view", "field.cut_view").link("ball.mesh", "view.body").link("paint.field", "view.field");
  g.node("carry", "field.transfer").link("paint.field", "carry.field");
  g.link("ball.mesh", "carry.from").link("other.mesh", "carry.to");
  g.node("noise", "field.noise").link("ball.mesh", "noise.mesh");
  g.node("math", "field.math").link("paint.field", "math.a");
  g.node("blend", "field.blend").link("paint.field", "blend.base");
  g.node("remap", "field.remap").link("paint.field", "remap.field");
  const FieldMeaning amplitude{.kind = FieldKind::amplitude};
  EXPECT_EQ(meaning(g, "paint.field"), amplitude);
  EXPECT_EQ(meaning(g, "view.field"), amplitude);
  EXPECT_EQ(meaning(g, "carry.field"), amplitude);
  EXPECT_EQ(meaning(g, "carry.distance").unit, "m");
  EXPECT_EQ(meaning(g, "remap.field"), FieldMeaning{});
  EXPECT_EQ(meaning(g, "math.field"), FieldMeaning{});  // multiplied
  g.set("math.operation", "clamp").set("math.b", -1).set("math.c", 1);
  EXPECT_EQ(meaning(g, "math.field"), amplitude);
  EXPECT_EQ(meaning(g, "blend.field"), amplitude);  // with a constant
  g.set("blend.mode", "multiply");
  EXPECT_EQ(meaning(g, "blend.field"), FieldMeaning{});
  g.set("blend.mode", "mix").link("noise.field", "blend.over");
  EXPECT_EQ(meaning(g, "blend.field"), FieldMeaning{});  // with something else
  g.link("paint.field", "math.b").set("math.operation", "maximum");
  EXPECT_EQ(meaning(g, "math.field"), amplitude);
}

}  // namespace
}  // namespace sinew::testing
