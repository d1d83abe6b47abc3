#include "tests/nodes/harness.h"

namespace sinew::testing {
namespace {

NodeReport::Fate fate(const Outcome& outcome, const TestGraph& g, const std::string& id) {
  const GraphPtr graph = CompiledGraph::compile(g.doc, all_nodes());
  for (const NodeReport& report : outcome.evaluation.nodes) {
    if (graph->node(report.node).path == id) return report.fate;
  }
  return NodeReport::Fate::idle;
}

TEST(FlowNodes, SwitchRunsOnlyTheChosenBranch) {
  TestGraph g;
  g.node("box", "mesh.box")
      .node("ball", "mesh.sphere")
      .node("choice", "value.int", {{"value", 1}})
      .node("pick", "switch")
      .link("box.mesh", "pick.a")
      .link("ball.mesh", "pick.b")
      .link("choice.value", "pick.index");
  const Outcome second = g.run("pick.value");
  EXPECT_EQ(fate(second, g, "box"), NodeReport::Fate::idle);
  EXPECT_EQ(fate(second, g, "ball"), NodeReport::Fate::ran);
  EXPECT_TRUE(second.value.shares(g.run("ball.mesh").value));
  const Outcome first = g.set("choice.value", 0).run("pick.value");
  EXPECT_EQ(fate(first, g, "box"), NodeReport::Fate::ran);
  EXPECT_EQ(fate(first, g, "ball"), NodeReport::Fate::idle);
}

TEST(FlowNodes, SwitchClampsAndNamesAnEmptyChoice) {
  TestGraph g;
  g.node("box", "mesh.box")
      .node("choice", "value.int", {{"value", -5}})
      .node("pick", "switch")
      .link("box.mesh", "pick.a")
      .link("choice.value", "pick.index");
  EXPECT_TRUE(g.run("pick.value").value.is<Mesh>());
  EXPECT_NE(g.set("choice.value", 77).run("pick.value").errors.find("'d', which is empty"),
            std::string::npos);
}

TEST(FlowNodes, RerouteAndViewHandOnTheValueItself) {
  TestGraph g;
  g.node("box", "mesh.box")
      .node("bend", "reroute")
      .node("show", "view")
      .node("fine", "mesh.subdivide")
      .link("box.mesh", "bend.value")
      .link("bend.value", "show.value")
      .link("show.value", "fine.mesh");
  EXPECT_TRUE(g.run("show.value").value.shares(g.run("box.mesh").value));
  EXPECT_EQ(g.get<Mesh>("fine.mesh").triangle_count(), 48u);
}

TEST(FlowNodes, ARerouteHasTheTypeOfWhatItLeads) {
  TestGraph g;
  g.node("number", "value.float")
      .node("bend", "reroute")
      .node("fine", "mesh.subdivide")
      .link("number.value", "bend.value")
      .link("bend.value", "fine.mesh");
  EXPECT_NE(g.run("fine.mesh").errors, "");
}

TEST(FlowNodes, TheViewIsWhatIsEvaluatedByDefault) {
  TestGraph g;
  g.node("box", "mesh.box")
      .node("ball", "mesh.sphere")
      .node("show", "view")
      .link("box.mesh", "show.value");
  const GraphPtr graph = CompiledGraph::compile(g.doc, all_nodes());
  const std::vector<Target> targets = graph->default_targets();
  ASSERT_EQ(targets.size(), 1u);
  EXPECT_EQ(graph->node(targets[0].node).path, "show");
}

TEST(FlowNodes, NotesSayNothing) {
  TestGraph g;
  g.node("note", "note", {{"text", "mind the gap"}}).node("box", "mesh.box");
  EXPECT_EQ(g.run("box.mesh").errors, "");
}

TEST(FlowNodes, AGroupIsANode) {
  GroupDoc group;
  group.inputs = {{"shape", "", "mesh", Json(), "What to puff up.", Json::object()},
                  {"amount", "", "float", 0.5, "How far.", Json::object()}};
  group.outputs = {{"mesh", "", "mesh", Json(), "", Json::object()}};
  TestGraph inner;
  inner.node("in", "group.input")
      .node("push", "mesh.displace")
      .node("out", "group.output")
      .link("in.shape", "push.mesh")
      .link("in.amount", "push.distance")
      .link("push.mesh", "out.mesh");
  group.graph = inner.doc.graph;

  TestGraph g;
  g.doc.groups["puff"] = group;
  g.node("ball", "mesh.sphere", {{"detail", 8}})
      .node("first", "group")
      .node("second", "group", {{"amount", 0.25}})
      .link("ball.mesh", "first.shape")
      .link("first.mesh", "second.shape");
  for (NodeDoc& n : g.doc.graph.nodes) {
    if (n.type == "group") n.group = "puff";
  }
  for (const Vec3f& p : g.get<Mesh>("first.mesh").positions) EXPECT_NEAR(p.norm(), 1, 2e-3f);
  for (const Vec3f& p : g.get<Mesh>("second.mesh").positions) EXPECT_NEAR(p.norm(), 1.25f, 4e-3f);
}

}  // namespace
}  // namespace sinew::testing
