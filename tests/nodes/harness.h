// A graph in a few words, and what its evaluation gives.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "graph/compiled_graph.h"
#include "graph/evaluator.h"
#include "graph/registry.h"
#include "nodes/register_all_nodes.h"
#include "nodes/values.h"

namespace sinew::testing {

inline const Registry& all_nodes() {
  static const Registry& registry = [] {
    static Registry r;
    register_all_nodes(r);
    return std::ref(r);
  }();
  return registry;
}

// One output of an evaluation, or what went wrong.
struct Outcome {
  Value value;
  Key key;
  std::string errors;  // of all nodes, one a line; empty if all is well
  std::string warnings;
  Evaluation evaluation;

  template <class T>
  const T& as() const {
    if (!value) throw std::runtime_error("no value: " + errors);
    if (!value.is<T>()) throw std::runtime_error("another type: " + value.type()->name);
    return value.as<T>();
  }
};

class TestGraph {
 public:
  TestGraph& node(std::string id, std::string type, std::map<std::string, Json> params = {}) {
    NodeDoc n;
    n.id = std::move(id);
    n.type = std::move(type);
    n.params = std::move(params);
    body().nodes.push_back(std::move(n));
    return *this;
  }
  // "box.mesh", "move.mesh"
  TestGraph& link(const std::string& from, const std::string& to) {
    body().links.push_back({endpoint(from), endpoint(to)});
    return *this;
  }
  TestGraph& set(const std::string& input, Json value) {
    const Endpoint e = endpoint(input);
    for (NodeDoc& n : body().nodes) {
      if (n.id == e.node) n.params[e.socket] = std::move(value);
    }
    return *this;
  }

  Outcome run(const std::string& output, int frame = 0) {
    context.frame = frame;
    const GraphPtr graph = CompiledGraph::compile(doc, *registry);
    Outcome outcome;
    auto note = [&](const std::vector<NodeMessage>& list) {
      for (const NodeMessage& m : list) {
        std::string& text =
            m.message.severity == Severity::error ? outcome.errors : outcome.warnings;
        text += m.path + ": " + m.message.text + "\n";
      }
    };
    note(graph->messages());
    const Result<Target> target = graph->find_output(output);
    if (!target) {
      outcome.errors += target.error() + "\n";
      return outcome;
    }
    const Target targets[] = {*target};
    outcome.evaluation = evaluator->evaluate(*graph, targets, context, cancel);
    note(outcome.evaluation.messages(*graph));
    outcome.value = outcome.evaluation.targets[0].value;
    outcome.key = outcome.evaluation.targets[0].key;
    return outcome;
  }
  // The value, which must be there.
  template <class T>
  T get(const std::string& output, int frame = 0) {
    return run(output, frame).as<T>();
  }

  GraphDoc doc;
  Context context;
  const Registry* registry = &all_nodes();
  std::shared_ptr<Evaluator> evaluator = std::make_shared<Evaluator>();
  const std::atomic<bool>* cancel = nullptr;

 private:
  GraphBody& body() { return doc.graph; }
  static Endpoint endpoint(const std::string& text) {
    const size_t dot = text.rfind('.');
    return {text.substr(0, dot), text.substr(dot + 1)};
  }
};

// A folder that is gone after the test.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "sinew-test-XXXXXX").string();
    if (!mkdtemp(name.data())) throw std::runtime_error("cannot make a temporary folder");
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace sinew::testing
