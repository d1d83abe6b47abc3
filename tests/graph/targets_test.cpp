// Any set of outputs gives what each of them gives alone: random graphs of simulations that hang on
// one another, asked for at random frames, on the timeline and live, with little memory and much.
#include <gtest/gtest.h>

#include <bit>
#include <random>
#include <set>

#include "graph/evaluator.h"
#include "tests/graph/test_nodes.h"

namespace sinew {
namespace {

using namespace testing;

constexpr int last_frame = 24;

Json steps(const std::vector<std::pair<int, double>>& list) {
  Json points = Json::array();
  for (auto [frame, value] : list) points.push_back({frame, value});
  return Json{{"animate", {{"steps", points}}}};
}

struct RandomGraph {
  explicit RandomGraph(unsigned seed) : random(seed) {
    doc.settings.last_frame = last_frame;
    const int count = 3 + below(9);
    for (int i = 0; i < count; ++i) add();
  }

  int below(int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); }
  bool chance(int percent) { return below(100) < percent; }

  // A number, now and then one that changes; some simulations do not survive 666.
  Json number() {
    if (!chance(30)) return below(5) + 0.5;
    std::vector<std::pair<int, double>> list = {{0, below(4)}};
    list.emplace_back(2 + below(10), chance(20) ? 666 : below(4));
    list.emplace_back(list.back().first + 1 + below(10), below(4));
    return steps(list);
  }

  // What is linked to an input, or a number.
  void feed(Builder& b, const std::string& id, const std::string& input, int percent) {
    if (!outputs.empty() && chance(percent))
      b.link(outputs[below(static_cast<int>(outputs.size()))] + " -> " + id + "." + input);
    else
      set_param(doc, id, input, number());
  }

  void add() {
    static const struct Kind {
      const char* type;
      std::vector<std::pair<const char*, int>> inputs;  // and how often they are linked, in percent
      const char* output;
    } kinds[] = {
        {"test.counter", {{"rate", 60}}, "out"},
        {"test.counter", {{"rate", 60}}, "out"},
        {"test.gauge", {{"rate", 60}, {"scale", 50}}, "out"},
        {"test.follow", {{"x", 90}}, "out"},
        {"test.follow", {{"x", 90}}, "out"},
        {"test.wake", {{"x", 70}}, "out"},
        {"test.moment", {{"x", 70}, {"frame", 50}}, "out"},
        {"test.add", {{"a", 80}, {"b", 80}}, "out"},
        {"test.pick", {{"index", 0}, {"a", 100}, {"b", 100}}, "out"},
        {"test.fussy", {{"x", 50}}, "out"},
        {"test.frame", {}, "out"},
        {"reroute", {{"in", 100}}, "out"},
        {"view", {{"value", 100}}, "value"},
    };
    const Kind& kind = kinds[below(static_cast<int>(std::size(kinds)))];
    const std::string type = kind.type, id = "n" + std::to_string(outputs.size());
    if (outputs.empty() && !kind.inputs.empty() && kind.inputs.back().second == 100) return;
    Builder b(doc);
    b.node(id, type);
    for (const auto& [input, percent] : kind.inputs) {
      if (type == "test.pick" && percent == 0)
        set_param(doc, id, input, chance(50) ? Json(below(2)) : steps({{0, 0}, {below(12), 1}}));
      else
        feed(b, id, input, percent);
    }
    if (type == "test.fussy" && chance(50) && doc.graph.links.empty())
      set_param(doc, id, "x", steps({{0, 1}, {5 + below(8), 7}, {16, 2}}));
    outputs.push_back(id + "." + kind.output);
  }

  // Some of the outputs, in any order, and perhaps one of them twice.
  std::vector<std::string> some() {
    std::vector<std::string> list;
    const int count = 1 + below(static_cast<int>(outputs.size()));
    for (int i = 0; i < count; ++i)
      list.push_back(outputs[below(static_cast<int>(outputs.size()))]);
    return list;
  }

  // For whoever reads of a failure.
  std::string words() const {
    std::string text;
    for (const NodeDoc& node : doc.graph.nodes) {
      text += "\n" + node.id + " " + node.type;
      for (const auto& [name, value] : node.params) text += " " + name + "=" + value.dump();
    }
    for (const LinkDoc& link : doc.graph.links)
      text += "\n" + link.from.node + "." + link.from.socket + " -> " + link.to.node + "." +
              link.to.socket;
    return text;
  }

