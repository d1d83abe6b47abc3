// One node's own run: what is upstream of it is evaluated before.
#pragma once

#include <utility>
#include <vector>

#include "tests/nodes/harness.h"

namespace sinew::testing {

// Of the node "it" of a graph.
class LoneRun {
 public:
  LoneRun(TestGraph g, int frame, EvaluatorOptions options)
      : g_(std::move(g)), evaluator_(options), context_(g_.context) {
    graph_ = CompiledGraph::compile(g_.doc, *g_.registry);
    target_ = {graph_->find_sink("it"), 0};
    context_.frame = frame;
    for (const InputSource& input : graph_->node(target_.node).inputs)
      for (const LinkSource& link : input.links) feeds_.push_back({link.node, link.output});
  }
  // False if it was cancelled.
  bool feed(const std::atomic<bool>* cancel = nullptr) {
    if (feeds_.empty()) return true;
    const Evaluation e = evaluator_.evaluate(*graph_, feeds_, context_, cancel);
    for (const TargetResult& t : e.targets)
      if (ResultPtr result = evaluator_.cache().get(t.result_key))
        known_.emplace_back(t.result_key, std::move(result));
    return !e.cancelled;
  }
  // Before run(): forgets what an earlier run gave.
  void forget() {
    evaluator_.cache().clear();
    evaluator_.states().clear();
    for (const auto& [key, result] : known_) evaluator_.cache().put(key, result);
  }
  Evaluation run(const std::atomic<bool>* cancel) {
    return evaluator_.evaluate(*graph_, {&target_, 1}, context_, cancel);
  }
  std::string errors(const Evaluation& e) const {
    std::string text;
    for (const NodeMessage& m : e.messages(*graph_))
      if (m.message.severity == Severity::error) text += m.path + ": " + m.message.text + "\n";
    return text;
  }

 private:
  TestGraph g_;
  Evaluator evaluator_;
  Context context_;
  GraphPtr graph_;
  Target target_;
  std::vector<Target> feeds_;
  std::vector<std::pair<Key, ResultPtr>> known_;
};

}  // namespace sinew::testing
