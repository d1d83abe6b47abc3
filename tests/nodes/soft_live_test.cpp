// Soft bodies on the live clock: what changes between two steps acts at the next one, nothing is
// restarted, and what was done can be written down and played again.
#include "graph/commands.h"
#include "graph/live_recorder.h"
#include "tests/nodes/harness.h"

namespace sinew::testing {
namespace {

Json chart(double shortest) {
  return {{"points", {{0, 1}, {0.5, shortest}}}, {"extension", "cyclic"}, {"period", 1}};
}
// Along the upper side, as strong as `value`.
Json strokes(double value) {
  return Json::array(
      {{{"points", {{-0.5, 0.1, 0}, {0.5, 0.1, 0}}}, {"radius", 0.3}, {"value", value}}});
}

// A bar that contracts where it is painted, with what artists change while it plays.
TestGraph bar() {
  TestGraph g;
  g.node("bar", "tet.box",
         {{"size", {1, 0.2, 0.2}}, {"cells_x", 8}, {"cells_y", 2}, {"cells_z", 2}});
  g.node("paint", "paint.field", {{"kind", "amplitude"}, {"strokes", strokes(1)}});
  g.node("beat", "procdef.activation", {{"primary", chart(0.8)}, {"period", 0.8}});
  g.node("soft", "sim.shape_match", {{"stiffness", 4}, {"gravity", {0, -1, 0}}});
  g.link("bar.solid", "paint.mesh").link("bar.solid", "beat.body");
  g.link("paint.field", "beat.amplitude");
  g.link("bar.solid", "soft.solid").link("beat.activation", "soft.activation");
  return g;
}

class LivePlayer {
 public:
  TetMesh tick(TestGraph& g, bool advance = true) {
    const GraphPtr graph = CompiledGraph::compile(g.doc, all_nodes());
    const Target targets[] = {*graph->find_output("soft.solid")};
    if (advance) ++g.context.frame;
    const Evaluation result = evaluator_.evaluate_live(*graph, targets, g.context, live_, advance);
    steps = result.steps;
    for (const NodeMessage& m : result.messages(*graph))
      EXPECT_TRUE(expected != "" && m.message.text.find(expected) != std::string::npos)
          << m.message.text;
    return result.targets[0].value.as<TetMesh>();
  }
  int steps = 0;
  std::string expected;  // in what it says; empty: it says nothing