  std::mt19937 random;
  GraphDoc doc;
  std::vector<std::string> outputs;
};

// What came out, bit by bit, and what was said; paths of what is to blame may be those of twins.
struct Seen {
  std::vector<std::string> values;
  std::set<std::string> errors;
};

Seen seen(const CompiledGraph& graph, const Evaluation& evaluation) {
  Seen s;
  for (const TargetResult& t : evaluation.targets)
    s.values.push_back(t.value ? fmt::format("{:08x}", std::bit_cast<uint32_t>(t.value.as<float>()))
                               : "nothing");
  for (const NodeMessage& m : evaluation.messages(graph))
    if (m.message.severity == Severity::error)
      s.errors.insert(m.path + ": " + m.message.text.substr(0, m.message.text.find(": '")));
  return s;
}

std::vector<Target> targets_of(const CompiledGraph& graph, const std::vector<std::string>& names) {
  std::vector<Target> targets;
  for (const std::string& name : names) targets.push_back(*graph.find_output(name));
  return targets;
}

Context at(const GraphDoc& doc, int frame) {
  Context context;
  context.frame = frame;
  context.last_frame = doc.settings.last_frame;
  return context;
}

// Each of the outputs by an evaluator of its own that knows nothing yet.
Seen alone(const GraphDoc& doc, const std::vector<std::string>& names, int frame) {
  const GraphPtr graph = CompiledGraph::compile(doc, test_registry());
  Seen all;
  for (const Target& target : targets_of(*graph, names)) {
    EvaluatorOptions options;
    options.threads = 1;
    Evaluator evaluator(options);
    const Seen one = seen(*graph, evaluator.evaluate(*graph, {&target, 1}, at(doc, frame)));
    all.values.push_back(one.values[0]);
    all.errors.insert(one.errors.begin(), one.errors.end());
  }
  return all;
}

// From room for everything to room for next to nothing; a state of these nodes has 1,000 bytes.
std::vector<EvaluatorOptions> all_options() {
  std::vector<EvaluatorOptions> list;
  for (const int threads : {1, 2})
    for (const auto& [cache, states] :
         {std::pair<size_t, size_t>{1 << 20, 1 << 20}, {3000, 20000}, {0, 3000}, {1 << 20, 0}})
      list.push_back({.cache_bytes = cache, .state_bytes = states, .threads = threads});
  return list;
}

bool holds(const std::set<std::string>& all, const std::set<std::string>& part) {
  return std::includes(all.begin(), all.end(), part.begin(), part.end());
}

TEST(AnyTargets, AnySetGivesWhatEachGivesAlone) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    RandomGraph g(seed);
    if (g.outputs.empty()) continue;
    const GraphPtr graph = CompiledGraph::compile(g.doc, test_registry());
    const std::vector<std::string> names = g.some();
    const std::vector<Target> targets = targets_of(*graph, names);
    const int frame = g.below(last_frame + 4);
    const Seen expected = alone(g.doc, names, frame);
    for (const EvaluatorOptions& options : all_options()) {
      Evaluator evaluator(options);
      const Seen got = seen(*graph, evaluator.evaluate(*graph, targets, at(g.doc, frame)));
      ASSERT_EQ(got.values, expected.values) << "seed " << seed << ", frame " << frame << g.words();
      ASSERT_EQ(got.errors, expected.errors) << "seed " << seed << ", frame " << frame << g.words();
    }
  }
}

// One evaluator sees many sets, one after another, and edits in between.
TEST(AnyTargets, WhatWasAskedForBeforeChangesNothing) {
  const std::vector<EvaluatorOptions> options = all_options();
  for (unsigned seed = 0; seed < 160; ++seed) {
    RandomGraph g(1000 + seed);
    if (g.outputs.empty()) continue;
    Evaluator evaluator(options[seed % options.size()]);
    for (int round = 0; round < 12; ++round) {
      if (g.chance(20)) {
        NodeDoc& node = g.doc.graph.nodes[g.below(static_cast<int>(g.doc.graph.nodes.size()))];
        if (const auto rate = node.params.find("rate"); rate != node.params.end())
          rate->second = g.number();
      }
      const GraphPtr graph = CompiledGraph::compile(g.doc, test_registry());
      const std::vector<std::string> names = g.some();
      const std::vector<Target> targets = targets_of(*graph, names);
      const int frame = g.below(last_frame + 4);
      const Seen expected = alone(g.doc, names, frame);
      const Seen got = seen(*graph, evaluator.evaluate(*graph, targets, at(g.doc, frame)));
      ASSERT_EQ(got.values, expected.values) << "seed " << seed << ", frame " << frame << g.words();
      // What is upstream of a known failure is not asked again, and may say less.
      ASSERT_TRUE(holds(expected.errors, got.errors))
          << "seed " << seed << ", frame " << frame << g.words();
    }
  }
}

TEST(AnyTargets, AnySetGivesWhatEachGivesAloneLive) {
  const std::vector<EvaluatorOptions> options = all_options();
  for (unsigned seed = 0; seed < 120; ++seed) {
    RandomGraph g(2000 + seed);
    if (g.outputs.empty()) continue;
    const std::vector<std::string> names = g.some();
    Evaluator evaluator(options[seed % options.size()]);
    LiveState live;
    std::vector<LiveState> lives(names.size());
    std::vector<std::unique_ptr<Evaluator>> lone;
    for (size_t i = 0; i < names.size(); ++i) lone.push_back(std::make_unique<Evaluator>());
    for (int frame = 0; frame < 16; ++frame) {
      if (frame == 6)
        for (NodeDoc& node : g.doc.graph.nodes)
          if (node.params.contains("rate")) node.params["rate"] = 2.25;
      const bool advance = frame > 0 && frame % 5 != 0;
      const GraphPtr graph = CompiledGraph::compile(g.doc, test_registry());
      const std::vector<Target> targets = targets_of(*graph, names);
      const Seen got =
          seen(*graph, evaluator.evaluate_live(*graph, targets, at(g.doc, frame), live, advance));
      std::set<std::string> errors;
      for (size_t i = 0; i < names.size(); ++i) {
        const Seen one = seen(*graph, lone[i]->evaluate_live(*graph, {&targets[i], 1},
                                                             at(g.doc, frame), lives[i], advance));
        ASSERT_EQ(got.values[i], one.values[0])
            << "seed " << seed << ", frame " << frame << ", " << names[i] << g.words();
        errors.insert(one.errors.begin(), one.errors.end());
      }
      ASSERT_TRUE(holds(errors, got.errors)) << "seed " << seed << ", frame " << frame << g.words();
    }
  }
}

}  // namespace
}  // namespace sinew
