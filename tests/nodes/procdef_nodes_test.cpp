#include <cmath>

#include "nodes/kernels/activation.h"
#include "tests/nodes/show_helper.h"

namespace sinew::testing {
namespace {

// A bar of tetrahedra, 2 m along x, and an activation of it.
TestGraph bar() {
  TestGraph g;
  g.node("bar", "tet.box", {{"size", {2, 0.5, 0.5}}, {"cells_x", 8}})
      .node("beat", "procdef.activation")
      .link("bar.solid", "beat.body");
  g.context.fps = 20;
  return g;
}

// The bar with a stimulus that is touched at one end, at rest otherwise.
TestGraph touched(const char* touches = R"([{"frame": 10, "at": [-1, 0, 0]}])") {
  TestGraph g = bar();
  g.node("feel", "procdef.stimulus", {{"touches", Json::parse(touches)}})
      .link("bar.solid", "feel.body");
  return g;
}

kernels::SymmetricArrays matrices(const Activation& activation) {
  kernels::ActivationScratch scratch;
  kernels::SymmetricArrays out;
  kernels::evaluate_activation(activation, 0, {}, scratch, out);
  return out;
}

float largest(const Field& field) {
  float most = 0;
  for (const float v : field.values()) most = std::max(most, std::abs(v));
  return most;
}

// The value at the vertex that is closest to a place.
float near(const Field& field, const TetMesh& solid, const Vec3f& place) {
  std::size_t best = 0;
  for (std::size_t v = 0; v < solid.vertex_count(); ++v) {
    if ((solid.positions[v] - place).norm() < (solid.positions[best] - place).norm()) best = v;
  }
  return field.at(best);
}

// Interfaces show what follows from the first chart without running the node.
TEST(ProcDefNodes, ChartsSayWhatCountsInTheirPlace) {
  const NodeType& type = *all_nodes().find("procdef.activation");
  std::vector<Value> values;
  for (const InputInfo& info : type.inputs) values.push_back(info.standard);
  const auto index = [&](const char* name) {
    return static_cast<std::size_t>(type.find_input(name));
  };
  const InputInfo &primary = type.inputs[index("primary")],
                  &secondary = type.inputs[index("secondary")];
  EXPECT_EQ(primary.plot, secondary.plot);
  ASSERT_TRUE(primary.clock);
  EXPECT_GE(type.find_input(primary.clock->period), 0);
  EXPECT_GE(type.find_input(primary.clock->delay), 0);
  const Value second = secondary.in_effect(values);
  ASSERT_TRUE(second);
  const double c1 = values[index("primary")].as<Chart>().evaluate(0.4);
  EXPECT_NEAR(second.as<Chart>().evaluate(0.4), 1 / std::sqrt(c1), 1e-9);
  values[index("volume")] = Value::of(Choice{0});
  EXPECT_FALSE(secondary.in_effect(values)) << "as drawn";
  values[index("volume")] = Value();
  EXPECT_FALSE(secondary.in_effect(values)) << "not known";
}

TEST(ProcdefActivation, ContractsAndComesBack) {
  TestGraph g = bar();
  const Field at_rest = g.get<Field>("beat.signal", 0), middle = g.get<Field>("beat.signal", 10);
  EXPECT_EQ(at_rest.meaning().kind, FieldKind::strain);
  EXPECT_LT(largest(at_rest), 1e-6f);
  EXPECT_NEAR(middle.at(0), 1 / 1.5 - 1, 1e-5) << "half way through its period";
  EXPECT_NEAR(g.get<Field>("beat.signal", 30).at(3), middle.at(3), 1e-6) << "one period later";
  const Activation a = g.get<Activation>("beat.activation", 10);
  EXPECT_DOUBLE_EQ(a.time, 0.5);
  const kernels::SymmetricArrays t = matrices(a);
  EXPECT_NEAR(t.part[0][0] * t.part[1][0] * t.part[2][0], 1, 1e-5) << "the volume is kept";
  EXPECT_NEAR(t.part[1][0], std::sqrt(1.5), 1e-5);
}

TEST(ProcdefActivation, VolumeModes) {
  TestGraph g = bar();
  g.set("beat.volume", "keep_secondary");
  kernels::SymmetricArrays t = matrices(g.get<Activation>("beat.activation", 10));
  EXPECT_NEAR(t.part[1][0], 1.5, 1e-5);
  EXPECT_EQ(t.part[2][0], 1);
  g.set("beat.volume", "as_drawn").set("beat.tertiary", Json::parse("[[0, 0.5], [1, 0.5]]"));
  t = matrices(g.get<Activation>("beat.activation", 10));
  EXPECT_NEAR(t.part[0][0], 1 / 1.5, 1e-5);
  EXPECT_EQ(t.part[1][0], 1);
  EXPECT_NEAR(t.part[2][0], 0.5, 1e-6);
  EXPECT_NEAR(matrices(g.set("beat.limit", 1.2).get<Activation>("beat.activation", 10)).part[2][0],
              1 / 1.2, 1e-5);
}

TEST(ProcdefActivation, AmplitudeAndPhaseAreFields) {
  TestGraph g = bar();
  g.node("along", "field.axis", {{"axis", "x"}}).link("bar.solid", "along.mesh");
  g.link("along.field", "beat.phase").set("beat.speed", 2);
  const TetMesh solid = g.get<TetMesh>("bar.solid");
  const Field signal = g.get<Field>("beat.signal", 10);
  EXPECT_NEAR(near(signal, solid, {-1, 0, 0}), 1 / 1.5 - 1, 1e-5);
  EXPECT_NEAR(near(signal, solid, {1, 0, 0}), 0, 1e-5) << "half a second behind";
  const Field later = g.get<Field>("beat.signal", 20);
  EXPECT_NEAR(near(later, solid, {1, 0, 0}), 1 / 1.5 - 1, 1e-5);
  g.set("beat.amplitude", 0);
  EXPECT_EQ(largest(g.get<Field>("beat.signal", 10)), 0);
  g.set("beat.amplitude", -1);
  EXPECT_NEAR(near(g.get<Field>("beat.signal", 10), solid, {-1, 0, 0}), 0.5, 1e-5);
}

TEST(ProcdefActivation, FieldsBeyondTheirRangesAreBroughtBack) {
  TestGraph g = bar();
  g.node("along", "field.axis", {{"axis", "x"}, {"low", -5}, {"high", 5}});
  g.link("bar.solid", "along.mesh");
  g.link("along.field", "beat.amplitude").link("along.field", "beat.phase");
  const Activation a = g.get<Activation>("beat.activation", 10);
  for (const float v : a.pattern->amplitude) EXPECT_LE(std::abs(v), 1);
  for (const float v : a.pattern->phase) EXPECT_TRUE(v >= 0 && v <= 1);
}

TEST(ProcdefActivation, FollowsFrames) {
  TestGraph g = bar();
  g.node("layer", "field.axis", {{"axis", "x"}}).link("bar.solid", "layer.mesh");
  g.node("frames", "field.frames").link("bar.solid", "frames.body");
  g.link("layer.field", "frames.layer").link("frames.frames", "beat.frames");
  const Activation a = g.get<Activation>("beat.activation", 10);
  const kernels::SymmetricArrays t = matrices(a);
  // Layers along x: the secondary direction is x, so that x expands where the primary contracts.
  for (std::size_t i = 0; i < a.count; ++i) EXPECT_NEAR(t.part[0][i], std::sqrt(1.5), 1e-4);
}

TEST(ProcdefActivation, OnePatternForAllFrames) {
  TestGraph g = bar();
  const Activation early = g.get<Activation>("beat.activation", 1);
  const Activation late = g.get<Activation>("beat.activation", 2);
  EXPECT_EQ(early.pattern, late.pattern);
  EXPECT_NE(g.set("beat.period", 2).get<Activation>("beat.activation", 2).pattern, late.pattern);
  EXPECT_EQ(g.set("beat.delay", 0.5).get<Activation>("beat.activation", 20).time, 0.5);
}

TEST(ProcdefActivation, SaysWhatIsWrong) {
  TestGraph g = bar();
  g.set("beat.primary", Json::parse("[[0, 1], [1, -0.5]]"));
  EXPECT_NE(g.run("beat.activation").errors.find("the primary chart: a ratio must be above 0"),
            std::string::npos)
      << g.run("beat.activation").errors;
  TestGraph other = bar();
  other.node("ball", "mesh.sphere").node("noise", "field.noise").link("ball.mesh", "noise.mesh");
  other.link("noise.field", "beat.phase");
  const std::string errors = other.run("beat.activation").errors;
  EXPECT_NE(errors.find("'phase' has"), std::string::npos) << errors;
  EXPECT_NE(errors.find("make it on this body"), std::string::npos) << errors;
  TestGraph frames = bar();
  frames.node("ball", "mesh.sphere")
      .node("frames", "field.frames")
      .link("ball.mesh", "frames.body");
  frames.link("frames.frames", "beat.frames");
  EXPECT_NE(frames.run("beat.activation").errors.find("'frames' has directions for"),
            std::string::npos);
}

TEST(ProcdefStimulus, RunsThroughTheBodyOnce) {
  TestGraph g = touched();
  g.set("feel.speed", 2).set("feel.period", 0.5);
  const TetMesh solid = g.get<TetMesh>("bar.solid");
  const auto at = [&](int frame, float x) {
    return near(g.get<Field>("feel.signal", frame), solid, {x, 0, 0});
  };
  for (const int frame : {0, 5, 10}) EXPECT_EQ(largest(g.get<Field>("feel.signal", frame)), 0);
  EXPECT_LT(at(12, -1), -0.1f) << "it starts where it was touched";
  EXPECT_EQ(at(12, 1), 0) << "and has not come to the other end";
  EXPECT_LT(at(21, 1), -0.02f);
  EXPECT_EQ(at(21, -1), 0) << "it is over there";
  EXPECT_LT(at(21, 1), 0);
  EXPECT_GT(at(21, 1), at(11, -1)) << "and weaker far away";
  for (const int frame : {31, 50}) EXPECT_EQ(largest(g.get<Field>("feel.signal", frame)), 0);
}

TEST(ProcdefStimulus, AddsToAnActivation) {
  TestGraph g = touched();
  g.link("beat.activation", "feel.activation");
  const Activation a = g.get<Activation>("feel.activation", 12);
  EXPECT_EQ(a.responses.size(), 1u);
  EXPECT_EQ(a.pattern, g.get<Activation>("beat.activation", 12).pattern);
  EXPECT_EQ(g.get<Field>("feel.signal", 8), g.get<Field>("beat.signal", 8));
  EXPECT_NE(g.get<Field>("feel.signal", 12), g.get<Field>("beat.signal", 12));
  // A delay of the activation does not delay the touch.
  g.set("beat.delay", 3).set("beat.amplitude", 0);
  EXPECT_EQ(largest(g.get<Field>("feel.signal", 10)), 0);
  EXPECT_GT(largest(g.get<Field>("feel.signal", 12)), 0.1f);
  // Two stimuli in a row both act.
  g.node("again", "procdef.stimulus").link("bar.solid", "again.body");
  g.link("feel.activation", "again.activation");
  EXPECT_EQ(g.get<Activation>("again.activation", 12).responses.size(), 2u);
  EXPECT_EQ(g.get<Field>("again.signal", 12), g.get<Field>("feel.signal", 12));
}

TEST(ProcdefStimulus, AListThatGrowsCostsOnlyWhatIsNew) {
  TestGraph g = touched();
  const Activation one = g.get<Activation>("feel.activation", 12);
  g.set("feel.touches", Json::parse(R"([{"frame": 10, "at": [-1, 0, 0]},
      {"frame": 14, "at": [1, 0, 0]}, {"frame": 30, "at": [-1, 0, 0]}])"));
  const std::vector<Touch> more = g.get<Activation>("feel.activation", 12).responses[0].touches;
  ASSERT_EQ(more.size(), 3u);
  EXPECT_EQ(more[0].distance, one.responses[0].touches[0].distance);
  EXPECT_EQ(more[2].distance, more[0].distance);
  EXPECT_NE(more[1].distance, more[0].distance);
  EXPECT_DOUBLE_EQ(more[1].start, 0.7);
}

TEST(ProcdefStimulus, OtherPartsRest) {
  TestGraph g;
  g.node("left", "mesh.sphere", {{"radius", 0.2}}).node("right", "mesh.sphere", {{"radius", 0.2}});
  g.node("move", "mesh.transform", {{"translate", {1, 0, 0}}}).link("right.mesh", "move.mesh");
  g.node("both", "mesh.merge").link("left.mesh", "both.meshes").link("move.mesh", "both.meshes");
  g.node("feel", "procdef.stimulus",
         {{"touches", Json::parse(R"([{"frame": 0, "at": [-0.2, 0, 0]}])")}, {"damping", 1}});
  g.link("both.mesh", "feel.body");
  const Mesh mesh = g.get<Mesh>("both.mesh");
  bool moved = false;
  for (int frame = 1; frame < 50; frame += 3) {
    const Field signal = g.get<Field>("feel.signal", frame);
    for (std::size_t v = 0; v < mesh.vertex_count(); ++v) {
      if (mesh.positions[v].x() > 0.5f) {
        ASSERT_EQ(signal.at(v), 0);
      }
      moved |= signal.at(v) < -0.1f;
    }
  }
  EXPECT_TRUE(moved);
}

TEST(ProcdefStimulus, WarnsAndExplains) {
  TestGraph g = touched(R"([{"frame": 10, "at": [-3, 0, 0]}])");
  EXPECT_NE(g.run("feel.activation", 12).warnings.find("2 m beside the body"), std::string::npos)
      << g.run("feel.activation", 12).warnings;
  EXPECT_GT(largest(g.get<Field>("feel.signal", 12)), 0.1f);
  g.node("frames", "field.frames").link("bar.solid", "frames.body");
  g.link("frames.frames", "feel.frames").link("beat.activation", "feel.activation");
  EXPECT_NE(g.run("feel.activation").warnings.find("'frames' is not used"), std::string::npos);
  TestGraph other = touched();
  other.node("ball", "mesh.sphere").node("more", "procdef.activation");
  other.link("ball.mesh", "more.body").link("more.activation", "feel.activation");
  EXPECT_NE(other.run("feel.activation").errors.find("'activation' is for"), std::string::npos);
}

TEST(ProcdefStimulus, FeelsIfItIsTold) {
  TestGraph g = touched("[]");
  EXPECT_FALSE(g.get<Activation>("feel.activation").responses[0].pattern->feels);
  g.set("feel.feels", true).set("feel.rest", 0.25);
  const Activation a = g.get<Activation>("feel.activation");
  EXPECT_TRUE(a.responses[0].pattern->feels);
  EXPECT_EQ(a.responses[0].pattern->rest, 0.25);
  EXPECT_TRUE(a.responses[0].touches.empty());
}

TEST(TouchesValue, AsJson) {
  const Json full = Json::parse(
      R"([{"frame": 12, "at": [0.1, 0.5, 0.0]}, {"frame": -3, "at": [1.0, 2.0, 3.0]}])");
  const Result<Touches> touches = touches_from_json(full);
  ASSERT_TRUE(static_cast<bool>(touches)) << touches.error();
  EXPECT_EQ(touches_to_json(*touches), full);
  EXPECT_EQ(*touches_from_json(touches_to_json(*touches)), *touches);
  EXPECT_EQ(touches_to_json(*touches_from_json(Json::array())), Json::array());
  EXPECT_EQ(touches_from_json(Json::parse(R"([{"frame": 4.0, "at": [0, 0, 0]}])"))->list[0].frame,
            4);
  const Value value = Value::of(*touches);
  EXPECT_EQ(value.type()->describe(value.data()),
            Json::parse(R"({"touches": 2, "frames": {"min": -3, "max": 12}})"));
}

TEST(TouchesValue, WrongOnesAreExplained) {
  const std::pair<const char*, const char*> cases[] = {
      {R"("text")", "touches are a list"},
      {R"({"frame": 1, "at": [0, 0, 0]})", "touches are a list"},
      {R"([3])", "touch 1: it is not"},
      {R"([{"frame": 1}])", "touch 1: it is not"},
      {R"([{"frame": 1, "at": [0, 0, 0]}, {"at": [0, 0, 0]}])", "touch 2: it is not"},
      {R"([{"frame": 1.5, "at": [0, 0, 0]}])", "whole number"},
      {R"([{"frame": "1", "at": [0, 0, 0]}])", "whole number"},
      {R"([{"frame": 1e12, "at": [0, 0, 0]}])", "frame must be from"},
      {R"([{"frame": 1e300, "at": [0, 0, 0]}])", "frame must be from"},
      {R"([{"frame": 1, "at": [0, 0]}])", "not [x, y, z]"},
      {R"([{"frame": 1, "at": [0, 0, true]}])", "not [x, y, z]"},
      {R"([{"frame": 1, "at": [0, 0, 1e30]}])", "within"},
      {R"([{"frame": 1, "at": [0, 0, 1], "radius": 1}])", "'radius'"},
  };
  for (const auto& [text, wanted] : cases) {
    const Result<Touches> touches = touches_from_json(Json::parse(text));
    ASSERT_FALSE(static_cast<bool>(touches)) << text;
    EXPECT_NE(touches.error().find(wanted), std::string::npos) << touches.error();
  }
  Json many = Json::array();
  for (int i = 0; i < 1001; ++i) many.push_back({{"frame", i}, {"at", {0, 0, 0}}});
  EXPECT_FALSE(static_cast<bool>(touches_from_json(many)));
}

TEST(ActivationValue, TellsItsFacts) {
  TestGraph g = touched();
  const Value value = g.run("feel.activation", 10).value;
  const Json facts = value.type()->describe(value.data());
  EXPECT_EQ(facts["count"], g.get<TetMesh>("bar.solid").vertex_count());
  EXPECT_EQ(facts["time"], 0.5);
  EXPECT_EQ(facts["touches"], 1);
  EXPECT_EQ(facts["primary"], Json::parse(R"({"min": 1.0, "max": 1.0})"));
}

TEST(ActivationValue, IsSeenAsItsSignal) {
  TestGraph g = bar();
  const Value body = g.run("bar.solid").value;
  const Value activation = g.run("beat.activation", 10).value;
  const draw::DrawList list = seen(shown(activation, body));
  ASSERT_EQ(list.meshes.size(), 1u);
  ASSERT_EQ(list.scales.size(), 1u);
  const draw::DrawList as_field = seen(shown(g.run("beat.signal", 10).value, body));
  EXPECT_EQ(list.scales[0].map, as_field.scales[0].map);
  const std::span<const float> values = list.meshes[0].values;
  ASSERT_EQ(values.size(), body.as<TetMesh>().vertex_count());
  for (const float v : values) EXPECT_NEAR(v, 1 / 1.5 - 1, 1e-5);
  EXPECT_NE(refusal(shown(activation, Value::of(kernels::make_box({})))).find("its body has 8"),
            std::string::npos);
}

}  // namespace
}  // namespace sinew::testing
