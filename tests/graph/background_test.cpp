// The interface's side of evaluation: never waits, drops what is stale, can stop anything.
#include "graph/background.h"

#include <gtest/gtest.h>

#include "tests/graph/test_nodes.h"

namespace sinew {
namespace {

using namespace testing;

BackgroundEvaluator::Request slow_request(float x, int milliseconds) {
  GraphDoc doc;
  Builder(doc).node("s", "test.slow", {{"x", x}, {"milliseconds", milliseconds}});
  const GraphPtr graph = CompiledGraph::compile(doc, test_registry());
  return {graph, graph->default_targets(), {}, false, false};
}

TEST(Background, ANewerRequestDropsAStaleOne) {
  Evaluator evaluator;
  BackgroundEvaluator background(evaluator);
  for (int i = 0; i < 20; ++i) background.submit(slow_request(i, 1000000));  // would take hours
  const uint64_t last = background.submit(slow_request(42, 1));
  background.wait_until_idle();
  const auto finished = background.take();
  ASSERT_TRUE(finished);
  EXPECT_EQ(finished->id, last);
  EXPECT_EQ(finished->evaluation.targets[0].value.as<float>(), 42);
  EXPECT_FALSE(background.take());
}

TEST(Background, CancelStopsWhatRunsAndCachesNothing) {
  Evaluator evaluator;
  BackgroundEvaluator background(evaluator);
  background.submit(slow_request(1, 1000000));
  while (background.running_seconds() == 0) std::this_thread::yield();
  EXPECT_TRUE(background.busy());
  background.cancel();
  background.wait_until_idle();
  EXPECT_FALSE(background.take());
  EXPECT_EQ(evaluator.cache().count(), 0u);
}

TEST(Background, TheDestructorDoesNotWaitForLongWork) {
  run_counts().reset();
  Evaluator evaluator;
  int told = 0;
  {
    BackgroundEvaluator background(evaluator, [&] { ++told; });
    background.submit(slow_request(1, 1000000));  // would take a quarter of an hour
    while (run_counts().of("test.slow") == 0) std::this_thread::yield();
    EXPECT_TRUE(background.busy());
  }
  // The work had begun, and has ended without a result: its thread is gone.
  EXPECT_EQ(run_counts().of("test.slow"), 1);
  EXPECT_EQ(evaluator.cache().count(), 0u);
  EXPECT_FALSE(evaluator.node_progress());
  EXPECT_LE(told, 1);
}

TEST(Background, LiveStepsAreTakenOneByOne) {
  GraphDoc doc;
  Builder(doc).node("c", "test.counter");
  const GraphPtr graph = CompiledGraph::compile(doc, test_registry());
  Evaluator evaluator;
  BackgroundEvaluator background(evaluator);
  float last = 0;
  for (int f = 0; f <= 20; ++f) {
    BackgroundEvaluator::Request request{graph, graph->default_targets(), {}, true, f > 0};
    request.context.frame = f;
    background.submit(request);
    background.wait_until_idle();
    last = background.take()->evaluation.targets[0].value.as<float>();
  }
  EXPECT_EQ(last, Runner().number(doc, "c.out", 20));
}

}  // namespace
}  // namespace sinew
