// Keys and the cache, seen through counts: what ran, what was a hit. Never through time.
#include "graph/evaluator.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "tests/graph/test_nodes.h"

namespace sinew {
namespace {

using namespace testing;

// Two branches that meet: left = 1 + 2, right = 10 + 20, total = left + right.
GraphDoc two_branches() {
  GraphDoc doc;
  Builder(doc)
      .node("l1", "test.number", {{"x", 1}})
      .node("l2", "test.add", {{"b", 2}})
      .node("r1", "test.number", {{"x", 10}})
      .node("r2", "test.add", {{"b", 20}})
      .node("total", "test.add")
      .link("l1.out -> l2.a")
      .link("r1.out -> r2.a")
      .link("l2.out -> total.a")
      .link("r2.out -> total.b");
  return doc;
}

TEST(Evaluator, OneParameterReRunsOnlyItsDependants) {
  Runner runner;
  GraphDoc doc = two_branches();
  EXPECT_EQ(runner.number(doc, "total.out"), 33);
  EXPECT_EQ(runner.last.runs, 5);

  set_param(doc, "r1", "x", 11);
  EXPECT_EQ(runner.number(doc, "total.out"), 34);
  EXPECT_EQ(runner.last.runs, 3);  // r1, r2, total
  EXPECT_EQ(runner.last.hits, 1);  // l2 is asked for; l1 behind it need not be

  set_param(doc, "total", "a", 99);  // covered by a link: no effect
  EXPECT_EQ(runner.number(doc, "total.out"), 34);
  EXPECT_EQ(runner.last.runs, 0);
}

TEST(Evaluator, GoingBackIsAllHits) {
  Runner runner;
  GraphDoc doc = two_branches();
  runner.number(doc, "total.out");
  const Key before = runner.last.targets[0].key;
  set_param(doc, "l1", "x", 5);
  runner.number(doc, "total.out");
  EXPECT_NE(runner.last.targets[0].key, before);
  set_param(doc, "l1", "x", 1.0);  // 1 and 1.0 are one value
  EXPECT_EQ(runner.number(doc, "total.out"), 33);
  EXPECT_EQ(runner.last.runs, 0);
  EXPECT_EQ(runner.last.targets[0].key, before);
  set_param(doc, "l1", "x", -0.0);
  runner.number(doc, "total.out");
  set_param(doc, "l1", "x", 0.0);
  runner.number(doc, "total.out");
  EXPECT_EQ(runner.last.runs, 0);
}

TEST(Evaluator, TwinsShare) {
  Runner runner;
  GraphDoc doc;
  Builder b(doc);
  b.node("sum", "test.sum");
  for (int i = 0; i < 8; ++i) {
    const std::string id = "twin" + std::to_string(i);
    b.node(id, "test.warn", {{"x", 3}}).link(id + ".out -> sum.many");
  }
  run_counts().reset();
  EXPECT_EQ(runner.number(doc, "sum.out"), 33333333);
  EXPECT_EQ(run_counts().of("test.warn"), 1);
  // Each twin still says what it has to say.
  EXPECT_EQ(runner.last.messages(*runner.graph).size(), 8u);
}

TEST(Evaluator, KeysIgnoreIdsAndPlaces) {
  Runner one, two;
  GraphDoc doc = two_branches(), other;
  // The same graph, other names, other order.
  Builder(other)
      .node("sum", "test.add")
      .node("d", "test.add", {{"b", 20}})
      .node("c", "test.number", {{"x", 10}})
      .node("bb", "test.add", {{"b", 2}})
      .node("a", "test.number", {{"x", 1}})
      .link("d.out -> sum.b")
      .link("bb.out -> sum.a")
      .link("c.out -> d.a")
      .link("a.out -> bb.a");
  one.number(doc, "total.out");
  two.number(other, "sum.out");
  EXPECT_EQ(one.last.targets[0].key, two.last.targets[0].key);
  // The same in every process: written down once.
  EXPECT_EQ(one.last.targets[0].key.hex(), "be592d3cf78ba74bfeedb5bb26a075e4");
}

TEST(Evaluator, PassThroughForwards) {
  Runner runner;
  GraphDoc doc;
  Builder(doc)
      .node("n", "test.number", {{"x", 4}})
      .node("r", "reroute")
      .node("v", "view")
      .node("p", "test.pass")
      .link("n.out -> r.in")
      .link("r.out -> v.value")
      .link("r.out -> p.x");
  runner.run(doc, "n.out");
  const TargetResult direct = runner.last.targets[0];
  runner.run(doc, "v.value");
  EXPECT_EQ(runner.last.targets[0].key, direct.key);
  EXPECT_TRUE(runner.last.targets[0].value.shares(direct.value));
  // A node that hands its input on shares the value, though it has a key of its own.
  runner.run(doc, "p.out");
  EXPECT_TRUE(runner.last.targets[0].value.shares(direct.value));
}

TEST(Evaluator, MutedNodesForwardWhatTheyCan) {
  Runner runner;
  GraphDoc doc;
  Builder(doc)
      .node("n", "test.number", {{"x", 4}})
      .node("double", "test.scale", {{"factor", 2}})
      .link("n.out -> double.x");
  EXPECT_EQ(runner.number(doc, "double.out"), 8);
  doc.graph.nodes[1].muted = true;
  EXPECT_EQ(runner.number(doc, "double.out"), 4);
}

TEST(Evaluator, OrderOfLinksCountsWhereManyAreTaken) {
  Runner runner;
  GraphDoc doc;
  Builder(doc)
      .node("a", "test.number", {{"x", 1}})
      .node("b", "test.number", {{"x", 2}})
      .node("sum", "test.sum")
      .link("a.out -> sum.many")
      .link("b.out -> sum.many");
  EXPECT_EQ(runner.number(doc, "sum.out"), 12);
  std::swap(doc.graph.links[0], doc.graph.links[1]);
  EXPECT_EQ(runner.number(doc, "sum.out"), 21);
}

TEST(Evaluator, OnlyTheChosenBranchRuns) {
  Runner runner;
  GraphDoc doc;
  Builder(doc)
      .node("a", "test.number", {{"x", 1}})
      .node("b", "test.fail")
      .node("pick", "test.pick", {{"index", 0}})
      .node("which", "test.add")
      .link("a.out -> pick.a")
      .link("b.out -> pick.b");
  run_counts().reset();
  EXPECT_EQ(runner.number(doc, "pick.out"), 1);
  EXPECT_EQ(run_counts().of("test.fail"), 0);
  EXPECT_FALSE(runner.last.failed());
  set_param(doc, "pick", "index", 1);
  EXPECT_TRUE(std::isnan(runner.number(doc, "pick.out")));
  EXPECT_TRUE(runner.last.failed());
}

TEST(Evaluator, AComputedChoiceIsRunFirst) {
  Runner runner;
  GraphDoc doc;
  // Frame 0 takes a, later frames b: the selector is a curve over time behind a node.
  Builder(doc)
      .node("a", "test.number", {{"x", 7}})
      .node("b", "test.frame")
      .node("pick", "test.pick", {{"index", {{"animate", {{"steps", {{0, 0}, {5, 1}}}}}}}})
      .link("a.out -> pick.a")
      .link("b.out -> pick.b");
  EXPECT_EQ(runner.number(doc, "pick.out", 0), 7);
  EXPECT_EQ(runner.number(doc, "pick.out", 6), 6);
}

TEST(Evaluator, ErrorsBelongToANodeAndStopWhatIsBehind) {
  Runner runner;
  GraphDoc doc;
  Builder(doc)
      .node("bad", "test.fail")
      .node("next", "test.add", {{"b", 1}})
      .node("last", "test.add", {{"b", 1}})
      .link("bad.out -> next.a")
      .link("next.out -> last.a");
  run_counts().reset();
  EXPECT_TRUE(std::isnan(runner.number(doc, "last.out")));
  EXPECT_EQ(run_counts().of("test.add"), 0);
  const auto messages = runner.last.messages(*runner.graph);
  ASSERT_EQ(messages.size(), 3u);
  EXPECT_EQ(messages[0].path, "bad");
  EXPECT_EQ(messages[0].message.text, "it always fails");
  EXPECT_EQ(messages[1].path, "next");
  EXPECT_EQ(messages[1].message.text, "it waits for 'bad' (test.fail), which has an error");
  // A failure is remembered like any other result.
  runner.number(doc, "last.out");
  EXPECT_EQ(run_counts().of("test.fail"), 1);
  EXPECT_EQ(runner.last.messages(*runner.graph).size(), 3u);
}

TEST(Evaluator, NotANumberStopsAtItsNode) {
  Runner runner;
  GraphDoc doc;
  Builder(doc).node("n", "test.nan").node("t", "test.throw").node("u", "test.undeclared");
  runner.run(doc, "n.out");
  EXPECT_EQ(runner.last.messages(*runner.graph)[0].message.text,
            "output 'out': the value is not a number");
  runner.run(doc, "t.out");
  EXPECT_EQ(runner.last.messages(*runner.graph)[0].message.text, "thrown on purpose");
  runner.run(doc, "u.out");
  EXPECT_EQ(runner.last.messages(*runner.graph)[0].message.text,
            "test.undeclared reads the frame undeclared");
}

TEST(Evaluator, LinkedValuesAreBroughtIntoRange) {
  Runner runner;
  GraphDoc doc;
  Builder(doc)
      .node("n", "test.number", {{"x", 50}})
      .node("s", "test.scale", {{"x", 3}})
      .node("one", "test.number", {{"x", 1}})
      .link("one.out -> s.x")
      .link("n.out -> s.factor");
  EXPECT_EQ(runner.number(doc, "s.out"), 10);
  EXPECT_EQ(runner.last.messages(*runner.graph)[0].message.text,
            "'factor': 50 is out of range, 10 is used");
}

TEST(Evaluator, AParameterCanFollowAChart) {
  Runner runner;
  GraphDoc doc;
  Builder(doc).node("n", "test.number", {{"x", {{"animate", {{"steps", {{0, 1}, {10, 2}}}}}}}});
  run_counts().reset();
  EXPECT_EQ(runner.number(doc, "n.out", 0), 1);
  EXPECT_EQ(runner.number(doc, "n.out", 9), 1);
  EXPECT_EQ(run_counts().of("test.number"), 1);  // the same value is the same key
  EXPECT_EQ(runner.number(doc, "n.out", 10), 2);
  EXPECT_EQ(run_counts().of("test.number"), 2);
  EXPECT_TRUE(runner.graph->varies(0));
}

TEST(Evaluator, OnlyWhatDependsOnTimeRunsAgain) {
  Runner runner;
  GraphDoc doc = two_branches();
  Builder(doc)
      .node("t", "test.frame")
      .node("sum", "test.add")
      .link("t.out -> sum.a")
      .link("total.out -> sum.b");
  runner.number(doc, "sum.out", 1);
  EXPECT_EQ(runner.number(doc, "sum.out", 2), 35);
  EXPECT_EQ(runner.last.runs, 2);
}

TEST(Evaluator, SeedAndFpsAreInTheKeyOnlyWhereDeclared) {
  Runner runner;
  GraphDoc doc;
  Builder(doc).node("n", "test.number").node("s", "test.seed");
  runner.run(doc, "n.out");
  const Key n = runner.last.targets[0].key;
  runner.run(doc, "s.out");
  const Key s = runner.last.targets[0].key;
  runner.context.seed = 1;
  runner.run(doc, "n.out");
  EXPECT_EQ(runner.last.targets[0].key, n);
  runner.run(doc, "s.out");
  EXPECT_NE(runner.last.targets[0].key, s);
}

TEST(Evaluator, AFileIsItsContent) {
  const auto folder = std::filesystem::temp_directory_path() / "sinew_file_key_test";
  std::filesystem::create_directories(folder);
  auto write = [&](const char* name, const std::string& content) {
    std::ofstream(folder / name) << content;
  };
  write("a.txt", "123");
  write("b.txt", "123");
  Runner runner;
  runner.context.folder = folder;
  GraphDoc doc;
  Builder(doc)
      .node("f", "test.file", {{"file", "a.txt"}})
      .node("name", "test.text", {{"text", "b.txt"}})
      .node("g", "test.file")
      .link("name.out -> g.file");
  run_counts().reset();
  EXPECT_EQ(runner.number(doc, "f.out"), 3);
  EXPECT_EQ(runner.number(doc, "g.out"), 3);
  runner.number(doc, "f.out");
  EXPECT_EQ(run_counts().of("test.file"), 2);
  write("a.txt", "12345");
  EXPECT_EQ(runner.number(doc, "f.out"), 5);
  std::filesystem::remove_all(folder);
}

TEST(Evaluator, TheCacheKeepsToItsBudget) {
  EvaluatorOptions options;
  options.cache_bytes = 20000;
  Runner runner(options);
  GraphDoc doc = two_branches();
  for (int i = 0; i < 1000; ++i) {
    set_param(doc, "l1", "x", i);
    EXPECT_EQ(runner.number(doc, "total.out"), i + 32);
    EXPECT_LE(runner.evaluator.cache().bytes(), 20000u);
  }
  set_param(doc, "l1", "x", 998);  // a moment ago: still there
  runner.number(doc, "total.out");
  EXPECT_EQ(runner.last.runs, 0);
  set_param(doc, "l1", "x", 3);  // long ago: gone, and made again
  runner.number(doc, "total.out");
  EXPECT_GT(runner.last.runs, 0);
}

TEST(Prepared, IsMadeOnceWhileOtherInputsChange) {
  Runner runner;
  GraphDoc doc;
  Builder(doc)
      .node("n", "test.number", {{"x", 5}})
      .node("s", "test.square")
      .link("n.out -> s.base");
  run_counts().reset();
  for (int i = 0; i < 10; ++i) {
    set_param(doc, "s", "plus", i);
    EXPECT_EQ(runner.number(doc, "s.out"), 25 + i);
  }
  EXPECT_EQ(run_counts().of("test.square"), 10);
  EXPECT_EQ(run_counts().of("square.made"), 1);
}

TEST(Prepared, IsMadeAnewWhenTheNamedInputChangesAndKnownWhenItComesBack) {
  Runner runner;
  GraphDoc doc;
  Builder(doc)
      .node("n", "test.number", {{"x", 5}})
      .node("s", "test.square")
      .link("n.out -> s.base");
  run_counts().reset();
  EXPECT_EQ(runner.number(doc, "s.out"), 25);
  set_param(doc, "n", "x", 6);
  EXPECT_EQ(runner.number(doc, "s.out"), 36);
  EXPECT_EQ(run_counts().of("square.made"), 2);
  set_param(doc, "n", "x", 5);
  set_param(doc, "s", "plus", 1);  // the node's own result is new, what it prepared is not
  EXPECT_EQ(runner.number(doc, "s.out"), 26);
  EXPECT_EQ(run_counts().of("square.made"), 2);
}

TEST(Prepared, IsSharedBetweenNodesByNameAndContent) {
  Runner runner;
  GraphDoc doc;
  Builder(doc)
      .node("n", "test.number", {{"x", 7}})
      .node("s", "test.square", {{"plus", 1}})
      .node("t", "test.square", {{"plus", 2}})
      .node("m", "test.mirror", {{"plus", 100}})
      .link("n.out -> s.base")
      .link("n.out -> t.base")
      .link("n.out -> m.base");
  run_counts().reset();
  EXPECT_EQ(runner.number(doc, "s.out"), 50);
  EXPECT_EQ(runner.number(doc, "t.out"), 51);
  EXPECT_EQ(runner.number(doc, "m.out"), 51);
  EXPECT_EQ(run_counts().of("square.made"), 1);
  // Numbers that stand in the nodes are content, too: the same one is the same.
  GraphDoc literal;
  Builder(literal).node("s", "test.square", {{"base", 4}}).node("m", "test.mirror", {{"base", 4}});
  run_counts().reset();
  EXPECT_EQ(runner.number(literal, "s.out"), 16);
  EXPECT_EQ(runner.number(literal, "m.out"), -16);
  EXPECT_EQ(run_counts().of("square.made"), 1);
}

TEST(Prepared, IsEvictedWithinTheBudget) {
  EvaluatorOptions options;
  options.cache_bytes = 50000;
  Runner runner(options);
  GraphDoc doc;
  Builder(doc).node("s", "test.square");
  run_counts().reset();
  const auto square = [&](int base, int plus) {
    set_param(doc, "s", "base", base);
    set_param(doc, "s", "plus", plus);
    EXPECT_EQ(runner.number(doc, "s.out"), static_cast<float>(base * base + plus));
    EXPECT_LE(runner.evaluator.cache().bytes(), 50000u);
  };
  // Each of these weighs 20,000 bytes, so that two fit.
  for (int base = 100; base < 110; ++base) square(base, 0);
  EXPECT_EQ(run_counts().of("square.made"), 10);
  square(109, 1);  // still there
  EXPECT_EQ(run_counts().of("square.made"), 10);
  square(100, 1);  // gone, and made again
  EXPECT_EQ(run_counts().of("square.made"), 11);
}

TEST(Prepared, WorksWithoutAStore) {
  const NodeType& type = *test_registry().find("test.square");
  const Context context;
  run_counts().reset();
  for (int i = 0; i < 2; ++i) {
    Exec e(type, {{Value::of(6.0f)}, {Value::of(1.0f)}}, context, nullptr);
    type.exec(e);
    ASSERT_FALSE(e.failed());
    EXPECT_EQ(e.outputs()[0].as<float>(), 37);
  }
  EXPECT_EQ(run_counts().of("square.made"), 2);
}

TEST(Evaluator, AnEditOfOneParameterPatchesTheGraph) {
  Evaluator evaluator;
  GraphDoc doc = two_branches();
  GraphPtr graph = CompiledGraph::compile(doc, test_registry());
  const std::vector<Target> target{*graph->find_output("total.out")};
  evaluator.evaluate(*graph, target, {});
  set_param(doc, "r1", "x", 100);
  const GraphPtr edited = graph->with_params(doc.graph.nodes[2]);
  ASSERT_TRUE(edited);
  const Evaluation e = evaluator.evaluate(*edited, target, {});
  EXPECT_EQ(e.targets[0].value.as<float>(), 123);
  EXPECT_EQ(e.runs, 3);
  // The graph that an evaluation began with is not touched.
  EXPECT_EQ(evaluator.evaluate(*graph, target, {}).targets[0].value.as<float>(), 33);
  // A bad value is an error on the node, as when compiled anew.
  set_param(doc, "r1", "x", "text");
  const GraphPtr broken = edited->with_params(doc.graph.nodes[2]);
  EXPECT_TRUE(evaluator.evaluate(*broken, target, {}).failed());
  EXPECT_EQ(broken->messages(), CompiledGraph::compile(doc, test_registry())->messages());
}

TEST(Evaluator, ALongChainAndAWideFanGiveTheSameOnOneAndTwoThreads) {
  GraphDoc doc;
  Builder b(doc);
  b.node("n0", "test.number", {{"x", 1}}).node("sum", "test.sum");
  for (int i = 1; i <= 300; ++i) {
    const std::string id = "n" + std::to_string(i);
    b.node(id, "test.add", {{"b", i * 0.1}})
        .link("n" + std::to_string(i % 7 == 0 ? i / 2 : i - 1) + ".out -> " + id + ".a");
    if (i % 50 == 0) b.link(id + ".out -> sum.many");
  }
  EvaluatorOptions one, two;
  one.threads = 1;
  two.threads = 2;
  Runner a(one), c(two);
  const float x = a.number(doc, "sum.out"), y = c.number(doc, "sum.out");
  EXPECT_EQ(x, y);
  EXPECT_EQ(a.last.targets[0].key, c.last.targets[0].key);
  EXPECT_EQ(a.last.runs, c.last.runs);
}

}  // namespace
}  // namespace sinew
