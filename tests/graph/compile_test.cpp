// What a graph says about itself before anything runs, and how groups are expanded.
#include <gtest/gtest.h>

#include "tests/graph/test_nodes.h"

namespace sinew {
namespace {

using namespace testing;

std::vector<std::string> texts(const GraphDoc& doc) {
  std::vector<std::string> list;
  for (const NodeMessage& m : CompiledGraph::compile(doc, test_registry())->messages())
    list.push_back(m.path + ": " + m.message.text);
  return list;
}
using Texts = std::vector<std::string>;

TEST(StaticChecks, TypeMismatch) {
  GraphDoc doc;
  Builder(doc).node("t", "test.text").node("a", "test.add").link("t.out -> a.a");
  EXPECT_EQ(texts(doc), Texts{"a: input 'a' wants a float, but 't.out' gives a string"});
}

// What comes out of a generic socket has the type of what came in, if that is one of those it
// takes.
TEST(StaticChecks, AnOutputOfTheTypeThatCameIn) {
  GraphDoc doc;
  Builder(doc)
      .node("t", "test.text")
      .node("n", "test.number")
      .node("text", "test.same")
      .node("number", "test.same")
      .node("a", "test.add")
      .link("t.out -> text.x")
      .link("n.out -> number.x")
      .link("number.out -> a.a");
  EXPECT_EQ(texts(doc), Texts());
  Runner runner;
  EXPECT_EQ(runner.number(doc, "number.out"), 2);
  EXPECT_EQ(runner.run(doc, "text.out").targets[0].value.as<std::string>(), "hello!");
  Builder(doc).link("text.out -> a.b").node("alone", "test.same");
  EXPECT_EQ(texts(doc), (Texts{"a: input 'b' wants a float, but 'text.out' gives a string",
                               "alone: input 'x' is empty; link a float to it"}));
}

TEST(StaticChecks, MissingInputAndUnknownNames) {
  GraphDoc doc;
  Builder(doc)
      .node("s", "test.scale", {{"factr", 3}})
      .node("a", "test.add")
      .link("s.result -> a.a")
      .link("s.out -> a.c")
      .link("ghost.out -> a.b");
  EXPECT_EQ(texts(doc),
            (Texts{"s: input 'x' is empty; link a float to it",
                   "s: it has no input 'factr'; the value is kept but has no effect",
                   "a: it has no input 'c' for the link s.out -> a.c",
                   "a: the link ghost.out -> a.b has no end: there is no such node 'ghost'",
                   "a: input 'a' is linked to 's.result', but there is no such output"}));
}

TEST(StaticChecks, LiteralsOutOfRangeOrOfTheWrongKind) {
  GraphDoc doc;
  Builder(doc)
      .node("n", "test.number", {{"x", "seven"}})
      .node("s", "test.scale", {{"factor", 11}})
      .node("slow", "test.slow", {{"milliseconds", 1.5}})
      .link("n.out -> s.x");
  EXPECT_EQ(texts(doc), (Texts{"n: 'x': \"seven\" is not a number",
                               "s: 'factor': 11 is out of range; it goes from 0 to 10",
                               "slow: 'milliseconds': 1.5 is not a whole number of at most "
                               "2147483647"}));
}

TEST(StaticChecks, Cycles) {
  GraphDoc doc;
  Builder(doc)
      .node("a", "test.add")
      .node("b", "test.add")
      .node("c", "test.add")
      .node("behind", "test.add")
      .node("free", "test.number")
      .link("a.out -> b.a")
      .link("b.out -> c.a")
      .link("c.out -> a.a")
      .link("c.out -> behind.a");
  const Texts list = texts(doc);
  ASSERT_EQ(list.size(), 3u) << ::testing::PrintToString(list);
  EXPECT_EQ(list[0], "a: it is part of a cycle, b -> c -> a -> b; remove one of its links");
  // The rest of the graph works.
  Runner runner;
  EXPECT_EQ(runner.number(doc, "free.out"), 1);
  runner.run(doc, "behind.out");
  EXPECT_TRUE(runner.last.failed());
}

TEST(StaticChecks, MoreThanOneLinkIntoOneInput) {
  GraphDoc doc;
  Builder(doc)
      .node("n", "test.number")
      .node("a", "test.add")
      .link("n.out -> a.a")
      .link("n.out -> a.a");
  EXPECT_EQ(texts(doc), Texts{"a: input 'a' has more than one link; it takes one"});
}

TEST(StaticChecks, UnknownTypesBlockOnlyWhatIsBehindThem) {
  GraphDoc doc;
  Builder(doc)
      .node("u", "future.thing", {{"strength", 3}})
      .node("n", "test.number")
      .node("a", "test.add")
      .link("n.out -> u.anything")
      .link("u.whatever -> a.a");
  EXPECT_EQ(texts(doc), Texts{"u: this build does not know the type 'future.thing'; the node is "
                              "kept as it is"});
  Runner runner;
  EXPECT_EQ(runner.number(doc, "n.out"), 1);
  runner.run(doc, "a.out");
  ASSERT_EQ(runner.last.messages(*runner.graph).size(), 2u);
  EXPECT_EQ(runner.last.messages(*runner.graph)[1].message.text,
            "it waits for 'u' (future.thing), which has an error");
}

TEST(StaticChecks, MissingFiles) {
  GraphDoc doc;
  Builder(doc).node("f", "test.file", {{"file", "nowhere.txt"}}).node("g", "test.file");
  const auto list = CompiledGraph::compile(doc, test_registry())->missing_files("/tmp");
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[0].message.text, "'file': there is no file 'nowhere.txt'");
  EXPECT_EQ(list[1].message.text, "'file' names no file");
}

// A group that adds 'amount' to its input and doubles it.
GraphDoc with_group() {
  GraphDoc doc;
  GroupDoc& group = doc.groups["twice"];
  group.inputs = {{"value", "Value", "float", nullptr, "", Json::object()},
                  {"amount", "Amount", "float", 5, "", Json::object()}};
  group.outputs = {{"result", "", "float", nullptr, "", Json::object()}};
  Builder(doc, "twice")
      .node("in", "group.input")
      .node("out", "group.output")
      .node("plus", "test.add")
      .node("double", "test.scale", {{"factor", 2}})
      .link("in.value -> plus.a")
      .link("in.amount -> plus.b")
      .link("plus.out -> double.x")
      .link("double.out -> out.result");
  Builder(doc)
      .node("n", "test.number", {{"x", 1}})
      .group_node("g", "twice")
      .group_node("h", "twice", {{"amount", 7}})
      .node("sum", "test.sum")
      .link("n.out -> g.value")
      .link("n.out -> h.value")
      .link("g.result -> sum.many")
      .link("h.result -> sum.many");
  return doc;
}

TEST(Groups, AnInstanceIsANode) {
  Runner runner;
  const GraphDoc doc = with_group();
  EXPECT_EQ(texts(doc), Texts{});
  EXPECT_EQ(runner.number(doc, "g.result"), 12);
  EXPECT_EQ(runner.number(doc, "h.result"), 16);
  EXPECT_EQ(runner.number(doc, "sum.out"), 136);
  EXPECT_EQ(runner.number(doc, "h/plus.out"), 8);  // its insides can be looked at
}

TEST(Groups, InstancesWithTheSameValuesShare) {
  Runner runner;
  GraphDoc doc = with_group();
  set_param(doc, "h", "amount", 5);
  run_counts().reset();
  EXPECT_EQ(runner.number(doc, "sum.out"), 132);
  EXPECT_EQ(run_counts().of("test.scale"), 1);
}

TEST(Groups, AnUnsetInputLeavesTheInnerStandard) {
  Runner runner;
  GraphDoc doc = with_group();
  std::erase_if(doc.graph.links, [](const LinkDoc& l) { return l.to.node == "g"; });
  EXPECT_EQ(texts(doc), Texts{});
  EXPECT_EQ(runner.number(doc, "g.result"), 10);  // plus.a stands at 0
}

TEST(Groups, AMutedInstanceHandsOnItsFirstFittingInput) {
  Runner runner;
  GraphDoc doc = with_group();
  for (NodeDoc& n : doc.graph.nodes) n.muted = n.id == "h";
  run_counts().reset();
  EXPECT_EQ(runner.number(doc, "h.result"), 1);
  EXPECT_EQ(run_counts().of("test.scale"), 0);
  EXPECT_EQ(runner.number(doc, "g.result"), 12);
}

TEST(Groups, BadSocketsAreToldBeforeAnythingRuns) {
  GraphDoc doc = with_group();
  doc.groups["twice"].inputs[1].standard = "abc";
  doc.groups["twice"].outputs[0].type = "flaot";
  EXPECT_EQ(texts(doc)[0],
            "g: the standard value of socket 'amount' of group 'twice': \"abc\" is not a number");
  EXPECT_EQ(texts(doc)[1],
            "g: socket 'result' of group 'twice' has a type that this build does not know: "
            "'flaot'");
}

TEST(StaticChecks, AnimationsThatCannotBe) {
  GraphDoc doc;
  Builder(doc)
      .node("a", "test.number", {{"x", {{"animate", 3}, {"more", 1}}}})
      .node("t", "test.text", {{"text", {{"animate", 3}}}})
      .node("p", "test.pick");
  EXPECT_EQ(texts(doc), (Texts{"a: 'x': \"animate\" must stand alone",
                               "t: 'text': a string cannot follow a chart",
                               "p: it has nothing to choose from; link a value to 'a'"}));
}

TEST(Groups, NestAndSayWhereAnErrorIs) {
  GraphDoc doc = with_group();
  GroupDoc& outer = doc.groups["outer"];
  outer.outputs = {{"result", "", "float", nullptr, "", Json::object()}};
  Builder(doc, "outer")
      .node("out", "group.output")
      .node("bad", "test.fail")
      .group_node("inner", "twice")
      .link("bad.out -> inner.value")
      .link("inner.result -> out.result");
  Builder(doc).group_node("o", "outer");
  Runner runner;
  runner.run(doc, "o.result");
  const auto messages = runner.last.messages(*runner.graph);
  ASSERT_FALSE(messages.empty());
  EXPECT_EQ(messages[0].path, "o/bad");
}

TEST(Groups, RecursionAndExplosionAreRefused) {
  GraphDoc doc;
  Builder(doc, (doc.groups["a"], "a")).group_node("x", "b");
  Builder(doc, (doc.groups["b"], "b")).group_node("y", "a");
  Builder(doc).group_node("start", "a").group_node("none", "missing");
  EXPECT_EQ(texts(doc), (Texts{"none: there is no group 'missing' in this document",
                               "start/x/y: group 'a' contains itself; take this instance out"}));

  GraphDoc bomb;  // 10 instances of 10 instances of ...: 10^20 nodes
  for (int level = 0; level < 20; ++level) {
    const std::string name = "level" + std::to_string(level);
    bomb.groups[name];
    Builder b(bomb, name);
    for (int i = 0; i < 10; ++i)
      b.group_node("n" + std::to_string(i), "level" + std::to_string(level + 1));
  }
  Builder(bomb).group_node("start", "level0");
  EXPECT_EQ(texts(bomb), Texts{": with its groups expanded the graph has more than 200000 nodes"});
}

TEST(Groups, OverridesReachInside) {
  const GraphDoc doc = with_group();
  CompileOptions options;
  options.overrides["h/double.factor"] = 3;
  const GraphPtr graph = CompiledGraph::compile(doc, test_registry(), options);
  Evaluator evaluator;
  const std::vector<Target> targets{*graph->find_output("g.result"),
                                    *graph->find_output("h.result")};
  const Evaluation e = evaluator.evaluate(*graph, targets, {});
  EXPECT_EQ(e.targets[0].value.as<float>(), 12);
  EXPECT_EQ(e.targets[1].value.as<float>(), 24);
}

TEST(Targets, ViewersElseTheEnds) {
  GraphDoc doc = with_group();
  GraphPtr graph = CompiledGraph::compile(doc, test_registry());
  EXPECT_EQ(graph->default_targets(), std::vector<Target>{*graph->find_output("sum.out")});
  Builder(doc).node("v", "view").link("g.result -> v.value");
  graph = CompiledGraph::compile(doc, test_registry());
  EXPECT_EQ(graph->default_targets(), std::vector<Target>{*graph->find_output("v.value")});
  EXPECT_EQ(graph->find_output("v.nothing").error(),
            "node 'v' (view) has no output 'nothing'; it has value");
  EXPECT_EQ(graph->find_output("w").error(), "there is no node 'w'");
}

}  // namespace
}  // namespace sinew