 private:
  Evaluator evaluator_;
  LiveState live_;
};

struct Change {
  int frame;
  std::string node, input;
  Json value;
};
// A chart point, a painted stroke, a force, a grip of the hand, and back.
std::vector<Change> changes() {
  return {{6, "beat", "primary", chart(0.5)},   {9, "paint", "strokes", strokes(-1)},
          {13, "soft", "gravity", {0.5, 1, 0}}, {15, "soft", "grab_to", {0.7, 0.3, 0}},
          {15, "soft", "grab", true},           {19, "soft", "grab", false},
          {22, "soft", "stiffness", 12}};
}

bool same(const TetMesh& a, const TetMesh& b) { return a.positions == b.positions; }

TEST(SoftLive, AChangeActsAtTheNextStepWithoutARestart) {
  for (const Change& change : changes()) {
    if (change.value == Json(false)) continue;  // lets go what nobody holds
    TestGraph plain = bar(), changed = bar();
    if (change.input == "grab_to") changed.set("soft.grab", true), plain.set("soft.grab", true);
    LivePlayer a, b;
    a.tick(plain, false);
    b.tick(changed, false);
    for (int f = 1; f < change.frame; ++f) {
      ASSERT_TRUE(same(a.tick(plain), b.tick(changed))) << change.input << f;
    }
    changed.set(change.node + "." + change.input, change.value);
    const TetMesh before = a.tick(plain, false);
    const TetMesh one = a.tick(plain), other = b.tick(changed);
    EXPECT_EQ(b.steps, 1) << change.input;
    EXPECT_FALSE(same(one, other)) << change.input;
    // It went on from where it was: nearer to that than to a body that starts anew.
    double moved = 0;
    for (size_t i = 0; i < other.vertex_count(); ++i) {
      moved = std::max<double>(moved, (other.positions[i] - before.positions[i]).norm());
    }
    EXPECT_LT(moved, 0.2) << change.input;
  }
}

TEST(SoftLive, RecordedChangesPlayTheSameOnTheTimeline) {
  TestGraph g = bar();
  LivePlayer live;
  LiveRecorder recorder;
  const auto value_of = [](const Change& c, const Json& json) {
    const NodeType* type = all_nodes().find(c.node == "beat"    ? "procdef.activation"
                                            : c.node == "paint" ? "paint.field"
                                                                : "sim.shape_match");
    return *type->inputs[static_cast<size_t>(type->find_input(c.input))].type->from_json(json);
  };
  const auto first = [&](const Change& c) -> Json {
    for (const NodeDoc& n : g.doc.graph.nodes) {
      if (n.id == c.node && n.params.contains(c.input)) return n.params.at(c.input);
    }
    return c.input == "grab" ? Json(false) : Json({0, 0, 0});
  };
  for (const Change& c : changes()) recorder.begin(c.node, c.input, 0, value_of(c, first(c)));
  std::vector<TetMesh> seen = {live.tick(g, false)};
  for (int f = 1; f <= 30; ++f) {
    for (const Change& c : changes()) {
      if (c.frame != f) continue;
      g.set(c.node + "." + c.input, c.value);
      recorder.event(c.node, c.input, f, value_of(c, c.value));
    }
    seen.push_back(live.tick(g));
  }
  const Result<Command> command = recorder.to_command(all_nodes(), "");
  ASSERT_TRUE(command) << command.error();
  TestGraph recorded = bar();
  for (const Edit& edit : command->edits) {
    const auto& set = std::get<edit::SetParam>(edit);
    recorded.set(set.node + "." + set.input, *set.value);
  }
  for (const int f : {30, 5, 17, 0, 29, 14, 9}) {
    const Outcome outcome = recorded.run("soft.solid", f);
    ASSERT_EQ(outcome.errors, "");
    EXPECT_TRUE(same(outcome.as<TetMesh>(), seen[static_cast<size_t>(f)])) << f;
  }
}

// A finer solid under a body that plays: seen at rest until the next step, then it goes on.
TEST(SoftLive, AnotherSolidBeginsAnew) {
  for (const char* type : {"sim.shape_match", "sim.crowd"}) {
    TestGraph g = bar();
    g.doc.graph.nodes.back().type = type;
    LivePlayer live;
    live.tick(g, false);
    const size_t before = live.tick(g).vertex_count();
    g.set("bar.cells_x", 12);
    live.expected = "it begins anew";
    const TetMesh seen = live.tick(g, false);
    EXPECT_FALSE(validate(seen).has_value());
    EXPECT_GT(seen.vertex_count(), before);
    EXPECT_EQ(live.tick(g).vertex_count(), seen.vertex_count());
  }
}

// The same bits played, scrubbed, and on one and two threads.
TEST(SoftLive, ScrubbingAndThreadsChangeNothing) {
  TestGraph played = bar(), scrubbed = bar();
  EvaluatorOptions one;
  one.threads = 1;
  scrubbed.evaluator = std::make_shared<Evaluator>(one);
  std::vector<TetMesh> frames;
  for (int f = 0; f <= 40; ++f) frames.push_back(played.get<TetMesh>("soft.solid", f));
  EXPECT_FALSE(same(frames[0], frames[40]));
  for (const int f : {31, 40, 2, 39, 0, 17, 18, 16, 40}) {
    EXPECT_TRUE(same(scrubbed.get<TetMesh>("soft.solid", f), frames[static_cast<size_t>(f)])) << f;
  }
}

}  // namespace
}  // namespace sinew::testing
