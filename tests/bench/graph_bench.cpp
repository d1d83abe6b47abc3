// Evaluation, compiling and documents, at 1,000 nodes of the most trivial kind.
#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "graph/compiled_graph.h"
#include "graph/document.h"
#include "graph/evaluator.h"
#include "nodes/register_all_nodes.h"

namespace sinew {
namespace {

const Registry& registry() {
  static const Registry* all = [] {
    auto* made = new Registry;
    register_all_nodes(*made);
    return made;
  }();
  return *all;
}

// start -> add -> add -> ... -> add
GraphDoc chain(int nodes) {
  GraphDoc doc;
  for (int i = 0; i < nodes; ++i) {
    NodeDoc node;
    node.id = "n" + std::to_string(i);
    node.type = i == 0 ? "value.float" : "value.math";
    if (i == 0) node.params["value"] = 1;
    doc.graph.layout.nodes[node.id] = Json{{"at", {i * 120.0, 40.0}}};
    doc.graph.nodes.push_back(std::move(node));
    if (i > 0)
      doc.graph.links.push_back(
          {{"n" + std::to_string(i - 1), "value"}, {"n" + std::to_string(i), "a"}});
  }
  return doc;
}

void clean_1000(benchmark::State& state) {
  const GraphDoc doc = chain(1000);
  const GraphPtr graph = CompiledGraph::compile(doc, registry());
  Evaluator evaluator;
  // Every node is asked for, so that each is looked up and not only the last.
  std::vector<Target> targets;
  for (int i = 0; i < graph->size(); ++i) targets.push_back({i, 0});
  if (evaluator.evaluate(*graph, targets, {}).failed())
    state.SkipWithError("the graph has an error");
  for (auto _ : state) {
    const Evaluation e = evaluator.evaluate(*graph, targets, {});
    if (e.runs != 0) state.SkipWithError("a clean graph ran something");
  }
}
BENCHMARK(clean_1000)->Name("graph/clean_1000")->UseRealTime();

void chain_1000(benchmark::State& state) {
  GraphDoc doc = chain(1000);
  GraphPtr graph = CompiledGraph::compile(doc, registry());
  Evaluator evaluator;
  const std::vector<Target> targets = graph->default_targets();
  int round = 0;
  for (auto _ : state) {
    doc.graph.nodes[0].params["value"] = ++round;
    graph = graph->with_params(doc.graph.nodes[0]);
    const Evaluation e = evaluator.evaluate(*graph, targets, {});
    if (e.runs != 1000) state.SkipWithError("not every node ran");
  }
}
BENCHMARK(chain_1000)->Name("graph/chain_1000")->UseRealTime();

void compile_1000(benchmark::State& state) {
  const GraphDoc doc = chain(1000);
  for (auto _ : state) benchmark::DoNotOptimize(CompiledGraph::compile(doc, registry()));
}
BENCHMARK(compile_1000)->Name("graph/compile_1000")->UseRealTime();

void load_1000(benchmark::State& state) {
  const std::string text = write_document(chain(1000));
  for (auto _ : state)
    if (!parse_document(text, registry())) state.SkipWithError("the document was refused");
}
BENCHMARK(load_1000)->Name("graph/load_1000")->UseRealTime();

// As much a node as at 1,000, or something costs more than its share.
void load_32000(benchmark::State& state) {
  const std::string text = write_document(chain(32000));
  for (auto _ : state)
    if (!parse_document(text, registry())) state.SkipWithError("the document was refused");
}
BENCHMARK(load_32000)->Name("graph/load_32000")->UseRealTime();

void write_1000(benchmark::State& state) {
  const GraphDoc doc = chain(1000);
  for (auto _ : state) benchmark::DoNotOptimize(write_document(doc));
}
BENCHMARK(write_1000)->Name("graph/write_1000")->UseRealTime();

void hash_16mb(benchmark::State& state) {
  const std::vector<std::byte> data(16'000'000, std::byte{7});
  for (auto _ : state) benchmark::DoNotOptimize(KeyHasher().bytes(data).finish());
}
BENCHMARK(hash_16mb)->Name("graph/hash_16mb")->UseRealTime();

}  // namespace
}  // namespace sinew
