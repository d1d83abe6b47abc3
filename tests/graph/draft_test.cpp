// Drafts: quick results while a hand drags, which never take the place of the real ones.
#include <gtest/gtest.h>

#include <cmath>

#include "graph/evaluator.h"
#include "tests/graph/test_nodes.h"

namespace sinew {
namespace {

using namespace testing;

// x, rough in a draft, plus something.
GraphDoc rough(double x, double plus = 0) {
  GraphDoc doc;
  Builder(doc)
      .node("n", "test.number", {{"x", x}})
      .node("r", "test.rough")
      .node("sum", "test.add", {{"b", plus}})
      .link("n.out -> r.x")
      .link("r.out -> sum.a");
  return doc;
}

struct DraftRunner : Runner {
  using Runner::Runner;
  float draft(const GraphDoc& doc, const std::string& output, int frame = 0) {
    context.draft = true;
    const float x = number(doc, output, frame);
    context.draft = false;
    return x;
  }
};

TEST(Drafts, HaveKeysOfTheirOwn) {
  DraftRunner runner;
  EXPECT_EQ(runner.draft(rough(2.5), "sum.out"), 2);
  EXPECT_EQ(runner.last.runs, 3);
  EXPECT_EQ(runner.draft(rough(2.5), "sum.out"), 2);
  EXPECT_EQ(runner.last.runs, 0);
  EXPECT_EQ(runner.number(rough(2.5), "sum.out"), 2.5f);
  EXPECT_EQ(runner.last.runs, 2) << "what makes no drafts is shared";
}

TEST(Drafts, WhoDoesNotAskForThemHasOneKey) {
  DraftRunner runner;
  runner.draft(rough(2.5), "n.out");
  const Key key = runner.last.targets[0].key;
  runner.number(rough(2.5), "n.out");
  EXPECT_EQ(runner.last.targets[0].key, key);
  EXPECT_EQ(runner.last.runs, 0);
  const CompiledGraph& graph = *runner.graph;
  EXPECT_FALSE(graph.has_drafts(graph.find_node("n")));
  EXPECT_TRUE(graph.has_drafts(graph.find_node("r")));
  EXPECT_TRUE(graph.has_drafts(graph.find_node("sum")));
  EXPECT_FALSE(graph.drafts_stay());
  GraphDoc muted = rough(2.5);
  muted.graph.nodes[1].muted = true;
  EXPECT_FALSE(CompiledGraph::compile(muted, test_registry())->has_drafts());
}

TEST(Drafts, MustBeDeclared) {
  GraphDoc doc;
  Builder(doc).node("r", "test.undeclared_draft");
  Runner runner;
  EXPECT_TRUE(std::isnan(runner.number(doc, "r.out")));
  EXPECT_EQ(runner.last.messages(*runner.graph)[0].message.text,
            "test.undeclared_draft reads the wish for a draft undeclared");
}

TEST(Drafts, TakeTheResultInFullWhereItIsAtHand) {
  DraftRunner runner;
  runner.number(rough(2.5), "sum.out");
  run_counts().reset();
  // A hand drags something behind it: what is before stays as good as it was.
  EXPECT_EQ(runner.draft(rough(2.5, 1), "sum.out"), 3.5f);
  EXPECT_EQ(run_counts().of("test.rough"), 0);
  const Key key = runner.last.targets[0].key;
  EXPECT_EQ(runner.number(rough(2.5, 1), "sum.out"), 3.5f);
  EXPECT_EQ(runner.last.targets[0].key, key);
  EXPECT_EQ(runner.last.runs, 0);
  // And before it: that needs another result.
  EXPECT_EQ(runner.draft(rough(3.5, 1), "sum.out"), 4);
  EXPECT_EQ(runner.number(rough(3.5, 1), "sum.out"), 4.5f);
}

TEST(Drafts, SimulationsKeepThemApart) {
  GraphDoc doc = rough(1.5);
  Builder(doc).node("c", "test.counter").link("sum.out -> c.rate");
  const float in_full = Runner().number(doc, "c.out", 20);
  GraphDoc whole = doc;
  set_param(whole, "n", "x", 1);
  const float drafted = Runner().number(whole, "c.out", 20);
  ASSERT_NE(in_full, drafted);
  for (const size_t cache : {size_t{1} << 30, size_t{1}}) {
    EvaluatorOptions options;
    options.cache_bytes = cache;
    DraftRunner runner(options);
    EXPECT_EQ(runner.draft(doc, "c.out", 20), drafted);
    EXPECT_TRUE(runner.graph->drafts_stay());
    EXPECT_EQ(runner.number(doc, "c.out", 20), in_full);
    const float again = runner.draft(doc, "c.out", 20);
    EXPECT_EQ(again, cache > 1 ? in_full : drafted);
    EXPECT_EQ(runner.number(doc, "c.out", 21), Runner().number(doc, "c.out", 21));
    EXPECT_EQ(runner.number(doc, "c.out", 20), in_full);
  }
}

TEST(Drafts, GoThroughLinksThatBringAllFrames) {
  GraphDoc doc;
  doc.settings.last_frame = 10;
  Builder(doc)
      .node("f", "test.frame")
      .node("half", "test.scale", {{"factor", 0.5}})
      .node("r", "test.rough")
      .node("m", "test.moment", {{"frame", 5}})
      .link("f.out -> half.x")
      .link("half.out -> r.x")
      .link("r.out -> m.x");
  DraftRunner runner;
  EXPECT_EQ(runner.draft(doc, "m.out"), 2);
  EXPECT_EQ(runner.number(doc, "m.out"), 2.5f);
  EXPECT_EQ(runner.draft(doc, "m.out"), 2.5f);
  EXPECT_EQ(runner.last.runs, 0);
}

}  // namespace
}  // namespace sinew
