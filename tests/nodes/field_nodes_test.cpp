#include <algorithm>

#include "nodes/kernels/field_ops.h"
#include "tests/nodes/harness.h"

namespace sinew::testing {
namespace {

TEST(FieldNodes, AxisGoesFromOneSideToTheOther) {
  TestGraph g;
  g.node("box", "mesh.box", {{"size", {1, 4, 1}}, {"segments_y", 4}})
      .node("ramp", "field.axis", {{"low", 10}, {"high", 20}})
      .link("box.mesh", "ramp.mesh");
  const Mesh box = g.get<Mesh>("box.mesh");
  const Field ramp = g.get<Field>("ramp.field");
  ASSERT_EQ(ramp.domain(), Domain::vertex);
  ASSERT_EQ(ramp.size(), box.vertex_count());
  for (size_t i = 0; i < ramp.size(); ++i) {
    EXPECT_NEAR(ramp.at(i), 15 + 2.5f * box.positions[i].y(), 1e-4f);
  }
}

TEST(FieldNodes, NoiseStaysInItsRangeAndFollowsBothSeeds) {
  TestGraph g;
  g.node("sphere", "mesh.sphere")
      .node("noise", "field.noise", {{"low", 2}, {"high", 3}, {"scale", 0.1}})
      .link("sphere.mesh", "noise.mesh");
  const Field first = g.get<Field>("noise.field");
  const auto [low, high] = std::minmax_element(first.values().begin(), first.values().end());
  EXPECT_GE(*low, 2);
  EXPECT_LE(*high, 3);
  EXPECT_GT(*high - *low, 0.2f);
  const Field other = g.set("noise.seed", 1).get<Field>("noise.field");
  EXPECT_FALSE(other == first);
  g.set("noise.seed", 0).context.seed = 5;
  EXPECT_FALSE(g.get<Field>("noise.field") == first);
  g.context.seed = 0;
  EXPECT_TRUE(g.get<Field>("noise.field") == first);
}

// Documents name operations: a name that changes, or moves, breaks them.
TEST(FieldNodes, OperationsKeepTheirNames) {
  const std::vector<std::string> names = {
      "add",    "subtract", "multiply", "divide", "minimum",     "maximum",
      "power",  "modulo",   "mix",      "clamp",  "smoothstep",  "absolute",
      "negate", "invert",   "sine",     "cosine", "square_root", "step"};
  for (const char* id : {"field.math", "value.math"}) {
    const NodeType& type = *all_nodes().find(id);
    EXPECT_EQ(type.inputs[type.find_input("operation")].choices, names) << id;
  }
}

TEST(FieldNodes, MathOfConstantsAndFields) {
  const std::tuple<const char*, double, double, double, double> cases[] = {
      {"add", 2, 3, 0, 5},       {"subtract", 2, 3, 0, -1}, {"multiply", 2, 3, 0, 6},
      {"divide", 3, 2, 0, 1.5},  {"divide", 3, 0, 0, 0},    {"minimum", 2, 3, 0, 2},
      {"maximum", 2, 3, 0, 3},   {"power", 2, 3, 0, 8},     {"modulo", 7, 4, 0, 3},
      {"mix", 2, 4, 0.25, 2.5},  {"clamp", 9, 2, 4, 4},     {"smoothstep", 3, 2, 4, 0.5},
      {"absolute", -2, 0, 0, 2}, {"negate", 2, 0, 0, -2},   {"invert", 0.25, 0, 0, 0.75},
      {"sine", 0.25, 0, 0, 1},   {"cosine", 0.5, 0, 0, -1}, {"square_root", 9, 0, 0, 3},
      {"step", 2, 2, 0, 1},      {"step", 1, 2, 0, 0},
  };
  for (const auto& [op, a, b, c, wanted] : cases) {
    const std::map<std::string, Json> params = {{"operation", op}, {"a", a}, {"b", b}, {"c", c}};
    TestGraph g;
    g.node("field", "field.math", params).node("value", "value.math", params);
    EXPECT_NEAR(g.get<Field>("field.field").at(0), wanted, 1e-5) << op;
    EXPECT_NEAR(g.get<float>("value.value"), wanted, 1e-5) << op;
    // The same on a field: the operand a per vertex.
    TestGraph f;
    f.node("box", "mesh.box")
        .node("ramp", "field.axis", {{"low", a}, {"high", a}})
        .node("math", "field.math", params)
        .link("box.mesh", "ramp.mesh")
        .link("ramp.field", "math.a");
    const Field field = f.get<Field>("math.field");
    ASSERT_EQ(field.size(), 8u) << op;
    for (const float x : field.values()) EXPECT_NEAR(x, wanted, 1e-5) << op;
  }
}

TEST(FieldNodes, MathRefusesFieldsOfTwoMeshesButIgnoresWhatItDoesNotRead) {
  TestGraph g;
  g.node("box", "mesh.box")
      .node("sphere", "mesh.sphere", {{"detail", 1}})
      .node("one", "field.axis")
      .node("two", "field.axis")
      .node("math", "field.math", {{"operation", "add"}})
      .link("box.mesh", "one.mesh")
      .link("sphere.mesh", "two.mesh")
      .link("one.field", "math.a")
      .link("two.field", "math.b");
  EXPECT_NE(g.run("math.field").errors.find("8 vertex values and 12 vertex values"),
            std::string::npos);
  EXPECT_EQ(g.set("math.operation", "negate").get<Field>("math.field").size(), 8u);
}

TEST(FieldNodes, RemapReadsTheChart) {
  TestGraph g;
  const Json chart = Json::parse(R"({"points": [[0, 5], [1, 7]], "interpolation": "linear"})");
  g.node("box", "mesh.box")
      .node("ramp", "field.axis")
      .node("remap", "field.remap", {{"chart", chart}})
      .link("box.mesh", "ramp.mesh")
      .link("ramp.field", "remap.field");
  const Field ramp = g.get<Field>("ramp.field"), remapped = g.get<Field>("remap.field");
  for (size_t i = 0; i < ramp.size(); ++i) EXPECT_NEAR(remapped.at(i), 5 + 2 * ramp.at(i), 1e-5f);
}

TEST(FieldNodes, NumbersBecomeConstantFields) {
  TestGraph g;
  g.node("number", "value.float", {{"value", 2.5}})
      .node("integer", "value.int", {{"value", 3}})
      .node("math", "field.math", {{"operation", "multiply"}})
      .link("number.value", "math.a")
      .link("integer.value", "math.b");
  const Field product = g.get<Field>("math.field");
  EXPECT_TRUE(product.is_constant());
  EXPECT_EQ(product.at(0), 7.5f);
}

// A field goes where a number is expected only if the declaration allows it.
TEST(FieldNodes, AFieldIsNotANumber) {
  TestGraph g;
  g.node("box", "mesh.box")
      .node("ramp", "field.axis")
      .node("push", "mesh.displace")
      .link("box.mesh", "ramp.mesh")
      .link("box.mesh", "push.mesh")
      .link("ramp.field", "push.distance");
  EXPECT_NE(g.run("push.mesh").errors, "");
}

}  // namespace
}  // namespace sinew::testing
