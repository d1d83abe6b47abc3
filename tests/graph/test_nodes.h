// A few nodes with nothing but numbers, which count how often they run: enough to test the graph
// without any geometry.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <mutex>
#include <string>

#include "graph/compiled_graph.h"
#include "graph/declaration.h"
#include "graph/document.h"
#include "graph/evaluator.h"

namespace sinew::testing {

// How often each type ran since the last reset.
struct RunCounts {
  void add(const std::string& what) {
    const std::lock_guard lock(mutex);
    ++counts[what];
  }
  int of(const std::string& what) {
    const std::lock_guard lock(mutex);
    return counts[what];
  }
  void reset() {
    const std::lock_guard lock(mutex);
    counts.clear();
  }
  std::mutex mutex;
  std::map<std::string, int> counts;
};
RunCounts& run_counts();

// A curve for tests: values that hold from a frame on. {"steps": [[frame, value], ...]}
struct StepCurve {
  std::vector<std::pair<double, double>> steps;
};

// test.number, test.add, test.sum (many), test.scale (range 0..10), test.frame, test.seed,
// test.fail, test.nan, test.throw, test.slow, test.hungry, test.pass, test.pick, test.same (a
// number or a text, and the same comes out), test.text, test.file, test.square and test.mirror
// (share the prepared square of their base), test.counter (a simulation: state += rate each frame;
// records every step), test.gauge (the same, scaled when it is read), test.follow (a simulation
// that follows its input), reroute, view, note, group, group.input, group.output; test.count (the
// frame as a whole number), test.fussy (an error where x is 7), test.moment and test.moments (what
// is linked to them at another frame), test.range (the sum of x at the frames 0 to 10, x from 0 to
// 5), test.rough (x, in a draft as a whole number), test.wake (a simulation that adds what x will
// be three frames later), test.asks (which of its inputs change), test.recipe (x, which is
// timeless, and the frame).
const Registry& test_registry();

// Whether test.hungry finds no memory. Else it gives x.
std::atomic<bool>& memory_is_short();

// What the work of test.work does: set by the test. Its inputs are x, a number that must be linked,
// and answer, a number that the work finds.
std::function<void(Exec&, WorkSite&)>& test_work();

// Documents in a few words.
class Builder {
 public:
  explicit Builder(GraphDoc& document, std::string graph = "") : doc(document), name(graph) {}

  Builder& node(std::string id, std::string type, std::map<std::string, Json> params = {}) {
    NodeDoc n;
    n.id = std::move(id);
    n.type = std::move(type);
    n.params = std::move(params);
    doc.body(name)->nodes.push_back(std::move(n));
    return *this;
  }
  Builder& group_node(std::string id, std::string group, std::map<std::string, Json> params = {}) {
    node(std::move(id), "group", std::move(params));
    doc.body(name)->nodes.back().group = std::move(group);
    return *this;
  }
  // "a.out -> b.in"
  Builder& link(const std::string& text);

  GraphDoc& doc;
  std::string name;
};

// Sets one parameter of a node of the document's own graph.
void set_param(GraphDoc& doc, const std::string& node, const std::string& input, Json value);

// Evaluates one output and returns its number; NaN where it failed.
struct Runner {
  explicit Runner(EvaluatorOptions options = {}) : evaluator(options) {}
  Evaluation run(const GraphDoc& doc, const std::string& output, int frame = 0);
  float number(const GraphDoc& doc, const std::string& output, int frame = 0);

  Evaluator evaluator;
  GraphPtr graph;
  Evaluation last;
  Context context;
};

}  // namespace sinew::testing
