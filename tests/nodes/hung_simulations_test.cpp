// Real simulations that hang on one another: any set of them gives what each gives alone. The same
// as tests/graph/targets_test.cpp, which goes through far more graphs, with nodes of numbers only.
#include <random>

#include "tests/nodes/harness.h"

namespace sinew::testing {
namespace {

// Chains whose anchor follows the tip of another, and soft bodies that drift in its direction.
struct Hung {
  explicit Hung(unsigned seed) : random(seed) {
    g.node("block", "tet.box", {{"cells_x", 2}, {"cells_y", 2}, {"cells_z", 2}});
    const int count = 2 + below(4);
    for (int i = 0; i < count; ++i) {
      const std::string id = "s" + std::to_string(i);
      const bool chain = below(3) > 0;
      if (chain) {
        g.node(id, "sim.chain", {{"count", 4 + below(3)}, {"length", 0.5 + 0.25 * below(3)}});
      } else {
        g.node(id, "sim.shape_match", {{"fluid", 500}, {"substeps", 2}})
            .link("block.solid", id + ".solid");
      }
      if (i > 0) g.link(outputs[below(i)], id + (chain ? ".anchor" : ".flow"));
      outputs.push_back(id + (chain ? ".tip" : ".centre"));
    }
  }
  int below(int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); }
  std::vector<std::string> shuffled() {
    std::vector<std::string> list = outputs;
    for (size_t i = list.size(); i > 1; --i)
      std::swap(list[i - 1], list[below(static_cast<int>(i))]);
    list.resize(2 + below(static_cast<int>(list.size()) - 1));
    return list;
  }

  std::mt19937 random;
  TestGraph g;
  std::vector<std::string> outputs;
};

std::vector<Target> targets_of(const CompiledGraph& graph, const std::vector<std::string>& names) {
  std::vector<Target> targets;
  for (const std::string& name : names) targets.push_back(*graph.find_output(name));
  return targets;
}

TEST(HungSimulations, AnySetGivesWhatEachGivesAlone) {
  for (unsigned seed = 0; seed < 12; ++seed) {
    Hung hung(seed);
    const GraphPtr graph = CompiledGraph::compile(hung.g.doc, all_nodes());
    for (const EvaluatorOptions& options :
         {EvaluatorOptions{}, EvaluatorOptions{.cache_bytes = 0, .state_bytes = 0, .threads = 1},
          EvaluatorOptions{.cache_bytes = 20000, .state_bytes = 20000, .threads = 2}}) {
      Evaluator evaluator(options);
      for (int round = 0; round < 3; ++round) {
        const std::vector<std::string> names = hung.shuffled();
        const int frame = hung.below(14);
        Context context;
        context.frame = frame;
        const std::vector<Target> targets = targets_of(*graph, names);
        const Evaluation together = evaluator.evaluate(*graph, targets, context);
        EXPECT_TRUE(together.messages(*graph).empty());
        for (size_t i = 0; i < names.size(); ++i) {
          hung.g.evaluator = std::make_shared<Evaluator>();
          ASSERT_TRUE(together.targets[i].value) << "seed " << seed << ", frame " << frame;
          EXPECT_EQ(together.targets[i].value.to_json(),
                    hung.g.run(names[i], frame).value.to_json())
              << "seed " << seed << ", frame " << frame << ", " << names[i];
        }
      }
    }
  }
}

TEST(HungSimulations, LiveAsOnTheTimeline) {
  for (unsigned seed = 100; seed < 106; ++seed) {
    Hung hung(seed);
    const GraphPtr graph = CompiledGraph::compile(hung.g.doc, all_nodes());
    const std::vector<std::string> names = hung.shuffled();
    const std::vector<Target> targets = targets_of(*graph, names);
    Evaluator evaluator;
    LiveState live;
    Context context;
    for (context.frame = 0; context.frame < 9; ++context.frame) {
      const Evaluation e =
          evaluator.evaluate_live(*graph, targets, context, live, context.frame > 0);
      for (size_t i = 0; i < names.size(); ++i) {
        ASSERT_TRUE(e.targets[i].value) << "seed " << seed << ", frame " << context.frame;
        EXPECT_EQ(e.targets[i].value.to_json(), hung.g.run(names[i], context.frame).value.to_json())
            << "seed " << seed << ", frame " << context.frame << ", " << names[i];
      }
    }
  }
}

}  // namespace
}  // namespace sinew::testing
