// What nodes that take long say of how far they are.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <thread>

#include "graph/declaration.h"
#include "graph/evaluator.h"
#include "tests/graph/test_nodes.h"

namespace sinew {
namespace {

using namespace testing;

Out<float> out;
std::function<void(Exec&)>& slow_work() {
  static std::function<void(Exec&)> work;
  return work;
}

const Registry& slow_registry() {
  static const Registry registry = [] {
    Registry r;
    r.add(compute_node(
        [](Declaration& d) {
          d.id("test.slow", 1).label("Slow").category("Test").doc("Takes long.");
          d.out(out, "out").doc("A number.");
        },
        [](Exec& e) {
          if (slow_work()) slow_work()(e);
          e.set(out, 1.0f);
        }));
    return r;
  }();
  return registry;
}

GraphDoc one_node() {
  GraphDoc doc;
  Builder(doc).node("n", "test.slow");
  return doc;
}

TEST(Progress, IsThatOfTheNodeThatRuns) {
  Evaluator evaluator;
  const GraphPtr graph = CompiledGraph::compile(one_node(), slow_registry());
  std::vector<std::string> seen;
  slow_work() = [&](Exec& e) {
    EXPECT_FALSE(evaluator.node_progress());
    e.progress(0.25, "a quarter");
    seen.push_back(evaluator.node_progress()->words);
    // From any thread.
    std::thread([&] { e.progress(-1, "somewhere"); }).join();
    const auto now = evaluator.node_progress();
    EXPECT_EQ(now->path, "n");
    EXPECT_LT(now->part, 0);
    seen.push_back(now->words);
  };
  const std::vector<Target> targets{{graph->find_node("n"), 0}};
  const Evaluation e = evaluator.evaluate(*graph, targets, Context());
  slow_work() = {};
  EXPECT_EQ(e.targets[0].value.as<float>(), 1);
  EXPECT_EQ(seen, (std::vector<std::string>{"a quarter", "somewhere"}));
  EXPECT_FALSE(evaluator.node_progress()) << "it is done";
}

TEST(Progress, EndsWithWorkThatIsCancelled) {
  Evaluator evaluator;
  const GraphPtr graph = CompiledGraph::compile(one_node(), slow_registry());
  std::atomic<bool> cancel = false;
  slow_work() = [&](Exec& e) {
    e.progress(0.5, "half way");
    cancel = true;
    e.stop_if_cancelled();
  };
  const std::vector<Target> targets{{graph->find_node("n"), 0}};
  EXPECT_TRUE(evaluator.evaluate(*graph, targets, Context(), &cancel).cancelled);
  slow_work() = {};
  EXPECT_FALSE(evaluator.node_progress());
}

// Whoever asks for no evaluation has nobody to tell; the words go nowhere and the work goes on.
TEST(Progress, IsDroppedWhereNobodyListens) {
  const NodeType& type = *slow_registry().find("test.slow");
  const Context context;
  Exec e(type, {}, context, nullptr);
  slow_work() = [](Exec& exec) {
    for (const double part : {-1.0, 0.5, 2.0, std::nan("")}) exec.progress(part, "nobody");
  };
  type.exec(e);
  slow_work() = {};
  ASSERT_EQ(e.outputs().size(), 1u);
  EXPECT_EQ(e.outputs()[0].as<float>(), 1);
  EXPECT_FALSE(Evaluator().node_progress());
}

}  // namespace
}  // namespace sinew
